// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "tippe/storage/hdf5_file.h"
#include "tippe/sweep/basin.h"
#include "tippe/sweep/sweep_plan.h"

namespace tippe {

inline constexpr std::string_view kSweepFormat = "tippe-sweep";
inline constexpr std::int64_t kSweepFormatVersion = 1;

class FilePair;

/// The result of a sweep, written while it goes on (docs/howto/sweeps.md has the layout). Rows come in the order of the points. May be killed at any
/// moment: the file under the name is always whole.
class SweepFile {
 public:
  /// A new one, or one that exists, to go on with it.
  SweepFile(const std::filesystem::path& path, const SweepPlan& plan, bool exists);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  /// `attractors`: of a basin, those so far.
  void add(const SweepRow& row, const std::vector<Attractor>& attractors);
  /// Brings everything so far to disk.
  void flush();
  /// `status`: "ok", "failed" if runs did, or "interrupted".
  void finish(const std::string& status);

 private:
  class Contents;
  std::unique_ptr<FilePair> files_;  // removes what is left after both below are closed
  std::unique_ptr<Contents> next_, published_;
  const PointSet* points_;
};

/// What a sweep is asked for, and how far it came.
struct RecordedSweep {
  SweepRequest request;
  std::string program, title, status;
  size_t varied = 0;  // names
  std::int64_t rows = 0, failed = 0;
  std::vector<std::string> attractors;  // of a basin, by number: "orbit of period 2", "escape"
};
/// Throws FileError if the file is no sweep or damaged.
[[nodiscard]] RecordedSweep read_sweep(const std::filesystem::path& path);

/// What the rest of a sweep needs of what is done.
struct SweepDone {
  std::int64_t rows = 0, failed = 0;
  std::optional<FollowedState> last;  // where points are followed
  std::vector<Attractor> attractors;  // of a basin
};
[[nodiscard]] SweepDone read_sweep_done(const std::filesystem::path& path, const SweepPlan& plan);
/// Whether a file says of itself that it is one. Throws FileError if it is no HDF5 file.
[[nodiscard]] bool is_sweep(const std::filesystem::path& path);

/// The table of a sweep with one line for each run, or for each point of its section.
struct SweepTable {
  std::vector<std::string> names;               // of final states with "final " before
  std::vector<double> values;                   // row by row
  std::vector<std::vector<std::string>> words;  // of each column; empty: numbers. Else the words that its numbers stand for
};
[[nodiscard]] SweepTable read_sweep_runs(const std::filesystem::path& path);
[[nodiscard]] SweepTable read_sweep_section(const std::filesystem::path& path);

}  // namespace tippe
