// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/record/run_summary.h"
#include "tippe/report/report.h"

namespace tippe::cli {

/// The message as compilers write it, with the line and a mark under the place.
void print_error(const SourcePosition& position, const std::string& message);

/// The summary of `tippe run` and `tippe show`: what ran, and one line for each number.
void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines);

}  // namespace tippe::cli
