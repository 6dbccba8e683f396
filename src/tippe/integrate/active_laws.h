// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/contact/law_memory.h"
#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/falling_friction.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/law_check.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/problem/inclusion_problem.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/impact_phases.h"

namespace tippe {

struct ActiveLawsOptions {
  double closed_tolerance = 0.0;  // m  a contact acts while its gap is at most this
  double tolerance = 1e-10;       // 1  of the residual of a step
  double closed_round_off = 0.0;  // 1  of the terms of a gap: it is also closed when its gap is at most this
  double enough =
      0.0;  // 1  where no method reaches `tolerance`: an error that will do, of c or of the speeds that contacts at
            //    rest prevent; impacts that are as slow are none
  double restitution = 1.0;  // 1  scales all coefficients
  /// m  Of contacts that are found, under Newton's impact law: one acts up to this gap g > 0 too if it comes by at most as much in a step, with
  /// xi_N = gamma_E + epsilon gamma_B + g/dt, so that it may come as far as it touches. Contacts then enter and leave a step without a jump.
  /// Nothing: kRestBand of the half size of what touches.
  std::optional<double> rest_band{};
  static constexpr double kRestBand = 1e-4;  // 1
  std::optional<double>
      aim{};  // 1  residual that a step aims at; nothing: `tolerance`, or less exact with many contacts that are found
  std::optional<double> accepted =
      0.0;  // 1  where no method gets there: a residual with which the step counts as inexact; nothing: by their count
  int most_sweeps = 0;  //    in which contacts that are found are solved, by nothing else; 0: as the aim needs
};

/// The force laws that act in a step, and their inclusion problem  xi = G Lambda + c,  G = W'M_c^-1 W: bilateral constraints are
/// eliminated from it through the constrained mass.
///
/// A step calls, in this order: find() for the laws with W and chi, assemble() for G and gamma_B, one of the impacts where its scheme has
/// one, solve_motion() for Lambda; then check_motion() and book() with the velocities that these gave, and at last remember(). Laws are
/// counted a = 0, 1, ... among those that act, their rows one after the other; LawStep has all laws of the list.
class ActiveLaws {
 public:
  ActiveLaws(const System& system, const ActiveLawsOptions& options);

  /// The largest gap that can be closed in a step from q, for Evaluator::find_laws().
  [[nodiscard]] double reach(const Eigen::VectorXd& q, double dt, const LawMemory& memory) const;
  /// Which laws of a list act: a contact while its gap is closed; one that carried an impulse in the step before is not opened by
  /// round-off. The evaluator is at the state where the list was found, which must live until the step ends. `step` is made ready for it.
  struct Place {
    const Eigen::VectorXd& q;
    const Eigen::VectorXd& u;  // at the beginning of the step
  };
  void find(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory, LawStep& step);
  /// After find(), with the velocities before the step: where a contact is hit, those that rested in the last steps act too, though their gap may have opened by the
  /// way that their impulses prevent in a step. Contacts that slide on a turning body hop so, and one that is left out of the impact of another is hit after it: that
  /// is another motion, however short the steps are. Contacts that are found have their rest band instead.
  void join_resting(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory, LawStep& step);
  [[nodiscard]] int size() const { return static_cast<int>(active_.size()); }
  /// Their places in the list.
  [[nodiscard]] const std::vector<int>& active() const { return active_; }
  [[nodiscard]] const ForceLaw& law(int a) const {
    if (any_rolls_ && rolls_[static_cast<size_t>(a)].limited >= 0)
      return rolled_[static_cast<size_t>(rolls_[static_cast<size_t>(a)].limited)];
    return system_.laws()[static_cast<size_t>(list_->law[static_cast<size_t>(active_[static_cast<size_t>(a)])])];
  }
  [[nodiscard]] const LawId& id(int a) const { return list_->id[static_cast<size_t>(active_[static_cast<size_t>(a)])]; }
  /// m   where find() looked.
  [[nodiscard]] double gap(int a) const { return list_->gap[active_[static_cast<size_t>(a)]]; }
  [[nodiscard]] int rows_of(int a) const { return sizes_[static_cast<size_t>(a)]; }
  /// gamma of a row where find() looked, at velocities u.
  [[nodiscard]] double relative_velocity(int row, const Eigen::VectorXd& u) const {
    return W_.dot(row, u.data()) + chi_[static_cast<size_t>(row)];
  }
  /// How far a row moves along a way (velocities times a time) that takes `time`.
  [[nodiscard]] double moved(int row, const Eigen::VectorXd& way, double time) const {
    return W_.dot(row, way.data()) + time * chi_[static_cast<size_t>(row)];
  }
  /// forces += force times the direction of a row.
  void add_direction(int row, double force, Eigen::VectorXd& forces) const { W_.add_to(row, force, forces.data()); }
  /// How far round-off and the solver's tolerance may lift a contact that rests, by its normal's row, found at q.
  [[nodiscard]] double resting_gap(int a, int normal_row, const Eigen::VectorXd& q, double dt) const;

  /// G, and gamma_B at the velocities before the step.
  void assemble(ConstrainedMass& M, const Eigen::VectorXd& u_B, LawStep& step);
  [[nodiscard]] const InclusionProblem& problem() const { return problem_; }

  // Impacts without forces (active_laws_impacts.cpp). Each changes u to the velocities after it, and books impulses and losses.

  /// Before a motion that knows no restitution, as those of Poisson's and Moreau's law: impacts while a law closes faster than a resting
  /// one. Nothing under Newton's law, whose impacts are part of the motion. `free_change`: what the forces of the step will change.
  void collide_before_motion(ConstrainedMass& M, const Eigen::VectorXd& free_change, Eigen::VectorXd& u, LawStep& step,
                             StepReport& report);
  /// One impact by the impact law of the system, or its restitution matrix.
  void collide(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  /// The same, and the impacts of the laws that it throws back, at the same instant. Fails if they have no end.
  void collide_until_apart(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  /// An impact by Newton's law whose impulses (rows of all laws of the list) are known to report.residual.
  void collide_by(const Eigen::VectorXd& impulses, ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step,
                  StepReport& report);
  /// Whether the impact is one of the restitution matrix.
  [[nodiscard]] bool matrix_governs() const { return !find_matrix_rows().empty(); }

  /// Lambda of the motion from u_start, which changes by `free_change` without it:
  /// c = W'free_change + gamma(u_start) + epsilon gamma_B, with Newton's epsilon.
  void solve_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt, LawStep& step,
                    StepReport& report);
  /// impulse += W Lambda of the last solve.
  void add_impulses(Eigen::VectorXd& impulse) const;
  /// impulse -= W times all impulses of the step, those of an impact included.
  void subtract_impulses(const LawStep& step, Eigen::VectorXd& impulse) const;
  /// Whether the impulses of solve_motion() and the velocities u_E that they gave obey the laws, by their definitions and as well as the
  /// residual claims. If not, the report says which does not and how.
  void check_motion(const Eigen::VectorXd& u_E, double dt, StepReport& report);
  /// What the laws took and moving supports gave while the impulses of the last solve changed velocities from `before` to `after`.
  void book(const Eigen::VectorXd& before, const Eigen::VectorXd& after, LawStep& step, StepReport& report) const;
  /// With different coefficients of restitution Newton's law may create energy: it cannot if Delta G + G Delta is positive
  /// semidefinite, Delta = diag((1 - epsilon) / (1 + epsilon)), Moeller (3.160). Said at the first gain of each set of laws that
  /// hit together (up to 40 rows, 100 sets).
  /// `gained`: what the impulses of the step that are in its books gave.
  void warn_of_energy_gain(double t, double gained, const LawStep& step, std::vector<std::string>& warnings);

  /// Of contacts that rest in their band, the velocity error of the solver times dt must be small beside it, or they open and close by it.
  /// Said once.
  void warn_of_narrow_band(double t, double dt, const StepReport& report, std::vector<std::string>& warnings) const;

  /// The speeds that impulses prevented: what decides whether a contact rests. After an impact: those of laws without an impulse in
  /// it are forgotten, so that a hard hit does not count for ever.
  void forget_prevented_speeds(const LawStep& step);
  /// The speed that the impulse of law a in the motion after an impact prevented.
  void add_prevented_speed(int a, double speed) {
    prevented_[static_cast<size_t>(a)] = std::max(prevented_[static_cast<size_t>(a)], speed);
  }
  /// What a step or a part of one that was solved leaves to the next. Nothing else changes the memory.
  void remember(const LawStep& step, LawMemory& memory) const;

 private:
  void find_closed(Evaluator& evaluator, const LawList& list, const Place& at, double dt, LawMemory& memory, LawStep& step,
                   bool with_hopping);
  [[nodiscard]] bool is_hit(const Eigen::VectorXd& u_B, const LawMemory& memory) const;
  [[nodiscard]] double rest_band(const ContactPlace& place) const {
    return options_.rest_band.value_or(ActiveLawsOptions::kRestBand * place.half_size);
  }
  [[nodiscard]] double size_of_gap_terms(int normal_row, const Eigen::VectorXd& q) const;
  struct MatrixRow {
    int block, row;
  };
  [[nodiscard]] std::vector<MatrixRow> find_matrix_rows() const;
  void impose_matrix(const std::vector<MatrixRow>& rows);
  [[nodiscard]] double size_of_terms(int row, const Eigen::VectorXd& u) const;
  /// What a law acts on: gamma after the impact or the step, and a share of gamma before it.
  enum class Restitution {
    kNone,    // gamma
    kNewton,  // each row with its own epsilon
    kMoreau,  // every row with that of its law: gamma+ + epsilon gamma- is 1 + epsilon times gamma after the compression
  };
  /// What an impulse is checked against.
  struct Checked {
    const double* Lambda;      // impulses, by rows
    const Eigen::VectorXd& u;  // velocities after them
    double dt;                 // of the step; 0 in an impact
    double prevented;          // the speed that impulses have prevented while everything rests
    Restitution restitution;
    const double* compression = nullptr;     // impulses of Poisson's compression; the others are those of the expansion
    std::span<const MatrixRow> matrix = {};  // rows of the restitution matrix, in its order
  };
  void check_laws(const Checked& checked, StepReport& report);
  [[nodiscard]] double returned_by_matrix(std::span<const MatrixRow> matrix, size_t i) const;
  void velocities_after(ConstrainedMass& M, const Eigen::VectorXd& u, Eigen::VectorXd& after) const;
  void build_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt);
  // Rolling resistance (active_laws_rolling.cpp).
  void solve_with_rolling(double dt, StepReport& report);
  double set_rolling_limits(double dt);
  [[nodiscard]] int find_rolling_contact(const LawList& list, int k) const;
  void note_rolling(const LawList& list, int k, int first_row, int contact);
  // Friction that falls with the slip (active_laws_falling.cpp).
  void begin_falling_friction();
  void begin_falling_impact(const KeptVector& gamma);
  void solve_with_falling_friction(double dt, StepReport& report);
  [[nodiscard]] FallingFriction::Slip slip_of(int a, int first_row, const KeptVector& gamma) const;
  bool look_at_slips(double rest);
  [[nodiscard]] bool could_stick(int a, int first_row, double dt) const;
  [[nodiscard]] bool closes(const Eigen::VectorXd& free_change, const Eigen::VectorXd& u) const;
  [[nodiscard]] bool is_thrown_back(const Eigen::VectorXd& u);
  void collide_once(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  void move_velocities(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  void solve_inclusion_problem(StepReport& report);
  template <class Count>
  bool sweep_heap(Count&& count);
  template <class Count>
  void sweep_at_most(Count&& count);
  [[nodiscard]] double aim() const;
  [[nodiscard]] double accepted() const;
  [[nodiscard]] double largest_prevented_speed() const;
  void keep_impulses(LawStep& step);
  void keep_impact(LawStep& step);
  void find_prevented_speeds();

  const System& system_;
  ActiveLawsOptions options_;
  ContactTolerances tolerances_;
  DelassusBuilder delassus_builder_;
  InclusionProblem problem_;
  ContactSolver solver_;
  Solution solution_;
  const LawList* list_ = nullptr;
  std::vector<int> active_;  // laws that act in this step, by their places in the list
  std::vector<int> sizes_;   // their rows
  SparseColumns W_;          // their directions, one column per row
  std::vector<double> chi_;
  LawCheck check_;
  KeptVector xi_, terms_;  // for the check
  KeptVector gamma_B_, gamma_start_, epsilon_, expansion_;
  ImpactPhases phases_;
  std::vector<double> warm_start_;  // their impulses of the last step, by rows
  std::vector<double> prevented_;   // G_NN Lambda_N of the last step in which each acted, in a motion by its load alone
  double narrowest_band_ = 0.0;     // m  of the laws that act in theirs; infinity: none does
  std::vector<double> rest_way_;    // m  of the laws that act: how far they may still come in the step, in the rest band
  Eigen::VectorXd change_;
  bool same_restitution_ = true;
  bool any_falls_ = false;  // some friction does, with the slip
  // Where some law is rolling resistance:
  bool any_rolls_ = false;
  struct Rolling {
    int first_row;
    int contact_row = -1;  // of rolling resistance: the normal of its contact, or -1 if that does not act
    int limited = -1;      // of rolling resistance: place in rolled_
  };
  std::vector<Rolling> rolls_;    // of the laws that act
  std::vector<ForceLaw> rolled_;  // with limits by the last solution; more than act, so that they keep their memory
  int rolled_count_ = 0;
  FallingFriction falling_;
  std::vector<char> slid_;  // of the laws that act: what the last step knows, as LawMemory::slid() + 1
  std::vector<char> rested_;
  std::set<std::vector<LawId>> warned_;  // sets of laws whose energy gain was said
};

}  // namespace tippe
