// Hoitink 2011, figures 4.37 and 4.38: convergence on four masses with trusses.
#include "driftless/reproduce/hoitink/hoitink_orders.hpp"

namespace driftless {
namespace hoitink_f_four_mass {
namespace {

const hoitink::OrderStudy study = {"four-mass",
                                   0.25,
                                   0x1p-13,
                                   {0x1p-11, 0x1p-10, 0x1p-9, 0x1p-8},
                                   "1e-12",
                                   "The source has steps 8 times as long, from 2^-8 to 2^-5 s. Its "
                                   "stiffnesses are not printed; with those taken here its steps do not "
                                   "resolve the oscillation, and slopes over them say nothing."};

ReproducedTable options_1_and_2() { return hoitink::fitted_orders(study, 1); }

ReproducedTable options_3_and_4() { return hoitink::fitted_orders(study, 3); }

}  // namespace
}  // namespace hoitink_f_four_mass

extern const TableRecord hoitink_f4_37_table;
const TableRecord hoitink_f4_37_table = {
    .id = "hoitink-f4.37",
    .title = "orders of convergence on four masses with trusses, options 1 and 2",
    .source = "Hoitink 2011, figure 4.37",
    .run = hoitink_f_four_mass::options_1_and_2,
};

extern const TableRecord hoitink_f4_38_table;
const TableRecord hoitink_f4_38_table = {
    .id = "hoitink-f4.38",
    .title = "orders of convergence on four masses with trusses, options 3 and 4",
    .source = "Hoitink 2011, figure 4.38",
    .run = hoitink_f_four_mass::options_3_and_4,
};

}  // namespace driftless
