// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tippe/integrate/event.h"
#include "tippe/run/run_options.h"
#include "tippe/run/run_summary.h"
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
  Eigen::VectorXd constraint_position, constraint_velocity;
};
/// A sample of a run that goes on.
[[nodiscard]] Moment moment_of(const Sample& sample, const System& system);

/// Looks at a motion sample by sample and says what it violates. The integrator's name says where its laws act, and nothing else of it is used.
class Judge {
 public:
  /// Throws ModelError for a system that is not made of expressions with laws that are there at every state.
  Judge(const System& system, const RunOptions& options, double start);

  /// Before the moment in whose interval they are.
  void add(const Event& event) { events_.push_back(event); }
  void look(const Moment& moment);
  /// The first moment, of which nothing but the state is told.
  void begin(const State& start);
  /// How the run ended.
  struct End {
    RunStatus status = RunStatus::kOk;
    bool stopped = false;  // before its end, as it was asked to
    std::optional<double> worst_penetration;
  };
  [[nodiscard]] Verdict finish(const End& end);

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
    std::vector<Vector> xi;  // one of these must fit
    bool by_matrix = false;  // of a restitution matrix, which may pull
  };
  using Sentence = std::function<std::string()>;
  void check(Kind kind, Real value, Real allowed, double t, const std::string& law, const Sentence& sentence);
  void check_share(Kind kind, Real share, Real off, double t, const std::string& law, const Sentence& sentence);

  void check_columns(const Moment& moment);
  void check_books(const Moment& moment);
  void check_times(const Interval& interval);
  void check_cones(const Interval& interval);
  [[nodiscard]] bool is_single_step(const Interval& interval) const;

  // Where the laws of each scheme act (judge_steps.cpp), and what they must do there.
  void judge_moreau(const Interval& interval);
  void judge_moreau_jean(const Interval& interval);
  void judge_impact(const Interval& interval, const Place& place, const Vector& u_minus, const Vector& u_plus,
                    const Vector& impulses, const std::vector<char>& closed, bool single);
  [[nodiscard]] bool matrix_governs(const Place& place, const Vector& u_minus, const std::vector<char>& closed) const;
  [[nodiscard]] int row_of_matrix(size_t law) const;  // -1: none
  [[nodiscard]] Real returned_by_matrix(int row, const Place& place, const Vector& u_minus) const;
  void check_acting(const Interval& interval, const std::vector<Acting>& acting, const Matrix& M, const Matrix& W_S,
                    const Vector& speeds, Real dt, bool impact);
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
  [[nodiscard]] bool any_is_hit(const Interval& interval, const Place& place) const;
  void check_momentum(const Interval& interval, const Matrix& M, const Matrix& W_S, const Vector& rest, Real terms,
                      Real extra, const char* what);
  /// `off`: how far q is from where velocities lead; allowed are a part of its terms, and `more`.
  void check_reached(const Interval& interval, const Vector& off, const Vector& rate, const Vector& u_E, Real part,
                     Real more);
  void check_constraint_speeds(const Interval& interval, const Rows& constraints, const Vector& u_E, const Vector& speeds,
                               Real part);
  [[nodiscard]] Real put_on_constraints(Place& middle) const;
  /// What laws took, and the sum of the sizes of its terms.
  struct Loss {
    Real value = 0.0L, terms = 0.0L;
    void operator+=(const Loss& other) {
      value += other.value;
      terms += other.terms;
    }
  };
  void check_lost(const Interval& interval, const Loss& lost);
  void check_moved(const Interval& interval);
  [[nodiscard]] Vector impulses_of(const Eigen::VectorXd& all, size_t law) const;
  [[nodiscard]] bool acted(const Moment& moment, size_t law) const;
  [[nodiscard]] Vector momentum_scale(const Matrix& M) const;

  // The same of conserving and consistent schemes (judge_consistent.cpp).
  struct ConsistentStep;
  void judge_consistent(const Interval& interval);
  void check_path(const Interval& interval, ConsistentStep& step);
  void check_consistent_momentum(const Interval& interval, ConsistentStep& step);
  [[nodiscard]] Real find_acting(const Interval& interval, ConsistentStep& step) const;
  void check_constraint_levels(const Interval& interval, const ConsistentStep& step);
  void check_consistent_laws(const Interval& interval, ConsistentStep& step);
  [[nodiscard]] Loss set_law_of_motion(const Interval& interval, const ConsistentStep& step, const Vector& jump,
                                       Acting& now) const;
  void turn_moments(const Vector& s, Eigen::Index first_row, Matrix& W) const;
  [[nodiscard]] Vector bent_by_turns(const Vector& s, const Vector& impulse) const;
  [[nodiscard]] bool must_have_stopped(const Acting& law, const Place& begin, const Place& end, const Matrix& M,
                                       const Matrix& W_S) const;

  // Smooth motion and jumps (judge_smooth.cpp).
  void check_balance(const Interval& interval, const Place& middle, const Vector& impulses, Eigen::Index velocity);
  void judge_smooth(const Interval& interval);
  void check_smooth_positions(const Interval& interval, const Vector& a_B, const Vector& a_M, const Vector& a_E,
                              const Matrix& response, const Vector& impulses);
  void check_smooth_constraints(const Interval& interval);
  void judge_jump(const Interval& interval);
  struct LawBetweenEvents;
  void judge_modes(const Interval& interval);
  void check_normal_of_mode(const LawBetweenEvents& at, const Place& B, const Place& E);
  void check_friction_of_mode(const LawBetweenEvents& at, Real dt);
  void check_of_mode(const LawBetweenEvents& at, Real value, Real allowed, const char* what);
  [[nodiscard]] static Real clock_of(const Interval& interval);
  [[nodiscard]] Vector acceleration(const Place& place, const Vector& impulses, Real dt, Matrix* response) const;
  [[nodiscard]] Real closed_gap(size_t law) const;
  void check_events();

  [[nodiscard]] const std::string& law_name(size_t law) const { return mechanics_.laws()[law].law.name; }

  const System& system_;
  const RunOptions& options_;
  Mechanics mechanics_;
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
  Real scale_ = 0.0L;         // sqrt(J)  the fastest relative motion so far, in kinetic units
  Real largest_impulse_ = 0.0L;
  Real deepest_ = 0.0L;  // m
  std::string deepest_at_;
  double deepest_time_ = 0.0;
  /// What a contact did in the last steps.
  static constexpr int kForgotten = 3;
  struct Rest {
    int carried_ago = kForgotten;  // steps since it carried an impulse
    Real prevented_speed = 0.0L;   // m/s  by that impulse
  };
  std::vector<Rest> rests_;
  double time_of_hits_ = 0.0;  // the last one at which velocities jumped,
  int hits_ = 0;               // and how often by impulses
  std::vector<double> sample_times_;
  std::vector<char> event_seen_;
};

}  // namespace tippe::verify
