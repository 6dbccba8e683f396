// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace tippe {

/// A root of a polynomial in an interval.
struct PolynomialRoot {
  double t = 0.0;
  /// Signs just before and just after it: -1 and 1 where it crosses zero, equal where it touches. 0: not known, the polynomial does not
  /// leave zero by more than the tolerance.
  int before = 0, after = 0;
};

/// All roots of p(t) = sum c_k t^k in (0, end], ascending, also those of even order, by subdivision of its Bernstein form: none is
/// stepped over. A minimum or maximum that misses zero by at most `tolerance` (of values, in the unit of p) counts as a root that touches.
/// `leading_zeros`: so many first coefficients are zero up to round-off and are left out; p then has no root that belongs to t = 0.
/// Roots are located to about 1e-15 of `end`, multiple ones as well as `tolerance` allows. A polynomial that stays within the tolerance everywhere has none.
[[nodiscard]] std::vector<PolynomialRoot> isolate_roots(std::span<const double> coefficients, double end, double tolerance,
                                                        int leading_zeros = 0);

}  // namespace tippe
