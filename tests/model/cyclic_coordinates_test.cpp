// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/cyclic_coordinates.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace tippe::model_cyclic_coordinates_test {

EquationInputs inputs_of(const Scene& scene) {
  return find_equation_inputs(*scene.system->lagrangian());
}

// The height of the woodpecker is in its potential, but only linearly: no force depends on it.
TEST(CyclicCoordinates, AWeightDoesNotDependOnItsHeight) {
  const EquationInputs inputs = inputs_of(test::load("woodpecker"));
  EXPECT_EQ(inputs.coordinate, (std::vector<bool>{false, true, true}));
  EXPECT_FALSE(inputs.time);
}

TEST(CyclicCoordinates, GapsAndTimesCount) {
  const EquationInputs inputs = inputs_of(test::load("vibrating_table"));
  EXPECT_EQ(inputs.coordinate, std::vector<bool>{true});
  EXPECT_TRUE(inputs.time);
}

// V = x y: each force depends on the other coordinate. z is in a mass, s in nothing.
TEST(CyclicCoordinates, CoupledForcesAndMassesCount) {
  const EquationInputs inputs =
      inputs_of(test::scene_from("[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\", \"s\"]\nkinetic = \"0.5*(x'^2 + y'^2 + "
                                 "z'^2 + (2 + cos(z))*s'^2)\"\n"
                                 "potential = \"x*y + 3*s\"\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n"));
  EXPECT_EQ(inputs.coordinate, (std::vector<bool>{true, true, true, false}));
  EXPECT_FALSE(inputs.time);
}

}  // namespace tippe::model_cyclic_coordinates_test
