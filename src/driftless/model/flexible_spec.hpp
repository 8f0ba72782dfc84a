// A flexible body as the model file describes it: a mesh of nodes and two-node elements with sections and materials, how its
// coordinates are chosen, what it starts with. A plain value, in the body frame; docs/theory/flexible.md has the equations.
//   beam    floating frame and small elastic coordinates in it; mesh or modes of it
//   cable   absolute nodal coordinates: places and slopes of the nodes in world axes, large deflections
//   modal   floating frame with modes that another program has found: nodes, masses, modes, stiffness
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

// A section and its material, as given; lengths in m.
struct BeamSection {
  std::string type = "given";                // circle, rectangle, given
  double diameter = 0, inner = 0;            // circle
  double width = 0, height = 0;              // rectangle: along e2 (y) and e3 (z)
  double area = 0, Iy = 0, Iz = 0;           // given: Iy = ∫z²dA, Iz = ∫y²dA
  double torsion = 0;                        // given: J of GJ; rectangle, circle: own
  std::optional<double> EA, EIy, EIz, GJ;    // stiffnesses given directly
  std::optional<double> rhoA, rhoIy, rhoIz;  // masses per length given directly
};

struct BeamMaterial {
  double youngs_modulus = 0, density = 0;
  std::optional<double> poisson, shear_modulus;
};

// Per length, what elements are made of.
struct BeamProperties {
  double EA = 0, EIy = 0, EIz = 0, GJ = 0;
  double rhoA = 0, rhoIy = 0, rhoIz = 0;
  double half_y = 0, half_z = 0;  // extents of the section, for stresses and drawings; 0: not known
  double E = 0;                   // for stresses; 0: not known
};
BeamProperties properties_of(const BeamSection& section, const BeamMaterial& material);

struct ModesSpec {
  std::string type = "eigen";   // eigen, craig-bampton
  int count = 0;                // 0: all (below `below`)
  std::optional<double> below;  // rad/s
  std::vector<int> boundary;    // craig-bampton: nodes with joints or forces
};

// Modes of a body that another program has found. Rows of `shapes` are the displacements of the nodes and then their rotations,
// node after node: u v rz in the plane, u v w rx ry rz in space; columns are modes. Inertia either by masses of nodes
// (and inertia tensors about them, body axes), or by the invariants (1) of flexible/invariants.hpp themselves.
struct ModalInvariants {
  double m = 0;
  Vec3 s0 = Vec3::Zero();
  Eigen::Matrix3d P0 = Eigen::Matrix3d::Zero();
  Mat S;                                 // 3 × n
  std::array<std::array<Vec, 3>, 3> P1;  // n
  std::array<std::array<Mat, 3>, 3> P2;  // n × n
};
struct ModalData {
  std::vector<double> masses;             // of nodes
  std::vector<Eigen::Matrix3d> inertias;  // none: point masses
  std::optional<ModalInvariants> invariants;
  Mat shapes;
  Mat stiffness, mass, damping;  // n × n; mass, damping: may be empty
  bool turns = false;            // rotations of nodes are known
};

struct FlexibleSpec {
  enum class Type { beam, cable, modal };
  enum class Frame { clamped_free, simply_supported, mean_axis };
  enum class Stiffening { none, geometric, loads };
  Type type = Type::beam;
  std::vector<Vec3> nodes;                    // body frame
  std::vector<std::pair<int, int>> elements;  // pairs of nodes; of a modal body lines to draw
  std::vector<BeamSection> sections;          // one for all, or one an element
  BeamMaterial material;
  Vec3 up =
      Vec3::Zero();  // space: e2 of the sections as near to it as can be; zero: y, or z along the y axis
  // beam
  Frame frame = Frame::clamped_free;
  int frame_node = 0, far_node = -1;  // node a; simply-supported: node b, −1: the last
  Stiffening stiffening = Stiffening::geometric;
  bool rotary_inertia = false;
  std::optional<ModesSpec> modes;
  double alpha = 0, beta = 0;                  // Rayleigh damping
  std::vector<double> modal_damping;           // ζ of every mode; one: of all
  std::vector<std::pair<int, double>> masses;  // on nodes
  // cable
  std::string strain = "green", curvature = "material", integration = "lobatto";
  // modal
  std::shared_ptr<const ModalData> modal;
  // start
  std::map<std::string, double> deflection,
      rates;  // by the names of the elastic coordinates: "n2.v", "mode1"

  double length_of(size_t element) const {
    return (nodes[size_t(elements[element].second)] - nodes[size_t(elements[element].first)]).norm();
  }
  const BeamSection& section_of(size_t element) const { return sections[sections.size() == 1 ? 0 : element]; }
  BeamProperties properties(size_t element) const { return properties_of(section_of(element), material); }
};

// Words of the file.
const char* frame_word(FlexibleSpec::Frame frame);
const char* stiffening_word(FlexibleSpec::Stiffening stiffening);

// Total mass and centre of mass of the undeformed body.
double flexible_mass(const FlexibleSpec& spec);
Vec3 flexible_center(const FlexibleSpec& spec);

// Axes of an element as columns: e1 along it, e2 as near to `up` as can be. In the plane e3 = z.
Eigen::Matrix3d element_axes(const FlexibleSpec& spec, size_t element, bool planar);

// The nearest point of the axis. Of a modal body `element` is the number of the nearest node.
struct AxisPlace {
  int element = 0;
  double xi = 0;           // 0 … 1
  Vec3 at = Vec3::Zero();  // body frame
};
AxisPlace nearest_on_axis(const FlexibleSpec& spec, const Vec3& at);

// The place at a fraction of the length of all elements, one after the other.
Vec3 place_along(const FlexibleSpec& spec, double fraction);

}  // namespace driftless
