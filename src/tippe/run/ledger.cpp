// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/ledger.h"

#include <algorithm>
#include <cmath>

namespace tippe {

void EnergyLedger::start(const Energies& energies) {
  *this = {};
  initial = final = energies.kinetic + energies.potential;
  scale = energies.kinetic;
  initial_potential_ = energies.potential;
  drive_ = energies.drive;
}

void EnergyLedger::book(const StepReport& report, const Energies& energies) {
  const double work = report.work_done + (energies.drive - drive_);
  const double energy = energies.kinetic + energies.potential;
  max_rise_per_step = std::max(max_rise_per_step, energy - final - work - report.pushed_out);
  lost_in_contacts += report.lost_in_contacts;
  lost_in_damping += report.lost_in_damping;
  work_done += work;
  pushed_out += report.pushed_out;
  final = energy;
  scale = std::max(scale, energies.kinetic + std::abs(energies.potential - initial_potential_));
  drive_ = energies.drive;
}

}  // namespace tippe
