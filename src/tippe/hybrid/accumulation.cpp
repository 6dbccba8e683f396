// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/accumulation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tippe/hybrid/memory_reader.h"

namespace tippe {

void AccumulationWatch::add_impact(double interval, std::span<const int> laws, double lost) {
  // A longer interval than the two before it together ends a series.
  const size_t n = impacts_.size();
  if (n >= 3 && interval > impacts_[n - 1].interval + impacts_[n - 2].interval) clear();
  if (impacts_.empty()) {
    interval = 0.0;
  } else {
    longest_ = std::max(longest_, interval);
  }
  const double before = impacts_.empty() ? 0.0 : impacts_.back().lost;
  if (impacts_.size() == kRemembered) impacts_.erase(impacts_.begin());
  impacts_.push_back({interval, before + lost, {laws.begin(), laws.end()}});
}

double AccumulationWatch::lost(size_t back) const {
  const size_t k = impacts_.size() - 1 - back;
  return impacts_[k].lost - impacts_[k - 1].lost;
}

bool AccumulationWatch::fades() const {
  if (impacts_.size() < kRemembered) return false;
  constexpr double kFading = 0.99;  // of the energy that two impacts lose, from two to two
  return lost(2) + lost(3) > 0.0 && lost(0) + lost(1) <= kFading * (lost(2) + lost(3));
}

std::optional<AccumulationWatch::Limit> AccumulationWatch::limit(double instant) const {
  if (impacts_.size() < kRemembered) return std::nullopt;
  const size_t n = impacts_.size();
  const auto interval = [&](size_t back) { return impacts_[n - 1 - back].interval; };
  // Two by two, because contacts may take turns: after the intervals a, b come a R, b R, ...
  double remaining = 0.0;
  if (interval(0) + interval(1) <= instant) {
    // Impacts at one instant accumulate only if they fade; what is left is small when the last ones are beside all.
    constexpr double kFaded = 1e-16;
    if (!fades() || lost(0) + lost(1) > kFaded * impacts_.back().lost) return std::nullopt;
  } else {
    const double ratio = (interval(0) + interval(1)) / (interval(2) + interval(3));
    const double earlier = (interval(2) + interval(3)) / (interval(4) + interval(5));
    constexpr double kRegular = 0.05, kNear = 1e-8;
    if (!(ratio < 1.0) || std::abs(ratio - earlier) > kRegular * (1.0 - ratio)) return std::nullopt;
    remaining = (interval(0) + interval(1)) * ratio / (1.0 - ratio);
    if (remaining > kNear * longest_) return std::nullopt;
  }
  std::set<int> laws;
  for (size_t k = n - 4; k < n; ++k) laws.insert(impacts_[k].laws.begin(), impacts_[k].laws.end());
  return Limit{remaining, {laws.begin(), laws.end()}, impacts_.back().lost};
}

void AccumulationWatch::save(std::vector<double>& memory) const {
  memory.insert(memory.end(), {longest_, static_cast<double>(impacts_.size())});
  for (const Impact& impact : impacts_) {
    memory.insert(memory.end(), {impact.interval, impact.lost, static_cast<double>(impact.laws.size())});
    memory.insert(memory.end(), impact.laws.begin(), impact.laws.end());
  }
}

void AccumulationWatch::restore(std::span<const double>& memory, int laws) {
  impacts_.clear();
  longest_ = take_number(memory);
  const int count = take_whole(memory, 0, static_cast<int>(kRemembered));
  for (int k = 0; k < count; ++k) {
    Impact impact{take_number(memory), 0.0, {}};
    impact.lost = take_number(memory);
    const int taking_part = take_whole(memory, 0, laws);
    for (int i = 0; i < taking_part; ++i) impact.laws.push_back(take_whole(memory, 0, laws - 1));
    impacts_.push_back(std::move(impact));
  }
}

}  // namespace tippe
