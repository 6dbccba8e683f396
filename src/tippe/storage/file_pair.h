// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tippe {

/// The names of a file that is written while a program goes on which may be killed at any moment: the file under the name is always whole.
/// HDF5 changes many places of a file when a table grows, and a kill between two of them leaves a file that does not open or lacks rows.
/// Therefore there are two files. The one under the name is never touched; what is new goes into the other, NAME.next, and when that is whole
/// the two exchange their names in one atomic step.
class FilePair {
 public:
  explicit FilePair(std::filesystem::path path);
  /// Removes what is left beside the file; both files are closed then.
  ~FilePair();
  FilePair(const FilePair&) = delete;
  FilePair& operator=(const FilePair&) = delete;

  /// For a new file. Throws FileError if the name is that of something else, or if another run writes it.
  void begin_new();
  /// For one that goes on: both files are copies of what stands under the name.
  void begin_copies();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& next() const { return next_; }
  /// Where the second file waits until the first exchange.
  [[nodiscard]] const std::filesystem::path& last() const { return last_; }

  /// What is NAME.next is whole: it takes the name, and what had it is NAME.next.
  void exchange();
  /// What is NAME.next is whole and closed, and takes the name for good.
  void finish() const;

 private:
  std::filesystem::path path_, next_, last_;
  bool begun_ = false;
  bool named_ = false;  // whether the file under the name is ours: from the first exchange on
};

}  // namespace tippe
