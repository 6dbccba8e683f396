// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/modes/mode_judge.h"

namespace tippe {

/// How reasons call the quantities of a problem: forces and accelerations, or impulses and velocities.
struct ModeUnits {
  const char* force;        // "force"
  const char* forces;       // "forces"
  const char* force_unit;   // "N"
  const char* motion_unit;  // "m/s^2"
};

/// Why a mode fails. `names`: of all contacts, in the order of the choices.
[[nodiscard]] std::vector<std::string> reasons_against(const ModeJudgement& judgement, const ContactModes& modes,
                                                       const std::vector<std::string>& names, const ModeUnits& units);

}  // namespace tippe
