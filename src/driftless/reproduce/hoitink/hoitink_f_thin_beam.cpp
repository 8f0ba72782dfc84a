// Hoitink 2011, figures 4.54 and 4.55: convergence on the four-bar linkage with a thin beam.
#include "driftless/reproduce/hoitink/hoitink_orders.hpp"

namespace driftless {
namespace hoitink_f_thin_beam {
namespace {

const hoitink::OrderStudy study = {
    "thin-beam",
    0x1p-5,
    0x1p-15,
    {0x1p-13, 0x1p-12, 0x1p-11, 0x1p-10},
    "1e-12",
    "The source goes to 0.25 s with steps 32 times as long, from 2^-8 to 2^-5 s. Its "
    "stiffnesses are not printed; with those taken here its steps do not "
    "resolve the oscillation, and slopes over them say nothing."};

ReproducedTable options_1_and_2() { return hoitink::fitted_orders(study, 1); }

ReproducedTable options_3_and_4() { return hoitink::fitted_orders(study, 3); }

}  // namespace
}  // namespace hoitink_f_thin_beam

extern const TableRecord hoitink_f4_54_table;
const TableRecord hoitink_f4_54_table = {
    .id = "hoitink-f4.54",
    .title = "orders of convergence on the four-bar linkage with a thin beam, options 1 and 2",
    .source = "Hoitink 2011, figure 4.54",
    .run = hoitink_f_thin_beam::options_1_and_2,
};

extern const TableRecord hoitink_f4_55_table;
const TableRecord hoitink_f4_55_table = {
    .id = "hoitink-f4.55",
    .title = "orders of convergence on the four-bar linkage with a thin beam, options 3 and 4",
    .source = "Hoitink 2011, figure 4.55",
    .run = hoitink_f_thin_beam::options_3_and_4,
};

}  // namespace driftless
