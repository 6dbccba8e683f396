// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"

namespace tippe {

/// A line of the summary: "impacts", "24".
struct SummaryLine {
  std::string label;
  std::string value;
};
[[nodiscard]] std::vector<SummaryLine> describe_run(const RunSummary& summary);

/// What to know of a run before its numbers: at most three sentences, and whether to look closer.
struct RunOutcome {
  enum class Tone { kGood, kLook, kBad } tone = Tone::kGood;
  std::vector<std::string> sentences = {};
};
/// `obeys`: what `verify` said, if it was asked.
[[nodiscard]] RunOutcome outcome_of(const RecordedRun& run, const RunSummary& summary,
                                    std::optional<bool> obeys = std::nullopt);

/// The summary of `tippe run`: what ran, and one line for each number. Warnings are left out: they have their own place.
[[nodiscard]] std::string summary_text(const RunHead& head, const std::vector<SummaryLine>& lines);
/// A recorded run as a JSON document, as viewer/src/data.ts defines it.
[[nodiscard]] std::string report_document(const RecordedRun& run, const std::vector<SummaryLine>& summary,
                                          const RunOutcome& outcome = {});

/// The page of a recorded run: one self-contained HTML text.
[[nodiscard]] std::string make_report(const RecordedRun& run, const std::vector<SummaryLine>& summary,
                                      const RunOutcome& outcome = {});

/// Writes the page of a recording. `obeys`: what `verify` said, if it was asked. Throws FileError.
void write_report(const std::filesystem::path& recording, const std::vector<SummaryLine>& summary,
                  const std::filesystem::path& page, std::optional<bool> obeys = std::nullopt);

}  // namespace tippe
