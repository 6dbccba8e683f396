// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// An AccelerationProblem as a mixed complementarity problem in the accelerations a, the normal forces lambda of the unilateral
/// contacts and the multipliers nu of all equalities:
///
///   M a + F = pushes lambda + pulls nu ,   equalities'a + equality_drift = 0 ,   0 <= lambda _|_ normals'a + normal_drift >= 0
///
/// Equalities are the bilateral normals and the tangents of every contact that does not slide (Brogliato B (43)). Friction of
/// sliding contacts is folded into pushes and pulls, which differ from normals and equalities there and only there.
struct StackedProblem {
  Eigen::MatrixXd normals, pushes;  // one column per unilateral contact
  Eigen::VectorXd normal_drift;
  Eigen::MatrixXd equalities,
      pulls;  // one column per equality: bilateral normals, then sticking tangents in the order of the layout
  Eigen::VectorXd equality_drift;
  std::vector<std::string> equality_names;  // "rail.n", "A1.t1"
  Eigen::MatrixXd to_forces;                // all force components, in the order of the layout, from (lambda, nu)
  bool sliding = false;                     // a unilateral or bilateral contact slides with friction
  bool sticking = false;                    // some tangent is an equality
  std::vector<int> sliding_bilateral;       // which bilateral contacts slide with friction

  /// pushes and pulls side by side: what (lambda, nu) act along.
  [[nodiscard]] Eigen::MatrixXd columns() const;
};

/// Friction of a sliding bilateral contact is -mu |nu| slip_direction: linear only for a given sign of nu. `signs`: +1 or -1 for each
/// contact of sliding_bilateral; none: as if these contacts had no friction.
[[nodiscard]] StackedProblem stack(const AccelerationProblem& problem, std::span<const int> signs = {});

}  // namespace tippe
