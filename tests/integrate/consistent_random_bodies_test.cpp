// SPDX-License-Identifier: Apache-2.0
// Guarantees of the schemes for bodies on random systems of them, theory: Moeller (5.115), (5.112), (5.103), (5.143).
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "support/guarantees.h"
#include "support/random.h"

namespace tippe::integrate_consistent_random_bodies_test {

using Eigen::Vector3d;

std::string text(const Vector3d& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

/// 1 to 3 bodies of 0.1 to 10 kg with the moments of inertia of random boxes of 0.1 to 0.6 m, any orientation, 0.5 m apart, that move
/// as one with up to 2 m/s; without joints each turns with up to 10 rad/s. Each has a sphere or a box, and starts up to 0.6 m above the
/// floor. Friction 0 to 1, restitution 0 to 1 in all rows, or a Contensou contact with spheres. Neighbours are joined by a ball joint, a
/// hinge, a rod or a spring of 10 to 1e3 N/m with a damper of up to 1 N s/m. Mt19937 of the seed, see Random.
std::string random_bodies(unsigned seed, bool with_joints) {
  test::Random random(seed);
  const int n = 1 + random.below(3);
  const double epsilon = random.uniform(0.0, 1.0), mu = random.uniform(0.0, 1.0);
  const Vector3d speed(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
  const bool drills = random.below(4) == 0;
  std::string bodies, links;
  for (int i = 1; i <= n; ++i) {
    const double m = random.magnitude(-1.0, 1.0);
    const Vector3d size(random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6)),
        squares = size.cwiseProduct(size);
    const Vector3d J = m / 12.0 * Vector3d(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
    const Eigen::Quaterniond A = Eigen::Quaterniond(Eigen::Vector4d(random.vector(4))).normalized();
    const Vector3d place(0.5 * i, 0.0, 0.53 + random.uniform(0.0, 0.1));
    const bool turns = !with_joints;
    bodies += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = {:.17g}\ninertia = {}\nposition = {}\norientation = {{ quaternion = [{:.17g}, "
        "{:.17g}, "
        "{:.17g}, {:.17g}] }}\nvelocity = {}\nangular_velocity = {}\n",
        i, m, text(J), text(place), A.w(), A.x(), A.y(), A.z(), text(speed),
        text(turns ? Vector3d(random.vector(3, 10.0)) : Vector3d(0, 0, 0)));
    // Points half way to the neighbours.
    bodies += fmt::format("[[body.point]]\nname = \"left\"\nat = {}\n[[body.point]]\nname = \"right\"\nat = {}\n",
                          text(A.conjugate() * (Vector3d(0.5 * i - 0.25, 0, 0.65) - place)),
                          text(A.conjugate() * (Vector3d(0.5 * i + 0.25, 0, 0.65) - place)));
    bodies += drills || random.below(2) == 0 ? fmt::format("[[body.sphere]]\nradius = {:.17g}\n", 0.5 * size.minCoeff())
                                             : fmt::format("[[body.box]]\nsize = {}\n", text(size));
  }
  for (int i = 1; i < n; ++i) {
    const std::string between = fmt::format("between = [\"b{}.right\", \"b{}.left\"]\n", i, i + 1);
    const int kind = with_joints ? random.below(3) : 3;
    if (kind == 0) links += "[[joint]]\ntype = \"ball\"\n" + between;
    if (kind == 1) links += "[[joint]]\ntype = \"hinge\"\naxis = [0, 1, 0]\n" + between;
    if (kind == 2) links += fmt::format("[[joint]]\ntype = \"rod\"\nbetween = [\"b{}\", \"b{}\"]\n", i, i + 1);
    if (kind == 3)
      links +=
          fmt::format("[[spring]]\nbetween = [\"b{}\", \"b{}\"]\nstiffness = {:.17g}\ndamping = {:.17g}\nlength = 0.4\n", i,
                      i + 1, random.magnitude(1.0, 3.0), random.uniform(0.0, 1.0));
  }
  const std::string friction = drills ? fmt::format("{{ mu = {:.17g}, contact_radius = 0.005, set = \"ellipsoid\" }}", mu)
                                      : fmt::format("{:.17g}", mu);
  return "[world]\ngravity = [0, 0, -9.81]\n" + bodies + links +
         fmt::format(
             "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"*\", \"floor\"]\n"
             "restitution = {0:.17g}\nrestitution_tangential = {0:.17g}\nfriction = {1}\n"
             "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n",
             epsilon, friction);
}

void expect_guarantees(const Scene& scene, const std::string& integrator, double dt, const std::string& who) {
  SCOPED_TRACE(fmt::format("{}, {}, dt = {}", integrator, who, dt));
  const test::Guarantees seen = test::watch_guarantees(scene, integrator, dt, 400);
  EXPECT_TRUE(seen.ok);
  EXPECT_LE(seen.rise(), 1e-12);
  EXPECT_LE(seen.unexplained(), 1e-11);
  EXPECT_LE(seen.position, 1e-12);
  EXPECT_LE(seen.velocity, 1e-12 * std::max(1.0, seen.speed));
  EXPECT_LE(seen.quaternion, 1e-12);
  EXPECT_LE(seen.residual, 1e-12);
  if (integrator != "quaternion-1") {
    EXPECT_LE(seen.sink, 1e-13);
  }
}

TEST(ConsistentRandomBodies, EnergyNeverRisesAndClosedContactsNeverSink) {
  for (unsigned seed = 1; seed <= 16; ++seed) {
    const double dt = seed % 3 == 0 ? 5e-3 : 1e-3;
    const std::string who = fmt::format("seed {}", seed);
    const Scene free = test::scene_from(random_bodies(seed, false)), joined = test::scene_from(random_bodies(seed, true));
    expect_guarantees(free, "quaternion-2", dt, who + " free");
    expect_guarantees(free, "quaternion-1", dt, who + " free");
    expect_guarantees(joined, "quaternion-2", dt, who + " joined");
  }
}

}  // namespace tippe::integrate_consistent_random_bodies_test
