// The model reader: file → text → JSON tree → Model, then validate(). Mistakes are collected all the way;
// what the reader could not read is not complained of a second time by validate().
#include "driftless/io/model_json.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/body_json.hpp"
#include "driftless/io/field_json.hpp"
#include "driftless/io/json_reader.hpp"

namespace driftless {
namespace {

constexpr std::size_t kLargestModel = 64U << 20U;

// ---- the file -------------------------------------------------------------------------------------------

[[noreturn]] void refuse_file(const std::string& path, std::string found, std::string hint = "") {
  throw InputError(path, Complaint{"", "a model file", std::move(found), std::move(hint)});
}

// A file with nearly this name in the same folder.
std::string similar_file(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < 1000;
       entry.increment(error))
    if (entry->path().extension() == ".json") names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(path.filename().string(), names);
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse_file(path, "no file of this name", similar_file(path));
  if (std::filesystem::is_directory(status)) refuse_file(path, "a folder");
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) refuse_file(path, kind);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(path, errno != 0 ? std::strerror(errno) : "a file that cannot be opened");
  // Not by its size: files under /proc have none.
  std::string text, chunk(1U << 16U, '\0');
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || file.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestModel)
      refuse_file(path, fmt::format("more than {} MB", kLargestModel >> 20U), "is this a model file?");
  }
  if (file.bad()) refuse_file(path, "a file that cannot be read");
  return text;
}

// ---- the tree -------------------------------------------------------------------------------------------

class ModelReader {
 public:
  // `folder`: of the model file.
  ModelReader(const Catalogue& catalogue, std::string folder, Complaints& complaints)
      : catalogue_(catalogue), folder_(std::move(folder)), complaints_(complaints) {}

  Model read(const JsonValue& root);
  // Whether the entries that others refer to by name could all be read, so that validation makes sense.
  bool names_are_known() const { return names_are_known_; }

 private:
  bool read_version(const JsonReader& root);
  bool read_space(const JsonReader& root);
  void read_sections(const JsonReader& root);
  void read_body(const JsonReader& entry);
  void read_elements(const JsonReader& root,
                     const std::string& key,
                     const std::string& noun,
                     const std::vector<const ElementRecord*>& records,
                     std::vector<Element>& out);
  void read_element(const JsonReader& entry,
                    const std::string& noun,
                    const std::vector<const ElementRecord*>& records,
                    Element& out);
  void read_initial(const JsonReader& initial);
  void read_start(const JsonReader& start, const std::string& joint);
  void read_simulate(const JsonReader& simulate);
  void read_option(const JsonReader& value, const std::string& name);
  void read_stop(const JsonReader& entry);

  void read_name(const JsonReader& entry, std::string& out);

  const Catalogue& catalogue_;
  std::string folder_;
  Complaints& complaints_;
  Model model_;
  bool names_are_known_ = true;
};

Model ModelReader::read(const JsonValue& root) {
  const JsonReader reader(root, "", complaints_);
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
  static const std::vector<std::string> known = {"driftless", "name",    "description", "space",   "gravity",
                                                 "ground",    "bodies",  "joints",      "drivers", "forces",
                                                 "outputs",   "initial", "simulate",    "$schema"};
  root.only(known, "a model");
  if (const auto schema = root.member("$schema")) schema->text();
  root.read("name", model_.name);
  root.read("description", model_.description);
  root.read("gravity", model_.space, model_.gravity);
  if (const auto ground = root.member("ground")) names_are_known_ &= read_ground(*ground, folder_, model_);
  if (const auto bodies = root.required("bodies", "a list of bodies")) {
    for (const auto& entry : bodies->elements("a list of bodies")) read_body(entry);
    if (bodies->value().array() == nullptr) names_are_known_ = false;
  }
  read_elements(root, "joints", "joint", catalogue_.joints, model_.joints);
  read_elements(root, "drivers", "driver", catalogue_.drivers, model_.drivers);
  read_elements(root, "forces", "force", catalogue_.forces, model_.forces);
  read_elements(root, "outputs", "output", catalogue_.outputs, model_.outputs);
  if (const auto initial = root.member("initial")) read_initial(*initial);
  if (const auto simulate = root.member("simulate")) read_simulate(*simulate);
}

void ModelReader::read_body(const JsonReader& entry) {
  Body& body = model_.bodies.emplace_back();
  if (!entry.is_object("an object: a body")) {
    names_are_known_ = false;
    return;
  }
  read_name(entry, body.name);
  names_are_known_ &= read_body_fields(entry, model_.space, folder_, body);
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
    read_element(entry, noun, records, out.emplace_back());
}

void ModelReader::read_element(const JsonReader& entry,
                               const std::string& noun,
                               const std::vector<const ElementRecord*>& records,
                               Element& out) {
  if (!entry.is_object(fmt::format("an object: a {}", noun))) {
    names_are_known_ = false;
    return;
  }
  read_name(entry, out.name);
  const auto type = entry.required("type", fmt::format("the type of {}", noun));
  const auto word = type ? type->text(fmt::format("the type of {}", noun)) : std::nullopt;
  if (!word) return;
  out.type = *word;
  const auto record = std::find_if(records.begin(), records.end(), [&](const ElementRecord* r) {
    return r->type == out.type && exists_in(r->spaces, model_.space);
  });
  if (record == records.end()) return;  // validate() says which types there are
  std::vector<std::string> known = {"name", "type"}, foreign;
  for (const auto& field : (*record)->fields)
    if (!exists_in(field.spaces, model_.space)) foreign.push_back(field.name);
  for (const FieldSpec* field : (*record)->fields_in(model_.space)) {
    known.push_back(field->name);
    if (const auto value = entry.member(field->name))
      if (auto read = read_field(*value, *field, model_.space))
        out.fields.emplace(field->name, std::move(*read));
  }
  entry.only(known, fmt::format("{} '{}'", noun, out.type), foreign, other_space_hint(model_.space));
}

void ModelReader::read_initial(const JsonReader& initial) {
  if (!initial.is_object("an object with \"joints\" and \"hold\"")) return;
  initial.only(std::vector<std::string>{"joints", "hold"}, "initial");
  if (const auto joints = initial.member("joints");
      joints && joints->is_object("an object { \"JOINT\": { \"value\": … } }")) {
    for (const auto& [name, value] : *joints->value().object()) {
      if (is_comment(name, value)) continue;
      read_start(JsonReader(value, path_below(joints->path(), name), complaints_), name);
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
    const JsonReader entry(value, path_below(start.path(), key), complaints_);
    if (key == "value" || key == "rate" || key.empty())
      entry.complain("the name of a coordinate", "give either \"value\" and \"rate\" or coordinates by name");
    else
      read(entry, key);
  }
}

void ModelReader::read_simulate(const JsonReader& simulate) {
  static const std::vector<std::string> known = {
      "t_end",         "output_step", "coordinates", "formulation", "integrator",
      "stabilization", "rtol",        "atol",        "step",        "max_step",
      "initial_step",  "max_steps",   "drift_limit", "options",     "stop_when"};
  if (!simulate.is_object("an object of run settings")) return;
  simulate.only(known, "simulate");
  RunSettings& run = model_.simulate;
  simulate.read("t_end", run.t_end);
  simulate.read("output_step", run.output_step);
  simulate.read("coordinates", run.coordinates);
  simulate.read("formulation", run.formulation);
  simulate.read("integrator", run.integrator);
  simulate.read("stabilization", run.stabilization);
  simulate.read("rtol", run.rtol);
  simulate.read("atol", run.atol);
  simulate.read("step", run.step);
  simulate.read("initial_step", run.initial_step);
  simulate.read("max_step", run.max_step);
  simulate.read("drift_limit", run.drift_limit);
  if (const auto steps = simulate.member("max_steps")) {
    const double* number = steps->value().number();
    if (number == nullptr || *number != std::floor(*number) || std::abs(*number) > 1e15)
      steps->complain("a whole number > 0, at most 1e15");
    else
      run.max_steps = static_cast<long>(*number);
  }
  if (const auto options = simulate.member("options");
      options && options->is_object("an object { \"OPTION\": value, … }"))
    for (const auto& [name, value] : *options->value().object())
      read_option(JsonReader(value, path_below(options->path(), name), complaints_), name);
  if (const auto stops = simulate.member("stop_when"))
    for (const auto& entry : stops->elements("a list of stop conditions")) read_stop(entry);
}

void ModelReader::read_option(const JsonReader& value, const std::string& name) {
  if (is_comment(name, value.value())) return;
  if (const double* number = value.value().number())
    model_.simulate.options[name] = number_text(*number);
  else if (const auto word = value.text("a number or a string"))
    model_.simulate.options[name] = *word;
}

void ModelReader::read_stop(const JsonReader& entry) {
  StopWhen& stop = model_.stop_when.emplace_back();
  if (!entry.is_object("an object with \"output\" and \"crosses\"")) return;
  entry.only(std::vector<std::string>{"output", "crosses", "direction"}, "a stop condition");
  entry.required("output", "the name of an output");
  entry.required("crosses", "the value to stop at");
  entry.read("output", stop.output);
  entry.read("crosses", stop.crosses);
  entry.read("direction", stop.direction);
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

}  // namespace

Model read_model(const std::string& path) { return parse_model(read_text(path), path); }

Model parse_model(const std::string& text, const std::string& source) {
  return parse_model(text, source, standard_catalogue());
}

Model parse_model(const std::string& text, const std::string& source, const Catalogue& catalogue) {
  const JsonValue root = parse_json(text, source);
  Complaints collected;
  ModelReader reader(catalogue, std::filesystem::path(source).parent_path().string(), collected);
  Model model = reader.read(root);
  std::vector<Complaint> complaints = collected.take();
  if (reader.names_are_known()) {
    const std::size_t read = complaints.size();
    for (auto& complaint : validate(model, catalogue)) {
      const auto same = [&](const Complaint& other) {
        return is_on_the_way(other.where, complaint.where) || is_on_the_way(complaint.where, other.where);
      };
      const auto end = complaints.begin() + static_cast<std::ptrdiff_t>(read);
      if (std::none_of(complaints.begin(), end, same)) complaints.push_back(std::move(complaint));
    }
  }
  if (!complaints.empty()) throw InputError(source, std::move(complaints));
  return model;
}

}  // namespace driftless
