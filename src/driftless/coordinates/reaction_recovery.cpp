#include "driftless/coordinates/reaction_recovery.hpp"

#include <limits>

#include "driftless/math/row_choice.hpp"
#include "driftless/system/minimum_norm.hpp"

namespace driftless {
ReactionRecovery::ReactionRecovery(std::unique_ptr<DescriptorSystem> reference)
    : reference_(std::move(reference)) {}

void ReactionRecovery::reactions(const State& at, std::vector<JointReaction>& out) const {
  const Layout& layout = reference_->layout();
  Terms terms = reference_->make_terms();
  reference_->evaluate(at.t, at.q, at.v, terms);
  const auto solver = reference_->make_solver();
  Reaction reaction{Vec(layout.nv), Vec(layout.m)};
  Status status = solver->factor(terms);
  if (status == Status::singular) {
    SparseRows J = terms.J;
    clear_rows(J, layout.v_scale, kDependent * layout.length);
    solver->drop_rows(dependent_rows(J));
    status = solver->factor(terms);
  }
  if (status == Status::ok) status = solver->solve(terms.f, terms.gamma, reaction.vdot, reaction.lambda);
  if (status == Status::ok && !solver->dropped_rows().empty())
    status = MinimumNorm(layout).apply(*solver, terms.J, reaction.lambda);
  if (status != Status::ok) reaction.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  reference_->joint_reactions(at.t, at.q, at.v, reaction, out);
}

}  // namespace driftless
