// SPDX-License-Identifier: Apache-2.0
// All pairs of shapes at random places, judged by support functions alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "shape/support_functions.h"
#include "tippe/shape/contact_finder.h"
#include "tippe/shape/feature.h"

namespace tippe::random_pairs_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(random_), normal(random_), normal(random_)).normalized();
  }
  Matrix3d turn() {
    std::normal_distribution<double> normal;
    return Eigen::Quaterniond(normal(random_), normal(random_), normal(random_), normal(random_))
        .normalized()
        .toRotationMatrix();
  }
  Matrix3d turn_in_plane() { return Eigen::AngleAxisd(uniform(-4.0, 4.0), Vector3d::UnitZ()).toRotationMatrix(); }

  Solid planar_solid(int kind);
  Solid solid(int kind) {
    switch (kind) {
      case 0:
        return SphereShape{vector(0.1), uniform(0.2, 1.0)};
      case 1:
        return CapsuleShape{vector(0.5), vector(0.5) + Vector3d(1.0, 0.0, 0.0), uniform(0.2, 0.5)};
      case 2:
        return CylinderShape{vector(0.5), vector(0.5) + Vector3d(1.0, 0.0, 0.0), uniform(0.2, 1.0)};
      case 3:
        return BoxShape{vector(0.1), {uniform(0.4, 2.0), uniform(0.4, 2.0), uniform(0.4, 2.0)}, turn()};
      default: {
        HullShape hull;
        const int count = 4 + static_cast<int>(uniform(0.0, 20.0));
        const Vector3d size(uniform(0.4, 1.0), uniform(0.4, 1.0), uniform(0.4, 1.0));
        for (int k = 0; k < count; ++k) hull.points.push_back(size.cwiseProduct(direction()));
        return hull;
      }
    }
  }

 private:
  std::mt19937 random_;
};

std::vector<FoundContact> contacts_of(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double reach,
                                      bool planar = false) {
  ContactFinder finder({{.solid = a, .frame = 0, .planar = planar}, {.solid = b, .frame = 1, .planar = planar}},
                       [](std::uint32_t, std::uint32_t) { return true; });
  std::vector<FoundContact> contacts;
  finder.find(std::vector<Pose>{pose_a, pose_b}, reach, contacts);
  return contacts;
}

const char* const kNames[] = {"sphere", "capsule", "cylinder", "box", "hull"};

Solid Maker::planar_solid(int kind) {
  const auto flat = [](Vector3d v) { return v[2] = 0.0, v; };
  switch (kind) {
    case 0:
      return SphereShape{flat(vector(0.1)), uniform(0.2, 1.0)};
    case 1:
      return CapsuleShape{flat(vector(0.5)), flat(vector(0.5) + Vector3d(1.0, 0.0, 0.0)), uniform(0.2, 0.5)};
    case 3:
      return BoxShape{flat(vector(0.1)), {uniform(0.4, 2.0), uniform(0.4, 2.0), 0.0}, turn_in_plane()};
    default: {
      HullShape hull;
      const int count = 3 + static_cast<int>(uniform(0.0, 8.0));
      for (int k = 0; k < count; ++k) hull.points.push_back(flat(vector(0.3)) + flat(direction()).normalized());
      return hull;
    }
  }
}

/// Moves b along a random direction until the two are `wanted` apart.
void bring_near(const Solid& a, const Pose& pose_a, const Solid& b, double wanted, const Vector3d& direction, Pose& pose_b,
                bool planar) {
  double low = 0.0, high = 8.0;
  for (int k = 0; k < 12; ++k) {
    const double middle = 0.5 * (low + high);
    pose_b.position = pose_a.position + middle * direction;
    (test::separation(a, pose_a, b, pose_b, planar, 1) < wanted ? low : high) = middle;
  }
  pose_b.position = pose_a.position + high * direction;
}

/// The same contacts with a and b exchanged, to the last bit.
void expect_turned(const std::vector<FoundContact>& contacts, const std::vector<FoundContact>& turned) {
  ASSERT_EQ(contacts.size(), turned.size());
  for (const FoundContact& contact : contacts) {
    const auto same = std::find_if(turned.begin(), turned.end(), [&](const FoundContact& other) {
      return other.feature_a == contact.feature_b && other.feature_b == contact.feature_a;
    });
    ASSERT_NE(same, turned.end());
    EXPECT_EQ(same->gap, contact.gap);
    EXPECT_EQ(same->at, contact.at);
    EXPECT_EQ(same->normal, Vector3d(-contact.normal));
  }
}

void judge(int one, int other, bool planar) {
  SCOPED_TRACE(std::string(kNames[one]) + " and " + kNames[other]);
  Maker make(static_cast<unsigned>(10 * one + other));
  int found = 0, missed = 0;
  for (int trial = 0; trial < (planar ? 8 : one >= 3 && other >= 3 ? 100 : 24); ++trial) {
    const Solid a = planar ? make.planar_solid(one) : make.solid(one),
                b = planar ? make.planar_solid(other) : make.solid(other);
    Pose pose_a{make.vector(3.0), planar ? make.turn_in_plane() : make.turn()};
    Pose pose_b{Vector3d::Zero(), planar ? make.turn_in_plane() : make.turn()};
    Vector3d direction = make.direction();
    if (planar) direction = Vector3d(direction[0], direction[1], 0.0).normalized(), pose_a.position[2] = 0.0;
    const double wanted[] = {1e-2, 0.0, -1e-3, -3e-2};
    bring_near(a, pose_a, b, wanted[trial % 4], direction, pose_b, planar);
    double expected = test::separation(a, pose_a, b, pose_b, planar);
    constexpr double kReach = 0.05;
    const auto contacts = contacts_of(a, pose_a, b, pose_b, kReach, planar);
    expect_turned(contacts, contacts_of(b, pose_b, a, pose_a, kReach, planar));
    const double win = contacts.empty() ? 0.0 : 1e-2 * contacts.front().half_size;
    double least = std::numeric_limits<double>::infinity();
    std::set<std::pair<std::uint32_t, std::uint32_t>> names;
    for (const FoundContact& contact : contacts) {
      least = std::min(least, contact.gap);
      EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-12);
      if (planar) {
        EXPECT_EQ(contact.normal[2], 0.0);
      }
      EXPECT_NEAR(contact.normal.dot(contact.point_a - contact.point_b), contact.gap, 1e-12);
      EXPECT_LT((contact.point_a - contact.gap * contact.normal - contact.point_b).norm(), 1e-12);
      EXPECT_LE(contact.gap, kReach);
      EXPECT_TRUE(names.emplace(contact.feature_a, contact.feature_b).second);
      // Along the normal the two are no nearer than along any other, up to what faces win by.
      const double along = -test::support(a, pose_a, -contact.normal) - test::support(b, pose_b, contact.normal);
      expected = std::max(expected, along);  // the search stops short on ridges
      if (expected < 0.0) {
        EXPECT_GE(along, expected - 3e-2) << trial;
      }
      const PairFunction function(contact, pose_a, pose_b);
      const PairFunction::Value value = function.at(pose_a, pose_b);
      EXPECT_NEAR(value.gap, contact.gap, 1e-12);
      EXPECT_LT((value.normal - contact.normal).norm(), 1e-9);
      EXPECT_LT((value.point_a - contact.point_a).norm(), 1e-9);
      EXPECT_LT((value.point_b - contact.point_b).norm(), 1e-9);
    }
    if (contacts.empty()) {
      ++missed;
      EXPECT_GT(expected, -1e-3) << trial << ": two solids that overlap have no contact";
      continue;
    }
    ++found;
    // Corners that are near corners or edges have no contact, so the nearest may be further away.
    if (expected < 0.0) {
      EXPECT_LE(least, expected + 3e-4) << trial;
    }
    EXPECT_GE(least, expected - win - 1e-4) << trial << " " << contacts.size();
  }
  EXPECT_GT(found, 3 * missed);
}

class RandomPairs : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(RandomPairs, TouchWhereSupportFunctionsSay) {
  judge(GetParam().first, GetParam().second, false);
}
TEST(RandomPlanarPairs, TouchWhereSupportFunctionsSay) {
  for (const int one : {0, 1, 3, 4}) {
    for (const int other : {0, 1, 3, 4}) judge(one, other, true);
  }
}

std::vector<std::pair<int, int>> all_pairs() {
  std::vector<std::pair<int, int>> pairs;
  for (int one = 0; one < 5; ++one) {
    for (int other = 0; other < 5; ++other) {
      pairs.emplace_back(one, other);
    }
  }
  return pairs;
}
INSTANTIATE_TEST_SUITE_P(Shapes, RandomPairs, testing::ValuesIn(all_pairs()), [](const auto& pair) {
  return std::string(kNames[pair.param.first]) + "_" + kNames[pair.param.second];
});

}  // namespace tippe::random_pairs_test
