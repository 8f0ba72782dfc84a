// Coordinate projection: positions iterated to round-off, then velocities.                             Chin (3.79)
//   repeat  q ← q ⊕ −P g(q)  until |g| ≤ tol,   then   v ← v − P r(q, v)  with W and J at the final q               (1)
// The matrix is renewed when an iteration gains less than a factor 10. tol = 1e-14 characteristic lengths, or where |g|
// stops falling below 1e-10, or far from the origin below the round-off of the coordinates there (system/place.hpp).
// Drift: round-off. Two factorisations a step and usually three solves.
// Kernels that give way (penalties) leave what a singular position does not let them correct: there the iteration ends
// when a new matrix does not help either, as long as |g| has not grown.
#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/settled_motion.hpp"
#include "driftless/system/kernels/minimum_norm.hpp"
#include "driftless/system/place.hpp"

namespace driftless {
namespace {

constexpr int kMaxIterations = 20;

class Projection final : public SettledMotion, public KeepsMemory {
 public:
  void keep(Memory& memory) override { projector_.keep(memory); }
  Projection(const DescriptorSystem& system, const Options& options, std::unique_ptr<MotionSolver> kernel)
      : system_(system),
        projector_(system, options, std::move(kernel)),
        place_(system),
        minimum_norm_(system.layout()),
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
      const Status moved = k == 0 ? projector_.move_position(t, q, v) : projector_.correct_position(q);
      if (moved != Status::ok) return moved;
      projector_.renew(t, q, v);
      const double before = error;
      error = projector_.position_error();
      if (error < before / 10) {
        fresh = false;
        continue;
      }
      if (error <= acceptable_ || place_.explains(error, t, q)) break;
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

  Status take(double t, ConstVec q, ConstVec v) override {
    projector_.renew(t, q, v);
    return projector_.freeze(t, q, statistics);
  }
  Status react(double t, ConstVec q, ConstVec v, Reaction& out) override {
    MotionSolver& solver = projector_.solver();
    Terms& at = projector_.frozen();
    out.vdot.resize(v.size());
    out.lambda.resize(at.gamma.size());
    system_.bias(t, q, v, at);
    system_.force(t, q, v, at);
    if (solver.renew_rows(at))
      if (const Status status = solver.factor(at); status != Status::ok) return status;
    const Status status = solver.solve(at.f, at.gamma, out.vdot, out.lambda);
    return status == Status::ok ? minimum_norm_.apply(solver, at.J, out.lambda) : status;
  }
  Terms& terms() override { return projector_.frozen(); }

 private:
  // Renews the matrix within one and the same stabilisation.
  Status refreeze(double t, ConstVec q) {
    const Status status = projector_.freeze(t, q, statistics);
    if (statistics != nullptr) --statistics->stabilizations;
    return status;
  }

  const DescriptorSystem& system_;
  Projector projector_;
  Place place_;
  MinimumNorm minimum_norm_;
  double goal_, acceptable_;
};

}  // namespace

std::unique_ptr<SettledMotion> make_settled_motion(const DescriptorSystem& system,
                                                   std::unique_ptr<MotionSolver> kernel) {
  return std::make_unique<Projection>(system, Options("projection", projector_options(), {}),
                                      std::move(kernel));
}

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
