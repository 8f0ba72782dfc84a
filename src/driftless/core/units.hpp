// Units by function: mm(120) is 0.12, deg(45) is pi/4, in SI units. A value x in a unit is x · times / by, so that mm(120) is
// the double 0.12 and not a rounding error beside it.
#pragma once

#include <span>
#include <string_view>

namespace driftless {

struct Unit {
  std::string_view name;  // of the function
  double times, by;
  std::string_view meaning;  // "millimetre, in m"
};

std::span<const Unit> units();

}  // namespace driftless
