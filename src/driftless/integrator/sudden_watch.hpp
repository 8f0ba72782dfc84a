// Smooth but sudden: a pulse, a bump in the road, that begins and ends between two evaluations of F leaves no trace in any
// estimate of the error. So the functions of time and place a system names (Probe) are sampled between the ends of a step
// before it is accepted, and compared with what the scheme saw of them. No evaluation of the mechanism is made.
//
// A step from t₀ to t₁ = t₀ + h has seen a function f at its nodes: t₀, t₁, and t₀ + cᵢ h of the stages that have weight;
// schemes with fewer than two of these stand on the ends of up to three steps before as well, back to the last
// discontinuity. With P_n the polynomial through all n nodes, P_{n−1} and P_{n−2} those without the last one and two of
// them, and e_j the smaller of |f − P_j| at the nodes left out and of |P_n − P_j| inside the step (what the nodes
// themselves say about the error of P_j):
//   the step stands if  |f − P_n| ≤ max(e_{n−1}, e_{n−2}/10) + rtol max|f|   at all samples                             (1)
// A function the scheme resolves, or sees move, passes whatever the tolerance: the estimate of the scheme judges it. What it has
// not seen by more than the tolerance allows does not: the step is rejected, and the next one ends where that begins, not
// before h/8.                                                                                                            (2)
//   samples: at 64 places at least, and nowhere more than (t₁ − t_b)/4096 apart, t_b the start of the run: a long step is looked
//   at as well                                                                                                           (3)
// Places (of a wheel on its road) go along the polynomial through the ends of this step and those before. max|f| is of all
// samples so far and, where f depends on time alone, of others (t₁ − t_b)/512 apart up to t₁ + (t₁ − t_b); two nodes say nothing:
// e = 0. Steps that are given are never cut: they are counted for a warning, with 10⁻³ for rtol at least; so are steps of less
// than 10⁻⁹ of the time since t_b, or of the longest tried.                                                             (4)
// Nothing here depends on where the run ends: one that is to go on later takes the steps of the longer one, and keep() carries
// over what was seen.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrator/integrator.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/probe.hpp"

namespace driftless {

class SuddenWatch {
 public:
  SuddenWatch(const DescriptorSystem& system, const StepControl& control);

  bool idle() const { return probes_.empty(); }  // nothing to look at
  // Behind a discontinuity: what was seen before says nothing about what comes.
  void restart();
  // Behind nothing at all: a new run.
  void forget();
  void keep(Memory& memory);  // all that counts for steps to come, both ways
  // Where a step from t0 to t1 has to end: t1 if it stands, else by (2). y begins with q.
  double end_of_step(double t0, ConstVec y0, double t1, ConstVec y1, std::span<const double> c);
  // On steps that had to be accepted though they passed over something; empty if there are none.
  std::string warning() const;

 private:
  static constexpr int kPast = 3, kNodes = 24;
  static constexpr int kLeast = 64, kMost = 4096;  // (3)
  // A polynomial through nodes, in Newton's form.
  struct Newton {
    int count = 0;
    std::array<double, kNodes> theta{}, divided{};
    void add(double at, double f);
  };
  // A step as one function sees it, θ from 0 to 1: the place it depends on goes along a polynomial.
  struct Path {
    double t0, h;
    Newton x;
  };

  double value(const Probe& probe, double theta) const;
  void note_size(Eigen::Index row, double f);
  void look_ahead(double t1);  // max|f| of functions of time
  // Share of the step that may stand.
  double look(size_t i, std::span<const double> c);
  double polynomial_errors(int count);  // fills deviations_; returns what (1) has beside the tolerance

  const Probed* system_;  // null: idle
  const std::vector<Probe> probes_;
  const Eigen::Index nq_;
  Terms terms_;  // for the places; empty if there are none
  const bool is_fixed_;
  const double tolerance_;
  bool is_begun_ = false;
  double begin_ = 0, ahead_ = 0;  // t_b, and up to where functions of time were looked at
  double longest_ = 0;            // step tried
  double apart_ = 0;              // samples, at most: of this step
  Vec x0_, x1_;                   // places at the ends of the step
  double t_at_ = 0;               // where x0_ is known
  bool is_known_ = false;
  // Ends of steps before, newest first, and the functions there.
  std::array<double, kPast> past_t_{};
  Mat past_f_, past_x_;  // functions and places × kPast
  int past_ = 0;
  Vec f0_;                   // at t0
  Vec largest_, missed_by_;  // max|f|, and of |f − P_n| in steps that were accepted nevertheless
  // Of the function looked at: its way, P_n, samples and |f − P_n|.
  Path path_{};
  Newton seen_;
  std::vector<double> samples_, deviations_;
  // (4)
  long looked_ = 0, missed_ = 0;
  double missed_at_ = 0;
};

// Where a step to t1 may end, with or without a watch; no function is looked at behind `latest`.
inline double watched_end(const StepControl& control,
                          double t0,
                          ConstVec y0,
                          double t1,
                          double latest,
                          ConstVec y1,
                          std::span<const double> c = {}) {
  if (control.sudden == nullptr) return t1;
  const double t_end = std::min(t1, latest);
  const double end = control.sudden->end_of_step(t0, y0, t_end, y1, c);
  return end < t_end ? end : t1;
}

}  // namespace driftless
