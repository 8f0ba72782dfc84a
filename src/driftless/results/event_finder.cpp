#include "driftless/results/event_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double kEnd = std::numeric_limits<double>::epsilon();
constexpr double kNear = 1e-3;         // of the step: differences for rates
constexpr double kAhead = 1e-4;        // of the last step: what comes next
constexpr double kTogether = 1e-13;    // of max(|t|, h): one event
constexpr int kLooks = 32;             // at P of (1)
constexpr int kDives = 24;             // towards a minimum

double resolution(double a, double b) { return 4 * kEnd * std::max(std::abs(a), std::abs(b)); }

// H of (1).
double hermite(double r0, double d0, double r1, double d1, double theta) {
  const double s = 1 - theta, rise = r1 - r0;
  return r0 + theta * rise + theta * s * (s * (d0 - rise) - theta * (d1 - rise));
}

}  // namespace

EventFinder::EventFinder(const std::vector<Event>& events,
                         const DescriptorSystem& system,
                         const Switching* switching,
                         const Mode& mode,
                         const AngleTracker& angles)
    : events_(events),
      system_(system),
      switching_(switching),
      mode_(mode),
      angles_(angles),
      roots_(switching == nullptr ? 0 : switching->root_count()),
      count_(roots_ + static_cast<int>(events.size())),
      none_{Vec::Zero(system.layout().nv), Vec::Zero(system.layout().m)},
      reaction_(none_),
      observer_(system),
      quantities_(static_cast<Eigen::Index>(system.quantity_names().size())),
      sides_(events.size(), 1),
      delta_(Vec::Zero(system.layout().nv)) {
  for (Point* point : {&start_, &begin_, &middle_, &end_, &near_, &trial_})
    point->r = point->rate = Vec::Zero(count_);
}

double EventFinder::value(const Event& event, const State& state) {
  if (event.root) return event.root(state.t, state.q, state.v);
  system_.position(state.t, state.q, observer_.terms);
  observer_.quantities(state.t, state.q, state.v, none_, quantities_);
  angles_.unwrap(state.t, quantities_);
  return quantities_[event.quantity] - event.level;
}

void EventFinder::read(const State& state, Point& out) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  out.t = state.t;
  if (switching_ != nullptr) {
    const bool needs = switching_->needs_reaction(mode_);
    if (needs && looker_->react(state, reaction_) != Status::ok) reaction_.lambda.setConstant(kUnknown);
    switching_->roots(state.t, state.q, state.v, needs ? reaction_ : none_, observer_.terms, out.r.head(roots_),
                      out.rate.head(roots_));
  }
  for (size_t i = 0; i < events_.size(); ++i) {
    out.r[roots_ + Eigen::Index(i)] = sides_[i] * value(events_[i], state);
    out.rate[roots_ + Eigen::Index(i)] = kUnknown;
  }
}

void EventFinder::sample(double t, Point& out) {
  integrator_->interpolate(t, y_);
  form_->unpack(t, y_, state_);
  read(state_, out);
}

// What nobody knows of the rates, by differences towards another time.
void EventFinder::fill_rates(Point& at, double towards) {
  bool all = true;
  for (int i = 0; i < count_; ++i) all &= std::isnan(at.r[i]) || !std::isnan(at.rate[i]);
  if (all) return;
  sample(at.t + kNear * (towards - at.t), near_);
  for (int i = 0; i < count_; ++i)
    if (std::isnan(at.rate[i])) at.rate[i] = (near_.r[i] - at.r[i]) / (near_.t - at.t);
}

// A little later, by the accelerations here.
void EventFinder::ahead(const State& state, double h, State& out) {
  const double by = std::max(kAhead * h, 1e3 * resolution(state.t, state.t));
  out = state;
  out.t = state.t + by;
  delta_ = by * state.v;
  if (looker_->react(state, reaction_) == Status::ok && reaction_.vdot.allFinite()) {
    delta_ += 0.5 * by * by * reaction_.vdot;
    out.v += by * reaction_.vdot;
  }
  system_.retract(out.q, delta_);
}

void EventFinder::start(const State& state, double h, const std::vector<size_t>& fired) {
  immediate_.clear();
  if (idle()) return;
  for (double& side : sides_) side = 1;
  read(state, start_);
  bool is_open = false;  // something stands at zero
  for (size_t i = 0; i < events_.size(); ++i) {
    double& r = start_.r[roots_ + Eigen::Index(i)];
    is_open |= r == 0;
    if (r < 0) sides_[i] = -1;
    r = std::abs(r);
  }
  for (int i = 0; i < roots_; ++i) is_open |= start_.r[i] <= 0;
  if (!is_open && fired.empty()) return;
  ahead(state, h, ahead_);
  read(ahead_, trial_);  // events with the sides they have now
  for (size_t i = 0; i < events_.size(); ++i) {
    const Eigen::Index k = roots_ + Eigen::Index(i);
    const bool just = std::find(fired.begin(), fired.end(), i) != fired.end();
    if ((start_.r[k] == 0 || just) && trial_.r[k] < 0) {
      sides_[i] = -sides_[i];
      start_.r[k] = -start_.r[k];
    }
  }
  for (int i = 0; i < roots_; ++i)
    if (start_.r[i] <= 0 && trial_.r[i] < 0 && trial_.r[i] < start_.r[i]) immediate_.push_back(i);
}

const EventFinder::Found* EventFinder::find(const Integrator& integrator, OdeForm& form, const State& end) {
  if (idle()) return nullptr;
  integrator_ = &integrator;
  form_ = &form;
  y_.resize(form.size());
  begin_ = start_;
  read(end, end_);
  fill_rates(begin_, end.t);
  fill_rates(end_, begin_.t);
  while (true) {
    sample(0.5 * (begin_.t + end_.t), middle_);
    std::optional<double> first;
    for (int i = 0; i < count_; ++i)
      if (const auto t = search(i, begin_, middle_, end_); t && (!first || *t < *first)) first = t;
    if (!first) {
      start_ = end_;
      return nullptr;
    }
    if (*first == end_.t)
      trial_ = end_;
    else if (*first == begin_.t)
      trial_ = begin_;
    else
      sample(*first, trial_);
    if (gather(begin_, trial_)) return &found_;
    begin_ = trial_;  // on the other side of what nobody wants
    if (!(begin_.t < end_.t)) {
      start_ = begin_;
      return nullptr;
    }
    fill_rates(begin_, end_.t);
  }
}

bool EventFinder::gather(const Point& before, Point& at) {
  found_.t = at.t;
  found_.roots.clear();
  found_.events.clear();
  const double together = kTogether * std::max(std::abs(at.t), at.t - before.t);
  bool is_wanted = false;
  for (int i = 0; i < count_; ++i) {
    if (std::isnan(at.r[i])) continue;
    const bool was_on = before.r[i] > 0 || middle_.r[i] > 0;
    const double rate = !std::isnan(at.rate[i])   ? at.rate[i]
                        : at.t > before.t ? (at.r[i] - before.r[i]) / (at.t - before.t)
                                          : 0;
    const bool falls_at_once = at.t == before.t && before.r[i] <= 0 && end_.r[i] < before.r[i];
    if (!falls_at_once && !(was_on && (at.r[i] <= 0 || at.r[i] + rate * together <= 0))) continue;
    if (i < roots_) {
      found_.roots.push_back(i);
      is_wanted = true;
      continue;
    }
    const auto k = size_t(i - roots_);
    const bool up = sides_[k] < 0;
    if (events_[k].direction == Direction::any || (events_[k].direction == Direction::up) == up) {
      found_.events.push_back(k);
      is_wanted = true;
    } else {
      sides_[k] = -sides_[k];
      for (Point* point : {&at, &end_}) {
        point->r[i] = -point->r[i];
        point->rate[i] = -point->rate[i];
      }
    }
  }
  return is_wanted;
}

std::optional<double> EventFinder::search(int i, const Point& a, const Point& m, const Point& b) {
  const double ra = a.r[i], rm = m.r[i], rb = b.r[i];
  if (std::isnan(ra) || std::isnan(rb)) return std::nullopt;
  if (!(ra > 0)) {
    if (!(rb < 0)) return std::nullopt;  // at rest, or on the way up
    if (rm > 0) return locate(i, m.t, rm, b.t, rb);
    return rb < ra ? std::optional(a.t) : std::nullopt;
  }
  if (rm < 0) return locate(i, a.t, ra, m.t, rm);
  const double h = b.t - a.t, da = h * a.rate[i], db = h * b.rate[i];
  const double off = rm - hermite(ra, da, rb, db, 0.5);  // (1)
  const double lowest = std::min(ra, std::max(rb, 0.0)) - 4.0 / 27 * (std::abs(da) + std::abs(db)) - 1.5 * std::abs(off);
  if (lowest <= 0) {
    double low = std::numeric_limits<double>::infinity(), at = 0;
    for (int k = 1; k < kLooks; ++k) {
      const double theta = double(k) / kLooks, s = theta * (1 - theta);
      const double P = hermite(ra, da, rb, db, theta) + 16 * off * s * s;
      if (P < low) {
        low = P;
        at = theta;
      }
    }
    if (low <= 0.5 * std::abs(off) && at < 1 - 1.5 / kLooks)
      if (const auto t = dive(i, a.t + at * h, a, b)) return t;
    if (low <= 0.5 * std::abs(off) && at >= 1 - 1.5 / kLooks && rb > 0)
      if (const auto t = dive(i, a.t + at * h, a, b)) return t;
  }
  if (rb < 0) return rm > 0 ? locate(i, m.t, rm, b.t, rb) : locate(i, a.t, ra, b.t, rb);
  return std::nullopt;
}

// Down to the minimum near t_low, between ends that are above: by parabolas, else by golden sections, until it is below zero.
std::optional<double> EventFinder::dive(int i, double t_low, const Point& a, const Point& b) {
  constexpr double kGolden = 0.381966;
  const double width = (b.t - a.t) / kLooks;
  double t0 = std::max(a.t, t_low - 2 * width), t2 = std::min(b.t, t_low + 2 * width), t1 = t_low;
  const auto at = [&](double t) {
    if (t <= a.t) return a.r[i];
    if (t >= b.t) return b.r[i];
    sample(t, near_);
    return near_.r[i];
  };
  double r1 = at(t1);
  if (r1 < 0) return locate(i, a.t, a.r[i], t1, r1);
  double r0 = at(t0), r2 = at(t2);
  if (r0 < 0) return locate(i, a.t, a.r[i], t0, r0);
  if (r2 < 0 && t2 < b.t) return locate(i, t1, r1, t2, r2);
  for (int k = 0; k < kDives; ++k) {
    if (r0 < r1 || r2 < r1) {  // the minimum is on one side
      const bool left = r0 <= r2;
      const double t = left ? std::max(a.t, t0 - 2 * (t1 - t0)) : std::min(b.t, t2 + 2 * (t2 - t1));
      if (t == (left ? t0 : t2)) return std::nullopt;  // at an end, which is above
      const double r = at(t);
      if (r < 0) return locate(i, a.t, a.r[i], t, r);
      if (left) {
        t2 = t1, r2 = r1, t1 = t0, r1 = r0, t0 = t, r0 = r;
      } else {
        t0 = t1, r0 = r1, t1 = t2, r1 = r2, t2 = t, r2 = r;
      }
      continue;
    }
    const double p = (r1 - r0) / (t1 - t0), q = (r2 - r1) / (t2 - t1), curve = (q - p) / (t2 - t0);
    double t = curve > 0 ? 0.5 * (t0 + t1 - p / curve) : t1;
    const double floor = curve > 0 ? r1 - curve * (t - t1) * (t - t1) : r1;
    if (curve > 0 && floor > 0.5 * r1 && k > 2) return std::nullopt;  // clear of zero
    if (!(t > t0 && t < t2) || std::abs(t - t1) < 1e-3 * (t2 - t0))
      t = t1 - t0 > t2 - t1 ? t1 - kGolden * (t1 - t0) : t1 + kGolden * (t2 - t1);
    if (t2 - t0 <= resolution(t0, t2)) return std::nullopt;
    const double r = at(t);
    if (r < 0) return locate(i, a.t, a.r[i], t, r);
    if (r < r1) {
      (t < t1 ? t2 : t0) = t1;
      (t < t1 ? r2 : r0) = r1;
      t1 = t;
      r1 = r;
    } else {
      (t < t1 ? t0 : t2) = t;
      (t < t1 ? r0 : r2) = r;
    }
  }
  return std::nullopt;
}

// ITP between r_a > 0 and r_b < 0; the end where it is not positive any more.
double EventFinder::locate(int i, double ta, double ra, double tb, double rb) {
  const double width = tb - ta, tolerance = 0.5 * resolution(ta, tb);
  const int bisections = static_cast<int>(std::ceil(std::log2(std::max(width / (2 * tolerance), 1.0)))) + 1;
  for (int k = 0; k < 2 * bisections + 10 && tb - ta > 2 * tolerance; ++k) {
    const double half = 0.5 * (ta + tb), secant = (ta * rb - tb * ra) / (rb - ra);
    const double r = tolerance * std::exp2(bisections - k) - 0.5 * (tb - ta);
    const double delta = 0.2 / width * (tb - ta) * (tb - ta), towards = half > secant ? 1 : -1;
    const double truncated = delta <= std::abs(half - secant) ? secant + towards * delta : half;
    double t = std::abs(truncated - half) <= r ? truncated : half - towards * std::max(r, 0.0);
    if (!(t > ta && t < tb)) t = half;
    if (!(t > ta && t < tb)) break;
    sample(t, near_);
    (near_.r[i] > 0 ? ta : tb) = t;
    (near_.r[i] > 0 ? ra : rb) = near_.r[i];
    if (rb == 0) break;
  }
  return tb;
}

}  // namespace driftless
