// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// What a contact, a clutch or a dry friction does at an instant.
enum class ContactMode {
  kOpen,           // it exerts no force
  kClosed,         // it holds its normal velocity, without friction
  kStick,          // it holds its normal and its tangential velocity; a dry friction: its velocity
  kSlideForward,   // closed, with a relative velocity along its one tangent; a dry friction: along its direction
  kSlideBackward,  // closed, with a relative velocity against its one tangent
  kSlide,          // closed, with a relative velocity along some direction of its two tangents
};

/// As in JSON and in reports.
[[nodiscard]] constexpr const char* name_of(ContactMode mode) {
  switch (mode) {
    case ContactMode::kOpen:
      return "open";
    case ContactMode::kClosed:
      return "closed";
    case ContactMode::kStick:
      return "stick";
    case ContactMode::kSlideForward:
      return "slide+";
    case ContactMode::kSlideBackward:
      return "slide-";
    case ContactMode::kSlide:
      return "slide";
  }
  return "";
}

[[nodiscard]] constexpr bool slides(ContactMode mode) {
  return mode == ContactMode::kSlideForward || mode == ContactMode::kSlideBackward || mode == ContactMode::kSlide;
}

}  // namespace tippe
