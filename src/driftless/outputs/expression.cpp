// An expression in outputs listed before it, and in t: "tip_x - base_x", "force*rate". Angles enter with their turns counted, in the
// unit their output shows.
#include "driftless/core/expression/expression.hpp"

#include <memory>
#include <stdexcept>

#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_expression_output(const Element& output,
                                           const OutputContext<D>& context,
                                           std::string& trouble) {
  OutputChannel<D> channel;
  std::vector<std::string> names = {"t"};
  for (const auto& before : context.before) names.push_back(before.name);
  channel.unit = output.has("unit") ? output.get<std::string>("unit") : "";
  try {
    const auto expression = std::make_shared<const Expression>(output.get<std::string>("expression"), names);
    channel.combine = [expression](double t, std::span<const double> channels) {
      return (*expression)(t, channels);
    };
  } catch (const std::invalid_argument& error) {
    trouble = std::string("an expression in t and outputs listed before it (") + error.what() + ")";
  }
  return channel;
}

}  // namespace

const OutputRecord& expression_output() {
  static const OutputRecord record = {
      {"expression",
       "an expression in t and in outputs listed before it, by their names",
       {{"expression", FieldKind::expression, true, {}, "", "such as \"tip_x - base_x\"", {}},
        {"unit", FieldKind::text, false, {}, "", "unit of the value, as it is to be shown", {}}}},
      compile_expression_output<2>,
      compile_expression_output<3>};
  return record;
}

}  // namespace driftless
