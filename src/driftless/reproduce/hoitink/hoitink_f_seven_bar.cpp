// Hoitink 2011, figures A.32 and A.33: convergence on the seven-bar mechanism.
#include "driftless/reproduce/hoitink/hoitink_orders.hpp"

namespace driftless {
namespace hoitink_f_seven_bar {
namespace {

const hoitink::OrderStudy study = {
    "seven-bar",
    0x1p-7,
    0x1p-17,
    {0x1p-15, 0x1p-14, 0x1p-13, 0x1p-12},
    "1e-10",
    "The source prints neither steps nor end time of these figures: its other runs have steps of 2^-15 s."};

ReproducedTable options_1_and_2() { return hoitink::fitted_orders(study, 1); }

ReproducedTable options_3_and_4() { return hoitink::fitted_orders(study, 3); }

}  // namespace
}  // namespace hoitink_f_seven_bar

extern const TableRecord hoitink_fa_32_table;
const TableRecord hoitink_fa_32_table = {
    .id = "hoitink-fA.32",
    .title = "orders of convergence on the seven-bar mechanism, options 1 and 2",
    .source = "Hoitink 2011, figure A.32",
    .run = hoitink_f_seven_bar::options_1_and_2,
};

extern const TableRecord hoitink_fa_33_table;
const TableRecord hoitink_fa_33_table = {
    .id = "hoitink-fA.33",
    .title = "orders of convergence on the seven-bar mechanism, options 3 and 4",
    .source = "Hoitink 2011, figure A.33",
    .run = hoitink_f_seven_bar::options_3_and_4,
};

}  // namespace driftless
