// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/penetration_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/core/infinity.h"
#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

constexpr double kDidNotClose = -1.0;

}  // namespace

PenetrationWatch::PenetrationWatch(const System& system) : system_(system) {
  for (Eigen::VectorXd* vector : {&deepest_, &at_start_, &way_, &sinking_, &closing_way_, &size_, &last_})
    vector->setZero(static_cast<Eigen::Index>(system.laws().size()));
}

void PenetrationWatch::look(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q) {
  if (gaps.size() > 0) largest_q_ = std::max(largest_q_, q.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (gaps[i] == kInfinity) {  // none of its contacts is near
      last_[i] = std::max(0.0, last_[i]);
      closing_way_[i] = kDidNotClose;
      continue;
    }
    size_[i] = std::max(size_[i], gaps[i]);
    // One that closed after the middle of a step, where schemes look, goes on until the middle of the next.
    const bool closes = last_[i] >= 0.0 && gaps[i] < 0.0, closed_just_before = closing_way_[i] >= 0.0;
    const double way = std::max(0.0, last_[i] - gaps[i]);
    if (closes || closed_just_before) {
      way_[i] = std::max(way_[i], way + (closed_just_before ? closing_way_[i] : 0.0));
    } else if (gaps[i] < 0.0) {
      sinking_[i] = std::max(sinking_[i], way);
    }
    closing_way_[i] = closes ? way : kDidNotClose;
    last_[i] = gaps[i];
    if (!(-gaps[i] > deepest_[i])) continue;
    deepest_[i] = -gaps[i];
    if (deepest_[i] > worst()) worst_law_ = static_cast<int>(i);
  }
}

void PenetrationWatch::start(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q) {
  look(gaps, q);
  at_start_ = deepest_;
  way_.setZero();
  for (Eigen::Index i = 0; i < gaps.size(); ++i) closing_way_[i] = gaps[i] <= 0.0 ? 0.0 : kDidNotClose;
}

std::string PenetrationWatch::worst_at() const {
  return worst_law_ < 0 ? "" : system_.laws()[static_cast<size_t>(worst_law_)].name;
}

void PenetrationWatch::warn(double steps, const std::string& remedy, std::vector<std::string>& warnings) const {
  constexpr double kFaster = 1.1;     // it may close faster at the end of a step than at its beginning
  constexpr double kOfOthers = 1e-3;  // of the worst depth: pushing it out is exact to a tenth of that
  constexpr double kOfBodies = 1e-6;  // of what touches: what rests for long sinks by the residuals of its steps
  Eigen::Index worst = -1;
  double excess = 0.0;
  for (Eigen::Index i = 0; i < deepest_.size(); ++i) {
    const double explained = at_start_[i] + kFaster * (way_[i] + (steps - 1.0) * sinking_[i]) + kDepthOfEvent * size_[i] +
                             kGapRoundOff * largest_q_ + kOfOthers * this->worst() + kOfBodies * system_.largest_half_size();
    if (deepest_[i] - explained <= excess) continue;
    excess = deepest_[i] - explained;
    worst = i;
  }
  if (worst < 0) return;
  warnings.push_back(fmt::format("contact '{}' was penetrated by {:.3g}, and its way in a step explains {:.3g}; {}",
                                 system_.laws()[static_cast<size_t>(worst)].name, deepest_[worst],
                                 at_start_[worst] + way_[worst] + (steps - 1.0) * sinking_[worst], remedy));
}

}  // namespace tippe
