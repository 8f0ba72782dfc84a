// A model as its elements expand it, before any coordinates are chosen: markers, scalars and rows. Joints and drivers write
// into it, forces look points and scalars up in it, and every coordinate set compiles from it.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/constraints/frame.hpp"
#include "driftless/constraints/row_set.hpp"
#include "driftless/constraints/signal.hpp"
#include "driftless/model/model_index.hpp"
#include "driftless/system/switching/switched_rows_spec.hpp"

namespace driftless {

// A quantity blocks and forces may use besides markers. Sets that have it among their coordinates (the angle of a revolute
// in relative coordinates, that of a body in the plane) use that; others carry it as a massless coordinate, tied to the
// markers by a row of its own. In the plane scalars are the angles of bodies against the ground.
template <int D>
struct ScalarOf {
  enum class Kind { angle, displacement, parameter };
  std::string name;   // of the coordinate: "gear.angle_a", "wheel.theta"
  std::string owner;  // the element that asked first, or the body
  Kind kind = Kind::angle;
  JointFrameOf<D> a, b;  // angle of x_b from x_a about z_a; displacement of b along z_a
  double start = 0;      // in the initial position
};
using Scalar = ScalarOf<3>;

// A factor of the angle of a body.
struct TurnTerm {
  int body;
  double factor;
};

// What else than the bodies themselves has a frame: a section of a flexible body, at the place (element, ξ) of its axis, with
// axes that are parallel to the body's in the undeformed position. Its slot comes after that of the ground.
struct SectionSlot {
  int body = 0, element = 0;
  double xi = 0;
  Vec3 at = Vec3::Zero();  // undeformed, body frame
};

// What a slot knows of its attitude: all, its tangent (cables in space), nothing (point masses, cables as a whole).
enum class SlotAttitude { full, tangent, none };

// Whether the coordinates count the turns of bodies in the plane: rows on angles are then rows on these numbers. Else they
// are rows on directions, blind to whole turns, wherever they can be.
enum class Turns { counted, unknown };

template <int D>
class Expansion {
 public:
  static constexpr int dimension = D;
  using V = VecOf<double, D>;
  using Point = PointOf<D>;
  using Direction = DirectionOf<D>;
  using Frame = JointFrameOf<D>;
  using Scalar = ScalarOf<D>;

  // With the sections that an expansion of the same model has made before.
  explicit Expansion(const Model& model,
                     Turns turns = Turns::counted,
                     std::vector<SectionSlot> sections = {});

  // The element whose rows and scalars come next.
  void begin(const std::string& element) { element_ = element; }
  const std::string& element() const { return element_; }

  // ---- what elements may ask of the model
  int body(const std::string& name) const { return index_.body(name); }  // ground included
  int ground() const { return static_cast<int>(index_.model().bodies.size()); }
  Point point(
      const PointRef& ref) const;  // of a flexible body: of a section of it, made where there is none yet
  const std::vector<SectionSlot>& sections() const { return sections_; }
  // The element needs the attitude of a slot, and says what else it wants; what has none is refused.
  void needs_attitude(int slot, const V* along = nullptr) const;
  // The body `name` of an element that acts on a body as a whole: flexible ones have none that turns as one.
  int turning_body(const std::string& name) const;
  const std::vector<Complaint>& complaints() const { return complaints_; }
  const FrameOf<double, D>& start(int body) const { return start_[size_t(body)]; }  // at the centre of mass
  double length() const { return length_; }  // characteristic length of the model
  const Model& model() const { return index_.model(); }
  V place(const Point& p) const { return start(p.body).point(p.at); }
  V world(const Direction& d) const { return start(d.body).turn(d.u); }
  // How far b stands along axis k of a.
  double displacement_drawn(const Frame& a, int k, const Point& b) const {
    return world({a.origin.body, a.axes.col(k)}).dot(place(b) - place(a.origin));
  }
  // Angle of b against a as drawn: of their bodies in the plane, of x_b from x_a about z_a in space.
  double angle_drawn(const Frame& a, const Frame& b) const;
  // Frames of a joint that has been placed: on its first and on its second body.
  const std::pair<Frame, Frame>& joint_frames(const std::string& joint) const {
    return joints_.find(joint)->second;
  }

  // ---- in space
  Direction direction(const DirectionRef& ref, int default_body) const
    requires(D == 3);
  // The direction of another body that is parallel to d in the initial position.
  Direction carried(const Direction& d, int body) const
    requires(D == 3);
  // A frame at p with z along `axis`, x as near to the world vector `towards` as can be (zero: any).
  Frame frame(const Point& p, const Direction& axis, const V& towards = V::Zero()) const
    requires(D == 3);
  // The frame at p whose axes are those of f in the initial position.
  Frame aligned(const Point& p, const Frame& f) const
    requires(D == 3);
  // The same, turned as little as it takes to have z along `axis`, whichever way that points.
  Frame bent(const Point& p, const Frame& f, const Direction& axis) const
    requires(D == 3);

  // ---- what elements add
  void place_joint(const std::string& joint, const std::pair<Frame, Frame>& frames) {
    joints_.insert_or_assign(joint, frames);
  }
  int mark(const Point& p) {
    return mark(Marker<D>{MarkerKind::point, p.body, p.at});
  }  // index of the marker
  int mark(const Direction& d) { return mark(Marker<D>{MarkerKind::direction, d.body, d.u}); }
  int axis(const Frame& f, int k) { return mark(Direction{f.origin.body, f.axes.col(k)}); }
  // Indices of scalars.
  int angle(const Frame& a, const Frame& b, const std::string& label)
    requires(D == 3);
  int displacement(const Frame& a, const Frame& b, const std::string& label)
    requires(D == 3);
  int parameter(double start, const std::string& label)
    requires(D == 3);  // a length along a curve
  int turn(int body)
    requires(D == 2);  // θ; the body is not ground
  // The scalar these frames have already; −1: none.
  int find_scalar(typename Scalar::Kind kind, const Frame& a, const Frame& b) const;
  template <class Block>
  void add(const Block& block, std::vector<std::string> labels, bool velocity_only = false) {
    rows.add(block, element_, std::move(labels), velocity_only);
  }

  // ---- rows most joints are made of
  void add_coincident(const Point& a, const Point& b);  // D rows: x, y, z
  // z_b stays parallel to z_a.                                            2 rows; in the plane it is anyway
  void add_parallel(const Frame& a, const Frame& b);
  void add_dot(const Direction& u, const Direction& w, double cosine, const char* label);  // 1 row
  // x_b, too, stays parallel to x_a, behind add_parallel().                                               1 row
  void add_no_turn(const Frame& a, const Frame& b)
    requires(D == 3);
  // b stays on the axis of a along which joints slide.                                               D − 1 rows
  void add_on_axis(const Frame& a, const Point& b);
  // The origin of b stands at f along axis k of a.                                                         1 row
  void add_along(const Frame& a, int k, const Point& b, const TimeFunction& f, const char* label);
  // The angle of b against a is f(t).                                                                      1 row
  void add_angle(const Frame& a, const Frame& b, const TimeFunction& f, const char* label);
  // The same, with the turns the file says where they are counted anyway.                                  1 row
  void add_counted_angle(const Frame& a, const Frame& b, const TimeFunction& f, const char* label);
  // sign·(s − value), s a coordinate of a joint: "displacement", or L times the "angle", which counts turns.  1 row
  void add_coordinate(const std::string& coordinate,
                      const Frame& a,
                      const Frame& b,
                      double sign,
                      double value,
                      const char* label);
  // Σ cᵢ θᵢ = L f(t).                                                                                      1 row
  void add_turns(const std::vector<TurnTerm>& terms, double length, const TimeFunction& f, const char* label)
    requires(D == 2);
  // u·(p_b − p_a) − Σ cᵢ θᵢ = f(t), u the axis of a along which joints slide.                              1 row
  void add_along_turns(const Frame& a,
                       const Point& b,
                       const std::vector<TurnTerm>& terms,
                       const TimeFunction& f,
                       const char* label,
                       bool velocity_only = false)
    requires(D == 2);

  // The block make(n) with the angles θᵢ of n ≤ `Most` bodies as scalars and factors cᵢ; the ground has none.     1 row
  template <int Most, class Make>
  void add_with_turns(const std::vector<TurnTerm>& terms, const char* label, bool velocity_only, Make&& make)
    requires(D == 2);

  // The row that ties a scalar to its markers (angles and displacements), for sets that carry it as a coordinate.
  void define(int scalar);

  std::vector<Marker<D>> markers;
  std::vector<Scalar> scalars;
  RowSet<D> rows;
  SwitchedSpecs switched;              // rows that come and go
  bool may_switch = true;              // false: such rows are not wanted
  SignalSource<D>* signals = nullptr;  // for laws of forces; null: the model has none that read any

 private:
  int scalar(
      typename Scalar::Kind kind, const Frame& a, const Frame& b, double start, const std::string& label)
    requires(D == 3);
  int mark(const Marker<D>& marker);
  template <class Block>
  void set_turns(Block& block, const std::vector<TurnTerm>& terms);
  std::vector<TurnTerm> moving(const std::vector<TurnTerm>& terms) const;  // without the ground

  ModelIndex index_;
  Turns turns_;
  std::string element_;
  int section_slot(const SectionSlot& wanted) const;
  SlotAttitude attitude(int slot) const;
  bool counts_turns(int slot) const {  // the angle of a cable is that of its tangent, known modulo 2π
    const Body* body = owner(slot);
    return body == nullptr || !body->flexible || body->flexible->type != FlexibleSpec::Type::cable;
  }
  const Body* owner(int slot) const;  // null: ground
  std::string slot_name(int slot) const;
  void refuse(int slot, const std::string& expected, const std::string& hint) const;

  // Points of flexible bodies make slots when they are first asked for, which leaves all that was known as it was.
  mutable std::deque<FrameOf<double, D>> start_;     // at the centres of mass; ground, sections
  mutable std::deque<std::vector<int>> markers_of_;  // per slot
  mutable std::vector<SectionSlot> sections_;
  mutable std::vector<Complaint> complaints_;
  std::map<std::string, std::pair<Frame, Frame>> joints_;
  double length_ = 1;
};

extern template class Expansion<2>;
extern template class Expansion<3>;
using SpatialExpansion = Expansion<3>;

// Calls `use` with std::integral_constant<int, n>, 0 ≤ n ≤ Most.
template <int Most, class Use>
void with_count(size_t n, Use&& use) {
  if constexpr (Most > 0)
    if (n < Most) return with_count<Most - 1>(n, use);
  use(std::integral_constant<int, Most>());
}

template <int D>
template <class Block>
void Expansion<D>::set_turns(Block& block, const std::vector<TurnTerm>& terms) {
  for (size_t k = 0; k < terms.size(); ++k) {
    block.s[k] = turn(terms[k].body);
    block.c[k] = terms[k].factor;
  }
}

template <int D>
template <int Most, class Make>
void Expansion<D>::add_with_turns(const std::vector<TurnTerm>& terms,
                                  const char* label,
                                  bool velocity_only,
                                  Make&& make)
  requires(D == 2)
{
  const auto own = moving(terms);
  with_count<Most>(own.size(), [&](auto count) {
    auto block = make(count);
    if constexpr (count > 0) set_turns(block, own);
    add(block, {label}, velocity_only);
  });
}

}  // namespace driftless
