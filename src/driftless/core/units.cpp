#include "driftless/core/units.hpp"

#include <array>
#include <numbers>

namespace driftless {
namespace {

using std::numbers::pi;

// Exact where the unit is defined so: inch, pound, standard gravity. No `min`: that is a function already.
constexpr std::array kUnits = {
    Unit{"um", 1, 1e6, "micrometre, in m"},
    Unit{"mm", 1, 1e3, "millimetre, in m"},
    Unit{"cm", 1, 1e2, "centimetre, in m"},
    Unit{"km", 1e3, 1, "kilometre, in m"},
    Unit{"inch", 254, 1e4, "inch, in m"},
    Unit{"ft", 3048, 1e4, "foot, in m"},
    Unit{"deg", pi, 180, "degree (or degree per second), in rad (rad/s)"},
    Unit{"rev", 2 * pi, 1, "revolution (or revolution per second), in rad (rad/s)"},
    Unit{"rpm", pi, 30, "revolution per minute, in rad/s"},
    Unit{"us", 1, 1e6, "microsecond, in s"},
    Unit{"ms", 1, 1e3, "millisecond, in s"},
    Unit{"minute", 60, 1, "minute, in s"},
    Unit{"hour", 3600, 1, "hour, in s"},
    Unit{"kmh", 10, 36, "kilometre per hour, in m/s"},
    Unit{"mph", 44704, 1e5, "mile per hour, in m/s"},
    Unit{"mg", 1, 1e6, "milligram, in kg"},
    Unit{"g", 1, 1e3, "gram, in kg"},
    Unit{"tonne", 1e3, 1, "tonne, in kg"},
    Unit{"lb", 45359237, 1e8, "pound, in kg"},
    Unit{"kgmm2", 1, 1e6, "kilogram millimetre², in kg m²"},
    Unit{"gcm2", 1, 1e7, "gram centimetre², in kg m²"},
    Unit{"mN", 1, 1e3, "millinewton, in N"},
    Unit{"kN", 1e3, 1, "kilonewton, in N"},
    Unit{"MN", 1e6, 1, "meganewton, in N"},
    Unit{"kgf", 980665, 1e5, "kilogram-force, in N"},
    Unit{"lbf", 44482216152605, 1e13, "pound-force, in N"},
    Unit{"Nmm", 1, 1e3, "newton millimetre, in N m"},
    Unit{"kNm", 1e3, 1, "kilonewton metre, in N m"},
    Unit{"Npmm", 1e3, 1, "newton per millimetre, in N/m"},
    Unit{"kNpm", 1e3, 1, "kilonewton per metre, in N/m"},
    Unit{"Nmpdeg", 180, pi, "newton metre per degree, in N m/rad"},
    Unit{"kPa", 1e3, 1, "kilopascal, in Pa"},
    Unit{"MPa", 1e6, 1, "megapascal, in Pa"},
    Unit{"GPa", 1e9, 1, "gigapascal, in Pa"},
    Unit{"bar", 1e5, 1, "bar, in Pa"},
    Unit{"kJ", 1e3, 1, "kilojoule, in J"},
    Unit{"kW", 1e3, 1, "kilowatt, in W"},
};

}  // namespace

std::span<const Unit> units() { return kUnits; }

}  // namespace driftless
