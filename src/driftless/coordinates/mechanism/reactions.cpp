// What joints exert, from the multipliers of their rows: (1), (2) of parts.hpp.
#include "driftless/coordinates/mechanism/parts.hpp"

namespace driftless {
namespace {

// What a unit load on a scalar does to body b of its frames, moment about `point`; body a takes the opposite.     (2)
WrenchOf<double, 2> unit_load(const ScalarOf<2>&, const WorkOf<2>&, const Vec2&) {
  return {Vec2::Zero(), 1.0};
}
WrenchOf<double, 3> unit_load(const ScalarOf<3>& scalar, const WorkOf<3>& work, const Vec3& point) {
  const SpatialFrame<double>&a = work.frames[size_t(scalar.a.origin.body)],
        &b = work.frames[size_t(scalar.b.origin.body)];
  const Mat3 axes = a.R * scalar.a.axes;
  if (scalar.kind == Scalar::Kind::displacement)
    return {axes.col(2), (b.point(scalar.b.origin.at) - point).cross(axes.col(2))};
  const Vec3 u = b.turn(scalar.b.axes.col(0));
  const double along = axes.col(0).dot(u), beside = axes.col(1).dot(u);
  return {Vec3::Zero(),
          u.cross(along * axes.col(1) - beside * axes.col(0)) / (along * along + beside * beside)};
}

// As vectors of space: in the plane forces lie in x and y, moments along z.
Vec3 in_space(const Vec2& force) { return {force.x(), force.y(), 0}; }
Vec3 in_space(const Vec3& force) { return force; }
Vec3 in_space(double moment) { return {0, 0, moment}; }

}  // namespace

template <int D>
void row_reactions(const Parts<D>& parts,
                   const WorkOf<D>& work,
                   ConstVec lambda,
                   std::vector<JointReaction>& out) {
  using V = VecOf<double, D>;
  out.assign(parts.joints.size(), {});
  const auto& pairs = parts.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts.markers[size_t(pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(pairs[k].row)];
    if (joint < 0 || parts.joints[size_t(joint)].frames.second.origin.body != marker.body) continue;
    const PointOf<D>& on = parts.joints[size_t(joint)].frames.second.origin;
    const V push = -lambda[pairs[k].row] * work.dx[k];
    const V& x = work.x[size_t(pairs[k].of)];
    JointReaction& reaction = out[size_t(joint)];
    if (marker.kind == MarkerKind::direction) {
      reaction.torque += in_space(moment_of(x, push));
      continue;
    }
    reaction.force += in_space(push);
    const V arm = x - work.frames[size_t(marker.body)].point(on.at);
    reaction.torque += in_space(moment_of(arm, push));
  }
  const auto& scalar_pairs = parts.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k) {
    const ScalarOf<D>& scalar = parts.scalars[size_t(scalar_pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(scalar_pairs[k].row)];
    if (joint < 0 || scalar.kind == ScalarOf<D>::Kind::parameter) continue;
    const PointOf<D>& on = parts.joints[size_t(joint)].frames.second.origin;
    if (on.body != scalar.a.origin.body && on.body != scalar.b.origin.body) continue;
    const double load =
        -lambda[scalar_pairs[k].row] * work.ds[k] * (on.body == scalar.b.origin.body ? 1 : -1);
    const WrenchOf<double, D> unit = unit_load(scalar, work, work.frames[size_t(on.body)].point(on.at));
    out[size_t(joint)].force += in_space(V(load * unit.force));
    out[size_t(joint)].torque += load * in_space(unit.moment);
  }
}

namespace {

// A force on a line and a couple, in space.
struct Push {
  Vec3 at, force, couple;
  Vec3 moment(const Vec3& about) const { return couple + (at - about).cross(force); }
};

// Changes reactions by what teeth push, teeth.hpp (1)–(5).
template <int D>
class Meshing {
 public:
  Meshing(const Parts<D>& parts, const WorkOf<D>& work, std::vector<JointReaction>& out)
      : parts_(parts), work_(work), out_(out) {}

  void apply(const Teeth<D>& teeth) { teeth.is_rack ? mesh_rack(teeth) : mesh_wheels(teeth); }

 private:
  Vec3 place(const PointOf<D>& p) const { return in_space(work_.frames[size_t(p.body)].point(p.at)); }
  Vec3 own_place(int joint) const { return place(parts_.joints[size_t(joint)].frames.second.origin); }
  Vec3 centre(int slot) const { return in_space(work_.frames[size_t(slot)].r); }
  Vec3 axis(const Teeth<D>& teeth, const Vec3& in_carrier) const {
    if constexpr (D == 2)  // of wheels: across the plane
      return in_carrier.z() != 0 ? in_carrier
                                 : in_space(work_.frames[size_t(teeth.carrier)].turn(in_carrier.head<2>()));
    else
      return work_.frames[size_t(teeth.carrier)].turn(in_carrier);
  }

  void mesh_wheels(const Teeth<D>& teeth) {
    const Vec3 a = place(teeth.by_a.at), b = place(teeth.by_b.at);
    const Vec3 u = axis(teeth, teeth.axis_a), w = axis(teeth, teeth.axis_b), across = u.cross(w);
    Vec3 P, t;
    if (teeth.meeting) {  // (2)
      const Vec3 O = a + (b - a).cross(w).dot(across) / across.squaredNorm() * u;
      Vec3 p = (teeth.radius_b * u + teeth.radius_a * w) / across.norm();
      if (p.dot(centre(teeth.a) + centre(teeth.b) - 2 * O) < 0) p = -p;
      P = O + p;
      t = across.normalized();
    } else {  // (1)
      const double radius_b = u.dot(w) > 0 ? teeth.radius_b : -teeth.radius_b;
      const Vec3 n = (b - a) - u.dot(b - a) * u;
      const double along = u.dot(centre(teeth.a) + centre(teeth.b) - 2 * a) / 2;
      P = a + teeth.radius_a / (teeth.radius_a + radius_b) * n + along * u;
      t = u.cross(n).normalized();
    }
    const double tau = out_[size_t(teeth.joint)].torque.dot(w);
    const Vec3 f = tau / w.dot((P - b).cross(t)) * t;  // (3)
    carry(teeth.by_b, {P, f, -tau * w});
    carry(teeth.by_a, {P, -f, -teeth.radius_a / teeth.radius_b * tau * u});
    push(teeth, P, f);
  }

  void mesh_rack(const Teeth<D>& teeth) {
    const Vec3 c = place(teeth.by_a.at), u = axis(teeth, teeth.axis_b), k = axis(teeth, teeth.axis_a);
    const Vec3 P = c + k.dot(centre(teeth.a) - c) * k + teeth.radius_a * u.cross(k);  // (4)
    const Vec3 f = out_[size_t(teeth.joint)].force;
    carry(teeth.by_b, {P, Vec3::Zero(), (P - own_place(teeth.joint)).cross(f)});
    carry(teeth.by_a, {P, -f, teeth.radius_a * f.dot(u) * k});
    push(teeth, P, f);
  }

  void push(const Teeth<D>& teeth, const Vec3& P, const Vec3& f) {
    JointReaction& own = out_[size_t(teeth.joint)];
    own.force = f;
    own.torque = (P - own_place(teeth.joint)).cross(f);
  }

  void carry(const CarriedBy<D>& by, const Push& added) {  // (5)
    for (const auto& link : by.links) {
      JointReaction& reaction = out_[size_t(link.joint)];
      reaction.force -= link.sign * added.force;
      reaction.torque -= link.sign * added.moment(own_place(link.joint));
    }
  }

  const Parts<D>& parts_;
  const WorkOf<D>& work_;
  std::vector<JointReaction>& out_;
};

}  // namespace

template <int D>
void finish_reactions(const Parts<D>& parts, const WorkOf<D>& work, std::vector<JointReaction>& out) {
  for (const Teeth<D>& teeth : parts.teeth) Meshing<D>(parts, work, out).apply(teeth);
  for (size_t j = 0; j < out.size(); ++j) {
    Mat3 axes = Mat3::Identity();
    axes.topLeftCorner<D, D>() = work.view(0).axes(parts.joints[j].axes);
    out[j].force_joint = axes.transpose() * out[j].force;
    out[j].torque_joint = axes.transpose() * out[j].torque;
  }
}

template void row_reactions<2>(const Parts<2>&, const WorkOf<2>&, ConstVec, std::vector<JointReaction>&);
template void row_reactions<3>(const Parts<3>&, const WorkOf<3>&, ConstVec, std::vector<JointReaction>&);
template void finish_reactions<2>(const Parts<2>&, const WorkOf<2>&, std::vector<JointReaction>&);
template void finish_reactions<3>(const Parts<3>&, const WorkOf<3>&, std::vector<JointReaction>&);

}  // namespace driftless
