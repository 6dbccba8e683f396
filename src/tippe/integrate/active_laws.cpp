// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/active_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tippe/contact/contact_rows.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/infinity.h"

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

/// Of a gap at q: beyond them its directions need not be known.
double largest_terms(const Eigen::VectorXd& q) {
  return 1e3 * q.cwiseAbs().maxCoeff();
}

}  // namespace

ActiveLaws::ActiveLaws(const System& system, const ActiveLawsOptions& options)
    : system_(system),
      options_(options),
      tolerances_(ContactTolerances::of_steps(options.closed_tolerance, options.closed_round_off)) {
  same_restitution_ = same_restitution_everywhere(system.laws());
}

double ActiveLaws::reach(const Eigen::VectorXd& q, double dt, const LawMemory& memory) const {
  if (system_.has_fixed_laws()) return kInfinity;  // nobody needs to find them
  return closed_gap({.terms = largest_terms(q), .held = true, .prevented_way = dt * memory.largest_prevented_speed()},
                    tolerances_);
}

void ActiveLaws::find(Evaluator& evaluator, const LawList& list, const Eigen::VectorXd& q, double dt, LawMemory& memory,
                      LawStep& step) {
  list_ = &list;
  memory.align(list);
  step.begin(list, system_.laws());
  active_.clear();
  sizes_.clear();
  W_.clear();
  chi_.clear();
  warm_start_.clear();
  prevented_.clear();
  const double most_terms = largest_terms(q);
  for (int k = 0; k < list.size(); ++k) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(list.law[static_cast<size_t>(k)])];
    const int place = memory.place(k), first_column = W_.columns();
    GapView view = memory.view(place, list.gap[k], 0.0, dt);
    const bool open = law.kind == ForceLaw::Kind::kContact && !is_closed({.gap = view.gap}, tolerances_);
    if (open && !view.held && !is_closed({.gap = view.gap, .terms = most_terms}, tolerances_)) continue;
    evaluator.append_directions(list, k, W_, chi_);
    if (open) {
      view.terms = size_of_gap_terms(first_column, q);
      if (!is_closed(view, tolerances_)) {
        W_.truncate(first_column);
        chi_.resize(static_cast<size_t>(first_column));
        continue;
      }
    }
    active_.push_back(k);
    step.acted[k] = 1.0;
    sizes_.push_back(law.rows);
    warm_start_.insert(warm_start_.end(), memory.impulse(place), memory.impulse(place) + law.rows);
    prevented_.push_back(memory.prevented_speed(place));
  }
}

void ActiveLaws::remember(const LawStep& step, LawMemory& memory) const {
  memory.keep_impulses(step);
  for (int a = 0; a < size(); ++a) memory.set_prevented_speed(memory.place(active_[a]), prevented_[a]);
}

/// Without what is allowed to contacts that are held, a resting one opens when its gap becomes 1e-22 m, falls for a step, and creeps.
double ActiveLaws::resting_gap(int a, int normal_row, const Eigen::VectorXd& q, double dt) const {
  const GapView rests{.terms = size_of_gap_terms(normal_row, q), .held = true, .prevented_way = dt * prevented_[a]};
  return closed_gap(rests, ContactTolerances::of_steps(0.0, options_.closed_round_off));
}

double ActiveLaws::size_of_gap_terms(int normal_row, const Eigen::VectorXd& q) const {
  double size = 0.0;
  for (int p = W_.start[normal_row]; p < W_.start[normal_row + 1]; ++p)
    size += std::abs(W_.value[p]) * system_.reach(q, W_.row[p]);
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
    if (law(a).kind != ForceLaw::Kind::kContact) continue;
    step.closing_speed[active_[a]] = -gamma_B_[row];
    step.speed_scale[active_[a]] = std::sqrt(2.0 * problem_.G.blocks.diagonal_block(a)[0]);
  }
}

void ActiveLaws::solve_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt, LawStep& step,
                              StepReport& report) {
  build_motion(u_start, free_change, dt);
  solve_inclusion_problem(report);
  if (!report.ok()) return;
  keep_impulses(step);
  find_prevented_speeds();
}

/// By its load: what an impulse prevented less what it turned round.
void ActiveLaws::find_prevented_speeds() {
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const double epsilon = newton ? options_.restitution * law(a).epsilon[0] : 0.0;
    const double turned = (1.0 + epsilon) * std::max(0.0, -gamma_B_[row]);
    prevented_[a] = std::max(0.0, problem_.G.blocks.diagonal_block(a)[0] * solution_.Lambda[row] - turned);
  }
}

void ActiveLaws::build_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt) {
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  problem_.laws.clear();
  problem_.c.resize(W_.columns());
  solution_.Lambda.resize(W_.columns());
  for (int a = 0, row = 0; a < size(); ++a) {
    const ForceLaw& law = this->law(a);
    problem_.laws.push_back(impulse_set(law, dt));
    for (int k = 0; k < law.rows; ++k) {
      const double epsilon = newton ? options_.restitution * law.epsilon[static_cast<size_t>(k)] : 0.0;
      const double gamma = W_.dot(row + k, u_start.data()) + chi_[static_cast<size_t>(row + k)];
      problem_.c[row + k] = W_.dot(row + k, free_change.data()) + gamma + epsilon * gamma_B_[row + k];
      solution_.Lambda[row + k] = warm_start_[static_cast<size_t>(row + k)];
    }
    row += law.rows;
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

void ActiveLaws::forget_prevented_speeds(const LawStep& step) {
  for (int a = 0; a < size(); ++a) {
    if (step.impulse[step.first_row[active_[a]]] == 0.0) prevented_[a] = 0.0;
  }
}

/// Of the laws that act, in the last step in which each did.
double ActiveLaws::largest_prevented_speed() const {
  double largest = 0.0;
  for (const double speed : prevented_) largest = std::max(largest, speed);
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
    report.worst_law.reset();
    if (solution_.worst_block >= 0) report.worst_law = id(solution_.worst_block);
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
    const ForceLaw& law = this->law(a);
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
  report_violation(check_, system_, list_->id, std::max(options_.tolerance, report.residual), report);
}

/// Adds the impulses of the last solve to those of the step. A contact at rest that an impact of others hardly touches has still prevented what
/// it did before.
void ActiveLaws::keep_impulses(LawStep& step) {
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const int i = active_[a];
    step.impulse.segment(step.first_row[i], sizes_[a]) += solution_.Lambda.segment(row, sizes_[a]);
    add_prevented_speed(a, problem_.G.blocks.diagonal_block(a)[0] * step.impulse[step.first_row[i]]);
  }
}

/// The same of an impact before the motion.
void ActiveLaws::keep_impact(LawStep& step) {
  keep_impulses(step);
  for (int a = 0, row = 0; a < size(); row += sizes_[a++])
    step.impact.segment(step.first_row[active_[a]], sizes_[a]) += solution_.Lambda.segment(row, sizes_[a]);
  ++step.impacts;
}

void ActiveLaws::book(const Eigen::VectorXd& before, const Eigen::VectorXd& after, LawStep& step, StepReport& report) const {
  for (int a = 0, k = 0; a < size(); ++a) {
    double lost = 0.0;
    const int normal = k;
    for (const int end = k + sizes_[a]; k < end; ++k) {
      const double Lambda = solution_.Lambda[k], chi = chi_[static_cast<size_t>(k)];
      lost -= Lambda * (0.5 * (W_.dot(k, before.data()) + W_.dot(k, after.data())) + chi);
      report.work_done -= Lambda * chi;  // a moving support pushes with -chi
      if (k != normal || law(a).kind != ForceLaw::Kind::kContact) continue;
      report.lost_along_normals += lost;
      if (warm_start_[static_cast<size_t>(normal)] != 0.0) report.lost_by_scheme += lost;
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
  if (W_.columns() > kMostRows || warned_.size() >= kMostSets) return;
  std::vector<LawId> ids;
  for (int a = 0; a < size(); ++a) ids.push_back(id(a));
  if (warned_.contains(ids)) return;

  const int rows = W_.columns();
  const Eigen::MatrixXd G = dense(problem_.G);
  Eigen::VectorXd Delta(rows);
  for (int a = 0, row = 0; a < size(); ++a) {
    const ForceLaw& law = this->law(a);
    for (int k = 0; k < law.rows; ++k, ++row) Delta[row] = (1.0 - law.epsilon[k]) / (1.0 + law.epsilon[k]);
  }
  const Eigen::MatrixXd product = Delta.asDiagonal() * G, symmetric = product + product.transpose();
  const double smallest = symmetric_eigenvalues(symmetric)[0];
  if (smallest >= -1e-12 * symmetric.trace()) return;
  warned_.insert(ids);
  std::string names;
  for (const LawId& law : ids) names += (names.empty() ? "'" : ", '") + system_.law_name(law) + "'";
  const std::string warning = fmt::format("Newton's impact law with different restitution may create energy at {}: ", names);
  for (const std::string& other : warnings) {
    if (other.starts_with(warning)) return;  // said before the run was resumed
  }
  warnings.push_back(warning +
                     fmt::format("{:.3g} were gained at t = {:.6g}; consider impact_law = \"poisson\"", gained, t));
}

}  // namespace tippe
