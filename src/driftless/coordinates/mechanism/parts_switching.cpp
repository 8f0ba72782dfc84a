// What of a model switches: the members of Parts that switching_parts.hpp calls.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/coordinates/mechanism/batches.hpp"
#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/model/model.hpp"

namespace driftless {
namespace {

template <class Element>
constexpr bool may_switch = requires(const Element& element) { element.mode_count(); };

// visit(element) for every force element that switches.
template <class Forces, class Visit>
void for_each_switching(Forces& forces, Visit&& visit) {
  for_each_element(forces, [&](auto& element) {
    if constexpr (may_switch<std::remove_cvref_t<decltype(element)>>)
      if (element.mode_count() > 0) visit(element);
  });
}

}  // namespace

template <int D>
void Parts<D>::number_switches(const Model& model) {
  std::vector<std::vector<std::string>> names(std::tuple_size_v<Forces<D>>);  // by kind and index
  for (size_t i = 0; i < force_places.size(); ++i) {
    if (force_places[i].kind >= names.size()) continue;  // clutches are rows
    auto& kind = names[force_places[i].kind];
    kind.resize(std::max(kind.size(), force_places[i].index + 1));
    kind[force_places[i].index] = model.forces[i].name;
  }
  size_t kind = 0;
  const auto number = [&](auto& batch) {
    for (size_t i = 0; i < batch.size(); ++i) {
      using Kind = std::remove_cvref_t<decltype(batch[i])>;
      if constexpr (may_switch<Kind>) {
        if (batch[i].mode_count() == 0) continue;
        batch[i].first_mode() = static_cast<int>(switches.size());
        batch[i].describe(i < names[kind].size() ? names[kind][i] : "force", switches);
      }
    }
    ++kind;
  };
  std::apply([&](auto&... batch) { (number(batch), ...); }, forces);
  for (SampledInput<D>& input : sampled) {
    input.mode = static_cast<int>(switches.size());
    switches.push_back({input.name, "input", fmt::format("every {} s", input.every), {}, 0, "", true});
  }
}

template <int D>
int Parts<D>::root_count() const {
  return 2 * static_cast<int>(switches.size());
}

template <int D>
Mode Parts<D>::make_mode() const {
  Mode out;
  out.values.assign(switches.size(), 0);
  return out;
}

template <int D>
void Parts<D>::begin_mode(double t, const WorkOf<D>& work, Mode& mode) const {
  const ViewOf<double, D> view = work.view(t);
  for_each_switching(forces, [&](const auto& element) {
    element.begin_modes(view, mode.values.data() + element.first_mode());
  });
  for (const SampledInput<D>& input : sampled) {
    mode.values[size_t(input.mode)] = static_cast<int>(std::floor(t / input.every));
    held(input, mode) = input.source->value(view);
  }
}

template <int D>
void Parts<D>::roots(double t, const WorkOf<D>& work, VecRef values, VecRef rates) const {
  const ViewOf<double, D> view = work.view(t);
  for_each_switching(forces, [&](const auto& element) {
    const int first = element.first_mode();
    element.roots(view, view.modes(first), values.data() + 2 * first, rates.data() + 2 * first);
  });
  for (const SampledInput<D>& input : sampled) {  // never downwards; upwards at the next multiple
    const Eigen::Index root = 2 * input.mode;
    values[root] = rates[root] = std::numeric_limits<double>::quiet_NaN();
    values[root + 1] = (*view.modes(input.mode) + 1) * input.every - t;
    rates[root + 1] = -1;
  }
}

template <int D>
void Parts<D>::cross(
    std::span<const int> fired, double t, const WorkOf<D>& work, Mode& mode, Transition& out) const {
  const ViewOf<double, D> view = work.view(t);
  for_each_switching(forces, [&](const auto& element) {
    const int first = element.first_mode(), end = first + element.mode_count();
    for (const int root : fired)
      if (root >= 2 * first && root < 2 * end)
        element.cross(view, root - 2 * first, mode.values.data() + first);
  });
  for (const SampledInput<D>& input : sampled)
    if (std::find(fired.begin(), fired.end(), 2 * input.mode + 1) != fired.end()) {
      ++mode.values[size_t(input.mode)];
      held(input, mode) = input.source->value(view);
    }
  for (const int root : fired) {
    const int k = root / 2;
    if (k >= static_cast<int>(switches.size()) || (!out.switched.empty() && out.switched.back() == k))
      continue;
    out.switched.push_back(k);
    const Switch& what = switches[size_t(k)];
    if (!what.quiet)
      out.events.push_back(fmt::format("{}: {}", what.column(), what.mode_name(mode.values[size_t(k)])));
  }
}

#define INSTANTIATE(D)                                                           \
  template void Parts<D>::number_switches(const Model&);                         \
  template int Parts<D>::root_count() const;                                     \
  template Mode Parts<D>::make_mode() const;                                     \
  template void Parts<D>::begin_mode(double, const WorkOf<D>&, Mode&) const;     \
  template void Parts<D>::roots(double, const WorkOf<D>&, VecRef, VecRef) const; \
  template void Parts<D>::cross(std::span<const int>, double, const WorkOf<D>&, Mode&, Transition&) const;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace driftless
