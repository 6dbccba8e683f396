// SPDX-License-Identifier: Apache-2.0
// Whatever numbers stand in the datasets of a problem file, it is a problem, an InputError or a FileError: nothing else may leave
// the readers, nothing may crash in them, and what they accept can be used. The files are sound as HDF5 files: the library itself
// crashes on some that are not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "support/problem_seeds.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/problem/residual.h"

namespace {

using tippe::Hdf5File;

struct Seed {
  std::string image;
  std::vector<std::string> datasets;
};

const std::vector<Seed>& seeds() {
  static const std::vector<Seed> all = [] {
    const tippe::test::TemporaryFolder folder;
    tippe::test::write_problem_seeds(folder.path());
    std::vector<std::string> names = {"M", "q", "A", "B", "C", "D", "a", "b"};
    for (const char* group : {"fclib_local", "fclib_global"}) {
      for (const char* name : {"spacedim", "vectors/q", "vectors/mu", "vectors/f", "vectors/w"})
        names.push_back(std::string(group) + "/" + name);
      for (const char* matrix : {"W", "M", "H"}) {
        for (const char* name : {"m", "n", "nzmax", "nz", "p", "i", "x"})
          names.push_back(std::string(group) + "/" + matrix + "/" + name);
      }
    }
    for (const char* name : {"version",  "laws/kind", "laws/rows", "laws/drilling_set", "laws/lower", "laws/upper",
                             "laws/mu1", "laws/mu2",  "laws/Rbar", "laws/extra_normal", "c",          "part",
                             "factored", "G/start",   "G/column",  "G/value",           "Y/rows",     "Y/start",
                             "Y/row",    "Y/value"})
      names.push_back(std::string("tippe_inclusion/") + name);
    std::vector<Seed> result;
    for (const char* file : {"fc2d", "fc3d", "inclusion", "factored", "global", "global_triplets", "lcp", "mlcp"}) {
      std::ostringstream bytes;
      bytes << std::ifstream(folder.path() / file, std::ios::binary).rdbuf();
      Seed seed{bytes.str(), {}};
      const Hdf5File opened = Hdf5File::open_image(seed.image, "seed");
      for (const std::string& name : names) {
        if (opened.has(name)) seed.datasets.push_back(name);
      }
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

 private:
  const std::uint8_t* data_;
  size_t size_;
};

/// Replaces one dataset, or one of its entries, by numbers of the input.
void change(Hdf5File& file, const std::vector<std::string>& datasets, Input& input) {
  const std::string& name = datasets[input.take<std::uint8_t>() % datasets.size()];
  const auto how = input.take<std::uint8_t>();
  const bool integers = file.extent(name).integers;
  const auto number = [&] { return integers ? static_cast<double>(input.take<std::int32_t>()) : input.take<double>(); };
  std::vector<double> values = file.read_table(name);
  if (how % 4 != 0 && !values.empty()) {
    values[input.take<std::uint8_t>() % values.size()] =
        how % 4 == 1 ? number() : static_cast<double>(input.take<std::int8_t>());
  } else {
    values.resize(how / 4);
    for (double& value : values) value = number();
  }
  file.write_numbers(name, values, integers == (how % 4 != 3));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tippe;
  Input input(data, size);
  const Seed& seed = seeds()[input.take<std::uint8_t>() % seeds().size()];
  Hdf5File file = Hdf5File::open_image(seed.image, "fuzz.hdf5");
  constexpr int kMostChanges = 6;
  for (int k = 0; k < kMostChanges && !input.empty(); ++k) change(file, seed.datasets, input);
  try {
    const StoredProblem stored = read_problem(file);
    if (const auto* problem = std::get_if<InclusionProblem>(&stored.problem)) {
      ResidualWork work;
      (void)evaluate_residual(*problem, Eigen::VectorXd::Ones(problem->rows()), work);
      if (problem->laws.size() != static_cast<size_t>(problem->G.blocks.blocks())) std::abort();
    }
  } catch (const InputError&) {
  } catch (const FileError&) {
  }
  return 0;
}
