// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/analyze/analysis.h"

namespace tippe {

/// What the words, the JSON and the page of an analysis share: names and numbers as readers see them.

[[nodiscard]] std::vector<std::string> names_of(const std::vector<ContactRows>& contacts);
[[nodiscard]] std::vector<std::string> picked(const std::vector<std::string>& names, const std::vector<int>& indices);

/// The notes of the instant and of the analysis, each once, and that a friction coefficient is not known.
[[nodiscard]] std::vector<std::string> all_notes(const Instant& instant, const Analysis& analysis);

/// What an instant has that a friction may act in: contacts or dry frictions.
struct FrictionKinds {
  bool contacts = false;  // with friction
  bool dry = false;       // at rest, with a limit that is not zero

  explicit FrictionKinds(const Instant& instant);
};

/// Unilateral contacts and then dry frictions, as in Painleve::Solution.
[[nodiscard]] std::vector<std::string> rubbing_names(const Instant& instant);

/// The contacts and constraints of an instant, from whichever of its problems is there.
[[nodiscard]] const std::vector<ContactRows>& unilateral_of(const Instant& instant);
[[nodiscard]] const std::vector<ContactRows>& bilateral_of(const Instant& instant);

/// Whether a value is zero for a reader, among values of this size.
[[nodiscard]] bool is_round_off(double value, double size);
/// "29.43", "inf", "0" for what is zero within round-off of `size`.
[[nodiscard]] std::string brief(double value, double size = 0.0);
/// The size of each entry of an acceleration, against which it is round-off: what the load, or the largest entry, gives along its coordinate.
[[nodiscard]] Eigen::VectorXd acceleration_sizes(const Instant& instant, const Eigen::VectorXd& acceleration);
/// The size of each force component of the acceleration problem, against which it is round-off: the load, or the largest of `forces`, along its direction.
[[nodiscard]] Eigen::VectorXd force_sizes(const Instant& instant, const Eigen::VectorXd& forces);
/// The same for impulses of the contacts and then of the constraints: the momentum before the impact along their directions.
[[nodiscard]] Eigen::VectorXd impulse_sizes(const ImpactProblem& problem);
/// The friction coefficient that sticking needs, 0 for round-off.
[[nodiscard]] double needed_friction(const Sticking& sticking);
/// "A1, A2 and A3"; of more than `most` the first ones, "and 4 more".
[[nodiscard]] std::string word_list(const std::vector<std::string>& words, size_t most = 8);
/// "x 1, phi -0.5": the entries that are not zero, with their names; of more than 8 the first ones, "and 4 more"; "0" if there are none. Zero is what is
/// round-off of the largest entry, or of `size`.
[[nodiscard]] std::string combination(const std::vector<std::string>& names, const Eigen::VectorXd& values,
                                      double size = 0.0);
[[nodiscard]] std::string combination(const std::vector<std::string>& names, const Eigen::VectorXd& values,
                                      const Eigen::VectorXd& sizes);
/// Heading and one line per force component: its change per unit of an external force along each coordinate.
[[nodiscard]] std::vector<std::vector<std::string>> tabulate_response(const Instant& instant, const LoadResponse& response);
/// Heading and one line per contact: its gap acceleration, with bounds where it is not determined.
[[nodiscard]] std::vector<std::vector<std::string>> tabulate_gaps(const Instant& instant, const LiftOff& lift);
/// The coordinates of an instant; "q1", ... where they have no names.
[[nodiscard]] std::vector<std::string> coordinate_names(const Instant& instant);

}  // namespace tippe
