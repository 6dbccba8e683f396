// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"

namespace tippe {

/// The report of a recording that may still grow, or of several runs of one system over each other, kept in memory for those who ask. It
/// is made anew when a file has changed, but not so often that it would take more than a sixth of the time. Calls may come from several
/// threads.
class ServedReport {
 public:
  /// Throws what read_state() throws, and InputError if several recordings are not of one system.
  explicit ServedReport(std::vector<std::filesystem::path> recordings);

  /// The page, without data: it fetches data.json, and asks for state.json while the run goes on.
  [[nodiscard]] static std::string page();
  /// data.json: the document of a report (report_document()).
  [[nodiscard]] std::shared_ptr<const std::string> document();
  /// state.json: {"status", "stamp", "samples", "t", "message"}. The stamp is another one when data.json is; samples and t are those of
  /// the last sample. The status is that of the run; of several runs "running" while one does. It is "gone", with the reason in message,
  /// when a recording cannot be read any more; data.json then stays as it was.
  [[nodiscard]] std::string state();

 private:
  /// Files as they are, "" where there is none.
  [[nodiscard]] std::vector<std::string> stamps() const;
  [[nodiscard]] std::string document_of(const std::vector<RecordedState>& states) const;
  void read();
  void refresh();

  std::vector<std::filesystem::path> recordings_;
  std::mutex mutex_;
  std::vector<std::string> stamps_;  // of what was read
  std::shared_ptr<const std::string> document_;
  RunStatus status_ = RunStatus::kRunning;
  bool gone_ = false;  // cannot be read any more: the rest is as it was last
  std::string message_;
  size_t samples_ = 0;
  double time_ = 0.0;  // s
  std::chrono::steady_clock::time_point next_read_;
};

}  // namespace tippe
