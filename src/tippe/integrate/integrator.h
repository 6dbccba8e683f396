// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/contact/law_memory.h"
#include "tippe/contact/law_step.h"
#include "tippe/core/named_arrays.h"
#include "tippe/integrate/event.h"
#include "tippe/model/system.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// What one step did, in numbers.
struct StepReport {
  enum class Status {
    kOk,
    kNotSolved,      // no method met the tolerance: residual and worst_law tell how far and where
    kContradiction,  // bilateral constraints contradict each other: culprit names them
    kMassSingular,   // the mass matrix lost its definiteness, and the constraints do not hold the massless directions
    kNotFinite,      // a force, a gap or a velocity is infinite or not a number
  };
  Status status = Status::kOk;
  double residual = 0.0;  // largest measured residual of the problems that the step solved, without a unit
  int iterations = 0;     // of all methods that were tried
  int methods_tried = 0;  // stages of the contact solver, at least 1 for each problem; 0 if no law was active
  int active_laws = 0;
  bool inexact = false;  // the residual is above the tolerance, and was accepted
  int ambiguous = 0;     // laws with friction that falls which slide on, and could have stuck as well
  int rejected = 0;      // how often an adaptive scheme tried a step that was not accurate enough
  int halvings = 0;      // how often the step was cut in two: its equations could not be solved, or its error was too large
  std::string culprit;   // what is not finite, contradicts or is not solved, where a step knows it: "the force on phi"
  std::optional<LawId> worst_law;   // law with the largest share of the residual
  double lost_in_contacts = 0.0;    // J   -sum Lambda_i . (mean of gamma over the step, as the scheme has it)
  double lost_along_normals = 0.0;  // J   of it, along the normals of contacts
  double lost_by_scheme = 0.0;      // J   of that, by contacts that stayed closed: no motion loses energy there
  double lost_in_damping = 0.0;     // J
  double fed_by_damping =
      0.0;  // J  that damping fed in although it took energy where the step began: the step is too long for it
  double work_done = 0.0;  // J   by given forces, moving supports and prescribed motions (without Energies::drive)

  double pushed_out = 0.0;  // J   that T + V rose by when contacts were pushed out

  [[nodiscard]] bool ok() const { return status == Status::kOk; }
};

/// What the bilateral constraints did in the last step of a system with force laws. (Without laws their forces follow from the
/// state alone, see ConstrainedMotion.)
struct ConstraintStep {
  Eigen::VectorXd impulse;        // N s  of each constraint; of least norm where not unique
  Eigen::VectorXd on_velocities;  // N s  on each velocity: W times the impulses
  double residual = 0.0;          // m/s  largest |gamma| that the step left, at the directions that it used
  bool redundant = false;         // the impulses are not unique
};

/// What somebody who checks a step needs beside its ends and its impulses. Empty for schemes that make none of it.
struct StepTrace {
  Eigen::VectorXd u_start;           // with which the motion began: after the impacts before it, on the constraints
  Eigen::VectorXd moved_q, moved_u;  // by what followed when the equations were solved: pushing out, projections

  /// Of a step that corrects nothing.
  void begin(const State& state) {
    u_start = state.u;
    moved_q.setZero(state.q.size());
    moved_u.setZero(state.u.size());
  }
};

class AdaptiveIntegrator;

/// A time-stepping scheme bound to one system.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Advances the state by dt. On failure the state is where the failed step left it and must not be used.
  virtual StepReport step(State& state, double dt) = 0;
  /// What a scheme can do that chooses its steps itself; nullptr if it cannot.
  [[nodiscard]] virtual AdaptiveIntegrator* adaptive() { return nullptr; }

  [[nodiscard]] const LawStep& last_laws() const { return laws_; }
  [[nodiscard]] const ConstraintStep& last_constraints() const { return constraints_; }
  [[nodiscard]] const StepTrace& last_trace() const { return trace_; }
  /// The contact problem that was solved last, or nullptr if the integrator solves none. It is one of the last step if that
  /// step's report has methods_tried > 0: the only one, or after Poisson's and Moreau's impacts the one of the motion after them; in
  /// a failed step the one that was not solved.
  [[nodiscard]] virtual const InclusionProblem* last_problem() const { return nullptr; }
  /// The transitions of the last step; empty for schemes that do not look for them.
  [[nodiscard]] const std::vector<Event>& last_events() const { return events_; }
  /// What a user should know of the steps so far.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  void restore_warnings(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }

  /// All that the next step depends on beside the state, in arrays with names: an integrator that gets it back repeats the step to the bit.
  /// What laws leave to later steps is kept by their identity.
  [[nodiscard]] NamedArrays memory() const {
    NamedArrays memory;
    save_memory(memory);
    return memory;
  }
  /// The same into arrays that are kept, so that saving every step allocates nothing.
  virtual void save_memory(NamedArrays& memory) const = 0;
  /// `memory`: of an integrator of the same kind for the same system, else std::invalid_argument is thrown.
  virtual void restore_memory(const NamedArrays& memory) = 0;
  /// Between two steps: the state is another one than that which the last step left.
  virtual void follow_jump() {}
  /// Of all laws at present; empty for schemes that have none.
  [[nodiscard]] virtual std::vector<ContactMode> modes() const { return {}; }
  /// Before the first step: a contact that starts closed has not been open before.
  void hold(const LawId& law) { memory_.hold(law); }

 protected:
  explicit Integrator(const System& system) : laws_(system.laws()) {
    constraints_.impulse.setZero(static_cast<Eigen::Index>(system.constraints().size()));
    constraints_.on_velocities.setZero(system.nu());
  }
  LawStep laws_;      // what they did in the last step
  LawMemory memory_;  // what they leave to the next ones
  ConstraintStep constraints_;
  StepTrace trace_;
  std::vector<Event> events_;
  std::vector<std::string> warnings_;
};

/// A scheme that chooses the length of its steps by their error. Its step() tries dt and then shorter steps until one is accurate
/// enough: state.t tells how far it went.
class AdaptiveIntegrator : public Integrator {
 public:
  [[nodiscard]] AdaptiveIntegrator* adaptive() override { return this; }
  /// s   the longest step after the last one that should be accurate enough; 0 before the first.
  [[nodiscard]] virtual double proposed_step() const = 0;
  /// Dense output: the state at t within the last step, which must have succeeded. The report holds what was lost and the work
  /// done from the beginning of that step until t. Changes nothing of what the next step depends on.
  virtual StepReport interpolate(double t, State& state) = 0;
  /// What laws and bilateral constraints did from the beginning of the last step until the t of the last interpolate(); nullptr if
  /// that is not known. In a system without laws nobody asks.
  [[nodiscard]] virtual const LawStep* interpolated_laws() const { return nullptr; }
  [[nodiscard]] virtual const ConstraintStep* interpolated_constraints() const { return nullptr; }

 protected:
  using Integrator::Integrator;
};

/// "the force on phi", "the gap of 'beak'": the first number that is not finite, or "".
[[nodiscard]] std::string find_non_finite(const System& system, const Eigen::VectorXd& h, const LawList& laws);

/// One sentence on a failed step, naming the culprit: "the impulses of 'beak' were not found: ...".
[[nodiscard]] std::string describe_failure(const System& system, const StepReport& report, const State& state);

}  // namespace tippe
