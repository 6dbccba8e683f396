// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tippe {

/// What of a shape touches: 4 bits for its kind, 28 for its number. Two features and two shapes name a contact.
enum class FeatureKind : std::uint32_t {
  kWhole,   // of a pair with one contact at most, wherever it is
  kVertex,  // by its number
  kEdge,    // by its number
  kFace,    // by its number
  kCut,     // where the outline of the other shape goes through a side of a face, in or out
  kEnd,     // of what two lines have in common: 0 the first, 1 the last
  kRim,     // a fixed place of a rim
  kLowest,  // the place of a rim that is nearest to the other shape
};

namespace feature {

[[nodiscard]] constexpr std::uint32_t make(FeatureKind kind, std::uint32_t number = 0) {
  return (static_cast<std::uint32_t>(kind) << 28) | number;
}
inline constexpr std::uint32_t kWhole = make(FeatureKind::kWhole);
[[nodiscard]] constexpr std::uint32_t vertex(int number) {
  return make(FeatureKind::kVertex, static_cast<std::uint32_t>(number));
}
[[nodiscard]] constexpr std::uint32_t edge(int number) {
  return make(FeatureKind::kEdge, static_cast<std::uint32_t>(number));
}
[[nodiscard]] constexpr std::uint32_t face(int number) {
  return make(FeatureKind::kFace, static_cast<std::uint32_t>(number));
}
/// A face of at most 2^13 sides, of a shape with at most 2^14 faces.
[[nodiscard]] constexpr std::uint32_t cut(int face, int side, bool out) {
  return make(FeatureKind::kCut, (static_cast<std::uint32_t>(face) << 14) | (static_cast<std::uint32_t>(side) << 1) |
                                     static_cast<std::uint32_t>(out));
}
[[nodiscard]] constexpr std::uint32_t end(int number) {
  return make(FeatureKind::kEnd, static_cast<std::uint32_t>(number));
}
/// Place number `place` of the rim at end 0 or 1.
[[nodiscard]] constexpr std::uint32_t rim(int end, int place) {
  return make(FeatureKind::kRim, (static_cast<std::uint32_t>(end) << 16) | static_cast<std::uint32_t>(place));
}
[[nodiscard]] constexpr std::uint32_t lowest(int end) {
  return make(FeatureKind::kLowest, static_cast<std::uint32_t>(end));
}

[[nodiscard]] constexpr FeatureKind kind_of(std::uint32_t feature) {
  return static_cast<FeatureKind>(feature >> 28);
}

}  // namespace feature
}  // namespace tippe
