// The model reader: file → text → JSON tree → Model, then validate(). Mistakes are collected all the way;
// what the reader could not read is not complained of a second time by validate().
#include "driftless/io/model_json.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/io/model/elements/body_json.hpp"
#include "driftless/io/model/elements/element_json.hpp"
#include "driftless/io/model/input_json.hpp"
#include "driftless/io/model/parameters.hpp"
#include "driftless/io/model/simulate_json.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/model/placement.hpp"
#include "driftless/model/validate/validate_elements.hpp"

namespace driftless {
namespace {

// ---- the tree -------------------------------------------------------------------------------------------

// What the reader of a file shares with those of the files it includes.
struct WholeModel {
  const Catalogue& catalogue;
  const ParameterValues& set;
  Complaints complaints = {};
  std::vector<std::string> open_files = {};  // from the outermost on, to find circles
  int files = 0;
};

// A file on its way into a model.
struct FilePlace {
  std::string folder;          // where it is
  std::string path;            // of its root in complaints: "" or "include[0](wheel.json)"
  std::string prefix;          // of its names in the whole
  ParameterValues given = {};  // by the file that includes it
};

class ModelReader {
 public:
  ModelReader(WholeModel& whole, FilePlace place)
      : whole_(whole),
        place_(std::move(place)),
        complaints_(whole.complaints),
        parameters_(complaints_, place_.prefix, place_.given, whole.set),
        context_{complaints_, place_.folder, &parameters_} {}

  Model read(const JsonValue& root);
  // Whether the entries that others refer to by name could all be read, so that validation makes sense.
  bool names_are_known() const { return names_are_known_; }
  // A path of the model as it is in the file it came from: "bodies[4].mass" → "include[0](wheel.json).bodies[0].mass".
  std::string in_its_file(const std::string& path) const;

 private:
  using Origins = std::map<std::string, std::vector<std::string>>;  // section → path of each entry

  bool read_version(const JsonReader& root);
  bool read_space(const JsonReader& root);
  void read_sections(const JsonReader& root);
  void read_include(const JsonReader& entry);
  std::optional<Placement> read_placement(const JsonReader& entry);
  void include(const JsonReader& entry,
               const std::string& file,
               const Placement& placement,
               ParameterValues given);
  void note_origins(const Model& part, const Origins& origins);
  void read_body(const JsonReader& entry);
  void read_elements(const JsonReader& root,
                     const std::string& key,
                     const std::string& noun,
                     const std::vector<const ElementRecord*>& records,
                     std::vector<Element>& out);
  void read_initial(const JsonReader& initial);
  void read_start(const JsonReader& start, const std::string& joint);
  void read_name(const JsonReader& entry, std::string& out);

  WholeModel& whole_;
  FilePlace place_;
  Complaints& complaints_;
  Parameters parameters_;
  ReadContext context_;
  Model model_;
  Origins origins_;
  bool names_are_known_ = true;
};

// Sections of a model, by their keys.
template <class Model_, class Visit>
void for_each_section(Model_& model, Visit visit) {
  visit("bodies", model.bodies);
  visit("joints", model.joints);
  visit("drivers", model.drivers);
  visit("contacts", model.contacts);
  visit("forces", model.forces);
  visit("outputs", model.outputs);
  visit("switches", model.switches);
}

Model ModelReader::read(const JsonValue& root) {
  const JsonReader reader(root, place_.path, context_);
  names_are_known_ =
      reader.is_object("an object { \"driftless\": 1, … }") && read_version(reader) && read_space(reader);
  // Of a file of another version or kind nothing more can be said.
  if (names_are_known_) read_sections(reader);
  return std::move(model_);
}

bool ModelReader::read_version(const JsonReader& root) {
  const auto version = root.required("driftless", "1, the version of the file format");
  if (!version || (version->value().number() != nullptr && *version->value().number() == 1)) return true;
  version->complain("1, the version of the file format", "this program reads version 1 only");
  return false;
}

bool ModelReader::read_space(const JsonReader& root) {
  const auto space = root.member("space");
  if (!space) return true;
  const std::string* word = space->value().string();
  const bool spatial = word != nullptr && *word == "spatial";
  if (spatial) model_.space = Space::spatial;
  if (spatial || (word != nullptr && *word == "planar")) return true;
  const std::vector<std::string> words = {"planar", "spatial"};
  space->complain("'planar' or 'spatial'", word != nullptr ? did_you_mean(*word, words) : "");
  return false;
}

void ModelReader::read_sections(const JsonReader& root) {
  static const std::vector<std::string> known = {
      "driftless",  "name",    "description", "space",    "gravity", "ground",   "bodies",
      "joints",     "drivers", "forces",      "outputs",  "initial", "simulate", "$schema",
      "parameters", "include", "contacts",    "switches", "inputs"};
  root.only(known, "a model");
  const auto parameters = root.member("parameters");
  parameters_.read(parameters ? &*parameters : nullptr);
  names_are_known_ &= parameters_.sound();
  if (const auto schema = root.member("$schema")) schema->text();
  root.read("name", model_.name);
  root.read("description", model_.description);
  root.read("gravity", model_.space, model_.gravity);
  if (const auto ground = root.member("ground")) names_are_known_ &= read_ground(*ground, model_);
  // A file may be made of others, and an included one may be springs between bodies of the file around it.
  const bool may_have_none = root.member("include") || !place_.path.empty();
  if (const auto bodies =
          may_have_none ? root.member("bodies") : root.required("bodies", "a list of bodies")) {
    const auto entries = bodies->elements("a list of bodies");
    model_.bodies.reserve(entries.size());
    for (const auto& entry : entries) read_body(entry);
    if (bodies->value().array() == nullptr) names_are_known_ = false;
  }
  if (const auto inputs = root.member("inputs"))
    model_.inputs = read_inputs(*inputs, place_.prefix, whole_.set);
  read_elements(root, "joints", "joint", whole_.catalogue.joints, model_.joints);
  read_elements(root, "drivers", "driver", whole_.catalogue.drivers, model_.drivers);
  read_elements(root, "contacts", "contact", whole_.catalogue.contacts, model_.contacts);
  read_elements(root, "forces", "force", whole_.catalogue.forces, model_.forces);
  read_elements(root, "outputs", "output", whole_.catalogue.outputs, model_.outputs);
  read_elements(root, "switches", "switch", whole_.catalogue.switches, model_.switches);
  if (const auto initial = root.member("initial")) read_initial(*initial);
  if (const auto simulate = root.member("simulate")) read_simulate(*simulate, model_);
  note_origins(model_, {});
  if (const auto parts = root.member("include"))
    for (const auto& entry : parts->elements("a list of files to include")) read_include(entry);
  // Now that every use is known; those of this file come first.
  const auto& own = parameters_.list();
  model_.parameters.insert(model_.parameters.begin(), own.begin(), own.end());
}

// ---- files in files -------------------------------------------------------------------------------------

void ModelReader::note_origins(const Model& part, const Origins& origins) {
  for_each_section(part, [&](const char* key, const auto& list) {
    auto& paths = origins_[key];
    const auto given = origins.find(key);
    for (std::size_t i = 0; i < list.size(); ++i)
      paths.push_back(given != origins.end() ? given->second[i]
                                             : path_below(path_below(place_.path, key), i));
  });
}

std::string ModelReader::in_its_file(const std::string& path) const {
  const auto open = path.find('['), close = path.find(']');
  if (open == std::string::npos || close == std::string::npos) return path;
  const auto paths = origins_.find(path.substr(0, open));
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(path.data() + open + 1, path.data() + close, index);
  if (paths == origins_.end() || error != std::errc() || index >= paths->second.size()) return path;
  return paths->second[index] + path.substr(close + 1);
}

std::optional<Placement> ModelReader::read_placement(const JsonReader& entry) {
  Placement out;
  entry.read("prefix", out.prefix);
  if (!out.prefix.empty()) {
    const std::size_t before = complaints_.size();
    validate_name(path_below(entry.path(), "prefix"), out.prefix, complaints_);
    if (complaints_.size() > before) return {};
  }
  entry.read("position", model_.space, out.position);
  if (model_.space == Space::planar)
    entry.read("angle", out.angle);
  else if (const auto orientation = entry.member("orientation"))
    out.orientation = read_orientation(*orientation).value_or(out.orientation);
  return out;
}

// { "file": "wheel.json", "prefix": "fl_", "parameters": { "k": "2*k" }, "position": [1, 0], "angle": "deg(10)" }
void ModelReader::read_include(const JsonReader& entry) {
  static const std::vector<std::string> planar_keys = {"file", "prefix", "parameters", "position", "angle"};
  static const std::vector<std::string> spatial_keys = {"file", "prefix", "parameters", "position",
                                                        "orientation"};
  names_are_known_ &= entry.is_object("an object with \"file\" and \"prefix\"");
  if (entry.value().object() == nullptr) return;
  const bool planar = model_.space == Space::planar;
  entry.only(planar ? planar_keys : spatial_keys, "an included file", planar ? spatial_keys : planar_keys,
             other_space_hint(model_.space));
  const auto file = entry.required("file", "the name of a model file");
  const auto name = file ? file->text("the name of a model file") : std::nullopt;
  const auto placement = read_placement(entry);
  ParameterValues given;
  if (const auto values = entry.member("parameters");
      values && values->is_object("an object { \"NAME\": value, … }"))
    for (const auto& [key, value] : *values->value().object())
      if (!is_comment(key, value))
        if (const auto number = values->at(value, path_below(values->path(), key)).number())
          given[key] = *number;
  if (name && placement)
    include(entry, *name, *placement, std::move(given));
  else
    names_are_known_ = false;
}

void ModelReader::include(const JsonReader& entry,
                          const std::string& file,
                          const Placement& placement,
                          ParameterValues given) {
  namespace fs = std::filesystem;
  constexpr int kMostFiles = 1000;
  const std::string where = path_below(entry.path(), "file"), expected = "a model file";
  const fs::path path = fs::path(place_.folder) / file;
  const bool known_before = std::exchange(names_are_known_, false);  // until it is read
  std::error_code error;
  const std::string real = fs::weakly_canonical(path, error).string();
  auto& open = whole_.open_files;
  if (std::find(open.begin(), open.end(), real) != open.end())
    return complaints_.add(where, "a file that does not lead back to itself", driftless::quoted(file));
  if (++whole_.files > kMostFiles)
    return complaints_.add(where, fmt::format("at most {} included files", kMostFiles), "more");
  std::string text;
  try {
    text = read_model_text(path.string());
  } catch (const InputError& trouble) {
    const Complaint& found = trouble.complaints().front();
    return complaints_.add(where, expected, found.found,
                           fmt::format("looked for {}", printable(path.string(), 300)));
  }
  const JsonValue root = parse_json(text, path.string());
  const std::string label = fmt::format("{}({})", entry.path(), printable(file));
  ModelReader reader(whole_, {path.parent_path().string(), label, place_.prefix + placement.prefix, given});
  open.push_back(real);
  Model part = reader.read(root);
  open.pop_back();
  for (const std::string& name : reader.parameters_.unknown_given()) {
    std::vector<std::string> known;
    for (const Parameter& p : reader.parameters_.list())
      known.push_back(p.name.substr(reader.place_.prefix.size()));
    complaints_.add(path_below(path_below(entry.path(), "parameters"), name),
                    known.empty() ? "nothing: the file has no parameters"
                                  : "a parameter of the file: " + quoted_list(known),
                    driftless::quoted(name), did_you_mean(name, known));
  }
  if (!reader.names_are_known()) return;
  if (part.space != model_.space)
    return complaints_.add(where, model_.space == Space::planar ? "a planar model" : "a spatial model",
                           model_.space == Space::planar ? "a spatial one" : "a planar one");
  names_are_known_ = known_before;
  const auto beside = [&](std::vector<Shape>& shapes) {  // meshes are named from this file's folder now
    for (Shape& shape : shapes)
      if (!shape.file.empty()) shape.file = (fs::path(file).parent_path() / shape.file).string();
  };
  beside(part.ground_shapes);
  for (Body& body : part.bodies) beside(body.shapes);
  note_origins(part, reader.origins_);
  for (Complaint& c : add_part(model_, std::move(part), placement, whole_.catalogue))
    complaints_.add(reader.in_its_file(c.where), c.expected, c.found, c.hint);
}

// ---- sections -------------------------------------------------------------------------------------------

void ModelReader::read_body(const JsonReader& entry) {
  Body& body = model_.bodies.emplace_back();
  if (!entry.is_object("an object: a body")) {
    names_are_known_ = false;
    return;
  }
  read_name(entry, body.name);
  names_are_known_ &= read_body_fields(entry, model_.space, body);
}

void ModelReader::read_elements(const JsonReader& root,
                                const std::string& key,
                                const std::string& noun,
                                const std::vector<const ElementRecord*>& records,
                                std::vector<Element>& out) {
  const auto list = root.member(key);
  if (!list) return;
  if (list->value().array() == nullptr) names_are_known_ = false;
  for (const auto& entry : list->elements(fmt::format("a list of {}", key)))
    if (entry.is_object(fmt::format("an object: a {}", noun))) {
      read_name(entry, out.emplace_back().name);
      read_element(entry, noun, records, model_.space, out.back());
    } else {
      out.emplace_back();
      names_are_known_ = false;
    }
}

void ModelReader::read_initial(const JsonReader& initial) {
  if (!initial.is_object("an object with \"joints\" and \"hold\"")) return;
  initial.only(std::vector<std::string>{"joints", "hold"}, "initial");
  if (const auto joints = initial.member("joints");
      joints && joints->is_object("an object { \"JOINT\": { \"value\": … } }")) {
    for (const auto& [name, value] : *joints->value().object()) {
      if (is_comment(name, value)) continue;
      read_start(joints->at(value, path_below(joints->path(), name)), name);
    }
  }
  if (const auto hold = initial.member("hold"))
    for (const auto& entry : hold->elements("a list of coordinates such as \"crank.theta\""))
      model_.initial.hold.push_back(entry.text("a coordinate such as \"crank.theta\"").value_or(""));
}

// {"value": 0.4, "rate": 3}, or the same for each coordinate of a joint with several:
// {"angle": {"value": 0.4}, "displacement": {"rate": 3}}.
void ModelReader::read_start(const JsonReader& start, const std::string& joint) {
  static const std::vector<std::string> known = {"value", "rate"};
  const auto read = [&](const JsonReader& entry, const std::string& coordinate) {
    JointStart& out = model_.initial.joints.emplace_back();
    out.joint = joint;
    out.coordinate = coordinate;
    if (!entry.is_object("an object with \"value\", \"rate\" or both")) return;
    entry.only(known, "a joint's start");
    entry.read("value", out.value);
    entry.read("rate", out.rate);
  };
  const auto* members = start.value().object();
  const bool by_coordinates =
      members != nullptr && std::any_of(members->begin(), members->end(), [](const auto& m) {
        return m.value.object() != nullptr && m.key != "value" && m.key != "rate";
      });
  if (!by_coordinates) return read(start, "");
  for (const auto& [key, value] : *members) {
    if (is_comment(key, value)) continue;
    const JsonReader entry = start.at(value, path_below(start.path(), key));
    if (key == "value" || key == "rate" || key.empty())
      entry.complain("the name of a coordinate", "give either \"value\" and \"rate\" or coordinates by name");
    else
      read(entry, key);
  }
}

void ModelReader::read_name(const JsonReader& entry, std::string& out) {
  const auto value = entry.required("name", "a name");
  const auto name = value ? value->text("a name") : std::nullopt;
  if (!name) names_are_known_ = false;
  out = name.value_or("");
}

// ---- together -------------------------------------------------------------------------------------------

// Whether one path leads to the other: "forces[0].spring" and "forces[0].spring[3]".
bool is_on_the_way(const std::string& shorter, const std::string& longer) {
  if (longer.compare(0, shorter.size(), shorter) != 0) return false;
  return longer.size() == shorter.size() || longer[shorter.size()] == '.' || longer[shorter.size()] == '[';
}

// Names that no parameter and no input has, or two.
void check_set_names(const Model& model, const ParameterValues& set, Complaints& complaints) {
  std::vector<std::string> known;
  for (const Input& input : model.inputs) known.push_back(input.name);
  for (const Parameter& parameter : model.parameters) {
    if (std::find(known.begin(), known.end(), parameter.name) != known.end())
      complaints.add(path_below("parameters", parameter.name), "parameters with names of their own",
                     "two of this name", "one is of an included file: give that another prefix");
    known.push_back(parameter.name);
  }
  for (const auto& [name, value] : set)
    if (std::find(known.begin(), known.end(), name) == known.end())
      complaints.add(path_below("parameters", name),
                     known.empty() ? "no value: the model has no parameters and no inputs"
                                   : "one of " + quoted_list(known),
                     driftless::quoted(name), did_you_mean(name, known));
}

Model read_tree(const std::string& text,
                const std::string& source,
                const Catalogue& catalogue,
                const ParameterValues& set) {
  const JsonValue root = parse_json(text, source);
  WholeModel whole{catalogue, set};
  std::error_code error;
  whole.open_files.push_back(std::filesystem::weakly_canonical(source, error).string());
  ModelReader reader(whole, {std::filesystem::path(source).parent_path().string(), "", ""});
  Model model = reader.read(root);
  check_set_names(model, set, whole.complaints);
  std::vector<Complaint> complaints = whole.complaints.take();
  if (reader.names_are_known()) {
    const std::size_t read = complaints.size();
    for (auto& complaint : validate(model, catalogue)) {
      complaint.where = reader.in_its_file(complaint.where);
      const auto same = [&](const Complaint& other) {
        return is_on_the_way(other.where, complaint.where) || is_on_the_way(complaint.where, other.where);
      };
      const auto end = complaints.begin() + static_cast<std::ptrdiff_t>(read);
      if (std::none_of(complaints.begin(), end, same)) complaints.push_back(std::move(complaint));
    }
  }
  if (!complaints.empty()) throw InputError(source, std::move(complaints));
  model.origin = std::make_shared<const ModelText>(ModelText{text, source});
  return model;
}

}  // namespace

Model read_model(const std::string& path, const ParameterValues& set) {
  return parse_model(read_model_text(path), path, set);
}

Model parse_model(const std::string& text, const std::string& source, const ParameterValues& set) {
  return read_tree(text, source, standard_catalogue(), set);
}

Model parse_model(const std::string& text, const std::string& source, const Catalogue& catalogue) {
  return read_tree(text, source, catalogue, {});
}

}  // namespace driftless
