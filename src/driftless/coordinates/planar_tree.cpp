#include "driftless/coordinates/planar_tree.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

double cross(const Planar<double>& a, const Planar<double>& b) { return a.x * b.y - a.y * b.x; }

}  // namespace

PlanarTree::PlanarTree(const SpanningTree& tree,
                       const std::vector<std::string>& joint_names,
                       const std::vector<std::optional<PlanarMobility>>& mobilities,
                       const PlanarParts& parts)
    : ground_(static_cast<int>(parts.masses.size())), last_(parts.masses.size() + 1, -1) {
  for (const auto& link : tree.links) {
    if (link.joint < 0)
      add_base(link.body, parts);
    else
      add_link(link, joint_names[size_t(link.joint)], *mobilities[size_t(link.joint)], parts);
  }
  std::vector<double> composite = parts.masses;
  composite.push_back(0);
  for (size_t i = links_.size(); i-- > 0;) {
    links_[i].composite_mass = composite[size_t(links_[i].body)];
    composite[size_t(links_[i].inboard)] += links_[i].composite_mass;
  }
  for (const auto& coordinate : coordinates_) signs_.push_back(coordinate.sign);
  list_pairs(composite);
}

int PlanarTree::add_coordinate(PlanarTreeCoordinate coordinate) {
  const int index = static_cast<int>(coordinates_.size());
  int& last = last_[size_t(coordinate.body)];
  coordinate.path = {index};
  if (last >= 0) {
    const auto& inboard = coordinates_[size_t(last)].path;
    coordinate.path.insert(coordinate.path.end(), inboard.begin(), inboard.end());
  }
  last = index;
  coordinates_.push_back(std::move(coordinate));
  return index;
}

void PlanarTree::add_base(int body, const PlanarParts& parts) {
  const std::string& name = parts.body_names[size_t(body)];
  Link link;
  link.body = body;
  link.inboard = ground_;
  link.motion = Motion::floats;
  using Kind = PlanarTreeCoordinate::Kind;
  link.slide =
      add_coordinate({.name = name + ".x", .rate_name = name + ".vx", .body = body, .kind = Kind::base});
  add_coordinate({.name = name + ".y", .rate_name = name + ".vy", .body = body, .kind = Kind::base});
  link.turn = add_coordinate(
      {.name = name + ".theta", .rate_name = name + ".omega", .body = body, .kind = Kind::turn});
  link.mass = parts.masses[size_t(body)];
  link.inertia = parts.inertias[size_t(body)];
  links_.push_back(link);
  joints_.emplace_back();
}

void PlanarTree::add_link(const SpanningTree::Link& edge,
                          const std::string& name,
                          const PlanarMobility& mobility,
                          const PlanarParts& parts) {
  Link link;
  link.body = edge.body;
  link.inboard = edge.inboard;
  link.motion = mobility.slides && mobility.turns ? Motion::slides_and_turns
                : mobility.slides                 ? Motion::slides
                : mobility.turns                  ? Motion::turns
                                                  : Motion::fixed;
  link.reversed = edge.reversed;
  link.sign = edge.reversed ? -1 : 1;
  link.inner = edge.reversed ? mobility.b.at : mobility.a.at;
  link.outer = edge.reversed ? mobility.a.at : mobility.b.at;
  link.axis = mobility.axis;
  link.angle = link.sign * mobility.angle;
  link.cosine = std::cos(link.angle);
  link.sine = std::sin(link.angle);
  link.mass = parts.masses[size_t(edge.body)];
  link.inertia = parts.inertias[size_t(edge.body)];
  last_[size_t(edge.body)] = last_[size_t(edge.inboard)];
  if (mobility.slides)
    link.slide = add_coordinate({.name = name + ".displacement",
                                 .rate_name = name + ".displacement_rate",
                                 .body = edge.body,
                                 .kind = PlanarTreeCoordinate::Kind::slide,
                                 .sign = link.sign});
  if (mobility.turns)
    link.turn = add_coordinate({.name = name + ".angle",
                                .rate_name = name + ".angle_rate",
                                .body = edge.body,
                                .kind = PlanarTreeCoordinate::Kind::turn,
                                .sign = link.sign});
  links_.push_back(link);
  joints_.push_back(mobility);
}

void PlanarTree::list_pairs(const std::vector<double>& composite_masses) {
  const int n = static_cast<int>(coordinates_.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (const int j : coordinates_[size_t(i)].path) {
      entries.emplace_back(i, j, 0.0);
      if (j != i) entries.emplace_back(j, i, 0.0);
    }
  pattern_.resize(n, n);
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();
  const auto slot = [&](int i, int j) {
    return static_cast<int>(&pattern_.coeffRef(i, j) - pattern_.valuePtr());
  };
  for (int i = 0; i < n; ++i) {
    const auto& own = coordinates_[size_t(i)];
    Row row{own.body, own.turns(), composite_masses[size_t(own.body)], static_cast<int>(pairs_.size()), 0, 0};
    for (const bool turns : {true, false}) {
      if (!turns) row.slides = static_cast<int>(pairs_.size());
      for (const int j : own.path)
        if (coordinates_[size_t(j)].turns() == turns) pairs_.push_back({j, slot(i, j), slot(j, i)});
    }
    row.end = static_cast<int>(pairs_.size());
    rows_.push_back(row);
  }
}

const std::vector<int>& PlanarTree::path(int body) const {
  static const std::vector<int> none;
  const int last = last_[size_t(body)];
  return last < 0 ? none : coordinates_[size_t(last)].path;
}

PlanarTreeScratch PlanarTree::make_scratch() const {
  const auto bodies = size_t(ground_) + 1;
  return {std::vector<Planar<double>>(coordinates_.size()), std::vector<Planar<double>>(bodies),
          std::vector<PlanarTreeScratch::Composite>(bodies)};
}

SparseRows PlanarTree::pattern() const { return pattern_; }

void PlanarTree::move(const double* v,
                      const PlanarFrame<double>* frames,
                      PlanarVelocity* velocities,
                      PlanarTreeScratch& scratch) const {
  for (const Link& link : links_) {
    const PlanarVelocity& in = velocities[link.inboard];
    PlanarVelocity& out = velocities[link.body];
    const auto &r_in = frames[link.inboard].r, &r = frames[link.body].r;
    const auto& b_in = scratch.biases[size_t(link.inboard)];
    auto& b = scratch.biases[size_t(link.body)];
    const double square_in = in.omega * in.omega;
    switch (link.motion) {
      case Motion::floats:
        out = {{v[link.slide], v[link.slide + 1]}, v[link.turn]};
        b = {0, 0};
        break;
      case Motion::fixed:
        out = {in.r + (r - r_in).perp() * in.omega, in.omega};
        b = b_in - (r - r_in) * square_in;
        break;
      case Motion::slides: {
        const auto& w = scratch.axes[size_t(link.slide)];
        const double rate = v[link.slide];
        out = {in.r + (r - r_in).perp() * in.omega + w * rate, in.omega};
        b = b_in - (r - r_in) * square_in + w.perp() * (2 * in.omega * rate);
        break;
      }
      case Motion::turns:
      case Motion::slides_and_turns: {
        const auto& p = scratch.axes[size_t(link.turn)];
        const double omega = in.omega + link.sign * v[link.turn];
        out = {in.r + (p - r_in).perp() * in.omega + (r - p).perp() * omega, omega};  // (3)
        b = b_in - (p - r_in) * square_in - (r - p) * (omega * omega);                // (4)
        if (link.motion == Motion::turns) break;
        const auto& w = scratch.axes[size_t(link.slide)];
        const double rate = v[link.slide];
        out.r = out.r + w * rate;
        b = b + w.perp() * (2 * (link.reversed ? omega : in.omega) * rate);
        break;
      }
    }
  }
}

void PlanarTree::transform(const double* rates,
                           const PlanarFrame<double>* frames,
                           const PlanarTreeScratch& scratch,
                           PlanarVelocity* out) const {
  for (const Link& link : links_) {
    const PlanarVelocity& in = out[link.inboard];
    PlanarVelocity& own = out[link.body];
    if (link.motion == Motion::floats) {
      own = {{rates[link.slide], rates[link.slide + 1]}, rates[link.turn]};
      continue;
    }
    const auto& r = frames[link.body].r;
    const auto& p = link.turn >= 0 ? scratch.axes[size_t(link.turn)] : r;
    const double omega = in.omega + (link.turn >= 0 ? link.sign * rates[link.turn] : 0);
    own = {in.r + (p - frames[link.inboard].r).perp() * in.omega + (r - p).perp() * omega, omega};  // (3)
    if (link.slide >= 0) own.r = own.r + scratch.axes[size_t(link.slide)] * rates[link.slide];
  }
}

void PlanarTree::gather(const PlanarFrame<double>* frames, Resultant* on) const {
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    if (link->inboard == ground_) continue;
    const Resultant& own = on[link->body];
    Resultant& inboard = on[link->inboard];
    const auto shift = frames[link->body].r - frames[link->inboard].r;
    inboard[0] += own[0];
    inboard[1] += own[1];
    inboard[2] += own[2] + cross(shift, {own[0], own[1]});
  }
}

void PlanarTree::mass(const PlanarFrame<double>* frames, PlanarTreeScratch& scratch, double* values) const {
  auto* composites = scratch.composites.data();
  for (const Link& link : links_) composites[link.body] = {{0, 0}, link.inertia};
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    if (link->inboard == ground_) continue;
    const auto& own = composites[link->body];
    auto& inboard = composites[link->inboard];
    const auto shift = frames[link->body].r - frames[link->inboard].r;
    const auto moment = shift * link->composite_mass;
    inboard.h = inboard.h + own.h + moment;
    inboard.I += own.I + shift.dot(moment + own.h * 2);
  }
  const double* signs = signs_.data();
  const auto* axes = scratch.axes.data();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const auto& own = composites[row.body];
    const auto& r = frames[row.body].r;
    Planar<double> P;
    double L;
    if (row.turns) {  // (7)
      const auto arm = r - axes[i];
      P = (arm * row.mass + own.h).perp() * signs[i];
      L = (own.I + own.h.dot(arm)) * signs[i];
    } else {
      P = axes[i] * row.mass;
      L = cross(own.h, axes[i]);
    }
    for (int k = row.pairs; k < row.slides; ++k) {  // (6)
      const Pair& pair = pairs_[size_t(k)];
      values[pair.slot] = values[pair.mirror] = signs[pair.other] * (L + cross(r - axes[pair.other], P));
    }
    for (int k = row.slides; k < row.end; ++k) {
      const Pair& pair = pairs_[size_t(k)];
      values[pair.slot] = values[pair.mirror] = axes[pair.other].dot(P);
    }
  }
}

void PlanarTree::project(const PlanarFrame<double>* frames,
                         const PlanarTreeScratch& scratch,
                         Resultant* resultants,
                         double* f) const {
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    const auto& b = scratch.biases[size_t(link->body)];
    const auto& r = frames[link->body].r;
    const Resultant& on = resultants[link->body];
    const Planar<double> F{on[0] - link->mass * b.x, on[1] - link->mass * b.y};
    const double torque = on[2];
    switch (link->motion) {  // (6)
      case Motion::slides_and_turns:
        f[link->slide] = scratch.axes[size_t(link->slide)].dot(F);
        [[fallthrough]];
      case Motion::turns:
        f[link->turn] = link->sign * (torque + cross(r - scratch.axes[size_t(link->turn)], F));
        break;
      case Motion::slides:
        f[link->slide] = scratch.axes[size_t(link->slide)].dot(F);
        break;
      case Motion::floats:
        f[link->slide] = F.x;
        f[link->slide + 1] = F.y;
        f[link->turn] = torque;
        break;
      case Motion::fixed:
        break;
    }
    if (link->inboard == ground_) continue;
    Resultant& inboard = resultants[link->inboard];
    inboard[0] += F.x;
    inboard[1] += F.y;
    inboard[2] += torque + cross(r - frames[link->inboard].r, F);
  }
}

State PlanarTree::read_off(const PlanarView& view) const {
  const auto n = static_cast<Eigen::Index>(coordinates_.size());
  State state{view.t, Vec(n), Vec(n)};
  for (size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.motion == Motion::floats) {
      const auto& frame = view.frames[link.body];
      const auto& velocity = view.velocities[link.body];
      state.q.segment<2>(link.slide) = Vec2(frame.r.x, frame.r.y);
      state.v.segment<2>(link.slide) = Vec2(velocity.r.x, velocity.r.y);
      state.q[link.turn] = frame.theta;
      state.v[link.turn] = velocity.omega;
      continue;
    }
    const PointOn &a = joints_[i].a, &b = joints_[i].b;
    const PlanarFrame<double>& A = view.frames[a.body];
    const double omega = view.velocities[a.body].omega;
    if (link.turn >= 0) {
      state.q[link.turn] = view.frames[b.body].theta - A.theta;
      state.v[link.turn] = view.velocities[b.body].omega - omega;
    }
    if (link.slide >= 0) {
      const auto u = A.turn(joints_[i].axis), d = view.place(b) - view.place(a);
      state.q[link.slide] = u.dot(d);
      state.v[link.slide] = u.dot(view.velocity(b) - view.velocity(a)) + omega * u.perp().dot(d);
    }
  }
  return state;
}

}  // namespace driftless
