// SPDX-License-Identifier: Apache-2.0
// An instant of many bodies, around one of them.
#include "support/scenes.h"
#include "tippe/core/error.h"
#include "tippe/study/reached_instant.h"

namespace tippe::study_around_test {

ReachedInstant reach(const std::string& name, double time) {
  return reach_instant([&](const SceneOverrides& changed) { return test::load(name, changed); }, {}, time);
}

TEST(Around, WhatLeansOnEachOtherIsTakenAsOne) {
  ReachedInstant reached = reach("heavy_stack", 0.1);
  for (const char* name : {"box3", "top", "floor"}) {
    reached.around = name;
    const Instant instant = reached.instant();
    ASSERT_TRUE(instant.acceleration.has_value()) << name;
    EXPECT_EQ(instant.acceleration->unilateral.size(), 40u) << name;
    EXPECT_EQ(instant.acceleration->M.rows(), 60) << name;
    EXPECT_EQ(instant.acceleration->coordinates.size(), 60u) << name;
  }
}

// The forces of all others are those of the last step: with its own the body is at rest.
TEST(Around, OfTooManyContactsThoseOfTheBodyAreTaken) {
  ReachedInstant reached = reach("kapla", 0.1);
  EXPECT_THROW(static_cast<void>(reached.instant()), InputError);
  reached.around = "upright3_10";
  const Instant instant = reached.instant();
  ASSERT_TRUE(instant.acceleration.has_value());
  EXPECT_GE(instant.acceleration->unilateral.size(), 8u);  // four corners below, and four above
  EXPECT_LE(instant.acceleration->unilateral.size(), 30u);
  EXPECT_EQ(instant.acceleration->M.rows() % 6, 0);
  EXPECT_LE(instant.acceleration->M.rows(), 60);  // the block, what it stands on and what it carries
  bool said = false;
  for (const std::string& note : instant.notes)
    said = said || note.find("with the forces of the last step") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Around, AnUnknownNameIsToldWithTheNearest) {
  ReachedInstant reached = reach("heavy_stack", 0.0);
  reached.around = "box33";
  try {
    static_cast<void>(reached.instant());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'box3'"), std::string::npos) << error.what();
  }
}

}  // namespace tippe::study_around_test
