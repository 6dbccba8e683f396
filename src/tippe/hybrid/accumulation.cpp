// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/accumulation.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace tippe {

void AccumulationWatch::add_impact(double t, std::span<const int> laws, double lost) {
  // A longer interval than the two before it together ends a series.
  const size_t n = impacts_.size();
  if (n >= 3 && t - impacts_[n - 1].t > impacts_[n - 1].t - impacts_[n - 3].t) impacts_.clear();
  const double before = impacts_.empty() ? 0.0 : impacts_.back().lost;
  if (impacts_.size() == kRemembered) impacts_.erase(impacts_.begin());
  impacts_.push_back({t, before + lost, {laws.begin(), laws.end()}});
}

std::optional<AccumulationWatch::Limit> AccumulationWatch::limit() const {
  if (impacts_.size() < kRemembered) return std::nullopt;
  const size_t n = impacts_.size();
  const double t = impacts_.back().t, unit = std::max(1.0, std::abs(t));
  const auto interval = [&](size_t back) { return impacts_[n - 1 - back].t - impacts_[n - 2 - back].t; };
  // Two by two, because contacts may take turns: after the intervals a, b come a R, b R, ...
  double remaining = 0.0;
  const bool round_off = interval(0) + interval(1) <= 1e-13 * unit;
  if (round_off) {
    // Impacts at one instant accumulate only if they fade.
    const auto lost = [&](size_t back) { return impacts_[n - 1 - back].lost - impacts_[n - 2 - back].lost; };
    if (!(lost(2) + lost(3) > 0.0) || lost(0) + lost(1) > 0.9 * (lost(2) + lost(3))) return std::nullopt;
  } else {
    const double ratio = (interval(0) + interval(1)) / (interval(2) + interval(3));
    const double earlier = (interval(2) + interval(3)) / (interval(4) + interval(5));
    constexpr double kRegular = 0.05;
    if (!(ratio < 1.0) || std::abs(ratio - earlier) > kRegular * (1.0 - ratio)) return std::nullopt;
    remaining = (interval(0) + interval(1)) * ratio / (1.0 - ratio);
    if (remaining > 1e-8 * unit) return std::nullopt;
  }
  std::set<int> laws;
  for (size_t k = n - 4; k < n; ++k) laws.insert(impacts_[k].laws.begin(), impacts_[k].laws.end());
  return Limit{remaining, {laws.begin(), laws.end()}, impacts_.back().lost};
}

void AccumulationWatch::save(std::vector<double>& memory) const {
  memory.push_back(static_cast<double>(impacts_.size()));
  for (const Impact& impact : impacts_) {
    memory.insert(memory.end(), {impact.t, impact.lost, static_cast<double>(impact.laws.size())});
    memory.insert(memory.end(), impact.laws.begin(), impact.laws.end());
  }
}

void AccumulationWatch::restore(std::span<const double>& memory) {
  const auto take = [&] {
    if (memory.empty()) throw std::invalid_argument("it remembers more impacts");
    const double value = memory.front();
    memory = memory.subspan(1);
    return value;
  };
  impacts_.clear();
  const auto count = static_cast<size_t>(take());
  for (size_t k = 0; k < count; ++k) {
    Impact impact{take(), 0.0, {}};
    impact.lost = take();
    const auto laws = static_cast<size_t>(take());
    for (size_t i = 0; i < laws; ++i) impact.laws.push_back(static_cast<int>(take()));
    impacts_.push_back(std::move(impact));
  }
}

}  // namespace tippe
