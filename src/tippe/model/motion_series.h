// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/core/sparse_ldlt.h"

namespace tippe {

/// The equations of a system along a motion, as Taylor polynomials in the time since its start: M(t), h(t), W(t), gaps(t), ... for
/// q(t) = sum q_k t^k, u(t) = sum u_k t^k. Order by order, because an equation of motion gives u_{k+1} only when all else is known to
/// order k:
///
///   begin(t, q, u);  evaluate(0);          all coefficients 0
///   set_coefficients(1, q_1, u_1);  evaluate(1);   ...
///
/// Pointers are to order() + 1 coefficients one after another, of which those that were evaluated count; they stay valid for the life
/// of the object. Where an expression is not analytic at the start (sqrt at 0, a pole), coefficients are not finite.
class MotionSeries {
 public:
  virtual ~MotionSeries() = default;

  [[nodiscard]] int order() const { return order_; }

  virtual void begin(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) = 0;
  virtual void set_coefficients(int k, const Eigen::VectorXd& q_k, const Eigen::VectorXd& u_k) = 0;
  /// Coefficient k of everything; those before k must have been evaluated since begin().
  virtual void evaluate(int k) = 0;

  [[nodiscard]] const double* mass(int entry) const { return mass_[static_cast<size_t>(entry)]; }  // System::mass_pattern()
  [[nodiscard]] const double* h(int velocity) const { return h_[static_cast<size_t>(velocity)]; }
  [[nodiscard]] const double* position_rate(int coordinate) const {
    return rate_[static_cast<size_t>(coordinate)];
  }  // dq/dt

  /// A row  gamma = sum value[j] u[velocity[j]] + chi  and its derivative at constant u.
  struct Row {
    std::vector<int> velocity;
    std::vector<const double*> value;
    const double* chi = nullptr;
    const double* gamma = nullptr;
    const double* drift = nullptr;  // d gamma/dt = sum value[j] du/dt[velocity[j]] + drift
  };
  [[nodiscard]] const std::vector<Row>& constraints() const { return constraints_; }  // one row per constraint
  [[nodiscard]] const std::vector<std::vector<Row>>& laws() const { return laws_; }   // rows of each law
  [[nodiscard]] const double* constraint_position(int constraint) const {             // g; nullptr for Pfaffian ones
    return constraint_position_[static_cast<size_t>(constraint)];
  }
  [[nodiscard]] const double* gap(int law) const { return gap_[static_cast<size_t>(law)]; }  // nullptr: the law has none

  /// Of a velocity that no kinetic energy knows: the force on it, which nothing balances but laws and constraints, and the row that
  /// keeps it as it is: the rate of a force that depends on positions alone, or the force itself.
  struct Massless {
    int velocity = 0;
    bool of_positions = false;
    const double* force = nullptr;
    Row row;
  };
  [[nodiscard]] const std::vector<Massless>& massless() const { return massless_; }

  /// W  Powers for the energy ledger, see Dynamics: what damping takes, -(damping . u + damping_on_drift), and what given forces and
  /// explicit time dependence feed in, applied . u + drive_power; nullptr where there is none.
  [[nodiscard]] const double* damping_loss() const { return damping_loss_; }
  [[nodiscard]] const double* driving_power() const { return driving_power_; }
  /// W  applied . u, contained in driving_power().
  [[nodiscard]] const double* applied_power() const { return applied_power_; }
  /// Dynamics::drive_momentum, one per velocity; empty without a drift of the coordinates.
  [[nodiscard]] const std::vector<const double*>& drive_momentum() const { return drive_momentum_; }

  /// What must not become zero, as there a function of the expressions ends.
  struct Edge {
    const char* what = "";  // "the argument of log()"
    const double* argument = nullptr;
  };
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  /// A function whose sign decides which branch of abs, sign, min, max or a comparison holds. Beyond its first root the polynomials are
  /// not those of the motion.
  struct Switch {
    const double* argument = nullptr;
    int forced =
        0;  // -1, 1: the branch to take, whatever the argument at the start; set before begin(). 0: by its value, at 0 by its
            // first coefficient that is not zero. 2: the argument is zero throughout
  };
  [[nodiscard]] std::vector<Switch>& switches() { return switches_; }

 protected:
  explicit MotionSeries(int order) : order_(order) {}

  int order_;
  std::vector<const double*> mass_, h_, rate_, constraint_position_, gap_, drive_momentum_;
  std::vector<Row> constraints_;
  std::vector<Massless> massless_;
  std::vector<std::vector<Row>> laws_;
  const double* damping_loss_ = nullptr;
  const double* driving_power_ = nullptr;
  const double* applied_power_ = nullptr;
  std::vector<Edge> edges_;
  std::vector<Switch> switches_;
};

}  // namespace tippe
