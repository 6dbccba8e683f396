// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/conserving_equations.h"

#include <algorithm>
#include <utility>

#include "tippe/integrate/discrete_derivative.h"
#include "tippe/model/lagrangian_equations.h"

namespace tippe {
namespace {

using Vector = std::vector<Expr>;
using Inputs = ConservingEquations::Inputs;

Inputs number_inputs(const LagrangianInputs& lagrangian, int unknowns) {
  Inputs inputs{};
  inputs.q_B = lagrangian.count();
  inputs.u_B = inputs.q_B + lagrangian.n;
  inputs.t_B = inputs.u_B + lagrangian.n;
  inputs.dt = inputs.t_B + 1;
  inputs.unknowns = inputs.dt + 1;
  inputs.count = inputs.unknowns + unknowns;
  return inputs;
}

/// Writes the equations down; the names are those of the header.
class StepWriter {
 public:
  StepWriter(const LagrangianDescription& description, ConservingScheme scheme, const ConservingEquations& layout)
      : description_(description),
        scheme_(scheme),
        layout_(layout),
        graph_(*description.graph),
        lagrangian_(description.inputs()),
        n_(lagrangian_.n),
        equations_(description) {
    place_inputs();
  }

  Vector write_rows();
  /// What damping took, what forces and prescribed motions did.
  Vector write_energy();

 private:
  Expr number(double value) { return graph_.constant(value); }
  Vector inputs_from(int first, int count) {
    Vector values;
    for (int i = 0; i < count; ++i) values.push_back(graph_.input(first + i));
    return values;
  }
  template <class F>
  Vector each(F&& make) {
    Vector values;
    for (size_t i = 0; i < static_cast<size_t>(n_); ++i) values.push_back(make(i));
    return values;
  }
  /// What stands for the inputs behind q: rates, t, and `direction` for the inputs w behind all others.
  Vector others(const Vector& rates, Expr t, const Vector& direction = {}) {
    Vector values = rates;
    values.push_back(t);
    values.resize(static_cast<size_t>(layout_.inputs().count - n_));
    values.insert(values.end(), direction.begin(), direction.end());
    return values;
  }
  Substitution at(const Vector& q, const Vector& rates, Expr t, const Vector& direction = {}) {
    Vector values = q;
    const Vector behind = others(rates, t, direction);
    values.insert(values.end(), behind.begin(), behind.end());
    return {graph_, std::move(values)};
  }
  [[nodiscard]] bool depends_on_t(Expr y) const {
    const std::vector<int> inputs = graph_.inputs_of(y);
    return std::find(inputs.begin(), inputs.end(), lagrangian_.t()) != inputs.end();
  }

  void place_inputs();
  void make_segments();
  void add_inertia(Vector& momentum, Vector& kinematics);
  void add_forces(Vector& force);
  void add_constraints(Vector& rows, Vector& momentum, Vector& kinematics);

  const LagrangianDescription& description_;
  ConservingScheme scheme_;
  const ConservingEquations& layout_;
  ExprGraph& graph_;
  LagrangianInputs lagrangian_;
  int n_;
  LagrangianEquations equations_;

  Vector q_B, u_B, q_E, u_E, dq, q_M, u_M, rate;  // u_M = (uB + uE)/2, rate = dq/dt
  Expr dt, t_B, t_M, t_E;
  Vector lambda_hat, kappa_hat;
  Vector q_star, u_star;
  std::vector<DiscreteDerivative> over_step_;  // of V and g: one
  std::vector<DiscreteDerivative> of_motion_;  // of T and gamma: one, or two halves
};

void StepWriter::place_inputs() {
  const Inputs& in = layout_.inputs();
  const int m = layout_.constraints();
  const Expr half = number(0.5);
  q_B = inputs_from(in.q_B, n_);
  u_B = inputs_from(in.u_B, n_);
  t_B = graph_.input(in.t_B);
  dt = graph_.input(in.dt);
  u_E = inputs_from(in.unknowns, n_);
  lambda_hat = inputs_from(in.unknowns + layout_.position_rows(), m);
  u_M = each([&](size_t i) { return half * (u_B[i] + u_E[i]); });
  if (layout_.eliminates_positions()) {
    rate = u_M;
    dq = each([&](size_t i) { return dt * u_M[i]; });
    q_E = each([&](size_t i) { return q_B[i] + dq[i]; });
    q_M = each([&](size_t i) { return q_B[i] + half * dq[i]; });
  } else {
    kappa_hat = inputs_from(in.unknowns + layout_.velocity_rows(), m);
    q_E = inputs_from(in.unknowns + n_, n_);
    dq = each([&](size_t i) { return q_E[i] - q_B[i]; });
    rate = each([&](size_t i) { return dq[i] / dt; });
    q_M = each([&](size_t i) { return half * (q_B[i] + q_E[i]); });
  }
  t_M = t_B + half * dt;
  t_E = t_B + dt;
  const bool midpoint = scheme_ == ConservingScheme::kMidpoint;
  q_star = midpoint ? q_M : q_B;
  u_star = midpoint ? u_M : u_B;
  make_segments();
}

void StepWriter::make_segments() {
  const Expr half = number(0.5);
  const auto make = [&](const Vector& a, const Vector& b, const Vector& delta, const Vector& u) {
    Segment segment{.a = a, .b = b, .middle = {}, .delta = delta, .others = others(u, t_M)};
    segment.middle = each([&](size_t i) { return half * (a[i] + b[i]); });
    return DiscreteDerivative(graph_, std::move(segment));
  };
  over_step_.push_back(make(q_B, q_E, dq, u_E));
  if (scheme_ == ConservingScheme::kMidpoint) {
    const Vector half_dq = each([&](size_t i) { return half * dq[i]; });
    of_motion_.push_back(make(q_B, q_M, half_dq, u_B));
    of_motion_.push_back(make(q_M, q_E, half_dq, u_E));
  } else {
    of_motion_.push_back(make(q_B, q_E, dq, u_E));
  }
}

/// T is homogeneous of degree two in the rates, so that M v is dT/d(rate) at the rate v.
void StepWriter::add_inertia(Vector& momentum, Vector& kinematics) {
  const Expr T = description_.kinetic;
  const int rates = lagrangian_.rate(0);
  Substitution of_change = at(q_star, each([&](size_t i) { return u_E[i] - u_B[i]; }), t_M);
  Substitution of_defect = at(q_star, each([&](size_t i) { return dt * u_M[i] - dq[i]; }), t_M);
  for (const auto& [input, p] : graph_.gradient(T, rates, rates + n_)) {
    const auto i = static_cast<size_t>(input - rates);
    momentum[i] = momentum[i] + of_change(p);
    if (!kinematics.empty()) kinematics[i] = kinematics[i] + of_defect(p);
  }
  if (graph_.gradient(T, 0, n_).empty()) return;

  // G_ij = dp_i/dq_j - dp_j/dq_i, hence G w = d/d(rate) (dT/dq w) - d/dq (p w), Moeller (5.54).
  const Vector w = inputs_from(layout_.inputs().count, n_);
  Vector along_rates(static_cast<size_t>(rates));
  along_rates.insert(along_rates.end(), w.begin(), w.end());
  const Expr T_w = ForwardDerivative(graph_, w)(T), p_w = ForwardDerivative(graph_, along_rates)(T);
  Substitution with_dq = at(q_star, u_star, t_M, dq);
  for (const auto& [input, entry] : graph_.gradient(T_w, rates, rates + n_)) {
    const auto i = static_cast<size_t>(input - rates);
    momentum[i] = momentum[i] + with_dq(entry);
  }
  for (const auto& [input, entry] : graph_.gradient(p_w, 0, n_)) {
    const auto i = static_cast<size_t>(input);
    momentum[i] = momentum[i] - with_dq(entry);
  }
}

/// DT/Dq + DV/Dq + dD/du - f: all that is multiplied by dt.
void StepWriter::add_forces(Vector& force) {
  for (DiscreteDerivative& derivative : of_motion_) {
    const Expr share = number(1.0 / static_cast<double>(of_motion_.size()));
    for (const auto& [i, entry] : derivative(description_.kinetic)) force[i] = force[i] + share * entry;
  }
  for (const auto& [i, entry] : over_step_.front()(description_.potential)) force[i] = force[i] + entry;
  Substitution at_middle = at(q_M, rate, t_M);
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i)
    force[i] = force[i] - at_middle(equations_.damping[i]) - at_middle(equations_.applied[i]);
}

void StepWriter::add_constraints(Vector& rows, Vector& momentum, Vector& kinematics) {
  Substitution at_middle = at(q_M, rate, t_M), at_end = at(q_E, u_E, t_E), at_star = at(q_star, u_star, t_M);
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    if (description_.constraints[k].constraint.holonomic) {
      const Expr position = description_.constraints[k].position;
      for (const auto& [i, entry] : over_step_.front()(position)) momentum[i] = momentum[i] - entry * lambda_hat[k];
      rows.push_back(at_end(position));
    } else {
      Expr path = dt * at_middle(row.chi);
      for (const auto& [j, a] : row.W) {
        momentum[j] = momentum[j] - at_middle(a) * lambda_hat[k];
        path = path + at_middle(a) * dq[j];
      }
      rows.push_back(path);
    }
  }
  if (kinematics.empty()) return;
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    for (DiscreteDerivative& derivative : of_motion_) {
      const Expr share = number(1.0 / static_cast<double>(of_motion_.size()));
      for (const auto& [i, entry] : derivative(row.gamma)) momentum[i] = momentum[i] - share * entry * kappa_hat[k];
    }
    for (const auto& [j, a] : row.W) kinematics[j] = kinematics[j] - at_star(a) * kappa_hat[k];
    rows.push_back(at_end(row.gamma));
  }
}

Vector StepWriter::write_rows() {
  const Expr zero = number(0.0);
  Vector momentum(static_cast<size_t>(n_), zero), force = momentum, kinematics, constraints;
  if (!layout_.eliminates_positions()) kinematics = momentum;
  add_forces(force);
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) momentum[i] = dt * force[i];
  add_inertia(momentum, kinematics);
  add_constraints(constraints, momentum, kinematics);
  Vector rows = momentum;
  rows.insert(rows.end(), kinematics.begin(), kinematics.end());
  rows.insert(rows.end(), constraints.begin(), constraints.end());
  return rows;
}

/// What is missing in the identity  T_E + V(qE, tM) - T_B - V(qB, tM) = 0  of a system without forces and explicit times.
Vector StepWriter::write_energy() {
  Substitution at_middle = at(q_M, rate, t_M);
  Expr lost = number(0.0), work = number(0.0);
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    lost = lost - at_middle(equations_.damping[i]) * dq[i];
    work = work + at_middle(equations_.applied[i]) * dq[i];
  }
  Substitution begin = at(q_B, u_B, t_B), end = at(q_E, u_E, t_E), begin_M = at(q_B, u_B, t_M), end_M = at(q_E, u_E, t_M);
  for (const Expr term : additive_terms(description_.potential)) {
    if (depends_on_t(term)) work = work + ((end(term) - end_M(term)) + (begin_M(term) - begin(term)));
  }
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    if (!description_.constraints[k].constraint.holonomic) {
      work = work - lambda_hat[k] * at_middle(row.chi);
    } else if (const Expr position = description_.constraints[k].position; depends_on_t(position)) {
      work = work + lambda_hat[k] * (end_M(position) - begin_M(position)) / dt;
    }
    if (!kappa_hat.empty() && depends_on_t(row.gamma))
      work = work + kappa_hat[k] * (end_M(row.gamma) - begin_M(row.gamma)) / dt;
  }
  return {lost, work};
}

}  // namespace

ConservingEquations::ConservingEquations(const LagrangianDescription& description, ConservingScheme scheme)
    : n_(description.inputs().n),
      m_(static_cast<int>(description.constraints.size())),
      has_kappa_(scheme != ConservingScheme::kPositions && m_ > 0),
      position_rows_(has_kappa_ ? 2 * n_ : n_),
      velocity_rows_(position_rows_ + m_),
      inputs_(number_inputs(description.inputs(), unknowns())),
      program_(inputs_.count) {
  ExprGraph& graph = *description.graph;
  StepWriter writer(description, scheme, *this);
  const Vector rows = writer.write_rows();
  residual_ = program_.add(rows);

  Vector values, sizes;
  for (size_t r = 0; r < rows.size(); ++r) {
    Expr size = graph.constant(0.0);
    for (const auto& [input, derivative] : graph.gradient(rows[r], inputs_.q_B, inputs_.count)) {
      size = size + graph.apply(Op::kAbs, derivative * graph.input(input));
      if (input < inputs_.unknowns) continue;
      pattern_.push_back({static_cast<int>(r), input - inputs_.unknowns});
      values.push_back(derivative);
    }
    sizes.push_back(size);
  }
  jacobian_ = program_.add(values);
  sizes_ = program_.add(sizes);
  energy_ = program_.add(writer.write_energy());
}

}  // namespace tippe
