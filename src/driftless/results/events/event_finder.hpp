// Where the mode of a system ends, and where a user's events happen, inside an accepted step. Every root is positive while
// what it watches lasts (switching.hpp); an event's is made so by the side its quantity is on. Values r and rates ṙ are read at both ends of
// the step and in its middle, on the dense output; with H the cubic of Hermite through the ends,
//   |r_m − H(½)| > min(r_0, r_m, r_1)/4                                                                               (1)
// asks for eight parts instead of two. Between neighbours a and b of these places a root is found where
//   r_a > 0 > r_b                                                                                                   (2)
//   r_a, r_b > 0,  ṙ_a ≤ 0 < ṙ_b   and r is negative at the minimum between them: so double crossings are found      (3)
// The minimum is closed in by the sign of ṙ, and given up where r_a + r_b > (b − a) max(|ṙ_a|, |ṙ_b|). A bracket (2) is closed by ITP to 4
// units in the last place of t; its far end is the event. Others that get there within 1e-13 max(|t|, h) are part of it.
// A root that starts at zero, or below it by no more than round-off (1e-9 of the largest it was, 1e-12 characteristic lengths), is at
// rest until it is positive; if it falls instead (and is not found positive in a part of the step, quartered up to twenty times), it
// fires where it started. One that rises from zero is looked at early in its first part as well, so that (3) finds what comes down there
// and is up again at the end of it. What stays within round-off is no crossing: a mechanism at rest trembles. Below that a root fires at once. Of
// knots (Noise::length), which bend a force without a jump, crossings within atol characteristic lengths count as that, too. Rates
// nobody knows are differences over a thousandth of the step.
// What fires again and again and switches nothing (a contact that leaves by its acceleration, and falls by the error of the step) is passed
// over by the next step, by as much as the tolerance lets it err.
// Signals (Noise::signal) pass their levels where they were away from them, or go away from them, by more than what a joint that holds
// them there may drift: round-off, and (rtol + atol) of the largest they were in any mode. Nearer, what else happens does not turn them.
// Where one stands on its level so, states are put on the constraints before they are read: dense output may leave them by more.
//   I. F. D. Oliveira & R. H. C. Takahashi, An enhancement of the bisection method, ACM TOMS 47(1), 2021  (ITP)
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/simulate.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

class EventFinder {
 public:
  // `switching`: the system itself if it switches, made for this run; null: there are events only.
  EventFinder(const std::vector<Event>& events,
              const DescriptorSystem& system,
              const Switching* switching,
              const Mode& mode,
              const AngleTracker& angles);

  struct Found {
    double t;
    std::vector<int> roots;      // of the system, ascending
    std::vector<size_t> events;  // that are wanted
  };
  bool idle() const { return count_ == 0; }
  // `looker` solves accelerations beside the run; not null unless idle(). `settle` puts a state on the constraints.
  void use(OdeForm* looker, const StepControl& control, std::function<Status(State&)> settle) {
    looker_ = looker;
    settle_ = std::move(settle);
    atol_ = control.atol;
    tolerance_ = control.rtol + control.atol;
  }

  // Where the next step begins. `h`: of the last step, `fired`: events that have just happened there.
  void start(const State& state, double h, const std::vector<size_t>& fired = {});
  // Roots of the system that fire at once where it was started.
  const std::vector<int>& immediate() const { return immediate_; }
  // These switch nothing where they fire: the next step is too coarse for how little there is above their zero.
  void pass_over(const std::vector<int>& fired);
  // The first that happens in the last step of the integrator, which ends at `end`; null: nothing.
  const Found* find(const Integrator& integrator, OdeForm& form, const State& end);

 private:
  struct Point {
    double t = 0;
    Vec r, rate;
  };
  const Found* pass(const Point& end);  // nothing happens up to there
  double value(const Event& event, const State& state);
  void read(const State& state, Point& out);
  void read_on_level(const State& state,
                     Point& out);     // on the constraints, where a signal stands on its level
  void sample(double t, Point& out);  // on the dense output
  void fill_rates(Point& at, double towards);
  void ahead(const State& state, double h, State& out);
  // Finds a zero of root i in (a, b]; none: nullopt.
  std::optional<double> search(int i);
  std::optional<double> between(int i, const Point& a, const Point& b);  // (2), (3)
  double down(int i, const Point& late);
  double locate(int i, double ta, double ra, double tb, double rb);
  bool is_wavy() const;           // (1)
  double round_off(int i) const;  // of a root
  double noise(int i) const;      // of a root: less than that is zero
  double resolved(int i) const;   // of a root: less than that is an error of the step
  bool is_on_level() const;       // a signal where the step begins
  bool is_clear() const;          // no root can have been near zero between begin_ and end_
  // Into found_, `whose` at least; false: only events nobody wants.
  bool gather(const Point& before, Point& at, int whose);

  const std::vector<Event>& events_;
  const DescriptorSystem& system_;
  const Switching* switching_;
  const Mode& mode_;
  const AngleTracker& angles_;
  OdeForm* looker_ = nullptr;
  std::function<Status(State&)> settle_;
  const int roots_, count_;  // of the system; with those of events behind them
  Reaction none_, reaction_;
  Observer observer_;
  Vec quantities_;
  std::vector<double> sides_;  // of the events
  static constexpr size_t kParts = 8;
  Point start_, begin_, end_, near_, trial_, low_, rise_;
  std::array<Point, kParts - 1> inside_;
  size_t parts_ = 2;
  State state_, ahead_, settled_;
  Vec y_, delta_;
  Vec size_;                         // the largest each root was, in this mode; a signal: in any
  std::vector<char> passed_over_;    // by the next step
  std::vector<Noise> noises_;        // of the roots
  bool on_level_ = false;            // in this step, is_on_level()
  std::vector<int> of_mode_;         // that size_ is of
  double atol_ = 0, tolerance_ = 0;  // the latter with rtol
  std::vector<int> immediate_;
  Found found_;
  const Integrator* integrator_ = nullptr;  // of find()
  OdeForm* form_ = nullptr;
};

}  // namespace driftless
