// SPDX-License-Identifier: Apache-2.0
// Includes point down the layers only. The list is that of docs/architecture.md.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "support/temporary_folder.h"

namespace tippe::layers_test {

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"storage", {"core"}},
    {"sets", {"core"}},
    {"problem", {"core", "sets"}},
    {"solve", {"core", "sets", "problem"}},
    {"modes", {"core", "sets", "problem", "solve"}},
    {"analyze", {"core", "sets", "problem", "solve", "modes"}},
    {"exchange", {"core", "storage", "sets", "problem"}},
    {"expr", {"core"}},
    {"model", {"core", "sets", "expr"}},
    {"collide", {"core", "expr", "model"}},
    {"contact", {"core", "problem", "model"}},
    {"integrate", {"core", "sets", "problem", "solve", "expr", "model", "contact"}},
    {"hybrid", {"core", "problem", "solve", "modes", "analyze", "expr", "model", "contact", "integrate"}},
    {"draw", {"core", "expr", "model", "collide"}},
    {"run", {"core", "model", "contact", "draw", "integrate", "hybrid"}},
    {"record", {"core", "storage", "model", "integrate", "run"}},
    {"scene", {"core", "sets", "expr", "model", "collide", "draw", "integrate", "run"}},
    {"report", {"core", "problem", "modes", "analyze", "model", "integrate", "hybrid", "run", "record"}},
    {"study",
     {"core", "storage", "problem", "solve", "modes", "analyze", "exchange", "model", "integrate", "hybrid", "run", "record",
      "scene", "report"}},
};

/// "solve/a.h includes tippe/model/b.h" for each include against the direction, below the folder `root`.
std::vector<std::string> violations(const std::filesystem::path& root) {
  std::vector<std::string> found;
  const std::regex include(R"re(^\s*#\s*include\s*[<"](tippe|cli|\.\.?)/([a-z0-9_]+)/?.*[>"])re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const std::string layer = std::filesystem::relative(entry.path(), root).begin()->string();
    const auto allowed = kMayInclude.find(layer);
    if (allowed == kMayInclude.end()) {
      found.push_back("no layer is called " + layer);
      continue;
    }
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      if (match[1] == "tippe" && (match[2] == layer || allowed->second.contains(match[2]))) continue;
      found.push_back(layer + "/" + entry.path().filename().string() + ": " + line);
    }
  }
  return found;
}

/// "solve/a.h: #include <CLI/CLI.hpp>" for each header that users include and that would make them parse a large library, or that
/// includes one of ours that they do not get: those in folders called detail are for our own sources.
std::vector<std::string> costly_includes(const std::filesystem::path& root) {
  std::vector<std::string> found;
  const std::regex costly(
      R"re(^\s*#\s*include\s*[<"](CLI/|toml\+\+/|nlohmann/(?!json_fwd\.hpp)|hdf5|H5|tippe/[a-z0-9_]+/detail/|)re"
      R"re(Eigen/(Dense|Sparse|Eigen|Cholesky|LU|QR|SVD|Eigenvalues|SparseLU|SparseQR|SparseCholesky|IterativeLinearSolvers)[>"]))re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".h" || entry.path().parent_path().filename() == "detail") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (std::regex_search(line, costly))
        found.push_back(std::filesystem::relative(entry.path(), root).string() + ": " + line);
    }
  }
  return found;
}

TEST(Layers, IncludesPointDownOnly) {
  const auto found = violations(std::string(TIPPE_SOURCE_DIR) + "/src/tippe");
  for (const std::string& violation : found) ADD_FAILURE() << violation;
}

TEST(Layers, APlantedViolationIsFound) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sets");
  std::ofstream(folder.path() / "sets" / "good.h") << "#include <Eigen/Core>\n#include \"tippe/core/error.h\"\n";
  EXPECT_TRUE(violations(folder.path()).empty());
  std::ofstream(folder.path() / "sets" / "bad.h") << "#include \"tippe/solve/solution.h\"\n";
  EXPECT_EQ(violations(folder.path()), std::vector<std::string>{"sets/bad.h: #include \"tippe/solve/solution.h\""});
  std::ofstream(folder.path() / "sets" / "bad.h") << "#include \"../solve/solution.h\"\n";
  EXPECT_EQ(violations(folder.path()).size(), 1u);
  std::filesystem::create_directories(folder.path() / "attic");
  std::ofstream(folder.path() / "attic" / "old.h") << "\n";
  EXPECT_EQ(violations(folder.path()).size(), 2u);
}

TEST(Layers, PublicHeadersAreCheapToInclude) {
  for (const std::string& include : costly_includes(std::string(TIPPE_SOURCE_DIR) + "/src/tippe")) ADD_FAILURE() << include;
}

TEST(Layers, APlantedCostlyIncludeIsFound) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sets" / "detail");
  std::ofstream(folder.path() / "sets" / "detail" / "private.h") << "#include <Eigen/SVD>\n";
  std::ofstream(folder.path() / "sets" / "source.cpp") << "#include <CLI/CLI.hpp>\n";
  std::ofstream(folder.path() / "sets" / "good.h")
      << "#include <Eigen/Core>\n#include <Eigen/SparseCore>\n#include <nlohmann/json_fwd.hpp>\n";
  EXPECT_TRUE(costly_includes(folder.path()).empty());
  for (const std::string include :
       {"<CLI/CLI.hpp>", "<toml++/toml.h>", "<nlohmann/json.hpp>", "<hdf5.h>", "<Eigen/Dense>", "<Eigen/SVD>",
        "<Eigen/Cholesky>", "<Eigen/SparseLU>", "\"tippe/sets/detail/private.h\""}) {
    std::ofstream(folder.path() / "sets" / "bad.h") << "#include " << include << '\n';
    EXPECT_EQ(costly_includes(folder.path()), std::vector<std::string>{"sets/bad.h: #include " + include});
  }
}

}  // namespace tippe::layers_test
