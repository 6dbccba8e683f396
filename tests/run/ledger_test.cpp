// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/ledger.h"

namespace tippe::run_ledger_test {

TEST(EnergyLedger, BalancesByHand) {
  EnergyLedger ledger;
  ledger.start({.kinetic = 10, .potential = 5, .drive = 0});
  StepReport step;
  step.lost_in_contacts = 3;
  step.lost_in_damping = 1;
  step.work_done = 2;
  ledger.book(step, {.kinetic = 4, .potential = 9.5, .drive = 0});
  // 13.5 - 15 = -1.5 was -3 - 1 + 2 = -2 explained: 0.5 is left.
  EXPECT_DOUBLE_EQ(ledger.unexplained(), 0.5);
  EXPECT_DOUBLE_EQ(ledger.scale, 10.0);  // max of T + |V - V(0)|: 10 at the start, 4 + 4.5 after
  EXPECT_DOUBLE_EQ(ledger.max_rise_per_step, 0.0);
}

TEST(EnergyLedger, ARiseCountsOnlyBeyondTheWorkDone) {
  EnergyLedger ledger;
  ledger.start({.kinetic = 1, .potential = 0, .drive = 0});
  StepReport step;
  step.work_done = 2;
  ledger.book(step, {.kinetic = 3.25, .potential = 0, .drive = 0});
  EXPECT_DOUBLE_EQ(ledger.max_rise_per_step, 0.25);
}

TEST(EnergyLedger, DriveOfAPrescribedMotionIsWork) {
  EnergyLedger ledger;
  ledger.start({.kinetic = 1, .potential = 0, .drive = 0.5});
  ledger.book({}, {.kinetic = 2, .potential = 0, .drive = 1.5});
  EXPECT_DOUBLE_EQ(ledger.work_done, 1.0);
  EXPECT_DOUBLE_EQ(ledger.unexplained(), 0.0);
}

}  // namespace tippe::run_ledger_test
