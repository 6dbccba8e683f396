// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tippe/core/error.h"
#include "tippe/expr/program.h"

namespace tippe {
namespace {

/// Row directions of one law: W by columns with a fixed pattern; values and then chi come from one function.
struct LawFunctions {
  std::vector<int> column_start{0};
  std::vector<int> row;
  int function = -1;
};

class LagrangianSystem;

class LagrangianEvaluator final : public Evaluator {
 public:
  explicit LagrangianEvaluator(const LagrangianSystem& system);
  void set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) override;
  void evaluate_dynamics(Dynamics& dynamics) override;
  void evaluate_position_rate(Eigen::VectorXd& rate) override;
  void evaluate_gaps(Eigen::VectorXd& gaps) override;
  void append_directions(int law, SparseColumns& W, std::vector<double>& chi) override;
  Energies evaluate_energies() override;

 private:
  const LagrangianSystem& system_;
  std::vector<double> memory_;
  std::vector<double> result_;
};

class LagrangianSystem final : public System {
 public:
  explicit LagrangianSystem(const LagrangianDescription& description);
  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override {
    return std::make_unique<LagrangianEvaluator>(*this);
  }

 private:
  friend class LagrangianEvaluator;

  void compile_dynamics(const LagrangianDescription& description);
  void compile_energies(const LagrangianDescription& description);
  void compile_law(const LawDescription& description, Substitution& at_zero_velocity);
  [[nodiscard]] Substitution zero_velocity(ExprGraph& graph) const;
  /// Throws unless y is free of velocities.
  void require_no_velocity(ExprGraph& graph, Expr y, const std::string& subject, const std::string& what) const;

  LagrangianInputs inputs_;
  ExprProgram program_;
  int dynamics_ = -1;                 // outputs: M, h, then the sparse parts below, then drive_power if it is not zero
  std::vector<int> damped_, forced_;  // coordinates with a damping or an applied force
  bool driven_ = false;               // T or V depends on t
  int energies_ = -1;                 // outputs: T, V, and 2T - u.p if T is not homogeneous
  bool homogeneous_ = true;
  int gaps_ = -1;
  std::vector<int> gap_laws_;
  std::vector<LawFunctions> law_functions_;
  int most_outputs_ = 0;
};

LagrangianSystem::LagrangianSystem(const LagrangianDescription& description)
    : inputs_{static_cast<int>(description.coordinates.size())}, program_(inputs_.count()) {
  coordinate_names_ = description.coordinates;
  impact_law_ = description.impact_law;
  for (const std::string& name : coordinate_names_) velocity_names_.push_back(name + "'");
  compile_dynamics(description);
  compile_energies(description);
  std::vector<Expr> gaps;
  Substitution at_zero_velocity = zero_velocity(description.kinetic.graph());
  for (const LawDescription& law : description.laws) {
    compile_law(law, at_zero_velocity);
    if (law.law.kind != ForceLaw::Kind::kContact) continue;
    gap_laws_.push_back(static_cast<int>(laws_.size()) - 1);
    gaps.push_back(law.gap);
  }
  gaps_ = program_.add(gaps);
  most_outputs_ = std::max({program_.outputs(dynamics_), program_.outputs(gaps_), program_.outputs(energies_)});
  for (const LawFunctions& law : law_functions_) most_outputs_ = std::max(most_outputs_, program_.outputs(law.function));
}

void LagrangianSystem::require_no_velocity(ExprGraph& graph, Expr y, const std::string& subject,
                                           const std::string& what) const {
  for (const int input : graph.inputs_of(y)) {
    if (input < inputs_.u(0) || input >= inputs_.t()) continue;
    const std::string& velocity = velocity_names_[input - inputs_.u(0)];
    throw ModelError(subject, fmt::format("{} {}", what, velocity), velocity);
  }
}

void LagrangianSystem::compile_dynamics(const LagrangianDescription& description) {
  const int n = inputs_.n;
  ExprGraph& graph = description.kinetic.graph();
  const Expr T = description.kinetic, V = description.potential;
  const Expr zero = graph.constant(0.0);
  const auto spread = [&](const std::vector<ExprGraph::Partial>& partials, int first) {
    std::vector<Expr> dense(n, zero);
    for (const auto& [input, derivative] : partials) dense[input - first] = derivative;
    return dense;
  };
  require_no_velocity(graph, V, "lagrangian.potential", "the potential energy must not depend on velocities, but contains");

  // M = d2T/du2, lower triangle, non-zero entries only.
  const std::vector<Expr> p = spread(graph.gradient(T, inputs_.u(0), inputs_.t()), inputs_.u(0));
  std::vector<Expr> outputs;
  constant_mass_ = true;
  for (int i = 0; i < n; ++i) {
    for (const auto& [input, entry] : graph.gradient(p[i], inputs_.u(0), inputs_.u(i) + 1)) {
      require_no_velocity(graph, entry, "lagrangian.kinetic",
                          "the kinetic energy must be a polynomial of at most second degree in the velocities; its "
                          "second derivatives still contain");
      mass_pattern_.push_back({i, input - inputs_.u(0)});
      constant_mass_ = constant_mass_ && entry.is_constant();
      outputs.push_back(entry);
    }
  }

  // h = dT/dq - (dp/dq) u - dp/dt - dV/dq - dD/du + f
  std::vector<Expr> along_motion(inputs_.count());
  for (int i = 0; i < n; ++i) along_motion[inputs_.q(i)] = graph.input(inputs_.u(i));
  along_motion[inputs_.t()] = graph.constant(1.0);
  ForwardDerivative rate_at_constant_u(graph, along_motion);
  const std::vector<Expr> T_q = spread(graph.gradient(T, 0, n), 0);
  const std::vector<Expr> V_q = spread(graph.gradient(V, 0, n), 0);
  std::vector<Expr> damping(n, zero), applied(n, zero);
  if (description.damping.valid()) {
    damping = spread(graph.gradient(description.damping, inputs_.u(0), inputs_.t()), inputs_.u(0));
    for (Expr& force : damping) force = -force;
  }
  for (size_t i = 0; i < description.forces.size(); ++i) {
    if (description.forces[i].valid()) applied[i] = description.forces[i];
  }
  for (int i = 0; i < n; ++i) outputs.push_back(T_q[i] - rate_at_constant_u(p[i]) - V_q[i] + damping[i] + applied[i]);
  const auto append_nonzero = [&](const std::vector<Expr>& force, std::vector<int>& places) {
    for (int i = 0; i < n; ++i) {
      if (force[i].is_constant(0.0)) continue;
      places.push_back(i);
      outputs.push_back(force[i]);
    }
  };
  append_nonzero(damping, damped_);
  append_nonzero(applied, forced_);
  const Expr drive_power = graph.partial(V, inputs_.t()) - graph.partial(T, inputs_.t());
  driven_ = !drive_power.is_constant(0.0);
  if (driven_) outputs.push_back(drive_power);
  dynamics_ = program_.add(outputs);
}

void LagrangianSystem::compile_energies(const LagrangianDescription& description) {
  ExprGraph& graph = description.kinetic.graph();
  // T is homogeneous iff its linear and constant terms vanish: p and T are zero at u = 0.
  Substitution at_zero_velocity = zero_velocity(graph);
  std::vector<Expr> outputs{description.kinetic, description.potential};
  Expr drive = graph.constant(2.0) * description.kinetic;
  homogeneous_ = at_zero_velocity(description.kinetic).is_constant(0.0);
  for (const auto& [input, momentum] : graph.gradient(description.kinetic, inputs_.u(0), inputs_.t())) {
    homogeneous_ = homogeneous_ && at_zero_velocity(momentum).is_constant(0.0);
    drive = drive - graph.input(input) * momentum;
  }
  if (!homogeneous_) outputs.push_back(drive);
  energies_ = program_.add(outputs);
}

Substitution LagrangianSystem::zero_velocity(ExprGraph& graph) const {
  std::vector<Expr> at_rest(inputs_.count());
  for (int i = 0; i < inputs_.n; ++i) at_rest[inputs_.u(i)] = graph.constant(0.0);
  return {graph, at_rest};
}

void LagrangianSystem::compile_law(const LawDescription& description, Substitution& at_zero_velocity) {
  const ForceLaw& law = description.law;
  const bool contact = law.kind == ForceLaw::Kind::kContact;
  LawFunctions functions;
  std::vector<Expr> values, chi;
  ExprGraph& graph = contact ? description.gap.graph() : description.velocities.front().graph();
  const auto add_column = [&](const std::vector<ExprGraph::Partial>& partials, int first) {
    for (const auto& [input, derivative] : partials) {
      functions.row.push_back(input - first);
      values.push_back(derivative);
    }
    functions.column_start.push_back(static_cast<int>(functions.row.size()));
  };

  if (contact) {
    require_no_velocity(graph, description.gap, law.key + ".gap", "a gap must not depend on velocities, but contains");
    const auto gradient = graph.gradient(description.gap, 0, inputs_.n);
    if (gradient.empty())
      throw ModelError(law.key + ".gap", "the gap depends on no coordinate, so no force can act through it");
    add_column(gradient, 0);
    chi.push_back(graph.partial(description.gap, inputs_.t()));
  }
  for (size_t k = 0; k < description.velocities.size(); ++k) {
    const Expr velocity = description.velocities[k];
    const std::string key = law.row_key(static_cast<int>(k) + (contact ? 1 : 0));
    const std::string subject = law.key + "." + key;
    const auto gradient = graph.gradient(velocity, inputs_.u(0), inputs_.t());
    if (gradient.empty())
      throw ModelError(subject, "no velocity occurs here; velocities are written with a prime, as in " + velocity_names_[0]);
    for (const auto& [input, derivative] : gradient) {
      require_no_velocity(graph, derivative, subject,
                          fmt::format("'{}' must be linear in the velocities; its derivative still contains", key));
    }
    add_column(gradient, inputs_.u(0));
    chi.push_back(at_zero_velocity(velocity));
  }
  values.insert(values.end(), chi.begin(), chi.end());
  functions.function = program_.add(values);
  law_functions_.push_back(std::move(functions));
  laws_.push_back(law);
}

LagrangianEvaluator::LagrangianEvaluator(const LagrangianSystem& system)
    : system_(system), memory_(system.program_.make_memory()), result_(system.most_outputs_) {}

void LagrangianEvaluator::set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const int n = system_.inputs_.n;
  std::copy_n(q.data(), n, memory_.data());
  std::copy_n(u.data(), n, memory_.data() + n);
  memory_[2 * n] = t;
}

void LagrangianEvaluator::evaluate_dynamics(Dynamics& dynamics) {
  const int n = system_.inputs_.n;
  system_.program_.evaluate(system_.dynamics_, memory_, result_.data());
  const double* next = result_.data();
  const auto entries = static_cast<std::ptrdiff_t>(system_.mass_pattern().size());
  dynamics.M.assign(next, next + entries);
  next += entries;
  dynamics.h = Eigen::Map<const Eigen::VectorXd>(next, n);
  next += n;
  dynamics.damping.setZero(n);
  for (const int i : system_.damped_) dynamics.damping[i] = *next++;
  dynamics.applied.setZero(n);
  for (const int i : system_.forced_) dynamics.applied[i] = *next++;
  dynamics.drive_power = system_.driven_ ? *next : 0.0;
}

void LagrangianEvaluator::evaluate_position_rate(Eigen::VectorXd& rate) {
  rate = Eigen::Map<const Eigen::VectorXd>(memory_.data() + system_.inputs_.n, system_.inputs_.n);
}

void LagrangianEvaluator::evaluate_gaps(Eigen::VectorXd& gaps) {
  system_.program_.evaluate(system_.gaps_, memory_, result_.data());
  for (size_t k = 0; k < system_.gap_laws_.size(); ++k) gaps[system_.gap_laws_[k]] = result_[k];
}

void LagrangianEvaluator::append_directions(int law, SparseColumns& W, std::vector<double>& chi) {
  const LawFunctions& functions = system_.law_functions_[law];
  system_.program_.evaluate(functions.function, memory_, result_.data());
  const double* next = result_.data();
  const int columns = static_cast<int>(functions.column_start.size()) - 1;
  for (int k = 0; k < columns; ++k) {
    for (int p = functions.column_start[k]; p < functions.column_start[k + 1]; ++p) W.push(functions.row[p], *next++);
    W.finish_column();
  }
  chi.insert(chi.end(), next, next + columns);
}

Energies LagrangianEvaluator::evaluate_energies() {
  system_.program_.evaluate(system_.energies_, memory_, result_.data());
  return {result_[0], result_[1], system_.homogeneous_ ? 0.0 : result_[2]};
}

}  // namespace

std::unique_ptr<const System> make_lagrangian_system(const LagrangianDescription& description) {
  return std::make_unique<LagrangianSystem>(description);
}

}  // namespace tippe
