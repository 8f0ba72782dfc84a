// Collects the parts of a planar system while the elements of a model expand themselves.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/coordinates/planar_parts.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/model/model_index.hpp"

namespace driftless {

class PlanarBuilder final : public PlanarConstraintSink, public PlanarForceSink {
 public:
  explicit PlanarBuilder(const Model& model);

  // The element whose blocks come next: their rows carry its name.
  void begin(const std::string& element) {
    element_ = element;
    joint_ = -1;
  }
  // The same for a joint or driver of the model, whose reaction can be asked for.
  void begin_joint(const Element& joint, const JointRecord& record);

  int body(const std::string& name) const override;
  PointOn point(const PointRef& ref) const override;
  const PlanarFrame<double>& start(int body) const override { return start_[size_t(body)]; }
  double length() const override { return parts.length; }
  const Model& model() const override { return index_.model(); }

  using Labels = std::initializer_list<const char*>;
  void add(const Coincident& block, Labels labels) override { place(block, labels); }
  void add(const Along& block, Labels labels) override { place(block, labels); }
  void add(const Distance& block, Labels labels) override { place(block, labels); }
  void add(const AngleSum& block, Labels labels) override { place(block, labels); }
  void add(const Rack& block, Labels labels) override { place(block, labels); }
  void add(const Path& block, Labels labels) override { place(block, labels); }
  void add(const OnCurve& block, Labels labels) override { place(block, labels); }
  void add(const Skate& block, Labels labels) override { place(block, labels); }
  void add_rate(const Rack& block, Labels labels) override { place(block, labels, true); }

  std::pair<int, int> joint_bodies(const std::string& joint) const override;
  PlanarForces& forces() override { return parts.forces; }

  PlanarParts parts;

 private:
  // Rows with a position come first: those without make room.
  template <class Block>
  void place(const Block& block, Labels labels, bool velocity_only = false) {
    Placed<Block> placed;
    placed.block = block;
    placed.velocity_only = velocity_only || !is_holonomic<Block>;
    placed.row = placed.velocity_only ? static_cast<int>(parts.row_names.size()) : parts.holonomic;
    if (!placed.velocity_only) {
      if (parts.holonomic < static_cast<int>(parts.row_names.size()))
        for_each_element(parts.blocks, [](auto& other) {
          if (other.velocity_only) other.row += Block::rows;
        });
      parts.holonomic += Block::rows;
    }
    auto at = parts.row_names.begin() + placed.row;
    for (const char* label : labels) at = parts.row_names.insert(at, element_ + "." + label) + 1;
    parts.joint_of_row.insert(parts.joint_of_row.begin() + placed.row, labels.size(), joint_);
    std::get<std::vector<Placed<Block>>>(parts.blocks).push_back(placed);
  }

  PlanarJoint place_of(const Element& joint, const JointRecord& record) const;

  ModelIndex index_;
  std::string element_;
  int joint_ = -1;
  std::vector<PlanarFrame<double>> start_;  // at the centres of mass; ground last
};

// A model with the rows of `joints` and of its drivers, and with its forces.
PlanarBuilder expand_planar(const Model& model, const std::vector<Element>& joints);

// Output channels of a model (coordinates/planar_outputs.cpp).
PlanarChannel compile_output(const Element& output, const Model& model);
void add_channels(const Model& model, PlanarBuilder& builder, std::vector<Complaint>& complaints);

}  // namespace driftless
