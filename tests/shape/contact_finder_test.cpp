// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/contact_finder.h"

#include <gtest/gtest.h>

#include <random>

#include "tippe/core/error.h"
#include "tippe/shape/feature.h"

namespace tippe::contact_finder_test {

using Eigen::Vector3d;

/// Solids of frame 0, 1, ... and the plane z = 0; all may touch.
ContactFinder make_finder(const std::vector<Solid>& moving) {
  std::vector<PlacedSolid> solids;
  for (const Solid& solid : moving) solids.push_back({.solid = solid, .frame = static_cast<int>(solids.size())});
  solids.push_back({.solid = Plane{Vector3d::UnitZ(), 0.0}});
  return {solids, [](std::uint32_t, std::uint32_t) { return true; }};
}

Pose at(double x, double y, double z) {
  return {{x, y, z}, Eigen::Matrix3d::Identity()};
}

TEST(ContactFinder, ASphereStandsOnAPlaneAndASphereOnIt) {
  ContactFinder finder = make_finder({SphereShape{Vector3d::Zero(), 1.0}, SphereShape{Vector3d::Zero(), 0.5}});
  std::vector<FoundContact> contacts;
  finder.find(std::vector<Pose>{at(0.0, 0.0, 1.25), at(0.0, 0.0, 3.0)}, 1.0, contacts);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].a, 0u);
  EXPECT_EQ(contacts[0].b, 1u);
  EXPECT_DOUBLE_EQ(contacts[0].gap, 0.25);
  EXPECT_EQ(contacts[0].normal, Vector3d(0.0, 0.0, -1.0));  // from the second, which is above, to the first
  EXPECT_EQ(contacts[0].point_a, Vector3d(0.0, 0.0, 2.25));
  EXPECT_EQ(contacts[0].point_b, Vector3d(0.0, 0.0, 2.5));
  EXPECT_EQ(contacts[0].at, Vector3d(0.0, 0.0, 2.375));
  EXPECT_EQ(contacts[1].b, 2u);
  EXPECT_DOUBLE_EQ(contacts[1].gap, 0.25);
  EXPECT_EQ(contacts[1].normal, Vector3d(0.0, 0.0, 1.0));
  EXPECT_EQ(contacts[1].point_b, Vector3d(0.0, 0.0, 0.0));
}

TEST(ContactFinder, ABoxStandsOnFourCorners) {
  ContactFinder finder = make_finder({BoxShape{Vector3d::Zero(), {2.0, 4.0, 6.0}}});
  std::vector<FoundContact> contacts;
  finder.find(std::vector<Pose>{at(10.0, 0.0, 3.0)}, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 4u);
  for (const FoundContact& contact : contacts) {
    EXPECT_EQ(contact.gap, 0.0);
    EXPECT_EQ(contact.normal, Vector3d::UnitZ());
    EXPECT_EQ(contact.half_size, 1.0);
    EXPECT_EQ(feature::kind_of(contact.feature_a), FeatureKind::kVertex);
  }
}

}  // namespace tippe::contact_finder_test
