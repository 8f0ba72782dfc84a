#include "driftless/io/model/elements/flexible_json.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/model/elements/modal_json.hpp"
#include "driftless/io/model/field_json.hpp"
#include "driftless/model/flexible_start.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

std::optional<int> read_count(const JsonReader& reader, const std::string& expected) {
  const auto number = reader.number(expected);
  if (!number) return {};
  if (*number != std::floor(*number) || std::abs(*number) > 1e6) {
    reader.complain(expected);
    return {};
  }
  return static_cast<int>(*number);
}

void read_word(const JsonReader& owner,
               const char* key,
               const std::vector<std::string>& words,
               std::string& out) {
  const auto member = owner.member(key);
  if (!member) return;
  const auto word = member->text(quoted_list(words));
  if (!word) return;
  if (std::find(words.begin(), words.end(), *word) == words.end())
    member->complain(quoted_list(words), did_you_mean(*word, words));
  else
    out = *word;
}

BeamSection read_section(const JsonReader& reader) {
  static const std::vector<std::string> known = {
      "type", "diameter", "inner",   "width",     "height",         "area",
      "Iy",   "Iz",       "torsion", "stiffness", "mass_per_length"};
  BeamSection out;
  if (!reader.is_object(
          R"(a section {"type": "circle", "diameter": d}, {"type": "rectangle", "width": b, "height": h} )"
          R"(or {"area": A, "Iz": I, …})"))
    return out;
  reader.only(known, "a section");
  read_word(reader, "type", {"circle", "rectangle", "given"}, out.type);
  const auto needs = [&](const char* key, double& value, const std::string& expected) {
    if (reader.required(key, expected)) reader.read(key, value);
  };
  const auto refuses = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const auto member = reader.member(key))
        member->complaints().add(member->path(),
                                 fmt::format("nothing: the section is of type '{}'", out.type), "a value");
  };
  if (out.type == "circle") {
    needs("diameter", out.diameter, "the diameter, m");
    reader.read("inner", out.inner);
    refuses({"width", "height", "area", "Iy", "Iz", "torsion"});
  } else if (out.type == "rectangle") {
    needs("width", out.width, "the width along y, m");
    needs("height", out.height, "the height along z, m");
    refuses({"diameter", "inner", "area", "Iy", "Iz", "torsion"});
  } else {
    reader.read("area", out.area);
    reader.read("Iy", out.Iy);
    reader.read("Iz", out.Iz);
    reader.read("torsion", out.torsion);
    refuses({"diameter", "inner", "width", "height"});
  }
  if (const auto stiffness = reader.member("stiffness");
      stiffness && stiffness->is_object(R"({"EA": …, "EI": …})")) {
    static const std::vector<std::string> keys = {"EA", "EI", "EIy", "EIz", "GJ"};
    stiffness->only(keys, "stiffnesses of a section");
    std::optional<double> both;
    stiffness->read("EI", both);
    stiffness->read("EA", out.EA);
    out.EIy = out.EIz = both;
    stiffness->read("EIy", out.EIy);
    stiffness->read("EIz", out.EIz);
    stiffness->read("GJ", out.GJ);
  }
  if (const auto mass = reader.member("mass_per_length"); mass && mass->value().object() == nullptr) {
    out.rhoA = mass->number("the mass per length, kg/m");
  } else if (mass) {
    static const std::vector<std::string> keys = {"rhoA", "rhoIy", "rhoIz"};
    mass->only(keys, "masses per length of a section");
    mass->read("rhoA", out.rhoA);
    mass->read("rhoIy", out.rhoIy);
    mass->read("rhoIz", out.rhoIz);
  }
  return out;
}

std::optional<int> whole(double number) {
  if (number != std::floor(number) || std::abs(number) > 1e6) return {};
  return static_cast<int>(number);
}

void read_beam_mesh(const JsonReader& reader, Space space, FlexibleSpec& out) {
  const auto nodes = reader.member("nodes");
  if (nodes) {
    for (const char* key : {"from", "to", "elements"})
      if (const auto other = reader.member(key))
        other->complaints().add(other->path(), "\"from\", \"to\" and \"elements\", or \"nodes\"", "both");
    for (const auto& entry : nodes->elements("a list of places [[x, y], …]"))
      out.nodes.push_back(entry.vector(space).value_or(Vec3::Zero()));
    if (const auto connect = reader.member("connect")) {
      for (const auto& entry : connect->elements("a list of pairs of nodes [[0, 1], …]"))
        if (const auto pair = entry.numbers(2, "two numbers of nodes, from 0 on")) {
          const auto a = whole((*pair)[0]), b = whole((*pair)[1]);
          if (a && b)
            out.elements.emplace_back(*a, *b);
          else
            entry.complain("two numbers of nodes, from 0 on");
        }
    } else {
      for (int i = 0; i + 1 < static_cast<int>(out.nodes.size()); ++i) out.elements.emplace_back(i, i + 1);
    }
    return;
  }
  if (const auto connect = reader.member("connect"))
    connect->complaints().add(connect->path(), "\"nodes\" besides", "none", "it connects them");
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  reader.read("from", space, from);
  if (reader.required("to", "the place of the far end, or \"nodes\"")) reader.read("to", space, to);
  int count = 1;
  if (const auto elements = reader.required("elements", "how many elements the mesh has"))
    count = read_count(*elements, "a whole number > 0").value_or(1);
  if (count < 1 || count > 100000) {
    reader.member("elements")->complain("a whole number from 1 to 100000");
    count = 1;
  }
  for (int i = 0; i <= count; ++i) out.nodes.push_back(from + (to - from) * (double(i) / count));
  for (int i = 0; i < count; ++i) out.elements.emplace_back(i, i + 1);
}

void read_modes(const JsonReader& reader, FlexibleSpec& out) {
  static const std::vector<std::string> known = {"type", "count", "below", "boundary"};
  if (!reader.is_object(R"({"type": "eigen", "count": 6} or {"type": "craig-bampton", …})")) return;
  reader.only(known, "modes");
  ModesSpec modes;
  read_word(reader, "type", {"eigen", "craig-bampton"}, modes.type);
  if (const auto count = reader.member("count"))
    modes.count = read_count(*count, "a whole number > 0").value_or(0);
  reader.read("below", modes.below);
  if (const auto boundary = reader.member("boundary"))
    for (const auto& entry : boundary->elements("a list of nodes")) {
      if (entry.value().string() != nullptr) continue;  // a point: read_boundary()
      modes.boundary.push_back(read_count(entry, "the number of a node").value_or(0));
    }
  out.modes = modes;
}

void read_damping(const JsonReader& reader, FlexibleSpec& out) {
  static const std::vector<std::string> known = {"alpha", "beta", "modal"};
  if (!reader.is_object(R"({"alpha": …, "beta": …} or {"modal": 0.01})")) return;
  reader.only(known, "damping");
  reader.read("alpha", out.alpha);
  reader.read("beta", out.beta);
  if (const auto modal = reader.member("modal")) {
    if (modal->value().array() == nullptr)
      out.modal_damping = {modal->number("a damping ratio, or a list of them").value_or(0)};
    else
      for (const auto& entry : modal->elements("damping ratios"))
        out.modal_damping.push_back(entry.number().value_or(0));
  }
}

void read_values(const JsonReader& owner, const char* key, std::map<std::string, double>& out) {
  const auto values = owner.member(key);
  if (!values || !values->is_object(R"(elastic coordinates by name {"n2.v": 0.01})")) return;
  for (const auto& [name, value] : *values->value().object())
    if (!is_comment(name, value))
      out[name] = values->at(value, path_below(values->path(), name)).number().value_or(0);
}

void read_start(const JsonReader& owner, FlexibleSpec& out) {
  const auto initial = owner.member("initial");
  if (!initial || !initial->is_object(R"({"deflection": {…}, "rates": {…}})")) return;
  static const std::vector<std::string> known = {"deflection", "rates", "relaxed"};
  initial->only(known, "the elastic start");
  read_values(*initial, "deflection", out.deflection);
  read_values(*initial, "rates", out.rates);
  if (const auto relaxed = initial->member("relaxed"); relaxed && relaxed->boolean().value_or(false))
    out.deflection[kRelaxedStart] = 1;
}

}  // namespace

void read_boundary(const JsonReader& reader, const std::vector<NamedPoint>& points, FlexibleSpec& out) {
  const auto modes = reader.member("modes");
  const auto boundary = modes && out.modes ? modes->member("boundary") : std::nullopt;
  if (!boundary || boundary->value().array() == nullptr) return;
  for (const auto& entry : boundary->elements("a list of nodes")) {
    const std::string* name = entry.value().string();
    if (name == nullptr) continue;
    const auto point =
        std::find_if(points.begin(), points.end(), [&](const NamedPoint& p) { return p.name == *name; });
    if (point == points.end()) {
      entry.complain("the number of a node or the name of a point of the body");
      continue;
    }
    const auto distance = [&](const Vec3& node) { return (node - point->at).norm(); };
    const auto nearest =
        std::min_element(out.nodes.begin(), out.nodes.end(),
                         [&](const Vec3& a, const Vec3& b) { return distance(a) < distance(b); });
    if (nearest != out.nodes.end())
      out.modes->boundary.push_back(static_cast<int>(nearest - out.nodes.begin()));
  }
}

std::optional<FlexibleSpec> read_flexible(const JsonReader& reader, Space space) {
  static const std::vector<std::string> beam_keys = {
      "type",       "from",           "to",    "elements", "nodes",      "connect",
      "section",    "material",       "up",    "frame",    "frame_node", "far_node",
      "stiffening", "rotary_inertia", "modes", "damping",  "masses",     "initial"};
  static const std::vector<std::string> cable_keys = {"type",        "from",     "to",     "elements",
                                                      "section",     "material", "strain", "curvature",
                                                      "integration", "damping"};
  static const std::vector<std::string> modal_keys = {"type", "file", "data", "damping", "initial"};
  if (!reader.is_object(
          R"({"type": "beam", "from": …, "to": …, "elements": n, "section": {…}, "material": {…}})"))
    return {};
  FlexibleSpec out;
  std::string type = "beam";
  if (reader.required("type", "'beam', 'cable' or 'modal'"))
    read_word(reader, "type", {"beam", "cable", "modal"}, type);
  const bool cable = type == "cable";
  out.type = cable             ? FlexibleSpec::Type::cable
             : type == "modal" ? FlexibleSpec::Type::modal
                               : FlexibleSpec::Type::beam;
  if (type == "modal") {
    reader.only(modal_keys, "an imported body", beam_keys, "that is for beams");
    read_modal(reader, space, out);
    if (const auto damping = reader.member("damping")) read_damping(*damping, out);
    read_start(reader, out);
    return out;
  }
  reader.only(cable ? cable_keys : beam_keys, cable ? "a cable" : "a flexible beam",
              cable ? beam_keys : cable_keys, cable ? "that is for beams" : "that is for cables");
  read_beam_mesh(reader, space, out);
  if (const auto section =
          reader.required("section", "the section {\"type\": \"circle\", \"diameter\": d}, …")) {
    if (section->value().array() == nullptr)
      out.sections.push_back(read_section(*section));
    else
      for (const auto& entry : section->elements("sections, one an element"))
        out.sections.push_back(read_section(entry));
  }
  if (const auto material = reader.member("material");
      material && material->is_object(R"({"youngs_modulus": E, "density": rho})")) {
    static const std::vector<std::string> known = {"youngs_modulus", "density", "poisson", "shear_modulus"};
    material->only(known, "a material");
    material->read("youngs_modulus", out.material.youngs_modulus);
    material->read("density", out.material.density);
    material->read("poisson", out.material.poisson);
    material->read("shear_modulus", out.material.shear_modulus);
  }
  if (cable) {
    read_word(reader, "strain", {"green", "stretch"}, out.strain);
    read_word(reader, "curvature", {"material", "geometric"}, out.curvature);
    read_word(reader, "integration", {"lobatto", "full"}, out.integration);
    out.stiffening = FlexibleSpec::Stiffening::none;
    if (const auto damping = reader.member("damping")) read_damping(*damping, out);
    return out;
  }
  if (space == Space::spatial)
    reader.read("up", space, out.up);
  else if (const auto up = reader.member("up"))
    up->complaints().add(up->path(), "nothing in the plane: sections stand in it", "a direction");
  if (const auto modes = reader.member("modes")) read_modes(*modes, out);
  const bool craig = out.modes && out.modes->type == "craig-bampton";
  std::string frame = craig ? "mean-axis" : "clamped-free";
  read_word(reader, "frame", {"clamped-free", "simply-supported", "mean-axis"}, frame);
  for (const auto kind : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported,
                          FlexibleSpec::Frame::mean_axis})
    if (frame == frame_word(kind)) out.frame = kind;
  const auto node = [&](const char* key, int& value) {
    if (const auto member = reader.member(key))
      value = read_count(*member, "the number of a node, from 0 on").value_or(0);
  };
  node("frame_node", out.frame_node);
  node("far_node", out.far_node);
  std::string stiffening = out.modes ? "loads" : "geometric";
  read_word(reader, "stiffening", {"none", "geometric", "loads"}, stiffening);
  for (const auto kind :
       {FlexibleSpec::Stiffening::none, FlexibleSpec::Stiffening::geometric, FlexibleSpec::Stiffening::loads})
    if (stiffening == stiffening_word(kind)) out.stiffening = kind;
  out.rotary_inertia = space == Space::spatial;
  if (const auto rotary = reader.member("rotary_inertia"))
    out.rotary_inertia = rotary->boolean().value_or(out.rotary_inertia);
  if (const auto damping = reader.member("damping")) read_damping(*damping, out);
  if (const auto masses = reader.member("masses"))
    for (const auto& entry : masses->elements("masses on nodes [[node, kg], …]"))
      if (const auto pair = entry.numbers(2, "[node, kg]")) {
        if (const auto at = whole((*pair)[0]))
          out.masses.emplace_back(*at, (*pair)[1]);
        else
          entry.complain("[node, kg], the node a whole number");
      }
  read_start(reader, out);
  return out;
}

namespace {

Object write_section(const BeamSection& s) {
  Object out;
  const auto add = [](Object& to, const char* key, double value) {
    if (value != 0) to.push_back({key, value});
  };
  const auto maybe = [](Object& to, const char* key, const std::optional<double>& value) {
    if (value) to.push_back({key, *value});
  };
  if (s.type != "given") out.push_back({"type", s.type});
  add(out, "diameter", s.diameter);
  add(out, "inner", s.inner);
  add(out, "width", s.width);
  add(out, "height", s.height);
  add(out, "area", s.area);
  add(out, "Iy", s.Iy);
  add(out, "Iz", s.Iz);
  add(out, "torsion", s.torsion);
  Object stiffness, mass;
  maybe(stiffness, "EA", s.EA);
  maybe(stiffness, "EIy", s.EIy);
  maybe(stiffness, "EIz", s.EIz);
  maybe(stiffness, "GJ", s.GJ);
  maybe(mass, "rhoA", s.rhoA);
  maybe(mass, "rhoIy", s.rhoIy);
  maybe(mass, "rhoIz", s.rhoIz);
  if (!stiffness.empty()) out.push_back({"stiffness", std::move(stiffness)});
  if (!mass.empty()) out.push_back({"mass_per_length", std::move(mass)});
  return out;
}

Object write_values(const std::map<std::string, double>& values) {
  Object out;
  for (const auto& [name, value] : values) out.push_back({name, value});
  return out;
}

void write_damping_and_start(const FlexibleSpec& spec, Object& out) {
  Object damping;
  if (spec.alpha != 0) damping.push_back({"alpha", spec.alpha});
  if (spec.beta != 0) damping.push_back({"beta", spec.beta});
  if (!spec.modal_damping.empty())
    damping.push_back({"modal", Array(spec.modal_damping.begin(), spec.modal_damping.end())});
  if (!damping.empty()) out.push_back({"damping", std::move(damping)});
  Object initial;
  auto deflection = spec.deflection;
  deflection.erase(kRelaxedStart);
  if (!deflection.empty()) initial.push_back({"deflection", write_values(deflection)});
  if (!spec.rates.empty()) initial.push_back({"rates", write_values(spec.rates)});
  if (starts_relaxed(spec)) initial.push_back({"relaxed", true});
  if (!initial.empty()) out.push_back({"initial", std::move(initial)});
}

}  // namespace

Object write_flexible(const FlexibleSpec& spec, Space space) {
  const bool cable = spec.type == FlexibleSpec::Type::cable;
  if (spec.modal) {
    Object out = {{"type", "modal"}, {"data", write_modal(spec, space)}};
    write_damping_and_start(spec, out);
    return out;
  }
  Object out = {{"type", cable ? "cable" : "beam"}};
  if (cable) {
    out.push_back({"from", write_vector(spec.nodes.front(), space)});
    out.push_back({"to", write_vector(spec.nodes.back(), space)});
    out.push_back({"elements", static_cast<double>(spec.elements.size())});
  } else {
    Array nodes, connect;
    for (const Vec3& node : spec.nodes) nodes.emplace_back(write_vector(node, space));
    for (const auto& [a, b] : spec.elements) connect.emplace_back(Array{double(a), double(b)});
    out.push_back({"nodes", std::move(nodes)});
    out.push_back({"connect", std::move(connect)});
  }
  if (spec.sections.size() == 1) {
    out.push_back({"section", write_section(spec.sections[0])});
  } else {
    Array sections;
    for (const BeamSection& section : spec.sections) sections.emplace_back(write_section(section));
    out.push_back({"section", std::move(sections)});
  }
  Object material;
  if (spec.material.youngs_modulus != 0) material.push_back({"youngs_modulus", spec.material.youngs_modulus});
  if (spec.material.density != 0) material.push_back({"density", spec.material.density});
  if (spec.material.poisson) material.push_back({"poisson", *spec.material.poisson});
  if (spec.material.shear_modulus) material.push_back({"shear_modulus", *spec.material.shear_modulus});
  if (!material.empty()) out.push_back({"material", std::move(material)});
  if (cable) {
    out.push_back({"strain", spec.strain});
    out.push_back({"curvature", spec.curvature});
    out.push_back({"integration", spec.integration});
    write_damping_and_start(spec, out);
    return out;
  }
  if (!spec.up.isZero(0)) out.push_back({"up", write_vector(spec.up, space)});
  out.push_back({"frame", frame_word(spec.frame)});
  if (spec.frame_node != 0) out.push_back({"frame_node", double(spec.frame_node)});
  if (spec.far_node >= 0) out.push_back({"far_node", double(spec.far_node)});
  out.push_back({"stiffening", stiffening_word(spec.stiffening)});
  out.push_back({"rotary_inertia", spec.rotary_inertia});
  if (spec.modes) {
    Object modes = {{"type", spec.modes->type}};
    if (spec.modes->count > 0) modes.push_back({"count", double(spec.modes->count)});
    if (spec.modes->below) modes.push_back({"below", *spec.modes->below});
    Array boundary;
    for (const int node : spec.modes->boundary) boundary.emplace_back(double(node));
    if (!boundary.empty()) modes.push_back({"boundary", std::move(boundary)});
    out.push_back({"modes", std::move(modes)});
  }
  Array masses;
  for (const auto& [node, mass] : spec.masses) masses.emplace_back(Array{double(node), mass});
  if (!masses.empty()) out.push_back({"masses", std::move(masses)});
  write_damping_and_start(spec, out);
  return out;
}

}  // namespace driftless
