// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"

namespace tippe {

/// What to know of a run before its numbers: at most three sentences, and whether to look closer.
struct RunOutcome {
  enum class Tone { kGood, kLook, kBad } tone = Tone::kGood;
  std::vector<std::string> sentences = {};
};

/// `obeys`: what `verify` said, if it was asked.
[[nodiscard]] RunOutcome outcome_of(const RecordedRun& run, const RunSummary& summary,
                                    std::optional<bool> obeys = std::nullopt);

/// "3.2 mJ", "1.56 µm": three digits with a prefix, where the unit takes one; "0 J".
[[nodiscard]] std::string with_prefix(double value, const std::string& unit);

}  // namespace tippe
