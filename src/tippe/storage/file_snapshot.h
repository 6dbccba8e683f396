// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace tippe {

/// Which content of a file lies under a name: changes whenever the file is written, or another one takes its name. Empty if there is
/// no file.
[[nodiscard]] std::string file_stamp(const std::filesystem::path& path);

/// All bytes of a file as they were at one moment.
class FileSnapshot {
 public:
  /// Reads a file that a run may be writing (record/recording.h). A run changes only the file that does not have the name, so what has the
  /// name when it is opened is whole, until it has lost the name and is written again: if that happens before all of it is read, another
  /// try is made, for some seconds. Takes no lock and minds none. Throws FileError.
  explicit FileSnapshot(const std::filesystem::path& path);

  [[nodiscard]] std::span<const char> bytes() const { return {bytes_.get(), size_}; }
  /// The file_stamp() that it had.
  [[nodiscard]] const std::string& stamp() const { return stamp_; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  std::string stamp_;
};

}  // namespace tippe
