// CVODE: linear multistep methods of variable order and step.                     Hindmarsh et al. 2005; Cohen & Hindmarsh 1996
//   Σ α_{n,i} y_{n−i} + hₙ Σ β_{n,i} F_{n−i} = 0,   fixed leading coefficient, history as a Nordsieck array           (1)
//   cvode-adams   orders 1 … 12, the corrector by fixed-point iterations: for equations that are not stiff
//   cvode-bdf     orders 1 … 5, the corrector by Newton's method, dense LU of I − γ ∂F/∂y: for stiff ones
// ∂F/∂y by differences as in ode_stages.hpp, kept as long as CVODE likes. Options: order, the highest one. No --step: the
// error estimate is what its orders are chosen by. Cost: one to two evaluations a step, and one for the monitors.
// Lightly damped oscillations want cvode-bdf with order=2, or not at all. The frame: sundials_scheme.hpp.
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "driftless/integrator/multistep/multistep.hpp"
#include "driftless/integrator/sundials/sundials_scheme.hpp"

namespace driftless {
namespace {

struct NonlinearDeleter {
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};

class Cvode final : public SundialsScheme {
 public:
  Cvode(OdeForm& form, Statistics& statistics, const StepControl& control, int method, int order)
      : SundialsScheme(form, statistics, control), method_(method), order_(order) {}
  ~Cvode() override { CVodeFree(&memory_); }

 private:
  static Cvode& self(void* data) { return *static_cast<Cvode*>(data); }

  void begin(double first_step) override {
    if (memory_ != nullptr) {
      check(CVodeReInit(memory_, t1_, z_.get()));
    } else {
      z_ = make_vector(x_);
      memory_ = CVodeCreate(method_, context_.get());
      CVodeSetErrHandlerFn(memory_, &take_message, this);
      check(CVodeInit(
          memory_,
          [](double t, N_Vector z, N_Vector out, void* data) { return self(data).right_side(t, z, out); },
          t1_, z_.get()));
      check(CVodeSetUserData(memory_, this));
      check(CVodeWFtolerances(memory_,
                              [](N_Vector z, N_Vector out, void* data) { return self(data).weigh(z, out); }));
      check(CVodeSetMaxOrd(memory_, order_));
      check(CVodeSetMaxNumSteps(memory_, -1));
      check(CVodeSetMaxHnilWarns(memory_, -1));
      check(CVodeSetMaxErrTestFails(memory_, 30));
      check(CVodeSetMaxConvFails(memory_, 30));
      check(CVodeSetMaxStep(memory_, control_.max_step));
      if (method_ == CV_ADAMS) {
        iteration_.reset(SUNNonlinSol_FixedPoint(z_.get(), 0, context_.get()));
        check(CVodeSetNonlinearSolver(memory_, iteration_.get()));
      } else {
        matrix_.reset(SUNDenseMatrix(x_.size(), x_.size(), context_.get()));
        linear_.reset(SUNLinSol_Dense(z_.get(), matrix_.get(), context_.get()));
        check(CVodeSetLinearSolver(memory_, linear_.get(), matrix_.get()));
        check(CVodeSetJacFn(memory_, [](double t, N_Vector z, N_Vector F, SUNMatrix out, void* data, N_Vector,
                                        N_Vector, N_Vector) {
          const int result = self(data).jacobian(t, z, F);
          const Mat& A = self(data).stages_.dense_jacobian();
          Eigen::Map<Mat>(SUNDenseMatrix_Data(out), A.rows(), A.cols()) = A;
          return result;
        }));
      }
    }
    check(CVodeSetInitStep(memory_, first_step));
  }

  int step(double t_stop, double& t) override {
    check(CVodeSetStopTime(memory_, t_stop));
    return CVode(memory_, t_stop, z_.get(), &t, CV_ONE_STEP);
  }

  double next_step() const override {
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    return h;
  }
  Counts counts() const override {
    Counts out;
    CVodeGetNumErrTestFails(memory_, &out.error_test_failures);
    CVodeGetNumStepSolveFails(memory_, &out.convergence_failures);
    if (method_ == CV_BDF) {
      CVodeGetNumNonlinSolvIters(memory_, &out.newton_iterations);
      CVodeGetNumLinSolvSetups(memory_, &out.factorizations);
    }
    return out;
  }
  int last_order() const override {
    int order = 0;
    CVodeGetLastOrder(memory_, &order);
    return order;
  }
  int polynomial(double t, N_Vector out) const override { return CVodeGetDky(memory_, t, 0, out); }
  void errors(N_Vector estimate, N_Vector weights) const override {
    CVodeGetEstLocalErrors(memory_, estimate);
    CVodeGetErrWeights(memory_, weights);
  }

  const int method_, order_;
  SunVector z_;
  SunMatrix matrix_;
  SunLinear linear_;
  std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, NonlinearDeleter> iteration_;
  void* memory_ = nullptr;
};

template <int method>
std::unique_ptr<Integrator> make(OdeForm& form,
                                 Statistics& statistics,
                                 const StepControl& control,
                                 const Options& options) {
  return std::make_unique<Cvode>(form, statistics, control, method, options.integer("order"));
}

OptionSpec highest_order(const char* most) {
  return {.name = "order",
          .kind = OptionKind::integer,
          .default_value = most,
          .min = 1,
          .max = std::stod(most),
          .help = "the highest one used"};
}

}  // namespace

extern const IntegratorRecord cvode_adams_integrator, cvode_bdf_integrator;
const IntegratorRecord cvode_adams_integrator = {
    .method = {"cvode-adams",
               "Adams of variable order 1 to 12 by SUNDIALS; for smooth equations and strict tolerances",
               "Hindmarsh et al. 2005 (SUNDIALS); Cohen & Hindmarsh 1996 (CVODE)",
               {highest_order("12")}},
    .order = 12,
    .adaptive = true,
    .takes_step = false,
    .dense_output = true,
    .takes_jacobian = false,
    .needs_smooth = true,
    .make = &make<CV_ADAMS>};

const IntegratorRecord cvode_bdf_integrator = {
    .method = {"cvode-bdf",
               "backward differentiation of variable order 1 to 5 by SUNDIALS; for stiff equations",
               "Hindmarsh et al. 2005 (SUNDIALS); Cohen & Hindmarsh 1996 (CVODE)",
               {highest_order("5")}},
    .order = 5,
    .adaptive = true,
    .takes_step = false,
    .dense_output = true,
    .needs_smooth = true,
    .make = &make<CV_BDF>};

}  // namespace driftless
