// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/hybrid/event_functions.h"
#include "tippe/hybrid/mode_flow.h"
#include "tippe/model/system.h"
#include "tippe/problem/contact_mode.h"

namespace tippe {

class MotionProbe;

/// What the laws and the branches of expressions do at present: all that a smooth motion depends on beside its state.
struct CurrentModes {
  CurrentModes(const System& system, size_t switches);

  std::vector<ContactMode> modes;  // of each law
  std::vector<Eigen::VectorXd>
      directions;          // of each law: in space, where a contact that begins to slide or slides slowly goes; else empty
  Eigen::VectorXd shares;  // N  rows of all laws, or empty: the forces by which the modes were chosen
  std::vector<bool> touching;   // of each law: closed, or just opened
  std::vector<bool> departing;  // of each law: just opened, with a velocity
  std::vector<bool> starting;   // of each law: just began to slide, from rest
  Eigen::VectorXd gap_offset;   // m  of each law. The gap at the start, where negative: gaps count from it until they open
  std::vector<int> sides;       // of each switch: the side that it has just come to, or 0
  int row_count = 0;            // of all laws
  std::vector<int> friction_rows;  // of each law

  /// Laws that are closed within a smooth piece; those that opened where it began are not.
  [[nodiscard]] std::vector<bool> closed() const;
  /// The contacts that touch and the sides of switches after the events at the end of a piece.
  void take_events(std::span<const FoundEvent> found);
  /// A smooth piece of a flow, up to `state` after the given time, has led away from the transition that it began with. True if the next piece begins with a
  /// transition too: what began with a high power of the time has no gap or slip yet, or contacts kept their first direction of sliding, and from now on follow
  /// their velocity.
  bool leave_transition(const State& state, const ModeFlow& flow, double duration, MotionProbe& probe, Evaluator& evaluator);
  /// The directions at t after the beginning of a flow in these modes: of slow contacts as they have turned, of those that follow their velocity none.
  [[nodiscard]] std::vector<Eigen::VectorXd> directions_at(const ModeFlow& flow, double t) const;

  void save(std::vector<double>& memory) const;
  /// Takes its numbers from the front. Throws std::invalid_argument if they are not what save() wrote.
  void restore(std::span<const double>& memory);

 private:
  [[nodiscard]] bool has_begun(const System& system, const MotionSeries& series, size_t law) const;
};

}  // namespace tippe
