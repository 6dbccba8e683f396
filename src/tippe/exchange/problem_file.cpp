// SPDX-License-Identifier: Apache-2.0
#include "tippe/exchange/problem_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tippe/core/error.h"
#include "tippe/exchange/formats.h"

namespace tippe {
const char* name_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kFc3d:
      return "fc3d";
    case ProblemKind::kFc2d:
      return "fc2d";
    case ProblemKind::kGfc3d:
      return "gfc3d";
    case ProblemKind::kGfc2d:
      return "gfc2d";
    case ProblemKind::kLcp:
      return "lcp";
    case ProblemKind::kMlcp:
      return "mlcp";
    case ProblemKind::kInclusion:
      return "inclusion";
  }
  return "";
}

StoredProblem read_problem(const std::filesystem::path& path) {
  return read_problem(Hdf5File::open(path));
}

StoredProblem read_problem(const Hdf5File& file) {
  const DatasetReader reader(file);
  if (reader.has("fclib_local")) return read_fclib_local(reader);
  if (reader.has("fclib_global")) return read_fclib_global(reader);
  if (reader.has("tippe_inclusion")) return read_inclusion(reader);
  if (reader.has("M")) return read_lcp(reader);
  if (reader.has("A")) return read_mlcp(reader);
  const bool recording = reader.has("samples") && reader.has("steps");
  if (recording) throw InputError({file.name(), 0, 0}, "is a recording, not a problem", Remedy::kExtractProblem);
  throw InputError(
      {file.name(), 0, 0},
      "holds no problem: neither fclib_local, fclib_global or tippe_inclusion, nor the datasets of an LCP (M, q) "
      "or MLCP (A, B, C, D, a, b)");
}

ProblemKind write_problem(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title) {
  if (!fits_fclib_local(problem)) {
    write_inclusion(path, problem, title);
    return ProblemKind::kInclusion;
  }
  write_fclib_local(path, problem, title);
  return problem.G.blocks.block_size(0) == 3 ? ProblemKind::kFc3d : ProblemKind::kFc2d;
}

void write_whole_file(const std::filesystem::path& path, const std::function<void(Hdf5File&)>& fill) {
  const std::filesystem::path next = path.string() + ".next";
  try {
    Hdf5File file = Hdf5File::create(next, path);
    fill(file);
    file.flush();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(next, ignored);
    throw;
  }
  if (std::rename(next.c_str(), path.c_str()) == 0) return;
  const std::string why = std::strerror(errno);
  std::error_code ignored;
  std::filesystem::remove(next, ignored);
  throw FileError(fmt::format("{}: cannot create the file ({})", path.string(), why));
}

void write_integers(Hdf5File& file, const std::string& name, const std::vector<int>& values) {
  file.write_numbers(name, std::vector<double>(values.begin(), values.end()), true);
}

void write_integer(Hdf5File& file, const std::string& name, int value) {
  write_integers(file, name, {value});
}

void write_vector(Hdf5File& file, const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& values) {
  file.write_numbers(name, {values.data(), static_cast<size_t>(values.size())});
}

}  // namespace tippe
