// SPDX-License-Identifier: Apache-2.0
// The consistent schemes converge to what event-driven finds, with friction that stops and starts, too.
#include <fmt/format.h>

#include <algorithm>

#include "support/scenes.h"

namespace tippe::scenes_convergence_test {

struct Motion {
  const char* scene;
  const char* integrator;
  std::vector<std::string> settings;
};

class ConvergesToEvents : public testing::TestWithParam<Motion> {};

// Half a second. An error of first order would fall to a quarter, or less where an impact happens to lie well in its step.
TEST_P(ConvergesToEvents, AsTheStepsGetSmaller) {
  const auto [name, integrator, settings] = GetParam();
  const auto end = [&, name = name, settings = settings](const std::string& scheme, const std::string& dt) {
    const RunSummary summary =
        test::run(test::load(name, {.settings = settings, .integrator = scheme, .dt = dt, .until = "0.5"}));
    EXPECT_EQ(summary.status, RunStatus::kOk) << scheme << ": " << summary.message;
    return summary.final_state.q;
  };
  const Eigen::VectorXd exact = end("event-driven", "1e-3");
  const double coarse = (end(integrator, "1e-3") - exact).cwiseAbs().maxCoeff();
  const double fine = (end(integrator, "2.5e-4") - exact).cwiseAbs().maxCoeff();
  EXPECT_LE(fine, std::max(0.5 * coarse, 1e-12));
  EXPECT_LE(coarse, 5e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, ConvergesToEvents,
    testing::Values(Motion{"belt", "consistent-2", {}}, Motion{"belt", "consistent-mq", {}},
                    Motion{"block_pendulum", "consistent-mq", {}}, Motion{"cosine_hill", "consistent-2", {}},
                    Motion{"incline", "consistent-2", {}}, Motion{"ladder", "quaternion-2", {}},
                    Motion{"painleve_rod", "consistent-2", {}}, Motion{"painleve_rod", "consistent-2", {"mu=2"}},
                    Motion{"painleve_rod", "consistent-mq", {"mu=2"}}, Motion{"rocking_block", "consistent-2", {}},
                    Motion{"shaken_block", "consistent-2", {}}, Motion{"three_fingers", "consistent-2", {}},
                    Motion{"trending", "consistent-2", {}}, Motion{"wheel_hill", "consistent-2", {}}),
    [](const auto& parameter) {
      std::string text = fmt::format("{}_{}", parameter.param.scene, parameter.param.integrator);
      if (!parameter.param.settings.empty()) text += "_" + parameter.param.settings[0];
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == '-' || c == '='; }, '_');
      return text;
    });

}  // namespace tippe::scenes_convergence_test
