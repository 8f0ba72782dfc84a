// Spanning trees: which joints carry the bodies, which are cut, and what a user may ask for.
#include "driftless/coordinates/relative/tree/spanning_tree.hpp"

#include <gtest/gtest.h>

#include "driftless/core/errors.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

// Bodies A, B, C … as characters, '0' the ground.
struct Graph {
  explicit Graph(int count) {
    for (int i = 0; i < count; ++i) bodies.emplace_back(1, static_cast<char>('A' + i));
  }
  Graph& joint(const std::string& name, char a, char b, int rows = 2) {
    joints.push_back({.name = name, .a = index(a), .b = index(b), .rows = rows});
    return *this;
  }
  int index(char body) const { return body == '0' ? static_cast<int>(bodies.size()) : body - 'A'; }
  SpanningTree span(const TreeWishes& wishes = {}) const {
    return span_tree(bodies, joints, wishes, "graph");
  }
  std::string complaint(const TreeWishes& wishes) const {
    try {
      span(wishes);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  std::vector<std::string> bodies;
  std::vector<TreeCandidate> joints;
};

// "A<0:a B>A:b": body, inboard body and joint of each link, '>' where the joint is walked from its second body to its
// first; "B~" floats.
std::string text_of(const SpanningTree& tree, const Graph& graph) {
  std::string text;
  for (const auto& link : tree.links) {
    if (!text.empty()) text += ' ';
    text += graph.bodies[size_t(link.body)];
    if (link.joint < 0) {
      text += '~';
      continue;
    }
    text += link.reversed ? '>' : '<';
    text += link.inboard == static_cast<int>(graph.bodies.size()) ? "0" : graph.bodies[size_t(link.inboard)];
    text += ":" + graph.joints[size_t(link.joint)].name;
  }
  for (const int cut : tree.cuts) text += " |" + graph.joints[size_t(cut)].name;
  return text;
}

TEST(SpanningTree, GrowsBreadthFirstFromTheGround) {
  Graph graph(5);  // a ring through the ground: both sides grow alike, the joint in the middle is cut
  graph.joint("a", '0', 'A').joint("b", 'A', 'B').joint("c", 'B', 'C').joint("d", 'C', 'D');
  graph.joint("e", 'D', 'E').joint("f", 'E', '0');
  EXPECT_EQ(text_of(graph.span(), graph), "A<0:a E>0:f B<A:b D>E:e C<B:c |d");
}

TEST(SpanningTree, CutsTheJointsThatCostFewestRows) {
  Graph graph(3);
  graph.joint("slot", '0', 'A', 1).joint("pin", '0', 'B').joint("weld", 'A', 'C', 3).joint("rail", 'C', 'B');
  EXPECT_EQ(text_of(graph.span(), graph), "B<0:pin C>B:rail A>C:weld |slot");
  graph.joints[3].rows = 1;  // now the two cheapest joints compete: the one nearer to the ground stays
  EXPECT_EQ(text_of(graph.span(), graph), "B<0:pin A<0:slot C<A:weld |rail");
}

TEST(SpanningTree, RodsAreNeverInTheTree) {
  Graph graph(2);
  graph.joint("pin", '0', 'A').joint("rod", 'A', 'B', 1);
  graph.joints[1].only_cut = true;
  EXPECT_EQ(text_of(graph.span(), graph), "A<0:pin B~ |rod");
}

TEST(SpanningTree, WhatDoesNotHangOnTheGroundFloats) {
  Graph graph(4);
  graph.joint("a", 'B', 'A').joint("b", 'B', 'C').joint("c", 'D', '0');
  EXPECT_EQ(text_of(graph.span(), graph), "D>0:c A~ B>A:a C<B:b");
  EXPECT_EQ(text_of(graph.span({.root = {"B"}, .cut = {}}), graph), "D>0:c B~ A<B:a C<B:b");
  EXPECT_NE(graph.complaint({.root = {"D"}, .cut = {}}).find("'A', 'B' or 'C'"), std::string::npos);
  EXPECT_NE(graph.complaint({.root = {"b"}, .cut = {}}).find("did you mean 'B'?"), std::string::npos);
  EXPECT_NE(graph.complaint({.root = {"A", "C"}, .cut = {}}).find("a root already"), std::string::npos);
}

TEST(SpanningTree, CutsWhatItIsTold) {
  Graph graph(3);
  graph.joint("a", '0', 'A').joint("b", 'A', 'B').joint("c", 'B', '0').joint("d", 'B', 'C');
  EXPECT_EQ(text_of(graph.span(), graph), "A<0:a B>0:c C<B:d |b");
  EXPECT_EQ(text_of(graph.span({.root = {}, .cut = {"c"}}), graph), "A<0:a B<A:b C<B:d |c");
  EXPECT_EQ(text_of(graph.span({.root = {}, .cut = {"c", "c"}}), graph), "A<0:a B<A:b C<B:d |c");
}

TEST(SpanningTree, SaysWhatCanBeCut) {
  Graph graph(3);
  graph.joint("a", '0', 'A').joint("b", 'A', 'B').joint("c", 'B', '0').joint("d", 'B', 'C');
  const auto complaint = [&](const std::vector<std::string>& cut) { return graph.complaint({{}, cut}); };
  const std::string loops = "'a', 'b' or 'c'";
  for (const auto& bad : {"d", "x", "A"}) {
    EXPECT_NE(complaint({bad}).find(loops), std::string::npos) << complaint({bad});
    EXPECT_NE(complaint({bad}).find(std::string("found '") + bad + "'"), std::string::npos);
  }
  EXPECT_NE(complaint({"b", "c"}).find("with the other cuts it would let a body go"), std::string::npos);
  graph.joints[2].never_cut = true;
  EXPECT_NE(complaint({"c"}).find("'a' or 'b'"), std::string::npos) << complaint({"c"});
  graph.joints.erase(graph.joints.begin());
  EXPECT_NE(complaint({"b"}).find("no loop"), std::string::npos) << complaint({"b"});
}

TEST(SpanningTree, LoopsOfJointsThatMustNotBeCutAreRefused) {
  Graph graph(2);
  graph.joint("a", '0', 'A').joint("b", 'A', 'B', 1).joint("c", 'B', '0', 1);
  graph.joints[1].never_cut = graph.joints[2].never_cut = true;
  EXPECT_EQ(text_of(graph.span(), graph), "B>0:c A>B:b |a");  // rather than the joint with most rows
  graph.joints[0].never_cut = true;
  EXPECT_NE(graph.complaint({}).find("in every loop a joint that can be cut"), std::string::npos);
}

TEST(SpanningTree, OptionsAreLists) {
  const auto specs = tree_options();
  const TreeWishes none = tree_wishes(Options("coordinates relative", specs, {}));
  EXPECT_TRUE(none.root.empty() && none.cut.empty());
  const TreeWishes some =
      tree_wishes(Options("coordinates relative", specs, {{"cut", "a,b"}, {"root", "A"}}));
  EXPECT_EQ(some.cut, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(some.root, std::vector<std::string>{"A"});
  for (const char* bad : {"", ",", "a,", ",a", "a,,b"})
    EXPECT_THROW(Options("coordinates relative", specs, {{"cut", bad}}), InputError) << bad;
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
