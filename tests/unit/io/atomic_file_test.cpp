#include "driftless/io/atomic_file.hpp"

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace {

using io_testing::contents;
using io_testing::TemporaryFolder;
using io_testing::write_text;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.csv";
  AtomicFile file(path);
  write_text(file.temporary(), "new");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, AbandonedWriteLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.csv";
  write_text(path, "old");
  {
    const AtomicFile file(path);
    write_text(file.temporary(), "half");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, TemporaryStandsBesideTheTargetAndIsHidden) {
  const TemporaryFolder folder;
  const AtomicFile file(folder / "a.csv");
  const std::filesystem::path temporary(file.temporary());
  EXPECT_EQ(temporary.parent_path(), std::filesystem::path(folder / "a.csv").parent_path());
  EXPECT_EQ(temporary.filename().string(), ".a.csv.tmp-" + std::to_string(::getpid()));
}

TEST(AtomicFile, TwoWritersOfOneTargetDoNotMeet) {
  const TemporaryFolder folder;
  AtomicFile one(folder / "a.csv");
  AtomicFile two(folder / "a.csv");
  EXPECT_NE(one.temporary(), two.temporary());
  write_text(one.temporary(), "one");
  write_text(two.temporary(), "two");
  one.commit();
  two.commit();
  EXPECT_EQ(contents(folder / "a.csv"), "two");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  const TemporaryFolder folder;
  write_text(folder / "real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder / "link.csv");
  AtomicFile file(folder / "link.csv");
  write_text(file.temporary(), "new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_EQ(contents(folder / "real.csv"), "new");
}

TEST(AtomicFile, MissingFolderIsAnErrorWithPathAndReason) {
  const TemporaryFolder folder;
  try {
    const AtomicFile file(folder / "none/a.csv");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("none/a.csv"), std::string::npos);
    EXPECT_NE(text.find("No such file"), std::string::npos);
  }
}

TEST(AtomicFile, RelativePathWithoutFolderWorks) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(folder / "x").parent_path());
  {
    AtomicFile file("b.csv");
    write_text(file.temporary(), "b");
    file.commit();
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(contents(folder / "b.csv"), "b");
}

}  // namespace
}  // namespace driftless
