// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What one contact does in a mode.
struct ContactChoice {
  enum class Kind {
    kOpen,      // no force, the gap does not close; unilateral contacts only
    kHeldOpen,  // the same, but its tangents do not move, at any friction
    kSmooth,    // closed, without friction
    kHeld,      // closed, and its tangents do not move, at any friction
    kStick,     // the same with friction in the cone
    kSlide,     // closed, with friction -mu * (size of the normal force) * direction
  };
  Kind kind = Kind::kOpen;
  int sign = 1;                    // of the normal force: bilateral contacts that stick or slide with friction, else 1
  Eigen::VectorXd direction = {};  // kSlide: a unit vector
  bool starts = false;  // kSlide: the contact has no slip yet, its relative acceleration must point along `direction`
};

/// A motion and forces that go with it, in the scaled data of ContactModes.
struct ModePoint {
  Eigen::VectorXd acceleration;
  Eigen::VectorXd forces;  // all components
};

/// All motions of one mode.
struct ModeSolution {
  enum class Status {
    kNone,       // proved: the mode contradicts itself
    kFound,      // points has one motion, or several different ones
    kUndecided,  // numerical failure, or a cone whose polygons disagree
  };
  Status status = Status::kNone;
  std::vector<ModePoint> points;
  bool complete = true;  // false: there may be motions other than these points, though none is known
};

/// The modes of a contact problem: for each choice at every contact, linear equations and inequalities in accelerations and forces.
/// Everything inside is scaled, with powers of two: masses, lengths of directions and loads are of size 1, so that tolerances are
/// absolute. M may be singular and rows redundant: what the equations leave open is decided by linear programs.
class ContactModes {
 public:
  explicit ContactModes(const AccelerationProblem& problem);

  /// One choice per contact, unilateral ones first.
  [[nodiscard]] ModeSolution solve(std::span<const ContactChoice> choices) const;
  /// The same for the shortest solution of the equations only: kNone then says nothing of others.
  [[nodiscard]] ModeSolution solve_shortest(std::span<const ContactChoice> choices) const;
  /// The shortest solution of the equations alone (its inequalities may fail). False: they contradict each other.
  [[nodiscard]] bool solve_equations(std::span<const ContactChoice> choices, ModePoint& point) const;

  /// The relative accelerations of all force components.
  [[nodiscard]] Eigen::VectorXd relative_acceleration(const ModePoint& point) const {
    return D_.transpose() * point.acceleration + drift_;
  }
  [[nodiscard]] bool same_motion(const ModePoint& a, const ModePoint& b) const;
  /// Largest error of M a + F = D f relative to its terms, in scaled data.
  [[nodiscard]] double residual(const ModePoint& point) const;

  /// Back in the units of the problem.
  [[nodiscard]] Eigen::VectorXd acceleration(const ModePoint& point) const;
  [[nodiscard]] Eigen::VectorXd forces(const ModePoint& point) const;

  [[nodiscard]] const ForceLayout& layout() const { return layout_; }

 private:
  struct Equations;

  [[nodiscard]] Equations equations_of(std::span<const ContactChoice> choices) const;
  /// False: the equations contradict each other.
  [[nodiscard]] static bool shortest(const Equations& equations, Eigen::VectorXd& x);
  [[nodiscard]] ModePoint point_of(const Equations& equations, const Eigen::VectorXd& x) const;
  [[nodiscard]] ModeSolution judge_point(const Equations& equations, const Eigen::VectorXd& x) const;
  [[nodiscard]] ModeSolution judge_set(const Equations& equations) const;

  const AccelerationProblem& problem_;
  ForceLayout layout_;
  Eigen::MatrixXd M_, D_;
  Eigen::VectorXd F_, drift_;
  Eigen::VectorXd coordinate_;  // a = unit * coordinate * a~
  Eigen::VectorXd component_;   // f = unit * component * f~
  double unit_ = 1.0;
};

}  // namespace tippe
