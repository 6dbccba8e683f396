// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/conserving.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/integrate/constraint_names.h"

namespace tippe {
namespace {

constexpr int kMostHalvings = 10;
constexpr int kMostIterations = 60;
constexpr double kUnitRoundOff = std::numeric_limits<double>::epsilon();

const LagrangianDescription& fitting_description(const System& system, ConservingScheme scheme) {
  const std::string misfit = find_conserving_misfit(system, scheme);
  if (!misfit.empty()) throw std::invalid_argument(misfit);
  return *system.lagrangian();
}

}  // namespace

std::string find_conserving_misfit(const System& system, ConservingScheme scheme) {
  if (!system.laws().empty())
    return "it integrates smooth motion only, and the scene has the law '" + system.laws()[0].name + "'";
  const LagrangianDescription* description = system.lagrangian();
  if (description == nullptr) return "it needs the energies of a Lagrangian system";
  if (!description->velocities.empty())
    return "it needs u = dq/dt, not velocities of one's own choice; write the system with [[bilateral]] rows";
  const bool needs_constant_mass = scheme == ConservingScheme::kPositions || scheme == ConservingScheme::kGgl;
  if (needs_constant_mass && !system.constant_mass())
    return "it needs a constant mass matrix, and that of this scene depends on coordinates or time";

  ExprGraph& graph = *description->graph;
  const LagrangianInputs inputs = description->inputs();
  const Expr T = description->kinetic;
  const std::vector<int> used = graph.inputs_of(T);
  if (std::find(used.begin(), used.end(), inputs.t()) != used.end())
    return "it needs a kinetic energy without explicit time; prescribe motions with [[bilateral]] rows";
  std::vector<Expr> at_rest(static_cast<size_t>(inputs.count()));
  for (int i = 0; i < inputs.n; ++i) at_rest[static_cast<size_t>(inputs.rate(i))] = graph.constant(0.0);
  Substitution at_zero_rates(graph, at_rest);
  bool homogeneous = at_zero_rates(T).is_constant(0.0);
  for (const auto& [input, p] : graph.gradient(T, inputs.rate(0), inputs.t()))
    homogeneous = homogeneous && at_zero_rates(p).is_constant(0.0);
  return homogeneous ? "" : "it needs a kinetic energy whose terms are all quadratic in the velocities";
}

Conserving::Conserving(const System& system, ConservingScheme scheme, double tolerance)
    : Integrator(system),
      system_(system),
      tolerance_(tolerance),
      equations_(fitting_description(system, scheme), scheme),
      matrix_(equations_),
      memory_(equations_.program().make_memory()),
      jacobian_(equations_.pattern().size()) {
  for (Eigen::VectorXd* vector : {&x_, &r_, &trial_, &trial_r_, &correction_, &size_, &trial_size_, &free_size_})
    vector->resize(equations_.unknowns());
  speed_.resize(equations_.coordinates());
  evaluator_ = system.make_evaluator();
  evaluator_->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  evaluator_->evaluate_constraint_directions(W_, chi_);  // for the pattern
  mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_);
  for (const Constraint& constraint : system.constraints()) first_.push_back(constraint.holonomic ? 1 : 0);
  dropped_.assign(first_.size(), 0);
}

StepReport Conserving::step(State& state, double dt) {
  StepReport report;
  advance(state, dt, kMostHalvings, report);
  return report;
}

/// One step, or two of half the length if that is not solved.
bool Conserving::advance(State& state, double dt, int halvings_left, StepReport& report) {
  const double residual = report.residual;
  if (take_step(state, dt, report)) return true;
  if (halvings_left == 0) return false;
  ++report.halvings;
  report.status = StepReport::Status::kOk;
  report.residual = residual;
  report.culprit.clear();
  return advance(state, 0.5 * dt, halvings_left - 1, report) && advance(state, 0.5 * dt, halvings_left - 1, report);
}

/// False leaves the state as it was. Rows that depend on others where the step begins hold by themselves and are left out; if one
/// does not in the end, their dependence ends there (a singular position), and all rows are taken.
bool Conserving::take_step(State& state, double dt, StepReport& report) {
  find_redundancy(state);
  bool solved = solve_or_report(state, dt, report);
  if (solved && !redundant_rows_.empty() && !dropped_rows_hold(dt)) {
    std::fill(dropped_.begin(), dropped_.end(), 0);
    solved = solve_or_report(state, dt, report);
  }
  if (!solved) {
    if (!redundant_rows_.empty() && report.status == StepReport::Status::kNotSolved) {
      report.status = StepReport::Status::kContradiction;
      report.culprit = fmt::format("the constraints {} contradict each other: {}",
                                   name_constraints(system_, redundant_rows_), report.culprit);
    }
    return false;
  }
  report.status = StepReport::Status::kOk;
  report.culprit.clear();
  finish_step(state, dt, report);
  report.residual = std::max(report.residual, rho_);
  return true;
}

void Conserving::find_redundancy(const State& state) {
  redundant_rows_.clear();
  std::fill(dropped_.begin(), dropped_.end(), 0);
  if (dropped_.empty()) return;
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  if (!mass_.factorize(dynamics_.M, W_) || !mass_.rank().redundant()) return;
  redundant_rows_ = mass_.redundant_rows();
  mass_.choose_dependent(first_, dropped_);
}

bool Conserving::solve_or_report(const State& state, double dt, StepReport& report) {
  start_newton(state, dt);
  if (solve(dt, report)) return true;
  report.residual = rho_;
  report.status = r_.allFinite() ? StepReport::Status::kNotSolved : StepReport::Status::kNotFinite;
  describe_worst_row(dt, report);
  return false;
}

/// Positions of rows that were left out, and velocities where the scheme keeps them.
bool Conserving::dropped_rows_hold(double dt) {
  constexpr double kHolds = 1e-9, kNearlyHolds = 1e-2;
  const int positions = equations_.position_rows(), velocities = equations_.velocity_rows();
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  equations_.program().evaluate(equations_.residual(), memory_, trial_r_.data());
  equations_.program().evaluate(equations_.jacobian(), memory_, jacobian_.data());
  grow_sizes(dt);
  for (size_t k = 0; k < dropped_.size(); ++k) {
    if (dropped_[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    // The path of a velocity row differs from that of its position by the error of the scheme.
    if (!(scaled_size(trial_r_, positions + row) <= (first_[k] != 0 ? kHolds : kNearlyHolds))) return false;
    if (!equations_.eliminates_positions() && !(scaled_size(trial_r_, velocities + row) <= kHolds)) return false;
  }
  return true;
}

/// From uniform motion without constraint impulses.
void Conserving::start_newton(const State& state, double dt) {
  const int n = equations_.coordinates();
  const ConservingEquations::Inputs& in = equations_.inputs();
  std::copy_n(state.q.data(), n, memory_.data() + in.q_B);
  std::copy_n(state.u.data(), n, memory_.data() + in.u_B);
  memory_[static_cast<size_t>(in.t_B)] = state.t;
  memory_[static_cast<size_t>(in.dt)] = dt;
  x_.setZero();
  x_.head(n) = state.u;
  if (!equations_.eliminates_positions()) x_.segment(n, n) = state.q + dt * state.u;
}

void Conserving::evaluate_residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
  std::copy_n(x.data(), x.size(), memory_.data() + equations_.inputs().unknowns);
  equations_.program().evaluate(equations_.residual(), memory_, r.data());
  const int positions = equations_.position_rows(), velocities = equations_.velocity_rows();
  for (size_t k = 0; k < dropped_.size(); ++k) {
    if (dropped_[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    if (equations_.eliminates_positions()) {
      r[positions + row] = x[positions + row];
    } else {
      r[velocities + row] = x[positions + row];
      r[positions + row] = x[velocities + row];
    }
  }
}

double Conserving::scaled_size(const Eigen::VectorXd& r, Eigen::Index row) const {
  constexpr double kNothing = 1e-290;  // below it numbers lose their digits
  return std::abs(r[row]) < kNothing ? 0.0 : std::abs(r[row]) / size_[row];
}

double Conserving::scaled_norm(const Eigen::VectorXd& r) const {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const double scaled = scaled_size(r, i);
    if (!(scaled <= largest)) largest = scaled;  // keeps what is not a number
  }
  return largest;
}

/// Takes the trial into account: a row is measured by the largest size that it had at an iterate. Where velocities vanish, all
/// terms of a row may: forces in balance leave every velocity uncertain by round-off of the speed that the largest of them would
/// give with the same energy, sqrt(M_ii) v_i = max (size of the first equation)_j / sqrt(M_jj). It counts in all rows, as
/// round-off only. Multipliers do not count: those of contradicting constraints grow without bound.
void Conserving::grow_sizes(double dt) {
  const int n = equations_.coordinates(), positions = equations_.position_rows();
  equations_.program().evaluate(equations_.sizes(), memory_, trial_size_.data());
  double* const multipliers = memory_.data() + equations_.inputs().unknowns + positions;
  std::fill(multipliers, multipliers + (equations_.unknowns() - positions), 0.0);
  equations_.program().evaluate(equations_.sizes(), memory_, free_size_.data());
  const auto& pattern = equations_.pattern();
  speed_.setZero();  // first M_ii
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row == column && row < n) speed_[row] = std::abs(jacobian_[p]);
  }
  double kinetic = 0.0;
  for (int i = 0; i < n; ++i) {
    if (speed_[i] > 0.0) kinetic = std::max(kinetic, free_size_[i] / std::sqrt(speed_[i]));
  }
  const double round_off = std::min(1.0, 1e3 * kUnitRoundOff / tolerance_);  // a step must reach `tolerance`
  for (int i = 0; i < n; ++i) {
    trial_size_[i] += round_off * kinetic * std::sqrt(speed_[i]);
    speed_[i] = speed_[i] > 0.0 ? round_off * kinetic / std::sqrt(speed_[i]) : 0.0;
  }
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row >= n && column < positions)
      trial_size_[row] += std::abs(jacobian_[p]) * (column < n ? speed_[column] : dt * speed_[column - n]);
  }
  size_ = size_.cwiseMax(trial_size_);
}

/// Newton's method from x_. The floor is reached where a full step with a good Jacobian no longer halves the residual.
bool Conserving::solve(double dt, StepReport& report) {
  constexpr double kGoodRate = 0.1, kFloorRate = 0.5, kShortestSearch = 1e-3;
  constexpr double kNearFloor = 1e-13;  // here an old Jacobian is as good as a new one
  size_.setZero();
  evaluate_residual(x_, r_);
  if (!r_.allFinite()) return false;
  rho_ = scaled_norm(r_);
  bool has_factor = false, fresh = false;
  for (int k = 0; k < kMostIterations && rho_ > kUnitRoundOff; ++k) {
    if (!has_factor) {
      std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
      equations_.program().evaluate(equations_.jacobian(), memory_, jacobian_.data());
      if (!matrix_.factorize(jacobian_, dt, dropped_)) return false;
      has_factor = fresh = true;
    }
    matrix_.solve(r_, correction_);
    ++report.iterations;
    if (!correction_.allFinite()) return false;

    double rho = 0.0;
    for (double length = 1.0; length > kShortestSearch; length *= 0.5) {
      trial_ = x_ - length * correction_;
      evaluate_residual(trial_, trial_r_);
      rho = scaled_norm(trial_r_);
      if (!(rho < rho_) && length == 1.0 && trial_r_.allFinite()) {
        grow_sizes(dt);
        rho_ = scaled_norm(r_);
        rho = scaled_norm(trial_r_);
      }
      if (rho < rho_ || !fresh) break;
    }
    const bool falls = rho < rho_;
    const double rate = falls ? rho / rho_ : 1.0;
    if (falls) {
      x_.swap(trial_);
      r_.swap(trial_r_);
      rho_ = rho;
    }
    if (rate > kFloorRate && rho_ <= tolerance_ && (fresh || rho_ <= kNearFloor)) return true;
    if (!falls && fresh) return false;
    has_factor = rate <= kGoodRate;
    fresh = false;
  }
  return rho_ <= tolerance_;
}

void Conserving::finish_step(State& state, double dt, StepReport& report) {
  const int n = equations_.coordinates();
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  double energy[2];
  equations_.program().evaluate(equations_.energy(), memory_, energy);
  report.lost_in_damping += energy[0];
  report.work_done += energy[1];
  if (equations_.eliminates_positions()) {
    state.q += dt * (0.5 * (state.u + x_.head(n)));
  } else {
    state.q = x_.segment(n, n);
  }
  state.u = x_.head(n);
  state.t += dt;
}

void Conserving::describe_worst_row(double dt, StepReport& report) const {
  const int n = equations_.coordinates(), positions = equations_.position_rows();
  const bool finite = r_.allFinite();
  int row = 0;
  for (int i = 0; i < r_.size(); ++i) {
    if (finite ? scaled_size(r_, i) > scaled_size(r_, row) : !std::isfinite(r_[i])) row = i;
  }
  const std::string name =
      row < positions
          ? fmt::format("the {} of {}", row < n ? "momentum" : "velocity", system_.coordinate_names()[row % n])
          : fmt::format("the constraint '{}'", system_.constraints()[(row - positions) % equations_.constraints()].name);
  report.culprit =
      finite ? fmt::format("the equations of a step of {:.3g} were not solved: residual {:.3g} in {} after {} iterations",
                           dt, rho_, name, report.iterations)
             : name;
}

}  // namespace tippe
