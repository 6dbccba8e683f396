// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/analysis.h"

namespace tippe {

/// Where an instant comes from, for headings.
struct AnalysisSource {
  std::string file;
  std::optional<double> time;  // s  absent for a problem file
};

/// An answer in plain words: what was found, what it means, what one would do about it.
struct Finding {
  enum class Tone { kGood, kBad, kOpen, kPlain };
  std::string topic;   // "Motion"
  std::string answer;  // "unique"
  Tone tone = Tone::kPlain;
  std::string text;  // whole sentences
};

/// What a reader should know, in the order in which the questions build on each other.
[[nodiscard]] std::vector<Finding> describe_findings(const Instant& instant, const Analysis& analysis);

}  // namespace tippe
