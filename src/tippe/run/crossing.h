// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

namespace tippe {

/// Where a function of time changes its sign.
struct Crossing {
  double early, late;  // s   with the sign before, and with that after
};

/// What is asked of it.
struct CrossingSearch {
  double begin, end;  // s
  int side = 0;       // the sign at the beginning, if that is known: 0 lets a value next to zero take the sign that it gets
  double zero = 0.0;  // at the beginning as much counts as zero while the sign is not known
  bool rising, falling;  // which ones
  double accuracy;       // s   late - early at most
};

/// The first one. The function is interpolated by polynomials on pieces that are halved until they resolve it, whose zeros are isolated: none is
/// stepped over where it is smooth. A jump, and a kink, has the shortest piece to itself, of a thousandth of the interval: of two crossings in that
/// none is seen.
[[nodiscard]] std::optional<Crossing> find_crossing(const std::function<double(double)>& value,
                                                    const CrossingSearch& search);

}  // namespace tippe
