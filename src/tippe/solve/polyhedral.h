// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/problem/complementarity.h"
#include "tippe/solve/normal_form.h"

namespace tippe {

/// Whether all sets of a problem are polyhedral: lines, and contacts with one tangent. Then it is a mixed linear complementarity
/// problem, and pivoting solves it exactly where iterations crawl.
[[nodiscard]] bool is_polyhedral(const NormalForm& form);

/// The problem as an MLCP. Bilateral rows are free variables. A contact has r_T = b+ - b-, and with the speed l of sliding
///   0 <= r_N _|_ u_N >= 0 ,   0 <= b+ _|_ u_T + l >= 0 ,   0 <= b- _|_ -u_T + l >= 0 ,   0 <= l _|_ mu r_N - b+ - b- >= 0.
/// An interval has r = lower + x with 0 <= x _|_ u + y >= 0, 0 <= y _|_ upper - lower - x >= 0, mirrored if it has no lower end.
[[nodiscard]] MlcpProblem as_mlcp(const NormalForm& form);

/// r from a solution (free variables, complementary variables) of as_mlcp().
void from_mlcp(const NormalForm& form, const Eigen::VectorXd& solution, KeptVector& r);

}  // namespace tippe
