// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/closure.h"
#include "tippe/analyze/criteria.h"
#include "tippe/analyze/delassus_report.h"
#include "tippe/analyze/force_set.h"
#include "tippe/analyze/generalized_inverse.h"
#include "tippe/analyze/impact_laws.h"
#include "tippe/analyze/kinetic_angles.h"
#include "tippe/analyze/painleve.h"
#include "tippe/analyze/solvability.h"
#include "tippe/analyze/sticking.h"
#include "tippe/modes/motion.h"
#include "tippe/problem/instant.h"

namespace tippe {

/// All that is known of an instant. A part that does not apply is absent, and a note says why.
struct Analysis {
  std::optional<DelassusReport> delassus;
  std::optional<KineticAngles> angles;
  std::vector<Criterion> criteria;
  std::optional<Solvability> solvability;
  std::optional<Motion> motion;
  std::optional<ForceSet> forces;
  std::optional<Sticking> sticking;
  std::optional<Closure> closure;
  std::optional<Painleve> painleve;
  std::optional<ImpactReport> impact;
  std::optional<GeneralizedInverse> generalized_inverse;
  /// Dry frictions at rest that begin to slide in `motion`, by their place in Instant::dry.
  std::vector<int> yielding;
  /// Whether the contacts at rest stick within their friction in `motion`, which knows no limits of theirs. Absent: none with friction is at rest.
  std::optional<Verdict> limits_kept;
  std::vector<std::string> notes;
};

/// Forces are those of the ForceLayout, then of all dry frictions (force_names()); couplings, closure and the generalized inverse are those of contacts and constraints
/// alone, which dry friction that slides loads. Throws InputError if the problems are not valid.
[[nodiscard]] Analysis analyze(const Instant& instant);

}  // namespace tippe
