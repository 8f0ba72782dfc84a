// Where joints and drivers put their blocks while a planar model is compiled, and what they may ask of the model then.
#pragma once

#include <initializer_list>
#include <string>

#include "driftless/constraints/planar_blocks.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class PlanarConstraintSink {
 public:
  virtual ~PlanarConstraintSink() = default;

  virtual int body(const std::string& name) const = 0;  // index, ground included
  virtual PointOn point(const PointRef& ref) const = 0;
  virtual const PlanarFrame<double>& start(int body) const = 0;  // pose as the file gives it
  virtual double length() const = 0;                             // characteristic length of the model
  virtual const Model& model() const = 0;                        // for elements that name others

  // Rows are called JOINT.LABEL.
  virtual void add(const Coincident& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const Along& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const Distance& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const AngleSum& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const Rack& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const Path& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const OnCurve& block, std::initializer_list<const char*> labels) = 0;
  virtual void add(const Skate& block, std::initializer_list<const char*> labels) = 0;
  // Held at velocity level only: where it stands is whatever the motion makes it.
  virtual void add_rate(const Rack& block, std::initializer_list<const char*> labels) = 0;

  // θ_b − θ_a = f: the most common angle row.
  void add_relative_angle(int a, int b, const TimeFunction& f, const char* label) {
    add(AngleSum{{a, b, a}, {-length(), length(), 0}, length(), f}, {label});
  }
};

}  // namespace driftless
