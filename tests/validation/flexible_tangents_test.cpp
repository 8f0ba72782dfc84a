// Tangents of models with flexible bodies against differences of eighth order: members of every kind, joints and forces on sections,
// contacts, in every coordinate set they have.
#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"
#include "support/tangent_checks.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

void expect_exact(const Model& model, double scale = 0.2) {
  for (const char* coordinates : {"reference-point", "euler-parameters"}) {
    if (model.space == Space::planar && std::string(coordinates) == "euler-parameters") continue;
    const CompiledModel compiled = compile(model, coordinates, model.name);
    ASSERT_TRUE(compiled.system->fills_tangents());
    for (unsigned seed = 1; seed <= 2; ++seed)
      EXPECT_LT(worst_tangent_error(*compiled.system,
                                    bent_state(*compiled.system, compiled.guess, seed, scale), seed),
                1e-10)
          << model.name << " in " << coordinates;
  }
}

TEST(FlexibleTangents, OfFloatingBodiesAreExact) {
  for (const bool spatial : {false, true})
    for (const auto frame : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported,
                             FlexibleSpec::Frame::mean_axis})
      for (const bool rotary : {false, true})
        for (const char* kind : {"none", "geometric", "modes", "loads"}) {
          FlexibleSpec spec = sample_mesh(spatial, frame == FlexibleSpec::Frame::clamped_free);
          spec.frame = frame;
          spec.rotary_inertia = rotary;
          spec.alpha = 0.3;
          spec.beta = 0.02;
          const std::string name = kind;
          spec.stiffening = name == "geometric" ? FlexibleSpec::Stiffening::geometric
                            : name == "loads"   ? FlexibleSpec::Stiffening::loads
                                                : FlexibleSpec::Stiffening::none;
          if (name == "modes" || name == "loads") spec.modes = ModesSpec{.count = 4};
          if (name == "loads") spec.modal_damping = {0.01, 0.02};
          Model model = one_flexible(spec, spatial);
          model.name =
              name + (spatial ? " space " : " plane ") + frame_word(frame) + (rotary ? " rotary" : "");
          expect_exact(model);
        }
}

TEST(FlexibleTangents, OfCablesAreExact) {
  for (const bool spatial : {false, true})
    for (const char* strain : {"green", "stretch"})
      for (const char* curvature : {"material", "geometric"}) {
        FlexibleSpec spec = straight_mesh(1, 2, sample_section());
        spec.type = FlexibleSpec::Type::cable;
        spec.strain = strain;
        spec.curvature = curvature;
        spec.alpha = 0.4;
        Model model = one_flexible(spec, spatial);
        model.name = std::string("cable ") + strain + " " + curvature + (spatial ? " space" : " plane");
        expect_exact(model, 0.05);
      }
}

TEST(FlexibleTangents, OfJointsAndForcesOnSectionsAreExact) {
  for (const bool spatial : {false, true})
    for (const bool both : {false, true})
      for (const FlexibleSample& sample : flexible_joints(spatial, both)) expect_exact(sample.model, 0.1);
  for (const bool spatial : {false, true})
    for (const Model& model : flexible_forces(spatial)) expect_exact(model, 0.1);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
