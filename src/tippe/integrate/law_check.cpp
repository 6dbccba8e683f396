// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/law_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/integrate/tolerances.h"

namespace tippe {
std::optional<LawCheck::Violation> LawCheck::judge(double tolerance) {
  find_rows();
  const Row* rows = rows_.data();
  for (const Law& law : checked_) {
    if (std::optional<std::string> what = judge(law, rows, tolerance)) return Violation{law.number, std::move(*what)};
    rows += law.law->rows;
  }
  return {};
}

void fail_by_law(const System& system, const LawId& law, const std::string& what, double residual, StepReport& report) {
  report.status = StepReport::Status::kNotSolved;
  report.worst_law = law;
  report.culprit = fmt::format("'{}' violates its law, though the residual of the step is {:.3g}: {}", system.law_name(law),
                               residual, what);
}

void report_violation(LawCheck& check, const System& system, std::span<const LawId> ids, double residual,
                      StepReport& report) {
  constexpr double kTimes = 100.0;  // residuals are norms over all rows of a part, in other units
  const std::optional<LawCheck::Violation> violation = check.judge(kTimes * residual);
  if (violation) fail_by_law(system, ids[static_cast<size_t>(violation->law)], violation->what, report.residual, report);
}

/// Rows in kinetic units, and the energy that impulses and velocities of each part stand for: the sum of G Lambda^2 + xi^2/G.
void LawCheck::find_rows() {
  rows_.clear();
  scale_.clear();
  for (const Law& law : checked_) {
    const auto part = static_cast<size_t>(law.part);
    if (part >= scale_.size()) scale_.resize(part + 1);
    auto& [size, round_off] = scale_[part];
    for (int k = 0; k < law.law->rows; ++k) {
      const double G = law.G[k * law.law->rows + k];
      if (!(G > 0.0)) {
        rows_.push_back({0.0, 0.0, 0.0});
        continue;
      }
      const double root = std::sqrt(G), per_root = 1.0 / root, error = kZeroOfTerms * law.terms[k] * per_root;
      const Row row{root, law.Lambda[k] * root, law.xi[k] * per_root};
      size += row.impulse * row.impulse + row.velocity * row.velocity;
      if (law.before != nullptr) size += G * law.before[k] * law.before[k];
      round_off += error * error;
      rows_.push_back(row);
    }
  }
  // Velocities that die away end below the root of the smallest number, where their squares vanish: that is rest.
  constexpr double kLeastSquare = std::numeric_limits<double>::min();
  for (auto& [size, round_off] : scale_) {
    size = std::sqrt(size + kLeastSquare);
    round_off = std::sqrt(round_off);
  }
}

std::optional<std::string> LawCheck::judge(const Law& law, const Row* rows, double tolerance) const {
  const ForceLaw& kind = *law.law;
  if (kind.is_line_friction()) {
    // What bounds the impulse, and what takes most energy, may be the limits of two sides.
    const double dt = law.share * law.dt;
    const double bound = dt * kind.limit_of_force(law.Lambda[0]), takes = dt * kind.limit_against(law.xi[0]);
    return judge_friction(law, rows, 1, {bound, 0.0}, {takes, 0.0}, 0.0, tolerance);
  }
  if (kind.kind == ForceLaw::Kind::kDryFriction) {
    const std::array<double, 2> limits = {law.share * law.dt * kind.limits[0], law.share * law.dt * kind.limits[1]};
    return judge_friction(law, rows, 2, limits, limits, 0.0, tolerance);
  }
  const auto [size, round_off] = scale_[static_cast<size_t>(law.part)];
  const double error = tolerance * size + round_off;
  const auto [root_G, whole_impulse, velocity] = rows[0];
  if (root_G == 0.0) return {};  // a direction along which nothing can move has no say
  // The residual measures all velocities of a contact in the unit of its most movable row.
  double coarse = root_G;
  for (int k = 1; k < kind.rows; ++k) coarse = std::max(coarse, rows[k].root_G);
  coarse /= root_G;
  if (law.is_equation) {
    if (std::abs(velocity) <= error) return {};
    return fmt::format("its velocity differs by {:.3g} from that of the restitution matrix", law.xi[0]);
  }
  const double impulse = whole_impulse - law.least * root_G;
  if (impulse < -error) {
    if (law.least == 0.0) return fmt::format("it pulls with an impulse of {:.3g}", -law.Lambda[0]);
    return fmt::format("it expands with an impulse of {:.3g}, and {:.3g} is the least", law.Lambda[0], law.least);
  }
  // The residual of a contact with friction weighs its normal velocity by 1/mu (De Saxce's form).
  if (velocity < -coarse * (1.0 + kind.mu1 + kind.mu2) * error)
    return fmt::format("it closes with a velocity of {:.3g}", -law.xi[0]);
  if (impulse * velocity > coarse * error * (size + round_off))
    return fmt::format("it pushes with an impulse of {:.3g} while it opens with {:.3g}", law.Lambda[0] - law.least,
                       law.xi[0]);
  if (kind.rows == 1) return {};
  const double pushes = law.share * std::max(0.0, law.Lambda[0]);
  const std::array<double, 2> limits = {kind.mu1 * pushes, kind.mu2 * pushes};
  return judge_friction(law, rows + 1, kind.slips(), limits, limits, std::max(kind.mu1, kind.mu2), tolerance);
}

/// -Lambda_T lies in the ellipse with the semi-axes `bounds`, and takes as much energy from the slip as any in that with `limits`:
/// -Lambda_T.xi_T = sqrt((limit1 xi_1)^2 + (limit2 xi_2)^2).
std::optional<std::string> LawCheck::judge_friction(const Law& law, const Row* tangents, int count,
                                                    const std::array<double, 2>& bounds, const std::array<double, 2>& limits,
                                                    double mu, double tolerance) const {
  const auto [size, round_off] = scale_[static_cast<size_t>(law.part)];
  // The limit is as uncertain as the normal impulse that it is a multiple of.
  const double error = (1.0 + mu) * (tolerance * size + round_off);
  double energy_error = error * (size + round_off);
  double used = 0.0, slack = 0.0, taken = 0.0, possible = 0.0;  // used, slack: of the ellipse scaled to the unit circle
  for (int k = 0; k < count; ++k) {
    const auto [root_G, impulse, velocity] = tangents[k];
    const double own_limit = limits[k] * root_G, limit = bounds[k] * root_G + error;
    if (root_G > 0.0 && limit > 0.0) {
      const double per_limit = 1.0 / limit, ratio = impulse * per_limit;
      used += ratio * ratio;
      slack = std::max(slack, error * per_limit);
    }
    taken -= impulse * velocity;
    possible += own_limit * velocity * own_limit * velocity;
    energy_error += own_limit * error;  // the limit times what the slip is uncertain by
  }
  if (used > (1.0 + slack) * (1.0 + slack)) return fmt::format("its friction is {:.6g} of its limit", std::sqrt(used));
  if (law.law->drilling) return {};  // drilling takes its share of the limit
  if (taken < -energy_error) return fmt::format("its friction feeds {:.3g} J in", -taken);
  const double most_taken = taken + energy_error;
  if (possible > most_taken * most_taken)
    return fmt::format("it slips, and its friction takes {:.3g} J of {:.3g} J", taken, std::sqrt(possible));
  return {};
}

}  // namespace tippe
