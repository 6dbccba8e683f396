// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/core/sparse_ldlt.h"

namespace tippe {

/// The order in which the rows of a symmetric pattern are eliminated so that little fills in: approximate minimum degree, or the natural one for
/// few rows, where it is as good. `pattern`: its lower triangle, with or without the diagonal.
[[nodiscard]] std::vector<int> elimination_order(int n, std::span<const LowerEntry> pattern);

}  // namespace tippe
