// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tippe/core/error.h"
#include "tippe/record/recording_file.h"

namespace tippe {
namespace {

std::filesystem::path with_suffix(const std::filesystem::path& path, const char* suffix) {
  return path.string() + suffix;
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  throw FileError(fmt::format("{}: cannot {} the file ({})", path.string(), action, std::strerror(errno)));
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail(to, "create");
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

void copy_recording(const std::filesystem::path& from, const std::filesystem::path& to) {
  take_away(to);
  std::error_code trouble;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, trouble);
  if (trouble) throw FileError(fmt::format("{}: cannot copy the recording ({})", to.string(), trouble.message()));
}

}  // namespace

Recording::Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin,
                     const RunOptions& options, double t0)
    : path_(path),
      next_path_(with_suffix(path, ".next")),
      checkpoint_(std::make_unique<Checkpoint>()),
      last_flush_(std::chrono::steady_clock::now()) {
  refuse_what_is_no_file(path_);
  refuse_two_writers(path_, next_path_);
  take_away(next_path_);
  take_away(with_suffix(path, ".last"));
  // The first takes the name, whatever stood there, with the first flush; whoever still reads the old file keeps it.
  next_ = std::make_unique<RecordingFile>(next_path_, path_, system, origin, options, t0);
  published_ = std::make_unique<RecordingFile>(with_suffix(path, ".last"), path_, system, origin, options, t0);
}

Recording::Recording(const std::filesystem::path& path, const System& system, const RunOptions& options,
                     const Checkpoint& checkpoint)
    : path_(path),
      next_path_(with_suffix(path, ".next")),
      checkpoint_(std::make_unique<Checkpoint>(checkpoint)),
      last_flush_(std::chrono::steady_clock::now()) {
  refuse_two_writers(path_, next_path_);
  for (const auto& [file, place] : {std::pair{&next_, next_path_}, std::pair{&published_, with_suffix(path, ".last")}}) {
    copy_recording(path_, place);
    *file = std::make_unique<RecordingFile>(place, path_, system, options, checkpoint);
  }
}

Recording::~Recording() {
  next_.reset();
  published_.reset();
  std::error_code ignored;
  std::filesystem::remove(next_path_, ignored);
  std::filesystem::remove(with_suffix(path_, ".last"), ignored);
}

void Recording::add_sample(const Sample& sample) {
  for (auto* file : {&next_, &published_}) (*file)->add_sample(sample);
}

void Recording::add_step(double time, const StepReport& report, double energy, double work) {
  for (auto* file : {&next_, &published_}) (*file)->add_step(time, report, energy, work);
}

void Recording::add_impact(const Impact& impact, std::span<const double> impulse) {
  for (auto* file : {&next_, &published_}) (*file)->add_impact(impact, impulse);
}

void Recording::add_event(const Event& event) {
  for (auto* file : {&next_, &published_}) (*file)->add_event(event);
}

bool Recording::flush_is_due() const {
  return next_->much_waits() || std::chrono::steady_clock::now() - last_flush_ > flush_interval_;
}

void Recording::set_checkpoint(const Checkpoint& checkpoint) {
  *checkpoint_ = checkpoint;
  next_->count_rows(*checkpoint_);
}

void Recording::write_next(const RunSummary& summary) {
  next_->write_checkpoint(*checkpoint_);
  next_->write_summary(summary);
  next_->flush();
}

void Recording::flush(const RunSummary& summary) {
  write_next(summary);
  exchange_names();
  std::swap(next_, published_);
  last_flush_ = std::chrono::steady_clock::now();
}

/// Afterwards NAME is what was NAME.next, in one atomic step; what was NAME is NAME.next. At the first flush there is no NAME,
/// or an old one of another run; the second file waits as NAME.last.
void Recording::exchange_names() {
  const std::filesystem::path last = with_suffix(path_, ".last");
  // A file system without hard links leaves a moment without a file of that name; both files are whole then.
  if (named_ && link(path_.c_str(), last.c_str()) != 0) rename_file(path_, last);
  rename_file(next_path_, path_);
  named_ = true;
  rename_file(last, next_path_);
}

void Recording::finish(const RunSummary& summary) {
  write_next(summary);
  next_.reset();  // closing moves things about in the file: not under its name
  rename_file(next_path_, path_);
}

}  // namespace tippe
