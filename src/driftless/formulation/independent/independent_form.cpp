#include "driftless/formulation/independent/independent_form.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/independent/independent_directions.hpp"
#include "driftless/system/kernels/null_space_solver.hpp"
#include "driftless/system/kernels/penalty_solver.hpp"

namespace driftless {
namespace {

constexpr int kMaxIterations = 10;  // of (1)
constexpr double kLongest =
    1;  // correction of (1), in units of the coordinates: beyond may lie another branch
constexpr double kGrowth = 1.5;      // (4)
constexpr double kCondition = 1.25;  // (5)
constexpr double kWeak = 0.03;       // of the best σ(J_u)
constexpr double kNear = 0.15;       // of the same, for a fresh choice where it is about to become weak
constexpr double kEnough = 0.01;     // the same, of a run that began in a singular position
constexpr double kRate = 10;         // Ω of (6), 1/s
constexpr double kLost = 100;  // tolerances of the hybrid beyond which damping does not hold the constraints

// Columns of the user's names: of velocities, or of positions where these have velocities of their own.
std::vector<int> columns_of(const Layout& layout, const IndependentSettings& settings) {
  std::vector<int> columns;
  const auto find = [](const std::vector<std::string>& list, const std::string& name) {
    const auto found = std::find(list.begin(), list.end(), name);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  for (const auto& name : settings.names) {
    int column = find(layout.v_names, name);
    if (column < 0 && layout.nq == layout.nv) column = find(layout.q_names, name);
    if (column < 0)
      throw InputError(
          settings.formulation,
          Complaint{"`option independent`", "names of velocities: " + quoted_list(layout.v_names),
                    fmt::format("'{}'", name),
                    closest_name(name, layout.v_names).empty()
                        ? ""
                        : fmt::format("did you mean '{}'?", closest_name(name, layout.v_names))});
    columns.push_back(column);
  }
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace

OptionSpec monitor_option() {
  return {
      .name = "monitor",
      .kind = OptionKind::choice,
      .default_value = "growth",
      .choices = {"growth", "condition"},
      .help = "what asks for another choice: growth of R by half, or cond(J_u) by a quarter (known to fail)"};
}

OptionSpec choice_option() {
  return {.name = "choice",
          .kind = OptionKind::choice,
          .default_value = "pivot",
          .choices = {"pivot", "qr", "svd"},
          .help =
              "how independent coordinates are chosen: full pivoting, QR with pivoting, or the null space by "
              "SVD"};
}

OptionSpec independent_option() {
  return {
      .name = "independent",
      .kind = OptionKind::names,
      .help = "the independent velocities to begin with, one for each degree of freedom; default: chosen"};
}

IndependentBasis::Rule choice_rule(const Options& options) {
  const std::string& choice = options.choice("choice");
  return choice == "qr"    ? IndependentBasis::Rule::qr
         : choice == "svd" ? IndependentBasis::Rule::svd
                           : IndependentBasis::Rule::pivot;
}

IndependentForm::IndependentForm(const DescriptorSystem& system, IndependentSettings settings, int extra)
    : StateForm(
          system, [&system] { return make_null_space_motion_solver(system.layout()); }, extra),
      settings_(std::move(settings)),
      basis_(system.layout(), settings_.rule),
      q_(nq_),
      v_(nv_),
      place_(system),
      goal_(1e-13 * system.layout().length),
      acceptable_(1e-10 * system.layout().length),
      refuge_(make_penalty_motion_solver(system.layout(), PenaltySettings{})),
      projection_(make_projection(system, make_penalty_motion_solver(system.layout(), PenaltySettings{}))),
      anchor_(nq_),
      delta_(nv_),
      offset_(nv_),
      rows_(Vec::Zero(m_)),
      c_(m_),
      z_(nv_) {
  before_.reserve(size_t(nv_));
  columns_of(system.layout(), settings_);  // complains early
}

IndependentForm::~IndependentForm() = default;

// ---- the choice -------------------------------------------------------------------------------------------------------

void IndependentForm::drop_rows(std::span<const int> rows) {
  StateForm::drop_rows(rows);
  basis_.drop_rows(rows);
  projection_->drop_rows(rows);
  stands_ = has_factors_ = false;
}

void IndependentForm::choose_first(double t, ConstVec q) {
  system_.position(t, q, terms_);
  stands_ = has_factors_ = false;
  for (int i = 0; i < nv_; ++i) delta_[i] = 1 + std::sin(i);
  system_.kinematics(t, q, delta_, q_);
  plain_ = nq_ == nv_ && q_ == delta_;
  const std::vector<int> columns = columns_of(system_.layout(), settings_);
  if (columns.empty()) {
    handed_over_ = !choose_anew();
    if (handed_over_) ++hand_overs_;
  } else {
    const int freedom = basis_.freedom();
    const auto complain = [&](const std::string& expected, const std::string& found,
                              const std::string& hint) {
      throw InputError(settings_.formulation, Complaint{"`option independent`", expected, found, hint});
    };
    if (static_cast<int>(columns.size()) != freedom ||
        std::adjacent_find(columns.begin(), columns.end()) != columns.end())
      complain(fmt::format("{} different name{}, one for each degree of freedom, out of {}", freedom,
                           freedom == 1 ? "" : "s", quoted_list(system_.layout().v_names)),
               fmt::format("{}", fmt::join(settings_.names, ",")), "");
    basis_.take(columns);
    if (space_.factor(basis_, terms_.J) != Status::ok || space_.smallest_pivot() < 1e-8) {
      const std::string names = fmt::format("{}", fmt::join(settings_.names, ","));
      IndependentBasis other(system_.layout(), settings_.rule);
      other.drop_rows(basis_.dropped());
      std::string hint = "leave the option out";
      if (other.choose(terms_.J)) {
        std::vector<std::string> good;
        for (const int column : other.independent()) good.push_back(system_.layout().v_names[size_t(column)]);
        hint = fmt::format("try {}", fmt::join(good, ","));
      }
      complain("velocities that determine all others at the start", names, hint);
    }
    note_choice();
  }
  renew_scale();
}

bool IndependentForm::choose_anew() {
  if (space_.choose(basis_, terms_.J) != Status::ok) return false;
  note_choice();
  return true;
}

void IndependentForm::note_choice() {
  if (statistics != nullptr) ++statistics->partitions;
  has_factors_ = true;
  for (int k = 0; k < 4; ++k) last_sigma_ = space_.sigma();  // the iteration starts afresh
  best_sigma_ = std::max(best_sigma_, last_sigma_);
  reference_ = settings_.by_condition ? space_.condition() : space_.growth();
}

void IndependentForm::renew_scale() {
  const Layout& layout = system_.layout();
  scale_.head(nq_) = layout.q_scale;
  scale_.segment(nq_, nv_) = layout.v_scale;
  if (handed_over_ || !basis_.boolean() || settings_.positions == Positions::damped) return;
  if (basis_.freedom() == 0) return;  // all driven: the steps still have to follow the drivers
  for (const int column : basis_.dependent()) {
    scale_[nq_ + column] = 0;
    if (plain_ && settings_.positions == Positions::solved) scale_[column] = 0;
  }
}

// ---- positions and velocities -----------------------------------------------------------------------------------------

Status IndependentForm::factor_space() {
  if (statistics != nullptr) ++statistics->factorizations;
  const Status status = space_.factor(basis_, terms_.J);
  has_factors_ = status == Status::ok;
  return status == Status::singular ? Status::not_converged : status;  // a shorter step may do
}

Status IndependentForm::stand_at(double t, ConstVec q) {
  if (stands_ && t == at_ && q == q_) return Status::ok;
  stands_ = false;
  q_ = q;
  system_.position(t, q_, terms_);
  if (const Status status = factor_space(); status != Status::ok) return status;
  at_ = t;
  stands_ = true;
  return Status::ok;
}

double IndependentForm::position_error() const {
  double error = 0;
  for (const int row : basis_.kept())
    if (row < mh_) error = std::max(error, std::abs(terms_.g[row]));
  return std::isfinite(terms_.g.sum()) ? error : std::numeric_limits<double>::infinity();
}

double IndependentForm::drift() {
  velocity_residual(terms_, v_, c_);
  return std::max(position_error(), max_abs(c_));
}

void IndependentForm::position_step() {
  rows_.head(mh_) = -terms_.g;  // nonholonomic rows: increments stay zero
  space_.S(rows_, delta_);
  if (nq_ != nv_) {
    system_.difference(q_, anchor_, offset_);
    auto z = z_.head(basis_.freedom());
    space_.B(offset_, z);
    delta_.noalias() += space_.R() * z;
  }
  system_.retract(q_, delta_);
}

Status IndependentForm::place(double t, ConstVec q_y) {
  if (stands_ && t == at_ && q_y == q_) return Status::ok;
  stands_ = false;
  q_ = q_y;
  system_.normalize(q_);
  anchor_ = q_;
  double before = std::numeric_limits<double>::infinity();
  const bool is_settled = std::exchange(resumes_, false);  // to the last bit what the run that went on has
  for (int k = 0;; ++k) {
    system_.position(t, q_, terms_);
    if (is_settled && position_error() <= acceptable_) break;
    if (statistics != nullptr) ++statistics->newton_iterations;
    const double error = position_error();
    if (!std::isfinite(error)) return Status::not_finite;
    if (error <= goal_) break;
    if (error > before / 2 && (error <= acceptable_ || place_.explains(error, t, q_))) break;  // round-off
    if (k == kMaxIterations) return Status::not_converged;
    if (!has_factors_ || error > before / 10)
      if (const Status status = factor_space(); status != Status::ok) return status;
    before = error;
    position_step();
    if (!(delta_.cwiseQuotient(basis_.scale()).lpNorm<Eigen::Infinity>() < kLongest))
      return Status::not_converged;
  }
  if (const Status status = factor_space(); status != Status::ok) return status;
  at_ = t;
  stands_ = true;
  return Status::ok;
}

void IndependentForm::settle_velocities() {
  velocity_residual(terms_, v_, c_);
  space_.S(c_, delta_);
  v_ -= delta_;
}

Status IndependentForm::finish_terms(double t) {
  system_.mass(t, q_, terms_);
  system_.bias(t, q_, v_, terms_);
  system_.force(t, q_, v_, terms_);
  return space_.factor_mass(terms_.M);
}

// ---- the way of a step ------------------------------------------------------------------------------------------------

void IndependentForm::pack(const State& state, double work, VecRef y) {
  StateForm::pack(state, work, y);
  if (!basis_.chosen() && !handed_over_) choose_first(state.t, state.q);
}

Status IndependentForm::derivative(double t, ConstVec y, VecRef ydot) {
  if (!basis_.chosen() && !handed_over_) choose_first(t, q_of(y));
  if (handed_over_) return refuge_derivative(t, y, ydot);
  const Status placed =
      settings_.positions == Positions::solved ? place(t, q_of(y)) : stand_at(t, q_of(y));  // (1)
  if (placed != Status::ok) return placed;
  v_ = x_of(y);
  if (settings_.positions != Positions::damped) settle_velocities();  // (2)
  if (const Status status = finish_terms(t); status != Status::ok) return status;
  if (settings_.positions == Positions::damped && is_damping_)
    damped_rows();
  else
    c_ = terms_.gamma;
  space_.solve(terms_.M, terms_.f, c_, x_of(ydot), lambda_);  // (3)
  system_.kinematics(t, q_, v_, q_of(ydot));
  power(t, q_, v_, lambda_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

void IndependentForm::damped_rows() {
  velocity_residual(terms_, v_, c_);
  const auto mn = m_ - mh_;
  c_.tail(mn) = terms_.gamma.tail(mn) - kRate * c_.tail(mn);
  c_.head(mh_) = terms_.gamma.head(mh_) - 2 * kRate * c_.head(mh_) - kRate * kRate * terms_.g;
}

Status IndependentForm::refuge_derivative(double t, ConstVec y, VecRef ydot) {
  stands_ = false;
  v_ = x_of(y);
  system_.evaluate(t, q_of(y), v_, terms_);
  damped_rows();
  if (statistics != nullptr) ++statistics->factorizations;
  if (const Status status = refuge_->factor(terms_); status != Status::ok) return status;
  if (const Status status = refuge_->solve(terms_.f, c_, x_of(ydot), lambda_); status != Status::ok)  // (6)
    return status;
  system_.kinematics(t, q_of(y), v_, q_of(ydot));
  power(t, q_of(y), v_, lambda_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

Status IndependentForm::settle(double t, VecRef y) {
  if (handed_over_) {
    projection_->statistics = statistics;
    return projection_->settle(t, q_of(y), x_of(y));
  }
  if (settings_.positions == Positions::solved) {
    if (const Status status = place(t, q_of(y)); status != Status::ok) return status;
  } else {
    system_.normalize(q_of(y));
    if (const Status status = stand_at(t, q_of(y)); status != Status::ok) return status;
    v_ = x_of(y);
    if (settings_.positions == Positions::damped) {
      const bool is_lost = drift() > kLost * settings_.tolerance * system_.layout().length;
      const bool worn = space_.growth() > 0.5 * (1 + kGrowth) * reference_ && !settings_.by_condition;
      if (!is_lost && !worn) return StateForm::settle(t, y);
      stands_ = false;  // not on the constraints yet
      if (const Status status = place(t, q_of(y)); status != Status::ok) return status;
    } else if (settings_.positions == Positions::corrected) {
      anchor_ = q_;
      position_step();  // one step of (1)
      stands_ = false;
      anchor_ = q_;
      if (const Status status = stand_at(t, anchor_); status != Status::ok) return status;
    }
  }
  v_ = x_of(y);
  settle_velocities();
  q_of(y) = q_;
  x_of(y) = v_;
  return StateForm::settle(t, y);
}

// ---- the watch --------------------------------------------------------------------------------------------------------

Status IndependentForm::read_velocities(double, ConstVec y) {
  v_ = x_of(y);
  return Status::ok;
}

void IndependentForm::write_velocities(VecRef y) { x_of(y) = v_; }

bool IndependentForm::is_weak(double sigma) const {
  return std::min(sigma, sigma + 2 * (sigma - last_sigma_)) < kWeak * best_sigma_;
}

Status IndependentForm::after_step(double t, VecRef y, StepChange& change) {
  change = StepChange::same;
  if (basis_.rows() == 0) return Status::ok;
  return handed_over_ ? try_to_return(t, y, change) : watch(t, y, change);
}

Status IndependentForm::watch(double t, VecRef y, StepChange& change) {
  if (const Status status = stand_at(t, q_of(y)); status != Status::ok) return status;
  space_.note_lengths();
  const double sigma = space_.sigma();
  const bool weak = !settings_.by_condition && is_weak(sigma);
  const bool worn = settings_.by_condition ? space_.condition() > kCondition * reference_  // (5)
                                           : space_.growth() > kGrowth * reference_;       // (4)
  last_sigma_ = sigma;
  best_sigma_ = std::max(best_sigma_, sigma);
  if (settings_.positions == Positions::damped) {
    v_ = x_of(y);
    const bool was_damping = is_damping_;
    is_damping_ = drift() > settings_.tolerance * system_.layout().length;
    if (is_damping_ != was_damping) change = StepChange::moved;  // F is another
  }
  if (!weak && !worn) return Status::ok;
  if (const Status status = read_velocities(t, y); status != Status::ok) return status;
  before_ = basis_.independent();
  const bool good = choose_anew() && !(weak && last_sigma_ < std::min(2 * sigma, kNear * best_sigma_));
  if (!good) {
    handed_over_ = true;
    ++hand_overs_;
  } else if (basis_.boolean() && basis_.independent() == before_) {
    return Status::ok;  // still the best, or F alone changed: the watch goes on from here
  } else {
    ++switches_;
  }
  stands_ = good;
  write_velocities(y);
  renew_scale();
  change = StepChange::redefined;
  return Status::ok;
}

Status IndependentForm::try_to_return(double t, VecRef y, StepChange& change) {
  q_ = q_of(y);
  system_.position(t, q_, terms_);
  const double before = last_sigma_, best_before = best_sigma_;
  if (!choose_anew()) {
    last_sigma_ = 0;
    return Status::ok;
  }
  const double enough = best_before > 0 ? 2 * kWeak * best_before : kEnough;
  space_.note_lengths();
  if (last_sigma_ < enough || last_sigma_ < before) return Status::ok;
  if (const Status status = read_velocities(t, y); status != Status::ok) return status;
  handed_over_ = false;
  stands_ = true;
  at_ = t;
  ++returns_;
  write_velocities(y);
  renew_scale();
  change = StepChange::redefined;
  return Status::ok;
}

// The choice, and what the watch compares with. Bases of the null space are not kept.
void IndependentForm::keep(Memory& memory) {
  if (!basis_.boolean()) return memory.refuse();
  for (auto* keeper :
       {dynamic_cast<KeepsMemory*>(refuge_.get()), dynamic_cast<KeepsMemory*>(projection_.get()),
        dynamic_cast<KeepsMemory*>(stabilization)})
    if (keeper != nullptr) keeper->keep(memory);
  std::vector<int> columns = basis_.independent();
  bool chosen = basis_.chosen();
  memory(handed_over_);
  memory(is_damping_);
  memory(chosen);
  for (double* x : {&reference_, &best_sigma_, &last_sigma_}) memory(*x);
  memory(scale_);
  keep_directions(memory);
  if (!chosen) return;
  std::vector<int> dropped = basis_.dropped();  // chosen along with the columns
  const size_t count = dropped.size();
  memory.list(columns, nv_ - 1);
  memory.list(dropped, m_ - 1);
  const auto ascend = [](const std::vector<int>& list) {
    return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
  };
  if (memory.reads()) {
    if (static_cast<int>(columns.size()) != basis_.freedom() || dropped.size() != count || !ascend(columns) ||
        !ascend(dropped))
      memory.refuse();
    if (!memory.is_good()) return;
    if (count > 0) IndependentForm::drop_rows(dropped);
    basis_.take(columns);
    stands_ = has_factors_ = false;
    resumes_ = true;
  }
  space_.keep(memory, basis_, terms_.J);
}

std::string IndependentForm::remark() const {
  const auto count = [](int n, const char* what, const char* plural) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : plural);
  };
  std::vector<std::string> parts;
  if (switches_ > 0) parts.push_back(count(switches_, "switch", "es"));
  if (hand_overs_ > 0)
    parts.push_back(fmt::format("handed over to augmented-lagrangian at singular positions {}, back {}",
                                count(hand_overs_, "time", "s"), count(returns_, "time", "s")));
  if (parts.empty()) return {};
  if (handed_over_) {
    parts.push_back("at the end: augmented-lagrangian");
  } else if (basis_.boolean()) {
    constexpr size_t kMost = 12;  // names
    const auto& names = plain_ ? system_.layout().q_names : system_.layout().v_names;
    std::vector<std::string> chosen;
    for (const int column : basis_.independent())
      if (chosen.size() < kMost) chosen.push_back(names[size_t(column)]);
    parts.push_back(fmt::format("independent at the end: {}{}", fmt::join(chosen, ", "),
                                basis_.independent().size() > kMost ? " ..." : ""));
  }
  return fmt::format("{}: {}", settings_.formulation, fmt::join(parts, "; "));
}

}  // namespace driftless
