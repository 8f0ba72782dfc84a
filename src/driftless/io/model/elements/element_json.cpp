#include "driftless/io/model/elements/element_json.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/model/field_json.hpp"

namespace driftless {

void read_element(const JsonReader& entry,
                  const std::string& noun,
                  const std::vector<const ElementRecord*>& records,
                  Space space,
                  Element& out) {
  std::vector<std::string> known = {"name"}, foreign;
  if (noun == "switch") {  // of one type, which goes without saying
    if (!records.empty()) out.type = records.front()->type;
  } else {
    const auto type = entry.required("type", fmt::format("the type of {}", noun));
    const auto word = type ? type->text(fmt::format("the type of {}", noun)) : std::nullopt;
    if (!word) return;
    out.type = *word;
    known.emplace_back("type");
  }
  const auto record = std::find_if(records.begin(), records.end(), [&](const ElementRecord* r) {
    return r->type == out.type && exists_in(r->spaces, space);
  });
  if (record == records.end()) return;  // validate() says which types there are
  for (const auto& field : (*record)->fields)
    if (!exists_in(field.spaces, space)) foreign.push_back(field.name.substr(0, field.name.find('.')));
  std::map<std::string, std::vector<std::string>> groups;  // objects of fields: "friction" → "coefficient", …
  for (const FieldSpec* field : (*record)->fields_in(space)) {
    const auto dot = field->name.find('.');
    const std::string key = field->name.substr(0, dot);
    if (dot == std::string::npos || groups[key].empty()) known.push_back(key);
    auto value = entry.member(key);
    if (dot != std::string::npos) {
      const bool is_first = groups[key].empty();
      groups[key].push_back(field->name.substr(dot + 1));
      if (value && is_first && !value->is_object(fmt::format("an object: {} of '{}'", key, out.type)))
        continue;
      if (value)
        value =
            value->value().object() != nullptr ? value->member(field->name.substr(dot + 1)) : std::nullopt;
    }
    if (value)
      if (auto read = read_field(*value, *field, space)) out.fields.emplace(field->name, std::move(*read));
  }
  for (const auto& [key, names] : groups)
    if (const auto group = entry.member(key); group && group->value().object() != nullptr) {
      group->only(names, fmt::format("{} of {} '{}'", key, noun, out.type));
      if (!out.has_group(key)) group->complain("an object with " + quoted_list(names));
    }
  entry.only(known, noun == "switch" ? "a switch" : fmt::format("{} '{}'", noun, out.type), foreign,
             other_space_hint(space));
}

JsonValue::Array write_elements(const std::vector<Element>& elements, Space space, bool typed) {
  JsonValue::Array out;
  for (const auto& element : elements) {
    JsonValue::Object entry = {{"name", element.name}};
    if (typed) entry.push_back({"type", element.type});
    for (const auto& [name, value] : element.fields) {
      const auto dot = name.find('.');
      if (dot == std::string::npos) {
        entry.push_back({name, write_field(value, space)});
        continue;
      }
      const std::string group = name.substr(0, dot);  // its fields follow one another
      if (entry.back().key != group) entry.push_back({group, JsonValue::Object{}});
      std::get<JsonValue::Object>(entry.back().value.data)
          .push_back({name.substr(dot + 1), write_field(value, space)});
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace driftless
