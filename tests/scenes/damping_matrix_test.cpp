// SPDX-License-Identifier: Apache-2.0
// Damping by matrices that no Rayleigh function has.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "support/bodies.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_damping_matrix_test {

using Complex = std::complex<double>;

/// A journal in a bearing without stiffness: m z'' = -(c + i k) z', z = x + i y.
Scene journal(const std::string& integrator, const std::string& c = "0.8") {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*2*(x'^2 + y'^2)\"\n"
      "[[damping]]\nvelocities = [\"x'\", \"y'\"]\nmatrix = [[\"" +
      c + "\", -3], [3, \"" + c + "\"]]\n[initial]\n\"x'\" = 1\n\"y'\" = 0.5\n[run]\ndt = 2e-3\nuntil = 1\nintegrator = \"" +
      integrator + (integrator == "dopri5" || integrator == "event-driven" ? "\"\ntolerance = 1e-12\n" : "\"\n"));
}

struct End {
  Complex z, v;
};
End exact(double t) {
  const Complex v0(1.0, 0.5), rate = -Complex(0.8, 3.0) / 2.0;
  return {v0 * (std::exp(rate * t) - 1.0) / rate, v0 * std::exp(rate * t)};
}

End end_of(const Scene& scene, double* unexplained = nullptr, double* lost = nullptr) {
  verify::RunWatch watch(*scene.system, scene.start, scene.run);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verify::verdict_text(verdict);
  if (unexplained != nullptr) *unexplained = summary.energy.unexplained();
  if (lost != nullptr) *lost = summary.energy.lost_in_damping;
  return {{summary.final_state.q[0], summary.final_state.q[1]}, {summary.final_state.u[0], summary.final_state.u[1]}};
}

TEST(DampingMatrix, ASpiralHasItsClosedForm) {
  const End known = exact(1.0);
  const auto error = [&](const std::string& integrator) {
    const End end = end_of(journal(integrator));
    return std::abs(end.z - known.z) + std::abs(end.v - known.v);
  };
  for (const std::string integrator : {"dopri5", "rk4", "event-driven"}) EXPECT_LE(error(integrator), 1e-10) << integrator;
  for (const std::string integrator : {"conserving-ggl", "conserving-mq", "moreau-jean", "consistent-2", "quaternion-2"})
    EXPECT_LE(error(integrator), 5e-6) << integrator;
  EXPECT_LE(error("moreau"), 1e-2);
}

// What the matrix takes is |v|^2 c: the skew part takes nothing, T = |v0|^2 exp(-c t) of 2 kg.
TEST(DampingMatrix, TheSkewPartTakesNothing) {
  const double left = 1.25 * std::exp(-0.8);
  for (const std::string integrator : {"dopri5", "conserving-ggl", "event-driven"}) {
    double unexplained = 0.0, lost = 0.0;
    (void)end_of(journal(integrator), &unexplained, &lost);
    EXPECT_NEAR(lost, 1.25 - left, 1e-5) << integrator;
    EXPECT_LE(std::abs(unexplained), 1e-9) << integrator;
  }
  double unexplained = 0.0, lost = 1.0;
  const End end = end_of(journal("conserving-ggl", "0"), &unexplained, &lost);
  EXPECT_NEAR(lost, 0.0, 1e-14);
  EXPECT_NEAR(std::norm(end.v), 1.25, 1e-12);
}

// A symmetric matrix is that of the Rayleigh function v'Dv/2, also between points of bodies and with velocities of their own.
TEST(DampingMatrix, ASymmetricOneIsARayleighFunction) {
  const auto scene = [](const std::string& damping) {
    return test::scene_from(
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [0.1, 0.2, 0.25]\nvelocity = [1, 0.2, -0.3]\nangular_velocity = [1, 2, "
        "3]\n"
        "[[body.point]]\nname = \"p\"\nat = [0.1, 0.2, 0.3]\n" +
        damping + "[run]\nintegrator = \"dopri5\"\ntolerance = 1e-12\nuntil = 0.5\n");
  };
  const State one =
      test::end_of(scene("[[damping]]\nvelocities = [\"a.p.x'\", \"a.p.y'\"]\nmatrix = [[\"1 + a.x^2\", 0.5], [0.5, 2]]\n"));
  const State other =
      test::end_of(scene("[lagrangian]\ncoordinates = [\"dummy\"]\nkinetic = \"0.5*dummy'^2\"\n"
                         "damping = \"0.5*((1 + a.x^2)*a.p.x'^2 + 2*0.5*a.p.x'*a.p.y' + 2*a.p.y'^2)\"\n"));
  EXPECT_LE((one.u - other.u.tail(6)).norm(), 1e-10);
  EXPECT_LE((one.q - other.q.tail(7)).norm(), 1e-10);
}

}  // namespace tippe::scenes_damping_matrix_test
