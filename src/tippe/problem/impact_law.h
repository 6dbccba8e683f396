// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace tippe {

/// How relative velocities jump in an impact, gamma+ = gamma- + G Lambda. epsilon: coefficients of restitution, C: the sets of the force laws.
/// The table of docs/theory/impact.md says when each may gain energy.
enum class ImpactLaw {
  kNewton,   // gamma+ + epsilon gamma- in N_C(-Lambda), for each row with its own epsilon                  Moeller (3.133)
  kPoisson,  // compression to rest, then expansion with at least epsilon times the normal impulse of the compression
  kMoreau,   // 1 + epsilon times the impulses of a plastic impact, one epsilon for all
};

struct ImpactLawWords {
  ImpactLaw law;
  const char* name;   // in scenes and as a key of results
  const char* label;  // heading of a column
  const char* title;  // in a sentence
};

inline constexpr std::array<ImpactLawWords, 3> kImpactLaws = {{
    {ImpactLaw::kNewton, "newton", "Newton", "Newton's impact law"},
    {ImpactLaw::kPoisson, "poisson", "Poisson", "Poisson's impact law"},
    {ImpactLaw::kMoreau, "moreau", "Moreau", "Moreau's impact law"},
}};

/// Velocities that a law prescribes at every contact, gamma_N+ = -E gamma_N- with impulses of either sign, Brogliato A (76), (77). Scenes ask for
/// it by a restitution matrix.
struct KinematicLawWords {
  static constexpr const char* name = "kinematic";
  static constexpr const char* label = "kinematic";
  static constexpr const char* title = "the kinematic law, v+ = -E v- at every contact";
};

[[nodiscard]] constexpr const ImpactLawWords& words_of(ImpactLaw law) {
  return kImpactLaws[static_cast<std::size_t>(law)];
}

}  // namespace tippe
