#include "driftless/core/options.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

bool parse_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && std::isfinite(value);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(',', begin);
    names.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return names;
}

std::string range_text(const OptionSpec& spec) {
  if (std::isfinite(spec.min) && std::isfinite(spec.max))
    return fmt::format(" in [{}, {}]", spec.min, spec.max);
  if (std::isfinite(spec.min)) return fmt::format(" of at least {}", spec.min);
  if (std::isfinite(spec.max)) return fmt::format(" of at most {}", spec.max);
  return "";
}

void check(const std::string& owner, const OptionSpec& spec, const std::string& text) {
  const std::string where = fmt::format("`option {}`", spec.name);
  if (spec.kind == OptionKind::choice) {
    if (std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end())
      throw InputError(owner,
                       Complaint{where, quoted_list(spec.choices), fmt::format("'{}'", text),
                                 closest_name(text, spec.choices).empty()
                                     ? ""
                                     : fmt::format("did you mean '{}'?", closest_name(text, spec.choices))});
    return;
  }
  if (spec.kind == OptionKind::names) {
    for (const auto& name : split(text))
      if (name.empty())
        throw InputError(owner, Complaint{where, "names separated by commas", fmt::format("'{}'", text), ""});
    return;
  }
  double value = 0;
  const bool whole = spec.kind == OptionKind::integer;
  if (!parse_number(text, value) || value < spec.min || value > spec.max ||
      (whole && value != std::floor(value)))
    throw InputError(
        owner, Complaint{where, fmt::format("a {}{}", whole ? "whole number" : "number", range_text(spec)),
                         fmt::format("'{}'", text), ""});
}

std::vector<std::string> names_of(std::span<const OptionOwner> owners) {
  std::vector<std::string> names;
  for (const auto& owner : owners)
    for (const auto& spec : owner.specs) names.push_back(fmt::format("{}.{}", owner.prefix, spec.name));
  return names;
}

}  // namespace

Options::Options(std::string owner,
                 std::span<const OptionSpec> specs,
                 const std::map<std::string, std::string>& given)
    : owner_(std::move(owner)) {
  for (const auto& spec : specs) values_[spec.name] = spec.default_value;
  for (const auto& [name, text] : given) {
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) {
      std::vector<std::string> known;
      for (const auto& s : specs) known.push_back(s.name);
      throw InputError(owner_, Complaint{fmt::format("`option {}`", name),
                                         known.empty() ? "no option" : "one of " + quoted_list(known),
                                         fmt::format("'{}'", name), ""});
    }
    check(owner_, *spec, text);
    values_[name] = text;
    given_.insert(name);
  }
}

double Options::number(std::string_view name) const {
  const auto found = values_.find(name);
  assert(found != values_.end());
  double value = 0;
  [[maybe_unused]] const bool good = parse_number(found->second, value);
  assert(good);
  return value;
}

int Options::integer(std::string_view name) const { return static_cast<int>(number(name)); }

const std::string& Options::choice(std::string_view name) const {
  const auto found = values_.find(name);
  assert(found != values_.end());
  return found->second;
}

std::vector<std::string> Options::names(std::string_view name) const {
  const std::string& text = choice(name);
  return text.empty() ? std::vector<std::string>() : split(text);
}

std::vector<Options> distribute_options(const std::map<std::string, std::string>& given,
                                        std::span<const OptionOwner> owners) {
  std::vector<std::map<std::string, std::string>> sorted(owners.size());
  for (const auto& [name, text] : given) {
    const auto dot = name.find('.');
    const std::string prefix = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string bare = dot == std::string::npos ? name : name.substr(dot + 1);
    std::vector<size_t> takers;
    for (size_t i = 0; i < owners.size(); ++i)
      if (prefix.empty() || prefix == owners[i].prefix)
        for (const auto& spec : owners[i].specs)
          if (spec.name == bare) takers.push_back(i);
    if (takers.size() == 1) {
      sorted[takers[0]][bare] = text;
      continue;
    }
    const auto known = names_of(owners);
    if (takers.empty()) {
      std::vector<std::string> bare_names;
      for (const auto& k : known) bare_names.push_back(k.substr(k.find('.') + 1));
      const auto near = closest_name(bare, bare_names);
      throw InputError("settings", Complaint{fmt::format("`option {}`", name),
                                             known.empty() ? "no option: the chosen methods have none"
                                                           : "one of " + quoted_list(known),
                                             fmt::format("'{}'", name),
                                             near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
    }
    std::vector<std::string> full;
    for (const size_t i : takers) full.push_back(fmt::format("{}.{}", owners[i].prefix, bare));
    throw InputError("settings",
                     Complaint{fmt::format("`option {}`", name), "a name only one chosen method knows",
                               fmt::format("'{}'", name), fmt::format("write {}", quoted_list(full))});
  }
  std::vector<Options> out;
  for (size_t i = 0; i < owners.size(); ++i) out.emplace_back(owners[i].owner, owners[i].specs, sorted[i]);
  return out;
}

}  // namespace driftless
