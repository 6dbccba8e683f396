// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tippe/hybrid/accumulation.h"
#include "tippe/hybrid/accumulation_closing.h"
#include "tippe/hybrid/current_modes.h"
#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/motion_probe.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/hybrid/smooth_motion.h"
#include "tippe/hybrid/step_books.h"
#include "tippe/hybrid/stiffness.h"
#include "tippe/hybrid/transition_events.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

struct ImpactOutcome;
class MotionObserver;

struct EventDrivenOptions {
  double tolerance = 1e-10;  // 1  of a step's error, relative to the motion
  bool stop_when_not_unique = false;
};

/// Simulates smooth pieces of motion by Taylor polynomials, locates every event between them as a root of a polynomial, and decides from the
/// state how the motion goes on: impacts by the impact law, then contact modes by force-acceleration complementarity with trending conditions
/// (Johnson). Each step belongs to a phase, which the step before it left:
///
///   phase         what its step does                             what follows
///   NotStarted    chooses the first modes                        in the same step Moving, or ImpactDue where a contact closes
///   Moving        a smooth piece, as long as its error allows,   Moving, in modes that are chosen at an event;
///                 or up to an event                              ImpactDue where a contact closes
///   Reacting      where velocities have no mass: chooses modes   as after an event
///                 after an event, and those velocities jump
///   ImpactDue     a jump of the velocities, without duration     ImpactDue where a contact closes again; else Moving;
///                                                                Accumulating where impacts follow each other faster and faster
///   Displaced     chooses modes where something else has         as after an event
///                 changed the state, without duration
///   Accumulating  goes to the limit of infinitely many impacts   ImpactDue where a contact closes; else Moving
class EventDriven final : public AdaptiveIntegrator {
 public:
  EventDriven(const System& system, const EventDrivenOptions& options);

  StepReport step(State& state, double dt) override;
  /// Steps are as long as their error allows, whatever is proposed.
  [[nodiscard]] double proposed_step() const override;
  StepReport interpolate(double t, State& state) override;
  [[nodiscard]] const LawStep* interpolated_laws() const override { return &books_.laws(); }
  [[nodiscard]] const ConstraintStep* interpolated_constraints() const override { return &books_.constraints(); }

  /// Who is told what each step did; nullptr: nobody. Must outlive the steps.
  void set_observer(MotionObserver* observer) { observer_ = observer; }
  void follow_jump() override { phase_ = Displaced{}; }
  [[nodiscard]] std::vector<ContactMode> modes() const override { return modes_.modes; }
  void save_memory(NamedArrays& arrays) const override;
  void restore_memory(const NamedArrays& arrays) override;

 private:
  struct NotStarted {};
  struct Moving {
    bool after_transition = false;  // the motion begins with one: functions may begin at zero
  };
  struct Reacting {
    std::vector<FoundEvent> reached;
  };
  struct ImpactDue {};
  struct Displaced {};
  struct Accumulating {
    AccumulationWatch::Limit limit;
  };
  using Phase = std::variant<NotStarted, Moving, Reacting, ImpactDue, Accumulating, Displaced>;

  // A step of each phase, to the phase of the next step; where the report fails there is none.
  Phase advance(NotStarted, State& state, double dt, StepReport& report);
  Phase advance(Moving moving, State& state, double dt, StepReport& report);
  Phase advance(const Reacting& reacting, State& state, double dt, StepReport& report);
  Phase advance(ImpactDue, State& state, double dt, StepReport& report);
  Phase advance(const Accumulating& accumulating, State& state, double dt, StepReport& report);
  Phase advance(Displaced, State& state, double dt, StepReport& report);

  Phase start(State& state, double dt, StepReport& report);
  void note_speeds_from_rest(const State& state, double horizon);
  Phase react(State& state, const std::vector<FoundEvent>& reached, StepReport& report);
  Phase next_phase(State& state, const Scope& scope, const Occasion& occasion, StepReport& report);
  Phase choose_modes(State& state, const Scope& scope, const Occasion& occasion, StepReport& report);
  Phase take_selection(State& state, const Scope& scope, const ModeSelection& selection, const Occasion& occasion,
                       StepReport& report);
  Phase strike(State& state, const Occasion& occasion, StepReport& report);

  [[nodiscard]] Scope find_scope(const State& state, const ScopeTolerances& tolerances = {});
  [[nodiscard]] Scope rest_loose(State& state, Scope scope);
  bool settle_loose(State& state, StepReport& report);
  void mark_jump(const Eigen::VectorXd& before, const State& state);
  [[nodiscard]] Event take_impact(const ImpactOutcome& outcome, State& state, StepReport& report);
  [[nodiscard]] std::optional<AccumulationWatch::Limit> find_limit(const State& state, double dt);
  void name_singularity(const State& state, StepReport& report);
  bool goes_on(const SmoothMotion::Piece& piece, StepReport& report);
  void note_unchanged(Event event);
  void note_rank(double t);
  void warn_once(double t, const std::string& kind, const std::string& rest);

  const System& system_;
  EventDrivenOptions options_;
  MotionScales scales_;
  MotionProbe probe_;
  SmoothMotion motion_;
  ModeSelector selector_;
  std::unique_ptr<Evaluator> evaluator_;
  AccumulationCloser closer_;

  // What the next step depends on.
  Phase phase_;
  CurrentModes modes_;
  AccumulationWatch accumulation_;
  double since_impact_ = 0.0;  // s  by the steps: the clock is coarse far from zero
  double instant_ = 0.0;       // s  to which instants are known, by the last piece of motion
  int idle_transitions_ = 0;   // without progress in time
  int rank_ = -1, rows_ = -1;  // of the rows that hold
  int crawling_ = 0;           // steps that are too short to lead anywhere

  StiffnessWatch stiffness_;
  MotionObserver* observer_ = nullptr;

  StepBooks books_;
  Eigen::VectorXd shares_at_end_;  // of a piece: see find_lapse()
};

}  // namespace tippe
