// Coupler: the coordinate of one joint follows that of another.
//   s_b = ratio · s_a + offset,   1 row: in space on two scalars, marker_blocks.hpp (10); in the plane on angles of bodies and
//   displacements, (7), (10) and coupled_slides.hpp                                                                   (1)
// s is the angle (rad) or the displacement (m) of its joint; two coordinates of one joint may be coupled. Unless given,
// the offset is that of the initial position.
#include <algorithm>

#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

int scalar_of(const Element& joint,
              const char* joint_field,
              const char* coordinate_field,
              SpatialExpansion& model) {
  const auto [F, M] = frames_of(joint.get<std::string>(joint_field), model);
  const std::string end = std::string(joint_field).substr(5);  // "_a", "_b"
  if (chosen_coordinate(joint, joint_field, coordinate_field, model.model()) == "angle")
    return model.angle(F, M, "angle" + end);
  return model.displacement(F, M, "displacement" + end);
}

// In the plane: angles are those of bodies, displacements have no scalars.
void couple_in_plane(const Element& joint, const JointFramesOf<2>&, Expansion<2>& model) {
  const auto [Fa, Ma] = frames_of(joint.get<std::string>("joint_a"), model);
  const auto [Fb, Mb] = frames_of(joint.get<std::string>("joint_b"), model);
  const bool a_turns = chosen_coordinate(joint, "joint_a", "coordinate_a", model.model()) == "angle",
             b_turns = chosen_coordinate(joint, "joint_b", "coordinate_b", model.model()) == "angle";
  const auto drawn = [&](const JointFrameOf<2>& F, const JointFrameOf<2>& M, bool turns) {
    return turns ? model.angle_drawn(F, M) : model.displacement_drawn(F, F.kSlide, M.origin);
  };
  const double ratio = joint.get<double>("ratio"), length = model.length();
  const double offset = joint.number("offset", drawn(Fb, Mb, b_turns) - ratio * drawn(Fa, Ma, a_turns));
  std::vector<TurnTerm> terms;
  const auto add_angle = [&](const JointFrameOf<2>& F, const JointFrameOf<2>& M, double factor) {
    for (const auto& [body, sign] : {std::pair(M.origin.body, 1.0), std::pair(F.origin.body, -1.0)}) {
      const auto same = std::find_if(terms.begin(), terms.end(),
                                     [body = body](const TurnTerm& term) { return term.body == body; });
      if (same != terms.end())
        same->factor += sign * factor;
      else
        terms.push_back({body, sign * factor});
    }
  };
  if (b_turns && a_turns) {
    add_angle(Fb, Mb, length);
    add_angle(Fa, Ma, -ratio * length);
    std::erase_if(terms, [](const TurnTerm& term) { return term.factor == 0; });
    model.add_turns(terms, length, TimeFunction(offset), "ratio");
  } else if (a_turns) {
    add_angle(Fa, Ma, ratio);
    model.add_along_turns(Fb, Mb.origin, terms, TimeFunction(offset), "ratio");
  } else if (b_turns) {  // s_a = (s_b − offset)/ratio
    add_angle(Fb, Mb, 1 / ratio);
    model.add_along_turns(Fa, Ma.origin, terms, TimeFunction(-offset / ratio), "ratio");
  } else {
    markers::CoupledSlides<2> block;
    block.x = {model.axis(Fb, Fb.kSlide), model.mark(Fb.origin), model.mark(Mb.origin),
               model.axis(Fa, Fa.kSlide), model.mark(Fa.origin), model.mark(Ma.origin)};
    block.ratio = ratio;
    block.offset = offset;
    model.add(block, {"ratio"});
  }
}

}  // namespace

extern const JointRecord coupler_joint;
const JointRecord coupler_joint = {
    .element = {"coupler",
                "the coordinate of one joint follows that of another in a fixed ratio",
                {{"joint_a", FieldKind::joint, true, {}, "", "the joint that leads", {}},
                 coordinate_field("coordinate_a"),
                 {"joint_b", FieldKind::joint, true, {}, "", "the joint that follows", {}},
                 coordinate_field("coordinate_b"),
                 {"ratio",
                  FieldKind::number,
                  true,
                  {},
                  "",
                  "change of the second coordinate per change of the first",
                  {}},
                 {"offset",
                  FieldKind::number,
                  false,
                  {},
                  "",
                  "second coordinate where the first is zero; default: as drawn",
                  {}}},
                Spaces::both,
                {.symbol = "gear"}},
    .planar = {.frames = [](const Element& joint, const Expansion<2>& model) -> JointFramesOf<2> {
                 return frames_of(joint.get<std::string>("joint_b"), model);
               },
               .expand = &couple_in_plane},
    .spatial = {.frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
                  return frames_of(joint.get<std::string>("joint_b"), model);
                },
                .expand =
                    [](const Element& joint, const JointFrames&, SpatialExpansion& model) {
                      const double ratio = joint.get<double>("ratio");
                      markers::Sum<3, 2> block;
                      block.s = {scalar_of(joint, "joint_a", "coordinate_a", model),
                                 scalar_of(joint, "joint_b", "coordinate_b", model)};
                      const Scalar &a = model.scalars[size_t(block.s[0])],
                                   &b = model.scalars[size_t(block.s[1])];
                      block.length = b.kind == Scalar::Kind::angle ? model.length() : 1;
                      block.c = {-ratio * block.length, block.length};
                      block.f = joint.number("offset", b.start - ratio * a.start);
                      model.add(block, {"ratio"});
                    }},
    .check = [](const Element& joint, const Model& model) -> std::vector<Complaint> {
      auto complaints = check_coordinate(joint, "joint_a", "coordinate_a", model);
      for (auto& other : check_coordinate(joint, "joint_b", "coordinate_b", model))
        complaints.push_back(other);
      if (joint.get<double>("ratio") == 0)
        complaints.push_back({"ratio", "a number other than zero", "0",
                              "a driver of type 'joint-coordinate' holds a coordinate still"});
      if (complaints.empty() && joint.get<std::string>("joint_a") == joint.get<std::string>("joint_b") &&
          chosen_coordinate(joint, "joint_a", "coordinate_a", model) ==
              chosen_coordinate(joint, "joint_b", "coordinate_b", model))
        complaints.push_back({"joint_b", "another joint, or another coordinate of this one",
                              "the coordinate of 'joint_a' itself", ""});
      return complaints;
    },
};

}  // namespace driftless
