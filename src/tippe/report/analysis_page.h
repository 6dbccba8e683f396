// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "tippe/report/analysis_findings.h"

namespace tippe {

/// An analysis as one self-contained HTML page without scripts, light or dark as the browser asks for.
[[nodiscard]] std::string analysis_page(const Instant& instant, const Analysis& analysis, const AnalysisSource& source);

/// Writes the page in one atomic step: a file of that name is replaced as a whole or not at all; a symbolic link is followed. Throws
/// FileError, also for what exists and is no regular file.
void write_analysis_page(const std::string& page, const std::filesystem::path& path);

}  // namespace tippe
