// IDA: backward differentiation of variable order 1 … 5 for implicit equations 0 = r(t, x, ẋ).      Hindmarsh et al. 2005
// On index2-ggl, x = (q, v[, W], λ, μ):
//   0 = q̇ − v + W⁻¹J_hᵀμ,   0 = M v̇ + Jᵀλ − f,   0 = Ẇ − P,   0 = (g, J v − ν)                                            (1)
//   r_x + c r_ẋ:  [ cI  −I       0   S ]
//                 [ K   cM + C   Jᵀ  0 ]     blocks of residual_form.hpp                                                   (2)
//                 [ ∂rows/∂q  ∂rows/∂v  ]
// λ and μ are part of neither the error test nor Newton's: they follow from q and v, and their own size says little of it.
// On ODE forms, x = y:  0 = ẏ − F(t, y),  r_x + c r_ẋ = cI − ∂F/∂y. For the index-1 forms these are the discrete equations IDA
// would have for (q, v, λ) with J v̇ = γ, λ eliminated; stabilizations take the drift.                                     (3)
// Linear solver: KLU where (2) is large and sparse (100 unknowns, one entry in five or fewer), dense LU else.
// Starts from consistent accelerations and multipliers. Option: order, the highest one. No --step. On index2-ggl: q̇ = v.
// The frame: sundials_scheme.hpp.
#include <cmath>
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/integrator/multistep/multistep.hpp"
#include "driftless/integrator/sundials/sundials_scheme.hpp"

namespace driftless {
namespace {

// Of Newton's method, in units of the error test, as sdirk4 has it. With IDA's own 0.33 what the iteration leaves in the
// constraint rows, divided by h, disturbs the error estimate: half as many steps again on the double pendulum.
constexpr double kNewton = 0.03;
constexpr Eigen::Index kLarge = 100;
constexpr double kSparse = 0.2;

class Ida final : public SundialsScheme {
 public:
  Ida(OdeForm& form, Statistics& statistics, const StepControl& control, int order)
      : SundialsScheme(form, statistics, control), order_(order), dae_(dynamic_cast<ResidualForm*>(&form)) {}
  ~Ida() override { IDAFree(&memory_); }

 private:
  static Ida& self(void* data) { return *static_cast<Ida*>(data); }

  int extra() const override { return dae_ == nullptr ? 0 : dae_->multipliers() + dae_->slips(); }

  void begin_step(double h) override {
    if (dae_ == nullptr) form_.begin_step(h);  // a residual form keeps its rows
  }

  void begin(double first_step) override {
    const bool is_new = slope_.size() != x_.size();
    if (is_new) size();
    set_slopes();
    if (!is_new) {
      check(IDAReInit(memory_, t1_, z_.get(), slope_vector_.get()));
    } else {
      IDAFree(&memory_);
      memory_ = IDACreate(context_.get());
      IDASetErrHandlerFn(memory_, &take_message, this);
      check(IDAInit(
          memory_,
          [](double t, N_Vector z, N_Vector slope, N_Vector out, void* data) {
            return self(data).residual(t, z, slope, out);
          },
          t1_, z_.get(), slope_vector_.get()));
      check(IDASetUserData(memory_, this));
      check(IDAWFtolerances(
          memory_, [](N_Vector z, N_Vector out, void* data) { return self(data).weigh_all(z, out); }));
      check(IDASetMaxOrd(memory_, order_));
      check(IDASetMaxNumSteps(memory_, -1));
      check(IDASetMaxErrTestFails(memory_, 30));
      check(IDASetMaxConvFails(memory_, 30));
      check(IDASetNonlinConvCoef(memory_, kNewton));
      check(IDASetMaxStep(memory_, control_.max_step));
      if (dae_ != nullptr) {
        is_differential_ = Vec::Zero(x_.size());
        is_differential_.head(form_.size()).setOnes();
        id_ = make_vector(is_differential_);
        check(IDASetId(memory_, id_.get()));
        check(IDASetSuppressAlg(memory_, SUNTRUE));
      }
      choose_linear_solver();
      check(IDASetLinearSolver(memory_, linear_.get(), matrix_.get()));
      check(IDASetJacFn(memory_, [](double t, double c, N_Vector z, N_Vector slope, N_Vector, SUNMatrix out,
                                    void* data, N_Vector, N_Vector, N_Vector) {
        const int result = self(data).fill(t, c, z, slope);
        if (result == 0) self(data).hand_over(out);
        return result;
      }));
    }
    check(IDASetInitStep(memory_, first_step));
  }

  void size() {
    slope_ = Vec::Zero(x_.size());
    z_ = make_vector(x_);
    slope_vector_ = make_vector(slope_);
    if (dae_ == nullptr) A_ = Mat::Zero(x_.size(), x_.size());
    W_.size(static_cast<int>(x_.size()));
    F_ = Vec::Zero(form_.size());
    F_vector_ = make_vector(F_);
    if (dae_ == nullptr) return;
    nv_ = dae_->system().layout().nv;
    point_ = dae_->make_point();
    tangent_ = dae_->make_tangent();
    slip_ = Vec::Zero(nv_);
  }

  // ẋ and the multipliers that fit y in x_.
  void set_slopes() {
    const Eigen::Index n = form_.size();
    at_ = x_.head(n);
    form_.derivative(left(t1_), at_, F_);
    slope_.head(n) = F_;
    if (dae_ == nullptr) return;
    point_.t = left(t1_);
    point_.q = x_.head(nv_);
    point_.v = x_.segment(nv_, nv_);
    dae_->complete(point_);
    x_.segment(n, dae_->multipliers()) = point_.lambda;
    x_.tail(dae_->slips()).setZero();
    slope_.tail(extra()).setZero();
  }

  // ---- (1), (3) -------------------------------------------------------------------------------------------------------
  void read(double t, N_Vector z, N_Vector slope) {
    const auto x = view(z);
    point_.t = left(t);
    point_.q = x.head(nv_) + offset_.head(nv_);
    point_.v = x.segment(nv_, nv_) + offset_.segment(nv_, nv_);
    point_.a = view(slope).segment(nv_, nv_);
    point_.lambda = x.segment(form_.size(), dae_->multipliers());
    point_.mu = x.tail(dae_->slips());
  }

  int residual(double t, N_Vector z, N_Vector slope, N_Vector out) {
    auto r = view(out);
    if (dae_ == nullptr) {
      if (const int result = right_side(t, z, F_vector_.get()); result != 0) return result;
      r = view(slope) - F_;
      return 0;
    }
    read(t, z, slope);
    ++statistics_.evaluations;
    dae_->residual(point_, r.segment(nv_, nv_), slip_, r.tail(extra()));
    r.head(nv_) = view(slope).head(nv_) - point_.v + slip_;
    if (dae_->integrates_work()) r[2 * nv_] = view(slope)[2 * nv_] - dae_->power(point_);
    return verdict(std::isfinite(r.sum()) ? Status::ok : Status::not_finite);
  }

  int weigh_all(N_Vector z, N_Vector out) {
    weigh(z, out);
    view(out).tail(extra()).setConstant(kNotTested);
    return 0;
  }

  // (2) into W_, (3) into A_
  int fill(double t, double c, N_Vector z, N_Vector slope) {
    if (dae_ == nullptr) {
      if (const int result = right_side(t, z, F_vector_.get()); result != 0) return result;
      if (const int result = jacobian(t, z, F_vector_.get()); result != 0) return result;
      A_ = -stages_.dense_jacobian();
      A_.diagonal().array() += c;
      return 0;
    }
    read(t, z, slope);
    dae_->tangent(point_, tangent_);
    const int n = form_.size(), m = dae_->multipliers();
    W_.assemble([&](SparseAssembly<double>& W) {
      W.add_diagonal(0, 0, nv_, c);
      W.add_diagonal(0, nv_, nv_, -1);
      dae_->slip_tangent(tangent_,
                         [&](int row, int column, double value) { W.add(row, n + m + column, value); });
      W.add_block(tangent_.K, nv_, 0, 1);
      W.add_block(tangent_.M, nv_, nv_, c);
      W.add_block(tangent_.C, nv_, nv_, 1);
      W.add_transposed(tangent_.J, nv_, n, 1);
      if (n > 2 * nv_) W.add(2 * nv_, 2 * nv_, c);  // W follows the rest
      dae_->add_rows(tangent_, W, n, 0, nv_, 1.0, 1.0);
      for (int i = 0; i < W.size(); ++i) W.add(i, i, 0);  // KLU wants the diagonal in the pattern
    });
    double sum = 0;
    for (const double value : W_.values()) sum += value;
    return verdict(std::isfinite(sum) ? Status::ok : Status::not_finite);
  }

  // ---- linear solver ---------------------------------------------------------------------------------------------------
  void choose_linear_solver() {
    const Eigen::Index n = x_.size();
    fill(t1_, 1, z_.get(), slope_vector_.get());
    const auto entries = static_cast<double>(W_.values().size());
    is_sparse_ = dae_ != nullptr && n >= kLarge && entries <= kSparse * static_cast<double>(n * n);
    if (is_sparse_) {
      matrix_.reset(SUNSparseMatrix(n, n, sunindextype(W_.values().size()), CSC_MAT, context_.get()));
      pattern_ = W_.version();
      hand_over(matrix_.get());
      linear_.reset(SUNLinSol_KLU(z_.get(), matrix_.get(), context_.get()));
    } else {
      matrix_.reset(SUNDenseMatrix(n, n, context_.get()));
      linear_.reset(SUNLinSol_Dense(z_.get(), matrix_.get(), context_.get()));
    }
  }

  void hand_over(SUNMatrix out) {
    const Eigen::Index n = x_.size();
    const auto entries = static_cast<sunindextype>(W_.values().size());
    if (!is_sparse_) {
      Eigen::Map<Mat> dense(SUNDenseMatrix_Data(out), n, n);
      if (dae_ == nullptr) {
        dense = A_;
        return;
      }
      dense.setZero();
      for (Eigen::Index j = 0; j < n; ++j)
        for (int p = W_.starts()[size_t(j)]; p < W_.starts()[size_t(j) + 1]; ++p)
          dense(W_.rows()[size_t(p)], j) = W_.values()[size_t(p)];
      return;
    }
    if (pattern_ != W_.version()) {
      pattern_ = W_.version();
      SUNSparseMatrix_Reallocate(out, entries);
      SUNLinSol_KLUReInit(linear_.get(), out, entries, SUNKLU_REINIT_PARTIAL);
    }
    std::copy(W_.starts().begin(), W_.starts().end(), SUNSparseMatrix_IndexPointers(out));
    std::copy(W_.rows().begin(), W_.rows().end(), SUNSparseMatrix_IndexValues(out));
    std::copy(W_.values().begin(), W_.values().end(), SUNSparseMatrix_Data(out));
  }

  // ---- of the frame ---------------------------------------------------------------------------------------------------
  int step(double t_stop, double& t) override {
    check(IDASetStopTime(memory_, t_stop));
    return IDASolve(memory_, t_stop, &t, z_.get(), slope_vector_.get(), IDA_ONE_STEP);
  }
  double next_step() const override {
    double h = 0;
    IDAGetCurrentStep(memory_, &h);
    return h;
  }
  Counts counts() const override {
    Counts out;
    IDAGetNumErrTestFails(memory_, &out.error_test_failures);
    IDAGetNumStepSolveFails(memory_, &out.convergence_failures);
    IDAGetNumNonlinSolvIters(memory_, &out.newton_iterations);
    IDAGetNumLinSolvSetups(memory_, &out.factorizations);
    return out;
  }
  int last_order() const override {
    int order = 0;
    IDAGetLastOrder(memory_, &order);
    return order;
  }
  int polynomial(double t, N_Vector out) const override { return IDAGetDky(memory_, t, 0, out); }
  void errors(N_Vector estimate, N_Vector weights) const override {
    IDAGetEstLocalErrors(memory_, estimate);
    IDAGetErrWeights(memory_, weights);
  }

  const int order_;
  ResidualForm* const dae_;  // null: an ODE form
  int nv_ = 0;
  DaePoint point_;
  DaeTangent tangent_;
  Vec slope_, F_, slip_, is_differential_;
  SparseAssembly<double> W_;  // (2)
  Mat A_;                     // (3), dense
  long pattern_ = 0;          // version of W_ the linear solver has analysed
  bool is_sparse_ = false;
  SunVector z_, slope_vector_, F_vector_, id_;
  SunMatrix matrix_;
  SunLinear linear_;
  void* memory_ = nullptr;
};

}  // namespace

extern const IntegratorRecord ida_integrator;
const IntegratorRecord ida_integrator = {
    .method =
        {"ida",
         "backward differentiation of variable order 1 to 5 by SUNDIALS, on index2-ggl and on ODE forms",
         "Hindmarsh et al. 2005 (SUNDIALS); Brenan, Campbell & Petzold 1996",
         {{.name = "order",
           .kind = OptionKind::integer,
           .default_value = "5",
           .min = 1,
           .max = 5,
           .help = "the highest one used"}}},
    .order = 5,
    .adaptive = true,
    .takes_step = false,
    .dense_output = true,
    .needs_smooth = true,
    .rows = {ResidualRows::both},
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return std::make_unique<Ida>(form, statistics, control, options.integer("order"));
    },
};

}  // namespace driftless
