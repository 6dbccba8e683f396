// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tippe/hybrid/accumulation.h"
#include "tippe/hybrid/event_functions.h"
#include "tippe/hybrid/impact.h"
#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/motion_check.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

struct EventDrivenOptions {
  double tolerance = 1e-10;  // 1  of a step's error, relative to the motion
  bool stop_when_not_unique = false;
};

/// Simulates smooth pieces of motion by Taylor polynomials, locates every event between them as a root of a polynomial, and decides from the
/// state how the motion goes on: impacts by the impact law, then contact modes by force-acceleration complementarity with trending conditions
/// (Johnson). A step is a piece of a smooth motion up to its error or to an event; an impact is a step of length zero.
class EventDriven final : public AdaptiveIntegrator {
 public:
  EventDriven(const System& system, const EventDrivenOptions& options);

  StepReport step(State& state, double dt) override;
  /// Steps are as long as their error allows, whatever is proposed.
  [[nodiscard]] double proposed_step() const override;
  StepReport interpolate(double t, State& state) override;
  [[nodiscard]] const LawStep* interpolated_laws() const override { return &part_laws_; }
  [[nodiscard]] const ConstraintStep* interpolated_constraints() const override { return &part_constraints_; }

  void save_memory(std::vector<double>& memory) const override;
  void restore_memory(std::span<const double> memory) override;

 private:
  bool start(State& state, double dt, StepReport& report);
  void move(State& state, double dt, StepReport& report);
  void hit(State& state, double dt, StepReport& report);
  void accumulate(State& state, StepReport& report);
  bool close_until_limit(State& state, const AccumulationWatch::Limit& limit, StepReport& report, double& absorbed);
  bool close_by_modes(State& state, const AccumulationWatch::Limit& limit, StepReport& report, double& absorbed);
  bool close_by_rule(State& state, const AccumulationWatch::Limit& limit, StepReport& report, double& absorbed);
  /// What an attempt to make a transition changes.
  using Transition = std::tuple<std::vector<ContactMode>, std::vector<Eigen::VectorXd>, std::vector<bool>, std::vector<int>,
                                std::vector<int>, bool, LawStep, ConstraintStep, State>;
  [[nodiscard]] Transition kept_transition() const;
  void restore_transition(const Transition& before);
  [[nodiscard]] bool can_accumulate(const State& state, const AccumulationWatch::Limit& limit);
  [[nodiscard]] bool impulses_are_admissible(const AccumulationWatch::Limit& limit, const Eigen::VectorXd& absorbed) const;
  bool expand(const State& state, StepReport& report);
  [[nodiscard]] bool find_branches(const State& state);
  [[nodiscard]] Eigen::VectorXd switch_sizes(const State& state);
  [[nodiscard]] double converging(const double* c, Eigen::Index stride, double floor, double tolerance) const;
  [[nodiscard]] double natural_step();
  bool finish(const State& begin, double t, double dt, StepReport& report);
  void check_laws(const State& begin, double t, std::span<const FoundEvent> reached, StepReport& report);
  [[nodiscard]] std::vector<bool> held_laws() const;
  bool keeps_modes(const State& state);
  double last_time_of_modes(const State& state, double end, ModeSelection& next);
  [[nodiscard]] double time_of_first_direction() const;
  void book(double t, StepReport& report);
  void keep_piece();
  void note_rank(double t);
  void leave_transition(const State& state);
  void go_on(State& state, const std::vector<FoundEvent>& reached, StepReport& report);
  void take_events(const std::vector<FoundEvent>& found);
  void force_branches(MotionSeries& series, const std::vector<int>& branches) const;
  bool choose_modes(State& state, const Scope& scope, StepReport& report, Event* impact);
  bool strike_without_collision(State& state, StepReport& report);
  void check_strike(const State& state, const DenseLLT& mass, const Eigen::VectorXd& impulse, StepReport& report);
  void add_transition_events(double t, const std::vector<ContactMode>& after, const ModeSelection& selection,
                             const std::string& note);
  [[nodiscard]] size_t default_choice(const ModeSelection& selection) const;
  void set_modes(const ModeChoice& choice);
  void warn_once(double t, const std::string& kind, const std::string& rest);
  bool take_selection(State& state, const Scope& scope, const ModeSelection& selection, StepReport& report, Event* impact);
  [[nodiscard]] double work_of_supports(const State& state, const Eigen::VectorXd& impulse);
  void turn_switches(const State& state);
  [[nodiscard]] static StepReport::Status status_of(ModeFlow::Status status);

  const System& system_;
  EventDrivenOptions options_;
  MotionScales scales_;
  ModeFlow flow_;
  ModeSelector selector_;
  EventFunctions functions_;
  MotionCheck check_;
  std::unique_ptr<Evaluator> evaluator_;

  // What the next step depends on.
  bool started_ = false;
  bool fresh_ = false;  // a transition was made at the beginning of the next step
  bool impact_is_due_ = false;
  std::vector<ContactMode> modes_;
  std::vector<Eigen::VectorXd> directions_;
  std::vector<bool> touching_;   // closed contacts, and those that just opened
  std::vector<bool> departing_;  // those that just opened with a velocity
  std::vector<int> switched_;    // of each switch: the side that it has just come to
  Eigen::VectorXd gap_offset_;   // m  a start may sink by less than is refused: gaps count from there until they open
  AccumulationWatch accumulation_;
  double since_impact_ = 0.0;  // s  by the steps: the clock is coarse far from zero
  double instant_ = 0.0;       // s  to which instants are known, by the last piece of motion
  std::optional<AccumulationWatch::Limit> limit_;
  int idle_transitions_ = 0;   // without progress in time
  int rank_ = -1, rows_ = -1;  // of the rows that hold

  // The last step.
  double t_B_ = 0.0;
  State end_;                  // without transitions at its end
  std::vector<int> branches_;  // of the switches in it
  std::vector<int> grazing_;   // contacts that touch at its end
  std::vector<int> fired_;     // laws whose event ends it
  struct Piece {               // its polynomials: a transition overwrites those of the flow
    Eigen::MatrixXd q, u;
    Eigen::MatrixXd lost;  // one column each: in contacts, in damping, work done
    // One column for each law, each row of all laws, each constraint.
    Eigen::MatrixXd law_lost, law_forces, constraint_forces;
    Eigen::MatrixXd constraint_push;  // nu x (order + 1)
    int order = -1;                   // -1: no piece of motion, but a jump
  };
  Piece piece_;
  LawStep part_laws_;  // what they did until the last interpolation
  ConstraintStep part_constraints_;
};

}  // namespace tippe
