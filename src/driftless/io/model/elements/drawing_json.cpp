#include "driftless/io/model/elements/drawing_json.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

// ---- writing --------------------------------------------------------------------------------------------------------

Array triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Object write_shape(const Shape& shape, const AddMesh& add_mesh) {
  Object out = {{"type", shape_name(shape.kind)}};
  const Vec3 at = shape.points.empty() ? Vec3(Vec3::Zero()) : shape.points[0].at;
  const auto& e = shape.orientation;
  const auto add_place = [&] { out.push_back({"position", triple(at)}); };
  const auto add_turn = [&] { out.push_back({"orientation", Array{e[0], e[1], e[2], e[3]}}); };
  const auto add_points = [&](bool corners) {
    Array points;
    for (const ShapePoint& point : shape.points)
      points.push_back(corners ? Array{point.at.x(), point.at.y()} : triple(point.at));
    out.push_back({"points", std::move(points)});
  };
  switch (shape.kind) {
    case ShapeKind::box:
      out.push_back({"size", triple(shape.size)});
      add_place();
      add_turn();
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      out.push_back({"from", triple(at)});
      out.push_back({"to", triple(shape.points.size() < 2 ? at : shape.points[1].at)});
      out.push_back({"radius", shape.radius});
      break;
    case ShapeKind::sphere:
      add_place();
      out.push_back({"radius", shape.radius});
      break;
    case ShapeKind::line:
      add_points(false);
      out.push_back({"radius", shape.radius});
      break;
    case ShapeKind::polygon:
      add_points(true);
      out.push_back({"thickness", shape.thickness});
      out.push_back({"z", shape.z});
      break;
    case ShapeKind::mesh:
      add_mesh(shape.mesh, out);
      add_place();
      add_turn();
      out.push_back({"scale", shape.scale});
      break;
  }
  if (!shape.color.empty()) out.push_back({"color", shape.color});
  if (shape.derived) out.push_back({"derived", true});
  return out;
}

Object write_body(const DrawnBody& body, const AddMesh& add_mesh) {
  Array points, shapes;
  for (const NamedPoint& point : body.points)
    points.push_back(Object{{"name", point.name}, {"at", triple(point.at)}});
  for (const Shape& shape : body.shapes) shapes.push_back(write_shape(shape, add_mesh));
  return {{"name", body.name},
          {"center", triple(body.center)},
          {"points", std::move(points)},
          {"shapes", std::move(shapes)}};
}

Object write_end(const DrawnEnd& end) { return {{"body", end.body}, {"at", triple(end.at)}}; }

Array write_links(const std::vector<DrawnLink>& links) {
  Array out;
  for (const DrawnLink& link : links)
    out.push_back(Object{{"name", link.name},
                         {"type", link.type},
                         {"symbol", link.symbol},
                         {"a", write_end(link.a)},
                         {"b", write_end(link.b)},
                         {"axis", link.axis ? JsonValue(triple(*link.axis)) : JsonValue()},
                         {"length", link.length}});
  return out;
}

Object write_lines(const DrawnLines& body) {
  Array nodes, lines;
  for (const DrawnEnd& node : body.nodes) nodes.push_back(write_end(node));
  for (const auto& line : body.lines) lines.push_back(Array(line.begin(), line.end()));
  Object out = {
      {"name", body.name}, {"nodes", std::move(nodes)}, {"lines", std::move(lines)}, {"radius", body.radius}};
  if (body.frame >= 0) {
    Array rest;
    for (const Vec3& at : body.rest) rest.push_back(triple(at));
    out.push_back({"frame", body.frame});
    out.push_back({"rest", std::move(rest)});
  }
  if (!body.elements.empty()) out.push_back({"elements", Array(body.elements.begin(), body.elements.end())});
  return out;
}

// ---- reading: a file can be edited, nothing of it is believed -------------------------------------------------------

[[noreturn]] void refuse_drawing(const char* what) {
  throw std::runtime_error(fmt::format("a drawing without {}", what));
}

const JsonValue& member(const JsonValue& value, const char* key) {
  const JsonValue* found = value.find(key);
  if (found == nullptr) refuse_drawing(key);
  return *found;
}

const Array& list_of(const JsonValue& value, const char* key) {
  const Array* found = member(value, key).array();
  if (found == nullptr) refuse_drawing(key);
  return *found;
}

double number(const JsonValue& value, const char* key) {
  const double* found = member(value, key).number();
  if (found == nullptr) refuse_drawing(key);
  return *found;
}

std::string text_of(const JsonValue& value, const char* key) {
  const std::string* found = member(value, key).string();
  if (found == nullptr) refuse_drawing(key);
  return *found;
}

int index(const JsonValue& value, const char* what, int low, size_t count) {
  const double* found = value.number();
  if (found == nullptr || !(*found >= low) || !(*found < static_cast<double>(count))) refuse_drawing(what);
  return static_cast<int>(*found);
}

template <int N>
Eigen::Matrix<double, N, 1> vector(const JsonValue& value, const char* what) {
  const Array* array = value.array();
  if (array == nullptr || array->size() != N) refuse_drawing(what);
  Eigen::Matrix<double, N, 1> out;
  for (int i = 0; i < N; ++i) {
    const double* x = (*array)[size_t(i)].number();
    if (x == nullptr) refuse_drawing(what);
    out[i] = *x;
  }
  return out;
}

class DrawingReader {
 public:
  explicit DrawingReader(std::vector<Mesh> meshes) : meshes_(std::move(meshes)) {}

  Drawing read(const JsonValue& value) {
    Drawing out;
    const bool* planar = member(value, "planar").boolean();
    if (planar == nullptr) refuse_drawing("planar");
    out.planar = *planar;
    out.gravity = vector<3>(member(value, "gravity"), "gravity");
    out.length = number(value, "length");
    if (!(out.length > 0)) refuse_drawing("length");
    for (const JsonValue& entry : list_of(value, "bodies")) out.bodies.push_back(body(entry));
    bodies_ = out.bodies.size();
    out.ground = body(member(value, "ground"));
    out.joints = links(value, "joints");
    out.springs = links(value, "springs");
    for (const JsonValue& entry : list_of(value, "deforming")) out.deforming.push_back(lines(entry));
    return out;
  }

 private:
  DrawnBody body(const JsonValue& value) {
    DrawnBody out{text_of(value, "name"), vector<3>(member(value, "center"), "center")};
    for (const JsonValue& entry : list_of(value, "points"))
      out.points.push_back({text_of(entry, "name"), vector<3>(member(entry, "at"), "at")});
    for (const JsonValue& entry : list_of(value, "shapes")) out.shapes.push_back(shape(entry));
    return out;
  }

  Shape shape(const JsonValue& value) {
    const std::string name = text_of(value, "type");
    const auto kind = std::find_if(std::begin(kShapeKinds), std::end(kShapeKinds),
                                   [&](ShapeKind k) { return name == shape_name(k); });
    if (kind == std::end(kShapeKinds)) refuse_drawing("shapes of a known type");
    Shape out;
    out.kind = *kind;
    const auto optional = [&](const char* key, double& into) {
      if (value.find(key) != nullptr) into = number(value, key);
    };
    optional("radius", out.radius);
    optional("thickness", out.thickness);
    optional("z", out.z);
    optional("scale", out.scale);
    if (const auto* size = value.find("size")) out.size = vector<3>(*size, "size");
    if (const auto* turn = value.find("orientation")) out.orientation = vector<4>(*turn, "orientation");
    for (const char* key : {"position", "from", "to"})
      if (const auto* at = value.find(key)) out.points.push_back({{}, vector<3>(*at, key)});
    if (value.find("points") != nullptr)
      for (const JsonValue& at : list_of(value, "points")) {
        if (out.kind == ShapeKind::line) {
          out.points.push_back({{}, vector<3>(at, "points")});
        } else {
          const auto corner = vector<2>(at, "points");
          out.points.push_back({{}, Vec3(corner[0], corner[1], 0)});
        }
      }
    const bool has_ends = out.kind == ShapeKind::cylinder || out.kind == ShapeKind::capsule;
    if (has_ends && out.points.size() != 2) refuse_drawing("both ends of a cylinder");
    if (out.kind == ShapeKind::mesh)
      out.mesh = meshes_[size_t(index(member(value, "mesh"), "the mesh of a shape", 0, meshes_.size()))];
    if (value.find("color") != nullptr) out.color = text_of(value, "color");
    if (const auto* derived = value.find("derived"))
      out.derived = derived->boolean() != nullptr && *derived->boolean();
    return out;
  }

  DrawnEnd end(const JsonValue& value) const {
    return {index(member(value, "body"), "a body", -1, bodies_), vector<3>(member(value, "at"), "at")};
  }

  std::vector<DrawnLink> links(const JsonValue& value, const char* key) const {
    std::vector<DrawnLink> out;
    for (const JsonValue& entry : list_of(value, key)) {
      DrawnLink link{text_of(entry, "name"), text_of(entry, "type"), text_of(entry, "symbol"),
                     end(member(entry, "a")), end(member(entry, "b"))};
      if (const JsonValue& axis = member(entry, "axis"); axis.array() != nullptr)
        link.axis = vector<3>(axis, "axis");
      link.length = number(entry, "length");
      out.push_back(std::move(link));
    }
    return out;
  }

  DrawnLines lines(const JsonValue& value) const {
    DrawnLines out{text_of(value, "name"), {}, {}, number(value, "radius")};
    for (const JsonValue& node : list_of(value, "nodes")) out.nodes.push_back(end(node));
    for (const JsonValue& entry : list_of(value, "lines")) {
      const Array* line = entry.array();
      if (line == nullptr) refuse_drawing("lines");
      auto& nodes = out.lines.emplace_back();
      for (const JsonValue& node : *line) nodes.push_back(index(node, "a node", 0, out.nodes.size()));
    }
    if (const JsonValue* frame = value.find("frame")) {
      out.frame = index(*frame, "a body", 0, bodies_);
      for (const JsonValue& at : list_of(value, "rest")) out.rest.push_back(vector<3>(at, "rest"));
      if (out.rest.size() != out.nodes.size()) refuse_drawing("places of all nodes");
    }
    if (value.find("elements") != nullptr) {
      for (const JsonValue& element : list_of(value, "elements"))
        out.elements.push_back(index(element, "an element", 0, 1U << 30U));
      if (out.elements.size() != out.lines.size()) refuse_drawing("elements of all lines");
    }
    return out;
  }

  std::vector<Mesh> meshes_;
  size_t bodies_ = 0;
};

}  // namespace

JsonValue::Object write_drawing(const Drawing& drawing, const AddMesh& add_mesh) {
  Array bodies, deforming;
  for (const DrawnBody& body : drawing.bodies) bodies.push_back(write_body(body, add_mesh));
  for (const DrawnLines& lines : drawing.deforming) deforming.push_back(write_lines(lines));
  return {{"planar", drawing.planar},
          {"gravity", triple(drawing.gravity)},
          {"length", drawing.length},
          {"bodies", std::move(bodies)},
          {"ground", write_body(drawing.ground, add_mesh)},
          {"joints", write_links(drawing.joints)},
          {"springs", write_links(drawing.springs)},
          {"deforming", std::move(deforming)}};
}

std::string drawing_text(const Drawing& drawing, std::vector<const Mesh*>& meshes) {
  return to_text(write_drawing(drawing, [&](const Mesh& mesh, Object& shape) {
    shape.push_back({"mesh", static_cast<double>(meshes.size())});
    meshes.push_back(&mesh);
  }));
}

Drawing read_drawing(const std::string& text, std::vector<Mesh> meshes) {
  try {
    return DrawingReader(std::move(meshes)).read(parse_json(text, "drawing"));
  } catch (const InputError&) {
    throw std::runtime_error("a drawing that is not JSON");
  }
}

}  // namespace driftless
