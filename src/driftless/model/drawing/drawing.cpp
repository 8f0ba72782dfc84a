#include "driftless/model/drawing/drawing.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <Eigen/Geometry>

#include "driftless/model/characteristic_length.hpp"
#include "driftless/model/drawing/derived_shapes.hpp"
#include "driftless/model/drawing/drawn_axis.hpp"
#include "driftless/model/drawing/drawn_limits.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {
namespace {

template <class T>
const T* field(const Element& element, std::string_view name) {
  const auto found = element.fields.find(name);
  return found == element.fields.end() ? nullptr : std::get_if<T>(&found->second);
}

class Draft {
 public:
  Draft(const Model& model, const Catalogue& catalogue)
      : model_(model),
        catalogue_(catalogue),
        index_(model),
        planar_(model.space == Space::planar),
        held_(model.bodies.size()) {
    out_.planar = planar_;
    out_.gravity = model.gravity;
    out_.length = characteristic_length(model);
  }

  Drawing make();

 private:
  int index(const std::string& body) const;
  const std::string& name(int body) const;
  DrawnEnd end(const PointRef& ref) const { return {index(ref.body), resolve_point(index_, ref)}; }
  DrawnEnd end(const std::string& body) const;
  std::optional<DrawnEnd> end(const Element& element, std::string_view name) const;
  std::optional<Vec3> axis(const Element& element, std::string_view name, const DrawnEnd& a) const;
  void move_to_joint(const Element& element, DrawnLink& link) const;
  DrawnLink link(const Element& element, std::string symbol) const;
  const ElementTraits& traits(const std::vector<const ElementRecord*>& records, const Element& element) const;
  DrawnLink link(const Element& element, const ElementTraits& traits, const char* other) const;
  DrawnEnd bearing(const std::string& body) const;
  void hold(const DrawnLink& link);
  void add_wheel(const Element& element, const DrawnWheel& wheel);
  void add_curve(const Element& element, const DrawnLink& link);
  double reach(const DrawnEnd& from) const;
  Vec3 from_world(int body, const Vec3& direction) const {
    return start_pose(index_, name(body)).rotation.transpose() * direction;
  }
  void add_floor(const Element& contact, const DrawnLink& link);
  void add_road(const Element& element, const DrawnLink& link);
  void add_stops(const Element& joint, const DrawnLink& link);
  DrawnBody body(const Body& body, size_t i) const;
  void follow(size_t body, const DrawnAxis& axis, size_t first);
  void shift_to_poses();
  Shape placed(Shape shape, const std::vector<NamedPoint>& points) const;

  const Model& model_;
  const Catalogue& catalogue_;
  ModelIndex index_;
  bool planar_;
  Drawing out_;
  std::vector<HeldBody> held_;
  std::map<int, std::vector<Shape>> extra_;  // wheels and tracks, by body
};

int Draft::index(const std::string& body) const {
  const int i = index_.body(body);
  return i == static_cast<int>(model_.bodies.size()) ? -1 : i;
}

const std::string& Draft::name(int body) const {
  static const std::string ground = "ground";
  return body < 0 ? ground : model_.bodies[size_t(body)].name;
}

// A body as a whole: at its centre of mass.
DrawnEnd Draft::end(const std::string& body) const {
  const int i = index(body);
  return {i, i < 0 ? Vec3(Vec3::Zero()) : model_.bodies[size_t(i)].center_of_mass};
}

std::optional<DrawnEnd> Draft::end(const Element& element, std::string_view name) const {
  if (const auto* point = field<PointRef>(element, name)) return end(*point);
  if (const auto* text = field<std::string>(element, name)) {
    const Element* joint = index_.find_joint(*text);
    if (name.starts_with("joint") && joint != nullptr) {  // where that joint is
      const auto there = end(*joint, "b");
      return there ? there : end(*joint, "a");
    }
    return end(*text);
  }
  return {};
}

std::optional<Vec3> Draft::axis(const Element& element, std::string_view name, const DrawnEnd& a) const {
  if (const auto* vector = field<Vec3>(element, name)) return vector->stableNormalized();
  const auto* direction = field<DirectionRef>(element, name);
  if (direction == nullptr) return {};
  const std::string& own = this->name(a.body);
  std::string owner;
  const Vec3 u = resolve_direction(index_, *direction, own, owner);
  if (owner == own) return u;
  return Vec3(start_pose(index_, own).rotation.transpose() * (start_pose(index_, owner).rotation * u));
}

// What acts between two bodies as wholes is drawn at a joint between them, if there is one.
void Draft::move_to_joint(const Element& element, DrawnLink& link) const {
  const auto *a = field<std::string>(element, "a"), *b = field<std::string>(element, "b");
  if (a == nullptr || b == nullptr || link.symbol == "gear") return;
  for (const Element& joint : model_.joints) {
    const auto *first = field<PointRef>(joint, "a"), *second = field<PointRef>(joint, "b");
    if (first == nullptr || second == nullptr) continue;
    if (first->body == *b && second->body == *a) std::swap(first, second);
    if (first->body != *a || second->body != *b) continue;
    link.a = end(*first);
    link.b = end(*second);
    return;
  }
}

DrawnLink Draft::link(const Element& element, std::string symbol) const {
  DrawnLink out{element.name, element.type, std::move(symbol), {}, {}};
  const auto first = [&](std::initializer_list<const char*> names) -> std::optional<DrawnEnd> {
    for (const char* name : names)
      if (const auto found = end(element, name)) return found;
    return {};
  };
  const auto b = first({"b", "at", "body", "joint_b", "joint", "rack"});
  const auto a = first({"a", "joint_a", "carrier", "reaction"});
  out.b = b.value_or(DrawnEnd());
  out.a = a.value_or(out.b);
  move_to_joint(element, out);
  out.axis = axis(element, "axis", out.a);
  if (planar_ && !out.axis && (out.symbol == "pin" || out.symbol == "torsion" || out.symbol == "gear"))
    out.axis = Vec3::UnitZ();
  out.length = element.has("length") ? element.number("length", 0) : 0;
  return out;
}

// What its type says of itself; types nobody knows are drawn like any other.
const ElementTraits& Draft::traits(const std::vector<const ElementRecord*>& records,
                                   const Element& element) const {
  static const ElementTraits none;
  const ElementRecord* record = find_record(records, element.type, model_.space);
  return record == nullptr ? none : record->traits;
}

DrawnLink Draft::link(const Element& element, const ElementTraits& traits, const char* other) const {
  return link(element, traits.symbol.empty() ? other : traits.symbol);
}

// Where a wheel is held: a joint on it that turns.
DrawnEnd Draft::bearing(const std::string& body) const {
  for (const Element& joint : model_.joints) {
    const std::string& symbol = traits(catalogue_.joints, joint).symbol;
    if (symbol != "pin" && symbol != "cylinder") continue;
    for (const char* side : {"a", "b"})
      if (const auto* point = field<PointRef>(joint, side); point != nullptr && point->body == body)
        return end(*point);
  }
  return end(body);
}

void Draft::add_wheel(const Element& element, const DrawnWheel& wheel) {
  const auto* body = field<std::string>(element, wheel.center);
  const DrawnEnd center = body != nullptr ? bearing(*body) : *end(element, wheel.center);
  if (!planar_ && wheel.axis.empty()) {  // of contacts: spheres
    Shape ball;
    ball.kind = ShapeKind::sphere;
    ball.derived = true;
    ball.points.push_back({{}, center.at});
    ball.radius = element.number(wheel.radius, 0);
    extra_[center.body].push_back(std::move(ball));
    return;
  }
  Vec3 along = Vec3::UnitZ();
  if (!planar_) {
    const std::string& name = element.has(wheel.axis) ? wheel.axis : wheel.axis_or;
    const auto owner = wheel.frame.empty() ? std::nullopt : end(element, wheel.frame);
    const int frame = owner ? owner->body : -1;
    if (const auto u = axis(element, name, DrawnEnd{frame, Vec3::Zero()}))
      along = start_pose(index_, this->name(center.body)).rotation.transpose() *
              (start_pose(index_, this->name(frame)).rotation * *u);
  }
  extra_[center.body].push_back(
      derived_wheel(center.at, along, element.number(wheel.radius, 0), out_.length));
}

void Draft::add_curve(const Element& element, const DrawnLink& link) {
  const auto found = std::find_if(element.fields.begin(), element.fields.end(), [](const auto& f) {
    return std::holds_alternative<CurvePoints>(f.second);
  });
  if (found == element.fields.end()) return;
  const CurvePoints& curve = std::get<CurvePoints>(found->second);
  Shape shape;
  shape.kind = ShapeKind::line;
  shape.derived = true;
  for (const Vec3& point : curve.points) shape.points.push_back({{}, link.a.at + point});
  if (curve.closed && !shape.points.empty()) shape.points.push_back(shape.points.front());
  extra_[link.a.body].push_back(std::move(shape));
}

// How far a floor goes to either side of a place: below everything there is at the start, and further.
double Draft::reach(const DrawnEnd& from) const {
  const StartPose own = start_pose(index_, name(from.body));
  const Vec3 at = own.origin + own.rotation * from.at;
  double out = 2 * out_.length;
  for (const Body& body : model_.bodies)
    out = std::max(out, 1.5 * (start_pose(index_, body.name).origin - at).norm());
  return out;
}

void Draft::add_floor(const Element& contact, const DrawnLink& link) {
  if (const auto normal = axis(contact, "normal", link.a))
    extra_[link.a.body].push_back(drawn_floor(link.a.at, *normal, reach(link.a), planar_));
}

// As far as its knots go and a wheel gets at the speed it has; one that runs backwards beneath a wheel has no place.
void Draft::add_road(const Element& element, const DrawnLink& link) {
  const auto* road = field<TimeFunction>(element, "road");
  if (road == nullptr || element.number("speed", 0) != 0) return;
  const bool is_force = element.has("at");
  RoadFrame frame;
  if (is_force) {
    const auto* origin = field<Vec3>(element, "origin");
    const auto* up = field<Vec3>(element, "up");
    const auto* along = field<Vec3>(element, "along");
    if (origin != nullptr) frame.origin = *origin;
    frame.up = up != nullptr ? up->stableNormalized() : planar_ ? Vec3::UnitY() : Vec3::UnitZ();
    const Vec3 towards = along != nullptr ? *along : Vec3::UnitX();
    frame.along = (towards - towards.dot(frame.up) * frame.up).stableNormalized();
  } else {
    frame.origin = link.a.at;
    if (const auto* along = field<Vec3>(element, "along")) {
      frame.along = along->stableNormalized();
      frame.up = Vec3(-frame.along.y(), frame.along.x(), 0);
    }
  }
  const int carrier = is_force ? -1 : link.a.body;
  const StartPose own = start_pose(index_, name(carrier)), wheel = start_pose(index_, name(link.b.body));
  const Vec3 place = own.rotation.transpose() * (wheel.origin + wheel.rotation * link.b.at - own.origin);
  const double x = (place - frame.origin).dot(frame.along),
               margin = 2 * out_.length + 4 * element.number("radius", 0);
  double from = x - margin, to = x + margin;
  if (link.b.body >= 0) {
    const Vec3 velocity = from_world(carrier, model_.bodies[size_t(link.b.body)].velocity);
    const double way = 1.1 * velocity.dot(frame.along) * model_.simulate.t_end.value_or(0);
    (way < 0 ? from : to) += way;
  }
  for (const double knot : road->knots()) {
    from = std::min(from, knot - 0.1 * margin);
    to = std::max(to, knot + 0.1 * margin);
  }
  extra_[carrier].push_back(drawn_road(*road, frame, from, to));
}

// Ends of travel on the first body: across the axis of a slider, along the arm of a pin.
void Draft::add_stops(const Element& joint, const DrawnLink& link) {
  for (const char* side : {"stops.min", "stops.max"}) {
    if (!joint.has(side)) continue;
    const double at = joint.number(side, 0);
    if ((link.symbol == "slider" || link.symbol == "cylinder") && link.axis) {
      const Vec3 place = link.a.at + at * *link.axis;
      extra_[link.a.body].push_back(drawn_floor(place, *link.axis, 0.1 * out_.length, planar_));
    } else if (planar_ && link.symbol == "pin" && link.b.body >= 0) {
      const Vec3 arm = model_.bodies[size_t(link.b.body)].center_of_mass - link.b.at;
      if (!(arm.norm() > 0)) continue;
      const Vec3 u = Eigen::AngleAxis<double>(at, Vec3::UnitZ()) * arm.normalized();
      extra_[link.a.body].push_back(
          drawn_end(link.a.at + 0.15 * out_.length * u, link.a.at + 0.4 * out_.length * u));
    }
  }
}

void Draft::hold(const DrawnLink& link) {
  const bool everywhere = link.symbol == "gear" || link.symbol == "driver" || link.symbol == "force";
  for (const DrawnEnd* end : {&link.a, &link.b})
    if (end->body >= 0 && !everywhere) held_[size_t(end->body)].places.push_back(end->at);
  if (link.symbol == "slider" && link.b.body >= 0 && link.axis)
    held_[size_t(link.b.body)].slides_along = start_pose(index_, name(link.b.body)).rotation.transpose() *
                                              (start_pose(index_, name(link.a.body)).rotation * *link.axis);
}

// Names become places.
Shape Draft::placed(Shape shape, const std::vector<NamedPoint>& points) const {
  for (ShapePoint& point : shape.points) {
    if (point.name.empty()) continue;
    const auto found =
        std::find_if(points.begin(), points.end(), [&](const NamedPoint& p) { return p.name == point.name; });
    if (found != points.end()) point.at = found->at;
    point.name.clear();
  }
  return shape;
}

DrawnBody Draft::body(const Body& body, size_t i) const {
  DrawnBody out{body.name, body.center_of_mass, body.points, {}};
  if (body.flexible) return out;  // lines follow it, and its shapes go with places of its axis: follow()
  for (const Shape& shape : body.shapes) out.shapes.push_back(placed(shape, body.points));
  if (!out.shapes.empty()) return out;
  const auto extra = extra_.find(static_cast<int>(i));
  if (extra != extra_.end()) out.shapes = extra->second;
  HeldBody held = held_[i];
  held.center = body.center_of_mass;
  for (const NamedPoint& point : body.points) held.places.push_back(point.at);
  if (out.shapes.empty() || held.places.size() > 1)
    for (Shape& shape : derived_shapes(held, planar_, out_.length)) out.shapes.push_back(std::move(shape));
  return out;
}

void shift_shape(Shape& shape, const Vec3& by) {
  const bool has_place =
      shape.kind == ShapeKind::box || shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::mesh;
  if (has_place && shape.points.empty()) shape.points.push_back({});
  for (ShapePoint& point : shape.points) point.at -= by;
  if (shape.kind == ShapeKind::polygon) shape.z -= by.z();
}

// What is fixed to a flexible body, shapes and the ends of joints and forces, goes with the nearest place that is drawn of it;
// places are bodies from `first` on.
void Draft::follow(size_t body, const DrawnAxis& axis, size_t first) {
  const auto nearest = [&](const Vec3& at) {
    size_t best = 0;
    for (size_t k = 1; k < axis.places.size(); ++k)
      if ((axis.places[k].at - at).norm() < (axis.places[best].at - at).norm()) best = k;
    return best;
  };
  for (const Shape& shape : model_.bodies[body].shapes) {
    Shape own = placed(shape, model_.bodies[body].points);
    Vec3 middle = Vec3::Zero();
    for (const ShapePoint& point : own.points) middle += point.at / double(own.points.size());
    const size_t k = nearest(middle);
    shift_shape(own, axis.places[k].at);
    out_.bodies[first + k].shapes.push_back(std::move(own));
  }
  for (auto* links : {&out_.joints, &out_.springs})
    for (DrawnLink& link : *links)
      for (DrawnEnd* end : {&link.a, &link.b})
        if (end->body == static_cast<int>(body)) {
          const size_t k = nearest(end->at);
          end->at -= axis.places[k].at;
          end->body = static_cast<int>(first + k);
        }
}

// From the origin of the body's frame to that of its poses, the centre of mass.
void Draft::shift_to_poses() {
  for (DrawnBody& body : out_.bodies) {
    for (NamedPoint& point : body.points) point.at -= body.center;
    for (Shape& shape : body.shapes) shift_shape(shape, body.center);
  }
  for (auto* links : {&out_.joints, &out_.springs})
    for (DrawnLink& link : *links)
      for (DrawnEnd* end : {&link.a, &link.b})
        if (end->body >= 0) end->at -= out_.bodies[size_t(end->body)].center;
  for (DrawnBody& body : out_.bodies) body.center.setZero();
}

Drawing Draft::make() {
  for (const Element& joint : model_.joints) {
    const ElementTraits& own = traits(catalogue_.joints, joint);
    out_.joints.push_back(link(joint, own, "other"));
    hold(out_.joints.back());
    for (const DrawnWheel& wheel : own.wheels)
      if (exists_in(wheel.spaces, model_.space)) add_wheel(joint, wheel);
    add_curve(joint, out_.joints.back());
    add_stops(joint, out_.joints.back());
  }
  for (const Element& driver : model_.drivers)
    out_.joints.push_back(link(driver, traits(catalogue_.drivers, driver), "driver"));
  for (const Element& contact : model_.contacts) {
    const ElementTraits& own = traits(catalogue_.contacts, contact);
    out_.joints.push_back(link(contact, own, "other"));
    hold(out_.joints.back());
    for (const DrawnWheel& wheel : own.wheels)
      if (contact.number(wheel.radius, 0) > 0) add_wheel(contact, wheel);
    add_curve(contact, out_.joints.back());
    add_floor(contact, out_.joints.back());
    add_road(contact, out_.joints.back());
  }
  for (const Element& force : model_.forces) {
    const ElementTraits& own = traits(catalogue_.forces, force);
    DrawnLink drawn = link(force, own, "force");
    add_road(force, drawn);
    const int body = drawn.symbol == "tyre" ? drawn.b.body >= 0 ? drawn.b.body : drawn.a.body : -1;
    if (body >= 0 && !model_.bodies[size_t(body)].shapes.empty()) {
      drawn.symbol = "none";  // it shows its own tyre
      out_.springs.push_back(std::move(drawn));
      continue;
    }
    out_.springs.push_back(std::move(drawn));
    hold(out_.springs.back());
    for (const DrawnWheel& wheel : own.wheels)
      if (exists_in(wheel.spaces, model_.space)) add_wheel(force, wheel);
  }
  for (size_t i = 0; i < model_.bodies.size(); ++i) out_.bodies.push_back(body(model_.bodies[i], i));
  for (const Body& body : model_.bodies) {
    if (!body.flexible) continue;
    const DrawnAxis axis = drawn_axis(*body.flexible);
    DrawnLines lines{body.name, {}, axis.lines, 0};
    const double half = body.flexible->sections.empty() ? 0 : body.flexible->properties(0).half_y;
    lines.radius = half > 0 ? half : 0.01 * out_.length;
    lines.elements = axis.elements;
    if (body.flexible->type != FlexibleSpec::Type::cable) {
      lines.frame = static_cast<int>(&body - model_.bodies.data());
      for (const AxisPlace& place : axis.places) lines.rest.push_back(place.at);
    }
    for (size_t k = 0; k < axis.places.size(); ++k) {
      lines.nodes.push_back({static_cast<int>(out_.bodies.size()), Vec3::Zero()});
      out_.bodies.push_back({body.name + ".p" + std::to_string(k)});
    }
    out_.deforming.push_back(std::move(lines));
    if (!axis.places.empty())
      follow(static_cast<size_t>(&body - model_.bodies.data()), axis,
             out_.bodies.size() - axis.places.size());
  }
  out_.ground.points = model_.ground_points;
  for (const Shape& shape : model_.ground_shapes)
    out_.ground.shapes.push_back(placed(shape, model_.ground_points));
  if (const auto extra = extra_.find(-1); extra != extra_.end() && out_.ground.shapes.empty())
    out_.ground.shapes = extra->second;
  shift_to_poses();
  return std::move(out_);
}

}  // namespace

const char* shape_name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::box:
      return "box";
    case ShapeKind::cylinder:
      return "cylinder";
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::capsule:
      return "capsule";
    case ShapeKind::line:
      return "line";
    case ShapeKind::polygon:
      return "polygon";
    case ShapeKind::mesh:
      return "mesh";
  }
  return "";
}

Drawing drawing_of(const Model& model, const Catalogue& catalogue) { return Draft(model, catalogue).make(); }

Drawing plain_drawing(const std::vector<std::string>& body_names, bool planar, double length) {
  Drawing out;
  out.planar = planar;
  out.length = length;
  for (const std::string& name : body_names) {
    DrawnBody body{name};
    body.shapes = derived_shapes({}, planar, length);
    out.bodies.push_back(std::move(body));
  }
  return out;
}

}  // namespace driftless
