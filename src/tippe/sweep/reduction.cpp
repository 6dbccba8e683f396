// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

namespace tippe {
namespace {

const std::vector<std::string>& reduction_names() {  // in the order of Reduction::Kind
  static const std::vector<std::string> names = {"last", "max", "min", "mean", "rms"};
  return names;
}

}  // namespace

Reduction Reduction::parse(const Scene& scene, std::string_view text) {
  if (text == "lyapunov") {
    const auto resets = [](const OwnEvent& event) { return !event.resets.empty(); };
    const std::vector<OwnEvent>& events = scene.run.events.list();
    if (scene.run.integrator != "event-driven" || std::any_of(events.begin(), events.end(), resets))
      throw ArgumentError(Argument::kQuantity,
                          "Lyapunov exponents need the integrator event-driven, and no events that reset the state",
                          std::string(text));
    return {std::string(text), {StateValue::Kind::kCoordinate, 0}, Kind::kLyapunov};
  }
  const size_t colon = text.rfind(':');
  const std::string name(text.substr(0, colon));
  const std::string kind(colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  const std::vector<std::string>& kinds = reduction_names();
  const auto found = std::find(kinds.begin(), kinds.end(), kind);
  if (found == kinds.end()) {
    throw ArgumentError(Argument::kQuantity,
                        kind.empty() ? fmt::format("write {}:max, or another of {}", name, comma_list(kinds))
                                     : fmt::format("'{}' is no reduction{} (there are: {})", kind, did_you_mean(kind, kinds),
                                                   comma_list(kinds)),
                        std::string(text));
  }
  return {std::string(text), find_state_value(scene, name, Argument::kQuantity), static_cast<Kind>(found - kinds.begin())};
}

void Reducer::add(double t, double value) {
  if (!any_) {
    begin_ = t;
    extreme_ = value;
  } else {
    const auto part = [&](double before, double after) { return 0.5 * (t - t_) * (before + after); };
    if (reduction_.kind == Reduction::Kind::kMean) integral_ += part(last_, value);
    if (reduction_.kind == Reduction::Kind::kRms) integral_ += part(last_ * last_, value * value);
    if (reduction_.kind == Reduction::Kind::kMax) extreme_ = std::max(extreme_, value);
    if (reduction_.kind == Reduction::Kind::kMin) extreme_ = std::min(extreme_, value);
  }
  any_ = true;
  t_ = t;
  last_ = value;
}

double Reducer::result() const {
  if (!any_) return std::numeric_limits<double>::quiet_NaN();
  const double time = t_ - begin_;
  switch (reduction_.kind) {
    case Reduction::Kind::kLyapunov:  // of the motion, not of values
    case Reduction::Kind::kLast:
      return last_;
    case Reduction::Kind::kMax:
    case Reduction::Kind::kMin:
      return extreme_;
    case Reduction::Kind::kMean:
      return time > 0.0 ? integral_ / time : last_;
    case Reduction::Kind::kRms:
      return time > 0.0 ? std::sqrt(integral_ / time) : std::abs(last_);
  }
  return last_;
}

}  // namespace tippe
