// SPDX-License-Identifier: Apache-2.0
#include "cli/damage_guard.h"

namespace tippe::cli::cli_damage_guard_test {

int overflow(int depth) {
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

TEST(DamageGuardDeathTest, ACrashBecomesAMessageAndAnExitCode) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) {
    EXPECT_EXIT(
        {
          const DamageGuard guard(STDERR_FILENO, "a.hdf5: damaged\n", 2);
          raise(signal);
        },
        testing::ExitedWithCode(2), "a.hdf5: damaged");
  }
  EXPECT_EXIT(
      {
        const DamageGuard guard(STDERR_FILENO, "a.hdf5: damaged\n", 2);
        std::exit(overflow(0));
      },
      testing::ExitedWithCode(2), "a.hdf5: damaged");
}

TEST(DamageGuard, GivesBackWhatItTook) {
  const auto handler_of = [](int signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return reinterpret_cast<void*>(action.sa_sigaction);
  };
  void* const before = handler_of(SIGSEGV);
  {
    const DamageGuard guard(STDERR_FILENO, "", 2);
    EXPECT_NE(handler_of(SIGSEGV), before);
  }
  EXPECT_EQ(handler_of(SIGSEGV), before);
}

}  // namespace tippe::cli::cli_damage_guard_test
