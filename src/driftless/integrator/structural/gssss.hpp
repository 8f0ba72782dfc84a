// The GSSSS families on index 3: see gssss.cpp. A header of its own because what the scheme itself returns for
// accelerations and multipliers can be read here; results hold those of the motion at the recorded state.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "driftless/integrator/implicit/residual_scheme.hpp"
#include "driftless/integrator/structural/gssss_coefficients.hpp"
#include "driftless/integrator/structural/strain_forces.hpp"
#include "driftless/math/linear/newton_lu.hpp"
#include "driftless/system/discrete_gradient.hpp"

namespace driftless {

inline constexpr const char* kGssssOwner = "integrator gssss";  // of complaints

enum class GssssForces { midpoint, conserving, strain };

// What the options of the integrator say (gssss_member.cpp).
struct GssssMember {
  GssssCoefficients coefficients;
  GssssUnknown unknown;
  GssssForces forces;
  int constraint;
  bool is_undamped, ends_at_end;  // r1 = r2 = 1; U0 with W1 = 1
  bool averages_load;
  double newton_tolerance;
};

class Gssss final : public ResidualScheme {
 public:
  Gssss(OdeForm& form, Statistics& statistics, const StepControl& control, const GssssMember& member);

  // Accelerations and multipliers (kept rows) of the scheme at t(), (8) of gssss.cpp.
  const Vec& acceleration() const { return point_.a; }
  const Vec& multipliers() const { return point_.lambda; }
  std::string remark() const override;
  bool tell(Carried& out) const override {
    out = {a_time_, lambda_time_, a_, lambda_};
    return true;
  }

 private:
  void begin_own() override;
  Status step(double h, double t1) override;
  void accept_own(double h) override;
  void estimate(double h, Vec& error) override;
  void keep_own(Memory& memory) override;
  double reach() const override { return std::max(1.0, c_.W1()); }
  void predict(double h, double t1);
  void fill_matrix();  // W_
  void fill_residual(double h, Vec& r);
  double correct(double h, const Vec& d);
  void go_ways(double h);

  Status iterate(double h, double t1);
  Status find_end(double h);  // by Newton's method from where predict() or correct() left off
  Status iterate_in_real_time(double h);
  Status solve_and_correct(double h);
  bool is_small() const;      // (5)
  bool is_round_off() const;  // (14)
  void finish(double h);
  void spread(const Vec& kept, Vec& all) const;  // multipliers of the kept rows into all rows
  bool multipliers_may_grow() const {            // see remark()
    return form_.multipliers() > 0 && is_undamped_ && (option_ == 1 || ends_at_end_);
  }
  bool acts_in_middle() const { return option_ == 2 || option_ == 4; }  // J of the constraint forces
  bool has_velocity_rows() const { return holonomic_ < static_cast<int>(kept_.size()); }
  Tangents& make_end_tangents();
  void find_end_tangents();  // J at the end of the step, and what of its derivatives is needed

  const double tolerance_;  // of (5)
  const GssssCoefficients c_;
  const bool is_midpoint_;
  const GssssUnknown unknown_;
  const int option_;  // constraint=
  const bool is_undamped_, ends_at_end_, averages_load_;
  GssssStep step_{};
  std::vector<int> kept_;
  int holonomic_ = 0;     // of the kept rows
  double sigma_ = 1;      // of (6)
  Vec load_;              // f at the start of the step
  double left_over_ = 0;  // 2-norm of (e1, e2) behind the last iteration, at worst: real time

  Vec a_, lambda_;                       // carried
  double a_time_ = 0, lambda_time_ = 0;  // their instants
  Vec a_rate_;                           // of a, as the last step had it
  bool knows_rate_ = false;
  Vec a0_, a1_;  // of the step at hand: as it begins, and as it will be carried on
  double a0_time_ = 0, a1_time_ = 0, lambda1_time_ = 0;
  DaePoint middle_;  // t̃, q̃, ṽ, ã and the multipliers of J(q̃)
  Vec q1_, v1_, lambda1_, q0_, v0_;
  Vec way_, middle_way_, gain_;  // Δq to the end and to the middle, Δv
  Vec q_rest_, v_rest_;          // carried: what rounding left out of q and v, (11)
  double t_end_ = 0;
  Vec all_, all_middle_, all_before_;  // m
  Vec old_force_, velocity_rows_, column_, plus_, minus_;
  Terms middle_terms_, start_terms_;
  std::unique_ptr<DiscreteGradient> conserving_;
  std::unique_ptr<StrainForces> strains_;
  SparseRows J0_, J1_;  // kept rows at the start and at the end of the step
  std::unique_ptr<Tangents> end_tangents_;
  Mat D_;  // nv × nv, of strains_: they couple all coordinates
  SparseAssembly<double> W_;
  NewtonLu<double> lu_;
  Vec r_, d_;
};

// The midpoint rule with constraint forces in the middle of the step: V0(1,1,0), constraint=2.
std::unique_ptr<Integrator> make_midpoint_on_index3(OdeForm& form,
                                                    Statistics& statistics,
                                                    const StepControl& control);

}  // namespace driftless
