#include "driftless/io/hdf5/hdf5_heaps.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace driftless::h5 {
namespace {

constexpr std::string_view kSignature("GCOL\1\0\0\0", 8);
constexpr std::uint64_t kHeader = 16;
constexpr std::uint64_t kReference = 8;     // of dimension scales
constexpr std::uint64_t kDescription = 16;  // (3)

std::uint64_t number_at(const char* bytes, int count) {
  std::uint64_t number = 0;
  for (int i = count - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

// (2), from the first object on
bool objects_are_sound(const std::vector<char>& collection) {
  const std::uint64_t size = collection.size();
  std::vector<char> seen(65536, 0);
  for (std::uint64_t at = kHeader; at + kHeader <= size;) {
    const char* object = collection.data() + at;
    const std::uint64_t index = number_at(object, 2), length = number_at(object + 8, 8), room = size - at;
    if (index == 0) return length == room;
    if (seen[index]++ != 0 || length > room - kHeader || (length + 7) / 8 * 8 > room - kHeader) return false;
    if (length != kReference && std::memchr(object + kHeader, 0, length) != nullptr) return false;
    const std::uint64_t filled = (length + 7) / 8 * 8;
    for (std::uint64_t i = length; i < filled; ++i)
      if (object[kHeader + i] != 0) return false;  // text goes on there
    at += kHeader + filled;
  }
  return true;
}

bool collection_is_sound(std::ifstream& file, std::uint64_t at, std::uint64_t file_size) {
  char header[kHeader];
  file.clear();
  file.seekg(static_cast<std::streamoff>(at));
  if (!file.read(header, kHeader)) return false;
  const std::uint64_t size = number_at(header + 8, 8);
  if (size < kHeader || size > file_size - at) return false;
  std::vector<char> collection(size);
  file.seekg(static_cast<std::streamoff>(at));
  return file.read(collection.data(), static_cast<std::streamsize>(size)) && objects_are_sound(collection);
}

}  // namespace

bool global_heaps_are_sound(const std::string& path) {
  constexpr std::uint64_t kBlock = 1 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto file_size = static_cast<std::uint64_t>(file.tellg());
  std::vector<char> block(kBlock + kSignature.size());
  for (std::uint64_t at = 0; at < file_size; at += kBlock) {
    const std::uint64_t count = std::min<std::uint64_t>(block.size(), file_size - at);
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(block.data(), static_cast<std::streamsize>(count))) return false;
    const std::string_view text(block.data(), count);
    for (auto found = text.find(kSignature); found != text.npos && found < kBlock;
         found = text.find(kSignature, found + 1))
      if (!collection_is_sound(file, at + found, file_size)) return false;
  }
  return true;
}

HeapReader::HeapReader(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
  if (file_) size_ = static_cast<std::uint64_t>(file_.tellg());
}

std::optional<std::string> HeapReader::bytes(std::uint64_t at, std::uint64_t count) {
  if (at > size_ || count > size_ - at) return std::nullopt;
  std::string out(count, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(at));
  if (!file_.read(out.data(), static_cast<std::streamsize>(count))) return std::nullopt;
  return out;
}

const HeapReader::Objects* HeapReader::collection(std::uint64_t at) {
  const auto [entry, is_new] = known_.try_emplace(at);
  std::optional<Objects>& found = entry->second;
  if (!is_new) return found ? &*found : nullptr;
  const auto header = bytes(at, kHeader);
  if (!header || !std::string_view(*header).starts_with(kSignature)) return nullptr;
  const auto all = bytes(at, number_at(header->data() + 8, 8));
  if (!all || all->size() < kHeader) return nullptr;
  Objects objects;
  for (std::uint64_t place = kHeader; place + kHeader <= all->size();) {  // (2)
    const char* object = all->data() + place;
    const std::uint64_t index = number_at(object, 2), length = number_at(object + 8, 8),
                        room = all->size() - place - kHeader;
    if (index == 0) break;
    if (length > room || (length + 7) / 8 * 8 > room) return nullptr;
    objects[index].assign(object + kHeader, length);
    place += kHeader + (length + 7) / 8 * 8;
  }
  found = std::move(objects);
  return &*found;
}

std::optional<std::vector<std::string>> HeapReader::texts(std::uint64_t at, std::uint64_t count) {
  if (count > size_ / kDescription) return std::nullopt;
  const auto descriptions = bytes(at, count * kDescription);
  if (!descriptions) return std::nullopt;
  std::vector<std::string> out;
  std::uint64_t total = 0;  // each has an object of its own: together they are smaller than the file
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* description = descriptions->data() + i * kDescription;
    const std::uint64_t length = number_at(description, 4);
    out.emplace_back();
    if (length == 0) continue;
    const Objects* objects = collection(number_at(description + 4, 8));
    if (objects == nullptr) return std::nullopt;
    const auto object = objects->find(number_at(description + 12, 4));
    total += length;
    if (object == objects->end() || object->second.size() < length || total > size_) return std::nullopt;
    out.back() = object->second.substr(0, length);
  }
  return out;
}

}  // namespace driftless::h5
