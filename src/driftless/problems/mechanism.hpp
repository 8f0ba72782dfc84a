// Small words for writing mechanisms in code.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

inline Element element(std::string name,
                       std::string type,
                       std::vector<std::pair<std::string, FieldValue>> fields) {
  Element out{std::move(name), std::move(type), {}};
  for (auto& [field, value] : fields) out.fields.emplace(std::move(field), std::move(value));
  return out;
}

inline PointRef point(std::string body, std::string name) { return {std::move(body), std::move(name)}; }

// What a model file writes as "2*sin(t)"; the argument of roads is "x". Other names in it are inputs and outputs, which laws of
// forces read while a run goes on: "-5*pin.angle - gain*pin.angle_rate".
inline TimeFunction formula(std::string text, std::string variable = "t") {
  std::vector<std::string> signals = signals_in(text, std::vector{variable});
  return time_function::ExpressionText{std::move(text), std::move(variable), std::move(signals)};
}

inline DirectionRef direction(const Vec3& along) { return {"", "", along}; }

// Output channels NAME_x, NAME_y[, NAME_z] of a point.
inline void add_point_outputs(Model& model, const std::string& name, const PointRef& at) {
  for (const char* component : {"x", "y", "z"})
    if (model.space == Space::spatial || component[0] != 'z')
      model.outputs.push_back(
          element(name + "_" + component, "point", {{"point", at}, {"component", std::string(component)}}));
}

}  // namespace driftless
