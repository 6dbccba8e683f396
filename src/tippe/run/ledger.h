// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"

namespace tippe {

/// Where the energy went. Losses are positive numbers, J.
struct EnergyLedger {
  double initial = 0.0;  // T + V at the start
  double final = 0.0;    // T + V now
  double lost_in_contacts = 0.0;
  double lost_in_damping = 0.0;
  double work_done = 0.0;          // by given forces, moving supports and prescribed motions
  double pushed_out = 0.0;         // that T + V rose by when contacts were pushed out
  double max_rise_per_step = 0.0;  // largest rise of T + V in one step beyond the work done in it and pushing out
  double scale = 0.0;              // largest T + |V - V(0)|: what "relative" refers to

  /// What is left when all causes are booked: the integrator's own error.
  [[nodiscard]] double unexplained() const {
    return (final - initial) - work_done - pushed_out + lost_in_contacts + lost_in_damping;
  }

  void start(const Energies& energies);
  void book(const StepReport& report, const Energies& energies);

  /// Names all members, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    archive("energy.initial", initial);
    archive("energy.final", final);
    archive("energy.lost_in_contacts", lost_in_contacts);
    archive("energy.lost_in_damping", lost_in_damping);
    archive("energy.work_done", work_done);
    archive("energy.pushed_out", pushed_out);
    archive("energy.max_rise_per_step", max_rise_per_step);
    archive("energy.scale", scale);
    archive("energy.initial_potential", initial_potential_);
    archive("energy.drive", drive_);
  }

 private:
  double initial_potential_ = 0.0;
  double drive_ = 0.0;
};

}  // namespace tippe
