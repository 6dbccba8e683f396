// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian_equations.h"

#include <fmt/format.h>

#include <set>

#include "tippe/core/error.h"

namespace tippe {
namespace {

Substitution zero_velocity(ExprGraph& graph, const LagrangianInputs& inputs) {
  std::vector<Expr> at_rest(static_cast<size_t>(inputs.count()));
  for (int i = 0; i < inputs.n; ++i) at_rest[inputs.rate(i)] = graph.constant(0.0);
  for (int j = 0; j < inputs.nu(); ++j) at_rest[inputs.u(j)] = graph.constant(0.0);
  return {graph, at_rest};
}

std::vector<Expr> rates_of(const LagrangianDescription& description) {
  if (!description.velocities.empty()) return description.rates;
  const LagrangianInputs inputs = description.inputs();
  std::vector<Expr> rates;
  for (int i = 0; i < inputs.n; ++i) rates.push_back(description.graph->input(inputs.u(i)));
  return rates;
}

ForwardDerivative motion(ExprGraph& graph, const LagrangianInputs& inputs, const std::vector<Expr>& rates) {
  std::vector<Expr> direction(static_cast<size_t>(inputs.count()));
  for (int i = 0; i < inputs.n; ++i) direction[inputs.q(i)] = rates[static_cast<size_t>(i)];
  direction[inputs.t()] = graph.constant(1.0);
  return {graph, direction};
}

}  // namespace

LagrangianEquations::LagrangianEquations(const LagrangianDescription& description)
    : rates(rates_of(description)),
      description_(description),
      graph_(*description.graph),
      inputs_(description.inputs()),
      in_velocities_(description.rates_by_velocities()),
      at_zero_velocity_(zero_velocity(graph_, inputs_)),
      along_motion_(motion(graph_, inputs_, rates)) {
  read_rates();
  make_dynamics();
  for (const ConstraintDescription& constraint : description.constraints) make_constraint(constraint);
  for (const LawDescription& law : description.laws) make_law(law);
}

std::string LagrangianEquations::velocity_in(Expr y) const {
  for (const int input : graph_.inputs_of(y)) {
    if (input >= inputs_.rate(0) && input < inputs_.t())
      return description_.coordinates[static_cast<size_t>(input - inputs_.rate(0))] + "'";
    if (input > inputs_.t()) return description_.velocities[static_cast<size_t>(input - inputs_.u(0))];
  }
  return {};
}

void LagrangianEquations::require_no_velocity(Expr y, const std::string& subject, const std::string& what) const {
  const std::string velocity = velocity_in(y);
  if (!velocity.empty()) throw ModelError(subject, fmt::format("{} {}", what, velocity), velocity);
}

/// Own velocities: every rate affine in them, none of them idle.
void LagrangianEquations::read_rates() {
  if (description_.velocities.empty()) return;
  std::set<int> used;
  for (int i = 0; i < inputs_.n; ++i) {
    const Expr rate = rates[static_cast<size_t>(i)];
    const std::string subject = "velocities.rates." + description_.coordinates[static_cast<size_t>(i)];
    for (const int input : graph_.inputs_of(rate)) {
      if (input < inputs_.rate(0) || input >= inputs_.t()) continue;
      const std::string name = description_.coordinates[static_cast<size_t>(input - inputs_.rate(0))] + "'";
      throw ModelError(subject, fmt::format("a rate is given by velocities, not by the rate {}", name), name);
    }
    for (const auto& [input, entry] : graph_.gradient(rate, inputs_.u(0), inputs_.count())) {
      require_no_velocity(entry, subject, "a rate must be linear in the velocities; its derivative still contains");
      used.insert(input);
    }
  }
  for (int j = 0; j < inputs_.nu(); ++j) {
    const std::string& name = description_.velocities[static_cast<size_t>(j)];
    if (!used.contains(inputs_.u(j)))
      throw ModelError("velocities.names",
                       fmt::format("the velocity {} moves no coordinate: it is in none of the rates", name));
  }
}

void LagrangianEquations::make_dynamics() {
  check_energies();
  make_mass();
  CoordinateForces on = make_coordinate_forces();
  project(on);
  make_drive_power(on);
  make_drive(on);
}

void LagrangianEquations::check_energies() const {
  const Expr T = description_.kinetic;
  require_no_velocity(description_.potential, "lagrangian.potential",
                      "the potential energy must not depend on velocities, but contains");
  if (inputs_.own > 0) {
    for (const int input : graph_.inputs_of(T)) {
      if (input < inputs_.u(0)) continue;
      const std::string& name = description_.velocities[static_cast<size_t>(input - inputs_.u(0))];
      throw ModelError(
          "lagrangian.kinetic",
          fmt::format("the kinetic energy must be written with the rates of the coordinates, as in {}', not with "
                      "the velocity {}: Lagrange's equations need the momenta of all coordinates",
                      description_.coordinates[0], name),
          name);
    }
  }
  if (velocity_in(T).empty() && !description_.bodies.kinetic.valid()) {
    throw ModelError("lagrangian.kinetic",
                     fmt::format("the kinetic energy contains no velocity; velocities are written with a prime, as in {}'",
                                 description_.coordinates[0]));
  }
}

/// dy/dinput for the inputs first .. last - 1, structural zeros included.
std::vector<Expr> LagrangianEquations::dense_gradient(Expr y, int first, int last) {
  std::vector<Expr> dense(static_cast<size_t>(last - first), graph_.constant(0.0));
  for (const auto& [input, derivative] : graph_.gradient(y, first, last))
    dense[static_cast<size_t>(input - first)] = derivative;
  return dense;
}

std::vector<Expr> LagrangianEquations::by_velocity(Expr y) {
  return dense_gradient(y, inputs_.u(0), inputs_.u(inputs_.nu()));
}

/// M = d2T/du2, lower triangle, non-zero entries only.
void LagrangianEquations::make_mass() {
  kinetic = in_velocities_(description_.kinetic);
  if (description_.bodies.kinetic.valid()) kinetic = kinetic + description_.bodies.kinetic;
  potential = description_.potential;
  const std::vector<Expr> momentum = by_velocity(kinetic);
  for (int j = 0; j < inputs_.nu(); ++j) {
    for (const auto& [input, entry] : graph_.gradient(momentum[static_cast<size_t>(j)], inputs_.u(0), inputs_.u(j) + 1)) {
      require_no_velocity(entry, "lagrangian.kinetic",
                          "the kinetic energy must be a polynomial of at most second degree in the velocities; its "
                          "second derivatives still contain");
      mass_pattern.push_back({j, input - inputs_.u(0)});
      mass.push_back(entry);
    }
  }
}

/// Momenta p of the coordinates, and on each coordinate the force  dT/dq - dp/dt - dV/dq + f  with dp/dt at constant u.
LagrangianEquations::CoordinateForces LagrangianEquations::make_coordinate_forces() {
  const int n = inputs_.n;
  const Expr zero = graph_.constant(0.0), T = description_.kinetic;
  CoordinateForces on;
  on.momentum = dense_gradient(T, inputs_.rate(0), inputs_.t());
  const std::vector<Expr> T_q = dense_gradient(T, 0, n);
  on.V_q = dense_gradient(potential, 0, n);
  on.conservative.assign(static_cast<size_t>(n), zero);
  on.given.assign(static_cast<size_t>(n), zero);
  on.drift.assign(static_cast<size_t>(n), zero);
  for (size_t k = 0; k < static_cast<size_t>(n); ++k) {
    on.conservative[k] = in_velocities_(T_q[k]) - along_motion_(in_velocities_(on.momentum[k])) - on.V_q[k];
    if (k < description_.forces.size() && description_.forces[k].valid())
      on.given[k] = in_velocities_(description_.forces[k]);
  }
  return on;
}

/// -sum_ik (dv_i/du)' D_ik v_k.
void LagrangianEquations::add_damping(const DampingDescription& matrix) {
  std::vector<Expr> v;
  for (size_t i = 0; i < matrix.velocities.size(); ++i) {
    const std::string key = matrix.velocities.size() == 1 ? "velocities" : fmt::format("velocities[{}]", i);
    v.push_back(velocity_row(matrix.velocities[i], matrix.key + "." + key, key).gamma);
  }
  for (size_t i = 0; i < v.size(); ++i) {
    Expr force = graph_.constant(0.0);
    for (size_t k = 0; k < v.size(); ++k) force = force + in_velocities_(matrix.matrix[i][k]) * v[k];
    for (const auto& [input, direction] : graph_.gradient(v[i], inputs_.u(0), inputs_.u(inputs_.nu()))) {
      Expr& sum = damping[static_cast<size_t>(input - inputs_.u(0))];
      sum = sum - direction * force;
    }
  }
}

/// (dv/du)' f.
void LagrangianEquations::add_applied_forces() {
  for (const AppliedForce& given : description_.applied_forces) {
    const Expr force = in_velocities_(given.force);
    for (const auto& [input, direction] :
         graph_.gradient(in_velocities_(given.velocity), inputs_.u(0), inputs_.u(inputs_.nu()))) {
      const auto j = static_cast<size_t>(input - inputs_.u(0));
      applied[j] = applied[j] + direction * force;
      classical[j] = classical[j] + direction * force;
    }
  }
}

/// Onto the velocities: h_j = sum_i (d rate_i/d u_j) force_i. Finds the drift beta of the coordinates on the way.
void LagrangianEquations::project(CoordinateForces& on) {
  const int nu = inputs_.nu();
  const Expr zero = graph_.constant(0.0);
  damping.assign(static_cast<size_t>(nu), zero);
  if (description_.damping.valid()) damping = by_velocity(in_velocities_(description_.damping));
  for (Expr& force : damping) force = -force;
  for (const DampingDescription& matrix : description_.damping_matrices) add_damping(matrix);

  std::vector<Expr> inertia_and_potential(static_cast<size_t>(nu), zero);
  classical = damping;
  applied.assign(static_cast<size_t>(nu), zero);
  for (size_t k = 0; k < rates.size(); ++k) {
    for (const auto& [input, F] : graph_.gradient(rates[k], inputs_.u(0), inputs_.u(nu))) {
      const auto j = static_cast<size_t>(input - inputs_.u(0));
      inertia_and_potential[j] = inertia_and_potential[j] + F * on.conservative[k];
      applied[j] = applied[j] + F * on.given[k];
      classical[j] = classical[j] + F * (on.given[k] - on.V_q[k]);
    }
    on.drift[k] = at_zero_velocity_(rates[k]);
    on.drifts = on.drifts || !on.drift[k].is_constant(0.0);
  }
  add_applied_forces();
  for (const auto& [row, column, value] : description_.bodies.gyro) {
    Expr& force = inertia_and_potential[static_cast<size_t>(row)];
    force = force - value * graph_.input(inputs_.u(column));
  }
  for (size_t j = 0; j < static_cast<size_t>(nu); ++j) h.push_back(inertia_and_potential[j] + damping[j] + applied[j]);
}

/// Energy that a prescribed motion feeds in: d(dq/dt . p - T + V)/dt less the power of the forces on u.
void LagrangianEquations::make_drive_power(const CoordinateForces& on) {
  const Expr zero = graph_.constant(0.0);
  drive_power = in_velocities_(graph_.partial(potential, inputs_.t()) - graph_.partial(description_.kinetic, inputs_.t()));
  damping_on_drift = zero;
  if (!on.drifts) return;
  Expr carried = zero;
  for (size_t k = 0; k < on.drift.size(); ++k) {
    drive_power = drive_power - on.drift[k] * on.conservative[k];
    carried = carried + on.drift[k] * in_velocities_(on.momentum[k]);
  }
  drive_momentum = by_velocity(carried);
  const auto drift_of = [&](int input) { return on.drift[static_cast<size_t>(input - inputs_.rate(0))]; };
  for (const DampingDescription& matrix : description_.damping_matrices) {
    for (size_t i = 0; i < matrix.velocities.size(); ++i) {
      Expr force = zero;
      for (size_t k = 0; k < matrix.velocities.size(); ++k)
        force = force + in_velocities_(matrix.matrix[i][k] * matrix.velocities[k]);
      for (const auto& [input, slope] : graph_.gradient(matrix.velocities[i], inputs_.rate(0), inputs_.t()))
        damping_on_drift = damping_on_drift - drift_of(input) * in_velocities_(slope) * force;
    }
  }
  if (!description_.damping.valid()) return;
  for (const auto& [input, slope] : graph_.gradient(description_.damping, inputs_.rate(0), inputs_.t()))
    damping_on_drift = damping_on_drift - drift_of(input) * in_velocities_(slope);
}

/// T is homogeneous iff its linear and constant terms vanish: p and T are zero at dq/dt = 0.
void LagrangianEquations::make_drive(const CoordinateForces& on) {
  const Expr T = description_.kinetic;
  bool homogeneous = at_zero_velocity_(T).is_constant(0.0);
  drive = graph_.constant(2.0) * T;
  for (int i = 0; i < inputs_.n; ++i) {
    const Expr momentum = on.momentum[static_cast<size_t>(i)];
    homogeneous = homogeneous && at_zero_velocity_(momentum).is_constant(0.0);
    drive = drive - graph_.input(inputs_.rate(i)) * momentum;
  }
  drive = homogeneous ? graph_.constant(0.0) : in_velocities_(drive);
}

VelocityRow LagrangianEquations::make_row(Expr gamma) {
  VelocityRow row{.gamma = gamma, .W = {}, .chi = at_zero_velocity_(gamma)};
  for (const auto& [input, entry] : graph_.gradient(gamma, inputs_.u(0), inputs_.u(inputs_.nu())))
    row.W.push_back({input - inputs_.u(0), entry});
  return row;
}

/// dg/dt of a function of q and t. `what`: "gap".
VelocityRow LagrangianEquations::position_row(Expr position, const std::string& subject, const std::string& what) {
  require_no_velocity(position, subject, fmt::format("a {} must not depend on velocities, but contains", what));
  Expr gamma = graph_.partial(position, inputs_.t());
  const auto gradient = graph_.gradient(position, 0, inputs_.n);
  if (gradient.empty())
    throw ModelError(subject, fmt::format("the {} depends on no coordinate, so no force can act through it", what));
  for (const auto& [input, derivative] : gradient) gamma = gamma + derivative * rates[static_cast<size_t>(input)];
  VelocityRow row = make_row(gamma);
  if (row.W.empty())
    throw ModelError(subject, fmt::format("no velocity changes this {}, so no force can act through it", what));
  return row;
}

VelocityRow LagrangianEquations::velocity_row(Expr velocity, const std::string& subject, const std::string& key) {
  if (velocity_in(velocity).empty()) {
    throw ModelError(subject, fmt::format("no velocity occurs here; velocities are written with a prime, as in {}'",
                                          description_.coordinates[0]));
  }
  VelocityRow row = make_row(in_velocities_(velocity));
  if (row.W.empty()) throw ModelError(subject, "the velocities cancel: no force can act through this");
  for (const VelocityRow::Entry& entry : row.W) {
    require_no_velocity(entry.value, subject,
                        fmt::format("'{}' must be linear in the velocities; its derivative still contains", key));
  }
  return row;
}

std::vector<LagrangianEquations::Massless> LagrangianEquations::massless() {
  std::vector<bool> heavy(static_cast<size_t>(inputs_.nu()), false);
  for (const LowerEntry& entry : mass_pattern) heavy[entry.row] = heavy[entry.column] = true;
  std::vector<Massless> all;
  for (int j = 0; j < inputs_.nu(); ++j) {
    if (heavy[static_cast<size_t>(j)]) continue;
    const Expr force = h[static_cast<size_t>(j)];
    const bool of_positions = velocity_in(force).empty();
    all.push_back({j, of_positions, force,
                   make_row(of_positions ? graph_.partial(force, inputs_.t()) + along_positions(force) : force)});
  }
  return all;
}

/// The rate of a function of positions, at constant t.
Expr LagrangianEquations::along_positions(Expr y) {
  Expr rate = graph_.constant(0.0);
  for (const auto& [input, derivative] : graph_.gradient(y, 0, inputs_.n))
    rate = rate + derivative * rates[static_cast<size_t>(input)];
  return rate;
}

void LagrangianEquations::make_law(const LawDescription& description) {
  const ForceLaw& law = description.law;
  const bool contact = law.kind == ForceLaw::Kind::kContact;
  std::vector<VelocityRow>& rows = laws.emplace_back();
  if (contact) rows.push_back(position_row(description.gap, law.key + ".gap", "gap"));
  for (const Expr velocity : description.velocities) {
    const std::string key = law.row_key(static_cast<int>(rows.size()));
    rows.push_back(velocity_row(velocity, law.key + "." + key, key));
  }
}

void LagrangianEquations::make_constraint(const ConstraintDescription& description) {
  const Constraint& constraint = description.constraint;
  const std::string key = constraint.row_key(), subject = constraint.key + "." + key;
  constraints.push_back(constraint.holonomic ? position_row(description.position, subject, key)
                                             : velocity_row(description.velocity, subject, key));
  const Expr gamma = constraints.back().gamma;
  constraint_drift.push_back(along_motion_(gamma));
  const auto size_of = [&](Expr term) { return graph_.apply(Op::kAbs, term); };
  Expr position_size = graph_.constant(0.0), drift_size = size_of(graph_.partial(gamma, inputs_.t()));
  if (constraint.holonomic) {
    for (const Expr term : additive_terms(description.position)) position_size = position_size + size_of(term);
  }
  for (const auto& [input, derivative] : graph_.gradient(gamma, 0, inputs_.n))
    drift_size = drift_size + size_of(derivative * rates[static_cast<size_t>(input)]);
  constraint_position_size.push_back(position_size);
  constraint_drift_size.push_back(drift_size);
}

Substitution LagrangianDescription::rates_by_velocities() const {
  const LagrangianInputs in = inputs();
  std::vector<Expr> replacement(static_cast<size_t>(in.count()));
  if (!velocities.empty()) {
    for (int i = 0; i < in.n; ++i) replacement[in.rate(i)] = rates[static_cast<size_t>(i)];
  }
  return {*graph, replacement};
}

}  // namespace tippe
