// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tippe/solve/enumerate.h"

namespace tippe {
namespace {

/// The set that a law's impulse over a step of dt obeys. Impulse sets of cones are the cones themselves; a
/// limited force gives the impulse limit * dt.
LawSet impulse_set(const ForceLaw& law, double dt) {
  switch (law.kind) {
    case ForceLaw::Kind::kDryFriction:
      return Interval{-law.limit * dt, law.limit * dt};
    case ForceLaw::Kind::kContact:
      if (law.rows > 1) return CoulombContact{law.mu1, law.mu2};
      break;
    case ForceLaw::Kind::kOneWay:
      break;
  }
  return HalfLine{};
}

}  // namespace

MoreauMidpoint::MoreauMidpoint(const System& system, const MoreauOptions& options)
    : Integrator(system),
      system_(system),
      options_(options),
      evaluator_(system.make_evaluator()),
      M_(system.nu(), system.mass_pattern()) {
  // Gauss-Seidel first. Where its linear convergence is too slow (large mass ratios, redundant contacts) acceleration helps,
  // where it cycles (strong coupling, flat friction ellipses) damping does.
  ProjectedOptions method;
  method.tolerance = options.tolerance;
  method.max_iterations = 1000;
  methods_.push_back(method);
  method.accelerate = true;
  method.max_iterations = 3000;
  methods_.push_back(method);
  method.accelerate = false;
  method.recover = false;
  method.alpha = 0.7;
  method.max_iterations = 20000;
  methods_.push_back(method);
  gaps_.setZero(static_cast<Eigen::Index>(system.laws().size()));
  prevented_speed_.setZero(gaps_.size());
}

/// The impulses of the last step start the solver and decide whether a contact rests.
std::vector<double> MoreauMidpoint::memory() const {
  std::vector<double> memory(laws_.impulse.begin(), laws_.impulse.end());
  memory.insert(memory.end(), prevented_speed_.begin(), prevented_speed_.end());
  return memory;
}

void MoreauMidpoint::restore_memory(std::span<const double> memory) {
  const Eigen::Index rows = laws_.impulse.size(), laws = prevented_speed_.size();
  if (static_cast<Eigen::Index>(memory.size()) != rows + laws)
    throw std::invalid_argument("it remembers the impulses of the last step, and these are not as many as the laws have");
  laws_.impulse = Eigen::Map<const Eigen::VectorXd>(memory.data(), rows);
  prevented_speed_ = Eigen::Map<const Eigen::VectorXd>(memory.data() + rows, laws);
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
  if (!active_.empty()) {
    build_inclusion_problem(dt);      // G, c  (5.6)
    solve_inclusion_problem(report);  // Lambda  (5.7)
    if (!report.ok()) return report;
    change_of_u_ = dynamics_.h * dt;
    for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, solution_.Lambda[k], change_of_u_.data());
    M_.solve_in_place(change_of_u_);
  }
  state.u += change_of_u_;  // u_E  (5.8)
  evaluator_->set_state(state.t + 0.5 * dt, state.q, state.u);
  evaluator_->evaluate_position_rate(rate_);
  state.q += 0.5 * dt * rate_;  // q_E  (5.5)
  state.t += dt;
  if (!state.q.allFinite() || !state.u.allFinite()) report.status = StepReport::Status::kNotFinite;
  book_energy(state.u, dt, report);
  return report;
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

void MoreauMidpoint::build_inclusion_problem(double dt) {
  // The two parts of gamma = W'u + chi and c = W'M^-1 h dt + (1 + epsilon) gamma_B; chi is in c, never in G.
  const int rows = W_.columns();
  SparseColumns& Y = problem_.G.Y;
  Y.clear();
  gamma_B_.resize(rows);
  problem_.c.resize(rows);
  for (int k = 0; k < rows; ++k) {
    const auto begin = static_cast<size_t>(W_.start[k]), count = static_cast<size_t>(W_.start[k + 1]) - begin;
    M_.append_kinetic_column(std::span(W_.row).subspan(begin, count), std::span(W_.value).subspan(begin, count), Y);
    gamma_B_[k] = W_.dot(k, u_B_.data()) + chi_[k];
    problem_.c[k] = W_.dot(k, change_of_u_.data());
  }
  delassus_builder_.build(sizes_, system_.nu(), problem_.G);
  delassus_builder_.find_parts(problem_.part);

  problem_.laws.clear();
  solution_.Lambda.resize(rows);
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); ++a) {
    const int i = active_[a];
    const ForceLaw& law = system_.laws()[i];
    problem_.laws.push_back(impulse_set(law, dt));
    for (int k = 0; k < law.rows; ++k) problem_.c[row + k] += (1.0 + law.epsilon[k]) * gamma_B_[row + k];
    if (law.kind == ForceLaw::Kind::kContact) {
      laws_.closing_speed[i] = -gamma_B_[row];
      laws_.speed_scale[i] = std::sqrt(2.0 * problem_.G.blocks.diagonal_block(a)[0]);
    }
    row += law.rows;
  }
}

void MoreauMidpoint::solve_inclusion_problem(StepReport& report) {
  // Warm start: the impulses of the last step.
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
    solution_.Lambda.segment(row, sizes_[a]) = warm_start_.segment(laws_.first_row[active_[a]], sizes_[a]);
  }
  for (const ProjectedOptions& method : methods_) {
    const SolveStatus status = solver_.solve(problem_, method, solution_);
    ++report.methods_tried;
    report.iterations += solution_.iterations;
    if (status == SolveStatus::kConverged || status == SolveStatus::kNotFinite) break;
  }
  if (!solution_.converged() && solution_.status != SolveStatus::kNotFinite) {  // the last resort, for few contacts
    ++report.methods_tried;
    solve_by_enumeration(problem_, {.tolerance = options_.tolerance}, solution_);
  }
  report.residual = solution_.residual;
  report.worst_law = solution_.worst_block >= 0 ? active_[solution_.worst_block] : -1;
  if (!solution_.converged()) {
    report.status =
        solution_.status == SolveStatus::kNotFinite ? StepReport::Status::kNotFinite : StepReport::Status::kNotSolved;
    return;
  }
  for (int a = 0, row = 0; a < static_cast<int>(active_.size()); row += sizes_[a++]) {
    laws_.impulse.segment(laws_.first_row[active_[a]], sizes_[a]) = solution_.Lambda.segment(row, sizes_[a]);
    prevented_speed_[active_[a]] = problem_.G.blocks.diagonal_block(a)[0] * solution_.Lambda[row];
  }
}

/// The exact balance of the kinetic energy at frozen M: T_E - T_B = (h dt + W Lambda) . (u_B + u_E) / 2, by
/// its causes.
void MoreauMidpoint::book_energy(const Eigen::VectorXd& u_E, double dt, StepReport& report) {
  const auto mean_power = [&](const Eigen::VectorXd& force) { return 0.5 * (force.dot(u_B_) + force.dot(u_E)); };
  report.lost_in_damping = -dt * mean_power(dynamics_.damping);
  report.work_done = dt * (mean_power(dynamics_.applied) + dynamics_.drive_power);
  for (int a = 0, k = 0; a < static_cast<int>(active_.size()); ++a) {
    double& lost = laws_.lost[active_[a]];
    for (const int end = k + sizes_[a]; k < end; ++k) {
      const double Lambda = solution_.Lambda[k];
      const double gamma_E = W_.dot(k, u_E.data()) + chi_[k];
      lost -= Lambda * 0.5 * (gamma_B_[k] + gamma_E);
      report.work_done -= Lambda * chi_[k];  // a moving support pushes with -chi
    }
    report.lost_in_contacts += lost;
  }
}

}  // namespace tippe
