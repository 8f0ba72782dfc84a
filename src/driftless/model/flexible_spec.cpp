#include "driftless/model/flexible_spec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace driftless {
namespace {

// Torsion constant of a rectangle a ≥ b to 1e-4 and better.      Timoshenko & Goodier, Theory of Elasticity, §109
double rectangle_torsion(double one, double other) {
  const double a = std::max(one, other), b = std::min(one, other), pi = std::numbers::pi;
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum);
}

}  // namespace

BeamProperties properties_of(const BeamSection& section, const BeamMaterial& material) {
  double area = section.area, Iy = section.Iy, Iz = section.Iz, J = section.torsion;
  BeamProperties out;
  if (section.type == "circle") {
    const double d = section.diameter, i = section.inner, pi = std::numbers::pi;
    area = pi / 4 * (d * d - i * i);
    Iy = Iz = pi / 64 * (d * d * d * d - i * i * i * i);
    J = Iy + Iz;
    out.half_y = out.half_z = d / 2;
  } else if (section.type == "rectangle") {
    area = section.width * section.height;
    Iz = section.height * std::pow(section.width, 3) / 12;
    Iy = section.width * std::pow(section.height, 3) / 12;
    J = rectangle_torsion(section.width, section.height);
    out.half_y = section.width / 2;
    out.half_z = section.height / 2;
  }
  const double E = material.youngs_modulus;
  const double G =
      material.shear_modulus ? *material.shear_modulus : E / (2 * (1 + material.poisson.value_or(0)));
  out.E = E;
  out.EA = section.EA.value_or(E * area);
  out.EIy = section.EIy.value_or(E * Iy);
  out.EIz = section.EIz.value_or(E * Iz);
  out.GJ = section.GJ.value_or(G * J);
  out.rhoA = section.rhoA.value_or(material.density * area);
  out.rhoIy = section.rhoIy.value_or(material.density * Iy);
  out.rhoIz = section.rhoIz.value_or(material.density * Iz);
  return out;
}

const char* frame_word(FlexibleSpec::Frame frame) {
  switch (frame) {
    case FlexibleSpec::Frame::clamped_free:
      return "clamped-free";
    case FlexibleSpec::Frame::simply_supported:
      return "simply-supported";
    case FlexibleSpec::Frame::mean_axis:
      return "mean-axis";
  }
  return "";
}

const char* stiffening_word(FlexibleSpec::Stiffening stiffening) {
  switch (stiffening) {
    case FlexibleSpec::Stiffening::none:
      return "none";
    case FlexibleSpec::Stiffening::geometric:
      return "geometric";
    case FlexibleSpec::Stiffening::loads:
      return "loads";
  }
  return "";
}

double flexible_mass(const FlexibleSpec& spec) {
  double mass = 0;
  if (spec.modal) {
    if (spec.modal->invariants) return spec.modal->invariants->m;
    for (const double own : spec.modal->masses) mass += own;
    return mass;
  }
  for (size_t e = 0; e < spec.elements.size(); ++e) mass += spec.properties(e).rhoA * spec.length_of(e);
  for (const auto& [node, own] : spec.masses) mass += own;
  return mass;
}

Vec3 flexible_center(const FlexibleSpec& spec) {
  Vec3 sum = Vec3::Zero();
  if (spec.modal && spec.modal->invariants) return spec.modal->invariants->s0 / spec.modal->invariants->m;
  if (spec.modal) {
    for (size_t i = 0; i < spec.nodes.size(); ++i) sum += spec.modal->masses[i] * spec.nodes[i];
    return sum / flexible_mass(spec);
  }
  for (size_t e = 0; e < spec.elements.size(); ++e) {
    const auto& [a, b] = spec.elements[e];
    sum +=
        spec.properties(e).rhoA * spec.length_of(e) * 0.5 * (spec.nodes[size_t(a)] + spec.nodes[size_t(b)]);
  }
  for (const auto& [node, own] : spec.masses) sum += own * spec.nodes[size_t(node)];
  return sum / flexible_mass(spec);
}

Eigen::Matrix3d element_axes(const FlexibleSpec& spec, size_t element, bool planar) {
  const auto& [a, b] = spec.elements[element];
  Eigen::Matrix3d T;
  T.col(0) = (spec.nodes[size_t(b)] - spec.nodes[size_t(a)]).normalized();
  if (planar) {
    T.col(2) = Vec3::UnitZ();
    T.col(1) = T.col(2).cross(T.col(0));
    return T;
  }
  Vec3 up = spec.up;
  if (up.isZero(0)) up = std::abs(T(1, 0)) > 0.999 ? Vec3::UnitZ() : Vec3::UnitY();
  T.col(1) = (up - up.dot(T.col(0)) * T.col(0)).normalized();
  T.col(2) = T.col(0).cross(T.col(1));
  return T;
}

AxisPlace nearest_on_axis(const FlexibleSpec& spec, const Vec3& at) {
  AxisPlace best;
  double nearest = INFINITY;
  if (spec.type == FlexibleSpec::Type::modal) {  // its motion is known at nodes only
    for (size_t i = 0; i < spec.nodes.size(); ++i)
      if (const double distance = (at - spec.nodes[i]).norm(); distance < nearest) {
        nearest = distance;
        best = {static_cast<int>(i), 0, spec.nodes[i]};
      }
    return best;
  }
  for (size_t e = 0; e < spec.elements.size(); ++e) {
    const Vec3& a = spec.nodes[size_t(spec.elements[e].first)];
    const Vec3 along = spec.nodes[size_t(spec.elements[e].second)] - a;
    double xi = std::clamp((at - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
    if (xi < 1e-12) xi = 0;  // at nodes one element's coordinates suffice
    if (xi > 1 - 1e-12) xi = 1;
    const Vec3 place = a + xi * along;
    const double distance = (at - place).norm();
    if (distance < nearest * (1 - 1e-9)) {
      nearest = distance;
      best = {static_cast<int>(e), xi, place};
    }
  }
  return best;
}

Vec3 place_along(const FlexibleSpec& spec, double fraction) {
  double all = 0;
  for (size_t e = 0; e < spec.elements.size(); ++e) all += spec.length_of(e);
  double left = fraction * all;
  for (size_t e = 0; e < spec.elements.size(); ++e) {
    const double own = spec.length_of(e);
    const auto& [a, b] = spec.elements[e];
    if (left <= own || e + 1 == spec.elements.size()) {
      const double xi = std::clamp(left / own, 0.0, 1.0);
      return (1 - xi) * spec.nodes[size_t(a)] + xi * spec.nodes[size_t(b)];
    }
    left -= own;
  }
  return spec.nodes.empty() ? Vec3(Vec3::Zero()) : spec.nodes.front();
}

}  // namespace driftless
