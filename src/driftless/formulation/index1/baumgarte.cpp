// Baumgarte stabilisation.                     García de Jalón & Bayo (5.23)–(5.28); Chin (2.14); Negrut, Haug & German (6)
//   holonomic rows      c = γ − 2α (J v − ν) − β² g        →  g̈ + 2α ġ + β² g = 0                                  (1)
//   nonholonomic rows   c = γ − α_n (A v + b)              →  φ̇ + α_n φ = 0                                        (2)
// in place of γ in the KKT system.
// Options: alpha, beta, alpha_n in 1/s (10, 10, alpha); or Chin's pair gamma1 = 2α in 1/s and gamma2 = β² in 1/s², both
// together and without alpha and beta: his B(12,70) is gamma1=12 gamma2=70. With scale=step they are divided by the step size (defaults
// 1, √2, 1): the drift then falls only like h² and h whatever the order of the integrator, a known trap shown here on
// purpose. Explicit schemes need alpha·h below 2 to 3.3; above 0.5 the run remarks on it.
// The drift stays bounded but is no smaller than the order of the scheme makes it; bad near singular positions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/index1/index_one.hpp"

namespace driftless {
namespace {

class Baumgarte final : public IndexOneForm {
 public:
  Baumgarte(const DescriptorSystem& system, const Options& options)
      : IndexOneForm(system), by_step_(options.choice("scale") == "step") {
    const auto rate = [&](const char* name, double scaled, double plain) {
      return options.given(name) ? options.number(name) : by_step_ ? scaled : plain;
    };
    const bool chin = options.given("gamma1") || options.given("gamma2");
    if (chin) check_pair(options);
    alpha_ = chin ? options.number("gamma1") / 2 : rate("alpha", 1, 10);
    beta_ = chin ? std::sqrt(options.number("gamma2")) : rate("beta", std::sqrt(2.0), 10);
    alpha_n_ = rate("alpha_n", alpha_, alpha_);
  }

  void begin_step(double h) override {
    IndexOneForm::begin_step(h);
    if (by_step_) per_step_ = 1 / h;
    largest_ = std::max(largest_, alpha_ * per_step_ * h);
  }

  std::string remark() const override {
    if (by_step_ || largest_ <= 0.5) return {};
    return fmt::format(
        "baumgarte: alpha*h reached {:.2g} (above 0.5): the stabilising terms are as fast as the steps; a "
        "smaller alpha "
        "or step would be more accurate",
        largest_);
  }

 private:
  // gamma1 and gamma2 say the same as alpha and beta: one convention or the other.
  static void check_pair(const Options& options) {
    const char* lonely = !options.given("gamma1") ? "gamma1" : !options.given("gamma2") ? "gamma2" : nullptr;
    const char* other = options.given("alpha") ? "alpha" : options.given("beta") ? "beta" : nullptr;
    const auto refuse = [](const std::string& option, const char* expected, const std::string& found) {
      throw InputError("formulation baumgarte",
                       Complaint{"`option " + option + "`", expected, found,
                                 "gamma1 = 2*alpha and gamma2 = beta^2: choose one convention"});
    };
    if (lonely != nullptr) refuse(lonely, "both of gamma1 and gamma2", "one of them");
    if (other != nullptr)
      refuse(other, "alpha and beta, or gamma1 and gamma2", fmt::format("'{}' besides gamma1", other));
    if (options.choice("scale") == "step")
      refuse("scale", "'none' with gamma1 and gamma2", "'step', whose gains are numbers without unit");
  }

  RowGains gains() const override {  // (1), (2)
    const double alpha = alpha_ * per_step_, beta = beta_ * per_step_;
    return {.velocity = 2 * alpha, .position = beta * beta, .nonholonomic = alpha_n_ * per_step_};
  }

  bool by_step_;
  double alpha_, beta_, alpha_n_;
  double per_step_ = 1;  // 1, or 1/h
  double largest_ = 0;   // alpha·h seen
};

}  // namespace

extern const FormulationRecord baumgarte_formulation;
const FormulationRecord baumgarte_formulation = {
    .method = {"baumgarte",
               "index-1 equations whose constraint rows damp the drift",
               "Garcia de Jalon & Bayo 1994, (5.23)-(5.28); Chin 1995, (2.14)",
               {{.name = "alpha",
                 .default_value = "10",
                 .unit = "1/s",
                 .min = 0,
                 .help = "velocity gain 2*alpha of holonomic rows"},
                {.name = "beta",
                 .default_value = "10",
                 .unit = "1/s",
                 .min = 0,
                 .help = "position gain beta^2 of holonomic rows"},
                {.name = "alpha_n",
                 .default_value = "10",
                 .unit = "1/s",
                 .min = 0,
                 .help = "gain of nonholonomic rows; default: alpha"},
                {.name = "gamma1",
                 .default_value = "20",
                 .unit = "1/s",
                 .min = 0,
                 .help = "Chin's pair instead of alpha and beta: gamma1 = 2*alpha"},
                {.name = "gamma2",
                 .default_value = "100",
                 .unit = "1/s^2",
                 .min = 0,
                 .help = "with gamma1: gamma2 = beta^2"},
                {.name = "scale",
                 .kind = OptionKind::choice,
                 .default_value = "none",
                 .choices = {"none", "step"},
                 .help = "step: gains are divided by the step size (defaults 1, sqrt 2, 1); loses order"}}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      return std::make_unique<Baumgarte>(system, options);
    },
};

}  // namespace driftless
