// Hoitink 2011, figures 4.18 and 4.19: convergence on the double pendulum.
#include "driftless/reproduce/hoitink/hoitink_orders.hpp"

namespace driftless {
namespace hoitink_f_double_pendulum {
namespace {

const hoitink::OrderStudy study = {"double-pendulum", 0.25,   0x1p-10, {0x1p-8, 0x1p-7, 0x1p-6, 0x1p-5},
                                   "1e-12",           nullptr};

ReproducedTable options_1_and_2() { return hoitink::fitted_orders(study, 1); }

ReproducedTable options_3_and_4() { return hoitink::fitted_orders(study, 3); }

}  // namespace
}  // namespace hoitink_f_double_pendulum

extern const TableRecord hoitink_f4_18_table;
const TableRecord hoitink_f4_18_table = {
    .id = "hoitink-f4.18",
    .title = "orders of convergence on the double pendulum, options 1 and 2",
    .source = "Hoitink 2011, figure 4.18",
    .run = hoitink_f_double_pendulum::options_1_and_2,
};

extern const TableRecord hoitink_f4_19_table;
const TableRecord hoitink_f4_19_table = {
    .id = "hoitink-f4.19",
    .title = "orders of convergence on the double pendulum, options 3 and 4",
    .source = "Hoitink 2011, figure 4.19",
    .run = hoitink_f_double_pendulum::options_3_and_4,
};

}  // namespace driftless
