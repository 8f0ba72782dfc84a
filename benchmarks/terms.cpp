// Writes down what systems compute (M, f, J, g, ν, γ, quantities, wrapped angles, reactions, poses, energies) at random states
// of models in every coordinate set, so that two builds can be compared number by number:
//   bench_terms write FILE MODEL.json …        with the old build
//   bench_terms compare FILE MODEL.json …      with the new one: largest difference of every field, relative to its largest entry
// States are the assembled start, retracted by seeded random increments, with random velocities, accelerations, multipliers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/system/observable_system.hpp"

namespace {

using namespace driftless;

constexpr int kStates = 100;

using Field = std::function<void(const std::string& name, const Vec& values)>;

Vec flat(const SparseRows& matrix) {
  const Mat dense = matrix;
  return Eigen::Map<const Vec>(dense.data(), dense.size());
}

Vec random_vector(Eigen::Index size, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vec out(size);
  for (double& x : out) x = uniform(engine);
  return out;
}

Vec text_sum(const std::vector<std::string>& list) {  // names and their order
  Vec out(static_cast<Eigen::Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i)
    out[static_cast<Eigen::Index>(i)] = static_cast<double>(std::hash<std::string>()(list[i]) % 1000003);
  return out;
}

void observe(const DescriptorSystem& system, const State& start, const Field& field) {
  const Layout& layout = system.layout();
  field("names", text_sum(layout.q_names));
  field("v names", text_sum(layout.v_names));
  field("row names", text_sum(layout.row_names));
  field("units", text_sum(layout.q_units));
  field("row units", text_sum(layout.row_units));
  field("quantity names", text_sum(system.quantity_names()));
  field("joint names", text_sum(system.joint_names()));
  field("scales", layout.q_scale);
  field("start q", start.q);
  field("start v", start.v);
  std::mt19937 engine(1);
  Observer observer(system);
  Terms& terms = observer.terms;
  for (int k = 0; k < kStates; ++k) {
    State at = start;
    at.t = 0.05 * k;
    system.retract(at.q, 0.3 * random_vector(layout.nv, engine).cwiseProduct(layout.v_scale));
    at.v = random_vector(layout.nv, engine).cwiseProduct(layout.v_scale);
    const Reaction reaction{random_vector(layout.nv, engine), random_vector(layout.m, engine)};
    system.evaluate(at.t, at.q, at.v, terms);
    if (!layout.mass_is_implicit) field("M", flat(terms.M));
    field("J", flat(terms.J));
    field("g", terms.g);
    field("nu", terms.nu);
    field("gamma", terms.gamma);
    field("f", terms.f);
    field("energy",
          Vec{{system.kinetic_energy(at.v, terms), system.potential_energy(at.t, at.q, terms).value_or(-1),
               system.applied_power(at.t, at.q, at.v, terms), double(system.exchanges_energy())}});
    Vec q_size(layout.nq), v_size(layout.nv);
    system.magnitudes(at.q, at.v, q_size, v_size);
    field("q size", q_size);
    field("v size", v_size);
    const auto wrapped = system.observables().wrapped_quantities();
    Vec value(static_cast<Eigen::Index>(wrapped.size())), rate = value;
    if (!wrapped.empty()) system.observables().wrapped_values(at.t, at.q, at.v, terms, value, rate);
    field("wrapped", value);
    field("wrapped rate", rate);
    Vec quantities(static_cast<Eigen::Index>(system.quantity_names().size()));
    observer.quantities(at.t, at.q, at.v, reaction, quantities);
    field("quantities", quantities);
    std::vector<JointReaction> reactions;
    observer.reactions(at.t, at.q, at.v, reaction, reactions);
    Vec flat_reactions(12 * static_cast<Eigen::Index>(reactions.size()));
    for (size_t i = 0; i < reactions.size(); ++i)
      flat_reactions.segment<12>(12 * static_cast<Eigen::Index>(i)) << reactions[i].force,
          reactions[i].torque, reactions[i].force_joint, reactions[i].torque_joint;
    field("reactions", flat_reactions);
    std::vector<Pose> poses;
    observer.poses(at.t, at.q, poses);
    Vec flat_poses(7 * static_cast<Eigen::Index>(poses.size()));
    for (size_t i = 0; i < poses.size(); ++i)
      flat_poses.segment<7>(7 * static_cast<Eigen::Index>(i)) << poses[i].position, poses[i].quaternion;
    field("poses", flat_poses);
  }
}

void each_field(
    const std::vector<std::string>& files,
    const std::function<void(const std::string& system, const std::string& field, const Vec&)>& visit) {
  for (const std::string& file : files) {
    const Model model = read_model(file);
    for (const char* set : {"reference-point", "natural", "relative", "euler-parameters"}) {
      const std::string name = file.substr(file.rfind('/') + 1) + " " + set;
      try {
        const CompiledModel compiled = compile(model, set, file);
        const State start = assemble(compiled, 0, file).state;
        observe(*compiled.system, start,
                [&](const std::string& field, const Vec& v) { visit(name, field, v); });
      } catch (const InputError& refused) {
        visit(name, "refused", Vec::Zero(1));
      }
    }
  }
}

int write(const std::string& path, const std::vector<std::string>& files) {
  std::ofstream out(path, std::ios::binary);
  each_field(files, [&](const std::string&, const std::string&, const Vec& values) {
    const double size = static_cast<double>(values.size());
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 8));
  });
  return out ? 0 : 1;
}

int compare(const std::string& path, const std::vector<std::string>& files) {
  std::ifstream in(path, std::ios::binary);
  std::map<std::pair<std::string, std::string>, double> worst;
  each_field(files, [&](const std::string& system, const std::string& field, const Vec& values) {
    double size = -1;
    in.read(reinterpret_cast<char*>(&size), sizeof size);
    Vec before(static_cast<Eigen::Index>(std::max(size, 0.0)));
    in.read(reinterpret_cast<char*>(before.data()), static_cast<std::streamsize>(before.size() * 8));
    double& most = worst[{system, field}];
    if (before.size() != values.size()) {
      most = 99;
      return;
    }
    double largest = 1e-300;
    for (const double x : before)
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    for (Eigen::Index i = 0; i < before.size(); ++i)
      if (std::isfinite(before[i]) || std::isfinite(values[i]))
        most = std::max(most, std::isfinite(before[i]) && std::isfinite(values[i])
                                  ? std::abs(values[i] - before[i]) / std::max(largest, 1.0)
                                  : 99.0);
  });
  double all = 0;
  for (const auto& [name, most] : worst) {
    all = std::max(all, most);
    if (most > 1e-13) fmt::print("{:40} {:16} {:.1e}\n", name.first, name.second, most);
  }
  fmt::print("{} fields of {} models, largest difference {:.1e}\n", worst.size(), files.size(), all);
  return all <= 1e-13 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "bench_terms write|compare FILE MODEL.json ...\n");
    return 2;
  }
  const std::vector<std::string> files(argv + 3, argv + argc);
  return std::string(argv[1]) == "write" ? write(argv[2], files) : compare(argv[2], files);
}
