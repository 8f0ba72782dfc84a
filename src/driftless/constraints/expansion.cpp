#include "driftless/constraints/expansion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/model/characteristic_length.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {
namespace {

FrameOf<double, 3> start_frame(const Body& body, const Model& model, std::integral_constant<int, 3>) {
  FrameOf<double, 3> frame;
  frame.R = start_pose(body, model.space).rotation;
  frame.r = body.position;
  return frame;
}
FrameOf<double, 2> start_frame(const Body& body, const Model&, std::integral_constant<int, 2>) {
  return {body.position.head<2>(), body.angle, std::cos(body.angle), std::sin(body.angle)};
}

}  // namespace

template <int D>
Expansion<D>::Expansion(const Model& model, Turns turns, std::vector<SectionSlot> sections)
    : index_(model), turns_(turns), length_(characteristic_length(model)) {
  for (const Body& body : model.bodies) {
    FrameOf<double, D> frame = start_frame(body, model, std::integral_constant<int, D>());
    const Vec3 center = body.flexible ? flexible_center(*body.flexible) : body.center_of_mass;
    frame.r = frame.point(center.template head<D>());
    start_.push_back(frame);
  }
  start_.emplace_back();
  markers_of_.resize(start_.size());
  for (const SectionSlot& section : sections) section_slot(section);
}

template <int D>
int Expansion<D>::section_slot(const SectionSlot& wanted) const {
  for (size_t i = 0; i < sections_.size(); ++i)
    if (sections_[i].body == wanted.body && sections_[i].at == wanted.at)
      return ground() + 1 + static_cast<int>(i);
  FrameOf<double, D> frame =
      start_frame(model().bodies[size_t(wanted.body)], model(), std::integral_constant<int, D>());
  frame.r = frame.point(wanted.at.template head<D>());
  sections_.push_back(wanted);
  start_.push_back(frame);
  markers_of_.emplace_back();
  return static_cast<int>(start_.size()) - 1;
}

template <int D>
const Body* Expansion<D>::owner(int slot) const {
  if (slot == ground()) return nullptr;
  return &model().bodies[size_t(slot < ground() ? slot : sections_[size_t(slot - ground() - 1)].body)];
}

template <int D>
std::string Expansion<D>::slot_name(int slot) const {
  const Body* body = owner(slot);
  if (body == nullptr) return "ground";
  if (slot < ground()) return body->name;
  const SectionSlot& section = sections_[size_t(slot - ground() - 1)];
  for (const NamedPoint& point : body->points)
    if (point.at == section.at) return body->name + "." + point.name;
  return fmt::format("{}.e{}_{:g}", body->name, section.element, section.xi);
}

template <int D>
SlotAttitude Expansion<D>::attitude(int slot) const {
  const Body* body = owner(slot);
  if (body == nullptr || body->is_rigid()) return SlotAttitude::full;
  if (body->point) return SlotAttitude::none;
  if (body->flexible->modal && slot > ground())
    return body->flexible->modal->turns ? SlotAttitude::full : SlotAttitude::none;
  if (body->flexible->type != FlexibleSpec::Type::cable) return SlotAttitude::full;
  if (slot < ground()) return SlotAttitude::none;
  return D == 2 ? SlotAttitude::full : SlotAttitude::tangent;
}

template <int D>
void Expansion<D>::refuse(int slot, const std::string& expected, const std::string& hint) const {
  const Body* body = owner(slot);
  const char* what = body->point                                         ? "a point mass"
                     : body->flexible->type == FlexibleSpec::Type::cable ? "a cable"
                                                                         : "a flexible body";
  Complaint complaint{element_, expected, fmt::format("'{}', {}", body->name, what), hint};
  for (const Complaint& known : complaints_)
    if (known.where == complaint.where && known.found == complaint.found) return;
  complaints_.push_back(std::move(complaint));
}

template <int D>
void Expansion<D>::needs_attitude(int slot, const V* along) const {
  const SlotAttitude known = attitude(slot);
  if (known == SlotAttitude::full) return;
  if (known == SlotAttitude::tangent && along != nullptr) {
    const SectionSlot& section = sections_[size_t(slot - ground() - 1)];
    const Vec3 e1 = element_axes(*owner(slot)->flexible, size_t(section.element), D == 2).col(0);
    if (std::abs(std::abs(along->dot(e1.template head<D>())) - 1) < 1e-9) return;
    return refuse(slot, "a direction along the cable",
                  "a cable has no torsion: give it the direction of its axis");
  }
  refuse(slot, "a body with an attitude",
         "it has a place only: use spherical, distance, point-on-line, point-on-plane, tsda, force … or a "
         "rigid body");
}

template <int D>
int Expansion<D>::turning_body(const std::string& name) const {
  const int slot = body(name);
  if (slot != ground() && owner(slot)->flexible)
    refuse(slot, "a point of the body",
           "a flexible body does not turn as one: say where it acts, by a point");
  else
    needs_attitude(slot);
  return slot;
}

template <int D>
PointOf<D> Expansion<D>::point(const PointRef& ref) const {
  Vec3 at = resolve_point(index_, ref);
  if (const Body* owner = index_.find_body(ref.body); owner != nullptr && owner->flexible) {
    const AxisPlace place = nearest_on_axis(*owner->flexible, at);
    const int slot = section_slot({body(ref.body), place.element, place.xi, place.at});
    const Vec3 offset = at - place.at;
    return {slot, offset.norm() < 1e-12 * length_ ? V(V::Zero()) : V(offset.template head<D>())};
  }
  if (const Body* owner = index_.find_body(ref.body)) at -= owner->center_of_mass;
  return {body(ref.body), at.template head<D>()};
}

template <int D>
double Expansion<D>::angle_drawn(const Frame& a, const Frame& b) const {
  if constexpr (D == 2) {
    return start(b.origin.body).theta - start(a.origin.body).theta;
  } else {
    const Mat3 A = start(a.origin.body).R * a.axes, B = start(b.origin.body).R * b.axes;
    return std::atan2(A.col(1).dot(B.col(0)), A.col(0).dot(B.col(0)));
  }
}

// ---- in space -------------------------------------------------------------------------------------------------------

template <int D>
DirectionOf<D> Expansion<D>::direction(const DirectionRef& ref, int default_body) const
  requires(D == 3)
{
  std::string owner;
  const Body* given = this->owner(default_body);
  const std::string fallback = given == nullptr ? "ground" : given->name;
  const Vec3 u = resolve_direction(index_, ref, fallback, owner);
  return {owner == fallback ? default_body : body(owner), u};  // of a flexible body: of that section
}

template <int D>
DirectionOf<D> Expansion<D>::carried(const Direction& d, int body) const
  requires(D == 3)
{
  if (body == d.body) return d;
  return {body, start(body).R.transpose() * world(d)};
}

template <int D>
JointFrameOf<D> Expansion<D>::frame(const Point& p, const Direction& axis, const V& towards) const
  requires(D == 3)
{
  const Direction own = carried(axis, p.body);
  return {p, axes_about(own.u, start(p.body).R.transpose() * towards)};
}

template <int D>
JointFrameOf<D> Expansion<D>::aligned(const Point& p, const Frame& f) const
  requires(D == 3)
{
  if (p.body == f.origin.body) return {p, f.axes};
  return {p, start(p.body).R.transpose() * (start(f.origin.body).R * f.axes)};
}

template <int D>
JointFrameOf<D> Expansion<D>::bent(const Point& p, const Frame& f, const Direction& axis) const
  requires(D == 3)
{
  const Mat3 axes = start(f.origin.body).R * f.axes;
  const Vec3 z = world(axis).dot(axes.col(2)) < 0 ? Vec3(-world(axis)) : world(axis);
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(axes.col(2), z).toRotationMatrix();
  return {p, start(p.body).R.transpose() * (turn * axes)};
}

// ---- markers and scalars --------------------------------------------------------------------------------------------

template <int D>
int Expansion<D>::mark(const Marker<D>& marker) {
  if (marker.kind == MarkerKind::direction) needs_attitude(marker.body, &marker.at);
  if (marker.kind == MarkerKind::point && !marker.at.isZero(0)) needs_attitude(marker.body);
  for (const int known : markers_of_[size_t(marker.body)])
    if (markers[size_t(known)].kind == marker.kind && markers[size_t(known)].at == marker.at) return known;
  markers.push_back(marker);
  markers_of_[size_t(marker.body)].push_back(static_cast<int>(markers.size()) - 1);
  return markers_of_[size_t(marker.body)].back();
}

template <int D>
int Expansion<D>::find_scalar(typename Scalar::Kind kind, const Frame& a, const Frame& b) const {
  const auto found = std::find_if(scalars.begin(), scalars.end(), [&](const Scalar& s) {
    return s.kind == kind && kind != Scalar::Kind::parameter && same_frame(s.a, a) && same_frame(s.b, b);
  });
  return found == scalars.end() ? -1 : static_cast<int>(found - scalars.begin());
}

template <int D>
int Expansion<D>::scalar(
    typename Scalar::Kind kind, const Frame& a, const Frame& b, double start, const std::string& label)
  requires(D == 3)
{
  if (const int known = find_scalar(kind, a, b); known >= 0) return known;
  scalars.push_back({element_ + "." + label, element_, kind, a, b, start});
  return static_cast<int>(scalars.size()) - 1;
}

template <int D>
int Expansion<D>::angle(const Frame& a, const Frame& b, const std::string& label)
  requires(D == 3)
{
  return scalar(Scalar::Kind::angle, a, b, angle_drawn(a, b), label);
}

template <int D>
int Expansion<D>::displacement(const Frame& a, const Frame& b, const std::string& label)
  requires(D == 3)
{
  return scalar(Scalar::Kind::displacement, a, b, displacement_drawn(a, 2, b.origin), label);
}

template <int D>
int Expansion<D>::parameter(double start, const std::string& label)
  requires(D == 3)
{
  return scalar(Scalar::Kind::parameter, {}, {}, start, label);
}

template <int D>
int Expansion<D>::turn(int body)
  requires(D == 2)
{
  const Frame world{{ground(), V::Zero()}}, own{{body, V::Zero()}};
  if (const int known = find_scalar(Scalar::Kind::angle, world, own); known >= 0) return known;
  needs_attitude(body);
  const std::string name = slot_name(body);
  scalars.push_back({name + ".theta", name, Scalar::Kind::angle, world, own, start(body).theta});
  return static_cast<int>(scalars.size()) - 1;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

template <int D>
void Expansion<D>::add_coincident(const Point& a, const Point& b) {
  constexpr const char* labels[] = {"x", "y", "z"};
  const auto& switches = model().switches;
  const bool held = std::any_of(switches.begin(), switches.end(), [&](const Element& one) {
    return one.get<std::string>("joint") == element_ && one.has("hold");
  });
  // An offset that is held turns with the body it is seen from: along axes of the world it would take angular momentum.
  if (const bool a_turns = attitude(a.body) == SlotAttitude::full;
      held && (a_turns || attitude(b.body) == SlotAttitude::full)) {
    for (int k = 0; k < D; ++k)
      add_along(Frame{a_turns ? a : b}, k, a_turns ? b : a, TimeFunction(), labels[k]);
    return;
  }
  add(markers::Coincident<D>{{}, {mark(a), mark(b)}, {}}, std::vector<std::string>(labels, labels + D));
}

template <int D>
void Expansion<D>::add_parallel(const Frame& a, const Frame& b) {
  if constexpr (D == 3) {
    markers::Parallel<3> block;
    block.x = {axis(a, 2), axis(b, 0), axis(b, 1)};
    block.w = axis(b, 2);
    block.length = length_;
    add(block, {"axis_1", "axis_2"});
  }
}

template <int D>
void Expansion<D>::add_dot(const Direction& u, const Direction& w, double cosine, const char* label) {
  markers::Dot<D> block;
  block.x = {mark(u), mark(w)};
  block.length = length_;
  block.cosine = cosine;
  add(block, {label});
}

template <int D>
void Expansion<D>::add_no_turn(const Frame& a, const Frame& b)
  requires(D == 3)
{
  add_dot({a.origin.body, a.axes.col(0)}, {b.origin.body, b.axes.col(1)}, 0, "turn");
}

template <int D>
void Expansion<D>::add_on_axis(const Frame& a, const Point& b) {
  if constexpr (D == 2) {
    add_along(a, 1, b, TimeFunction(), "normal");
  } else {
    add_along(a, 0, b, TimeFunction(), "normal_1");
    add_along(a, 1, b, TimeFunction(), "normal_2");
  }
}

template <int D>
void Expansion<D>::add_along(
    const Frame& a, int k, const Point& b, const TimeFunction& f, const char* label) {
  markers::Along<D, 0> block;
  block.x = {axis(a, k), mark(a.origin), mark(b)};
  block.f = f;
  add(block, {label});
}

template <int D>
void Expansion<D>::add_angle(const Frame& a, const Frame& b, const TimeFunction& f, const char* label) {
  if constexpr (D == 2)
    if (turns_ == Turns::counted && counts_turns(a.origin.body) && counts_turns(b.origin.body))
      return add_turns({{a.origin.body, -length_}, {b.origin.body, length_}}, length_, f, label);
  markers::Angle<D, 0> block;
  if constexpr (D == 2) {  // between the axes of the bodies themselves
    const Frame A{a.origin}, B{b.origin};
    block.x = {axis(A, 0), axis(A, 1), axis(B, 0)};
  } else {
    block.x = {axis(a, 0), axis(a, 1), axis(b, 0)};
  }
  block.length = length_;
  block.f = f;
  add(block, {label});
}

template <int D>
void Expansion<D>::add_counted_angle(const Frame& a,
                                     const Frame& b,
                                     const TimeFunction& f,
                                     const char* label) {
  const int counted = D == 3 ? find_scalar(Scalar::Kind::angle, a, b) : -1;
  if (counted < 0) return add_angle(a, b, f, label);
  markers::Sum<D, 1> block;
  block.s = {counted};
  block.length = block.c[0] = length_;
  block.f = f;
  add(block, {label});
}

template <int D>
std::vector<TurnTerm> Expansion<D>::moving(const std::vector<TurnTerm>& terms) const {
  std::vector<TurnTerm> out;  // θ of ground is zero
  for (const TurnTerm& term : terms)
    if (term.body != ground() && term.factor != 0) out.push_back(term);
  return out;
}

template <int D>
void Expansion<D>::add_turns(const std::vector<TurnTerm>& terms,
                             double length,
                             const TimeFunction& f,
                             const char* label)
  requires(D == 2)
{
  const auto own = moving(terms);
  with_count<4>(own.size(), [&](auto count) {
    markers::Sum<D, count> block;
    if constexpr (count > 0) set_turns(block, own);
    block.length = length;
    block.f = f;
    add(block, {label});
  });
}

template <int D>
void Expansion<D>::add_along_turns(const Frame& a,
                                   const Point& b,
                                   const std::vector<TurnTerm>& terms,
                                   const TimeFunction& f,
                                   const char* label,
                                   bool velocity_only)
  requires(D == 2)
{
  add_with_turns<2>(terms, label, velocity_only, [&](auto count) {
    markers::Along<D, count> block;
    block.x = {axis(a, Frame::kSlide), mark(a.origin), mark(b)};
    block.f = f;
    return block;
  });
}

template <int D>
void Expansion<D>::add_coordinate(const std::string& coordinate,
                                  const Frame& a,
                                  const Frame& b,
                                  double sign,
                                  double value,
                                  const char* label) {
  if (coordinate == "displacement") {
    markers::Along<D, 0> block;
    block.x = {mark(Direction{a.origin.body, sign * a.axes.col(Frame::kSlide)}), mark(a.origin),
               mark(b.origin)};
    block.f = TimeFunction(sign * value);
    return add(block, {label});
  }
  if constexpr (D == 2) {
    add_turns({{a.origin.body, -sign * length_}, {b.origin.body, sign * length_}}, length_,
              TimeFunction(sign * value), label);
  } else {
    markers::Sum<D, 1> block;
    block.s = {angle(a, b, "angle")};
    block.c = {sign * length_};
    block.length = length_;
    block.f = TimeFunction(sign * value);
    add(block, {label});
  }
}

template <int D>
void Expansion<D>::define(int index) {
  const Scalar& s = scalars[size_t(index)];
  const std::string label = s.name.substr(s.owner.size() + 1);
  if (s.kind == Scalar::Kind::angle) {
    markers::Angle<D, 1> block;
    block.x = {axis(s.a, 0), axis(s.a, 1), axis(s.b, 0)};
    block.s = {index};
    block.length = length_;
    rows.add(block, s.owner, {label});
  }
  if (s.kind == Scalar::Kind::displacement) {
    markers::Along<D, 1> block;
    block.x = {axis(s.a, Frame::kSlide), mark(s.a.origin), mark(s.b.origin)};
    block.s = {index};
    block.c = {1.0};
    rows.add(block, s.owner, {label});
  }
}

template class Expansion<2>;
template class Expansion<3>;

}  // namespace driftless
