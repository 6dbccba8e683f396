// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// On what friction acts in a step of the consistent schemes.
enum class FrictionActsOn {
  kAutomatic,     // the displacement, and the end velocity of a law whose slip would turn round within the step
  kDisplacement,  // W's: what the step moves along the directions
  kEndVelocity,   // W(qE)'uE
};

}  // namespace tippe
