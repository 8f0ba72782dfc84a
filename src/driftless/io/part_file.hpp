// NAME.part: a result file that grows. It is shown once it is worth reading, every state it is left in by a kill is
// (its writers see to that), and at the end it takes the place of NAME. For src/driftless/io only.
#pragma once

#include <string>
#include <string_view>

#include "driftless/io/hidden_file.hpp"

namespace driftless {

class PartFile {
 public:
  explicit PartFile(const std::string& path);  // std::runtime_error with path and reason, here and below
  ~PartFile() = default;                       // what was shown stays

  const std::string& name() const { return name_; }  // NAME.part
  bool is_shown() const { return shown_; }
  HiddenFile& file() { return file_; }

  void show();    // from now on it is NAME.part
  void finish();  // NAME; synchronised
  void remove();  // NAME.part is needed no more

 private:
  bool is_still_there() const;
  void remove_old() const;

  std::string target_, name_;
  HiddenFile file_;
  bool shown_ = false;
};

std::string part_name(const std::string& path);
// Another program is writing this file's NAME.part just now.
bool is_being_written(const std::string& path);

}  // namespace driftless
