// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/motion_laws.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tippe/contact/contact_rows.h"
#include "tippe/contact/contact_state.h"

namespace tippe {

MotionLaws::MotionLaws(const System& system, const StepEquations& equations, bool with_restitution)
    : system_(system),
      equations_(equations),
      with_restitution_(with_restitution),
      fixed_(list_of_fixed_laws(system.laws())) {
  const Eigen::Index unknowns = equations.layout().unknowns();
  column_.resize(unknowns);
  solved_.resize(unknowns);
  momentum_.resize(system.nu());
  size_t most = 0;
  for (const auto* laws : {&equations.laws(), &equations.laws_on_end_velocity()}) {
    for (const StepEquations::Law& law : *laws)
      most = std::max({most, law.row.size() + 2 * static_cast<size_t>(ForceLaw::kMostRows),
                       law.impulse_slopes.size() + law.path_slopes.size()});
  }
  values_.resize(most);
  if (!with_restitution) return;
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  mass_ = SparseLDLT(system.nu(), system.mass_pattern());
  if (!mass_.factorize(dynamics.M)) throw std::invalid_argument("it needs a mass matrix that is positive definite");
}

void MotionLaws::begin(std::span<const int> active, const std::vector<int>& first_row, const Eigen::VectorXd& impulses,
                       double dt) {
  active_.assign(active.begin(), active.end());
  on_end_velocity_.assign(active.size(), 0);
  sizes_.clear();
  first_row_.clear();
  Lambda_.clear();
  problem_.laws.clear();
  for (const int i : active_) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(i)];
    first_row_.push_back(static_cast<int>(Lambda_.size()));
    sizes_.push_back(law.rows);
    problem_.laws.push_back(impulse_set(law, dt));
    for (int k = 0; k < law.rows; ++k) Lambda_.push_back(impulses[first_row[static_cast<size_t>(i)] + k]);
  }
  trial_ = Lambda_;
  allowed_.clear();
  xi_.resize(rows());
  chi_.resize(rows());
}

void MotionLaws::evaluate(std::span<double> memory, Eigen::VectorXd& r) {
  W_.clear();
  for (size_t a = 0; a < active_.size(); ++a) {
    const StepEquations::Law& law = this->law(a);
    equations_.program().evaluate(law.values, memory, values_.data());
    const double* next = values_.data();
    for (int k = 0; k < sizes_[a]; ++k) {
      const double Lambda = Lambda_[static_cast<size_t>(first_row_[a] + k)];
      for (int p = law.column_start[static_cast<size_t>(k)]; p < law.column_start[static_cast<size_t>(k) + 1]; ++p, ++next) {
        const int j = law.row[static_cast<size_t>(p)];
        W_.push(j, *next);
        r[j] -= *next * Lambda;
      }
      W_.finish_column();
    }
    for (int k = 0; k < sizes_[a]; ++k) xi_[first_row_[a] + k] = *next++;
    for (int k = 0; k < sizes_[a]; ++k) chi_[first_row_[a] + k] = *next++;
  }
  if (with_restitution_) evaluate_restitution();
}

/// momentum_ := M^-1 sum W_j Lambda_j, and its share of xi.
void MotionLaws::evaluate_restitution() {
  momentum_.setZero();
  for (int k = 0; k < rows(); ++k) W_.add_to(k, Lambda_[static_cast<size_t>(k)], momentum_.data());
  mass_.solve_in_place(momentum_);
  for (size_t a = 0; a < active_.size(); ++a) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(active_[a])];
    for (int k = 0; k < sizes_[a]; ++k) {
      const double epsilon = law.epsilon[static_cast<size_t>(k)];
      xi_[first_row_[a] + k] += 0.5 * (1.0 - epsilon) / (1.0 + epsilon) * W_.dot(first_row_[a] + k, momentum_.data());
    }
  }
}

void MotionLaws::add_sizes(Eigen::VectorXd& size) const {
  for (int k = 0; k < rows(); ++k) {
    for (int p = W_.start[static_cast<size_t>(k)]; p < W_.start[static_cast<size_t>(k) + 1]; ++p)
      size[W_.row[static_cast<size_t>(p)]] += std::abs(W_.value[static_cast<size_t>(p)] * Lambda_[static_cast<size_t>(k)]);
  }
}

void MotionLaws::add_slopes(std::span<double> memory, std::span<double> jacobian) {
  path_slopes_.clear();
  for (size_t a = 0; a < active_.size(); ++a) {
    const StepEquations::Law& law = this->law(a);
    for (int k = 0; k < sizes_[a]; ++k)
      memory[static_cast<size_t>(equations_.inputs().law + k)] = Lambda_[static_cast<size_t>(first_row_[a] + k)];
    equations_.program().evaluate(law.slopes, memory, values_.data());
    const double* next = values_.data();
    for (const int place : law.impulse_slopes) jacobian[static_cast<size_t>(place)] -= *next++;
    for (const auto& [row, unknown] : law.path_slopes) path_slopes_.push_back({first_row_[a] + row, unknown, *next++});
  }
}

void MotionLaws::make_delassus(StepMatrix& matrix) {
  const auto unknowns = static_cast<size_t>(column_.size()), count = static_cast<size_t>(rows());
  X_.resize(std::max(X_.size(), unknowns * count));
  for (size_t k = 0; k < count; ++k) {
    column_.setZero();
    W_.add_to(static_cast<int>(k), 1.0, column_.data());
    matrix.solve(column_, solved_);
    std::copy_n(solved_.data(), unknowns, X_.data() + k * unknowns);
  }
  if (with_restitution_) {
    inverse_W_.resize(std::max(inverse_W_.size(), static_cast<size_t>(momentum_.size()) * count));
    for (size_t k = 0; k < count; ++k) {
      momentum_.setZero();
      W_.add_to(static_cast<int>(k), 1.0, momentum_.data());
      mass_.solve_in_place(momentum_);
      std::copy_n(momentum_.data(), momentum_.size(), inverse_W_.data() + k * static_cast<size_t>(momentum_.size()));
    }
  }
  BlockSparseMatrix& G = problem_.G.blocks;
  problem_.G.factored = false;
  G.clear();
  for (const int size : sizes_) G.declare_row(size);
  size_t slope = 0;
  for (size_t a = 0; a < active_.size(); ++a) {
    size_t end = slope;
    while (end < path_slopes_.size() && path_slopes_[end].row < first_row_[a] + sizes_[a]) ++end;
    for (size_t b = 0; b < active_.size(); ++b) {
      double block[ForceLaw::kMostRows * ForceLaw::kMostRows] = {};
      bool any = a == b;
      for (size_t p = slope; p < end; ++p) {
        const auto& [row, unknown, value] = path_slopes_[p];
        for (int k = 0; k < sizes_[b]; ++k) {
          const double x = X_[static_cast<size_t>(first_row_[b] + k) * unknowns + static_cast<size_t>(unknown)];
          block[(row - first_row_[a]) * sizes_[b] + k] += value * x;
        }
      }
      if (with_restitution_) {
        const ForceLaw& law = system_.laws()[static_cast<size_t>(active_[a])];
        const size_t velocities = static_cast<size_t>(momentum_.size());
        for (int k = 0; k < sizes_[b]; ++k) {
          const double* const y = inverse_W_.data() + static_cast<size_t>(first_row_[b] + k) * velocities;
          for (int i = 0; i < sizes_[a]; ++i) {
            const double epsilon = law.epsilon[static_cast<size_t>(i)];
            block[i * sizes_[b] + k] += 0.5 * (1.0 - epsilon) / (1.0 + epsilon) * W_.dot(first_row_[a] + i, y);
          }
        }
      }
      const int size = sizes_[a] * sizes_[b];
      any = any || std::any_of(block, block + size, [](double value) { return value != 0.0; });
      if (any) std::copy_n(block, size, G.add_block(static_cast<int>(b)));
    }
    G.finish_row();
    slope = end;
  }
  find_parts();
}

/// Which laws act on each other.
void MotionLaws::find_parts() {
  const BlockSparseMatrix& G = problem_.G.blocks;
  components_.reset(static_cast<int>(active_.size()));
  for (int i = 0; i < G.blocks(); ++i) {
    for (int p = G.entry_start[static_cast<size_t>(i)]; p < G.entry_start[static_cast<size_t>(i) + 1]; ++p)
      components_.join(i, G.entry[static_cast<size_t>(p)].column);
  }
  components_.number(problem_.part);
}

/// c, so that xi = G Lambda + c.
void MotionLaws::shift_problem() {
  const Eigen::Map<const Eigen::VectorXd> Lambda(Lambda_.data(), rows());
  problem_.G.multiply(Lambda, problem_.c, residual_work_.kinetic);
  problem_.c = xi_ - problem_.c;
}

void MotionLaws::solve(const Eigen::VectorXd& correction, double tolerance, SolveEffort effort, Eigen::VectorXd& x,
                       StepReport& report) {
  shift_problem();
  for (const auto& [row, unknown, value] : path_slopes_) problem_.c[row] -= value * correction[unknown];
  solution_.Lambda = Eigen::Map<const Eigen::VectorXd>(Lambda_.data(), rows());
  constexpr double kBad = 1e-6;  // else the next iterate brings the rest
  ContactSolverOptions options{.tolerance = tolerance, .effort = effort};
  solver_.solve(problem_, options, solution_);
  options.effort = SolveEffort::kInsist;
  if (solution_.residual > kBad) solver_.solve(problem_, options, solution_);
  report.methods_tried += std::max(1, static_cast<int>(solver_.stages().size()));
  report.iterations += solution_.iterations;
  std::copy_n(solution_.Lambda.data(), rows(), trial_.data());
  x -= correction;
  for (int k = 0; k < rows(); ++k) {
    const double change = trial_[static_cast<size_t>(k)] - Lambda_[static_cast<size_t>(k)];
    x += change * Eigen::Map<const Eigen::VectorXd>(X_.data() + k * x.size(), x.size());
  }
}

void MotionLaws::project(const Eigen::VectorXd& correction, double alpha, Eigen::VectorXd& x) {
  shift_problem();
  solution_.Lambda = Eigen::Map<const Eigen::VectorXd>(Lambda_.data(), rows());
  ProjectedOptions options;
  options.sweep = ProjectedOptions::Sweep::kJacobi;
  options.max_iterations = 1;
  options.recover = false;
  options.alpha = alpha;
  options.tolerance = 0.0;
  projected_.solve(problem_, options, solution_);
  std::copy_n(solution_.Lambda.data(), rows(), trial_.data());
  x -= correction;
}

Residual MotionLaws::residual() {
  shift_problem();
  Residual residual = evaluate_residual(problem_, Eigen::Map<const Eigen::VectorXd>(Lambda_.data(), rows()), residual_work_);
  if (allowed_.empty() || !std::isfinite(residual.relative)) return residual;
  residual.relative = 0.0;
  for (size_t p = 0; p < residual_work_.parts.size(); ++p) {
    const ResidualWork::Part& part = residual_work_.parts[p];
    double allowed = 0.0;
    for (size_t a = 0; a < active_.size(); ++a) {
      if (problem_.part[a] != static_cast<int>(p)) continue;
      for (int k = 0; k < sizes_[a]; ++k) {
        const double speed = residual_work_.scales[a][k] * allowed_[static_cast<size_t>(first_row_[a] + k)];
        allowed += std::pow(residual_work_.rho[static_cast<Eigen::Index>(a)] * speed / part.unit, 2);
      }
    }
    const double scale = part.scale + std::sqrt(allowed);
    const double relative = std::sqrt(part.error) / (scale > 0.0 ? scale : 1.0);
    if (relative < residual.relative) continue;
    residual.relative = relative;
    residual.worst_block = part.worst_block;
  }
  return residual;
}

void MotionLaws::check(std::span<const double> memory, double dt, double residual, StepReport& report) {
  find_speeds(memory);
  check_.clear();
  for (size_t a = 0; a < active_.size(); ++a) {
    const int row = first_row_[a];
    check_.add({active_[a], &system_.laws()[static_cast<size_t>(active_[a])], Lambda_.data() + row, xi_.data() + row,
                speeds_.data() + row, problem_.G.blocks.diagonal_block(static_cast<int>(a)), dt, problem_.part[a]});
  }
  report_violation(check_, system_, fixed_.id, residual, report);
}

/// speeds_: the sum of the sizes of the terms of xi, row by row.
void MotionLaws::find_speeds(std::span<const double> memory) {
  const double* const u_B = memory.data() + equations_.inputs().u_B;
  const double* const u_E = memory.data() + equations_.inputs().unknowns;
  speeds_.resize(static_cast<size_t>(rows()));
  for (int k = 0; k < rows(); ++k) {
    double speed = std::abs(chi_[k]);
    for (int p = W_.start[static_cast<size_t>(k)]; p < W_.start[static_cast<size_t>(k) + 1]; ++p) {
      const int j = W_.row[static_cast<size_t>(p)];
      speed += std::abs(W_.value[static_cast<size_t>(p)]) * std::max(std::abs(u_B[j]), std::abs(u_E[j]));
    }
    speeds_[static_cast<size_t>(k)] = speed;
  }
}

void MotionLaws::allow_for_round_off(std::span<const double> memory, double part) {
  find_speeds(memory);
  allowed_.assign(speeds_.begin(), speeds_.end());
  for (double& speed : allowed_) speed *= part;
}

void MotionLaws::book(const Eigen::VectorXd& path, double dt, const std::vector<int>& first_row, LawStep& step,
                      StepReport& report) const {
  for (size_t a = 0; a < active_.size(); ++a) {
    const int law = active_[a];
    double lost = 0.0;
    for (int k = 0; k < sizes_[a]; ++k) {
      const int row = first_row_[a] + k;
      const double Lambda = Lambda_[static_cast<size_t>(row)], along = W_.dot(row, path.data()) / dt;
      step.impulse[first_row[static_cast<size_t>(law)] + k] += Lambda;
      lost -= Lambda * (along + chi_[row]);
      report.work_done -= Lambda * chi_[row];  // a moving support pushes with -chi
    }
    step.lost[law] += lost;
    report.lost_in_contacts += lost;
  }
}

int MotionLaws::first_friction_row(size_t a) const {
  return first_row_[a] + system_.laws()[static_cast<size_t>(active_[a])].first_slip();
}

MotionLaws::Loss MotionLaws::loss_in_friction(size_t a, const Eigen::VectorXd& path, double dt) const {
  Loss loss;
  for (int row = first_friction_row(a); row < first_row_[a] + sizes_[a]; ++row) {
    const double Lambda = Lambda_[static_cast<size_t>(row)], along = W_.dot(row, path.data()) / dt;
    loss.value -= Lambda * (along + chi_[row]);
    loss.size += std::abs(Lambda) * (std::abs(along) + std::abs(chi_[row]));
  }
  return loss;
}

double MotionLaws::squared_slip_change(size_t a) const {
  const double* const G = problem_.G.blocks.diagonal_block(static_cast<int>(a));
  double square = 0.0;
  const ForceLaw& law = system_.laws()[static_cast<size_t>(active_[a])];
  for (int i = law.first_slip(); i < law.first_slip() + law.slips(); ++i) {  // without drilling, which is no slip
    double change = 0.0;
    for (int k = 0; k < sizes_[a]; ++k) change += G[i * sizes_[a] + k] * Lambda_[static_cast<size_t>(first_row_[a] + k)];
    change *= slip_weight(law, i);
    square += change * change;
  }
  return square;
}

double MotionLaws::prevented_speed(int a) const {
  const auto k = static_cast<size_t>(a);
  return problem_.G.blocks.diagonal_block(a)[0] * Lambda_[static_cast<size_t>(first_row_[k])];
}

}  // namespace tippe
