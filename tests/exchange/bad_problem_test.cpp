// SPDX-License-Identifier: Apache-2.0
// Files that must be refused, with the place and the rule, and without taking the memory that they ask for.
#include <hdf5.h>

#include <fstream>

#include "support/problem_seeds.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::exchange_bad_problem_test {

using test::edit;
using test::Numbers;

class BadProblem : public testing::Test {
 protected:
  void SetUp() override { test::write_problem_seeds(folder_.path()); }

  /// What is said of the file.
  std::string refusal(const std::filesystem::path& path) {
    try {
      (void)read_problem(path);
    } catch (const InputError& error) {
      EXPECT_EQ(error.position().file, path.string());
      return error.what();
    } catch (const FileError& error) {
      EXPECT_EQ(std::string(error.what()).find(path.string() + ": "), 0u) << error.what();
      return std::string(error.what()).substr(path.string().size() + 2);
    }
    return "nothing";
  }

  /// The same after one dataset of a good seed was replaced.
  std::string refusal(const char* seed, const char* dataset, const Numbers& values, bool integers = true) {
    const auto path = folder_.path() / "edited";
    std::filesystem::copy_file(folder_.path() / seed, path, std::filesystem::copy_options::overwrite_existing);
    edit(path, [&](Hdf5File& file) { file.write_numbers(dataset, values, integers); });
    return refusal(path);
  }

  test::TemporaryFolder folder_;
};

constexpr bool kReal = false;
const double kNan = std::nan(""), kInfinity = std::numeric_limits<double>::infinity();

TEST_F(BadProblem, SeedsAreGoodUnlessEdited) {
  EXPECT_EQ(refusal("fc2d", "fclib_local/spacedim", {2}), "nothing");
  EXPECT_EQ(refusal("inclusion", "tippe_inclusion/version", {1}), "nothing");
}

TEST_F(BadProblem, WhatIsNoHdf5File) {
  const auto path = folder_.path() / "text.hdf5";
  EXPECT_EQ(refusal(path), "no such file");
  std::ofstream(path) << "a text, \u00e4lter than HDF5\r\n\tin two lines\n";
  EXPECT_EQ(refusal(path), "is text, not HDF5");
  std::ofstream(path, std::ios::trunc);
  EXPECT_EQ(refusal(path), "is empty");
  const std::string noise("PK\x03\x04\0\0", 6);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << noise;
  EXPECT_NE(refusal(path).find("not a readable HDF5 file"), std::string::npos);
  const auto scene = folder_.path() / "ball.toml";
  std::ofstream(scene) << "tippe = 1\n";
  try {
    (void)read_problem(scene);
    FAIL() << "accepted";
  } catch (const FileError& error) {
    EXPECT_EQ(error.file(), scene.string());
    EXPECT_EQ(error.sentence(), "is text, not HDF5");
    EXPECT_EQ(error.remedy(), Remedy::kOpenAsScene);
  }
  EXPECT_EQ(refusal(folder_.path()), "is a folder, not an HDF5 file");
  EXPECT_NE(refusal(folder_.path() / "bad_end").find("not a readable HDF5 file"), std::string::npos);
}

/// At every length a file is refused, and never crashes the reader.
TEST_F(BadProblem, TruncatedAnywhere) {
  for (const char* seed : {"fc3d", "inclusion", "lcp"}) {
    const auto path = folder_.path() / "cut";
    const auto size = std::filesystem::file_size(folder_.path() / seed);
    for (size_t length = 0; length < size; length += 331) {
      std::filesystem::copy_file(folder_.path() / seed, path, std::filesystem::copy_options::overwrite_existing);
      std::filesystem::resize_file(path, length);
      EXPECT_NE(refusal(path), "nothing") << seed << " cut at " << length;
    }
  }
}

TEST_F(BadProblem, NoProblemInside) {
  const auto path = folder_.path() / "other.hdf5";
  { Hdf5File::create(path).write_numbers("x", Numbers{1}); }
  EXPECT_NE(refusal(path).find("holds no problem"), std::string::npos);
  {
    Hdf5File file = Hdf5File::create(path);
    file.make_group("samples");
    file.make_group("steps");
  }
  EXPECT_NE(refusal(path).find("is a recording"), std::string::npos);
  { Hdf5File::create(path).make_group("fclib_local"); }
  EXPECT_EQ(refusal(path), "fclib_local/spacedim: is missing");
  { Hdf5File::create(path).write_numbers("A", Numbers{1}); }
  EXPECT_EQ(refusal(path), "a: is missing");
}

TEST_F(BadProblem, FclibVectors) {
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/mu", {0.1, -0.1}, kReal),
            "fclib_local/vectors/mu: entry 1 is -0.1; a coefficient of friction must not be negative");
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/mu", {0.1, kNan}, kReal),
            "fclib_local/vectors/mu: entry 1 is nan; it must be a number");
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/mu", {0.1, kInfinity}, kReal),
            "fclib_local/vectors/mu: entry 1 is inf; it must be finite");
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/mu", {0.1}, kReal),
            "fclib_local/vectors/mu: has 1 entries; it must have 2, one per contact, since q has 4");
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/q", {1, 2, 3}, kReal),
            "fclib_local/vectors/q: has 3 entries; it must have 2 for each contact");
  EXPECT_EQ(refusal("fc2d", "fclib_local/vectors/q", {1, 2, 3, -kInfinity}, kReal),
            "fclib_local/vectors/q: entry 3 is -inf; it must be finite");
  EXPECT_EQ(refusal("fc2d", "fclib_local/spacedim", {4}), "fclib_local/spacedim: is 4; it must be 2 or 3");
  EXPECT_NE(refusal("fc2d", "fclib_local/spacedim", {3}).find("vectors/q: has 4 entries"), std::string::npos);
  EXPECT_EQ(refusal("fc2d", "fclib_local/spacedim", {2, 2}),
            "fclib_local/spacedim: has 2 entries; it must have 1, a single number");
}

TEST_F(BadProblem, FclibMatrices) {
  const Numbers columns = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/m", {2147483647}),
            "fclib_local/W: is a 2147483647 x 4 matrix; it must be 4 x 4, as many rows and columns as q has entries");
  EXPECT_NE(refusal("fc2d", "fclib_local/W/n", {-4}).find("4 x -4"), std::string::npos);
  EXPECT_NE(refusal("fc2d", "fclib_local/W/nz", {-3}).find("it must be -2 (compressed rows)"), std::string::npos);
  EXPECT_NE(refusal("fc2d", "fclib_local/W/nz", {2147483647}).find("has 5 entries; nz says that there are 2147483647"),
            std::string::npos);
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/p", {0, 4, 2, 12, 16}),
            "fclib_local/W/p: entry 2 is 2; it must not be less than the one before, 4");
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/p", {1, 4, 8, 12, 16}), "fclib_local/W/p: entry 0 is 1; it must be 0");
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/p", {0, 4, 8, 12}),
            "fclib_local/W/p: has 4 entries; it must have 5, one more than rows");
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/p", {0, 4, 8, 12, 2147483647}),
            "fclib_local/W/i: has 16 entries; p says that there are 2147483647");
  for (const double bad : {4.0, -1.0}) {
    Numbers wrong = columns;
    wrong[7] = bad;
    EXPECT_NE(refusal("fc2d", "fclib_local/W/i", wrong).find("it must be a column from 0 to 3"), std::string::npos);
  }
  Numbers x(16, 1.0);
  x[5] = kNan;
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/x", x, kReal), "fclib_local/W/x: entry 5 is nan; it must be a number");
  EXPECT_EQ(refusal("fc2d", "fclib_local/W/x", {1.0}, kReal), "fclib_local/W/x: has 1 entries; p says that there are 16");
  EXPECT_NE(refusal("global_triplets", "fclib_global/H/p", {0, 1, 3}).find("p and i hold an index outside"),
            std::string::npos);
  EXPECT_NE(refusal(folder_.path() / "bad_singular").find("fclib_global/M: the matrix is singular"), std::string::npos);
  EXPECT_NE(refusal("fc2d", "fclib_local/V", {0}).find("equality constraints"), std::string::npos);
}

TEST_F(BadProblem, Complementarity) {
  EXPECT_EQ(refusal("lcp", "q", {1, 2, 3}, kReal),
            "M: is a 2 x 2 matrix; it must be 3 x 3, as many rows and columns as q has entries");
  EXPECT_EQ(refusal("lcp", "q", {1, kNan}, kReal), "q: entry 1 is nan; it must be a number");
  EXPECT_NE(refusal("mlcp", "a", {1, 2}, kReal).find("A: is a 1 x 1 matrix; it must be 2 x 2"), std::string::npos);
  EXPECT_NE(refusal("mlcp", "B", {1, 2}, kReal).find("B: has 1 dimensions; it must be a matrix"), std::string::npos);
}

TEST_F(BadProblem, OurGroup) {
  const std::string group = "tippe_inclusion/";
  const auto said = [&](const char* dataset, const Numbers& values, bool integers, const char* part) {
    const std::string found = refusal("inclusion", (group + dataset).c_str(), values, integers);
    EXPECT_NE(found.find(part), std::string::npos) << dataset << ": " << found;
  };
  said("version", {2}, true, "this program reads version 1");
  said("laws/kind", {0, 1, 2, 4}, true, "entry 3 is 4");
  said("laws/kind", {0, 1, 2, 3, 0}, kReal, "must consist of integers");
  said("laws/kind", {0, 1, 2}, true, "laws/rows: has 4 entries");
  said("laws/rows", {1, 1, 4, 4}, true, "entry 2 is 4; that does not fit a law of kind 2");
  said("laws/lower", {0, 1, 0, 0}, kReal, "nothing");
  said("laws/upper", {0, -kInfinity, 0, 0}, kReal, "the interval is empty");
  said("laws/mu2", {0, 0, -1, 0}, kReal, "entry 2 is -1; it must be finite and not negative");
  said("laws/Rbar", {0, 0, 0, 0}, kReal, "entry 3 is 0; a drilling radius must be positive");
  said("laws/drilling_set", {0, 0, 0, 3}, true, "entry 3 is 3");
  said("c", {1, 2}, kReal, "has 2 entries; it must have 9");
  said("part", {0, 0, 0, 9}, true, "entry 3 is 9");
  said("G/start", {0, 1, 2, 4, 3}, true, "entry 4 is 3");
  said("G/column", {0, 1, 2, 2}, true, "the diagonal block of law 3 is missing");
  said("G/column", {0, 1, 2, 4}, true, "entry 3 is 4");
  said("G/value", {1, 2, 3}, kReal, "has 3 entries; it must have 27");
  said("factored", {1}, true, "Y/rows: is missing");
  said("factored", {7}, true, "is 7; it must be 0 or 1");
  EXPECT_NE(refusal("factored", "tippe_inclusion/Y/rows", {2147483647}).find("does not fit 10 entries"), std::string::npos);
  EXPECT_NE(refusal("factored", "tippe_inclusion/Y/rows", {0}).find("it must be a row below 0"), std::string::npos);
  EXPECT_NE(refusal("factored", "tippe_inclusion/Y/start", {0, 1, 2}).find("has 3 entries; it must have 11"),
            std::string::npos);
}

TEST_F(BadProblem, PartsThatActOnEachOther) {
  const auto path = folder_.path() / "inclusion";
  edit(path, [](Hdf5File& file) {
    file.write_numbers("tippe_inclusion/G/start", Numbers{0, 2, 3, 4, 5}, true);
    file.write_numbers("tippe_inclusion/G/column", Numbers{0, 1, 1, 2, 3}, true);
  });
  EXPECT_EQ(refusal(path), "tippe_inclusion/G/column: entry 1 couples the laws 0 and 1 of different parts");
}

/// A dataset that claims 2^40 numbers in a file of a few kilobytes: not written at all, or in one chunk of 3 GB.
TEST_F(BadProblem, AbsurdClaims) {
  const auto path = folder_.path() / "absurd.hdf5";
  for (const bool chunked : {false, true}) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size[2] = {chunked ? 20000u : hsize_t{1} << 20, chunked ? 20000u : hsize_t{1} << 20};
    const hid_t space = H5Screate_simple(2, size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(creation, 2, size);
    if (chunked) H5Pset_deflate(creation, 6);
    H5Dclose(H5Dcreate2(file, "M", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    const hsize_t two = 2;
    const hid_t line = H5Screate_simple(1, &two, nullptr);
    H5Dclose(H5Dcreate2(file, "q", H5T_IEEE_F64LE, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(line);
    H5Sclose(space);
    H5Fclose(file);
    EXPECT_NE(refusal(path).find("M: claims more numbers than a file of"), std::string::npos) << refusal(path);
  }
}

/// Small in every dataset, but each of them in one huge chunk.
TEST_F(BadProblem, AHugeChunk) {
  const auto path = folder_.path() / "chunk.hdf5";
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t two = 2, unlimited = H5S_UNLIMITED, chunk = hsize_t{1} << 28;
  const hid_t space = H5Screate_simple(1, &two, &unlimited), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 6);
  for (const char* name : {"M", "q"})
    H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_NE(refusal(path).find("q: claims more numbers"), std::string::npos) << refusal(path);
}

TEST_F(BadProblem, OtherThanNumbers) {
  const auto path = folder_.path() / "text.hdf5";
  {
    Hdf5File file = Hdf5File::create(path);
    file.write_list("q", {"one", "two"});
    file.write_text("M", "three");
  }
  EXPECT_EQ(refusal(path), "q: does not consist of ordinary integers or floating-point numbers");
}

}  // namespace tippe::exchange_bad_problem_test
