// Planar bodies on a spanning tree: kinematics and dynamics in joint coordinates by sweeps over the tree.
// A body o hangs on its inboard body i by a joint with pivot p (the point b of the joint, about which it turns) and axis
// w (the way the outboard body goes as d grows); σ = −1 where b is the inboard body, and the coordinates φ, d keep the
// joint's own sign. ω_w is the rate of the body the axis is fixed in: i, or o where σ = −1.
//   θ_o = θ_i + σ φ                                                                                                (1)
//   r_o = p_i + d w − R_o ŝ_o          ŝ_o: place of the joint on o;  p = p_i + d w, or p_i where σ = −1             (2)
//   ω_o = ω_i + σ φ̇,   ṙ_o = ṙ_i + ω_i (p − r_i)⊥ + ω_o (r_o − p)⊥ + ḋ w                                           (3)
//   b_o = b_i − ω_i² (p − r_i) − ω_o² (r_o − p) + 2 ω_w ḋ w⊥      r̈ at z̈ = 0; ω̇ = 0 there                          (4)
// The column of a coordinate in the velocity of a body j outboard of it:
//   turn   (k̂ × (r_j − p), 1) σ          slide   (w, 0)                                                            (5)
// so that with (F, τ) what acts on j and all bodies outboard of it, about r_j,
//   Rᵀ:  turn   σ (τ + (r_j − p) × F)    slide   w·F                                                               (6)
// A free base has slides along the axes of the world and a turn about its centre of mass, b = 0.
//   García de Jalón & Bayo 1994, (5.71)–(5.80); with signs, slides that turn and (4) in full
// Mass matrix RᵀMR by composite bodies (Walker & Orin 1982): m, h = Σ m (r − r_j), I = Σ (I + m |r − r_j|²) of j and all
// outboard of it give the momentum (P, L about r_j) of a unit rate, which (6) reads off along the path:
//   turn   P = σ (m (r_j − p) + h)⊥,  L = σ (I + h·(r_j − p))    slide   P = m w,  L = h × w                       (7)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/constraints/planar_frame.hpp"
#include "driftless/coordinates/parts.hpp"
#include "driftless/coordinates/spanning_tree.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/system/state.hpp"

namespace driftless {

using PlanarParts = Parts<2>;

// How a joint lets its second body move against the first:
//   θ_b = θ_a + φ,   p_b = p_a + d u,   u = R_a axis
// Its coordinates are d if it slides and φ if it turns. One that does not slide has d = 0, one that does not turn φ = `angle`.
struct PlanarMobility {
  PointOn a, b;
  Vec2 axis = Vec2::UnitX();  // unit, in the frame of a's body
  double angle = 0;           // φ where it does not turn
  bool slides = false, turns = false;
};

// One coordinate of the tree.
struct PlanarTreeCoordinate {
  std::string name, rate_name;
  int body = 0;                                             // the body it moves, with all outboard of it
  enum class Kind { turn, slide, base } kind = Kind::turn;  // base: x or y of a free base, a slide
  double sign = 1;                                          // σ
  std::vector<int> path = {};                               // coordinates from here to the root, itself first

  bool turns() const { return kind == Kind::turn; }
};

// Motion of the tree at a point: what the sweeps leave for one another. Bodies by their index, ground last.
struct PlanarTreeScratch {
  std::vector<Planar<double>> axes;    // per coordinate: p of a turn, w of a slide          place()
  std::vector<Planar<double>> biases;  // per body: b of (4)                                 move()
  struct Composite {
    Planar<double> h;
    double I;
  };
  std::vector<Composite> composites;  // per body: h and I of (7)                            mass()
};

class PlanarTree {
 public:
  // mobilities[j] belongs to joint j and must be there for the joints of the tree.
  PlanarTree(const SpanningTree& tree,
             const std::vector<std::string>& joint_names,
             const std::vector<std::optional<PlanarMobility>>& mobilities,
             const PlanarParts& parts);

  const std::vector<PlanarTreeCoordinate>& coordinates() const { return coordinates_; }
  // Coordinates that move a body, nearest first; none for ground.
  const std::vector<int>& path(int body) const;
  PlanarTreeScratch make_scratch() const;

  // (1), (2): frames of the bodies (the last one, ground, is there) and axes of the coordinates, on any scalar.
  template <class S>
  void place(const S* q, PlanarFrame<S>* frames, Planar<S>* axes) const;
  // (3), (4), after place()
  void move(const double* v,
            const PlanarFrame<double>* frames,
            PlanarVelocity* velocities,
            PlanarTreeScratch& scratch) const;
  // R ż of the bodies, after place(): (3) of rates of any kind
  void transform(const double* rates,
                 const PlanarFrame<double>* frames,
                 const PlanarTreeScratch& scratch,
                 PlanarVelocity* out) const;
  // What acts on each body becomes what acts on it and all outboard of it, about its own r
  void gather(const PlanarFrame<double>* frames, Resultant* on) const;
  // values ← RᵀMR in the pattern pattern(), after place()
  void mass(const PlanarFrame<double>* frames, PlanarTreeScratch& scratch, double* values) const;
  // f ← Rᵀ (resultants − M b), after move(); resultants are used up
  void project(const PlanarFrame<double>* frames,
               const PlanarTreeScratch& scratch,
               Resultant* resultants,
               double* f) const;

  // Pairs of coordinates on one path, both triangles.
  SparseRows pattern() const;
  // The tree's coordinates and their rates where the bodies are as `view` shows them: projected onto the joints.
  State read_off(const PlanarView& view) const;

 private:
  enum class Motion { fixed, turns, slides, slides_and_turns, floats };
  struct Link {
    int body = 0, inboard = 0;
    Motion motion = Motion::fixed;
    int slide = -1, turn = -1;  // coordinates; of a free base x (and y behind it) and θ
    bool reversed = false;
    double sign = 1;                                  // σ
    Vec2 inner = Vec2::Zero(), outer = Vec2::Zero();  // the joint on the inboard body, on this one
    Vec2 axis = Vec2::Zero();                         // in the frame of the joint's first body
    double angle = 0, cosine = 1, sine = 0;           // σ φ where it does not turn
    double mass = 0, inertia = 0, composite_mass = 0;
  };
  // Entries of M of one coordinate with those on its path: first the turns, then the slides.
  struct Pair {
    int other, slot, mirror;  // coordinate, places of M_cj and M_jc
  };
  struct Row {
    int body;
    bool turns;
    double mass;
    int pairs, slides, end;  // pairs_ [pairs, slides) with turns, [slides, end) with slides
  };

  void add_link(const SpanningTree::Link& link,
                const std::string& name,
                const PlanarMobility& mobility,
                const PlanarParts& parts);
  void add_base(int body, const PlanarParts& parts);
  int add_coordinate(PlanarTreeCoordinate coordinate);
  void list_pairs(const std::vector<double>& composite_masses);

  int ground_;
  std::vector<Link> links_;  // inboard bodies first
  std::vector<PlanarTreeCoordinate> coordinates_;
  std::vector<double> signs_;           // of the coordinates
  std::vector<int> last_;               // per body: last coordinate that moves it, −1 if none does
  std::vector<PlanarMobility> joints_;  // of links_
  std::vector<Row> rows_;
  std::vector<Pair> pairs_;
  SparseRows pattern_;
};

template <class S>
void PlanarTree::place(const S* q, PlanarFrame<S>* frames, Planar<S>* axes) const {
  using std::cos, std::sin;
  for (const Link& link : links_) {
    const PlanarFrame<S>& in = frames[link.inboard];
    PlanarFrame<S>& out = frames[link.body];
    switch (link.motion) {
      case Motion::turns: {
        const S theta = in.theta + q[link.turn] * link.sign;  // (1)
        out.theta = theta;
        out.c = cos(theta);
        out.s = sin(theta);
        axes[link.turn] = in.point(link.inner);
        out.r = axes[link.turn] - out.turn(link.outer);  // (2)
        break;
      }
      case Motion::floats:
        out = {{q[link.slide], q[link.slide + 1]}, q[link.turn], cos(q[link.turn]), sin(q[link.turn])};
        axes[link.slide] = {S(1.0), S(0.0)};
        axes[link.slide + 1] = {S(0.0), S(1.0)};
        axes[link.turn] = out.r;
        break;
      default: {
        if (link.motion == Motion::slides_and_turns) {
          out.theta = in.theta + q[link.turn] * link.sign;
          out.c = cos(out.theta);
          out.s = sin(out.theta);
        } else {
          out.theta = in.theta + link.angle;
          out.c = in.c * link.cosine - in.s * link.sine;
          out.s = in.s * link.cosine + in.c * link.sine;
        }
        Planar<S> place = in.point(link.inner);
        if (link.motion != Motion::fixed) {
          const Planar<S> w = (link.reversed ? out : in).turn(link.axis) * S(link.sign);
          axes[link.slide] = w;
          const Planar<S> moved = place + w * q[link.slide];
          if (link.motion == Motion::slides_and_turns) axes[link.turn] = link.reversed ? place : moved;
          place = moved;
        }
        out.r = place - out.turn(link.outer);
      }
    }
  }
}

}  // namespace driftless
