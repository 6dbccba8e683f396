// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/energy_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/run/registry.h"
#include "tippe/run/tolerances.h"

namespace tippe {

void EnergyWatch::book(const StepReport& report, const LawStep& laws, double work) {
  double step_energy = 0.0;  // sum of Lambda_N G_NN Lambda_N / 2
  for (size_t i = 0; i < laws.first_row.size(); ++i)
    step_energy += 0.25 * std::pow(laws.impulse[laws.first_row[i]] * laws.speed_scale[static_cast<Eigen::Index>(i)], 2);
  step_energies_ += step_energy;
  lost_by_scheme_ += report.lost_by_scheme;
  constexpr double kOfResidual =
      10.0;  // what the error of the solver gives and takes in every step, also where all is at rest
  created_ += std::max(0.0, -report.lost_in_contacts - kOfResidual * report.residual * step_energy);
  fed_by_damping_ += report.fed_by_damping;
  turned_over_ += std::abs(work);
}

void EnergyWatch::warn(const EnergyLedger& energy, const RunOptions& options, double steps,
                       std::vector<std::string>& warnings) const {
  const double turnover = energy.scale + turned_over_;
  warn_of_unexplained(energy, options, steps, warnings);
  warn_of_created(turnover, options, warnings);
  warn_of_damping(turnover, options, warnings);
  warn_of_scheme(energy, turnover, options, warnings);
}

/// J
double EnergyWatch::at_rest() const {
  return kEnergyAtRest * step_energies_;
}

void EnergyWatch::warn_of_unexplained(const EnergyLedger& energy, const RunOptions& options, double steps,
                                      std::vector<std::string>& warnings) const {
  constexpr double kGrossError = 0.1;
  const double unexplained = std::abs(energy.unexplained());
  const double relative = energy.scale > 0.0 ? unexplained / energy.scale : 0.0;
  const double passed = std::abs(energy.initial) + std::abs(energy.final) + turned_over_;
  if (unexplained <= at_rest() + kEnergyRoundOff * passed) return;
  if (!(relative <= kGrossError)) {
    const std::string cause = options.adaptive() ? fmt::format("tolerance than {}", options.integrator_options.tolerance)
                                                 : fmt::format("step than dt = {}", options.dt);
    warnings.push_back(fmt::format("{:.0f} % of the energy is unexplained: the motion is not resolved; take a smaller {}",
                                   100.0 * relative, cause));
    return;
  }
  // The others err by their order, or say so when a step fails.
  if (options.integrator != "event-driven") return;
  constexpr double kMargin = 1e3;
  const double explained = options.integrator_options.tolerance * (kMargin + steps) * (energy.scale + turned_over_);
  if (unexplained <= explained) return;
  warnings.push_back(
      fmt::format("{:.3g} J ({:.2g} %) of the energy are unexplained, and the tolerance explains {:.1g} J: something acts "
                  "that no event has shown; compare with moreau and a small dt",
                  unexplained, 100.0 * relative, explained));
}

void EnergyWatch::warn_of_created(double turnover, const RunOptions& options, std::vector<std::string>& warnings) const {
  constexpr double kShare = 1e-3;
  const bool said = std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("may create energy") != std::string::npos;
  });
  if (said || created_ <= kShare * turnover || created_ <= at_rest()) return;
  if (options.integrator == "event-driven") {
    warnings.push_back(fmt::format("the contacts created {:.3g} J: by the impact law; events tell where", created_));
    return;
  }
  warnings.push_back(
      fmt::format("the contacts created {:.3g} J: the scheme errs where stiff forces open and close contacts within a step; "
                  "take a smaller one{}",
                  created_, options.integrator == "moreau-jean" ? ", or theta = 1" : ""));
}

/// Dampers that an explicit scheme takes at the beginning of a step turn velocities round where 2 m < d dt.
void EnergyWatch::warn_of_damping(double turnover, const RunOptions& options, std::vector<std::string>& warnings) const {
  constexpr double kShare = 1e-3;
  if (fed_by_damping_ <= kShare * turnover || fed_by_damping_ <= at_rest()) return;
  warnings.push_back(fmt::format(
      "damping fed {:.3g} J in: it is too stiff for this step; take a smaller one than dt = {}, moreau-jean, or a "
      "consistent scheme",
      fed_by_damping_, options.dt));
}

void EnergyWatch::warn_of_scheme(const EnergyLedger& energy, double turnover, const RunOptions& options,
                                 std::vector<std::string>& warnings) const {
  constexpr double kShare = 0.01;
  const IntegratorInfo* info = find_integrator(options.integrator);
  if (info == nullptr || !info->keeps_contacts_by_velocities) return;
  const auto matters = [&](double what) { return what > kShare * turnover && what > at_rest(); };
  if (matters(lost_by_scheme_)) {
    warnings.push_back(
        fmt::format("{:.3g} J ({:.0f} %) were lost along the normals of contacts that stayed closed, by the first order "
                    "of the scheme, not by impacts; take a smaller step than dt = {}, or a consistent scheme",
                    lost_by_scheme_, 100.0 * lost_by_scheme_ / turnover, options.dt));
  }
  // What the scheme has taken by letting contacts sink it may give back.
  if (matters(energy.pushed_out - std::max(0.0, energy.lost_in_contacts))) {
    warnings.push_back(
        fmt::format("contacts that were pushed out raised the energy by {:.3g} J ({:.0f} %): they were deep at the start; "
                    "project_contacts = false in [run] leaves them there",
                    energy.pushed_out, 100.0 * energy.pushed_out / turnover));
  }
}

}  // namespace tippe
