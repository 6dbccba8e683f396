// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/law_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

double diagonal(const LawCheck::Law& law, int row) {
  return law.G[row * law.law->rows + row];
}

}  // namespace

std::optional<LawCheck::Violation> LawCheck::judge(double tolerance) {
  find_scales();
  for (const Law& law : checked_) {
    if (std::optional<std::string> what = judge(law, tolerance)) return Violation{law.number, std::move(*what)};
  }
  return {};
}

void report_violation(LawCheck& check, const System& system, double residual, StepReport& report) {
  constexpr double kTimes = 100.0;  // residuals are norms over all rows of a part, in other units
  const std::optional<LawCheck::Violation> violation = check.judge(kTimes * residual);
  if (!violation) return;
  report.status = StepReport::Status::kNotSolved;
  report.worst_law = violation->law;
  report.culprit = fmt::format("'{}' violates its law, though the residual of the step is {:.3g}: {}",
                               system.laws()[static_cast<size_t>(violation->law)].name, residual, violation->what);
}

/// The energy that impulses and velocities stand for, row by row: G Lambda^2 + xi^2/G.
void LawCheck::find_scales() {
  constexpr double kRoundOff = 1e-12;  // of the terms of a velocity
  scale_.clear();
  for (const Law& law : checked_) {
    if (law.part >= static_cast<int>(scale_.size())) scale_.resize(static_cast<size_t>(law.part) + 1);
    auto& [size, round_off] = scale_[static_cast<size_t>(law.part)];
    for (int k = 0; k < law.law->rows; ++k) {
      const double G = diagonal(law, k);
      if (!(G > 0.0)) continue;
      size += G * law.Lambda[k] * law.Lambda[k] + law.xi[k] * law.xi[k] / G;
      round_off += std::pow(kRoundOff * law.terms[k], 2) / G;
    }
  }
  for (auto& [size, round_off] : scale_) {
    size = std::sqrt(size);
    round_off = std::sqrt(round_off);
  }
}

std::optional<std::string> LawCheck::judge(const Law& law, double tolerance) const {
  const ForceLaw& kind = *law.law;
  if (kind.kind == ForceLaw::Kind::kDryFriction) return judge_friction(law, 0, kind.limit * law.dt, 0.0, tolerance);
  const auto [size, round_off] = scale_[static_cast<size_t>(law.part)];
  const double error = tolerance * size + round_off;
  // A direction along which nothing can move has no say.
  const double G = diagonal(law, 0), Lambda = law.Lambda[0], xi = law.xi[0];
  if (!(G > 0.0)) return {};
  if (Lambda < -error / std::sqrt(G)) return fmt::format("it pulls with an impulse of {:.3g}", -Lambda);
  // The residual of a contact with friction weighs its normal velocity by 1/mu (De Saxce's form).
  if (xi < -(1.0 + kind.mu1 + kind.mu2) * error * std::sqrt(G))
    return fmt::format("it closes with a velocity of {:.3g}", -xi);
  if (Lambda * xi > error * (size + round_off))
    return fmt::format("it pushes with an impulse of {:.3g} while it opens with {:.3g}", Lambda, xi);
  if (kind.rows == 1) return {};
  const double pushes = std::max(0.0, Lambda);
  return judge_friction(law, 1, kind.mu1 * pushes, kind.mu2 * pushes, tolerance);
}

/// -Lambda_T lies in the ellipse with the given semi-axes, and takes as much energy from the slip as any in it:
/// -Lambda_T.xi_T = sqrt((limit1 xi_1)^2 + (limit2 xi_2)^2).
std::optional<std::string> LawCheck::judge_friction(const Law& law, int first_row, double limit1, double limit2,
                                                    double tolerance) const {
  const auto [size, round_off] = scale_[static_cast<size_t>(law.part)];
  // The limit is as uncertain as the normal impulse that it is a multiple of.
  const double mu = first_row > 0 ? std::max(law.law->mu1, law.law->mu2) : 0.0;
  const double error = (1.0 + mu) * (tolerance * size + round_off);
  double energy_error = error * (size + round_off);
  const double limits[2] = {limit1, limit2};
  const int tangents = std::min(2, law.law->rows - first_row);
  double used = 0.0, slack = 0.0, taken = 0.0, possible = 0.0;  // used, slack: of the ellipse scaled to the unit circle
  for (int k = 0; k < tangents; ++k) {
    const double Lambda = law.Lambda[first_row + k], xi = law.xi[first_row + k], G = diagonal(law, first_row + k);
    if (!(G > 0.0)) continue;
    const double impulse_error = error / std::sqrt(G), limit = limits[k] + impulse_error;
    if (limit > 0.0) {
      used += std::pow(Lambda / limit, 2);
      slack = std::max(slack, impulse_error / limit);
    }
    taken -= Lambda * xi;
    possible += std::pow(limits[k] * xi, 2);
    energy_error += limits[k] * error * std::sqrt(G);  // the limit times what the slip is uncertain by
  }
  if (std::sqrt(used) > 1.0 + slack) return fmt::format("its friction is {:.6g} of its limit", std::sqrt(used));
  if (law.law->drilling) return {};  // drilling takes its share of the limit
  if (taken < -energy_error) return fmt::format("its friction feeds {:.3g} J in", -taken);
  if (taken < std::sqrt(possible) - energy_error)
    return fmt::format("it slips, and its friction takes {:.3g} J of {:.3g} J", taken, std::sqrt(possible));
  return {};
}

}  // namespace tippe
