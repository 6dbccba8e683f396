// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "tippe/analyze/force_set.h"
#include "tippe/analyze/solvability.h"
#include "tippe/analyze/sticking.h"
#include "tippe/analyze/sticking_motions.h"
#include "tippe/modes/motion.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct LeastActuation;

/// Whether there are accelerations and forces, and which. Contacts at rest stick whatever their friction; dry friction has its limits.
struct InstantJudgement {
  Solvability solvability;
  std::optional<Motion> motion;                     // absent: no solution is known
  std::optional<ForceSet> forces;                   // of the ForceLayout, then of all dry frictions
  std::optional<StickingMotions> sticking_motions;  // where contacts slide and no dry friction is at rest
  std::vector<Eigen::VectorXd> accelerations;       // others than that of `motion`, for find_lift_off
  bool complete = false;                            // there are no more, or `motion` has their bounds
};

/// The dry frictions of an instant. Those that slide are loads; those at rest exert |force| <= limit, and slide against their force if that does
/// not hold them. The questions of an analysis know contacts alone, so each gets an equivalent problem of contacts, docs/theory/analysis.md.
class DryFrictions {
 public:
  DryFrictions(const AccelerationProblem& problem, std::span<const DryFrictionRow> rows);

  /// The contacts and constraints alone, with the forces of what slides in the load: for questions about forces of any size.
  [[nodiscard]] const AccelerationProblem& loaded() const { return loaded_; }
  /// Whether one is at rest, with a limit that is not zero.
  [[nodiscard]] bool any_at_rest() const { return !held_.empty(); }

  [[nodiscard]] InstantJudgement judge_instant() const;
  /// Whether contacts and dry frictions can all stay at rest; coefficients and limits have one common factor. Forces as those of InstantJudgement.
  /// `known`: of judge_instant().
  [[nodiscard]] Sticking judge_sticking(const std::optional<StickingMotions>& known = {}) const;

  /// The least forces of actuators with which all contacts stay closed, and contacts and dry frictions at rest.
  [[nodiscard]] LeastActuation least_actuation(const Eigen::MatrixXd& directions) const;

  /// Those at rest that begin to slide with an acceleration.
  [[nodiscard]] std::vector<int> yielding(const Eigen::VectorXd& acceleration) const;
  /// The rows with a slip for those: what they exert in the next moment.
  [[nodiscard]] std::vector<DryFrictionRow> rows_after(const Eigen::VectorXd& acceleration) const;

 private:
  struct Held {
    size_t row = 0;
    double length = 0.0;  // of its direction in the kinetic metric
  };

  [[nodiscard]] const DryFrictionRow& row(const Held& held) const { return rows_[held.row]; }
  [[nodiscard]] double rate(const Held& held, const Eigen::VectorXd& acceleration) const;
  [[nodiscard]] bool is_idle(const Held& held) const { return row(held).direction.isZero(0.0); }  // along no direction
  [[nodiscard]] std::vector<double> full_limits() const;
  void free_idle(Eigen::VectorXd& lower, Eigen::VectorXd& upper) const;
  [[nodiscard]] std::vector<double> cut(std::vector<double> limits) const;
  [[nodiscard]] AccelerationProblem widened() const;
  [[nodiscard]] AccelerationProblem with_gaps(const std::vector<double>& limits) const;
  [[nodiscard]] AccelerationProblem with_presses(const std::vector<double>& limits, double coefficients) const;
  [[nodiscard]] InstantJudgement judge_gaps(const std::vector<double>& limits) const;
  [[nodiscard]] Sticking judge_pressed(const std::vector<double>& limits, double coefficients) const;
  [[nodiscard]] Eigen::VectorXd without_presses(const Eigen::VectorXd& all, const std::vector<double>& limits) const;
  void take_presses(Sticking& sticking, const std::vector<double>& limits) const;
  [[nodiscard]] Sticking least_sticking(Sticking sticking) const;
  [[nodiscard]] bool is_within(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                               const std::vector<double>& limits) const;
  [[nodiscard]] Eigen::VectorXd contact_forces(const Eigen::VectorXd& all) const;
  [[nodiscard]] Eigen::Index place_of(Eigen::Index component) const;
  void drop_gaps(Motion& motion) const;
  void join_gaps(ForceSet& forces, const std::vector<double>& limits) const;

  const AccelerationProblem& problem_;
  std::span<const DryFrictionRow> rows_;
  AccelerationProblem loaded_;
  std::vector<Held> held_;
  bool definite_ = false;               // M
  double load_ = 0.0;                   // what loads and drifts ask for, in the kinetic metric; 0: not known
  double reference_ = 1.0;              // the largest known friction coefficient of contacts at rest, 1 if there is none
  Eigen::Index above_ = 0, count_ = 0;  // force components of unilateral contacts, and of all contacts and constraints
};

}  // namespace tippe
