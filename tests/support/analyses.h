// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "tippe/analyze/analysis.h"

namespace tippe::test {

struct AnalysedInstant {
  Instant instant;
  Analysis analysis;
};

/// A block of 3 kg that can only move up and down rests on three points. By hand: it stays where it is, the forces share its weight of 29.43 N
/// in any way.
inline AnalysedInstant three_point_block() {
  AnalysedInstant block;
  AccelerationProblem& problem = block.instant.acceleration.emplace();
  block.instant.title = "Block on three points";
  problem.M = Eigen::MatrixXd::Constant(1, 1, 3.0);
  problem.F = Eigen::VectorXd::Constant(1, 29.43);
  problem.coordinates = {"height"};
  for (const char* name : {"A1", "A2", "A3"})
    problem.unilateral.push_back(
        {name, Eigen::VectorXd::Ones(1), 0.0, 0.0, Eigen::MatrixXd(1, 0), Eigen::VectorXd(), {}, {}});

  Analysis& analysis = block.analysis;
  DelassusReport& delassus = analysis.delassus.emplace();
  delassus.matrix = delassus.constrained = Eigen::MatrixXd::Constant(3, 3, 1.0 / 3.0);
  delassus.eigenvalues = Eigen::Vector3d(0, 0, 1);
  delassus.rank = 1;
  delassus.smallest_kept = std::sqrt(3.0);
  delassus.definite = {Answer::kNo, 0.0};
  delassus.null_space = (Eigen::MatrixXd(3, 2) << 1, 0, -1, 1, 0, -1).finished();
  delassus.free_acceleration = delassus.jointed_acceleration = Eigen::VectorXd::Constant(3, -9.81);
  analysis.angles.emplace().unilateral = Eigen::MatrixXd::Constant(3, 3, 180.0);
  analysis.angles->unilateral_constrained = analysis.angles->unilateral;
  analysis.angles->unilateral_bilateral = Eigen::MatrixXd(3, 0);
  Solvability& solvability = analysis.solvability.emplace();
  solvability.verdict = {Answer::kYes, std::nullopt};
  solvability.ground = Solvability::Ground::kEveryDrift;
  solvability.separating_direction = Eigen::VectorXd::Ones(1);
  Motion& motion = analysis.motion.emplace();
  motion.unique = {Answer::kYes, 1.0};
  motion.acceleration = motion.lower = motion.upper = Eigen::VectorXd::Zero(1);
  motion.free_directions = Eigen::MatrixXd(1, 0);
  motion.residual = 0.0;
  ForceSet& forces = analysis.forces.emplace();
  forces.unique = {Answer::kNo, 0.0};
  forces.representative = Eigen::VectorXd::Constant(3, 9.81);
  forces.lower = Eigen::VectorXd::Zero(3);
  forces.upper = Eigen::VectorXd::Constant(3, 29.43);
  forces.free_directions = (Eigen::MatrixXd(3, 2) << 1, 0, -1, 1, 0, -1).finished();
  forces.groups = {{0, 1, 2}};
  forces.group_sums = {29.43};
  forces.residual = 0.0;
  analysis.criteria = {
      {"Theorem 1", "Brogliato A", "contacts are independent", Criterion::Kind::kNecessary, true, Answer::kNo, -1.0},
      {"Theorem 2", "Brogliato A", "joints", Criterion::Kind::kExact, false, Answer::kUndecided, 0.0}};
  analysis.notes = {"no contact has friction: sticking, closure and paradoxes are not judged"};
  return block;
}

/// A rod sliding on its tip beyond the critical friction 4/3, with one motion open and one sliding.
inline AnalysedInstant sliding_rod() {
  AnalysedInstant rod;
  AccelerationProblem& problem = rod.instant.acceleration.emplace();
  problem.M = Eigen::Vector3d(1, 1, 1.0 / 3.0).asDiagonal();
  problem.F = Eigen::Vector3d(0, 9.81, 0);
  const Eigen::MatrixXd tangent = Eigen::Vector3d(1, 0, 0.9);
  problem.unilateral = {
      {"tip", Eigen::Vector3d(0, 1, -0.45), 12.0, 0.0, tangent, Eigen::VectorXd::Zero(1), 1.5, Eigen::VectorXd::Ones(1)}};
  Painleve& painleve = rod.analysis.painleve.emplace();
  painleve.classification = Painleve::Class::kIndeterminate;
  painleve.mu_critical = Eigen::VectorXd::Constant(1, 4.0 / 3.0);
  painleve.beyond_critical = {0};
  painleve.safe = {Answer::kNo, -0.5};
  painleve.cases = 2;
  painleve.solutions = {{{ContactMode::kOpen}, Eigen::Vector2d(0, 0), Eigen::Vector3d(0, -9.81, 0)},
                        {{ContactMode::kSlide}, Eigen::Vector2d(4, -6), Eigen::Vector3d(-6, -5.81, -21.6)}};
  Sticking& sticking = rod.analysis.sticking.emplace();
  sticking.mu_known = false;
  sticking.mu_min = std::numeric_limits<double>::infinity();
  sticking.mu_factor = std::numeric_limits<double>::infinity();
  sticking.tipping = true;
  sticking.blocking_direction = Eigen::Vector3d(0, 0, 1);
  return rod;
}

/// A block of 2 kg on a slope of 30 degrees, mu = 0.3. By hand: it needs mu = tan 30 = 0.577 and slides down with g (sin 30 - 0.3 cos 30) =
/// 2.356 m/s^2; without the limit it would stay.
inline AnalysedInstant slipping_block() {
  AnalysedInstant block;
  AccelerationProblem& problem = block.instant.acceleration.emplace();
  problem.M = 2.0 * Eigen::Matrix2d::Identity();
  problem.F = Eigen::Vector2d(9.81, 16.99);
  problem.coordinates = {"up", "off"};
  problem.unilateral = {{"slope", Eigen::Vector2d(0, 1), 0.0, 0.0, Eigen::MatrixXd(Eigen::Vector2d(1, 0)),
                         Eigen::VectorXd::Zero(1), 0.3, Eigen::VectorXd()}};
  Analysis& analysis = block.analysis;
  analysis.solvability.emplace().verdict = {Answer::kYes, std::nullopt};
  analysis.solvability->kind = InstantKind::kSticking;
  analysis.solvability->ground = Solvability::Ground::kEveryDrift;
  Motion& motion = analysis.motion.emplace();
  motion.unique = {Answer::kYes, std::nullopt};
  motion.acceleration = motion.lower = motion.upper = Eigen::Vector2d::Zero();
  ForceSet& forces = analysis.forces.emplace();
  forces.unique = {Answer::kYes, 1.0};
  forces.representative = forces.lower = forces.upper = Eigen::Vector2d(16.99, 9.81);
  Sticking& sticking = analysis.sticking.emplace();
  sticking.feasible = {Answer::kNo, -0.2};
  analysis.limits_kept = sticking.feasible;
  sticking.mu_min = 0.57735;
  sticking.mu_factor = 1.9245;
  Painleve& painleve = analysis.painleve.emplace();
  painleve.classification = Painleve::Class::kUnique;
  painleve.solutions = {{{ContactMode::kSlide}, Eigen::Vector2d(16.99, 5.097), Eigen::Vector2d(-2.356, 0)}};
  return block;
}

}  // namespace tippe::test
