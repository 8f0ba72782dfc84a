#include "driftless/joints/gears/teeth.hpp"

#include <cmath>
#include <deque>
#include <optional>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kParallel = 1e-9;  // of unit vectors
constexpr double kMeeting = 1e-6;   // of the radii: axes that pass each other nearer than that meet

// What a joint holds against: everything, all but turning about its axis (and sliding along it), all but sliding.
enum class Holds { less, all, wheel, rack };

Holds held_by(const PlaneFreedoms& free) {
  if (free.turns) return free.slides ? Holds::less : Holds::wheel;
  return free.slides ? Holds::rack : Holds::all;
}

Holds held_by(const SpatialMobility& free) {
  bool turns = false, slides = false;
  for (const ElementaryMotion& motion : free.motions) {
    if (motion.axis != Vec3::UnitZ()) return Holds::less;
    if (motion.kind == ElementaryMotion::Kind::turn)
      turns = true;
    else if (motion.kind == ElementaryMotion::Kind::slide)
      slides = true;
    else
      return Holds::less;
  }
  return turns ? Holds::wheel : slides ? Holds::rack : Holds::all;
}

template <int D>
struct Edge {
  int joint, first, second;  // slots
  Holds holds;
  JointFramesOf<D> frames;
};

template <int D>
std::vector<Edge<D>> edges_of(const Expansion<D>& model) {
  std::vector<Edge<D>> edges;
  const std::vector<Element>& joints = model.model().joints;
  for (size_t i = 0; i < joints.size(); ++i) {
    const JointRules<D>& rules = record_of_joint(joints[i]).template rules<D>();
    if (rules.mobility == nullptr) continue;
    const Holds holds = held_by(rules.mobility(joints[i]));
    if (holds == Holds::less) continue;
    const JointFramesOf<D> frames = rules.frames(joints[i], model);
    edges.push_back(
        {static_cast<int>(i), frames.first.origin.body, frames.second.origin.body, holds, frames});
  }
  return edges;
}

// Whether joints of the kind that lets a part move do so along one line: wheels may sit on one another, as the sun and the
// arm of a planetary gear do on their frame. What (3) adds has no moment about that line, so each of them can hold it.
template <int D>
bool is_one_axis(const Expansion<D>& model, const Edge<D>& one, const Edge<D>& other) {
  const VecOf<double, D> between =
      model.place(other.frames.first.origin) - model.place(one.frames.first.origin);
  if constexpr (D == 2) {
    return between.norm() <= kMeeting * model.length();
  } else {
    const Vec3 u = model.world({one.first, one.frames.first.axes.col(2)}),
               w = model.world({other.first, other.frames.first.axes.col(2)});
    return u.cross(w).norm() <= kParallel && u.cross(between).norm() <= kMeeting * model.length();
  }
}

// The shortest way from a part to the carrier, over welds and joints of the kind `wanted`, in space along `axis` of the
// carrier: of racks one, of wheels all about the same line.
template <int D>
std::optional<CarriedBy<D>> carried(const std::vector<Edge<D>>& edges,
                                    const Expansion<D>& model,
                                    int part,
                                    int carrier,
                                    Holds wanted,
                                    const Vec3& axis) {
  struct Place {
    int slot;
    int mover;       // the first edge that lets the part move; −1: none yet
    int from, edge;  // the place before
  };
  std::deque<Place> places = {{part, -1, -1, -1}};
  const auto may_pass = [&](const Edge<D>& edge, const Place& here) {
    if (edge.holds == Holds::all) return true;
    if (edge.holds != wanted) return false;
    if (here.mover >= 0) return wanted == Holds::wheel && is_one_axis(model, edges[size_t(here.mover)], edge);
    if constexpr (D == 3) {
      const Vec3 u = model.world({edge.first, edge.frames.first.axes.col(2)});
      return u.cross(model.world({carrier, axis})).norm() <= kParallel;
    }
    return true;
  };
  for (size_t n = 0; n < places.size(); ++n) {
    const Place here = places[n];
    if (here.slot == carrier && here.mover >= 0) {
      CarriedBy<D> out;
      for (int k = static_cast<int>(n); places[size_t(k)].from >= 0; k = places[size_t(k)].from) {
        const Edge<D>& edge = edges[size_t(places[size_t(k)].edge)];
        const bool second_is_farther = edge.second == places[size_t(k)].slot;
        out.links.push_back({edge.joint, second_is_farther ? -1.0 : 1.0});
        if (edge.holds == wanted)
          out.at = (second_is_farther ? edge.frames.second : edge.frames.first).origin;
      }
      return out;
    }
    for (size_t e = 0; e < edges.size(); ++e) {
      const Edge<D>& edge = edges[e];
      if ((edge.first != here.slot && edge.second != here.slot) || !may_pass(edge, here)) continue;
      const bool moves = edge.holds == wanted;
      const Place next = {edge.first == here.slot ? edge.second : edge.first,
                          here.mover < 0 && moves ? static_cast<int>(e) : here.mover, static_cast<int>(n),
                          static_cast<int>(e)};
      bool known = false;
      for (const Place& other : places) known |= other.slot == next.slot && other.mover == next.mover;
      if (!known) places.push_back(next);
    }
  }
  return std::nullopt;
}

// Whether the axes have a point P, and which one. Empty: they have.
template <int D>
std::string place_of_mesh(const Expansion<D>& model, Teeth<D>& teeth) {
  if (teeth.is_rack) return "";
  if constexpr (D == 3) {
    const Vec3 a = model.world({teeth.carrier, teeth.axis_a}), b = model.world({teeth.carrier, teeth.axis_b}),
               across = a.cross(b);
    const Vec3 between = model.place(teeth.by_b.at) - model.place(teeth.by_a.at);
    if (across.norm() > kParallel) {
      teeth.meeting = true;
      const double apart = std::abs(between.dot(across)) / across.norm();
      return apart <= kMeeting * (std::abs(teeth.radius_a) + std::abs(teeth.radius_b))
                 ? ""
                 : "the axes of its wheels neither meet nor are parallel";
    }
    const double sum = teeth.radius_a + (a.dot(b) > 0 ? 1 : -1) * teeth.radius_b;
    const double distance = (between - a.dot(between) * a).norm();
    return sum != 0 && distance > kMeeting * std::abs(teeth.radius_a) ? "" : "its wheels have one axis";
  } else {
    const double distance = (model.place(teeth.by_b.at) - model.place(teeth.by_a.at)).norm();
    return teeth.radius_a + teeth.radius_b != 0 && distance > kMeeting * teeth.radius_a
               ? ""
               : "its wheels have one axis";
  }
}

}  // namespace

template <int D>
std::vector<Teeth<D>> find_teeth(const Expansion<D>& model, std::vector<std::string>* remarks) {
  std::vector<Teeth<D>> out;
  std::vector<Edge<D>> edges;
  const std::vector<Element>& joints = model.model().joints;
  for (size_t i = 0; i < joints.size(); ++i) {
    const JointRules<D>& rules = record_of_joint(joints[i]).template rules<D>();
    if (rules.teeth == nullptr) continue;
    if (edges.empty()) edges = edges_of(model);
    Teeth<D> teeth = rules.teeth(joints[i], model);
    teeth.joint = static_cast<int>(i);
    const Holds kind_b = teeth.is_rack ? Holds::rack : Holds::wheel;
    const auto a = carried(edges, model, teeth.a, teeth.carrier, Holds::wheel, teeth.axis_a),
               b = carried(edges, model, teeth.b, teeth.carrier, kind_b, teeth.axis_b);
    std::string missing;
    if (!a || !b) {
      const int part = a ? teeth.b : teeth.a;
      const std::string body = part == model.ground() ? "ground" : model.model().bodies[size_t(part)].name;
      missing = fmt::format("no joint bears '{}' on the carrier", body);
    } else {
      teeth.by_a = *a;
      teeth.by_b = *b;
      missing = place_of_mesh(model, teeth);
    }
    if (missing.empty())
      out.push_back(std::move(teeth));
    else if (remarks != nullptr)
      remarks->push_back(fmt::format(
          "{} '{}': {}, so its reaction is {}, and the bearings do not feel the push of the teeth",
          joints[i].type, joints[i].name, missing,
          teeth.is_rack ? "a force at the point of the rack" : "a torque alone"));
  }
  return out;
}

std::vector<std::string> remarks_about_teeth(const Model& model) {
  std::vector<std::string> out;
  if (model.space == Space::planar)
    find_teeth(Expansion<2>(model), &out);
  else
    find_teeth(Expansion<3>(model), &out);
  return out;
}

template std::vector<Teeth<2>> find_teeth(const Expansion<2>&, std::vector<std::string>*);
template std::vector<Teeth<3>> find_teeth(const Expansion<3>&, std::vector<std::string>*);

}  // namespace driftless
