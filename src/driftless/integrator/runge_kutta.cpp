// Explicit Runge–Kutta with a tableau of the user's, or one of the library's further ones.       Hairer, Nørsett & Wanner II.1, II.2
// The tableau comes from a JSON file,
//   {"c": [0, "1/2", "3/4"], "A": [[], ["1/2"], [0, "3/4"]], "b": ["2/9", "1/3", "4/9"], "b_hat": [...], "order": 3}
// and is checked before the first step: A strictly lower triangular, Σⱼ aᵢⱼ = cᵢ, and the order conditions of all 200 rooted
// trees with up to 8 vertices, tableau.hpp (2): they give the order; a file that claims more is refused. A last stage that
// is the derivative at the end of the step (FSAL) is recognised and shared with the next step.
// With b_hat (one weight per stage, or one more for the derivative at the end) steps are adaptive:
//   error = h Σ (b − b̂)ᵢ kᵢ ~ hᵏ,  k = min(p, p̂) + 1,  PI gain β = 0.4/k                                           (1)
// Options: tableau (bogacki-shampine), three-eighths, or a file. Cost: an evaluation per stage. Dense output: cubic
// Hermite, whatever the order. Explicit: not for stiff equations.
#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/core/text.hpp"
#include "driftless/integrator/explicit_rk.hpp"

namespace driftless {
namespace {

using Json = nlohmann::json;

constexpr double kTolerance = 1e-12;  // of sums of coefficients given in double

struct Builtin {
  const char* name;
  const Tableau* tableau;
};
constexpr Builtin kBuiltins[] = {{"bogacki-shampine", &kBogackiShampine}, {"three-eighths", &kThreeEighths}};

[[noreturn]] void refuse(const std::string& source,
                         const std::string& where,
                         const std::string& expected,
                         const std::string& found,
                         const std::string& hint = "") {
  throw InputError(source, Complaint{where, expected, found, hint});
}

bool parse(std::string_view text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && std::isfinite(value);
}

double coefficient(const std::string& source, const std::string& where, const Json& json) {
  if (json.is_number()) return json.get<double>();
  double numerator = 0, denominator = 1;
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    const size_t bar = text.find('/');
    if (parse(std::string_view(text).substr(0, bar), numerator) &&
        (bar == std::string::npos || parse(std::string_view(text).substr(bar + 1), denominator)) &&
        denominator != 0)
      return numerator / denominator;
  }
  refuse(source, where, "a number or a fraction such as \"3/40\"", json.dump());
}

std::vector<double> coefficients(const std::string& source, const std::string& where, const Json& json) {
  if (!json.is_array()) refuse(source, where, "a list of numbers", json.dump());
  std::vector<double> out;
  for (size_t i = 0; i < json.size(); ++i)
    out.push_back(coefficient(source, fmt::format("{}[{}]", where, i), json[i]));
  return out;
}

void require_length(const std::string& source, const std::string& where, size_t length, size_t found) {
  if (found != length)
    refuse(source, where, fmt::format("{} entries, one per stage", length), fmt::format("{}", found));
}

// A row of the triangle: entries on and above the diagonal may be left out or written as zeros.
void read_row(const std::string& source, const std::vector<double>& row, size_t i, double c, Tableau& out) {
  double sum = 0;
  for (size_t j = 0; j < row.size(); ++j) {
    if (j >= i && row[j] != 0)
      refuse(source, fmt::format("A[{}][{}]", i, j), "0: a stage uses the ones before it only",
             fmt::format("{}", row[j]),
             "implicit schemes are integrators of their own, see `driftless methods`");
    if (j < i) out.a[i][j] = row[j];
    sum += row[j];
  }
  if (std::abs(sum - c) > kTolerance)
    refuse(source, fmt::format("A[{}]", i), fmt::format("a row that sums to c[{}] = {}", i, c),
           fmt::format("a sum of {}", sum));
}

// The last stage is the derivative at the end of the step: c = 1, its row is b, and b does not use it.
bool closes_itself(const Tableau& t) {
  const size_t last = size_t(t.stages) - 1;
  if (last == 0 || t.b[last] != 0 || std::abs(t.c[last] - 1) > kTolerance) return false;
  for (size_t j = 0; j < last; ++j)
    if (std::abs(t.a[last][j] - t.b[j]) > kTolerance) return false;
  return true;
}

}  // namespace

Tableau make_tableau(const std::string& source,
                     const std::vector<double>& c,
                     const std::vector<std::vector<double>>& A,
                     const std::vector<double>& b,
                     const std::vector<double>& b_hat,
                     int order) {
  const size_t s = b.size();
  if (s < 1 || s > size_t(kMaxStages))
    refuse(source, "b", fmt::format("1 to {} weights, one per stage", kMaxStages), fmt::format("{}", s));
  require_length(source, "c", s, c.size());
  require_length(source, "A", s, A.size());
  Tableau out;
  out.stages = static_cast<int>(s);
  for (size_t i = 0; i < s; ++i) {
    out.c[i] = c[i];
    out.b[i] = b[i];
    if (A[i].size() > s) require_length(source, fmt::format("A[{}]", i), s, A[i].size());
    read_row(source, A[i], i, c[i], out);
    if (c[i] < 0 || c[i] > 1)
      refuse(source, fmt::format("c[{}]", i), "a number in [0, 1]: no stage outside the step",
             fmt::format("{}", c[i]));
  }
  Mat stages = stage_matrix(out);
  const int found = order_of(stages, step_weights(out), kTolerance);
  if (found < 1)
    refuse(source, "b", "weights that sum to 1", fmt::format("a sum of {}", step_weights(out).sum()));
  if (order < 0 || order > found)
    refuse(source, "order", fmt::format("at most {}, the order whose conditions hold", found),
           fmt::format("{}", order),
           order > kMostOrder ? fmt::format("conditions are checked up to order {}: leave it out", kMostOrder)
                              : "a coefficient may be mistyped");
  out.order = order > 0 ? order : found;
  if (!b_hat.empty()) {
    if (b_hat.size() != s + 1) require_length(source, "b_hat", s, b_hat.size());
    Vec embedded = Vec::Zero(static_cast<Eigen::Index>(s) + 1);
    for (size_t i = 0; i < b_hat.size(); ++i) {
      embedded[static_cast<Eigen::Index>(i)] = b_hat[i];
      out.e[i] = (i < s ? b[i] : 0) - b_hat[i];
    }
    const int order_hat = order_of(stages, embedded, kTolerance);
    if (order_hat < 1)
      refuse(source, "b_hat", "weights that sum to 1", fmt::format("a sum of {}", embedded.sum()));
    if (!out.estimates()) refuse(source, "b_hat", "weights that differ from b", "the same");
    const int k = std::min(out.order, order_hat) + 1;  // (1)
    out.gains = {.exponent = k, .beta = 0.4 / k};
  }
  if (closes_itself(out) && b_hat.size() != s + 1)
    --out.stages;  // its weight in e is the closing one's already
  return out;
}

Tableau read_tableau(const std::string& path) {
  if (const std::string kind = no_ordinary_file(path); !kind.empty())
    refuse(path, "--option tableau", "the name of a file", kind);
  std::ifstream file(path);
  if (!file) {
    std::string names;
    for (const Builtin& builtin : kBuiltins) names += fmt::format("{}, ", builtin.name);
    refuse(path, "--option tableau", names + "or a JSON file that can be read", fmt::format("'{}'", path));
  }
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object())
    refuse(path, "", "{\"c\": [...], \"A\": [[...], ...], \"b\": [...]}",
           json.is_discarded() ? "text that is not JSON" : json.type_name());
  for (const auto& [key, value] : json.items())
    if (key != "c" && key != "A" && key != "b" && key != "b_hat" && key != "order" && key != "comment")
      refuse(path, key, "one of 'c', 'A', 'b', 'b_hat', 'order', 'comment'", fmt::format("'{}'", key));
  for (const char* key : {"c", "A", "b"})
    if (!json.contains(key)) refuse(path, key, "a list of numbers", "nothing");
  if (!json["A"].is_array()) refuse(path, "A", "a list of rows", json["A"].type_name());
  std::vector<std::vector<double>> A;
  for (size_t i = 0; i < json["A"].size(); ++i)
    A.push_back(coefficients(path, fmt::format("A[{}]", i), json["A"][i]));
  std::vector<double> b_hat;
  if (json.contains("b_hat")) b_hat = coefficients(path, "b_hat", json["b_hat"]);
  int order = 0;
  if (json.contains("order")) {
    if (!json["order"].is_number_unsigned() || json["order"].get<unsigned long>() - 1 > 98)
      refuse(path, "order", "a whole number of at least 1", json["order"].dump());
    order = json["order"].get<int>();
  }
  return make_tableau(path, coefficients(path, "c", json["c"]), A, coefficients(path, "b", json["b"]), b_hat,
                      order);
}

namespace {

std::unique_ptr<Integrator> make_runge_kutta(OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             const Options& options) {
  const std::string& name = options.choice("tableau");
  for (const Builtin& builtin : kBuiltins)
    if (name == builtin.name) {
      if (!builtin.tableau->estimates() && control.step == 0)
        refuse("integrator runge-kutta", "--step", "a step size: the tableau has no error estimate",
               "no --step");
      return make_explicit_rk(*builtin.tableau, form, statistics, control);
    }
  const Tableau tableau = read_tableau(name);
  if (!tableau.estimates() && control.step == 0)
    refuse("integrator runge-kutta", "--step",
           "a step size: the tableau has no b_hat to estimate errors with", "no --step", "add --step 0.001");
  return make_explicit_rk(tableau, form, statistics, control);
}

}  // namespace

extern const IntegratorRecord runge_kutta_integrator;
const IntegratorRecord runge_kutta_integrator = {
    .method = {"runge-kutta",
               "explicit Runge-Kutta with a tableau from a file; adaptive if it embeds an estimate",
               "Hairer, Norsett & Wanner, II.1, II.2, II.4; Bogacki & Shampine 1989",
               {{.name = "tableau",
                 .kind = OptionKind::names,
                 .default_value = "bogacki-shampine",
                 .help =
                     "bogacki-shampine (order 3), three-eighths (4, fixed step) or a JSON file with c, A, b, "
                     "b_hat and order"}}},
    .order = 3,
    .adaptive = true,
    .dense_output = true,
    .make = &make_runge_kutta};

}  // namespace driftless
