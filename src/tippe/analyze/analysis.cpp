// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/analysis.h"

#include <algorithm>

#include "tippe/analyze/sliding.h"
#include "tippe/analyze/sticking_motions.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

bool any_friction(const AccelerationProblem& problem) {
  const auto has_friction = [](const ContactRows& contact) { return contact.tangent_count() > 0; };
  return std::ranges::any_of(problem.unilateral, has_friction) || std::ranges::any_of(problem.bilateral, has_friction);
}

class Analyst {
 public:
  explicit Analyst(const Instant& instant) : instant_(instant) { analysis_.notes = instant.notes; }

  Analysis analyze() {
    if (instant_.acceleration)
      judge_acceleration(*instant_.acceleration);
    else
      note("accelerations are not judged: there is no acceleration problem");
    if (instant_.impact)
      judge_collision(*instant_.impact);
    else
      note("impact: there is none to judge");
    return std::move(analysis_);
  }

 private:
  void note(const std::string& text) { analysis_.notes.push_back(text); }

  void judge_acceleration(const AccelerationProblem& problem) {
    require_valid(problem);
    describe_couplings(problem);
    judge_joints(problem);
    judge_instant(problem);
    judge_friction(problem);
    if (problem.unilateral.empty())
      note("closure: there is no unilateral contact");
    else
      analysis_.closure = judge_closure(problem);
  }

  void describe_couplings(const AccelerationProblem& problem) {
    if (problem.unilateral.empty()) {
      note("delassus, kinetic_angles_deg: there is no unilateral contact");
      return;
    }
    analysis_.delassus = report_delassus(problem);
    if (!analysis_.delassus) {
      note(
          "delassus, kinetic_angles_deg: a direction without mass is held by no joint, so that the contacts have no "
          "Delassus matrix");
      return;
    }
    analysis_.angles = measure_kinetic_angles(problem);
    analysis_.criteria = evaluate_criteria(problem);
    if (analysis_.delassus->matrix.size() == 0)
      note("M is singular: the Delassus matrix and the kinetic angles exist only through the joints");
  }

  void judge_joints(const AccelerationProblem& problem) {
    if (problem.bilateral.empty())
      note("generalized_inverse: there is no bilateral constraint");
    else
      analysis_.generalized_inverse = constrained_acceleration(problem);
  }

  void judge_instant(const AccelerationProblem& problem) {
    const StackedProblem stacked = stack(problem);
    if (stacked.sliding) {
      SlidingJudgement sliding = judge_sliding(problem);
      sticking_motions_ = sticking_motions(sliding);
      analysis_.solvability = std::move(sliding.solvability);
      if (!analysis_.solvability->verdict.no() && sliding.motion.acceleration.size() > 0) {
        analysis_.motion = std::move(sliding.motion);
        analysis_.forces = std::move(sliding.forces);
      }
    } else {
      analysis_.solvability = judge_solvability(problem, stacked);
      if (analysis_.solvability->verdict.yes()) {
        Motion motion = find_motion(problem, stacked);
        if (motion.found) {
          analysis_.forces = find_forces(problem, stacked, motion);
          analysis_.motion = std::move(motion);
        }
      }
    }
    if (!analysis_.motion) note("acceleration, forces: no solution is known");
  }

  void judge_friction(const AccelerationProblem& problem) {
    if (!any_friction(problem)) {
      note("sticking, painleve: no contact has friction");
      return;
    }
    if (stack(problem).sticking)
      analysis_.sticking = judge_sticking(problem, sticking_motions_ ? *sticking_motions_ : find_sticking_motions(problem));
    else
      note("sticking: all contacts with friction slide");
    analysis_.painleve = classify_painleve(problem);
    if (!analysis_.painleve->classification) note("painleve: " + analysis_.painleve->reason);
  }

  void judge_collision(const ImpactProblem& problem) {
    require_valid(problem);
    analysis_.impact = judge_impact(problem);
  }

  const Instant& instant_;
  std::optional<StickingMotions> sticking_motions_;  // where contacts slide
  Analysis analysis_;
};

}  // namespace

Analysis analyze(const Instant& instant) {
  return Analyst(instant).analyze();
}

}  // namespace tippe
