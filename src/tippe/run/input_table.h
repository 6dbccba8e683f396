// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/model/system.h"

namespace tippe {

/// Values of inputs over time. Those of a row are held until the next; before the first row inputs are as at the start.
struct InputTable {
  std::vector<double> time;     // s   ascending
  std::vector<int> coordinate;  // of each column, in q
  std::vector<double> value;    // row by row

  [[nodiscard]] bool empty() const { return time.empty(); }
  /// Sets the inputs of the row that is held at t; true if one of them changes.
  bool hold(double t, Eigen::VectorXd& q) const;
  /// The first time after t at which a row begins, or infinity.
  [[nodiscard]] double next_after(double t) const;
};

/// Comma-separated values: a column t (s), and one for each input that is given. Throws InputError with line and column.
[[nodiscard]] InputTable read_input_table(const std::string& text, const std::string& file, const System& system);

}  // namespace tippe
