#include "driftless/run/named_results.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless {

std::span<const double> NamedResults::column(const char* kind,
                                             const Table& table,
                                             std::string_view name) const {
  const auto found = std::find(table.names.begin(), table.names.end(), name);
  if (found == table.names.end()) {
    const std::string near = closest_name(name, table.names);
    const char* article = *kind == 'a' || *kind == 'o' ? "an" : "a";
    throw InputError(
        "results",
        Complaint{"", fmt::format("the name of {} {}: {}", article, kind, quoted_list(table.names)),
                  fmt::format("'{}'", printable(name)),
                  near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
  }
  std::vector<double>& out = (*columns_)[fmt::format("{} {}", kind, name)];
  const auto k = static_cast<size_t>(found - table.names.begin());
  if (out.empty())
    for (size_t i = 0; i < trajectory.size(); ++i) out.push_back(table.at(i, k));
  return out;
}

NamedResults run_model(const Model& model, const RunSettings& settings) {
  RunRequest request;
  request.target.model = std::make_shared<const Model>(model);
  request.target.name = model.name;
  request.settings = settings;
  return NamedResults(run(request).results);
}

NamedResults run_file(const std::string& target, const RunSettings& settings) {
  RunRequest request;
  request.target = find_target(target);
  request.settings = settings;
  return NamedResults(run(request).results);
}

}  // namespace driftless
