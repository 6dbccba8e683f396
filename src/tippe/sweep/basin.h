// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/sweep/point_run.h"

namespace tippe {

/// What a motion settles on.
struct Attractor {
  enum class Kind {
    kOrbit,      // points of the section that repeat
    kRest,       // an equilibrium
    kEscape,     // the scene's own condition ended the run
    kIrregular,  // points of the section that do not repeat: chaos, or not settled yet
  };
  Kind kind = Kind::kOrbit;
  std::vector<State> points;  // of an orbit one period, of an equilibrium one
  std::int64_t runs = 0;      // that reached it
};
inline constexpr int kAttractorKinds = static_cast<int>(Attractor::Kind::kIrregular) + 1;
/// "orbit", "rest", "escape", "irregular".
[[nodiscard]] const char* name_of(Attractor::Kind kind);

/// Two attractors are one if their points differ by less, relative to the largest coordinate (of the starts too) and velocity of both, and in phase by this share
/// of the forcing period.
constexpr double kSameAttractor = 1e-3;

/// The attractors that runs have reached, in the order in which they were found.
class AttractorBook {
 public:
  /// `coordinate`: which ones are compared (PeriodOptions). `extent`: size of the coordinates among the starts, for equilibria at zero.
  AttractorBook(std::vector<bool> coordinate, double extent, std::vector<Attractor> known = {})
      : coordinate_(std::move(coordinate)), extent_(extent), attractors_(std::move(known)) {}

  [[nodiscard]] const std::vector<Attractor>& attractors() const { return attractors_; }
  /// The number of the attractor that a run has reached; -1 if it failed.
  int enter(const SweepResult& result, double forcing_period);

 private:
  [[nodiscard]] bool same(const Attractor& a, const Attractor& b, double forcing_period) const;
  [[nodiscard]] bool close(const State& a, const State& b, double size_q, double size_u, double forcing_period) const;

  std::vector<bool> coordinate_;
  double extent_;
  std::vector<Attractor> attractors_;
};

}  // namespace tippe
