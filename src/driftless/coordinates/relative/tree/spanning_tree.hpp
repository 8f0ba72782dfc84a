// A tree of joints that carries every body of a mechanism, and the joints left over, which close its loops: what relative
// coordinates stand on. A pure graph, for planar and spatial models alike.
//   Each body gets one joint towards its inboard body, or none: then it is a base that floats freely.
//   The joints left over are cut; together they cost as few rows as any choice could (Prim 1957 on the number of rows),
//   and among joints of equal rows those near the root are kept, so that the tree grows breadth first and stays short.
// García de Jalón & Bayo 1994, (5.71)–(5.91) for trees, (5.92) for cut joints
#pragma once

#include <string>
#include <vector>

#include "driftless/core/options.hpp"

namespace driftless {

// A joint as an edge. Bodies by index, ground the one past the last.
struct TreeCandidate {
  std::string name;
  int a = 0, b = 0;
  int rows = 0;           // what it would cost to cut it
  bool only_cut = false;  // offers no coordinates: it never carries a body
  bool never_cut = false;
};

struct SpanningTree {
  struct Link {
    int body = 0, inboard = 0;
    int joint = -1;         // −1: none, the body is a free base and its inboard body is ground
    bool reversed = false;  // the body is the joint's first one, a
  };
  std::vector<Link> links;  // one per body; inboard bodies come first
  std::vector<int> cuts;    // all other joints, ascending
};

// What a user wants of the tree: bases of what floats, and joints to be cut.
struct TreeWishes {
  std::vector<std::string> root, cut;
};

// The options of a coordinate set that stands on a tree, and the values of `root` and `cut`.
std::vector<OptionSpec> tree_options();
TreeWishes tree_wishes(const Options& options);

// InputError (with `source` as the file) for wishes that cannot be met: names nobody has, bases of what hangs on the
// ground, cuts that would let a body go; the message lists what would fit.
SpanningTree span_tree(const std::vector<std::string>& bodies,
                       const std::vector<TreeCandidate>& joints,
                       const TreeWishes& wishes,
                       const std::string& source);

}  // namespace driftless
