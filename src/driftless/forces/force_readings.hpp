// What output channels read of an element that acts at one point: its force there, world axes.
#pragma once

#include <string>
#include <vector>

namespace driftless {

template <int D>
std::vector<std::string> force_readings(std::vector<std::string> before = {}) {
  for (const char* name : {"fx", "fy", "fz"})
    if (name[1] != 'z' || D == 3) before.emplace_back(name);
  return before;
}

}  // namespace driftless
