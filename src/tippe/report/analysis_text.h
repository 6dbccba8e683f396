// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/report/analysis_findings.h"

namespace tippe {

/// An analysis for the terminal: plain words, then the numbers, then the evidence. Long tables are cut; the JSON has everything.
[[nodiscard]] std::string analysis_text(const Instant& instant, const Analysis& analysis, const AnalysisSource& source);

}  // namespace tippe
