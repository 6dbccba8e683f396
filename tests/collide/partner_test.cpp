// SPDX-License-Identifier: Apache-2.0
// Which contacts two bodies, or a body and a plane, have, and how they are called.
#include "tippe/collide/partner.h"

#include <gtest/gtest.h>

#include "support/touching_bodies.h"

namespace tippe::collide_partner_test {

using Eigen::Vector3d;
using test::Random;
using test::random_motion;
using test::RigidMotion;
using test::TouchingBodies;

Partner make_plane(const std::string& name, const Vector3d& normal, double offset) {
  Partner partner;
  partner.name = name;
  partner.plane = Plane{normal, offset};
  return partner;
}

std::vector<std::string> names_of(const Contacts& found) {
  std::vector<std::string> names;
  for (const NamedContact& contact : found.contacts) names.push_back(contact.name);
  return names;
}

/// The distance of a shape from a plane is the smallest gap of its contacts.
double smallest_gap(TouchingBodies& bodies, int contacts) {
  double smallest = bodies.gap(0);
  for (int k = 1; k < contacts; ++k) smallest = std::min(smallest, bodies.gap(k));
  return smallest;
}

// The distance of a box from a plane by its support function: n.c - sum_i |n.axis_i| size_i/2 - offset.
TEST(Partner, BoxOnPlaneIsAsFarAsItsSupportFunctionSays) {
  for (const BodyKind kind : {BodyKind::kNewtonEuler, BodyKind::kPlanar}) {
    const int edges = kind == BodyKind::kPlanar ? 2 : 3, corners = kind == BodyKind::kPlanar ? 4 : 8;
    Random random(21);
    for (int repeat = 0; repeat < 20; ++repeat) {
      TouchingBodies bodies({kind});
      BoxShape box{test::random_vector(random, kind),
                   {0.3, 0.5, edges == 3 ? 0.7 : 0.0},
                   random_motion(random, kind).A.toRotationMatrix()};
      bodies.partners[0].shapes = {{"", box}};
      const Vector3d n = test::random_vector(random, kind).normalized();
      const Contacts found = contacts_between(bodies.partners[0], make_plane("floor", n, 0.25));
      ASSERT_EQ(found.contacts.size(), static_cast<size_t>(corners));
      bodies.build(found.contacts);
      const RigidMotion motion = random_motion(random, kind);
      bodies.set({motion});
      double distance = n.dot(motion.place(box.center)) - 0.25;
      for (int k = 0; k < edges; ++k) distance -= 0.5 * box.size[k] * std::abs(n.dot(motion.A * box.axes.col(k)));
      EXPECT_NEAR(smallest_gap(bodies, corners), distance, 1e-14);
    }
  }
}

TEST(Partner, CapsuleOnPlaneIsAsFarAsItsNearerEnd) {
  Random random(22);
  for (int repeat = 0; repeat < 10; ++repeat) {
    TouchingBodies bodies({BodyKind::kNewtonEuler});
    const CapsuleShape capsule{random.vector(3), random.vector(3), 0.1};
    bodies.partners[0].shapes = {{"", capsule}};
    const Vector3d n = Vector3d(random.vector(3)).normalized();
    bodies.build(contacts_between(bodies.partners[0], make_plane("floor", n, -0.5)).contacts);
    const RigidMotion motion = random_motion(random, BodyKind::kNewtonEuler);
    bodies.set({motion});
    const double nearer = std::min(n.dot(motion.place(capsule.from)), n.dot(motion.place(capsule.to)));
    EXPECT_NEAR(smallest_gap(bodies, 2), nearer + 0.5 - 0.1, 1e-14);
  }
}

TEST(Partner, ContactsAreNamedAfterBodiesShapesAndNumbers) {
  TouchingBodies bodies({BodyKind::kNewtonEuler, BodyKind::kNewtonEuler});
  const Partner floor = make_plane("floor", Vector3d::UnitZ(), 0.0);
  Partner &a = bodies.partners[0], &b = bodies.partners[1];
  const SphereShape ball{Vector3d::Zero(), 1.0};
  using Names = std::vector<std::string>;
  a.shapes = {{"", ball}};
  EXPECT_EQ(names_of(contacts_between(a, floor)), Names{"a-floor"});
  a.shapes = {{"belly", ball}, {"handle", ball}};
  EXPECT_EQ(names_of(contacts_between(a, floor)), (Names{"a.belly-floor", "a.handle-floor"}));
  a.shapes = {{"", ball}, {"", CapsuleShape{Vector3d::Zero(), Vector3d::UnitX(), 0.5}}};
  EXPECT_EQ(names_of(contacts_between(a, floor)), (Names{"a-floor 1", "a-floor 2", "a-floor 3"}));
  a.shapes = {{"belly", ball}, {"", ball}, {"", ball}};
  b.shapes = {{"", ball}};
  EXPECT_EQ(names_of(contacts_between(a, b)), (Names{"a.belly-b", "a-b 1", "a-b 2"}));
}

TEST(Partner, WhatCannotTouchIsTold) {
  TouchingBodies bodies({BodyKind::kNewtonEuler, BodyKind::kPlanar, BodyKind::kNewtonEuler});
  Partner &a = bodies.partners[0], &disc = bodies.partners[1], &c = bodies.partners[2];
  const SphereShape ball{Vector3d::Zero(), 1.0};
  a.shapes = disc.shapes = {{"", ball}};
  c.shapes = {{"", ball}, {"", CapsuleShape{Vector3d::Zero(), Vector3d::UnitX(), 0.5}}};
  EXPECT_EQ(contacts_between(a, disc).missing, "planar bodies touch planar bodies and planes only");
  EXPECT_EQ(contacts_between(a, c).missing, "as expressions only spheres touch bodies");
  EXPECT_EQ(contacts_between(a, c).contacts.size(), 1u);
  const Contacts tilted = contacts_between(disc, make_plane("floor", Vector3d(0, 0.6, 0.8), 0.0));
  EXPECT_EQ(tilted.missing, "a planar body touches only planes whose normal lies in the x-y plane");
  EXPECT_TRUE(tilted.contacts.empty());
}

}  // namespace tippe::collide_partner_test
