// SPDX-License-Identifier: Apache-2.0
#include "support/hdf5_forgery.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::storage_hdf5_reading_test {

class Hdf5Reading : public testing::Test {
 protected:
  void SetUp() override {
    Hdf5File file = Hdf5File::create(path_);
    file.write_text("text", "one");
    file.write_list("list", {"one", "two"});
    file.write_numbers("numbers", std::vector<double>{1.0, 2.0});
    file.set("/", "number", 3.0);
    file.set("/", "word", std::string("four"));
    file.make_group("group");
  }
  [[nodiscard]] Hdf5File open() const { return Hdf5File::open(path_); }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "file.h5";
};

TEST_F(Hdf5Reading, GivesBackWhatWasWritten) {
  EXPECT_EQ(open().read_text("text"), "one");
  EXPECT_EQ(open().read_list("list"), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(open().read_table("numbers"), (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(open().number_attribute("/", "number"), 3.0);
  EXPECT_EQ(open().text_attribute("/", "word"), "four");
}

// Each buffer is as long as a sound file needs it: more, or something else, would be written past its end.
TEST_F(Hdf5Reading, RefusesWhatDoesNotFitItsBuffer) {
  {
    test::Hdf5Forgery forged(path_);
    forged.integers("text", 1000);
    forged.variable_text("list");
    forged.long_attribute("/", "number", 1000);
    forged.long_attribute("/", "word", 1000, H5T_C_S1);
    forged.letters("numbers", 16);
  }
  EXPECT_THROW((void)open().read_text("text"), FileError);
  EXPECT_THROW((void)open().read_list("text"), FileError);
  EXPECT_THROW((void)open().read_list("list"), FileError);
  EXPECT_THROW((void)open().read_table("numbers"), FileError);
  EXPECT_THROW((void)open().number_attribute("/", "number"), FileError);
  EXPECT_THROW((void)open().text_attribute("/", "word"), FileError);
  EXPECT_THROW((void)open().number_attribute("/", "word"), FileError);
  EXPECT_THROW((void)open().text_attribute("/", "number"), FileError);
  EXPECT_THROW((void)open().read_table("group"), FileError);
}

TEST_F(Hdf5Reading, RefusesMoreThanAFileOfItsSizeHolds) {
  for (const std::vector<hsize_t>& size :
       std::vector<std::vector<hsize_t>>{{hsize_t{1} << 20}, {hsize_t{1} << 40}, {hsize_t{1} << 31, hsize_t{1} << 31}}) {
    test::Hdf5Forgery(path_).sparse("numbers", size);
    EXPECT_THROW((void)open().read_table("numbers"), FileError) << size[0];
    EXPECT_THROW((void)open().read_integers("numbers"), FileError) << size[0];
    test::Hdf5Forgery(path_).sparse("list", size, H5T_C_S1);
    EXPECT_THROW((void)open().read_list("list"), FileError) << size[0];
    EXPECT_THROW((void)Hdf5File::open_for_writing(path_, path_).open_table("numbers", 0), FileError) << size[0];
  }
}

TEST_F(Hdf5Reading, DoesNotLeaveItsFile) {
  const std::filesystem::path other = folder_.path() / "other.h5";
  Hdf5File::create(other).write_numbers("secret", std::vector<double>{42.0});
  test::Hdf5Forgery(path_).link_to_file("numbers", other.string(), "secret");
  EXPECT_EQ(Hdf5File::open(other).read_table("secret"), std::vector<double>{42.0});
  EXPECT_THROW((void)open().read_table("numbers"), FileError);
  test::Hdf5Forgery(path_).link_to_file("group", other.string(), "/");
  EXPECT_FALSE(open().has("group/secret"));
  EXPECT_THROW(Hdf5File::open_for_writing(path_, path_).write_list("group/list", {"mine"}), FileError);
  EXPECT_THROW(Hdf5File::open_for_writing(path_, path_).set("group", "mine", 1.0), FileError);
  EXPECT_FALSE(Hdf5File::open(other).has("list"));
}

}  // namespace tippe::storage_hdf5_reading_test
