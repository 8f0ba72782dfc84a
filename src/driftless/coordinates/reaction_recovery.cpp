#include "driftless/coordinates/reaction_recovery.hpp"

#include <limits>

#include <Eigen/QR>

#include "driftless/math/kkt_solver.hpp"
#include "driftless/system/motion_solver.hpp"

namespace driftless {
namespace {

// (2): a null vector for every dropped row i is e_i less the rows that make it up, which one solve with J_iᵀ tells.
Status make_shortest(MotionSolver& solver, const Terms& terms, Vec& lambda) {
  const auto& dropped = solver.dropped_rows();
  if (dropped.empty()) return Status::ok;
  const Eigen::Index n = terms.J.cols(), m = terms.J.rows();
  Mat N(m, static_cast<Eigen::Index>(dropped.size()));
  Vec x(n), y(m);
  const Vec none = Vec::Zero(m);
  for (size_t k = 0; k < dropped.size(); ++k) {
    const Vec row = terms.J.row(dropped[k]).transpose();
    const Status status = solver.solve(row, none, x, y);
    if (status != Status::ok) return status;
    N.col(static_cast<Eigen::Index>(k)) = -y;
    N(dropped[k], static_cast<Eigen::Index>(k)) += 1;
  }
  lambda -= N * N.colPivHouseholderQr().solve(lambda);
  return Status::ok;
}

}  // namespace

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
    solver->drop_rows(dependent_rows(terms.J));
    status = solver->factor(terms);
  }
  if (status == Status::ok) status = solver->solve(terms.f, terms.gamma, reaction.vdot, reaction.lambda);
  if (status == Status::ok) status = make_shortest(*solver, terms, reaction.lambda);
  if (status != Status::ok) reaction.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  reference_->joint_reactions(at.t, at.q, at.v, reaction, out);
}

}  // namespace driftless
