// Spatial bodies on a spanning tree: kinematics and dynamics in joint coordinates by sweeps over the links. A link is what
// one elementary motion of a joint moves; where a joint has several, the links between them carry nothing. World axes
// throughout; every link has a point p, on the axis of its motion, and a centre r, that of the masses it carries (p if
// there are none). With ₋ for the link inboard, u the axis, fixed in it, and h the pitch of a screw:
//   turn, screw   p = r₋ + R₋ o (+ h q u),   R = R₋ (A₀ + A₁ cos q + A₂ sin q)      slide   p = r₋ + R₋ o + q u,  R = R₋ A₀   (1)
//   ω = ω₋ + q̇ u,   ṙ = ṙ₋ + ω₋ × (p − r₋) (+ h q̇ u) + ω × (r − p)                                                  (2)
// and the accelerations α, b that are left with z̈ = 0 (S γ of the source):
//   α = α₋ + ω₋ × q̇ u                                                                                               (3)
//   b = b₋ + α₋ × (p − r₋) + ω₋ × (ω₋ × (p − r₋)) (+ 2 ω₋ × h q̇ u) + α × (r − p) + ω × (ω × (r − p))
// A slide has h = 1 in the terms in brackets and no q̇ u elsewhere. A ball has three rates w, relative angular velocity in
// the axes B of its outboard side, and a quaternion with ė = ½ Lᵀ w: B w in place of q̇ u. Free bases: slides along the axes
// of the world to the centre of mass, then a ball.
//   A joint may be passed from its second body to its first: motions in reverse, axes negated. Coordinates keep their
// meaning (motion of M against F); the axes B of a ball are then those of the inboard side, negated.
// Column of a coordinate in the twist of any body outboard of it, and what a wrench (F, T about r) gives to it:
//   turn  ω: u,  ṙ: u × (r − p)      u·(T + (r − p) × F)          slide  ṙ: u      u·F                               (4)
// García de Jalón & Bayo 1994, (5.71)–(5.92); Featherstone 2008, chapters 4 and 5
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/coordinates/spanning_tree.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/math/spatial_inertia.hpp"

namespace driftless {

bool same_frame(const JointFrame& f, const JointFrame& g);

// A joint as the tree sees it.
struct TreeJoint {
  std::string name;
  JointFrames frames;
  SpatialMobility mobility;
};

struct TreeBody {
  std::string name;
  double mass = 0;
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
};

// What the sweeps leave for one another; one worker's. Links from 1, ground is 0.
struct TreeWork {
  struct Axis {
    Vec3 p = Vec3::Zero(), u = Vec3::Zero();
  };
  std::vector<Axis> axes;      // per link                     place()
  std::vector<Sym3> inertias;  // per link, about its centre   place()
  std::vector<Mat3> balls;     // per ball: B                  place()
  std::vector<Twist> biases;   // per slot: b and α            move()
};

class SpatialTree {
 public:
  enum class Kind : std::uint8_t { turn, slide, screw, ball };

  // What every sweep needs of a link. Slots number frames, twists and wrenches: bodies, ground, then links that carry
  // no body of their own.
  struct Link {
    Kind kind = Kind::turn;
    int parent = 0;                 // link inboard; 0: ground
    int slot = 0, parent_slot = 0;  // of this link, of the one inboard
    int q = 0, v = 0;               // first coordinate and rate
    int ball = -1;                  // which one, of balls
    double mass = 0, pitch = 0;
  };
  // A rigid-body placement: axes as columns, origin.
  struct Placement {
    Mat3 axes = Mat3::Identity();
    Vec3 at = Vec3::Zero();
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
  SpatialTree(const SpanningTree& spanning,
              const std::vector<TreeJoint>& joints,
              const std::vector<TreeBody>& bodies);

  int nq() const { return static_cast<int>(q_names_.size()); }
  int nv() const { return static_cast<int>(v_names_.size()); }
  int links() const { return static_cast<int>(links_.size()) - 1; }
  const Link& link(int i) const { return links_[size_t(i)]; }
  int ground() const { return ground_; }  // slot
  int slots() const { return slots_; }
  int link_of(int body) const { return link_of_[size_t(body)]; }  // that carries the body; ground: 0
  const std::vector<std::string>& q_names() const { return q_names_; }
  const std::vector<std::string>& v_names() const { return v_names_; }
  bool is_length(int v) const { return is_length_[size_t(v)]; }
  static int width(Kind kind) { return kind == Kind::ball ? 3 : 1; }
  const std::vector<int>& balls() const { return balls_; }       // links
  const std::vector<int>& free_bases() const { return bases_; }  // first of their four links
  const std::vector<Edge>& edges() const { return edges_; }      // inboard bodies first
  Match find(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const;

  TreeWork make_work() const;

  // ---- sweeps; frames, twists, wrenches have slots() entries
  void place(const double* q, SpatialFrame<double>* frames, TreeWork& work) const;  // (1)
  void move(const double* v,
            const SpatialFrame<double>* frames,
            Twist* twists,
            TreeWork& work) const;  // (2), (3)
  // f ← Rᵀ (wrenches − inertia · bias), after move(); wrenches are used up
  void project(const SpatialFrame<double>* frames,
               const Twist* twists,
               const TreeWork& work,
               Wrench* wrenches,
               double* f) const;
  // f ← Rᵀ wrenches, after place(); wrenches are used up
  void gather(const SpatialFrame<double>* frames, const TreeWork& work, Wrench* wrenches, double* f) const;
  // out ← R z: twists of the slots for rates z, after place()
  void transform(const double* z, const SpatialFrame<double>* frames, const TreeWork& work, Twist* out) const;
  // wrenches ← what accelerates the masses: momenta of the slots for twists
  void momenta(const Twist* twists, const TreeWork& work, Wrench* wrenches) const;
  double kinetic_energy(const Twist* twists, const TreeWork& work) const;

  // ---- quaternions
  void rates(const double* q, const double* v, double* qdot) const;
  void retract(double* q, const double* delta) const;
  void difference(const double* from, const double* to, double* delta) const;
  void normalize(double* q) const;

  // The tree's state where the bodies are as given: projected onto the joints.
  void read_off(
      const SpatialFrame<double>* frames, const Twist* twists, double length, double* q, double* v) const;

 private:
  // What only place() needs.
  struct Shape {
    Vec3 origin = Vec3::Zero();  // o of (1): from the centre of the link inboard, in its axes
    Vec3 axis = Vec3::Zero();    // u there
    Vec3 center = Vec3::Zero();  // r − p, own axes
    Mat3 A0 = Mat3::Identity(), A1 = Mat3::Zero(), A2 = Mat3::Zero();
    Sym3 inertia;  // about the centre, own axes
    // Ball: R = R₋ A0 R(e) A1, or with R(e)ᵀ where the joint is passed in reverse.
    bool reversed = false;
  };
  // A body that is not its link's only one.
  struct Rider {
    int body, slot;
    Placement at;  // against the centre and the axes of the slot
  };
  struct Builder;
  template <class Own>
  void sweep_inboard(const SpatialFrame<double>* frames,
                     const TreeWork& work,
                     Wrench* wrenches,
                     double* f,
                     const Own& own) const;
  Match find_motion(const Edge& edge, Scalar::Kind kind) const;

  std::vector<Link> links_;  // [0] is ground
  std::vector<Shape> shapes_;
  std::vector<Rider> riders_;
  std::vector<Edge> edges_;
  std::vector<TreeJoint> joints_;  // all of the model
  std::vector<int> link_of_, balls_, bases_;
  std::vector<std::string> q_names_, v_names_;
  std::vector<bool> is_length_;
  int ground_ = 0, slots_ = 0;
};

}  // namespace driftless
