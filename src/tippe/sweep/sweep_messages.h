// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tippe/sweep/sweep_pool.h"

namespace tippe {

/// What processes that compute a sweep together tell each other. Numbers travel as they are: all processes run the same program.
enum class SweepMessage : char {
  kPlan,     // what is asked for
  kPoints,   // which are to be computed
  kRows,     // some of them
  kDone,     // all of them are on their way
  kStop,     // somebody interrupts the sweep
  kFailure,  // what no row can tell: a sentence
  kEnd,      // there is nothing more to do
};

[[nodiscard]] std::string pack(SweepMessage kind, std::string_view content = {});
[[nodiscard]] std::string pack_request(const SweepRequest& request);
[[nodiscard]] std::string pack_range(const PointRange& range);
[[nodiscard]] std::string pack_rows(const std::vector<SweepRow>& rows);

[[nodiscard]] SweepMessage kind_of(const std::string& message);
/// The rest of these functions throw std::runtime_error if the message is none that a process of this program sends.
[[nodiscard]] SweepRequest unpack_request(const std::string& message);
[[nodiscard]] PointRange unpack_range(const std::string& message);
/// Of results what tables have.
[[nodiscard]] std::vector<SweepRow> unpack_rows(const std::string& message);

}  // namespace tippe
