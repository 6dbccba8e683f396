// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bind.h"
#include "tippe/run/run_summary.h"

namespace tippe::python {

/// The numbers of a run under the names of docs/recording.md.
[[nodiscard]] nb::dict summary_dict(const RunHead& head, const RunSummary& summary);

}  // namespace tippe::python
