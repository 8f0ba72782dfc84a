#include "driftless/core/text.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

using Names = std::vector<std::string>;

TEST(ClosestName, FindsSlipsOfTheFinger) {
  const Names names = {"sin", "cos", "sqrt", "lagrange", "augmented-lagrangian", "projection-independent"};
  EXPECT_EQ(closest_name("sine", names), "sin");
  EXPECT_EQ(closest_name("sqr", names), "sqrt");
  EXPECT_EQ(closest_name("lagrnage", names), "lagrange");  // neighbours swapped
  EXPECT_EQ(closest_name("langrage", names), "lagrange");
  EXPECT_EQ(closest_name("augmented_lagrangian", names), "augmented-lagrangian");
  EXPECT_EQ(closest_name("projection-indepedent", names), "projection-independent");
}

TEST(ClosestName, IgnoresCaseButPrefersEqualCase) {
  EXPECT_EQ(closest_name("rod", Names{"Crank", "Rod"}), "Rod");
  EXPECT_EQ(closest_name("Rod1", Names{"ROD", "Rod"}), "Rod");
  EXPECT_EQ(closest_name("Rod1", Names{"Rod", "ROD"}), "Rod");
}

TEST(ClosestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(closest_name("wheel", Names{"sin", "cos", "lagrange"}), "");
  EXPECT_EQ(closest_name("x", Names{"t", "e"}), "");
  EXPECT_EQ(closest_name("", Names{"t", "pi", ""}), "");  // the exact match is the empty name itself
  EXPECT_EQ(closest_name("rod", Names{}), "");
}

TEST(ClosestName, FirstOfEqualsWins) { EXPECT_EQ(closest_name("rod3", Names{"rod1", "rod2"}), "rod1"); }

TEST(ClosestName, BoundedForHugeNames) {
  const Names names = {std::string(10'000'000, 'a'), "rod"};
  EXPECT_EQ(closest_name(std::string(10'000'000, 'a'), names), "");
  EXPECT_EQ(closest_name(std::string(100, 'b'), Names{std::string(100, 'b')}), std::string(100, 'b'));
  EXPECT_EQ(closest_name("\xFF\x00\x80", Names{"\xFF\x80"}), "\xFF\x80");
}

TEST(QuotedList, ReadsLikeASentence) {
  EXPECT_EQ(quoted_list(Names{}), "");
  EXPECT_EQ(quoted_list(Names{"a"}), "'a'");
  EXPECT_EQ(quoted_list(Names{"a", "b"}), "'a' or 'b'");
  EXPECT_EQ(quoted_list(Names{"a", "b", "c"}), "'a', 'b' or 'c'");
}

TEST(QuotedList, StaysShort) {
  const Names names(1000, "body");
  const std::string list = quoted_list(names);
  EXPECT_LT(list.size(), 400u);
  EXPECT_TRUE(list.ends_with(", … or one of 970 more")) << list;
}

TEST(Printable, KeepsTextAndEscapesTheRest) {
  EXPECT_EQ(printable("Kurbel äöü ∂"), "Kurbel äöü ∂");
  EXPECT_EQ(printable("a\nb\tc\r\x1B[2J"), "a\\nb\\tc\\x0D\\x1B[2J");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xFF\xC3"), "\\xFF\\xC3");                    // stray and cut-off bytes
  EXPECT_EQ(printable("\xC0\xAF"), "\\xC0\\xAF");                    // overlong '/'
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B");                    // C1 control: starts an escape sequence
  EXPECT_EQ(printable("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdef", 5), "abcde…");
  EXPECT_EQ(printable("aä", 2), "a…");  // ä has two bytes
  EXPECT_EQ(printable(std::string(10'000'000, '(')).size(), 80 + std::string("…").size());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
