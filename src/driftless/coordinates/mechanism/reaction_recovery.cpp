#include "driftless/coordinates/mechanism/reaction_recovery.hpp"

#include <limits>

#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

bool has_dependent_rows(const DescriptorSystem& system, const Terms& terms) {
  const Layout& layout = system.layout();
  return layout.m > 0 && !rows_are_independent(system, terms) && !redundant_rows(layout, terms).empty();
}

ReactionRecovery::ReactionRecovery(std::unique_ptr<DescriptorSystem> reference)
    : reference_(std::move(reference)) {}

std::unique_ptr<ReactionRecovery> ReactionRecovery::in_mode(const Mode& mode) const {
  const Switching* switching = switching_of(*reference_);
  return std::make_unique<ReactionRecovery>(switching->in_mode(mode));
}

ReactionRecovery::Work::Work(const DescriptorSystem& system)
    : at{0, Vec::Zero(system.layout().nq), Vec::Zero(system.layout().nv)},
      reference(system),
      solver(system.make_solver()),
      minimum_norm(system.layout()),
      reaction{Vec::Zero(system.layout().nv), Vec::Zero(system.layout().m)} {}

Status ReactionRecovery::solve(Work& work) const {
  MotionSolver& solver = *work.solver;
  const Mode* mode = work.reference.terms.mode;
  const long now = mode == nullptr ? 0 : mode->count;
  if (!work.chose || work.chose_at != now) {
    const std::vector<int> rows = redundant_rows(reference_->layout(), work.reference.terms);
    if (!rows.empty() || work.chose) solver.drop_rows(rows);
    work.chose = true;
    work.chose_at = now;
  }
  Status status = solver.factor(work.reference.terms);
  if (status == Status::ok && solver.renew_rows(work.reference.terms))
    status = solver.factor(work.reference.terms);
  if (status != Status::ok) return status;
  status = solver.solve(work.reference.terms.f, work.reference.terms.gamma, work.reaction.vdot,
                        work.reaction.lambda);
  return status == Status::ok ? work.minimum_norm.apply(solver, work.reference.terms.J, work.reaction.lambda)
                              : status;
}

void ReactionRecovery::find(Work& work) const {
  const State& at = work.at;
  const Mode* mode = work.reference.terms.mode;
  const bool known = work.solved.q.size() > 0 && (mode == nullptr || mode->count == work.chose_at) &&
                     work.solved.t == at.t && work.solved.q == at.q &&
                     work.solved.v == at.v;  // a channel has asked before
  if (!known) {
    reference_->evaluate(at.t, at.q, at.v, work.reference.terms);
    if (solve(work) != Status::ok) work.reaction.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
    work.solved = at;
  }
}

void ReactionRecovery::reactions(Work& work, std::vector<JointReaction>& out) const {
  find(work);
  work.reference.reactions(work.at.t, work.at.q, work.at.v, work.reaction, out);
}

void ReactionRecovery::quantities(Work& work, VecRef out) const {
  find(work);
  work.reference.quantities(work.at.t, work.at.q, work.at.v, work.reaction, out);
}

}  // namespace driftless
