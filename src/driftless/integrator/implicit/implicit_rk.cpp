// Implicit Runge–Kutta schemes with any tableau, in the unknowns zᵢ = h Σ aᵢⱼ kⱼ.                    Hairer & Wanner IV.5, IV.8
// Stages are solved in groups, the shortest ranges of rows for which A is block lower triangular: single stages where the
// scheme is diagonally implicit, all of them where it is full. With G the part of the groups before,
//   z = G + h (A_g ⊗ I) F(t + ch, y + z),      h k = A_g⁻¹ (z − G), or h F where a stage or a group is explicit          (1)
//   y₁ = y + h Σ bᵢ kᵢ,   e = (I − γhA)⁻¹ h (Σ eᵢ kᵢ + e₊ F(t₁, y₁)),   γ = |det A_g|^(1/s) of the last implicit group      (2)
// A stage by itself: newton.hpp with I − aᵢᵢhF_y. A group of s > 1: by the Schur form A_g = Q R Qᴴ, with w = Qᴴz,
//   (I − h rᵢᵢ F_y) Δwᵢ = Qᴴ(G + hA_g F − z)ᵢ + Σ_{j>i} rᵢⱼ (hF_y Δwⱼ),    h F_y Δwⱼ = (Δwⱼ − rightⱼ)/rⱼⱼ                    (3)
// one complex factorisation a stage, all with the same F_y; it holds for defective A_g as well. Groups whose A_g is singular are
// solved for as they are, with F_y Δw by a product where rⱼⱼ = 0.
// Starting values: zᵢ = cᵢ h F(t, y); zero behind a failure. Dense output: cubic Hermite.
#include "driftless/integrator/implicit/implicit_rk.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>

#include "driftless/integrator/implicit/implicit_scheme.hpp"

namespace driftless {
namespace {

using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

constexpr double kZero = 1e-12;  // of eigenvalues of A, against its size

// Stages first … first + size − 1.
struct StageGroup {
  int first = 0, size = 1;
  bool is_explicit = false;    // one stage without itself
  bool is_invertible = false;  // A_g
  Mat A, inverse;
  ComplexMatrix Q, R;  // (3)
  std::vector<FormMatrix<std::complex<double>>> factors;
  double h_factored = 0;  // 0: none
  long version = -1;      // of F_y in the factors
  double eta = 1;
};

std::vector<StageGroup> groups_of(const Mat& A) {
  std::vector<StageGroup> groups;
  const int s = static_cast<int>(A.rows());
  const double tiny = kZero * A.cwiseAbs().maxCoeff();
  for (int first = 0; first < s;) {
    int last = first;
    for (int i = first; i <= last; ++i)
      for (int j = last + 1; j < s; ++j)
        if (A(i, j) != 0) last = j;
    StageGroup group;
    group.first = first;
    group.size = last - first + 1;
    group.A = A.block(first, first, group.size, group.size);
    group.is_explicit = group.size == 1 && group.A(0, 0) == 0;
    const Eigen::ComplexSchur<ComplexMatrix> schur(group.A.cast<std::complex<double>>());
    group.Q = schur.matrixU();
    group.R = schur.matrixT();
    group.is_invertible = !group.is_explicit && group.R.diagonal().cwiseAbs().minCoeff() > tiny;
    for (int i = 0; i < group.size; ++i)
      if (std::abs(group.R(i, i)) <= tiny) group.R(i, i) = 0;
    if (group.is_invertible) group.inverse = group.A.inverse();
    group.factors.resize(size_t(group.size));
    groups.push_back(std::move(group));
    first = last + 1;
  }
  return groups;
}

class ImplicitRk final : public ImplicitScheme {
 public:
  ImplicitRk(const ImplicitTableau& tableau,
             OdeForm& form,
             Statistics& statistics,
             const StepControl& control)
      : ImplicitScheme(form,
                       statistics,
                       control,
                       {.order = tableau.order,
                        .k = static_cast<double>(std::max(tableau.exponent, 2)),
                        .grow = 4,
                        .cut = 0.25,
                        .iterations = 10,
                        .predicts = false,
                        .theta_J = 1e-3}),
        tableau_(tableau),
        groups_(groups_of(tableau.A)),
        z_(Mat::Zero(form.size(), tableau.b.size())),
        hk_(z_),
        G_(z_),
        F_(z_),
        stage_(form.size()),
        slope_(form.size()),
        sum_(form.size()),
        right_(ComplexMatrix::Zero(form.size(), tableau.b.size())),
        dw_(right_),
        product_(form.size()),
        b_(form.size()),
        x_(form.size()) {
    newton_.monitor.kappa = 0.01;
    for (const StageGroup& group : groups_)
      if (group.is_invertible) gamma_ = std::pow(std::abs(group.A.determinant()), 1.0 / group.size);
  }

 private:
  std::span<const double> stage_times() const override {
    return {tableau_.c.data(), size_t(tableau_.c.size())};
  }
  double time(int i, double h) const { return left(t0_ + tableau_.c[i] * h); }

  Status solve(double h, double t1) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    for (StageGroup& group : groups_) {
      guess(group, h);
      const Status status = group.is_explicit ? evaluate_stage(group, h)
                            : group.size == 1 ? solve_stage(group, h)
                                              : solve_group(group, h);
      if (status != Status::ok) return status;
      if (group.is_invertible) {  // (1)
        for (int i = 0; i < group.size; ++i) {
          auto hk = hk_.col(group.first + i);
          hk.setZero();
          for (int j = 0; j < group.size; ++j)
            hk += group.inverse(i, j) * (z_.col(group.first + j) - G_.col(group.first + j));
        }
      }
    }
    y1_ = y0_;
    for (int i = 0; i < tableau_.b.size(); ++i) y1_ += tableau_.b[i] * hk_.col(i);
    return is_fixed() ? Status::ok : estimate(h, t1);
  }

  void guess(StageGroup& group, double h) {
    for (int i = group.first; i < group.first + group.size; ++i) {
      G_.col(i).setZero();
      for (int j = 0; j < group.first; ++j)
        if (tableau_.A(i, j) != 0) G_.col(i) += tableau_.A(i, j) * hk_.col(j);
      if (is_cold())
        z_.col(i).setZero();
      else
        z_.col(i) = tableau_.c[i] * h * k0_;
    }
  }

  Status evaluate_stage(const StageGroup& group, double h) {
    z_.col(group.first) = G_.col(group.first);
    return evaluate_slope(group.first, h);
  }
  // hk_ by F itself.
  Status evaluate_slope(int i, double h) {
    stage_ = y0_ + z_.col(i);
    if (i == 0 && tableau_.c[0] == 0 && tableau_.A.row(0).isZero(0)) {
      hk_.col(i) = h * k0_;
      return Status::ok;
    }
    if (const Status status = evaluate(time(i, h), stage_, slope_); status != Status::ok) return status;
    hk_.col(i) = h * slope_;
    return Status::ok;
  }

  Status solve_stage(StageGroup& group, double h) {
    const double c = group.A(0, 0) * h;
    const int i = group.first;
    stages_->factor(c);
    const Status status = is_full() ? newton_.solve_fully(time(i, h), y0_, G_.col(i), c, z_.col(i))
                                    : newton_.solve(time(i, h), y0_, G_.col(i), c, z_.col(i), group.eta);
    note_theta(newton_.monitor.theta);
    iterations_ = newton_.monitor.count;
    return status;
  }

  Status factor(StageGroup& group, double h) {
    for (int i = 0; i < group.size; ++i) {
      const auto r = group.R(i, i);
      if (const Status status =
              group.factors[size_t(i)].factor(ode().jacobian(), static_cast<int>(y0_.size()), h * r);
          status != Status::ok)
        return status;
      statistics_.factor_matrix();
    }
    group.h_factored = h;
    group.version = ode().version();
    return Status::ok;
  }

  Status solve_group(StageGroup& group, double h) {
    if (h != group.h_factored || group.version != ode().version())
      if (const Status status = factor(group, h); status != Status::ok) return status;
    const Status status = newton_.iterate(group.eta, [&](double& size) {
      if (is_full())
        if (const Status renewed = renew_at_end(group, h); renewed != Status::ok) return renewed;
      return iterate(group, h, size);
    });
    iterations_ = newton_.monitor.count;
    note_theta(newton_.monitor.theta);
    if (status != Status::ok || group.is_invertible) return status;
    for (int i = group.first; i < group.first + group.size; ++i)
      if (const Status slope = evaluate_slope(i, h); slope != Status::ok) return slope;
    return Status::ok;
  }

  Status renew_at_end(StageGroup& group, double h) {
    const int last = group.first + group.size - 1;
    stage_ = y0_ + z_.col(last);
    if (const Status status = evaluate(time(last, h), stage_, slope_); status != Status::ok) return status;
    if (const Status status = ode().renew(time(last, h), stage_, slope_); status != Status::ok) return status;
    return factor(group, h);
  }

  Status iterate(StageGroup& group, double h, double& size) {  // (3)
    const int s = group.size, first = group.first;
    for (int i = 0; i < s; ++i) {
      stage_ = y0_ + z_.col(first + i);
      if (const Status status = evaluate(time(first + i, h), stage_, F_.col(first + i)); status != Status::ok)
        return status;
    }
    right_.leftCols(s).setZero();
    for (int i = 0; i < s; ++i) {
      sum_ = G_.col(first + i) - z_.col(first + i);
      for (int j = 0; j < s; ++j) sum_ += h * group.A(i, j) * F_.col(first + j);
      for (int j = 0; j < s; ++j) right_.col(j) += std::conj(group.Q(i, j)) * sum_;
    }
    for (int i = s - 1; i >= 0; --i) {
      for (int j = i + 1; j < s; ++j) {
        if (group.R(i, j) == 0.0) continue;
        right_.col(i) += group.R(i, j) * products_[size_t(j)];
      }
      b_ = right_.col(i);
      if (const Status status = group.factors[size_t(i)].solve(b_, x_); status != Status::ok) return status;
      dw_.col(i) = x_;
      ComplexVector& product = products_[size_t(i)];
      if (group.R(i, i) != 0.0) {
        product = (x_ - b_) / group.R(i, i);
      } else {
        if (const Status status = group.factors[size_t(i)].multiply(x_, product); status != Status::ok)
          return status;
        product *= h;
      }
    }
    double squares = 0;
    for (int i = 0; i < s; ++i) {
      product_.setZero();
      for (int j = 0; j < s; ++j) product_ += group.Q(i, j) * dw_.col(j);
      sum_ = product_.real();
      z_.col(first + i) += sum_;
      const double norm = stages_->norm(sum_);
      squares += norm * norm;
    }
    size = std::sqrt(squares / s);
    return Status::ok;
  }

  Status estimate(double h, double t1) {  // (2)
    const auto s = tableau_.b.size();
    sum_.setZero();
    for (Eigen::Index i = 0; i < s; ++i)
      if (tableau_.e[i] != 0) sum_ += tableau_.e[i] * hk_.col(i);
    if (tableau_.e[s] != 0) {
      if (const Status status = evaluate(left(t1), y1_, slope_); status != Status::ok) return status;
      sum_ += tableau_.e[s] * h * slope_;
    }
    stages_->factor(gamma_ * h);
    if (const Status status = ode().filter(sum_); status != Status::ok) return status;
    return judge(sum_);
  }

  void forget_own() override {
    for (StageGroup& group : groups_) group.eta = 1;
  }
  void keep_own(Memory& memory) override {
    for (StageGroup& group : groups_) {
      memory(group.eta);
      for (auto& factors : group.factors) factors.keep(memory);
    }
  }

  const ImplicitTableau tableau_;
  std::vector<StageGroup> groups_;
  double gamma_ = 1;
  Mat z_, hk_, G_, F_;  // size × stages
  Vec stage_, slope_, sum_;
  ComplexMatrix right_, dw_;
  ComplexVector product_, b_, x_;
  std::vector<ComplexVector> products_{size_t(tableau_.b.size())};  // h F_y Δw
};

}  // namespace

std::unique_ptr<Integrator> make_implicit_rk(const ImplicitTableau& tableau,
                                             OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control) {
  return make_steps_of<ImplicitRk>(tableau, form, statistics, control);
}

}  // namespace driftless
