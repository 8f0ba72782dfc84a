// auto: dopri5 where the equations are not stiff, radau-iia5 where they are, changing over as they change.
//                                                            Hairer & Wanner IV.2; Petzold 1983; Shampine 1991
//   to radau-iia5  when h ρ > 3 in 15 steps of dopri5, not interrupted by 6 others; ρ = |k₇ − k₆|/|Y₇ − Y₆|: stability,
//                  not accuracy, limits the steps (explicit_rk.cpp)                                                    (1)
//   back           when h ρ < 3 in 15 steps of radau-iia5 in a row: dopri5 could take steps as long. Here ρ comes from one
//                  iteration of the power method on ∂F/∂y a look, in scales of y:
//                  u ← (F(t, y + εu) − F(t, y))/ε,   ρ = |u|,   u ← u/ρ                                                (2)
// While stiff, every fifth step is looked at, two evaluations each. The newcomer begins with the step size of the other. What was
// chosen and when is said at the end of a run. Where nothing is stiff it is dopri5, to the last digit. With --step: dopri5.
// On residual forms auto stands for the default integrator of the formulation. No options.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrator/explicit/explicit_rk.hpp"
#include "driftless/integrator/resumable.hpp"

namespace driftless {

extern const IntegratorRecord radau_iia5_integrator;

namespace {

constexpr int kLooks = 15;  // of (2)
constexpr int kEvery = 5;
constexpr size_t kTold = 8;  // changes that are told one by one

class Auto final : public Integrator, public Resumable {
 public:
  Auto(OdeForm& form, Statistics& statistics, const StepControl& control)
      : form_(form),
        statistics_(statistics),
        changes_over_(control.step == 0),
        explicit_(make_explicit_rk(kDopri5, form, statistics, control, changes_over_ ? &watch_ : nullptr)),
        implicit_(make_implicit(form, statistics, control)),
        active_(explicit_.get()),
        direction_(form.size()),
        direction_before_(form.size()),
        moved_(form.size()),
        F_(form.size()),
        F_moved_(form.size()) {
    for (Eigen::Index i = 0; i < direction_.size(); ++i)
      direction_[i] = i % 2 == 0 ? 1 : -0.5;  // any will do
    direction_.normalize();
  }

  Status start(double t, ConstVec y, double horizon) override {
    active_ = explicit_.get();
    return active_->start(t, y, horizon);
  }
  Status restart(double t, ConstVec y) override {
    is_due_ = false;  // what was seen was before the discontinuity
    calm_ = unseen_ = 0;
    return active_->restart(t, y);
  }
  Status resume(const Checkpoint& from) override {
    const Eigen::Index own = 4 + direction_.size();
    const bool fits = from.memory.size() > own;
    Memory memory(from.memory.head(fits ? own : 0));
    keep(memory);
    Checkpoint inner = from;
    inner.memory = from.memory.tail(fits ? from.memory.size() - own : 0);
    const Status status = active_->resume(inner);
    exact_ = fits && memory.is_read() && dynamic_cast<Resumable*>(active_)->went_on_exactly();
    return status;
  }
  Status advance(double t_limit) override {
    if (is_due_)
      if (const Status status = change_over(); status != Status::ok) return status;
    calm_before_ = calm_;
    unseen_before_ = unseen_;
    direction_before_ = direction_;
    if (const Status status = active_->advance(t_limit); status != Status::ok) return status;
    if (!changes_over_) return Status::ok;
    if (!is_implicit()) {
      is_due_ = watch_.is_stiff;  // (1)
      return Status::ok;
    }
    return active_->t() < t_limit ? look() : Status::ok;  // the last step was not its own
  }

  double t() const override { return active_->t(); }
  double t_before() const override { return active_->t_before(); }
  const Vec& y() const override { return active_->y(); }
  void interpolate(double t, VecRef y) const override { active_->interpolate(t, y); }
  Checkpoint checkpoint() const override {
    Checkpoint out = active_->checkpoint();
    if (out.memory.size() == 0) return out;
    const bool is_now = out.t == active_->t();
    Vec own(4 + direction_.size());
    own << (is_implicit() ? 1 : 0), (is_now && is_due_ ? 1 : 0), (is_now ? calm_ : calm_before_),
        (is_now ? unseen_ : unseen_before_), (is_now ? direction_ : direction_before_);
    Vec all(own.size() + out.memory.size());
    all << own, out.memory;
    out.memory = all;
    return out;
  }
  int worst_component() const override { return active_->worst_component(); }

  std::string warning() const override {
    const std::string text = explicit_->warning();
    return text.empty() ? implicit_->warning() : text;
  }
  std::string remark() const override {
    if (!changes_over_) return "auto is dopri5 where the step is given";
    if (count_ == 0)
      return is_implicit() ? "auto stayed with radau-iia5" : "auto took dopri5: nothing was stiff";
    std::string text = "auto took ";
    const bool began_implicit = (count_ % 2 == 0) == is_implicit();
    for (size_t i = 0; i < std::min(count_, kTold); ++i)
      text += fmt::format("{} to t = {:.6g}, then ", (i % 2 == 0) == began_implicit ? "radau-iia5" : "dopri5",
                          times_[i]);
    if (count_ > kTold) text += fmt::format("{} changes more, and ", count_ - kTold);
    return text + (is_implicit() ? "radau-iia5" : "dopri5");
  }

 private:
  static std::unique_ptr<Integrator> make_implicit(OdeForm& form,
                                                   Statistics& statistics,
                                                   const StepControl& control) {
    const auto& method = radau_iia5_integrator.method;
    return radau_iia5_integrator.make(form, statistics, control,
                                      Options("integrator " + method.name, method.options, {}));
  }
  void keep(Memory& memory) override {  // read only: see checkpoint()
    bool implicit = false;
    memory(implicit);
    memory(is_due_);
    memory(calm_, 0, kLooks);
    memory(unseen_, 0, kEvery);
    memory(direction_);
    active_ = implicit ? implicit_.get() : explicit_.get();
  }
  bool is_implicit() const { return active_ == implicit_.get(); }

  Status change_over() {
    Checkpoint from;
    from.t = active_->t();
    from.y = active_->y();
    from.h = active_->t() - active_->t_before();
    active_ = is_implicit() ? explicit_.get() : implicit_.get();
    if (count_ < kTold) times_[count_] = from.t;
    ++count_;
    is_due_ = false;
    calm_ = unseen_ = 0;
    return active_->resume(from);
  }

  Status look() {  // (2)
    if (calm_ == 0 && ++unseen_ < kEvery) return Status::ok;
    unseen_ = 0;
    const Vec& y = active_->y();
    const Vec& scale = form_.scale();
    double size = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      if (scale[i] > 0) size = std::max(size, std::abs(y[i]) / scale[i]);
    const double reach = 1e-7 * (1 + size);
    moved_ = y + reach * scale.cwiseProduct(direction_);
    statistics_.evaluations += 2;
    const Status status = form_.derivative(active_->t(), moved_, F_moved_);
    if (const Status back = form_.derivative(active_->t(), y, F_); back != Status::ok) return back;
    if (status != Status::ok) return Status::ok;  // the solution itself is well
    direction_ = (scale.array() > 0).select((F_moved_ - F_).array() / (reach * scale.array()), 0);
    const double rho = direction_.norm();
    if (rho > 0) direction_ /= rho;
    calm_ = (active_->t() - active_->t_before()) * rho < kDopri5.stiff_beyond ? calm_ + 1 : 0;
    is_due_ = calm_ == kLooks;
    return Status::ok;
  }

  OdeForm& form_;
  Statistics& statistics_;
  const bool changes_over_;
  StiffnessWatch watch_;
  const std::unique_ptr<Integrator> explicit_, implicit_;
  Integrator* active_;
  bool is_due_ = false;                      // to change over before the next step
  int calm_ = 0, unseen_ = 0;                // looks with (2) in a row, steps since the last look
  Vec direction_;                            // u, in scales of y
  int calm_before_ = 0, unseen_before_ = 0;  // as the last step began
  Vec direction_before_;
  Vec moved_, F_, F_moved_;
  size_t count_ = 0;
  std::array<double, kTold> times_{};
};

}  // namespace

extern const IntegratorRecord auto_choice_integrator;
const IntegratorRecord auto_choice_integrator = {
    .method = {"auto",
               "dopri5, or radau-iia5 while the equations are stiff; the formulation's own on residual forms",
               "Hairer & Wanner, IV.2; Petzold 1983",
               {}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .stands_for = [](const FormulationRecord& formulation) -> const IntegratorRecord* {
      if (formulation.kind == FormKind::ode) return nullptr;
      for (const IntegratorRecord* record : integrator_records())
        if (record->method.name == formulation.default_integrator) return record;
      return nullptr;
    },
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options&)
        -> std::unique_ptr<Integrator> { return std::make_unique<Auto>(form, statistics, control); },
};

}  // namespace driftless
