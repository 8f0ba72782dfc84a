// S-full: positions and velocities corrected together.                                         Chin, algorithm 3.2
//   [dq]                       [g]        [ J_h  0 ]
//   [dv] = V⁻¹ Hᵀ (H V⁻¹ Hᵀ)⁻¹ [r],  H =  [ L    J ],   L = ∂(J v − ν)/∂q T,   V = diag(W, W)                        (1)
//   q = q̂ ⊕ −dq,   v = v̂ − dv
// as the x-part of the KKT system of V and H with right side (0; g, r): serves singular mass matrices too. Drift after a
// step of order p, ε = C hᵖ⁺¹: g, r = O(ε²). Needs L (2 nv evaluations of J by default) and a matrix of twice the size:
// the most expensive of the family, of interest for its theory.
#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

class SFull final : public Stabilization {
 public:
  SFull(const DescriptorSystem& system, const Options& options)
      : system_(system),
        nv_(system.layout().nv),
        mh_(system.layout().mh),
        m_(system.layout().m),
        projector_(system, options),
        W_(system.layout().M),
        L_(m_, nv_),
        difference_(system.layout()),
        scratch_(system.make_terms()),
        V_(double_weight_pattern()),
        H_(big_jacobian_pattern()),
        kkt_(V_, H_),
        residual_(mh_ + m_),
        x_(2 * nv_),
        dq_(nv_) {}

  Status settle(double t, VecRef q, VecRef v) override {
    if (projector_.within_tolerance(t, q, v)) return Status::ok;
    if (statistics != nullptr) {
      ++statistics->stabilizations;
      ++statistics->factorizations;
    }
    projector_.weigh(t, q, W_);
    system_.velocity_residual_jacobian(t, q, v, scratch_, difference_, L_);
    fill();
    if (const Status status = kkt_.factor(V_, H_); status != Status::ok) return status;
    residual_.head(mh_) = projector_.terms().g;
    residual_.tail(m_) = projector_.velocity_error();
    if (const Status status = kkt_.project(residual_, x_); status != Status::ok) return status;  // (1)
    dq_ = -x_.head(nv_);
    system_.retract(q, dq_);
    v -= x_.tail(nv_);
    return Status::ok;
  }
  int singular_row() const override {
    const int row = kkt_.dependent_row();
    return row < mh_ ? row : row - mh_;
  }

 private:
  SparseRows double_weight_pattern() const {
    const SparseRows& M = system_.layout().M;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < nv_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e) {
        entries.emplace_back(i, static_cast<int>(e.col()), 0.0);
        entries.emplace_back(nv_ + i, nv_ + static_cast<int>(e.col()), 0.0);
      }
    return pattern(2 * nv_, 2 * nv_, entries);
  }
  SparseRows big_jacobian_pattern() const {
    const SparseRows& J = system_.layout().J;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < m_; ++i) {
      for (SparseRows::InnerIterator e(J, i); e; ++e) {
        if (i < mh_) entries.emplace_back(i, static_cast<int>(e.col()), 0.0);
        entries.emplace_back(mh_ + i, nv_ + static_cast<int>(e.col()), 0.0);
      }
      for (int j = 0; j < nv_; ++j) entries.emplace_back(mh_ + i, j, 0.0);
    }
    return pattern(mh_ + m_, 2 * nv_, entries);
  }
  static SparseRows pattern(int rows, int cols, const std::vector<Eigen::Triplet<double>>& entries) {
    SparseRows out(rows, cols);
    out.setFromTriplets(entries.begin(), entries.end());
    out.makeCompressed();
    return out;
  }

  // Values of V and H in the order of their rows; J is that of the point the projector has seen.
  void fill() {
    double* value = V_.valuePtr();
    for (int copy = 0; copy < 2; ++copy, value += W_.nonZeros())
      std::copy(W_.valuePtr(), W_.valuePtr() + W_.nonZeros(), value);
    const SparseRows& J = projector_.terms().J;
    value = H_.valuePtr();
    for (int i = 0; i < mh_; ++i)
      for (SparseRows::InnerIterator e(J, i); e; ++e) *value++ = e.value();
    for (int i = 0; i < m_; ++i) {
      for (int j = 0; j < nv_; ++j) *value++ = L_(i, j);
      for (SparseRows::InnerIterator e(J, i); e; ++e) *value++ = e.value();
    }
  }

  const DescriptorSystem& system_;
  int nv_, mh_, m_;
  Projector projector_;
  SparseRows W_;
  Mat L_;  // m × nv
  DifferenceScratch difference_;
  Terms scratch_;
  SparseRows V_, H_;  // of (1)
  KktSolver kkt_;
  Vec residual_, x_, dq_;
};

}  // namespace

extern const StabilizationRecord s_full_stabilization;
const StabilizationRecord s_full_stabilization = {
    .method = {"s-full", "positions and velocities corrected together; needs second derivatives",
               "Chin 1995, algorithm 3.2", projector_options()},
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<Stabilization> {
      return std::make_unique<SFull>(system, options);
    },
};

}  // namespace driftless
