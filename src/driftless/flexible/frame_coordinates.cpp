#include "driftless/flexible/frame_coordinates.hpp"

#include <algorithm>

#include <Eigen/LU>

#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace {

template <int D>
Mat mean_axis_rows(const Invariants<D>& all) {  // (1)
  Mat rows(D == 2 ? 3 : 6, all.size());
  rows.topRows(D) = all.S;
  if constexpr (D == 2) {
    rows.row(2) = (all.P1[0][1] - all.P1[1][0]).transpose();
  } else {
    for (size_t i = 0; i < 3; ++i) {
      const size_t a = (i + 1) % 3, b = (i + 2) % 3;
      rows.row(3 + Eigen::Index(i)) = (all.P1[a][b] - all.P1[b][a]).transpose();
    }
  }
  return rows;
}

template <int D>
std::vector<int> left_out_of(FlexibleSpec::Frame frame, int a, int b) {
  constexpr int k = BeamElement<D>::kNode;
  std::vector<int> out;
  if (frame == FlexibleSpec::Frame::clamped_free)
    for (int i = 0; i < k; ++i) out.push_back(k * a + i);
  else if (D == 2)
    out = {k * a, k * a + 1, k * b + 1};
  else
    out = {k * a, k * a + 1, k * a + 2, k * a + 3, k * b + 1, k * b + 2};
  return out;
}

}  // namespace

template <int D>
FrameCoordinates frame_coordinates(
    const Invariants<D>& free, FlexibleSpec::Frame frame, int a, int b, double length) {
  constexpr int k = BeamElement<D>::kNode;
  const int n = free.size();
  const bool mean = frame == FlexibleSpec::Frame::mean_axis;
  Mat rows;
  std::vector<int> out;
  if (mean) {
    rows = mean_axis_rows<D>(free);
    Mat scaled = rows;
    for (int i = 0; i < n; ++i)
      if (i % k >= D) scaled.col(i) *= 1 / length;
    out = pivot_columns(scaled);
    out.resize(size_t(rows.rows()));
  } else {
    out = left_out_of<D>(frame, a, b);
  }
  FrameCoordinates coordinates;
  std::vector<int>& kept = coordinates.kept;
  for (int i = 0; i < n; ++i)
    if (std::find(out.begin(), out.end(), i) == out.end()) kept.push_back(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t j = 0; j < kept.size(); ++j) entries.emplace_back(kept[j], static_cast<int>(j), 1.0);
  if (mean) {
    const Mat dependent = -Mat(rows(Eigen::all, out)).fullPivLu().solve(Mat(rows(Eigen::all, kept)));
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t j = 0; j < kept.size(); ++j)
        entries.emplace_back(out[i], static_cast<int>(j), dependent(Eigen::Index(i), Eigen::Index(j)));
  }
  coordinates.Z = SparseRows(n, static_cast<int>(kept.size()));
  coordinates.Z.setFromTriplets(entries.begin(), entries.end());
  return coordinates;
}

template FrameCoordinates frame_coordinates<2>(const Invariants<2>&, FlexibleSpec::Frame, int, int, double);
template FrameCoordinates frame_coordinates<3>(const Invariants<3>&, FlexibleSpec::Frame, int, int, double);

}  // namespace driftless
