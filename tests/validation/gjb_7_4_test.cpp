// García de Jalón & Bayo 1994, table 7.4, against an independent program's figures for the error at the end of the run.
#include <gtest/gtest.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace {

TEST(Gjb74, EnergyErrorsOfTheTrapezoidalRule) {
  const TableRecord* record = find_table("gjb-7.4");
  ASSERT_NE(record, nullptr);
  const ReproducedTable table = record->run();
  // All but (1e2, 1e2), whose motion is chaotic.
  const double independent[] = {4.57e-4, 0, 2.26e-3, 1.18e-3, 7.71e-5, 3.95e-4, 5.97e-5, 1.03e-3, 6.6e-4};
  ASSERT_EQ(table.rows.size(), std::size(independent));
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableCell& cell = table.rows[i].cells.at(0);
    EXPECT_TRUE(cell.measured < 0.1) << table.rows[i].label;
    if (independent[i] == 0) continue;
    EXPECT_NEAR(cell.measured / independent[i], 1, 0.02) << table.rows[i].label;
    if (i + 1 < table.rows.size()) {  // the last published figure is off
      EXPECT_NEAR(cell.measured / cell.published, 1, 0.05) << table.rows[i].label;
    }
  }
}

}  // namespace
}  // namespace driftless
