// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/changed_system.h"

#include "tippe/model/motion_series.h"

namespace tippe {

ChangedSystem::ChangedSystem(const System& system) : system_(system), description_(*system.lagrangian()) {
  copy_coordinates_of(system);
  constraints_ = system.constraints();
  laws_ = system.laws();
  has_fixed_laws_ = system.has_fixed_laws();
  impact_law_ = system.impact_law();
  if (system.restitution_matrix() != nullptr) restitution_matrix_ = *system.restitution_matrix();
  mass_pattern_ = system.mass_pattern();
  constant_mass_ = system.constant_mass();
}

std::unique_ptr<MotionSeries> ChangedSystem::make_series(int order) const {
  return system_.make_series(order);
}

void ChangedSystem::set(size_t law, double ForceLaw::*number, double value) {
  laws_[law].*number = description_.laws[law].law.*number = value;
}

void ChangedSystem::set_restitution(size_t law, size_t row, double value) {
  laws_[law].epsilon[row] = description_.laws[law].law.epsilon[row] = value;
}

void ChangedSystem::set_limit(size_t law, size_t side, double value) {
  laws_[law].limits[side] = description_.laws[law].law.limits[side] = value;
}

}  // namespace tippe
