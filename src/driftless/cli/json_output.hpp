// The objects that --json prints, as text.
#pragma once

#include <string>
#include <vector>

#include "driftless/cli/report.hpp"
#include "driftless/compare/advise.hpp"
#include "driftless/compare/work_precision.hpp"
#include "driftless/reproduce/table.hpp"
#include "driftless/run/names.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::cli {

struct ListedModel {
  std::string name, path, description;
  std::string trouble;  // why it cannot be used; empty if it can
};

std::string run_json(const RunReport& report);
std::string view_json(const std::vector<std::string>& files, const WrittenPages& written);
std::string compare_json(const Comparison& comparison, const WrittenPages& written);
std::string sweep_json(const SweepTable& table, const std::string& out, const WrittenPages& written);
std::string check_json(const CheckReport& report);
std::string methods_json();
std::string problems_json(const std::vector<ListedModel>& models);
std::string tables_json();
std::string table_json(const TableRecord& record, const ReproducedTable& table);
std::string advice_json(const Advice& advice);
std::string reproduction_json(const std::vector<Reproduction>& done);
std::string failure_json(const std::string& message);

}  // namespace driftless::cli
