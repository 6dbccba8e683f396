// SPDX-License-Identifier: Apache-2.0
// Recordings made by an enemy: whatever stands in one is refused with a message and exit code 2 or 4, soon, or it does no harm.
#include <array>
#include <cmath>
#include <limits>

#include "support/hdf5_forgery.h"
#include "support/scenes.h"
#include "support/shell.h"
#include "support/temporary_folder.h"
#include "tippe/record/recorded_run.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::cli_forged_recording_test {

using test::Hdf5Forgery;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Recordings that were interrupted by their end: of an integrator with a fixed step, and of one that finds events.
class ForgedRecording : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const std::string run = "$TIPPE run '" + test::scene_path("bouncing_ball") + "' --quiet --no-report ";
    ASSERT_EQ(test::run_shell(run + "--dt 1e-3 --until 1", folder_->path()), 0);
    ASSERT_EQ(
        test::run_shell("mv bouncing_ball.h5 fixed.h5 && " + run + "--integrator event-driven --until 1", folder_->path()),
        0);
    const std::string smooth =
        "tippe = 1\n[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*a'^2\"\npotential = \"-cos(a)\"\n[initial]\na = 1\n"
        "[run]\nintegrator = \"dopri5\"\nuntil = 1\n";
    std::ofstream(folder_->path() / "adaptive.toml") << smooth;
    ASSERT_EQ(
        test::run_shell("mv bouncing_ball.h5 events.h5; $TIPPE run adaptive.toml --quiet --no-report", folder_->path()), 0);
  }
  static void TearDownTestSuite() { delete folder_; }

  using Change = std::function<void(const std::filesystem::path&)>;
  /// The exit code of a command on a changed copy of `original`, which may take five seconds and 2 GB.
  static int after(const Change& change, const std::string& command, const std::string& original = "fixed.h5") {
    const auto copy = folder_->path() / "copy.h5";
    std::filesystem::copy_file(folder_->path() / original, copy, std::filesystem::copy_options::overwrite_existing);
    change(copy);
    return test::run_shell("ulimit -v 4000000; timeout -k 1 5 $TIPPE " + command + " >out 2>err", folder_->path());
  }
  static std::string errors() {
    std::ostringstream text;
    text << std::ifstream(folder_->path() / "err").rdbuf();
    return text.str();
  }

  static inline const std::vector<std::string> kReaders = {"show copy.h5", "show copy.h5 --json",
                                                           "export copy.h5 --out all.csv",
                                                           "run --resume copy.h5 --until 2 --quiet --no-report"};
  static inline test::TemporaryFolder* folder_ = nullptr;
};

TEST_F(ForgedRecording, TheOriginalsAreFine) {
  for (const std::string original : {"fixed.h5", "events.h5"}) {
    for (const std::string& command : kReaders) EXPECT_EQ(after([](const auto&) {}, command, original), 0) << errors();
  }
}

TEST_F(ForgedRecording, AnObjectOfAnotherKindOrSizeIsRefused) {
  const hsize_t huge = hsize_t{1} << 40;
  struct Case {
    const char* what;
    std::function<void(Hdf5Forgery&)> change;
    std::vector<size_t> readers;  // who needs the object
  };
  for (const auto& [what, change, readers] : std::vector<Case>{
           {"/scene as integers", [](Hdf5Forgery& f) { f.integers("scene", 1000); }, {0, 1, 2, 3}},
           {"/scene as many letters", [](Hdf5Forgery& f) { f.letters("samples/q_names", 100000); }, {0, 1, 2, 3}},
           {"names as pointers", [](Hdf5Forgery& f) { f.variable_text("samples/q_names"); }, {0, 1, 2, 3}},
           {"names without end", [&](Hdf5Forgery& f) { f.sparse("impacts/law_names", {huge}, H5T_C_S1); }, {0, 1, 2, 3}},
           {"a table of 2^40 rows",
            [&](Hdf5Forgery& f) {
              f.sparse("samples/q", {huge, 1});
            },
            {2, 3}},
           {"times of 2^40 samples", [&](Hdf5Forgery& f) { f.sparse("samples/time", {huge}); }, {2, 3}},
           {"2^62 numbers",
            [&](Hdf5Forgery& f) {
              f.sparse("summary/q", {huge, hsize_t{1} << 22});
            },
            {0, 1, 3}},
           {"2^40 numbers in a checkpoint", [&](Hdf5Forgery& f) { f.sparse("checkpoint/values", {huge}); }, {3}},
           {"a group", [](Hdf5Forgery& f) { f.group("samples/time"); }, {2, 3}},
           {"a loop of links", [](Hdf5Forgery& f) { f.link_to_itself("summary/q"); }, {0, 1, 3}},
           {"a link to another file",
            [](Hdf5Forgery& f) { f.link_to_file("summary/q", "fixed.h5", "summary/q"); },
            {0, 1, 3}},
           {"a link to a device", [](Hdf5Forgery& f) { f.link_to_file("steps", "/dev/zero", "/"); }, {2, 3}},
           {"a long number", [](Hdf5Forgery& f) { f.long_attribute("options", "dt", 4000); }, {0, 1, 2, 3}},
           {"a long text", [](Hdf5Forgery& f) { f.long_attribute("/", "title", 8000, H5T_C_S1); }, {0, 1, 2, 3}},
           {"nothing", [](Hdf5Forgery& f) { f.remove("summary/impacts_by_law"); }, {0, 1, 3}},
           {"steps of different length",
            [](Hdf5Forgery& f) {
              f.numbers("steps/residual", {1, 2});
            },
            {2, 3}}}) {
    for (const size_t reader : readers) {
      const std::string& command = kReaders[reader];
      EXPECT_EQ(after(
                    [&](const auto& file) {
                      Hdf5Forgery forged(file);
                      change(forged);
                    },
                    command),
                4)
          << what << ", " << command << ": " << errors();
      EXPECT_TRUE(reader == 1 || errors().find("copy.h5") != std::string::npos)
          << what << ", " << command << ": " << errors();
    }
  }
}

/// Puts a number into the checkpoint: "t", or "q[0]" for the first of an array.
void set_number(const std::filesystem::path& path, const std::string& name, double value) {
  Hdf5File file = Hdf5File::open_for_writing(path, path);
  if (const size_t bracket = name.find("[0]"); bracket != std::string::npos) {
    const std::string array = "checkpoint/arrays/" + name.substr(0, bracket);
    std::vector<double> values = file.read_table(array);
    values.at(0) = value;
    file.write_numbers(array, values);
    return;
  }
  const std::vector<std::string> names = file.read_list("checkpoint/names");
  std::vector<double> values = file.read_table("checkpoint/values");
  const auto place = std::find(names.begin(), names.end(), name);
  ASSERT_NE(place, names.end()) << name;
  values[static_cast<size_t>(place - names.begin())] = value;
  file.write_numbers("checkpoint/values", values);
}

TEST_F(ForgedRecording, ACheckpointThatIsNoMomentOfTheRunIsRefused) {
  for (const std::string original : {"fixed.h5", "events.h5"}) {
    const std::string& resume = kReaders[3];
    const bool fixed = original == "fixed.h5";
    for (const char* name : {"steps", "t", "q[0]", "u[0]", "kinetic", "impulse[0]", "sampled", "impacts", "sampling.samples",
                             "sampling.next", "sampling.times", "wall_time", "standing", "penetration.law", "steps_from"})
      EXPECT_EQ(after([&](const auto& file) { set_number(file, name, kNan); }, resume, original), 4)
          << original << " " << name << ": " << errors();
    for (const auto& [name, value] : std::vector<std::pair<const char*, double>>{{"steps", -1.0},
                                                                                 {"steps", 0.5},
                                                                                 {"steps", 1e300},
                                                                                 {"t", 0.5},
                                                                                 {"t", kInfinity},
                                                                                 {"q[0]", kInfinity},
                                                                                 {"q[0]", 3.0},
                                                                                 {"u[0]", 1.0},
                                                                                 {"kinetic", 1e3},
                                                                                 {"impacts", 1e15},
                                                                                 {"penetration.law", 7.0},
                                                                                 {"standing", 1e12}})
      EXPECT_EQ(after([&](const auto& file) { set_number(file, name, value); }, resume, original), 4)
          << original << " " << name << " = " << value << ": " << errors();
    // Schedules of samples that have no end, or one that lies far away.
    for (const double value : {-9e15, -1.0, 0.0, 1.0, 9e15})
      EXPECT_EQ(after([&](const auto& file) { set_number(file, fixed ? "sampling.samples" : "sampling.times", value); },
                      resume, original),
                4)
          << original << " " << value << ": " << errors();
    for (const char* attribute : {"samples", "steps", "impacts"}) {
      for (const std::int64_t value : {0, 1, 1000000})
        EXPECT_EQ(
            after([&](const auto& file) { Hdf5File::open_for_writing(file, file).set("checkpoint", attribute, value); },
                  resume, original),
            4)
            << original << " " << attribute << " = " << value << ": " << errors();
    }
  }
}

// Most of it cannot be told from the truth: then the run goes on, or fails, and ends.
TEST_F(ForgedRecording, WhateverAnIntegratorRemembersTheRunEnds) {
  for (const std::string original : {"fixed.h5", "events.h5", "adaptive.h5"}) {
    const std::vector<std::string> names = Hdf5File::open(folder_->path() / original).read_list("checkpoint/memory_names");
    ASSERT_GT(names.size(), 0u);
    size_t numbers = 0;
    for (const std::string& name : names) {
      const std::string array = "checkpoint/memory/" + name;
      const size_t count = Hdf5File::open(folder_->path() / original).read_table(array).size();
      for (size_t k = 0; k < count; ++k) {
        std::vector<double> values = {kNan};
        if (numbers++ % 3 == 0) values.push_back(std::array{-1.0, 7.0, 1e300}[numbers % 9 / 3]);  // in turns
        for (const double value : values) {
          const auto change = [&](const std::filesystem::path& path) {
            Hdf5File file = Hdf5File::open_for_writing(path, path);
            std::vector<double> memory = file.read_table(array);
            memory[k] = value;
            file.write_numbers(array, memory);
          };
          const int code = after(change, kReaders[3], original);
          EXPECT_TRUE(code == 4 || (!std::isnan(value) && (code == 0 || code == 3)))
              << original << " " << array << " " << k << " = " << value << ": " << code << errors();
        }
      }
    }
    EXPECT_GT(numbers, 0u);
  }
}

TEST_F(ForgedRecording, OptionsOfAnotherRunAreRefused) {
  const std::string& resume = kReaders[3];
  const auto set = [](const char* name, auto value) {
    return [=](const std::filesystem::path& file) { Hdf5File::open_for_writing(file, file).set("options", name, value); };
  };
  for (const std::string original : {"fixed.h5", "events.h5"}) {
    for (const double dt : {5e-4, 2e-3, 1.0005e-3, 0.0, -1e-3, kNan, kInfinity})
      EXPECT_EQ(after(set("dt", dt), resume, original), 4) << original << " " << dt << ": " << errors();
    for (const double every : {1e-300, 0.5, 0.0, -1.0, kNan, kInfinity})
      EXPECT_EQ(after(set("every", every), resume, original), 4) << original << " " << every << ": " << errors();
    EXPECT_EQ(after(set("until", kNan), resume, original), 4) << errors();
  }
  EXPECT_EQ(after(set("integrator", std::string("moreau-jean")), resume), 4) << errors();  // remembers as many numbers
  EXPECT_EQ(after(set("integrator", std::string("consistent-2")), resume), 4) << errors();
  EXPECT_EQ(after(set("integrator", std::string("none")), resume), 4) << errors();
}

// The place of a mistake in the scene is shown from its file, which the recording names.
TEST_F(ForgedRecording, AFileWithoutEndIsNotReadForAMessage) {
  const auto change = [](const std::filesystem::path& file) {
    {
      Hdf5Forgery forged(file);
      forged.remove("scene");
    }
    Hdf5File opened = Hdf5File::open_for_writing(file, file);
    opened.write_text("scene", "tippe = 1\nnonsense");
    opened.set("scene", "file", std::string("/dev/zero"));
  };
  EXPECT_EQ(after(change, kReaders[3]), 2) << errors();
}

TEST_F(ForgedRecording, AnotherSceneIsRefused) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"\"y\"", "\"z\""}, {"0.5*", "0.7*"}}) {
    const auto change = [&](const std::filesystem::path& file) {
      std::string text = read_recording(file).origin.scene_text;
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
      Hdf5Forgery(file).remove("scene");
      Hdf5File opened = Hdf5File::open_for_writing(file, file);
      opened.write_text("scene", text);
      opened.set("scene", "file", std::string("ball.toml"));
    };
    const int code = after(change, kReaders[3]);
    EXPECT_TRUE(code == 2 || code == 4) << to << ": " << code << errors();
  }
}

}  // namespace tippe::cli_forged_recording_test
