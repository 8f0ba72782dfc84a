// Collecting what is wrong with a model, entry by entry, each under its JSON path.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/core/errors.hpp"

namespace driftless {

// Keeps the first 200 complaints: a hostile file costs bounded time and memory.
class Complaints {
 public:
  void add(std::string where, std::string expected, std::string found, std::string hint = "");
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  bool full() const;
  // All of them, in order, the last saying so if there may be more; empty afterwards.
  std::vector<Complaint> take();

 private:
  std::vector<Complaint> list_;
};

// The path one level down: "joints[2]", "bodies[0].mass"; a key that is not a plain word is quoted:
// simulate.options["formulation.alpha"].
std::string path_below(const std::string& path, std::string_view key);
// The same for a field whose name may have a dot: "joints[2]", "friction.radius" → "joints[2].friction.radius".
std::string path_of_field(const std::string& path, std::string_view field);
std::string path_below(const std::string& path, std::size_t index);

// "did you mean 'crank'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates);

// 'name', safe to print.
std::string quoted(std::string_view name);

}  // namespace driftless
