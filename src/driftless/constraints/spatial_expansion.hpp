// A spatial model as its elements expand it, before any coordinates are chosen: markers, scalars and rows. Joints and
// drivers write into it, forces look points and scalars up in it, and every coordinate set compiles from it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driftless/constraints/row_set.hpp"
#include "driftless/constraints/spatial_frame.hpp"
#include "driftless/model/model_index.hpp"

namespace driftless {

struct SpatialDirection {
  int body = 0;
  Vec3 u = Vec3::UnitZ();  // unit, body axes
};

// A quantity blocks and forces may use besides markers. Sets that have it among their coordinates (the angle of a revolute
// in relative coordinates) use that; others carry it as a massless coordinate, tied to the markers by a row of its own.
struct Scalar {
  enum class Kind { angle, displacement, parameter };
  std::string name;   // of the coordinate: "gear.angle_a"
  std::string owner;  // the element that asked first
  Kind kind = Kind::angle;
  JointFrame a, b;   // angle of x_b from x_a about z_a; displacement of b along z_a
  double start = 0;  // in the initial position
};

class SpatialExpansion {
 public:
  explicit SpatialExpansion(const Model& model);

  // The element whose rows and scalars come next.
  void begin(const std::string& element) { element_ = element; }
  const std::string& element() const { return element_; }

  // ---- what elements may ask of the model
  int body(const std::string& name) const;  // index, ground included
  int ground() const { return static_cast<int>(start_.size()) - 1; }
  SpatialPoint point(const PointRef& ref) const;
  SpatialDirection direction(const DirectionRef& ref, int default_body) const;
  const SpatialFrame<double>& start(int body) const { return start_[size_t(body)]; }  // at the centre of mass
  double length() const { return length_; }  // characteristic length of the model
  const Model& model() const { return index_.model(); }
  Vec3 place(const SpatialPoint& p) const { return start(p.body).point(p.at); }
  Vec3 world(const SpatialDirection& d) const { return start(d.body).turn(d.u); }
  // The direction of another body that is parallel to d in the initial position.
  SpatialDirection carried(const SpatialDirection& d, int body) const;
  // A frame at p with z along `axis`, x as near to the world vector `towards` as can be (zero: any).
  JointFrame frame(const SpatialPoint& p,
                   const SpatialDirection& axis,
                   const Vec3& towards = Vec3::Zero()) const;
  // The frame at p whose axes are those of f in the initial position.
  JointFrame aligned(const SpatialPoint& p, const JointFrame& f) const;
  // The same, turned as little as it takes to have z along `axis`, whichever way that points.
  JointFrame bent(const SpatialPoint& p, const JointFrame& f, const SpatialDirection& axis) const;
  // Frames of a joint that has been placed: on its first and on its second body.
  const std::pair<JointFrame, JointFrame>& joint_frames(const std::string& joint) const {
    return joints_.find(joint)->second;
  }

  // ---- what elements add
  void place_joint(const std::string& joint, const std::pair<JointFrame, JointFrame>& frames) {
    joints_.insert_or_assign(joint, frames);
  }
  int mark(const SpatialPoint& p);      // index of the marker
  int mark(const SpatialDirection& d);  // index of the marker
  int axis(const JointFrame& f, int k) { return mark(SpatialDirection{f.origin.body, f.axes.col(k)}); }
  int angle(const JointFrame& a, const JointFrame& b, const std::string& label);  // index of the scalar
  int displacement(const JointFrame& a,
                   const JointFrame& b,
                   const std::string& label);             // index of the scalar
  int parameter(double start, const std::string& label);  // a length along a curve; index of the scalar
  // The scalar these frames have already; −1: none.
  int find_scalar(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const;
  template <class Block>
  void add(const Block& block, std::vector<std::string> labels, bool velocity_only = false) {
    rows.add(block, element_, std::move(labels), velocity_only);
  }

  // ---- rows most joints are made of
  void add_coincident(const SpatialPoint& a, const SpatialPoint& b);  // 3 rows: x, y, z
  void add_parallel(const JointFrame& a, const JointFrame& b);        // 2 rows: z_b stays parallel to z_a
  void add_dot(const SpatialDirection& u,
               const SpatialDirection& w,
               double cosine,
               const char* label);  // 1 row
  void add_no_turn(const JointFrame& a,
                   const JointFrame& b);  // 1 row besides: x_b, too, stays parallel to x_a
  void add_on_axis(const JointFrame& a, const SpatialPoint& b);  // 2 rows: b stays on the z-axis of a
  // z-, x- or y-axis k of a: the origin of b stands at f along it.                                         1 row
  void add_along(const JointFrame& a, int k, const SpatialPoint& b, const TimeFunction& f, const char* label);
  // The angle of x_b from x_a about z_a is f(t).                                                           1 row
  void add_angle(const JointFrame& a, const JointFrame& b, const TimeFunction& f, const char* label);
  // A scalar is f(t): where whole turns count.                                                             1 row
  void add_value(int scalar, const TimeFunction& f, const char* label);

  // The row that ties a scalar to its markers (angles and displacements), for sets that carry it as a coordinate.
  void define(int scalar);

  std::vector<Marker<3>> markers;
  std::vector<Scalar> scalars;
  RowSet<3> rows;

 private:
  int scalar(
      Scalar::Kind kind, const JointFrame& a, const JointFrame& b, double start, const std::string& label);
  int mark(const Marker<3>& marker);

  ModelIndex index_;
  std::string element_;
  std::vector<SpatialFrame<double>> start_;   // at the centres of mass; ground last
  std::vector<std::vector<int>> markers_of_;  // per body
  std::map<std::string, std::pair<JointFrame, JointFrame>> joints_;
  double length_ = 1;
};

}  // namespace driftless
