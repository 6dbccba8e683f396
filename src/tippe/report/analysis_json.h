// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/report/analysis_findings.h"

namespace tippe {

/// An analysis as one JSON object; docs/analysis_files.md lists the keys. Infinite numbers are "inf" and "-inf", parts that are absent null.
[[nodiscard]] std::string analysis_json(const Instant& instant, const Analysis& analysis, const AnalysisSource& source);

}  // namespace tippe
