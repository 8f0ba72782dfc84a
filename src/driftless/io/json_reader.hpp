// Reading a JSON tree strictly: every function that does not find what it was promised says so under the
// value's path and goes on, so that one pass finds all mistakes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/core/complaints.hpp"
#include "driftless/core/json/json_value.hpp"
#include "driftless/math/types.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

// A remark among named things, unlike a point or joint that happens to be called "comment".
inline bool is_comment(const std::string& key, const JsonValue& value) {
  return key == "comment" && value.string() != nullptr;
}

// Why a key of the other space is not welcome, as a hint.
std::string other_space_hint(Space space);

class Parameters;

// What holds for a whole file while it is read.
struct ReadContext {
  Complaints& complaints;
  std::string folder;                // of the file: others are found from there
  Parameters* parameters = nullptr;  // what expressions may name; null: nothing
};

// A value, where it stands, and where to complain of it. The tree and the context must outlive it.
//
// Every number of a file is read by number(): it may be an expression in parameters, wherever it stands. What reads numbers
// any other way is a mistake.
class JsonReader {
 public:
  JsonReader(const JsonValue& value, std::string path, const ReadContext& context)
      : value_(&value), path_(std::move(path)), context_(&context) {}

  const JsonValue& value() const { return *value_; }
  const std::string& path() const { return path_; }
  Complaints& complaints() const { return context_->complaints; }
  const ReadContext& context() const { return *context_; }
  // The reader of another value in the same file.
  JsonReader at(const JsonValue& value, std::string path) const {
    return {value, std::move(path), *context_};
  }
  // "expected …, found what stands here".
  void complain(std::string expected, std::string hint = "") const;

  // A number, or an expression in parameters.
  std::optional<double> number(const std::string& expected = "a number") const;
  // A law: an expression in `names`, in which the values of parameters have taken the place of their names. What is wrong with
  // it otherwise, who compiles it says.
  std::optional<std::string> law(const std::vector<std::string>& names, const std::string& expected) const;
  std::optional<bool> boolean() const;
  std::optional<std::string> text(const std::string& expected = "a string") const;
  // [x, y] in a planar model, z being 0; [x, y, z] in a spatial one.
  std::optional<Vec3> vector(Space space) const;
  // So many numbers; `expected` says which.
  std::optional<std::vector<double>> numbers(std::size_t count,
                                             const std::string& expected,
                                             const std::string& hint = "") const;
  // [[x, y], …], of any length, or the file they stand in (csv_table.hpp).
  std::optional<std::vector<std::pair<double, double>>> pairs(const std::string& expected) const;

  // The elements of a list, the values of an object with their keys; none, and a complaint, if it is neither.
  std::vector<JsonReader> elements(const std::string& expected) const;
  bool is_object(const std::string& expected) const;
  std::optional<JsonReader> member(std::string_view key) const;  // nothing if absent
  // The same, with a complaint if absent: `expected` says what is missing.
  std::optional<JsonReader> required(std::string_view key, const std::string& expected) const;
  // What stands under a key, if it does and is of this kind; `out` stays as it is otherwise.
  void read(std::string_view key, double& out) const;
  void read(std::string_view key, std::optional<double>& out) const;
  void read(std::string_view key, std::string& out) const;
  void read(std::string_view key, std::optional<std::string>& out) const;
  void read(std::string_view key, Space space, Vec3& out) const;

  // Complains of all other keys of an object; "comment" may always stand there. `what` names the object: "a
  // body". Keys of `foreign`, which models of the other space have, get a hint of their own.
  void only(std::span<const std::string> known,
            const std::string& what,
            std::span<const std::string> foreign = {},
            const std::string& foreign_hint = "") const;

 private:
  const JsonValue* value_;
  std::string path_;
  const ReadContext* context_;
};

}  // namespace driftless
