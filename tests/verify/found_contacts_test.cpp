// SPDX-License-Identifier: Apache-2.0
// Recordings with found contacts are judged by the definitions of mechanics, and what is changed in them is seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "support/units.h"
#include "tippe/verify/verify.h"

namespace tippe::verify_found_contacts_test {

using verify::Kind;
using verify::Verdict;

RecordedState record(const Scene& scene, const std::filesystem::path& path) {
  Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return read_state(path);
}

TEST(VerifyFoundContacts, HeapsAndTowersObey) {
  const test::TemporaryFolder folder;
  for (const auto& [name, settings, until, dt] :
       {std::tuple{"ball_cube", std::vector<std::string>{"n=3", "e=0.4"}, "0.3", "0.002"},
        std::tuple{"heavy_stack", std::vector<std::string>{}, "0.1", "0.01"},
        std::tuple{"box_on_box", std::vector<std::string>{}, "0.2", "0.005"}}) {
    SceneOverrides overrides;
    overrides.settings = settings;
    overrides.until = until;
    overrides.every = dt;
    const Scene scene = test::load(name, overrides);
    ASSERT_FALSE(scene.system->has_fixed_laws());
    const RecordedState recorded = record(scene, folder.path() / "run.h5");
    const Verdict verdict = verify::verify_run(recorded.run, recorded.recorded.summary);
    EXPECT_TRUE(verdict.obeys()) << name << "\n" << verify::verdict_text(verdict);
    EXPECT_EQ(verdict.single_steps, verdict.intervals);
    EXPECT_GT(verdict.of(Kind::kComplementarity).checks, 10) << name;
  }
}

// Boxes that turn about all axes; where one corner takes over from another, the first carries round-off while it opens.
TEST(VerifyFoundContacts, TumblingBoxesObey) {
  const test::TemporaryFolder folder;
  for (const char* angle : {"0.3", "3.4", "3.8"}) {
    for (const double start : {0.0, 1e9}) {
      const Scene scene = test::scene_from(fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
contacts = "found"
[[body]]
for = {{ i = "1..2" }}
name = "b{{i}}"
density = 500
position = ["0.1*{{i}}", 0.05, "0.6*{{i}}"]
orientation = {{ axis = [1, 2, "{{i}}"], angle = {} }}
angular_velocity = [1, -2, 3]
velocity = [0.5, 0, 0]
[[body.box]]
size = [0.3, 0.4, 0.5]
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0.6
[initial]
t = {}
[run]
integrator = "moreau"
dt = 5e-3
until = {}
)",
                                                       angle, start, start + 1.0));
      const RecordedState recorded = record(scene, folder.path() / "run.h5");
      const Verdict verdict = verify::verify_run(recorded.run, recorded.recorded.summary);
      EXPECT_TRUE(verdict.obeys()) << angle << "\n" << verify::verdict_text(verdict);
      EXPECT_EQ(verdict.single_steps, verdict.intervals);
      EXPECT_GT(verdict.of(Kind::kFrictionDirection).checks, 300);
    }
  }
}

Verdict watch(const Scene& scene) {
  verify::RunWatch watch(scene);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return watch.finish(summary);
}

/// A box and a ball with a hinge between them, another ball on a spring, and a rail with a law of its own, on a floor.
std::string linked(const std::string& integrator, const std::string& run = "", const std::string& friction = "0.4") {
  return fmt::format(R"(tippe = 1
[world]
gravity = [0, 0, -9.81]
contacts = "found"
[[body]]
name = "b1"
mass = 0.7
inertia = [0.004, 0.005, 0.006]
position = [0.3, 0, 0.2]
velocity = [0.4, 0.1, -0.3]
[[body.box]]
size = [0.2, 0.15, 0.1]
[[body.point]]
name = "right"
at = [0.15, 0, 0]
[[body]]
name = "b2"
mass = 0.7
inertia = [0.001, 0.002, 0.002]
position = [0.6, 0, 0.2]
velocity = [0.4, 0.1, -0.3]
[[body.sphere]]
radius = 0.05
[[body.point]]
name = "left"
at = [-0.15, 0, 0]
[[body]]
name = "ball"
mass = 0.2
inertia = [2e-4, 2e-4, 2e-4]
position = [0.4, 0.05, 0.45]
angular_velocity = [3, 1, 9]
[[body.sphere]]
radius = 0.06
[[joint]]
name = "hinge"
type = "hinge"
axis = [0, 1, 0]
between = ["b1.right", "b2.left"]
[[spring]]
between = ["b1", "ball"]
stiffness = 30
damping = 0.2
length = 0.3
[[dry_friction]]
name = "rail"
velocity = "b1.vy"
limit = 0.2
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = {}
restitution = 0.3
[run]
integrator = "{}"
dt = 2e-3
until = 0.6
{})",
                     friction, integrator, run);
}

Scene read(const std::string& text) {
  return read_scene(text, "linked.toml");
}

// The same by the recording and while the run goes on.
TEST(VerifyFoundContacts, WithJointsSpringsAndLawsOfExpressionsObey) {
  const test::TemporaryFolder folder;
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    const Scene scene = read(linked(integrator));
    const RecordedState recorded = record(scene, folder.path() / "run.h5");
    for (const Verdict& verdict : {verify::verify_run(recorded.run, recorded.recorded.summary), watch(scene)}) {
      EXPECT_TRUE(verdict.obeys()) << integrator << "\n" << verify::verdict_text(verdict);
      EXPECT_EQ(verdict.single_steps, 300);
      EXPECT_GT(verdict.of(Kind::kFrictionDirection).checks, 300);
      EXPECT_GE(verdict.of(Kind::kMomentum).checks, 300);
      EXPECT_GT(verdict.of(Kind::kConstraintVelocity).checks, 300);
    }
  }
}

// Impacts before the motion, whose impulses are not told apart from those of the motion; and moments of drilling, which are not recorded.
TEST(VerifyFoundContacts, WithOtherImpactLawsAndDrillingObey) {
  for (const auto& [run, friction] :
       {std::pair("impact_law = \"poisson\"", "0.4"), std::pair("impact_law = \"moreau\"", "0.4"),
        std::pair("", "{ mu = 0.4, contact_radius = 0.01, set = \"ellipsoid\" }")}) {
    const Verdict verdict = watch(read(linked("moreau", run, friction)));
    EXPECT_TRUE(verdict.obeys()) << run << "\n" << verify::verdict_text(verdict);
    EXPECT_GE(verdict.of(Kind::kMomentum).checks, 300);
    EXPECT_EQ(verdict.of(Kind::kImpactLaw).checks > 0, run != std::string());
  }
}

// A box and a ball in micrometres or light years, and when clocks know times to 1e-7 s.
TEST(VerifyFoundContacts, InOtherUnitsAndAtLateClocksTheyObey) {
  const std::string text =
      "[world]\ngravity = [0, 0, <-9.81 m/s^2>]\ncontacts = \"found\"\n"
      "[[body]]\nname = \"box\"\nmass = <1.7 kg>\ninertia = [<0.011 kg m^2>, <0.017 kg m^2>, <0.021 kg m^2>]\n"
      "position = [<0.1 m>, 0, <0.18 m>]\norientation = { axis = [0.3, 1, 0.2], angle = 0.4 }\nvelocity = [<0.4 m/s>, 0, "
      "0]\n"
      "[[body.box]]\nsize = [<0.31 m>, <0.23 m>, <0.19 m>]\n"
      "[[body]]\nname = \"ball\"\nmass = <0.93 kg>\ninertia = [<0.004 kg m^2>, <0.004 kg m^2>, <0.0043 kg m^2>]\n"
      "position = [<0.13 m>, <-0.03 m>, <0.45 m>]\n[[body.sphere]]\nradius = <0.07 m>\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"*\", \"*\"]\nrestitution = 0.3\n"
      "friction = 0.4\n[initial]\nt = <@0 s>\n[run]\ndt = <0.001 s>\nuntil = <@0.3 s>\nintegrator = ";
  for (const char* integrator : {"\"moreau\"\n", "\"moreau-jean\"\n"}) {
    for (const auto& [units, clock] : {std::pair(test::Units{1e-9, 1e-6, 1e3}, 0.0),
                                       std::pair(test::Units{1e3, 1e16, 1e-6}, 0.0), std::pair(test::Units{}, 1e9)}) {
      const Verdict verdict = watch(test::scene_from(test::in_units(text + integrator, units, clock)));
      EXPECT_TRUE(verdict.obeys()) << integrator << units.name() << "\n" << verify::verdict_text(verdict);
      EXPECT_GT(verdict.of(Kind::kFrictionDirection).checks, 100);
    }
  }
}

// Samples several steps apart: what is summed over the contacts of a law, by rows, is in the cones.
TEST(VerifyFoundContacts, SumsOfSeveralStepsObey) {
  const test::TemporaryFolder folder;
  RecordedState recorded = record(read(linked("moreau") + "[output]\nevery = 0.01\n"), folder.path() / "run.h5");
  const Verdict verdict = verify::verify_run(recorded.run, recorded.recorded.summary);
  EXPECT_TRUE(verdict.obeys()) << verify::verdict_text(verdict);
  EXPECT_EQ(verdict.single_steps, 0);
  EXPECT_GT(verdict.of(Kind::kPull).checks, 50);
  for (double& impulse : recorded.run.impulse.values) impulse *= -1.0;
  EXPECT_GT(verify::verify_run(recorded.run, recorded.recorded.summary).of(Kind::kPull).violations, 0);
}

double& at(RecordedTable& table, size_t row, const std::string& name) {
  const auto place = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
  return table.values.at(row * table.names.size() + static_cast<size_t>(place));
}

/// A recording to be changed, and in it a contact that carries well and slides.
struct Changed {
  RecordedRun run;
  RunSummary summary;
  size_t row = 0, contact = 0;

  [[nodiscard]] double* impulse() { return &run.contacts.impulse[3 * contact]; }
  void from_row(RecordedTable RecordedRun::*table, const std::string& name, const std::function<void(double&)>& change) {
    for (size_t k = row; k < run.time.size(); ++k) change(at(run.*table, k, name));
  }
  void replace(const std::string& in_scene, const std::string& by) {
    std::string& text = run.origin.scene_text;
    text.replace(text.find(in_scene), in_scene.size(), by);
  }
};

Changed find_sliding(const RecordedState& recorded) {
  Changed found{recorded.run, recorded.recorded.summary};
  const RecordedContacts& contacts = found.run.contacts;
  for (found.row = found.run.time.size() / 4; found.row < found.run.time.size(); ++found.row) {
    for (found.contact = contacts.start[found.row]; found.contact < contacts.start[found.row + 1]; ++found.contact) {
      const double* p = found.impulse();
      if (p[2] > 2e-3 && std::hypot(p[0], p[1]) > 0.39 * p[2]) return found;
    }
  }
  ADD_FAILURE() << "nothing slides";
  return {recorded.run, recorded.recorded.summary};
}

struct Mutation {
  const char* name;
  std::function<void(Changed&)> plant;
  std::vector<Kind> found_by;  // one of these
};

std::vector<Mutation> mutations() {
  return {
      {"impulses reversed",
       [](Changed& c) {
         for (double& p : c.run.contacts.impulse) p *= -1.0;
       },
       {Kind::kPull}},
      {"friction three times too large",
       [](Changed& c) { c.impulse()[0] *= 3.0, c.impulse()[1] *= 3.0; },
       {Kind::kFrictionSet}},
      {"friction that drives",
       [](Changed& c) { c.impulse()[0] *= -1.0, c.impulse()[1] *= -1.0; },
       {Kind::kFrictionDirection}},
      {"friction across the slip",
       [](Changed& c) { std::swap(c.impulse()[0], c.impulse()[1]), c.impulse()[0] *= -1.0; },
       {Kind::kFrictionDirection}},
      {"an impulse one thousandth too large", [](Changed& c) { c.impulse()[2] *= 1.001; }, {Kind::kMomentum}},
      {"a contact that is forgotten", [](Changed& c) { std::fill_n(c.impulse(), 3, 0.0); }, {Kind::kMomentum}},
      {"a contact at another place", [](Changed& c) { c.run.contacts.at[3 * c.contact] += 1e-4; }, {Kind::kMomentum}},
      {"a normal that leans",
       [](Changed& c) { c.run.contacts.normal[3 * c.contact] += 1e-2; },
       {Kind::kFrictionSet, Kind::kFrictionDirection, Kind::kComplementarity}},
      {"a contact above its band", [](Changed& c) { c.run.contacts.gap[c.contact] = 1e-3; }, {Kind::kOpenContact}},
      {"bodies exchanged",
       [](Changed& c) {
         for (LawId& id : c.run.contacts.id) std::swap(id.shape_a, id.shape_b);
       },
       {Kind::kMomentum}},
      {"velocities five percent off",
       [](Changed& c) { c.from_row(&RecordedRun::u, "ball.vx", [](double& v) { v *= 1.05; }); },
       {Kind::kMomentum}},
      {"a coordinate shifted",
       [](Changed& c) { c.from_row(&RecordedRun::q, "ball.y", [](double& y) { y += 1e-5; }); },
       {Kind::kPositions}},
      {"a hinge that comes apart",
       [](Changed& c) { c.from_row(&RecordedRun::u, "b2.vz", [](double& v) { v += 1e-3; }); },
       {Kind::kConstraintVelocity}},
      {"a hinge that says less than it gives",
       [](Changed& c) {
         for (double& f : c.run.control_force.values) f *= 0.99;
       },
       {Kind::kColumns}},
      {"a row of a hinge that says less",
       [](Changed& c) {
         for (double& f : c.run.constraint_force.values) f *= 0.99;
       },
       {Kind::kColumns}},
      {"another restitution",
       [](Changed& c) { c.replace("restitution = 0.3", "restitution = 0.4"); },
       {Kind::kClosing, Kind::kComplementarity}},
      {"another friction", [](Changed& c) { c.replace("friction = 0.4", "friction = 0.3"); }, {Kind::kFrictionSet}},
      {"another spring", [](Changed& c) { c.replace("stiffness = 30", "stiffness = 31"); }, {Kind::kMomentum}},
      {"losses that are unexplained",
       [](Changed& c) {
         c.from_row(&RecordedRun::energy, "lost_in_contacts", [](double& e) { e -= 1e-5; });
         c.from_row(&RecordedRun::energy, "unexplained", [](double& e) { e -= 1e-5; });
       },
       {Kind::kEnergy}},
      {"a law of expressions that is too strong",
       [](Changed& c) { c.from_row(&RecordedRun::impulse, "rail", [](double& p) { p *= 1.5; }); },
       {Kind::kFrictionSet}},
      {"a sum that is not that of its contacts",
       [](Changed& c) { at(c.run.impulse, c.row, c.run.laws.back() + ".n") *= 1.01; },
       {Kind::kColumns}},
      {"friction of a sum that its contacts do not have",
       [](Changed& c) {
         at(c.run.impulse, c.row, c.run.laws.back() + ".t1") = 2.0 * at(c.run.impulse, c.row, c.run.laws.back() + ".n");
       },
       {Kind::kColumns}},
      {"a law that acted more often than there are steps",
       [](Changed& c) { c.run.acted.values[c.row * c.run.acted.names.size()] = 7.0; },
       {Kind::kColumns}},
      {"time that goes back", [](Changed& c) { c.run.time[c.row] = c.run.time[c.row - 2]; }, {Kind::kTimes}},
      {"a penetration that the summary hides",
       [](Changed& c) { at(c.run.gap, c.row, c.run.gap.names.back()) = -1.0; },
       {Kind::kPenetration}},
  };
}

TEST(VerifyFoundContacts, PlantedErrorsAreFound) {
  const test::TemporaryFolder folder;
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    const RecordedState recorded = record(read(linked(integrator)), folder.path() / "run.h5");
    const Changed right = find_sliding(recorded);
    EXPECT_TRUE(verify::verify_run(right.run, right.summary).obeys());
    for (const Mutation& mutation : mutations()) {
      SCOPED_TRACE(std::string(mutation.name) + " with " + integrator);
      Changed changed = right;
      mutation.plant(changed);
      const Verdict verdict = verify::verify_run(changed.run, changed.summary);
      EXPECT_TRUE(std::ranges::any_of(mutation.found_by, [&](Kind kind) { return verdict.of(kind).violations > 0; }))
          << verify::verdict_text(verdict);
    }
  }
}

TEST(VerifyFoundContacts, WhatIsChangedIsSeen) {
  const test::TemporaryFolder folder;
  SceneOverrides overrides;
  overrides.until = "0.1";
  overrides.every = "0.005";
  const RecordedState recorded = record(test::load("box_on_box", overrides), folder.path() / "run.h5");
  const auto judge = [&](auto&& change) {
    RecordedRun run = recorded.run;
    change(run);
    return verify::verify_run(run, recorded.recorded.summary);
  };
  EXPECT_TRUE(judge([](RecordedRun&) {}).obeys());
  const size_t last = recorded.run.contacts.id.size() - 1;
  EXPECT_GT(judge([&](RecordedRun& run) { run.contacts.impulse[3 * last + 2] *= 1.001; }).of(Kind::kMomentum).violations, 0);
  EXPECT_GT(judge([&](RecordedRun& run) {
              for (size_t i = 0; i < 3; ++i) run.contacts.impulse[3 * last + i] *= -1.0;
            })
                .of(Kind::kPull)
                .violations,
            0);
  EXPECT_GT(judge([&](RecordedRun& run) { run.contacts.gap[last] = 1e-3; }).of(Kind::kOpenContact).violations, 0);
  EXPECT_GT(judge([&](RecordedRun& run) {
              for (double& gap : run.contacts.gap) gap -= 1e-5;
            })
                .of(Kind::kColumns)
                .violations,
            0);
  EXPECT_GT(
      judge([&](RecordedRun& run) { run.energy.values[run.energy.names.size() + 2] += 1e-3; }).of(Kind::kColumns).violations,
      0);
  EXPECT_GT(judge([&](RecordedRun& run) { run.u.values.back() += 1e-3; }).of(Kind::kMomentum).violations, 0);
}

}  // namespace tippe::verify_found_contacts_test
