// SPDX-License-Identifier: Apache-2.0
#include "tippe/storage/file_pair.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tippe/core/error.h"

namespace tippe {
namespace {

std::filesystem::path with_suffix(const std::filesystem::path& path, const char* suffix) {
  return path.string() + suffix;
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot create the file ({})", to.string(), std::strerror(errno)));
}

/// HDF5 locks a file while it is open for writing; a file left by a killed run is not locked.
void refuse_two_writers(const std::filesystem::path& path, const std::filesystem::path& next) {
  const int file = open(next.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const bool locked = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  if (locked) throw FileError(fmt::format("{}: another run is writing this file", path.string()));
}

/// A recording takes the name of a file, not that of a device or a folder.
void refuse_what_is_no_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw FileError(fmt::format("{}: not a regular file, and left alone", path.string()));
}

/// A kill between two system calls of a flush may leave NAME and NAME.last, or NAME.next, as two names of one file. Whoever is about to write
/// one of these names takes it away first: nothing is written under the other one.
void take_away(const std::filesystem::path& name) {
  std::error_code ignored;
  std::filesystem::remove(name, ignored);
}

void copy_file_to(const std::filesystem::path& from, const std::filesystem::path& to) {
  take_away(to);
  std::error_code trouble;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, trouble);
  if (trouble) throw FileError(fmt::format("{}: cannot copy the recording ({})", to.string(), trouble.message()));
}

}  // namespace

FilePair::FilePair(std::filesystem::path path)
    : path_(std::move(path)), next_(with_suffix(path_, ".next")), last_(with_suffix(path_, ".last")) {}

FilePair::~FilePair() {
  if (!begun_) return;
  take_away(next_);
  take_away(last_);
}

void FilePair::begin_new() {
  refuse_what_is_no_file(path_);
  refuse_two_writers(path_, next_);
  begun_ = true;
  // The first takes the name, whatever stood there, with the first exchange; whoever still reads the old file keeps it.
  take_away(next_);
  take_away(last_);
}

void FilePair::begin_copies() {
  refuse_two_writers(path_, next_);
  begun_ = true;
  copy_file_to(path_, next_);
  copy_file_to(path_, last_);
}

/// In one atomic step. At the first exchange there is no NAME, or an old one of another run; the second file waits as NAME.last.
void FilePair::exchange() {
  // A file system without hard links leaves a moment without a file of that name; both files are whole then.
  if (named_ && link(path_.c_str(), last_.c_str()) != 0) rename_file(path_, last_);
  rename_file(next_, path_);
  named_ = true;
  rename_file(last_, next_);
}

void FilePair::finish() const {
  rename_file(next_, path_);
}

}  // namespace tippe
