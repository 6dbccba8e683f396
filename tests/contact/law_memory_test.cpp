// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/law_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace tippe::contact_law_memory_test {

constexpr LawId kFirst{1, 2, 0, 0}, kSecond{1, 2, 0, 5}, kThird{1, 3, 0, 0};

const std::vector<ForceLaw>& two_rows() {
  static const std::vector<ForceLaw> laws = [] {
    ForceLaw law;
    law.rows = 2;
    return std::vector{law};
  }();
  return laws;
}

LawList list_of(const std::vector<LawId>& ids) {
  LawList list;
  for (const LawId& id : ids) list.push(id, 0);
  list.gap.setZero(list.size());
  return list;
}

/// A step with normal impulses of these laws.
LawStep step_with(const LawList& list, const std::vector<double>& normal) {
  LawStep step;
  step.begin(list, two_rows());
  for (size_t k = 0; k < normal.size(); ++k) {
    step.impulse[step.first_row[k]] = normal[k];
    step.impulse[step.first_row[k] + 1] = 0.1 * normal[k];
  }
  return step;
}

void make_step(LawMemory& memory, const LawList& list, const std::vector<double>& normal) {
  memory.align(list);
  LawStep step = step_with(list, normal);
  memory.keep_impulses(step);
  memory.end_step(step);
}

TEST(LawMemory, ImpulsesAreFoundByIdentity) {
  LawMemory memory;
  make_step(memory, list_of({kFirst, kThird}), {1.0, 3.0});
  const LawList list = list_of({kSecond, kThird});
  memory.align(list);
  EXPECT_EQ(memory.impulse(memory.place(0))[0], 0.0);
  EXPECT_EQ(memory.impulse(memory.place(1))[0], 3.0);
  EXPECT_EQ(memory.impulse(memory.place(1))[1], 0.1 * 3.0);
  EXPECT_TRUE(memory.view(memory.place(1), 0.0, 0.0, 1.0).held);
  EXPECT_FALSE(memory.view(memory.place(0), 0.0, 0.0, 1.0).held);
}

// Whether the law stays in the list meanwhile or not.
TEST(LawMemory, ALawIsForgottenThreeStepsAfterItCarried) {
  for (const bool listed : {true, false}) {
    const LawList both = list_of({kFirst, kSecond}), rest = listed ? both : list_of({kSecond});
    LawMemory memory;
    make_step(memory, both, {1.0, 1.0});
    memory.align(both);
    memory.set_prevented_speed(memory.place(0), 5.0);
    for (int step = 1; step <= 2; ++step) {
      make_step(memory, rest, listed ? std::vector{0.0, 1.0} : std::vector{1.0});
      EXPECT_TRUE(memory.held(kFirst)) << step;
      EXPECT_EQ(memory.largest_prevented_speed(), 5.0);
    }
    make_step(memory, rest, listed ? std::vector{0.0, 1.0} : std::vector{1.0});
    EXPECT_FALSE(memory.held(kFirst));
    EXPECT_EQ(memory.largest_prevented_speed(), 0.0);
    EXPECT_TRUE(memory.held(kSecond));
    NamedArrays saved;
    memory.save(saved);
    EXPECT_EQ(saved.at("law.age").size(), listed ? 2u : 1u);
  }
}

TEST(LawMemory, TellsWhoCarriesAnew) {
  const LawList list = list_of({kFirst, kSecond});
  LawMemory memory;
  memory.hold(kSecond);
  const auto anew = [&](const std::vector<double>& normal) {
    memory.align(list);
    LawStep step = step_with(list, normal);
    memory.keep_impulses(step);
    memory.end_step(step);
    return std::vector<int>(step.anew.begin(), step.anew.end());
  };
  EXPECT_EQ(anew({1.0, 1.0}), (std::vector{1, 0}));  // the second was held from the start
  EXPECT_EQ(anew({1.0, 1.0}), (std::vector{0, 0}));
  EXPECT_EQ(anew({0.0, 1.0}), (std::vector{0, 0}));
  EXPECT_EQ(anew({0.0, 0.0}), (std::vector{0, 0}));
  EXPECT_EQ(anew({1.0, 0.0}), (std::vector{0, 0}));  // open for two steps
  EXPECT_EQ(anew({1.0, 0.0}), (std::vector{0, 0}));
  EXPECT_EQ(anew({1.0, 1.0}), (std::vector{0, 1}));  // open for three
}

TEST(LawMemory, ComesBackFromItsArrays) {
  LawMemory memory, other;
  make_step(memory, list_of({kFirst, kSecond, kThird}), {1.0, 0.0, 3.0});
  NamedArrays saved, again;
  memory.save(saved);
  other.restore(saved);
  other.save(again);
  EXPECT_EQ(saved, again);
  EXPECT_TRUE(other.held(kThird));
  EXPECT_FALSE(other.held(kSecond));
  for (const auto& [array, place, value] :
       std::vector<std::tuple<const char*, size_t, double>>{{"law.id", 0, -1.0},
                                                            {"law.id", 0, 0.5},
                                                            {"law.id", 0, 4294967296.0},
                                                            {"law.id", 0, 2.0},  // no order
                                                            {"law.age", 1, 4.0},
                                                            {"law.age", 1, -1.0}}) {
    NamedArrays forged = saved;
    std::vector<double>& values = forged.begin_array(array);
    values = saved.at(array);
    values[place] = value;
    EXPECT_THROW(other.restore(forged), std::invalid_argument) << array << " " << value;
  }
  NamedArrays shorter = saved;
  shorter.begin_array("law.impulse");
  EXPECT_THROW(other.restore(shorter), std::invalid_argument);
  EXPECT_THROW(other.restore({}), std::invalid_argument);
}

// A list of fixed laws is not looked at law by law. The memory must be that of a list with the same laws which is, to the bit.
TEST(LawMemory, OfFixedLawsIsThatOfTheSameLawsFoundAnew) {
  const std::vector<ForceLaw> laws(3, two_rows()[0]);
  const LawList fixed = list_of_fixed_laws(laws);
  LawList found = fixed;
  found.fixed = false;
  std::mt19937 random(5);
  LawMemory by_fixed, by_found;
  LawStep of_fixed(laws), of_found;
  const auto step = [&](LawMemory& memory, const LawList& list, LawStep& made, const std::vector<double>& normal) {
    memory.align(list);
    made.begin(list, laws);
    EXPECT_TRUE(made.impulse.isZero(0.0) && made.lost.isZero(0.0) && made.closing_speed.isZero(0.0));
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(made.anew[static_cast<size_t>(k)], 0);
      made.impulse.segment(made.first_row[static_cast<size_t>(k)], 2) << normal[static_cast<size_t>(k)], -0.5;
      made.lost[k] = made.closing_speed[k] = 1.0;
      if (normal[static_cast<size_t>(k)] > 0.5) memory.set_prevented_speed(memory.place(k), normal[static_cast<size_t>(k)]);
    }
    memory.keep_impulses(made);
    memory.end_step(made);
  };
  for (int n = 0; n < 200; ++n) {
    std::vector<double> normal;
    for (int k = 0; k < 3; ++k) normal.push_back(std::max(0.0, std::uniform_real_distribution(-2.0, 1.0)(random)));
    step(by_fixed, fixed, of_fixed, normal);
    step(by_found, found, of_found, normal);
    EXPECT_EQ(of_fixed.anew, of_found.anew);
    NamedArrays one, other;
    by_fixed.save(one);
    by_found.save(other);
    ASSERT_EQ(one, other) << n;
    if (n % 50 == 20) by_fixed.restore(one);
    if (n % 50 == 30) {
      by_fixed.hold(LawId::fixed(1));
      by_found.hold(LawId::fixed(1));
    }
    if (n % 50 == 40) {  // a list that lacks a law, and the whole one again
      LawList rest;
      rest.push(LawId::fixed(0), 0);
      for (LawMemory* memory : {&by_fixed, &by_found}) {
        memory->align(rest);
        EXPECT_EQ(memory->place(0), 0);
      }
    }
  }
}

// Two halves of a step that found other laws.
TEST(LawStep, PartsAddUpByIdentity) {
  LawStep first = step_with(list_of({kFirst, kThird}), {1.0, 3.0}),
          second = step_with(list_of({kFirst, kSecond}), {10.0, 20.0});
  first.lost << 0.5, 0.25;
  second.lost << 1.0, 2.0;
  first.closing_speed << 3.0, 4.0;
  second.closing_speed << 1.0, 2.0;
  second.add_before(first);
  EXPECT_EQ(second.id, (std::vector{kFirst, kSecond, kThird}));
  EXPECT_EQ(second.first_row, (std::vector{0, 2, 4}));
  EXPECT_EQ(Eigen::VectorXd(second.impulse), (Eigen::VectorXd(6) << 11.0, 0.1 + 1.0, 20.0, 2.0, 3.0, 0.1 * 3.0).finished());
  EXPECT_EQ(Eigen::VectorXd(second.lost), Eigen::Vector3d(1.5, 2.0, 0.25));
  EXPECT_EQ(Eigen::VectorXd(second.closing_speed), Eigen::Vector3d(3.0, 2.0, 4.0));
}

}  // namespace tippe::contact_law_memory_test
