#include "driftless/model/validate/validate_flexible.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <fmt/format.h>

#include "driftless/model/flexible_start.hpp"

namespace driftless {
namespace {

double least_eigenvalue(const Mat& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

bool is_inertia(const Eigen::Matrix3d& J) {
  return J.allFinite() && (J - J.transpose()).norm() <= 1e-8 * J.norm() &&
         least_eigenvalue(J) >= -1e-9 * J.norm();
}

class FlexibleCheck {
 public:
  FlexibleCheck(const std::string& path, const FlexibleSpec& spec, Space space, Complaints& complaints)
      : path_(path), spec_(spec), planar_(space == Space::planar), complaints_(complaints) {}

  bool mesh();
  void sections();
  void frame();
  void modes();
  void damping();
  void masses();
  void cable();
  void start();
  void modal();

 private:
  bool moves_as_one(const Vec& shape) const;
  std::string at(std::string_view key) const { return path_ + "." + std::string(key); }
  int nodes() const { return static_cast<int>(spec_.nodes.size()); }
  void node(const std::string& where, int index) {
    if (index < 0 || index >= nodes())
      complaints_.add(where, fmt::format("the number of a node, 0 to {}", nodes() - 1),
                      fmt::format("{}", index));
  }
  void positive(const std::string& where, double value, const char* hint) {
    if (!(value > 0) || !std::isfinite(value))
      complaints_.add(where, "a number > 0", fmt::format("{}", value), hint);
  }

  const std::string path_;
  const FlexibleSpec& spec_;
  const bool planar_;
  Complaints& complaints_;
};

bool FlexibleCheck::mesh() {
  if (nodes() < 2) {
    complaints_.add(at("nodes"), "two nodes or more", fmt::format("{}", nodes()));
    return false;
  }
  for (const Vec3& place : spec_.nodes)
    if (!place.allFinite() || place.cwiseAbs().maxCoeff() > 1e100) {
      complaints_.add(at("nodes"), "finite numbers", "others");
      return false;
    }
  for (size_t e = 0; e < spec_.elements.size(); ++e) {
    const auto [a, b] = spec_.elements[e];
    const std::string where = path_below(at("connect"), e);
    if (a < 0 || b < 0 || a >= nodes() || b >= nodes() || a == b) {
      complaints_.add(where, fmt::format("two different nodes, 0 to {}", nodes() - 1),
                      fmt::format("[{}, {}]", a, b));
      return false;
    }
  }
  if (spec_.elements.empty()) {
    complaints_.add(at("connect"), "an element or more", "none");
    return false;
  }
  double size = 0;
  for (const Vec3& place : spec_.nodes) size = std::max(size, (place - spec_.nodes[0]).norm());
  for (size_t e = 0; e < spec_.elements.size(); ++e)
    if (!(spec_.length_of(e) > 1e-6 * size)) {
      complaints_.add(path_, "elements longer than 1e-6 of the body",
                      fmt::format("element {} of length {}", e, spec_.length_of(e)));
      return false;
    }
  std::vector<int> group(spec_.nodes.size());  // by union of the ends of elements
  std::iota(group.begin(), group.end(), 0);
  for (const auto& [a, b] : spec_.elements) {
    const int from = group[size_t(a)], to = group[size_t(b)];
    for (int& own : group)
      if (own == from) own = to;
  }
  if (std::any_of(group.begin(), group.end(), [&](int own) { return own != group[0]; })) {
    complaints_.add(at("connect"), "a mesh of one piece", "several");
    return false;
  }
  return true;
}

void FlexibleCheck::sections() {
  if (spec_.sections.size() != 1 && spec_.sections.size() != spec_.elements.size()) {
    complaints_.add(at("section"),
                    fmt::format("one section, or one for each of the {} elements", spec_.elements.size()),
                    fmt::format("{}", spec_.sections.size()));
    return;
  }
  const bool cable = spec_.type == FlexibleSpec::Type::cable;
  for (size_t i = 0; i < spec_.sections.size(); ++i) {
    const BeamSection& section = spec_.sections[i];
    const std::string where = spec_.sections.size() == 1 ? at("section") : path_below(at("section"), i);
    if (section.type == "circle") {
      positive(path_below(where, "diameter"), section.diameter, "");
      if (section.inner < 0 || section.inner >= section.diameter)
        complaints_.add(path_below(where, "inner"), "a number from 0 to the diameter",
                        fmt::format("{}", section.inner));
    }
    if (section.type == "rectangle") {
      positive(path_below(where, "width"), section.width, "");
      positive(path_below(where, "height"), section.height, "");
    }
    const BeamProperties p = properties_of(section, spec_.material);
    positive(path_below(where, "EA"), p.EA, "give area and youngs_modulus, or stiffness.EA");
    positive(path_below(where, "EIz"), p.EIz, "give Iz and youngs_modulus, or stiffness.EI");
    positive(path_below(where, "rhoA"), p.rhoA, "give area and density, or mass_per_length");
    if (planar_ || cable) continue;
    positive(path_below(where, "EIy"), p.EIy, "give Iy, or stiffness.EIy");
    if (!section.GJ && !spec_.material.poisson && !spec_.material.shear_modulus &&
        spec_.material.youngs_modulus > 0)
      complaints_.add(at("material"), "\"poisson\" or \"shear_modulus\" of a beam in space", "neither",
                      "torsion needs it; or give stiffness.GJ of the section");
    positive(path_below(where, "GJ"), p.GJ, "give torsion and shear_modulus or poisson, or stiffness.GJ");
    positive(path_below(where, "rhoIy"), p.rhoIy,
             "a beam in space resists turning about its axis: give Iy and density");
    positive(path_below(where, "rhoIz"), p.rhoIz,
             "a beam in space resists turning about its axis: give Iz and density");
  }
  const BeamMaterial& m = spec_.material;
  if (m.youngs_modulus < 0)
    complaints_.add(at("material.youngs_modulus"), "a number > 0", fmt::format("{}", m.youngs_modulus));
  if (m.density < 0) complaints_.add(at("material.density"), "a number > 0", fmt::format("{}", m.density));
  if (m.poisson && m.shear_modulus)
    complaints_.add(at("material.shear_modulus"), "\"poisson\" or \"shear_modulus\"", "both");
  if (m.poisson && !(*m.poisson > -1 && *m.poisson <= 0.5))
    complaints_.add(at("material.poisson"), "a number from −1 to 0.5", fmt::format("{}", *m.poisson));
}

void FlexibleCheck::frame() {
  node(at("frame_node"), spec_.frame_node);
  if (spec_.far_node >= 0) node(at("far_node"), spec_.far_node);
  if (spec_.frame == FlexibleSpec::Frame::simply_supported) {
    const int b = spec_.far_node < 0 ? nodes() - 1 : spec_.far_node;
    if (spec_.frame_node < 0 || spec_.frame_node >= nodes() || b >= nodes()) return;
    const Vec3 chord = spec_.nodes[size_t(b)] - spec_.nodes[size_t(spec_.frame_node)];
    if (b == spec_.frame_node || std::abs(chord.y()) + std::abs(chord.z()) > 1e-9 * chord.norm())
      complaints_.add(at("frame"), "a chord along the x axis of the body for 'simply-supported'", "another",
                      "turn the body's frame, or use 'clamped-free' or 'mean-axis'");
  } else if (spec_.far_node >= 0) {
    complaints_.add(at("far_node"), "nothing but with frame 'simply-supported'", "a value");
  }
  if (spec_.frame == FlexibleSpec::Frame::mean_axis && spec_.frame_node != 0)
    complaints_.add(at("frame_node"), "nothing with frame 'mean-axis', which no node holds", "a value");
}

void FlexibleCheck::modes() {
  if (!spec_.modes) {
    if (!spec_.modal_damping.empty())
      complaints_.add(at("damping.modal"), "\"modes\" besides", "none",
                      "nodal coordinates take alpha and beta");
    return;
  }
  const ModesSpec& modes = *spec_.modes;
  const int rigid = planar_ ? 3 : 6, all = (planar_ ? 3 : 6) * nodes() - rigid;
  if (modes.count < 0 || (modes.type == "eigen" && modes.count > all))
    complaints_.add(at("modes.count"), fmt::format("a whole number from 1 to {}", all),
                    fmt::format("{}", modes.count));
  if (modes.below && !(*modes.below > 0))
    complaints_.add(at("modes.below"), "a frequency > 0, rad/s", fmt::format("{}", *modes.below));
  for (size_t i = 0; i < modes.boundary.size(); ++i)
    node(path_below(at("modes.boundary"), i), modes.boundary[i]);
  if (std::set<int>(modes.boundary.begin(), modes.boundary.end()).size() != modes.boundary.size())
    complaints_.add(at("modes.boundary"), "every node once", "one several times");
  if (modes.type == "craig-bampton") {
    if (modes.boundary.empty())
      complaints_.add(at("modes.boundary"), "the nodes with joints or forces", "none");
    const int interior = std::max(0, (planar_ ? 3 : 6) * (nodes() - static_cast<int>(modes.boundary.size())));
    if (modes.count > interior)
      complaints_.add(at("modes.count"),
                      fmt::format("at most {}, the coordinates of the nodes inside", interior),
                      fmt::format("{}", modes.count));
    if (modes.below)
      complaints_.add(at("modes.below"), "\"count\" of interior modes with 'craig-bampton'", "\"below\"");
    if (spec_.frame != FlexibleSpec::Frame::mean_axis)
      complaints_.add(
          at("frame"), "'mean-axis' with modes of type 'craig-bampton'",
          fmt::format("'{}'", frame_word(spec_.frame)),
          "their rigid modes are left out, which makes the frame a mean one; 'eigen' takes any frame");
  } else if (!modes.boundary.empty()) {
    complaints_.add(at("modes.boundary"), "nothing with modes of type 'eigen'", "a list",
                    "'craig-bampton' has a boundary");
  }
  const bool whole = modes.type == "eigen" && !modes.below && (modes.count == 0 || modes.count == all);
  if (spec_.stiffening == FlexibleSpec::Stiffening::geometric && !whole)
    complaints_.add(at("stiffening"), "'loads' or 'none' with a selection of modes", "'geometric'",
                    "without the axial modes that give way it is far too stiff");
}

void FlexibleCheck::damping() {
  if (spec_.alpha < 0) complaints_.add(at("damping.alpha"), "a number ≥ 0", fmt::format("{}", spec_.alpha));
  if (spec_.beta < 0) complaints_.add(at("damping.beta"), "a number ≥ 0", fmt::format("{}", spec_.beta));
  for (const double zeta : spec_.modal_damping)
    if (!(zeta >= 0)) complaints_.add(at("damping.modal"), "ratios ≥ 0", fmt::format("{}", zeta));
}

void FlexibleCheck::masses() {
  for (size_t i = 0; i < spec_.masses.size(); ++i) {
    node(path_below(at("masses"), i), spec_.masses[i].first);
    positive(path_below(at("masses"), i), spec_.masses[i].second, "");
  }
}

void FlexibleCheck::start() {
  static const std::vector<std::string> planar = {"u", "v", "rz"},
                                        spatial = {"u", "v", "w", "rx", "ry", "rz"};
  const auto& suffixes = planar_ ? planar : spatial;
  for (const auto* list : {&spec_.deflection, &spec_.rates})
    for (const auto& [name, value] : *list) {
      if (list == &spec_.deflection && name == kRelaxedStart) continue;
      const std::string where =
          path_below(at(list == &spec_.deflection ? "initial.deflection" : "initial.rates"), name);
      if (!std::isfinite(value)) complaints_.add(where, "a finite number", fmt::format("{}", value));
      int number = -1;
      char tail[8] = "";
      const bool is_mode = std::sscanf(name.c_str(), "mode%d%7s", &number, tail) == 1 && number >= 1;
      const bool is_node = std::sscanf(name.c_str(), "n%d.%7s", &number, tail) == 2 && number >= 0 &&
                           number < nodes() &&
                           std::find(suffixes.begin(), suffixes.end(), tail) != suffixes.end();
      const bool has_modes = spec_.modes || spec_.modal;
      if (has_modes ? !is_mode : !is_node)
        complaints_.add(where,
                        has_modes ? "a mode: \"mode1\", …" : "a coordinate of a node: \"n2.v\", \"n2.rz\", …",
                        fmt::format("'{}'", name));
    }
  if (starts_relaxed(spec_) && !spec_.rates.empty())
    complaints_.add(at("initial.rates"), "none: a relaxed body is at rest in its frame", "rates");
}

void FlexibleCheck::cable() {
  damping();
  if (spec_.beta != 0 || !spec_.modal_damping.empty())
    complaints_.add(at("damping"), "\"alpha\" alone for a cable: D = alpha M", "more");
  if (starts_relaxed(spec_))
    complaints_.add(at("initial.relaxed"), "no relaxed start: a cable has no frame to be at rest in", "true");
  const Vec3 along = (spec_.nodes.back() - spec_.nodes.front()).normalized();
  for (size_t e = 0; e < spec_.elements.size(); ++e) {
    const Vec3 own =
        spec_.nodes[size_t(spec_.elements[e].second)] - spec_.nodes[size_t(spec_.elements[e].first)];
    if ((own.normalized() - along).norm() > 1e-9) {
      complaints_.add(at("nodes"), "a straight cable", "another", "curved cables are not supported");
      return;
    }
  }
}

// Whether displacements of the nodes are those of a rigid motion, to a thousandth. One node says nothing.
bool FlexibleCheck::moves_as_one(const Vec& shape) const {
  const Eigen::Index row = planar_ ? 3 : 6, d = planar_ ? 2 : 3;
  if (nodes() < 2) return false;
  Mat rigid = Mat::Zero(d * nodes(), planar_ ? 3 : 6);
  Vec moved(d * nodes());
  for (Eigen::Index k = 0; k < nodes(); ++k) {
    moved.segment(d * k, d) = shape.segment(row * k, d);
    rigid.block(d * k, 0, d, d).setIdentity();
    for (Eigen::Index i = d; i < rigid.cols(); ++i) {
      const Vec3 axis = planar_ ? Vec3(0, 0, 1) : Vec3(Vec3::Unit(i - d));
      rigid.block(d * k, i, d, 1) = axis.cross(spec_.nodes[size_t(k)]).head(d);
    }
  }
  const Vec fit = rigid.completeOrthogonalDecomposition().solve(moved);
  return (rigid * fit - moved).norm() <= 1e-3 * moved.norm();
}

// Modes that another program has found: sizes, and whether mass and stiffness are what they must be.
void FlexibleCheck::modal() {
  if (!spec_.modal) return;  // the file could not be read: that has been said
  const ModalData& data = *spec_.modal;
  const Eigen::Index n = data.shapes.cols(), row = planar_ ? 3 : 6;
  const std::string where = at("modes");
  if (nodes() < 1 || n < 1 || data.shapes.rows() != row * nodes() || data.stiffness.rows() != n)
    return complaints_.add(where, "a node and a mode or more", fmt::format("{} and {}", nodes(), n));
  for (size_t k = 0; k < spec_.nodes.size(); ++k)
    if (!spec_.nodes[k].allFinite() || spec_.nodes[k].cwiseAbs().maxCoeff() > 1e100)
      return complaints_.add(path_below(at("nodes"), k), "finite numbers, not above 1e100", "others");
  for (const auto& [a, b] : spec_.elements)
    if (a < 0 || b < 0 || a >= nodes() || b >= nodes())
      return complaints_.add(at("connect"), fmt::format("two nodes, 0 to {}", nodes() - 1),
                             fmt::format("[{}, {}]", a, b));
  Mat M = Mat::Zero(n, n);
  if (data.invariants) {
    for (size_t a = 0; a < (planar_ ? 2 : 3); ++a) M += data.invariants->P2[a][a];
    positive(at("invariants.m"), data.invariants->m, "");
  } else {
    for (int k = 0; k < nodes(); ++k) {
      const double mass = data.masses[size_t(k)];
      if (!(mass >= 0) || !std::isfinite(mass))
        complaints_.add(path_below(at("mass"), size_t(k)), "a number ≥ 0", fmt::format("{}", mass));
      const Mat u = data.shapes.middleRows(row * k, planar_ ? 2 : 3);
      M += mass * u.transpose() * u;
      if (data.inertias.empty() || !data.turns) continue;
      const Mat turn = data.shapes.middleRows(row * k + (planar_ ? 2 : 3), planar_ ? 1 : 3);
      const Eigen::Matrix3d& J = data.inertias[size_t(k)];
      if (!is_inertia(J))
        complaints_.add(path_below(at("inertia"), size_t(k)),
                        planar_ ? "a number ≥ 0" : "a symmetric matrix without negative moments", "another");
      M += turn.transpose() * (planar_ ? Mat(J.block<1, 1>(2, 2)) : Mat(J)) * turn;
    }
    positive(at("mass"), flexible_mass(spec_), "the masses of the nodes add up to it");
    if (!data.inertias.empty() && !data.turns)
      complaints_.add(at("inertia"), "rotations of the nodes in \"modes\"", "none",
                      "inertias of nodes need them");
  }
  const auto symmetric = [&](const char* key, const Mat& matrix) {
    const bool good = matrix.allFinite() && (matrix - matrix.transpose()).norm() <= 1e-8 * matrix.norm();
    if (!good) complaints_.add(at(key), "a symmetric matrix of finite numbers", "another");
    return good;
  };
  if (!M.allFinite() || !data.shapes.allFinite()) return complaints_.add(where, "finite numbers", "others");
  if (data.damping.size() > 0) {
    if (!symmetric("damping", data.damping)) return;
    if (const double least = least_eigenvalue(data.damping); least < -1e-9 * data.damping.norm())
      complaints_.add(at("damping"), "a matrix that takes energy",
                      fmt::format("an eigenvalue of {:.3g}", least));
  }
  if (data.mass.size() > 0 && symmetric("modal_mass", data.mass) && (data.mass - M).norm() > 1e-8 * M.norm())
    complaints_.add(at("modal_mass"), "the mass of the modes as nodes or invariants give it, to 1e-8",
                    fmt::format("one that is off by {:.2g}", (data.mass - M).norm() / M.norm()));
  if (!symmetric("stiffness", data.stiffness)) return;
  const Eigen::SelfAdjointEigenSolver<Mat> inertia(M);
  if (!(inertia.eigenvalues()[0] > 1e-12 * inertia.eigenvalues()[n - 1]))
    return complaints_.add(where, "modes that do not depend on each other, all with mass",
                           fmt::format("a smallest modal mass of {:.2g}", inertia.eigenvalues()[0]));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solved(data.stiffness, M);
  const Vec squares = solved.eigenvalues();  // ω²
  for (Eigen::Index k = 0; k < n; ++k)
    if (!(squares[k] > 0) ||
        (squares[k] < 1e-6 * squares[n - 1] && moves_as_one(Vec(data.shapes * solved.eigenvectors().col(k)))))
      return complaints_.add(where, "elastic modes only", fmt::format("one with ω² = {:.3g}", squares[k]),
                             "the floating frame moves rigidly: leave rigid modes out");
}

}  // namespace

void validate_flexible(const std::string& path,
                       const FlexibleSpec& spec,
                       Space space,
                       Complaints& complaints) {
  FlexibleCheck check(path, spec, space, complaints);
  if (spec.type == FlexibleSpec::Type::modal) {
    check.modal();
    check.damping();
    return check.start();
  }
  if (!check.mesh()) return;
  check.sections();
  if (spec.type == FlexibleSpec::Type::cable) return check.cable();
  check.frame();
  check.modes();
  check.damping();
  check.masses();
  check.start();
}

}  // namespace driftless
