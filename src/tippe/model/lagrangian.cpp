// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian.h"

#include <algorithm>
#include <utility>

#include "tippe/expr/program.h"
#include "tippe/model/lagrangian_equations.h"
#include "tippe/model/lagrangian_series.h"

namespace tippe {
namespace {

/// Rows W'u + chi: W by columns with a fixed pattern; values and then chi come from one function.
struct RowFunctions {
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
  void map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) override;
  void evaluate_constraint_positions(Eigen::VectorXd& g) override;
  void evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) override;
  void evaluate_constraint_drift(Eigen::VectorXd& drift) override;
  void evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) override;
  void find_laws(double reach, LawList& laws) override;
  void append_directions(const LawList& laws, int k, SparseColumns& W, std::vector<double>& chi) override;
  void append_drift(const LawList& laws, int k, std::vector<double>& drift) override;
  Energies evaluate_energies() override;

 private:
  /// Appends the columns of W and returns where chi begins.
  const double* append_columns(const RowFunctions& functions, SparseColumns& W);

  const LagrangianSystem& system_;
  std::vector<double> memory_;
  std::vector<double> result_;

  /// Compiled when somebody asks: steps never do.
  struct LawDrift {
    ExprProgram program;
    std::vector<double> memory;
  };
  std::unique_ptr<LawDrift> law_drift_;  // a function for each law
};

class LagrangianSystem final : public System {
 public:
  explicit LagrangianSystem(LagrangianDescription description);
  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override {
    return std::make_unique<LagrangianEvaluator>(*this);
  }
  [[nodiscard]] std::unique_ptr<MotionSeries> make_series(int order) const override {
    return make_lagrangian_series(description_, order);
  }
  [[nodiscard]] const LagrangianDescription* lagrangian() const override { return &description_; }

 private:
  friend class LagrangianEvaluator;

  int add_function(std::span<const Expr> outputs);
  void compile_dynamics(const LagrangianEquations& equations);
  void compile_rates(const LagrangianEquations& equations);
  RowFunctions compile_rows(std::span<const VelocityRow> rows);

  LagrangianDescription description_;
  LagrangianInputs inputs_;
  ExprProgram program_;
  int dynamics_ = -1;                 // outputs: M, h, then the parts below as far as they are not zero
  std::vector<int> damped_, forced_;  // velocities with a damping or an applied force
  bool driven_ = false;               // T or V depends on t, or the coordinates drift
  bool drifts_ = false;               // the coordinates drift: drive_momentum
  int energies_ = -1;                 // outputs: T, V, and 2T - dq/dt . p if T is not homogeneous
  bool homogeneous_ = true;
  int rates_ = -1;         // own velocities only
  RowFunctions position_;  // own velocities only: rows of F, columns are coordinates
  int gaps_ = -1;
  std::vector<int> gap_laws_;
  std::vector<RowFunctions> law_functions_;
  int constraint_positions_ = -1;
  std::vector<int> holonomic_;
  RowFunctions constraint_functions_;
  int constraint_drift_ = -1, position_size_ = -1, drift_size_ = -1;
  int most_outputs_ = 0;
};

LagrangianSystem::LagrangianSystem(LagrangianDescription description)
    : description_(std::move(description)), inputs_(description_.inputs()), program_(inputs_.count()) {
  LagrangianEquations equations(description_);
  coordinate_names_ = description_.coordinates;
  velocity_names_ = description_.velocities.empty() ? description_.rate_names : description_.velocities;
  if (velocity_names_.empty()) {
    for (const std::string& name : coordinate_names_) velocity_names_.push_back(name + "'");
  }
  for (const UnitQuaternion& quaternion : description_.unit_quaternions)
    unit_quaternions_.push_back(quaternion.first_coordinate);
  input_coordinates_ = description_.input_coordinates;
  velocities_are_rates_ = description_.velocities.empty();
  impact_law_ = description_.impact_law;
  mass_pattern_ = equations.mass_pattern;
  constant_mass_ = std::all_of(equations.mass.begin(), equations.mass.end(), [](Expr entry) { return entry.is_constant(); });
  compile_dynamics(equations);
  if (inputs_.own > 0) compile_rates(equations);

  std::vector<Expr> energies{equations.kinetic, equations.potential};
  homogeneous_ = equations.drive.is_constant(0.0);
  if (!homogeneous_) energies.push_back(equations.drive);
  energies_ = add_function(energies);

  std::vector<Expr> positions;
  for (const ConstraintDescription& constraint : description_.constraints) {
    if (constraint.constraint.holonomic) {
      holonomic_.push_back(static_cast<int>(constraints_.size()));
      positions.push_back(constraint.position);
    }
    constraints_.push_back(constraint.constraint);
  }
  constraint_positions_ = add_function(positions);
  constraint_functions_ = compile_rows(equations.constraints);
  constraint_drift_ = add_function(equations.constraint_drift);
  position_size_ = add_function(equations.constraint_position_size);
  drift_size_ = add_function(equations.constraint_drift_size);

  std::vector<Expr> gaps;
  for (size_t i = 0; i < description_.laws.size(); ++i) {
    const LawDescription& law = description_.laws[i];
    laws_.push_back(law.law);
    law_functions_.push_back(compile_rows(equations.laws[i]));
    if (law.law.kind != ForceLaw::Kind::kContact) continue;
    gap_laws_.push_back(static_cast<int>(i));
    gaps.push_back(law.gap);
  }
  gaps_ = add_function(gaps);
  restitution_matrix_ = description_.restitution_matrix;
  if (restitution_matrix_) require_fitting(*restitution_matrix_, laws_, impact_law_);
}

int LagrangianSystem::add_function(std::span<const Expr> outputs) {
  most_outputs_ = std::max(most_outputs_, static_cast<int>(outputs.size()));
  return program_.add(outputs);
}

void LagrangianSystem::compile_dynamics(const LagrangianEquations& equations) {
  std::vector<Expr> outputs = equations.mass;
  outputs.insert(outputs.end(), equations.h.begin(), equations.h.end());
  const auto append_nonzero = [&](const std::vector<Expr>& force, std::vector<int>& places) {
    for (size_t j = 0; j < force.size(); ++j) {
      if (force[j].is_constant(0.0)) continue;
      places.push_back(static_cast<int>(j));
      outputs.push_back(force[j]);
    }
  };
  append_nonzero(equations.damping, damped_);
  append_nonzero(equations.applied, forced_);
  driven_ = !equations.drive_power.is_constant(0.0);
  if (driven_) outputs.push_back(equations.drive_power);
  drifts_ = !equations.drive_momentum.empty();
  outputs.insert(outputs.end(), equations.drive_momentum.begin(), equations.drive_momentum.end());
  if (drifts_) outputs.push_back(equations.damping_on_drift);
  dynamics_ = add_function(outputs);
}

void LagrangianSystem::compile_rates(const LagrangianEquations& equations) {
  rates_ = add_function(equations.rates);
  moved_coordinates_.resize(static_cast<size_t>(inputs_.nu()));
  std::vector<Expr> values;
  for (const Expr rate : equations.rates) {
    for (const auto& [input, entry] : description_.graph->gradient(rate, inputs_.u(0), inputs_.u(inputs_.nu()))) {
      const int velocity = input - inputs_.u(0), coordinate = static_cast<int>(position_.column_start.size()) - 1;
      position_.row.push_back(velocity);
      moved_coordinates_[static_cast<size_t>(velocity)].push_back(coordinate);
      values.push_back(entry);
    }
    position_.column_start.push_back(static_cast<int>(values.size()));
  }
  position_.function = add_function(values);
}

RowFunctions LagrangianSystem::compile_rows(std::span<const VelocityRow> rows) {
  RowFunctions functions;
  std::vector<Expr> values;
  for (const VelocityRow& row : rows) {
    for (const VelocityRow::Entry& entry : row.W) {
      functions.row.push_back(entry.velocity);
      values.push_back(entry.value);
    }
    functions.column_start.push_back(static_cast<int>(values.size()));
  }
  for (const VelocityRow& row : rows) values.push_back(row.chi);
  functions.function = add_function(values);
  return functions;
}

LagrangianEvaluator::LagrangianEvaluator(const LagrangianSystem& system)
    : system_(system), memory_(system.program_.make_memory()), result_(static_cast<size_t>(system.most_outputs_)) {}

void LagrangianEvaluator::set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const LagrangianInputs& inputs = system_.inputs_;
  std::copy_n(q.data(), inputs.n, memory_.data());
  std::copy_n(u.data(), inputs.nu(), memory_.data() + inputs.u(0));
  memory_[static_cast<size_t>(inputs.t())] = t;
}

void LagrangianEvaluator::evaluate_dynamics(Dynamics& dynamics) {
  const int n = system_.inputs_.nu();
  system_.program_.evaluate(system_.dynamics_, memory_, result_.data());
  const double* next = result_.data();
  const auto entries = static_cast<std::ptrdiff_t>(system_.mass_pattern().size());
  dynamics.M.assign(next, next + entries);
  next += entries;
  dynamics.h = Eigen::Map<const Eigen::VectorXd>(next, n);
  next += n;
  dynamics.damping.setZero(n);
  for (const int j : system_.damped_) dynamics.damping[j] = *next++;
  dynamics.applied.setZero(n);
  for (const int j : system_.forced_) dynamics.applied[j] = *next++;
  dynamics.drive_power = system_.driven_ ? *next++ : 0.0;
  if (!system_.drifts_) return;
  dynamics.drive_momentum = Eigen::Map<const Eigen::VectorXd>(next, n);
  dynamics.damping_on_drift = next[n];
}

void LagrangianEvaluator::evaluate_position_rate(Eigen::VectorXd& rate) {
  const LagrangianInputs& inputs = system_.inputs_;
  rate.resize(inputs.n);
  if (inputs.own > 0) {
    system_.program_.evaluate(system_.rates_, memory_, rate.data());
  } else {
    rate = Eigen::Map<const Eigen::VectorXd>(memory_.data() + inputs.u(0), inputs.n);
  }
}

void LagrangianEvaluator::map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) {
  if (system_.inputs_.own == 0) {
    dq = s;
    return;
  }
  const RowFunctions& F = system_.position_;
  system_.program_.evaluate(F.function, memory_, result_.data());
  dq.setZero(system_.inputs_.n);
  for (int i = 0; i < system_.inputs_.n; ++i) {
    for (int p = F.column_start[i]; p < F.column_start[i + 1]; ++p) dq[i] += result_[static_cast<size_t>(p)] * s[F.row[p]];
  }
}

void LagrangianEvaluator::evaluate_constraint_positions(Eigen::VectorXd& g) {
  g.setZero(static_cast<Eigen::Index>(system_.constraints().size()));
  system_.program_.evaluate(system_.constraint_positions_, memory_, result_.data());
  for (size_t k = 0; k < system_.holonomic_.size(); ++k) g[system_.holonomic_[k]] = result_[k];
}

void LagrangianEvaluator::evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) {
  W.clear();
  const double* values = append_columns(system_.constraint_functions_, W);
  chi = Eigen::Map<const Eigen::VectorXd>(values, W.columns());
}

void LagrangianEvaluator::evaluate_constraint_drift(Eigen::VectorXd& drift) {
  drift.resize(static_cast<Eigen::Index>(system_.constraints().size()));
  system_.program_.evaluate(system_.constraint_drift_, memory_, drift.data());
}

void LagrangianEvaluator::evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) {
  position.resize(static_cast<Eigen::Index>(system_.constraints().size()));
  drift.resize(position.size());
  system_.program_.evaluate(system_.position_size_, memory_, position.data());
  system_.program_.evaluate(system_.drift_size_, memory_, drift.data());
}

/// All of them, whatever the reach.
void LagrangianEvaluator::find_laws(double /*reach*/, LawList& laws) {
  if (!laws.fixed || laws.size() != static_cast<int>(system_.laws().size())) laws = list_of_fixed_laws(system_.laws());
  system_.program_.evaluate(system_.gaps_, memory_, result_.data());
  for (size_t k = 0; k < system_.gap_laws_.size(); ++k) laws.gap[system_.gap_laws_[k]] = result_[k];
}

const double* LagrangianEvaluator::append_columns(const RowFunctions& functions, SparseColumns& W) {
  system_.program_.evaluate(functions.function, memory_, result_.data());
  const double* next = result_.data();
  const int columns = static_cast<int>(functions.column_start.size()) - 1;
  for (int k = 0; k < columns; ++k) {
    for (int p = functions.column_start[k]; p < functions.column_start[k + 1]; ++p) W.push(functions.row[p], *next++);
    W.finish_column();
  }
  return next;
}

void LagrangianEvaluator::append_directions(const LawList& laws, int k, SparseColumns& W, std::vector<double>& chi) {
  const RowFunctions& functions = system_.law_functions_[laws.law[k]];
  const double* values = append_columns(functions, W);
  chi.insert(chi.end(), values, values + functions.column_start.size() - 1);
}

void LagrangianEvaluator::append_drift(const LawList& laws, int k, std::vector<double>& drift) {
  const int law = laws.law[k];
  if (!law_drift_) {
    LagrangianEquations equations(system_.description_);
    law_drift_ = std::make_unique<LawDrift>(LawDrift{ExprProgram(system_.inputs_.count()), {}});
    for (const std::vector<VelocityRow>& rows : equations.laws) {
      std::vector<Expr> rates;
      for (const VelocityRow& row : rows) rates.push_back(equations.rate_of(row.gamma));
      law_drift_->program.add(rates);
    }
    law_drift_->memory = law_drift_->program.make_memory();
  }
  std::copy_n(memory_.begin(), system_.inputs_.count(), law_drift_->memory.begin());
  const size_t first = drift.size();
  drift.resize(first + static_cast<size_t>(system_.laws()[static_cast<size_t>(law)].rows));
  law_drift_->program.evaluate(law, law_drift_->memory, drift.data() + first);
}

Energies LagrangianEvaluator::evaluate_energies() {
  system_.program_.evaluate(system_.energies_, memory_, result_.data());
  return {result_[0], result_[1], system_.homogeneous_ ? 0.0 : result_[2]};
}

}  // namespace

std::unique_ptr<const System> make_lagrangian_system(LagrangianDescription description) {
  return std::make_unique<LagrangianSystem>(std::move(description));
}

}  // namespace tippe
