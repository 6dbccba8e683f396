// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/hybrid/return_map.h"

namespace tippe {

/// A place where a motion came back to nearly the same state.
struct OrbitGuess {
  Section section;
  int returns = 0;
  SectionPoint point;
  double duration = 0.0;  // s   until the return
  Eigen::VectorXd size;   // of each coordinate of the map on the way, never 0
  double distance = 0.0;  // 1   between the two states, each coordinate relative to its size
};

/// The closest returns of a recorded motion, the closest first, at most `most`, all to one section. `asked`: the section, or nullptr: that which recurs
/// most closely, among nearly equal ones that with most closed contacts. `returns`: 0: the fewest that come nearly as close as any up to 8,
/// after a transient.
[[nodiscard]] std::vector<OrbitGuess> find_close_returns(const ReturnMap& map, const Passage& recorded, const Section* asked,
                                                         int returns, size_t most);

}  // namespace tippe
