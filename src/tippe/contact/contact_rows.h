// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "tippe/model/force_law.h"
#include "tippe/problem/acceleration_problem.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// The rows of a law, or of all constraints, at a state, dense: gamma = W'u + chi, d gamma/dt = W'du/dt + drift.
struct DenseRows {
  Eigen::MatrixXd W;  // one column per row
  Eigen::VectorXd chi, drift, gamma;
};

/// The directions of a contact along which it has friction, with drilling three; along the others it slides freely. |(f1/mu1, f2/mu2)| <= normal
/// force is an isotropic law with the largest coefficient for tangents that are scaled by mu_k/mu; drilling by the mean radius, which has the
/// ellipsoid as its set. Of a dry friction in a plane the same with limits in place of coefficients.
class FrictionTangents {
 public:
  explicit FrictionTangents(const ForceLaw& law);
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] double mu() const { return mu_; }                              // the largest
  [[nodiscard]] int row(int k) const { return row_[static_cast<size_t>(k)]; }  // of the law
  [[nodiscard]] double scale(int k) const {
    return scale_[static_cast<size_t>(k)];
  }  // from 0, which it is not; to 1, of drilling m

 private:
  int count_ = 0;
  double mu_ = 0.0;
  std::array<int, 3> row_{};
  std::array<double, 3> scale_{};
};

/// A contact or a clutch as an acceleration or an impact problem has it. `slides`: whether its slip counts, else it is zero. `moves`: whether
/// it is there, for friction that falls with it; an impact counts slips that are not.
[[nodiscard]] ContactRows contact_rows(const ForceLaw& law, const DenseRows& rows, bool slides, bool moves);
/// The row k as a constraint.
[[nodiscard]] ContactRows constraint_rows(const std::string& name, const DenseRows& rows, Eigen::Index k);
/// A dry friction against one velocity. Its force is counted from the middle between its limits, which becomes a load: F -= W middle.
[[nodiscard]] DryFrictionRow dry_friction_row(const ForceLaw& law, const DenseRows& rows, bool slides, Eigen::VectorXd& F);
/// -force per normal force of friction that slides with these velocities of its rows, of a dry friction N: the point of its set that takes most
/// power.
[[nodiscard]] Eigen::VectorXd sliding_friction(const ForceLaw& law, const Eigen::VectorXd& slip);
/// A dry friction in a plane as a contact that its limit presses along a coordinate of its own, which is added behind all others.
void add_pressed(const ForceLaw& law, const DenseRows& rows, bool slides, AccelerationProblem& problem,
                 std::vector<DryFrictionRow>& dry);
/// One with more velocities that slides: F -= W force, which its velocities decide.
void load_sliding_friction(const ForceLaw& law, const DenseRows& rows, Eigen::VectorXd& F);

/// A law in the inclusion problem of a step, all its rows with their own coefficients: the set that its impulse over a time dt obeys. Impulse
/// sets of cones are the cones themselves; a limited force gives the impulse limit * dt, none in an impact (dt = 0). `extra_normal`: what
/// loads the friction beside the law's own normal impulse. `share`: of friction that falls with the slip, see FrictionCurve.
[[nodiscard]] inline LawSet impulse_set(const ForceLaw& law, double dt, double extra_normal = 0.0, double share = 1.0) {
  if (law.kind == ForceLaw::Kind::kDryFriction) dt *= share;
  if (law.is_line_friction()) return Interval{-law.limits[1] * dt, law.limits[0] * dt};
  if (law.kind == ForceLaw::Kind::kDryFriction && law.drilling)
    return DrillingFriction{law.limits[0] * dt, law.drilling->Rbar, law.drilling->set};
  if (law.kind == ForceLaw::Kind::kDryFriction) return PlaneFriction{law.limits[0] * dt, law.limits[1] * dt};
  if (law.drilling) return DrillingContact{law.mu1, law.drilling->Rbar, law.drilling->set, extra_normal};
  if (law.rows > 1) return CoulombContact{share * law.mu1, share * law.mu2, extra_normal};
  return HalfLine{};
}

/// Of the friction in an impact: that of its first direction.
[[nodiscard]] double tangential_restitution(const ForceLaw& law);

}  // namespace tippe
