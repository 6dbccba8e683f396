// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tippe/integrate/event.h"
#include "tippe/run/run_options.h"
#include "tippe/run/run_summary.h"
#include "tippe/verify/found_bodies.h"
#include "tippe/verify/law_definitions.h"
#include "tippe/verify/mechanics.h"
#include "tippe/verify/verdict.h"

namespace tippe::verify {

/// What is told of a motion at one sample; sums are since the sample before. Vectors may be empty where nothing is told.
struct Moment {
  double t = 0.0;
  Eigen::VectorXd q, u, gap, impulse;
  struct Energy {
    double kinetic, potential, total, lost_in_contacts, lost_in_damping, work_done, pushed_out, unexplained;
  } energy{};
  double steps = 0.0, cut_steps = 0.0, impacts = 0.0, residual = 0.0;
  Eigen::VectorXd impact, acted, u_start, moved_q, moved_u;  // StepSums
  Eigen::VectorXd constraint_position, constraint_velocity, constraint_force, control_force;
  std::vector<FoundContact> found;  // that carried
};
/// A sample of a run that goes on.
[[nodiscard]] Moment moment_of(const Sample& sample, const System& system);

/// Of a table of impacts.
struct ToldImpact {
  double t = 0.0;
  size_t law = 0;
  double closing_speed = 0.0, lost = 0.0;
  Eigen::VectorXd impulse;  // rows of the law
};
/// Of a table of steps.
struct ToldSteps {
  std::span<const double> time, residual, iterations;
  std::span<const double>
      energy;  // of each step five: total at its end; lost_in_contacts, lost_in_damping, work_done, pushed_out in it
};

/// Looks at a motion sample by sample and says what it violates. The integrator's name says where its laws act, and nothing else of it is used.
class Judge {
 public:
  /// Of a system whose contacts are found, places, normals and gaps of contacts are taken as they are told. Throws ModelError for a motion that is not
  /// made of expressions.
  Judge(const System& system, const RunOptions& options, double start);

  /// Before the moment in whose interval they are.
  void add(const Event& event) { events_.push_back(event); }
  /// Before all moments, in their order.
  void add(ToldImpact impact) { told_impacts_.push_back(std::move(impact)); }
  void look(const Moment& moment);
  /// The first moment, of which nothing but the state is told.
  void begin(const State& start);
  /// After all moments: what the table of steps and the summary of a run that came to its end say of them, and of the impacts that were told.
  void look_at_tables(const ToldSteps& steps, const RunSummary& summary);
  /// How the run ended.
  [[nodiscard]] Verdict finish(const RunSummary& end);

 private:
  enum class Scheme { kMoreau, kMoreauJean, kConsistent, kOneStep, kSmooth, kEvents, kUnknown };
  /// One interval between two moments, in the judge's numbers.
  struct Interval {
    const Moment &begin, &end;
    Place B, E;
    Real dt;
    Real rho;  // the residual that its impulses are allowed
  };
  /// Laws with their impulses and directions at the place where a scheme has them.
  struct Acting {
    size_t law;
    Rows rows;
    Vector Lambda;
    std::vector<Vector> xi;                // one of these must fit
    bool by_matrix = false;                // of a restitution matrix, which may pull
    std::string found = {};                // name of a contact that was found; `law` may be that of several
    Real gap_terms = 0.0L;                 // m  that it is relative to
    bool with_impact = false;              // Lambda contains that of impacts before the motion, which is not told apart
    std::optional<Real> slip_before = {};  // m/s  of a contact that is hit
    std::optional<ForceLaw> limited = {};  // rolling resistance of a contact that was found: with its own limits
    void is_hit_with(const ForceLaw& kind, const Vector& gamma) {
      const Eigen::Index slips = gamma.size() - kind.first_slip();
      if (kind.falling && slips > 0) slip_before = gamma.tail(slips).norm();
    }
  };
  /// M (u_E - u_B) = h dt + W Lambda, as far as it is known.
  struct Balance {
    Vector rest;  // without h dt and impulses
    Real terms;   // in momentum_scale()
    std::vector<Acting> acting;
    struct Loss {
      Real value = 0.0L, terms = 0.0L;
      void operator+=(const Loss& other) {
        value += other.value;
        terms += other.terms;
      }
    } lost;
    std::vector<Vector> moments;  // directions of drilling moments, whose sizes are not told
    bool books_known = true;
  };
  using Loss = Balance::Loss;
  using Sentence = std::function<std::string()>;
  void check(Kind kind, Real value, Real allowed, double t, const std::string& law, const Sentence& sentence);
  void check_share(Kind kind, Real share, Real off, double t, const std::string& law, const Sentence& sentence);

  void check_columns(const Moment& moment);
  void check_books(const Moment& moment);
  void check_times(const Interval& interval);
  void check_cones(const Interval& interval);
  void set_rolling_limits(const Interval& interval);

  // What columns say of each other (judge_records.cpp).
  void check_records(const Interval& interval);
  void check_records_of_step(const Interval& interval, bool moved);
  void check_events_of_jump(const Interval& interval);
  void check_constraint_forces(const Moment& moment, const Place& sample);
  void check_mean_forces(const Interval& interval, const Rows& constraints, const Vector& rest, const Vector& scale,
                         Real terms);
  void check_summary(const RunSummary& summary);

  // Tables beside the samples (judge_tables.cpp).
  struct Reached {  // at a sample
    double t, steps, residual;
    Moment::Energy energy;
  };
  void check_count(Real own, Real told, double t, const char* name, const char* what);
  void check_impacts(const Interval& interval);
  void check_impact(const Interval& interval, const ToldImpact& impact);
  void check_impacts_of_events();
  void check_step_sums(const ToldSteps& steps);
  void check_counts(const RunSummary& summary);
  void check_acted(const Interval& interval);
  const Loss& book(size_t law, const Loss& loss) {
    law_lost_[law] = loss;
    return loss;
  }

  [[nodiscard]] bool is_single_step(const Interval& interval) const;

  // Where the laws of each scheme act (judge_steps.cpp), and what they must do there.
  void judge_moreau(const Interval& interval);
  void judge_moreau_jean(const Interval& interval);
  void judge_impact(const Interval& interval, const Place& place, const Vector& u_minus, const Vector& u_plus,
                    const Vector& impulses, const std::vector<char>& closed, bool single);
  [[nodiscard]] bool matrix_governs(const Place& place, const Vector& u_minus, const std::vector<char>& closed) const;
  [[nodiscard]] int row_of_matrix(size_t law) const;  // -1: none
  [[nodiscard]] Real returned_by_matrix(int row, const Place& place, const Vector& u_minus) const;
  void check_acting(const Interval& interval, const std::vector<Acting>& acting, const SparseMatrix& M,
                    const SparseMatrix& W_S, const Vector& speeds, Real dt, bool impact);
  [[nodiscard]] static Real fastest_of(const std::vector<Acting>& acting, const Vector& length, const Vector& speeds,
                                       Vector& terms);
  [[nodiscard]] static Vector lengths_of(const std::vector<Acting>& acting, const SparseMatrix& M, const SparseMatrix& W_S);
  struct LawChecks {
    Vector Lambda_off, xi_off;  // that are allowed
    Real dt;                    // 0 in an impact
    bool impact;
    double t;
    [[nodiscard]] const char* where() const { return impact ? "in an impact" : "in the step"; }
  };
  void check_law(const Acting& law, const LawChecks& checks);
  void check_normal(const Acting& law, const LawMisfit& misfit, const LawChecks& checks);
  void check_friction(const Acting& law, const LawMisfit& misfit, const LawChecks& checks);
  void check_closed(const Interval& interval, const Place& place, Real round_off, bool may_hop);

  // Contacts that were found (judge_found.cpp).
  void add_found(const Interval& interval, const Place& place, const Vector& u_start, const Vector& u_E, const Vector& scale,
                 Balance& balance);
  void add_found_rolling(const Interval& interval, const Place& place, const Vector& u_start, const Vector& u_E,
                         const FoundContact& contact, Balance& balance);
  void check_found_sums(const Interval& interval, bool moved);
  void check_found_gap(const Interval& interval, const FoundContact& contact, Real largest_place);
  void check_rolling_sum(const Interval& interval, size_t law);
  void check_after_impacts(const Interval& interval, const Place& place, const Vector& u_start);
  [[nodiscard]] bool any_is_hit(const Interval& interval, const Place& place) const;
  [[nodiscard]] Vector chi_by_clock(const Interval& interval, const Acting& law) const;
  [[nodiscard]] Real force_by_clock(const Interval& interval, const Place& place, const Vector& scale) const;
  void check_momentum(const Interval& interval, const SparseMatrix& M, const SparseMatrix& W_S, const Vector& rest,
                      Real terms, Real extra, const char* what);
  /// `off`: how far q is from where velocities lead; allowed are a part of its terms, and `more`.
  void check_reached(const Interval& interval, const Vector& off, const Vector& rate, const Vector& u_E, Real part,
                     Real more);
  void check_constraint_speeds(const Interval& interval, const Rows& constraints, const Vector& u_E, const Vector& speeds,
                               Real part);
  static constexpr Real kUndecided = 1.0L;  // how far off the place may be where nobody can say which rows hold
  [[nodiscard]] Real put_on_constraints(Place& middle) const;
  void check_lost(const Interval& interval, const Loss& lost, const std::vector<Acting>& acting);
  void check_moved(const Interval& interval);
  [[nodiscard]] Vector impulses_of(const Eigen::VectorXd& all, size_t law) const;
  [[nodiscard]] bool acted(const Moment& moment, size_t law) const;
  [[nodiscard]] Vector momentum_scale(const SparseMatrix& M) const;

  // The same of conserving and consistent schemes (judge_consistent.cpp).
  struct ConsistentStep;
  void judge_consistent(const Interval& interval);
  void check_path(const Interval& interval, ConsistentStep& step);
  void check_consistent_momentum(const Interval& interval, ConsistentStep& step);
  [[nodiscard]] Real frozen_terms(const Interval& interval, const ConsistentStep& step, const Vector& change,
                                  const SparseMatrix& mass_E) const;
  [[nodiscard]] Real find_acting(const Interval& interval, ConsistentStep& step) const;
  void check_constraint_levels(const Interval& interval, const ConsistentStep& step);
  void check_consistent_laws(const Interval& interval, ConsistentStep& step);
  [[nodiscard]] Loss set_law_of_motion(const Interval& interval, const ConsistentStep& step, const Vector& jump,
                                       Acting& now) const;
  void turn_moments(const Vector& s, Eigen::Index first_row, SparseMatrix& W) const;
  [[nodiscard]] Vector bent_by_turns(const Vector& s, const Vector& impulse) const;
  [[nodiscard]] bool must_have_stopped(const Acting& law, const std::vector<Acting>& all, const Place& begin,
                                       const Place& end, const SparseMatrix& M, const SparseMatrix& W_S) const;

  // Events that the scene defines (judge_events.cpp).
  struct OwnEventFormulas {
    const OwnEvent* event;
    Formula when;
    std::vector<Formula> resets;
  };
  struct WaitingEvent {
    std::string name;
    double from, to;  // s
  };
  void read_own_events();
  /// Told at a time in [from, to]; without a name any.
  [[nodiscard]] bool has_own_event(double from, double to, const std::string& name) const;
  void check_missed_events(const Interval& interval);
  void check_waiting_events();
  bool judge_reset(const Interval& interval);
  // Inputs (judge_inputs.cpp).
  [[nodiscard]] bool sets_inputs(const Interval& interval) const;
  bool judge_inputs(const Interval& interval);
  struct SetInputs {
    double t;
    Real work, terms;  // J  of all so far
  };
  /// Those up to a time, or before it.
  [[nodiscard]] SetInputs inputs_until(double t, bool with_it) const;

  // Smooth motion and jumps (judge_smooth.cpp).
  void check_balance(const Interval& interval, const Place& middle, const Vector& impulses, Eigen::Index velocity);
  void judge_smooth(const Interval& interval);
  void check_smooth_positions(const Interval& interval, const Vector& a_B, const Vector& a_M, const Vector& a_E,
                              const Matrix& response, const Vector& most, bool blind);
  [[nodiscard]] bool is_aliased(const Interval& interval, const Place& middle, const Vector& scale, Real change,
                                Real loaded) const;
  [[nodiscard]] Vector most_pushed(const Interval& interval, const Vector& impulses) const;
  void check_smooth_constraints(const Interval& interval, const Vector& unsupported);
  void judge_jump(const Interval& interval);
  struct LawBetweenEvents;
  void judge_modes(const Interval& interval);
  void check_normal_of_mode(const LawBetweenEvents& at, const Place& B, const Place& E);
  void check_friction_of_mode(const LawBetweenEvents& at, Real dt);
  void check_of_mode(const LawBetweenEvents& at, Real value, Real allowed, const char* what);
  [[nodiscard]] Real clock_of(const Interval& interval) const;
  [[nodiscard]] Vector acceleration(const Place& place, const Vector& impulses, Real dt, Matrix* response) const;
  [[nodiscard]] Real closed_gap(size_t law) const;
  void check_events();

  [[nodiscard]] const std::string& law_name(size_t law) const { return law_of(law).name; }
  /// By its number in System::laws(), where those that are found follow the others.
  [[nodiscard]] const ForceLaw& law_of(size_t law) const {
    if (law < rolled_.size()) return rolled_[law];
    return law < mechanics_.laws().size() ? mechanics_.laws()[law].law : system_.laws()[law];
  }
  [[nodiscard]] const ForceLaw& kind_of(const Acting& law) const { return law.limited ? *law.limited : law_of(law.law); }
  [[nodiscard]] static const std::string& called(const Acting& law, const ForceLaw& kind) {
    return law.found.empty() ? kind.name : law.found;
  }

  const System& system_;
  const RunOptions& options_;
  Mechanics mechanics_;
  std::optional<FoundBodies> found_bodies_;
  Scheme scheme_;
  double start_;
  std::vector<int> first_row_;  // of each law
  int rows_ = 0;
  std::vector<Event> events_;
  Verdict verdict_;
  std::optional<Moment> before_;
  double initial_energy_ = 0.0;
  bool redundant_ = false;    // rows of constraints at the start
  Vector largest_gap_terms_;  // m  of each law, so far
  Vector impulse_off_;        // of the rows of all laws, by which impacts in the interval are uncertain
  Real scale_ = 0.0L;         // sqrt(J)  the fastest relative motion so far, in kinetic units
  Real largest_impulse_ = 0.0L;
  Real largest_energy_ = 0.0L, largest_unexplained_ = 0.0L;  // J
  double unexplained_at_ = 0.0;
  Real largest_residual_ = 0.0L, steps_ = 0.0L;  // of all steps
  Real deepest_ = 0.0L;                          // m
  std::string deepest_at_;
  double deepest_time_ = 0.0;
  /// What a contact did in the last steps.
  static constexpr int kForgotten = 3;
  struct Rest {
    int carried_ago = kForgotten;  // steps since it carried an impulse
    Real prevented_speed = 0.0L;   // m/s  by that impulse
  };
  std::vector<Rest> rests_;
  std::vector<ToldImpact> told_impacts_;
  size_t next_impact_ = 0;
  std::vector<Real> speed_off_;                // of each of them in a run with events, in parts of what is allowed
  std::vector<std::optional<Loss>> law_lost_;  // of each law of expressions in the last interval, where it is known
  std::vector<Reached> reached_;
  std::vector<SetInputs> set_inputs_;
  Real cut_steps_ = 0.0L;
  double time_of_hits_ = 0.0;    // the last one at which velocities jumped,
  int hits_ = 0;                 // and how often by impulses
  std::int64_t unresolved_ = 0;  // smooth intervals
  std::vector<double> sample_times_;
  std::vector<ForceLaw>
      rolled_;  // where some law is rolling resistance: all, with limits by the normal impulses of the interval
  std::vector<OwnEventFormulas> own_events_;
  std::vector<WaitingEvent> waiting_events_;  // that must have been told before the next moment
};

}  // namespace tippe::verify
