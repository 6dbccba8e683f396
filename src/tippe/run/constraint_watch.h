// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/integrate/constrained_motion.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// Follows the bilateral constraints of a run: how far they are violated after every step, their forces and their rank at every
/// sample. Does nothing in a system without constraints.
class ConstraintWatch {
 public:
  explicit ConstraintWatch(const System& system);

  /// The start of the whole run, also of one that is resumed; gives the vectors of the sample their sizes.
  void start(const State& start, ConstraintSample& sample);
  /// After a step that ended well. Allocates nothing.
  void book(const State& state, const ConstraintStep& step, ConstraintSample& sample);
  /// The same for a sample within the step, in which it did `part` until there; book() then adds the rest of it.
  void book_first_part(const ConstraintStep& part, ConstraintSample& sample);
  /// Fills in what is recorded. The forces: without force laws those at the sample's state, the same for every integrator; with
  /// laws the mean since the sample before, at the first sample as if no law acted. Not a number where they cannot be had, as
  /// after a jump, at the same time as the sample before.
  void complete(Sample& sample);
  /// A sample was taken at `time`; `later`: the step after it, if that has been made already.
  void restart(double time, const ConstraintStep* later, ConstraintSample& sample);

  /// Whether a state breaks a constraint that the other one keeps: "breaks the constraint 'rod': ...", or empty.
  [[nodiscard]] std::string broken_by_jump(const State& before, const State& after);

  /// Adds its notes to those of the summary.
  void sum_up(RunSummary& summary) const;
  /// Says so if positions drifted far from the constraints.
  void warn(std::vector<std::string>& warnings) const;

  /// Whether the rows that it names exist: after a checkpoint was read they need not.
  [[nodiscard]] bool valid() const;

  /// Names everything that the rest of the run depends on, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive, ConstraintSample& sample) {
    if (!motion_) return;
    archive("constraint.impulse", sample.sum.impulse);
    archive("constraint.on_velocities", sample.sum.on_velocities);
    archive("constraint.redundant", sample.sum.redundant);
    archive("constraint.since", sample.since);
    archive("constraint.sampled", sampled_);
    archive("constraint.smallest_rank", smallest_rank_);
    archive("constraint.rank_rose", rank_rose_);
    archive("constraint.dependent_since", dependent_since_);
    archive("constraint.now", now_);
    archive("constraint.distance", distance_);
    archive("constraint.size", largest_q_);
    archive("constraint.singular_value", smallest_singular_value_);
    archive("constraint.singular_time", nearly_dependent_at_);
    for (Worst* worst : {&position_, &velocity_}) {
      const std::string name = worst == &position_ ? "constraint.position." : "constraint.velocity.";
      archive(name + "value", worst->value);
      archive(name + "row", worst->row);
      archive(name + "time", worst->time);
    }
  }

 private:
  struct Worst {
    double value = 0.0;
    int row = -1;
    double time = 0.0;
    void look(const Eigen::VectorXd& values, double t);
  };
  void look_at_violation(const State& state);
  void look_at_rank(double t);
  [[nodiscard]] WorstViolation named(const Worst& worst) const;
  [[nodiscard]] std::vector<int> rows_dependent(bool from_the_start) const;
  void add_notes(std::vector<std::string>& notes) const;

  const System& system_;
  std::optional<ConstrainedMotion> motion_;
  double t0_ = 0.0;  // s   of the start
  int rank_at_start_ = 0, smallest_rank_ = 0;
  double rank_rose_;                     // s   first sample with a larger rank than at the start; infinite if there was none
  std::vector<double> dependent_since_;  // s   first sample at which a row depended on others; infinite if there was none
  std::array<double, 2> at_start_{}, now_{};  // largest |g|, |gamma|
  Worst position_, velocity_;
  double distance_ = 0.0;   // m   largest distance of positions from the constraints
  double largest_q_ = 0.0;  // m   largest coordinate
  double smallest_singular_value_ = 1.0, nearly_dependent_at_ = 0.0;  // kept at a sample, and when
  bool sampled_ = false;                                              // whether there was a sample already
  Eigen::VectorXd g_, gamma_;
  Eigen::VectorXd taken_, taken_on_velocities_;  // N s  of the step, in samples within it
};

}  // namespace tippe
