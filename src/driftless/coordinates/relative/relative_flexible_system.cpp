#include "driftless/coordinates/relative/relative_flexible_system.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// Column of a coordinate in the twist of a body at r: (4) of tree.hpp.
template <int D>
TwistOf<double, D> column_of(const TreeLink& link,
                             int component,
                             const typename TreeWork<D>::Axis& axis,
                             const TreeWork<D>& work,
                             const VecOf<double, D>& r) {
  TwistOf<double, D> out;
  if (link.kind == LinkKind::slide) {
    out.r = axis.u;
    return out;
  }
  if constexpr (D == 2) {
    out.omega = link.sign;
  } else {
    out.omega = link.kind == LinkKind::ball ? Vec3(work.balls[size_t(link.ball)].col(component)) : axis.u;
    if (link.kind == LinkKind::screw) out.r = link.pitch * axis.u;
  }
  out.r += swing(out.omega, VecOf<double, D>(r - axis.p));
  return out;
}

}  // namespace

template <int D>
RelativeFlexibleSystem<D>::RelativeFlexibleSystem(std::shared_ptr<const Full> full,
                                                  std::shared_ptr<const Tree<D>> tree,
                                                  std::vector<int> rigid,
                                                  const std::vector<typename Tree<D>::Match>& matches)
    : ObservableSystem(Layout{}), full_(std::move(full)), tree_(std::move(tree)) {
  int own = 0;
  if constexpr (D == 3)
    for (const auto& match : matches) {
      sources_.push_back(match.q >= 0 ? Source{match.q, match.v, match.factor}
                                      : Source{tree_->nq() + own, tree_->nv() + own, 1});
      own += match.q < 0;
    }
  int next_q = tree_->nq() + own, next_v = tree_->nv() + own;
  size_t body = 0;
  for (int i = 0; i < static_cast<int>(parts().bodies()); ++i) {
    const auto at = full_->standing(i);
    if (body < rigid.size() && rigid[body] == i) {
      Rigid& one = rigid_.emplace_back();
      one.q = at.q;
      one.v = at.v;
      one.mass = parts().masses[size_t(i)];
      if constexpr (D == 2)
        one.inertia(0, 0) = parts().inertias[size_t(i)];
      else
        one.inertia = parts().inertias[size_t(i)];
      for (int link = tree_->link_of(int(body)); link > 0; link = tree_->link(link).parent)
        for (int c = 0; c < Tree<D>::width(tree_->link(link).kind); ++c)
          one.columns.push_back({link, c, tree_->link(link).v + c});
      one.values = R_size_;
      R_size_ += kV * one.columns.size();
      ++body;
    } else {
      others_.push_back({next_q, next_v, at.q, at.v, at.nq, at.nv, at.turns});
      next_q += at.nq;
      next_v += at.nv;
    }
  }
  layout_.nq = next_q;
  layout_.nv = next_v;
  make_layout();
  check_layout(layout_);
  for (const OutputChannel<D>& channel : parts().channels)
    reads_reactions_ = reads_reactions_ || channel.needs_accelerations || channel.reaction.joint >= 0 ||
                       !channel.multiplier.row.empty();
}

template <int D>
void RelativeFlexibleSystem<D>::recover_reactions(std::shared_ptr<const ReactionRecovery> recovery,
                                                  std::vector<Source> scalars) {
  recovery_ = std::move(recovery);
  reference_scalars_ = std::move(scalars);
}

template <int D>
void RelativeFlexibleSystem<D>::make_layout() {
  const Layout& full = full_->layout();
  Layout& layout = layout_;
  layout.mh = full.mh;
  layout.m = full.m;
  layout.length = full.length;
  layout.mass = full.mass;
  layout.row_names = full.row_names;
  layout.row_units = full.row_units;
  layout.q_names = tree_->q_names();
  layout.v_names = tree_->v_names();
  layout.q_units.assign(size_t(tree_->nq()), "rad");
  layout.v_units.assign(size_t(tree_->nv()), "rad/s");
  layout.q_scale = Vec::Ones(layout.nq);
  layout.v_scale = Vec::Ones(layout.nv);
  for (int i = 1; i <= tree_->links(); ++i) {
    const TreeLink& link = tree_->link(i);
    if (link.kind == LinkKind::slide) {
      layout.q_units[size_t(link.q)] = "m";
      layout.v_units[size_t(link.v)] = "m/s";
      layout.q_scale[link.q] = layout.v_scale[link.v] = layout.length;
    }
    if (link.kind == LinkKind::ball) {
      std::fill_n(layout.q_units.begin() + link.q, 4, "");
      std::fill_n(layout.v_units.begin() + link.v, 3, "rad/s (axes of the second frame)");
    }
  }
  const auto take = [&](int q, int v, int full_q, int full_v, int nq, int nv) {
    for (int k = 0; k < nq; ++k) {
      layout.q_names.push_back(full.q_names[size_t(full_q + k)]);
      layout.q_units.push_back(full.q_units[size_t(full_q + k)]);
      layout.q_scale[q + k] = full.q_scale[full_q + k];
    }
    for (int k = 0; k < nv; ++k) {
      layout.v_names.push_back(full.v_names[size_t(full_v + k)]);
      layout.v_units.push_back(full.v_units[size_t(full_v + k)]);
      layout.v_scale[v + k] = full.v_scale[full_v + k];
    }
  };
  const int scalars = static_cast<int>(sources_.size());
  for (int k = 0; k < scalars; ++k)
    if (const Source& own = sources_[size_t(k)]; own.q >= tree_->nq())
      take(own.q, own.v, full.nq - scalars + k, full.nv - scalars + k, 1, 1);
  for (const Other& other : others_) take(other.q, other.v, other.full_q, other.full_v, other.nq, other.nv);

  std::vector<Eigen::Triplet<double>> mass, rows;
  for (int i = 0; i < layout.nv; ++i) mass.emplace_back(i, i, 0.0);  // massless coordinates, too
  for (const Rigid& body : rigid_)
    for (const Column& a : body.columns)
      for (const Column& b : body.columns) mass.emplace_back(a.v, b.v, 0.0);
  struct Place {
    int from, row, column, by;
    double factor;
  };
  std::vector<Place> of_M, of_J;
  int from = 0;
  for (int r = 0; r < full.nv; ++r)
    for (SparseRows::InnerIterator entry(full.M, r); entry; ++entry, ++from)
      for (const Other& other : others_)
        if (r >= other.full_v && r < other.full_v + other.nv)
          of_M.push_back(
              {from, other.v + r - other.full_v, other.v + int(entry.col()) - other.full_v, -1, 1});
  from = 0;
  for (int r = 0; r < full.m; ++r)
    for (SparseRows::InnerIterator entry(full.J, r); entry; ++entry, ++from) {
      const int c = static_cast<int>(entry.col());
      for (const Other& other : others_)
        if (c >= other.full_v && c < other.full_v + other.nv)
          of_J.push_back({from, r, other.v + c - other.full_v, -1, 1});
      for (const Rigid& body : rigid_)
        if (c >= body.v && c < body.v + kV)
          for (size_t k = 0; k < body.columns.size(); ++k)
            of_J.push_back({from, r, body.columns[k].v,
                            static_cast<int>(body.values + size_t(c - body.v) * body.columns.size() + k), 1});
      if (const int k = c - (full.nv - scalars); k >= 0)
        of_J.push_back({from, r, sources_[size_t(k)].v, -1, sources_[size_t(k)].factor});
    }
  for (const Place& place : of_M) mass.emplace_back(place.row, place.column, 0.0);
  for (const Place& place : of_J) rows.emplace_back(place.row, place.column, 0.0);
  layout.M.resize(layout.nv, layout.nv);
  layout.M.setFromTriplets(mass.begin(), mass.end());
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(rows.begin(), rows.end());
  const auto value_at = [](SparseRows& matrix, int row, int column) {
    return static_cast<int>(&matrix.coeffRef(row, column) - matrix.valuePtr());
  };
  for (const Place& place : of_M)
    mass_entries_.push_back(
        {place.from, value_at(layout.M, place.row, place.column), place.by, place.factor});
  for (const Place& place : of_J)
    row_entries_.push_back({place.from, value_at(layout.J, place.row, place.column), place.by, place.factor});
  for (Rigid& body : rigid_)
    for (const Column& a : body.columns)
      for (const Column& b : body.columns) body.slots.push_back(value_at(layout.M, a.v, b.v));
}

template <int D>
std::unique_ptr<Scratch> RelativeFlexibleSystem<D>::make_scratch() const {
  auto work = std::make_unique<Work>();
  const Layout& full = full_->layout();
  work->full = full_->make_terms();
  work->Q = Vec::Zero(full.nq);
  work->V = work->b = Vec::Zero(full.nv);
  work->tree = tree_->make_work();
  work->frames.resize(size_t(tree_->slots()));
  work->twists.resize(size_t(tree_->slots()));
  work->R.resize(R_size_);
  work->reaction = {Vec::Zero(full.nv), Vec::Zero(full.m)};
  return work;
}

// ---- equations ------------------------------------------------------------------------------------------------------

template <int D>
void RelativeFlexibleSystem<D>::place(ConstVec q, Work& work) const {
  tree_->place(q.data(), work.frames.data(), work.tree);
  for (size_t k = 0; k < rigid_.size(); ++k) {
    const Rigid& body = rigid_[k];
    const auto& frame = work.frames[k];
    double* own = work.Q.data() + body.q;
    Eigen::Map<V>{own} = frame.r;
    if constexpr (D == 2)
      own[2] = frame.theta;
    else
      Eigen::Map<Quat>{own + 3} = quaternion_of_matrix(frame.R);
    const size_t n = body.columns.size();
    double* R = work.R.data() + body.values;
    for (size_t c = 0; c < n; ++c) {
      const Column& column = body.columns[c];
      const auto twist = column_of<D>(tree_->link(column.link), column.component,
                                      work.tree.axes[size_t(column.link)], work.tree, frame.r);
      for (int i = 0; i < D; ++i) R[size_t(i) * n + c] = twist.r[i];
      if constexpr (D == 2) {
        R[2 * n + c] = twist.omega;
      } else {
        const Vec3 omega = frame.R.transpose() * twist.omega;
        for (int i = 0; i < 3; ++i) R[size_t(3 + i) * n + c] = omega[i];
      }
    }
  }
  for (const Other& other : others_) work.Q.segment(other.full_q, other.nq) = q.segment(other.q, other.nq);
  const auto scalars = static_cast<Eigen::Index>(sources_.size());
  for (Eigen::Index k = 0; k < scalars; ++k)
    work.Q[work.Q.size() - scalars + k] = sources_[size_t(k)].factor * q[sources_[size_t(k)].q];
}

template <int D>
void RelativeFlexibleSystem<D>::move(ConstVec v, Work& work) const {
  tree_->move(v.data(), work.frames.data(), work.twists.data(), work.tree);
  for (size_t k = 0; k < rigid_.size(); ++k) {
    double *own = work.V.data() + rigid_[k].v, *b = work.b.data() + rigid_[k].v;
    Eigen::Map<V>{own} = work.twists[k].r;
    Eigen::Map<V>{b} = work.tree.biases[k].r;
    if constexpr (D == 2) {
      own[2] = work.twists[k].omega;
      b[2] = 0;
    } else {
      Eigen::Map<Vec3>{own + 3} = work.frames[k].R.transpose() * work.twists[k].omega;
      Eigen::Map<Vec3>{b + 3} = work.frames[k].R.transpose() * work.tree.biases[k].omega;
    }
  }
  for (const Other& other : others_) work.V.segment(other.full_v, other.nv) = v.segment(other.v, other.nv);
  const auto scalars = static_cast<Eigen::Index>(sources_.size());
  for (Eigen::Index k = 0; k < scalars; ++k)
    work.V[work.V.size() - scalars + k] = sources_[size_t(k)].factor * v[sources_[size_t(k)].v];
}

template <int D>
void RelativeFlexibleSystem<D>::position(double t, ConstVec q, Terms& terms) const {
  Work& work = work_of(terms);
  place(q, work);
  full_->position(t, work.Q, work.full);
  terms.g = work.full.g;
  terms.nu = work.full.nu;
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  const double* from = work.full.J.valuePtr();
  for (const Entry& entry : row_entries_)
    values[entry.to] += entry.factor * from[entry.from] * (entry.by < 0 ? 1.0 : work.R[size_t(entry.by)]);
}

template <int D>
void RelativeFlexibleSystem<D>::mass(double t, ConstVec, Terms& terms) const {
  Work& work = work_of(terms);
  full_->mass(t, work.Q, work.full);
  double* values = terms.M.valuePtr();
  std::fill(values, values + terms.M.nonZeros(), 0.0);
  const double* from = work.full.M.valuePtr();
  for (const Entry& entry : mass_entries_) values[entry.to] = from[entry.from];
  for (const Rigid& body : rigid_) {
    const size_t n = body.columns.size();
    const double* R = work.R.data() + body.values;
    for (size_t b = 0; b < n; ++b) {
      Eigen::Matrix<double, kSpin, 1> spin;
      for (int i = 0; i < kSpin; ++i) spin[i] = R[size_t(D + i) * n + b];
      const Eigen::Matrix<double, kSpin, 1> moment = body.inertia * spin;
      for (size_t a = b; a < n; ++a) {  // to the last bit the same on both sides
        double sum = 0;
        for (size_t i = 0; i < D; ++i) sum += body.mass * R[i * n + a] * R[i * n + b];
        for (int i = 0; i < kSpin; ++i) sum += R[size_t(D + i) * n + a] * moment[i];
        values[body.slots[a * n + b]] += sum;
        if (a != b) values[body.slots[b * n + a]] += sum;
      }
    }
  }
}

template <int D>
void RelativeFlexibleSystem<D>::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = work_of(terms);
  move(v, work);
  full_->bias(t, work.Q, work.V, work.full);
  terms.gamma = work.full.gamma;
  terms.gamma.noalias() -= work.full.J * work.b;
}

template <int D>
void RelativeFlexibleSystem<D>::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = work_of(terms);
  move(v, work);
  full_->force(t, work.Q, work.V, work.full);
  const Vec& f = work.full.f;
  terms.f.setZero();
  for (const Rigid& body : rigid_) {
    const size_t n = body.columns.size();
    const double* R = work.R.data() + body.values;
    Eigen::Matrix<double, kV, 1> left = f.template segment<kV>(body.v);
    left.template head<D>() -= body.mass * work.b.template segment<D>(body.v);
    left.template tail<kSpin>() -= body.inertia * work.b.template segment<kSpin>(body.v + D);
    for (size_t c = 0; c < n; ++c)
      for (size_t i = 0; i < kV; ++i) terms.f[body.columns[c].v] += R[i * n + c] * left[Eigen::Index(i)];
  }
  for (const Other& other : others_) terms.f.segment(other.v, other.nv) = f.segment(other.full_v, other.nv);
  const auto scalars = static_cast<Eigen::Index>(sources_.size());
  for (Eigen::Index k = 0; k < scalars; ++k)
    terms.f[sources_[size_t(k)].v] += sources_[size_t(k)].factor * f[f.size() - scalars + k];
}

// ---- what can be seen -----------------------------------------------------------------------------------------------

template <int D>
std::optional<double> RelativeFlexibleSystem<D>::potential_energy(double t, ConstVec, Terms& terms) const {
  Work& work = work_of(terms);
  return full_->potential_energy(t, work.Q, work.full);
}

template <int D>
double RelativeFlexibleSystem<D>::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  Work& work = work_of(terms);
  return full_->applied_power(t, work.Q, work.V, work.full);
}

template <int D>
void RelativeFlexibleSystem<D>::observe_poses(double t,
                                              ConstVec,
                                              Terms& terms,
                                              std::vector<Pose>& out) const {
  Work& work = work_of(terms);
  full_->observe_poses(t, work.Q, work.full, out);
}

// The work of ReactionRecovery at the state of `work`.
template <int D>
ReactionRecovery::Work& RelativeFlexibleSystem<D>::reference_state(double t,
                                                                   ConstVec q,
                                                                   ConstVec v,
                                                                   Work& work) const {
  move(v, work);
  if (!work.recovery) work.recovery = recovery_->make_work();
  State& at = work.recovery->at;
  at.t = t;
  const auto own = static_cast<Eigen::Index>(sources_.size()),
             count = static_cast<Eigen::Index>(reference_scalars_.size());
  at.q.head(at.q.size() - count) = work.Q.head(work.Q.size() - own);
  at.v.head(at.v.size() - count) = work.V.head(work.V.size() - own);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Source& scalar = reference_scalars_[size_t(k)];
    at.q[at.q.size() - count + k] = scalar.factor * q[scalar.q];
    at.v[at.v.size() - count + k] = scalar.factor * v[scalar.v];
  }
  return *work.recovery;
}

template <int D>
void RelativeFlexibleSystem<D>::observe_reactions(
    double t, ConstVec q, ConstVec v, const Reaction&, Terms& terms, std::vector<JointReaction>& out) const {
  recovery_->reactions(reference_state(t, q, v, work_of(terms)), out);
}

template <int D>
void RelativeFlexibleSystem<D>::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction&, Terms& terms, VecRef out) const {
  Work& work = work_of(terms);
  if (!reads_reactions_) {
    move(v, work);
    full_->observe_quantities(t, work.Q, work.V, work.reaction, work.full, out);
    return;
  }
  recovery_->quantities(reference_state(t, q, v, work), out);
}

template <int D>
void RelativeFlexibleSystem<D>::wrapped_values(
    double t, ConstVec, ConstVec v, Terms& terms, VecRef value, VecRef rate) const {
  Work& work = work_of(terms);
  move(v, work);
  full_->wrapped_values(t, work.Q, work.V, work.full, value, rate);
}

template <int D>
std::vector<FlexibleColumns> RelativeFlexibleSystem<D>::flexible_columns() const {
  std::vector<FlexibleColumns> out = full_->flexible_columns();
  for (FlexibleColumns& columns : out)
    for (const Other& other : others_)
      if (columns.q >= other.full_q && columns.q < other.full_q + other.nq) {
        columns.q += other.q - other.full_q;
        columns.v += other.v - other.full_v;
        break;
      }
  return out;
}

template <int D>
void RelativeFlexibleSystem<D>::observe_strains(ConstVec, Terms& terms, VecRef out) const {
  Work& work = work_of(terms);
  full_->observe_strains(work.Q, work.full, out);
}

template <int D>
void RelativeFlexibleSystem<D>::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  Work& work = work_of(terms);
  place(q, work);
  full_->probe_places(work.Q, work.full, x);
}

template <int D>
const WorkOf<D>& RelativeFlexibleSystem<D>::watch(double t, ConstVec q, ConstVec v, Terms& terms) const {
  Work& work = work_of(terms);
  place(q, work);
  move(v, work);
  return full_->watch(t, work.Q, work.V, work.full);
}

template <int D>
std::unique_ptr<DescriptorSystem> RelativeFlexibleSystem<D>::copy_in(const Mode& mode) const {
  auto copy = std::make_unique<RelativeFlexibleSystem>(*this);
  copy->mode_ = &mode;
  copy->full_.reset(static_cast<const Full*>(full_->copy_in(mode).release()));
  copy->recovery_ = recovery_->in_mode(mode);
  return copy;
}

template class RelativeFlexibleSystem<2>;
template class RelativeFlexibleSystem<3>;

}  // namespace driftless
