// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tippe/model/system.h"

namespace tippe {

/// Whether bodies whose contacts are found move so far in a step that they may pass through each other unseen: gaps are looked at once a step. Ways
/// are those beside the mean of all that may touch, so that what flies together is left alone.
class TunnelWatch {
 public:
  explicit TunnelWatch(const System& system) : bodies_(system.thicknesses()) {}

  /// After a step to `t` that took `dt`. Allocates nothing.
  void look(double t, double dt, const Eigen::VectorXd& u);
  void warn(std::vector<std::string>& warnings) const;

  /// Whether what visit() has read names a body of the system.
  [[nodiscard]] bool valid() const { return worst_ < static_cast<int>(bodies_.size()); }

  template <class Archive>
  void visit(Archive& archive) {
    if (bodies_.empty()) return;
    archive("tunnel.steps", steps_);
    archive("tunnel.body", worst_);
    archive("tunnel.share", share_);
    archive("tunnel.dt", dt_);
    archive("tunnel.time", time_);
  }

 private:
  std::span<const Thickness> bodies_;
  double steps_ = 0.0;  // in which a body moved more than half its thickness
  int worst_ = -1;
  double share_ = 1.0;  // of its half thickness, that the worst one moved
  double dt_ = 0.0, time_ = 0.0;
};

}  // namespace tippe
