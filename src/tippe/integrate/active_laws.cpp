// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/active_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/infinity.h"
#include "tippe/integrate/impulse_set.h"

namespace tippe {
namespace {

bool same_restitution_everywhere(const std::vector<ForceLaw>& laws) {
  std::optional<double> common;
  for (const ForceLaw& law : laws) {
    if (law.kind == ForceLaw::Kind::kDryFriction) continue;  // it has none
    if (!common) common = law.epsilon[0];
    const int rows = law.mu1 == 0.0 && law.mu2 == 0.0 ? 1 : law.rows;  // without friction the others carry nothing
    for (int k = 0; k < rows; ++k) {
      if (law.epsilon[static_cast<size_t>(k)] != *common) return false;
    }
  }
  return true;
}

constexpr int kMostImpactsAtOnce = 100;

void fail_without_end(StepReport& report) {
  report.status = StepReport::Status::kNotSolved;
  report.culprit = fmt::format("{} impacts at one instant, and a law closes still", kMostImpactsAtOnce);
}

}  // namespace

ActiveLaws::ActiveLaws(const System& system, const ActiveLawsOptions& options)
    : system_(system),
      options_(options),
      tolerances_(ContactTolerances::of_steps(options.closed_tolerance, options.closed_round_off)) {
  prevented_speed_.setZero(static_cast<Eigen::Index>(system.laws().size()));
  same_restitution_ = same_restitution_everywhere(system.laws());
}

void ActiveLaws::save_memory(const LawStep& step, std::vector<double>& memory) const {
  memory.insert(memory.end(), step.impulse.begin(), step.impulse.end());
  memory.insert(memory.end(), prevented_speed_.begin(), prevented_speed_.end());
}

size_t ActiveLaws::memory_size(const LawStep& step) const {
  return static_cast<size_t>(step.impulse.size() + prevented_speed_.size());
}

void ActiveLaws::restore_memory(std::span<const double> memory, LawStep& step) {
  const Eigen::Index rows = step.impulse.size();
  step.impulse = Eigen::Map<const Eigen::VectorXd>(memory.data(), rows);
  prevented_speed_ = Eigen::Map<const Eigen::VectorXd>(memory.data() + rows, prevented_speed_.size());
}

void ActiveLaws::find(Evaluator& evaluator, const Eigen::VectorXd& gaps, const Eigen::VectorXd& q, double dt,
                      const LawStep& last) {
  warm_start_ = last.impulse;
  speeds_before_ = prevented_speed_;
  const double largest_terms = 1e3 * q.cwiseAbs().maxCoeff();  // of a gap: beyond them its directions need not be known
  active_.clear();
  sizes_.clear();
  W_.clear();
  chi_.clear();
  for (int i = 0; i < static_cast<int>(system_.laws().size()); ++i) {
    const ForceLaw& law = system_.laws()[i];
    const bool open = law.kind == ForceLaw::Kind::kContact && !is_closed({.gap = gaps[i]}, tolerances_);
    const bool held = open && warm_start_[last.first_row[i]] != 0.0;
    if (open && !held && !is_closed({.gap = gaps[i], .terms = largest_terms}, tolerances_)) continue;
    const int first_column = W_.columns();
    evaluator.append_directions(i, W_, chi_);
    if (open) {
      GapView view = view_of_held(i, first_column, q, dt);
      view.gap = gaps[i];
      view.held = held;
      if (!is_closed(view, tolerances_)) {
        W_.truncate(first_column);
        chi_.resize(static_cast<size_t>(first_column));
        continue;
      }
    }
    active_.push_back(i);
    sizes_.push_back(law.rows);
  }
}

/// Without what is allowed to contacts that are held, a resting one opens when its gap becomes 1e-22 m, falls for a step, and creeps.
GapView ActiveLaws::view_of_held(int law, int normal_row, const Eigen::VectorXd& q, double dt) const {
  return {.terms = size_of_gap_terms(normal_row, q), .held = true, .prevented_way = dt * prevented_speed_[law]};
}

double ActiveLaws::resting_gap(int law, int normal_row, const Eigen::VectorXd& q, double dt) const {
  return closed_gap(view_of_held(law, normal_row, q, dt), tolerances_) - tolerances_.gap;
}

double ActiveLaws::size_of_gap_terms(int normal_row, const Eigen::VectorXd& q) const {
  const bool same_indices = system_.velocities_are_rates();
  const double largest_q = same_indices ? 0.0 : q.cwiseAbs().maxCoeff();
  double size = 0.0;
  for (int p = W_.start[normal_row]; p < W_.start[normal_row + 1]; ++p)
    size += std::abs(W_.value[p] * (same_indices ? q[W_.row[p]] : largest_q));
  return size;
}

void ActiveLaws::assemble(ConstrainedMass& M, const Eigen::VectorXd& u_B, LawStep& step) {
  SparseColumns& Y = problem_.G.Y;
  Y.clear();
  gamma_B_.resize(W_.columns());
  for (int k = 0; k < W_.columns(); ++k) {
    const auto begin = static_cast<size_t>(W_.start[k]), count = static_cast<size_t>(W_.start[k + 1]) - begin;
    M.append_kinetic_column(std::span(W_.row).subspan(begin, count), std::span(W_.value).subspan(begin, count), Y);
    gamma_B_[k] = W_.dot(k, u_B.data()) + chi_[k];
  }
  delassus_builder_.build(sizes_, system_.nu(), problem_.G);
  delassus_builder_.find_parts(problem_.part);
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    if (system_.laws()[active_[a]].kind != ForceLaw::Kind::kContact) continue;
    step.closing_speed[active_[a]] = -gamma_B_[row];
    step.speed_scale[active_[a]] = std::sqrt(2.0 * problem_.G.blocks.diagonal_block(a)[0]);
  }
}

void ActiveLaws::solve_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt, LawStep& step,
                              StepReport& report) {
  build_motion(u_start, free_change, dt, step);
  solve_inclusion_problem(report);
  if (report.ok()) keep_impulses(step);
}

void ActiveLaws::build_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt,
                              const LawStep& step) {
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  problem_.laws.clear();
  problem_.c.resize(W_.columns());
  solution_.Lambda.resize(W_.columns());
  for (int a = 0, row = 0; a < size(); ++a) {
    const ForceLaw& law = system_.laws()[active_[a]];
    problem_.laws.push_back(impulse_set(law, dt));
    for (int k = 0; k < law.rows; ++k) {
      const double epsilon = newton ? options_.restitution * law.epsilon[static_cast<size_t>(k)] : 0.0;
      const double gamma = W_.dot(row + k, u_start.data()) + chi_[static_cast<size_t>(row + k)];
      problem_.c[row + k] = W_.dot(row + k, free_change.data()) + gamma + epsilon * gamma_B_[row + k];
      solution_.Lambda[row + k] = warm_start_[step.first_row[active_[a]] + k];
    }
    row += law.rows;
  }
}

/// Of the matrix' contacts in its order; none if it does not govern.
std::vector<ActiveLaws::MatrixRow> ActiveLaws::find_matrix_rows() const {
  const RestitutionMatrix* matrix = system_.restitution_matrix();
  if (matrix == nullptr || options_.restitution == 0.0) return {};
  std::vector<MatrixRow> rows;
  const auto count = static_cast<Eigen::Index>(matrix->laws.size());
  Eigen::VectorXd v(count), length(count);
  for (const int law : matrix->laws) {
    const auto found = std::find(active_.begin(), active_.end(), law);
    if (found == active_.end()) return {};
    const auto a = found - active_.begin();
    const auto k = static_cast<Eigen::Index>(rows.size());
    rows.push_back({static_cast<int>(a), std::accumulate(sizes_.begin(), sizes_.begin() + a, 0)});
    v[k] = gamma_B_[rows.back().row];
    length[k] = std::sqrt(problem_.G.blocks.diagonal_block(rows.back().block)[0]);
  }
  constexpr double kAtRest = 1e-8;  // of the fastest, in kinetic units
  double fastest = 0.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (length[k] > 0.0) fastest = std::max(fastest, std::abs(v[k]) / length[k]);
  }
  return matrix->governs(v, kAtRest * fastest * length) ? rows : std::vector<MatrixRow>();
}

/// v+ = -E v- is a bilateral row, xi = gamma+ + E gamma- = 0.
void ActiveLaws::impose_matrix(const std::vector<MatrixRow>& rows) {
  const Eigen::MatrixXd& E = system_.restitution_matrix()->E;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto [block, row] = rows[i];
    problem_.laws[static_cast<size_t>(block)] = Interval{-kInfinity, kInfinity};
    double e_gamma = -system_.laws()[active_[block]].epsilon[0] * gamma_B_[row];
    for (size_t j = 0; j < rows.size(); ++j)
      e_gamma += E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * gamma_B_[rows[j].row];
    problem_.c[row] += options_.restitution * e_gamma;
  }
}

void ActiveLaws::add_impulses(Eigen::VectorXd& impulse) const {
  for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, solution_.Lambda[k], impulse.data());
}

void ActiveLaws::subtract_impulses(const LawStep& step, Eigen::VectorXd& impulse) const {
  for (int a = 0, row = 0; a < size(); ++a) {
    for (int k = 0; k < sizes_[a]; ++k, ++row) W_.add_to(row, -step.impulse[step.first_row[active_[a]] + k], impulse.data());
  }
}

/// For Poisson's law
///   compression  gamma_C in N_D(-Lambda_C),  expansion  0 <= Lambda_E,N - epsilon Lambda_C,N  _|_  gamma_N+ >= 0,
/// friction in each phase with its own normal impulse; for Moreau's law 1 + epsilon times the compression.
void ActiveLaws::process_impact(ConstrainedMass& M, const Eigen::VectorXd& free_change, Eigen::VectorXd& u, LawStep& step,
                                StepReport& report) {
  if (system_.impact_law() == ImpactLaw::kNewton) return;
  // Moreau's law may throw a law back that was opening: that closes it, and is an impact of its own.
  for (int count = 0; report.ok() && closes(free_change); ++count) {
    if (count == kMostImpactsAtOnce) return fail_without_end(report);
    process_one_impact(M, u, step, report);
    for (int k = 0; k < W_.columns(); ++k) gamma_B_[k] = relative_velocity(k, u);
  }
}

/// Whether one does, faster than a resting one by round-off.
bool ActiveLaws::closes(const Eigen::VectorXd& free_change) const {
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    if (system_.laws()[active_[a]].kind == ForceLaw::Kind::kDryFriction) continue;
    const double change = std::max(prevented_speed_[active_[a]], std::abs(W_.dot(row, free_change.data())));
    if (state_along_normal({.velocity = gamma_B_[row], .change = change}, tolerances_) == ContactState::kClosing)
      return true;
  }
  return false;
}

void ActiveLaws::process_one_impact(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  problem_.laws.clear();
  for (const int i : active_) problem_.laws.push_back(impulse_set(system_.laws()[i], 0.0));
  gamma_start_.resize(W_.columns());  // as gamma_B, but with velocities that keep the constraints
  for (int k = 0; k < W_.columns(); ++k) gamma_start_[k] = W_.dot(k, u.data()) + chi_[static_cast<size_t>(k)];
  problem_.c = gamma_start_;
  solution_.Lambda.setZero(W_.columns());
  solve_inclusion_problem(report);
  if (!report.ok()) return;
  const double prevented = largest_prevented_speed();
  impact_ = compression_ = solution_.Lambda;

  if (system_.impact_law() == ImpactLaw::kMoreau) {
    double epsilon = 0.0;  // the common one; dry friction has none
    for (const int i : active_) epsilon = std::max(epsilon, system_.laws()[i].epsilon[0]);
    impact_ *= 1.0 + options_.restitution * epsilon;
  } else {
    velocities_after(M, u, change_);
    check_laws({compression_.data(), change_, 0.0, prevented, Restitution::kNone}, report);
    if (!report.ok()) return;
    // Lambda_E = shift + p with shift_N = epsilon Lambda_C,N and p_N >= 0: the unknown is p, and the shift loads the friction.
    shift_.setZero(W_.columns());
    for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
      const ForceLaw& law = system_.laws()[active_[a]];
      if (law.kind == ForceLaw::Kind::kDryFriction) continue;
      shift_[row] = std::max(0.0, options_.restitution * law.epsilon[0] * impact_[row]);  // round-off may pull
    }
    if (shift_.maxCoeff() > 0.0) {
      impact_ += shift_;
      problem_.G.multiply(impact_, problem_.c, kinetic_);
      problem_.c += gamma_start_;
      problem_.laws.clear();
      for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
        problem_.laws.push_back(impulse_set(system_.laws()[active_[a]], 0.0, shift_[row]));
      }
      solution_.Lambda.setZero(W_.columns());
      solve_inclusion_problem(report);
      if (!report.ok()) return;
      impact_ += solution_.Lambda;
    }
  }
  solution_.Lambda = impact_;
  keep_impulses(step);
  move_velocities(M, u, step, report);
  if (system_.impact_law() == ImpactLaw::kMoreau) {
    check_laws({impact_.data(), u, 0.0, prevented, Restitution::kMoreau}, report);
  } else {
    shift_ = impact_ - compression_;  // what the expansion gave
    check_laws({shift_.data(), u, 0.0, prevented, Restitution::kNone, compression_.data()}, report);
  }
}

void ActiveLaws::impact(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  change_.setZero(u.size());
  if (system_.impact_law() != ImpactLaw::kNewton) {
    process_impact(M, change_, u, step, report);
    return;
  }
  warm_start_.setZero();  // impulses of a motion tell nothing of an impact
  if (gamma_B_.cwiseAbs().maxCoeff() <= options_.enough * largest_prevented_speed()) return;
  build_motion(u, change_, 0.0, step);
  const std::vector<MatrixRow> matrix = find_matrix_rows();
  if (!matrix.empty()) impose_matrix(matrix);
  solve_inclusion_problem(report);
  if (!report.ok()) return;
  const double prevented = largest_prevented_speed();
  keep_impulses(step);
  move_velocities(M, u, step, report);
  check_laws({solution_.Lambda.data(), u, 0.0, prevented, Restitution::kNewton, nullptr, matrix}, report);
}

void ActiveLaws::impacts(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  impact(M, u, step, report);
  for (int count = 1; report.ok() && is_thrown_back(u); ++count) {
    if (count == kMostImpactsAtOnce) return fail_without_end(report);
    impact(M, u, step, report);
  }
}

/// Whether a law that opened before the last impact closes now, with velocities u: that is an impact of its own at the same instant. Then
/// the next impact() is that one.
bool ActiveLaws::is_thrown_back(const Eigen::VectorXd& u) {
  bool found = false;
  for (int a = 0, row = 0; a < size() && !found; row += sizes_[a++]) {
    if (system_.laws()[active_[a]].kind == ForceLaw::Kind::kDryFriction) continue;
    const VelocityView after{.velocity = relative_velocity(row, u), .change = gamma_B_[row]};
    found = gamma_B_[row] > 0.0 && state_along_normal(after, ContactTolerances::of_impacts()) == ContactState::kClosing;
  }
  if (!found) return false;
  for (int k = 0; k < W_.columns(); ++k) gamma_B_[k] = relative_velocity(k, u);
  return true;
}

void ActiveLaws::apply_impact(ConstrainedMass& M, const Eigen::VectorXd& impulse, Eigen::VectorXd& u, LawStep& step,
                              StepReport& report) {
  solution_.Lambda.resize(W_.columns());
  for (int a = 0, row = 0; a < size(); row += sizes_[a++])
    solution_.Lambda.segment(row, sizes_[a]) = impulse.segment(step.first_row[active_[a]], sizes_[a]);
  const double prevented = largest_prevented_speed();
  keep_impulses(step);
  move_velocities(M, u, step, report);
  check_laws({solution_.Lambda.data(), u, 0.0, prevented, Restitution::kNewton}, report);
}

/// u + M^-1 W Lambda by the impulses of the last solve.
void ActiveLaws::velocities_after(ConstrainedMass& M, const Eigen::VectorXd& u, Eigen::VectorXd& after) const {
  after.setZero(u.size());
  add_impulses(after);
  M.solve_in_place(after);
  after += u;
}

/// By the impulses of the last solve, booked as an impact.
void ActiveLaws::move_velocities(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  velocities_after(M, u, change_);
  book(u, change_, step, report);
  u = change_;
}

void ActiveLaws::forget_prevented_speeds(const LawStep& step) {
  for (const int i : active_) {
    if (step.impulse[step.first_row[i]] == 0.0) prevented_speed_[i] = 0.0;
  }
}

/// Of the laws that act, in the last step in which each did.
double ActiveLaws::largest_prevented_speed() const {
  double largest = 0.0;
  for (const int i : active_) largest = std::max(largest, prevented_speed_[i]);
  return largest;
}

/// Solves problem_, from solution_.Lambda.
void ActiveLaws::solve_inclusion_problem(StepReport& report) {
  const bool has_enough = options_.enough > 0.0;
  const double will_do = std::max(options_.enough, options_.accepted);
  const auto judged = [&] {
    if (solution_.converged() || !has_enough) return solution_.residual;
    const double largest_c = problem_.c.cwiseAbs().maxCoeff();
    return solution_.residual * (largest_c / std::max(largest_c, largest_prevented_speed()));
  };
  constexpr int kFewRows = 100;  // to insist costs too much in a heap
  const bool insist = !has_enough && W_.columns() <= kFewRows;
  for (const SolveEffort effort : {SolveEffort::kFull, SolveEffort::kInsist}) {
    const bool at_once = insist || will_do == 0.0;
    solver_.solve(problem_,
                  {.tolerance = options_.tolerance,
                   .effort = at_once ? SolveEffort::kInsist : effort,
                   .enough = at_once ? 0.0 : options_.accepted},
                  solution_);
    report.methods_tried += std::max(1, static_cast<int>(solver_.stages().size()));  // none if the start was the solution
    report.iterations += solution_.iterations;
    if (at_once || !(judged() > will_do)) break;
  }
  const bool not_finite = solution_.status == SolveStatus::kNotFinite;
  const double residual = judged();
  if (residual >= report.residual) {
    report.residual = residual;
    report.worst_law = solution_.worst_block >= 0 ? active_[solution_.worst_block] : -1;
  }
  constexpr double kAtMost = 10.0;  // of redundant contacts, whose impulses are large, and round-off is theirs
  if (residual <= options_.tolerance || (!not_finite && residual <= kAtMost * options_.enough)) return;
  if (!not_finite && residual <= options_.accepted) {
    report.inexact = true;
    return;
  }
  report.status = not_finite ? StepReport::Status::kNotFinite : StepReport::Status::kNotSolved;
}

/// Of a relative velocity, and of the velocities before the step, of which it may be the small difference.
double ActiveLaws::size_of_terms(int row, const Eigen::VectorXd& u) const {
  double size = std::abs(chi_[static_cast<size_t>(row)]) + std::abs(gamma_B_[row]);
  for (int p = W_.start[row]; p < W_.start[row + 1]; ++p) size += std::abs(W_.value[p] * u[W_.row[p]]);
  return size;
}

void ActiveLaws::check_motion(const Eigen::VectorXd& u_E, double dt, StepReport& report) {
  if (size() == 0) return;
  const bool newton =
      system_.impact_law() == ImpactLaw::kNewton;  // after impacts by other laws the motion has no restitution
  check_laws(
      {solution_.Lambda.data(), u_E, dt, largest_prevented_speed(), newton ? Restitution::kNewton : Restitution::kNone},
      report);
}

/// E gamma- of a row of the restitution matrix.
double ActiveLaws::returned_by_matrix(std::span<const MatrixRow> matrix, size_t i) const {
  double returned = 0.0;
  for (size_t j = 0; j < matrix.size(); ++j)
    returned += system_.restitution_matrix()->E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) *
                gamma_B_[matrix[j].row];
  return options_.restitution * returned;
}

void ActiveLaws::check_laws(const Checked& checked, StepReport& report) {
  xi_.resize(W_.columns());
  terms_.resize(W_.columns());
  check_.clear();
  const bool moreau = checked.restitution == Restitution::kMoreau;
  const double* const gamma_minus = moreau ? gamma_start_.data() : gamma_B_.data();
  const double scale = checked.restitution == Restitution::kNone ? 0.0 : options_.restitution;
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const ForceLaw& law = system_.laws()[active_[a]];
    size_t in_matrix = 0;
    while (in_matrix < checked.matrix.size() && checked.matrix[in_matrix].block != a) ++in_matrix;
    const bool by_matrix = in_matrix < checked.matrix.size();
    for (int k = 0; k < law.rows; ++k) {
      const double returned = by_matrix ? returned_by_matrix(checked.matrix, in_matrix)
                                        : scale * law.epsilon[moreau ? 0 : static_cast<size_t>(k)] * gamma_minus[row + k];
      xi_[row + k] = relative_velocity(row + k, checked.u) + returned;
      terms_[row + k] = size_of_terms(row + k, checked.u) + std::abs(returned) + checked.prevented;
    }
    const bool expands = checked.compression != nullptr && law.kind != ForceLaw::Kind::kDryFriction;
    check_.add({active_[a], &law, checked.Lambda + row, xi_.data() + row, terms_.data() + row,
                problem_.G.blocks.diagonal_block(a), checked.dt,
                problem_.part.empty() ? 0 : problem_.part[static_cast<size_t>(a)],
                expands ? options_.restitution * law.epsilon[0] * checked.compression[row] : 0.0, by_matrix,
                checked.compression != nullptr ? checked.compression + row : nullptr});
  }
  report_violation(check_, system_, std::max(options_.tolerance, report.residual), report);
}

/// Adds the impulses of the last solve to those of the step.
void ActiveLaws::keep_impulses(LawStep& step) {
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const int i = active_[a];
    step.impulse.segment(step.first_row[i], sizes_[a]) += solution_.Lambda.segment(row, sizes_[a]);
    prevented_speed_[i] = problem_.G.blocks.diagonal_block(a)[0] * step.impulse[step.first_row[i]];
  }
}

void ActiveLaws::book(const Eigen::VectorXd& before, const Eigen::VectorXd& after, LawStep& step, StepReport& report) const {
  for (int a = 0, k = 0; a < size(); ++a) {
    double lost = 0.0;
    const int normal = k;
    for (const int end = k + sizes_[a]; k < end; ++k) {
      const double Lambda = solution_.Lambda[k], chi = chi_[static_cast<size_t>(k)];
      lost -= Lambda * (0.5 * (W_.dot(k, before.data()) + W_.dot(k, after.data())) + chi);
      report.work_done -= Lambda * chi;  // a moving support pushes with -chi
      if (k != normal || system_.laws()[active_[a]].kind != ForceLaw::Kind::kContact) continue;
      report.lost_along_normals += lost;
      if (warm_start_[step.first_row[active_[a]]] != 0.0) report.lost_by_scheme += lost;
    }
    step.lost[active_[a]] += lost;
    report.lost_in_contacts += lost;
  }
}

void ActiveLaws::warn_of_energy_gain(double t, double gained, const LawStep& step, std::vector<std::string>& warnings) {
  if (same_restitution_ || active_.empty() || system_.impact_law() != ImpactLaw::kNewton) return;
  double exchanged = 0.0;  // what the impulses stand for: sum of G_kk Lambda_k^2
  for (int a = 0; a < size(); ++a) {
    const double* G = problem_.G.blocks.diagonal_block(a);
    const double* Lambda = step.impulse.data() + step.first_row[active_[a]];
    for (int k = 0; k < sizes_[a]; ++k) exchanged += G[k * sizes_[a] + k] * Lambda[k] * Lambda[k];
  }
  constexpr double kRoundOff = 1e-8;  // a hundred times the solver's tolerance
  if (!(gained > kRoundOff * exchanged)) return;
  constexpr int kMostRows = 40;      // the judgement is dense,
  constexpr size_t kMostSets = 100;  // and many contacts have many sets
  if (W_.columns() > kMostRows || warned_.size() >= kMostSets || warned_.contains(active_)) return;

  const int rows = W_.columns();
  const Eigen::MatrixXd G = dense(problem_.G);
  Eigen::VectorXd Delta(rows);
  for (int a = 0, row = 0; a < size(); ++a) {
    const ForceLaw& law = system_.laws()[active_[a]];
    for (int k = 0; k < law.rows; ++k, ++row) Delta[row] = (1.0 - law.epsilon[k]) / (1.0 + law.epsilon[k]);
  }
  const Eigen::MatrixXd product = Delta.asDiagonal() * G, symmetric = product + product.transpose();
  const double smallest = symmetric_eigenvalues(symmetric)[0];
  if (smallest >= -1e-12 * symmetric.trace()) return;
  warned_.insert(active_);
  std::string names;
  for (const int i : active_) names += (names.empty() ? "'" : ", '") + system_.laws()[i].name + "'";
  const std::string warning = fmt::format("Newton's impact law with different restitution may create energy at {}: ", names);
  for (const std::string& other : warnings) {
    if (other.starts_with(warning)) return;  // said before the run was resumed
  }
  warnings.push_back(warning +
                     fmt::format("{:.3g} were gained at t = {:.6g}; consider impact_law = \"poisson\"", gained, t));
}

void restore_step_memory(std::span<const double> memory, RedundancyMemory& redundancy, ConstrainedMotion& motion,
                         ActiveLaws& laws, LawStep& step) {
  const size_t of_laws = laws.memory_size(step);
  if (memory.size() != of_laws && memory.size() != of_laws + 1)
    throw std::invalid_argument("it remembers the impulses of the last step, and these are not as many as the laws have");
  redundancy.restore(memory.first(memory.size() - of_laws), motion);
  laws.restore_memory(memory.last(of_laws), step);
}

}  // namespace tippe
