#include "driftless/coordinates/flexible/conserving_system.hpp"

namespace driftless {

template <class Attitude>
ConservingSystem<Attitude>::ConservingSystem(const Model& model, Parts<D> parts, int drawn)
    : FlexibleSystem<Attitude>(model, std::move(parts), false, drawn) {}

template <class Attitude>
bool ConservingSystem<Attitude>::fits(const Model& model, const Parts<D>& parts) {
  for (const Body& body : model.bodies)
    if (!body.point && !(body.flexible && body.flexible->type == FlexibleSpec::Type::cable)) return false;
  if (!parts.switched.empty() || !std::get<std::vector<Rsda<D>>>(parts.forces).empty() ||
      !std::get<std::vector<Bushing<D>>>(parts.forces).empty() ||
      !std::get<std::vector<Tyre<D>>>(parts.forces).empty())
    return false;
  const int ground = static_cast<int>(model.bodies.size());
  const auto plain = [&](const PointOf<D>& p) { return p.body == ground || p.at.isZero(0); };
  bool fit = true;
  for (const Tsda<D>& spring : std::get<std::vector<Tsda<D>>>(parts.forces))
    fit = fit && spring.effort.law.spring.empty() && !spring.on_joint && plain(spring.a) && plain(spring.b);
  for (const Truss<D>& bar : std::get<std::vector<Truss<D>>>(parts.forces))
    fit = fit && plain(bar.a) && plain(bar.b);
  for (const BendingSpring<D>& spring : std::get<std::vector<BendingSpring<D>>>(parts.forces))
    fit = fit && plain(spring.a) && plain(spring.b) && plain(spring.center);
  return fit;
}

template <class Attitude>
std::unique_ptr<DescriptorSystem> ConservingSystem<Attitude>::copy_in(const Mode& mode) const {
  auto copy = std::make_unique<ConservingSystem>(*this);
  copy->mode_ = copy->parts_.run_mode = &mode;
  return copy;
}

template <class Attitude>
VecOf<double, ConservingSystem<Attitude>::D> ConservingSystem<Attitude>::place_of(const PointOf<D>& p,
                                                                                  ConstVec q) const {
  using Place = VecOf<double, D>;
  const auto& slot = this->slots_[size_t(p.body)];
  if (slot.kind == Base::Kind::ground) return p.at;
  Place out = Place::Zero();
  if (slot.kind == Base::Kind::point) return q.template segment<D>(this->members_[size_t(slot.member)].q);
  for (int i = 0; i < slot.h.size(); ++i) out += slot.h[i] * q.template segment<D>(slot.first + D * i);
  return out;
}

template <class Attitude>
void ConservingSystem<Attitude>::add(int index, const VecOf<double, D>& gradient, VecRef out) const {
  const auto& slot = this->slots_[size_t(index)];
  if (slot.kind == Base::Kind::point)
    out.template segment<D>(this->members_[size_t(slot.member)].v) += gradient;
  if (slot.kind != Base::Kind::cable) return;
  for (int i = 0; i < slot.h.size(); ++i)
    out.template segment<D>(slot.columns.front() + D * i) += slot.h[i] * gradient;
}

template <class Attitude>
void ConservingSystem<Attitude>::discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const {
  using Place = VecOf<double, D>;
  out.setZero();
  for (int i = 0; i < this->bodies(); ++i) {
    add(i, -this->parts_.masses[size_t(i)] * this->parts_.gravity, out);
    const auto& member = this->members_[size_t(i)];
    if (member.kind == Base::Kind::cable)
      this->cables_[size_t(member.index)].add_discrete_gradient(
          q0.segment(member.q, member.nq), q1.segment(member.q, member.nq), out.segment(member.v, member.nv));
  }
  const auto start = [&](const PointOf<D>& p) { return place_of(p, q0); };
  const auto end = [&](const PointOf<D>& p) { return place_of(p, q1); };
  const auto push = [&](const PointOf<D>& p, const Place& gradient) { add(p.body, gradient, out); };
  for (const Tsda<D>& spring : std::get<std::vector<Tsda<D>>>(this->parts_.forces)) {  // (1)
    const Place r0 = start(spring.b) - start(spring.a), r1 = end(spring.b) - end(spring.a);
    const double length = r0.norm() + r1.norm();
    if (length == 0) continue;
    const SpringLaw& law = spring.effort.law;
    const Place pull = law.stiffness * (1 - 2 * law.free / length) * (r0 + r1) / 2;
    push(spring.b, pull);
    push(spring.a, -pull);
  }
  for (const Truss<D>& bar : std::get<std::vector<Truss<D>>>(this->parts_.forces))
    bar.discrete_gradient(start, end, push);
  for (const BendingSpring<D>& spring : std::get<std::vector<BendingSpring<D>>>(this->parts_.forces))
    spring.discrete_gradient(start, end, push);
}

// Places are weighted sums of coordinates, and so are their rates; those of points of the ground vanish.
template <class Attitude>
bool ConservingSystem<Attitude>::strain_forces(const StrainRule& rule,
                                               const StrainedStep& step,
                                               VecRef out) const {
  using Place = VecOf<double, D>;
  const auto& trusses = std::get<std::vector<Truss<D>>>(this->parts_.forces);
  out.setZero();
  const auto rate = [&](const Truss<D>& bar, const Vec& of) -> Place {
    Place ends = Place::Zero();
    if (this->slots_[size_t(bar.b.body)].kind != Base::Kind::ground) ends += place_of(bar.b, of);
    if (this->slots_[size_t(bar.a.body)].kind != Base::Kind::ground) ends -= place_of(bar.a, of);
    return ends;
  };
  for (const Truss<D>& bar : trusses) {
    const Place r = between(bar.a, bar.b, step.middle);
    const double excess = rule.excess<Place>(between(bar.a, bar.b, step.q0), rate(bar, step.v0),
                                             rate(bar, step.a0), between(bar.a, bar.b, step.q1), r, bar.free);
    const Place gradient = bar.stiffness / bar.free * excess * r;
    add(bar.b.body, gradient, out);
    add(bar.a.body, -gradient, out);
  }
  return !trusses.empty();
}

template class ConservingSystem<PlaneAngle>;
template class ConservingSystem<BodyRates>;

}  // namespace driftless
