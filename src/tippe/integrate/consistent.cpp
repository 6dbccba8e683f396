// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/consistent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tippe/core/infinity.h"
#include "tippe/integrate/constraint_names.h"

namespace tippe {
namespace {

constexpr int kMostHalvings = 10;
constexpr int kMostIterations = 60;
constexpr double kUnitRoundOff = std::numeric_limits<double>::epsilon();
constexpr double kClosedRoundOff = 1e-12;  // a contact that was set up closed is closed
constexpr double kOfTolerance = 0.3;       // how much better inclusion problems are solved than the step must be

const LagrangianDescription& fitting_description(const System& system, const ConsistentScheme& scheme) {
  const std::string misfit = find_misfit(system, scheme);
  if (!misfit.empty()) throw std::invalid_argument(misfit);
  return *system.lagrangian();
}

}  // namespace

Consistent::Consistent(const System& system, const ConsistentScheme& scheme, const ConsistentOptions& options)
    : Integrator(system),
      system_(system),
      scheme_(scheme),
      options_(options),
      equations_(fitting_description(system, scheme), scheme.motion, options.friction),
      matrix_(equations_),
      memory_(equations_.program().make_memory()),
      sizes_in_memory_(memory_.size()),
      jacobian_(equations_.pattern().size()),
      evaluator_(system.make_evaluator()),
      laws_in_step_(system, {.closed_tolerance = options.closed_tolerance,
                             .tolerance = kOfTolerance * options.tolerance,
                             .closed_round_off = kClosedRoundOff,
                             .enough = options.tolerance}),
      motion_laws_(system, equations_, scheme.impacts == ImpactScheme::kOneStep),
      last_(system.laws()),
      now_(system.laws()) {
  const StepEquations::Layout& layout = equations_.layout();
  for (Eigen::VectorXd* vector : {&x_, &r_, &trial_, &trial_r_, &correction_, &size_, &trial_size_, &free_size_, &unused_})
    vector->resize(layout.unknowns());
  for (Eigen::VectorXd* vector : {&speed_, &path_, &motion_share_}) vector->resize(layout.velocities);
  end_.resize(system.nq() + system.nu());
  gaps_.setZero(static_cast<Eigen::Index>(system.laws().size()));
  motion_impulse_ = last_.impulse;
  evaluator_->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  evaluator_->evaluate_constraint_directions(W_, chi_);  // for the pattern
  mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_);
  for (const Constraint& constraint : system.constraints()) first_.push_back(constraint.holonomic ? 1 : 0);
  dropped_.assign(first_.size(), 0);
}

void Consistent::save_memory(std::vector<double>& memory) const {
  memory.clear();
  if (system_.laws().empty()) return;
  laws_in_step_.save_memory(last_, memory);
  memory.insert(memory.end(), motion_impulse_.begin(), motion_impulse_.end());
}

void Consistent::restore_memory(std::span<const double> memory) {
  const size_t of_laws = system_.laws().empty() ? 0 : laws_in_step_.memory_size(last_);
  const size_t of_motion = system_.laws().empty() ? 0 : static_cast<size_t>(motion_impulse_.size());
  if (memory.size() != of_laws + of_motion)
    throw std::invalid_argument("it remembers the impulses of the last step, and these are not as many as the laws have");
  if (memory.empty()) return;
  laws_in_step_.restore_memory(memory.first(of_laws), last_);
  std::copy(memory.begin() + static_cast<std::ptrdiff_t>(of_laws), memory.end(), motion_impulse_.begin());
}

StepReport Consistent::step(State& state, double dt) {
  StepReport report;
  laws_.clear();
  constraints_.impulse.setZero();
  constraints_.on_velocities.setZero();
  constraints_.redundant = false;
  constraints_.residual = 0.0;
  advance(state, dt, kMostHalvings, report);
  return report;
}

/// One step, or two of half the length if that is not solved.
bool Consistent::advance(State& state, double dt, int halvings_left, StepReport& report) {
  const double residual = report.residual;
  if (take_step(state, dt, report)) return true;
  if (halvings_left == 0) return false;
  ++report.halvings;
  report.status = StepReport::Status::kOk;
  report.residual = residual;
  report.culprit.clear();
  return advance(state, 0.5 * dt, halvings_left - 1, report) && advance(state, 0.5 * dt, halvings_left - 1, report);
}

/// False leaves the state and all books but the counts as they were.
bool Consistent::take_step(State& state, double dt, StepReport& report) {
  StepReport own;
  now_.clear();
  u_C_ = state.u;
  speeds_before_ = laws_in_step_.prevented_speeds();
  const bool begins = find_laws(state, dt, own) && factorize_mass(own);
  if (begins && own.active_laws > 0) apply_impact(state, own);
  impact_failed_ = begins && !own.ok();
  if (begins && own.ok()) begin_motion(dt);
  bool solved = begins && own.ok() && solve_motion(state, u_C_, dt, own) && stop_reversed_slips(state, dt, own);
  if (solved && motion_laws_.rows() > 0) {
    motion_laws_.check(memory_, dt, std::max(options_.tolerance, own.residual), own);
    solved = own.ok();
  }
  report.iterations += own.iterations;
  report.methods_tried += own.methods_tried;
  report.active_laws = std::max(report.active_laws, own.active_laws);
  if (!solved) {
    laws_in_step_.restore_prevented_speeds(speeds_before_);
    report.status = own.status;
    report.culprit = own.culprit;
    report.residual = own.residual;
    report.worst_law = own.worst_law;
    return false;
  }
  finish_step(state, dt, own);
  if (own.residual >= report.residual) report.worst_law = own.worst_law;
  report.residual = std::max(report.residual, own.residual);
  report.lost_in_contacts += own.lost_in_contacts;
  report.lost_in_damping += own.lost_in_damping;
  report.work_done += own.work_done;
  return true;
}

/// Which laws act: those that are closed where the step begins.
bool Consistent::find_laws(const State& state, double dt, StepReport& report) {
  evaluator_->set_state(state.t, state.q, state.u);
  if (system_.laws().empty()) return true;
  evaluator_->evaluate_gaps(gaps_);
  if (!gaps_.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, Eigen::VectorXd(), gaps_);
    return false;
  }
  laws_in_step_.find(*evaluator_, gaps_, state.q, dt, last_);
  report.active_laws = laws_in_step_.size();
  return true;
}

/// M under the constraints where the step begins, as far as the step needs it. Rows that depend on others are left out.
bool Consistent::factorize_mass(StepReport& report) {
  redundant_rows_.clear();
  std::fill(dropped_.begin(), dropped_.end(), 0);
  if (dropped_.empty() && (report.active_laws == 0 || mass_is_ready_)) return true;
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  if (!mass_.factorize(dynamics_.M, W_)) {
    if (report.active_laws == 0) return true;
    report.status = StepReport::Status::kMassSingular;
    report.culprit = describe_massless(system_, mass_.massless_direction());
    return false;
  }
  mass_is_ready_ = dropped_.empty() && system_.constant_mass();
  if (!mass_.rank().redundant()) return true;
  redundant_rows_ = mass_.redundant_rows();
  mass_.choose_dependent(first_, dropped_);
  return true;
}

/// u_C, and what the constraints did in it.
void Consistent::apply_impact(const State& state, StepReport& report) {
  laws_in_step_.assemble(mass_, state.u, now_);
  if (scheme_.impacts == ImpactScheme::kBefore) {
    laws_in_step_.impacts(mass_, u_C_, now_, report);
    if (report.ok()) laws_in_step_.warn_of_energy_gain(state.t, -report.lost_in_contacts, now_, warnings_);
  }
  laws_in_step_.forget_prevented_speeds(now_);
  if (scheme_.impacts != ImpactScheme::kBefore || dropped_.empty()) return;
  change_ = u_C_ - state.u;
  mass_.multiply(change_, constraint_impulse_);
  laws_in_step_.subtract_impulses(now_, constraint_impulse_);
}

/// Rows that depend on others where the step begins hold by themselves and are left out; if one does not in the end, their
/// dependence ends there (a singular position), and all rows are taken.
bool Consistent::solve_motion(const State& state, const Eigen::VectorXd& u, double dt, StepReport& report) {
  bool solved = solve_or_report(state, u, dt, report);
  if (solved && !redundant_rows_.empty() && !dropped_rows_hold()) {
    std::fill(dropped_.begin(), dropped_.end(), 0);
    solved = solve_or_report(state, u, dt, report);
  }
  if (!solved && !redundant_rows_.empty() && report.status == StepReport::Status::kNotSolved) {
    report.status = StepReport::Status::kContradiction;
    report.culprit = fmt::format("the constraints {} contradict each other: {}", name_constraints(system_, redundant_rows_),
                                 report.culprit);
  }
  return solved;
}

/// Friction that acts on the displacement of a step cannot stop a slip within it: where it holds, gamma_E = -gamma_C. A law whose slip
/// turned round is therefore solved once more with friction on the end velocity, which stops it; but if that friction would feed
/// energy in, the displacement is kept. So every law takes energy, whatever its friction acts on.
bool Consistent::stop_reversed_slips(const State& state, double dt, StepReport& report) {
  if (equations_.laws_on_end_velocity().empty()) return true;
  judged_.assign(laws_in_step_.active().size(), 0);
  while (find_reversed_slips(state, dt)) {
    const double residual = report.residual;
    if (solve_motion(state, u_C_, dt, report)) continue;
    // As if it had not been tried.
    report.residual = residual;
    begin_motion(dt);
    return solve_motion(state, u_C_, dt, report);
  }
  return true;
}

/// Whether the friction of a law must act on something else than in the solution in x_. Each law changes to the end velocity once at
/// most, and back.
bool Consistent::find_reversed_slips(const State& state, double dt) {
  constexpr double kRoundOff = 1e-10;  // of the terms of a loss
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  equations_.program().evaluate(equations_.end(), memory_, end_.data());
  path_ = end_.tail(system_.nu());
  q_E_ = end_.head(system_.nq());
  u_E_ = x_.head(system_.nu());
  evaluator_->set_state(state.t + dt, q_E_, u_E_);
  bool changed = false;
  int first_row = 0;
  for (size_t a = 0; a < judged_.size(); ++a) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(laws_in_step_.active()[a])];
    if (motion_laws_.friction_acts_on_end_velocity(a)) {
      const MotionLaws::Loss loss = motion_laws_.loss_in_friction(a, path_, dt);
      if (loss.value < -kRoundOff * loss.size) {
        motion_laws_.let_friction_act(a, false);
        changed = true;
      }
    } else if (judged_[a] == 0 && law.kind != ForceLaw::Kind::kOneWay && reverses_slip(a, first_row)) {
      motion_laws_.let_friction_act(a, true);
      judged_[a] = 1;
      changed = true;
    }
    first_row += law.rows;
  }
  return changed;
}

/// Whether the slip of an active law at the end of the step, where the evaluator is, points against that at its beginning. What turns
/// round must be more than a hundredth of what the impulses did: smooth changes of a law that sticks leave less.
bool Consistent::reverses_slip(size_t a, int first_row) {
  constexpr double kOfChange = 1e-2;
  const int i = laws_in_step_.active()[a];
  const ForceLaw& law = system_.laws()[static_cast<size_t>(i)];
  end_directions_.clear();
  end_chi_.clear();
  evaluator_->append_directions(i, end_directions_, end_chi_);
  double product = 0.0, square_C = 0.0, square_E = 0.0;
  const int rows = std::min(law.rows, 3);  // without drilling, which is no slip
  for (int k = law.kind == ForceLaw::Kind::kContact ? 1 : 0; k < rows; ++k) {
    const double gamma_C = laws_in_step_.relative_velocity(first_row + k, u_C_);
    const double gamma_E = end_directions_.dot(k, u_E_.data()) + end_chi_[static_cast<size_t>(k)];
    product += gamma_C * gamma_E;
    square_C += gamma_C * gamma_C;
    square_E += gamma_E * gamma_E;
  }
  return product < 0.0 && std::min(square_C, square_E) > kOfChange * kOfChange * motion_laws_.squared_slip_change(a);
}

bool Consistent::solve_or_report(const State& state, const Eigen::VectorXd& u, double dt, StepReport& report) {
  start_newton(state, u, dt);
  const bool solved = motion_laws_.rows() > 0 ? solve_with_laws(dt, report) : solve(dt, report);
  if (solved) {
    report.residual = std::max(report.residual, rho_);
    report.status = StepReport::Status::kOk;
    report.culprit.clear();
    return true;
  }
  report.residual = rho_;
  report.status = r_.allFinite() ? StepReport::Status::kNotSolved : StepReport::Status::kNotFinite;
  describe_worst_row(dt, report);
  return false;
}

/// Positions of rows that were left out, and velocities where the scheme keeps them.
bool Consistent::dropped_rows_hold() {
  constexpr double kHolds = 1e-9, kNearlyHolds = 1e-2;
  const StepEquations::Layout& layout = equations_.layout();
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  equations_.program().evaluate(equations_.residual(), memory_, trial_r_.data());
  grow_sizes();
  for (size_t k = 0; k < dropped_.size(); ++k) {
    if (dropped_[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    // The path of a velocity row differs from that of its position by the error of the scheme.
    if (!(scaled_size(trial_r_, layout.position_rows() + row) <= (first_[k] != 0 ? kHolds : kNearlyHolds))) return false;
    if (layout.has_kappa && !(scaled_size(trial_r_, layout.velocity_rows() + row) <= kHolds)) return false;
  }
  return true;
}

/// From uniform motion without constraint impulses.
void Consistent::start_newton(const State& state, const Eigen::VectorXd& u, double dt) {
  const StepEquations::Layout& layout = equations_.layout();
  const StepEquations::Inputs& in = equations_.inputs();
  std::copy_n(state.q.data(), state.q.size(), memory_.data() + in.q_B);
  std::copy_n(u.data(), u.size(), memory_.data() + in.u_B);
  memory_[static_cast<size_t>(in.t_B)] = state.t;
  memory_[static_cast<size_t>(in.dt)] = dt;
  x_.setZero();
  x_.head(layout.velocities) = u;
  if (layout.paths > 0) x_.segment(layout.path_rows(), layout.paths) = dt * u;
}

void Consistent::evaluate_residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
  std::copy_n(x.data(), x.size(), memory_.data() + equations_.inputs().unknowns);
  equations_.program().evaluate(equations_.residual(), memory_, r.data());
  if (motion_laws_.rows() > 0) motion_laws_.evaluate(memory_, r);
  const StepEquations::Layout& layout = equations_.layout();
  const int positions = layout.position_rows(), velocities = layout.velocity_rows();
  for (size_t k = 0; k < dropped_.size(); ++k) {
    if (dropped_[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    if (layout.has_kappa) {
      r[velocities + row] = x[positions + row];
      r[positions + row] = x[velocities + row];
    } else {
      r[positions + row] = x[positions + row];
    }
  }
}

double Consistent::scaled_size(const Eigen::VectorXd& r, Eigen::Index row) const {
  constexpr double kNothing = 1e-290;  // below it numbers lose their digits
  return std::abs(r[row]) < kNothing ? 0.0 : std::abs(r[row]) / size_[row];
}

double Consistent::scaled_norm(const Eigen::VectorXd& r) const {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const double scaled = scaled_size(r, i);
    if (!(scaled <= largest)) largest = scaled;  // keeps what is not a number
  }
  return largest;
}

/// Takes the unknowns in memory into account: a row is measured by the largest size that it had at an iterate.
void Consistent::grow_sizes() {
  equations_.program().evaluate_with_sizes(equations_.residual(), memory_, sizes_in_memory_, unused_.data(),
                                           trial_size_.data());
  if (motion_laws_.rows() > 0) motion_laws_.add_sizes(trial_size_);
  size_ = size_.cwiseMax(trial_size_);
  const Eigen::Map<const Eigen::VectorXd> u(memory_.data() + equations_.inputs().unknowns, equations_.layout().velocities);
  lowest_u_ = lowest_u_.cwiseMin(u);
  highest_u_ = highest_u_.cwiseMax(u);
}

void Consistent::forget_sizes() {
  size_.setZero();
  lowest_u_.setConstant(equations_.layout().velocities, std::numeric_limits<double>::infinity());
  highest_u_ = -lowest_u_;
}

/// A trial far away has sizes that say nothing of the solution: then the rows are measured anew, at the solution alone.
bool Consistent::rows_are_small_for_their_solution(double dt) {
  constexpr double kNear = 0.1;
  const auto u = x_.head(equations_.layout().velocities);
  const double speed = std::max(u.cwiseAbs().maxCoeff(), u_C_.cwiseAbs().maxCoeff());
  if (((highest_u_ - u).array() <= kNear * speed).all() && ((u - lowest_u_).array() <= kNear * speed).all()) return true;
  forget_sizes();
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  grow_sizes();
  if (scaled_norm(r_) <= options_.tolerance) return true;
  allow_for_balanced_forces(dt);
  return scaled_norm(r_) <= options_.tolerance;
}

/// Where velocities vanish, all terms of a row may: forces in balance leave every velocity uncertain by round-off of the speed that
/// the largest of them would give with the same energy, sqrt(M_ii) v_i = max (size of the first equation)_j / sqrt(M_jj). It counts
/// in all rows, as round-off only. Multipliers do not count: those of contradicting constraints grow without bound.
void Consistent::allow_for_balanced_forces(double dt) {
  const StepEquations::Layout& layout = equations_.layout();
  const int n = layout.velocities, positions = layout.position_rows();
  double* const multipliers = memory_.data() + equations_.inputs().unknowns + positions;
  std::fill(multipliers, multipliers + (layout.unknowns() - positions), 0.0);
  equations_.program().evaluate_with_sizes(equations_.residual(), memory_, sizes_in_memory_, unused_.data(),
                                           free_size_.data());
  if (motion_laws_.rows() > 0) motion_laws_.add_sizes(free_size_);
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
  const double round_off = round_off_part();
  for (int i = 0; i < n; ++i) {
    size_[i] += round_off * kinetic * std::sqrt(speed_[i]);
    speed_[i] = speed_[i] > 0.0 ? round_off * kinetic / std::sqrt(speed_[i]) : 0.0;
  }
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row < n || column >= layout.coordinate_rows()) continue;
    size_[row] += std::abs(jacobian_[p]) * (column < n ? speed_[column] : dt * speed_[column - n]);
  }
}

double Consistent::round_off_part() const {
  return std::min(1.0, 1e3 * kUnitRoundOff / options_.tolerance);
}

/// The Jacobian at x_, factored, and the laws' share.
bool Consistent::linearize(double dt) {
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
  equations_.program().evaluate(equations_.jacobian(), memory_, jacobian_.data());
  if (motion_laws_.rows() > 0) motion_laws_.add_slopes(memory_, jacobian_);
  if (!matrix_.factorize(jacobian_, dt, dropped_)) return false;
  if (motion_laws_.rows() > 0) motion_laws_.make_delassus(matrix_);
  return true;
}

/// Newton's method from x_. The floor is reached where a full step with a good Jacobian no longer halves the residual.
bool Consistent::solve(double dt, StepReport& report) {
  constexpr double kGoodRate = 0.1, kFloorRate = 0.5, kShortestSearch = 1e-3;
  constexpr double kNearFloor = 1e-13;  // here an old Jacobian is as good as a new one
  forget_sizes();
  evaluate_residual(x_, r_);
  if (!r_.allFinite()) return false;
  rho_ = scaled_norm(r_);
  bool has_factor = false, fresh = false, allowed = false;
  for (int k = 0; k < kMostIterations && rho_ > kUnitRoundOff; ++k) {
    if (!has_factor) {
      if (!linearize(dt)) return false;
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
        grow_sizes();
        rho_ = scaled_norm(r_);
        rho = scaled_norm(trial_r_);
        if (!(rho < rho_) && !(rho_ <= options_.tolerance) && fresh && !allowed) {
          allow_for_balanced_forces(dt);
          allowed = true;
          rho_ = scaled_norm(r_);
          rho = scaled_norm(trial_r_);
        }
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
    if (rate > kFloorRate && rho_ <= options_.tolerance && (fresh || rho_ <= kNearFloor)) {
      if (rows_are_small_for_their_solution(dt)) return true;
      rho_ = scaled_norm(r_);
      has_factor = fresh = false;
      continue;
    }
    if (!falls && fresh) return false;
    has_factor = rate <= kGoodRate;
    fresh = false;
  }
  return rho_ <= options_.tolerance && rows_are_small_for_their_solution(dt);
}

/// The same with inclusions. A full step is always taken, since a change of mode may raise the residual once. Equations and inclusions
/// have floors of their own: each must have reached its own.
bool Consistent::solve_with_laws(double dt, StepReport& report) {
  constexpr double kGoodRate = 0.1, kFloorRate = 0.5;
  constexpr int kMostFailures = 8, kManyFailures = 5, kMostProjected = 2000;
  constexpr double kEnoughAtRest = 1e-10;  // of redundant contacts, whose impulses are large, and round-off is theirs
  const double tolerance = options_.tolerance, inner_tolerance = kOfTolerance * tolerance;
  const bool projected = options_.projected_newton;
  forget_sizes();
  evaluate_residual(x_, r_);
  rho_ = kInfinity;
  double rows = kInfinity, inclusions = kInfinity;  // residuals of the two at x_
  bool has_factor = false, fresh = false, rows_allowed = false, inclusions_allowed = false;
  int failures = 0;
  for (int k = 0; k < (projected ? kMostProjected : kMostIterations); ++k) {
    if (!r_.allFinite()) return false;
    if (!has_factor) {
      if (!linearize(dt)) return false;
      has_factor = fresh = true;
    }
    matrix_.solve(r_, correction_);
    ++report.iterations;
    if (!correction_.allFinite()) return false;
    trial_ = x_;
    if (projected) {
      motion_laws_.project(correction_, trial_);
    } else {
      const SolveEffort effort = failures < 2 ? SolveEffort::kShort : SolveEffort::kFull;
      motion_laws_.solve(correction_, inner_tolerance, effort, trial_, report);
    }
    motion_laws_.swap_impulses();
    evaluate_residual(trial_, trial_r_);
    if (!trial_r_.allFinite()) return false;
    if (k == 0 || failures > 0) grow_sizes();
    inclusion_ = motion_laws_.residual();
    double rows_now = scaled_norm(trial_r_);
    if (!(rows_now < rows) && !(rows_now <= tolerance) && !rows_allowed && failures >= kMostFailures / 2) {
      rows_allowed = true;
      grow_sizes();
      allow_for_balanced_forces(dt);
      rows = scaled_norm(r_);
      rows_now = scaled_norm(trial_r_);
    }
    if (!(inclusion_.relative <= tolerance) && !inclusions_allowed && failures >= kMostFailures / 2) {
      inclusions_allowed = true;
      motion_laws_.allow_for_round_off(memory_, round_off_part());
      inclusion_ = motion_laws_.residual();
    }
    if (!std::isfinite(inclusion_.relative)) return false;
    const double now = std::max(rows_now, inclusion_.relative);
    if (rho_ <= tolerance && !(now < rho_)) {  // the floor was reached before
      motion_laws_.swap_impulses();
      evaluate_residual(x_, r_);
      inclusion_ = motion_laws_.residual();
      return rows_are_small_for_their_solution(dt);
    }
    const bool rows_are_done =
        rows_now <= 4.0 * kUnitRoundOff || (rows_now <= tolerance && rows_now > kFloorRate * rows && fresh);
    const bool inclusions_are_done = inclusion_.relative <= kOfTolerance * inner_tolerance ||
                                     (inclusion_.relative <= tolerance && inclusion_.relative > kFloorRate * inclusions) ||
                                     (inclusion_.relative <= kEnoughAtRest && failures >= kManyFailures);
    const double rate = now / rho_;
    x_.swap(trial_);
    r_.swap(trial_r_);
    rho_ = now;
    rows = rows_now;
    inclusions = inclusion_.relative;
    if (rows_are_done && inclusions_are_done) {
      if (rows_are_small_for_their_solution(dt)) return true;
      rows = scaled_norm(r_);
      rho_ = std::max(rows, inclusions);
    }
    if (!(rate < kFloorRate) && fresh && ++failures > kMostFailures && !projected) return false;
    has_factor = rate <= kGoodRate || projected;
    fresh = false;
  }
  return rho_ <= tolerance && rows_are_small_for_their_solution(dt);
}

void Consistent::finish_step(State& state, double dt, StepReport& report) {
  std::copy_n(x_.data(), x_.size(), memory_.data() + equations_.inputs().unknowns);
  double energy[2];
  equations_.program().evaluate(equations_.energy(), memory_, energy);
  report.lost_in_damping += energy[0];
  report.work_done += energy[1];
  equations_.program().evaluate(equations_.end(), memory_, end_.data());
  state.q = end_.head(system_.nq());
  path_ = end_.tail(system_.nu());
  state.u = x_.head(system_.nu());
  state.t += dt;
  if (!system_.laws().empty()) book_laws(state.t, dt, report);
}

void Consistent::book_laws(double t, double dt, StepReport& report) {
  motion_impulse_.setZero();
  if (report.active_laws > 0) {
    motion_impulse_ -= now_.impulse;
    motion_laws_.book(path_, dt, last_.first_row, now_, report);
    motion_impulse_ += now_.impulse;
    const std::vector<int>& active = laws_in_step_.active();
    for (int a = 0; a < report.active_laws; ++a)
      laws_in_step_.remember_motion(active[static_cast<size_t>(a)], motion_laws_.prevented_speed(a));
    if (rho_ == inclusion_.relative && inclusion_.worst_block >= 0)
      report.worst_law = active[static_cast<size_t>(inclusion_.worst_block)];
  }
  if (scheme_.impacts == ImpactScheme::kOneStep)
    laws_in_step_.warn_of_energy_gain(t, -report.lost_in_contacts, now_, warnings_);
  if (!dropped_.empty()) book_constraints(report);
  laws_.impulse += now_.impulse;
  laws_.lost += now_.lost;
  laws_.closing_speed = laws_.closing_speed.cwiseMax(now_.closing_speed);
  laws_.speed_scale = laws_.speed_scale.cwiseMax(now_.speed_scale);
  std::swap(last_, now_);
}

/// Impulses of the impact and of the motion; of least norm where they are not unique.
void Consistent::book_constraints(StepReport& report) {
  const StepEquations::Layout& layout = equations_.layout();
  equations_.program().evaluate(equations_.constraint_impulse(), memory_, motion_share_.data());
  const bool impact = laws_in_step_.size() > 0 && scheme_.impacts == ImpactScheme::kBefore;
  constraints_.on_velocities += motion_share_;
  if (impact) constraints_.on_velocities += constraint_impulse_;
  if (redundant_rows_.empty()) {
    constraints_.impulse += x_.segment(layout.position_rows(), layout.constraints);
  } else {
    constraints_.redundant = true;
    mass_.multipliers(motion_share_, multipliers_);
    constraints_.impulse += multipliers_;
  }
  if (impact) {
    mass_.multipliers(constraint_impulse_, multipliers_);
    constraints_.impulse += multipliers_;
    report.work_done -= chi_.dot(multipliers_);  // a constraint that is driven gives energy in an impact too
  }
  constraints_.residual =
      layout.has_kappa ? r_.segment(layout.velocity_rows(), layout.constraints).cwiseAbs().maxCoeff() : 0.0;
}

void Consistent::describe_worst_row(double dt, StepReport& report) const {
  const StepEquations::Layout& layout = equations_.layout();
  const int n = layout.velocities, positions = layout.position_rows();
  const bool finite = r_.allFinite();
  int row = 0;
  for (int i = 0; i < r_.size(); ++i) {
    if (finite ? scaled_size(r_, i) > scaled_size(r_, row) : !std::isfinite(r_[i])) row = i;
  }
  std::string name;
  if (finite && motion_laws_.rows() > 0 && inclusion_.worst_block >= 0 && inclusion_.relative > scaled_size(r_, row)) {
    report.worst_law = laws_in_step_.active()[static_cast<size_t>(inclusion_.worst_block)];
    name = fmt::format("the law '{}'", system_.laws()[static_cast<size_t>(report.worst_law)].name);
  } else if (row >= layout.coordinate_rows() && row < positions) {
    name = "the kinematic equation of a body or of velocities of one's own choice";
  } else if (row < positions) {
    name = fmt::format("the {} of {}", row < n ? "momentum" : "velocity", force_target(system_, row % n));
  } else {
    name = fmt::format("the constraint '{}'", system_.constraints()[(row - positions) % layout.constraints].name);
  }
  report.culprit =
      finite ? fmt::format("the equations of a step of {:.3g} were not solved: residual {:.3g} in {} after {} iterations",
                           dt, rho_, name, report.iterations)
             : name;
}

}  // namespace tippe
