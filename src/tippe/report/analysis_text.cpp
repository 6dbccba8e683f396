// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_evidence.h"
#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/impact_table.h"
#include "tippe/report/text_layout.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

constexpr size_t kMostRows = 40;

/// A table with a heading that is cut after kMostRows lines.
std::string section(const std::string& heading, std::vector<Names> lines, size_t header_lines) {
  const size_t most = kMostRows + header_lines, count = lines.size();
  if (count > most) lines.resize(most);
  std::string text = "  " + heading + "\n" + table(lines);
  if (count > most) text += fmt::format("    and {} more; the JSON has all\n", count - most);
  return text;
}

std::string motion_numbers(const Instant& instant, const Analysis& analysis) {
  const Motion& motion = *analysis.motion;
  const Names names = coordinate_names(instant);
  const VectorXd sizes = acceleration_sizes(instant, motion.acceleration);
  const bool bounded = !motion.unique.yes() && motion.lower.size() == motion.acceleration.size();
  std::vector<Names> lines = {bounded ? Names{"", "value", "from", "to"} : Names{"", "value"}};
  for (size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    lines.push_back({names[i], brief(motion.acceleration[k], sizes[k])});
    if (bounded)
      lines.back().insert(lines.back().end(), {brief(motion.lower[k], sizes[k]), brief(motion.upper[k], sizes[k])});
  }
  std::string heading = limits_matter(analysis) ? "acceleration if all contacts at rest stick" : "acceleration";
  if (!motion.unique.yes()) heading += " (one of several)";
  return section(heading, std::move(lines), 1);
}

std::string gap_numbers(const Instant& instant, const Analysis& analysis) {
  std::vector<Names> lines = tabulate_gaps(instant, *analysis.lift_off);
  return section(limits_matter(analysis) ? "gap acceleration if all contacts at rest stick" : "gap acceleration",
                 std::move(lines), 1);
}

std::string force_numbers(const Instant& instant, const Analysis& analysis) {
  const ForceSet* set = analysis.forces && analysis.forces->representative.size() > 0 ? &*analysis.forces : nullptr;
  // Without contacts whose limits are left out both are the same.
  const bool limits_known = !analysis.limits_kept && set != nullptr;
  const Sticking* sticking =
      analysis.sticking && analysis.sticking->forces.size() > 0 && !limits_known ? &*analysis.sticking : nullptr;
  if (set == nullptr && sticking == nullptr) return {};
  const Names names = force_names(instant);
  if (names.empty()) return {};
  std::vector<Names> lines = {{""}};
  if (set != nullptr) lines[0].insert(lines[0].end(), {"value", "from", "to"});
  if (sticking != nullptr) lines[0].insert(lines[0].end(), {"all sticking", "from", "to"});
  for (size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    lines.push_back({names[i]});
    const auto add = [&](const VectorXd& value, const VectorXd& lower, const VectorXd& upper) {
      const double size = force_sizes(instant, value)[k];
      const bool bounds = lower.size() == value.size();
      lines.back().insert(lines.back().end(),
                          {brief(value[k], size), bounds ? brief(lower[k], size) : "", bounds ? brief(upper[k], size) : ""});
    };
    if (set != nullptr) add(set->representative, set->lower, set->upper);
    if (sticking != nullptr) add(sticking->forces, sticking->lower, sticking->upper);
  }
  std::string heading = limits_matter(analysis) ? "forces if all contacts at rest stick" : "forces";
  if (names.size() > instant.dry.size()) heading += " (n: normal, t, t1, t2: friction)";
  std::string text = section(heading, std::move(lines), 1);
  if (sticking != nullptr && set != nullptr)
    text += "    value: without friction limits of contacts at rest; all sticking: within them\n";
  return text;
}

/// Wide tables are left to the page and the JSON.
std::string response_numbers(const Instant& instant, const LoadResponse& response) {
  constexpr size_t kMost = 8;
  const std::vector<Names> lines = tabulate_response(instant, response);
  const bool any = std::find(response.determined.begin(), response.determined.end(), true) != response.determined.end();
  if (!any || lines.size() < 2) return {};
  if (lines[0].size() > kMost + 1)
    return "  change of forces with the load: too many coordinates to show here; JSON and page have it\n";
  return section("change of forces per unit of an external force", lines, 1);
}

std::string impact_numbers(const Instant& instant, const ImpactReport& impact) {
  if (impact.massless_direction.size() > 0) return {};
  const ImpactTable table = tabulate_impact(instant, impact);
  return section("velocities at the impact", table.velocities, 1) +
         (table.impulses.front().size() > 1 ? section("impulses in N s", table.impulses, 1) : "");
}

/// Between contacts as seen through the constraints, and between contacts and constraints.
std::string angle_numbers(const Instant& instant, const KineticAngles& angles) {
  constexpr size_t kMost = 8;
  const Names contacts = names_of(unilateral_of(instant)), joints = names_of(bilateral_of(instant));
  const auto m = static_cast<Eigen::Index>(contacts.size()), b = static_cast<Eigen::Index>(joints.size());
  const MatrixXd &between = angles.unilateral_constrained, &with_joints = angles.unilateral_bilateral;
  if (contacts.size() + joints.size() < 2 || between.rows() != m || between.cols() != m) return {};
  if (contacts.size() + joints.size() > kMost) return "  kinetic angles: too many to show here; JSON and page have them\n";
  const bool jointed = b > 0 && with_joints.rows() == m && with_joints.cols() == b;
  std::vector<Names> lines = {{""}};
  lines[0].insert(lines[0].end(), contacts.begin(), contacts.end());
  if (jointed) lines[0].insert(lines[0].end(), joints.begin(), joints.end());
  const auto cell = [](double degrees) { return std::isnan(degrees) ? std::string("-") : fmt::format("{:.4g}", degrees); };
  for (Eigen::Index i = 0; i < m; ++i) {
    lines.push_back({contacts[static_cast<size_t>(i)]});
    for (Eigen::Index j = 0; j < m; ++j) lines.back().push_back(i == j ? "" : cell(between(i, j)));
    for (Eigen::Index j = 0; jointed && j < b; ++j) lines.back().push_back(cell(with_joints(i, j)));
  }
  return section(jointed ? "kinetic angles in degrees, those between contacts as seen through the constraints"
                         : "kinetic angles in degrees",
                 std::move(lines), 1);
}

/// The motions with all friction limits, where they are not just the one above.
std::string painleve_numbers(const Instant& instant, const Analysis& analysis) {
  const Painleve& painleve = *analysis.painleve;
  const Names coordinates = coordinate_names(instant), forces = force_names(instant);
  const size_t count = painleve.solutions.size();
  if (count == 0 || (count == 1 && !limits_matter(analysis))) return {};
  std::string text = count == 1 ? "  the motion that Coulomb friction allows, with its limits\n"
                                : fmt::format("  the {} motions that Coulomb friction allows, with its limits\n", count);
  for (size_t s = 0; s < std::min<size_t>(painleve.solutions.size(), 12); ++s) {
    const Painleve::Solution& solution = painleve.solutions[s];
    text += wrapped(
        fmt::format("{}. {}; acceleration {}; forces {}", s + 1, modes_words(instant, solution),
                    combination(coordinates, solution.acceleration, acceleration_sizes(instant, solution.acceleration)),
                    combination(forces, solution.forces, force_sizes(instant, solution.forces))),
        4);
  }
  if (painleve.solutions.size() > 12)
    text += fmt::format("    and {} more; the JSON has all\n", painleve.solutions.size() - 12);
  return text;
}

}  // namespace

std::string analysis_text(const Instant& instant, const Analysis& analysis, const AnalysisSource& source) {
  std::string text = source.file + (instant.title.empty() ? "" : ": " + instant.title) + "\n";
  text += describe_instant(instant, source) + "\n\n";
  for (const Finding& finding : describe_findings(instant, analysis)) {
    text += fmt::format("{}: {}\n", finding.topic, finding.answer);
    text += wrapped(finding.text, 2);
  }
  const Names notes = all_notes(instant, analysis);
  if (!notes.empty()) text += "Notes\n";
  for (const std::string& note : notes) text += "  -" + wrapped(note, 4).substr(3);

  std::string numbers;
  if (analysis.painleve && instant.acceleration) numbers += painleve_numbers(instant, analysis);
  if (analysis.motion && analysis.motion->acceleration.size() > 0) numbers += motion_numbers(instant, analysis);
  if (analysis.lift_off) numbers += gap_numbers(instant, analysis);
  if (instant.acceleration) numbers += force_numbers(instant, analysis);
  if (analysis.response && instant.acceleration) numbers += response_numbers(instant, *analysis.response);
  if (analysis.impact && instant.impact) numbers += impact_numbers(instant, *analysis.impact);
  if (analysis.angles) numbers += angle_numbers(instant, *analysis.angles);
  if (!numbers.empty()) text += "\nNumbers\n" + numbers;

  std::vector<Names> evidence;
  for (const Evidence& line : list_evidence(instant, analysis)) evidence.push_back({line.label, line.value});
  if (!evidence.empty()) {
    text += "\nEvidence\n";
    size_t width = 0;
    for (const Names& line : evidence) width = std::max(width, width_of(line[0]));
    for (const Names& line : evidence) {
      const std::string value = wrapped(line[1], width + 4);
      text += "  " + line[0] + std::string(width - width_of(line[0]), ' ') + value.substr(width + 2);
    }
  }
  return text;
}

}  // namespace tippe
