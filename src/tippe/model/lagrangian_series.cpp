// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian_series.h"

#include <functional>

#include "tippe/expr/series_program.h"
#include "tippe/model/lagrangian_equations.h"

namespace tippe {
namespace {

/// Expressions and, once they are compiled, where to write the address of their coefficients.
class Outputs {
 public:
  void add(Expr y, const double*& address) {
    expressions_.push_back(y);
    addresses_.emplace_back(address);
  }
  /// `addresses` has its size for good.
  void add(const std::vector<Expr>& y, std::vector<const double*>& addresses) {
    addresses.resize(y.size());
    for (size_t i = 0; i < y.size(); ++i) add(y[i], addresses[i]);
  }
  void add(const VelocityRow& row, Expr drift, MotionSeries::Row& target) {
    target.value.resize(row.W.size());
    for (size_t j = 0; j < row.W.size(); ++j) {
      target.velocity.push_back(row.W[j].velocity);
      add(row.W[j].value, target.value[j]);
    }
    add(row.chi, target.chi);
    add(row.gamma, target.gamma);
    add(drift, target.drift);
  }

  [[nodiscard]] const std::vector<Expr>& expressions() const { return expressions_; }
  void write_addresses(const SeriesProgram& program, const double* memory) const {
    for (size_t i = 0; i < addresses_.size(); ++i) addresses_[i].get() = memory + program.output(static_cast<int>(i));
  }

 private:
  std::vector<Expr> expressions_;
  std::vector<std::reference_wrapper<const double*>> addresses_;
};

class LagrangianSeries final : public MotionSeries {
 public:
  LagrangianSeries(const LagrangianDescription& description, int order)
      : MotionSeries(order), inputs_(description.inputs()), program_(compile(description)), memory_(program_.make_memory()) {
    outputs_.write_addresses(program_, memory_.data());
    for (int s = 0; s < program_.switches(); ++s) switches_.push_back({memory_.data() + program_.switch_argument(s)});
    for (int e = 0; e < static_cast<int>(program_.edges().size()); ++e)
      edges_.push_back({program_.edges()[static_cast<size_t>(e)].what, memory_.data() + program_.edge_argument(e)});
    outputs_ = {};
  }

  void begin(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) override {
    double* const time = memory_.data() + program_.input(inputs_.t());
    time[0] = t;
    time[1] = 1.0;
    for (int s = 0; s < program_.switches(); ++s) program_.force(s, switches_[static_cast<size_t>(s)].forced, memory_);
    set_coefficients(0, q, u);
  }

  void set_coefficients(int k, const Eigen::VectorXd& q_k, const Eigen::VectorXd& u_k) override {
    for (int i = 0; i < inputs_.n; ++i) memory_[program_.input(inputs_.q(i)) + static_cast<size_t>(k)] = q_k[i];
    for (int j = 0; j < inputs_.nu(); ++j) memory_[program_.input(inputs_.u(j)) + static_cast<size_t>(k)] = u_k[j];
  }

  void evaluate(int k) override { program_.evaluate(k, memory_); }

 private:
  SeriesProgram compile(const LagrangianDescription& description) {
    LagrangianEquations equations(description);
    ExprGraph& graph = *description.graph;
    outputs_.add(equations.mass, mass_);
    outputs_.add(equations.h, h_);
    outputs_.add(equations.rates, rate_);
    outputs_.add(equations.drive_momentum, drive_momentum_);

    Expr loss = -equations.damping_on_drift, applied = graph.constant(0.0);
    for (int j = 0; j < inputs_.nu(); ++j) {
      const Expr u = graph.input(inputs_.u(j));
      loss = loss - equations.damping[static_cast<size_t>(j)] * u;
      applied = applied + equations.applied[static_cast<size_t>(j)] * u;
    }
    const Expr power = equations.drive_power + applied;
    if (!loss.is_constant(0.0)) outputs_.add(loss, damping_loss_);
    if (!applied.is_constant(0.0)) outputs_.add(applied, applied_power_);
    if (!power.is_constant(0.0)) outputs_.add(power, driving_power_);

    constraints_.resize(equations.constraints.size());
    constraint_position_.resize(equations.constraints.size(), nullptr);
    for (size_t i = 0; i < constraints_.size(); ++i) {
      outputs_.add(equations.constraints[i], equations.constraint_drift[i], constraints_[i]);
      const ConstraintDescription& constraint = description.constraints[i];
      if (constraint.constraint.holonomic) outputs_.add(constraint.position, constraint_position_[i]);
    }
    const std::vector<LagrangianEquations::Massless> massless = equations.massless();
    massless_.resize(massless.size());
    for (size_t i = 0; i < massless.size(); ++i) {
      massless_[i].velocity = massless[i].velocity;
      massless_[i].of_positions = massless[i].of_positions;
      outputs_.add(massless[i].force, massless_[i].force);
      outputs_.add(massless[i].row, equations.rate_of(massless[i].row.gamma), massless_[i].row);
    }
    laws_.resize(equations.laws.size());
    gap_.resize(equations.laws.size(), nullptr);
    for (size_t i = 0; i < laws_.size(); ++i) {
      laws_[i].resize(equations.laws[i].size());
      for (size_t r = 0; r < laws_[i].size(); ++r) {
        const VelocityRow& row = equations.laws[i][r];
        outputs_.add(row, equations.rate_of(row.gamma), laws_[i][r]);
      }
      const LawDescription& law = description.laws[i];
      if (law.law.kind == ForceLaw::Kind::kContact) outputs_.add(law.gap, gap_[i]);
    }
    return {inputs_.count(), order_, outputs_.expressions()};
  }

  LagrangianInputs inputs_;
  Outputs outputs_;  // while compiling
  SeriesProgram program_;
  std::vector<double> memory_;
};

}  // namespace

std::unique_ptr<MotionSeries> make_lagrangian_series(const LagrangianDescription& description, int order) {
  return std::make_unique<LagrangianSeries>(description, order);
}

}  // namespace tippe
