// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tippe/problem/acceleration_problem.h"
#include "tippe/problem/contact_mode.h"

namespace tippe {

/// What one contact or dry friction does in a mode, and where it slides to.
struct ContactChoice {
  /// kOpen: no force, the gap does not close; unilateral contacts only. kStick: friction in its cone; dry friction: it does not move.
  /// Sliding: friction is -mu * (size of the normal force) * direction; dry friction: -limit * direction.
  ContactMode mode = ContactMode::kOpen;
  int sign = 1;                    // of the normal force: bilateral contacts that stick or slide with friction, else 1
  Eigen::VectorXd direction = {};  // of sliding: a unit vector
  bool starts = false;  // sliding: the contact has no slip yet, its relative acceleration must point along `direction`
  bool held = false;    // open, sticking: the tangents do not move, at any friction

  [[nodiscard]] static ContactChoice slide(Eigen::VectorXd direction, int sign = 1, bool starts = false) {
    const ContactMode mode = direction.size() == 2 ? ContactMode::kSlide
                             : direction[0] > 0.0  ? ContactMode::kSlideForward
                                                   : ContactMode::kSlideBackward;
    return {mode, sign, std::move(direction), starts};
  }
};

/// An inequality of a mode.
struct ModeCondition {
  enum class What {
    kPushes,       // the normal force is not negative
    kOpens,        // the gap does not close
    kReserve,      // friction does not exceed its limit along the tangent
    kReserveBack,  // nor against it
    kSlides,       // sliding begins along its direction
  };
  What what;
  int contact;  // in the order of the choices

  /// What opens and slides, Johnson (12) and (32), does so indeed: equality is another mode.
  [[nodiscard]] bool strict() const { return what == What::kOpens || what == What::kSlides; }
};

/// A mode in x = (a, multipliers):  K x + k = 0 with a square K,  S x + s >= 0 , and friction cones.
struct ModeEquations {
  struct Cone {
    Eigen::Index normal, tangent;  // entries of x; the second tangent follows the first
    double mu;
  };
  Eigen::MatrixXd K, S;
  Eigen::VectorXd k, s;
  std::vector<ModeCondition> conditions;  // one for each row of S
  Eigen::MatrixXd to_forces;              // from the multipliers
  Eigen::VectorXd given;                  // forces beside those: dry friction that slides
  std::vector<Cone> cones;
};

/// A motion and forces that go with it, in the scaled data of ContactModes.
struct ModePoint {
  Eigen::VectorXd acceleration;
  Eigen::VectorXd forces;  // all components
};

/// The modes of a contact problem: for each choice at every contact, linear equations and inequalities in accelerations and forces.
/// Everything inside is scaled, with powers of two: masses, lengths of directions and loads are of size 1, so that tolerances are
/// absolute. M may be singular and rows redundant: what the equations leave open is decided by linear programs.
class ContactModes {
 public:
  /// Both must outlive the object.
  explicit ContactModes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry = {});

  /// One choice per contact, unilateral ones first, then bilateral ones, then dry frictions.
  [[nodiscard]] ModeEquations equations_of(std::span<const ContactChoice> choices) const;
  /// The shortest solution of the equations alone (its inequalities may fail). False: they contradict each other.
  [[nodiscard]] bool solve_equations(std::span<const ContactChoice> choices, ModePoint& point) const;
  /// x with K x + k = 0 if K is well conditioned, else false.
  [[nodiscard]] static bool solve_regular(const ModeEquations& equations, Eigen::VectorXd& x);
  [[nodiscard]] ModePoint point_of(const ModeEquations& equations, const Eigen::VectorXd& x) const;

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
  /// A part of the load, one entry for each coordinate.
  [[nodiscard]] Eigen::VectorXd load(const Eigen::VectorXd& scaled) const;

  /// What forces, and relative accelerations, of a component are multiplied by.
  [[nodiscard]] double force_unit(Eigen::Index component) const { return unit_ * component_[component]; }
  [[nodiscard]] double acceleration_unit(Eigen::Index component) const { return unit_ / component_[component]; }

  /// What a force component acts along, in scaled data.
  [[nodiscard]] Eigen::VectorXd direction(Eigen::Index component) const { return D_.col(component); }
  /// Friction over normal force of a contact that slides, in scaled data; its coefficient is known.
  [[nodiscard]] double scaled_mu(size_t contact) const;

  [[nodiscard]] const ForceLayout& layout() const { return layout_; }
  /// Where the forces of contacts and dry frictions begin, in the order of the choices.
  [[nodiscard]] Eigen::Index first_component(size_t contact) const;
  /// The first of those that are friction, or the first of all where there is none.
  [[nodiscard]] Eigen::Index friction_component(size_t contact) const;

 private:
  const AccelerationProblem& problem_;
  std::span<const DryFrictionRow> dry_;
  ForceLayout layout_;
  Eigen::MatrixXd M_, D_;
  Eigen::VectorXd F_, drift_;
  Eigen::VectorXd coordinate_;  // a = unit * coordinate * a~
  Eigen::VectorXd component_;   // f = unit * component * f~
  Eigen::VectorXd limit_;       // of dry frictions
  double unit_ = 1.0;
};

}  // namespace tippe
