// Text of fixed and of variable length: every flipped bit of its heap is noticed.
#include "driftless/io/hdf5/hdf5_heaps.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "driftless/io/hdf5/hdf5_access.hpp"

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using io_testing::contents;
using io_testing::TemporaryFolder;
using io_testing::write_text;

void write_variable_text(const std::string& path, const std::string& text) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
              type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  for (const char* name : {"one", "two"}) {
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* data = text.c_str();
    H5Awrite(attribute, type, &data);
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
}

TEST(Hdf5Text, ComesBackInBothKinds) {
  const TemporaryFolder folder;
  const h5::SilentErrors silent;
  for (const std::string& text :
       {std::string(), std::string("ok"), std::string("é, 12 bytes"), std::string(100'000, 'x')}) {
    {
      const std::string path = folder / "fixed.h5";
      const h5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                            "create a file");
      h5::write_attribute(file.id(), "text", text);
    }
    EXPECT_EQ(h5::read_text(h5::open_file(folder / "fixed.h5").id(), "text"), text);
    if (text.size() < 60'000) {
      EXPECT_EQ(contents(folder / "fixed.h5").find("GCOL"), std::string::npos);
    }
    if (text.empty()) continue;
    write_variable_text(folder / "variable.h5", text);
    EXPECT_EQ(h5::read_text(h5::open_file(folder / "variable.h5").id(), "one"), text);
  }
}

TEST(Hdf5Text, AFlippedBitInAHeapIsNoticed) {
  const TemporaryFolder folder;
  write_variable_text(folder / "good.h5", "some text of 24 letters.");
  const std::string good = contents(folder / "good.h5");
  ASSERT_TRUE(h5::global_heaps_are_sound(folder / "good.h5"));
  const size_t heap = good.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  for (size_t at = heap + 8; at < heap + 16 + 2 * 40 + 16; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      const size_t in_object = (at - heap - 16) % 40;
      const bool is_length = at < heap + 16 || (in_object >= 8 && in_object < 16) || in_object < 2;
      if (!is_length) continue;  // the text itself, counts of references
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      write_text(folder / "bad.h5", bad);
      const bool last = at >= heap + 16 + 2 * 40;  // the free space behind
      const bool renumbered = in_object < 2 && !last && at >= heap + 16;
      if (!renumbered) {
        EXPECT_FALSE(h5::global_heaps_are_sound(folder / "bad.h5")) << at - heap << " bit " << bit;
      }
      const h5::SilentErrors silent;
      try {
        h5::read_text(h5::open_file(folder / "bad.h5").id(), "one");
      } catch (const h5::Failure&) {  // said so; anything but a crash is good
      }
    }
}

TEST(Hdf5Text, OfDatasetsHasAChecksum) {
  const TemporaryFolder folder;
  const h5::SilentErrors silent;
  const std::vector<std::string> names{"crank.x", "", "é, 12 bytes", std::string(5000, 'x')};
  {
    const h5::Handle file(H5Fcreate((folder / "good.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose, "create a file");
    h5::write_strings(file.id(), "names", names);
    h5::write_strings(file.id(), "none", {});
  }
  const auto read = [&](const char* name) {
    const h5::Handle file = h5::open_file(folder / name);
    return h5::read_strings(file.id(), "names");
  };
  EXPECT_EQ(read("good.h5"), names);
  EXPECT_TRUE(h5::read_strings(h5::open_file(folder / "good.h5").id(), "none").empty());
  const std::string good = contents(folder / "good.h5");
  int noticed = 0;
  for (size_t heap = good.find("GCOL"); heap != std::string::npos; heap = good.find("GCOL", heap + 1))
    for (size_t at = heap; at < std::min(heap + 160, good.size()); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
        write_text(folder / "bad.h5", bad);
        try {
          EXPECT_EQ(read("bad.h5"), names) << at - heap << " bit " << bit;
        } catch (const h5::Failure&) {
          ++noticed;
        }
      }
  EXPECT_GT(noticed, 8 * 40);  // all of the text, at least
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
