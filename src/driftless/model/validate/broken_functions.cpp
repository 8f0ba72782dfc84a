#include "driftless/model/validate/broken_functions.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"

namespace driftless {
namespace {

class FunctionCheck {
 public:
  FunctionCheck(double t, std::vector<Complaint>& out) : t_(t), out_(out) {}

  void look(const std::string& section, const std::vector<Element>& elements, bool needs_derivatives) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (const auto& [name, value] : elements[i].fields) {
        const std::string where = path_below(path_below(section, i), name);
        if (const auto* f = std::get_if<TimeFunction>(&value)) look(where, *f, needs_derivatives);
        if (const auto* list = std::get_if<std::vector<TimeFunction>>(&value))
          for (std::size_t k = 0; k < list->size(); ++k)
            look(path_below(where, k), (*list)[k], needs_derivatives);
      }
  }

 private:
  void look(const std::string& where, const TimeFunction& f, bool needs_derivatives) {
    const auto* expression = std::get_if<time_function::ExpressionText>(&f.data());
    if (expression != nullptr && (expression->variable != "t" || !expression->signals.empty()))
      return;  // of a place, of the motion
    const Derivatives d = f.at(t_);
    if (!std::isfinite(d.value)) return complain(where, f, "", d.value);
    if (needs_derivatives && !std::isfinite(d.rate)) return complain(where, f, "derivative of ", d.rate);
    if (needs_derivatives && !std::isfinite(d.acceleration))
      return complain(where, f, "second derivative of ", d.acceleration);
  }
  void complain(const std::string& where, const TimeFunction& f, const char* of, double value) {
    const auto* expression = std::get_if<time_function::ExpressionText>(&f.data());
    const std::string text =
        expression != nullptr ? quoted(expression->text) : "a function of kind " + f.kind();
    out_.push_back({where, fmt::format("a finite value at t = {:g}", t_),
                    fmt::format("{}{} is {}", of, text, std::isnan(value) ? "NaN" : "infinite"),
                    "if(t > 0, ..., VALUE) says what an expression is there"});
  }

  double t_;
  std::vector<Complaint>& out_;
};

}  // namespace

std::vector<Complaint> broken_functions(const Model& model, double t) {
  std::vector<Complaint> out;
  FunctionCheck check(t, out);
  check.look("drivers", model.drivers, true);
  check.look("forces", model.forces, false);
  return out;
}

}  // namespace driftless
