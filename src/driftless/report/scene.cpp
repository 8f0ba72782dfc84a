// Velocities of centres of mass come from the parabola through neighbouring records,
//   v = (h₀² Δ₁ + h₁² Δ₀)/(h₀ h₁ (h₀ + h₁)),   Δ₀, Δ₁ the changes before and after, h₀, h₁ the times                  (1)
#include "driftless/report/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "driftless/io/model/elements/drawing_json.hpp"
#include "driftless/report/decimate.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

constexpr double kFrameTolerance = 1e-4;  // of the characteristic length, and rad
constexpr size_t kMostFrames = 4000;
constexpr double kCoarseTurn = 0.3;     // rad
constexpr double kQuantum = 5e-5;       // of the characteristic length, and of quaternions
constexpr double kCoarsest = 5e-3;      // of the characteristic length: 16 bits that give no better become 32
constexpr double kArrowQuantum = 1e-3;  // of the largest component

// The size of things where nobody said: how far they go.
double extent(const Motion& motion) {
  Vec3 low = Vec3::Constant(HUGE_VAL), high = Vec3::Constant(-HUGE_VAL);
  for (size_t k = 0; k < motion.t.size(); ++k)
    for (size_t body = 0; body < motion.bodies; ++body) {
      const Eigen::Map<const Vec3> at(motion.pose(k, body));
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
  const double size = motion.bodies == 0 || motion.t.empty() ? 0 : (high - low).norm() / 2;
  return size > 0 && std::isfinite(size) ? size : 1;
}

bool is_planar(const Trajectory& trajectory, const Motion& motion) {
  if (trajectory.planar) return true;
  for (size_t k = 0; k < motion.t.size(); ++k)
    for (size_t body = 0; body < motion.bodies; ++body) {
      const double* pose = motion.pose(k, body);
      if (pose[2] != 0 || pose[4] != 0 || pose[5] != 0) return false;
    }
  return true;
}

class ScenePacker {
 public:
  ScenePacker(const Results& results, Packer& packer)
      : trajectory_(results.trajectory),
        packer_(packer),
        motion_(finite_motion(trajectory_.t, trajectory_.poses, trajectory_.body_names.size())) {
    bool fits = results.drawing && results.drawing->bodies.size() == trajectory_.body_names.size();
    for (size_t i = 0; fits && i < trajectory_.body_names.size(); ++i)
      fits = results.drawing->bodies[i].name == trajectory_.body_names[i];
    drawing_ = fits ? *results.drawing
                    : plain_drawing(trajectory_.body_names, is_planar(trajectory_, motion_), extent(motion_));
    choice_ = choose_frames(motion_, drawing_.length, kFrameTolerance, kMostFrames);
  }

  Object make() {
    std::vector<double> t;
    for (const size_t k : choice_.frames) t.push_back(motion_.t[k]);
    Array poses = pack_poses();
    Object out = {{"frames", packer_.f64(t)}};
    out.push_back({"frame_note", frame_note()});
    out.push_back({"position_error", position_error_});
    out.push_back({"angle_error", angle_error_});
    out.push_back({"poses", std::move(poses)});
    out.push_back(
        {"arrows", Object{{"velocity", velocities()}, {"force", forces()}, {"applied", applied()}}});
    out.push_back({"scene", scene()});
    return out;
  }

 private:
  // What is left out, and whether the records themselves are far apart.
  std::string frame_note() const {
    if (motion_.bodies == 0) return {};
    std::string note = fmt::format(
        "{} of {} records shown; between them positions are within {:.2g} m and angles within {:.2g} rad of "
        "the records",
        choice_.frames.size(), trajectory_.size(), position_error_, angle_error_);
    double turn = 0;
    for (size_t k = 1; k < motion_.t.size(); ++k)
      for (size_t body = 0; body < motion_.bodies; ++body) {
        const Eigen::Map<const Eigen::Vector4d> a(motion_.pose(k - 1, body) + 3),
            b(motion_.pose(k, body) + 3);
        turn = std::max(turn, 4 * std::asin(std::min(1.0, (a - b).norm() / 2)));
      }
    if (turn > kCoarseTurn)
      note += fmt::format(
          "; bodies turn by up to {:.2g} rad from record to record: `output_step` makes the motion smoother",
          turn);
    return note;
  }

  // A number if nothing changes; 16 bits if they give steps below `coarsest`, else 32.
  JsonValue pack(const std::vector<double>& values, double quantum, double coarsest, double& error) {
    if (values.empty()) return 0.0;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low == *high) return *low;
    if ((*high - *low) / 65534 <= coarsest) {
      auto packed = packer_.u16(values, quantum);
      error = packed.error;
      return std::move(packed.array);
    }
    std::vector<float> single(values.begin(), values.end());
    for (size_t i = 0; i < values.size(); ++i)
      error = std::max(error, std::abs(values[i] - static_cast<double>(single[i])));
    return packer_.f32(single);
  }
  JsonValue pack_place(const std::vector<double>& values, double& error) {
    return pack(values, kQuantum * drawing_.length, kCoarsest * drawing_.length, error);
  }
  JsonValue pack_arrow(const std::vector<double>& values, double largest) {
    double unused = 0;
    return pack(values, kArrowQuantum * largest, HUGE_VAL, unused);
  }

  template <class Value>
  std::vector<double> at_frames(Value value) const {
    std::vector<double> out;
    out.reserve(choice_.frames.size());
    for (const size_t k : choice_.frames) out.push_back(value(k));
    return out;
  }

  Array pack_poses() {
    constexpr std::array<const char*, 7> kKeys = {"x", "y", "z", "w", "i", "j", "k"};
    double worst_place = 0, worst_turn = 0;
    Array out;
    for (size_t body = 0; body < motion_.bodies; ++body) {
      Object pose;
      std::array<double, 7> error{};
      for (size_t c = 0; c < 7; ++c) {
        const auto values = at_frames([&](size_t k) { return motion_.pose(k, body)[c]; });
        pose.push_back(
            {kKeys[c], c < 3 ? pack_place(values, error[c]) : pack(values, kQuantum, 1, error[c])});
      }
      places_.push_back({pose[0].value, pose[1].value, pose[2].value});
      worst_place = std::max(worst_place, std::hypot(error[0], error[1], error[2]));
      const double chord = std::hypot(std::hypot(error[3], error[4]), std::hypot(error[5], error[6]));
      worst_turn = std::max(worst_turn, 2 * std::asin(std::min(1.0, chord)));
      out.push_back(std::move(pose));
    }
    position_error_ = choice_.position_error + worst_place;
    angle_error_ = choice_.angle_error + worst_turn;
    return out;
  }

  Vec3 world(size_t k, size_t body, const Vec3& at) const {
    const double* p = motion_.pose(k, body);
    const Eigen::Quaterniond q(p[3], p[4], p[5], p[6]);
    return Eigen::Map<const Vec3>(p) + q.toRotationMatrix() * at;
  }

  Vec3 velocity(size_t k, size_t body) const {
    const Vec3& center = drawing_.bodies[body].center;
    const size_t last = motion_.t.size() - 1;
    const auto& t = motion_.t;
    const auto slope = [&](size_t a, size_t b) -> Vec3 {
      return t[b] > t[a] ? Vec3((world(b, body, center) - world(a, body, center)) / (t[b] - t[a]))
                         : Vec3(Vec3::Zero());
    };
    if (last == 0) return Vec3::Zero();
    if (k == 0) return slope(0, 1);
    if (k == last) return slope(last - 1, last);
    const double h0 = t[k] - t[k - 1], h1 = t[k + 1] - t[k];
    if (!(h0 > 0) || !(h1 > 0)) return slope(k - 1, k + 1);
    return (h1 * slope(k - 1, k) + h0 * slope(k, k + 1)) / (h0 + h1);  // (1)
  }

  template <class Value>
  Object arrow(const char* key, size_t index, Value value) {
    Object out = {{key, static_cast<double>(index)}};
    std::array<std::vector<double>, 3> parts;
    double largest = 0;
    for (int c = 0; c < 3; ++c) {
      parts[size_t(c)] = at_frames([&](size_t k) { return value(k)[c]; });
      for (const double x : parts[size_t(c)]) largest = std::max(largest, std::abs(x));
    }
    for (size_t c = 0; c < 3; ++c) out.push_back({std::string(1, "xyz"[c]), pack_arrow(parts[c], largest)});
    return out;
  }

  Array velocities() {
    Array out;
    for (size_t body = 0; body < motion_.bodies; ++body) {
      std::vector<Vec3> at(motion_.t.size(), Vec3::Zero());
      for (const size_t k : choice_.frames) at[k] = velocity(k, body);
      out.push_back(arrow("body", body, [&](size_t k) -> const Vec3& { return at[k]; }));
    }
    return out;
  }

  // Reactions on second bodies, world axes; joints of the drawing are found by name.
  Array forces() {
    Array out;
    const size_t joints = trajectory_.joint_names.size();
    if (trajectory_.reactions.size() < trajectory_.size() * joints * 12) return out;
    for (size_t j = 0; j < joints; ++j) {
      const auto drawn =
          std::find_if(drawing_.joints.begin(), drawing_.joints.end(),
                       [&](const DrawnLink& link) { return link.name == trajectory_.joint_names[j]; });
      if (drawn == drawing_.joints.end()) continue;
      out.push_back(
          arrow("joint", static_cast<size_t>(drawn - drawing_.joints.begin()), [&](size_t k) -> Vec3 {
            const double* f = trajectory_.reactions.data() + (motion_.records[k] * joints + j) * 12;
            return Eigen::Map<const Vec3>(f).allFinite() ? Vec3(f[0], f[1], f[2]) : Vec3(Vec3::Zero());
          }));
    }
    return out;
  }

  // A recorded quantity in N; −1: none.
  int force_column(const std::string& name) const {
    const Table& table = trajectory_.quantities;
    const auto at = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
    const bool known = size_t(at) < table.units.size() && table.units[size_t(at)] == "N";
    return known && table.rows() == trajectory_.size() ? static_cast<int>(at) : -1;
  }
  double recorded(size_t k, int column) const {
    const double value = trajectory_.quantities.at(motion_.records[k], size_t(column));
    return std::isfinite(value) ? value : 0;
  }
  Vec3 world(size_t k, const DrawnEnd& end) const {
    return end.body < 0 ? end.at : world(k, size_t(end.body), end.at);
  }

  // What springs, tyres and loads do to the ends of theirs that are bodies, world axes, where it was recorded: by its components, or,
  // of what pulls two points together, by its size.
  Array applied() {
    Array out;
    for (size_t i = 0; i < drawing_.springs.size(); ++i) {
      const DrawnLink& link = drawing_.springs[i];
      if (link.type == "bushing") continue;  // in axes of its own
      std::array<int, 3> parts{};
      for (size_t c = 0; c < 3; ++c) parts[c] = force_column(link.name + ".f" + "xyz"[c]);
      if (parts[0] >= 0 && parts[1] >= 0) {
        if (link.b.body < 0) continue;
        out.push_back(applied_at(i, "b", [&](size_t k) -> Vec3 {
          return {recorded(k, parts[0]), recorded(k, parts[1]), parts[2] < 0 ? 0 : recorded(k, parts[2])};
        }));
        continue;
      }
      const int size = force_column(link.name + ".force");
      const bool is_between = link.a.body != link.b.body || link.a.at != link.b.at;
      if (size < 0 || !is_between) continue;
      const auto pull = [&](size_t k) -> Vec3 {  // on a
        Vec3 along = world(k, link.b) - world(k, link.a);
        if (link.axis && link.a.body >= 0)
          along = world(k, {link.a.body, link.a.at + *link.axis}) - world(k, link.a);
        else if (link.axis)
          along = *link.axis;
        return recorded(k, size) * along.stableNormalized();
      };
      if (link.a.body >= 0) out.push_back(applied_at(i, "a", pull));
      if (link.b.body >= 0) out.push_back(applied_at(i, "b", [&](size_t k) -> Vec3 { return -pull(k); }));
    }
    return out;
  }
  template <class Value>
  Object applied_at(size_t spring, const char* end, Value value) {
    Object out = arrow("spring", spring, value);
    out.push_back({"end", std::string(end)});
    return out;
  }

  // Corners of a box around a body, in its frame.
  static std::vector<Vec3> corners(const DrawnBody& body) {
    Vec3 low = body.center, high = body.center;
    const auto add = [&](const Vec3& at, double margin) {
      low = low.cwiseMin(at - Vec3::Constant(margin));
      high = high.cwiseMax(at + Vec3::Constant(margin));
    };
    for (const NamedPoint& point : body.points) add(point.at, 0);
    for (const Shape& shape : body.shapes) {
      const Vec3 at = shape.points.empty() ? Vec3(Vec3::Zero()) : shape.points[0].at;
      if (shape.kind == ShapeKind::box) add(at, shape.size.norm() / 2);
      if (shape.kind == ShapeKind::sphere) add(at, shape.radius);
      if (shape.kind == ShapeKind::mesh) {
        double reach = 0;
        for (size_t i = 0; i + 2 < shape.mesh.vertices.size(); i += 3)
          reach = std::max(reach, double(std::hypot(shape.mesh.vertices[i], shape.mesh.vertices[i + 1],
                                                    shape.mesh.vertices[i + 2])));
        add(at, reach * shape.scale);
      }
      for (const ShapePoint& point : shape.points)
        if (shape.kind != ShapeKind::box && shape.kind != ShapeKind::mesh)
          add(point.at + Vec3(0, 0, shape.z), std::max(shape.radius, shape.thickness / 2));
    }
    std::vector<Vec3> out;
    for (unsigned i = 0; i < 8; ++i)
      out.emplace_back((i & 1U) != 0 ? high.x() : low.x(), (i & 2U) != 0 ? high.y() : low.y(),
                       (i & 4U) != 0 ? high.z() : low.z());
    return out;
  }

  Array bounds() const {
    Vec3 low = Vec3::Constant(HUGE_VAL), high = Vec3::Constant(-HUGE_VAL);
    const auto add = [&](const Vec3& at) {
      if (!at.allFinite()) return;
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    };
    if (!drawing_.ground.points.empty() || !drawing_.ground.shapes.empty())
      for (const Vec3& at : corners(drawing_.ground)) add(at);
    for (size_t body = 0; body < motion_.bodies; ++body) {
      const std::vector<Vec3> own = corners(drawing_.bodies[body]);
      for (const size_t k : choice_.frames)
        for (const Vec3& at : own) add(world(k, body, at));
    }
    if (!(low.x() <= high.x())) low = high = Vec3::Zero();
    return {Array{low.x(), low.y(), low.z()}, Array{high.x(), high.y(), high.z()}};
  }

  JsonValue node(const DrawnEnd& end) {
    if (end.body < 0) return Object{{"x", end.at.x()}, {"y", end.at.y()}, {"z", end.at.z()}};
    const auto body = static_cast<size_t>(end.body);
    if (end.at.isZero(0))  // the arrays are there already
      return Object{{"x", places_[body][0]}, {"y", places_[body][1]}, {"z", places_[body][2]}};
    Object out;
    for (int c = 0; c < 3; ++c) {
      double error = 0;
      out.push_back({std::string(1, "xyz"[c]),
                     pack_place(at_frames([&](size_t k) { return world(k, body, end.at)[c]; }), error)});
    }
    return out;
  }

  // For colours: the largest stress in the element that each line shows.
  void add_stress(const DrawnLines& lines, Object& out) {
    const Table& strains = trajectory_.strains;
    size_t first = 0;
    for (const FlexibleColumns& body : trajectory_.flexible) {
      const auto elements = static_cast<size_t>(body.elements);
      if (body.body == lines.name && body.has_stress && strains.rows() == trajectory_.size()) {
        Array stress;
        double most = 0;
        for (const int element : lines.elements) {
          if (static_cast<size_t>(element) >= elements) return;
          const size_t column = first + elements + static_cast<size_t>(element);
          const auto values = at_frames([&](size_t k) { return strains.at(k, column); });
          for (const double value : values)
            if (value > most) most = value;
          stress.push_back(packer_.u16(values).array);
        }
        out.push_back({"stress", std::move(stress)});
        out.push_back({"stress_max", most});
      }
      first += elements * (body.has_stress ? 2 : 1);
    }
  }

  Object scene() {
    Object out = write_drawing(drawing_, [&](const Mesh& mesh, Object& shape) {
      shape.push_back({"vertices", packer_.f32(mesh.vertices)});
      shape.push_back({"triangles", packer_.u32(mesh.triangles)});
    });
    for (JsonMember& entry : out) {
      if (entry.key == "bodies") {
        double index = 0;
        for (JsonValue& body : std::get<Array>(entry.value.data))
          std::get<Object>(body.data).push_back({"pose", index++});
      }
      if (entry.key == "deforming") {
        auto& list = std::get<Array>(entry.value.data);
        for (size_t i = 0; i < list.size(); ++i)
          for (JsonMember& part : std::get<Object>(list[i].data))
            if (part.key == "nodes") {
              Array nodes;
              for (const DrawnEnd& end : drawing_.deforming[i].nodes) nodes.push_back(node(end));
              part.value = std::move(nodes);
            }
        for (size_t i = 0; i < list.size(); ++i)
          add_stress(drawing_.deforming[i], std::get<Object>(list[i].data));
      }
    }
    out.push_back({"bounds", bounds()});
    return out;
  }

  const Trajectory& trajectory_;
  Packer& packer_;
  Motion motion_;
  Drawing drawing_;
  FrameChoice choice_;
  double position_error_ = 0, angle_error_ = 0;
  std::vector<std::array<JsonValue, 3>> places_;  // packed positions of the bodies
};

}  // namespace

JsonValue::Object pack_scene(const Results& results, Packer& packer) {
  return ScenePacker(results, packer).make();
}

}  // namespace driftless
