// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/kinematic_impact.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/largest.h"
#include "tippe/core/rank_decision.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

class KinematicLaw {
 public:
  KinematicLaw(const ImpactProblem& problem, const Collision& collision) : problem_(problem), collision_(collision) {}

  /// A_c p = -(I + E) v-, Brogliato A (77), in two steps, u with B'u = -(I + E) v- and then B p = u, so that no squared singular value
  /// spoils the velocity.
  KinematicImpact judge() {
    const VectorXd& v = collision_.normals().gamma;
    const auto m = v.size();
    const VectorXd change = -(v + problem_.restitution * v);
    const VectorXd scaled = collision_.over_held_length(change);
    const VectorXd u = solve_least_norm(collision_.svd(), scaled, rank_tolerance(m));
    find_contradictions(change, scaled, u);
    const VectorXd& values = collision_.svd().values;
    law_.unique = values.size() == m && (m == 0 || values[m - 1] > rank_tolerance(m));
    law_.exists = law_.reasons.empty();
    if (!law_.exists) {
      law_.unique = false;
      law_.admissible = {Answer::kNo, {}};
      return std::move(law_);
    }
    std::vector<int> all(static_cast<size_t>(m));
    std::iota(all.begin(), all.end(), 0);
    const Rebound rebound = collision_.rebound_of(collision_.normals(), u, collision_.impulses_of(u, all, {}, &forced_));
    if (!(rebound.residual <= kVerdictTolerance)) {
      law_.exists = law_.unique = false;
      law_.reasons.push_back(fmt::format(
          "The impulses that the kinematic law asks for depend so nearly on each other that they could not be computed: an "
          "error of {:.3g} remains.",
          rebound.residual));
      return std::move(law_);
    }
    law_.impulses = rebound.impulses;
    law_.bilateral_impulses = rebound.bilateral_impulses;
    law_.velocity_after = rebound.velocity_after;
    law_.energy_change = rebound.energy_change;
    law_.surface_work = rebound.surface_work;
    law_.residual = rebound.residual;
    judge_admissible(v + change);
    return std::move(law_);
  }

 private:
  const std::string& name(Eigen::Index i) const { return problem_.unilateral[static_cast<size_t>(i)].name; }

  /// Contacts whose velocities no impulses can change as the law asks for.
  void find_contradictions(const VectorXd& change, const VectorXd& scaled, const VectorXd& u) {
    const double tolerance = kVerdictTolerance * std::max(collision_.speed(), largest(scaled));
    for (Eigen::Index i = 0; i < change.size(); ++i) {
      const bool blocked = collision_.held_length()[i] == 0.0;
      const double misfit = blocked ? collision_.in_kinetic_units(change, i) : collision_.unit().col(i).dot(u) - scaled[i];
      if (std::abs(misfit) <= tolerance) continue;
      law_.reasons.push_back(
          fmt::format("No impulses give contact '{}' the velocity {:.6g} m/s that its restitution asks for: its gap depends "
                      "on {}.",
                      name(i), collision_.normals().gamma[i] + change[i], blocked ? "the joints alone" : "the others"));
    }
  }

  /// p >= 0, v+ >= 0, dT <= 0, each in kinetic units relative to the largest speed.
  void judge_admissible(const VectorXd& after) {
    const double speed = collision_.speed();
    double margin = after.size() == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    bool kinetic_fails = false;
    for (Eigen::Index i = 0; i < after.size(); ++i) {
      const double impulse = law_.impulses[i] * collision_.length()[i] / speed;
      const double leaving = collision_.in_kinetic_units(after, i) / speed;
      margin = std::min({margin, impulse, leaving});
      if (impulse < -kVerdictTolerance) {
        kinetic_fails = true;
        law_.reasons.push_back(
            fmt::format("Kinetic: contact '{}'{} would have to pull, with the impulse {:.6g} N s.", name(i),
                        forced_[static_cast<size_t>(i)] ? "" : ", or another that shares its load,", law_.impulses[i]));
      }
      if (leaving < -kVerdictTolerance)
        law_.reasons.push_back(fmt::format("Kinematic: contact '{}' would still approach after the impact, with {:.6g} m/s.",
                                           name(i), after[i]));
    }
    const double gain = law_.energy_change / (speed * speed);
    margin = std::min(margin, -gain);
    if (gain > kVerdictTolerance)
      law_.reasons.push_back(fmt::format("Energetic: the energy would rise by {:.6g} J.", law_.energy_change));
    const Answer answer = margin >= -kSumRoundOff       ? Answer::kYes
                          : margin < -kVerdictTolerance ? Answer::kNo
                                                        : Answer::kUndecided;
    law_.admissible = {answer, margin};
    if (kinetic_fails) tell_wide_angles();
  }

  /// A kinetic angle is 180 degrees less the angle between the directions, Brogliato A (9).
  void tell_wide_angles() {
    constexpr size_t kMost = 3;
    const Eigen::MatrixXd& B = collision_.normals().B;
    std::vector<std::string> pairs;
    for (Eigen::Index i = 0; i < B.cols(); ++i) {
      for (Eigen::Index j = 0; j < i; ++j) {
        const double product = B.col(i).dot(B.col(j)), size = B.col(i).norm() * B.col(j).norm();
        if (!(product > kVerdictTolerance * size)) continue;
        const VectorXd across = B.col(i) - product / B.col(j).squaredNorm() * B.col(j);
        const double angle = 180.0 - std::atan2(across.norm() * B.col(j).norm(), product) * 180.0 / std::numbers::pi;
        pairs.push_back(fmt::format("'{}' and '{}' ({:.4g} degrees)", name(j), name(i), angle));
      }
    }
    if (pairs.empty()) return;
    const size_t count = pairs.size();
    if (count > kMost) pairs.resize(kMost);
    law_.wide_angles = fmt::format(
        "Contacts meet at kinetic angles above 90 degrees, {}{}: the kinematic law can ask for pulling impulses there; "
        "Newton's, Poisson's and Moreau's do not.",
        fmt::join(pairs, ", "), count > kMost ? fmt::format(" and {} more", count - kMost) : "");
  }

  const ImpactProblem& problem_;
  const Collision& collision_;
  std::vector<bool> forced_;  // impulses that have only one value
  KinematicImpact law_;
};

}  // namespace

KinematicImpact judge_kinematic_impact(const ImpactProblem& problem, const Collision& collision) {
  return KinematicLaw(problem, collision).judge();
}

KinematicImpact judge_kinematic_impact(const ImpactProblem& problem) {
  const Collision collision(problem);
  if (collision.massless_direction().size() == 0) return judge_kinematic_impact(problem, collision);
  KinematicImpact none;
  none.exists = none.unique = false;
  none.reasons.emplace_back("A direction without mass is held by no joint.");
  return none;
}

}  // namespace tippe
