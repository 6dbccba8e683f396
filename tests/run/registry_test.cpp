// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/registry.h"

#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::run_registry_test {

TEST(Integrators, EachHasADescriptionAndCanBeFound) {
  for (const IntegratorInfo& info : integrators()) {
    EXPECT_FALSE(info.description.empty());
    EXPECT_EQ(find_integrator(info.name), &info);
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil = 2\n");
    if (!info.misfit(*scene.system).empty()) continue;
    EXPECT_EQ(info.make(*scene.system, {})->adaptive() != nullptr, info.adaptive) << info.name;
  }
  EXPECT_EQ(find_integrator("euler"), nullptr);
}

TEST(Integrators, AMisfitIsRefusedNamingThoseThatFit) {
  EXPECT_EQ(fitting_integrators(*test::load("bouncing_ball").system),
            (std::vector<std::string>{"moreau", "moreau-jean", "event-driven", "consistent-2", "consistent-mq",
                                      "quaternion-1", "quaternion-2", "quaternion-momentum"}));
  try {
    (void)test::load("bouncing_ball", {.settings = {}, .integrator = "rk4", .dt = {}, .until = {}});
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'rk4' does not fit"), std::string::npos) << message;
    EXPECT_NE(message.find("'floor'"), std::string::npos) << message;
    EXPECT_NE(message.find("these do: moreau, moreau-jean"), std::string::npos) << message;
  }
}

// A misspelt name is the mistake, not the step that its integrator may or may not need.
TEST(Integrators, AnUnknownOneIsToldRatherThanAMissingStep) {
  try {
    (void)test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\nintegrator = \"event-drivn\"\nuntil = 1\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'event-driven'"), std::string::npos) << error.what();
  }
}

}  // namespace tippe::run_registry_test
