// Published tables: every figure that a correct program reaches, and what the records promise.
#include <cmath>
#include <set>

#include "driftless/reproduce/table.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

ReproducedTable table(const char* id) {
  const TableRecord* record = find_table(id);
  if (record == nullptr) throw std::invalid_argument(id);
  return reproduce(*record);
}

// Within a unit and a half of the second digit printed (the source rounds or cuts off).
void expect_printed(const TableCell& cell, const std::string& where) {
  const double unit = std::pow(10, std::floor(std::log10(cell.published)) - 1);
  EXPECT_NEAR(cell.measured, cell.published, 1.5 * unit) << where;
}

void expect_whole(const TableRecord& record, const ReproducedTable& done) {
  SCOPED_TRACE(record.id);
  EXPECT_FALSE(done.rows.empty() || done.setting.empty());
  for (const TableRow& row : done.rows) {
    EXPECT_EQ(row.cells.size(), done.columns.size());
    for (const TableCell& cell : row.cells) {
      EXPECT_FALSE(cell.reason.empty()) << row.label;
      EXPECT_EQ(cell.reason.find("printed figure, unexplained"), std::string::npos)
          << row.label << ": " << cell.reason;
      if (cell.verdict == Verdict::kMatches) {
        EXPECT_FALSE(std::isnan(cell.measured) || std::isnan(cell.published)) << row.label;
      }
    }
  }
}

TEST(Reproduce, RecordsAreWhole) {
  std::set<std::string> ids;
  for (const TableRecord* record : table_records()) {
    EXPECT_TRUE(ids.insert(record->id).second);
    EXPECT_EQ(find_table(record->id), record);
    EXPECT_FALSE(record->title.empty() || record->source.empty());
  }
  EXPECT_EQ(find_table("chin-0"), nullptr);
}

TEST(Reproduce, EveryTableHasVerdictsWithReasons_full) {
  for (const Reproduction& one : reproduce(table_records(), 2)) {
    EXPECT_EQ(one.trouble, "");
    expect_whole(*one.record, one.table);
  }
}

TEST(Reproduce, VerdictsFollowTheFigures) {
  TableCell met{1.9e-3, 1.92e-3}, off{1.9e-3, 2.5e-3}, zero{0, 1e-15}, lost{1, kNothing};
  judge_digits(met);
  EXPECT_EQ(met.verdict, Verdict::kMatches);
  judge_digits(off, 2, 1.5, Verdict::kMisprint, "two digits exchanged");
  EXPECT_EQ(off.verdict, Verdict::kMisprint);
  EXPECT_EQ(off.reason, "two digits exchanged");
  judge_digits(zero);
  EXPECT_EQ(zero.verdict, Verdict::kMatches);
  judge_ratio(lost, 0.1, Verdict::kTrend, "");
  EXPECT_EQ(lost.verdict, Verdict::kDiffers);
  TableCell small{3e-15, 1e-14}, large{3e-15, 1e-3};
  EXPECT_TRUE(judge_round_off(small));
  EXPECT_FALSE(judge_round_off(large));
}

TEST(Reproduce, Chin21MeetsAllButOneDrift) {
  const ReproducedTable done = table("chin-2.1");
  ASSERT_EQ(done.rows.size(), 6u);
  for (const TableRow& row : done.rows)
    for (size_t i = 0; i < 6; ++i) {
      const std::string where = row.label + " " + done.columns[i];
      if (row.label == "1e+08" && i < 2) {  // Baumgarte: round-off times gain; its drift is round-off of x
        if (i == 0 && !std::isnan(row.cells[i].measured)) {
          EXPECT_NEAR(row.cells[i].measured / row.cells[i].published, 1, 0.05);
        }
        continue;
      }
      if (row.cells[i].published == 0)
        EXPECT_LT(row.cells[i].measured, 1e-13) << where;
      else
        expect_printed(row.cells[i], where);
    }
}

TEST(Reproduce, Chin22MeetsAllButAMisprint) {
  const ReproducedTable done = table("chin-2.2");
  ASSERT_EQ(done.rows.size(), 5u);
  for (const TableRow& row : done.rows)
    for (size_t i = 0; i < 6; ++i)
      if (row.label == "1000" && i == 3)
        EXPECT_NEAR(row.cells[i].measured, 8.9e-7, 1e-8);  // printed .81e-7
      else
        expect_printed(row.cells[i], row.label + " " + done.columns[i]);
}

TEST(Reproduce, Chin31MeetsWhatIsAboveRoundOff) {
  const ReproducedTable done = table("chin-3.1");
  ASSERT_EQ(done.rows.size(), 6u);
  for (const TableRow& row : done.rows)
    for (const TableCell& cell : row.cells) {
      if (cell.published < 1e-13)
        EXPECT_LT(cell.measured, 1e-13) << row.label;
      else if (row.label == "0.01 pstab")
        EXPECT_NEAR(cell.measured, 4.0e-9, 1e-10);  // printed .67e-8
      else
        expect_printed(cell, row.label);
    }
}

// Steps within a tenth of the printed ones, a quarter to a third fewer with post-stabilisation at tight tolerances.
TEST(Reproduce, Chin46MeetsTheSteps) {
  const ReproducedTable done = table("chin-4.6");
  ASSERT_EQ(done.rows.size(), 5u);
  for (const TableRow& row : done.rows) {
    for (const size_t method : {0u, 1u}) {
      const TableCell &evaluations = row.cells[method], &steps = row.cells[2 + method];
      EXPECT_EQ(evaluations.measured, 6 * steps.measured + 2) << row.label;
      EXPECT_NEAR(steps.measured, steps.published, 0.1 * steps.published) << row.label;
    }
    EXPECT_LT(row.cells[3].measured, 0.76 * row.cells[2].measured) << row.label;
    EXPECT_LT(row.cells[4].measured, 2 * row.cells[4].published) << row.label;
    EXPECT_LT(row.cells[5].measured, std::max(row.cells[5].published, 1e-14)) << row.label;
  }
}

// The trend: errors fall like 1/penalty, an iteration takes at least another factor 10, then the integrator's floor.
TEST(Reproduce, Gjb51ShowsTheTrend) {
  const ReproducedTable done = table("gjb-5.1");
  ASSERT_EQ(done.rows.size(), 6u);
  const auto at = [&](size_t row, size_t iterations) {
    return done.rows[row].cells[3 + iterations].measured;
  };  // by dopri5
  EXPECT_NEAR(std::log10(at(0, 0) / at(1, 0)), 2, 0.1);
  EXPECT_NEAR(std::log10(at(1, 0) / at(2, 0)), 2, 0.1);
  EXPECT_LT(at(0, 1), at(0, 0) / 10);
  EXPECT_LT(at(0, 2), at(0, 1) / 10);
  const double floor = at(3, 2);
  for (size_t row = 1; row < 6; ++row)
    for (size_t iterations = row < 3 ? 1 : 0; iterations < 3; ++iterations)
      EXPECT_NEAR(at(row, iterations), floor, 0.3 * floor) << done.rows[row].label << " " << iterations;
  EXPECT_LT(floor, 3e-6);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
