// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace tippe {
namespace {

/// The set that a law's impulse over a time dt obeys. Impulse sets of cones are the cones themselves; a limited force gives the
/// impulse limit * dt, none in an impact (dt = 0). `extra_normal`: what loads the friction beside the law's own normal impulse.
LawSet impulse_set(const ForceLaw& law, double dt, double extra_normal = 0.0) {
  if (law.kind == ForceLaw::Kind::kDryFriction) return Interval{-law.limit * dt, law.limit * dt};
  if (law.drilling) return DrillingContact{law.mu1, law.drilling->Rbar, law.drilling->set, extra_normal};
  if (law.rows > 1) return CoulombContact{law.mu1, law.mu2, extra_normal};
  return HalfLine{};
}

bool same_restitution_everywhere(const std::vector<ForceLaw>& laws) {
  std::optional<double> common;
  for (const ForceLaw& law : laws) {
    if (law.kind == ForceLaw::Kind::kDryFriction) continue;  // it has none
    if (!common) common = law.epsilon[0];
    for (int k = 0; k < law.rows; ++k) {
      if (law.epsilon[static_cast<size_t>(k)] != *common) return false;
    }
  }
  return true;
}

}  // namespace

MoreauMidpoint::MoreauMidpoint(const System& system, const MoreauOptions& options)
    : Integrator(system),
      system_(system),
      options_(options),
      evaluator_(system.make_evaluator()),
      M_(system.nu(), system.mass_pattern()) {
  gaps_.setZero(static_cast<Eigen::Index>(system.laws().size()));
  prevented_speed_.setZero(gaps_.size());
  same_restitution_ = same_restitution_everywhere(system.laws());
}

StepReport MoreauMidpoint::step(State& state, double dt) {
  StepReport report;
  warm_start_ = laws_.impulse;
  laws_.clear();
  u_B_ = state.u;
  if (!evaluate_midpoint(state, dt, report)) return report;  // q_M, M, h at (q_M, u_B, t_M)  (5.3)
  change_of_u_ = dynamics_.h * dt;
  M_.solve_in_place(change_of_u_);  // M^-1 h dt
  find_active_laws(state.q, dt);    // I(q_M, t_M), W_i, chi_i
  report.active_laws = static_cast<int>(active_.size());
  u_start_ = u_B_;
  if (!active_.empty()) {
    assemble_laws();                            // G, gamma_B
    process_impact(report);                     // laws of Poisson and Moreau only: u_start_ is then the velocity after it
    if (report.ok()) solve_motion(dt, report);  // c, Lambda  (5.6), (5.7)
    if (!report.ok()) return report;
    change_of_u_ = dynamics_.h * dt;
    for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, solution_.Lambda[k], change_of_u_.data());
    M_.solve_in_place(change_of_u_);
  }
  state.u = u_start_ + change_of_u_;  // u_E  (5.8)
  evaluator_->set_state(state.t + 0.5 * dt, state.q, state.u);
  evaluator_->evaluate_position_rate(rate_);
  state.q += 0.5 * dt * rate_;  // q_E  (5.5)
  state.t += dt;
  if (!state.q.allFinite() || !state.u.allFinite()) report.status = StepReport::Status::kNotFinite;
  book_energy(state.u, dt, report);
  warn_of_energy_gain(state.t, report);
  return report;
}

/// The impulses of the last step, which start the solver, then the prevented speeds, which decide whether a contact rests.
void MoreauMidpoint::save_memory(std::vector<double>& memory) const {
  memory.assign(laws_.impulse.begin(), laws_.impulse.end());
  memory.insert(memory.end(), prevented_speed_.begin(), prevented_speed_.end());
}

void MoreauMidpoint::restore_memory(std::span<const double> memory) {
  const Eigen::Index rows = laws_.impulse.size(), laws = prevented_speed_.size();
  if (static_cast<Eigen::Index>(memory.size()) != rows + laws)
    throw std::invalid_argument("it remembers the impulses of the last step, and these are not as many as the laws have");
  laws_.impulse = Eigen::Map<const Eigen::VectorXd>(memory.data(), rows);
  prevented_speed_ = Eigen::Map<const Eigen::VectorXd>(memory.data() + rows, laws);
}

bool MoreauMidpoint::evaluate_midpoint(State& state, double dt, StepReport& report) {
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_position_rate(rate_);
  state.q += 0.5 * dt * rate_;
  evaluator_->set_state(state.t + 0.5 * dt, state.q, state.u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_gaps(gaps_);
  if (!dynamics_.h.allFinite() || !gaps_.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, dynamics_.h, gaps_);
  } else if (!M_.factorize(dynamics_.M)) {
    report.status = StepReport::Status::kMassSingular;
  }
  return report.ok();
}

void MoreauMidpoint::find_active_laws(const Eigen::VectorXd& q_M, double dt) {
  active_.clear();
  sizes_.clear();
  W_.clear();
  chi_.clear();
  for (int i = 0; i < static_cast<int>(system_.laws().size()); ++i) {
    const ForceLaw& law = system_.laws()[i];
    const bool contact = law.kind == ForceLaw::Kind::kContact;
    const bool open = contact && gaps_[i] > options_.closed_tolerance;
    if (open && warm_start_[laws_.first_row[i]] == 0.0) continue;
    const int first_column = W_.columns();
    evaluator_->append_directions(i, W_, chi_);
    if (open && gaps_[i] > options_.closed_tolerance + resting_gap(i, first_column, q_M, dt)) {
      W_.truncate(first_column);
      chi_.resize(static_cast<size_t>(first_column));
      continue;
    }
    active_.push_back(i);
    sizes_.push_back(law.rows);
  }
}

/// How far round-off and the solver's tolerance may lift a contact that rests: a millionth of the way that
/// its last impulse prevented, and the round-off of the gap itself. Without it a resting contact opens when
/// its gap becomes 1e-22 m, falls for a step, and creeps.
double MoreauMidpoint::resting_gap(int law, int normal_column, const Eigen::VectorXd& q_M, double dt) const {
  constexpr double kOfPreventedMotion = 1e-6;
  constexpr double kRoundOff = 16.0 * std::numeric_limits<double>::epsilon();
  double size_of_terms = 0.0;
  for (int p = W_.start[normal_column]; p < W_.start[normal_column + 1]; ++p) {
    if (W_.row[p] < q_M.size()) size_of_terms += std::abs(W_.value[p] * q_M[W_.row[p]]);
  }
  return kOfPreventedMotion * dt * prevented_speed_[law] + kRoundOff * size_of_terms;
}

void MoreauMidpoint::assemble_laws() {
  SparseColumns& Y = problem_.G.Y;
  Y.clear();
  gamma_B_.resize(W_.columns());
  for (int k = 0; k < W_.columns(); ++k) {
    const auto begin = static_cast<size_t>(W_.start[k]), count = static_cast<size_t>(W_.start[k + 1]) - begin;
    M_.append_kinetic_column(std::span(W_.row).subspan(begin, count), std::span(W_.value).subspan(begin, count), Y);
    gamma_B_[k] = W_.dot(k, u_B_.data()) + chi_[k];
  }
  delassus_builder_.build(sizes_, system_.nu(), problem_.G);
  delassus_builder_.find_parts(problem_.part);
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
    if (system_.laws()[active_[a]].kind != ForceLaw::Kind::kContact) continue;
    laws_.closing_speed[active_[a]] = -gamma_B_[row];
    laws_.speed_scale[active_[a]] = std::sqrt(2.0 * problem_.G.blocks.diagonal_block(a)[0]);
  }
}

/// c = W'M^-1 h dt + (1 + epsilon) gamma_B, with Newton's epsilon; the other impact laws are done with their impacts before.
void MoreauMidpoint::solve_motion(double dt, StepReport& report) {
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  problem_.laws.clear();
  problem_.c.resize(W_.columns());
  solution_.Lambda.resize(W_.columns());
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); ++a) {
    const ForceLaw& law = system_.laws()[active_[a]];
    problem_.laws.push_back(impulse_set(law, dt));
    for (int k = 0; k < law.rows; ++k) {
      const double epsilon = newton ? law.epsilon[static_cast<size_t>(k)] : 0.0;
      const double gamma = W_.dot(row + k, u_start_.data()) + chi_[static_cast<size_t>(row + k)];
      problem_.c[row + k] = W_.dot(row + k, change_of_u_.data()) + (1.0 + epsilon) * gamma;
      solution_.Lambda[row + k] = warm_start_[laws_.first_row[active_[a]] + k];
    }
    row += law.rows;
  }
  solve_inclusion_problem(report);
  if (report.ok()) add_impulses();
}

/// Impact laws that do not act on velocities: an impact at q_M, without forces, before the motion. For Poisson's law
///   compression  gamma_C in N_D(-Lambda_C),  expansion  0 <= Lambda_E,N - epsilon Lambda_C,N  _|_  gamma_N+ >= 0,
/// friction in each phase with its own normal impulse; for Moreau's law 1 + epsilon times the compression.
void MoreauMidpoint::process_impact(StepReport& report) {
  if (system_.impact_law() == ImpactLaw::kNewton) return;
  // A resting contact closes with round-off, a millionth of the speed that the forces or its last impulse stand for: no impact.
  constexpr double kAtRest = 1e-6;
  bool closing = false;
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
    if (system_.laws()[active_[a]].kind == ForceLaw::Kind::kDryFriction) continue;
    const double at_rest = kAtRest * std::max(prevented_speed_[active_[a]], std::abs(W_.dot(row, change_of_u_.data())));
    closing = closing || gamma_B_[row] < -at_rest;
  }
  if (!closing) return;

  problem_.laws.clear();
  for (const int i : active_) problem_.laws.push_back(impulse_set(system_.laws()[i], 0.0));
  problem_.c = gamma_B_;
  solution_.Lambda.setZero(W_.columns());
  solve_inclusion_problem(report);
  if (!report.ok()) return;
  impact_ = solution_.Lambda;

  if (system_.impact_law() == ImpactLaw::kMoreau) {
    double epsilon = 0.0;  // the common one; dry friction has none
    for (const int i : active_) epsilon = std::max(epsilon, system_.laws()[i].epsilon[0]);
    impact_ *= 1.0 + epsilon;
  } else {
    // Lambda_E = shift + p with shift_N = epsilon Lambda_C,N and p_N >= 0: the unknown is p, and the shift loads the friction.
    shift_.setZero(W_.columns());
    for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
      const ForceLaw& law = system_.laws()[active_[a]];
      if (law.kind != ForceLaw::Kind::kDryFriction) shift_[row] = law.epsilon[0] * impact_[row];
    }
    if (shift_.maxCoeff() > 0.0) {
      impact_ += shift_;
      problem_.G.multiply(impact_, problem_.c, kinetic_);
      problem_.c += gamma_B_;
      problem_.laws.clear();
      for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
        problem_.laws.push_back(impulse_set(system_.laws()[active_[a]], 0.0, shift_[row]));
      }
      solution_.Lambda.setZero(W_.columns());
      solve_inclusion_problem(report);
      if (!report.ok()) return;
      impact_ += solution_.Lambda;
    }
  }
  solution_.Lambda = impact_;
  add_impulses();
  u_start_.setZero();
  for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, impact_[k], u_start_.data());
  M_.solve_in_place(u_start_);
  u_start_ += u_B_;
  book_laws(u_B_, u_start_, report);
}

/// Solves problem_, from solution_.Lambda.
void MoreauMidpoint::solve_inclusion_problem(StepReport& report) {
  solver_.solve(problem_, {.tolerance = options_.tolerance}, solution_);
  report.methods_tried += std::max(1, static_cast<int>(solver_.stages().size()));  // none if the start was the solution
  report.iterations += solution_.iterations;
  if (solution_.residual >= report.residual) {
    report.residual = solution_.residual;
    report.worst_law = solution_.worst_block >= 0 ? active_[solution_.worst_block] : -1;
  }
  if (solution_.converged()) return;
  const bool not_finite = solution_.status == SolveStatus::kNotFinite;
  report.status = not_finite ? StepReport::Status::kNotFinite : StepReport::Status::kNotSolved;
}

void MoreauMidpoint::add_impulses() {
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
    const int i = active_[a];
    laws_.impulse.segment(laws_.first_row[i], sizes_[a]) += solution_.Lambda.segment(row, sizes_[a]);
    prevented_speed_[i] = problem_.G.blocks.diagonal_block(a)[0] * laws_.impulse[laws_.first_row[i]];
  }
}

/// What the laws took and moving supports gave while solution_.Lambda changed the velocities from `before` to `after`.
void MoreauMidpoint::book_laws(const Eigen::VectorXd& before, const Eigen::VectorXd& after, StepReport& report) {
  for (int a = 0, k = 0; a < static_cast<int>(active_.size()); ++a) {
    double lost = 0.0;
    for (const int end = k + sizes_[a]; k < end; ++k) {
      const double Lambda = solution_.Lambda[k], chi = chi_[static_cast<size_t>(k)];
      lost -= Lambda * (0.5 * (W_.dot(k, before.data()) + W_.dot(k, after.data())) + chi);
      report.work_done -= Lambda * chi;  // a moving support pushes with -chi
    }
    laws_.lost[active_[a]] += lost;
    report.lost_in_contacts += lost;
  }
}

/// The exact balance of the kinetic energy at frozen M: T_E - T_start = (h dt + W Lambda) . (u_start + u_E) / 2, by its causes.
void MoreauMidpoint::book_energy(const Eigen::VectorXd& u_E, double dt, StepReport& report) {
  const auto mean_power = [&](const Eigen::VectorXd& force) { return 0.5 * (force.dot(u_start_) + force.dot(u_E)); };
  report.lost_in_damping = -dt * mean_power(dynamics_.damping);
  report.work_done += dt * (mean_power(dynamics_.applied) + dynamics_.drive_power);
  book_laws(u_start_, u_E, report);
}

/// With different coefficients of restitution Newton's law may create energy: it cannot if Delta G + G Delta is positive
/// semidefinite, Delta = diag((1 - epsilon) / (1 + epsilon)), Moeller (3.160). Said at the first gain of each set of laws that hit
/// together (up to 40 rows, 100 sets).
void MoreauMidpoint::warn_of_energy_gain(double t, const StepReport& report) {
  if (same_restitution_ || active_.empty() || system_.impact_law() != ImpactLaw::kNewton) return;
  const double gained = -report.lost_in_contacts;
  double exchanged = 0.0;  // what the impulses stand for: sum of G_kk Lambda_k^2
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); ++a) {
    const double* G = problem_.G.blocks.diagonal_block(a);
    for (int k = 0; k < sizes_[a]; ++k, ++row)
      exchanged += G[k * sizes_[a] + k] * solution_.Lambda[row] * solution_.Lambda[row];
  }
  constexpr double kRoundOff = 1e-8;  // a hundred times the solver's tolerance
  if (!(gained > kRoundOff * exchanged)) return;
  constexpr int kMostRows = 40;      // the judgement is dense,
  constexpr size_t kMostSets = 100;  // and many contacts have many sets
  if (W_.columns() > kMostRows || warned_.size() >= kMostSets || warned_.contains(active_)) return;

  const int rows = W_.columns();
  const Eigen::MatrixXd G = dense(problem_.G);
  Eigen::VectorXd Delta(rows);
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); ++a) {
    const ForceLaw& law = system_.laws()[active_[a]];
    for (int k = 0; k < law.rows; ++k, ++row) Delta[row] = (1.0 - law.epsilon[k]) / (1.0 + law.epsilon[k]);
  }
  const Eigen::MatrixXd product = Delta.asDiagonal() * G, symmetric = product + product.transpose();
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (smallest >= -1e-12 * symmetric.trace()) return;
  warned_.insert(active_);
  std::string names;
  for (const int i : active_) names += (names.empty() ? "'" : ", '") + system_.laws()[i].name + "'";
  const std::string warning = fmt::format("Newton's impact law with different restitution may create energy at {}: ", names);
  for (const std::string& other : warnings_) {
    if (other.starts_with(warning)) return;  // said before the run was resumed
  }
  warnings_.push_back(warning +
                      fmt::format("{:.3g} were gained at t = {:.6g}; consider impact_law = \"poisson\"", gained, t));
}

}  // namespace tippe
