// A user's mistakes as data: where, what was expected, what was found, what to try.
//
//   models/crank.json: joints[2].b: expected the name of a body, found 'rod'; did you mean 'Rod'?
//   ───── source ────  ── where ──           ── expected ──            found    ───── hint ─────
//
// Readers collect complaints and throw them together, so that one run of `driftless check` shows them all.
// Numerical trouble is not an InputError: a step reports a status and never throws.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace driftless {

// One thing wrong with what the user gave. Any part may be empty. Quotes around a found name belong to `found`; `hint` has no full
// stop. Settings of a run stand between backticks, `t_end`, `step=0.001`, `option alpha`: --t-end … of the command line.
struct Complaint {
  std::string where, expected, found, hint;
};

// "joints[2].b: expected …, found …; did you mean 'Rod'?" Always one line: control characters are escaped and
// parts above 1000 bytes are cut, whatever the user's file contains.
std::string to_string(const Complaint& complaint);

// A user's mistake (exit status 2). Carries every complaint at once.
// what(): one line per complaint, "source: where: expected …, found …; hint"; after 20 lines "and N more".
class InputError : public std::runtime_error {
 public:
  InputError(std::string source, std::vector<Complaint> complaints);
  explicit InputError(std::string source, Complaint complaint);

  const std::string& source() const { return source_; }
  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::string source_;
  std::vector<Complaint> complaints_;
};

}  // namespace driftless
