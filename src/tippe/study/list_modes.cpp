// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/list_modes.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/contact/state_sizes.h"
#include "tippe/core/error.h"
#include "tippe/hybrid/resolved_modes.h"

namespace tippe {
namespace {

constexpr ModeOptions kWithReasons{.rejected = true};

std::vector<std::string> names_of(const std::vector<std::string>& given, Eigen::Index count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(coordinate_name(given, i));
  return names;
}

ModesReport::Part impact_part(const ImpactProblem& impact) {
  const AccelerationProblem rows{impact.M, impact.velocity, impact.unilateral, impact.bilateral, impact.coordinates};
  return {list_impact_modes(impact, kWithReasons), names_of(impact.coordinates, impact.velocity.size()),
          ForceLayout(rows).names};
}

/// Modes know each contact's own restitution only.
ImpactProblem without_couplings(ImpactProblem impact, ModesReport& report) {
  const Eigen::MatrixXd own = impact.restitution.diagonal().asDiagonal();
  if (impact.restitution != own)
    report.notes.push_back(
        "the restitution matrix couples contacts: the modes are those with its diagonal alone; analyze tells what the "
        "matrix does");
  impact.restitution = own;
  return impact;
}

/// With derivatives of the system, which decide ties.
ModesReport::Part motion_part(const System& system, const State& state, const Instant& instant) {
  const AccelerationProblem& problem = *instant.acceleration;
  ResolvedModes modes = resolved_modes(system, state, instant, kWithReasons);
  return {std::move(modes.list), names_of(problem.coordinates, problem.n()), std::move(modes.forces)};
}

/// Of a problem, which has none.
ModesReport::Part motion_part(const Instant& instant) {
  const AccelerationProblem& problem = *instant.acceleration;
  return {list_motion_modes(problem, instant.dry, kWithReasons), names_of(problem.coordinates, problem.n()),
          force_names(instant)};
}

/// The outcome that loses least energy.
const ConsistentMode& default_outcome(const ModeList& list) {
  return *std::max_element(list.modes.begin(), list.modes.end(), [](const ConsistentMode& a, const ConsistentMode& b) {
    return a.energy_change < b.energy_change;
  });
}

void take_notes(const Instant& instant, ModesReport& report) {
  for (const std::string& note : instant.notes) {
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) report.notes.push_back(note);
  }
}

/// The motion after an impact, from the velocities that it leaves.
void follow_impact(const System& system, State state, InstantOptions options, ModesReport& report) {
  const ModeList& outcomes = report.impact->list;
  if (outcomes.modes.empty()) return;
  const ConsistentMode& outcome = default_outcome(outcomes);
  if (outcomes.modes.size() > 1) {
    std::string words;
    for (size_t c = 0; c < outcome.contacts.size(); ++c)
      words += fmt::format("{}{} {}", c == 0 ? "" : ", ", outcomes.contacts[c], name_of(outcome.contacts[c]));
    report.notes.push_back(fmt::format("the motion is that after the outcome that loses least energy: {}", words));
  }
  PastSizes past = options.past != nullptr ? *options.past : PastSizes();
  past.u = state.u.cwiseAbs();
  options.past = &past;
  state.u = outcome.motion;
  const Instant after = instant_of(system, state, options);
  take_notes(after, report);
  if (after.acceleration)
    report.motion = motion_part(system, state, after);
  else
    report.notes.push_back("after the impact contacts still approach each other: another impact follows");
}

bool tied(const std::optional<ModesReport::Part>& part) {
  return part && std::any_of(part->list.modes.begin(), part->list.modes.end(),
                             [](const ConsistentMode& mode) { return !mode.ties.empty(); });
}

}  // namespace

ModesReport list_modes(const System& system, const State& state, const InstantOptions& options,
                       std::vector<std::string> notes) {
  if (const std::string misfit = needs_fixed_laws(system); !misfit.empty())
    throw InputError({}, "modes cannot be listed: " + misfit);
  const Instant instant = instant_of(system, state, options);
  ModesReport report{{}, {}, state.t, {}, {}, std::move(notes)};
  take_notes(instant, report);
  if (instant.impact) {
    if (system.impact_law() != ImpactLaw::kNewton)
      report.notes.push_back("the modes of the impact are those of Newton's law, not of the impact law of the scene");
    report.impact = impact_part(without_couplings(*instant.impact, report));
    follow_impact(system, state, options, report);
  } else {
    report.motion = motion_part(system, state, instant);
  }
  return report;
}

ModesReport list_modes(const Instant& instant) {
  ModesReport report{{}, instant.title, {}, {}, {}, instant.notes};
  if (instant.impact) report.impact = impact_part(without_couplings(*instant.impact, report));
  if (instant.acceleration) report.motion = motion_part(instant);
  if (instant.impact && instant.acceleration)
    report.notes.push_back(
        "a problem has one set of contacts: the motion is that with all of them, not that after the impact");
  if (tied(report.motion)) report.notes.push_back("ties are undecided: a problem has no higher derivatives");
  return report;
}

}  // namespace tippe
