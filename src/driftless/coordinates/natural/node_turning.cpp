#include "driftless/coordinates/natural/node_turning.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr int kHanging = 4;  // nodes one after the other up to which (4) is taken for sparse

template <class Terms>
Vec3 sum(const Terms& terms, ConstVec x) {
  Vec3 out = Vec3::Zero();
  for (const auto& [node, factor] : terms) out += factor * x.segment<3>(3 * node);
  return out;
}

// The orthogonal factor of a matrix that is nearly one itself, by Newton and Schulz; smooth, as right sides have to be.
Mat3 rotation_near(Mat3 A) {
  for (int i = 0; i < 4; ++i) A = A * (1.5 * Mat3::Identity() - 0.5 * A.transpose() * A);
  return A;
}

}  // namespace

NodeTurning::NodeTurning(const NaturalBasis<3>& basis, int bodies) {
  for (int b = 0; b < bodies; ++b) {
    auto& axes = axes_of_.emplace_back();
    for (int k = 0; k < 3; ++k) axes[size_t(k)] = basis.express({MarkerKind::direction, b, Vec3::Unit(k)});
  }
  const auto& nodes = basis.nodes();
  std::vector<int> waiting;
  std::vector<bool> ready(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) {
    const Marker<3>& marker = nodes[n].marker;
    const auto& origin = basis.body(marker.body).point.terms;
    if (marker.kind == MarkerKind::direction) {
      turned_.push_back({static_cast<int>(n), marker.body, marker.at, {}, Vec3::Zero()});
      ready[n] = true;
    } else if (std::ranges::any_of(origin, [&](const auto& term) { return term.node == int(n); })) {
      ready[n] = true;  // P itself
    } else {
      waiting.push_back(static_cast<int>(n));
    }
  }
  while (!waiting.empty()) {
    const auto can = std::ranges::find_if(waiting, [&](int n) {
      return std::ranges::all_of(basis.body(nodes[size_t(n)].marker.body).point.terms,
                                 [&](const auto& term) { return ready[size_t(term.node)]; });
    });
    const auto next = can == waiting.end() ? waiting.begin() : can;  // a circle: this one stays
    const int body = nodes[size_t(*next)].marker.body;
    if (can != waiting.end()) {
      const BodyBasis<3>& base = basis.body(body);
      const Vec3 arm = nodes[size_t(*next)].marker.at - base.at;
      turned_.push_back({*next, body, arm, base.point.terms, base.point.constant});
    }
    ready[size_t(*next)] = true;
    waiting.erase(next);
  }
  place_.assign(nodes.size(), -1);
  for (size_t i = 0; i < turned_.size(); ++i) place_[size_t(turned_[i].node)] = static_cast<int>(i);
  for (const Turned& turned : turned_) {
    int count = 0;
    follow(turned.node, 1, [&](const Turned&, double) { return ++count <= kHanging; });
    is_sparse_ = is_sparse_ && count <= kHanging;
  }
}

template <class Visit>
void NodeTurning::follow(int node, double factor, Visit&& visit) const {
  if (place_[size_t(node)] < 0) return;
  const Turned& turned = turned_[size_t(place_[size_t(node)])];
  if (!visit(turned, factor)) return;
  for (const auto& [origin, weight] : turned.origin) follow(origin, factor * weight, visit);
}

Mat3 NodeTurning::axes(ConstVec q, int body, bool with_constants) const {
  Mat3 A;
  for (int k = 0; k < 3; ++k) {
    const Combination<3>& axis = axes_of_[size_t(body)][size_t(k)];
    A.col(k) = sum(axis.terms, q);
    if (with_constants) A.col(k) += axis.constant;
  }
  return A;
}

void NodeTurning::put_in_shape(VecRef q) const {
  int last = -1;
  Mat3 R = Mat3::Identity();
  for (const Turned& turned : turned_) {
    if (turned.body != last) R = rotation_near(axes(q, last = turned.body, true));
    q.segment<3>(3 * turned.node) = turned.rest + sum(turned.origin, q) + R * turned.arm;
  }
}

void NodeTurning::to_space(ConstVec q, ConstVec u, VecRef v) const {
  v = u;
  int last = -1;
  Mat3 A = Mat3::Identity();
  for (const Turned& turned : turned_) {
    if (turned.body != last) A = axes(q, last = turned.body, true);
    v.segment<3>(3 * turned.node) = sum(turned.origin, v) + A * u.segment<3>(3 * turned.node);
  }
}

void NodeTurning::to_body(ConstVec q, ConstVec v, VecRef u) const {
  u = v;
  int last = -1;
  Mat3 inverse = Mat3::Identity();
  for (const Turned& turned : turned_) {
    if (turned.body != last) inverse = axes(q, last = turned.body, true).inverse();
    u.segment<3>(3 * turned.node) = inverse * (v.segment<3>(3 * turned.node) - sum(turned.origin, v));
  }
}

void NodeTurning::to_body_acceleration(ConstVec q, ConstVec qdot, ConstVec v, VecRef a) const {
  const Vec in_space = a;
  int last = -1;
  Mat3 inverse = Mat3::Identity(), rate = Mat3::Zero();
  for (const Turned& turned : turned_) {
    if (turned.body != last) {
      inverse = axes(q, last = turned.body, true).inverse();
      rate = axes(qdot, last, false);
    }
    const int at = 3 * turned.node;
    const Vec3 u = inverse * (v.segment<3>(at) - sum(turned.origin, v));
    a.segment<3>(at) = inverse * (in_space.segment<3>(at) - sum(turned.origin, in_space) - rate * u);
  }
}

void NodeTurning::tangents(ConstVec q, ConstVec v, ConstVec u, ConstVec u_dot, TurningTangents& out) const {
  // `add(W, row, turned, factor)` for every node that counts for a row.
  const auto fill = [&](SparseAssembly<double>& sum, auto&& add) {
    sum.assemble([&](SparseAssembly<double>& W) {
      for (const Turned& row : turned_)
        follow(row.node, 1, [&](const Turned& turned, double factor) {
          add(W, 3 * row.node, turned, factor);
          return true;
        });
    });
  };
  const auto add_block = [](SparseAssembly<double>& W, int row, int node, const Mat3& block) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) W.add(3 * node + j, row + i, block(i, j));
  };
  const auto Y = [&](int body) { return Mat3(axes(v, body, false) * axes(q, body, true).inverse()); };
  const auto by_axes = [&](SparseAssembly<double>& W, int row, const Turned& turned, auto&& of) {
    for (int k = 0; k < 3; ++k)
      for (const auto& [node, weight] : axes_of_[size_t(turned.body)][size_t(k)].terms)
        add_block(W, row, node, weight * of(k));
  };
  out.D.assemble([&](SparseAssembly<double>& W) {
    for (const Turned& turned : turned_) {
      const Mat3 R = axes(q, turned.body, true);
      const Vec3 arm = R * turned.arm;
      add_block(W, 3 * turned.node, turned.node, -Mat3::Identity());
      for (const auto& [node, weight] : turned.origin)
        add_block(W, 3 * turned.node, node, weight * Mat3::Identity());
      by_axes(W, 3 * turned.node, turned, [&](int k) {
        return Mat3(0.5 * (turned.arm[k] * Mat3::Identity() - R.col(k) * arm.transpose()));  // (5)
      });
    }
  });
  fill(out.T, [&](SparseAssembly<double>& W, int row, const Turned& turned, double factor) {
    by_axes(W, row, turned, [&](int k) { return Mat3(factor * u[3 * turned.node + k] * Mat3::Identity()); });
  });
  fill(out.X_v, [&](SparseAssembly<double>& W, int row, const Turned& turned, double factor) {
    const Mat3 rate = factor * Y(turned.body);
    add_block(W, row, turned.node, rate);
    for (const auto& [node, weight] : turned.origin) add_block(W, row, node, -weight * rate);
  });
  fill(out.X_q, [&](SparseAssembly<double>& W, int row, const Turned& turned, double factor) {
    const Mat3 rate = Y(turned.body);
    by_axes(W, row, turned, [&](int k) {
      const int at = 3 * turned.node + k;
      return Mat3(factor * (u_dot[at] * Mat3::Identity() - u[at] * rate));
    });
  });
}

}  // namespace driftless
