// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/tunnel_watch.h"

#include <fmt/format.h>

#include <cmath>

namespace tippe {
namespace {

Eigen::Vector3d velocity_of(const Thickness& body, const Eigen::VectorXd& u) {
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  v.head(body.dimensions) = u.segment(body.first_velocity, body.dimensions);
  return v;
}

}  // namespace

void TunnelWatch::look(double t, double dt, const Eigen::VectorXd& u) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Thickness& body : bodies_) mean += velocity_of(body, u) / static_cast<double>(bodies_.size());
  constexpr double kMore = 1.0 + 1e-9;  // of steps alike the first one is named
  bool any = false;
  for (size_t k = 0; k < bodies_.size(); ++k) {
    const double share = dt * (velocity_of(bodies_[k], u) - mean).norm() / bodies_[k].half;
    any = any || share > 1.0;
    if (!(share > kMore * share_)) continue;
    worst_ = static_cast<int>(k);
    share_ = share, dt_ = dt, time_ = t;
  }
  steps_ += any ? 1.0 : 0.0;
}

void TunnelWatch::warn(std::vector<std::string>& warnings) const {
  if (worst_ < 0) return;
  const Thickness& body = bodies_[static_cast<size_t>(worst_)];
  warnings.push_back(
      fmt::format("in {} a body moved by more than half its thickness and may have passed through another one unseen: '{}' "
                  "by {:.3g} up to t = {:.9g}, and half its thickness is {:.3g}; take a dt below {:.2g}",
                  steps_ == 1.0 ? "one step" : fmt::format("{:.0f} steps", steps_), body.body, share_ * body.half, time_,
                  body.half, dt_ / share_));
}

}  // namespace tippe
