// SPDX-License-Identifier: Apache-2.0
// Friction that falls with the slip, in the inclusion problem of a step: which share of its friction at rest each law has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/contact/contact_rows.h"
#include "tippe/integrate/active_laws.h"

namespace tippe {

FallingFriction::Slip ActiveLaws::slip_of(int a, int first_row, const KeptVector& gamma) const {
  const ForceLaw& law = this->law(a);
  FallingFriction::Slip slip{};
  for (int k = 0; k < law.slips(); ++k) slip[static_cast<size_t>(k)] = gamma[first_row + law.first_slip() + k];
  return slip;
}

/// What the last step left tells whether a law slides; where there was none, the slip does.
void ActiveLaws::begin_falling_friction() {
  constexpr double kNoSlip = 1e-8;  // of all velocities of the problem: numbers that somebody wrote have a few digits
  const double rest = kNoSlip * std::max(gamma_B_.cwiseAbs().maxCoeff(), problem_.c.cwiseAbs().maxCoeff());
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  falling_.clear();
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const ForceLaw& law = this->law(a);
    FallingFriction::Begin begin{.slip = slip_of(a, row, gamma_B_)};
    const double speed = std::hypot(begin.slip[0], begin.slip[1]);
    const bool is_new = law.kind == ForceLaw::Kind::kContact && rested_[static_cast<size_t>(a)] == 0;
    const char slid = slid_[static_cast<size_t>(a)];
    begin.slides = is_new || slid == 0 ? speed > rest : slid == 2;
    begin.hit = is_new && newton && gamma_B_[row] < -rest;
    falling_.add(law.slips() > 0 ? law.falling.get() : nullptr, begin);
  }
}

void ActiveLaws::begin_falling_impact(const KeptVector& gamma) {
  constexpr double kNoSlip = 1e-8;
  const double rest = kNoSlip * gamma.cwiseAbs().maxCoeff();
  falling_.clear();
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    FallingFriction::Begin begin{.slip = slip_of(a, row, gamma), .slides = true, .hit = true};
    const char slid = slid_[static_cast<size_t>(a)];
    begin.slides = slid == 0 ? std::hypot(begin.slip[0], begin.slip[1]) > rest : slid == 2;
    falling_.add(law(a).slips() > 0 ? law(a).falling.get() : nullptr, begin);
  }
}

/// Whether some law needs another share after the last solution.
bool ActiveLaws::look_at_slips(double rest) {
  problem_.G.multiply(solution_.Lambda, xi_, terms_);
  xi_ += problem_.c;
  bool again = false;
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    if (falling_.falls(a)) again = falling_.look(a, slip_of(a, row, xi_), rest) || again;
  }
  return again;
}

/// Whether the friction at rest of a law that slides on could also hold it, alone: by its block of G.
bool ActiveLaws::could_stick(int a, int first_row, double dt) const {
  const ForceLaw& law = this->law(a);
  const double* const G = problem_.G.blocks.diagonal_block(a);
  const int n = sizes_[a], first = law.first_slip(), slips = law.slips();
  Eigen::Matrix2d block = Eigen::Matrix2d::Identity();
  Eigen::Vector2d Lambda = Eigen::Vector2d::Zero(), slip = Lambda;
  for (int i = 0; i < slips; ++i) {
    for (int k = 0; k < slips; ++k) block(i, k) = G[(first + i) * n + first + k];
    Lambda[i] = solution_.Lambda[first_row + first + i];
    slip[i] = xi_[first_row + first + i];
  }
  if (!(block.determinant() > 0.0)) return false;
  const Eigen::Vector2d needed = Lambda - block.inverse() * slip;
  if (law.is_line_friction()) return std::abs(needed[0]) <= dt * law.limit_of_force(needed[0]);
  const bool pad = law.kind == ForceLaw::Kind::kDryFriction;
  const double N = solution_.Lambda[first_row];
  const double first_limit = pad ? dt * law.limits[0] : law.mu1 * N, other_limit = pad ? dt * law.limits[1] : law.mu2 * N;
  if (!(first_limit > 0.0 && (slips == 1 || other_limit > 0.0))) return false;
  return std::hypot(needed[0] / first_limit, slips == 2 ? needed[1] / other_limit : 0.0) <= 1.0;
}

/// Solves problem_ until every law has the share of its slip.
void ActiveLaws::solve_with_falling_friction(double dt, StepReport& report) {
  constexpr int kMostTrials = 200;
  constexpr double kNoSlip = 1e-9;  // of the velocities of the problem, to ten times which it is solved
  const double rest = kNoSlip * problem_.c.cwiseAbs().maxCoeff();
  begin_falling_friction();
  if (!falling_.any()) return solve_inclusion_problem(report);
  for (int trial = 0;; ++trial) {
    for (int a = 0; a < size(); ++a) problem_.laws[static_cast<size_t>(a)] = impulse_set(law(a), dt, 0.0, falling_.share(a));
    solve_inclusion_problem(report);
    if (!report.ok() || !look_at_slips(rest)) break;
    if (trial == kMostTrials) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit =
          fmt::format("no slip was found whose friction leads to it, after {} trials; take a smaller step", trial);
      break;
    }
  }
  report.ambiguous = 0;
  for (int a = 0, row = 0; report.ok() && a < size(); row += sizes_[a++])
    report.ambiguous += falling_.falls(a) && falling_.slides_on(a) && could_stick(a, row, dt) ? 1 : 0;
}

}  // namespace tippe
