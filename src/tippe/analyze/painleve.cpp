// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/painleve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/analyze/gap_accelerations.h"
#include "tippe/analyze/p_matrix.h"
#include "tippe/analyze/sliding.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/held_mass.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/modes/mode_enumeration.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Class = Painleve::Class;

MatrixXd bilateral_normals(const AccelerationProblem& problem) {
  MatrixXd G(problem.n(), static_cast<Eigen::Index>(problem.bilateral.size()));
  for (size_t i = 0; i < problem.bilateral.size(); ++i) G.col(static_cast<Eigen::Index>(i)) = problem.bilateral[i].normal;
  return G;
}

/// Whether the friction of every contact is known in advance: the problem is then an LCP in the normal forces.
bool friction_is_given(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  const auto given = [](const ContactRows& contact) { return contact.tangent_count() == 0 || contact.slides(); };
  const auto smooth = [](const ContactRows& contact) { return contact.tangent_count() == 0; };
  const auto slides = [](const DryFrictionRow& row) { return row.slip != 0.0; };
  return std::all_of(dry.begin(), dry.end(), slides) &&
         std::all_of(problem.unilateral.begin(), problem.unilateral.end(), given) &&
         std::all_of(problem.bilateral.begin(), problem.bilateral.end(), smooth);
}

/// All motions that Coulomb's law allows at an instant.
struct CoulombMotions {
  struct Motion {
    std::vector<ContactMode>
        contacts;  // of the first mode with this motion: closed rather than open, sticking rather than sliding
    ModePoint point;
  };
  std::vector<Motion> motions;
  bool complete = true;  // false: some mode was not decided, or more motions may exist in one
  Enumeration enumeration;
};

CoulombMotions find_motions(const ContactModes& modes, const ModeChoices& possible) {
  CoulombMotions all;
  if (!possible.refusal.empty()) return all;
  const auto visit = [&](const std::vector<ContactChoice>& choices, ModeJudgement&& judgement) {
    all.complete = all.complete && judgement.complete && judgement.status != ModeJudgement::Status::kUndecided;
    if (judgement.status != ModeJudgement::Status::kConsistent) return;
    for (ModePoint& point : motions_of(std::move(judgement))) {
      const bool known = std::any_of(all.motions.begin(), all.motions.end(),
                                     [&](const auto& motion) { return modes.same_motion(motion.point, point); });
      if (known) continue;
      all.motions.push_back({{}, std::move(point)});
      for (const ContactChoice& choice : choices) all.motions.back().contacts.push_back(choice.mode);
    }
  };
  all.enumeration = enumerate_modes(modes, possible.contacts, ModeRules::kAsWritten, visit);
  return all;
}

/// The same with the inertia `mass` in all directions that have none and that no constraint holds, in units in which
/// masses and directions of forces
/// have size 1.
struct Regularized {
  AccelerationProblem problem;
  VectorXd scale;   // a = scale * its scaled value
  MatrixXd kernel;  // of M and the constraints, in scaled values; orthonormal

  Regularized(const AccelerationProblem& given, double mass) : problem(given), scale(given.n()) {
    const MatrixXd D = force_directions(given);
    for (Eigen::Index i = 0; i < scale.size(); ++i) {
      const double row = D.cols() > 0 ? D.row(i).cwiseAbs().maxCoeff() : 0.0;
      scale[i] = given.M(i, i) > 0.0 ? 1.0 / std::sqrt(given.M(i, i)) : row > 0.0 ? 1.0 / row : 1.0;
    }
    MatrixXd held(given.n(), given.n() + static_cast<Eigen::Index>(given.bilateral.size()));
    held << scale.asDiagonal() * given.M * scale.asDiagonal(), scale.asDiagonal() * bilateral_normals(given);
    kernel = decide_rank(unit_columns(held, 0.0).transpose()).null_space;
    const MatrixXd added = scale.cwiseInverse().asDiagonal() * kernel;
    problem.M += mass * added * added.transpose();
  }
};

/// Whether a little inertia in massless directions gives a motion whose acceleration there grows as the inertia
/// vanishes.
bool moves_off(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry, VectorXd& direction) {
  constexpr double kMass = 1e-4;
  if (HeldMass(problem.M, bilateral_normals(problem)).definite()) return false;
  const Regularized heavier(problem, kMass), lighter(problem, 0.1 * kMass);
  const ContactModes heavier_modes(heavier.problem, dry), lighter_modes(lighter.problem, dry);
  const CoulombMotions first = find_motions(heavier_modes, list_choices(heavier.problem, dry)),
                       second = find_motions(lighter_modes, list_choices(lighter.problem, dry));
  const auto along = [](const Regularized& regularized, const VectorXd& acceleration) -> VectorXd {
    return regularized.kernel.transpose() * acceleration.cwiseQuotient(regularized.scale);
  };
  for (const CoulombMotions::Motion& b : second.motions) {
    const VectorXd fast = along(lighter, lighter_modes.acceleration(b.point));
    for (const CoulombMotions::Motion& a : first.motions) {
      const VectorXd slow = along(heavier, heavier_modes.acceleration(a.point));
      if (a.contacts != b.contacts || !(fast.norm() > 0.0) || (fast - 10.0 * slow).norm() > 0.05 * fast.norm()) continue;
      direction = with_largest_entry_one(lighter.scale.cwiseProduct(lighter.kernel * fast));
      return true;
    }
  }
  return false;
}

/// mu_critical, and the tests on the matrix N'M_c^-1 (N - H [mu] u). True if some contact is at its critical coefficient.
bool judge_coefficients(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry, Painleve& painleve) {
  const auto m = static_cast<Eigen::Index>(problem.unilateral.size());
  painleve.mu_critical = VectorXd::Constant(m, std::numeric_limits<double>::quiet_NaN());
  const HeldMass held(problem.M, bilateral_normals(problem));
  if (!held.definite()) return false;
  bool singular = false;
  MatrixXd A_c(m, m), friction = MatrixXd::Zero(m, m), B(problem.n(), m);
  for (Eigen::Index i = 0; i < m; ++i) B.col(i) = held.kinetic_held(problem.unilateral[static_cast<size_t>(i)].normal);
  A_c = B.transpose() * B;
  for (Eigen::Index i = 0; i < m; ++i) {
    const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
    if (!contact.slides()) continue;
    const VectorXd b = held.kinetic_held(contact.tangents * contact.slip_direction());
    friction.col(i) = -*contact.mu * B.transpose() * b;
    const double own = A_c(i, i), coupling = b.dot(B.col(i));
    if (!(own > 0.0)) continue;  // the joints alone move this gap
    const bool coupled = coupling > kVerdictTolerance * b.norm() * std::sqrt(own);
    painleve.mu_critical[i] = coupled ? own / coupling : std::numeric_limits<double>::infinity();
    if (*contact.mu >= painleve.mu_critical[i]) painleve.beyond_critical.push_back(static_cast<int>(i));
    singular = singular || std::abs(own + friction(i, i)) < kVerdictTolerance * own;
  }
  if (!friction_is_given(problem, dry) || m == 0) return singular;
  VectorXd scale(m);
  for (Eigen::Index i = 0; i < m; ++i) scale[i] = A_c(i, i) > 0.0 ? 1.0 / std::sqrt(A_c(i, i)) : 1.0;
  const MatrixXd unit = scale.asDiagonal() * A_c * scale.asDiagonal();
  const MatrixXd push = scale.asDiagonal() * friction * scale.asDiagonal();
  // Brogliato B, Corollary 5.
  painleve.safe = strict_verdict(symmetric_eigenvalues(unit)[0] - decompose_singular(push).values[0]);
  if (m <= kMostRowsOfPMatrix) painleve.p_matrix = is_p_matrix(unit + push, kVerdictTolerance);
  return singular;
}

/// The frictional impact after an approach for the short time `delta` under the loads alone, from the velocities of the instant.
AccelerationProblem impact_after(const AccelerationProblem& problem, double delta) {
  AccelerationProblem impact = problem;
  impact.F *= delta;
  for (auto* contacts : {&impact.unilateral, &impact.bilateral}) {
    for (ContactRows& contact : *contacts) {
      contact.drift *= delta;
      contact.tangent_drift *= delta;
      if (contact.slip.size() > 0) contact.tangent_drift += contact.slip;
      contact.slip.resize(0);
    }
  }
  return impact;
}

/// How long the contacts may approach so that their slip stays nearly what it is.
double short_time(const AccelerationProblem& problem, const ContactModes& modes) {
  double slip = std::numeric_limits<double>::infinity();
  for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (const ContactRows& contact : *contacts) {
      if (contact.slides()) slip = std::min(slip, contact.slip.norm());
    }
  }
  if (!std::isfinite(slip)) return 0.0;
  std::vector<ContactChoice> apart(problem.unilateral.size(), {ContactMode::kOpen});
  apart.resize(problem.unilateral.size() + problem.bilateral.size(), {ContactMode::kClosed});
  ModePoint point;
  if (!modes.solve_equations(apart, point)) return 0.0;
  const VectorXd relative = force_directions(problem).transpose() * modes.acceleration(point) + force_drifts(problem);
  const double fastest = relative.cwiseAbs().maxCoeff();
  constexpr double kShort = 1e-4;  // of the time in which the slip may vanish
  return fastest > 0.0 ? kShort * slip / fastest : 0.0;
}

/// The impulses are p(delta) = p0 + delta p1 in each mode; p0 not zero is an impact without collision.
VectorXd impact_without_collision(const AccelerationProblem& problem) {
  const ContactModes instant(problem);
  const double delta = short_time(problem, instant);
  if (delta == 0.0) return {};
  const AccelerationProblem longer = impact_after(problem, delta), shorter = impact_after(problem, 0.1 * delta);
  const ContactModes longer_modes(longer), shorter_modes(shorter);
  const CoulombMotions first = find_motions(longer_modes, list_choices(longer)),
                       second = find_motions(shorter_modes, list_choices(shorter));
  for (const CoulombMotions::Motion& a : first.motions) {
    const VectorXd p = longer_modes.forces(a.point);
    for (const CoulombMotions::Motion& b : second.motions) {
      if (a.contacts != b.contacts) continue;
      const VectorXd limit = (10.0 * shorter_modes.forces(b.point) - p) / 9.0;
      if (limit.norm() > 0.5 * p.norm() && (limit - p).norm() < 0.1 * limit.norm()) return limit;
    }
  }
  return {};
}

Painleve classify(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  Painleve painleve;
  const bool singular = judge_coefficients(problem, dry, painleve);
  const size_t m = problem.unilateral.size();
  const ContactModes modes(problem, dry);
  const ModeChoices possible = list_choices(problem, dry);
  const CoulombMotions all = find_motions(modes, possible);
  painleve.cases = all.enumeration.cases;
  painleve.exhaustive = all.enumeration.exhaustive;
  for (const CoulombMotions::Motion& motion : all.motions) {
    std::vector<ContactMode> contacts = motion.contacts;
    const auto joints = contacts.begin() + static_cast<std::ptrdiff_t>(m);
    contacts.erase(joints, joints + static_cast<std::ptrdiff_t>(problem.bilateral.size()));
    painleve.solutions.push_back({std::move(contacts), modes.forces(motion.point), modes.acceleration(motion.point)});
  }
  if (!possible.refusal.empty()) {
    painleve.reason = possible.refusal;
    if (painleve.p_matrix.value_or(false)) {
      const AccelerationProblem loaded = with_sliding_loads(problem, dry);
      const SlidingJudgement judgement = judge_sliding(loaded);
      if (judgement.motion.unique.yes()) {
        painleve.classification = Class::kUnique;
        painleve.reason.clear();
        std::vector<ContactMode> contacts;
        for (size_t i = 0; i < m; ++i) {
          const bool pushes = judgement.motion.multipliers[static_cast<Eigen::Index>(i)] > 0.0;
          contacts.push_back(pushes ? possible.contacts[i].front().mode : ContactMode::kOpen);
        }
        for (size_t i = problem.unilateral.size() + problem.bilateral.size(); i < possible.contacts.size(); ++i)
          contacts.push_back(possible.contacts[i].front().mode);
        VectorXd forces = sliding_forces(problem, dry);
        forces.head(modes.layout().size()) = stack(loaded).to_forces * judgement.motion.multipliers;
        painleve.solutions.push_back({contacts, forces, judgement.motion.acceleration});
      }
    }
    return painleve;
  }
  if (singular)
    painleve.classification = Class::kSingular;
  else if (all.motions.size() > 1)
    painleve.classification = Class::kIndeterminate;
  else if (!all.complete)
    painleve.reason = "some mode could not be decided numerically";
  else if (all.motions.size() == 1 && painleve.exhaustive)
    painleve.classification = Class::kUnique;
  else if (painleve.exhaustive)
    painleve.classification =
        moves_off(problem, dry, painleve.massless_direction) ? Class::kMasslessLoaded : Class::kInconsistent;
  else
    painleve.reason = fmt::format("{} motion was found, but not every direction of sliding in space was tried",
                                  all.motions.empty() ? "no" : "one");
  if (painleve.classification == Class::kInconsistent) {
    painleve.impulse = impact_without_collision(with_sliding_loads(problem, dry));
    if (painleve.impulse.size() > 0)
      painleve.impulse.conservativeResizeLike(VectorXd::Zero(modes.layout().size() + static_cast<Eigen::Index>(dry.size())));
  }
  return painleve;
}

}  // namespace

Painleve classify_painleve(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  Painleve painleve = classify(problem, dry);
  const UnitDirections directions(problem);
  for (Painleve::Solution& solution : painleve.solutions)
    solution.gap_acceleration = gap_accelerations(problem, directions, solution.acceleration).clean();
  return painleve;
}

}  // namespace tippe
