// A form with the velocities of turning vectors in axes of their bodies (system/turning_vectors.hpp):
//   y = (q, u, extra, W),   ẏ = (B u, u̇, …),   u̇ = B⁻¹ (v̇ − Ḃ u)   at q put in shape, q̇ at q itself                        (1)
// Where a body spins steadily u rests, so that schemes keep it to round-off, as reference-point coordinates with ω in body axes do;
// v turns, and an error of the tolerance in every step pushes an unstable spin off its axis much earlier (docs/theory/euler-parameters.md).
// Momenta p = M v + Jᵀσ turn as v does: u = B⁻¹ p rests in the same way.
// Everything else is done by the form inside, which sees (q, v, extra, W). Its ∂F/∂(q, v) becomes that of (1), S⁻¹ A S with the
// accelerations of A less X_q δq + X_v δv of (2) there:
//   K + M X_q,   C + M X_v,   S_q − J X_q,   S_v − J X_v       or       J₁ − X_q,   J₂ − X_v                                 (2)
// The form inside sees q in shape, (1 + D) δq, and so v + T D δq, while δq̇ = δv: with these K, C, … on the right side
//   K + K D + C T D + M T² D,   S_q + S_q D + S_v T D − J T² D       or       J₁ + J₁ D + J₂ T D − T² D                     (3)
// Schemes that take one linear solve for a step (rosenbrock4) lose their order without.
#pragma once

#include <array>
#include <memory>

#include "driftless/formulation/carries_velocities.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/math/linear/sparse_assembly.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {

class TurningForm final : public OdeForm, public KeepsMemory {
 public:
  using What = CarriesVelocities::What;
  TurningForm(const Layout& layout,
              const TurningVectors& vectors,
              std::unique_ptr<OdeForm> form,
              CarriesVelocities& carrier);

  int size() const override { return form_->size(); }
  const Vec& scale() const override { return solves_dependent() ? scale_ : form_->scale(); }
  void magnitudes(ConstVec y, VecRef out) const override;
  void pack(const State& state, double work, VecRef y) override;
  double unpack(double t, ConstVec y, State& state) override;
  Status derivative(double t, ConstVec y, VecRef ydot) override;  // (1)
  bool has_jacobian() const override {
    return form_->has_jacobian() && carried_ == What::velocities && vectors_.has_turning_tangents();
  }
  Status jacobian(double t, ConstVec y, FormJacobian& out) override;  // (2), (3)
  TurningAxes turning_axes() const override { return {&vectors_, nv_}; }
  Terms& terms() override { return form_->terms(); }
  Status react(const State& state, Reaction& out) override { return inside().react(state, out); }
  void begin_step(double h) override { inside().begin_step(h); }
  Status settle(double t, VecRef y) override;
  Status after_step(double t, VecRef y, StepChange& change) override;
  void drop_rows(std::span<const int> rows) override { form_->drop_rows(rows); }
  const std::vector<int>& dropped_rows() const override { return form_->dropped_rows(); }
  int singular_row() const override { return form_->singular_row(); }
  double row_independence() override { return form_->row_independence(); }
  std::unique_ptr<MotionSolver> make_kernel() const override { return form_->make_kernel(); }
  std::string remark() const override { return form_->remark(); }
  void keep(Memory& memory) override;

 private:
  bool solves_dependent() const { return carried_ == What::independent; }
  OdeForm& inside();  // with what simulate has set here
  void to_space(ConstVec y, Vec& z) const;
  void to_body(ConstVec z, VecRef y) const;
  Status put_in_space(double t, ConstVec y);  // z_ of what is in shape
  void make_sums();
  void see_shape(FormJacobian& out);  // (3)

  const int nq_, nv_;
  const TurningVectors& vectors_;
  const std::unique_ptr<OdeForm> form_;
  CarriesVelocities& carrier_;  // the same
  const What carried_;
  Vec scale_;      // all of u mixes what is independent
  mutable Vec z_;  // (q, v, extra, W)
  Vec before_;

  // ---- jacobian(); made when it is first asked for
  struct Sums {
    TurningTangents parts;
    SparseAssembly<double> K, C, S_q, S_v, TD, TTD;
    std::array<SparseAssembly<double>, 3> K_shape, S_shape;  // a sum each
    SparseRows X_q, X_v, D, once, twice;                     // once: T D
    Mat by_q;
    Vec F;
  };
  std::unique_ptr<Sums> sums_;
};

// The form itself, or inside a TurningForm where the system has turning vectors and the form carries what turns with them; if a scheme
// wants Jacobians, only where (2) and (3) are sparse, and velocities all that is carried.
std::unique_ptr<OdeForm> in_turning_axes(const DescriptorSystem& system,
                                         std::unique_ptr<OdeForm> form,
                                         bool wants_jacobian);

}  // namespace driftless
