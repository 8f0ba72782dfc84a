#include "driftless/model/characteristic_length.hpp"

#include <algorithm>

namespace driftless {

double characteristic_length(const Model& model) {
  double within = 0;
  for (const Body& body : model.bodies) {
    std::vector<Vec3> places = {body.center_of_mass};
    for (const auto& point : body.points) places.push_back(point.at);
    if (body.flexible) {
      places = {body.flexible->nodes.front()};  // extents: all pairs of many nodes would cost a square
      for (const auto& node : body.flexible->nodes) within = std::max(within, (node - places.front()).norm());
      continue;
    }
    for (const auto& a : places)
      for (const auto& b : places) within = std::max(within, (a - b).norm());
  }
  if (within > 0) return within;
  std::vector<Vec3> places;
  for (const auto& point : model.ground_points) places.push_back(point.at);
  for (const Body& body : model.bodies) places.push_back(body.position);
  double between = 0;
  for (const auto& place : places) between = std::max(between, (place - places.front()).norm());
  return between > 0 ? between : 1;
}

}  // namespace driftless
