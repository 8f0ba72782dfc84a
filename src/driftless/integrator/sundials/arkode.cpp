// ARKODE: Runge–Kutta methods by their Butcher tables, explicit and diagonally implicit.        Reynolds et al. 2023
//   Yᵢ = y₀ + h Σⱼ aᵢⱼ F(t₀ + cⱼh, Yⱼ),   y₁ = y₀ + h Σ bᵢ F(t₀ + cᵢh, Yᵢ),   error from the embedded b̂                    (1)
// Option table: the method, under SUNDIALS' name for it, FAMILY_stages_embedded-order_order (default
// DORMAND_PRINCE_7_4_5, the pair of dopri5). Implicit tables solve their stages by Newton's method with a dense LU of
// I − γ ∂F/∂y, ∂F/∂y by differences as in ode_stages.hpp. Fixed steps with --step.
// For comparison with other programs, and for tables this one does not have. The frame: sundials_scheme.hpp.
#include <arkode/arkode_arkstep.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/sundials/sundials_scheme.hpp"

namespace driftless {
namespace {

struct Table {
  const char* name;
  int number;  // of SUNDIALS
};

#define TABLE(name) \
  { #name, ARKODE_##name }
constexpr Table kExplicit[] = {
    TABLE(HEUN_EULER_2_1_2),     TABLE(BOGACKI_SHAMPINE_4_2_3), TABLE(ZONNEVELD_5_3_4),
    TABLE(SAYFY_ABURUB_6_3_4),   TABLE(CASH_KARP_6_4_5),        TABLE(FEHLBERG_6_4_5),
    TABLE(DORMAND_PRINCE_7_4_5), TABLE(VERNER_8_5_6),           TABLE(FEHLBERG_13_7_8)};
constexpr Table kImplicit[] = {
    TABLE(SDIRK_2_1_2),         TABLE(BILLINGTON_3_3_2),     TABLE(TRBDF2_3_3_2),
    TABLE(KVAERNO_4_2_3),       TABLE(CASH_5_2_4),           TABLE(CASH_5_3_4),
    TABLE(SDIRK_5_3_4),         TABLE(KVAERNO_5_3_4),        TABLE(KVAERNO_7_4_5),
    TABLE(ESDIRK324L2SA_4_2_3), TABLE(ESDIRK325L2SA_5_2_3),  TABLE(ESDIRK32I5L2SA_5_2_3),
    TABLE(ESDIRK436L2SA_6_3_4), TABLE(ESDIRK43I6L2SA_6_3_4), TABLE(QESDIRK436L2SA_6_3_4),
    TABLE(ESDIRK437L2SA_7_3_4), TABLE(ESDIRK547L2SA_7_4_5),  TABLE(ESDIRK547L2SA2_7_4_5)};
#undef TABLE

const Table* find(std::span<const Table> tables, const std::string& name) {
  for (const Table& table : tables)
    if (name == table.name) return &table;
  return nullptr;
}

class Arkode final : public SundialsScheme {
 public:
  Arkode(OdeForm& form, Statistics& statistics, const StepControl& control, const std::string& table)
      : SundialsScheme(form, statistics, control),
        explicit_(find(kExplicit, table)),
        implicit_(find(kImplicit, table)) {}
  ~Arkode() override { ARKStepFree(&memory_); }

 private:
  static Arkode& self(void* data) { return *static_cast<Arkode*>(data); }
  static int rhs(double t, N_Vector z, N_Vector out, void* data) { return self(data).right_side(t, z, out); }
  ARKRhsFn explicit_part() const { return explicit_ != nullptr ? &rhs : nullptr; }
  ARKRhsFn implicit_part() const { return implicit_ != nullptr ? &rhs : nullptr; }

  void begin(double first_step) override {
    if (memory_ != nullptr) {
      check(ARKStepReset(memory_, t1_, z_.get()));  // not ReInit, which allocates
    } else {
      z_ = make_vector(x_);
      memory_ = ARKStepCreate(explicit_part(), implicit_part(), t1_, z_.get(), context_.get());
      ARKStepSetErrHandlerFn(memory_, &take_message, this);
      check(ARKStepSetUserData(memory_, this));
      check(ARKStepSetTableNum(
          memory_,
          static_cast<ARKODE_DIRKTableID>(implicit_ != nullptr ? implicit_->number : ARKODE_DIRK_NONE),
          static_cast<ARKODE_ERKTableID>(explicit_ != nullptr ? explicit_->number : ARKODE_ERK_NONE)));
      check(ARKStepWFtolerances(
          memory_, [](N_Vector z, N_Vector out, void* data) { return self(data).weigh(z, out); }));
      check(ARKStepSetMaxNumSteps(memory_, -1));
      check(ARKStepSetMaxHnilWarns(memory_, -1));
      check(ARKStepSetMaxErrTestFails(memory_, 30));
      check(ARKStepSetMaxConvFails(memory_, 30));
      check(ARKStepSetMaxStep(memory_, control_.max_step));
      if (implicit_ != nullptr) {
        matrix_.reset(SUNDenseMatrix(x_.size(), x_.size(), context_.get()));
        linear_.reset(SUNLinSol_Dense(z_.get(), matrix_.get(), context_.get()));
        check(ARKStepSetLinearSolver(memory_, linear_.get(), matrix_.get()));
        check(ARKStepSetJacFn(memory_, [](double t, N_Vector z, N_Vector F, SUNMatrix out, void* data,
                                          N_Vector, N_Vector, N_Vector) {
          const int result = self(data).jacobian(t, z, F);
          const Mat& A = self(data).stages_.dense_jacobian();
          Eigen::Map<Mat>(SUNDenseMatrix_Data(out), A.rows(), A.cols()) = A;
          return result;
        }));
      }
    }
    if (!is_fixed()) check(ARKStepSetInitStep(memory_, first_step));
  }

  int step(double t_stop, double& t) override {
    if (is_fixed()) check(ARKStepSetFixedStep(memory_, t_stop - t0_));
    check(ARKStepSetStopTime(memory_, t_stop));
    return ARKStepEvolve(memory_, t_stop, z_.get(), &t, ARK_ONE_STEP);
  }

  bool is_one_step() const override { return true; }
  double next_step() const override {
    double h = 0;
    ARKStepGetCurrentStep(memory_, &h);
    return h;
  }
  Counts counts() const override {
    Counts out;
    ARKStepGetNumErrTestFails(memory_, &out.error_test_failures);
    ARKStepGetNumStepSolveFails(memory_, &out.convergence_failures);
    if (implicit_ != nullptr) {
      ARKStepGetNumNonlinSolvIters(memory_, &out.newton_iterations);
      ARKStepGetNumLinSolvSetups(memory_, &out.factorizations);
    }
    return out;
  }
  int polynomial(double t, N_Vector out) const override { return ARKStepGetDky(memory_, t, 0, out); }
  void errors(N_Vector estimate, N_Vector weights) const override {
    ARKStepGetEstLocalErrors(memory_, estimate);
    ARKStepGetErrWeights(memory_, weights);
  }

  const Table *explicit_, *implicit_;
  SunVector z_;
  SunMatrix matrix_;
  SunLinear linear_;
  void* memory_ = nullptr;
};

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Table& table : kExplicit) names.emplace_back(table.name);
  for (const Table& table : kImplicit) names.emplace_back(table.name);
  return names;
}

}  // namespace

extern const IntegratorRecord arkode_integrator;
const IntegratorRecord arkode_integrator = {
    .method = {"arkode",
               "explicit and diagonally implicit Runge-Kutta tables by SUNDIALS",
               "Hindmarsh et al. 2005 (SUNDIALS); Reynolds et al. 2023 (ARKODE)",
               {{.name = "table",
                 .kind = OptionKind::choice,
                 .default_value = "DORMAND_PRINCE_7_4_5",
                 .choices = table_names(),
                 .help = "FAMILY_stages_embedded-order_order; those from SDIRK_2_1_2 on are implicit"}}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return std::make_unique<Arkode>(form, statistics, control, options.choice("table"));
    },
};

}  // namespace driftless
