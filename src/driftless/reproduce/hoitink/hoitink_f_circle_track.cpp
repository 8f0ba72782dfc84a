// Hoitink 2011, figures A.13 and A.14: convergence on the point on a circular track.
#include "driftless/reproduce/hoitink/hoitink_orders.hpp"

namespace driftless {
namespace hoitink_f_circle_track {
namespace {

const hoitink::OrderStudy study = {"circle-track", 0.25,   0x1p-10, {0x1p-7, 0x1p-6, 0x1p-5, 0x1p-4},
                                   "1e-12",        nullptr};

ReproducedTable options_1_and_2() { return hoitink::fitted_orders(study, 1); }

ReproducedTable options_3_and_4() { return hoitink::fitted_orders(study, 3); }

}  // namespace
}  // namespace hoitink_f_circle_track

extern const TableRecord hoitink_fa_13_table;
const TableRecord hoitink_fa_13_table = {
    .id = "hoitink-fA.13",
    .title = "orders of convergence on the point on a circular track, options 1 and 2",
    .source = "Hoitink 2011, figure A.13",
    .run = hoitink_f_circle_track::options_1_and_2,
};

extern const TableRecord hoitink_fa_14_table;
const TableRecord hoitink_fa_14_table = {
    .id = "hoitink-fA.14",
    .title = "orders of convergence on the point on a circular track, options 3 and 4",
    .source = "Hoitink 2011, figure A.14",
    .run = hoitink_f_circle_track::options_3_and_4,
};

}  // namespace driftless
