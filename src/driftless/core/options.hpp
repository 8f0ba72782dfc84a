// Options of methods: declared once in a method's record, checked once against it, then read as numbers, choices or names.
// The same declarations feed `driftless methods`, error messages and the documents.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class OptionKind { number, integer, choice, names };  // names: of a model's things, a,b,c

struct OptionSpec {
  std::string name;
  OptionKind kind = OptionKind::number;
  std::string default_value = {};  // as the user would write it
  std::string unit = {};           // "1/s", "" for pure numbers
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  // for OptionKind::choice
  std::string help = {};
};

// Values of one method's options: every declared option has one. Unknown names and bad values are InputErrors.
class Options {
 public:
  Options() = default;
  // `owner` names the method in messages ("formulation baumgarte").
  Options(std::string owner,
          std::span<const OptionSpec> specs,
          const std::map<std::string, std::string>& given);

  double number(std::string_view name) const;
  int integer(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  std::vector<std::string> names(std::string_view name) const;  // empty if none
  bool given(std::string_view name) const {
    return given_.count(std::string(name)) > 0;
  }  // by the user, not by default
  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

 private:
  std::string owner_;
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string> given_;
};

// What `--option name=value` gave, sorted out between the chosen methods: each entry is one method (prefix such as
// "formulation", owner such as "formulation baumgarte", its specs). A bare name serves if exactly one method knows it;
// "formulation.alpha" always works. Anything else is an InputError that lists what is known.
struct OptionOwner {
  std::string prefix;
  std::string owner;
  std::span<const OptionSpec> specs;
};
std::vector<Options> distribute_options(const std::map<std::string, std::string>& given,
                                        std::span<const OptionOwner> owners);

}  // namespace driftless
