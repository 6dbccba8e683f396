// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "tippe/solve/newton_system.h"

namespace tippe {

/// Interior point method on the exact law. With De Saxce's change of variables, z = u + mu |u_T| n, the law of a contact is a
/// complementarity of second-order cones; in r^ = (mu r_N, r_T), z^ = (z_N / mu, z_T) both cones are x_N >= |x_T|:
///
///   z^ - (sqrt(|z_T|^2 + e^2) - e) n = W^ r^ + q^ ,   r^ o z^ = m e_0 -> 0
///
/// with the smoothing e = m = mean of r^.z^, so that the equations become exact as m vanishes. Newton steps in the scaling of
/// Nesterov and Todd, P r^ = P^-1 z^ = l, predictor and corrector of Mehrotra. Unilateral rows are cones of one dimension, bilateral
/// rows are equations. Comes near a solution from anywhere in some twenty steps where sweeps take thousands, and loses its last
/// digits in the conditioning of the scaling.
class InteriorPoint {
 public:
  /// False if the problem holds laws that are no cones: intervals with an end, sets known by their prox only.
  [[nodiscard]] static bool applies(const NormalForm& form);

  static constexpr double kInside = 0.1;  // of what is natural: deep enough to move, near enough to be worth it

  /// From the neighbourhood of r, `inside` away from the boundary of the cones. Where impulses of the solution are much larger than
  /// `inside`, steps may jam at the boundary while the equations are still far from solved; deeper starts do not.
  void prepare(const NormalForm& form, const KeptVector& r, double inside = kInside);

  /// From now on the equations of a convex problem, z^ - s n = W^ r^ + q^ with s = |u_T| where prepare() was given r, instead of |z_T|. Its solution is that of the
  /// exact law if its slips are s.
  void freeze_slips();

  /// One step. False if the equations could not be solved or no step was possible.
  bool step();

  /// The present iterate.
  void iterate(KeptVector& r) const;

  /// m, by which the equations are still off.
  [[nodiscard]] double mean() const { return m_; }

  /// The last step failed, or the last ten brought nothing.
  [[nodiscard]] bool stuck() const { return stuck_; }

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
  using SmallMatrix = NewtonSystem::BlockMatrix;
  struct Scaling {
    SmallMatrix P, P_inverse, J;  // J: derivative of the left side by z^
    Small l;
  };

  [[nodiscard]] bool is_cone(int block) const;
  void evaluate_scaling();
  void evaluate_residual();
  [[nodiscard]] bool solve_direction(double sigma, bool corrector);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] double mean_product(double length) const;
  [[nodiscard]] bool central(double length, double mean) const;
  [[nodiscard]] bool try_step();

  const NormalForm* form_ = nullptr;
  NewtonSystem system_;
  std::vector<Scaling> scaling_;
  Eigen::VectorXd r_, z_, dr_, dz_, F_, rhs_, v_, x_;  // all in the variables ^; bilateral rows: z_ = 0
  KeptVector u_, kinetic_, plain_;
  KeptVector slips_;  // of each block where they are frozen, else empty
  double m_ = 1.0;
  int cones_ = 0;
  bool stuck_ = false;
  int steps_ = 0;
  std::array<double, 10> m_before_;  // of the last ten steps
};

}  // namespace tippe
