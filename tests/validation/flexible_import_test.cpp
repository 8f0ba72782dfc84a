// Flexible bodies and the outside: imported modal bodies, places by node and fraction, result files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <Eigen/Dense>
#include <hdf5.h>

#include "driftless/flexible/floating_body.hpp"
#include "driftless/io/results_io.hpp"

#include "support/flexible_models.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// A mesh with hardly any mass of its own and masses on its nodes, and the same as modes that another program might give.
struct Lumped {
  FlexibleSpec mesh;
  std::vector<double> masses;
};

Lumped lumped_mesh(bool spatial) {
  BeamSection section = given_section(400, 2, 1e-13);
  section.EIz = 3;
  section.GJ = 1.5;
  section.rhoIy = section.rhoIz = 1e-15;
  Lumped out;
  out.mesh = straight_mesh(1, 3, section);
  if (spatial) {  // masses on one line do not resist turning about it
    out.mesh.nodes[2] = {0.7, 0.3, 0};
    out.mesh.nodes[3] = {1, 0.2, 0.2};
  }
  out.mesh.stiffening = FlexibleSpec::Stiffening::none;
  out.mesh.rotary_inertia = spatial;
  out.mesh.modes = ModesSpec{.count = spatial ? 5 : 4};  // fewer than masses can move: rotations have none
  out.masses = {0.1, 0.2, 0.25, 0.15};
  for (int k = 0; k < 4; ++k) out.mesh.masses.emplace_back(k, out.masses[size_t(k)]);
  return out;
}

std::string list(const Vec& values) {
  std::string out = "[";
  char text[40];
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    std::snprintf(text, sizeof text, "%s%.17g", i == 0 ? "" : ", ", values[i]);
    out += text;
  }
  return out + "]";
}

// The modes of the mesh over all coordinates of its nodes, as another program would give them.
template <int D>
std::string modal_text(const Lumped& lumped, const std::string& more = "") {
  const FloatingBody<D> body(lumped.mesh);
  constexpr int k = BeamElement<D>::kNode;
  const Mat nodal(body.Z()), stiffness(body.stiffness());
  std::string text = R"({"nodes": [)";
  for (size_t i = 0; i < lumped.mesh.nodes.size(); ++i)
    text += (i == 0 ? "" : ", ") + list(lumped.mesh.nodes[i].head<D>());
  text += R"(], "connect": [[0, 1], [1, 2], [2, 3]], "mass": )" +
          list(Eigen::Map<const Vec>(lumped.masses.data(), Eigen::Index(lumped.masses.size())));
  text += R"(, "modes": [)";
  for (Eigen::Index j = 0; j < nodal.cols(); ++j) {
    text += j == 0 ? "[" : ", [";
    for (Eigen::Index i = 0; i < nodal.rows() / k; ++i)
      text += (i == 0 ? "" : ", ") + list(nodal.col(j).segment(k * i, k));
    text += "]";
  }
  text += R"(], "stiffness": [)";
  for (Eigen::Index i = 0; i < stiffness.rows(); ++i)
    text += (i == 0 ? "" : ", ") + list(stiffness.row(i).transpose());
  return text + "]" + more + "}";
}

std::string pendulum_text(bool spatial, const std::string& flexible) {
  return std::string(R"({"driftless": 1, "name": "m", "space": ")") + (spatial ? "spatial" : "planar") +
         R"(", "gravity": )" + (spatial ? "[0, -9.81, 2]" : "[0, -9.81]") +
         R"(, "ground": {"points": {"O": )" + (spatial ? "[0, 0, 0]" : "[0, 0]") +
         R"(}}, "bodies": [{"name": "rod", "points": {"A": {"node": 0}, "B": {"node": 3}},
         "flexible": )" +
         flexible + R"(}], "joints": [{"name": "pin", "type": ")" + (spatial ? "spherical" : "revolute") +
         R"(", "a": "ground.O", "b": "rod.A"}], "outputs": [{"name": "x", "type": "point", "point": "rod.B", "component": "x"},
         {"name": "y", "type": "point", "point": {"body": "rod", "node": 3}, "component": "y"},
         {"name": "v", "type": "beam", "at": {"body": "rod", "node": 2}, "value": "v"}]})";
}

// F24: an imported body made of a mesh's own lumped masses and modes is that mesh.
TEST(ImportedBody, OfAMeshWithLumpedMassesIsThatMesh) {
  for (const bool spatial : {false, true}) {
    const Lumped lumped = lumped_mesh(spatial);
    const std::string data = spatial ? modal_text<3>(lumped) : modal_text<2>(lumped);
    const Model imported =
        parse_model(pendulum_text(spatial, R"({"type": "modal", "data": )" + data + "}"), "m");
    EXPECT_EQ(model_to_json(parse_model(model_to_json(imported), "m")), model_to_json(imported));
    Model meshed = imported;
    meshed.bodies[0].flexible = lumped.mesh;
    Vec3 found[2];
    int i = 0;
    for (const Model* model : {&imported, static_cast<const Model*>(&meshed)}) {
      const AssembledModel made = assembled(*model);
      RunSetup setup = figures_only(0.2);
      setup.integrator = "dop853";
      setup.rtol = 1e-12;
      const Results results = simulate(made.system(), made.start(), setup);
      ASSERT_TRUE(results.good()) << results.message;
      found[i++] = results.final_quantities.head<3>();
    }
    EXPECT_LT((found[0] - found[1]).norm(), 1e-10) << spatial;
    EXPECT_GT(std::abs(found[0].z()), 1e-5);
  }
}

// By sums over nodes and by the invariants that these give: the same equations.
TEST(ImportedBody, InvariantsAreTheSumsOverNodes) {
  const Lumped lumped = lumped_mesh(true);
  const Model sums = parse_model(
      pendulum_text(true, R"({"type": "modal", "data": )" +
                              modal_text<3>(lumped, R"(, "inertia": [[[2e-3,0,0],[0,3e-3,1e-4],[0,1e-4,4e-3]],
                              [[2e-3,0,0],[0,3e-3,0],[0,0,4e-3]],[[2e-3,0,0],[0,3e-3,0],[0,0,4e-3]],[[1e-3,0,0],[0,1e-3,0],[0,0,1e-3]]])") +
                              "}"),
      "m");
  Model given = sums;
  const FloatingBody<3> body(*sums.bodies[0].flexible);
  const auto& in = body.invariants();
  auto data = std::make_shared<ModalData>(*sums.bodies[0].flexible->modal);
  ModalInvariants own;
  own.m = in.m;
  own.s0 = in.s0;
  own.P0 = in.P0;
  own.S = in.S;
  own.P1 = in.P1;
  for (size_t a = 0; a < 3; ++a)
    for (size_t b = 0; b < 3; ++b) own.P2[a][b] = Mat(in.P2[a][b]);
  data->invariants = own;
  given.bodies[0].flexible->modal = data;
  const Model read = parse_model(model_to_json(given), "m");  // and through a file
  Vec found[2];
  int i = 0;
  for (const Model* model : {&sums, &read}) {
    const AssembledModel made = assembled(*model, "euler-parameters");
    const Results results = simulate(made.system(), made.start(), finest(0.1));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(std::abs(results.energy->final - results.energy->initial), 1e-9) << i;
    found[i++] = results.final_quantities;
  }
  EXPECT_LT((found[0] - found[1]).norm(), 1e-12);
}

TEST(ImportedBody, IsReadFromJsonAndHdf5AndRefusedWhereItIsWrong) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("driftless-modal-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const Lumped lumped = lumped_mesh(false);
  const std::string data = modal_text<2>(lumped);
  std::ofstream(folder / "rod.json") << data;
  const Model inside = parse_model(pendulum_text(false, R"({"type": "modal", "data": )" + data + "}"), "m");
  {
    const hid_t file = H5Fcreate((folder / "rod.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const auto write = [&](const char* name, const std::vector<double>& values,
                           const std::vector<hsize_t>& dims) {
      const hid_t space = H5Screate_simple(int(dims.size()), dims.data(), nullptr);
      const hid_t set =
          H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      H5Dclose(set);
      H5Sclose(space);
    };
    const FlexibleSpec& spec = *inside.bodies[0].flexible;
    std::vector<double> nodes, modes, stiffness;
    const auto n = size_t(spec.modal->shapes.cols());
    for (const Vec3& node : spec.nodes) nodes.insert(nodes.end(), {node.x(), node.y()});
    for (size_t j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < spec.modal->shapes.rows(); ++i)
        modes.push_back(spec.modal->shapes(i, Eigen::Index(j)));
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < n; ++i)
        stiffness.push_back(spec.modal->stiffness(Eigen::Index(j), Eigen::Index(i)));
    write("nodes", nodes, {4, 2});
    write("mass", spec.modal->masses, {4});
    write("modes", modes, {n, 4, 3});
    write("stiffness", stiffness, {n, n});
    const hsize_t pairs[] = {3, 2};  // whole numbers, as other programs write them
    const int ends[] = {0, 1, 1, 2, 2, 3};
    const hid_t space = H5Screate_simple(2, pairs, nullptr);
    const hid_t set =
        H5Dcreate2(file, "connect", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ends);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
  }
  const auto model_of = [&](const std::string& flexible) {
    std::ofstream(folder / "model.json") << pendulum_text(false, flexible);
    return read_model((folder / "model.json").string());
  };
  EXPECT_EQ(model_to_json(model_of(R"({"type": "modal", "file": "rod.json"})")), model_to_json(inside));
  EXPECT_EQ(model_to_json(model_of(R"({"type": "modal", "file": "rod.h5"})")), model_to_json(inside));
  const auto refusal = [&](const std::string& flexible) -> std::string {
    try {
      model_of(flexible);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& flexible, const char* path) {
    EXPECT_NE(refusal(flexible).find(path), std::string::npos) << path << ": " << refusal(flexible);
  };
  expect(R"({"type": "modal", "file": "none.json"})", "bodies[0].flexible.file");
  expect(R"({"type": "modal"})", "bodies[0].flexible.file");
  const std::string nodes =
      R"({"type": "modal", "data": {"nodes": [[0, 0], [1, 0], [2, 0], [3, 0]], "mass": [1, 1, 1, 1], )";
  const std::string shape = R"("modes": [[[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 1]]], )";
  EXPECT_EQ(refusal(nodes + shape + R"("stiffness": [5]}})"), "");
  expect(nodes + shape + R"("stiffness": [0]}})", "bodies[0].flexible.modes");
  // A soft mode beside stiff ones is no rigid one; a rigid one beside them is.
  const std::string two =
      R"("modes": [[[0, 0, 0], [0, 1, 0], [0, 4, 0], [0, 9, 1]], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]], )";
  EXPECT_EQ(refusal(nodes + two + R"("stiffness": [5, 5e9]}})"), "");
  const std::string rigid =
      R"("modes": [[[0, 0, 0], [0, 1, 1], [0, 2, 1], [0, 3, 1]], [[0, 0, 0], [1, 0, 0], [3, 0, 0], [3, 0, 0]]], )";
  expect(nodes + rigid + R"("stiffness": [1e-6, 5e9]}})", "bodies[0].flexible.modes");
  expect(
      R"({"type": "modal", "data": {"nodes": [[0, 0], [1e300, 0], [2, 0], [3, 0]], "mass": [1, 1, 1, 1], )" +
          shape + R"("stiffness": [5]}})",
      "bodies[0].flexible.nodes[1]");
  expect(nodes + shape + R"("stiffness": [5, 6]}})", "bodies[0].flexible.data.stiffness");
  expect(nodes + shape + R"("stiffness": [5], "modal_mass": [13]}})", "bodies[0].flexible.modal_mass");
  expect(nodes + R"("modes": [[[0, 0], [0, 1]]], "stiffness": [5]}})", "bodies[0].flexible.data.modes[0]");
  expect(nodes + shape + R"("stiffness": [5]}, "section": {}})", "bodies[0].flexible.section");
  fs::remove_all(folder);
}

// ---- places by node and by fraction, and what is wrong with them
TEST(FlexiblePlaces, ByNodeAndByFractionOfTheLength) {
  const auto text = [](const std::string& at, const std::string& named) {
    return R"({"driftless": 1, "name": "m", "ground": {"points": {"O": [0, 0]}}, "bodies": [{"name": "rod",
      "flexible": {"type": "beam", "nodes": [[0, 0], [1, 0], [1, 2]], "section": {"type": "circle", "diameter": 0.02},
      "material": {"youngs_modulus": 2e11, "density": 7800}}, "points": {"P": )" +
           named + R"(}}], "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "rod.P"}],
      "forces": [{"name": "load", "type": "point-force", "at": )" +
           at + R"(, "force": [1, 0]}], "outputs": [{"name": "x", "type": "point", "point": )" + at +
           R"(, "component": "x"}, {"name": "y", "type": "point", "point": )" + at +
           R"(, "component": "y"}]})";
  };
  const auto place = [&](const std::string& at) {
    const AssembledModel model = assembled(parse_model(text(at, R"({"along": 0})"), "m"));
    const Results results = simulate(model.system(), model.start(), figures_only(1e-9));
    return Vec2(results.final_quantities.head<2>());
  };
  EXPECT_LT((place(R"({"body": "rod", "node": 1})") - Vec2(1, 0)).norm(), 1e-6);
  EXPECT_LT((place(R"({"body": "rod", "along": 0.5})") - Vec2(1, 0.5)).norm(), 1e-6);
  const Model model = parse_model(text(R"({"body": "rod", "along": 0.5})", R"({"node": 2})"), "m");
  EXPECT_EQ(model.bodies[0].points[0].at, Vec3(1, 2, 0));
  EXPECT_EQ(model_to_json(parse_model(model_to_json(model), "m")), model_to_json(model));
  const auto refusal = [&](const std::string& at, const std::string& named) -> std::string {
    try {
      parse_model(text(at, named), "m");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(R"({"body": "rod", "node": 3})", "[0, 0]").find("forces[0].at"), std::string::npos);
  EXPECT_NE(refusal(R"({"body": "rod", "along": 1.5})", "[0, 0]").find("forces[0].at"), std::string::npos);
  EXPECT_NE(refusal(R"({"body": "ground", "node": 0})", "[0, 0]").find("forces[0].at"), std::string::npos);
  EXPECT_NE(refusal(R"({"body": "rod", "node": 1, "along": 0.1})", "[0, 0]").find("forces[0].at"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"body": "rod", "node": 1})", R"({"node": 7})").find("bodies[0].points.P"),
            std::string::npos);
}

// ---- F24: what result files keep of flexible bodies
TEST(FlexibleResults, AreInTheGroupOfTheBodyAndReadBack) {
  const AssembledModel model = assembled(flexible_problem("flexible-slider-crank", {}));
  RunSetup setup;
  setup.t_end = 0.005;
  setup.output_step = 0.001;
  const Results results = simulate(model.system(), model.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  ASSERT_EQ(results.trajectory.flexible.size(), 1U);
  const FlexibleColumns& rod = results.trajectory.flexible[0];
  EXPECT_EQ(rod.body, "rod");
  EXPECT_EQ(results.trajectory.q.names[size_t(rod.q)], "rod.n0.rz");
  EXPECT_EQ(rod.size, 6);
  EXPECT_EQ(rod.nodes.size(), 3U);
  EXPECT_EQ(results.trajectory.strains.names[2], "rod.e0.stress_max");
  const std::string path =
      (std::filesystem::temp_directory_path() / ("driftless-flexible-" + std::to_string(::getpid()) + ".h5"));
  write_results(results, path);
  const Results back = read_results(path);
  EXPECT_EQ(back.trajectory.strains.data, results.trajectory.strains.data);
  EXPECT_EQ(back.trajectory.flexible[0].q, rod.q);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto read = [&](const char* name, size_t width) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    std::vector<double> values(width * results.trajectory.size());
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Dclose(set);
    return values;
  };
  const auto eta = read("flexible/rod/eta", 6), rates = read("flexible/rod/eta_rate", 6),
             nodes = read("flexible/rod/nodes", 9), strain = read("flexible/rod/strain", 2),
             stress = read("flexible/rod/stress_max", 2);
  const Trajectory& t = results.trajectory;
  for (size_t r = 0; r < t.size(); ++r) {
    for (size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(eta[6 * r + k], t.q.at(r, size_t(rod.q) + k));
      EXPECT_EQ(rates[6 * r + k], t.v.at(r, size_t(rod.v) + k));
    }
    EXPECT_NEAR(nodes[9 * r], 6 * std::cos(t.quantities.at(r, 0)), 1e-9);  // A on the crank
    EXPECT_NEAR(nodes[9 * r + 7], 0, 1e-9);                                // B on the line
    EXPECT_EQ(strain[2 * r], t.strains.at(r, 0));
    EXPECT_GE(stress[2 * r], 30e6 * std::abs(strain[2 * r]) * (1 - 1e-12));
  }
  EXPECT_GT(stress.back(), 1);
  H5Fclose(file);
  std::remove(path.c_str());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
