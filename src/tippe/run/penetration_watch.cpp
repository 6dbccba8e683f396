// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/penetration_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace tippe {

PenetrationWatch::PenetrationWatch(const System& system) : system_(system) {
  for (Eigen::VectorXd* vector : {&deepest_, &at_start_, &way_, &size_, &last_})
    vector->setZero(static_cast<Eigen::Index>(system.laws().size()));
}

void PenetrationWatch::look(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q) {
  if (gaps.size() > 0) largest_q_ = std::max(largest_q_, q.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    size_[i] = std::max(size_[i], gaps[i]);
    if (last_[i] > 0.0 && gaps[i] < 0.0) way_[i] = std::max(way_[i], last_[i] - gaps[i]);  // it closed within a step
    last_[i] = gaps[i];
    if (!(-gaps[i] > deepest_[i])) continue;
    deepest_[i] = -gaps[i];
    if (deepest_[i] > worst()) worst_law_ = static_cast<int>(i);
  }
}

void PenetrationWatch::start(const Eigen::VectorXd& gaps, const Eigen::VectorXd& q) {
  look(gaps, q);
  at_start_ = deepest_;
}

void PenetrationWatch::book(const LawStep& laws, double dt) {
  way_ = way_.cwiseMax(dt * laws.closing_speed);
}

std::string PenetrationWatch::worst_at() const {
  return worst_law_ < 0 ? "" : system_.laws()[static_cast<size_t>(worst_law_)].name;
}

void PenetrationWatch::warn(double steps, const std::string& remedy, std::vector<std::string>& warnings) const {
  constexpr double kFaster = 1.1;      // it may close faster at the end of a step than at its beginning
  constexpr double kLocated = 1e-10;   // of the largest gap: what a located event leaves
  constexpr double kRoundOff = 1e-11;  // of the largest coordinate
  constexpr double kOfOthers = 1e-3;   // of the worst depth: pushing it out is exact to a tenth of that
  Eigen::Index worst = -1;
  double excess = 0.0;
  for (Eigen::Index i = 0; i < deepest_.size(); ++i) {
    const double explained =
        at_start_[i] + kFaster * steps * way_[i] + kLocated * size_[i] + kRoundOff * largest_q_ + kOfOthers * this->worst();
    if (deepest_[i] - explained <= excess) continue;
    excess = deepest_[i] - explained;
    worst = i;
  }
  if (worst < 0) return;
  const std::string explained = steps == 1.0 ? "a step" : fmt::format("{} steps", steps);
  warnings.push_back(fmt::format("contact '{}' was penetrated by {:.3g}, and {} at its closing speed explain{} {:.3g}; {}",
                                 system_.laws()[static_cast<size_t>(worst)].name, deepest_[worst], explained,
                                 steps == 1.0 ? "s" : "", at_start_[worst] + steps * way_[worst], remedy));
}

}  // namespace tippe
