// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"
#include "tippe/problem/contact_mode.h"

namespace tippe {

/// How many motions Coulomb's law allows at this instant, all contacts with their friction limits.
struct Painleve {
  enum class Class { kUnique, kIndeterminate, kInconsistent, kSingular, kMasslessLoaded };
  struct Solution {
    std::vector<ContactMode> contacts;  // per unilateral contact, then per dry friction
    Eigen::VectorXd forces;             // all components, then dry frictions
    Eigen::VectorXd acceleration;
    Eigen::VectorXd gap_acceleration = {};  // m/s^2  per unilateral contact
  };
  std::optional<Class> classification;  // absent: not decided, `reason` says why
  std::string reason;
  /// False: directions in which several contacts in space begin to slide at once were searched from several starts,
  /// there may be others.
  bool exhaustive = true;
  Eigen::VectorXd
      mu_critical;  // per unilateral contact: from here on pressing it opens it less than its friction presses; inf, nan if it does not slide
  std::vector<int> beyond_critical;  // contacts with mu >= mu_critical
  Verdict safe;                      // sufficient: |friction part| < smallest eigenvalue of A_c; margin in scaled data
  std::optional<bool> p_matrix;      // unique for every load; absent if some contact may stick, or if there are too many
  std::vector<Solution> solutions;
  int cases = 0;  // modes that were tried
  /// inconsistent: the impulses of the impact without collision, all components, as the limit of frictional impacts with a vanishing
  /// approach; empty if none was found. Dry friction has none
  Eigen::VectorXd impulse;
  /// massless_loaded: no force holds the load along this direction, which has no mass. With a little inertia there it
  /// would move off along it; that
  /// is no paradox of friction. Largest absolute entry 1.
  Eigen::VectorXd massless_direction;
};

[[nodiscard]] constexpr const char* name_of(Painleve::Class c) {
  return c == Painleve::Class::kUnique          ? "unique"
         : c == Painleve::Class::kIndeterminate ? "indeterminate"
         : c == Painleve::Class::kInconsistent  ? "inconsistent"
         : c == Painleve::Class::kSingular      ? "singular"
                                                : "massless_loaded";
}
/// Tries every mode of all contacts, up to 20000 of them: 12 contacts that slide, 6 in the plane that may stick, 4 in space. Two
/// motions are different if their accelerations are: how forces split is no matter here.
[[nodiscard]] Painleve classify_painleve(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry = {});

}  // namespace tippe
