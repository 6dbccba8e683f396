// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/run_options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "tippe/core/suggest.h"
#include "tippe/core/tolerances.h"
#include "tippe/run/tolerances.h"

namespace tippe {

bool RunOptions::adaptive() const {
  const IntegratorInfo* info = find_integrator(integrator);
  return info != nullptr && info->adaptive;
}

std::int64_t RunOptions::steps_from(double t0) const {
  const double exact = (until - t0) / dt;
  const double nearest = std::round(exact);
  // until = 0.3, dt = 0.1 is three steps: a millionth of a step, and the round-off of the quotient and of both times, which may be those of a
  // clock that has run for long.
  const double same_multiple =
      kSameTime + 4.0 * kMachineEpsilon * nearest + kMachineEpsilon * (std::abs(t0) + std::abs(until)) / dt;
  if (nearest >= 1.0 && std::abs(exact - nearest) <= same_multiple) return static_cast<std::int64_t>(nearest);
  return static_cast<std::int64_t>(std::ceil(exact));
}

double RunOptions::sample_interval(double t0) const {
  constexpr std::int64_t kDefaultSamples = 5000;
  constexpr double kDefaultSampleTimes = 1000;
  if (every > 0.0) return every;
  if (adaptive()) return (until - t0) / kDefaultSampleTimes;
  return static_cast<double>((steps_from(t0) - 1) / kDefaultSamples + 1) * dt;
}

double RunOptions::fingerprint(double t0) const {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  };
  add(integrator);
  const auto add_numbers = [&](const std::vector<double>& numbers) {
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  };
  add_numbers(inputs.time);
  add_numbers(inputs.value);
  const IntegratorOptions& own = integrator_options;
  for (const double number :
       {dt, sample_interval(t0), t0, own.closed_tolerance, own.tolerance, own.contact_tolerance.value_or(-1.0),
        own.contact_aim.value_or(-1.0), static_cast<double>(own.contact_sweeps), own.theta,
        static_cast<double>(own.tangents), static_cast<double>(own.friction_acts_on), own.project_contacts ? 1.0 : 0.0,
        own.stop_when_not_unique ? 1.0 : 0.0, own.project ? (*own.project ? 1.0 : 0.0) : -1.0, own.rest_band.value_or(-1.0),
        static_cast<double>(own.kinematics), static_cast<double>(own.gap_gradient), own.projected_newton,
        own.step_tolerance.value_or(0.0)}) {
    std::array<char, sizeof number> bytes{};
    std::memcpy(bytes.data(), &number, sizeof number);
    add({bytes.data(), bytes.size()});
  }
  constexpr int kBitsLeftOut = 64 - 53;  // of a double
  return static_cast<double>(hash >> kBitsLeftOut);
}

RunOptions::Problem RunOptions::invalid(double t0) const {
  if (find_integrator(integrator) == nullptr) {
    std::vector<std::string> names;
    for (const IntegratorInfo& info : integrators()) names.push_back(info.name);
    return {"integrator", fmt::format("unknown integrator '{}'{} (there are: {})", integrator,
                                      did_you_mean(integrator, names), comma_list(names))};
  }
  for (const Problem& problem : {invalid_times(t0), invalid_tolerances(), invalid_samples(t0)}) {
    if (!problem.key.empty()) return problem;
  }
  return {};
}

RunOptions::Problem RunOptions::invalid_times(double t0) const {
  if (!(std::isfinite(dt) && dt > 0.0)) return {"dt", fmt::format("the time step must be positive, got {}", dt)};
  if (!(std::isfinite(until) && until > t0))
    return {"until", fmt::format("the end time must lie after the start at t = {}, got {}", t0, until)};
  if (constexpr double kMostSteps = 1e12; !adaptive() && (until - t0) / dt > kMostSteps) {
    return {"dt", fmt::format("a step of {} needs {:.3g} steps until t = {}; at most {:.0g} are possible", dt,
                              (until - t0) / dt, until, kMostSteps)};
  }
  if (t0 + dt == t0) return {"dt", fmt::format("a step of {} does not advance the time {}", dt, t0)};
  if (!(std::isfinite(forcing_period) && forcing_period >= 0.0))
    return {"forcing_period", fmt::format("'forcing_period' must not be negative, got {}", forcing_period)};
  return {};
}

RunOptions::Problem RunOptions::invalid_tolerances() const {
  if (!(initial_penetration >= 0.0))
    return {"initial_penetration", fmt::format("'initial_penetration' must not be negative, got {}", initial_penetration)};
  const double closed_tolerance = integrator_options.closed_tolerance, tolerance = integrator_options.tolerance;
  if (!std::isfinite(closed_tolerance) || closed_tolerance < 0.0)
    return {"closed_tolerance", fmt::format("'closed_tolerance' must not be negative, got {}", closed_tolerance)};
  if (const double band = integrator_options.rest_band.value_or(0.0); !(std::isfinite(band) && band >= 0.0))
    return {"rest_band", fmt::format("'rest_band' must not be negative, got {}", band)};
  const double contact_tolerance = integrator_options.contact_tolerance.value_or(0.0);
  if (!(contact_tolerance >= 0.0 && contact_tolerance < 1.0)) {
    return {"contact_tolerance",
            fmt::format("'contact_tolerance' is a residual without unit, at least 0 and less than 1, got {}",
                        contact_tolerance)};
  }
  if (const std::optional<double> aim = integrator_options.contact_aim; aim && !(*aim > 0.0 && *aim < 1.0)) {
    return {"contact_aim",
            fmt::format("'contact_aim' is a residual without unit, more than 0 and less than 1, got {}", *aim)};
  }
  if (const double aim = integrator_options.contact_aim.value_or(0.0); contact_tolerance > 0.0 && aim > contact_tolerance) {
    return {"contact_aim",
            fmt::format("'contact_aim' = {} is more than 'contact_tolerance' = {}: a step aims at no more than "
                        "what is accepted",
                        aim, contact_tolerance)};
  }
  if (integrator_options.contact_sweeps < 0)
    return {"contact_sweeps",
            fmt::format("'contact_sweeps' must not be negative, got {}", integrator_options.contact_sweeps)};
  if (!(std::isfinite(tolerance) && tolerance > 0.0))
    return {"tolerance", fmt::format("'tolerance' must be positive, got {}", tolerance)};
  // Below, the error of a step is the round-off of its stages.
  if (constexpr double kSmallest = 1e-13; adaptive() && !(tolerance >= kSmallest && tolerance < 1.0)) {
    return {"tolerance", fmt::format("'tolerance' is an error relative to the motion: at least {} and less than 1, got {}",
                                     kSmallest, tolerance)};
  }
  return {};
}

RunOptions::Problem RunOptions::invalid_samples(double t0) const {
  if (constexpr double kMostSamples = 1e9; adaptive() && every > 0.0 && (until - t0) / every > kMostSamples) {
    return {"every", fmt::format("{} s between samples are {:.3g} samples until t = {}; at most {:.0g} are possible", every,
                                 (until - t0) / every, until, kMostSamples)};
  }
  if (!(std::isfinite(every) && every >= 0.0))
    return {"every", fmt::format("the time between samples must be positive, got {}", every)};
  return {};
}

}  // namespace tippe
