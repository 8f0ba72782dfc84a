// What a system looks like: shapes in the frames of its bodies, where joints and springs hold on. It travels with the
// results, so that a result file can be looked at without the model. The frames are those of the poses in the trajectory:
// of models, body axes with the origin in the centre of mass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/model/shape.hpp"

namespace driftless {

struct DrawnBody {
  std::string name;
  Vec3 center = Vec3::Zero();  // of mass
  std::vector<NamedPoint> points = {};
  std::vector<Shape> shapes = {};  // places, no names
};

struct DrawnEnd {
  int body = -1;  // −1: ground
  Vec3 at = Vec3::Zero();
};

// A joint, driver or force. Symbols of joints: pin, slider, ball, fixed, cylinder, universal, screw, gear, rolling,
// distance, driver, other; of forces: coil, torsion, bushing, tyre, force, none (its body shows it).
struct DrawnLink {
  std::string name, type, symbol;
  DrawnEnd a, b;
  std::optional<Vec3> axis = {};  // in the frame of a
  double length = 0;              // of a distance
};

// Lines through points of bodies: what bends or stretches.
struct DrawnLines {
  std::string name;
  std::vector<DrawnEnd> nodes;
  std::vector<std::vector<int>> lines;  // of nodes
  double radius = 0;
  // Of a body with a floating frame: that body, and where the nodes are in its frame without deflections, so that these can be
  // magnified; of a flexible body: the element each line shows, for colours by stress.
  int frame = -1;
  std::vector<Vec3> rest = {};
  std::vector<int> elements = {};
};

struct Drawing {
  bool planar = true;
  Vec3 gravity = Vec3::Zero();
  double length = 1;  // characteristic
  std::vector<DrawnBody> bodies = {};
  DrawnBody ground = {"ground"};
  std::vector<DrawnLink> joints = {};   // and drivers
  std::vector<DrawnLink> springs = {};  // and other forces
  std::vector<DrawnLines> deforming = {};
};

// The model's shapes, and shapes made up from points where it has none. The model is valid; the records of its types say with
// which symbols and wheels they are drawn.
Drawing drawing_of(const Model& model, const Catalogue& catalogue);

// Bodies of which only the names are known: a small one each.
Drawing plain_drawing(const std::vector<std::string>& body_names, bool planar, double length);

}  // namespace driftless
