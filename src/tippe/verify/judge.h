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

  // Where the laws of each scheme act (judge_steps.cpp).
  void judge_moreau(const Interval& interval);
  void judge_moreau_jean(const Interval& interval);
  void judge_consistent(const Interval& interval);
  void judge_impact(const Interval& interval, const Place& place, const Vector& u_minus, const Vector& u_plus,
                    const Vector& impulses, const std::vector<char>& closed, bool single);
  void check_acting(const Interval& interval, const Place& place, const std::vector<Acting>& acting, const Matrix& M,
                    const Matrix& W_S, const Vector& speeds, Real dt, bool impact);
  void check_closed(const Interval& interval, const Place& place, Real round_off);
  void check_momentum(const Interval& interval, const Matrix& M, const Matrix& W_S, const Vector& rest, Real terms,
                      Real extra, const char* what);
  [[nodiscard]] bool must_have_stopped(const Acting& law, const Place& begin, const Place& end, const Matrix& M,
                                       const Matrix& W_S) const;
  [[nodiscard]] Real put_on_constraints(Place& middle) const;
  void check_lost(const Interval& interval, Real lost, Real terms);
  void check_moved(const Interval& interval);
  [[nodiscard]] Vector impulses_of(const Eigen::VectorXd& all, size_t law) const;
  [[nodiscard]] bool acted(const Moment& moment, size_t law) const;
  [[nodiscard]] Vector momentum_scale(const Matrix& M) const;

  // Smooth motion and jumps (judge_smooth.cpp).
  void judge_smooth(const Interval& interval);
  void judge_jump(const Interval& interval);
  void judge_modes(const Interval& interval);
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
  std::vector<double> sample_times_;
  std::vector<char> event_seen_;
};

}  // namespace tippe::verify
