// Pages and what goes into them: packed arrays, what is left out, drawings, shapes of models, meshes. What the program
// writes is decoded as a whole in tests/python/report_test.py.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <zlib.h>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/io/model/elements/drawing_json.hpp"
#include "driftless/io/model/elements/mesh_file.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/model/drawing/drawing.hpp"
#include "driftless/report/asset.hpp"
#include "driftless/report/decimate.hpp"
#include "driftless/report/pack.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/page_text.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using ::testing::HasSubstr;

// ---- arrays -------------------------------------------------------------------------------------------------------

std::string unpacked(const Packer& packer) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0, bits = 0;
  for (const char c : packer.compressed()) {
    if (c == '=') break;
    group = (group << 6U | static_cast<unsigned>(kLetters.find(c))) & 0xffffU;
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 0xffU);
  }
  std::string out(packer.bytes(), '\0');
  uLongf size = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  EXPECT_EQ(size, out.size());
  return out;
}

double member(const JsonValue& value, const char* key) { return *value.find(key)->number(); }

// As the viewer does it.
std::vector<double> decoded(const std::string& bytes, const JsonValue& array) {
  const auto at = static_cast<size_t>(member(array, "at")), n = static_cast<size_t>(member(array, "n"));
  std::vector<double> out;
  unsigned code = 0;
  for (size_t i = 0; i < n; ++i) {
    code = (code + static_cast<unsigned char>(bytes[at + i]) +
            256U * static_cast<unsigned char>(bytes[at + n + i])) &
           0xffffU;
    const double x = member(array, "min") + code / 65534.0 * (member(array, "max") - member(array, "min"));
    out.push_back(code == 65535                              ? std::nan("")
                  : *array.find("type")->string() == "log16" ? std::pow(10, x)
                                                             : x);
  }
  return out;
}

TEST(Packing, CurvesComeBackWithinTheStatedError) {
  std::vector<double> wave, decay;
  for (int i = 0; i < 3000; ++i) {
    wave.push_back(3 + 2 * std::sin(0.01 * i));
    decay.push_back(i % 500 == 7 ? 0 : std::exp(-0.01 * i));
  }
  wave[100] = std::nan("");
  wave[101] = HUGE_VAL;
  Packer packer;
  const std::vector<double> same(10, 0.25), times = {0, 0.1, 0.30000000000000004};
  const auto fine = packer.u16(wave), coarse = packer.u16(wave, 1e-2), log = packer.log16(decay),
             flat = packer.u16(same);
  const JsonValue exact = packer.f64(times);
  const std::string bytes = unpacked(packer);
  EXPECT_LE(fine.error, 4.0 / 65534 / 2 * 1.001);
  EXPECT_LE(coarse.error, 0.5e-2);
  EXPECT_GT(coarse.error, 1e-3);
  for (const auto* packed : {&fine, &coarse}) {
    const auto back = decoded(bytes, packed->array);
    ASSERT_EQ(back.size(), wave.size());
    double largest = 0;
    for (size_t i = 0; i < wave.size(); ++i) {
      if (std::isfinite(wave[i]))
        largest = std::max(largest, std::abs(back[i] - wave[i]));
      else
        EXPECT_TRUE(std::isnan(back[i]));
    }
    EXPECT_NEAR(largest, packed->error, 1e-12);
  }
  const auto back = decoded(bytes, log.array);
  for (size_t i = 0; i < decay.size(); ++i)
    if (decay[i] > 0) {
      EXPECT_NEAR(back[i] / decay[i], 1, 4e-4);
    } else {
      EXPECT_NEAR(back[i], std::exp(-0.01 * 2999), 1e-16);
    }
  EXPECT_EQ(decoded(bytes, flat.array), same);
  std::vector<double> t(3);
  std::memcpy(t.data(), bytes.data() + static_cast<size_t>(member(exact, "at")), 24);
  EXPECT_EQ(t, times);
}

TEST(Packing, NothingAndExtremes) {
  Packer packer;
  const std::vector<double> nothing, not_numbers(3, std::nan("")), huge = {-1.5e308, 1.5e308};
  EXPECT_EQ(member(packer.u16(nothing).array, "n"), 0);
  EXPECT_EQ(packer.log16(not_numbers).error, 0);
  EXPECT_EQ(*packer.u16(huge).array.find("type")->string(), "f64");  // their range is not a number
  unpacked(packer);
}

// ---- what is left out ---------------------------------------------------------------------------------------------

TEST(Decimation, CurvesKeepTheirExtremes) {
  std::vector<double> curve;
  for (int i = 0; i < 100'000; ++i) curve.push_back(std::sin(1e-3 * i));
  curve[54'321] = 7;
  curve[12'345] = -7;
  curve[777] = std::nan("");
  const auto points = choose_points(curve, 500);
  EXPECT_LE(points.size(), 500U);
  EXPECT_EQ(points.front(), 0U);
  EXPECT_EQ(points.back(), curve.size() - 1);
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  const std::set<size_t> kept(points.begin(), points.end());
  EXPECT_EQ(kept.size(), points.size());
  EXPECT_TRUE(kept.contains(54'321) && kept.contains(12'345));
  EXPECT_EQ(choose_points(std::span(curve).first(300), 500).size(), 300U);
}

// A body on a circle, turning: where the motion is fast frames are dense, and the error is the one stated.
TEST(Decimation, FramesStayWithinTheTolerance) {
  std::vector<double> t, poses;
  for (int k = 0; k <= 20'000; ++k) {
    const double now = k * 1e-4, angle = 3 * now * now;
    t.push_back(now);
    const double sign = k % 100 < 50 ? 1 : -1;  // quaternions may come with any sign
    poses.insert(poses.end(), {std::cos(angle), std::sin(angle), 0, sign * std::cos(angle / 2), 0, 0,
                               sign * std::sin(angle / 2)});
  }
  const Motion motion = finite_motion(t, poses, 1);
  ASSERT_EQ(motion.t.size(), t.size());
  for (size_t k = 1; k < t.size(); ++k)
    ASSERT_LT(std::abs(motion.pose(k, 0)[3] - motion.pose(k - 1, 0)[3]), 0.01) << "signs are not continuous";
  const FrameChoice frames = choose_frames(motion, 1, 1e-4, 4000);
  EXPECT_GT(frames.position_error, 5e-5);
  EXPECT_LE(frames.position_error, 1e-4);
  EXPECT_LE(frames.angle_error, 1e-4);
  // A chord of the circle is off by angle²/8: frames are 0.0283 rad apart, over 12 rad; that the motion gets faster, and that
  // frames are records, makes them a few more.
  EXPECT_GE(static_cast<double>(frames.frames.size()), 12 / std::sqrt(8e-4));
  EXPECT_LE(static_cast<double>(frames.frames.size()), 1.1 * 12 / std::sqrt(8e-4));
  const FrameChoice few = choose_frames(motion, 1, 1e-4, 50);
  EXPECT_LE(few.frames.size(), 50U);
  EXPECT_GT(few.position_error, 1e-3);
  EXPECT_EQ(few.frames.back(), t.size() - 1);
  std::vector<double> wild = poses;
  for (size_t k = 0; k < t.size(); ++k) wild[7 * k] *= 1e300 * (k % 2 == 0 ? 1 : -1);
  const FrameChoice even = choose_frames(finite_motion(t, wild, 1), 1, 1e-4, 50);
  EXPECT_EQ(even.frames.size(), 50U);
  EXPECT_EQ(even.frames.back(), t.size() - 1);
  poses[7 * 500] = std::nan("");
  EXPECT_EQ(finite_motion(t, poses, 1).t.size(), t.size() - 1);
  EXPECT_TRUE(choose_frames(finite_motion({}, {}, 1), 1, 1e-4, 10).frames.empty());
}

// ---- text ---------------------------------------------------------------------------------------------------------

TEST(PageText, NothingEndsTheScript) {
  const JsonValue::Object object = {{"</script>", "<!--<script>\"\\\n\x01 \xff\xed\xa0\x80 ν"},
                                    {"numbers", JsonValue::Array{1.5, std::nan(""), HUGE_VAL}}};
  EXPECT_EQ(script_json(object),
            "{\"\\u003c/script>\":\"\\u003c!--\\u003cscript>\\\"\\\\\\u000a\\u0001 "
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd ν\",\"numbers\":[1.5,null,null]}");
  EXPECT_EQ(html_text("<b> & \"c\"\n\xff"), "&lt;b&gt; &amp; &quot;c&quot; \xef\xbf\xbd");
}

TEST(Page, TheViewerHasItsThreePlaces) {
  for (const char* place :
       {"<title>driftless</title>", R"(<script type="application/json" id="driftless-data">{}</script>)",
        R"(<script type="text/plain" id="driftless-binary"></script>)"}) {
    const size_t at = viewer_page().find(place);
    ASSERT_NE(at, std::string_view::npos) << place;
    EXPECT_EQ(viewer_page().find(place, at + 1), std::string_view::npos) << place;
  }
  const Results nothing;
  EXPECT_THAT(page_html({.title = "a<b", .note = {}, .runs = {{"x", &nothing}}}),
              HasSubstr("<title>a&lt;b - driftless</title>"));
}

// The last block of docs/user-systems.md.
TEST(Page, OfAUsersOwnSystem) {
  UserEquations pendulum;
  pendulum.nq = 2;
  pendulum.rows = 1;
  pendulum.mass = [](double, ConstVec, Mat& M) { M(0, 0) = M(1, 1) = 1; };
  pendulum.force = [](double, ConstVec, ConstVec, VecRef f) { f[1] = -9.81; };
  pendulum.constraint = [](double, ConstVec q, VecRef g) { g[0] = (q.squaredNorm() - 1) / 2; };
  pendulum.body_names = {"bob"};
  pendulum.poses = [](double, ConstVec q, std::vector<Pose>& out) { out[0].position = {q[0], q[1], 0}; };
  const auto system = make_system(pendulum);
  const State start{0, Vec2(1, 0), Vec2(0, 0)};
  testing::RunSetup setup;
  setup.t_end = 0.5;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(::testing::TempDir());

  Results results = simulate(*system, start, setup);
  Drawing drawing = plain_drawing({"bob"}, /*planar=*/true, /*length=*/1);
  drawing.deforming.push_back({"rod", {{-1}, {0}}, {{0, 1}}, 0.01});  // from the origin to the bob
  results.drawing = std::make_shared<const Drawing>(drawing);
  write_page({.title = "pendulum", .note = "", .runs = {{"pendulum", &results}}}, "pendulum.html");

  EXPECT_GT(std::filesystem::file_size("pendulum.html"), viewer_page().size());
  std::filesystem::remove("pendulum.html");
  std::filesystem::current_path(before);
}

// ---- drawings -----------------------------------------------------------------------------------------------------

Vec3 world(const std::vector<Pose>& poses, const DrawnEnd& end) {
  if (end.body < 0) return end.at;
  const Pose& pose = poses[static_cast<size_t>(end.body)];
  const auto& e = pose.quaternion;
  return pose.position + Eigen::Quaterniond(e[0], e[1], e[2], e[3]) * end.at;
}

// The ends of pins and balls meet where the poses put the bodies: points and poses are in one frame.
void expect_closed(const std::string& name,
                   const DescriptorSystem& system,
                   const State& state,
                   const Drawing& drawing) {
  SCOPED_TRACE(name);
  std::vector<Pose> poses;
  system.poses(state.t, state.q, poses);
  ASSERT_EQ(poses.size(), drawing.bodies.size());
  const auto names = system.body_names();
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i], drawing.bodies[i].name);
  for (const DrawnLink& joint : drawing.joints) {
    if (joint.symbol != "pin" && joint.symbol != "ball" && joint.symbol != "fixed") continue;
    EXPECT_LT((world(poses, joint.a) - world(poses, joint.b)).norm(), 1e-7 * drawing.length) << joint.name;
  }
}

TEST(Drawing, PinsAreClosedInEveryProblem) {
  for (const ProblemRecord* record : problem_records()) {
    const ProblemInstance instance = testing::problem(record->name);
    if (instance.drawing) expect_closed(record->name, *instance.system, instance.start, *instance.drawing);
  }
}

TEST(Drawing, PinsAreClosedInEveryModel) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(DRIFTLESS_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".json") continue;
    const Model model = read_model(entry.path().string());
    if (!model.switches.empty()) continue;  // has joints that are open at the start
    const auto assembled = testing::assembled(model);
    expect_closed(model.name, assembled.system(), assembled.start(), drawing_of(model));
  }
}

TEST(Drawing, ShapesAreMadeUpFromPoints) {
  Model model;
  const auto body = [&](const char* name, std::vector<NamedPoint> points) {
    Body out;
    out.name = name;
    out.mass = out.inertia = 1;
    out.points = std::move(points);
    model.bodies.push_back(out);
  };
  body("bar", {{"A", {0, 0, 0}}, {"B", {2, 0, 0}}});
  body("plate", {{"A", {0, 0, 0}}, {"B", {1, 0, 0}}, {"C", {0, 1, 0}}, {"inside", {0.2, 0.2, 0}}});
  body("lump", {});
  const Drawing drawing = drawing_of(model);
  EXPECT_EQ(drawing.length, 2);
  ASSERT_EQ(drawing.bodies[0].shapes.size(), 1U);
  EXPECT_EQ(drawing.bodies[0].shapes[0].kind, ShapeKind::line);
  EXPECT_EQ(drawing.bodies[1].shapes[0].kind, ShapeKind::polygon);
  EXPECT_EQ(drawing.bodies[1].shapes[0].points.size(), 3U);
  EXPECT_EQ(drawing.bodies[2].shapes[0].kind, ShapeKind::sphere);
  for (const DrawnBody& drawn : drawing.bodies)
    for (const Shape& shape : drawn.shapes) EXPECT_TRUE(shape.derived);
}

TEST(Drawing, ComesBackFromItsText) {
  Drawing drawing = *testing::problem("thin-beam").drawing;
  Shape mesh;
  mesh.kind = ShapeKind::mesh;
  mesh.mesh = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}};
  mesh.color = "#123456";
  drawing.bodies[0].shapes.push_back(mesh);
  drawing.joints = drawing_of(testing::model_file("stewart-platform")).joints;
  for (DrawnLink& joint : drawing.joints) joint.a.body = joint.b.body = 1;
  std::vector<const Mesh*> meshes;
  const std::string text = drawing_text(drawing, meshes);
  ASSERT_EQ(meshes.size(), 1U);
  const Drawing again = read_drawing(text, {*meshes[0]});
  EXPECT_EQ(again.bodies[0].shapes.back().mesh.triangles, mesh.mesh.triangles);
  std::vector<const Mesh*> more;
  EXPECT_EQ(drawing_text(again, more), text);
  EXPECT_THROW(read_drawing(text, {}), std::runtime_error);
  EXPECT_THROW(read_drawing("{}", {}), std::runtime_error);
  EXPECT_THROW(read_drawing("no", {}), std::runtime_error);
}

// ---- shapes in model files ----------------------------------------------------------------------------------------

std::string with_shapes(const std::string& shapes, bool spatial = false) {
  return std::string(R"({"driftless": 1, "space": ")") + (spatial ? "spatial" : "planar") +
         R"(", "bodies": [{"name": "bar", "mass": 1, "inertia": )" + (spatial ? "[1, 1, 1]" : "1") +
         R"(, "points": {"A": )" + (spatial ? "[0, 0, 0]" : "[0, 0]") + R"(, "B": )" +
         (spatial ? "[1, 0, 0]" : "[1, 0]") + R"(}, "shapes": [)" + shapes + "]}]}";
}

TEST(Shapes, EveryKindReadsAndWritesBack) {
  const std::string planar = R"({"type": "box", "size": [1, 2, 3], "position": "B", "color": "#a0B1c2"},
    {"type": "cylinder", "from": [0, 0, -1], "to": [0, 0, 1], "radius": 0.5}, {"type": "capsule", "from": "A", "to": "B", "radius": 1},
    {"type": "sphere", "radius": 2}, {"type": "line", "points": ["A", "B", [2, 2]]},
    {"type": "polygon", "points": ["A", "B", [0, 1]], "thickness": 0.1, "z": -1})";
  const std::string spatial =
      R"({"type": "box", "size": [1, 2, 3], "orientation": {"quaternion": [0.6, 0, 0.8, 0]}},
    {"type": "line", "points": ["A", [1, 2, 3]], "radius": 0.1})";
  for (const auto& text : {with_shapes(planar), with_shapes(spatial, true)}) {
    const Model model = parse_model(text, "m.json");
    const std::string written = model_to_json(model);
    EXPECT_EQ(model_to_json(parse_model(written, "m.json")), written);
  }
  const Model model = parse_model(with_shapes(planar), "m.json");
  ASSERT_EQ(model.bodies[0].shapes.size(), 6U);
  const Drawing drawing = drawing_of(model);
  EXPECT_EQ(drawing.bodies[0].shapes[0].points[0].at, Vec3(1, 0, 0));
  EXPECT_FALSE(drawing.bodies[0].shapes[0].derived);
}

TEST(Shapes, MistakesAreNamed) {
  struct Case {
    const char* shape;
    const char* where;
    const char* words;
  };
  const Case cases[] = {
      {R"({"type": "bx", "size": [1, 1, 1]})", "bodies[0].shapes[0].type", "did you mean 'box'"},
      {R"({"size": [1, 1, 1]})", "bodies[0].shapes[0].type", "type of shape"},
      {R"({"type": "sphere", "radius": -1})", "bodies[0].shapes[0].radius", "a number > 0, found -1"},
      {R"({"type": "sphere"})", "bodies[0].shapes[0].radius", "radius"},
      {R"({"type": "sphere", "radius": 1, "size": 2})", "bodies[0].shapes[0].size", "sphere"},
      {R"({"type": "sphere", "radius": 1, "position": "C"})", "bodies[0].shapes[0].position", "'A' or 'B'"},
      {R"({"type": "sphere", "radius": 1, "color": "red"})", "bodies[0].shapes[0].color", "#rrggbb"},
      {R"({"type": "box", "size": [1, 0, 1]})", "bodies[0].shapes[0].size", "> 0"},
      {R"({"type": "box", "size": [1, 1, 1], "orientation": {}})", "bodies[0].shapes[0].orientation",
       "spatial"},
      {R"({"type": "capsule", "from": "A", "to": "A", "radius": 1})", "bodies[0].shapes[0].to",
       "another point"},
      {R"({"type": "cylinder", "from": "A", "radius": 1})", "bodies[0].shapes[0].to", "a point"},
      {R"({"type": "line", "points": ["A"]})", "bodies[0].shapes[0].points", "at least 2"},
      {R"({"type": "line", "points": ["A", "X"]})", "bodies[0].shapes[0].points[1]", "'X'"},
      {R"({"type": "polygon", "points": ["A", "B"]})", "bodies[0].shapes[0].points", "at least 3"},
      {R"({"type": "polygon", "points": ["A", "B", [1, 2, 3]]})", "bodies[0].shapes[0].points[2]", "[x, y]"},
      {R"({"type": "mesh", "file": "none.stl"})", "bodies[0].shapes[0].file", "no file of this name"},
      {R"({"type": "mesh", "file": "part.step"})", "bodies[0].shapes[0].file", "'.step'"},
      {R"(5)", "bodies[0].shapes[0]", "a shape"},
  };
  for (const Case& c : cases) {
    try {
      parse_model(with_shapes(c.shape), "m.json");
      ADD_FAILURE() << "accepted: " << c.shape;
    } catch (const InputError& error) {
      ASSERT_EQ(error.complaints().size(), 1U) << error.what();
      EXPECT_EQ(error.complaints()[0].where, c.where) << c.shape;
      EXPECT_THAT(error.what(), HasSubstr(c.words)) << c.shape;
    }
  }
}

// ---- meshes -------------------------------------------------------------------------------------------------------

class Meshes : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    const std::string path = ::testing::TempDir() + "driftless-" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

const char* const kTextStl =
    "solid wedge\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0\n  "
    "endloop\n endfacet\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n   vertex 1 1 0\n   vertex 0 1 0\n  endloop\n "
    "endfacet\nendsolid\n";

TEST_F(Meshes, TextAndBinaryStlAreTheSame) {
  const Mesh text = read_mesh(file("a.stl", kTextStl));
  EXPECT_EQ(text.vertices.size(), 12U);  // two of six are shared
  EXPECT_THAT(text.triangles, ::testing::ElementsAre(0, 1, 2, 1, 3, 2));
  std::string binary(80, 's');
  binary.replace(0, 5, "solid");  // binary files may begin like that
  const auto add = [&](auto x) { binary.append(reinterpret_cast<const char*>(&x), sizeof x); };
  add(std::uint32_t{2});
  for (size_t i = 0; i < 2; ++i) {
    for (const float normal : {0.0F, 0.0F, 1.0F}) add(normal);
    for (size_t k = 0; k < 3; ++k)
      for (size_t c = 0; c < 3; ++c) add(text.vertices[3 * text.triangles[3 * i + k] + c]);
    add(std::uint16_t{0});
  }
  const Mesh same = read_mesh(file("b.STL", binary));
  EXPECT_EQ(same.vertices, text.vertices);
  EXPECT_EQ(same.triangles, text.triangles);
}

TEST_F(Meshes, WhatIsNoneIsRefused) {
  const auto refused = [&](const std::string& name, const std::string& content, const char* words) {
    try {
      read_mesh(file(name, content));
      ADD_FAILURE() << "accepted " << name;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  refused("c.stl", "", "too short");
  refused("c.stl", "solid\nvertex 1 x 2\n", "'x' in line 2");
  refused("c.stl", "solid nothing\nendsolid\n", "no triangles");
  refused("c.stl", std::string(80, 'x') + std::string("\xff\xff\xff\x7f", 4) + std::string(200, 'x'),
          "announces");
  refused("d.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "'3' in line 3");
  refused("d.obj", "v 0 0 nan\n", "not finite");
  EXPECT_EQ(read_mesh(file("e.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1//1 2//1 3//1 4//1\n"))
                .triangles.size(),
            6U);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
