// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/expr/scalar.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

/// A Lagrangian system from C++ callables, without a scene file. Each callable is a template on the scalar, as a lambda with `auto`
/// parameters is, and is called once with expressions, from which all derivatives follow:
///
///   LagrangianBuilder builder({"phi"});
///   builder.kinetic([=](const auto&, const auto& v, auto) { return 0.5 * m * l * l * v[0] * v[0]; });
///   builder.potential([=](const auto& q, auto) { return -m * g * l * cos(q[0]); });
///   std::unique_ptr<const System> system = builder.build();
///
/// q and v are indexable by coordinate (v the rates dq/dt), t is the time. See scalar.h for the functions.
class LagrangianBuilder {
 public:
  using Values = std::vector<Expr>;

  explicit LagrangianBuilder(std::vector<std::string> coordinates) {
    description_.coordinates = std::move(coordinates);
    description_.forces.resize(description_.coordinates.size());
    description_.potential = constant(0.0);
    set_inputs();
  }

  /// Velocities u of one's own choice: rates(q, u, t) returns dq/dt of every coordinate, affine in u. Before all others.
  template <class Rates>
  LagrangianBuilder& velocities(std::vector<std::string> names, Rates&& rates) {
    description_.velocities = std::move(names);
    set_inputs();
    const LagrangianInputs inputs = description_.inputs();
    Values u;
    for (int j = 0; j < inputs.nu(); ++j) u.push_back(description_.graph->input(inputs.u(j)));
    const auto given = rates(q_, u, t_);
    if (given.size() != q_.size()) throw ModelError("velocities.rates", "one rate for each coordinate is needed");
    description_.rates.clear();
    for (size_t i = 0; i < q_.size(); ++i) description_.rates.push_back(expression(given[i]));
    return *this;
  }
  /// T(q, v, t), at most quadratic in v.
  template <class Function>
  LagrangianBuilder& kinetic(Function&& T) {
    description_.kinetic = expression(T(q_, v_, t_));
    return *this;
  }
  /// V(q, t).
  template <class Function>
  LagrangianBuilder& potential(Function&& V) {
    description_.potential = expression(V(q_, t_));
    return *this;
  }
  /// Rayleigh function D(q, v, t).
  template <class Function>
  LagrangianBuilder& damping(Function&& D) {
    description_.damping = expression(D(q_, v_, t_));
    return *this;
  }
  /// Generalized force f(q, v, t) on one coordinate.
  template <class Function>
  LagrangianBuilder& force(size_t coordinate, Function&& f) {
    description_.forces.at(coordinate) = expression(f(q_, v_, t_));
    return *this;
  }
  /// A force f(q, v, t) along a velocity(q, v, t) that is affine in v, as of a point of a mechanism: it adds f dvelocity/dv.
  template <class Velocity, class Function>
  LagrangianBuilder& force_along(Velocity&& velocity, Function&& f) {
    description_.applied_forces.push_back({expression(velocity(q_, v_, t_)), expression(f(q_, v_, t_))});
    return *this;
  }
  /// A holonomic constraint g(q, t) = 0.
  template <class Function>
  LagrangianBuilder& constrain_position(const std::string& name, Function&& g) {
    description_.constraints.push_back({new_constraint(name, true), expression(g(q_, t_)), {}});
    return *this;
  }
  /// A Pfaffian constraint gamma(q, v, t) = 0, affine in v.
  template <class Function>
  LagrangianBuilder& constrain_velocity(const std::string& name, Function&& gamma) {
    description_.constraints.push_back({new_constraint(name, false), {}, expression(gamma(q_, v_, t_))});
    return *this;
  }
  /// A contact without friction: gap(q, t) >= 0.
  template <class Function>
  LagrangianBuilder& contact(const std::string& name, double restitution, Function&& gap) {
    ForceLaw law = new_law(name);
    law.epsilon[0] = restitution;
    description_.laws.push_back({law, expression(gap(q_, t_)), {}});
    return *this;
  }
  /// A contact with Coulomb friction mu against slip(q, v, t), affine in v.
  template <class Function, class Slip>
  LagrangianBuilder& contact(const std::string& name, double restitution, double mu, Function&& gap, Slip&& slip) {
    contact(name, restitution, std::forward<Function>(gap));
    LawDescription& law = description_.laws.back();
    law.velocities = {expression(slip(q_, v_, t_))};
    law.law.rows = 2;
    law.law.mu1 = law.law.mu2 = mu;
    return *this;
  }
  /// Lets the friction of the last contact fall with its slip: mu is then that at rest, and what slides with the speed v has share(v) of it.
  template <class Function>
  LagrangianBuilder& friction_falls(Function&& share) {
    const auto graph = std::make_shared<ExprGraph>();
    description_.laws.back().law.falling = make_friction_curve(graph, share(graph->input(0)));
    return *this;
  }
  /// f(q, v, t) as an expression of this system: OwnEvent::when, a Reset, quantities and the stop value of Observables.
  template <class Function>
  [[nodiscard]] Expr express(Function&& f) {
    return expression(f(q_, v_, t_));
  }
  /// For what has no function of its own here: other laws, the impact law.
  [[nodiscard]] LagrangianDescription& description() { return description_; }

  /// Throws ModelError as make_lagrangian_system() does. The builder may be used on; the system is not changed by it.
  [[nodiscard]] std::unique_ptr<const System> build() const {
    if (!description_.kinetic.valid()) throw ModelError("lagrangian.kinetic", "the kinetic energy is missing");
    return make_lagrangian_system(description_);
  }

 private:
  void set_inputs() {
    const LagrangianInputs inputs = description_.inputs();
    q_.clear();
    v_.clear();
    for (int i = 0; i < inputs.n; ++i) {
      q_.push_back(description_.graph->input(inputs.q(i)));
      v_.push_back(description_.graph->input(inputs.rate(i)));
    }
    t_ = description_.graph->input(inputs.t());
  }
  [[nodiscard]] Expr constant(double value) { return description_.graph->constant(value); }
  [[nodiscard]] Expr expression(Expr value) { return value; }
  [[nodiscard]] Expr expression(double value) { return constant(value); }
  [[nodiscard]] Constraint new_constraint(const std::string& name, bool holonomic) const {
    return {holonomic, name, "bilateral[" + std::to_string(description_.constraints.size()) + "]"};
  }
  [[nodiscard]] ForceLaw new_law(const std::string& name) const {
    ForceLaw law;
    law.name = name;
    law.key = "contact[" + std::to_string(description_.laws.size()) + "]";
    return law;
  }

  LagrangianDescription description_;
  Values q_, v_;
  Expr t_;
};

}  // namespace tippe
