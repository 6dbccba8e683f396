// SPDX-License-Identifier: Apache-2.0
// Guarantees of the consistent schemes on random systems, theory: Moeller (5.115), (5.112), (5.103).
#include <fmt/format.h>

#include "support/guarantees.h"
#include "support/random.h"

namespace tippe::integrate_consistent_random_test {

/// 2 to 5 masses of 0.1 to 10 kg in the plane, springs of 10 to 1e4 N/m between neighbours, dampers of 0 to 5 N s/m, up to two
/// rods, a floor for each mass with friction of 0 to 1, restitution 0 to 1 that is the same for all rows, velocities up to 3 m/s.
/// They start up to 0.5 m above the floor.
std::string random_system(unsigned seed, bool elastic) {
  std::mt19937 random(seed);
  const auto draw = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const int n = 2 + static_cast<int>(random() % 4), rods = static_cast<int>(random() % 3);
  const double epsilon = elastic ? 1.0 : draw(0.0, 1.0), mu = elastic ? 0.0 : draw(0.0, 1.0);
  std::string coordinates, T, V, D = "0", laws, rows, start;
  std::vector<double> x, y, vx, vy;
  for (int i = 1; i <= n; ++i) {
    const double m = std::pow(10.0, draw(-1.0, 1.0));
    x.push_back(i + draw(-0.2, 0.2));
    y.push_back(draw(0.0, 0.5));
    vx.push_back(draw(-3.0, 3.0));
    vy.push_back(draw(-3.0, 3.0));
    coordinates += fmt::format("{}\"x{}\", \"y{}\"", i > 1 ? ", " : "", i, i);
    T += fmt::format("{}0.5*{:.17g}*(x{}'^2 + y{}'^2)", i > 1 ? " + " : "", m, i, i);
    V += fmt::format("{}9.81*{:.17g}*y{}", i > 1 ? " + " : "", m, i);
    const std::string friction =
        elastic ? ""
                : fmt::format("slip = \"x{}'\"\nfriction = {:.17g}\nrestitution_tangential = {:.17g}\n", i, mu, epsilon);
    laws +=
        fmt::format("[[contact]]\nname = \"floor {0}\"\ngap = \"y{0}\"\nrestitution = {1:.17g}\n{2}", i, epsilon, friction);
  }
  for (int i = 1; i < n; ++i) {
    const std::string length = fmt::format("sqrt((x{1} - x{0})^2 + (y{1} - y{0})^2)", i, i + 1);
    if (i <= rods) {
      const double dx = x[i] - x[i - 1], dy = y[i] - y[i - 1];
      rows += fmt::format(
          "[[bilateral]]\nname = \"rod {0}\"\nposition = \"0.5*((x{1} - x{0})^2 + (y{1} - y{0})^2 - {2:.17g})\"\n", i, i + 1,
          dx * dx + dy * dy);
      vx[i] = vx[i - 1];  // rigid translation of what rods join
      vy[i] = vy[i - 1];
    } else {
      V += fmt::format(" + 0.5*{:.17g}*({} - 1)^2", std::pow(10.0, draw(1.0, 4.0)), length);
      if (!elastic) D += fmt::format(" + 0.5*{:.17g}*(x{}' - x{}')^2", draw(0.0, 5.0), i + 1, i);
    }
  }
  for (int i = 1; i <= n; ++i) {
    start += fmt::format("x{0} = {1:.17g}\ny{0} = {2:.17g}\n\"x{0}'\" = {3:.17g}\n\"y{0}'\" = {4:.17g}\n", i, x[i - 1],
                         y[i - 1], vx[i - 1], vy[i - 1]);
  }
  return fmt::format(
      "[lagrangian]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\ndamping = \"{}\"\n{}{}[initial]\n{}"
      "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n",
      coordinates, T, V, D, rows, laws, start);
}

TEST(ConsistentRandom, EnergyNeverRisesAndClosedContactsNeverSink) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Scene scene = test::scene_from(random_system(seed, false));
    std::vector<std::string> names = {"consistent-2", "consistent-mq", "quaternion-2"};
    if (scene.system->constraints().empty()) names.emplace_back("quaternion-1");
    for (const std::string& name : names) {
      const double dt = seed % 3 == 0 ? 1e-2 : 1e-3;
      const test::Guarantees seen = test::watch_guarantees(scene, name, dt, 300);
      EXPECT_LE(seen.rise(), 1e-12) << name << ", seed " << seed;
      EXPECT_LE(seen.position, 1e-12) << name << ", seed " << seed;
      EXPECT_LE(seen.velocity, 1e-12 * std::sqrt(1.0 + seen.scale)) << name << ", seed " << seed;
      EXPECT_LE(seen.residual, 1e-12) << name << ", seed " << seed;
      if (name == "quaternion-1") continue;
      EXPECT_LE(seen.sink, 1e-14) << name << ", seed " << seed;
    }
  }
}

TEST(ConsistentRandom, ElasticSystemsKeepTheirEnergy) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    const Scene scene = test::scene_from(random_system(seed, true));
    std::vector<std::string> names = {"consistent-elastic", "consistent-2", "consistent-mq"};
    if (scene.system->constraints().empty()) names.emplace_back("quaternion-1");
    for (const std::string& name : names) {
      const test::Guarantees seen = test::watch_guarantees(scene, name, 2e-3, 500);
      EXPECT_LE(seen.change, 1e-10 * seen.scale) << name << ", seed " << seed;
    }
  }
}

}  // namespace tippe::integrate_consistent_random_test
