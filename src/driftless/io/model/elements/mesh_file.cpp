#include "driftless/io/model/elements/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "driftless/core/file_kind.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::uintmax_t kLargestMesh = 100U << 20U;
constexpr size_t kMostTriangles = 1'000'000;

[[noreturn]] void refuse_mesh(const std::string& found) { throw std::runtime_error(found); }

std::string bytes_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse_mesh("no file of this name");
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) refuse_mesh(kind);
  if (std::filesystem::file_size(path, error) > kLargestMesh) refuse_mesh("a file of more than 100 MB");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_mesh("a file that cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

class MeshBuilder {
 public:
  using Corner = std::array<float, 3>;

  std::uint32_t vertex(const Corner& at) {
    if (!std::all_of(at.begin(), at.end(), [](float x) { return std::isfinite(x); }))
      refuse_mesh("a vertex that is not finite");
    const auto [found, is_new] = known_.try_emplace(at, static_cast<std::uint32_t>(known_.size()));
    if (is_new) mesh_.vertices.insert(mesh_.vertices.end(), at.begin(), at.end());
    return found->second;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a == b || b == c || a == c) return;  // no area
    if (mesh_.triangles.size() >= 3 * kMostTriangles) refuse_mesh("more than a million triangles");
    mesh_.triangles.insert(mesh_.triangles.end(), {a, b, c});
  }
  Mesh take() {
    if (mesh_.triangles.empty()) refuse_mesh("no triangles");
    return std::move(mesh_);
  }

 private:
  Mesh mesh_;
  std::map<Corner, std::uint32_t> known_;
};

// Words of a text, line by line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool next_line() {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      return true;
    }
    return false;
  }
  std::string_view word() {
    const size_t begin = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    line_.remove_prefix(begin);
    const size_t end = std::min(line_.find_first_of(" \t\r"), line_.size());
    const std::string_view found = line_.substr(0, end);
    line_.remove_prefix(end);
    return found;
  }
  MeshBuilder::Corner corner() {
    MeshBuilder::Corner at{};
    for (float& x : at) {
      std::string_view text = word();
      if (text.starts_with('+')) text.remove_prefix(1);
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), x);
      if (error != std::errc() || stop != text.data() + text.size())
        refuse_mesh(fmt::format("'{}' in line {} where a number should be", printable(text, 30), number_));
    }
    return at;
  }
  long number() const { return number_; }

 private:
  std::string_view rest_, line_;
  long number_ = 0;
};

Mesh read_stl_text(std::string_view text) {
  MeshBuilder mesh;
  Words words(text);
  std::vector<std::uint32_t> face;
  while (words.next_line()) {
    const std::string_view word = words.word();
    if (word == "vertex") face.push_back(mesh.vertex(words.corner()));
    if (word != "endfacet") continue;
    for (size_t i = 2; i < face.size(); ++i) mesh.triangle(face[0], face[i - 1], face[i]);
    face.clear();
  }
  return mesh.take();
}

// 80 bytes, the number of triangles, then 50 bytes each: normal, three corners, two bytes of anything.
Mesh read_stl_binary(const std::string& bytes) {
  constexpr size_t kHead = 84, kTriangle = 50;
  std::uint32_t count = 0;
  if (bytes.size() < kHead) refuse_mesh("a file too short for STL");
  std::memcpy(&count, bytes.data() + 80, 4);
  if ((bytes.size() - kHead) / kTriangle < count)
    refuse_mesh(fmt::format("room for {} of the {} triangles it announces",
                            (bytes.size() - kHead) / kTriangle, count));
  if (count > kMostTriangles) refuse_mesh("more than a million triangles");
  MeshBuilder mesh;
  for (size_t i = 0; i < count; ++i) {
    std::array<MeshBuilder::Corner, 3> corners{};
    std::memcpy(corners.data(), bytes.data() + kHead + i * kTriangle + 12, 36);
    std::array<std::uint32_t, 3> vertices{};
    for (size_t k = 0; k < 3; ++k) vertices[k] = mesh.vertex(corners[k]);
    mesh.triangle(vertices[0], vertices[1], vertices[2]);
  }
  return mesh.take();
}

Mesh read_stl(const std::string& bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, 4);
  const bool fits = bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::uintmax_t>(count);
  if (!fits && bytes.starts_with("solid")) return read_stl_text(bytes);  // binary ones may begin with it, too
  return read_stl_binary(bytes);
}

Mesh read_obj(const std::string& text) {
  MeshBuilder mesh;
  std::vector<std::uint32_t> vertices;
  Words words(text);
  while (words.next_line()) {
    const std::string_view kind = words.word();
    if (kind == "v") vertices.push_back(mesh.vertex(words.corner()));
    if (kind != "f") continue;
    std::vector<std::uint32_t> face;
    for (std::string_view word = words.word(); !word.empty(); word = words.word()) {  // 3, 3/1, 3//2, -1
      long number = 0;
      std::from_chars(word.data(), word.data() + word.size(), number);
      if (number < 0) number += static_cast<long>(vertices.size()) + 1;
      if (number < 1 || number > static_cast<long>(vertices.size()))
        refuse_mesh(
            fmt::format("'{}' in line {} where a vertex should be", printable(word, 30), words.number()));
      face.push_back(vertices[static_cast<size_t>(number - 1)]);
    }
    for (size_t i = 2; i < face.size(); ++i) mesh.triangle(face[0], face[i - 1], face[i]);
  }
  return mesh.take();
}

}  // namespace

Mesh read_mesh(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".stl") return read_stl(bytes_of(path));
  if (ending == ".obj") return read_obj(bytes_of(path));
  refuse_mesh(ending.empty() ? "a name without an ending" : fmt::format("the ending '{}'", ending));
}

}  // namespace driftless
