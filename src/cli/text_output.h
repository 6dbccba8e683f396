// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/record/run_summary.h"
#include "tippe/report/comparison.h"
#include "tippe/report/report.h"

namespace tippe::cli {

/// The summary of `tippe run` and `tippe show`: what ran, and one line for each number. Warnings are left to print_warning.
void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines);

/// Columns of equal width under headings of two lines; the last column, whose text may be long, as it is.
void print_table(const ComparisonTable& table);

}  // namespace tippe::cli
