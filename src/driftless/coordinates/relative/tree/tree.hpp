// Bodies on a spanning tree, in plane and space: kinematics and dynamics in joint coordinates by sweeps over the links. A
// link is what one elementary motion of a joint moves; where a joint has several, the links between them carry nothing.
// World axes throughout; every link has a point p, on the axis of its motion, and a centre r, that of the masses it carries
// (p if there are none). With ₋ for the link inboard, u the axis, fixed in it, and h the pitch of a screw:
//   turn, screw   p = r₋ + R₋ o (+ h q u),   R = R₋ (A₀ + A₁ cos q + A₂ sin q)      slide   p = r₋ + R₋ o + q u,  R = R₋ A₀   (1)
//   ω = ω₋ + q̇ u,   ṙ = ṙ₋ + ω₋ × (p − r₋) (+ h q̇ u) + ω × (r − p)                                                  (2)
// and the accelerations α, b that are left with z̈ = 0 (S γ of the source):
//   α = α₋ + ω₋ × q̇ u                                                                                               (3)
//   b = b₋ + α₋ × (p − r₋) + ω₋ × (ω₋ × (p − r₋)) (+ 2 ω₋ × h q̇ u) + α × (r − p) + ω × (ω × (r − p))
// A slide has h = 1 in the terms in brackets and no q̇ u elsewhere. A ball has three rates w, relative angular velocity in
// the axes B of its outboard side, and a quaternion with ė = ½ Lᵀ w: B w in place of q̇ u. Free bases: slides along the axes
// of the world to the centre of mass, then a ball.
//   In the plane (tree_space.hpp) there are turns and slides; the axis of a turn is a sign σ, R is an angle, θ = θ₋ + σ q + θ₀,
// α is zero, and a free base ends with a turn.
//   A joint may be passed from its second body to its first: motions in reverse, axes negated. Coordinates keep their
// meaning (motion of M against F) and their order; the axes B of a ball are then those of the inboard side, negated.
// Column of a coordinate in the twist of any body outboard of it, and what a wrench (F, T about r) gives to it:
//   turn  ω: u,  ṙ: u × (r − p)      u·(T + (r − p) × F)          slide  ṙ: u      u·F                               (4)
// García de Jalón & Bayo 1994, (5.71)–(5.92); Featherstone 2008, chapters 4 and 5
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "driftless/coordinates/relative/tree/spanning_tree.hpp"
#include "driftless/coordinates/relative/tree/tree_space.hpp"

namespace driftless {

bool same_frame(const JointFrame& f, const JointFrame& g);

// A joint as the tree sees it.
template <int D>
struct TreeJoint {
  using Frame = typename Sweep<D>::JointFrame;
  std::string name;
  std::pair<Frame, Frame> frames;  // F on the first body, M on the second
  typename Sweep<D>::Mobility mobility;
};

template <int D>
struct TreeBody;
template <>
struct TreeBody<3> {
  std::string name;
  double mass = 0;
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
};
template <>
struct TreeBody<2> {
  std::string name;
  double mass = 0;
  double inertia = 0;
};

// What the sweeps leave for one another; one worker's. Links from 1, ground is 0.
template <int D>
struct TreeWork {
  struct Axis {
    typename Sweep<D>::Vector p = Sweep<D>::Vector::Zero(),
                              u = Sweep<D>::Vector::Zero();  // plane: u of slides
  };
  std::vector<Axis> axes;                            // per link                     place()
  std::vector<typename Sweep<D>::Inertia> inertias;  // per link, about its centre   place()
  std::vector<Mat3> balls;                           // per ball: B                  place()
  std::vector<typename Sweep<D>::Twist> biases;      // per slot: b and α            move()
};

// Motions of a free base, to its centre of mass.
const std::vector<ElementaryMotion>& base_motions(std::integral_constant<int, 3>);
const std::vector<PlaneMotion>& base_motions(std::integral_constant<int, 2>);

enum class LinkKind : std::uint8_t { turn, slide, screw, ball };

// What every sweep needs of a link. Slots number frames, twists and wrenches: bodies, ground, then links that carry no body
// of their own.
struct TreeLink {
  LinkKind kind = LinkKind::turn;
  int parent = 0;                 // link inboard; 0: ground
  int slot = 0, parent_slot = 0;  // of this link, of the one inboard
  int q = 0, v = 0;               // first coordinate and rate
  int ball = -1;                  // which one, of balls
  double mass = 0, pitch = 0;
  double sign = 1;  // σ of a turn in the plane
};

// What only place() needs.
template <int D>
struct LinkShape;
template <>
struct LinkShape<3> {
  Vec3 origin = Vec3::Zero();  // o of (1): from the centre of the link inboard, in its axes
  Vec3 axis = Vec3::Zero();    // u there
  Vec3 center = Vec3::Zero();  // r − p, own axes
  Mat3 A0 = Mat3::Identity(), A1 = Mat3::Zero(), A2 = Mat3::Zero();
  Sym3 inertia;  // about the centre, own axes
  // Ball: R = R₋ A0 R(e) A1, or with R(e)ᵀ where the joint is passed in reverse.
  bool reversed = false;
};
template <>
struct LinkShape<2> {
  Vec2 origin = Vec2::Zero(), axis = Vec2::Zero(), center = Vec2::Zero();
  PlaneTurn A0;  // θ₀
  double inertia = 0;
};

template <int D>
class Tree {
 public:
  using Vector = typename Sweep<D>::Vector;
  using Angular = typename Sweep<D>::Angular;
  using Frame = typename Sweep<D>::Frame;
  using Twist = typename Sweep<D>::Twist;
  using Wrench = typename Sweep<D>::Wrench;
  using Work = TreeWork<D>;
  using Link = TreeLink;
  using Kind = LinkKind;

  // A rigid-body placement: axes as columns, origin.
  struct Placement {
    typename Sweep<D>::Turn axes = Sweep<D>::Turn::Identity();
    Vector at = Vector::Zero();
  };
  // Which coordinate an angle or a displacement of two joint frames is, times a factor (the pitch of a screw).
  struct Match {
    int q = -1, v = -1;  // −1: none
    double factor = 1;
    int joint = -1;
  };
  // A joint of the tree, or a free base: its links, and the body it carries.
  struct Edge {
    int first_link = 0, count = 0;
    int joint = -1, body = 0, inboard = 0;
    bool reversed = false;  // the body is the joint's first
  };

  // joints[j] belongs to candidate j of the spanning tree.
  Tree(const SpanningTree& spanning,
       std::vector<TreeJoint<D>> joints,
       const std::vector<TreeBody<D>>& bodies);

  int nq() const { return static_cast<int>(q_names_.size()); }
  int nv() const { return static_cast<int>(v_names_.size()); }
  int links() const { return static_cast<int>(links_.size()) - 1; }
  const Link& link(int i) const { return links_[size_t(i)]; }
  int ground() const { return ground_; }  // slot
  int slots() const { return slots_; }
  int link_of(int body) const { return link_of_[size_t(body)]; }  // that carries the body; ground: 0
  const std::vector<std::string>& q_names() const { return q_names_; }
  const std::vector<std::string>& v_names() const { return v_names_; }
  static int width(Kind kind) { return D == 3 && kind == Kind::ball ? 3 : 1; }
  const std::vector<int>& balls() const { return balls_; }       // links
  const std::vector<int>& free_bases() const { return bases_; }  // first of their links
  const std::vector<Edge>& edges() const { return edges_; }      // inboard bodies first
  // Space only.
  Match find(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const;

  Work make_work() const;

  // ---- sweeps; frames, twists, wrenches have slots() entries
  void place(const double* q, Frame* frames, Work& work) const;                      // (1)
  void move(const double* v, const Frame* frames, Twist* twists, Work& work) const;  // (2), (3)
  // f ← Rᵀ (wrenches − inertia · bias), after move(); wrenches are used up
  void project(const Frame* frames, const Twist* twists, const Work& work, Wrench* wrenches, double* f) const;
  // f ← Rᵀ wrenches, after place(); wrenches are used up
  void gather(const Frame* frames, const Work& work, Wrench* wrenches, double* f) const;
  // out ← R z: twists of the slots for rates z, after place()
  void transform(const double* z, const Frame* frames, const Work& work, Twist* out) const;
  // wrenches ← what accelerates the masses: momenta of the slots for twists
  void momenta(const Twist* twists, const Work& work, Wrench* wrenches) const;
  double kinetic_energy(const Twist* twists, const Work& work) const;

  // ---- quaternions
  void rates(const double* q, const double* v, double* qdot) const;
  void retract(double* q, const double* delta) const;
  void difference(const double* from, const double* to, double* delta) const;
  void normalize(double* q) const;

  // The tree's state where the bodies are as given: projected onto the joints.
  void read_off(const Frame* frames, const Twist* twists, double length, double* q, double* v) const;

  // The axis of a turn as an angular velocity.
  static Angular turning(const Link& link, const Vector& u) {
    if constexpr (D == 3) {
      return u;
    } else {
      return link.sign;
    }
  }

 private:
  // A body that is not its link's only one.
  struct Rider {
    int body, slot;
    Placement at;  // against the centre and the axes of the slot
  };
  struct Builder;
  template <class Own>
  void sweep_inboard(
      const Frame* frames, const Work& work, Wrench* wrenches, double* f, const Own& own) const;
  Match find_motion(const Edge& edge, Scalar::Kind kind) const;

  std::vector<Link> links_;  // [0] is ground
  std::vector<LinkShape<D>> shapes_;
  std::vector<Rider> riders_;
  std::vector<Edge> edges_;
  std::vector<int> edge_of_;          // per body
  std::vector<TreeJoint<D>> joints_;  // all of the model
  std::vector<int> link_of_, balls_, bases_;
  std::vector<std::string> q_names_, v_names_;
  int ground_ = 0, slots_ = 0;
};

template <>
Tree<3>::Match Tree<3>::find_motion(const Edge& edge, Scalar::Kind kind) const;
template <>
Tree<3>::Match Tree<3>::find(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const;
template <>
void Tree<2>::read_off(const Frame*, const Twist*, double, double*, double*) const;
template <>
void Tree<3>::read_off(const Frame*, const Twist*, double, double*, double*) const;

extern template class Tree<2>;
extern template class Tree<3>;

}  // namespace driftless
