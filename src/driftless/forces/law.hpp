// Laws of forces that read signals (constraints/signal.hpp): an expression in t, in variables of the force itself (x, v of a spring) and in
// signals. On jets, by the exact partial derivatives of the expression:
//   δE = ∂E/∂t δt + Σ ∂E/∂xᵢ δxᵢ                                                                                          (1)
// Cases in it are switches of the force like those of laws without signals (forces/springs/spring_law.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "driftless/constraints/expansion.hpp"
#include "driftless/constraints/signal.hpp"
#include "driftless/forces/pieces.hpp"

namespace driftless {

inline constexpr size_t kMostSignals = 40;  // of one law, variables of the force included

template <int D>
class LawOf {
 public:
  explicit LawOf(TimeFunction f) : f_(std::move(f)) {}
  LawOf(const LawText<D>& law)
      : expression_(std::make_shared<const Expression>(law.text, law.names)),
        signals_(law.signals),
        own_(law.names.size() - 1 - law.signals.size()) {}

  // `own`: the variables of the force; `modes`: its own, null: as they come.
  template <class S>
  S value(const ViewOf<S, D>& view, const S* own, const int* modes) const {
    if (!expression_) return value_at(f_, view.t);
    std::array<S, kMostSignals> x;
    read(view, own, x.data());
    std::array<double, kMostSignals> at;
    const size_t n = count();
    for (size_t k = 0; k < n; ++k) at[k] = value_of(x[k]);
    const double t = value_of(view.t);
    S out = S(evaluated(t, {at.data(), n}, modes));
    if constexpr (!std::is_same_v<S, double>) {  // (1)
      if (!is_constant(view.t))
        out += (view.t - t) * expression_->partial(-1, t, {at.data(), n}, states(modes));
      for (size_t k = 0; k < n; ++k)
        if (!is_constant(x[k]))
          out += (x[k] - at[k]) * expression_->partial(static_cast<int>(k), t, {at.data(), n}, states(modes));
    }
    return out;
  }
  template <class Body, class Scalar>
  void slots(Body&& body, Scalar&& scalar) const {
    for (const auto& signal : signals_) signal->slots(body, scalar);
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    if (!expression_) return visit(f_);
    visit(*expression_);
    for (const auto& signal : signals_) signal->functions(visit);
  }

  int mode_count() const { return expression_ ? static_cast<int>(expression_->switch_count()) : 0; }
  void describe(const std::string& element, std::vector<Switch>& out) const {
    if (expression_)
      describe_switches(*expression_,
                        {element,
                         "law",
                         "",
                         {},
                         0,
                         "friction of a joint, a stop or a contact, which stick, or smooth(...)"},
                        out);
  }
  // `own` and `rates`: the variables of the force and how they grow.
  void begin_modes(const ViewOf<double, D>& view, const double* own, const double* rates, int* modes) const {
    std::array<double, kMostSignals> x, dx;
    read(view, own, x.data());
    read_rates(view, rates, dx.data());
    for (size_t k = 0; k < count(); ++k)
      if (std::isnan(dx[k])) dx[k] = 0;
    if (mode_count() > 0) expression_->begin_states(view.t, x.data(), dx.data(), modes);
  }
  void roots(const ViewOf<double, D>& view,
             const double* own,
             const double* rates,
             const int* modes,
             double* values,
             double* value_rates) const {
    if (mode_count() == 0) return;
    std::array<double, kMostSignals> x, dx;
    read(view, own, x.data());
    read_rates(view, rates, dx.data());
    expression_->roots(view.t, x.data(), dx.data(), modes, values, value_rates);
  }
  void cross(const ViewOf<double, D>& view, const double* own, int root, int* modes) const {
    std::array<double, kMostSignals> x;
    read(view, own, x.data());
    modes[root / 2] = expression_->state_behind(size_t(root), view.t, x.data(), modes);
  }

 private:
  size_t count() const { return own_ + signals_.size(); }
  const int* states(const int* modes) const { return mode_count() == 0 ? nullptr : modes; }
  double evaluated(double t, std::span<const double> x, const int* modes) const {
    return states(modes) == nullptr ? (*expression_)(t, x) : expression_->frozen(t, x, modes);
  }
  template <class S>
  void read(const ViewOf<S, D>& view, const S* own, S* x) const {
    for (size_t k = 0; k < own_; ++k) x[k] = own[k];
    for (size_t k = 0; k < signals_.size(); ++k) x[own_ + k] = signals_[k]->value(view);
  }
  void read_rates(const ViewOf<double, D>& view, const double* rates, double* dx) const {
    for (size_t k = 0; k < own_; ++k) dx[k] = rates[k];
    for (size_t k = 0; k < signals_.size(); ++k) dx[own_ + k] = signals_[k]->rate(view);
  }

  TimeFunction f_;                                // where nothing is read
  std::shared_ptr<const Expression> expression_;  // else
  std::vector<SignalPtr<D>> signals_;
  size_t own_ = 0;  // variables of the force, before the signals
};

// The laws of one force, their modes one after the other.
template <int D>
class LawList {
 public:
  void add(LawOf<D> law) {
    first_.push_back(count_);
    count_ += law.mode_count();
    laws_.push_back(std::move(law));
  }
  bool empty() const { return laws_.empty(); }
  size_t size() const { return laws_.size(); }

  template <class S>
  S value(size_t k, const ViewOf<S, D>& view, const S* own, const int* modes) const {
    return laws_[k].value(view, own, modes == nullptr ? nullptr : modes + first_[k]);
  }
  template <class S>
  S sum(const ViewOf<S, D>& view, const S* own, const int* modes) const {
    S out = S(0.0);
    for (size_t k = 0; k < laws_.size(); ++k) out += value(k, view, own, modes);
    return out;
  }
  template <class Body, class Scalar>
  void slots(Body&& body, Scalar&& scalar) const {
    for (const auto& law : laws_) law.slots(body, scalar);
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    for (const auto& law : laws_) law.functions(visit);
  }

  int mode_count() const { return count_; }
  void describe(const std::string& element, std::vector<Switch>& out) const {
    for (const auto& law : laws_) law.describe(element, out);
  }
  void begin_modes(const ViewOf<double, D>& view, const double* own, const double* rates, int* modes) const {
    for (size_t k = 0; k < laws_.size(); ++k) laws_[k].begin_modes(view, own, rates, modes + first_[k]);
  }
  void roots(const ViewOf<double, D>& view,
             const double* own,
             const double* rates,
             const int* modes,
             double* values,
             double* value_rates) const {
    for (size_t k = 0; k < laws_.size(); ++k)
      laws_[k].roots(view, own, rates, modes + first_[k], values + 2 * first_[k],
                     value_rates + 2 * first_[k]);
  }
  void cross(const ViewOf<double, D>& view, const double* own, int root, int* modes) const {
    for (size_t k = 0; k < laws_.size(); ++k)
      if (root >= 2 * first_[k] && root < 2 * (first_[k] + laws_[k].mode_count()))
        laws_[k].cross(view, own, root - 2 * first_[k], modes + first_[k]);
  }

 private:
  std::vector<LawOf<D>> laws_;
  std::vector<int> first_;  // mode of each
  int count_ = 0;
};

// What elements share whose functions of time may read signals: one law a component, or none where none of them does.
template <int D>
struct ReadsSignals {
  LawList<D> laws;
  int first = -1;

  template <class S, int N>
  VecOf<S, N> components_of(const ViewOf<S, D>& view) const {
    VecOf<S, N> out;
    for (int k = 0; k < N; ++k)
      out[k] = laws.value(size_t(k), view, static_cast<const S*>(nullptr), view.modes(first));
    return out;
  }

  int& first_mode() { return first; }
  int first_mode() const { return first; }
  int mode_count() const { return laws.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const { laws.describe(element, out); }
  void begin_modes(const ViewOf<double, D>& view, int* modes) const {
    laws.begin_modes(view, nullptr, nullptr, modes);
  }
  void roots(const ViewOf<double, D>& view, const int* modes, double* values, double* rates) const {
    laws.roots(view, nullptr, nullptr, modes, values, rates);
  }
  void cross(const ViewOf<double, D>& view, int root, int* modes) const {
    laws.cross(view, nullptr, root, modes);
  }
};

// Laws of functions some of which read signals; none if none does.
template <int D>
LawList<D> laws_of(std::span<const TimeFunction> functions, Expansion<D>& model) {
  LawList<D> out;
  if (std::all_of(functions.begin(), functions.end(),
                  [](const TimeFunction& f) { return f.signals().empty(); }))
    return out;
  for (const TimeFunction& f : functions)
    out.add(f.signals().empty() ? LawOf<D>(f) : LawOf<D>(model.signals->law(f.expression()->text(), {"t"})));
  return out;
}

}  // namespace driftless
