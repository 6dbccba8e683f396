// SPDX-License-Identifier: Apache-2.0
// Random contact problems of an instant in other units: of energy, of time, of every coordinate and of every contact, which are lengths or angles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/instant_problems.h"
#include "tippe/analyze/analysis.h"
#include "tippe/report/analysis_json.h"
#include "tippe/report/modes_report.h"
#include "tippe/study/list_modes.h"

namespace tippe::instant_units_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Round numbers, among which ties are frequent, or any.
VectorXd numbers(test::Random& random, Index count, bool round) {
  VectorXd values(count);
  for (double& value : values) value = round ? 0.5 * test::random_integer(random, -4, 4) : random.uniform(-2.0, 2.0);
  return values;
}

VectorXd direction(test::Random& random, Index n, bool round) {
  VectorXd w = numbers(random, n, round);
  if (w.isZero()) w[0] = 1.0;
  return w;
}

ContactRows contact(test::Random& random, Index n, bool round, bool hits) {
  ContactRows rows = test::row("", direction(random, n, round), random.below(2) == 0 ? numbers(random, 1, round)[0] : 0.0);
  const int tangents = test::random_integer(random, 0, 2);
  rows.tangents.resize(n, tangents);
  for (int t = 0; t < tangents; ++t) rows.tangents.col(t) = direction(random, n, round);
  rows.tangent_drift = numbers(random, tangents, round);
  if (tangents > 0) rows.mu = 0.25 * test::random_integer(random, 0, 6);
  if (tangents > 0 && !hits && random.below(3) == 0) rows.slip = numbers(random, tangents, round);
  return rows;
}

Instant random_instant(unsigned seed) {
  test::Random random(seed);
  const bool round = random.below(2) == 0, hits = random.below(2) == 0;
  const Index n = test::random_integer(random, 2, 5);
  MatrixXd A(n, n);
  for (Index j = 0; j < n; ++j) A.col(j) = numbers(random, n, round);
  const MatrixXd M = A.transpose() * A + MatrixXd::Identity(n, n);
  std::vector<ContactRows> contacts, joints;
  for (int i = test::random_integer(random, 1, 3); i > 0; --i) contacts.push_back(contact(random, n, round, hits));
  for (size_t i = 0; i < contacts.size(); ++i) contacts[i].name = "A" + std::to_string(i);
  if (random.below(3) == 0) joints.push_back(test::row("B", direction(random, n, round)));
  Instant instant;
  if (hits) {
    const double restitution = 0.25 * test::random_integer(random, 0, 4);
    instant.impact = ImpactProblem{.M = M,
                                   .velocity = numbers(random, n, round),
                                   .unilateral = contacts,
                                   .bilateral = joints,
                                   .restitution = restitution * MatrixXd::Identity(static_cast<Index>(contacts.size()),
                                                                                   static_cast<Index>(contacts.size())),
                                   .coordinates = {}};
    return instant;
  }
  instant.acceleration = test::problem_of(M, 10.0 * numbers(random, n, round), contacts, joints);
  if (random.below(4) == 0)
    instant.dry.push_back(
        {.name = "D", .direction = direction(random, n, round), .limit = 2.0, .slip = random.below(2) - 1.0});
  return instant;
}

/// What numbers are divided by: coordinates, gaps, velocities against dry friction, times; forces on coordinates are energies over these. Powers of two, of energy and time
/// powers of four, since kinetic lengths are roots.
struct InstantUnits {
  explicit InstantUnits(unsigned seed) : random(seed) {
    energy = power_of_two(2, 8);
    time = power_of_two(2, 5);
  }
  double power_of_two(int step, int most) { return std::ldexp(1.0, step * test::random_integer(random, -most, most)); }

  test::Random random;
  double energy, time;
};

void rewrite(ContactRows& rows, const VectorXd& coordinates, InstantUnits& units) {
  const double gap = units.power_of_two(1, 8);
  rows.normal = rows.normal.cwiseProduct(coordinates) / gap;
  rows.tangents = coordinates.asDiagonal() * rows.tangents / gap;
  rows.drift *= units.time * units.time / gap;
  rows.tangent_drift *= units.time * units.time / gap;
  rows.slip *= units.time / gap;
}

Instant in_other_units(Instant instant, unsigned seed) {
  InstantUnits units(seed);
  const Index n = instant.impact ? instant.impact->M.rows() : instant.acceleration->M.rows();
  VectorXd coordinates(n);
  for (double& unit : coordinates) unit = units.power_of_two(1, 8);
  const auto mass = [&](const MatrixXd& M) {
    return MatrixXd(units.energy / (units.time * units.time) * (coordinates.asDiagonal() * M * coordinates.asDiagonal()));
  };
  const auto rewrite_all = [&](auto& problem) {
    problem.M = mass(problem.M);
    for (ContactRows& rows : problem.unilateral) rewrite(rows, coordinates, units);
    for (ContactRows& rows : problem.bilateral) rewrite(rows, coordinates, units);
  };
  if (instant.impact) {
    rewrite_all(*instant.impact);
    instant.impact->velocity = units.time * instant.impact->velocity.cwiseQuotient(coordinates);
  }
  if (instant.acceleration) {
    rewrite_all(*instant.acceleration);
    instant.acceleration->F = units.energy * instant.acceleration->F.cwiseProduct(coordinates);
  }
  for (DryFrictionRow& dry : instant.dry) {
    const double velocity = units.power_of_two(1, 8);
    dry.direction = dry.direction.cwiseProduct(coordinates) / velocity;
    dry.limit *= units.energy * velocity;
    dry.slip *= units.time / velocity;
  }
  return instant;
}

/// Answers, names, and numbers that have no unit, each with its place. Sentences contain numbers with units; sums of forces of several contacts depend on their units.
void collect(const nlohmann::json& json, const std::string& place, std::map<std::string, std::string>& answers) {
  for (const char* with_units : {"summary", "text", "statement", "notes", "warnings", "reasons", "rejected", "group_sums",
                                 "forces/residual", "solvable/margin", "title"}) {
    if (place.ends_with(with_units)) return;
  }
  if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) collect(value, place + "/" + key, answers);
  } else if (json.is_number()) {
    for (const char* free : {"residual", "margin", "mu_min", "mu_factor", "mu_critical", "_deg", "cosines", "alternatives",
                             "cases", "rank", "trade_offs", "fronts", "criteria", "projected"}) {
      if (place.find(free) != std::string::npos) answers[place] = json.dump();
    }
  } else {
    answers[place] = json.dump();
  }
}

std::map<std::string, std::string> judge(const Instant& instant) {
  std::map<std::string, std::string> answers;
  collect(nlohmann::json::parse(analysis_json(instant, analyze(instant), {"instant", {}})), "analyze", answers);
  collect(nlohmann::json::parse(modes_json(list_modes(instant))), "modes", answers);
  return answers;
}

TEST(InstantUnits, VerdictsAndNumbersWithoutUnitsAreTheSameToTheBit) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Instant instant = random_instant(seed);
    const std::map<std::string, std::string> plain = judge(instant), scaled = judge(in_other_units(instant, 1000 + seed));
    compared += static_cast<int>(plain.size());
    EXPECT_EQ(plain.size(), scaled.size()) << seed;
    for (const auto& [place, answer] : plain) {
      const auto found = scaled.find(place);
      EXPECT_EQ(found == scaled.end() ? "nothing" : found->second, answer) << seed << " " << place;
    }
  }
  EXPECT_GT(compared, 5000);
}

}  // namespace tippe::instant_units_test
