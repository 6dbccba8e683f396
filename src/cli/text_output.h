// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"
#include "tippe/report/report.h"
#include "tippe/report/text_table.h"

namespace tippe::cli {

/// summary_text() on standard output. Warnings are left to print_warning.
void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines);

/// Columns of equal width under headings of two lines; the last column, whose text may be long, as it is.
void print_table(const TextTable& content);

/// The events of a run, one line each. Of many the first and last, and where the others are: in `recording`, if that is given.
void print_events(const RecordedEvents& recorded, const std::string& recording = {});

}  // namespace tippe::cli
