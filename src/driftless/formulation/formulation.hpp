// Which differential equations are handed to the scheme. An OdeForm integrates a vector y with ẏ = F(t, y): for the
// index-1 forms here y = (q, v) and, where energy is exchanged with the outside, one more component: the work W done on
// the system, integrated along with the motion (it takes no part in error control).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/method_record.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/core/status.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class OdeForm {
 public:
  virtual ~OdeForm() = default;

  virtual int size() const = 0;          // length of y
  virtual const Vec& scale() const = 0;  // what counts as one in each component; 0: not tested
  virtual void magnitudes(ConstVec y, VecRef out) const = 0;  // how large y is, for relative tolerances
  virtual void pack(const State& state, double work, VecRef y) const = 0;
  virtual double unpack(double t, ConstVec y, State& state) const = 0;  // returns the work W
  virtual void begin_step(double h) = 0;                             // the size of the step about to be tried
  virtual Status derivative(double t, ConstVec y, VecRef ydot) = 0;  // one evaluation of F
  // The system's terms (g, J, ν, M …) where derivative() was called last: what monitors read without evaluating again.
  virtual Terms& terms() = 0;
  // Accelerations and multipliers of the motion itself at a state: without the terms a formulation adds to hold the
  // constraints (docs/theory/baumgarte.md). Not counted as an evaluation.
  virtual Status react(const State& state, Reaction& out) = 0;
  // Leaves rows that depend on the others out of every solve (ascending). react() then gives the smallest multipliers.
  // The formulation may come to leave out others of the same number between steps: dropped_rows() says which.
  virtual void drop_rows(std::span<const int> rows) = 0;
  virtual const std::vector<int>& dropped_rows() const = 0;
  // Index of the row that made the last `singular`, −1 if it was none of the rows.
  virtual int singular_row() const = 0;
  // Something the user should know after a run; empty if there is nothing.
  virtual std::string remark() const { return {}; }

  Statistics* statistics = nullptr;  // where factorizations are counted; set by simulate
};

struct FormulationRecord {
  MethodRecord method;
  std::string default_integrator;
  std::string default_stabilization;
  std::unique_ptr<OdeForm> (*make)(const DescriptorSystem& system, const Options& options);
};

std::span<const FormulationRecord* const> formulation_records();

}  // namespace driftless
