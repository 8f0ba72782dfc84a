// Where the mode of a system ends, and where a user's events happen, inside an accepted step. Every root is positive while
// what it watches lasts (switching.hpp); an event's is made so by the side its quantity is on. With values r and rates ṙ at
// both ends of the step and the value r_m in its middle,
//   P(θ) = H(θ) + 16 (r_m − H(½)) θ² (1 − θ)²,   H the cubic of Hermite                                                (1)
// a root is followed along the dense output where r changes sign from + to −, and where P, or what (1) leaves open,
// |r_m − H(½)|/2, comes down to zero between ends that are positive: so double crossings are found. A bracket is closed by ITP to
// 4 units in the last place of t; its far end is the event. Others that get there within 1e-13 max(|t|, h) are part of it.
// A root that starts at zero or below is at rest until it is positive; if it falls instead, it fires where it started.
// Rates nobody knows are differences over a thousandth of the step.
//   I. F. D. Oliveira & R. H. C. Takahashi, An enhancement of the bisection method, ACM TOMS 47(1), 2021  (ITP)
#pragma once

#include <optional>
#include <vector>

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/simulate.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/switching.hpp"

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
  void use(OdeForm* looker) { looker_ = looker; }  // solves accelerations beside the run; not null unless idle()

  // Where the next step begins. `h`: of the last step, `fired`: events that have just happened there.
  void start(const State& state, double h, const std::vector<size_t>& fired = {});
  // Roots of the system that fire at once where it was started.
  const std::vector<int>& immediate() const { return immediate_; }
  // The first that happens in the last step of the integrator, which ends at `end`; null: nothing.
  const Found* find(const Integrator& integrator, OdeForm& form, const State& end);

 private:
  struct Point {
    double t = 0;
    Vec r, rate;
  };
  double value(const Event& event, const State& state);
  void read(const State& state, Point& out);
  void sample(double t, Point& out);  // on the dense output
  void fill_rates(Point& at, double towards);
  void ahead(const State& state, double h, State& out);
  // Finds a zero of root i in (a, b]; none: nullopt.
  std::optional<double> search(int i, const Point& a, const Point& middle, const Point& b);
  std::optional<double> dive(int i, double t_low, const Point& a, const Point& b);
  double locate(int i, double ta, double ra, double tb, double rb);
  bool gather(const Point& before, Point& at);  // into found_; false: only events nobody wants

  const std::vector<Event>& events_;
  const DescriptorSystem& system_;
  const Switching* switching_;
  const Mode& mode_;
  const AngleTracker& angles_;
  OdeForm* looker_ = nullptr;
  const int roots_, count_;  // of the system; with those of events behind them
  Reaction none_, reaction_;
  Observer observer_;
  Vec quantities_;
  std::vector<double> sides_;  // of the events
  Point start_, begin_, middle_, end_, near_, trial_;
  State state_, ahead_;
  Vec y_, delta_;
  std::vector<int> immediate_;
  Found found_;
  const Integrator* integrator_ = nullptr;  // of find()
  OdeForm* form_ = nullptr;
};

}  // namespace driftless
