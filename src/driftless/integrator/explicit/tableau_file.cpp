// Tableaus of the user's: read from JSON, checked by the order conditions of tableau.hpp (2). What is asked of them is said in
// runge_kutta.cpp.
//   error = h Σ (b − b̂)ᵢ kᵢ ~ hᵏ,  k = min(p, p̂) + 1,  PI gain β = 0.4/k                                           (1)
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/core/json/json_value.hpp"
#include "driftless/core/text.hpp"
#include "driftless/integrator/explicit/explicit_rk.hpp"
#include "driftless/integrator/implicit/implicit_rk.hpp"

namespace driftless {
namespace {

constexpr double kTolerance = 1e-12;  // of sums of coefficients given in double

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

double coefficient(const std::string& source, const std::string& where, const JsonValue& json) {
  if (const double* number = json.number()) return *number;
  double numerator = 0, denominator = 1;
  if (const std::string* text = json.string()) {
    const size_t bar = text->find('/');
    if (parse(std::string_view(*text).substr(0, bar), numerator) &&
        (bar == std::string::npos || parse(std::string_view(*text).substr(bar + 1), denominator)) &&
        denominator != 0)
      return numerator / denominator;
  }
  refuse(source, where, "a number or a fraction such as \"3/40\"", describe(json));
}

std::vector<double> coefficients(const std::string& source, const std::string& where, const JsonValue& json) {
  if (json.array() == nullptr) refuse(source, where, "a list of numbers", describe(json));
  std::vector<double> out;
  for (const JsonValue& entry : *json.array())
    out.push_back(coefficient(source, fmt::format("{}[{}]", where, out.size()), entry));
  return out;
}

void require_length(const std::string& source, const std::string& where, size_t length, size_t found) {
  if (found != length)
    refuse(source, where, fmt::format("{} entries, one per stage", length), fmt::format("{}", found));
}

void check_sizes(const std::string& source,
                 const std::vector<double>& c,
                 const std::vector<std::vector<double>>& A,
                 const std::vector<double>& b) {
  const size_t s = b.size();
  if (s < 1 || s > size_t(kMaxStages))
    refuse(source, "b", fmt::format("1 to {} weights, one per stage", kMaxStages), fmt::format("{}", s));
  require_length(source, "c", s, c.size());
  require_length(source, "A", s, A.size());
  for (size_t i = 0; i < s; ++i) {
    if (A[i].size() > s) require_length(source, fmt::format("A[{}]", i), s, A[i].size());
    if (c[i] < 0 || c[i] > 1)
      refuse(source, fmt::format("c[{}]", i), "a number in [0, 1]: no stage outside the step",
             fmt::format("{}", c[i]));
  }
}

void check_sum(const std::string& source, size_t i, double sum, double c) {
  if (std::abs(sum - c) > kTolerance)
    refuse(source, fmt::format("A[{}]", i), fmt::format("a row that sums to c[{}] = {}", i, c),
           fmt::format("a sum of {}", sum));
}

// The order of a scheme, as claimed if that is given.
int checked_order(const std::string& source, const Mat& A, const Vec& b, int claimed) {
  const int found = order_of(A, b, kTolerance);
  if (found < 1) refuse(source, "b", "weights that sum to 1", fmt::format("a sum of {}", b.sum()));
  if (claimed < 0 || claimed > found)
    refuse(source, "order", fmt::format("at most {}, the order whose conditions hold", found),
           fmt::format("{}", claimed),
           claimed > kMostOrder
               ? fmt::format("conditions are checked up to order {}: leave it out", kMostOrder)
               : "a coefficient may be mistyped");
  return claimed > 0 ? claimed : found;
}

// k of (1).
int checked_exponent(const std::string& source, const Mat& A, const Vec& embedded, int order) {
  const int order_hat = order_of(A, embedded, kTolerance);
  if (order_hat < 1)
    refuse(source, "b_hat", "weights that sum to 1", fmt::format("a sum of {}", embedded.sum()));
  return std::min(order, order_hat) + 1;
}

// A row of the triangle: entries on and above the diagonal may be left out or written as zeros.
void read_row(const std::string& source, const std::vector<double>& row, size_t i, double c, Tableau& out) {
  double sum = 0;
  for (size_t j = 0; j < row.size(); ++j) {
    if (j >= i && row[j] != 0)
      refuse(source, fmt::format("A[{}][{}]", i, j), "0: a stage uses the ones before it only",
             fmt::format("{}", row[j]), "make_implicit_tableau() takes others");
    if (j < i) out.a[i][j] = row[j];
    sum += row[j];
  }
  check_sum(source, i, sum, c);
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
  check_sizes(source, c, A, b);
  Tableau out;
  out.stages = static_cast<int>(s);
  for (size_t i = 0; i < s; ++i) {
    out.c[i] = c[i];
    out.b[i] = b[i];
    read_row(source, A[i], i, c[i], out);
  }
  const Mat stages = stage_matrix(out);
  out.order = checked_order(source, stages, step_weights(out), order);
  if (!b_hat.empty()) {
    if (b_hat.size() != s + 1) require_length(source, "b_hat", s, b_hat.size());
    Vec embedded = Vec::Zero(static_cast<Eigen::Index>(s) + 1);
    for (size_t i = 0; i < b_hat.size(); ++i) {
      embedded[static_cast<Eigen::Index>(i)] = b_hat[i];
      out.e[i] = (i < s ? b[i] : 0) - b_hat[i];
    }
    if (!out.estimates()) refuse(source, "b_hat", "weights that differ from b", "the same");
    const int k = checked_exponent(source, stages, embedded, out.order);
    out.gains = {.exponent = k, .beta = 0.4 / k};
  }
  if (closes_itself(out) && b_hat.size() != s + 1)
    --out.stages;  // its weight in e is the closing one's already
  return out;
}

bool TableauNumbers::is_explicit() const {
  for (size_t i = 0; i < A.size(); ++i)
    for (size_t j = i; j < A[i].size(); ++j)
      if (A[i][j] != 0) return false;
  return true;
}

ImplicitTableau make_implicit_tableau(const std::string& source, const TableauNumbers& numbers) {
  const auto& [c, A, b, b_hat, order] = numbers;
  check_sizes(source, c, A, b);
  const auto s = static_cast<Eigen::Index>(b.size());
  ImplicitTableau out;
  out.c = Eigen::Map<const Vec>(c.data(), s);
  out.b = Eigen::Map<const Vec>(b.data(), s);
  out.A.setZero(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const auto& row = A[size_t(i)];
    for (size_t j = 0; j < row.size(); ++j) out.A(i, static_cast<Eigen::Index>(j)) = row[j];
    check_sum(source, size_t(i), out.A.row(i).sum(), c[size_t(i)]);
  }
  Mat stages = Mat::Zero(s + 1, s + 1);  // with F at the end of the step as the last one
  stages.topLeftCorner(s, s) = out.A;
  stages.row(s).head(s) = out.b;
  Vec weights = Vec::Zero(s + 1);
  weights.head(s) = out.b;
  out.order = checked_order(source, stages, weights, order);
  if (b_hat.empty()) return out;
  if (b_hat.size() != b.size() + 1) require_length(source, "b_hat", b.size(), b_hat.size());
  Vec embedded = Vec::Zero(s + 1);
  embedded.head(static_cast<Eigen::Index>(b_hat.size())) =
      Eigen::Map<const Vec>(b_hat.data(), static_cast<Eigen::Index>(b_hat.size()));
  out.e = weights - embedded;
  if (out.e.isZero(0)) refuse(source, "b_hat", "weights that differ from b", "the same");
  out.exponent = checked_exponent(source, stages, embedded, out.order);
  return out;
}

TableauNumbers read_tableau_numbers(const std::string& path) {
  if (const std::string kind = no_ordinary_file(path); !kind.empty())
    refuse(path, "`option tableau`", "the name of a file", kind);
  std::ifstream file(path);
  if (!file) {
    refuse(path, "`option tableau`", "bogacki-shampine, three-eighths, or a JSON file that can be read",
           fmt::format("'{}'", path));
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const JsonValue json = parse_json(text, path);
  if (json.object() == nullptr)
    refuse(path, "", "{\"c\": [...], \"A\": [[...], ...], \"b\": [...]}", describe(json));
  for (const auto& [key, value] : *json.object())
    if (key != "c" && key != "A" && key != "b" && key != "b_hat" && key != "order" && key != "comment")
      refuse(path, key, "one of 'c', 'A', 'b', 'b_hat', 'order', 'comment'",
             fmt::format("'{}'", printable(key)));
  for (const char* key : {"c", "A", "b"})
    if (json.find(key) == nullptr) refuse(path, key, "a list of numbers", "nothing");
  if (json.find("A")->array() == nullptr) refuse(path, "A", "a list of rows", describe(*json.find("A")));
  TableauNumbers out;
  for (const JsonValue& row : *json.find("A")->array())
    out.A.push_back(coefficients(path, fmt::format("A[{}]", out.A.size()), row));
  out.c = coefficients(path, "c", *json.find("c"));
  out.b = coefficients(path, "b", *json.find("b"));
  if (const JsonValue* weights = json.find("b_hat")) out.b_hat = coefficients(path, "b_hat", *weights);
  if (const JsonValue* order = json.find("order")) {
    const double number = order->number() != nullptr ? *order->number() : 0;
    if (!(number >= 1 && number <= 99 && number == std::floor(number)))
      refuse(path, "order", "a whole number of at least 1", describe(*order));
    out.order = static_cast<int>(number);
  }
  return out;
}

Tableau read_tableau(const std::string& path) {
  const TableauNumbers numbers = read_tableau_numbers(path);
  return make_tableau(path, numbers.c, numbers.A, numbers.b, numbers.b_hat, numbers.order);
}

}  // namespace driftless
