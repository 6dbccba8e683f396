// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tippe/shape/found_contact.h"
#include "tippe/shape/pose.h"
#include "tippe/shape/solid.h"

namespace tippe {

/// A solid and what it moves with.
struct PlacedSolid {
  static constexpr int kFixed = -1;

  Solid solid;
  int frame = kFixed;   // in which the solid is described; kFixed: it does not move
  bool planar = false;  // in the x-y plane: it touches planar solids, and planes whose normal is in that plane
};

/// Finds contacts among thousands of solids: broad phase, then whole manifolds of the pairs that are near.
class ContactFinder {
 public:
  /// `may_touch(a, b)`, a < b: asked for pairs of solids that are near, and must say the same every time; solids of one frame are never asked
  /// for. Throws ModelError with the subject "solid[k].points" or the like for degenerate hulls and sizes that are not positive.
  ContactFinder(const std::vector<PlacedSolid>& solids, std::function<bool(std::uint32_t a, std::uint32_t b)> may_touch);
  ~ContactFinder();
  ContactFinder(ContactFinder&&) noexcept;
  ContactFinder& operator=(ContactFinder&&) noexcept;

  /// All contacts with a gap of at most `reach`, by ascending a, b, feature_a, feature_b. A function of its arguments alone, whatever was
  /// asked before; memory is kept.
  void find(std::span<const Pose> frames, double reach, std::vector<FoundContact>& contacts);

  /// m  the smallest half size of all solids but planes; infinite if there are none.
  [[nodiscard]] double smallest_half_size() const;
  /// m  of one solid; of a plane infinite.
  [[nodiscard]] double half_size(std::uint32_t solid) const;
  /// How often the list of pairs that are near was made anew, and how many it has.
  [[nodiscard]] long rebuilds() const;
  [[nodiscard]] long pairs() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tippe
