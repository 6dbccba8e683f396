// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/consistent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tippe/integrate/constraint_names.h"
#include "tippe/integrate/tolerances.h"

namespace tippe {
namespace {

constexpr const char* kMotionImpulse = "motion.impulse";
constexpr double kOfTolerance = 0.3;  // how much better inclusion problems are solved than the step must be

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
      equations_(fitting_description(system, scheme), scheme.motion, options.friction, options.variants),
      evaluation_(equations_),
      evaluator_(system.make_evaluator()),
      mass_(system, *evaluator_),
      laws_in_step_(system, {.closed_tolerance = options.closed_tolerance,
                             .tolerance = kOfTolerance * options.tolerance,
                             .closed_round_off = kZeroOfTerms,
                             .enough = options.tolerance}),
      motion_laws_(system, equations_, scheme.impacts == ImpactScheme::kOneStep),
      newton_(equations_, evaluation_, motion_laws_,
              {options.tolerance, kOfTolerance * options.tolerance, options.projected_newton}),
      reversal_(laws_in_step_, motion_laws_) {
  motion_share_.resize(equations_.layout().velocities);
  motion_impulse_ = laws_.impulse;
  if (options.step_tolerance) refinement_.emplace(system, *options.step_tolerance);
}

void Consistent::save_memory(NamedArrays& memory) const {
  if (refinement_) refinement_->save(memory);
  if (system_.laws().empty()) return;
  memory_.save(memory);
  memory.begin_array(kMotionImpulse).assign(motion_impulse_.begin(), motion_impulse_.end());
}

void Consistent::restore_memory(const NamedArrays& memory) {
  if (refinement_) refinement_->restore(memory);
  if (system_.laws().empty()) return;
  const std::span<const double> impulses = memory.at(kMotionImpulse, static_cast<size_t>(motion_impulse_.size()));
  memory_.restore(memory);
  std::copy(impulses.begin(), impulses.end(), motion_impulse_.begin());
}

StepReport Consistent::step(State& state, double dt) {
  trace_.begin(state);
  if (refinement_)
    return refinement_->step(state, dt, {laws_, constraints_, memory_, motion_impulse_},
                             [this](State& end, double length) { return advance(end, length); });
  return halving_.step(state, dt, laws_, constraints_, memory_,
                       [this](State& end, double length) { return advance(end, length); });
}

/// A failure leaves the state and the memory as they were.
StepReport Consistent::advance(State& state, double dt) {
  StepReport report;
  constraints_.impulse.setZero();
  constraints_.on_velocities.setZero();
  constraints_.redundant = false;
  constraints_.residual = 0.0;
  u_C_ = state.u;
  if (!solve_step(state, dt, report)) return report;
  finish_step(state, dt, report);
  // These two are of schemes that keep contacts by velocities.
  report.lost_along_normals = report.lost_by_scheme = 0.0;
  return report;
}

/// The impact, and the motion after it.
bool Consistent::solve_step(const State& state, double dt, StepReport& report) {
  const bool begins = find_laws(state, dt, report) && mass_.factorize(*evaluator_, report.active_laws > 0, report);
  if (begins && report.active_laws > 0) apply_impact(state, report);
  impact_failed_ = begins && !report.ok();
  if (!begins || impact_failed_) return false;
  begin_motion(dt);
  if (!solve_motion(state, dt, report) || !stop_reversed_slips(state, dt, report)) return false;
  if (motion_laws_.rows() == 0) return true;
  motion_laws_.check(evaluation_.memory(newton_.x()), dt, std::max(options_.tolerance, report.residual), report);
  return report.ok();
}

/// Which laws act: those that are closed where the step begins.
bool Consistent::find_laws(const State& state, double dt, StepReport& report) {
  evaluator_->set_state(state.t, state.q, state.u);
  if (system_.laws().empty()) return true;
  evaluator_->find_laws(laws_in_step_.reach(state.q, dt, memory_), list_);
  if (!list_.gap.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, Eigen::VectorXd(), list_);
    return false;
  }
  laws_in_step_.find(*evaluator_, list_, {state.q, state.u}, dt, memory_, laws_);
  report.active_laws = laws_in_step_.size();
  return true;
}

/// u_C, and what the constraints did in it.
void Consistent::apply_impact(const State& state, StepReport& report) {
  laws_in_step_.assemble(mass_.mass(), state.u, laws_);
  if (scheme_.impacts == ImpactScheme::kBefore) {
    laws_in_step_.collide_until_apart(mass_.mass(), u_C_, laws_, report);
    if (report.ok()) laws_in_step_.warn_of_energy_gain(state.t, -report.lost_in_contacts, laws_, warnings_);
  }
  laws_in_step_.forget_prevented_speeds(laws_);
  if (scheme_.impacts != ImpactScheme::kBefore || system_.constraints().empty()) return;
  change_ = u_C_ - state.u;
  mass_.mass().multiply(change_, constraint_impulse_);
  laws_in_step_.subtract_impulses(laws_, constraint_impulse_);
}

/// Rows that depend on others where the step begins hold by themselves and are left out; if one does not in the end, their
/// dependence ends there (a singular position), and all rows are taken.
bool Consistent::solve_motion(const State& state, double dt, StepReport& report) {
  const std::vector<int>& redundant = mass_.redundant_rows();
  bool solved = solve_or_report(state, dt, report);
  if (solved && !redundant.empty() && !newton_.dropped_rows_hold(mass_.dropped(), mass_.holonomic())) {
    mass_.take_all_rows();
    solved = solve_or_report(state, dt, report);
  }
  if (!solved && !redundant.empty() && report.status == StepReport::Status::kNotSolved) {
    report.status = StepReport::Status::kContradiction;
    report.culprit =
        fmt::format("the constraints {} contradict each other: {}", name_constraints(system_, redundant), report.culprit);
  }
  return solved;
}

bool Consistent::solve_or_report(const State& state, double dt, StepReport& report) {
  if (newton_.solve(state, u_C_, dt, mass_.dropped(), report)) {
    report.residual = std::max(report.residual, newton_.residual());
    report.status = StepReport::Status::kOk;
    report.culprit.clear();
    return true;
  }
  report.residual = newton_.residual();
  report.status = newton_.r().allFinite() ? StepReport::Status::kNotSolved : StepReport::Status::kNotFinite;
  describe_worst_row(dt, report);
  return false;
}

/// end_ and path_, by the solution.
void Consistent::find_end(const State& state, double dt) {
  const Eigen::VectorXd& end = evaluation_.end(newton_.x());
  end_.t = state.t + dt;
  end_.q = end.head(system_.nq());
  end_.u = newton_.x().head(system_.nu());
  path_ = end.tail(system_.nu());
}

/// Again with what friction acts on changed, as often as a solution asks for it.
bool Consistent::stop_reversed_slips(const State& state, double dt, StepReport& report) {
  if (equations_.laws_on_end_velocity().empty()) return true;
  reversal_.begin();
  const auto must_change = [&] {
    find_end(state, dt);
    return reversal_.find(list_, u_C_, end_, path_, dt, *evaluator_);
  };
  while (must_change()) {
    const double residual = report.residual;
    if (solve_motion(state, dt, report)) continue;
    // As if it had not been tried.
    report.residual = residual;
    begin_motion(dt);
    return solve_motion(state, dt, report);
  }
  return true;
}

void Consistent::finish_step(State& state, double dt, StepReport& report) {
  const StepEvaluation::Energy energy = evaluation_.energy(newton_.x());
  report.lost_in_damping += energy.lost_in_damping;
  report.work_done += energy.work_done;
  find_end(state, dt);
  state = end_;
  trace_.u_start = u_C_;
  if (!system_.laws().empty()) book_laws(state.t, dt, report);
}

void Consistent::book_laws(double t, double dt, StepReport& report) {
  motion_impulse_.setZero();
  if (report.active_laws > 0) {
    motion_impulse_ -= laws_.impulse;
    motion_laws_.book(path_, dt, laws_.first_row, laws_, report);
    motion_impulse_ += laws_.impulse;
    for (int a = 0; a < report.active_laws; ++a) laws_in_step_.add_prevented_speed(a, motion_laws_.prevented_speed(a));
    const Residual& inclusion = newton_.inclusion_residual();
    if (newton_.residual() == inclusion.relative && inclusion.worst_block >= 0)
      report.worst_law = laws_in_step_.id(inclusion.worst_block);
  }
  if (scheme_.impacts == ImpactScheme::kOneStep)
    laws_in_step_.warn_of_energy_gain(t, -report.lost_in_contacts, laws_, warnings_);
  if (!system_.constraints().empty()) book_constraints(report);
  laws_in_step_.remember(laws_, memory_);
}

/// Impulses of the impact and of the motion; of least norm where they are not unique.
void Consistent::book_constraints(StepReport& report) {
  const StepEquations::Layout& layout = equations_.layout();
  evaluation_.constraint_impulse(newton_.x(), motion_share_);
  const bool impact = laws_in_step_.size() > 0 && scheme_.impacts == ImpactScheme::kBefore;
  constraints_.on_velocities += motion_share_;
  if (impact) constraints_.on_velocities += constraint_impulse_;
  if (mass_.redundant_rows().empty()) {
    constraints_.impulse += newton_.x().segment(layout.position_rows(), layout.constraints);
  } else {
    constraints_.redundant = true;
    mass_.mass().multipliers(motion_share_, multipliers_);
    constraints_.impulse += multipliers_;
  }
  if (impact) {
    mass_.mass().multipliers(constraint_impulse_, multipliers_);
    constraints_.impulse += multipliers_;
    report.work_done -= mass_.chi().dot(multipliers_);  // a constraint that is driven gives energy in an impact too
  }
  constraints_.residual =
      layout.has_kappa ? newton_.r().segment(layout.velocity_rows(), layout.constraints).cwiseAbs().maxCoeff() : 0.0;
}

void Consistent::describe_worst_row(double dt, StepReport& report) const {
  const StepEquations::Layout& layout = equations_.layout();
  const int n = layout.velocities, positions = layout.position_rows();
  const Residual& inclusion = newton_.inclusion_residual();
  const Eigen::VectorXd& r = newton_.r();
  const bool finite = r.allFinite();
  int row = 0;
  for (int i = 0; i < r.size(); ++i) {
    if (finite ? newton_.relative_row(i) > newton_.relative_row(row) : !std::isfinite(r[i])) row = i;
  }
  std::string name;
  if (finite && motion_laws_.rows() > 0 && inclusion.worst_block >= 0 && inclusion.relative > newton_.relative_row(row)) {
    report.worst_law = laws_in_step_.id(inclusion.worst_block);
    name = fmt::format("the law '{}'", system_.law_name(*report.worst_law));
  } else if (row >= layout.coordinate_rows() && row < positions) {
    name = "the kinematic equation of a body or of velocities of one's own choice";
  } else if (row < positions) {
    name = fmt::format("the {} of {}", row < n ? "momentum" : "velocity", force_target(system_, row % n));
  } else {
    name = fmt::format("the constraint '{}'", system_.constraints()[(row - positions) % layout.constraints].name);
  }
  report.culprit =
      finite ? fmt::format("the equations of a step of {:.3g} were not solved: residual {:.3g} in {} after {} iterations",
                           dt, newton_.residual(), name, report.iterations)
             : name;
}

}  // namespace tippe
