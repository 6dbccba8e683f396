// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_findings.h"

#include <fmt/format.h>

#include <cctype>

#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"

namespace tippe {

Finding::Tone tone_of(const Verdict& verdict) {
  return verdict.yes() ? Finding::Tone::kGood : verdict.no() ? Finding::Tone::kBad : Finding::Tone::kOpen;
}

std::string undecided_words(const Verdict& verdict, const std::string& reason) {
  if (!reason.empty()) return fmt::format("This was not decided: {}.", reason);
  if (!verdict.margin) return "This could not be decided.";
  return fmt::format(
      "The data lie on the boundary between yes and no (margin {:.2g}, too small to tell from round-off): the smallest "
      "change of them decides.",
      *verdict.margin);
}

bool limits_matter(const Analysis& analysis) {
  return analysis.limits_kept && !analysis.limits_kept->yes();
}

std::string if_all_stick(std::string sentence) {
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return "If all contacts at rest stick: " + sentence;
}

std::vector<Finding> describe_findings(const Instant& instant, const Analysis& analysis) {
  std::vector<Finding> findings;
  if (analysis.solvability) findings.push_back(solvable_finding(instant, analysis));
  if (analysis.motion) findings.push_back(motion_finding(instant, analysis));
  if (analysis.forces && instant.acceleration) findings.push_back(forces_finding(instant, analysis));
  if (analysis.lift_off) findings.push_back(lift_off_finding(instant, analysis));
  if (analysis.sticking) findings.push_back(sticking_finding(instant, analysis));
  if (analysis.closure) findings.push_back(closure_finding(instant, *analysis.closure));
  if (analysis.painleve) findings.push_back(painleve_finding(instant, analysis));
  if (analysis.generalized_inverse && !bilateral_of(instant).empty())
    findings.push_back(joints_finding(instant, *analysis.generalized_inverse));
  if (const std::optional<Finding> couplings = couplings_finding(instant, analysis)) findings.push_back(*couplings);
  if (analysis.impact) findings.push_back(impact_finding(instant, *analysis.impact));
  return findings;
}

}  // namespace tippe
