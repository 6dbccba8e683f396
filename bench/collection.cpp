// SPDX-License-Identifier: Apache-2.0
#include "collection.h"

#include <algorithm>
#include <map>

#include "tippe/core/error.h"
#include "tippe/record/hdf5_file.h"

namespace tippe::bench {
namespace {

/// An FCLIB local file with W by compressed rows.
NamedProblem read_local(const std::filesystem::path& path, const std::string& name) {
  const Hdf5File file = Hdf5File::open(path);
  const auto read = [&](const std::string& dataset) { return file.read_table("fclib_local/" + dataset); };
  const int d = static_cast<int>(read("spacedim").at(0));
  const std::vector<double> start = read("W/p"), column = read("W/i"), value = read("W/x"), q = read("vectors/q"),
                            mu = read("vectors/mu");

  NamedProblem result{name, d, {}};
  const int contacts = static_cast<int>(mu.size());
  BlockSparseMatrix& G = result.problem.G.blocks;
  for (int i = 0; i < contacts; ++i) G.declare_row(d);
  for (int i = 0; i < contacts; ++i) {
    std::map<int, std::vector<double>> blocks;
    blocks[i].resize(d * d);
    for (int r = 0; r < d; ++r) {
      for (int p = static_cast<int>(start[d * i + r]); p < static_cast<int>(start[d * i + r + 1]); ++p) {
        const int j = static_cast<int>(column[p]);
        std::vector<double>& block = blocks[j / d];
        block.resize(d * d);
        block[r * d + j % d] = value[p];
      }
    }
    for (const auto& [j, block] : blocks) std::copy(block.begin(), block.end(), G.add_block(j));
    G.finish_row();
    result.problem.laws.emplace_back(CoulombContact{mu[i], mu[i]});
  }
  result.problem.c = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  return result;
}

}  // namespace

std::vector<NamedProblem> read_collection(const std::filesystem::path& folder) {
  std::vector<NamedProblem> problems;
  for (const std::string kind : {"fc3d", "fc2d"}) {
    if (!std::filesystem::is_directory(folder / kind)) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / kind)) {
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) problems.push_back(read_local(path, kind + "/" + path.stem().string()));
  }
  if (problems.empty()) throw FileError(folder.string() + ": no fc3d/*.hdf5 and no fc2d/*.hdf5");
  return problems;
}

}  // namespace tippe::bench
