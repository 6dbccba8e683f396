// SPDX-License-Identifier: Apache-2.0
// What Moeller proves of his consistent schemes for nonsmooth systems, sections 5.2.4 and 5.2.5, on the systems of chapter 6.
#include "tippe/integrate/consistent.h"

#include <fmt/format.h>

#include "support/conserving.h"
#include "tippe/core/error.h"

namespace tippe::integrate_consistent_test {

using test::watch_invariants;

Scene load(const std::string& name, const std::string& integrator, const std::string& dt, const std::string& until,
           std::vector<std::string> settings = {}) {
  return test::load(name, {.settings = std::move(settings), .integrator = integrator, .dt = dt, .until = until});
}

/// The double pendulum of section 6.2 in angles: M depends on them.
Scene in_angles(const std::string& integrator, const std::string& dt, const std::string& until) {
  return load("double_pendulum", integrator, dt, until);
}

/// Times at which a law begins to carry an impulse that is more than round-off, to the accuracy of a step.
std::vector<double> impact_times(const Scene& scene, size_t most) {
  std::vector<double> times;
  std::vector<bool> carried(scene.system->laws().size(), false);
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    for (size_t i = 0; i < carried.size(); ++i) {
      const LawStep& step = integrator.last_laws();
      const bool carries = step.impulse[step.first_row[i]] > 1e-9;
      if (carries && !carried[i] && times.size() < most) times.push_back(state.t - scene.run.dt);
      carried[i] = carries;
    }
  });
  return times;
}

// Section 6.2: the energy is kept to the numerical precision at dt = 0.01; constraints on both levels, Moeller (5.112).
TEST(Consistent, TheDoublePendulumKeepsItsEnergyOverElasticImpacts) {
  for (const std::string integrator : {"consistent-elastic", "consistent-2", "consistent-mq", "quaternion-2"}) {
    const test::Invariants seen =
        watch_invariants(load("double_pendulum_wall", integrator, "0.01", "10"), integrator, 0.01, 1000);
    EXPECT_LE(seen.energy * 3.125, 1e-11) << integrator;  // J
    EXPECT_LE(seen.position, 1e-12) << integrator;
    EXPECT_LE(seen.velocity, 1e-12) << integrator;
    EXPECT_EQ(seen.halvings, 0) << integrator;
  }
  EXPECT_LE(watch_invariants(in_angles("consistent-mq", "0.01", "10"), "consistent-mq", 0.01, 1000).energy, 1e-11);
}

TEST(Consistent, ElasticSystemsKeepTheirEnergyOverManySteps) {
  const test::Invariants seen =
      watch_invariants(load("double_pendulum_wall", "consistent-2", "0.003", "60"), "consistent-2", 0.003, 20000);
  EXPECT_LE(seen.energy, 1e-10);
  EXPECT_LE(seen.position, 1e-12);
  EXPECT_LE(seen.velocity, 1e-12);
}

// The first impacts of an independent event-driven solution, as in scenes_test.cpp.
TEST(Consistent, ImpactsOfTheDoublePendulumConvergeToTheExactOnes) {
  const std::vector<double> exact = {0.929564413664771, 1.169958971267508, 1.715481995365091};
  const auto error = [&](const Scene& scene) {
    const std::vector<double> times = impact_times(scene, 3);
    double largest = 0.0;
    for (size_t k = 0; k < exact.size(); ++k) largest = std::max(largest, std::abs(times.at(k) - exact[k]));
    return largest;
  };
  for (const std::string integrator : {"consistent-elastic", "consistent-2", "consistent-mq"}) {
    for (const double dt : {1e-3, 1e-4, 2.3e-5}) {
      const Scene scene = load("double_pendulum_wall", integrator, fmt::format("{}", dt), "1.75");
      EXPECT_LE(error(scene), 8.0 * dt) << integrator << ", dt = " << dt;
    }
  }
  EXPECT_LE(error(in_angles("consistent-mq", "1e-4", "1.75")), 8e-4);
}

// Section 6.1: stable for all steps, and 17 impacts in the exact solution, the first at 0.045152428251 s.
TEST(Consistent, TheOscillatorIsStableForAllSteps) {
  for (const char* dt : {"1e-5", "1e-4", "1e-3", "1e-2"}) {
    const RunSummary summary = test::run(load("oscillator", "consistent-2", dt, "1"));
    EXPECT_TRUE(summary.message.empty()) << dt;
    EXPECT_LE(summary.energy.max_rise_per_step, 1e-12 * summary.energy.scale) << dt;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11 * summary.energy.scale) << dt;
    EXPECT_LE(std::abs(summary.final_state.q[0]), 0.2) << dt;
    if (std::string(dt) == "1e-5") {
      EXPECT_EQ(summary.impacts, 17);
    }
  }
  const std::vector<double> times = impact_times(load("oscillator", "consistent-2", "1e-5", "0.1"), 1);
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.045152428251, 1e-5);
}

// Section 6.3, lever start of our own: energy -0.0811013713014 J, stepwise down without restitution, kept with it.
TEST(Consistent, TheWheelLosesEnergyInImpactsOnly) {
  const RunSummary plastic = test::run(load("wheel", "consistent-2", "1e-4", "0.5"));
  EXPECT_NEAR(plastic.energy.initial, -0.0811013713014, 1e-12);
  EXPECT_GT(plastic.energy.lost_in_contacts, 0.02);
  EXPECT_LE(plastic.energy.max_rise_per_step, 1e-12 * plastic.energy.scale);
  EXPECT_LE(std::abs(plastic.energy.unexplained()), 1e-12);  // J
  const RunSummary elastic = test::run(load("wheel", "consistent-2", "1e-4", "0.5", {"epsilon=1"}));
  EXPECT_LE(std::abs(elastic.energy.final - elastic.energy.initial), 1e-12);  // J
}

// Moeller (5.103): with the discrete derivative of its gap a closed contact never sinks further, whatever its restitution.
TEST(Consistent, AClosedContactNeverSinksFurther) {
  for (const std::string integrator : {"consistent-2", "consistent-mq"}) {
    const Scene scene = load("wheel", integrator, "1e-3", "0.5");
    const auto evaluator = scene.system->make_evaluator();
    Eigen::VectorXd before = Eigen::VectorXd::Zero(24), now = before;
    evaluator->set_state(0.0, scene.start.q, scene.start.u);
    before = gaps_of(*evaluator);
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
      evaluator->set_state(state.t, state.q, state.u);
      now = gaps_of(*evaluator);
      for (int i = 0; i < 24; ++i) {
        if (before[i] > 0.0) continue;
        EXPECT_GE(now[i], before[i] - 1e-15) << i << " at " << state.t;
      }
      before = now;
    });
  }
}

// Section 6.4: at 1e-3 the printed scheme sticks with a velocity that oscillates, +-0.009 m/s; friction on the end velocity cures it, in
// all steps or in the one in which the slip stops.
TEST(Consistent, TheStickingOscillationIsCuredByTheEndVelocity) {
  const auto largest_slip = [](FrictionActsOn option) {
    Scene scene = load("woodpecker", "consistent-2", "1e-3", "0.055");
    scene.run.integrator_options.friction_acts_on = option;
    double largest = 0.0;
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
      if (state.t > 0.03) largest = std::max(largest, std::abs(state.u[0] + 0.0031 * state.u[1]));
    });
    return largest;
  };
  EXPECT_NEAR(largest_slip(FrictionActsOn::kDisplacement), 0.009, 0.001);
  EXPECT_LE(largest_slip(FrictionActsOn::kEndVelocity), 1e-12);
  EXPECT_LE(largest_slip(FrictionActsOn::kAutomatic), 1e-12);
}

// Section 6.4: with small steps both give the same motion, up to the precision of a figure (1 % of the amplitude of 0.3 rad).
TEST(Consistent, TheWoodpeckerMovesAsWithMoreau) {
  const RunSummary moreau = test::run(load("woodpecker", "moreau", "1e-5", "0.2"));
  const RunSummary consistent = test::run(load("woodpecker", "consistent-2", "1e-5", "0.2"));
  EXPECT_LE((moreau.final_state.q - consistent.final_state.q).cwiseAbs().maxCoeff(), 3e-3);
  EXPECT_LE(consistent.energy.max_rise_per_step, 1e-12 * consistent.energy.scale);
  EXPECT_LE(std::abs(consistent.energy.unexplained()), 1e-12 * consistent.energy.scale);
}

// Moeller (2.72) solves the same equations and inclusions, slowly.
TEST(Consistent, TheProjectedNewtonIterationAgrees) {
  const Scene scene = load("woodpecker", "consistent-2", "1e-4", "0.1");
  const ConsistentScheme scheme{MotionScheme::kGgl, ImpactScheme::kBefore};
  Consistent stepper(*scene.system, scheme, {});
  ConsistentOptions options;
  options.projected_newton = 0.5;  // with 1 two contacts of the woodpecker never settle
  options.tolerance = 1e-10;
  Consistent reference(*scene.system, scheme, options);
  State state = scene.start, other = scene.start;
  int iterations = 0, reference_iterations = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = stepper.step(state, 1e-4), its_report = reference.step(other, 1e-4);
    ASSERT_TRUE(report.ok() && its_report.ok()) << k << ": " << its_report.culprit;
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_LE((state.u - other.u).cwiseAbs().maxCoeff(), 1e-6) << k;
    other = state;
    iterations += report.iterations;
    reference_iterations += its_report.iterations;
  }
  EXPECT_LT(iterations, reference_iterations);
}

// A floor that rises with v = 0.5 m/s carries a mass; its work is m g v t, the contact loses nothing.
TEST(Consistent, AMovingFloorWorksOnWhatItCarries) {
  for (const std::string integrator : {"consistent-2", "consistent-mq", "quaternion-2"}) {
    const Scene scene = test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*2*y'^2"
potential = "2*9.81*y"
[[contact]]
name = "floor"
gap = "y - 0.5*t"
[initial]
"y'" = 0.5
[run]
integrator = "{}"
dt = 0.01
until = 1
)toml",
                                                     integrator));
    const RunSummary summary = test::run(scene);
    EXPECT_NEAR(summary.final_state.q[0], 0.5, 1e-12) << integrator;
    EXPECT_NEAR(summary.energy.work_done, 2 * 9.81 * 0.5, 1e-10) << integrator;
    EXPECT_NEAR(summary.energy.lost_in_contacts, 0.0, 1e-10) << integrator;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-12 * summary.energy.scale) << integrator;
  }
}

// The one-step scheme lets a closed contact without restitution sink: at rest by w'M^-1 f dt/2 = g dt/2 per second.
TEST(Consistent, QuaternionOneSinksAsItsFormulaSays) {
  const RunSummary rests = test::run(load("incline", "quaternion-1", "1e-3", "1", {"angle=0"}));
  EXPECT_NEAR(rests.final_state.q[1], -0.5 * 9.81 * 1e-3, 1e-5);
}

// A block that slides down an incline: friction in sustained contact, closed form, exact for constant forces.
TEST(Consistent, ABlockSlidesAndSticksAsInTheClosedForm) {
  for (const std::string integrator : {"consistent-2", "consistent-mq", "quaternion-2"}) {
    const RunSummary slides = test::run(load("incline", integrator, "1e-3", "1", {"angle=0.5"}));
    const double acceleration = 9.81 * (std::sin(0.5) - 0.3 * std::cos(0.5));
    EXPECT_NEAR(slides.final_state.u[0], acceleration, 1e-9) << integrator;
    EXPECT_NEAR(slides.final_state.q[0], 0.5 * acceleration, 1e-9) << integrator;
    const RunSummary sticks = test::run(load("incline", integrator, "1e-3", "1", {"angle=0.29"}));
    EXPECT_LE(std::abs(sticks.final_state.q[0]), 1e-14) << integrator;
    EXPECT_LE(std::abs(sticks.final_state.q[1]), 1e-14) << integrator;
  }
}

// What impact laws ask for holds in the impact step, all of them: a ball returns with epsilon of its speed.
TEST(Consistent, TakesEveryImpactLaw) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const Scene scene = test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
impact_law = "{}"
[initial]
"y'" = -2
[run]
integrator = "consistent-2"
dt = 0.1
until = 0.1
)toml",
                                                     law));
    EXPECT_NEAR(test::run(scene).final_state.u[0], 1.0, 1e-12) << law;
    EXPECT_EQ(find_integrator("quaternion-1")->misfit(*scene.system).empty(), std::string(law) == "newton");
  }
}

// Its rows are Newton's divided by 1 + epsilon: with two of them friction would not oppose the slip that Newton's law means.
TEST(Consistent, OneStepTakesOneTangentialRestitution) {
  const auto misfit = [](const char* integrator, const char* restitution) {
    const Scene scene = test::scene_from(fmt::format(
        "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"10*z\"\n"
        "[[contact]]\nname = \"floor\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nfriction = 0.3\nrestitution_tangential = {}\n"
        "[initial]\nz = 1\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n",
        restitution));
    return find_integrator(integrator)->misfit(*scene.system);
  };
  EXPECT_NE(misfit("quaternion-1", "[0.75, 0.0]").find("'floor' has 0.75 and 0"), std::string::npos);
  EXPECT_EQ(misfit("quaternion-1", "[0.75, 0.75]"), "");
  EXPECT_EQ(misfit("quaternion-2", "[0.75, 0.0]"), "");
}

// Moeller, section 5.2.4: the elastic scheme is for contacts without friction and loss.
TEST(Consistent, MisfitsNameTheirReason) {
  const auto misfit = [](const Scene& scene, const std::string& name) {
    return find_integrator(name)->misfit(*scene.system);
  };
  const Scene incline = test::load("incline"), angles = in_angles("moreau", "0.01", "1");
  EXPECT_NE(misfit(incline, "consistent-elastic").find("restitution = 1"), std::string::npos);
  EXPECT_NE(misfit(angles, "consistent-2").find("constant mass matrix"), std::string::npos);
  EXPECT_EQ(misfit(angles, "consistent-mq"), "");
  EXPECT_NE(misfit(test::load("double_pendulum_wall"), "quaternion-1").find("'rod 1'"), std::string::npos);
}

// A resting contact closes with round-off only: an impact of such speeds is none, and redundant contacts do not stop a run.
TEST(Consistent, AStackOfSpheresRests) {
  const Scene scene = test::scene_from(R"toml(
[world]
gravity = [0, 0, -9.81]
[[body]]
for = { i = "1..3" }
name = "s{i}"
mass = 1
inertia = [0.004, 0.004, 0.004]
position = [0, 0, "0.2*{i} - 0.1"]
[[body.sphere]]
radius = 0.1
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0
[run]
integrator = "quaternion-2"
dt = 1e-3
until = 0.2
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.message, "");
  EXPECT_LE(summary.worst_residual, 1e-12);
  EXPECT_LE((summary.final_state.q - scene.start.q).cwiseAbs().maxCoeff(), 1e-14);
}

// Frames that turn by many revolutions in a step have no solution near: what is accepted keeps the constraints, measured here.
TEST(Consistent, FastAffineBodiesKeepTheirShape) {
  const Scene scene = test::scene_from(R"toml(
[[body]]
name = "b"
mass = 1
inertia = [1, 2, 3]
formulation = "affine"
angular_velocity = [100, 1000, 100]
[run]
integrator = "consistent-2"
dt = 0.1
until = 0.5
)toml");
  const test::Invariants seen = watch_invariants(scene, "consistent-2", 0.1, 5);
  EXPECT_LE(seen.position, 1e-12);
  EXPECT_LE(seen.velocity, 1e-12 * 1000);
}

// The option is one of the two-step schemes: the restitution in (5.141) belongs to the mean velocity.
TEST(Consistent, OptionsOfFrictionAreThoseOfTheScheme) {
  const auto text = [](const std::string& run) {
    return "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\ndt = 1\nuntil = 2\n" + run;
  };
  const auto message = [&](const std::string& run) -> std::string {
    try {
      (void)test::scene_from(text(run));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("integrator = \"quaternion-2\"\ntangents = \"begin\"\nfriction_acts_on = \"end_velocity\"\n"), "");
  EXPECT_EQ(message("integrator = \"quaternion-1\"\ntangents = \"begin\"\n"), "");
  EXPECT_NE(message("integrator = \"quaternion-1\"\nfriction_acts_on = \"end_velocity\"\n").find("not for 'quaternion-1'"),
            std::string::npos);
  EXPECT_NE(message("integrator = \"moreau\"\ntangents = \"begin\"\n").find("not for 'moreau'"), std::string::npos);
  EXPECT_NE(message("integrator = \"consistent-2\"\ntangents = \"end\"\n").find("there are begin, midpoint"),
            std::string::npos);
}

}  // namespace tippe::integrate_consistent_test
