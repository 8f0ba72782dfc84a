#include "driftless/io/model/schema/flexible_schema.hpp"

namespace driftless {

schema::Object flexible_schema(bool planar, const schema::Object& vector) {
  using namespace schema;
  const auto node = [](const std::string& help) {
    return with_help(Object{{"type", "integer"}, {"minimum", 0}}, help);
  };
  const auto values = [](const std::string& help) { return dictionary(help, numeric()); };
  Object section = record(
      "A section; of type 'given' by its area and second moments, or by stiffnesses and masses per length.",
      {},
      {{"type", choice({"circle", "rectangle", "given"}, "its kind")},
       {"diameter", positive("circle [m]")},
       {"inner", numeric("circle: inner diameter of a tube [m]")},
       {"width", positive("rectangle: along y [m]")},
       {"height", positive("rectangle: along z [m]")},
       {"area", positive("[m²]")},
       {"Iy", positive("∫z²dA [m⁴]")},
       {"Iz", positive("∫y²dA [m⁴]")},
       {"torsion", positive("torsion constant [m⁴]")},
       {"stiffness", record("stiffnesses given directly", {},
                            {{"EA", positive("[N]")},
                             {"EI", positive("both bending stiffnesses [N m²]")},
                             {"EIy", positive("[N m²]")},
                             {"EIz", positive("[N m²]")},
                             {"GJ", positive("[N m²]")}})},
       {"mass_per_length",
        Object{{"anyOf", Array{positive("[kg/m]"), record("", {},
                                                          {{"rhoA", positive("[kg/m]")},
                                                           {"rhoIy", positive("[kg m]")},
                                                           {"rhoIz", positive("[kg m]")}})}}}}});
  Object material = record("", {},
                           {{"youngs_modulus", positive("[N/m²]")},
                            {"density", positive("[kg/m³]")},
                            {"poisson", numeric("Poisson's ratio")},
                            {"shear_modulus", positive("[N/m²]")}});
  Object properties = {
      {"type", choice({"beam", "cable", "modal"},
                      "floating frame, absolute nodal coordinates, or modes of another program")},
      {"from", vector},
      {"to", vector},
      {"elements", with_help(Object{{"type", Array{"integer", "string"}}, {"minimum", 1}}, "how many")},
      {"nodes", schema::list(vector, "places of the nodes of a bent or branched mesh [m]")},
      {"connect", schema::list(tuple(node(""), 2, ""), "pairs of nodes; default: a chain")},
      {"section", Object{{"anyOf", Array{section, schema::list(section, "one an element")}}}},
      {"material", std::move(material)},
      {"frame",
       choice({"clamped-free", "simply-supported", "mean-axis"}, "what the floating frame is tied to")},
      {"frame_node", node("clamped-free, simply-supported: at this node; default 0")},
      {"far_node", node("simply-supported: and at this one; default: the last")},
      {"stiffening", choice({"none", "geometric", "loads"}, "stiffening by axial forces; loads: with modes")},
      {"rotary_inertia", type("boolean", "inertia of turning sections; default: in space")},
      {"modes",
       record("modes instead of nodal coordinates", {},
              {{"type", choice({"eigen", "craig-bampton"}, "which")},
               {"count", node("how many of the lowest; craig-bampton: inside the boundary")},
               {"below", positive("all below this frequency [rad/s]")},
               {"boundary", schema::list(Object{{"type", Array{"integer", "string"}}},
                                         "craig-bampton: nodes, or points, with joints or forces")}})},
      {"damping",
       record("D = alpha M + beta K, or ratios of the modes", {},
              {{"alpha", numeric("[1/s]")},
               {"beta", numeric("[s]")},
               {"modal", Object{{"anyOf", Array{numeric("ratio"), schema::list(numeric("ratio"), "")}}}}})},
      {"masses", schema::list(Object{{"type", "array"}, {"minItems", 2}, {"maxItems", 2}}, "[node, kg], …")},
      {"initial",
       record("elastic coordinates at the start", {},
              {{"deflection", values("by name: \"n2.v\" [m]")},
               {"rates", values("likewise [m/s]")},
               {"relaxed",
                type("boolean", "the deflection at which elastic coordinates rest and do not accelerate")}})},
      {"strain", choice({"green", "stretch"}, "cable: measure of strain")},
      {"curvature", choice({"material", "geometric"}, "cable: measure of curvature")},
      {"integration", choice({"lobatto", "full"}, "cable: lobatto does not lock")}};
  if (!planar) properties.push_back({"up", vector});
  properties.push_back(
      {"file", text("modal: nodes, masses, modes, stiffness; JSON or HDF5, beside the model file")});
  properties.push_back({"data", with_help(type("object", ""), "modal: what would stand in the file")});
  Object out =
      record("Mesh, section and material of a flexible body, or its modes.", {"type"}, std::move(properties));
  Object modal = {{"properties", Object{{"type", Object{{"const", "modal"}}}}}};
  out.push_back({"anyOf", Array{Object{{"required", Array{"section"}}}, std::move(modal)}});
  return out;
}

}  // namespace driftless
