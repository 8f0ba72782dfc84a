#include "driftless/model/drawing/drawn_axis.hpp"

#include <algorithm>
#include <map>

namespace driftless {

DrawnAxis drawn_axis(const FlexibleSpec& spec) {
  DrawnAxis out;
  out.nodes.assign(spec.nodes.size(), -1);
  if (spec.type == FlexibleSpec::Type::modal) {
    for (int i = 0; i < static_cast<int>(spec.nodes.size()); ++i) {
      out.nodes[size_t(i)] = i;
      out.places.push_back({i, 0, spec.nodes[size_t(i)]});
    }
    for (const auto& [a, b] : spec.elements) out.lines.push_back({a, b});
    return out;
  }
  const auto n = static_cast<int>(spec.elements.size());
  const int parts = n <= 8 ? 3 : 1, stride = std::max(1, n / 60);  // curves of few elements, chains of many
  std::map<int, int> of_node;
  const auto at_node = [&](int element, double xi) {
    const auto& ends = spec.elements[size_t(element)];
    const int node = xi == 0 ? ends.first : ends.second;
    const auto [entry, is_new] = of_node.try_emplace(node, static_cast<int>(out.places.size()));
    if (is_new) out.places.push_back({element, xi, spec.nodes[size_t(node)]});
    return entry->second;
  };
  for (int e = 0; e < n; ++e) {
    const auto& [a, b] = spec.elements[size_t(e)];
    const bool skips = stride > 1 && e % stride != 0 && e != n - 1;
    if (skips) continue;
    std::vector<int> line;
    if (stride > 1 && !out.places.empty()) line.push_back(static_cast<int>(out.places.size()) - 1);
    line.push_back(at_node(e, 0));
    for (int k = 1; k < parts; ++k) {
      const double xi = double(k) / parts;
      line.push_back(static_cast<int>(out.places.size()));
      out.places.push_back({e, xi, (1 - xi) * spec.nodes[size_t(a)] + xi * spec.nodes[size_t(b)]});
    }
    line.push_back(at_node(e, 1));
    out.lines.push_back(std::move(line));
    out.elements.push_back(e);
  }
  for (const auto& [node, place] : of_node) out.nodes[size_t(node)] = place;
  return out;
}

}  // namespace driftless
