// Words for messages: near names, lists of names, and foreign text made safe to print.
//
// Distance between names: optimal string alignment (insert, delete, replace, swap of neighbours each cost 1;
// no substring is edited twice), letters compared without case.                               [Boytsov11]
// A name is near when its distance is at most (n + 1) / 3, n = length of the longer name: one slip in a short
// word, two from five letters on, three from eight on.
//
// [Boytsov11] L. Boytsov, Indexing methods for approximate dictionary searching: comparative analysis,
//   ACM J. Exp. Algorithmics 16, 2011 ("restricted" Damerau-Levenshtein distance).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

// The candidate most like `wanted`, or an empty string if none is near. Among equals the one that agrees best
// in case wins, then the first. Names above 100 characters are never near: the cost stays bounded.
std::string closest_name(std::string_view wanted, std::span<const std::string> candidates);

// "'a', 'b' or 'c'"; after 30 names "'a', 'b', … or one of 12 more". Empty for an empty list.
std::string quoted_list(std::span<const std::string> candidates);

// The text as it may stand in a message: one line, valid UTF-8 (a JSON writer refuses anything else), control
// characters and stray bytes as \n, \t or \xNN, cut after `limit` input bytes with "…".
std::string printable(std::string_view raw, std::size_t limit = 80);

}  // namespace driftless
