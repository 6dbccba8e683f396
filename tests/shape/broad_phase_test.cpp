// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <set>

#include "tippe/core/error.h"
#include "tippe/shape/contact_finder.h"

namespace tippe::broad_phase_test {

using Eigen::Vector3d;

bool always(std::uint32_t, std::uint32_t) {
  return true;
}

/// Balls whose sizes differ by a factor of 1000, all over a cube, and a plane.
struct Heap {
  std::vector<PlacedSolid> solids;
  std::vector<double> radius;
  std::vector<Pose> poses;
  std::mt19937 random{7};

  explicit Heap(int count, double unit = 1.0) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int k = 0; k < count; ++k) {
      radius.push_back(unit * 0.05 * std::pow(10.0, 1.5 * uniform(random) - 1.5));
      solids.push_back({.solid = SphereShape{Vector3d::Zero(), radius.back()}, .frame = k});
      poses.push_back({unit * Vector3d(uniform(random), uniform(random), uniform(random)), Eigen::Matrix3d::Identity()});
    }
    solids.push_back({.solid = Plane{Vector3d::UnitZ(), -0.9 * unit}});
  }
  void shake(double size) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (Pose& pose : poses) pose.position += size * Vector3d(uniform(random), uniform(random), uniform(random));
  }
  [[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> near_pairs(double reach, double offset) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t a = 0; a < poses.size(); ++a) {
      for (std::uint32_t b = a + 1; b < poses.size(); ++b) {
        if ((poses[a].position - poses[b].position).norm() - radius[a] - radius[b] <= reach) pairs.insert({a, b});
      }
      if (poses[a].position[2] - offset - radius[a] <= reach) pairs.insert({a, static_cast<std::uint32_t>(poses.size())});
    }
    return pairs;
  }
};

std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const std::vector<FoundContact>& contacts) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const FoundContact& contact : contacts) pairs.insert({contact.a, contact.b});
  return pairs;
}

TEST(BroadPhase, FindsAllPairsThatAreNearWhateverMoved) {
  for (const double unit : {1e-9, 1.0, 1e9}) {
    Heap heap(600, unit);
    ContactFinder finder(heap.solids, always);
    std::vector<FoundContact> contacts;
    for (int step = 0; step < 30; ++step) {
      const double reach = unit * (step % 7 == 0 ? 0.02 : 0.002);
      finder.find(heap.poses, reach, contacts);
      EXPECT_EQ(pairs_of(contacts), heap.near_pairs(reach, -0.9 * unit)) << step;
      heap.shake(unit * (step % 5 == 0 ? 0.1 : 0.0005));
    }
    EXPECT_GT(finder.rebuilds(), 3);
  }
}

TEST(BroadPhase, LeavesNoTraceInWhatIsFound) {
  Heap heap(400);
  ContactFinder old(heap.solids, always);
  std::vector<FoundContact> contacts, fresh_contacts;
  for (int step = 0; step < 20; ++step) {
    heap.shake(0.003);
    old.find(heap.poses, 0.01, contacts);
    ContactFinder fresh(heap.solids, always);
    fresh.find(heap.poses, 0.01, fresh_contacts);
    ASSERT_EQ(contacts.size(), fresh_contacts.size());
    for (size_t k = 0; k < contacts.size(); ++k) {
      EXPECT_EQ(contacts[k].a, fresh_contacts[k].a);
      EXPECT_EQ(contacts[k].b, fresh_contacts[k].b);
      EXPECT_EQ(contacts[k].gap, fresh_contacts[k].gap);
      EXPECT_EQ(contacts[k].at, fresh_contacts[k].at);
      EXPECT_EQ(contacts[k].normal, fresh_contacts[k].normal);
    }
  }
}

TEST(BroadPhase, KeepsItsListWhileNothingMoves) {
  Heap heap(200);
  ContactFinder finder(heap.solids, always);
  std::vector<FoundContact> contacts;
  for (int step = 0; step < 10; ++step) finder.find(heap.poses, 1e-3, contacts);
  EXPECT_EQ(finder.rebuilds(), 1);
}

TEST(BroadPhase, AsksWhoMayTouchAndNeverForOneFrame) {
  const Solid ball = SphereShape{Vector3d::Zero(), 1.0};
  const Solid beside = SphereShape{{0.5, 0.0, 0.0}, 1.0};
  std::set<std::pair<std::uint32_t, std::uint32_t>> asked;
  ContactFinder finder({{.solid = ball, .frame = 0},
                        {.solid = beside, .frame = 0},
                        {.solid = ball, .frame = 1},
                        {.solid = Plane{}},
                        {.solid = ball},
                        {.solid = ball, .frame = 2, .planar = true}},
                       [&](std::uint32_t a, std::uint32_t b) {
                         asked.insert({a, b});
                         return b != 4;
                       });
  std::vector<FoundContact> contacts;
  finder.find(std::vector<Pose>(3), 1e-3, contacts);
  const std::set<std::pair<std::uint32_t, std::uint32_t>> expected = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3},
                                                                      {0, 4}, {1, 4}, {2, 4}, {3, 5}};
  EXPECT_EQ(asked, expected);
  for (const FoundContact& contact : contacts) EXPECT_NE(contact.b, 4u);
}

TEST(BroadPhase, EndsAlsoWherePosesAreNotFinite) {
  Heap heap(20);
  ContactFinder finder(heap.solids, always);
  heap.poses[3].position[1] = NAN;
  heap.poses[4].position[2] = INFINITY;
  heap.poses[5].position[0] = 1e300;
  std::vector<FoundContact> contacts;
  finder.find(heap.poses, 0.01, contacts);
  for (const FoundContact& contact : contacts) EXPECT_NE(contact.a, 3u);
}

TEST(ContactFinder, SaysWhichSolidIsWrong) {
  try {
    ContactFinder finder(
        {{.solid = Plane{}}, {.solid = HullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, .frame = 0}}, always);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.subject(), "solid[1].points");
    EXPECT_STREQ(error.what(), "are in a plane: a hull needs at least four that are not");
  }
  EXPECT_THROW(ContactFinder({{.solid = SphereShape{}, .frame = 0}}, always), ModelError);
}

}  // namespace tippe::broad_phase_test
