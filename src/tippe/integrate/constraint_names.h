// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/integrator.h"
#include "tippe/model/system.h"

namespace tippe {

/// "'crank', 'slider'"; of many rows the first ones and how many more.
[[nodiscard]] std::string name_constraints(const System& system, const std::vector<int>& rows);

/// "the direction of 'rod'": the first row with a direction, chi or `other` value that is not finite, or "".
[[nodiscard]] std::string find_non_finite_row(const System& system, const SparseColumns& W, const Eigen::VectorXd& chi,
                                              const Eigen::VectorXd& other);

/// One sentence on a direction without mass that no constraint holds.
[[nodiscard]] std::string describe_massless(const System& system, const Eigen::VectorXd& direction);

/// Whether redundant rows contradict each other.
class ContradictionTest {
 public:
  /// Rows ask for W'x = r; where they are redundant, r has to fit their dependence to round-off of `size`, the terms that r is made
  /// of, or of the largest such size so far, and to `floor` in kinetic units. Else status, residual and culprit go into the report. `level`: "velocity".
  bool find(const System& system, ConstrainedMass& mass, const Eigen::VectorXd& r, const Eigen::VectorXd& size, double floor,
            const std::string& level, StepReport& report);

 private:
  double largest_size_ = 0.0;  // in kinetic units, which are the same for all rows
  Eigen::VectorXd change_, misfit_;
};

}  // namespace tippe
