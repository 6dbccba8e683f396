// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "tippe/integrate/step_halving.h"
#include "tippe/model/kinetic_weights.h"

namespace tippe {

/// Steps by their error, for schemes of second order: a step is made whole and in two halves, and the halves are taken where they differ from the
/// whole by no more than a tolerance, else each half is tried in the same way, down to dt/1024. What every step of the scheme keeps, the
/// parts keep. A contact that closes within a part by more than the tolerance cuts it too, so that impacts come in time.
///
/// The error of the halves is a third of the difference. It is relative to the largest value so far of each position and velocity, and to a
/// thousandth of the kinetically largest.
class StepRefinement {
 public:
  StepRefinement(const System& system, double tolerance);

  /// What a step of the scheme changes beside the state.
  struct Books {
    LawStep& laws;
    ConstraintStep& constraints;
    LawMemory& memory;
    Eigen::VectorXd& motion_impulse;
  };
  /// `advance(state, dt)` as in StepHalving.
  template <class Advance>
  StepReport step(State& state, double dt, Books books, Advance&& advance) {
    begin(state);
    StepReport report = attempt(0, state, dt, books, advance);
    if (!report.ok()) return report;
    if (report.halvings > 0) books.memory.keep_impulses(books.laws);  // those of all parts
    books.memory.end_step(books.laws);
    choose_level();
    return report;
  }

  void save(NamedArrays& memory) const;
  void restore(const NamedArrays& memory);

 private:
  static constexpr size_t kDeepest = 10;
  struct Level {
    State start, whole;
    LawMemory memory;
    Eigen::VectorXd motion_impulse;
    std::optional<LawStep> laws;  // of the first half
    ConstraintStep constraints;
  };

  template <class Advance>
  StepReport attempt(size_t depth, State& state, double dt, Books& books, Advance&& advance) {
    if (depth == kDeepest) {
      note_accepted(depth, 1.0);
      return advance(state, dt);
    }
    StepReport effort;
    if (depth >= level_) {
      keep(levels_[depth], state, books);
      Level& level = levels_[depth];
      level.whole = state;
      effort = advance(level.whole, dt);
      go_back(level, state, books);
      const bool whole = effort.ok();
      StepReport report = halves(depth, state, dt, books, [&](State& part, double length) { return advance(part, length); });
      StepHalving::add_effort(effort, report);
      const double error = whole && report.ok() ? measure(level, state) : 2.0;
      if (error <= 1.0) {
        note_accepted(depth, error);
        return report;
      }
      effort.iterations = report.iterations;
      effort.methods_tried = report.methods_tried;
      go_back(level, state, books);
    }
    StepReport report = halves(depth, state, dt, books,
                               [&](State& part, double length) { return attempt(depth + 1, part, length, books, advance); });
    StepHalving::add_effort(effort, report);
    return report;
  }

  template <class Part>
  StepReport halves(size_t depth, State& state, double dt, Books& books, Part&& part) {
    StepReport first = part(state, 0.5 * dt);
    if (!first.ok()) return first;
    Level& level = levels_[depth];
    level.laws = books.laws;
    level.constraints = books.constraints;
    StepReport second = part(state, 0.5 * dt);
    StepHalving::add_half(first, *level.laws, level.constraints, second, books.laws, books.constraints);
    return second;
  }

  void begin(const State& state);
  static void keep(Level& level, const State& state, const Books& books);
  static void go_back(const Level& level, State& state, Books& books);
  [[nodiscard]] double measure(const Level& level, const State& end);
  [[nodiscard]] double measure_closing(const State& start, const State& end);
  void note_accepted(size_t depth, double error);
  void choose_level();

  const System& system_;
  double tolerance_;
  std::unique_ptr<Evaluator> evaluator_;
  StateWeights weights_;             // at the start of the run
  size_t level_ = 0;                 // from where parts are tried whole
  size_t shallowest_ = kDeepest;     // of this step, where a part was accepted,
  double largest_error_ = 0.0;       // and the largest error there, in parts of the tolerance
  Eigen::VectorXd size_q_, size_u_;  // the largest values so far
  std::array<Level, kDeepest> levels_;
  LawList list_;
  Eigen::VectorXd gap_start_;
  SparseColumns W_;
  std::vector<double> chi_;
};

}  // namespace tippe
