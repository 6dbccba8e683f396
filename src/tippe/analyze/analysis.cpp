// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/analysis.h"

#include <algorithm>

#include "tippe/analyze/dry_friction.h"
#include "tippe/analyze/gauss_values.h"
#include "tippe/analyze/lift_off.h"
#include "tippe/analyze/load_response.h"
#include "tippe/analyze/solvability_criteria.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;

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
    require_valid(instant_.dry, problem);
    const DryFrictions dry(problem, instant_.dry);
    const AccelerationProblem contacts = without_pressed(dry.loaded());
    describe_couplings(contacts);
    judge_joints(contacts);
    judge_instant(problem, dry);
    for (Criterion& criterion : evaluate_solvability_criteria(contacts)) analysis_.criteria.push_back(std::move(criterion));
    judge_friction(problem, dry);
    if (contacts.unilateral.empty())
      note("closure, lift_off: there is no unilateral contact");
    else
      analysis_.closure = judge_closure(without_pressed(problem));
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

  void judge_instant(const AccelerationProblem& problem, const DryFrictions& dry) {
    InstantJudgement judgement = dry.judge_instant();
    sticking_motions_ = std::move(judgement.sticking_motions);
    analysis_.solvability = std::move(judgement.solvability);
    analysis_.motion = std::move(judgement.motion);
    analysis_.forces = std::move(judgement.forces);
    if (!analysis_.motion) note("acceleration, forces, lift_off: no solution is known");
    if (analysis_.motion && !problem.unilateral.empty())
      analysis_.lift_off = find_lift_off(problem, *analysis_.motion, judgement.accelerations, judgement.complete);
    if (analysis_.motion && !analysis_.motion->unique.no())
      analysis_.yielding = dry.yielding(analysis_.motion->acceleration);
    if (!analysis_.motion) return;
    const StackedProblem stacked = stack(dry.loaded());
    if (!stacked.sliding && !dry.any_at_rest())
      analysis_.gauss = gauss_values(dry.loaded(), stacked, *analysis_.motion);
    else
      note("gauss: friction that slides, or has a limit, has no such principle");
    if (analysis_.motion->unique.yes() && analysis_.forces)
      analysis_.response = respond_to_load(problem, instant_.dry, analysis_.yielding, *analysis_.motion, *analysis_.forces);
    else
      note("sensitivity: the motion is not unique");
  }

  void judge_friction(const AccelerationProblem& problem, const DryFrictions& dry) {
    const bool rubs = any_friction(problem), sticks = stack(problem).sticking;
    if (sticks || dry.any_at_rest())
      analysis_.sticking = dry.judge_sticking(sticking_motions_);
    else
      note(rubs ? "sticking: all contacts with friction slide" : "sticking: no contact has friction");
    if (sticks) analysis_.limits_kept = judge_limits(problem, dry);
    if (analysis_.sticking && analysis_.sticking->mu_known) actuate(problem, dry);
    if (!rubs) {
      note("painleve: no contact has friction");
      return;
    }
    analysis_.painleve = classify_painleve(problem, instant_.dry);
    if (!analysis_.painleve->classification) note("painleve: " + analysis_.painleve->reason);
    const bool massless = analysis_.painleve->classification == Painleve::Class::kMasslessLoaded;
    if (massless && analysis_.solvability && analysis_.solvability->ground == Solvability::Ground::kEnumeration) {
      analysis_.solvability->ground = Solvability::Ground::kMasslessLoaded;
      analysis_.solvability->massless_direction = analysis_.painleve->massless_direction;
    }
  }

  void actuate(const AccelerationProblem& problem, const DryFrictions& dry) {
    std::vector<std::string> names;
    MatrixXd directions = MatrixXd::Identity(problem.n(), problem.n());
    for (int i = 0; i < problem.n() && instant_.actuators.empty(); ++i) names.push_back(problem.coordinate(i));
    if (!instant_.actuators.empty()) directions.resize(problem.n(), static_cast<Eigen::Index>(instant_.actuators.size()));
    for (size_t k = 0; k < instant_.actuators.size(); ++k) {
      directions.col(static_cast<Eigen::Index>(k)) = instant_.actuators[k].direction;
      names.push_back(instant_.actuators[k].name);
    }
    LeastActuation& found = analysis_.actuation.emplace(dry.least_actuation(directions));
    found.names = std::move(names);
    if (!analysis_.sticking->persistent.yes()) return;
    found.possible = Answer::kYes;
    found.forces = Eigen::VectorXd::Zero(directions.cols());
    found.contact_forces = analysis_.sticking->forces;
  }

  /// Dry friction may have to slide where contacts can stick.
  Verdict judge_limits(const AccelerationProblem& problem, const DryFrictions& dry) const {
    const auto verdict = [](const Sticking& sticking) { return sticking.mu_known ? sticking.feasible : Verdict{}; };
    const Verdict all = verdict(*analysis_.sticking);
    if (all.yes() || !dry.any_at_rest()) return all;
    if (!analysis_.motion || !analysis_.motion->unique.yes()) return {};
    if (analysis_.yielding.empty()) return all;
    const std::vector<DryFrictionRow> after = dry.rows_after(analysis_.motion->acceleration);
    return verdict(DryFrictions(problem, after).judge_sticking());
  }

  void judge_collision(const ImpactProblem& problem) {
    require_valid(problem);
    analysis_.impact = judge_impact(problem);
  }

  const Instant& instant_;
  std::optional<StickingMotions> sticking_motions_;
  Analysis analysis_;
};

}  // namespace

Analysis analyze(const Instant& instant) {
  return Analyst(instant).analyze();
}

}  // namespace tippe
