// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_state.h"

#include <array>

namespace tippe::contact_contact_state_test {

const ContactTolerances kCoarse{.gap = 0.5,
                                .gap_of_terms = 0.25,
                                .held_gap_of_terms = 0.125,
                                .held_gap_of_way = 2.0,
                                .speed_of_terms = 0.5,
                                .speed_of_change = 0.25};

// 0.5 + 0.25 * 4 = 1.5 without memory, and 2 * 3 + 0.125 * 4 = 6.5 more with it: sums that are exact in binary.
TEST(ContactState, AGapIsClosedUpToTheSumOfWhatIsAllowed) {
  EXPECT_TRUE(is_closed({.gap = 1.5, .terms = 4.0}, kCoarse));
  EXPECT_FALSE(is_closed({.gap = std::nextafter(1.5, 2.0), .terms = 4.0}, kCoarse));
  EXPECT_TRUE(is_closed({.gap = 8.0, .terms = 4.0, .held = true, .prevented_way = 3.0}, kCoarse));
  EXPECT_FALSE(is_closed({.gap = std::nextafter(8.0, 9.0), .terms = 4.0, .held = true, .prevented_way = 3.0}, kCoarse));
  EXPECT_TRUE(is_closed({.gap = -100.0}, kCoarse));
}

TEST(ContactState, WhatAStepHeldIsClosedForAnInstantWhateverItsGap) {
  const ContactTolerances instants = ContactTolerances::of_instants(0.0);
  EXPECT_FALSE(is_closed({.gap = 1.0, .terms = 1.0}, instants));
  EXPECT_TRUE(is_closed({.gap = 1.0, .terms = 1.0, .held = true}, instants));
  EXPECT_TRUE(is_closed({.gap = 1.0, .held = true, .prevented_way = 0.0}, instants));
}

// In a step only as far as its impulse reaches: a contact whose last impulse prevented 1 mm may open by 1 nm.
TEST(ContactState, WhatAStepHeldMayOpenByAMillionthInTheNext) {
  const ContactTolerances steps = ContactTolerances::of_steps(0.0, 0.0);
  EXPECT_TRUE(is_closed({.gap = 0.9e-9, .held = true, .prevented_way = 1e-3}, steps));
  EXPECT_FALSE(is_closed({.gap = 1.1e-9, .held = true, .prevented_way = 1e-3}, steps));
  EXPECT_FALSE(is_closed({.gap = 1e-22, .prevented_way = 1e-3}, steps));
}

// 0.5 * 2 + 0.25 * 4 + 0.5 = 2.5.
TEST(ContactState, AVelocityIsNoneUpToTheSumOfWhatIsAllowed) {
  VelocityView view{.velocity = -2.5, .terms = 2.0, .change = 4.0, .allowed = 0.5};
  EXPECT_EQ(state_along_normal(view, kCoarse), ContactState::kResting);
  view.velocity = std::nextafter(-2.5, -3.0);
  EXPECT_EQ(state_along_normal(view, kCoarse), ContactState::kClosing);
  view.velocity = std::nextafter(2.5, 3.0);
  EXPECT_EQ(state_along_normal(view, kCoarse), ContactState::kOpening);
}

TEST(ContactState, StartsAreTakenAsTheyAre) {
  const ContactTolerances given = ContactTolerances::as_given(1e-3);
  EXPECT_TRUE(is_closed({.gap = 1e-3, .terms = 1e9}, given));
  EXPECT_FALSE(is_closed({.gap = 1.001e-3, .terms = 1e9, .held = true}, given));
  EXPECT_EQ(state_along_normal({.velocity = -1e-300, .terms = 1.0}, given), ContactState::kClosing);
  EXPECT_EQ(state_along_normal({.velocity = 0.0, .terms = 1.0}, given), ContactState::kResting);
}

// Where there is no friction nothing slides, however fast it moves; drilling is no sliding.
TEST(ContactState, SlidesAlongDirectionsWithFrictionOnly) {
  ForceLaw law;
  law.rows = 4;
  std::array<VelocityView, 4> rows{};
  const auto slides = [&] { return is_sliding(law, rows, ContactTolerances::of_motions()); };
  rows[0].velocity = rows[3].velocity = 1.0;
  law.mu1 = law.mu2 = 0.3;
  EXPECT_FALSE(slides());
  rows[2].velocity = 1.0;
  EXPECT_TRUE(slides());
  law.mu2 = 0.0;
  EXPECT_FALSE(slides());
  rows[1] = {.velocity = 0.9e-11, .terms = 1.0};
  EXPECT_FALSE(slides());
  rows[1].velocity = -1.1e-11;
  EXPECT_TRUE(slides());
  law.rows = 1;
  EXPECT_FALSE(is_sliding(law, std::span(rows).first(1), ContactTolerances::of_motions()));
}

TEST(ContactState, ADryFrictionSlidesWithoutACoefficient) {
  ForceLaw law;
  law.kind = ForceLaw::Kind::kDryFriction;
  law.limits = {2.0, 2.0};
  std::array<VelocityView, 1> row{VelocityView{.velocity = 1.0}};
  EXPECT_TRUE(is_sliding(law, row, ContactTolerances::of_motions()));
  row[0].velocity = 0.0;
  EXPECT_FALSE(is_sliding(law, row, ContactTolerances::of_motions()));
}

}  // namespace tippe::contact_contact_state_test
