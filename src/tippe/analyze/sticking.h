// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct StickingMotions;

/// The least friction coefficient of one contact with which all go on sticking. Infinity: none does; not a number: not
/// known.
struct TradeOff {
  std::string contact;
  double others_given = std::numeric_limits<double>::quiet_NaN();      // with those of the others as they are
  double others_unlimited = std::numeric_limits<double>::quiet_NaN();  // however rough the others are
};

/// Least friction coefficients of two contacts with which all go on sticking, those of the others as they are: a curve on
/// which less of one asks for more of the other.
struct FrictionFront {
  std::array<std::string, 2> contacts;
  std::vector<Eigen::Vector2d> points;  // their coefficients; one: both are least at once
};

/// Can all contacts that do not slide go on sticking, within their friction? Replaces the eight steps of Brogliato B.
struct Sticking {
  /// margin: largest s <= 1 with |friction_i| + s <= mu_i * normal_i in all contacts that stay closed, all forces in the kinetic metric
  /// (analyze/unit_directions.h) and relative to the load there: free of units
  Verdict feasible;
  /// The same with all contacts closed, Brogliato B (61): none opens, and those at rest stick.
  Verdict persistent;
  std::string reason;    // not empty: why it is undecided without a margin
  bool mu_known = true;  // false: some mu is absent; feasible says nothing then
  double mu_min =
      0.0;  // smallest friction coefficient (times the ratios of the given ones, the largest being 1); inf: none suffices; not a number: not found
  double mu_min_gap = 0.0;      // mu_min minus the largest that is proved not to suffice
  bool mu_min_attained = true;  // false: contacts must be pressed against each other without bound to come close to mu_min
  double mu_factor =
      0.0;  // mu_min over the largest given mu: by how much all given ones could be multiplied; inf if none is given
  Eigen::VectorXd forces;        // all components, within the cones; empty if not feasible
  Eigen::VectorXd lower, upper;  // bounds of each component within the cones; empty if not feasible
  bool exact_bounds = true;      // false: outer bounds
  Eigen::VectorXd
      blocking_direction;  // a motion d that no admissible force of the contacts that stay closed opposes; empty if feasible
  bool tipping = false;    // not a question of friction: no normal forces >= 0 with any friction hold the load
  std::vector<int> unloadable;        // unilateral contacts that can never carry a force here
  std::vector<TradeOff> trade_offs;   // of several contacts at rest, if the signs of bilateral ones are known; up to 8
  std::vector<FrictionFront> fronts;  // of each two of up to 4 of them, if all coefficients are known
  bool self_stress = false;  // contacts can be jammed against each other inside their cones: loads of any size may be held
};

/// Bilateral contacts with friction are judged for each choice of the signs that the load leaves open whatever their
/// friction; undecided if it leaves those
/// of more than 12. Yes with any of the motions is yes; no takes that they are complete. `trade_offs`: whether they
/// are wanted.
[[nodiscard]] Sticking judge_sticking(const AccelerationProblem& problem, const StickingMotions& motions,
                                      bool trade_offs = false);
/// The same, with the motions found first.
[[nodiscard]] Sticking judge_sticking(const AccelerationProblem& problem);

}  // namespace tippe
