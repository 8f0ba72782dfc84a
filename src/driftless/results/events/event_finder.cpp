#include "driftless/results/events/event_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double kEnd = std::numeric_limits<double>::epsilon();
constexpr double kNear = 1e-3;          // of the step: differences for rates
constexpr double kAhead = 1e-4;         // of the last step: what comes next
constexpr double kTogether = 1e-13;     // of max(|t|, h): one event
constexpr double kNoise = 1e-9;         // of the largest value of a root
constexpr double kLengthNoise = 1e-12;  // of the characteristic length
constexpr double kTremble = 1e-14;  // of the characteristic length: a velocity that is zero a little later
constexpr double kJustBehind = 1.0 / 16;  // of a part of a step that begins on a root
constexpr int kMostHalvings = 60;
constexpr int kMostQuarters = 20;

double resolution(double a, double b) { return 4 * kEnd * std::max(std::abs(a), std::abs(b)); }

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
  for (Point* point : {&start_, &begin_, &end_, &near_, &trial_, &low_, &rise_})
    point->r = point->rate = Vec::Zero(count_);
  for (Point& point : inside_) point = start_;
  size_ = Vec::Zero(count_);
  passed_over_.assign(size_t(count_), 0);
  for (int i = 0; i < roots_; ++i) {
    const Switch& what = switching_->switches()[size_t(i) / 2];
    const bool watches = what.kind == "switch" && what.modes.front() == "below";  // time is exact
    noises_.push_back(watches ? Noise::signal : what.quiet ? Noise::length : Noise::none);
  }
  for (const Event& event : events_) noises_.push_back(event.noise);
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
    switching_->roots(state.t, state.q, state.v, needs ? reaction_ : none_, observer_.terms,
                      out.r.head(roots_), out.rate.head(roots_));
  }
  for (size_t i = 0; i < events_.size(); ++i) {
    out.r[roots_ + Eigen::Index(i)] = sides_[i] * value(events_[i], state);
    out.rate[roots_ + Eigen::Index(i)] = kUnknown;
  }
}

// What cannot be put on the constraints is read as it is.
void EventFinder::read_on_level(const State& state, Point& out) {
  if (!on_level_) return read(state, out);
  settled_ = state;
  read(settle_(settled_) == Status::ok ? settled_ : state, out);
}

void EventFinder::sample(double t, Point& out) {
  integrator_->interpolate(t, y_);
  form_->unpack(t, y_, state_);
  read_on_level(state_, out);
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
  if (mode_.values != of_mode_) {  // the root of a gap is that of a force now
    of_mode_ = mode_.values;
    for (int i = 0; i < roots_; ++i)
      if (noises_[size_t(i)] != Noise::signal) size_[i] = 0;
  }
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
  for (int i = 0; i < roots_; ++i) {
    // What is known to rise may have come down again by then: a short bounce.
    const bool rises = start_.rate[i] > 0;
    // Round-off says nothing of knots, which bend a force without a jump: steps find those that are passed.
    const Noise kind = noises_[size_t(i)];
    const double least = kind == Noise::signal   ? noise(i)
                         : kind == Noise::length ? round_off(i)
                                                 : kTremble * system_.layout().length;
    const bool falls = trial_.r[i] < -least && trial_.r[i] < start_.r[i] && !rises;
    // What has just passed its zero may stand before it by what putting the state on the constraints moved it: it goes on.
    const bool returns = trial_.r[i] > 0;
    if (start_.r[i] <= 0 && (falls || (-start_.r[i] > noise(i) && !returns))) immediate_.push_back(i);
  }
}

const EventFinder::Found* EventFinder::find(const Integrator& integrator, OdeForm& form, const State& end) {
  if (idle()) return nullptr;
  integrator_ = &integrator;
  form_ = &form;
  y_.resize(form.size());
  begin_ = start_;
  on_level_ = is_on_level();
  read_on_level(end, end_);
  fill_rates(begin_, end.t);
  fill_rates(end_, begin_.t);
  for (int i = 0; i < count_; ++i)
    if (std::abs(end_.r[i]) > size_[i]) size_[i] = std::abs(end_.r[i]);
  while (true) {
    if (is_clear()) return pass(end_);
    parts_ = 2;
    sample(0.5 * (begin_.t + end_.t), inside_[0]);
    fill_rates(inside_[0], end_.t);
    if (is_wavy()) {
      parts_ = kParts;
      for (size_t k = 0; k + 1 < kParts; ++k) {
        sample(begin_.t + double(k + 1) / kParts * (end_.t - begin_.t), inside_[k]);
        fill_rates(inside_[k], end_.t);
      }
    }
    std::optional<double> first;
    int whose = -1;
    for (int i = 0; i < count_; ++i)
      if (const auto t = search(i); t && (!first || *t < *first)) {
        first = t;
        whose = i;
      }
    if (!first) return pass(end_);
    if (*first == end_.t)
      trial_ = end_;
    else if (*first == begin_.t)
      trial_ = begin_;
    else
      sample(*first, trial_);
    if (gather(begin_, trial_, whose)) return &found_;
    begin_ = trial_;  // on the other side of what nobody wants
    if (!(begin_.t < end_.t)) return pass(begin_);
    on_level_ = is_on_level();
    fill_rates(begin_, end_.t);
  }
}

const EventFinder::Found* EventFinder::pass(const Point& end) {
  start_ = end;
  std::fill(passed_over_.begin(), passed_over_.end(), 0);
  return nullptr;
}

void EventFinder::pass_over(const std::vector<int>& fired) {
  for (const int root : fired) passed_over_[size_t(root)] = 1;
}

bool EventFinder::is_on_level() const {
  for (int i = 0; i < count_; ++i)
    if (noises_[size_t(i)] == Noise::signal && std::abs(begin_.r[i]) <= noise(i)) return true;
  return false;
}

bool EventFinder::is_clear() const {
  const double h = end_.t - begin_.t;
  for (int i = 0; i < count_; ++i) {
    if (std::isnan(begin_.r[i]) && std::isnan(end_.r[i])) continue;
    const double reach = h * (std::abs(begin_.rate[i]) + std::abs(end_.rate[i]));
    if (!(begin_.r[i] > reach && end_.r[i] > reach)) return false;
  }
  return true;
}

double EventFinder::round_off(int i) const {
  return kNoise * size_[i] + kLengthNoise * system_.layout().length;
}

double EventFinder::resolved(int i) const { return tolerance_ * (size_[i] + system_.layout().length); }

double EventFinder::noise(int i) const {
  if (passed_over_[size_t(i)]) return std::max(round_off(i), resolved(i));
  switch (noises_[size_t(i)]) {
    case Noise::signal:
      return round_off(i) + tolerance_ * size_[i];
    case Noise::length:
      return round_off(i) + atol_ * system_.layout().length;
    case Noise::none:
      break;
  }
  return round_off(i);
}

bool EventFinder::is_wavy() const {
  const double h = end_.t - begin_.t;
  for (int i = 0; i < count_; ++i) {
    const double r0 = begin_.r[i], rm = inside_[0].r[i], r1 = end_.r[i];
    const bool rises = std::abs(r0) <= noise(i);  // from zero
    if (!((r0 > 0 || rises) && rm > 0 && r1 > 0)) continue;
    const double H = 0.5 * (r0 + r1) + h / 8 * (begin_.rate[i] - end_.rate[i]);
    if (std::abs(rm - H) > 0.25 * (rises ? std::min(rm, r1) : std::min({r0, rm, r1}))) return true;  // (1)
  }
  return false;
}

bool EventFinder::gather(const Point& before, Point& at, int whose) {
  found_.t = at.t;
  found_.roots.clear();
  found_.events.clear();
  const double together = kTogether * std::max(std::abs(at.t), at.t - before.t);
  bool is_wanted = false;
  for (int i = 0; i < count_; ++i) {
    if (std::isnan(at.r[i])) continue;
    const double least = noises_[size_t(i)] == Noise::signal ? noise(i) : 0;
    bool was_on = before.r[i] > least, rose = false;
    for (size_t k = 0; k + 1 < parts_; ++k) {
      rose |= inside_[k].r[i] > least;
      was_on |= inside_[k].r[i] > least && inside_[k].t <= at.t;
    }
    const double rate = !std::isnan(at.rate[i]) ? at.rate[i]
                        : at.t > before.t       ? (at.r[i] - before.r[i]) / (at.t - before.t)
                                                : 0;
    const bool falls_at_once = (at.t == before.t || at.t == end_.t) && before.r[i] <= 0 && !rose &&
                               end_.r[i] < -least && end_.r[i] < before.r[i];
    if (i != whose && !falls_at_once && !(was_on && (at.r[i] <= 0 || at.r[i] + rate * together <= 0)))
      continue;
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

std::optional<double> EventFinder::search(int i) {
  const double ra = begin_.r[i];
  if (std::isnan(ra) || std::isnan(end_.r[i])) return std::nullopt;
  const Point* last = &begin_;
  bool was_on = ra > 0;
  // What ends below zero, and was not above, has fallen; what is above in between was below only if the tolerance resolves it.
  bool falls = end_.r[i] < 0 && end_.r[i] < ra;
  for (size_t k = 0; k + 1 < parts_; ++k) falls &= !(inside_[k].r[i] > 0);
  const double least = std::max(noise(i), resolved(i));
  const double deep = falls ? noise(i) : least;
  for (size_t k = 0; k < parts_; ++k) {
    const Point& next = k + 1 < parts_ ? inside_[k] : end_;
    if (last->r[i] > 0) {
      if (const auto t = between(i, *last, next)) return t;
    } else if (!was_on && next.r[i] < ra && -next.r[i] > deep) {
      return down(i, next);
    } else if (!was_on && next.r[i] > 0) {  // up, and down and up again before this?
      sample(begin_.t + kJustBehind * (next.t - begin_.t), rise_);
      if (rise_.r[i] < ra && -rise_.r[i] > deep) return down(i, rise_);
      if (rise_.r[i] > least) {
        fill_rates(rise_, next.t);
        if (const auto t = between(i, rise_, next)) return t;
      }
    }
    was_on |= next.r[i] > 0;
    if (next.r[i] != 0 || k + 1 == parts_)
      last = &next;  // exactly on the root by chance: it lies between its neighbours
  }
  return std::nullopt;  // at rest, or on the way up, or as good as zero
}

// From zero where the step begins to below it at `late`: up and down again at once, or down from there.
double EventFinder::down(int i, const Point& late) {
  double t_late = late.t, r_late = late.r[i];
  for (int k = 0; k < kMostQuarters; ++k) {
    sample(begin_.t + 0.25 * (t_late - begin_.t), low_);
    if (low_.r[i] > 0) return locate(i, low_.t, low_.r[i], t_late, r_late);
    t_late = low_.t;
    r_late = low_.r[i];
  }
  return begin_.t;
}

std::optional<double> EventFinder::between(int i, const Point& a, const Point& b) {
  const auto is_noise = [&](double from, double to) { return from <= noise(i) && to >= -noise(i); };
  if (b.r[i] < 0 && is_noise(a.r[i], b.r[i])) return std::nullopt;
  if (b.r[i] < 0) return locate(i, a.t, a.r[i], b.t, b.r[i]);  // (2)
  if (!(b.r[i] > 0 && a.rate[i] <= 0 && b.rate[i] > 0)) return std::nullopt;
  double ta = a.t, ra = a.r[i], da = a.rate[i], tb = b.t, rb = b.r[i], db = b.rate[i];
  for (int k = 0; k < kMostHalvings && tb - ta > resolution(ta, tb); ++k) {  // (3)
    if (ra + rb > (tb - ta) * std::max(-da, db)) return std::nullopt;
    sample(0.5 * (ta + tb), low_);
    if (low_.r[i] < 0 && is_noise(a.r[i], low_.r[i])) return std::nullopt;
    if (low_.r[i] < 0) return locate(i, ta, ra, low_.t, low_.r[i]);
    fill_rates(low_, tb);
    const bool falls = low_.rate[i] <= 0;
    (falls ? ta : tb) = low_.t;
    (falls ? ra : rb) = low_.r[i];
    (falls ? da : db) = low_.rate[i];
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
