// Results by name, for programs: `results["crank_angle"]` is an output over time, results.q("crank.theta") a coordinate. Columns are spans
// that live as long as the results; they are put together when they are first asked for.
//
//   const NamedResults results = run_file("models/four-bar.json", {.rtol = 1e-9});
//   results.t.back(), results["crank_angle"].back(), results.drift.position_max
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/run/run.hpp"

namespace driftless {

class NamedResults : public Results {
 public:
  explicit NamedResults(Results results)
      : Results(std::move(results)), t(trajectory.t), columns_(std::make_shared<Columns>()) {}
  // Copies share their columns.
  NamedResults(const NamedResults& other) : Results(other), t(trajectory.t), columns_(other.columns_) {}
  NamedResults(NamedResults&& other) noexcept
      : Results(std::move(other)), t(trajectory.t), columns_(std::move(other.columns_)) {}
  NamedResults& operator=(const NamedResults&) = delete;

  // InputError with the nearest name if there is none of this.
  std::span<const double> operator[](std::string_view output) const {
    return column("output", trajectory.quantities, output);
  }
  std::span<const double> q(std::string_view name) const { return column("position", trajectory.q, name); }
  std::span<const double> v(std::string_view name) const { return column("velocity", trajectory.v, name); }
  std::span<const double> vdot(std::string_view name) const {
    return column("acceleration", trajectory.vdot, name);
  }
  std::span<const double> lambda(std::string_view row) const {
    return column("multiplier", trajectory.lambda, row);
  }
  const std::vector<std::string>& output_names() const { return trajectory.quantities.names; }

  std::span<const double> t;  // times of the records

 private:
  using Columns = std::map<std::string, std::vector<double>>;
  std::span<const double> column(const char* kind, const Table& table, std::string_view name) const;
  std::shared_ptr<Columns> columns_;
};

// A model, with its own `simulate` block where `settings` say nothing.
NamedResults run_model(const Model& model, const RunSettings& settings = {});
// The same of a model file, or of a model or problem by its name.
NamedResults run_file(const std::string& target, const RunSettings& settings = {});

}  // namespace driftless
