// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/basin.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

/// What a run has reached, by itself.
Attractor attractor_of(const SweepResult& result) {
  Attractor attractor;
  if (result.end == SweepEnd::kStopWhen) {
    attractor.kind = Attractor::Kind::kEscape;
  } else if (result.end == SweepEnd::kRest || result.end == SweepEnd::kAccumulation) {
    attractor.kind = Attractor::Kind::kRest;
    attractor.points = {result.summary.final_state};
  } else if (result.period > 0) {
    for (int k = 0; k < result.period; ++k) attractor.points.push_back(result.section[static_cast<size_t>(k)].state);
  } else {
    attractor.kind = Attractor::Kind::kIrregular;
  }
  return attractor;
}

}  // namespace

const char* name_of(Attractor::Kind kind) {
  constexpr const char* kNames[kAttractorKinds] = {"orbit", "rest", "escape", "irregular"};
  return kNames[static_cast<int>(kind)];
}

int AttractorBook::enter(const SweepResult& result, double forcing_period) {
  if (result.end == SweepEnd::kFailed || result.end == SweepEnd::kRefused) return -1;
  Attractor reached = attractor_of(result);
  const auto known = std::find_if(attractors_.begin(), attractors_.end(),
                                  [&](const Attractor& attractor) { return same(attractor, reached, forcing_period); });
  const auto number = known - attractors_.begin();
  if (known == attractors_.end()) attractors_.push_back(std::move(reached));
  ++attractors_[static_cast<size_t>(number)].runs;
  return static_cast<int>(number);
}

/// The points of an orbit may begin anywhere in its period.
bool AttractorBook::same(const Attractor& a, const Attractor& b, double forcing_period) const {
  if (a.kind != b.kind || a.points.size() != b.points.size()) return false;
  double size_q = extent_, size_u = 0.0;
  for (const Attractor* attractor : {&a, &b}) {
    for (const State& point : attractor->points) {
      for (Eigen::Index i = 0; i < point.q.size(); ++i) {
        if (coordinate_.empty() || coordinate_[static_cast<size_t>(i)]) size_q = std::max(size_q, std::abs(point.q[i]));
      }
      if (point.u.size() > 0) size_u = std::max(size_u, point.u.cwiseAbs().maxCoeff());
    }
  }
  // Of an equilibrium neither the time nor what is left of its velocities means anything.
  const bool moves = a.kind == Attractor::Kind::kOrbit;
  const size_t count = a.points.size();
  for (size_t shift = 0; shift < std::max<size_t>(count, 1); ++shift) {
    bool all = true;
    for (size_t k = 0; all && k < count; ++k) {
      all = close(a.points[k], b.points[(k + shift) % count], size_q, moves ? size_u : -1.0, moves ? forcing_period : 0.0);
    }
    if (all) return true;
  }
  return false;
}

bool AttractorBook::close(const State& a, const State& b, double size_q, double size_u, double forcing_period) const {
  for (Eigen::Index i = 0; i < a.q.size(); ++i) {
    const bool compared = coordinate_.empty() || coordinate_[static_cast<size_t>(i)];
    if (compared && !(std::abs(a.q[i] - b.q[i]) <= kSameAttractor * size_q)) return false;
  }
  if (size_u >= 0.0 && a.u.size() > 0 && !((a.u - b.u).cwiseAbs().maxCoeff() <= kSameAttractor * size_u)) return false;
  if (!(forcing_period > 0.0)) return true;
  const double periods = (b.t - a.t) / forcing_period;
  return std::abs(periods - std::round(periods)) <= kSameAttractor;
}

}  // namespace tippe
