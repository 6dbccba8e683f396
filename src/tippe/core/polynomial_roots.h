// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace tippe {

/// A root of a polynomial in an interval.
struct PolynomialRoot {
  double t = 0.0;
  /// Signs of the polynomial before and after it: opposite where it crosses zero, equal where it touches. after = 0: not known, the
  /// polynomial is within the tolerance from here to the end of the interval without having changed its sign.
  int before = 0, after = 0;
};

/// All roots of p(t) = sum c_k t^k in (0, end], ascending, also those of even order, by subdivision of its Bernstein form: none is
/// stepped over. `leading_zeros`: so many first coefficients are zero up to round-off and are left out, as are further ones that are
/// exactly zero; with m of them the roots are those of r(t) = p(t) (end/t)^m, and t = 0 is none.
///
/// Values |r| <= `tolerance` count as zero, in the unit of p (or 4 epsilon sum |c_k| end^k, what round-off makes of a zero, if that is
/// more). Roots with nothing but zeros between them are one: a minimum that misses zero or dips below it by less is one root that touches,
/// at the minimum; a cluster is one root that crosses, at one of its zeros. What ends within the tolerance at `end` has a root there. At the
/// start of the interval zeros make a root only if the sign after them is not that of the first coefficient. A polynomial that is zero
/// everywhere has none.
///
/// Simple roots are located to about 1e-15 of `end` and of themselves, as far as round-off in p allows.
/// std::invalid_argument: coefficients that are not finite, or more than 64 of them. Memory is taken only for roots.
[[nodiscard]] std::vector<PolynomialRoot> isolate_roots(std::span<const double> coefficients, double end, double tolerance,
                                                        int leading_zeros = 0);

}  // namespace tippe
