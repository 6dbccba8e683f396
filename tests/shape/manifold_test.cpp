// SPDX-License-Identifier: Apache-2.0
// Contacts whose number, places and names are known beforehand.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tippe/shape/contact_finder.h"
#include "tippe/shape/feature.h"

namespace tippe::manifold_test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Placed {
  Solid solid;
  Pose pose;
};
using Name = std::array<std::uint32_t, 4>;

std::vector<FoundContact> contacts_of(const std::vector<Placed>& all, double reach, bool planar = false) {
  std::vector<PlacedSolid> solids;
  std::vector<Pose> poses;
  for (const Placed& placed : all) {
    solids.push_back({.solid = placed.solid, .frame = static_cast<int>(solids.size()), .planar = planar});
    poses.push_back(placed.pose);
  }
  ContactFinder finder(solids, [](std::uint32_t, std::uint32_t) { return true; });
  std::vector<FoundContact> contacts;
  finder.find(poses, reach, contacts);
  return contacts;
}
std::set<Name> names_of(const std::vector<FoundContact>& contacts) {
  std::set<Name> names;
  for (const FoundContact& contact : contacts)
    EXPECT_TRUE(names.insert({contact.a, contact.b, contact.feature_a, contact.feature_b}).second) << "a name occurs twice";
  return names;
}
int count(const std::vector<FoundContact>& contacts, FeatureKind kind) {
  return static_cast<int>(std::count_if(contacts.begin(), contacts.end(), [kind](const FoundContact& contact) {
    return feature::kind_of(contact.feature_a) == kind || feature::kind_of(contact.feature_b) == kind;
  }));
}
/// Whether some contact acts there.
bool acts_at(const std::vector<FoundContact>& contacts, const Vector3d& place, double tolerance) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const FoundContact& contact) { return (contact.at - place).norm() <= tolerance; });
}

Solid cube(double edge) {
  return BoxShape{Vector3d::Zero(), Vector3d::Constant(edge)};
}
Pose at(double x, double y, double z, const Matrix3d& axes = Matrix3d::Identity()) {
  return {{x, y, z}, axes};
}
Matrix3d about(const Vector3d& axis, double angle) {
  return AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(Manifold, OfAlignedCubesHasTheirFourCorners) {
  for (const double gap : {1e-6, 0.0, -1e-6, -1e-3}) {
    const auto contacts = contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(0, 0, 2.0 + gap)}}, 1e-4);
    ASSERT_EQ(contacts.size(), 4u);
    EXPECT_EQ(count(contacts, FeatureKind::kVertex), 4);
    for (const FoundContact& contact : contacts) {
      EXPECT_NEAR(contact.gap, gap, 1e-15);
      EXPECT_EQ(contact.normal, -Vector3d::UnitZ());
      EXPECT_NEAR(contact.at.head<2>().cwiseAbs().sum(), 2.0, 1e-12);
    }
    names_of(contacts);
  }
}

TEST(Manifold, OfACubeTurnedOnACubeIsAnOctagon) {
  const auto contacts = contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(0, 0, 2, about({0, 0, 1}, M_PI / 4))}}, 1e-4);
  ASSERT_EQ(contacts.size(), 8u);
  EXPECT_EQ(count(contacts, FeatureKind::kCut), 8);
  const double other = std::sqrt(2.0) - 1.0;
  // Sides of the outline are moved out by 1e-4 of the half size.
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(acts_at(contacts, {1.0, sign * other, 1.0}, 3e-4));
    EXPECT_TRUE(acts_at(contacts, {sign * other, -1.0, 1.0}, 3e-4));
  }
  names_of(contacts);
}

TEST(Manifold, OfAnOverhangEndsAtTheEdge) {
  const auto contacts = contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(1.5, 0.0, 2.0)}}, 1e-4);
  ASSERT_EQ(contacts.size(), 4u);
  EXPECT_EQ(count(contacts, FeatureKind::kCut), 2);
  EXPECT_EQ(count(contacts, FeatureKind::kVertex), 2);
  EXPECT_TRUE(acts_at(contacts, {1.0, 1.0, 1.0}, 3e-4));
  EXPECT_TRUE(acts_at(contacts, {0.5, -1.0, 1.0}, 3e-4));
}

TEST(Manifold, IsNoneWhereOnlyEdgesOrCornersMeet) {
  EXPECT_TRUE(contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(2.0, 0.0, 2.0)}}, 1e-6).empty());
  EXPECT_TRUE(contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(2.0, 2.0, 2.0)}}, 1e-6).empty());
  EXPECT_TRUE(contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(2.0 + 1e-5, 0.0, 2.0)}}, 1e-6).empty());
  EXPECT_FALSE(contacts_of({{cube(2.0), at(0, 0, 0)}, {cube(2.0), at(1.999, 0.0, 2.0)}}, 1e-6).empty());
}

TEST(Manifold, OfTwoCardsThatLeanOnEachOtherIsAnEdgeOnALargeFace) {
  const double length = 0.09, thickness = 5e-4, angle = 0.35;
  const double c = 0.5 * (length * std::sin(angle) + thickness * std::cos(angle));
  const Solid card = BoxShape{Vector3d::Zero(), {thickness, 0.06, length}};
  for (const double gap : {1e-10, 0.0, -1e-10, -1e-8, -1e-6}) {
    const auto contacts = contacts_of({{card, at(-c - 0.5 * gap, 0, 0, about({0, 1, 0}, angle))},
                                       {card, at(c + 0.5 * gap, 0, 0, about({0, 1, 0}, -angle))}},
                                      1e-7);
    ASSERT_EQ(contacts.size(), 2u) << gap;
    for (const FoundContact& contact : contacts) {
      EXPECT_NEAR(contact.gap, gap * std::cos(angle), 1e-16);
      EXPECT_NEAR(contact.normal[0], -std::cos(angle), 1e-12);
    }
  }
}

TEST(Manifold, OfTwoPlatesThatLeanOnEachOtherIsACornerOnALongSide) {
  const double length = 0.09, thickness = 5e-4, angle = 0.35;
  const double c = 0.5 * (length * std::sin(angle) + thickness * std::cos(angle));
  const Solid plate = BoxShape{Vector3d::Zero(), {thickness, length, 0.0}};
  for (const double gap : {1e-10, 0.0, -1e-8, -1e-6}) {
    const auto contacts = contacts_of({{plate, at(-c - 0.5 * gap, 0, 0, about({0, 0, 1}, -angle))},
                                       {plate, at(c + 0.5 * gap, 0, 0, about({0, 0, 1}, angle))}},
                                      1e-7, true);
    ASSERT_EQ(contacts.size(), 1u) << gap;
    EXPECT_NEAR(contacts[0].gap, gap * std::cos(angle), 1e-16);
    EXPECT_NEAR(contacts[0].normal[0], -std::cos(angle), 1e-12);
  }
}

TEST(Manifold, OfCrossedEdgesIsOnePoint) {
  // Two cubes on edge, one turned by 90 degrees about the vertical.
  const Matrix3d on_edge = about({1, 0, 0}, M_PI / 4), crossed = about({0, 0, 1}, M_PI / 2) * on_edge;
  const double height = 2.0 * std::sqrt(2.0);
  for (const double gap : {1e-3, 0.0, -1e-3}) {
    const auto contacts =
        contacts_of({{cube(2.0), at(0, 0, 0, on_edge)}, {cube(2.0), at(0.1, 0.2, height + gap, crossed)}}, 1e-2);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].kind, PairKind::kLineLine);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-14);
    EXPECT_LT((contacts[0].normal + Vector3d::UnitZ()).norm(), 1e-14);
    EXPECT_LT((contacts[0].at - Vector3d(0.1, 0.0, 0.5 * (height + gap))).norm(), 1e-14);
  }
}

TEST(Manifold, OfAnEdgeOnAFaceIsTwoPoints) {
  const auto contacts = contacts_of(
      {{cube(2.0), at(0, 0, 0)}, {cube(1.0), at(0.1, 0, 1.0 + std::sqrt(0.5), about({1, 0, 0}, M_PI / 4))}}, 1e-3);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_TRUE(acts_at(contacts, {0.6, 0.0, 1.0}, 1e-12));
  EXPECT_TRUE(acts_at(contacts, {-0.4, 0.0, 1.0}, 1e-12));
}

TEST(Manifold, OfACornerOnAFaceIsOnePoint) {
  // A diagonal of the cube stands upright.
  const Matrix3d on_corner = Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1), Vector3d(0, 0, 1)).toRotationMatrix();
  const auto contacts =
      contacts_of({{cube(10.0), at(0, 0, -5)}, {cube(2.0), at(0.3, 0.4, std::sqrt(3.0) - 1e-3, on_corner)}}, 1e-2);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -1e-3, 1e-14);
  EXPECT_EQ(feature::kind_of(contacts[0].feature_b), FeatureKind::kVertex);
}

TEST(Manifold, DoesNotDependOnUnitsOrSizes) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix3d turn = about({uniform(random), uniform(random), 1.0}, trial % 2 == 0 ? 0.0 : uniform(random));
    const Vector3d shift(uniform(random), uniform(random), 1.6 + 0.4 * uniform(random));
    const Vector3d size(1.5, 2.0, 2.5);
    std::vector<FoundContact> before;
    for (const double unit : {1.0, 1e-9, 1e9}) {
      const auto contacts = contacts_of({{BoxShape{Vector3d::Zero(), unit * size}, at(0, 0, 0)},
                                         {BoxShape{Vector3d::Zero(), unit * Vector3d::Constant(1.7)}, {unit * shift, turn}}},
                                        0.05 * unit);
      if (unit == 1.0) before = contacts;
      ASSERT_EQ(contacts.size(), before.size());
      for (size_t k = 0; k < contacts.size(); ++k) {
        EXPECT_EQ(contacts[k].feature_a, before[k].feature_a);
        EXPECT_EQ(contacts[k].feature_b, before[k].feature_b);
        EXPECT_NEAR(contacts[k].gap, unit * before[k].gap, 1e-13 * unit);
      }
    }
  }
}

TEST(Manifold, OfASmallCubeOnALargeOneIsThatOfTheSmall) {
  for (const double ratio : {1e3, 1e6}) {
    const double z = 0.5 * ratio;
    const auto contacts = contacts_of({{cube(ratio), at(0, 0, -z)}, {cube(1.0), at(0.3 * z, 0.2 * z, 0.5)}}, 1e-6);
    ASSERT_EQ(contacts.size(), 4u);
    EXPECT_EQ(count(contacts, FeatureKind::kVertex), 4);
    for (const FoundContact& contact : contacts) EXPECT_NEAR(contact.gap, 0.0, 1e-15 * ratio);
  }
}

/// A stack of cubes, planks across each other, a cylinder that stands and one that lies, a capsule that lies.
std::vector<Placed> resting() {
  const Solid plank = BoxShape{Vector3d::Zero(), {3.0, 0.5, 0.2}};
  return {{cube(1.0), at(0, 0, 0.5)},
          {cube(1.0), at(0, 0, 1.5)},
          {cube(1.0), at(0.2, 0.1, 2.5, about({0, 0, 1}, 0.3))},
          {plank, at(5, 0, 0.1)},
          {plank, at(5, 0, 0.3, about({0, 0, 1}, M_PI / 2))},
          {plank, at(5, 0.2, 0.5)},
          {CylinderShape{{0, 0, -0.5}, {0, 0, 0.5}, 0.4}, at(5.3, 0.2, 1.1)},
          {CylinderShape{{0, 0, -0.5}, {0, 0, 0.5}, 0.4}, at(5.3, 0.3, 2.1)},
          {CylinderShape{{-0.5, 0, 0}, {0.5, 0, 0}, 0.3}, at(0.2, 0.1, 3.3)},
          {CapsuleShape{{-0.5, 0, 0}, {0.5, 0, 0}, 0.3}, at(5.3, 0.3, 2.9)},
          {Plane{}, {}}};
}

TEST(Manifold, KeepsItsNamesWhileThingsRest) {
  const auto first = names_of(contacts_of(resting(), 1e-3));
  EXPECT_GT(first.size(), 40u);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const double size : {1e-12, 1e-9, 1e-6, 1e-5}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Placed> moved = resting();
      for (size_t k = 0; k + 1 < moved.size(); ++k) {
        moved[k].pose.position += size * Vector3d(uniform(random), uniform(random), uniform(random));
        const Vector3d axis(uniform(random), uniform(random), uniform(random));
        moved[k].pose.axes = about(axis, size * uniform(random)) * moved[k].pose.axes;
      }
      EXPECT_EQ(names_of(contacts_of(moved, 1e-3)), first) << size;
    }
  }
}

TEST(Manifold, IsTheSameAfterARigidMotion) {
  const auto before = contacts_of(resting(), 1e-3);
  const Pose motion{{30.0, -20.0, 10.0}, about({1.0, 2.0, -3.0}, 1.1)};
  std::vector<Placed> moved = resting();
  for (Placed& placed : moved)
    placed.pose = {motion.position + motion.axes * placed.pose.position, motion.axes * placed.pose.axes};
  const auto after = contacts_of(moved, 1e-3);
  ASSERT_EQ(after.size(), before.size());
  for (size_t k = 0; k < before.size(); ++k) {
    EXPECT_EQ(after[k].feature_a, before[k].feature_a);
    EXPECT_EQ(after[k].feature_b, before[k].feature_b);
    EXPECT_NEAR(after[k].gap, before[k].gap, 1e-13);
    EXPECT_LT((after[k].normal - motion.axes * before[k].normal).norm(), 1e-13);
    EXPECT_LT((after[k].at - motion.position - motion.axes * before[k].at).norm(), 1e-12);
  }
}

TEST(Manifold, OfAHullWithTheCornersOfABoxIsThatOfTheBox) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Vector3d size(1.0, 1.5, 2.0);
  HullShape hull;
  for (int corner = 0; corner < 8; ++corner)
    hull.points.emplace_back(0.5 * size[0] * (corner & 1 ? 1 : -1), 0.5 * size[1] * (corner & 2 ? 1 : -1),
                             0.5 * size[2] * (corner & 4 ? 1 : -1));
  int compared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Pose pose{{1.5 * uniform(random), 1.5 * uniform(random), 1.5 * uniform(random)},
                    about({uniform(random), uniform(random), uniform(random)}, 3.0 * uniform(random))};
    const auto boxes = contacts_of({{cube(1.2), {}}, {BoxShape{Vector3d::Zero(), size}, pose}}, 0.01);
    const auto mixed = contacts_of({{cube(1.2), {}}, {hull, pose}}, 0.01);
    ASSERT_EQ(boxes.size(), mixed.size());
    for (const FoundContact& contact : boxes) {
      EXPECT_TRUE(std::any_of(mixed.begin(), mixed.end(), [&](const FoundContact& other) {
        return std::abs(other.gap - contact.gap) < 1e-12 && (other.at - contact.at).norm() < 1e-12;
      }));
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Manifold, OfALyingCylinderIsTheLowestPlacesOfItsRims) {
  for (const double tilt : {0.0, 1e-3, 0.3}) {
    const Solid cylinder = CylinderShape{{-1, 0, 0}, {1, 0, 0}, 0.5};
    const Pose pose = at(0.0, 0.0, 0.5 * std::cos(tilt) + std::sin(tilt), about({0, 1, 0}, tilt));
    for (const Solid& ground : {Solid(Plane{}), Solid(BoxShape{{0, 0, -1}, {9, 9, 2}})}) {
      const auto contacts = contacts_of({{cylinder, pose}, {ground, {}}}, 0.01);
      ASSERT_EQ(contacts.size(), tilt > 0.1 ? 1u : 2u);
      double lowest = 1.0;
      for (const FoundContact& contact : contacts) {
        lowest = std::min(lowest, contact.gap);
        EXPECT_EQ(contact.kind, PairKind::kRimPlane);
        EXPECT_EQ(feature::kind_of(contact.feature_a), FeatureKind::kLowest);
      }
      EXPECT_NEAR(lowest, 0.0, 1e-15);
    }
  }
}

TEST(Manifold, OfALyingCylinderDoesNotJumpWhileItRolls) {
  const Solid cylinder = CylinderShape{{-1, 0, 0}, {1, 0, 0}, 0.5};
  for (int k = 0; k < 100; ++k) {
    const auto contacts = contacts_of({{cylinder, at(0, 0.05 * k, 0.5, about({1, 0, 0}, -0.1 * k))}, {Plane{}, {}}}, 1e-3);
    ASSERT_EQ(contacts.size(), 2u);
    for (const FoundContact& contact : contacts) {
      EXPECT_NEAR(contact.gap, 0.0, 1e-15);
      EXPECT_NEAR(contact.at[1], 0.05 * k, 1e-12);
    }
  }
}

TEST(Manifold, OfARoundTowerIsItsRim) {
  // A coin on a coin, over its edge by half a radius: the places of both rims that are on the other, and where the rims cross.
  const Solid coin = CylinderShape{{0, 0, -0.1}, {0, 0, 0.1}, 1.0};
  const auto contacts = contacts_of({{coin, at(0, 0, 0)}, {coin, at(0.5, 0, 0.2)}}, 1e-3);
  EXPECT_EQ(count(contacts, FeatureKind::kCut), 2);
  const double y = std::sqrt(1.0 - 0.0625);
  EXPECT_TRUE(acts_at(contacts, {0.25, y, 0.1}, 1e-12));
  EXPECT_TRUE(acts_at(contacts, {0.25, -y, 0.1}, 1e-12));
  EXPECT_TRUE(acts_at(contacts, {1.0, 0.0, 0.1}, 1e-12));
  EXPECT_TRUE(acts_at(contacts, {-0.5, 0.0, 0.1}, 1e-12));
  for (const FoundContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_LE(contact.at.head<2>().norm(), 1.0 + 1e-4);
    EXPECT_LE((contact.at.head<2>() - Eigen::Vector2d(0.5, 0)).norm(), 1.0 + 1e-4);
  }
  names_of(contacts);
}

TEST(Manifold, OfPlanarBoxesIsTwoPoints) {
  const Solid box = BoxShape{Vector3d::Zero(), {2.0, 1.0, 0.0}};
  for (const double gap : {1e-6, 0.0, -1e-3}) {
    auto contacts = contacts_of({{box, at(0, 0, 0)}, {box, at(0.0, 1.0 + gap, 0.0)}}, 1e-4, true);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(count(contacts, FeatureKind::kVertex), 2);
    for (const FoundContact& contact : contacts) {
      EXPECT_NEAR(contact.gap, gap, 1e-15);
      EXPECT_EQ(contact.normal, -Vector3d::UnitY());
    }
    contacts = contacts_of({{box, at(0, 0, 0)}, {box, at(0.5, 1.0 + gap, 0.0)}}, 1e-4, true);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(count(contacts, FeatureKind::kCut), 1);
  }
  EXPECT_TRUE(contacts_of({{box, at(0, 0, 0)}, {box, at(2.0, 1.0, 0.0)}}, 1e-6, true).empty());
}

TEST(Manifold, HasANormalWhereMiddlesCoincide) {
  const Solid solids[] = {SphereShape{Vector3d::Zero(), 1.0}, CapsuleShape{{-1, 0, 0}, {1, 0, 0}, 0.5},
                          CylinderShape{{-1, 0, 0}, {1, 0, 0}, 0.5}, cube(1.0)};
  for (const Solid& one : solids) {
    for (const Solid& other : solids) {
      const auto contacts = contacts_of({{one, {}}, {other, {}}}, 1e-3);
      EXPECT_FALSE(contacts.empty());
      for (const FoundContact& contact : contacts) {
        EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-12);
        EXPECT_TRUE(contact.at.allFinite());
        EXPECT_LT(contact.gap, 0.0);
      }
    }
  }
}

}  // namespace tippe::manifold_test
