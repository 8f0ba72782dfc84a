// Coordinate projection: positions iterated to round-off, then velocities.                             Chin (3.79)
//   repeat  q ← q ⊕ −P g(q)  until |g| ≤ tol,   then   v ← v − P r(q, v)  with W and J at the final q               (1)
// The matrix is renewed when an iteration gains less than a factor 10. tol = 1e-14 characteristic lengths, or where |g|
// stops falling below 1e-10. Drift: round-off. Two factorisations a step and usually three solves.
// Kernels that give way (penalties) leave what a singular position does not let them correct: there the iteration ends
// when a new matrix does not help either, as long as |g| has not grown.
#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

constexpr int kMaxIterations = 20;

class Projection final : public Stabilization, public KeepsMemory {
 public:
  void keep(Memory& memory) override { projector_.keep(memory); }
  Projection(const DescriptorSystem& system, const Options& options, std::unique_ptr<MotionSolver> kernel)
      : projector_(system, options, std::move(kernel)),
        goal_(1e-14 * system.layout().length),
        acceptable_(1e-10 * system.layout().length) {}

  Status settle(double t, VecRef q, VecRef v) override {
    if (projector_.within_tolerance(t, q, v)) return Status::ok;
    if (const Status status = projector_.freeze(t, q, statistics); status != Status::ok) return status;
    double error = projector_.position_error();
    const bool moves = error > goal_;
    const double first = error;
    bool fresh = true;  // matrix of the last correction
    for (int k = 0; error > goal_; ++k) {
      if (k == kMaxIterations) return Status::not_converged;
      if (const Status status = projector_.correct_position(q); status != Status::ok) return status;
      projector_.renew(t, q, v);
      const double before = error;
      error = projector_.position_error();
      if (error < before / 10) {
        fresh = false;
        continue;
      }
      if (error <= acceptable_) break;  // round-off
      if (fresh && projector_.solver().yields() && error <= first) break;
      if (const Status status = refreeze(t, q); status != Status::ok) return status;
      fresh = true;
    }
    if (moves)
      if (const Status status = refreeze(t, q); status != Status::ok) return status;
    return projector_.correct_velocity(v);
  }
  void drop_rows(std::span<const int> rows) override { projector_.drop_rows(rows); }
  int singular_row() const override { return projector_.dependent_row(); }

 private:
  // Renews the matrix within one and the same stabilisation.
  Status refreeze(double t, ConstVec q) {
    const Status status = projector_.freeze(t, q, statistics);
    if (statistics != nullptr) --statistics->stabilizations;
    return status;
  }

  Projector projector_;
  double goal_, acceptable_;
};

}  // namespace

extern const StabilizationRecord projection_stabilization;
const StabilizationRecord projection_stabilization = {
    .method = {"projection", "coordinate projection: positions iterated to round-off, then velocities",
               "Chin 1995, (3.79)", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<Projection>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
