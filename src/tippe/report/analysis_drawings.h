// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace tippe {

/// Text for HTML: no character of it is markup.
[[nodiscard]] std::string escape_html(const std::string& text);

/// A bar for each value on a logarithmic axis, the largest first; what is not above round-off of the largest is drawn as zero.
[[nodiscard]] std::string draw_spectrum(const Eigen::VectorXd& values);

/// A force with the interval that it may lie in; ends may be infinite.
struct ForceInterval {
  std::string name;
  double value = 0.0, lower = 0.0, upper = 0.0;
};
/// One line for each force on a common axis: a bar from end to end, arrows where it has none, a dot at the value.
[[nodiscard]] std::string draw_intervals(const std::vector<ForceInterval>& forces);

/// How much of its friction cone a contact uses.
struct ConeUse {
  std::string name;
  double friction = 0.0, limit = 0.0;
};
[[nodiscard]] std::string draw_cones(const std::vector<ConeUse>& contacts);

/// Angles in degrees as a table, blue below 90 (a push on one closes the other), orange above (it opens the other), a dash where there is none.
[[nodiscard]] std::string angle_table(const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                                      const Eigen::MatrixXd& degrees);

}  // namespace tippe
