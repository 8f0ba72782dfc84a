#include "driftless/integrator/implicit/form_matrix.hpp"

namespace driftless {

const Mat& DenseJacobian::of(const FormJacobian& jacobian, int size) {
  if (jacobian.kind == FormJacobian::Kind::full && jacobian.turning == nullptr) return jacobian.A;
  A_.setZero(size, size);
  unit_.setZero(size);
  column_.resize(size);
  const bool is_good = matrix_.factor(jacobian, size, 0) == Status::ok;
  for (int j = 0; j < size; ++j) {
    unit_[j] = 1;
    if (is_good && matrix_.multiply(unit_, column_) == Status::ok)
      A_.col(j) = column_;
    else
      A_.col(j).setConstant(std::numeric_limits<double>::quiet_NaN());
    unit_[j] = 0;
  }
  return A_;
}

void keep_jacobian(Memory& memory, int size, const TurningAxes& axes, FormJacobian& jacobian) {
  int kind = static_cast<int>(jacobian.kind);
  memory(kind, 0, 3);
  if (!memory.is_good()) return;
  jacobian.kind = static_cast<FormJacobian::Kind>(kind);
  bool turns = jacobian.turning != nullptr;
  memory(turns);
  if (turns && axes.vectors == nullptr) memory.refuse();
  jacobian.turning = turns && memory.is_good() ? axes.vectors : nullptr;
  if (jacobian.turning != nullptr) {
    jacobian.turning_q.resize(axes.size);
    memory(jacobian.turning_q);
    memory.sparse(jacobian.T, axes.size, axes.size);
    if (jacobian.T.rows() != axes.size || jacobian.T.cols() != axes.size) memory.refuse();
  }
  if (!memory.is_good()) return;
  constexpr int kAny = std::numeric_limits<int>::max();
  switch (jacobian.kind) {
    case FormJacobian::Kind::full:
      jacobian.A.resize(size, size);
      memory(jacobian.A);
      return;
    case FormJacobian::Kind::second: {
      memory.any_size(jacobian.J1, size, size);
      memory.any_size(jacobian.J2, size, size);
      const auto n = jacobian.J1.rows();
      if (jacobian.J1.cols() != n || jacobian.J2.rows() != n || jacobian.J2.cols() != n || 2 * n > size)
        memory.refuse();
      return;
    }
    case FormJacobian::Kind::reduced: {
      ReducedBlocks& B = jacobian.reduced;
      for (Mat* block : {&B.mass, &B.MJ1, &B.MJ2, &B.W, &B.E_q, &B.E, &B.Q1, &B.Q2, &B.R, &B.B1, &B.B2})
        memory.any_size(*block, size, size);
      const auto f = B.mass.rows(), nq = B.E_q.cols(), nv = B.E.cols();
      const auto fits = [](const Mat& A, Eigen::Index rows, Eigen::Index columns) {
        return A.rows() == rows && A.cols() == columns;
      };
      bool fit = nq + nv <= size && fits(B.E_q, f, nq) && fits(B.E, f, nv) && fits(B.Q1, nq, f) &&
                 fits(B.Q2, nq, f) && fits(B.R, nv, f) && fits(B.B1, nv, f) && fits(B.B2, nv, f) &&
                 (B.W.size() == 0 || fits(B.W, f, f));
      for (const Mat* block : {&B.mass, &B.MJ1, &B.MJ2}) fit = fit && fits(*block, f, f);
      if (!fit) memory.refuse();
      return;
    }
    case FormJacobian::Kind::motion: {
      MotionBlocks& blocks = jacobian.motion;
      memory(blocks.is_plain);
      for (SparseRows* block : {&blocks.M, &blocks.C, &blocks.K}) memory.sparse(*block, size, size);
      for (SparseRows* block : {&blocks.J, &blocks.S_q, &blocks.S_v}) memory.sparse(*block, kAny, size);
      memory.list(blocks.kept, std::max(static_cast<int>(blocks.J.rows()) - 1, 0));
      if (!blocks.is_plain)
        for (SparseRows* block : {&blocks.kinematics.T, &blocks.kinematics.N, &blocks.kinematics.P})
          memory.sparse(*block, size, size);
      const auto nv = blocks.M.rows();
      const auto nq = blocks.is_plain ? nv : blocks.kinematics.T.rows();
      bool fits = nq + nv <= size;
      for (const SparseRows* block : {&blocks.M, &blocks.C, &blocks.K})
        fits = fits && block->rows() == nv && block->cols() == nv;
      for (const SparseRows* block : {&blocks.J, &blocks.S_q, &blocks.S_v})
        fits = fits && block->rows() == blocks.J.rows() && block->cols() == nv;
      if (!blocks.is_plain) {
        const KinematicTangents& k = blocks.kinematics;
        fits = fits && k.T.cols() == nv && k.N.rows() == nq && k.N.cols() == nq && k.P.rows() == nv &&
               k.P.cols() == nq;
      }
      if (!fits) memory.refuse();
      return;
    }
  }
}

}  // namespace driftless
