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
    {"model", {"core", "sets", "problem", "expr"}},
    {"shape", {"core"}},
    {"multibody", {"core", "model", "shape"}},
    {"collide", {"core", "expr", "model", "shape"}},
    {"contact", {"core", "problem", "model"}},
    {"integrate", {"core", "sets", "problem", "solve", "expr", "model", "contact"}},
    {"hybrid", {"core", "problem", "solve", "modes", "analyze", "expr", "model", "contact", "integrate"}},
    {"draw", {"core", "shape", "expr", "model", "collide"}},
    {"run", {"core", "model", "contact", "draw", "integrate", "hybrid"}},
    {"record", {"core", "storage", "model", "integrate", "run"}},
    {"scene", {"core", "sets", "expr", "model", "shape", "multibody", "collide", "draw", "integrate", "run"}},
    {"verify", {"core", "expr", "model", "integrate", "run", "record", "scene"}},
    {"report", {"core", "problem", "modes", "analyze", "model", "integrate", "hybrid", "run", "record"}},
    {"study",
     {"core", "storage", "problem", "solve", "modes", "analyze", "exchange", "model", "contact", "integrate", "hybrid",
      "run", "record", "scene", "report"}},
    {"sweep", {"core", "storage", "expr", "model", "integrate", "hybrid", "run", "record", "scene", "report"}},
};

/// "solve/a.h includes tippe/model/b.h" for each include against the direction, below the folder `root`.
std::vector<std::string> violations(const std::filesystem::path& root) {
  std::vector<std::string> found;
  const std::regex include(R"re(^\s*#\s*include\s*[<"](tippe|cli|\.\.?)/([a-z0-9_]+)/?.*[>"])re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path() == root / "tippe.h") continue;  // that is above all of them
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

/// The string literals of a source, ordinary and raw ones, one per line.
std::string literals(const std::string& source) {
  static const std::regex token(
      R"re(//[^\n]*|/\*[\s\S]*?\*/|'(?:[^'\\]|\\.)'|R"(\w*)\(([\s\S]*?)\)\1"|"((?:[^"\\\n]|\\.)*)")re");
  std::string text;
  for (std::sregex_iterator match(source.begin(), source.end(), token), end; match != end; ++match) {
    if ((*match)[2].matched) text += (*match)[2].str() + "\n";
    if ((*match)[3].matched) text += (*match)[3].str() + "\n";
  }
  return text;
}

/// "solve/a.cpp: --tol" for each option of the program, or 'tippe COMMAND', that a text of the library names: what users of a library read
/// is worded by its front ends.
std::vector<std::string> command_line_words(const std::filesystem::path& root) {
  const std::regex words(
      R"re((^|[^-\w])(--[a-z{][a-z{}-]*|tippe (run|compare|check|analyze|modes|orbit|lyapunov|solve|list|view|show|verify|export|sweep)\b))re");
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().filename() == "analysis_style.h")
      continue;  // CSS has variables called --text
    std::ifstream file(entry.path());
    const std::string text = literals({std::istreambuf_iterator<char>(file), {}});
    for (std::sregex_iterator match(text.begin(), text.end(), words), end; match != end; ++match)
      found.push_back(std::filesystem::relative(entry.path(), root).string() + ": " + (*match)[2].str());
  }
  return found;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "run/simulate.h" for each header of ours that a file includes.
std::vector<std::string> includes_of(const std::filesystem::path& path) {
  const std::regex include(R"re(^\s*#\s*include\s*[<"]tippe/(.*)[>"])re");
  std::vector<std::string> found;
  for (const std::string& line : lines_of(path)) {
    std::smatch match;
    if (std::regex_search(line, match, include)) found.push_back(match[1]);
  }
  return found;
}

/// All that a header reaches through includes, itself too; `root` is the folder with the layers.
std::set<std::string> reached_from(const std::string& header, const std::filesystem::path& root) {
  std::set<std::string> reached;
  std::vector<std::string> waiting = {header};
  while (!waiting.empty()) {
    const std::string next = waiting.back();
    waiting.pop_back();
    if (!reached.insert(next).second) continue;
    for (const std::string& included : includes_of(root / next)) waiting.push_back(included);
  }
  return reached;
}

/// What is installed: the list, and the generated version.h.
std::set<std::string> public_headers() {
  const auto lines = lines_of(std::string(TIPPE_SOURCE_DIR) + "/src/public_headers.txt");
  std::set<std::string> headers(lines.begin(), lines.end());
  headers.insert("core/version.h");
  return headers;
}

TEST(Layers, IncludesPointDownOnly) {
  const auto found = violations(std::string(TIPPE_SOURCE_DIR) + "/src/tippe");
  for (const std::string& violation : found) ADD_FAILURE() << violation;
}

// The judge of recordings shares no code with what it judges: of the simulation it takes types alone, and what reads scenes and recordings.
TEST(Layers, TheJudgeOfRecordingsTakesTypesAlone) {
  const std::set<std::string> types = {"core/error.h",          "expr/graph.h",           "integrate/event.h",
                                       "model/force_law.h",     "model/friction_curve.h", "model/lagrangian.h",
                                       "record/recorded_run.h", "run/run_options.h",      "run/run_summary.h",
                                       "run/simulate.h",        "scene/scene.h"};
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/src/tippe/verify")) {
    for (const std::string& header : includes_of(entry.path())) {
      EXPECT_TRUE(header.starts_with("verify/") || types.contains(header)) << entry.path() << " includes " << header;
    }
  }
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

// Users include tippe/tippe.h; what they get is what it reaches, and no header that is not installed can be reached.
TEST(Layers, TheInstalledHeadersAreThoseThatTheFacadeReaches) {
  const std::filesystem::path root = std::string(TIPPE_SOURCE_DIR) + "/src/tippe";
  EXPECT_EQ(reached_from("tippe.h", root), public_headers());
  EXPECT_LE(public_headers().size(), 61u);
}

TEST(Layers, IncludesAreFollowed) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sets");
  std::ofstream(folder.path() / "tippe.h") << "#include \"tippe/sets/a.h\"\n#include <vector>\n";
  std::ofstream(folder.path() / "sets" / "a.h") << "#include <tippe/sets/b.h>\n#include \"tippe/tippe.h\"\n";
  EXPECT_EQ(reached_from("tippe.h", folder.path()), (std::set<std::string>{"tippe.h", "sets/a.h", "sets/b.h"}));
}

TEST(Layers, ExamplesIncludeTheFacadeAlone) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/examples/cpp")) {
    if (entry.path().extension() != ".cpp") continue;
    ++files;
    EXPECT_EQ(includes_of(entry.path()), std::vector<std::string>{"tippe.h"}) << entry.path();
  }
  EXPECT_GE(files, 4);
}

// The Python module is built from this tree: what it takes beside the installed headers is listed.
TEST(Layers, ThePythonModuleNamesTheInternalHeadersThatItTakes) {
  const std::string python = std::string(TIPPE_SOURCE_DIR) + "/python";
  const auto lines = lines_of(python + "/internal_headers.txt");
  const std::set<std::string> allowed(lines.begin(), lines.end()), installed = public_headers();
  std::set<std::string> taken;
  for (const auto& entry : std::filesystem::directory_iterator(python + "/src")) {
    for (const std::string& header : includes_of(entry.path())) {
      if (!installed.contains(header)) taken.insert(header);
    }
  }
  EXPECT_EQ(taken, allowed);
}

TEST(Layers, TheLibraryKnowsNoWordsOfTheCommandLine) {
  for (const std::string& word : command_line_words(std::string(TIPPE_SOURCE_DIR) + "/src/tippe")) ADD_FAILURE() << word;
}

TEST(Layers, APlantedWordOfTheCommandLineIsFound) {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& text) { std::ofstream(folder.path() / "a.cpp") << text; };
  write("// --until\n/* \"--until\" */ char c = '\"'; int i = 3; --i; f(\"a -- b\", \"a---b\", \"tippe running\");\n");
  EXPECT_TRUE(command_line_words(folder.path()).empty());
  write("f(\"say \\\"x\\\" or --until\");");
  EXPECT_EQ(command_line_words(folder.path()), std::vector<std::string>{"a.cpp: --until"});
  write("f(\"--{}: {}\");");
  EXPECT_EQ(command_line_words(folder.path()).size(), 1u);
  write("f(R\"x(\nuse \"tippe run\" instead)x\");");
  EXPECT_EQ(command_line_words(folder.path()), std::vector<std::string>{"a.cpp: tippe run"});
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
