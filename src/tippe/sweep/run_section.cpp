// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/run_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

namespace tippe {

RunSection RunSection::parse(const Scene& scene, std::string_view text) {
  RunSection section;
  if (text == "stroboscopic") {
    if (!(scene.run.forcing_period > 0.0))
      throw ArgumentError(Argument::kSection, "'stroboscopic' needs the 'forcing_period' in [run] of the scene");
    section.kind = Kind::kStroboscopic;
    return section;
  }
  if (text.find(':') != std::string_view::npos) {
    section.event = parse_section(*scene.system, text);
    section.kind = scene.run.integrator == "event-driven" ? Kind::kEvent : Kind::kImpact;
    section.law = section.event.laws.front();
    if (section.kind == Kind::kImpact && section.event.kind != EventKind::kImpact) {
      throw ArgumentError(Argument::kSection, fmt::format("'{}' is for event-driven; of the steps of {} impacts are known",
                                                          name_of(section.event.kind), scene.run.integrator));
    }
    return section;
  }
  std::vector<std::string> known = names_of_state_values(scene);
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    known.insert(known.begin(), "stroboscopic");
    for (const ForceLaw& law : scene.system->laws()) {
      if (law.kind == ForceLaw::Kind::kContact) known.push_back("impact:" + law.name);
    }
    throw ArgumentError(Argument::kSection, fmt::format("there is no section '{}'{} (there are: {})", text,
                                                        did_you_mean(text, known), comma_list(known)));
  }
  section.kind = Kind::kRising;
  section.value = find_state_value(scene, std::string(text), Argument::kSection);
  return section;
}

namespace {

/// Largest difference of two points, relative to the sizes of all.
class PointDistance {
 public:
  PointDistance(const std::vector<SweepPoint>& points, const PeriodOptions& options) : options_(options) {
    for (const SweepPoint& point : points) {
      for (Eigen::Index i = 0; i < point.state.q.size(); ++i) {
        if (compared(i)) largest_q_ = std::max(largest_q_, std::abs(point.state.q[i]));
      }
      if (point.state.u.size() > 0) largest_u_ = std::max(largest_u_, point.state.u.cwiseAbs().maxCoeff());
    }
  }
  [[nodiscard]] bool close(const State& a, const State& b) const {
    for (Eigen::Index i = 0; i < a.q.size(); ++i) {
      if (compared(i) && !(std::abs(a.q[i] - b.q[i]) <= options_.tolerance * largest_q_)) return false;
    }
    if (a.u.size() > 0 && !((a.u - b.u).cwiseAbs().maxCoeff() <= options_.tolerance * largest_u_)) return false;
    if (!(options_.forcing_period > 0.0)) return true;
    const double periods = (b.t - a.t) / options_.forcing_period;
    return std::abs(periods - std::round(periods)) <= options_.tolerance;
  }

 private:
  [[nodiscard]] bool compared(Eigen::Index i) const {
    return options_.coordinate.empty() || options_.coordinate[static_cast<size_t>(i)];
  }
  const PeriodOptions& options_;
  double largest_q_ = 0.0, largest_u_ = 0.0;
};

}  // namespace

int find_period(const std::vector<SweepPoint>& points, const PeriodOptions& options) {
  const PointDistance distance(points, options);
  for (size_t period = 1; 2 * period <= points.size(); ++period) {
    bool repeats = true;
    for (size_t k = 0; repeats && k + period < points.size(); ++k)
      repeats = distance.close(points[k].state, points[k + period].state);
    if (repeats) return static_cast<int>(period);
  }
  return 0;
}

}  // namespace tippe
