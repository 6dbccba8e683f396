// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/report/analysis_findings.h"

namespace tippe {

/// A line on what an answer rests on: "rank of A_c", "1 of 3; singular values 1 | 2e-17".
struct Evidence {
  std::string label;
  std::string value;
};

/// Certificates, margins, rank decisions, criteria and residuals.
[[nodiscard]] std::vector<Evidence> list_evidence(const Instant& instant, const Analysis& analysis);

/// "3 coordinates (x, y, phi); contacts A1, A2; constraint rail; t = 0.4".
[[nodiscard]] std::string describe_instant(const Instant& instant, const AnalysisSource& source);

/// "opens", "slides", "sticks".
[[nodiscard]] const char* describe_mode(ContactMode mode);
/// "A sticks, B slides and pad sticks".
[[nodiscard]] std::string modes_words(const Instant& instant, const Painleve::Solution& solution);

}  // namespace tippe
