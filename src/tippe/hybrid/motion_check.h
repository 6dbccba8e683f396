// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/model/system.h"

namespace tippe {

/// What a law does at an instant of a smooth motion.
struct LawAtInstant {
  struct Value {
    double value = 0.0;
    double error = 0.0;  // to which it is known
  };
  ContactMode mode = ContactMode::kOpen;
  Value gap;                                        // contacts only
  std::array<Value, ForceLaw::kMostRows> velocity;  // by rows
  std::array<Value, ForceLaw::kMostRows> force;
  bool force_is_known = true;  // false: one choice of many, which may lie outside the friction cone
  double turn = 0.0;           // 1  share of its power by which friction may miss the direction of the slip
};

/// How a law violates its definition, or nothing. An open contact is not penetrated and exerts no force; a closed one stays closed and
/// pushes; friction stays within its limit; a sticking contact does not slip, and a sliding one loses all the power that its limit allows.
[[nodiscard]] std::optional<std::string> find_violation(const ForceLaw& law, const LawAtInstant& now);

/// Looks at accepted pieces of smooth motion with the definitions of the laws. Gaps, directions, masses and loads come from an Evaluator,
/// so that an error in the Taylor arithmetic, the choice of force columns, the projection or the events shows here.
class MotionCheck {
 public:
  /// `scales` must outlive the check.
  MotionCheck(const System& system, const MotionScales& scales);

  struct Piece {
    const ModeFlow& flow;  // whose polynomials it is, from `begin` on
    const State& begin;
    const State& end;                    // on the rows that hold
    double duration;                     // s
    const Eigen::VectorXd& gap_offsets;  // m  closed gaps count from there
    double tolerance;                    // 1  of the integrator
    bool can_balance;                    // no expression stays where it is not analytic, as sign(slip) of a sticking contact
    bool ends_at_switch;                 // of an expression: there the Evaluator is on another branch than the polynomials
  };
  struct Violation {
    int law;  // or -1
    std::string what;
  };
  /// In the middle and at the end, or just before it.
  [[nodiscard]] std::optional<Violation> judge(const Piece& piece);

 private:
  struct Instant {
    const State& state;
    double since;           // s  after the beginning
    double time_error;      // s  by which the state may lag behind
    double velocity_error;  // 1  of the terms of a velocity
    const ModeFlow& flow;
    const Eigen::VectorXd& gap_offsets;
    double tolerance;  // 1  of gaps and forces
  };
  [[nodiscard]] std::optional<Violation> judge_inside(const Piece& piece, double share, double tolerance, bool balance);
  [[nodiscard]] std::optional<Violation> judge(const Instant& instant);
  [[nodiscard]] bool is_open(const Instant& instant, int law);
  void find_motion(const Instant& instant, int law, LawAtInstant& now);
  void find_forces(const Instant& instant, int law, LawAtInstant& now) const;
  void find_force_errors(const Instant& instant, int law, LawAtInstant& now) const;
  [[nodiscard]] double largest_force(const Instant& instant) const;
  [[nodiscard]] std::optional<Violation> judge_balance(const Instant& instant, double tolerance);
  void add_forces(const SparseColumns& W, int column, double force);
  void add_uncertain_constraints();
  void add_uncertain_massless(const ModeFlow& flow);

  const System& system_;
  const MotionScales& scales_;
  std::unique_ptr<Evaluator> evaluator_;
  State inside_;
  LawList list_;  // with the gaps at the instant
  SparseColumns W_, W_constraints_;
  std::vector<double> chi_;
  Dynamics dynamics_;
  Eigen::VectorXd chi_constraints_, acceleration_, force_, force_size_, uncertain_, momentum_;
};

}  // namespace tippe
