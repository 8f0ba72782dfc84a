#include "driftless/report/signals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/model/drawing/drawing.hpp"
#include "driftless/report/decimate.hpp"

namespace driftless {
namespace {

constexpr size_t kMostDefaultOutputs = 6, kMostDefaultPositions = 3;

// A column of a table, in place.
Signal column(const Table& table, size_t i, Signal signal) {
  signal.first = table.data.data() + i;
  signal.stride = table.columns();
  signal.count = table.rows();
  return signal;
}

template <class Accept>
bool any(const Signal& signal, Accept accept) {
  for (size_t i = 0; i < signal.count; ++i)
    if (accept(signal.at(i))) return true;
  return false;
}

bool any_but_zero(const Signal& signal) {
  return any(signal, [](double x) { return x != 0; });
}

class SignalList {
 public:
  explicit SignalList(const Results& results) : trajectory_(results.trajectory) {
    for (const auto* names : {&trajectory_.body_names, &trajectory_.joint_names})
      owners_.insert(names->begin(), names->end());
    if (results.drawing)
      for (const DrawnLink& spring : results.drawing->springs) owners_.insert(spring.name);
  }

  std::vector<Signal> make() {
    outputs();
    table(trajectory_.q, "positions", "");
    table(trajectory_.v, "velocities", "");
    table(trajectory_.vdot, "accelerations", "d/dt ");
    table(trajectory_.lambda, "multipliers", "lambda ");
    reactions();
    energies();
    steps();
    if (trajectory_.quantities.columns() == 0) first_positions();
    return std::move(list_);
  }

 private:
  // "crank.x" belongs to crank.
  std::string owner(const std::string& name) const {
    const std::string before = name.substr(0, name.rfind('.'));
    return owners_.contains(before) ? before : "";
  }

  void add(Signal signal) {
    if (any(signal, [](double x) { return std::isfinite(x); })) list_.push_back(std::move(signal));
  }

  void table(const Table& table, const char* group, const std::string& prefix) {
    for (size_t i = 0; i < table.columns(); ++i)
      add(column(table, i,
                 {.name = prefix + table.names[i],
                  .unit = i < table.units.size() ? table.units[i] : "",
                  .group = group,
                  .owner = owner(table.names[i])}));
  }

  // Outputs with one unit share axes.
  void outputs() {
    const Table& table = trajectory_.quantities;
    for (size_t i = 0; i < table.columns(); ++i) {
      const std::string unit = i < table.units.size() ? table.units[i] : "";
      const std::string plot = unit.empty() ? "outputs" : fmt::format("outputs, {}", unit);
      add(column(table, i,
                 {.name = table.names[i],
                  .unit = unit,
                  .group = "outputs",
                  .owner = owner(table.names[i]),
                  .plot = i < kMostDefaultOutputs ? plot : ""}));
    }
  }

  void first_positions() {
    size_t count = 0;
    for (Signal& signal : list_)
      if (signal.group == "positions" && count < kMostDefaultPositions) {
        signal.plot = signal.unit.empty() ? "positions" : fmt::format("positions, {}", signal.unit);
        ++count;
      }
  }

  void reactions() {
    constexpr std::array<const char*, 6> kComponents = {"fx", "fy", "fz", "tx", "ty", "tz"};
    const size_t joints = trajectory_.joint_names.size(), records = trajectory_.size();
    if (trajectory_.reactions.size() < records * joints * 12) return;
    for (size_t joint = 0; joint < joints; ++joint)
      for (size_t c = 0; c < 12; ++c) {
        const size_t component = c % 6;
        if (trajectory_.planar && (component == 2 || component == 3 || component == 4)) continue;
        add({.name = fmt::format("{}.{}{}", trajectory_.joint_names[joint], kComponents[component],
                                 c < 6 ? "" : " (joint axes)"),
             .unit = component < 3 ? "N" : "N m",
             .group = "reactions",
             .owner = trajectory_.joint_names[joint],
             .first = trajectory_.reactions.data() + 12 * joint + c,
             .stride = 12 * joints,
             .count = records});
      }
  }

  void energies() {
    const Table& table = trajectory_.energy;
    constexpr std::array<const char*, 4> kNames = {"kinetic energy", "potential energy", "total energy",
                                                   "work"};
    if (table.columns() < 4 || table.rows() == 0) return;
    for (size_t i = 0; i < 4; ++i) {
      Signal signal =
          column(table, i, {.name = kNames[i], .unit = "J", .group = "energies", .plot = "energy"});
      if (i == 3 && !any_but_zero(signal)) signal.plot.clear();
      add(std::move(signal));
    }
    double scale = 0;  // of EnergySummary: the largest energy exchanged
    for (size_t k = 0; k < table.rows(); ++k) {
      const double size = table.at(k, 0) + std::abs(table.at(k, 1) - table.at(0, 1));
      if (std::isfinite(size)) scale = std::max(scale, size);
    }
    std::vector<double> errors;
    for (size_t k = 0; k < table.rows(); ++k) {
      const double off = table.at(k, 2) - table.at(0, 2) - (table.at(k, 3) - table.at(0, 3));
      errors.push_back(scale > 0 ? std::abs(off) / scale : std::abs(off));
    }
    const auto own = std::make_shared<const std::vector<double>>(std::move(errors));
    add({.name = "energy error",
         .unit = "",
         .group = "errors",
         .log = true,
         .plot = "energy error",
         .first = own->data(),
         .count = own->size(),
         .own = own});
  }

  void steps() {
    const Table& table = trajectory_.steps;
    const auto add_step = [&](const char* name, Signal signal) {
      const auto found = std::find(table.names.begin(), table.names.end(), name);
      if (found == table.names.end()) return;
      signal.steps = true;
      signal = column(table, static_cast<size_t>(found - table.names.begin()), std::move(signal));
      if (any_but_zero(signal)) add(std::move(signal));
    };
    const auto error = [](const char* name, const char* unit) -> Signal {
      return {.name = name, .unit = unit, .group = "errors", .log = true, .plot = "constraint errors"};
    };
    add_step("position", error("constraint error |g|", "m"));
    add_step("velocity", error("constraint error |J v - nu|", "m/s"));
    add_step("h", {.name = "step size", .unit = "s", .group = "steps", .log = true, .plot = "step size"});
    add_step("newton_iterations",
             {.name = "Newton iterations", .unit = "", .group = "steps", .plot = "Newton iterations"});
    for (size_t i = 0; i < table.names.size(); ++i) {
      const std::string& name = table.names[i];
      if (name.starts_with("scheme.vdot.") || name.starts_with("scheme.lambda."))
        add_step(name.c_str(), {.name = name,
                                .unit = i < table.units.size() ? table.units[i] : "",
                                .group = "scheme",
                                .plot = name.starts_with("scheme.vdot.") ? "accelerations of the scheme"
                                                                         : "multipliers of the scheme"});
    }
  }

  const Trajectory& trajectory_;
  std::set<std::string> owners_;
  std::vector<Signal> list_;
};

std::vector<double> chosen(std::span<const double> values, std::span<const size_t> indices) {
  std::vector<double> out;
  for (const size_t i : indices) out.push_back(values[i]);
  return out;
}

}  // namespace

std::vector<Signal> signals_of(const Results& results) { return SignalList(results).make(); }

PackedSignals pack_signals(const Results& results,
                           std::span<const Signal> signals,
                           size_t most,
                           Packer& packer) {
  PackedSignals out;
  const std::vector<double>& records = results.trajectory.t;
  std::vector<double> steps;
  for (size_t i = 0; i < results.trajectory.steps.rows(); ++i)
    steps.push_back(results.trajectory.steps.at(i, 0));
  // Those too long to be used by any signal are left out.
  const auto shared = [&](const std::vector<double>& t) {
    return packer.f64(t.size() <= most ? std::span<const double>(t) : std::span<const double>());
  };
  out.times = {{"records", shared(records)}, {"steps", shared(steps)}};
  for (const Signal& signal : signals) {
    const std::vector<double>& t = signal.steps ? steps : records;
    std::vector<double> values(t.size(), std::nan(""));
    for (size_t i = 0; i < std::min(signal.count, t.size()); ++i) values[i] = signal.at(i);
    JsonValue time = signal.steps ? "steps" : "records";
    if (t.size() > most) {
      const std::vector<size_t> points = choose_points(values, most);
      time = packer.u16(chosen(t, points)).array;
      values = chosen(values, points);
      ++out.thinned;
    }
    JsonValue::Object entry = {{"name", signal.name},
                               {"unit", signal.unit},
                               {"group", signal.group},
                               {"owner", signal.owner.empty() ? JsonValue() : JsonValue(signal.owner)},
                               {"log", signal.log},
                               {"time", std::move(time)},
                               {"data", signal.log ? packer.log16(values).array : packer.u16(values).array},
                               {"default", !signal.plot.empty()}};
    if (!signal.plot.empty()) entry.push_back({"plot", signal.plot});
    out.signals.push_back(std::move(entry));
  }
  return out;
}

}  // namespace driftless
