// Methods written in one word: names of a coordinate set, a formulation, an integrator and a stabilization in any order,
// with '/' between, each recognised by itself, all optional; options in brackets behind.
//   dopri5     lagrange/dopri5/pstab     index3/generalized-alpha[rho_inf=0.6]     natural/adams[order=5,datol=1e-8]
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct MethodText {
  std::string text;
  std::optional<std::string> coordinates, formulation, integrator, stabilization;
  std::map<std::string, std::string> options;
};

// InputError for names nobody knows, two of a kind, or options that are not name=value.
MethodText parse_method(const std::string& text);

// "a,b[x=1,y=2],c": three. Commas in brackets belong to the options.
std::vector<std::string> split_methods(const std::string& list);

}  // namespace driftless
