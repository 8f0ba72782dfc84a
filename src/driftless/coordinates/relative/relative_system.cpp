#include "driftless/coordinates/relative/relative_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/coordinates/relative/solvers/articulated_solver.hpp"
#include "driftless/coordinates/relative/solvers/link_solver.hpp"

namespace driftless {

using Kind = LinkKind;
using markers::Unmoved;

namespace {

template <int D>
RelativeWork<D>& work_of(Terms& terms) {
  return static_cast<RelativeWork<D>&>(*terms.scratch);
}

bool slides(Kind kind) { return kind == Kind::slide; }

// What a turn, a screw or a ball adds to a row that sees a marker by n: (2). `arm`: from the axis, of a direction itself.
[[gnu::always_inline]] inline void add_turn(const TreeLink& link,
                                            const Vec2& arm,
                                            const Vec2&,
                                            const TreeWork<2>&,
                                            const Vec2& n,
                                            bool,
                                            double* value) {
  *value += link.sign * (arm[0] * n[1] - arm[1] * n[0]);
}
inline void add_turn(const TreeLink& link,
                     const Vec3& arm,
                     const Vec3& u,
                     const TreeWork<3>& work,
                     const Vec3& n,
                     bool is_point,
                     double* value) {
  const Vec3 moment = arm.cross(n);
  if (link.kind == Kind::ball)
    Eigen::Map<Vec3>{value} += work.balls[size_t(link.ball)].transpose() * moment;
  else
    *value += u.dot(moment);
  if (link.kind == Kind::screw && is_point) *value += link.pitch * u.dot(n);
}

Pose pose_at(const FrameOf<double, 2>& frame) {
  return {Vec3(frame.r.x(), frame.r.y(), 0),
          Eigen::Vector4d(std::cos(frame.theta / 2), 0, 0, std::sin(frame.theta / 2))};
}
Pose pose_at(const FrameOf<double, 3>& frame) { return {frame.r, quaternion_of_matrix(frame.R)}; }

}  // namespace

template <int D>
RelativeWork<D> RelativeSystem<D>::make_work() const {
  RelativeWork<D> work;
  work.bodies = parts_.make_work();
  work.bodies.frames.resize(size_t(tree_.slots()));
  work.bodies.twists.resize(size_t(tree_.slots()));
  work.bodies.wrenches.resize(size_t(tree_.slots()));
  work.tree = tree_.make_work();
  if (composite_) work.composite = composite_->make_work();
  work.accelerations.resize(size_t(tree_.slots()));
  return work;
}

template <int D>
std::unique_ptr<Scratch> RelativeSystem<D>::make_scratch() const {
  return std::make_unique<RelativeWork<D>>(make_work());
}

// ---- layout ---------------------------------------------------------------------------------------------------------

template <int D>
RelativeSystem<D>::RelativeSystem(Parts<D> parts, std::shared_ptr<const Tree<D>> tree, Path path)
    : PartsSystem<D>(Layout{}, std::move(parts), D == 2),  // in the plane angles count turns
      shared_tree_(std::move(tree)),
      tree_(*shared_tree_),
      switched_(static_cast<int>(parts_.switches.size())) {
  if constexpr (D == 3)
    for (const Scalar& scalar : parts_.scalars) {
      const Tree<3>::Match match = tree_.find(scalar.kind, scalar.a, scalar.b);
      if (match.q >= 0)
        sources_.push_back({match.q, match.v, match.factor});
      else
        sources_.push_back({tree_.nq() + massless_, tree_.nv() + massless_, 1});
      massless_ += match.q < 0;
    }
  const auto reached = reach();
  const bool forms =
      path == Path::composite || massless_ > 0 || (path == Path::automatic && tree_.nv() < kArticulatedFrom);
  if (forms) composite_.emplace(tree_, massless_);
  layout_ = make_layout(reached);
  check_layout(layout_);
  list_columns(reached);
  by_links_ = !forms && switched_.empty() &&
              (path == Path::links || (path == Path::automatic && loop_products(tree_, layout_.J) >
                                                                      kMostProducts * double(tree_.links())));
}

// The links each vector pair of the rows reaches, in the plane each scalar pair, too.
template <int D>
std::vector<std::vector<int>> RelativeSystem<D>::reach() const {
  const size_t vectors = parts_.rows.vector_pairs().size();
  std::vector<std::vector<int>> reached(vectors + (D == 2 ? parts_.rows.scalar_pairs().size() : 0));
  struct End {
    int link;
    bool point;
  };
  // How many ends of a block a link moves; a link that moves all of them is a common ancestor.
  std::vector<int> moved(size_t(tree_.links()) + 1), of_block(size_t(tree_.links()) + 1, -1);
  std::vector<End> ends;
  int blocks = 0;
  parts_.rows.for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    ends.clear();
    for (const int of : placed.block.x) {
      const Marker<D>& marker = parts_.markers[size_t(of)];
      ends.push_back({tree_.link_of(marker.body), marker.kind == MarkerKind::point});
    }
    bool turned_together = Block::unmoved == Unmoved::always;  // leaves the rows as they are
    if constexpr (D == 2) {
      for (const int of : placed.block.s)
        ends.push_back({tree_.link_of(parts_.scalars[size_t(of)].b.origin.body), false});
      if constexpr (requires { placed.block.c; })  // it adds Σ c
        turned_together =
            turned_together && std::accumulate(placed.block.c.begin(), placed.block.c.end(), 0.0) == 0;
    }
    const bool shifted_together = Block::unmoved != Unmoved::never;
    for (const End& end : ends)
      for (int i = end.link; i > 0; i = tree_.link(i).parent) {
        if (of_block[size_t(i)] != blocks) moved[size_t(i)] = 0;
        of_block[size_t(i)] = blocks;
        ++moved[size_t(i)];
      }
    ++blocks;
    for (size_t e = 0; e < ends.size(); ++e) {
      std::vector<int> list;
      for (int i = ends[e].link; i > 0; i = tree_.link(i).parent) {
        const bool shifts = slides(tree_.link(i).kind);
        const bool together = moved[size_t(i)] == static_cast<int>(ends.size());
        if (together && (shifts ? shifted_together : turned_together)) continue;
        if (ends[e].point || !shifts) list.push_back(i);
      }
      const bool vector = e < size_t(Block::vectors);
      for (size_t r = 0; r < size_t(Block::rows); ++r)
        reached[vector ? size_t(placed.vector_pair) + r * Block::vectors + e
                       : vectors + size_t(placed.scalar_pair) + r * Block::scalars + e - Block::vectors] =
            list;
    }
  });
  return reached;
}

template <int D>
Layout RelativeSystem<D>::make_layout(const std::vector<std::vector<int>>& reached) const {
  Layout layout;
  layout.nq = tree_.nq() + massless_;
  layout.nv = tree_.nv() + massless_;
  layout.mh = parts_.rows.holonomic_rows();
  layout.m = parts_.rows.rows();
  layout.length = parts_.length;
  layout.mass = std::accumulate(parts_.masses.begin(), parts_.masses.end(), 0.0);
  layout.row_names = parts_.rows.names();
  layout.row_units.assign(size_t(layout.mh), "m");
  layout.row_units.resize(size_t(layout.m), "m/s");
  name_coordinates(layout);

  std::vector<Eigen::Triplet<double>> entries;
  for (size_t k = 0; k < reached.size(); ++k)
    for (const int i : reached[k])
      for (int c = 0; c < Tree<D>::width(tree_.link(i).kind); ++c)
        entries.emplace_back(row_of_pair(k), tree_.link(i).v + c, 0.0);
  if constexpr (D == 3)
    for (const auto& pair : parts_.rows.scalar_pairs())
      entries.emplace_back(pair.row, sources_[size_t(pair.of)].v, 0.0);
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  layout.mass_is_implicit = !composite_;
  if (composite_) {
    layout.M = composite_->pattern();
  } else {
    layout.M.resize(layout.nv, layout.nv);
    layout.M.setIdentity();
    layout.M.coeffs().setZero();
  }
  return layout;
}

template <int D>
void RelativeSystem<D>::name_coordinates(Layout& layout) const {
  layout.q_names = tree_.q_names();
  layout.v_names = tree_.v_names();
  layout.q_units.assign(size_t(tree_.nq()), "rad");
  layout.v_units.assign(size_t(tree_.nv()), "rad/s");
  layout.q_scale = Vec::Ones(layout.nq);
  layout.v_scale = Vec::Ones(layout.nv);
  for (int i = 1; i <= tree_.links(); ++i) {
    const TreeLink& link = tree_.link(i);
    if (slides(link.kind)) {
      layout.q_units[size_t(link.q)] = "m";
      layout.v_units[size_t(link.v)] = "m/s";
      layout.q_scale[link.q] = layout.v_scale[link.v] = parts_.length;
    }
    if (link.kind == Kind::ball) {
      std::fill_n(layout.q_units.begin() + link.q, 4, "");
      std::fill_n(layout.v_units.begin() + link.v, 3, "rad/s (axes of the second frame)");  // B, tree.hpp
    }
  }
  for (size_t k = 0; k < sources_.size(); ++k) {
    if (sources_[k].q < tree_.nq()) continue;
    const ScalarOf<D>& scalar = parts_.scalars[k];
    const bool is_length = scalar.kind != ScalarOf<D>::Kind::angle;
    layout.q_names.push_back(scalar.name);
    layout.v_names.push_back(scalar.name + "_rate");
    layout.q_units.emplace_back(is_length ? "m" : "rad");
    layout.v_units.emplace_back(is_length ? "m/s" : "rad/s");
    if (is_length) layout.q_scale[sources_[k].q] = layout.v_scale[sources_[k].v] = parts_.length;
  }
}

template <int D>
void RelativeSystem<D>::list_columns(const std::vector<std::vector<int>>& reached) {
  const auto slot = [&](int row, int column) {
    return static_cast<int>(&layout_.J.coeffRef(row, column) - layout_.J.valuePtr());
  };
  for (size_t k = 0; k < reached.size(); ++k) {
    Columns& own = spread_.emplace_back();
    own.turns = static_cast<int>(columns_.size());
    for (const bool slide : {false, true}) {
      if (slide) own.slides = static_cast<int>(columns_.size());
      for (const int i : reached[k])
        if (slides(tree_.link(i).kind) == slide)
          columns_.push_back({i, slot(row_of_pair(k), tree_.link(i).v)});
    }
    own.end = static_cast<int>(columns_.size());
  }
  if constexpr (D == 3)
    for (const auto& pair : parts_.rows.scalar_pairs())
      scalar_slots_.push_back(slot(pair.row, sources_[size_t(pair.of)].v));
}

// ---- stages ---------------------------------------------------------------------------------------------------------

template <int D>
void RelativeSystem<D>::place(ConstVec q, RelativeWork<D>& work) const {
  tree_.place(q.data(), work.bodies.frames.data(), work.tree);
  if constexpr (D == 2) {
    for (size_t k = 0; k < parts_.scalars.size(); ++k)
      work.bodies.s[k] = work.bodies.frames[size_t(parts_.scalars[k].b.origin.body)].theta;
  } else {
    for (size_t k = 0; k < sources_.size(); ++k) work.bodies.s[k] = sources_[k].factor * q[sources_[k].q];
  }
  parts_.place_markers(work.bodies);
}

template <int D>
void RelativeSystem<D>::move(ConstVec v, RelativeWork<D>& work) const {
  tree_.move(v.data(), work.bodies.frames.data(), work.bodies.twists.data(), work.tree);
  if constexpr (D == 2) {
    for (size_t k = 0; k < parts_.scalars.size(); ++k)
      work.bodies.sdot[k] = work.bodies.twists[size_t(parts_.scalars[k].b.origin.body)].omega;
  } else {
    for (size_t k = 0; k < sources_.size(); ++k) work.bodies.sdot[k] = sources_[k].factor * v[sources_[k].v];
  }
}

template <int D>
void RelativeSystem<D>::position(double t, ConstVec q, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  place(q, work);
  WorkOf<D>& bodies = work.bodies;
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  const Columns* spread = spread_.data();
  const Column* columns = columns_.data();
  const auto* axes = work.tree.axes.data();
  parts_.rows.position(
      bodies.places(t), terms.g.data(), terms.nu.data(), bodies.dx.data(), bodies.ds.data(),
      [&](const auto& placed, const auto& gradient) {  // (2)
        using Block = std::decay_t<decltype(placed.block)>;
        for (size_t k = 0; k < Block::vectors; ++k) {
          const auto of = size_t(placed.block.x[k]);
          const bool is_point = parts_.markers[of].kind == MarkerKind::point;
          const VecOf<double, D>& x = bodies.x[of];
          const Columns& own = spread[placed.vector_pair + k];  // rows of a block have the same pattern
          const int stride = Block::rows > 1 ? row_length(placed.row) : 0;
          for (const Column* column = columns + own.turns; column < columns + own.slides; ++column) {
            const TreeLink& link = tree_.link(column->link);
            const auto& [p, u] = axes[column->link];
            VecOf<double, D> arm;
            if (is_point)
              for (int i = 0; i < D; ++i) arm[i] = x[i] - p[i];
            else
              put(x, arm);
            double* value = values + column->slot;
            for (size_t r = 0; r < Block::rows; ++r, value += stride)
              add_turn(link, arm, u, work.tree, gradient.x[r][k], is_point, value);
          }
          for (const Column* column = columns + own.slides; column < columns + own.end; ++column) {
            const VecOf<double, D>& u = axes[column->link].u;
            double* value = values + column->slot;
            for (size_t r = 0; r < Block::rows; ++r, value += stride) *value += u.dot(gradient.x[r][k]);
          }
        }
      });
  const auto& scalar_pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k) {
    if constexpr (D == 2) {
      const Columns& own = spread[parts_.rows.vector_pairs().size() + k];
      for (const Column* column = columns + own.turns; column < columns + own.slides; ++column)
        values[column->slot] += tree_.link(column->link).sign * bodies.ds[k];
    } else {
      values[scalar_slots_[k]] += sources_[size_t(scalar_pairs[k].of)].factor * bodies.ds[k];
    }
  }
  silence_positions(terms);
}

template <int D>
void RelativeSystem<D>::mass(double, ConstVec, Terms& terms) const {
  if (!composite_) return;
  RelativeWork<D>& work = work_of<D>(terms);
  double* values = terms.M.valuePtr();
  composite_->fill(work.bodies.frames.data(), work.tree, work.composite, values);
  std::fill(values + terms.M.nonZeros() - massless_, values + terms.M.nonZeros(), 0.0);
}

template <int D>
void RelativeSystem<D>::rows(double t, RelativeWork<D>& work, Terms& terms) const {
  if (layout_.m == 0) return;
  WorkOf<D>& bodies = work.bodies;
  const auto bias_of = [&](int of) {  // with the accelerations of the bodies at ż = 0
    const Marker<D>& marker = parts_.markers[size_t(of)];
    const TwistOf<double, D>& own = work.tree.biases[size_t(marker.body)];
    VecOf<double, D> bias = parts_.whirl(bodies, of);
    if (marker.kind == MarkerKind::point) bias += own.r;
    if constexpr (D == 3) bias += own.omega.cross(bodies.arm[size_t(of)]);
    return bias;
  };
  parts_.move_markers(bodies, bias_of);
  parts_.rows.gamma(bodies.moving(t), bias_of, bodies.bias.data(), bodies.dx.data(), terms.gamma.data());
  silence_biases(terms);
}

template <int D>
void RelativeSystem<D>::forces(double t, RelativeWork<D>& work, Terms& terms) const {
  WorkOf<D>& bodies = work.bodies;
  parts_.apply_forces(t, bodies);
  tree_.project(bodies.frames.data(), bodies.twists.data(), work.tree, bodies.wrenches.data(),
                terms.f.data());
  terms.f.tail(massless_).setZero();
  for (size_t k = 0; k < sources_.size(); ++k) terms.f[sources_[k].v] += sources_[k].factor * bodies.loads[k];
}

template <int D>
void RelativeSystem<D>::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  move(v, work);
  rows(t, work, terms);
}

template <int D>
void RelativeSystem<D>::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  move(v, work);
  forces(t, work, terms);
}

template <int D>
void RelativeSystem<D>::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  position(t, q, terms);
  mass(t, q, terms);
  move(v, work);
  rows(t, work, terms);
  forces(t, work, terms);
}

template <int D>
std::unique_ptr<MotionSolver> RelativeSystem<D>::make_solver() const {
  if (composite_) return DescriptorSystem::make_solver();
  if (by_links_) return std::make_unique<LinkSolver<D>>(*this);
  return std::make_unique<ArticulatedSolver<D>>(tree_, layout_, [](const Terms& terms) -> TreeStand<D> {
    const auto& work = static_cast<const RelativeWork<D>&>(*terms.scratch);
    return {work.bodies.frames.data(), work.tree};
  });
}

template <int D>
double RelativeSystem<D>::least_singular_value(const Terms& terms) const {
  return by_links_ ? LinkSolver<D>(*this).least_singular_value(terms) : 0;
}

// ---- the rest -------------------------------------------------------------------------------------------------------

template <int D>
void RelativeSystem<D>::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  if (tree_.balls().empty()) {  // every rate is that of its coordinate
    qdot = v;
    return;
  }
  tree_.rates(q.data(), v.data(), qdot.data());
  qdot.tail(massless_) = v.tail(massless_);
}

template <int D>
void RelativeSystem<D>::retract(VecRef q, ConstVec delta) const {
  tree_.retract(q.data(), delta.data());
  q.tail(massless_) += delta.tail(massless_);
}

template <int D>
void RelativeSystem<D>::difference(ConstVec from, ConstVec to, VecRef delta) const {
  tree_.difference(from.data(), to.data(), delta.data());
  delta.tail(massless_) = to.tail(massless_) - from.tail(massless_);
}

template <int D>
void RelativeSystem<D>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const int i : tree_.balls()) {
    const int at = tree_.link(i).v;
    v_size.segment<3>(at).setConstant(v.segment<3>(at).norm());
  }
  for (const int i : tree_.free_bases()) {
    const int at = tree_.link(i).v;
    v_size.segment<D>(at).setConstant(v.segment<D>(at).norm());
  }
  q_size.tail(massless_) = q.tail(massless_).cwiseAbs().cwiseMax(layout_.q_scale.tail(massless_));
}

template <int D>
double RelativeSystem<D>::kinetic_energy(ConstVec v, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  WorkOf<D>& bodies = work.bodies;
  tree_.transform(v.data(), bodies.frames.data(), work.tree, bodies.twists.data());
  return tree_.kinetic_energy(bodies.twists.data(), work.tree);
}

template <int D>
void RelativeSystem<D>::observe_poses(double, ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const RelativeWork<D>& work = work_of<D>(terms);
  out.resize(parts_.bodies());
  for (size_t i = 0; i < out.size(); ++i) out[i] = pose_at(work.bodies.frames[i]);
}

template <int D>
WorkOf<D>& RelativeSystem<D>::bodies_in(Terms& terms) const {
  return work_of<D>(terms).bodies;
}

template <int D>
void RelativeSystem<D>::place_bodies(ConstVec q, Terms& terms) const {
  place(q, work_of<D>(terms));
}

template <int D>
void RelativeSystem<D>::move_bodies(ConstVec, ConstVec v, Terms& terms) const {
  move(v, work_of<D>(terms));
}

template <int D>
void RelativeSystem<D>::accelerate_bodies(ConstVec, ConstVec, ConstVec vdot, Terms& terms) const {
  RelativeWork<D>& work = work_of<D>(terms);
  auto& accelerations = work.bodies.accelerations;
  accelerations.resize(size_t(tree_.slots()) + 1);
  tree_.transform(vdot.data(), work.bodies.frames.data(), work.tree, accelerations.data());
  for (size_t b = 0; b < parts_.bodies(); ++b) {
    accelerations[b].r += work.tree.biases[b].r;
    accelerations[b].omega += work.tree.biases[b].omega;
  }
  accelerations[size_t(tree_.ground())] = {};
}

template <int D>
std::unique_ptr<DescriptorSystem> RelativeSystem<D>::copy_in(const Mode& mode) const {
  auto copy = std::make_unique<RelativeSystem>(*this);
  copy->mode_ = copy->parts_.run_mode = &mode;
  if (recovery_) copy->recovery_ = recovery_->in_mode(mode);
  return copy;
}

template class RelativeSystem<2>;
template class RelativeSystem<3>;

}  // namespace driftless
