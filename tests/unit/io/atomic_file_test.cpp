#include "driftless/io/atomic_file.hpp"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using io_testing::contents;
using io_testing::TemporaryFolder;
using io_testing::write_text;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.csv";
  AtomicFile file(path);
  file.write("new");
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
    AtomicFile file(path);
    file.write("half");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, IsNotSeenBeforeItIsCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.csv");
  file.write("half");
  for (const auto& entry :
       std::filesystem::directory_iterator(folder / ""))  // where the disk has no nameless files
    EXPECT_EQ(entry.path().filename().string(), ".a.csv.tmp-" + std::to_string(::getpid()));
}

TEST(AtomicFile, KeepsTheModeOfWhatItReplaces) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  write_text(folder / "a.csv", "old");
  fs::permissions(folder / "a.csv", fs::perms(0640));
  AtomicFile file(folder / "a.csv");
  file.write("new");
  file.commit();
  EXPECT_EQ(fs::status(folder / "a.csv").permissions(), fs::perms(0640));
  EXPECT_EQ(contents(folder / "a.csv"), "new");
  AtomicFile fresh(folder / "b.csv");
  fresh.commit();
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(fs::status(folder / "b.csv").permissions(), fs::perms(0666 & ~mask));
}

TEST(AtomicFile, ReadOnlyFileIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  write_text(folder / "a.csv", "old");
  fs::permissions(folder / "a.csv", fs::perms(0444));
  EXPECT_THROW(AtomicFile(folder / "a.csv"), std::runtime_error);
}

TEST(AtomicFile, TwoWritersOfOneTargetDoNotMeet) {
  const TemporaryFolder folder;
  AtomicFile one(folder / "a.csv");
  AtomicFile two(folder / "a.csv");
  one.write("one");
  two.write("two");
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
  file.write("new");
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
    file.write("b");
    file.commit();
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(contents(folder / "b.csv"), "b");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
