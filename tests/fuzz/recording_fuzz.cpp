// SPDX-License-Identifier: Apache-2.0
// Whatever stands in the datasets and attributes of a recording, it is a recording, an InputError or a FileError: nothing else may leave the
// readers, nothing may crash in them, and a run that goes on from it ends. The files are sound as HDF5 files: the library itself crashes on
// some that are not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "support/hdf5_forgery.h"
#include "support/recording_seeds.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/record/recording.h"
#include "tippe/report/report.h"
#include "tippe/run/simulate.h"
#include "tippe/storage/hdf5_file.h"
#include "tippe/study/resumed_scene.h"

namespace {

using tippe::Hdf5File;

struct Seed {
  std::string bytes;
  std::vector<std::string> datasets;
  std::vector<std::pair<std::string, std::string>> attributes;  // object, name
};

herr_t list_attributes(hid_t, const char* name, const H5A_info_t*, void* target) {
  static_cast<std::vector<std::string>*>(target)->emplace_back(name);
  return 0;
}

herr_t list_object(hid_t file, const char* name, const H5O_info_t* info, void* target) {
  Seed& seed = *static_cast<Seed*>(target);
  if (info->type == H5O_TYPE_DATASET) seed.datasets.emplace_back(name);
  std::vector<std::string> attributes;
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, list_attributes, &attributes);
  H5Oclose(object);
  for (const std::string& attribute : attributes) seed.attributes.emplace_back(name, attribute);
  return 0;
}

const std::filesystem::path& file_path() {
  static const tippe::test::TemporaryFolder folder;
  static const std::filesystem::path path = folder.path() / "fuzz.h5";
  return path;
}

const std::vector<Seed>& seeds() {
  static const std::vector<Seed> all = [] {
    const tippe::test::TemporaryFolder folder;
    std::vector<Seed> result;
    for (const std::string& name : tippe::test::write_recording_seeds(folder.path())) {
      std::ostringstream bytes;
      bytes << std::ifstream(folder.path() / name, std::ios::binary).rdbuf();
      Seed seed{bytes.str(), {}, {}};
      const hid_t file = H5Fopen((folder.path() / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
      H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, list_object, &seed, H5O_INFO_BASIC);
      H5Fclose(file);
      result.push_back(std::move(seed));
    }
    return result;
  }();
  return all;
}

/// Takes the input apart; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool empty() const { return size_ == 0; }
  template <class Number>
  Number take() {
    Number value{};
    const size_t count = std::min(sizeof(Number), size_);
    std::memcpy(&value, data_, count);
    data_ += count;
    size_ -= count;
    return value;
  }
  /// Any bits, or one of those that are wrong more often.
  double number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 8> kOften = {0.0,   -1.0,  1.0,       0.5,
                                              1e300, -9e15, kInfinity, std::numeric_limits<double>::quiet_NaN()};
    const auto how = take<std::uint8_t>();
    return how % 2 == 0 ? kOften[how / 2 % kOften.size()] : take<double>();
  }

 private:
  const std::uint8_t* data_;
  size_t size_;
};

/// Replaces numbers, a kind or a shape.
void change_dataset(const std::string& name, Input& input) {
  const auto how = input.take<std::uint8_t>() % 16;
  if (how < 9) {  // one number of a table
    Hdf5File file = Hdf5File::open_for_writing(file_path(), file_path());
    std::vector<double> values;
    try {
      values = file.read_table(name);
    } catch (const tippe::FileError&) {
      return;
    }
    if (values.empty()) return;
    values[input.take<std::uint16_t>() % values.size()] = input.number();
    if (how == 8) values.resize(input.take<std::uint8_t>());
    file.write_numbers(name, values);
    return;
  }
  tippe::test::Hdf5Forgery forged(file_path());
  const hsize_t length = input.take<std::uint8_t>();
  switch (how) {
    case 9:
      return forged.integers(name, length);
    case 10:
      return forged.letters(name, length + 1);
    case 11:
      return forged.variable_text(name);
    case 12:
      return forged.sparse(name, {hsize_t{1} << (length % 48), 1 + length % 3});
    case 13:
      return forged.group(name);
    case 14:
      return forged.link_to_itself(name);
    default:
      return forged.remove(name);
  }
}

void change_attribute(const std::string& object, const std::string& name, Input& input) {
  const auto how = input.take<std::uint8_t>() % 8;
  if (how == 0) return tippe::test::Hdf5Forgery(file_path()).long_attribute(object, name, 1 + input.take<std::uint8_t>());
  Hdf5File file = Hdf5File::open_for_writing(file_path(), file_path());
  if (how == 1) return file.set(object, name, std::string(input.take<std::uint8_t>(), 'a'));
  if (how == 2) return file.set(object, name, input.take<std::int64_t>());
  file.set(object, name, input.number());
}

/// Goes on for some steps.
void resume() {
  const tippe::ResumedScene resumed = tippe::resume_scene(file_path(), "0.07");
  const tippe::Scene& scene = resumed.scene;
  tippe::Recording recording(file_path(), *scene.system, scene.run, resumed.recorded.checkpoint);
  int steps = 0;
  std::atomic<bool> stop{false};
  (void)tippe::simulate(*scene.system, scene.start, scene.run,
                        {.recorder = &recording,
                         .stop = &stop,
                         .from = &resumed.recorded.checkpoint,
                         .after_step = [&](const tippe::StepView&) { stop = ++steps > 20; }});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tippe;
  Input input(data, size);
  const Seed& seed = seeds()[input.take<std::uint8_t>() % seeds().size()];
  std::ofstream(file_path(), std::ios::binary).write(seed.bytes.data(), static_cast<std::streamsize>(seed.bytes.size()));
  constexpr int kMostChanges = 4;
  for (int k = 0; k < kMostChanges && !input.empty(); ++k) {
    const auto which = input.take<std::uint16_t>() % (seed.datasets.size() + seed.attributes.size());
    try {
      if (which < seed.datasets.size()) {
        change_dataset(seed.datasets[which], input);
      } else {
        const auto& [object, name] = seed.attributes[which - seed.datasets.size()];
        change_attribute(object, name, input);
      }
    } catch (const FileError&) {  // an earlier change took it away
    }
  }
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const InputError&) {
    } catch (const FileError&) {
    }
  };
  attempt([] { (void)mean_forces(read_recording(file_path())); });
  attempt([] { (void)describe_run(read_summary(file_path()).summary); });
  attempt([] { (void)read_recorded_events(file_path()); });
  attempt(resume);
  return 0;
}
