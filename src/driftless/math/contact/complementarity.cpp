#include "driftless/math/contact/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/math/contact/contact_scale.hpp"
#include "driftless/math/contact/lemke.hpp"
#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace {

constexpr double kSame = 1e-9;       // relative difference of accelerations that counts as another solution
constexpr int kMostModes = 20000;    // combinations that are looked through
constexpr double kFeasible = 1e-10;  // relative violation of an inequality that is round-off

ContactProblem scaled(const ContactProblem& problem, const ContactScale& scale) {
  ContactProblem out = problem;
  out.W /= scale.sigma;
  out.b /= scale.beta;
  for (ContactRows& c : out.contacts) c.limit *= scale.sigma / scale.beta;
  return out;
}

bool has_discs(const ContactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const ContactRows& c) { return c.tangent_2 >= 0; });
}

// Convex: no force depends on another by μ, and W is symmetric and not indefinite.
bool is_convex(const ContactProblem& problem) {
  for (const ContactRows& c : problem.contacts)
    if (c.normal >= 0 && c.tangent >= 0 && c.friction > 0) return false;
  const double size = problem.W.cwiseAbs().maxCoeff();
  if ((problem.W - problem.W.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size) return false;
  return symmetric_eigenvalues(problem.W).minCoeff() >= -1e-12 * size;
}

std::vector<ContactMode> modes_of(const ContactProblem& problem, const Vec& p, const Vec& a) {
  std::vector<ContactMode> modes;
  for (const ContactRows& c : problem.contacts) {
    // Zero force and zero acceleration: closed, the weaker statement.
    const bool is_open = c.normal >= 0 && p[c.normal] <= kFeasible && a[c.normal] > kFeasible;
    if (is_open) {
      modes.push_back(ContactMode::open);
    } else if (c.tangent < 0) {
      modes.push_back(ContactMode::stick);
    } else if (c.tangent_2 >= 0) {
      modes.push_back(std::hypot(a[c.tangent], a[c.tangent_2]) > kSame ? ContactMode::slip
                                                                       : ContactMode::stick);
    } else {
      modes.push_back(a[c.tangent] > kSame    ? ContactMode::slip_plus
                      : a[c.tangent] < -kSame ? ContactMode::slip_minus
                                              : ContactMode::stick);
    }
  }
  return modes;
}

// ---- one friction row a contact --------------------------------------------------------------------------------------

// Unknowns of the complementarity problem, per contact: p_n; ℓ + p_t and a⁻. p = P z − o.
struct FrictionLcp {
  Mat M, P;
  Vec q, offset;
};

FrictionLcp make_lcp(const ContactProblem& problem) {
  int size = 0;
  for (const ContactRows& c : problem.contacts) size += (c.normal >= 0 ? 1 : 0) + (c.tangent >= 0 ? 2 : 0);
  FrictionLcp out;
  out.P = Mat::Zero(problem.b.size(), size);
  out.offset = Vec::Zero(problem.b.size());
  int k = 0;
  for (const ContactRows& c : problem.contacts) {
    const int normal = c.normal >= 0 ? k++ : -1;
    if (normal >= 0) out.P(c.normal, normal) = 1;
    if (c.tangent < 0) continue;
    out.P(c.tangent, k) = 1;  // p_t = (ℓ + p_t) − L − μ p_n
    if (normal >= 0) out.P(c.tangent, normal) = -c.friction;
    out.offset[c.tangent] = c.limit;
    k += 2;
  }
  const Mat WP = problem.W * out.P;
  const Vec rest = problem.b - problem.W * out.offset;
  out.M = Mat::Zero(size, size);
  out.q = Vec::Zero(size);
  k = 0;
  for (const ContactRows& c : problem.contacts) {
    const int normal = c.normal >= 0 ? k : -1;
    if (normal >= 0) {
      out.M.row(k) = WP.row(c.normal);  // a_n
      out.q[k++] = rest[c.normal];
    }
    if (c.tangent < 0) continue;
    out.M.row(k) = WP.row(c.tangent);  // a⁺ = a_t + a⁻
    out.M(k, k + 1) += 1;
    out.q[k] = rest[c.tangent];
    out.M(k + 1, k) = -1;  // ℓ − p_t = 2 ℓ − (ℓ + p_t)
    if (normal >= 0) out.M(k + 1, normal) = 2 * c.friction;
    out.q[k + 1] = 2 * c.limit;
    k += 2;
  }
  return out;
}

// Whether p, a with a = W p + b satisfy (2) and (3) to round-off.
bool satisfies(const ContactProblem& problem, const Vec& p, const Vec& a) {
  const double force = std::max(1.0, max_abs(p));
  for (const ContactRows& c : problem.contacts) {
    if (c.normal >= 0) {
      if (p[c.normal] < -kFeasible * force || a[c.normal] < -kFeasible * force) return false;
      if (std::min(p[c.normal], a[c.normal]) > kFeasible * force) return false;
    }
    if (c.tangent < 0) continue;
    const double limit = limit_of(c, p), over = kFeasible * force;
    const double pt = p[c.tangent], at = a[c.tangent];
    if (std::abs(pt) > limit + over) return false;
    if (at > over && pt > -limit + over) return false;
    if (at < -over && pt < limit - over) return false;
  }
  return true;
}

// All combinations of modes in turn: solutions of (1)–(3) at the corners of their sets.
class ModeSearch {
 public:
  explicit ModeSearch(const ContactProblem& problem) : problem_(problem), choice_(problem.contacts.size()) {}

  static double combinations(const ContactProblem& problem) {
    double count = 1;
    for (const ContactRows& c : problem.contacts)
      count *= (c.normal >= 0 ? 1 : 0) + (c.tangent >= 0 ? 3 : c.normal >= 0 ? 1 : 0);
    return count;
  }
  // Solutions with different a, at most two.
  std::vector<std::pair<Vec, Vec>> run() {
    look(0);
    return std::move(found_);
  }

 private:
  enum Choice { open, closed, plus, minus };

  void look(size_t i) {
    if (found_.size() > 1) return;
    if (i == choice_.size()) return test();
    const ContactRows& c = problem_.contacts[i];
    for (const Choice choice : {open, closed, plus, minus}) {
      if (choice == open && c.normal < 0) continue;
      if ((choice == plus || choice == minus) && c.tangent < 0) continue;
      choice_[i] = choice;
      look(i + 1);
    }
  }

  void test() {
    const Eigen::Index n = problem_.b.size();
    // Every row gives one equation: a_i = 0 (W p = −b) or p_i = its place at the limit.
    Mat A = Mat::Identity(n, n);
    Vec r = Vec::Zero(n);
    for (size_t i = 0; i < choice_.size(); ++i) {
      const ContactRows& c = problem_.contacts[i];
      if (choice_[i] == open) continue;
      const auto rest = [&](int row) {
        A.row(row) = problem_.W.row(row);
        r[row] = -problem_.b[row];
      };
      if (c.normal >= 0) rest(c.normal);
      if (c.tangent < 0) continue;
      if (choice_[i] == closed) {
        rest(c.tangent);
        continue;
      }
      const double sign = choice_[i] == plus ? 1 : -1;  // p_t = −sign (L + μ p_n)
      if (c.normal >= 0) A(c.tangent, c.normal) = sign * c.friction;
      r[c.tangent] = -sign * c.limit;
    }
    lu_.compute(A);
    const auto pivots = lu_.factors().diagonal().cwiseAbs();
    if (n > 0 && pivots.minCoeff() <= 1e-12 * pivots.maxCoeff()) return;
    Vec p(n);
    lu_.solve(r, p);
    if (!p.allFinite()) return;
    const Vec a = problem_.W * p + problem_.b;
    if (!satisfies(problem_, p, a)) return;
    for (const auto& [other_p, other_a] : found_)
      if (max_abs(a - other_a) <= kSame * (1 + max_abs(p) + max_abs(other_p))) return;
    found_.emplace_back(p, a);
  }

  const ContactProblem& problem_;
  std::vector<Choice> choice_;
  DenseLu<double> lu_;
  std::vector<std::pair<Vec, Vec>> found_;
};

ContactSolution solve_lines(const ContactProblem& problem) {
  ContactSolution out;
  const FrictionLcp lcp = make_lcp(problem);
  const LemkeResult lemke = solve_lcp(lcp.M, lcp.q);
  bool have = false;
  if (lemke.solved) {
    out.p = lcp.P * lemke.z - lcp.offset;
    out.a = problem.W * out.p + problem.b;
    have = satisfies(problem, out.p, out.a);
  }
  out.answer = have ? ContactAnswer::solved : ContactAnswer::undecided;
  if (have && is_convex(problem)) {
    out.unique_proved = true;
    return out;
  }
  if (ModeSearch::combinations(problem) > kMostModes) return out;
  auto found = ModeSearch(problem).run();
  if (have) {  // the pivoting may have found one more, in a set without corners of its own
    const auto same = [&](const auto& other) {
      return max_abs(out.a - other.second) <= kSame * (1 + max_abs(out.p) + max_abs(other.first));
    };
    if (std::none_of(found.begin(), found.end(), same)) found.emplace_back(out.p, out.a);
  } else if (!found.empty()) {
    std::tie(out.p, out.a) = found.front();
  }
  out.answer = found.empty()       ? ContactAnswer::none
               : found.size() == 1 ? ContactAnswer::solved
                                   : ContactAnswer::several;
  out.unique_proved = true;
  return out;
}

// ---- cones -----------------------------------------------------------------------------------------------------------

// Residuals p − proj(p − ρ a) of all rows and, if asked for, their derivative; ρ = 1 in scaled numbers.
class ConeIteration {
 public:
  explicit ConeIteration(const ContactProblem& problem) : problem_(problem) {
    const double diagonal = problem.W.diagonal().size() > 0 ? problem.W.diagonal().maxCoeff() : 1;
    rho_ = 1 / std::max(diagonal, 1e-12);
  }

  bool run(Vec& p) {
    Vec residual;
    Mat derivative;
    for (int round = 0; round < 30; ++round) {
      for (int i = 0; i < (round == 0 ? 20 : 200); ++i) sweep(p);
      for (int newton = 0; newton < 60; ++newton) {
        evaluate(p, residual, &derivative);
        const double size = max_abs(residual);
        if (size <= 4e-15 * (1 + max_abs(p))) return true;
        const Vec step = least_squares(derivative, -residual);
        double factor = 1, best = 1;
        double least = std::numeric_limits<double>::infinity();
        Vec trial;
        for (int halving = 0; halving < 12; ++halving, factor /= 2) {
          evaluate(p + factor * step, trial, nullptr);
          if (trial.norm() < least) {
            least = trial.norm();
            best = factor;
          }
          if (least < 0.9 * residual.norm()) break;
        }
        if (!(least < residual.norm())) {
          if (size <= 1e-13 * (1 + max_abs(p))) return true;  // round-off: no step makes it smaller
          break;
        }
        p += best * step;
      }
    }
    return false;
  }

 private:
  void evaluate(const Vec& p, Vec& residual, Mat* derivative) const {
    const Eigen::Index n = p.size();
    const Vec y = p - rho_ * (problem_.W * p + problem_.b);
    const auto dy = [&](int row) {
      Eigen::RowVectorXd out = -rho_ * problem_.W.row(row);
      out[row] += 1;
      return out;
    };
    residual = p;
    if (derivative != nullptr) *derivative = Mat::Identity(n, n);
    for (const ContactRows& c : problem_.contacts) {
      double pressure = 0;
      Eigen::RowVectorXd d_pressure = Eigen::RowVectorXd::Zero(n);
      if (c.normal >= 0) {
        pressure = std::max(0.0, y[c.normal]);
        residual[c.normal] -= pressure;
        if (y[c.normal] > 0) d_pressure = dy(c.normal);
        if (derivative != nullptr) derivative->row(c.normal) -= d_pressure;
      }
      if (c.tangent < 0) continue;
      const double limit = c.limit + c.friction * pressure;
      const int rows[2] = {c.tangent, c.tangent_2};
      const int count = c.tangent_2 >= 0 ? 2 : 1;
      Vec2 at(y[c.tangent], count == 2 ? y[c.tangent_2] : 0.0);
      const double length = at.norm();
      if (length <= limit) {
        for (int k = 0; k < count; ++k) {
          residual[rows[k]] -= at[k];
          if (derivative != nullptr) derivative->row(rows[k]) -= dy(rows[k]);
        }
        continue;
      }
      const Vec2 u = at / length;
      for (int k = 0; k < count; ++k) {
        residual[rows[k]] -= limit * u[k];
        if (derivative == nullptr) continue;
        derivative->row(rows[k]) -= c.friction * u[k] * d_pressure;
        for (int j = 0; j < count; ++j)
          derivative->row(rows[k]) -= limit / length * ((k == j ? 1.0 : 0.0) - u[k] * u[j]) * dy(rows[j]);
      }
    }
  }

  // One projected Gauss–Seidel pass.
  void sweep(Vec& p) const {
    for (const ContactRows& c : problem_.contacts) {
      const auto slope = [&](int row) { return std::max(problem_.W(row, row), 1e-12); };
      const auto rate = [&](int row) { return problem_.W.row(row).dot(p) + problem_.b[row]; };
      if (c.normal >= 0) p[c.normal] = std::max(0.0, p[c.normal] - rate(c.normal) / slope(c.normal));
      if (c.tangent < 0) continue;
      const double limit = limit_of(c, p);
      if (c.tangent_2 < 0) {
        p[c.tangent] = std::clamp(p[c.tangent] - rate(c.tangent) / slope(c.tangent), -limit, limit);
        continue;
      }
      const double stiff = slope(c.tangent) + slope(c.tangent_2);
      Vec2 at(p[c.tangent] - rate(c.tangent) / stiff, p[c.tangent_2] - rate(c.tangent_2) / stiff);
      if (at.norm() > limit) at *= limit / at.norm();
      p[c.tangent] = at[0];
      p[c.tangent_2] = at[1];
    }
  }

  const ContactProblem& problem_;
  double rho_ = 1;
};

ContactSolution solve_discs(const ContactProblem& problem) {
  ContactSolution out;
  std::vector<std::pair<Vec, Vec>> found;
  const Eigen::Index n = problem.b.size();
  // Several starts: where μ p_n couples the rows there may be several solutions.
  for (const double start : {0.0, 1.0, 100.0}) {
    Vec p = Vec::Zero(n);
    for (const ContactRows& c : problem.contacts)
      if (c.normal >= 0) p[c.normal] = start;
    if (!ConeIteration(problem).run(p)) continue;
    const Vec a = problem.W * p + problem.b;
    const auto same = [&](const auto& other) {
      return max_abs(a - other.second) <= kSame * (1 + max_abs(p) + max_abs(other.first));
    };
    if (std::none_of(found.begin(), found.end(), same)) found.emplace_back(p, a);
    if (is_convex(problem)) break;
  }
  if (found.empty()) return out;
  std::tie(out.p, out.a) = found.front();
  out.answer = found.size() == 1 ? ContactAnswer::solved : ContactAnswer::several;
  out.unique_proved = is_convex(problem);
  return out;
}

}  // namespace

ContactSolution solve_contacts(const ContactProblem& problem) {
  ContactSolution out;
  if (problem.b.size() == 0) {
    out.answer = ContactAnswer::solved;
    out.unique_proved = true;
    return out;
  }
  const ContactScale scale = scale_of(problem);
  const ContactProblem unitless = scaled(problem, scale);
  out = has_discs(problem) ? solve_discs(unitless) : solve_lines(unitless);
  if (out.p.size() == 0) {
    out.p = out.a = Vec::Zero(problem.b.size());
    return out;
  }
  out.modes = modes_of(unitless, out.p, out.a);
  out.p *= scale.beta / scale.sigma;
  out.a *= scale.beta;
  return out;
}

ImpactSolution solve_impact(const ImpactProblem& problem) {
  ImpactSolution out;
  ContactProblem phase = problem.contacts;
  const Vec before = problem.contacts.b;
  const Vec& approach = problem.approach.size() > 0 ? problem.approach : before;
  const Mat& W = problem.contacts.W;
  if (problem.law == ImpactLaw::newton) {
    for (size_t i = 0; i < phase.contacts.size(); ++i)
      if (const int n = phase.contacts[i].normal; n >= 0) phase.b[n] += problem.restitution[i] * approach[n];
    const ContactSolution solution = solve_contacts(phase);
    out.answer = solution.answer;
    out.p = solution.p;
  } else {
    const ContactSolution compression = solve_contacts(phase);
    out.answer = compression.answer;
    out.p = compression.p;
    if (compression.answer == ContactAnswer::solved) {
      Vec given = Vec::Zero(before.size());  // e p_n comes back in any case
      for (size_t i = 0; i < phase.contacts.size(); ++i) {
        ContactRows& c = phase.contacts[i];
        if (c.normal < 0) continue;
        given[c.normal] = problem.restitution[i] * compression.p[c.normal];
        c.limit += c.friction * given[c.normal];
      }
      phase.b = before + W * (compression.p + given);
      const ContactSolution expansion = solve_contacts(phase);
      out.answer = expansion.answer;
      out.p += given + expansion.p;
    }
  }
  out.u = before + W * out.p;
  out.energy_gain = 0.5 * out.p.dot(before + out.u);
  return out;
}

std::string to_text(ContactAnswer answer) {
  switch (answer) {
    case ContactAnswer::solved:
      return "solved";
    case ContactAnswer::none:
      return "no solution";
    case ContactAnswer::several:
      return "several solutions";
    case ContactAnswer::undecided:
      return "no solution found";
  }
  return "";
}

}  // namespace driftless
