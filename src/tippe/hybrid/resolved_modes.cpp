// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/resolved_modes.h"

#include <algorithm>

#include "tippe/hybrid/mode_selection.h"
#include "tippe/model/massless.h"

namespace tippe {
namespace {

Scope scope_of(const System& system, const Instant& instant) {
  const size_t laws = system.laws().size();
  Scope scope{std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws)};
  for (size_t i = 0; i < laws; ++i) {
    const std::string& name = system.laws()[i].name;
    for (const ContactRows& contact : instant.acceleration->unilateral) {
      if (contact.name != name) continue;
      scope.touching[i] = scope.resting[i] = true;
      scope.sliding[i] = contact.slides();
    }
    for (const DryFrictionRow& friction : instant.dry) {
      if (friction.name != name) continue;
      scope.touching[i] = scope.resting[i] = true;
      scope.sliding[i] = friction.slip != 0.0;
    }
    // An instant has a pad that slides among its loads.
    const ForceLaw& law = system.laws()[i];
    if (law.kind == ForceLaw::Kind::kDryFriction && !scope.touching[i])
      scope.touching[i] = scope.resting[i] = scope.sliding[i] = true;
  }
  return scope;
}

/// Without the coordinates that press pads.
void leave_out_pressing(Eigen::Index velocities, ConsistentMode& mode) {
  for (Eigen::VectorXd* motion : {&mode.motion, &mode.motion_lower, &mode.motion_upper, &mode.unbalanced}) {
    if (motion->size() > velocities) motion->conservativeResize(velocities);
  }
}

/// `size`: what the loads alone would do. Motions without mass do not tell modes apart.
bool same_motion(Eigen::VectorXd a, Eigen::VectorXd b, double size, const std::vector<int>& loose) {
  for (const int velocity : loose) a[velocity] = b[velocity] = 0.0;
  return (a - b).norm() <= 1e-7 * std::max({size, a.norm(), b.norm()});
}

/// The modes that derivatives leave, each with the forces and bounds of the mode that has its motion.
std::vector<ConsistentMode> modes_of(const ModeSelection& selection, double size, const std::vector<int>& loose) {
  std::vector<ConsistentMode> modes;
  for (const ModeChoice& choice : selection.choices) {
    const auto base =
        std::find_if(selection.list.modes.begin(), selection.list.modes.end(),
                     [&](const ConsistentMode& mode) { return same_motion(mode.motion, choice.acceleration, size, loose); });
    if (base == selection.list.modes.end()) continue;
    ConsistentMode mode = *base;
    mode.ties.clear();
    for (const int velocity : loose) {
      if (!choice.resolved) continue;  // then the instant does not know it either
      mode.motion[velocity] = mode.motion_lower[velocity] = mode.motion_upper[velocity] = choice.acceleration[velocity];
    }
    for (size_t s = 0; s < selection.scope.size(); ++s) {
      const auto law = static_cast<size_t>(selection.scope[s]);
      mode.contacts[s] = choice.modes[law];
      mode.trending[s] = choice.trending[law];
      const bool was_tie = std::find(base->ties.begin(), base->ties.end(), static_cast<int>(s)) != base->ties.end();
      const bool says_nothing = mode.trending[s].of == Trend::Of::kNothing && mode.trending[s].sign == 0;
      if (says_nothing && !(was_tie && !choice.resolved)) mode.trending[s] = {0, 1};
      if (mode.trending[s].sign == 0) mode.ties.push_back(static_cast<int>(s));
    }
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace

ResolvedModes resolved_modes(const System& system, const State& state, const Instant& instant, const ModeOptions& options) {
  ResolvedModes resolved;
  const auto name_forces = [&](const AccelerationProblem& problem) { resolved.forces = force_names(problem, instant.dry); };
  ModeList& list = resolved.list;
  if (system.make_series(1) == nullptr) {
    list = list_motion_modes(*instant.acceleration, instant.dry, options);
    name_forces(*instant.acceleration);
    const bool tied = std::any_of(list.modes.begin(), list.modes.end(), [](const auto& mode) { return !mode.ties.empty(); });
    if (tied)
      list.note += (list.note.empty() ? "" : "; ") + std::string("ties are undecided: the system has no higher derivatives");
    return resolved;
  }
  ModeSelector selector(system);
  ModeSelection selection = selector.select(state, scope_of(system, instant), {}, options);
  name_forces(selector.problem());
  std::vector<ConsistentMode> modes = modes_of(selection, selector.free_acceleration().norm(), loose_velocities(system));
  list = std::move(selection.list);
  list.note = selection.note;
  if (!selection.tie_note.empty()) list.note += (list.note.empty() ? "" : "; ") + selection.tie_note;
  const auto chosen = [&modes](const std::vector<ContactMode>& contacts) {
    return std::any_of(modes.begin(), modes.end(), [&](const ConsistentMode& mode) { return mode.contacts == contacts; });
  };
  std::erase_if(list.rejected, [&](const RejectedMode& mode) { return chosen(mode.contacts); });
  for (const ConsistentMode& mode : list.modes) {
    if (options.rejected && !chosen(mode.contacts))
      list.rejected.insert(list.rejected.begin(), {mode.contacts, {"higher derivatives decide against it"}});
  }
  for (ConsistentMode& mode : modes) leave_out_pressing(instant.acceleration->n(), mode);
  list.modes = std::move(modes);
  return resolved;
}

}  // namespace tippe
