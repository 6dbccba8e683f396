// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/impact.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/analyze/impact_laws.h"
#include "tippe/contact/contact_rows.h"
#include "tippe/core/verdict.h"
#include "tippe/hybrid/tolerances.h"
#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/bilateral_rows.h"
#include "tippe/integrate/constraint_names.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/model/massless.h"
#include "tippe/modes/modes.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

constexpr double kTolerance = 1e-14;  // of the contact solver,
constexpr double kEnough = 1e-10;     // and where it stalls

class ImpactAtState {
 public:
  ImpactAtState(const System& system, const State& state, const std::vector<bool>& closed, double restitution)
      : system_(system),
        state_(state),
        restitution_(restitution),
        evaluator_(system.make_evaluator()),
        loose_(loose_velocities(system)),
        rows_(system),
        mass_(system.nu(), mass_pattern(), rows_.W()),
        laws_(system, {.tolerance = kTolerance, .enough = kEnough, .restitution = restitution}),
        list_(list_of_fixed_laws(system.laws())),
        step_(system.laws()) {
    list_.gap.setConstant(std::numeric_limits<double>::infinity());
    evaluator_->set_state(state.t, state.q, state.u);
    for (int i = 0; i < static_cast<int>(closed.size()); ++i) {
      const ForceLaw::Kind kind = system.laws()[i].kind;
      const bool takes_part = kind == ForceLaw::Kind::kOneWay || (kind == ForceLaw::Kind::kContact && closed[i]);
      if (!takes_part || is_loose(i)) continue;
      outcome_.closed.push_back(i);
      list_.gap[i] = 0.0;
    }
  }

  ImpactOutcome resolve() {
    u_ = state_.u;
    if (prepare()) {
      u_before_ = u_;
      by_matrix_ = laws_.matrix_governs();
      const bool newton = system_.impact_law() == ImpactLaw::kNewton;
      if (by_matrix_)
        resolve_by_matrix();
      else if (newton && !any_friction(outcome_.closed))
        resolve_without_friction();
      else if (!newton || !resolve_by_modes(enumerates_impact)) {
        resolve_by_solver();
        if (is_done()) look_for_others();
      }
    }
    outcome_.u = u_;
    outcome_.impulse = step_.impulse;
    if (is_done()) book();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool is_done() const { return outcome_.status == ImpactOutcome::Status::kDone; }

  /// Velocities without mass take no impulse. They are left as they are, with some mass, and laws that move with them take no part.
  [[nodiscard]] std::vector<LowerEntry> mass_pattern() const {
    std::vector<LowerEntry> pattern = system_.mass_pattern();
    for (const int velocity : loose_) pattern.push_back({velocity, velocity});
    return pattern;
  }
  [[nodiscard]] bool is_loose(int law) {
    SparseColumns W;
    std::vector<double> chi;
    if (!loose_.empty()) evaluator_->append_directions(list_, law, W, chi);
    return std::any_of(loose_.begin(), loose_.end(),
                       [&](int velocity) { return std::find(W.row.begin(), W.row.end(), velocity) != W.row.end(); });
  }
  void give_mass(ImpactProblem& problem) const {
    for (const int velocity : loose_) problem.M(velocity, velocity) = 1.0;
  }

  /// The kinetics, and velocities that keep the constraints.
  bool prepare() {
    evaluator_->set_state(state_.t, state_.q, state_.u);
    evaluator_->evaluate_dynamics(dynamics_);
    dynamics_.M.resize(system_.mass_pattern().size() + loose_.size(), 1.0);
    if (!rows_.evaluate(*evaluator_, report_))
      return end_with(ImpactOutcome::Status::kNotSolved, report_.culprit + " is not finite");
    if (!mass_.factorize(dynamics_.M, rows_.W()))
      return end_with(ImpactOutcome::Status::kNotSolved, describe_massless(system_, mass_.massless_direction()));
    if (!rows_.keep(mass_, u_, report_)) return end_with(ImpactOutcome::Status::kNoSolution, report_.culprit);
    laws_.find(*evaluator_, list_, {state_.q, state_.u}, 0.0, memory_, step_);
    laws_.assemble(mass_, u_, step_);
    kinetic_length_.setZero(static_cast<Eigen::Index>(system_.laws().size()));
    const std::vector<int>& active = laws_.active();
    for (int a = 0; a < laws_.size(); ++a)
      kinetic_length_[active[a]] = std::sqrt(laws_.problem().G.blocks.diagonal_block(a)[0]);
    return true;
  }

  bool end_with(ImpactOutcome::Status status, std::string note) {
    outcome_.status = status;
    outcome_.note = std::move(note);
    return status == ImpactOutcome::Status::kDone;
  }

  /// The impact as a problem without a system, from velocities that keep the constraints.
  [[nodiscard]] ImpactProblem problem_from(const VectorXd& u) {
    State kept = state_;
    kept.u = u;
    ImpactProblem problem = impact_of(system_, kept, outcome_.closed, *evaluator_);
    give_mass(problem);
    problem.restitution *= restitution_;
    problem.tangential_restitution *= restitution_;
    return problem;
  }

  /// False if it remains to the solver: also where no mode is consistent, as what satisfies the laws themselves is a solution.
  bool resolve_by_modes(bool (*suits)(const ImpactProblem&)) {
    const ImpactProblem problem = problem_from(u_);
    if (!suits(problem)) return false;
    const ModeList list = list_impact_modes(problem);
    outcome_.iterations = list.cases;
    if (list.modes.empty()) {
      if (list.complete) no_mode_ = list.note.empty() ? "no velocities and impulses satisfy the impact law" : list.note;
      return false;
    }
    const ChosenImpact chosen = choose_impact(list);
    const ConsistentMode* const best = chosen.mode;
    outcome_.residual = best->residual;
    if (list.complete) outcome_.alternatives = chosen.others;
    note_alternatives("this one loses least energy");
    report_.residual = std::max(best->residual, kVerdictTolerance);  // conditions of modes hold up to that
    laws_.collide_by(impulses_of(*best, problem), mass_, u_, step_, report_);
    if (!report_.ok()) fail();
    return true;
  }

  /// Rows of all laws.
  [[nodiscard]] VectorXd impulses_of(const ConsistentMode& mode, const ImpactProblem& problem) const {
    VectorXd impulse = VectorXd::Zero(step_.impulse.size());
    Eigen::Index next = 0;
    for (size_t i = 0; i < problem.unilateral.size(); ++i) {
      const int law = outcome_.closed[i], first = step_.first_row[law];
      const FrictionTangents friction(system_.laws()[law]);
      impulse[first] = mode.forces[next++];
      for (int k = 0; k < problem.unilateral[i].tangent_count(); ++k)
        impulse[first + friction.row(k)] = friction.scale(k) * mode.forces[next++];
    }
    return impulse;
  }

  void note_alternatives(const char* choice) {
    if (const int others = outcome_.alternatives.value_or(0); others > 0)
      outcome_.note = fmt::format("{} other outcome{} consistent too: {}", others, others == 1 ? " is" : "s are", choice);
  }

  /// Of what the solver found, which does not look for more than one.
  void look_for_others() {
    if (laws_.size() == 0 || !any_friction(outcome_.closed)) return;
    if (const int others = count_other_outcomes(problem_from(u_before_), u_); others > 0) outcome_.alternatives = others;
    note_alternatives("there may be more, and no rule chooses");
  }

  void resolve_by_solver() {
    if (laws_.size() == 0) return;
    laws_.collide(mass_, u_, step_, report_);
    outcome_.residual = report_.residual;
    outcome_.iterations += report_.iterations;
    if (!report_.ok()) fail();
  }

  void fail() {
    if (no_mode_)
      end_with(ImpactOutcome::Status::kNoSolution, *no_mode_);
    else
      end_with(ImpactOutcome::Status::kNotSolved, describe_failure(system_, report_, state_));
    outcome_.worst_law = report_.worst_law;
  }

  /// The solver does not tell problems without a solution, and needs contacts that the constraints do not hold alone.
  void resolve_without_friction() {
    constexpr size_t kMostDense = 40;  // contacts; the quadratic program took 0.15 s for 24
    const LawStep step_before = step_;
    resolve_by_solver();
    if (!is_done() && report_.status == StepReport::Status::kNotSolved && outcome_.closed.size() <= kMostDense) {
      report_ = {};
      u_ = u_before_;
      step_ = step_before;
      end_with(ImpactOutcome::Status::kDone, "");
      if (!resolve_by_modes([](const ImpactProblem&) { return true; })) {
        end_with(no_mode_ ? ImpactOutcome::Status::kNoSolution : ImpactOutcome::Status::kNotSolved,
                 no_mode_.value_or("no velocities were found that satisfy the impact law"));
      }
    }
    if (is_done()) outcome_.alternatives = 0;  // the velocities are unique
  }

  void resolve_by_matrix() {
    const KinematicImpact kinematic = judge(system_.restitution_matrix()->laws);
    if (!kinematic.exists) {
      end_with(ImpactOutcome::Status::kNoSolution, fmt::format("{}", fmt::join(kinematic.reasons, " ")));
      return;
    }
    resolve_by_solver();
    if (is_done() && !any_friction(outcome_.closed)) outcome_.alternatives = 0;
  }

  /// By the matrix and Newton's law for what is hit beside its contacts.
  [[nodiscard]] KinematicImpact judge(const std::vector<int>& laws) {
    ImpactProblem problem = impact_of(system_, state_, laws, *evaluator_);
    set_restitution_matrix(system_, laws, problem);
    give_mass(problem);
    problem.restitution *= restitution_;
    return judge_kinematic_impact(problem);
  }

  [[nodiscard]] bool any_friction(const std::vector<int>& laws) const {
    return std::any_of(laws.begin(), laws.end(), [&](int i) { return system_.laws()[i].has_friction(); });
  }

  /// Brogliato A (77): p >= 0, v+ >= 0, and energy that does not rise.
  void note_admissibility() {
    std::vector<int> laws = system_.restitution_matrix()->laws;
    for (const int i : outcome_.hit) {
      if (std::find(laws.begin(), laws.end(), i) == laws.end()) laws.push_back(i);
    }
    if (any_friction(laws)) {
      outcome_.note = "the restitution matrix is not judged: contacts with friction were hit too";
      return;
    }
    const KinematicImpact kinematic = judge(laws);
    if (kinematic.reasons.empty()) return;
    outcome_.note = fmt::format("the restitution matrix is not admissible here. {}", fmt::join(kinematic.reasons, " "));
    if (!kinematic.wide_angles.empty()) outcome_.note += " " + kinematic.wide_angles;
  }

  void book() {
    const VectorXd change = u_ - state_.u;
    ConstraintStep constraints;
    constraints.on_velocities.setZero(system_.nu());
    constraints.impulse.setZero(static_cast<Eigen::Index>(system_.constraints().size()));
    VectorXd impulse;
    mass_.multiply(change, impulse);
    laws_.subtract_impulses(step_, impulse);
    rows_.book(mass_, impulse, u_, constraints, report_);
    outcome_.constraints = constraints.impulse;
    outcome_.lost_by_law = step_.lost;
    outcome_.work = report_.work_done;
    if (dynamics_.drive_momentum.size() > 0) outcome_.work += dynamics_.drive_momentum.dot(change);
    outcome_.lost = report_.lost_in_contacts;
    find_hit();
    if (by_matrix_)
      note_admissibility();
    else
      warn_of_energy_gain();
  }

  /// Of a law in kinetic units, sqrt(J).
  [[nodiscard]] double size_of_impulse(int law) const {
    return step_.impulse.segment(step_.first_row[law], system_.laws()[law].rows).norm() * kinetic_length_[law];
  }

  /// What is round-off of the largest impulse is none.
  void find_hit() {
    double largest = 0.0;
    for (const int i : outcome_.closed) largest = std::max(largest, size_of_impulse(i));
    for (const int i : outcome_.closed) {
      if (size_of_impulse(i) > kNoImpulse * largest) outcome_.hit.push_back(i);
    }
  }

  void warn_of_energy_gain() {
    double exchanged = 0.0;
    for (const int i : outcome_.closed) exchanged = std::max(exchanged, std::pow(size_of_impulse(i), 2));
    constexpr double kGain = 1e-9;
    if (!(outcome_.lost < -kGain * exchanged)) return;
    outcome_.note += fmt::format("{}the energy rises by {:.6g} J", outcome_.note.empty() ? "" : "; ", -outcome_.lost);
    if (system_.impact_law() == ImpactLaw::kNewton) outcome_.note += ", as it may under Newton's law; consider Poisson's";
  }

  const System& system_;
  const State& state_;
  const double restitution_;
  bool by_matrix_ = false;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<int> loose_;
  BilateralRows rows_;
  ConstrainedMass mass_;
  ActiveLaws laws_;
  LawList list_;      // gaps: 0 of the laws that take part
  LawMemory memory_;  // nothing: an impact knows no steps before it
  LawStep step_;
  StepReport report_;
  Dynamics dynamics_;
  VectorXd u_, u_before_;    // u_before_: with the constraints kept
  VectorXd kinetic_length_;  // of the normals, per law
  std::optional<std::string>
      no_mode_;  // none of them is consistent, up to a tolerance that rows of very different units miss: why
  ImpactOutcome outcome_;
};

}  // namespace

ImpactOutcome resolve_impact(const System& system, const State& state, const std::vector<bool>& closed, double restitution) {
  return ImpactAtState(system, state, closed, restitution).resolve();
}

}  // namespace tippe
