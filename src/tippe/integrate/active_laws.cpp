// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/active_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tippe/contact/contact_rows.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/infinity.h"
#include "tippe/integrate/tolerances.h"

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

// Of contacts that are found.
constexpr int kManyContacts = 500;      // from here on the last digits cost more than the rest of the step
constexpr double kAimOfMany = 1e-8;     // of the residual
constexpr int kContactsOfHeaps = 1000;  // sweep_heap()
constexpr int kContactsOfLargeHeaps = 5000;
constexpr double kAccepted = 1e-6, kAcceptedOfHeaps = 1e-4, kAcceptedOfLargeHeaps = 1e-3;  // of the residual
constexpr int kFirstSweeps = 8, kAcceleratedSweeps = 150;
constexpr double kNearRest = 1e-6;  // residual from which Newton's method has the rest at once

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
  any_rolls_ =
      std::any_of(system.laws().begin(), system.laws().end(), [](const ForceLaw& law) { return law.rolling.has_value(); });
  any_falls_ =
      std::any_of(system.laws().begin(), system.laws().end(), [](const ForceLaw& law) { return law.falling != nullptr; });
}

double ActiveLaws::reach(const Eigen::VectorXd& q, double dt, const LawMemory& memory) const {
  if (system_.has_fixed_laws()) return kInfinity;  // nobody needs to find them
  const double prevented_way = dt * memory.largest_prevented_speed();
  const double closed = closed_gap({.terms = largest_terms(q), .held = true, .prevented_way = prevented_way}, tolerances_);
  if (const double half_size = system_.largest_half_size(); half_size > 0.0)
    return std::max(rest_band({.half_size = half_size}), closed);
  return prevented_way + closed;
}

void ActiveLaws::find(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory,
                      LawStep& step) {
  find_closed(evaluator, list, at, dt, memory, step, false);
}

void ActiveLaws::join_resting(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory,
                              LawStep& step) {
  if (list.place.empty() && is_hit(at.u, memory)) find_closed(evaluator, list, at, dt, memory, step, true);
}

/// Whether a contact closes that was open in the last steps.
bool ActiveLaws::is_hit(const Eigen::VectorXd& u_B, const LawMemory& memory) const {
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    const bool lands = law(a).kind == ForceLaw::Kind::kContact && !memory.rested(memory.place(active_[a]));
    if (lands && relative_velocity(row, u_B) < 0.0) return true;
  }
  return false;
}

void ActiveLaws::find_closed(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory,
                             LawStep& step, bool with_hopping) {
  const Eigen::VectorXd& q = at.q;
  // Impacts by other laws come before the motion, and know no gap.
  const bool has_band = !list.place.empty() && system_.impact_law() == ImpactLaw::kNewton;
  list_ = &list;
  memory.align(list);
  step.begin(list, system_.laws());
  active_.clear();
  sizes_.clear();
  W_.clear();
  chi_.clear();
  warm_start_.clear();
  prevented_.clear();
  rest_way_.clear();
  slid_.clear();
  rested_.clear();
  falling_.clear();
  rolls_.clear();
  rolled_count_ = 0;
  narrowest_band_ = kInfinity;
  const double most_terms = largest_terms(q);
  for (int k = 0; k < list.size(); ++k) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(list.law[static_cast<size_t>(k)])];
    const int place = memory.place(k), first_column = W_.columns();
    GapView view = memory.view(place, list.gap[k], 0.0, dt);
    const bool hops = with_hopping && memory.rested(place) && view.gap <= view.prevented_way;
    const bool open = law.kind == ForceLaw::Kind::kContact && !hops && !is_closed({.gap = view.gap}, tolerances_);
    const bool banded = has_band && list.place[static_cast<size_t>(k)].is_known();
    const double band = banded ? rest_band(list.place[static_cast<size_t>(k)]) : 0.0;
    const bool near = view.gap <= band;
    if (open && !near && !view.held && !is_closed({.gap = view.gap, .terms = most_terms}, tolerances_)) continue;
    const int rolling_contact = law.rolling ? find_rolling_contact(list, k) : -1;
    if (list.id[static_cast<size_t>(k)].rolls() && rolling_contact < 0) continue;
    evaluator.append_directions(list, k, W_, chi_);
    // What comes to rest within the band acts before it touches. What comes faster waits: its restitution belongs to the impact.
    const bool comes_to_rest = open && near && -relative_velocity(first_column, at.u) * dt <= band;
    if (open && !comes_to_rest) {
      view.terms = size_of_gap_terms(first_column, q);
      if (!is_closed(view, tolerances_)) {
        W_.truncate(first_column);
        chi_.resize(static_cast<size_t>(first_column));
        continue;
      }
    }
    if (any_rolls_) note_rolling(list, k, first_column, rolling_contact);
    active_.push_back(k);
    step.acted[k] = 1.0;
    sizes_.push_back(law.rows);
    memory.append_impulse(place, list, k, law.rows, warm_start_);
    prevented_.push_back(memory.prevented_speed(place));
    if (band > 0.0) narrowest_band_ = std::min(narrowest_band_, band);
    rest_way_.push_back(band > 0.0 ? std::max(0.0, view.gap) : 0.0);
    if (!any_falls_) continue;
    const std::optional<bool> slid = memory.slid(place);
    slid_.push_back(!slid ? 0 : *slid ? 2 : 1);
    rested_.push_back(memory.rested(place) ? 1 : 0);
  }
}

void ActiveLaws::remember(const LawStep& step, LawMemory& memory) const {
  memory.keep_impulses(step);
  for (int a = 0; a < size(); ++a) {
    memory.set_prevented_speed(memory.place(active_[a]), prevented_[a]);
    if (any_falls_ && falling_.falls(a)) memory.set_slid(memory.place(active_[a]), falling_.slides(a));
  }
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
  if (any_rolls_) {
    solve_with_rolling(dt, report);
  } else if (any_falls_) {
    solve_with_falling_friction(dt, report);
  } else {
    solve_inclusion_problem(report);
  }
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
      if (k == 0 && rest_way_[a] > 0.0) problem_.c[row] += rest_way_[a] / dt;
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

/// The residual to which the problem is solved. What is accepted anyway bounds how exact it is by itself.
double ActiveLaws::aim() const {
  if (options_.aim) return *options_.aim;
  const bool many = !list_->place.empty() && size() > kManyContacts;
  return many ? std::max(options_.tolerance, std::min(kAimOfMany, accepted())) : options_.tolerance;
}

double ActiveLaws::accepted() const {
  if (options_.accepted) return *options_.accepted;
  if (list_->place.empty() || size() <= kContactsOfHeaps) return kAccepted;
  return size() <= kContactsOfLargeHeaps ? kAcceptedOfHeaps : kAcceptedOfLargeHeaps;
}

/// What options_.most_sweeps leaves: plain sweeps, then such with momentum, until the aim is reached or they are spent.
template <class Count>
void ActiveLaws::sweep_at_most(Count&& count) {
  const int plain = std::min(kFirstSweeps, options_.most_sweeps);
  for (const auto& [method, sweeps] :
       {std::pair{ContactMethod::kGaussSeidel, plain}, {ContactMethod::kMomentum, options_.most_sweeps - plain}}) {
    if (sweeps == 0) return;
    solver_.solve(problem_, {.method = method, .tolerance = aim(), .max_iterations = sweeps}, solution_);
    count();
    if (solution_.residual <= aim() || solution_.status == SolveStatus::kNotFinite) return;
  }
}

/// Heaps of found contacts: where they rest, accelerated sweeps from the last step reach the tolerance. Where they move, the last digits cost ten
/// times what the rest of the step does: sweeps with momentum up to what is accepted, and true if they get there.
template <class Count>
bool ActiveLaws::sweep_heap(Count&& count) {
  struct Part {
    ContactMethod method;
    double tolerance;
    int iterations;
  };
  const double aimed_at = aim(), will_do = std::max(aimed_at, accepted());
  if (!(will_do > options_.tolerance)) return false;
  for (const Part& part :
       {Part{ContactMethod::kGaussSeidel, aimed_at, kFirstSweeps}, Part{ContactMethod::kNewton, aimed_at, 3},
        Part{ContactMethod::kMomentum, aimed_at, kAcceleratedSweeps}, Part{ContactMethod::kMomentum, will_do, 3000}}) {
    if (part.method == ContactMethod::kNewton && !(solution_.residual <= kNearRest)) continue;
    solver_.solve(problem_, {.method = part.method, .tolerance = part.tolerance, .max_iterations = part.iterations},
                  solution_);
    count();
    const bool last_digits = part.method == ContactMethod::kGaussSeidel || part.method == ContactMethod::kNewton;
    if (solution_.residual <= (last_digits ? aimed_at : will_do)) return true;
  }
  return false;
}

/// Solves problem_, from solution_.Lambda.
void ActiveLaws::solve_inclusion_problem(StepReport& report) {
  const bool has_enough = options_.enough > 0.0;
  const double will_do = std::max(options_.enough, accepted());
  const auto judged = [&] {
    if (solution_.converged() || !has_enough) return solution_.residual;
    const double largest_c = problem_.c.cwiseAbs().maxCoeff();
    return solution_.residual * (largest_c / std::max(largest_c, largest_prevented_speed()));
  };
  const auto count = [&] {
    report.methods_tried += std::max(1, static_cast<int>(solver_.stages().size()));  // none if the start was the solution
    report.iterations += solution_.iterations;
  };
  constexpr int kFewRows = 100;  // to insist costs too much in a heap
  const bool insist = !has_enough && W_.columns() <= kFewRows;
  const bool found = !list_->place.empty(), limited = found && options_.most_sweeps > 0;
  if (limited) sweep_at_most(count);
  const bool done = limited || (found && size() > kContactsOfHeaps && sweep_heap(count));
  for (const SolveEffort effort : {SolveEffort::kFull, SolveEffort::kInsist}) {
    if (done) break;
    const bool at_once = insist || will_do == 0.0;
    solver_.solve(
        problem_,
        {.tolerance = aim(), .effort = at_once ? SolveEffort::kInsist : effort, .enough = at_once ? 0.0 : accepted()},
        solution_);
    count();
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
  if (residual <= aim() || (!not_finite && residual <= kAtMost * options_.enough)) return;
  if (!not_finite && residual <= accepted()) {
    report.inexact = true;
    return;
  }
  report.status = not_finite ? StepReport::Status::kNotFinite : StepReport::Status::kNotSolved;
  if (limited && !not_finite) {
    report.culprit = fmt::format(
        "contact_sweeps = {} left a residual of {:.3g}, and contact_tolerance is {:.3g}: allow more "
        "sweeps or a larger residual",
        options_.most_sweeps, residual, accepted());
  }
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
    if (checked.dt > 0.0 && rest_way_[a] > 0.0) {
      xi_[row] += rest_way_[a] / checked.dt;
      terms_[row] += rest_way_[a] / checked.dt;
    }
    const bool expands = checked.compression != nullptr && law.kind != ForceLaw::Kind::kDryFriction;
    check_.add({active_[a], &law, checked.Lambda + row, xi_.data() + row, terms_.data() + row,
                problem_.G.blocks.diagonal_block(a), checked.dt,
                problem_.part.empty() ? 0 : problem_.part[static_cast<size_t>(a)],
                expands ? options_.restitution * law.epsilon[0] * checked.compression[row] : 0.0, by_matrix,
                any_falls_ ? falling_.share(a) : 1.0, checked.compression != nullptr ? checked.compression + row : nullptr});
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

void ActiveLaws::warn_of_narrow_band(double t, double dt, const StepReport& report,
                                     std::vector<std::string>& warnings) const {
  constexpr double kSmall = 0.1;
  if (narrowest_band_ == kInfinity || problem_.c.size() == 0) return;
  const double way = report.residual * problem_.c.cwiseAbs().maxCoeff() * dt;
  if (!(way > kSmall * narrowest_band_)) return;
  const std::string warning = "contacts that rest may open by the error of the solver";
  for (const std::string& other : warnings) {
    if (other.starts_with(warning)) return;
  }
  warnings.push_back(warning + fmt::format(": {:.3g} m in the step to t = {:.6g}, and the rest band is {:.3g} m; take a "
                                           "smaller contact_aim or contact_tolerance, or a larger rest_band",
                                           way, t, narrowest_band_));
}

void ActiveLaws::warn_of_energy_gain(double t, double gained, const LawStep& step, std::vector<std::string>& warnings) {
  if (same_restitution_ || active_.empty() || system_.impact_law() != ImpactLaw::kNewton) return;
  double exchanged = 0.0;  // what the impulses stand for: sum of G_kk Lambda_k^2
  for (int a = 0; a < size(); ++a) {
    const double* G = problem_.G.blocks.diagonal_block(a);
    const double* Lambda = step.impulse.data() + step.first_row[active_[a]];
    for (int k = 0; k < sizes_[a]; ++k) exchanged += G[k * sizes_[a] + k] * Lambda[k] * Lambda[k];
  }
  if (!(gained > kGainOfExchange * exchanged)) return;
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
