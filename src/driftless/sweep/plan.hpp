// Which runs a sweep is made of: all combinations of the values of its axes, or points at random in the box they span. Run
// number i (from 0; the last axis runs fastest) has the same values whoever computes it.
//
//   k=500:5000:20   20 values, both ends included       c=1,2,5   these       m=3   fixed        k=500:5000   a range, for random points
//
// Random points: value k of run i is low + (high − low) u, u from the (i · axes + k)-th number of splitmix64 behind the seed.  [1]
//   [1] G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct SweepAxis {
  std::string name;
  std::vector<double> values;  // of a range: its ends
  bool is_range = false;
};

struct SweepPlan {
  std::vector<SweepAxis> axes;
  std::size_t random = 0;  // so many points; 0: all combinations
  std::uint64_t seed = 0;

  std::size_t runs() const;
  ParameterValues values(std::size_t run) const;
};

// From "NAME=…" each. InputError for what is none of the forms above, or too many runs.
SweepPlan make_plan(const std::vector<std::string>& axes, std::size_t random, std::uint64_t seed);

}  // namespace driftless
