#include "driftless/coordinates/spatial_relative.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/coordinates/articulated_solver.hpp"

namespace driftless {

using Kind = LinkKind;
using markers::Unmoved;

namespace {

RelativeWork& work_of(Terms& terms) { return static_cast<RelativeWork&>(*terms.scratch); }

bool slides(Kind kind) { return kind == Kind::slide; }

}  // namespace

RelativeWork SpatialRelative::make_work() const {
  RelativeWork work;
  work.bodies = parts_.make_work();
  work.bodies.frames.resize(size_t(tree_.slots()));
  work.bodies.twists.resize(size_t(tree_.slots()));
  work.bodies.wrenches.resize(size_t(tree_.slots()));
  work.tree = tree_.make_work();
  if (composite_) work.composite = composite_->make_work();
  work.accelerations.resize(size_t(tree_.slots()));
  return work;
}

std::unique_ptr<Scratch> SpatialRelative::make_scratch() const {
  return std::make_unique<RelativeWork>(make_work());
}

// ---- layout ---------------------------------------------------------------------------------------------------------

SpatialRelative::SpatialRelative(SpatialParts parts, std::shared_ptr<const Tree<3>> tree, Path path)
    : ObservableSystem(Layout{}),
      parts_(std::move(parts)),
      shared_tree_(std::move(tree)),
      tree_(*shared_tree_),
      exchanges_energy_(parts_.exchanges_energy()) {
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
}

// The links each vector pair of the rows reaches.
std::vector<std::vector<int>> SpatialRelative::reach() const {
  std::vector<Unmoved> unmoved(size_t(parts_.rows.rows()), Unmoved::always);
  parts_.rows.for_each([&](const auto& placed) {
    for (int r = 0; r < placed.block.rows; ++r) unmoved[size_t(placed.row + r)] = placed.block.unmoved;
  });
  const auto& pairs = parts_.rows.vector_pairs();
  const auto link_of = [&](const auto& pair) { return tree_.link_of(parts_.markers[size_t(pair.of)].body); };
  // How many markers of a row a link moves; a link that moves all of them is a common ancestor.
  std::vector<int> moved(size_t(tree_.links()) + 1), of_row(size_t(tree_.links()) + 1, -1);
  std::vector<std::vector<int>> reached(pairs.size());
  for (size_t first = 0; first < pairs.size();) {
    const int row = pairs[first].row;
    size_t last = first;
    while (last < pairs.size() && pairs[last].row == row) ++last;
    for (size_t k = first; k < last; ++k)
      for (int i = link_of(pairs[k]); i > 0; i = tree_.link(i).parent) {
        if (of_row[size_t(i)] != row) moved[size_t(i)] = 0;
        of_row[size_t(i)] = row;
        ++moved[size_t(i)];
      }
    for (size_t k = first; k < last; ++k) {
      const bool direction = parts_.markers[size_t(pairs[k].of)].kind == MarkerKind::direction;
      for (int i = link_of(pairs[k]); i > 0; i = tree_.link(i).parent) {
        const bool shifts = slides(tree_.link(i).kind);
        const bool together = moved[size_t(i)] == static_cast<int>(last - first);
        const Unmoved rule = unmoved[size_t(row)];
        if (together && (rule == Unmoved::always || (rule == Unmoved::by_shifts && shifts))) continue;
        if (!(direction && shifts)) reached[k].push_back(i);
      }
    }
    first = last;
  }
  return reached;
}

Layout SpatialRelative::make_layout(const std::vector<std::vector<int>>& reached) const {
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
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k)
    for (const int i : reached[k])
      for (int c = 0; c < Tree<3>::width(tree_.link(i).kind); ++c)
        entries.emplace_back(pairs[k].row, tree_.link(i).v + c, 0.0);
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

void SpatialRelative::name_coordinates(Layout& layout) const {
  layout.q_names = tree_.q_names();
  layout.v_names = tree_.v_names();
  layout.q_units.assign(size_t(tree_.nq()), "rad");
  layout.v_units.assign(size_t(tree_.nv()), "rad/s");
  layout.q_scale = Vec::Ones(layout.nq);
  layout.v_scale = Vec::Ones(layout.nv);
  for (int i = 1; i <= tree_.links(); ++i) {
    const Tree<3>::Link& link = tree_.link(i);
    if (slides(link.kind)) {
      layout.q_units[size_t(link.q)] = "m";
      layout.v_units[size_t(link.v)] = "m/s";
      layout.q_scale[link.q] = layout.v_scale[link.v] = parts_.length;
    }
    if (link.kind == Kind::ball) std::fill_n(layout.q_units.begin() + link.q, 4, "");
  }
  for (size_t k = 0; k < sources_.size(); ++k) {
    if (sources_[k].q < tree_.nq()) continue;
    const Scalar& scalar = parts_.scalars[k];
    const bool is_length = scalar.kind != Scalar::Kind::angle;
    layout.q_names.push_back(scalar.name);
    layout.v_names.push_back(scalar.name + "_rate");
    layout.q_units.emplace_back(is_length ? "m" : "rad");
    layout.v_units.emplace_back(is_length ? "m/s" : "rad/s");
    if (is_length) layout.q_scale[sources_[k].q] = layout.v_scale[sources_[k].v] = parts_.length;
  }
}

void SpatialRelative::list_columns(const std::vector<std::vector<int>>& reached) {
  const auto slot = [&](int row, int column) {
    return static_cast<int>(&layout_.J.coeffRef(row, column) - layout_.J.valuePtr());
  };
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    for (const int i : reached[k]) columns_.push_back({i, slot(pairs[k].row, tree_.link(i).v)});
    column_ends_.push_back(static_cast<int>(columns_.size()));
  }
  for (const auto& pair : parts_.rows.scalar_pairs())
    scalar_slots_.push_back(slot(pair.row, sources_[size_t(pair.of)].v));
}

// ---- stages ---------------------------------------------------------------------------------------------------------

void SpatialRelative::place(ConstVec q, RelativeWork& work) const {
  tree_.place(q.data(), work.bodies.frames.data(), work.tree);
  for (size_t k = 0; k < sources_.size(); ++k) work.bodies.s[k] = sources_[k].factor * q[sources_[k].q];
  parts_.place_markers(work.bodies);
}

void SpatialRelative::move(ConstVec v, RelativeWork& work) const {
  tree_.move(v.data(), work.bodies.frames.data(), work.bodies.twists.data(), work.tree);
  for (size_t k = 0; k < sources_.size(); ++k) work.bodies.sdot[k] = sources_[k].factor * v[sources_[k].v];
}

void SpatialRelative::position(double t, ConstVec q, Terms& terms) const {
  RelativeWork& work = work_of(terms);
  place(q, work);
  SpatialWork& bodies = work.bodies;
  parts_.rows.position(bodies.places(t), terms.g.data(), terms.nu.data(), bodies.dx.data(), bodies.ds.data());
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  const auto& pairs = parts_.rows.vector_pairs();
  const Column* column = columns_.data();
  for (size_t k = 0; k < pairs.size(); ++k) {  // (2)
    const bool is_point = parts_.markers[size_t(pairs[k].of)].kind == MarkerKind::point;
    const Vec3 &n = bodies.dx[k], &x = bodies.x[size_t(pairs[k].of)];
    for (const Column* end = columns_.data() + column_ends_[k]; column < end; ++column) {
      const Tree<3>::Link& link = tree_.link(column->link);
      const auto& [p, u] = work.tree.axes[size_t(column->link)];
      double* value = values + column->slot;
      if (link.kind == Kind::slide) {
        *value += u.dot(n);
        continue;
      }
      const Vec3 moment = is_point ? (x - p).cross(n) : x.cross(n);
      if (link.kind == Kind::ball)
        Eigen::Map<Vec3>{value} += work.tree.balls[size_t(link.ball)].transpose() * moment;
      else
        *value += u.dot(moment);
      if (link.kind == Kind::screw && is_point) *value += link.pitch * u.dot(n);
    }
  }
  const auto& scalar_pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k)
    values[scalar_slots_[k]] += sources_[size_t(scalar_pairs[k].of)].factor * bodies.ds[k];
}

void SpatialRelative::mass(double, ConstVec, Terms& terms) const {
  if (!composite_) return;
  RelativeWork& work = work_of(terms);
  double* values = terms.M.valuePtr();
  composite_->fill(work.bodies.frames.data(), work.tree, work.composite, values);
  std::fill(values + terms.M.nonZeros() - massless_, values + terms.M.nonZeros(), 0.0);
}

void SpatialRelative::rows(double t, RelativeWork& work, Terms& terms) const {
  if (layout_.m == 0) return;
  SpatialWork& bodies = work.bodies;
  parts_.move_markers(bodies);
  for (size_t i = 0; i < parts_.markers.size(); ++i) {  // accelerations of the bodies at ż = 0
    const Marker<3>& marker = parts_.markers[i];
    const Twist& bias = work.tree.biases[size_t(marker.body)];
    if (marker.kind == MarkerKind::point)
      bodies.bias[i] += bias.r + bias.omega.cross(bodies.x[i] - bodies.frames[size_t(marker.body)].r);
    else
      bodies.bias[i] += bias.omega.cross(bodies.x[i]);
  }
  parts_.rows.curvature(bodies.moving(t), bodies.curvature.data());
  terms.gamma = -bodies.curvature;
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k)
    terms.gamma[pairs[k].row] -= bodies.dx[k].dot(bodies.bias[size_t(pairs[k].of)]);
}

void SpatialRelative::forces(double t, RelativeWork& work, Terms& terms) const {
  SpatialWork& bodies = work.bodies;
  parts_.apply_forces(t, bodies);
  tree_.project(bodies.frames.data(), bodies.twists.data(), work.tree, bodies.wrenches.data(),
                terms.f.data());
  terms.f.tail(massless_).setZero();
  for (size_t k = 0; k < sources_.size(); ++k) terms.f[sources_[k].v] += sources_[k].factor * bodies.loads[k];
}

void SpatialRelative::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  RelativeWork& work = work_of(terms);
  move(v, work);
  rows(t, work, terms);
}

void SpatialRelative::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  RelativeWork& work = work_of(terms);
  move(v, work);
  forces(t, work, terms);
}

void SpatialRelative::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  RelativeWork& work = work_of(terms);
  position(t, q, terms);
  mass(t, q, terms);
  move(v, work);
  rows(t, work, terms);
  forces(t, work, terms);
}

std::unique_ptr<MotionSolver> SpatialRelative::make_solver() const {
  if (composite_) return DescriptorSystem::make_solver();
  return std::make_unique<ArticulatedSolver<3>>(tree_, layout_, [](const Terms& terms) -> TreeStand<3> {
    const auto& work = static_cast<const RelativeWork&>(*terms.scratch);
    return {work.bodies.frames.data(), work.tree};
  });
}

// ---- the rest -------------------------------------------------------------------------------------------------------

void SpatialRelative::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  tree_.rates(q.data(), v.data(), qdot.data());
  qdot.tail(massless_) = v.tail(massless_);
}

void SpatialRelative::retract(VecRef q, ConstVec delta) const {
  tree_.retract(q.data(), delta.data());
  q.tail(massless_) += delta.tail(massless_);
}

void SpatialRelative::difference(ConstVec from, ConstVec to, VecRef delta) const {
  tree_.difference(from.data(), to.data(), delta.data());
  delta.tail(massless_) = to.tail(massless_) - from.tail(massless_);
}

void SpatialRelative::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const int i : tree_.balls()) {
    const int at = tree_.link(i).v;
    v_size.segment<3>(at).setConstant(v.segment<3>(at).norm());
  }
  for (const int i : tree_.free_bases()) {
    const int at = tree_.link(i).v;
    v_size.segment<3>(at).setConstant(v.segment<3>(at).norm());
  }
  q_size.tail(massless_) = q.tail(massless_).cwiseAbs().cwiseMax(layout_.q_scale.tail(massless_));
}

double SpatialRelative::kinetic_energy(ConstVec v, Terms& terms) const {
  RelativeWork& work = work_of(terms);
  SpatialWork& bodies = work.bodies;
  tree_.transform(v.data(), bodies.frames.data(), work.tree, bodies.twists.data());
  return tree_.kinetic_energy(bodies.twists.data(), work.tree);
}

std::optional<double> SpatialRelative::potential_energy(double t, ConstVec, Terms& terms) const {
  return parts_.potential(t, work_of(terms).bodies);
}

double SpatialRelative::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  return parts_.power(t, work_of(terms).bodies);
}

void SpatialRelative::observe_poses(ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const RelativeWork& work = work_of(terms);
  out.resize(parts_.bodies());
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = {work.bodies.frames[i].r, quaternion_of_matrix(work.bodies.frames[i].R)};
}

void SpatialRelative::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  RelativeWork& work = work_of(terms);
  move(v, work);
  parts_.measure(*this, t, q, v, reaction, terms, work.bodies, out);
}

std::vector<Probe> SpatialRelative::probes() const { return parts_.probes(); }

void SpatialRelative::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  RelativeWork& work = static_cast<RelativeWork&>(*terms.scratch);
  place(q, work);
  parts_.probe_places(work.bodies, x);
}

void SpatialRelative::wrapped_values(
    double t, ConstVec, ConstVec v, Terms& terms, VecRef value, VecRef rate) const {
  RelativeWork& work = static_cast<RelativeWork&>(*terms.scratch);
  move(v, work);
  measure_wrapped(parts_.channels, work.bodies.view(t), value, rate);
}

}  // namespace driftless
