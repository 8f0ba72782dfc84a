// Facts about a model and a trial run of it. Eigenvalues of the linearised motion: of ∂F/∂y of the index-1 equations ẏ = F(t, y), by
// differences, at five instants of the trial,
//   stiffness = max(−Re λ) h,   h the median step of the trial by an explicit scheme                                     (1)
// which stability limits to about 3: where it is near that, accuracy would have allowed longer steps. Singular positions: where the smallest
// singular value of J, without the rows that others imply, columns in units of the velocities and rows in units of their median length
// along the run, dips towards zero.                                                                                       (2)
#include "driftless/compare/model_facts.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "driftless/analysis/assembly.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/settings.hpp"
#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/strained.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {
namespace {

constexpr int kMostForEigenvalues = 150;  // entries of y
constexpr int kRecords = 400;
constexpr double kWeak = 1e-3;

void add_eigenvalues(OdeForm& form, const State& state, ModelFacts& facts) {
  const Eigen::Index n = form.size();
  Vec y(n), up(n), down(n);
  form.pack(state, 0, y);
  Mat A(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double step = 1e-6 * std::max({std::abs(y[i]), form.scale()[i], 1e-6});
    Vec moved = y;
    moved[i] = y[i] + step;
    if (form.derivative(state.t, moved, up) != Status::ok) return;
    moved[i] = y[i] - step;
    if (form.derivative(state.t, moved, down) != Status::ok) return;
    A.col(i) = (up - down) / (2 * step);
  }
  if (!A.allFinite()) return;
  const Eigen::EigenSolver<Mat> solver(A, false);
  if (solver.info() != Eigen::Success) return;
  facts.eigenvalues_known = true;
  for (const auto& value : solver.eigenvalues()) {
    facts.decay = std::max(facts.decay, -value.real());
    facts.frequency = std::max(facts.frequency, std::abs(value.imag()));
  }
}

State state_of_record(const Trajectory& trajectory, size_t i) {
  const auto row = [&](const Table& table) {
    return Vec(Eigen::Map<const Vec>(table.data.data() + i * table.columns(),
                                     static_cast<Eigen::Index>(table.columns())));
  };
  return {trajectory.t[i], row(trajectory.q), row(trajectory.v)};
}

// Records at which a mode is another than before, or events, which impacts are that leave the mode as it was.
long switchings_in(const Trajectory& trajectory) {
  const size_t columns = trajectory.modes.columns();
  long count = 0;
  for (size_t i = 1; columns > 0 && i < trajectory.modes.rows(); ++i) {
    const double *now = trajectory.modes.data.data() + i * columns, *before = now - columns;
    count += !std::equal(now, now + columns, before);
  }
  return std::max(count, static_cast<long>(trajectory.events.size()));
}

double median_step(const Table& steps) {
  std::vector<double> values;
  for (size_t i = 0; i < steps.rows(); ++i) values.push_back(steps.at(i, 1));
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// J of every record, dense, in units of the velocities, without the dropped rows.
std::vector<Mat> matrices_along(const DescriptorSystem& system, const Trajectory& trajectory) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  std::vector<Mat> out;
  std::vector<int> dropped;
  for (size_t i = 0; i < trajectory.size(); ++i) {
    const State state = state_of_record(trajectory, i);
    system.position(state.t, state.q, terms);
    if (i == 0) dropped = redundant_rows(layout, terms);
    const Mat J = Mat(terms.J) * layout.v_scale.asDiagonal();
    Mat kept(layout.m - static_cast<Eigen::Index>(dropped.size()), layout.nv);
    for (Eigen::Index row = 0, k = 0; row < layout.m; ++row)
      if (!std::binary_search(dropped.begin(), dropped.end(), static_cast<int>(row)))
        kept.row(k++) = J.row(row);
    out.push_back(std::move(kept));
  }
  return out;
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void look_at_rows(const DescriptorSystem& system, const Trajectory& trajectory, ModelFacts& facts) {  // (2)
  constexpr int kMostRows = 60;
  const Layout& layout = system.layout();
  if (layout.m == 0 || layout.m > kMostRows || trajectory.size() < 3) return;
  std::vector<Mat> along = matrices_along(system, trajectory);
  std::vector<int> lasting;  // rows that come and go (contacts) say nothing of singular positions
  for (Eigen::Index row = 0; row < along[0].rows(); ++row)
    if (std::none_of(along.begin(), along.end(), [&](const Mat& J) { return J.row(row).isZero(0); }))
      lasting.push_back(static_cast<int>(row));
  if (lasting.empty()) return;
  for (Mat& J : along) J = Mat(J(lasting, Eigen::all));
  for (Eigen::Index row = 0; row < along[0].rows(); ++row) {
    std::vector<double> lengths;
    for (const Mat& J : along) lengths.push_back(J.row(row).norm());
    const double usual = median_of(lengths);
    for (Mat& J : along)
      if (usual > 0) J.row(row) /= usual;
  }
  std::vector<double> weakest;
  for (const Mat& J : along) weakest.push_back(J.jacobiSvd().singularValues().minCoeff());
  const double usual = median_of(weakest);
  facts.weakest_row = *std::min_element(weakest.begin(), weakest.end()) / usual;
  // Records are apart: a passage shows as a dip that a line through its sides takes to zero.
  for (size_t i = 1; i + 1 < weakest.size(); ++i) {
    if (weakest[i] > weakest[i - 1] || weakest[i] >= weakest[i + 1]) continue;
    const double fall = std::max(weakest[i - 1], weakest[i + 1]) - weakest[i];
    if (weakest[i] < kWeak * usual || (weakest[i] < 0.05 * usual && weakest[i] < 1.5 * fall))
      facts.singular_at.push_back(trajectory.t[i]);
  }
}

}  // namespace

ModelFacts find_facts(const AdviseRequest& request) {
  ModelFacts facts;
  const Case input = prepare(request.target, request.settings);
  const DescriptorSystem& system = *input.system;
  const Layout& layout = system.layout();
  facts.name = input.name;
  facts.coordinates = input.coordinates;
  facts.is_model = request.target.problem != nullptr ? request.target.problem->mechanism != nullptr
                                                     : !request.target.equations;
  facts.coordinates_count = layout.nv;
  facts.rows = layout.m;
  facts.nonholonomic = layout.m - layout.mh;
  if (const Switching* switching = switching_of(system))
    facts.switches = static_cast<int>(switching->switches().size());
  if (const auto* strained = dynamic_cast<const Strained*>(&system)) {
    facts.has_points = true;  // a system of its own, in absolute coordinates only
    for (const FlexibleColumns& body : strained->flexible_columns()) {
      ++facts.flexible_bodies;
      facts.elastic += body.size;
    }
  }
  const RankReport rank = analyze_rank(system, input.start);
  facts.dof = rank.dof;
  facts.redundant = static_cast<int>(rank.redundant_rows.size());
  facts.has_loops = facts.rows > 0;
  Setup setup = make_setup(input.settings);
  facts.t_end = setup.t_end;
  const double span = setup.t_end - input.start.t;

  // The trial: an explicit scheme, few digits; where that is too slow, the implicit one that follows anything.
  setup.formulation = "lagrange";
  setup.integrator = "dopri5";
  setup.stabilization = layout.m > 0 ? "pstab" : "";
  setup.rtol = 1e-5;
  setup.atol = 0;
  setup.step = 0;
  setup.options.clear();
  setup.output_step = span / kRecords;
  setup.max_steps = 20'000;
  setup.record = true;
  setup.sink = nullptr;
  setup.interrupt = request.interrupt;
  Results results = simulate(system, input.start, setup);
  const double explicit_step = median_step(results.trajectory.steps);
  facts.trial_steps = results.statistics.steps();
  facts.switchings = switchings_in(results.trajectory);
  const double reached = results.final.t - input.start.t;
  if (!results.good()) {
    if (results.status != Status::too_many_steps) facts.trial_trouble = results.message;
    setup.formulation = results.status == Status::too_many_steps ? "lagrange" : "augmented-lagrangian";
    setup.integrator = results.status == Status::too_many_steps ? "radau-iia5" : "";
    if (setup.formulation != "lagrange") setup.stabilization.clear();
    Results again = simulate(system, input.start, setup);
    if (again.final.t > results.final.t) results = std::move(again);
  }
  facts.trial_end = results.good() ? setup.t_end : std::max(results.final.t, input.start.t + 0.01 * span);
  // Trials of a hundred thousand steps say no more than those of a few thousand.
  if (explicit_step > 0 && reached < span / 2)
    facts.trial_end = std::min(facts.trial_end, input.start.t + std::max(2 * reached, span / 50));

  const Trajectory& trajectory = results.trajectory;
  if (trajectory.size() > 0) {
    look_at_rows(system, trajectory, facts);
    const Choices choices = choose_methods("lagrange", "dopri5", "none", {}, false);
    const std::unique_ptr<OdeForm> form = choices.make_form(system);
    if (!rank.redundant_rows.empty()) {
      Terms terms = system.make_terms();
      system.position(input.start.t, input.start.q, terms);
      form->drop_rows(redundant_rows(layout, terms));
    }
    if (form->size() <= kMostForEigenvalues)
      for (size_t k = 0; k <= 4; ++k)
        add_eigenvalues(*form, state_of_record(trajectory, k * (trajectory.size() - 1) / 4), facts);
  }
  facts.stiffness = facts.decay * explicit_step;  // (1)
  facts.vibration = facts.frequency * explicit_step;
  if (results.energy) {
    const double size =
        std::max({std::abs(results.energy->initial), std::abs(results.energy->final), 1e-300});
    facts.energy_lost = -results.energy->work / size;
  }
  return facts;
}

}  // namespace driftless
