// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/constraint_watch.h"

#include "support/scenes.h"
#include "tippe/run/checkpoint.h"

namespace tippe::run_constraint_watch_test {

// A mass of 2 in a horizontal slot, pushed with 5 across it, above a floor that acts only through the law.
const std::string kSlot = R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "x'^2 + y'^2"
potential = "5*y"
[[contact]]
name = "floor"
gap = "y + 1"
[[bilateral]]
name = "slot"
position = "2*y"
[initial]
t = 3
[run]
integrator = "moreau"
dt = 0.1
until = 4
)toml";

ConstraintStep impulse(double slot) {
  ConstraintStep step;
  step.impulse = Eigen::VectorXd::Constant(1, slot);
  step.on_velocities = Eigen::Vector2d(0.0, 2.0 * slot);
  return step;
}

class ConstraintWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    now_.state = scene_.start;
    watch_.start(now_.state, now_.constraints);
  }
  void step(ConstraintWatch& watch, double t, const ConstraintStep& step) {
    now_.state.t = t;
    watch.book(now_.state, step, now_.constraints);
  }
  Scene scene_ = test::scene_from(kSlot);
  ConstraintWatch watch_{*scene_.system};
  Sample now_;
};

// 2 lambda = 5 holds the mass in its slot.
TEST_F(ConstraintWatchTest, AtTheFirstSampleTheForceIsThatWithoutLaws) {
  watch_.complete(now_);
  EXPECT_DOUBLE_EQ(now_.constraints.force[0], 2.5);
  EXPECT_DOUBLE_EQ(now_.constraints.control_force[0], 0.0);
  EXPECT_DOUBLE_EQ(now_.constraints.control_force[1], 5.0);
}

TEST_F(ConstraintWatchTest, WithLawsTheForceIsTheMeanSinceTheSampleBefore) {
  watch_.complete(now_);
  watch_.restart(now_.state.t, nullptr, now_.constraints);
  step(watch_, 3.25, impulse(0.2));
  ConstraintStep redundant = impulse(0.4);
  redundant.redundant = true;
  step(watch_, 3.5, redundant);
  watch_.complete(now_);
  EXPECT_DOUBLE_EQ(now_.constraints.force[0], 0.6 / 0.5);
  EXPECT_DOUBLE_EQ(now_.constraints.control_force[1], 1.2 / 0.5);
  EXPECT_TRUE(now_.constraints.redundant);  // in one of the steps

  // A sample before an impact is taken when the step with the impact has been made already.
  watch_.restart(3.5, nullptr, now_.constraints);
  step(watch_, 3.75, impulse(1.0));
  const Sample before = now_;
  const ConstraintStep impact = impulse(7.0);
  step(watch_, 4.0, impact);
  Sample recorded = before;
  watch_.complete(recorded);
  EXPECT_DOUBLE_EQ(recorded.constraints.force[0], 1.0 / 0.25);
  EXPECT_FALSE(recorded.constraints.redundant);
  watch_.restart(before.state.t, &impact, now_.constraints);
  watch_.complete(now_);
  EXPECT_DOUBLE_EQ(now_.constraints.force[0], 7.0 / 0.25);
}

TEST_F(ConstraintWatchTest, ACheckpointTakesOverWhatWasSummed) {
  now_.state.q[1] = 1e-3;
  step(watch_, 3.25, impulse(0.2));
  now_.state.q[1] = 0.0;
  Checkpoint checkpoint;
  CheckpointWriter writer(checkpoint);
  watch_.visit(writer, now_.constraints);

  ConstraintWatch other(*scene_.system);
  Sample sample;
  sample.state = scene_.start;
  other.start(sample.state, sample.constraints);
  CheckpointReader reader(checkpoint);
  other.visit(reader, sample.constraints);
  sample.state.t = 3.5;
  other.book(sample.state, impulse(0.4), sample.constraints);
  other.complete(sample);
  EXPECT_DOUBLE_EQ(sample.constraints.force[0], 0.6 / 0.5);  // since the start
  RunSummary summary;
  other.sum_up(summary);
  EXPECT_DOUBLE_EQ(summary.constraints.position.value, 2e-3);
  EXPECT_EQ(summary.constraints.position.at, "slot");
  EXPECT_EQ(summary.constraints.position.time, 3.25);
  EXPECT_EQ(summary.constraints.position_at_end, 0.0);
}

}  // namespace tippe::run_constraint_watch_test
