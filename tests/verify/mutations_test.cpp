// SPDX-License-Identifier: Apache-2.0
// Errors that the judge must find, and name: recordings that were changed, and integrators that err as some once did.
#include <cmath>
#include <functional>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/verify/verify.h"

namespace tippe::verify_mutations_test {

using verify::Finding;
using verify::Kind;
using verify::Verdict;

struct Recorded {
  RecordedRun run;
  RunSummary summary;
};

Recorded record(const Scene& scene) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
  RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  return {read_recording(path), std::move(summary)};
}

/// A box that falls on a floor, bounces, slides and comes to rest, against a spring.
std::string box(const std::string& more = "") {
  return R"TOML(tippe = 1
[parameters]
mu = 0.3
epsilon = 0.5
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*2*(x'^2 + y'^2)"
potential = "2*9.81*y + 0.5*30*x^2"
[[contact]]
name = "floor"
gap = "y"
slip = "x'"
friction = "mu"
restitution = "epsilon"
[initial]
x = 0.5
y = 0.01
[run]
dt = 1e-3
until = 0.5
)TOML" + more;
}

Recorded record_box(const std::string& integrator, const std::vector<std::string>& settings = {}) {
  return record(read_scene(box(), "box.toml", {.settings = settings, .integrator = integrator, .dt = {}, .until = {}}));
}

double& at(RecordedTable& table, size_t row, const std::string& name) {
  const auto place = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
  return table.values[row * table.names.size() + static_cast<size_t>(place)];
}

/// The first sample from `from` on with a normal impulse above `least`.
size_t find_push(RecordedRun& run, size_t from, double least) {
  size_t row = from;
  while (row < run.time.size() && !(at(run.impulse, row, "floor.n") > least)) ++row;
  EXPECT_LT(row, run.time.size());
  return row;
}

void expect_found(const Recorded& recorded, Kind kind, const std::string& law = "") {
  const Verdict verdict = verify::verify_run(recorded.run, recorded.summary);
  const Finding& finding = verdict.of(kind);
  EXPECT_FALSE(verdict.obeys());
  EXPECT_GT(finding.violations, 0) << verdict_text(verdict);
  EXPECT_TRUE(law.empty() || finding.law == law) << finding.law;
  EXPECT_FALSE(finding.what.empty());
}

class VerifyMutations : public testing::TestWithParam<const char*> {
 protected:
  Recorded recorded_ = record_box(GetParam());
  RecordedRun& run_ = recorded_.run;
  [[nodiscard]] size_t middle() const { return recorded_.run.time.size() / 2; }
};

TEST_P(VerifyMutations, TheRunAsItIsObeys) {
  const Verdict verdict = verify::verify_run(run_, recorded_.summary);
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
}

TEST_P(VerifyMutations, ImpulsesReversed) {
  for (double& impulse : run_.impulse.values) impulse = -impulse;
  expect_found(recorded_, Kind::kPull, "floor");
}

TEST_P(VerifyMutations, FrictionThreeTimesTooLarge) {
  for (size_t row = 0; row < run_.time.size(); ++row) at(run_.impulse, row, "floor.t") *= 3.0;
  expect_found(recorded_, Kind::kFrictionSet, "floor");
}

TEST_P(VerifyMutations, VelocitiesFivePercentOffFromSomeTimeOn) {
  for (size_t row = middle(); row < run_.time.size(); ++row) at(run_.u, row, "x'") *= 1.05;
  expect_found(recorded_, Kind::kMomentum);
  expect_found(recorded_, Kind::kPositions);
}

TEST_P(VerifyMutations, ACoordinateShifted) {
  for (size_t row = middle(); row < run_.time.size(); ++row) at(run_.q, row, "x") += 1e-4;
  expect_found(recorded_, Kind::kPositions);
  expect_found(recorded_, Kind::kColumns);
}

TEST_P(VerifyMutations, AnImpactWithoutImpulse) {
  const size_t row = find_push(run_, 1, 0.2);
  at(run_.impulse, row, "floor.n") = at(run_.impulse, row, "floor.t") = 0.0;
  expect_found(recorded_, Kind::kMomentum);
}

TEST_P(VerifyMutations, AnImpactLawThatIsNotThatOfTheScene) {
  run_.origin.settings.push_back("epsilon=0.6");
  const Verdict verdict = verify::verify_run(run_, recorded_.summary);
  EXPECT_GT(verdict.of(Kind::kImpactLaw).violations + verdict.of(Kind::kClosing).violations +
                verdict.of(Kind::kComplementarity).violations,
            0)
      << verdict_text(verdict);
}

TEST_P(VerifyMutations, FrictionThatGluesAContactWithoutFriction) {
  run_.origin.settings.push_back("mu=0");
  expect_found(recorded_, Kind::kFrictionSet, "floor");
}

TEST_P(VerifyMutations, AnEnergyColumnAltered) {
  for (size_t row = middle(); row < run_.time.size(); ++row) at(run_.energy, row, "lost_in_contacts") += 1e-3;
  expect_found(recorded_, Kind::kEnergy);
}

TEST_P(VerifyMutations, LossesMovedIntoWhatIsUnexplained) {
  for (size_t row = middle(); row < run_.time.size(); ++row) {
    at(run_.energy, row, "lost_in_contacts") -= 1e-3;
    at(run_.energy, row, "unexplained") -= 1e-3;
  }
  expect_found(recorded_, Kind::kEnergy);
}

TEST_P(VerifyMutations, TheKineticEnergyOfAnotherMotion) {
  at(run_.energy, middle(), "kinetic") *= 1.0001;
  expect_found(recorded_, Kind::kColumns, "kinetic");
}

TEST_P(VerifyMutations, AGapThatIsNotThatOfTheState) {
  at(run_.gap, middle(), "floor") += 1e-7;
  expect_found(recorded_, Kind::kColumns, "floor");
}

TEST_P(VerifyMutations, ASampleLost) {
  if (run_.integrator == std::string("event-driven")) return;  // it has no step whose length is known
  const size_t row = middle();
  run_.time.erase(run_.time.begin() + static_cast<std::ptrdiff_t>(row));
  for (RecordedTable* table : {&run_.q, &run_.u, &run_.gap, &run_.impulse, &run_.energy, &run_.since, &run_.impact,
                               &run_.acted, &run_.u_start, &run_.moved_q, &run_.moved_u}) {
    const auto width = static_cast<std::ptrdiff_t>(table->names.size());
    const auto first = table->values.begin() + static_cast<std::ptrdiff_t>(row) * width;
    table->values.erase(first, first + width);
  }
  expect_found(recorded_, Kind::kTimes);
}

TEST_P(VerifyMutations, TimeThatGoesBack) {
  run_.time[middle()] = run_.time[middle() - 2];
  expect_found(recorded_, Kind::kTimes);
}

TEST_P(VerifyMutations, ARunThatEndsTooEarly) {
  run_.until = 1.0;
  expect_found(recorded_, Kind::kTimes);
}

TEST_P(VerifyMutations, APenetrationThatTheSummaryHides) {
  double deepest = 0.0;
  for (size_t row = 0; row < run_.time.size(); ++row) deepest = std::max(deepest, -at(run_.gap, row, "floor"));
  if (deepest < 1e-9) return;  // none to hide
  recorded_.summary.worst_penetration = 0.5 * deepest;
  expect_found(recorded_, Kind::kPenetration, "floor");
}

TEST_P(VerifyMutations, DampingWhereNothingDamps) {
  for (size_t row = middle(); row < run_.time.size(); ++row) {
    at(run_.energy, row, "lost_in_damping") += 1e-4;
    at(run_.energy, row, "lost_in_contacts") -= 1e-4;
  }
  expect_found(recorded_, Kind::kEnergy, "lost_in_damping");
}

TEST_P(VerifyMutations, AnImpactThatNeverWas) {
  if (run_.impact.values.empty()) return;  // an integrator that has none apart from the motion
  const size_t row = middle();
  at(run_.since, row, "impacts") = 0.0;
  at(run_.impact, row, "floor.n") = 1e-3;
  expect_found(recorded_, Kind::kMomentum);
}

TEST_P(VerifyMutations, ASummaryThatIsNotThatOfTheSamples) {
  const RunSummary right = recorded_.summary;
  for (const auto& change : std::vector<std::function<void(RunSummary&)>>{
           [](RunSummary& s) { s.energy.final += 1e-4; }, [](RunSummary& s) { s.energy.initial += 1e-4; },
           [](RunSummary& s) { s.energy.lost_in_contacts += 1e-4; }, [](RunSummary& s) { s.energy.work_done += 1e-4; }}) {
    recorded_.summary = right;
    change(recorded_.summary);
    expect_found(recorded_, Kind::kColumns);
  }
  recorded_.summary = right;
  recorded_.summary.steps /= 2;
  if (run_.integrator != std::string("event-driven")) expect_found(recorded_, Kind::kColumns, "steps");
}

TEST_P(VerifyMutations, StepsWhoseEnergyIsNotThatOfTheSamples) {
  const RecordedRun right = run_;
  for (size_t column = 0; column < 5; ++column) {
    run_ = right;
    for (size_t s = right.step_time.size() / 2; s < right.step_time.size(); ++s) run_.step_energy[5 * s + column] += 1e-4;
    expect_found(recorded_, Kind::kEnergy);
  }
}

TEST_P(VerifyMutations, StepsThatAreNotThoseOfTheSamples) {
  const RecordedRun right = run_;
  const size_t step = right.step_time.size() / 2;
  run_.step_residual[step] = 0.5;
  expect_found(recorded_, Kind::kColumns);
  run_ = right;
  run_.step_iterations[step] += 1.0;
  expect_found(recorded_, Kind::kColumns, "iterations");
  run_ = right;
  run_.step_time[step] = run_.start - 1.0;
  expect_found(recorded_, Kind::kTimes, "/steps");
}

TEST_P(VerifyMutations, ImpactsThatAreNotThoseOfTheMotion) {
  ASSERT_GT(run_.impact_time.size(), 1u);
  const RecordedRun right = run_;
  for (std::vector<double>* table : {&run_.impact_time, &run_.impact_speed, &run_.impact_impulse}) {
    run_ = right;
    (*table)[0] *= 1.0 + 1e-6;
    expect_found(recorded_, Kind::kEvents, "floor");
  }
  run_ = right;
  run_.impact_lost[1] += 1e-5;
  expect_found(recorded_, Kind::kEnergy);
}

TEST_P(VerifyMutations, HowOftenALawActed) {
  if (run_.acted.values.empty()) return;
  const size_t push = find_push(run_, middle(), 1e-3);
  for (const double other : {0.0, 2.0, 0.5}) {
    Recorded changed = recorded_;
    changed.run.acted.values[push] = other;
    EXPECT_FALSE(verify::verify_run(changed.run, changed.summary).obeys()) << other;
  }
  size_t open = 1;
  while (run_.acted.values[open] != 0.0) ++open;
  run_.acted.values[open] = 1.0;
  expect_found(recorded_, Kind::kOpenContact, "floor");
}

TEST_P(VerifyMutations, CountsOfTheSummary) {
  const RunSummary right = recorded_.summary;
  const auto change = [&](auto&& of, Kind kind) {
    recorded_.summary = right;
    of(recorded_.summary);
    expect_found(recorded_, kind);
  };
  change([](RunSummary& s) { ++s.impacts; }, Kind::kColumns);
  change([](RunSummary& s) { ++s.impacts_by_law[0]; }, Kind::kColumns);
  change([](RunSummary& s) { ++s.iterations; }, Kind::kColumns);
  change([](RunSummary& s) { ++s.steps; }, Kind::kColumns);
  change([](RunSummary& s) { s.worst_residual = 0.9; }, Kind::kColumns);
  change([](RunSummary& s) { s.lost_by_law[0] += 1e-3; }, Kind::kEnergy);
  if (run_.events.empty()) {
    change([](RunSummary& s) { ++s.halved_steps; }, Kind::kColumns);
  } else {
    change([](RunSummary& s) { ++s.events[EventKind::kImpact]; }, Kind::kColumns);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, VerifyMutations,
                         testing::Values("moreau", "moreau-jean", "consistent-2", "quaternion-1", "event-driven"),
                         [](const auto& named) {
                           std::string name = named.param;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

// Push-out that raises more energy than is booked.
TEST(VerifyErrors, PushingOutOutOfTheBooks) {
  Recorded recorded = record_box("moreau");
  RecordedRun& run = recorded.run;
  for (size_t row = run.time.size() / 2; row < run.time.size(); ++row) {
    at(run.energy, row, "pushed_out") += 1e-5;
    at(run.energy, row, "unexplained") -= 1e-5;
  }
  expect_found(recorded, Kind::kEnergy, "pushed_out");
}

// The consistent schemes once mirrored slips that friction stops: they still do if they are asked to.
TEST(VerifyErrors, SlipsThatAConsistentSchemeMirrored) {
  std::string scene = box();
  scene.insert(scene.find("until = 0.5\n"), "integrator = \"consistent-2\"\nfriction_acts_on = \"displacement\"\n");
  Recorded recorded = record(read_scene(scene, "box.toml", {.settings = {"mu=2"}, .integrator = {}, .dt = {}, .until = {}}));
  EXPECT_TRUE(verify::verify_run(recorded.run, recorded.summary).obeys());
  const std::string word = "\"displacement\"";
  recorded.run.origin.scene_text.replace(recorded.run.origin.scene_text.find(word), word.size(), "\"automatic\"");
  expect_found(recorded, Kind::kFrictionDirection, "floor");
}

// At 1e9 s the clock resolves 1.2e-7 s, not a second.
TEST(VerifyErrors, ARunAtALateClockThatEndsTooEarly) {
  std::string text = box();
  text.replace(text.find("x = 0.5\n"), 8, "t = 1e9\nx = 0.5\n");
  text.replace(text.find("until = 0.5"), 11, "until = 1000000000.1");
  for (const char* integrator : {"moreau", "moreau-jean", "consistent-2", "quaternion-1", "event-driven"}) {
    Recorded recorded =
        record(read_scene(text, "box.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}}));
    const Verdict verdict = verify::verify_run(recorded.run, recorded.summary);
    EXPECT_TRUE(verdict.obeys()) << integrator << verdict_text(verdict);
    recorded.run.until += 0.01;
    expect_found(recorded, Kind::kTimes);
  }
}

TEST(VerifyErrors, AnEventMoved) {
  Recorded recorded = record_box("event-driven");
  ASSERT_GT(recorded.run.events.size(), 2u);
  recorded.run.events[1].t += 1e-5;
  expect_found(recorded, Kind::kEvents);
}

TEST(VerifyErrors, AnEventWithOtherImpulsesOrAnotherLoss) {
  const Recorded right = record_box("event-driven");
  Recorded recorded = right;
  for (Event& event : recorded.run.events) event.impulse *= 1.1;
  expect_found(recorded, Kind::kEvents);
  recorded = right;
  for (Event& event : recorded.run.events) event.lost *= 1.1;
  expect_found(recorded, Kind::kEvents);
}

TEST(VerifyErrors, AModeThatTheForcesDoNotFit) {
  Recorded recorded = record_box("event-driven");
  for (Event& event : recorded.run.events) {
    for (std::vector<ContactMode>* modes : {&event.before, &event.after}) {
      for (ContactMode& mode : *modes) {
        if (mode == ContactMode::kSlideBackward) mode = ContactMode::kStick;
      }
    }
  }
  expect_found(recorded, Kind::kEvents, "floor");
}

TEST(VerifyErrors, AConstraintThatDrifts) {
  Recorded recorded = record(read_scene(R"TOML(tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[[bilateral]]
name = "rod"
position = "x^2 + y^2 - 1"
[initial]
x = 1
[run]
integrator = "conserving-ggl"
dt = 1e-2
until = 0.5
)TOML",
                                        "pendulum.toml"));
  EXPECT_TRUE(verify::verify_run(recorded.run, recorded.summary).obeys())
      << verdict_text(verify::verify_run(recorded.run, recorded.summary));
  for (RecordedTable* table : {&recorded.run.constraint_force, &recorded.run.control_force}) {
    Recorded other = recorded;
    RecordedTable& forces = table == &recorded.run.constraint_force ? other.run.constraint_force : other.run.control_force;
    forces.values[10 * forces.names.size()] *= 1.001;
    expect_found(other, Kind::kColumns);
  }
  for (size_t row = 20; row < recorded.run.time.size(); ++row) {
    at(recorded.run.q, row, "x") *= 1.0 + 1e-5;
    at(recorded.run.q, row, "y") *= 1.0 + 1e-5;
  }
  expect_found(recorded, Kind::kConstraintPosition, "rod");
}

// Steps hold velocities, and positions drift: forces of rows that depend on each other are those of the nearest state that keeps them all.
TEST(VerifyErrors, ForcesOfDependentRows) {
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    Recorded recorded =
        record(test::load("double_four_bar", {.settings = {}, .integrator = integrator, .dt = "1e-3", .until = "0.3"}));
    const Verdict plain = verify::verify_run(recorded.run, recorded.summary);
    EXPECT_TRUE(plain.obeys()) << integrator << ": " << verdict_text(plain);
    for (RecordedTable* table : {&recorded.run.constraint_force, &recorded.run.control_force}) {
      double& force = table->values[150 * table->names.size() + 1];
      const double before = force;
      force *= 1.001;
      expect_found(recorded, Kind::kColumns);
      force = before;
    }
  }
}

TEST(VerifyErrors, AClutchThatRunsBackAndAPadThatIsTooStrong) {
  Recorded recorded = record(read_scene(R"TOML(tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "0.5*100*x^2 + 0.5*50*y^2"
[[one_way]]
name = "clutch"
velocity = "x'"
[[dry_friction]]
name = "pad"
velocity = "y'"
limit = 2
[initial]
x = 0.1
y = 0.2
"x'" = 1
[run]
integrator = "moreau"
dt = 1e-3
until = 0.5
)TOML",
                                        "clutch.toml"));
  EXPECT_TRUE(verify::verify_run(recorded.run, recorded.summary).obeys())
      << verdict_text(verify::verify_run(recorded.run, recorded.summary));
  Recorded strong = recorded;
  for (size_t row = 0; row < strong.run.time.size(); ++row) at(strong.run.impulse, row, "pad") *= 1.5;
  expect_found(strong, Kind::kFrictionSet, "pad");
  for (size_t row = 0; row < recorded.run.time.size(); ++row) at(recorded.run.u, row, "x'") *= -1.0;
  expect_found(recorded, Kind::kClosing, "clutch");
}

/// A double of an integrator: Moreau's rule on one mass, with an error.
class Double final : public Integrator {
 public:
  using Step = std::function<void(State& state, double dt, Eigen::VectorXd& impulse, double& acted)>;
  Double(const System& system, Step step) : Integrator(system), step_(std::move(step)) {
    const LawList list = list_of_fixed_laws(system.laws());
    laws_.begin(list, system.laws());
  }
  StepReport step(State& state, double dt) override {
    trace_.begin(state);
    laws_.clear();
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(laws_.impulse.size());
    step_(state, dt, impulse, laws_.acted[0]);
    laws_.impulse = impulse;
    return {};
  }
  void save_memory(NamedArrays& /*memory*/) const override {}
  void restore_memory(const NamedArrays& /*memory*/) override {}

 private:
  Step step_;
};

Verdict judge_double(const std::vector<std::string>& settings, Double::Step step) {
  const Scene scene =
      read_scene(box(), "box.toml", {.settings = settings, .integrator = "moreau", .dt = {}, .until = "0.3"});
  verify::RunWatch watch(*scene.system, scene.start, scene.run);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary =
      simulate_with(std::make_unique<Double>(*scene.system, std::move(step)), *scene.system, scene.start, scene.run, hooks);
  return watch.finish(summary);
}

/// The midpoint rule with impulses that `push` gives for the velocities without them, when the gap in the middle is closed.
Double::Step midpoint(std::function<Eigen::Vector2d(const State& begin, const Eigen::Vector2d& free)> push) {
  return [push = std::move(push)](State& state, double dt, Eigen::VectorXd& impulse, double& acted) {
    const State begin = state;
    const Eigen::Vector2d q_M = begin.q + 0.5 * dt * begin.u, h(-30.0 * q_M[0], -2.0 * 9.81);
    const Eigen::Vector2d free = begin.u + 0.5 * dt * h;
    if (q_M[1] <= 0.0) {
      acted = 1.0;
      impulse = push(begin, free);
    }
    state.u = free + 0.5 * Eigen::Vector2d(impulse[1], impulse[0]);
    state.q = q_M + 0.5 * dt * state.u;
    state.t += dt;
  };
}
double right_push(const State& begin, const Eigen::Vector2d& free) {
  return std::max(0.0, -2.0 * (free[1] + 0.5 * begin.u[1]));
}

// (impulse: normal, tangent.) The double that makes no error obeys, so that what is found is the error.
TEST(VerifyDoubles, ARightOneObeys) {
  const Verdict verdict = judge_double({}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                                         const double n = right_push(begin, free), most = 0.3 * n;
                                         return {n, std::clamp(-2.0 * free[0], -most, most)};
                                       }));
  // It books no energy.
  for (const auto& [kind, name, title] : verify::kKindWords) {
    EXPECT_TRUE(kind == Kind::kEnergy || verdict.of(kind).violations == 0) << verdict_text(verdict);
  }
  EXPECT_GT(verdict.single_steps, 250);
}

TEST(VerifyDoubles, OneThatGluesWithoutFriction) {
  const Verdict verdict =
      judge_double({"mu=0"}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                     return {right_push(begin, free), -2.0 * free[0]};
                   }));
  EXPECT_GT(verdict.of(Kind::kFrictionSet).violations, 0);
}

TEST(VerifyDoubles, OneThatMirrorsSlips) {
  const Verdict verdict =
      judge_double({"mu=30"}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                     return {right_push(begin, free), -2.0 * (free[0] + begin.u[0])};
                   }));
  EXPECT_GT(verdict.of(Kind::kFrictionDirection).violations, 0) << verdict_text(verdict);
}

TEST(VerifyDoubles, OneThatSinks) {
  const Verdict sinks = judge_double({}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                                       return {0.9 * right_push(begin, free), 0.0};
                                     }));
  EXPECT_GT(sinks.of(Kind::kClosing).violations, 0);
  const Verdict misses = judge_double({}, [](State& state, double dt, Eigen::VectorXd& /*impulse*/, double& /*acted*/) {
    const Eigen::Vector2d q_M = state.q + 0.5 * dt * state.u;
    state.u += 0.5 * dt * Eigen::Vector2d(-30.0 * q_M[0], -2.0 * 9.81);
    state.q = q_M + 0.5 * dt * state.u;
    state.t += dt;
  });
  EXPECT_GT(misses.of(Kind::kOpenContact).violations, 0);
}

TEST(VerifyDoubles, OneThatPullsAndOneThatPushesTooMuch) {
  const Verdict pulls = judge_double({}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                                       return {-2.0 * (free[1] + 0.5 * begin.u[1]) - 0.02, 0.0};
                                     }));
  EXPECT_GT(pulls.of(Kind::kPull).violations, 0);
  const Verdict pushes = judge_double({}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                                        return {1.01 * right_push(begin, free), 0.0};
                                      }));
  EXPECT_GT(pushes.of(Kind::kComplementarity).violations, 0);
}

TEST(VerifyDoubles, OneThatSlidesWithoutFriction) {
  const Verdict verdict = judge_double({}, midpoint([](const State& begin, const Eigen::Vector2d& free) -> Eigen::Vector2d {
                                         return {right_push(begin, free), 0.0};
                                       }));
  EXPECT_GT(verdict.of(Kind::kFrictionDirection).violations, 0);
}

TEST(VerifyDoubles, OneWhoseForcesAreOfAnotherTime) {
  const Verdict verdict = judge_double({}, [](State& state, double dt, Eigen::VectorXd& /*impulse*/, double& /*acted*/) {
    const Eigen::Vector2d h(-30.0 * state.q[0], -2.0 * 9.81), u_B = state.u;
    state.u += 0.5 * dt * h;
    state.q += 0.5 * dt * (u_B + state.u);
    state.t += dt;
  });
  EXPECT_GT(verdict.of(Kind::kMomentum).violations, 0);
}

}  // namespace tippe::verify_mutations_test
