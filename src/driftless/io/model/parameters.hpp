// The parameters of one model file, and the expressions in them:
//
//   "parameters": { "L": 0.3, "k": { "value": 1200, "unit": "N/m", "min": 500, "max": 5000 }, "I": "m*L^2/12" }
//
// Each is a number, an expression in others, or an object. Values that the caller sets, or the file that includes this one,
// take the place of those in the file and must lie between min and max like these. Names are those of the expression language:
// letters, digits, '_'; t, pi and e mean something else already. A name before '(' is a function, so that a parameter may be
// called g or m.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class Parameters {
 public:
  // `prefix`: of the names in `set` and in the list; `given`: by the including file, without it.
  Parameters(Complaints& complaints, std::string prefix, ParameterValues given, const ParameterValues& set)
      : complaints_(complaints), prefix_(std::move(prefix)), given_(std::move(given)), set_(set) {}

  // The block of the file; null: it has none.
  void read(const JsonReader* block);
  // What it has been given and does not have.
  std::vector<std::string> unknown_given() const;

  // The value of an expression in parameters that stands at `path`. Nothing, and a complaint, if there is none.
  std::optional<double> evaluate(const std::string& text,
                                 const std::string& path,
                                 const std::string& expected);
  // The text with the values of parameters in place of their names. `names`: what else the expression may name.
  std::optional<std::string> substitute(const std::string& text,
                                        const std::vector<std::string>& names,
                                        const std::string& path);

  // False: the numbers of the file cannot all be known, and more complaints of them would mean nothing.
  bool sound() const;
  const std::vector<Parameter>& list() const { return list_; }  // in the order of the file

 private:
  enum class Stage { untouched, under_way, known, hopeless };
  struct Entry {
    std::string name;
    const JsonValue* definition;
    std::string path;
    Stage stage = Stage::untouched;
  };

  void define(const JsonReader& reader, const std::string& name);
  void resolve(std::size_t index, std::vector<std::size_t>& way);
  void limit(std::size_t index, const JsonReader& block);
  std::optional<double> outside_value(const std::string& name) const;
  std::optional<double> compute(const std::string& text,
                                const std::string& path,
                                const std::string& expected);
  std::size_t find(std::string_view name) const;  // the number of entries if there is none
  void note_use(std::size_t index, const std::string& path);

  Complaints& complaints_;
  std::string prefix_;
  ParameterValues given_;
  const ParameterValues& set_;
  std::vector<Entry> entries_;
  std::vector<Parameter> list_;  // as many
};

}  // namespace driftless
