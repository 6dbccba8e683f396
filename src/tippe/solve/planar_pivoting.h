// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/normal_form.h"

namespace tippe {

/// Planar contacts as a linear complementarity problem (Stewart and Trinkle), solved by Lemke's pivoting. A contact with one
/// tangent has the unknowns r_N, b+, b-, a >= 0 with r_T = b+ - b-, and
///
///   u_N _|_ r_N ,   u_T + a _|_ b+ ,   -u_T + a _|_ b- ,   mu r_N - b+ - b- _|_ a       all nonnegative
///
/// A line has x = r - lower, and where it has an upper end too a with u + a _|_ x, upper - r _|_ a; with an upper end alone it is
/// mirrored, and a bilateral row is the difference of two nonnegative unknowns. Exact, however redundant the
/// contacts are, where iterations stop above the tolerance. Of the piles that come here about every second path leads to a
/// solution, others end in a ray or in round-off; then another direction helps. Dense: the work grows like the cube of the size.
class PlanarPivoting {
 public:
  /// All blocks are cones with one tangent or lines, and they are not too many.
  static bool applies(const NormalForm& form);

  /// Follows the path of a direction, 0, 1, 2, ... Returns whether it led to a solution; then it is r, up to the round-off of its
  /// basis. Else r is left alone.
  bool solve(const NormalForm& form, int direction, KeptVector& r);

  /// Of the last solve().
  [[nodiscard]] int pivots() const { return pivots_; }

 private:
  int pivots_ = 0;
};

}  // namespace tippe
