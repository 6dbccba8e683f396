// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "tippe/core/polynomial_roots.h"
#include "tippe/hybrid/mode_flow.h"

namespace tippe {

/// What ends a smooth piece of motion: a polynomial that is positive while the mode lasts.
struct EventFunction {
  enum class Kind {
    kGap,      // of an open contact, or the velocity of a clutch that runs free
    kForce,    // of a force column that can only push
    kReserve,  // friction that a sticking contact in space or a dry friction has left
    kSlip,     // speed of a sliding contact or dry friction
    kSwitch,   // the argument of abs, min, max, ... in an expression
  };
  Kind kind = Kind::kGap;
  int law = -1;       // or the switch
  int column = -1;    // kForce
  double sign = 1.0;  // of the polynomial in what is positive
};

/// An event in a step.
struct FoundEvent {
  EventFunction function;
  double t = 0.0;             // s  after the beginning of the step
  int before = 0, after = 0;  // signs of the polynomial around it, as in PolynomialRoot
};

/// The polynomials of a step whose roots are events, and all of these roots.
class EventFunctions {
 public:
  explicit EventFunctions(const System& system) : system_(system) {}

  /// What is known of the laws at the beginning of the step.
  struct Start {
    bool fresh = false;                  // the step begins with a transition: functions may begin at zero
    const std::vector<bool>* touching;   // of each law: its gap is closed at the transition
    const std::vector<bool>* departing;  // of each law: it begins to open with a velocity
    const std::vector<bool>* starting;   // of each law: it begins to slide, from rest whatever round-off says of its slip
    const Eigen::VectorXd* gap_offsets;  // m  gaps count from there
    const std::vector<int>* switched;    // of each switch: 0, or the side on which it is since the beginning of the step
  };
  /// The first events in (0, end], all within an instant of the first one; empty if there is none. A function that is not positive at the beginning
  /// of a step that does not begin with a transition gives an event at 0.
  const std::vector<FoundEvent>& find(ModeFlow& flow, const Start& start, double end);

 private:
  void look_at_gap(int law);
  void look_at_slip(int law);
  void look_at_held_friction(int law);
  void look_at_cone(int law);
  void look_at_column(int number);
  void look_at_switch(int number);
  void look(const EventFunction& function, const double* coefficients, int unit, double scale, int at_least,
            bool may_begin_at_zero);
  [[nodiscard]] double acceleration_size(int law, int row) const;

  const System& system_;
  ModeFlow* flow_ = nullptr;
  Start start_{};
  double end_ = 0.0;  // s  of the step
  double time_scale_ = 1.0, instant_ = 0.0;
  std::vector<double> function_, polynomial_;
  std::vector<FoundEvent> found_;
};

}  // namespace tippe
