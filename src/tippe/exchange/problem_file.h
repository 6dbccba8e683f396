// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "tippe/problem/complementarity.h"
#include "tippe/problem/global_friction.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

class Hdf5File;

/// What a problem file holds; told apart by its content. Layouts: docs/problem_files.md.
enum class ProblemKind {
  kFc3d,       // FCLIB local, friction in space
  kFc2d,       // FCLIB local, friction in the plane
  kGfc3d,      // FCLIB global
  kGfc2d,      // FCLIB global
  kLcp,        // linear complementarity
  kMlcp,       // mixed linear complementarity
  kInclusion,  // our own group, for every InclusionProblem
};
/// "fc3d", "gfc2d", "inclusion".
[[nodiscard]] const char* name_of(ProblemKind kind);

struct StoredProblem {
  ProblemKind kind = ProblemKind::kInclusion;
  std::variant<InclusionProblem, LcpProblem, MlcpProblem> problem;
  std::optional<GlobalFrictionProblem> global;  // of an FCLIB global file, whose `problem` is the condensed one
};

/// Reads a problem. Throws InputError with the file, the place inside it and the rule that it breaks, or FileError for what is
/// missing, damaged or no HDF5 file. Sizes are checked before memory is taken. HDF5 1.10 itself may crash on some damaged files.
[[nodiscard]] StoredProblem read_problem(const std::filesystem::path& path);
[[nodiscard]] StoredProblem read_problem(const Hdf5File& file);

/// All writers replace a file of that name in one atomic step and throw FileError if they cannot. `title` is for the reader.

/// As FCLIB local where that can hold the problem, else as our own group. FCLIB has no parts: whoever reads the file judges the
/// problem as a whole. Returns what was written.
ProblemKind write_problem(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title = {});
/// Whether FCLIB local can hold it: only isotropic Coulomb contacts with the same number of rows, nothing beside them, at least one,
/// and G explicit or with at most 3000 rows.
[[nodiscard]] bool fits_fclib_local(const InclusionProblem& problem);
/// The problem must fit. Reading gives the same bits, but no parts; a factored G becomes an explicit one.
void write_fclib_local(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title = {});
void write_fclib_global(const std::filesystem::path& path, const GlobalFrictionProblem& problem,
                        const std::string& title = {});
/// Our own group: every InclusionProblem, to the bit.
void write_inclusion(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title = {});
void write_lcp(const std::filesystem::path& path, const LcpProblem& problem);
void write_mlcp(const std::filesystem::path& path, const MlcpProblem& problem);

}  // namespace tippe
