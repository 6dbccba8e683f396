// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/sweep/sweep_plan.h"

namespace tippe {

/// Names of what is kept of a run of a sweep, and its numbers in the same order. What a run did not come to is not a number.

[[nodiscard]] const std::vector<std::string>& result_columns();
[[nodiscard]] const std::vector<std::string>& ledger_columns();
/// Of tables of states: these names, then those of coordinates and velocities.
[[nodiscard]] std::vector<std::string> state_columns(const Scene& scene, std::vector<std::string> names);
[[nodiscard]] std::vector<std::string> section_columns(const Scene& scene);
/// The words that the numbers in the column "end" stand for.
[[nodiscard]] std::vector<std::string> end_names();

/// Under result_columns(). `reason`: the number of its message, or -1.
void append_result(const SweepResult& result, double reason, bool down, std::vector<double>& cells);
void append_ledger(const SweepResult& result, std::vector<double>& cells);
/// `size`: of coordinates and velocities.
void append_final(const SweepResult& result, size_t size, std::vector<double>& cells);
void append_state(const State& state, std::vector<double>& cells);
/// Under section_columns(). `run`: the number of the point of the sweep.
void append_section_point(std::int64_t run, const SweepPoint& point, std::vector<double>& cells);

}  // namespace tippe
