// What of a model may be sudden: functions of time in forces and drivers, roads under wheels, laws of springs in t, x, v.
// Constants, polynomials and what is linear between its break times are not; a harmonic is calm in steps below 1/ω.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "driftless/coordinates/mechanism/batches.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/math/types.hpp"
#include "driftless/system/probe.hpp"

namespace driftless {

inline bool may_be_sudden(const TimeFunction& f) {
  using namespace time_function;
  if (f.is_constant()) return false;
  if (const auto* table = std::get_if<Table>(&f.data())) return table->interpolation == Interpolation::cubic;
  if (const auto* step = std::get_if<Step>(&f.data())) return step->duration > 0;
  if (const auto* pulse = std::get_if<Pulse>(&f.data())) return pulse->rise > 0;
  return std::holds_alternative<Harmonic>(f.data()) || std::holds_alternative<ExpressionText>(f.data());
}

inline std::string described(const TimeFunction& f, const char* of) {
  const auto* text = std::get_if<time_function::ExpressionText>(&f.data());
  return "the " + f.kind() + (text != nullptr ? " '" + text->text + "'" : "") + " of " + of;
}

// A row is integrated by its second derivative, so that is what a driver shows.
enum class Shown { value, acceleration };
inline void add_probe(const TimeFunction& f, Shown shown, std::vector<Probe>& out) {
  if (!may_be_sudden(f)) return;
  Probe probe;
  probe.what = described(f, "time");
  if (shown == Shown::value)
    probe.value = [f](double t, double, double) { return f(t); };
  else
    probe.value = [f](double t, double, double) { return f.at(t).acceleration; };
  if (const auto* wave = std::get_if<time_function::Harmonic>(&f.data()))
    probe.calm = 1 / std::abs(wave->frequency);
  out.push_back(std::move(probe));
}

// Elements that offer places(visit) have functions of a place: visit(what, value(t, x, rate, mode), x(view)). The probes
// refer to the elements, and to the mode.
template <class Element, class Visit>
void visit_places(const Element& element, Visit&& visit) {
  if constexpr (requires { element.places(visit); }) element.places(visit);
}

template <class Forces>
void add_force_probes(const Forces& forces, const Mode* mode, std::vector<Probe>& out) {
  int places = 0;
  for_each_element(forces, [&](const auto& element) {
    element.functions([&](const auto& f) {
      if constexpr (requires { add_probe(f, Shown::value, out); }) add_probe(f, Shown::value, out);
    });
    visit_places(element, [&](std::string what, auto&& value, auto&&) {
      out.push_back({std::move(what),
                     [value, mode](double t, double x, double rate) { return value(t, x, rate, mode); },
                     places++, 0});
    });
  });
}

// In the order of the places above.
template <class Forces, class View>
void measure_places(const Forces& forces, const View& view, VecRef x) {
  int places = 0;
  for_each_element(forces, [&](const auto& element) {
    visit_places(element, [&](auto&&, auto&&, auto&& place) { x[places++] = place(view); });
  });
}

}  // namespace driftless
