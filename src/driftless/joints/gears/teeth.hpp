// Teeth. The row of a gear pair or a rack says how angles go together; by its multiplier wheels feel moments only, which
// the carrier takes. Teeth push at the pitch point P, and the bearings of the wheels hold against it:
//   gear   the wheels turn about (c_a, u_a), (c_b, u_b) on the carrier, with r_a ω_a + r_b ω_b = 0 (internal: r_b < 0)
//          parallel axes   P = c_a + r_a / (r_a + r_b) n,  n from axis a to axis b,  t = u_a × n / |n|                      (1)
//          meeting in O    P = O ± (r_b u_a + r_a u_b) / |u_a × u_b|,  t = u_a × u_b / |u_a × u_b|                          (2)
//          force f = F t at P on b, −f on a, with the moment τ_b of the row:  F = τ_b / (u_b · (P − c_b) × t)             (3)
//   rack   moves along u, the pinion turns about (c, k):  P = c + r u × k,  the force f of the row on the rack at P        (4)
// P is where both parts have the same velocity. Along the axes it lies half-way between the wheels' centres of mass in (1),
// at the pinion's in (4); in (2) it is on their side. What (3), (4) add to the forces of the row on a part, D, is in balance
// with what they add to the others, and is taken by the joints that carry the part:
//   their reactions on the part's side change by −D                                                                     (5)
#pragma once

#include <string>
#include <vector>

#include "driftless/joints/joint_record.hpp"

namespace driftless {

// The joints between a part and the carrier, one after the other: welds, and what lets it turn about one line or slide.
template <int D>
struct CarriedBy {
  struct Link {
    int joint;    // of the model
    double sign;  // +1: the second body of the joint is on the side of the part
  };
  std::vector<Link> links;
  PointOf<D> at = {};  // on the axis, on the side of the carrier
};

template <int D>
struct Teeth {
  // ---- what a gear or a rack says of itself
  int a = 0, b = 0, carrier = 0;  // slots; the reaction is on b
  bool is_rack = false;           // b is a rack
  Vec3 axis_a = Vec3::UnitZ();    // in the frame of the carrier, as the next one
  Vec3 axis_b = Vec3::UnitZ();    // of a rack: u
  double radius_a = 1, radius_b = 1;
  // ---- what find_teeth() adds
  int joint = -1;        // of the model
  bool meeting = false;  // (2)
  CarriedBy<D> by_a = {}, by_b = {};
};

// All meshes of a model whose bearings are known. The others, of which `remarks` gets a sentence each, have the reactions
// of their rows.
template <int D>
std::vector<Teeth<D>> find_teeth(const Expansion<D>& model, std::vector<std::string>* remarks = nullptr);
// Those sentences, of a valid model.
std::vector<std::string> remarks_about_teeth(const Model& model);

}  // namespace driftless
