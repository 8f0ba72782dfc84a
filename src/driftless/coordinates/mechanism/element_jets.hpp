// Rows and forces of a mechanism on jets: exact derivatives of what its elements do, by what one of the bodies they see does.
// A slot is a body, a section of a flexible one (behind the ground), or a scalar behind the bodies (and sections) that is a
// coordinate of its own; a scalar may also be part of the slot of a body (its angle, in the plane). With everything else at rest in the numbers, the frame, twist and
// acceleration of one slot become jets, and
//   rows      r = Σ ∂g/∂x·ẋ + Σ ∂g/∂s ṡ − ν,      α = Σ ∂g/∂x·ẍ + Σ ∂g/∂s s̈ + c   (= J a − γ)                           (1)
//   bodies    w = Σ λ (∂g/∂x, arm × ∂g/∂x)  and  −(force, moment) of the force elements,  about the centres of mass        (2)
//   scalars   Σ λ ∂g/∂s  and  −load
// come out with their derivatives. A coordinate set says how its coordinates move a slot, and spreads what comes out.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/math/jet.hpp"

namespace driftless {

// What element tangents want of (1) and (2).
struct JetParts {
  bool reactions = false, forces = false;  // (2)
  bool velocity = false, acceleration = false;
};

template <class S, int D>
FrameOf<S, D> constant_frame(const FrameOf<double, D>& from) {
  FrameOf<S, D> out;
  out.r = from.r.template cast<S>();
  if constexpr (D == 3) {
    out.R = from.R.template cast<S>();
  } else {
    out.theta = S(from.theta);
    out.c = S(from.c);
    out.s = S(from.s);
  }
  return out;
}

template <class S, int D>
TwistOf<S, D> constant_twist(const TwistOf<double, D>& from) {
  TwistOf<S, D> out;
  out.r = from.r.template cast<S>();
  if constexpr (D == 3)
    out.omega = from.omega.template cast<S>();
  else
    out.omega = S(from.omega);
  return out;
}

template <int D, int N>
class ElementJets {
 public:
  using S = Dual<double, N>;
  using V = VecOf<S, D>;

  // What an element sees: slots, and for rows where they stand.
  struct Element {
    std::vector<int> slots, scalars;
    int row = 0, rows = 0;  // of RowSet; none for forces
  };

  // `scalar_slots`: which slot each scalar is, or belongs to.
  ElementJets(const Parts<D>& parts, std::vector<int> scalar_slots)
      : parts_(parts),
        bodies_(static_cast<int>(parts.bodies())),
        frames_count_(static_cast<int>(parts.slots())),
        scalar_slots_(std::move(scalar_slots)),
        scalars_of_(parts.slots() + parts.scalars.size() + 1) {
    for (size_t k = 0; k < scalar_slots_.size(); ++k)
      scalars_of_[size_t(scalar_slots_[k])].push_back(static_cast<int>(k));
    parts.rows.for_each([&](const auto& placed) {
      Element& element = blocks_.emplace_back();
      element.row = placed.row;
      element.rows = placed.block.rows;
      for (const int marker : placed.block.x) see_body(element, parts.markers[size_t(marker)].body);
      for (const int scalar : placed.block.s) see_scalar(element, scalar);
    });
    for_each_force([&](const auto& force) {
      Element& element = forces_.emplace_back();
      force.slots([&](int body) { see_body(element, body); },
                  [&](int scalar) { see_scalar(element, scalar); });
    });
    const size_t frames = parts.slots(), scalars = parts.scalars.size();
    frames_.resize(frames);
    twists_.resize(frames);
    accelerations_.resize(frames);
    wrenches_.resize(frames);
    for (auto* list : {&s_, &sdot_, &sddot_, &loads_}) list->resize(scalars);
    for (auto* list : {&x_, &xdot_, &xddot_}) list->resize(parts.markers.size());
  }

  int slot_of(int scalar) const { return scalar_slots_[size_t(scalar)]; }
  const std::vector<int>& scalars_of(int slot) const { return scalars_of_[size_t(slot)]; }
  const std::vector<Element>& blocks() const { return blocks_; }
  const std::vector<Element>& forces() const { return forces_; }

  // Where the mechanism is: frames and twists of `work`, accelerations of the same, s̈. They must stay.
  void stand(double t,
             const WorkOf<D>& work,
             const std::vector<TwistOf<double, D>>& accelerations,
             const std::vector<double>& sddot) {
    t_ = t;
    work_ = &work;
    given_ = &accelerations;
    given_sddot_ = &sddot;
    for (int slot = 0; slot < frames_count_; ++slot) rest_body(slot);
    for (size_t k = 0; k < s_.size(); ++k) rest_scalar(k);
    for (size_t i = 0; i < x_.size(); ++i) place(i);
  }

  // Jets of slots, for seeds to write into.
  FrameOf<S, D>& frame(int body) { return frames_[size_t(body)]; }
  TwistOf<S, D>& twist(int body) { return twists_[size_t(body)]; }
  TwistOf<S, D>& acceleration(int body) { return accelerations_[size_t(body)]; }
  S& s(int scalar) { return s_[size_t(scalar)]; }
  S& sdot(int scalar) { return sdot_[size_t(scalar)]; }

  // What came out, for takers to read: (1) by rows of the element, (2) by slots.
  const S& velocity_row(int k) const { return velocity_[k]; }
  const S& acceleration_row(int k) const { return acceleration_[k]; }
  const WrenchOf<S, D>& wrench(int body) const { return wrenches_[size_t(body)]; }
  const S& load(int scalar) const { return loads_[size_t(scalar)]; }

  // Every element with every slot it sees: seed(slot) makes the jets of that slot, take(index, element, slot) reads.
  template <class Seed, class Take>
  void run_blocks(const JetParts& parts, const double* lambda, Seed&& seed, Take&& take) {
    int index = 0;
    parts_.rows.for_each([&](const auto& placed) {
      const Element& element = blocks_[size_t(index)];
      for (const int slot : element.slots) {
        seed(slot);
        for (const int marker : placed.block.x)
          if (parts_.markers[size_t(marker)].body == slot) place(size_t(marker));
        clear(element);
        evaluate(placed.block, parts, lambda + element.row);
        take(index, element, slot);
        rest(slot);
        for (const int marker : placed.block.x)
          if (parts_.markers[size_t(marker)].body == slot) place(size_t(marker));
      }
      ++index;
    });
  }
  template <class Seed, class Take>
  void run_forces(Seed&& seed, Take&& take) {
    const ViewOf<S, D> view{frames_.data(), twists_.data(), s_.data(), sdot_.data(), S(t_), work_->mode};
    LoadsOf<S, D> loads{wrenches_.data(), loads_.data()};
    int index = 0;
    for_each_force([&](const auto& force) {
      const Element& element = forces_[size_t(index)];
      for (const int slot : element.slots) {
        seed(slot);
        clear(element);
        force.apply(view, loads);
        take(index, element, slot);
        rest(slot);
      }
      ++index;
    });
  }

 private:
  template <class Visit>
  void for_each_force(Visit&& visit) const {
    std::apply(
        [&](const auto&... batch) {
          const auto all = [&](const auto& list) {
            for (const auto& force : list) visit(force);
          };
          (all(batch), ...);
        },
        parts_.forces);
  }

  static void see(std::vector<int>& list, int one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  }
  // Whether a slot has a frame that moves.
  bool has_frame(int slot) const { return slot < bodies_ || (slot > bodies_ && slot < frames_count_); }
  void see_body(Element& element, int body) const {
    if (has_frame(body)) see(element.slots, body);
  }
  void see_scalar(Element& element, int scalar) const {
    see(element.scalars, scalar);
    see(element.slots, slot_of(scalar));
  }

  void rest(int slot) {
    if (has_frame(slot)) rest_body(slot);
    for (const int k : scalars_of(slot)) rest_scalar(size_t(k));
  }
  void rest_body(int body) {
    const auto i = size_t(body);
    frames_[i] = constant_frame<S>(work_->frames[i]);
    twists_[i] = constant_twist<S>(work_->twists[i]);
    accelerations_[i] = constant_twist<S>((*given_)[i]);
  }
  void rest_scalar(size_t k) {
    s_[k] = work_->s[k];
    sdot_[k] = work_->sdot[k];
    sddot_[k] = (*given_sddot_)[k];
  }
  void clear(const Element& element) {
    wrenches_[size_t(bodies_)] = {};  // ground
    for (const int slot : element.slots)
      if (has_frame(slot)) wrenches_[size_t(slot)] = {};
    for (const int scalar : element.scalars) loads_[size_t(scalar)] = S(0.0);
  }

  void place(size_t i) {  // (1) of frame.hpp
    const Marker<D>& marker = parts_.markers[i];
    const auto body = size_t(marker.body);
    const V arm = frames_[body].turn(marker.at);
    const V swung = swing(twists_[body].omega, arm);
    x_[i] = arm;
    xdot_[i] = swung;
    xddot_[i] = swing(accelerations_[body].omega, arm) + swing(twists_[body].omega, swung);
    if (marker.kind != MarkerKind::point) return;
    x_[i] += frames_[body].r;
    xdot_[i] += twists_[body].r;
    xddot_[i] += accelerations_[body].r;
  }

  template <class Block>
  void evaluate(const Block& block, const JetParts& parts, const double* lambda) {
    const Places<S, D> at{x_.data(), s_.data(), S(t_)};
    typename Block::template GradientOf<S> gradient;
    block.gradient(at, gradient);
    if (parts.velocity) block.nu(at, velocity_);
    if (parts.acceleration) block.curvature(MovingOf<S, D>{at, xdot_.data(), sdot_.data()}, acceleration_);
    for (int r = 0; r < Block::rows; ++r) {
      if (parts.velocity) velocity_[r] = -velocity_[r];
      for (int k = 0; k < Block::vectors; ++k) {
        const auto i = size_t(block.x[size_t(k)]);
        const V& n = gradient.x[r][k];
        if (parts.velocity) velocity_[r] += n.dot(xdot_[i]);
        if (parts.acceleration) acceleration_[r] += n.dot(xddot_[i]);
        if (!parts.reactions || lambda[r] == 0) continue;
        const Marker<D>& marker = parts_.markers[i];
        WrenchOf<S, D>& wrench = wrenches_[size_t(marker.body)];
        const V push = n * lambda[r];
        if (marker.kind == MarkerKind::point) wrench.force += push;
        wrench.moment += moment_of(frames_[size_t(marker.body)].turn(marker.at), push);
      }
      for (int k = 0; k < Block::scalars; ++k) {
        const auto i = size_t(block.s[size_t(k)]);
        if (parts.velocity) velocity_[r] += gradient.s[r][k] * sdot_[i];
        if (parts.acceleration) acceleration_[r] += gradient.s[r][k] * sddot_[i];
        if (parts.reactions) loads_[i] += gradient.s[r][k] * lambda[r];
      }
    }
  }

  static constexpr int kMostRows = 3;  // of a block

  const Parts<D>& parts_;
  const int bodies_, frames_count_;
  const std::vector<int> scalar_slots_;
  std::vector<std::vector<int>> scalars_of_;  // per slot
  std::vector<Element> blocks_, forces_;
  double t_ = 0;
  const WorkOf<D>* work_ = nullptr;
  const std::vector<TwistOf<double, D>>* given_ = nullptr;
  const std::vector<double>* given_sddot_ = nullptr;
  std::vector<FrameOf<S, D>> frames_;
  std::vector<TwistOf<S, D>> twists_, accelerations_;
  std::vector<S> s_, sdot_, sddot_, loads_;
  std::vector<V> x_, xdot_, xddot_;
  std::vector<WrenchOf<S, D>> wrenches_;
  S velocity_[kMostRows], acceleration_[kMostRows];
};

}  // namespace driftless
