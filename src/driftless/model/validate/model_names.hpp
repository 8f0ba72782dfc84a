// What the entries of a model are called, what may refer to them, and what names may look like; part of validate().
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "driftless/core/complaints.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

inline constexpr std::string_view kGround = "ground";

// What entries may refer to. Views into the model, which must stay.
struct ModelNames {
  explicit ModelNames(const Model& model);

  using Set = std::unordered_set<std::string_view>;
  struct Owner {
    Set points, axes;
  };
  std::unordered_map<std::string_view, Owner> owners;  // each body and ground
  Set joints, constraints, forces, outputs, inputs;    // constraints: joints, drivers, contacts

  // Bodies near in name, or all there are.
  std::string hint_for_body(std::string_view wanted) const;
};

std::vector<std::string> sorted_names(const ModelNames::Set& names);

// The near name or all there are, as a hint.
std::string hint_among(std::string_view wanted, const ModelNames::Set& known);

// "crank.A" is not a name of its own: no '.', no blanks, no control characters, not empty.
void validate_name(const std::string& where, const std::string& name, Complaints& complaints);

// Signals that nothing is called: names that are neither an output nor an input, nor begin with an element, "spring.force".
void validate_signals(const std::string& where,
                      const std::string& text,
                      const std::vector<std::string>& signals,
                      const ModelNames& names,
                      Complaints& complaints);

}  // namespace driftless
