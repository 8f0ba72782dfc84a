// Small services of systems made of batches of elements.
#pragma once

#include <tuple>
#include <vector>

namespace driftless {

// Applies `visit` to every element of every batch.
template <class Batches, class Visit>
void for_each_element(Batches& batches, Visit&& visit) {
  std::apply(
      [&](auto&... batch) {
        (..., [&](auto& one_kind) {
          for (auto& element : one_kind) visit(element);
        }(batch));
      },
      batches);
}

// Sorted, and without repetition: instants that differ by round-off are one.
std::vector<double> merged_times(std::vector<double> times);

}  // namespace driftless
