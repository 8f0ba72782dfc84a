#include "driftless/system/motion_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

const double kStep = std::cbrt(std::numeric_limits<double>::epsilon());  // in units of the coordinates
constexpr int kFew = 12;            // columns: so few are not worth sharing
constexpr double kDisagree = 1e-5;  // of the check of (3)
constexpr double kNoise = 1e-8;     // of differences that should be zero, relative to what is differenced

}  // namespace

MotionTangent::Colours::Colours(int rows, int columns)
    : touched(rows, columns), taken(rows, columns), colour(size_t(columns), 0) {
  touched.setConstant(false);
}

MotionTangent::MotionTangent(const DescriptorSystem& system, RowsRight right)
    : system_(system),
      right_(std::move(right)),
      nq_(system.layout().nq),
      nv_(system.layout().nv),
      m_(system.layout().m),
      q_(nq_),
      v_(nv_),
      a_(nv_),
      lambda_(m_),
      terms_(system.make_terms()),
      moved_q_(nq_),
      moved_v_(nv_),
      dq_(Vec::Zero(nq_)),
      dv_(Vec::Zero(nv_)),
      c_(m_),
      plus_(nv_ + m_),
      minus_(nv_ + m_),
      rows_(m_),
      check_(nv_ + m_),
      by_q_(nv_ + m_, nq_),
      by_v_(nv_ + m_, nv_) {}

void MotionTangent::stand(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda) {
  t_ = t;
  q_ = q;
  v_ = v;
  a_ = a;
  lambda_ = lambda;
  stands_ = false;
}

// What counts as one in a coordinate. Of positions far out a hundredth: steps must stand out from their round-off.
double MotionTangent::unit_q(Eigen::Index i) const {
  return std::max(0.01 * std::abs(q_[i]), system_.layout().q_scale[i]);
}
double MotionTangent::unit_v(Eigen::Index i) const {
  return std::max(std::abs(v_[i]), system_.layout().v_scale[i]);
}

// Of a direction, in these units.
double MotionTangent::length(ConstVec dq, ConstVec dv) const {
  double longest = std::numeric_limits<double>::min();
  for (int i = 0; i < nq_; ++i) longest = std::max(longest, std::abs(dq[i]) / unit_q(i));
  for (int i = 0; i < nv_; ++i) longest = std::max(longest, std::abs(dv[i]) / unit_v(i));
  return longest;
}

void MotionTangent::sample(double s, ConstVec dq, ConstVec dv, bool moves_q, Vec& out) {
  moved_q_ = q_;
  if (moves_q) moved_q_ += s * dq;
  moved_v_ = v_ + s * dv;
  if (moves_q || !stands_) {
    system_.position(t_, moved_q_, terms_);
    system_.mass(t_, moved_q_, terms_);
    stands_ = !moves_q;
  }
  system_.bias(t_, moved_q_, moved_v_, terms_);
  system_.force(t_, moved_q_, moved_v_, terms_);
  auto rho = out.head(nv_);
  mass_times(terms_, a_, rho);
  add_transposed_rows(terms_, 1, lambda_, rho);
  rho -= terms_.f;
  velocity_residual(terms_, a_, rows_);  // J a − ν
  out.tail(m_) = right_(terms_, moved_v_, c_) - rows_ - terms_.nu;
}

void MotionTangent::along(ConstVec dq, ConstVec dv, VecRef out) {
  const bool moves_q = (dq.array() != 0).any();
  const double s = kStep / length(dq, dv);
  sample(s, dq, dv, moves_q, plus_);
  sample(-s, dq, dv, moves_q, minus_);
  out = (plus_ - minus_) / (2 * s);
  ++pairs_;
}

void MotionTangent::rows_along(ConstVec dq, VecRef out) {
  moved_v_.setZero();
  const double s = kStep / length(dq, moved_v_);
  moved_q_ = q_ + s * dq;
  system_.position(t_, moved_q_, terms_);
  velocity_residual(terms_, v_, rows_);
  moved_q_ = q_ - s * dq;
  system_.position(t_, moved_q_, terms_);
  velocity_residual(terms_, v_, c_);
  out = (rows_ - c_) / (2 * s);
  stands_ = false;
}

void MotionTangent::columns(Mat& by_q, Mat& by_v) {
  by_q.resize(nv_ + m_, nq_);
  by_v.resize(nv_ + m_, nv_);
  take(by_q, by_q_, true);
  take(by_v, by_v_, false);
}

void MotionTangent::one_by_one(Mat& out, bool by_q) {
  Vec& direction = by_q ? dq_ : dv_;
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    direction[j] = 1;
    along(dq_, dv_, out.col(j));
    direction[j] = 0;
  }
}

void MotionTangent::find_colours(Colours& colours) {
  colours.taken.setConstant(false);
  colours.count = 0;
  for (Eigen::Index j = 0; j < colours.touched.cols(); ++j) {
    int colour = 0;
    while (colour < colours.count && (colours.taken.col(colour) && colours.touched.col(j)).any()) ++colour;
    colours.taken.col(colour) = colours.taken.col(colour) || colours.touched.col(j);
    colours.colour[size_t(j)] = colour;
    colours.count = std::max(colours.count, colour + 1);
  }
}

void MotionTangent::take(Mat& out, Colours& colours, bool by_q) {
  const Eigen::Index columns = out.cols();
  const auto unit = [&](Eigen::Index j) { return by_q ? unit_q(j) : unit_v(j); };
  Vec& direction = by_q ? dq_ : dv_;
  if (columns > kFew && colours.count > 0 && colours.count + 1 < columns) {  // (3)
    for (int colour = 0; colour < colours.count; ++colour) {
      for (Eigen::Index j = 0; j < columns; ++j)
        direction[j] = colours.colour[size_t(j)] == colour ? unit(j) : 0;
      along(dq_, dv_, check_);
      for (Eigen::Index j = 0; j < columns; ++j)
        if (colours.colour[size_t(j)] == colour)
          out.col(j) = colours.touched.col(j).select(check_.array() / unit(j), 0).matrix();
    }
    for (Eigen::Index j = 0; j < columns; ++j) direction[j] = (1.1 + std::sin(double(j))) * unit(j);
    along(dq_, dv_, check_);
    const double dynamics = max_abs(check_.head(nv_)), rows = max_abs(check_.tail(m_));
    check_.noalias() -= out * direction;
    direction.setZero();
    if (max_abs(check_.head(nv_)) <= kDisagree * dynamics + kNoise * max_abs(terms_.f) &&
        max_abs(check_.tail(m_)) <= kDisagree * rows + kNoise * max_abs(terms_.gamma))
      return;
  }
  one_by_one(out, by_q);
  if (columns <= kFew) return;
  colours.touched = colours.touched || out.array() != 0;
  find_colours(colours);
}

void MotionTangent::keep(Memory& memory) {
  keep(memory, by_q_);
  keep(memory, by_v_);
}

void MotionTangent::keep(Memory& memory, Colours& colours) {
  bool is_known = colours.count > 0;
  memory(is_known);
  if (!is_known) return;
  std::vector<int> entries;
  for (int e = 0; e < colours.touched.size(); ++e)
    if (colours.touched.data()[e]) entries.push_back(e);
  memory.list(entries, static_cast<int>(colours.touched.size()) - 1);
  if (!memory.reads() || !memory.is_good()) return;
  colours.touched.setConstant(false);
  for (const int e : entries) colours.touched.data()[e] = true;
  find_colours(colours);
}

}  // namespace driftless
