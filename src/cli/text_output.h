// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/record/run_summary.h"
#include "tippe/report/report.h"

namespace tippe::cli {

/// The summary of `tippe run` and `tippe show`: what ran, and one line for each number. Warnings are left to print_warning.
void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines);

}  // namespace tippe::cli
