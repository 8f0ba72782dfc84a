#include "driftless/results/doubts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/system/place.hpp"

namespace driftless {
namespace {

constexpr double kFactor = 1000, kMostDrift = 0.05, kMostEnergy = 0.1, kMostMove = 0.5;  // (2), (3), (7)
constexpr double kFailDrift = 0.1, kFailFactor = 1e5;                                    // (6)
constexpr double kPath = 10;                                                             // (3)
constexpr double kDigit = 0.1;                                                           // (4)
constexpr double kPerStep = 100;                                                         // (5)

double tolerance_of(const StepControl& control) { return std::max(control.rtol, control.atol); }

double accuracy_of(const StepControl& control, int order) {  // (1)
  const double tol = tolerance_of(control);
  return std::max(tol, 0.1 * std::pow(tol, order / (order + 1.0)));
}

class Judge {
 public:
  explicit Judge(const Evidence& evidence)
      : e_(evidence), layout_(evidence.system.layout()), is_fixed_(evidence.control.step > 0) {}

  std::vector<std::string> sentences() {
    drift();
    energy();
    speed();
    place();
    records();
    return std::move(sentences_);
  }

 private:
  double limit(double most) const {
    return is_fixed_ ? most : std::min(kFactor * accuracy_of(e_.control, e_.order), most);
  }
  // What a figure is held against, in words.
  std::string against(double figure) const {
    if (is_fixed_) return fmt::format(" with steps of {:g} s", e_.control.step);
    const double tol = tolerance_of(e_.control);
    return fmt::format(", {:.2g} times the tolerance of {:g}", figure / tol, tol);
  }
  std::string remedy() const { return is_fixed_ ? "take shorter steps" : "tighten rtol or limit max_step"; }

  void drift() {  // (2)
    const Drift& drift = e_.monitor.drift();
    const double position = drift.position_max / layout_.length;
    const double velocity = drift.velocity_max / (layout_.length * e_.monitor.largest_speed());
    if (position > limit(kMostDrift))
      sentences_.push_back(
          fmt::format("the constraints drifted: |g| reached {:.2g} characteristic lengths at '{}'{}; {}, or "
                      "use a stabilization",
                      position, drift.position_row, against(position), remedy()));
    else if (velocity > limit(kMostDrift))
      sentences_.push_back(fmt::format(
          "the velocities left the constraints: |Jv - nu| reached {:.2g} of the largest speed at '{}'{}; "
          "{}, or use a stabilization",
          velocity, drift.velocity_row, against(velocity), remedy()));
  }

  void energy() {  // (3)
    const auto energy = e_.monitor.energy();
    if (!energy) return;
    const double error = energy->max_relative_error, t = e_.monitor.energy_worst_at();
    if (!e_.monitor.energy_is_known())
      sentences_.push_back(fmt::format(
          "the energy balance could not be followed: energy or work became NaN at t = {:.6g}", t));
    else if (e_.monitor.energy_is_off(limit(kMostEnergy), kPath * tolerance_of(e_.control)))
      sentences_.push_back(fmt::format(
          "the energy balance is off by {:.2g} of the energy of the motion at t = {:.6g}{}: motion, "
          "reactions or work went wrong before; {}, or compare with another method",
          error, t, against(error), remedy()));
  }

  void speed() {  // (5), where no potential says so
    const double way = e_.monitor.largest_speed() * e_.control.step;
    if (way > kPerStep && !e_.monitor.energy())
      sentences_.push_back(
          fmt::format("a coordinate went {:.2g} times its scale in one step of {:g} s; take shorter steps",
                      way, e_.control.step));
  }

  void records() {  // (7), (5)
    const auto& [size, t] = e_.record_move;
    const double moved = is_fixed_ ? size : size * tolerance_of(e_.control);
    if (moved > limit(kMostMove))
      sentences_.push_back(fmt::format(
          "the record at t = {:.6g}, between steps, was moved by {:.2g} of the size of its "
          "coordinates when it was put on the constraints{}: what lies between steps, or their ends, "
          "are off by as much; {}, or use a stabilization",
          t, moved, against(moved), remedy()));
  }

  void place() {  // (4)
    if (is_fixed_) return;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double tol = tolerance_of(e_.control);
    Place place(e_.system);
    const double far = std::max(place.farthest(e_.start.t, e_.start.q), place.farthest(e_.end.t, e_.end.q));
    if (eps * far > kDigit * tol)
      sentences_.push_back(fmt::format(
          "the mechanism is {:.2g} characteristic lengths from the origin: the last digit of a coordinate is "
          "{:.2g} of them, too coarse for a tolerance of {:g}; put the origin near the mechanism or loosen "
          "rtol",
          far, eps * far, tol));
    else
      large_coordinate(eps);
  }
  // One that is held to less than its last digit: an angle after very many turns.
  void large_coordinate(double eps) {
    const State& at = e_.end;
    Vec size(layout_.nq), speed(layout_.nv);
    e_.system.magnitudes(at.q, at.v, size, speed);
    const Vec tolerance = e_.control.atol * layout_.q_scale + e_.control.rtol * size;
    Eigen::Index i = 0;
    const double worst = (eps * at.q.cwiseAbs().cwiseQuotient(tolerance)).maxCoeff(&i);
    if (worst > kDigit)
      sentences_.push_back(
          fmt::format("'{}' has grown to {:.2g}: its last digit is {:.2g} of the tolerance of {:.2g} it is "
                      "held to; loosen rtol or atol",
                      layout_.q_names[size_t(i)], at.q[i], worst, tolerance[i]));
  }

  const Evidence& e_;
  const Layout& layout_;
  bool is_fixed_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> vibration_remarks(const std::vector<FlexibleVibrations>& bodies) {
  std::vector<std::string> out;
  for (const FlexibleVibrations& body : bodies)
    if (body.lowest > 0 && body.highest > 1e4 * body.lowest)
      out.push_back(
          fmt::format("'{}' vibrates at {:.3g} to {:.3g} rad/s: an explicit integrator cannot take steps "
                      "above {:.2g} s; fewer elements, "
                      "modes, generalized-alpha or radau-iia5 can",
                      body.body, body.lowest, body.highest, 1 / body.highest));
  return out;
}

std::vector<std::string> doubts(const Evidence& evidence) { return Judge(evidence).sentences(); }

DriftLimit usual_drift_limit(const StepControl& control, int order, bool is_held) {
  if (control.step > 0 || !is_held) return {kFailDrift, kFailDrift};
  return {std::min(kFailDrift, kFailFactor * accuracy_of(control, order)), kFailDrift};
}

}  // namespace driftless
