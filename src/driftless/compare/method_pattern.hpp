// Patterns that stand for several methods: parts by their places, formulation/integrator[/stabilization], a coordinate set in front if any.
//   all          every formulation with every integrator that takes it
//   */dopri5     every formulation with dopri5            lagrange/*   every integrator that takes it
//   lagrange/dopri5/*   every stabilization               natural/*/dop*
//   */lagrange/dopri5   every coordinate set              */*/dopri5        every set with every formulation
// '*' stands for any letters. Without a third part: the stabilization that the formulation has by default.
#pragma once

#include <string>
#include <vector>

namespace driftless {

bool is_method_pattern(const std::string& text);

// Words as parse_method() reads them, in the order of the lists; the options in brackets go along. InputError if nothing matches.
std::vector<std::string> expand_methods(const std::string& text);

}  // namespace driftless
