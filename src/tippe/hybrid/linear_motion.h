// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tippe/hybrid/event_driven.h"
#include "tippe/hybrid/motion_observer.h"

namespace tippe {

/// What a column of derivatives is by: a parameter, or nothing but the state at the start.
struct Variation {
  const System* below = nullptr;  // with the parameter less by `step`; both must outlive the motion
  const System* above = nullptr;
  double step = 0.0;  // of the parameter, in its unit
};

/// The derivatives of an event-driven motion: its linearised flow with the jumps at events. They are taken of the polynomials of each smooth piece, in
/// its modes, and of each impact, by central differences; between them the time of the event moves (saltation). With f the rates before and after it, and
/// e what passes through zero there:
///
///   dt = -de/(de/dt) ,   dz := dz + f_before dt ,   dz := derivative of the jump, at t + dt ,   dz := dz - f_after dt
///
/// Where one event has several causes, all must move alike.
class LinearMotion final : public MotionObserver {
 public:
  /// Watches the integrator, which has not begun yet; both must live as long.
  LinearMotion(const System& system, EventDriven& integrator, double tolerance, std::vector<Variation> variations);
  ~LinearMotion() override;
  LinearMotion(const LinearMotion&) = delete;
  LinearMotion& operator=(const LinearMotion&) = delete;

  /// d(q, u), a column for each variation. Where time_shift() is zero at the time of the state, else each column at the time of its own event.
  [[nodiscard]] const Eigen::MatrixXd& tangent() const { return tangent_; }
  /// Columns of no parameter may be fewer than before. The shifts: see time_shift().
  void set_tangent(const Eigen::MatrixXd& tangent) { set_tangent(tangent, Eigen::RowVectorXd::Zero(tangent.cols())); }
  void set_tangent(const Eigen::MatrixXd& tangent, const Eigen::RowVectorXd& time_shift);
  /// Is called at the beginning of every piece of motion, after the event that it may begin with: time_shift() is zero there.
  void set_departure(std::function<void(double t)> departure) { departure_ = std::move(departure); }
  /// s  per unit of each variation: by which the time of the last event moves.
  [[nodiscard]] const Eigen::RowVectorXd& time_shift() const { return time_shift_; }
  /// What the tangent was at `t` after the beginning of the last step, before the event at its end.
  [[nodiscard]] Eigen::MatrixXd tangent_within(double t) const;
  /// Empty, or why the motion has no derivative, or none that is known: "at t = 0.1 a contact grazes: ...".
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// Of each coordinate and velocity in the motion so far, never 0.
  [[nodiscard]] const Eigen::VectorXd& sizes() const { return sizes_; }
  /// The directions of nearby states that the rows allow which hold in these modes, one per column, orthonormal relative to the sizes.
  [[nodiscard]] Eigen::MatrixXd allowed_directions(const State& state, const std::vector<ContactMode>& modes);

  void see_piece(const SmoothMotion::Piece& piece, ModeFlow& flow, const CurrentModes& modes, std::span<const int> branches,
                 const MotionScales& scales, bool lapses) override;
  void see_impact(const State& before, const std::vector<bool>& touching, const State& after) override;
  void see_accumulation(double remaining) override;
  void see_other_jump(double t) override;

 private:
  struct Expansion;
  void note_trouble(const std::string& trouble);
  void take_sizes(const State& state, const MotionScales& scales);
  void leave_event(const ModeFlow& flow);
  void move_events(const SmoothMotion::Piece& piece, ModeFlow& flow, const std::vector<Eigen::RowVectorXd>& values);
  [[nodiscard]] double size_of_column(Eigen::Index column) const;

  const System& system_;
  EventDriven& integrator_;
  int order_;
  std::vector<Variation> variations_;
  Eigen::MatrixXd tangent_;
  Eigen::RowVectorXd time_shift_, shift_of_last_, shift_before_;  // of the last event, of the one before it
  Eigen::VectorXd sizes_, rate_at_end_;
  bool begins_ = true, may_jump_ = true, project_ = false;
  double last_impact_ = 0.0, interval_ = 0.0, interval_before_ = 0.0;  // s
  std::string trouble_;
  std::function<void(double t)> departure_;
  std::vector<std::unique_ptr<Expansion>> expansions_;  // of the system itself, then of each variation below and above
  std::vector<Eigen::MatrixXd> polynomials_;  // of the last piece: of each column, coefficient k of d(q, u) in column k
};

}  // namespace tippe
