// SPDX-License-Identifier: Apache-2.0
// Counts every call of the C allocator, which operator new and Eigen both end in: steps must make none once
// they are warm.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

#include "support/constrained_scenes.h"
#include "support/scenes.h"
#include "tippe/model/motion_series.h"
#include "tippe/run/constraint_watch.h"
#include "tippe/run/stop_watch.h"
#include "tippe/shape/contact_finder.h"

namespace {
std::atomic<long> allocations{0};
}

// glibc lets a program replace malloc and offers the original by another name. A sanitizer has its own, which
// counts nothing.
#if !defined(__SANITIZE_ADDRESS__)
#define TIPPE_COUNTS_ALLOCATIONS 1
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void* malloc(size_t size) {
  return ++allocations, __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return ++allocations, __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return ++allocations, __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
void* memalign(size_t alignment, size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr;
}
}
#else
#define TIPPE_COUNTS_ALLOCATIONS 0
#endif

namespace tippe {
namespace {

/// Steps through a scene; returns allocations of the last `measured` steps and how often contacts opened or
/// closed in them.
struct Count {
  long allocations;
  int changes;
  int different_counts;  // of active laws
  int most_methods;      // of a step
};
Count count(const Scene& scene, int warm_up, int measured) {
  const auto integrator = find_integrator(scene.run.integrator)->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  for (int k = 0; k < warm_up; ++k) EXPECT_TRUE(integrator->step(state, scene.run.dt).ok());
  const long before = allocations;
  int changes = 0, active = -1, most_methods = 0;
  std::array<bool, 32> seen{};
  for (int k = 0; k < measured; ++k) {
    const StepReport report = integrator->step(state, scene.run.dt);
    if (!report.ok()) break;
    changes += active >= 0 && report.active_laws != active;
    active = report.active_laws;
    most_methods = std::max(most_methods, report.methods_tried);
    seen[static_cast<size_t>(active)] = true;
  }
  return {allocations - before, changes, static_cast<int>(std::count(seen.begin(), seen.end(), true)), most_methods};
}

TEST(Allocation, TheCounterCounts) {
  if (!TIPPE_COUNTS_ALLOCATIONS) return;
  const long before = allocations;
  const auto number = std::make_unique<int>(3);
  const Eigen::VectorXd vector = Eigen::VectorXd::Zero(*number);
  EXPECT_EQ(allocations - before, 2) << vector.size();
}

TEST(Allocation, WoodpeckerStepsAllocateNothing) {
  // Half a second warms every combination of contacts up; 1000 steps of 2e-4 s after that are more than a
  // period.
  const Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = "2e-4", .until = {}});
  const Count result = count(scene, 2500, 1000);
  EXPECT_GE(result.changes, 4);
  EXPECT_EQ(result.allocations, 0);
}

TEST(Allocation, SeriesOfAMotionAllocateNothing) {
  const Scene scene = test::load("tippe_top");
  const auto series = scene.system->make_series(12);
  const State& start = scene.start;
  const long before = allocations;
  series->begin(start.t, start.q, start.u);
  series->evaluate(0);
  for (int k = 1; k <= series->order(); ++k) {
    series->set_coefficients(k, start.q, start.u);
    series->evaluate(k);
  }
  EXPECT_EQ(allocations - before, 0);
}

// Masses bouncing on a shaken floor, from none to all of them in contact: problems of many sizes.
TEST(Allocation, AnyNumberOfContactsAllocatesNothing) {
  std::string coordinates, kinetic, potential, contacts, initial;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i), comma = i ? ", " : "", plus = i ? " + " : "";
    coordinates += comma + "\"x" + n + "\", \"y" + n + "\"";
    kinetic += plus + "0.5*(x" + n + "'^2 + y" + n + "'^2)";
    potential += plus + "9.81*y" + n;
    contacts += "[[contact]]\nname = \"c" + n + "\"\ngap = \"y" + n + " - 0.02*sin(25*t + " + n + ")\"\n";
    contacts += "slip = \"x" + n + "' - 0.1\"\nfriction = 0.3\nrestitution = 0.4\nrestitution_tangential = 0.4\n";
    initial += "y" + n + " = \"0.02*sin(" + n + ")\"\n";
  }
  const std::string system = "[lagrangian]\ncoordinates = [" + coordinates + "]\nkinetic = \"" + kinetic +
                             "\"\npotential = \"" + potential + "\"\n";
  const Scene scene = test::scene_from(system + contacts + "[initial]\n" + initial +
                                       "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n");
  const Count result = count(scene, 2000, 1000);
  EXPECT_GE(result.changes, 20);
  EXPECT_GE(result.different_counts, 3);
  EXPECT_EQ(result.allocations, 0);
}

// Two stacks of three on a shaken floor: parts of their own, solved by accelerated sweeps.
TEST(Allocation, AcceleratedSweepsAllocateNothing) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x{k}_{i} for k in 1..2 for i in 1..3", "y{k}_{i} for k in 1..2 for i in 1..3"]
kinetic = "sum(k, 1, 2, sum(i, 1, 3, 0.5*10^{i}*(x{k}_{i}'^2 + y{k}_{i}'^2)))"
potential = "sum(k, 1, 2, sum(i, 1, 3, 9.81*10^{i}*y{k}_{i}))"
[[contact]]
for = { k = "1..2" }
name = "floor {k}"
gap = "y{k}_1"
slip = "x{k}_1' - 0.5*cos(3*t + {k})"
friction = 0.3
[[contact]]
for = { k = "1..2", i = "2..3" }
name = "block {k}_{i}"
gap = "y{k}_{i} - y{k}_{i-1} - 1"
slip = "x{k}_{i}' - x{k}_{i-1}'"
friction = 0.3
[initial]
"y{k}_{i} for k in 1..2 for i in 1..3" = "{i} - 1"
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)toml");
  const Count result = count(scene, 300, 700);
  EXPECT_EQ(result.most_methods, 2);  // sweeps, accelerated sweeps; factorizations may allocate
  EXPECT_EQ(result.allocations, 0);
}

// What a run watches in every step: the value of stop_when, and the integrator's memory in case it ends there.
TEST(Allocation, WatchingAllocatesNothing) {
  if (!TIPPE_COUNTS_ALLOCATIONS) return;
  Scene scene = test::load("woodpecker");
  std::string text = scene.origin.scene_text;
  text.insert(text.find("[run]\n") + 6, "stop_when = \"-2 + sin(phi)\"\n");
  text += "\n[output.quantities]\nf = \"phi*y'\"\n";
  scene = read_scene(text, "woodpecker.toml");
  const auto integrator = find_integrator("moreau")->make(*scene.system, scene.run.integrator_options);
  StopWatch watch(scene.run.observables);
  ObservablesEvaluator evaluator(scene.run.observables);
  Eigen::VectorXd quantities;
  const auto look = [&] {
    watch.remember(*integrator);
    evaluator.evaluate_quantities(scene.start, quantities);
    return watch.reached(scene.start);
  };
  EXPECT_FALSE(look());
  const long before = allocations;
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(look());
  EXPECT_EQ(allocations - before, 0);
}

// Violations in every step; where rows are independent, forces at every sample too.
TEST(Allocation, WatchingConstraintsAllocatesNothing) {
  if (!TIPPE_COUNTS_ALLOCATIONS) return;
  const Scene scene = test::scene_from(test::kPendulum);
  const auto integrator = find_integrator("rk4")->make(*scene.system, scene.run.integrator_options);
  ConstraintWatch watch(*scene.system);
  Sample sample;
  sample.state = scene.start;
  watch.start(sample.state, sample.constraints);
  const auto look = [&] {
    watch.book(sample.state, integrator->last_constraints(), sample.constraints);
    watch.complete(sample);
    watch.restart(sample.state.t, nullptr, sample.constraints);
  };
  look();
  const long before = allocations;
  for (int k = 0; k < 10; ++k) look();
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, SmoothStepsAllocateNothing) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"cos(x)\"\n[initial]\nx = "
      "1\n[run]\nintegrator = \"rk4\"\ndt = 0.01\nuntil = 1\n");
  EXPECT_EQ(count(scene, 1, 1000).allocations, 0);
}

TEST(Allocation, ConservingStepsAllocateNothing) {
  for (const std::string integrator : {"conserving", "conserving-ggl", "conserving-mq", "conserving-mq-frozen"}) {
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"cos(x)\"\n"
        "[[bilateral]]\nname = \"rod\"\nposition = \"x^2 + y^2 - 1\"\n[initial]\nx = 1\n[run]\nintegrator = \"" +
        integrator + "\"\ndt = 0.01\nuntil = 1\n");
    EXPECT_EQ(count(scene, 1, 1000).allocations, 0) << integrator;
  }
}

// Coupled equations and inclusions: a body that slides and drills, M(q) with impacts.
TEST(Allocation, ConsistentStepsAllocateNothing) {
  const std::vector<std::array<std::string, 3>> cases = {{"tippe_top", "quaternion-2", "1e-4"},
                                                         {"double_pendulum_wall", "consistent-mq", "1e-2"}};
  for (const auto& [name, integrator, dt] : cases) {
    const Scene scene = test::load(name, {.settings = {}, .integrator = integrator, .dt = dt, .until = {}});
    const Count result = count(scene, 500, 500);
    if (name == "double_pendulum_wall") {
      EXPECT_GE(result.changes, 4);
    }
    EXPECT_EQ(result.allocations, 0) << name;
  }
}

TEST(Allocation, StepsWithRedundantConstraintsAllocateNothing) {
  for (const std::string integrator : {"rk4", "moreau", "moreau-jean"}) {
    Scene scene = test::load("double_four_bar", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
    scene.run.integrator_options.project = true;
    EXPECT_EQ(count(scene, 1, 500).allocations, 0) << integrator;
  }
}

// With a constraint, rejected steps, and a sample within each step.
TEST(Allocation, AdaptiveStepsAllocateNothing) {
  if (!TIPPE_COUNTS_ALLOCATIONS) return;
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n[[bilateral]]\n"
      "name = \"rod\"\nposition = \"x^2 + y^2 - 1\"\n[initial]\nx = 1\n[run]\nintegrator = \"dopri5\"\ndt = 0.01\n"
      "until = 1\n");
  const auto integrator = find_integrator("dopri5")->make(*scene.system, scene.run.integrator_options);
  AdaptiveIntegrator* adaptive = integrator->adaptive();
  State state = scene.start, between = state;
  NamedArrays memory;
  int rejected = 0;
  const auto step = [&] {
    const double begin = state.t;
    const StepReport report = integrator->step(state, 0.1);
    rejected += report.rejected;
    integrator->save_memory(memory);
    return report.ok() && adaptive->interpolate(0.5 * (begin + state.t), between).ok();
  };
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(step());  // until a step had to be projected
  const long before = allocations;
  bool good = true;
  for (int k = 0; k < 1000; ++k) good = step() && good;
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(good);
  EXPECT_GT(rejected, 1000);
}

// A heap of all shapes, which moves so far that pairs come and go.
TEST(Allocation, FindingContactsMakesNoneOnceItIsWarm) {
  using Eigen::Vector3d;
  const Solid kinds[] = {
      SphereShape{Vector3d::Zero(), 0.5}, CapsuleShape{{-0.4, 0, 0}, {0.4, 0, 0}, 0.3},
      BoxShape{Vector3d::Zero(), {1.0, 0.8, 0.6}}, CylinderShape{{-0.4, 0, 0}, {0.4, 0, 0}, 0.3},
      HullShape{{{-0.5, -0.4, -0.5}, {0.5, -0.4, -0.5}, {0.0, 0.5, -0.5}, {0.0, 0.0, 0.5}, {0.4, 0.4, 0.2}}}};
  std::vector<PlacedSolid> solids;
  std::vector<Pose> poses, moved;
  for (int k = 0; k < 60; ++k) {
    solids.push_back({.solid = kinds[k % 5], .frame = k});
    poses.push_back({{0.8 * (k % 4), 0.8 * (k / 4 % 4), 0.8 * (k / 16)}, Eigen::Matrix3d::Identity()});
  }
  solids.push_back({.solid = Plane{}});
  ContactFinder finder(solids, [](std::uint32_t, std::uint32_t) { return true; });
  std::vector<FoundContact> contacts;
  const auto go_round = [&] {
    for (int step = 0; step < 40; ++step) {
      moved = poses;
      for (size_t k = 0; k < moved.size(); ++k) {
        const double angle = 0.1 * step + static_cast<double>(k);
        moved[k].position += 0.15 * Vector3d(std::cos(3.0 * angle), std::sin(5.0 * angle), std::cos(7.0 * angle));
        moved[k].axes = Eigen::AngleAxisd(angle, Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
      }
      finder.find(moved, 0.01, contacts);
    }
  };
  go_round();
  if (!TIPPE_COUNTS_ALLOCATIONS) return;
  const long before = allocations, rebuilds = finder.rebuilds();
  go_round();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(finder.rebuilds(), rebuilds + 5);
  EXPECT_GT(contacts.size(), 100u);
}

}  // namespace
}  // namespace tippe
