// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/report/analysis_findings.h"

namespace tippe {

/// The findings of describe_findings one by one; the part that each is about must be there.

[[nodiscard]] Finding solvable_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding motion_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding forces_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding lift_off_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding sticking_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding closure_finding(const Instant& instant, const Closure& closure);
[[nodiscard]] Finding painleve_finding(const Instant& instant, const Analysis& analysis);
[[nodiscard]] Finding joints_finding(const Instant& instant, const GeneralizedInverse& joints);
[[nodiscard]] Finding impact_finding(const Instant& instant, const ImpactReport& impact);
/// Absent if contacts are neither redundant nor at wide angles and no constraint feels them.
[[nodiscard]] std::optional<Finding> couplings_finding(const Instant& instant, const Analysis& analysis);

/// Whether contacts are at rest whose friction limits are exceeded, or may be: the motion without the limits is then not the real one.
[[nodiscard]] bool limits_matter(const Analysis& analysis);
/// A sentence that holds without those limits.
[[nodiscard]] std::string if_all_stick(std::string sentence);

[[nodiscard]] Finding::Tone tone_of(const Verdict& verdict);
/// Why nothing was decided, and what helps.
[[nodiscard]] std::string undecided_words(const Verdict& verdict, const std::string& reason = {});

}  // namespace tippe
