#include "driftless/core/errors.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

TEST(Complaint, ReadsExpectedFoundHint) {
  EXPECT_EQ(to_string(Complaint{"joints[2].b", "the name of a body", "'rod'", "did you mean 'Rod'?"}),
            "joints[2].b: expected the name of a body, found 'rod'; did you mean 'Rod'?");
}

TEST(Complaint, LeavesOutEmptyParts) {
  EXPECT_EQ(to_string(Complaint{"a", "x", "", ""}), "a: expected x");
  EXPECT_EQ(to_string(Complaint{"a", "", "y", ""}), "a: found y");
  EXPECT_EQ(to_string(Complaint{"a", "", "", "z"}), "a: z");
  EXPECT_EQ(to_string(Complaint{"a", "x", "", "z"}), "a: expected x; z");
  EXPECT_EQ(to_string(Complaint{"", "x", "y", ""}), "expected x, found y");
  EXPECT_EQ(to_string(Complaint{"a", "", "", ""}), "a: not valid");
  EXPECT_EQ(to_string(Complaint{}), "not valid");
}

TEST(Complaint, IsOneShortLineWhateverItContains) {
  const std::string hostile = std::string(5'000'000, 'x') + "\n\x1B[2J\xFF";
  const std::string line = to_string(Complaint{hostile, "a\nb", "\x07", hostile});
  EXPECT_EQ(std::ranges::count(line, '\n'), 0);
  EXPECT_LT(line.size(), 3000u);
  EXPECT_NE(line.find("expected a\\nb, found \\x07"), std::string::npos);
}

TEST(InputError, NamesTheSourceOnEveryLine) {
  const InputError error("crank.json", {Complaint{"a", "x", "y", ""}, Complaint{"b", "", "", "z"}});
  EXPECT_STREQ(error.what(), "crank.json: a: expected x, found y\ncrank.json: b: z");
  EXPECT_EQ(error.source(), "crank.json");
  ASSERT_EQ(error.complaints().size(), 2u);
  EXPECT_EQ(error.complaints()[1].hint, "z");
}

TEST(InputError, TakesOneComplaint) {
  const InputError error("--step", Complaint{"", "a number > 0", "-1", ""});
  EXPECT_STREQ(error.what(), "--step: expected a number > 0, found -1");
  EXPECT_EQ(error.complaints().size(), 1u);
}

TEST(InputError, WithoutSourceOrComplaints) {
  EXPECT_STREQ(InputError("", Complaint{"a", "x", "", ""}).what(), "a: expected x");
  EXPECT_STREQ(InputError("f.json", std::vector<Complaint>{}).what(), "f.json: not valid");
  EXPECT_STREQ(InputError("", std::vector<Complaint>{}).what(), "not valid");
}

TEST(InputError, PrintsTwentyAndCountsTheRest) {
  const std::vector<Complaint> twenty(20, Complaint{"a", "x", "y", ""});
  EXPECT_EQ(std::string(InputError("f", twenty).what()).find("more"), std::string::npos);

  const std::vector<Complaint> many(1234, Complaint{"a", "x", "y", ""});
  const InputError error("f", many);
  const std::string text = error.what();
  EXPECT_EQ(std::ranges::count(text, '\n'), 20);
  EXPECT_TRUE(text.ends_with("\nand 1214 more")) << text;
  EXPECT_EQ(error.complaints().size(), 1234u);
}

TEST(InputError, IsCaughtAsRuntimeError) {
  EXPECT_THROW(throw InputError("f", Complaint{}), std::runtime_error);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
