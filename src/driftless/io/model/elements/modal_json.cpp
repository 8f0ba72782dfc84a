#include "driftless/io/model/elements/modal_json.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/io/model/field_json.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

// ---- HDF5 as the tree that JSON would be ----------------------------------------------------------------------------

JsonValue nested(const h5::Array& array, size_t level, size_t& next) {
  Array out;
  if (array.values.empty()) return out;  // one size is zero, the others may be anything
  if (level == array.dims.size()) return array.values[next++];
  for (hsize_t i = 0; i < array.dims[level]; ++i) out.push_back(nested(array, level + 1, next));
  return out;
}

void add_datasets(hid_t parent, std::initializer_list<const char*> names, Object& out) {
  for (const char* name : names)
    if (h5::has_object(parent, name)) {
      size_t next = 0;
      out.push_back({name, nested(h5::read_numbers(parent, name), 0, next)});
    }
}

JsonValue tree_of_hdf5(const std::string& path) {
  const h5::SilentErrors silent;
  const h5::Handle file = h5::open_file(path);
  Object out;
  add_datasets(file.id(),
               {"nodes", "connect", "modes", "stiffness", "damping", "mass", "inertia", "modal_mass"}, out);
  if (h5::has_object(file.id(), "invariants")) {
    const h5::Handle group = h5::open_group(file.id(), "invariants");
    Object own;
    add_datasets(group.id(), {"m", "s0", "P0", "S", "P1", "P2"}, own);
    out.push_back({"invariants", std::move(own)});
  }
  return out;
}

JsonValue tree_of_file(const std::string& path) {
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) throw std::runtime_error(kind);
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".h5" || extension == ".hdf5") return tree_of_hdf5(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("nothing that can be read");
  std::ostringstream text;
  text << file.rdbuf();
  return parse_json(text.str(), path);
}

// ---- reading --------------------------------------------------------------------------------------------------------

std::optional<std::pair<int, int>> node_pair(const JsonReader& entry) {
  const char* const expected = "two numbers of nodes, from 0 on";
  const auto pair = entry.numbers(2, expected);
  if (!pair) return {};
  for (const double node : *pair)
    if (node != std::floor(node) || std::abs(node) > 1e6) {
      entry.complain(expected);
      return {};
    }
  return std::pair(static_cast<int>((*pair)[0]), static_cast<int>((*pair)[1]));
}

class ModalReader {
 public:
  ModalReader(const JsonReader& reader, Space space)
      : reader_(reader), planar_(space == Space::planar), d_(planar_ ? 2 : 3), row_(planar_ ? 3 : 6) {}

  void read(FlexibleSpec& out) {
    static const std::vector<std::string> known = {"nodes", "connect", "modes",      "stiffness", "damping",
                                                   "mass",  "inertia", "modal_mass", "invariants"};
    if (!reader_.is_object(R"({"nodes": …, "mass": …, "modes": …, "stiffness": …})")) return;
    reader_.only(known, "a modal body");
    auto data = std::make_shared<ModalData>();
    nodes(out);
    modes(out.nodes.size(), *data);
    count_ = data->shapes.cols();
    if (const auto matrix = reader_.required("stiffness", "the stiffness of the modes [n][n] or [n]"))
      data->stiffness = square(*matrix);
    if (const auto matrix = reader_.member("damping")) data->damping = square(*matrix);
    if (const auto matrix = reader_.member("modal_mass")) data->mass = square(*matrix);
    if (const auto given = reader_.member("invariants")) {
      for (const char* key : {"mass", "inertia"})
        if (const auto other = reader_.member(key))
          other->complaints().add(other->path(), "nothing beside \"invariants\"", "a value");
      data->invariants = invariants(*given);
    } else {
      masses(out.nodes.size(), *data);
    }
    out.modal = std::move(data);
  }

 private:
  void nodes(FlexibleSpec& out) {
    const auto list = reader_.required("nodes", "the places of the nodes");
    if (!list) return;
    for (const auto& entry : list->elements("a list of places")) out.nodes.push_back(place(entry));
    if (const auto connect = reader_.member("connect"))
      for (const auto& entry : connect->elements("pairs of nodes [[0, 1], …]"))
        if (const auto pair = node_pair(entry)) out.elements.push_back(*pair);
  }

  Vec3 place(const JsonReader& entry) const {
    return entry.vector(planar_ ? Space::planar : Space::spatial).value_or(Vec3::Zero());
  }

  void modes(size_t nodes, ModalData& out) {
    const auto list = reader_.required("modes", "modes [mode][node][components]");
    if (!list) return;
    const auto all = list->elements("a list of modes");
    out.shapes = Mat::Zero(row_ * Eigen::Index(nodes), Eigen::Index(all.size()));
    out.turns = true;
    for (size_t j = 0; j < all.size(); ++j) {
      const auto rows = all[j].elements("the motion of every node");
      if (rows.size() != nodes) {
        all[j].complain(fmt::format("a list of {} nodes", nodes));
        return;
      }
      for (size_t i = 0; i < rows.size(); ++i) {
        const auto* numbers = rows[i].value().array();
        const size_t size = numbers == nullptr ? 0 : numbers->size();
        const auto d = static_cast<size_t>(d_), row = static_cast<size_t>(row_);
        if (size != d && size != row) {
          rows[i].complain(fmt::format("{} or {} numbers", d_, row_));
          return;
        }
        out.turns = out.turns && size == row;
        if (const auto values = rows[i].numbers(size, "numbers"))
          for (size_t k = 0; k < size; ++k)
            out.shapes(row_ * Eigen::Index(i) + Eigen::Index(k), Eigen::Index(j)) = (*values)[k];
      }
    }
  }

  // [n][n], or the diagonal alone.
  Mat square(const JsonReader& reader) const {
    const auto rows = reader.elements("a matrix [n][n] or its diagonal [n]");
    const auto n = static_cast<size_t>(count_);
    Mat out = Mat::Zero(count_, count_);
    if (rows.size() != n) {
      reader.complain(fmt::format("{0} rows of {0} numbers, one a mode, or {0} numbers", count_));
      return out;
    }
    for (size_t i = 0; i < n; ++i)
      if (rows[i].value().array() == nullptr) {
        out(Eigen::Index(i), Eigen::Index(i)) = rows[i].number().value_or(0);
      } else if (const auto row = rows[i].numbers(n, fmt::format("{} numbers, one a mode", n))) {
        out.row(Eigen::Index(i)) = Eigen::Map<const Eigen::RowVectorXd>(row->data(), count_);
      }
    return out;
  }

  void masses(size_t nodes, ModalData& out) {
    if (const auto list = reader_.required("mass", "the masses of the nodes, or \"invariants\""))
      if (const auto values = list->numbers(nodes, fmt::format("{} masses, one a node", nodes)))
        out.masses = *values;
    out.masses.resize(nodes, 0.0);
    const auto list = reader_.member("inertia");
    if (!list) return;
    const auto all = list->elements("inertias of the nodes");
    if (all.size() != nodes) return list->complain(fmt::format("{} inertias, one a node", nodes));
    for (const auto& entry : all) {
      Eigen::Matrix3d& own = out.inertias.emplace_back(Eigen::Matrix3d::Zero());
      if (planar_) {
        own(2, 2) = entry.number("the inertia of the node, kg m²").value_or(0);
        own(0, 0) = own(1, 1) = own(2, 2) / 2;  // of a lamina: only the axis across counts
      } else {
        matrix(entry, own);
      }
    }
  }

  template <class Derived>
  void matrix(const JsonReader& reader, Eigen::MatrixBase<Derived>& out) const {
    const auto rows = reader.elements("rows of numbers");
    if (Eigen::Index(rows.size()) != out.rows()) return reader.complain(fmt::format("{} rows", out.rows()));
    for (size_t i = 0; i < rows.size(); ++i)
      if (const auto row = rows[i].numbers(size_t(out.cols()), fmt::format("{} numbers", out.cols())))
        out.row(Eigen::Index(i)) = Eigen::Map<const Eigen::RowVectorXd>(row->data(), out.cols());
  }

  ModalInvariants invariants(const JsonReader& reader) const {
    static const std::vector<std::string> known = {"m", "s0", "P0", "S", "P1", "P2"};
    ModalInvariants out;
    out.S = Mat::Zero(3, count_);
    for (auto& rows : out.P1)
      for (Vec& row : rows) row = Vec::Zero(count_);
    for (auto& rows : out.P2)
      for (Mat& block : rows) block = Mat::Zero(count_, count_);
    if (!reader.is_object(R"({"m": …, "s0": …, "P0": …, "S": …, "P1": …, "P2": …})")) return out;
    reader.only(known, "inertia invariants");
    const auto need = [&](const char* key) { return reader.required(key, "an inertia invariant"); };
    if (const auto m = need("m")) out.m = m->number().value_or(0);
    if (const auto s0 = need("s0")) out.s0 = place(*s0);
    if (const auto P0 = need("P0")) {
      Mat own = Mat::Zero(d_, d_);
      matrix(*P0, own);
      out.P0.topLeftCorner(d_, d_) = own;
    }
    if (const auto S = need("S")) {
      Mat own = Mat::Zero(d_, count_);
      matrix(*S, own);
      out.S.topRows(d_) = own;
    }
    const auto each_pair = [&](const char* key, auto&& take) {
      const auto list = need(key);
      if (!list) return;
      const auto rows = list->elements("a list for every axis");
      if (Eigen::Index(rows.size()) != d_) return list->complain(fmt::format("{} lists, one an axis", d_));
      for (size_t a = 0; a < rows.size(); ++a) {
        const auto entries = rows[a].elements("a list for every axis");
        if (Eigen::Index(entries.size()) != d_) {
          rows[a].complain(fmt::format("{} lists, one an axis", d_));
          continue;
        }
        for (size_t b = 0; b < entries.size(); ++b) take(entries[b], a, b);
      }
    };
    each_pair("P1", [&](const JsonReader& entry, size_t a, size_t b) {
      if (const auto row = entry.numbers(size_t(count_), fmt::format("{} numbers, one a mode", count_)))
        out.P1[a][b] = Eigen::Map<const Vec>(row->data(), count_);
    });
    each_pair("P2", [&](const JsonReader& entry, size_t a, size_t b) { matrix(entry, out.P2[a][b]); });
    return out;
  }

  const JsonReader& reader_;
  const bool planar_;
  const Eigen::Index d_, row_;
  Eigen::Index count_ = 0;  // modes
};

// ---- writing --------------------------------------------------------------------------------------------------------

Array rows_of(const Mat& matrix) {
  Array out;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Array row;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.emplace_back(matrix(i, j));
    out.emplace_back(std::move(row));
  }
  return out;
}

Array list_of(const Vec& values) { return Array(values.data(), values.data() + values.size()); }

}  // namespace

void read_modal(const JsonReader& reader, Space space, FlexibleSpec& out) {
  out.stiffening = FlexibleSpec::Stiffening::none;
  const auto file = reader.member("file"), data = reader.member("data");
  if (file.has_value() == data.has_value()) {
    reader.complaints().add(path_below(reader.path(), "file"),
                            "the file of the modes, JSON or HDF5, or \"data\"", file ? "both" : "neither");
    return;
  }
  if (data) return ModalReader(*data, space).read(out);
  const auto name = file->text("the name of a file");
  if (!name) return;
  const std::filesystem::path path = std::filesystem::path(reader.context().folder) / *name;
  try {
    const JsonValue tree = tree_of_file(path.string());
    ModalReader(reader.at(tree, file->path()), space).read(out);
  } catch (const std::exception& failure) {
    reader.complaints().add(file->path(), "modes of a body, JSON or HDF5", failure.what(),
                            fmt::format("looked for {}", path.string()));
  }
}

Object write_modal(const FlexibleSpec& spec, Space space) {
  const ModalData& data = *spec.modal;
  const bool planar = space == Space::planar;
  const Eigen::Index row = planar ? 3 : 6, d = planar ? 2 : 3;
  Array nodes, connect, modes;
  for (const Vec3& node : spec.nodes) nodes.emplace_back(write_vector(node, space));
  for (const auto& [a, b] : spec.elements) connect.emplace_back(Array{double(a), double(b)});
  for (Eigen::Index j = 0; j < data.shapes.cols(); ++j) {
    Array mode;
    for (Eigen::Index i = 0; i < Eigen::Index(spec.nodes.size()); ++i)
      mode.emplace_back(list_of(data.shapes.col(j).segment(row * i, data.turns ? row : d)));
    modes.emplace_back(std::move(mode));
  }
  Object out = {{"nodes", std::move(nodes)}};
  if (!connect.empty()) out.push_back({"connect", std::move(connect)});
  out.push_back({"modes", std::move(modes)});
  out.push_back({"stiffness", rows_of(data.stiffness)});
  if (data.damping.size() > 0) out.push_back({"damping", rows_of(data.damping)});
  if (data.mass.size() > 0) out.push_back({"modal_mass", rows_of(data.mass)});
  if (!data.invariants) {
    out.push_back({"mass", Array(data.masses.begin(), data.masses.end())});
    Array inertia;
    for (const Eigen::Matrix3d& own : data.inertias)
      inertia.emplace_back(planar ? JsonValue(own(2, 2)) : JsonValue(rows_of(own)));
    if (!inertia.empty()) out.push_back({"inertia", std::move(inertia)});
    return out;
  }
  const ModalInvariants& in = *data.invariants;
  Array P1, P2;
  for (size_t a = 0; a < size_t(d); ++a) {
    Array row1, row2;
    for (size_t b = 0; b < size_t(d); ++b) {
      row1.emplace_back(list_of(in.P1[a][b]));
      row2.emplace_back(rows_of(in.P2[a][b]));
    }
    P1.emplace_back(std::move(row1));
    P2.emplace_back(std::move(row2));
  }
  out.push_back({"invariants", Object{{"m", in.m},
                                      {"s0", write_vector(in.s0, space)},
                                      {"P0", rows_of(in.P0.topLeftCorner(d, d))},
                                      {"S", rows_of(in.S.topRows(d))},
                                      {"P1", std::move(P1)},
                                      {"P2", std::move(P2)}}});
  return out;
}

}  // namespace driftless
