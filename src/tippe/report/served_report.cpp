// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/served_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tippe/core/error.h"
#include "tippe/report/page.h"
#include "tippe/report/recorded_comparison.h"
#include "tippe/report/report.h"

namespace tippe {
namespace {

constexpr const char* kGone = "gone";
constexpr int kRestPerRead = 5;  // how much longer than a reading took it waits before the next one

/// Where the samples end.
double last_time(const RecordedRun& run) {
  return run.time.empty() ? 0.0 : run.time.back();
}

}  // namespace

ServedReport::ServedReport(std::vector<std::filesystem::path> recordings) : recordings_(std::move(recordings)) {
  read();
}

std::string ServedReport::page() {
  return fill_page(R"({"format":"tippe-served","version":1})");
}

std::shared_ptr<const std::string> ServedReport::document() {
  const std::lock_guard lock(mutex_);
  refresh();
  return document_;
}

std::string ServedReport::state() {
  const std::lock_guard lock(mutex_);
  refresh();
  const nlohmann::ordered_json state = {{"status", gone_ ? kGone : name_of(status_)},
                                        {"stamp", fmt::format("{}", fmt::join(stamps_, " "))},
                                        {"samples", samples_},
                                        {"t", time_},
                                        {"message", message_}};
  return state.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

std::string ServedReport::document_of(const std::vector<RecordedState>& states) const {
  if (const RecordedState& first = states.front(); states.size() == 1)
    return report_document(first.run, describe_run(first.recorded.summary), outcome_of(first.run, first.recorded.summary));
  std::vector<std::string> names;
  for (const auto& recording : recordings_) names.push_back(recording.string());
  const Comparison comparison = compare_recordings(states, names);
  return comparison_document(comparison, tabulate(comparison));
}

std::vector<std::string> ServedReport::stamps() const {
  std::vector<std::string> stamps;
  for (const auto& recording : recordings_) stamps.push_back(recording_stamp(recording));
  return stamps;
}

void ServedReport::refresh() {
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_read_) return;
  const std::vector<std::string> found = stamps();
  if (found == stamps_ && !gone_) return;
  try {
    read();
  } catch (const std::runtime_error& error) {  // InputError, FileError
    if (stamps() == found) {                   // otherwise a run writes it faster than it can be read
      gone_ = true;
      message_ = error.what();
    }
  }
  const auto end = std::chrono::steady_clock::now();
  next_read_ = end + kRestPerRead * (end - begin);
}

void ServedReport::read() {
  std::vector<RecordedState> states;
  for (const auto& recording : recordings_) states.push_back(read_state(recording));
  document_ = std::make_shared<const std::string>(document_of(states));
  const RecordedState& first = states.front();
  stamps_.clear();
  samples_ = 0;
  time_ = last_time(first.run);
  status_ = first.run.status;
  gone_ = false;
  message_ = first.run.message;
  for (const RecordedState& state : states) {
    stamps_.push_back(state.stamp);
    samples_ += state.run.time.size();
    time_ = std::max(time_, last_time(state.run));
    if (state.run.status == RunStatus::kRunning) status_ = RunStatus::kRunning;
  }
}

}  // namespace tippe
