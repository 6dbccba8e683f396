// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recording.h"

#include "tippe/record/recording_file.h"
#include "tippe/storage/file_pair.h"

namespace tippe {

Recording::Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin,
                     const RunOptions& options, double t0)
    : files_(std::make_unique<FilePair>(path)),
      checkpoint_(std::make_unique<Checkpoint>()),
      last_flush_(std::chrono::steady_clock::now()) {
  files_->begin_new();
  next_ = std::make_unique<RecordingFile>(files_->next(), path, system, origin, options, t0);
  published_ = std::make_unique<RecordingFile>(files_->last(), path, system, origin, options, t0);
}

Recording::Recording(const std::filesystem::path& path, const System& system, const RunOptions& options,
                     const Checkpoint& checkpoint)
    : files_(std::make_unique<FilePair>(path)),
      checkpoint_(std::make_unique<Checkpoint>(checkpoint)),
      last_flush_(std::chrono::steady_clock::now()) {
  files_->begin_copies();
  next_ = std::make_unique<RecordingFile>(files_->next(), path, system, options, checkpoint);
  published_ = std::make_unique<RecordingFile>(files_->last(), path, system, options, checkpoint);
}

Recording::~Recording() = default;

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
  files_->exchange();
  std::swap(next_, published_);
  last_flush_ = std::chrono::steady_clock::now();
}

void Recording::finish(const RunSummary& summary) {
  write_next(summary);
  next_.reset();  // closing moves things about in the file: not under its name
  files_->finish();
}

}  // namespace tippe
