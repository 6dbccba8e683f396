// SPDX-License-Identifier: Apache-2.0
// `analyze`, `modes`, `event-driven` and the time-stepping schemes look at the same states: over all scenes and instant files they agree on
// which contacts are closed, on accelerations where these are unique, and on the velocities after impacts under the same law.
#include <fmt/ranges.h>

#include <Eigen/QR>
#include <algorithm>
#include <numbers>
#include <set>

#include "support/scenes.h"
#include "tippe/analyze/analysis.h"
#include "tippe/contact/contact_rows.h"
#include "tippe/contact/state_sizes.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/hybrid/event_driven.h"
#include "tippe/hybrid/impact.h"
#include "tippe/integrate/bilateral_rows.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/integrate/moreau.h"
#include "tippe/model/massless.h"
#include "tippe/run/default_integrator.h"
#include "tippe/solve/least_distance.h"
#include "tippe/study/list_modes.h"

namespace tippe::scenes_agreement_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::set<std::string>;

constexpr int kTimes = 10;                  // along each run
constexpr double kSameAcceleration = 1e-8;  // of the accelerations that the loads alone would give, and of those themselves
constexpr double kSameVelocity = 1e-9;      // of the velocities before an impact
constexpr double kSolved = 1e-10;           // the residual to which impacts are solved, of the velocities
constexpr double kRowsOfImpact = 30.0;      // errors of so many rows may add up
constexpr double kSameImpulse = 1e-8;       // of the impulses, where they are determined
constexpr int kMostImpacts = 20;            // of a run
constexpr double kRoundOffOfGap = 1e-9;     // m   schemes see gaps of an exact motion as they are

std::vector<std::string> files_in(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/" + folder)) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Names names_of(const std::vector<ContactRows>& contacts) {
  Names names;
  for (const ContactRows& contact : contacts) names.insert(contact.name);
  return names;
}

/// Contacts and clutches with a flag.
Names names_of(const System& system, const std::vector<bool>& flags) {
  Names names;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] && system.laws()[i].kind != ForceLaw::Kind::kDryFriction) names.insert(system.laws()[i].name);
  }
  return names;
}

/// Asks everybody about states of one system.
class Judges {
 public:
  explicit Judges(const Scene& scene)
      : scene_(scene), system_(*scene.system), evaluator_(system_.make_evaluator()), scales_(system_) {
    past_.horizon = scene.run.until - scene.start.t;
    scales_.start(scene.start, past_.horizon, *evaluator_);
    Dynamics dynamics;
    evaluator_->evaluate_dynamics(dynamics);
    scales_.note_load(dynamics.h.cwiseAbs(), scene.run.until - scene.start.t);
    note(scene.start);
    if (find_integrator("event-driven")->misfit(system_).empty()) selector_.emplace(system_, &scales_);
  }

  [[nodiscard]] bool knows_modes() const { return selector_.has_value(); }

  /// What event-driven tells zero by.
  void note(const State& state) {
    scales_.note(state);
    past_.note_coordinates(state);
    const VectorXd gaps = gaps_at(state);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) scales_.note_gap(static_cast<int>(i), std::abs(gaps[i]));
  }

  /// A state that nothing is remembered of: as it is at a start, or along an exact motion.
  void compare(const State& state, const ScopeTolerances& tolerances) {
    const InstantOptions options{.closed_tolerance = closed_tolerance(), .past = &past_, .around = {}};
    const Instant instant = instant_of(system_, state, options);
    const Names acting = time_stepping_finds(state, LawMemory(), 0.0);
    if (selector_) {
      scope_ = selector_->find_scope(state, tolerances);
      EXPECT_EQ(names_of(system_, scope_.touching), acting) << "event-driven and time-stepping, closed";
      EXPECT_EQ(scope_.impact(), instant.impact.has_value()) << "event-driven and analyze, impact";
      if (scope_.impact() != instant.impact.has_value()) return;
    }
    if (instant.impact) {
      EXPECT_EQ(names_of(instant.impact->unilateral), acting) << "analyze and time-stepping, closed in the impact";
      compare_impacts(state, *instant.impact, flags_of(acting));
    } else {
      compare_motions(state, instant, list_modes(system_, state, options));
    }
  }

  /// A state of a time-stepping run, with what it remembers. Event-driven is asked with the contacts that the run sees as closed: such a state keeps
  /// gaps and velocities only up to a step.
  void compare(const State& state, const LawMemory& held, double step) {
    const InstantOptions options{
        .closed_tolerance = closed_tolerance(), .held = &held, .step = step, .past = &past_, .around = {}};
    const Instant instant = instant_of(system_, state, options);
    const ModesReport modes = list_modes(system_, state, options);
    EXPECT_EQ(instant.impact.has_value(), modes.impact.has_value());
    Names expected = time_stepping_finds(state, held, step);
    for (size_t i = 0; i < system_.laws().size(); ++i) {
      if (held.held(LawId::fixed(static_cast<int>(i))) && system_.laws()[i].kind != ForceLaw::Kind::kDryFriction)
        expected.insert(system_.laws()[i].name);
    }
    const Names closed = names_of(instant.impact ? instant.impact->unilateral : instant.acceleration->unilateral);
    if (instant.impact) {
      EXPECT_EQ(closed, expected) << "analyze and time-stepping, closed in the impact";
    } else {
      EXPECT_TRUE(std::ranges::includes(expected, closed)) << "analyze and time-stepping, closed";
    }
    ++states;
    if (instant.impact) return compare_impacts(state, *instant.impact, flags_of(closed));
    compare_with_analysis(instant, modes);
    if (!selector_) return;
    scope_ = scope_of(instant);
    compare_with_selection(state, modes, false);
  }

  /// An impact in a step of a time-stepping run: `state` before it, and what the scheme took as closed.
  void compare_hit(const State& state, const std::vector<bool>& closed) {
    ++states;
    std::vector<int> laws;
    for (size_t i = 0; i < closed.size(); ++i) {
      if (closed[i]) laws.push_back(static_cast<int>(i));
    }
    compare_impacts(state, impact_of(system_, state, laws, *evaluator_), closed);
  }

  /// Whether all contacts of an exact motion are as far from the border between open and closed, resting and closing, as those who see the state alone need: impacts that fade are
  /// soon slower than what an instant tells from rest, in gaps smaller than what a scheme takes as closed.
  [[nodiscard]] bool see_clearly(const State& state) {
    if (!selector_) return true;
    const Scope scope = selector_->find_scope(state, {});
    const VectorXd gaps = gaps_at(state);
    Dynamics dynamics;
    evaluator_->evaluate_dynamics(dynamics);
    const StateSizes sizes(system_, state, dynamics, past_);
    evaluator_->find_laws(kInfinity, list_);
    for (int k = 0; k < list_.size(); ++k) {
      const auto i = static_cast<size_t>(list_.law[static_cast<size_t>(k)]);
      if (system_.laws()[i].kind != ForceLaw::Kind::kContact) continue;
      if (!scope.touching[i]) {
        if (gaps[static_cast<Eigen::Index>(i)] <= closed_tolerance() + 10.0 * kRoundOffOfGap) return false;
        continue;
      }
      SparseColumns W;
      std::vector<double> chi;
      evaluator_->append_directions(list_, k, W, chi);
      VelocityView view{.velocity = chi[0], .terms = std::abs(chi[0])};
      for (int e = W.start[0]; e < W.start[1]; ++e) {
        view.velocity += W.value[e] * state.u[W.row[e]];
        view.terms += std::abs(W.value[e]) * sizes.speeds()[W.row[e]];
      }
      if (!scope.resting[i] && !is_moving(view, ContactTolerances::of_instants(0.0))) return false;
    }
    return true;
  }

  int states = 0, unique_motions = 0, open_motions = 0, judged_motions = 0, impacts = 0, unique_impacts = 0;

 private:
  [[nodiscard]] double closed_tolerance() const { return scene_.run.integrator_options.closed_tolerance; }

  /// Contacts and clutches by name.
  [[nodiscard]] std::vector<bool> flags_of(const Names& names) const {
    std::vector<bool> flags(system_.laws().size());
    for (size_t i = 0; i < flags.size(); ++i) flags[i] = names.contains(system_.laws()[i].name);
    return flags;
  }

  /// The state as an instant sees it.
  [[nodiscard]] Scope scope_of(const Instant& instant) const {
    const size_t laws = system_.laws().size();
    Scope scope{std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws)};
    const auto number_of = [&](const std::string& name) {
      return static_cast<size_t>(std::ranges::find(system_.laws(), name, &ForceLaw::name) - system_.laws().begin());
    };
    for (const ContactRows& contact : instant.acceleration->unilateral) {
      const size_t i = number_of(contact.name);
      scope.touching[i] = scope.resting[i] = true;
      scope.sliding[i] = contact.slides();
    }
    for (const DryFrictionRow& dry : instant.dry) {
      const size_t i = number_of(dry.name);
      scope.touching[i] = scope.resting[i] = true;
      scope.sliding[i] = dry.slip != 0.0;
    }
    return scope;
  }

  VectorXd gaps_at(const State& state) {
    evaluator_->set_state(state.t, state.q, state.u);
    return gaps_of(*evaluator_);
  }

  /// The closed contacts of a scheme that begins a step here.
  Names time_stepping_finds(const State& state, LawMemory memory, double step) {
    LawStep in_step;
    evaluator_->set_state(state.t, state.q, state.u);
    evaluator_->find_laws(0.0, list_);
    ActiveLaws laws(system_, {.closed_tolerance = closed_tolerance() + kRoundOffOfGap});
    laws.find(*evaluator_, list_, {state.q, state.u}, step, memory, in_step);
    std::vector<bool> active(system_.laws().size());
    for (const int i : laws.active()) active[static_cast<size_t>(i)] = true;
    return names_of(system_, active);
  }

  void compare_motions(const State& state, const Instant& instant, const ModesReport& modes) {
    ++states;
    ASSERT_TRUE(modes.motion);
    const Names resting = names_of(instant.acceleration->unilateral);
    const std::vector<std::string>& listed = modes.motion->list.contacts;
    for (const std::string& name : resting) EXPECT_NE(std::ranges::find(listed, name), listed.end()) << name;
    if (selector_) {
      EXPECT_EQ(names_of(system_, scope_.resting), resting) << "event-driven and analyze, at rest";
      compare_with_selection(state, modes);
    }
    compare_with_analysis(instant, modes);
    compare_with_steps(state, *instant.acceleration, modes);
  }

  [[nodiscard]] static double size_of(const AccelerationProblem& problem, const VectorXd& acceleration) {
    constexpr double kLeast = 1.0;  // m/s^2  where nothing accelerates
    const VectorXd free = problem.M.completeOrthogonalDecomposition().solve(problem.F);
    return std::max({free.norm(), acceleration.norm(), kLeast});
  }

  /// `exact`: derivatives of the motion are those of the state, so that they decide ties.
  void compare_with_selection(const State& state, const ModesReport& modes, bool exact = true) {
    const ModeSelection selection = selector_->select(state, scope_);
    const ModeList& list = modes.motion->list;
    if (!list.complete || !selection.complete) return;
    if (exact) {
      EXPECT_EQ(list.modes.size(), selection.choices.size()) << "modes and event-driven";
    }
    if (list.modes.size() != 1 || selection.choices.size() != 1) return;
    ++unique_motions;
    const VectorXd& a = list.modes[0].motion;
    EXPECT_LE((selection.choices[0].acceleration - a).norm(), kSameAcceleration * size_of(selector_->problem(), a))
        << "event-driven " << selection.choices[0].acceleration.transpose() << "\nmodes        " << a.transpose();
  }

  /// Where the friction of contacts suffices analyze's motion, which knows no limit of it, is the one of the modes; dry friction has its limit in both.
  void compare_with_analysis(const Instant& instant, const ModesReport& modes) {
    constexpr int kMostCoordinates = 12, kMostForces = 8;  // analyze takes a second for twelve forces in space
    if (instant.acceleration->n() > kMostCoordinates || force_names(instant).size() > kMostForces) return;
    const Analysis analysis = analyze(instant);
    if (!analysis.motion || !analysis.motion->unique.yes() || !modes.motion) return;
    if (analysis.limits_kept && !analysis.limits_kept->yes()) return;
    const ModeList& list = modes.motion->list;
    if (list.modes.size() != 1 || !list.complete) return;
    ++judged_motions;
    const VectorXd &a = analysis.motion->acceleration, b = list.modes[0].motion;
    EXPECT_LE((a - b).norm(), 1e-7 * size_of(*instant.acceleration, a))
        << "analyze " << a.transpose() << "\nmodes   " << b.transpose();
  }

  /// Moreau's rule with short steps and without restitution. The first has half of the curvature, so that contacts under little load open in it
  /// and need some steps to close again; then it moves with the accelerations of the state, up to the length of the steps.
  VectorXd acceleration_by_steps(State state, double length) {
    MoreauMidpoint moreau(system_, {.laws = {.closed_tolerance = closed_tolerance() + kRoundOffOfGap,
                                             .tolerance = 1e-12,
                                             .restitution = 0.0,
                                             .accepted = 1e-6},
                                    .project = false,
                                    .project_contacts = false});
    VectorXd before;
    constexpr int kSteps = 50;
    for (int k = 0; k < kSteps; ++k) {
      before = state.u;
      const StepReport report = moreau.step(state, length);
      EXPECT_TRUE(report.ok()) << describe_failure(system_, report, state);
    }
    return (state.u - before) / length;
  }

  /// Whether there are forces that push along the cones of contacts which do not open, as they slide or are about to, and give this acceleration.
  [[nodiscard]] static bool obeys_laws(const AccelerationProblem& problem, const VectorXd& a, double tolerance) {
    const double size = size_of(problem, a);
    const VectorXd weight = problem.M.diagonal().cwiseSqrt().cwiseInverse();
    std::vector<VectorXd> pushing, free;
    const auto motion_of = [&](const VectorXd& direction, double drift) { return direction.dot(a) + drift; };
    for (const ContactRows& contact : problem.bilateral) free.emplace_back(contact.normal);
    for (const ContactRows& contact : problem.unilateral) {
      const double opening = motion_of(contact.normal, contact.drift),
                   still = 10.0 * tolerance * size * contact.normal.norm();
      if (opening < -still) return false;
      if (opening > still) continue;
      if (contact.tangent_count() == 0) {
        pushing.emplace_back(contact.normal);
        continue;
      }
      VectorXd slip = contact.slides() ? contact.slip : VectorXd(contact.tangents.transpose() * a + contact.tangent_drift);
      if (contact.slides() || slip.norm() > still) {
        pushing.emplace_back(contact.normal - *contact.mu * contact.tangents * slip.normalized());
        continue;
      }
      constexpr int kEdges = 64;
      for (int edge = 0; edge < kEdges; ++edge) {
        slip[0] = std::cos(2.0 * std::numbers::pi * edge / kEdges);
        if (slip.size() > 1) slip[1] = std::sin(2.0 * std::numbers::pi * edge / kEdges);
        pushing.emplace_back(contact.normal + *contact.mu / std::cos(std::numbers::pi / kEdges) * contact.tangents * slip);
      }
    }
    const auto columns = [&](const std::vector<VectorXd>& directions) {
      MatrixXd all(a.size(), static_cast<Eigen::Index>(directions.size()));
      for (size_t k = 0; k < directions.size(); ++k)
        all.col(static_cast<Eigen::Index>(k)) = weight.cwiseProduct(directions[k]);
      return all;
    };
    const VectorXd load = weight.cwiseProduct(problem.M * a + problem.F);
    const MatrixXd G = columns(free), B = columns(pushing);
    const LeastDistance carried = solve_least_distance({G, G.transpose() * load, B, B.transpose() * load});
    return (carried.v - load).norm() <= 10.0 * tolerance * (weight.cwiseProduct(problem.F).norm() + load.norm());
  }

  void compare_with_steps(const State& start, const AccelerationProblem& problem, const ModesReport& modes) {
    if (system_.restitution_matrix() != nullptr || !needs_mass(system_).empty()) return;
    constexpr double kStep = 1e-8, kSame = 1e-4;
    const VectorXd a = 2.0 * acceleration_by_steps(start, 0.5 * kStep) - acceleration_by_steps(start, kStep);
    const ModeList& list = modes.motion->list;
    double nearest = std::numeric_limits<double>::infinity();
    std::ostringstream found;
    for (const ConsistentMode& mode : list.modes) {
      nearest = std::min(nearest, (mode.motion - a).norm() / size_of(problem, a));
      found << "\nmodes         " << mode.motion.transpose();
    }
    if (!list.complete || list.note.find("leaves its motion open") != std::string::npos) {  // not all are listed
      EXPECT_TRUE(obeys_laws(problem, a, kSame)) << "time-stepping " << a.transpose() << found.str();
      ++open_motions;
      return;
    }
    EXPECT_LE(nearest, kSame) << "time-stepping " << a.transpose() << found.str();
  }

  struct Hit {
    VectorXd u;         // after the impact
    VectorXd impulses;  // rows of all laws
  };

  /// Under the law of the scene, everybody who knows it. Where several outcomes are consistent, each is one of them.
  void compare_impacts(const State& state, const ImpactProblem& problem, const std::vector<bool>& closed) {
    ++impacts;
    const Hit by_step = time_stepping_hits(state, closed);
    const double size = std::max(state.u.norm(), 1e-300);
    // Of the velocities after the impact, by changes of those before it that are as large as the residual.
    double spread = 0.0;
    const auto expect_same = [&](const Hit& a, const Hit& b, const char* who) {
      const double allowed = std::max(kSameVelocity * size, kRowsOfImpact * spread);
      EXPECT_LE((a.u - b.u).norm(), allowed) << who << "\n" << a.u.transpose() << "\n" << b.u.transpose();
      if (!is_independent(problem)) return;
      EXPECT_LE((a.impulses - b.impulses).norm(), kSameImpulse * (a.impulses.norm() + b.impulses.norm())) << who;
    };
    const bool newton = system_.impact_law() == ImpactLaw::kNewton, by_matrix = !problem.restitution.isDiagonal(0.0);
    const auto rubs = [](const ContactRows& contact) { return contact.tangent_count() > 0; };
    bool unique = std::ranges::none_of(problem.unilateral, rubs);
    if (newton && !by_matrix) {
      const ModeList list = list_impact_modes(problem);
      if (list.complete) {
        ASSERT_FALSE(list.modes.empty());
        unique = unique || list.modes.size() == 1;
        double nearest = std::numeric_limits<double>::infinity();
        for (const ConsistentMode& mode : list.modes) nearest = std::min(nearest, (mode.motion - by_step.u).norm());
        EXPECT_LE(nearest, kSameVelocity * size) << "modes and time-stepping";
      }
    }
    unique = unique || !newton;  // those laws are solved by one solver
    std::optional<Hit> by_event;
    if (selector_) {
      const ImpactOutcome outcome = resolve_impact(system_, state, closed);
      if (!unique) {
        State beside = state;
        beside.u *= 1.0 + kSolved;
        for (Eigen::Index j = 0; j < beside.u.size(); j += 2) beside.u[j] *= 1.0 - 2.0 * kSolved;
        const ImpactOutcome other = resolve_impact(system_, beside, closed);
        if (other.status == ImpactOutcome::Status::kDone) spread = (other.u - outcome.u).norm();
      }
      ASSERT_EQ(outcome.status, ImpactOutcome::Status::kDone) << outcome.note;
      by_event = {outcome.u, outcome.impulse};
      if (unique) expect_same(*by_event, by_step, "event-driven and time-stepping");
    }
    const ImpactReport report = judge_impact(problem);
    if (by_matrix) {
      EXPECT_LE((report.kinematic.velocity_after - by_step.u).norm(), kSameVelocity * size) << "analyze, restitution matrix";
      return;
    }
    ASSERT_TRUE(report.by(system_.impact_law())) << fmt::format("{}", fmt::join(report.warnings, " "));
    const Hit analysed = hit_of(*report.by(system_.impact_law()), problem, closed);
    if (unique) expect_same(analysed, by_step, "analyze and time-stepping");
    if (by_event) expect_same(analysed, *by_event, "analyze and event-driven");
    unique_impacts += unique ? 1 : 0;
  }

  /// With the rows of all laws.
  [[nodiscard]] Hit hit_of(const ImpactOfLaw& outcome, const ImpactProblem& problem, const std::vector<bool>& closed) const {
    const LawStep rows(system_.laws());
    Hit hit{outcome.velocity_after, VectorXd::Zero(rows.impulse.size())};
    Eigen::Index contact = 0, tangent = 0;
    for (size_t i = 0; i < closed.size(); ++i) {
      const ForceLaw& law = system_.laws()[i];
      if (!closed[i] || law.kind == ForceLaw::Kind::kDryFriction) continue;
      EXPECT_EQ(problem.unilateral[static_cast<size_t>(contact)].name, law.name);
      hit.impulses[rows.first_row[i]] = outcome.impulses[contact++];
      const FrictionTangents friction(law);
      for (int k = 0; k < friction.count(); ++k)
        hit.impulses[rows.first_row[i] + friction.row(k)] = friction.scale(k) * outcome.friction[tangent++];
    }
    return hit;
  }

  /// Whether impulses are determined by the velocities.
  [[nodiscard]] static bool is_independent(const ImpactProblem& problem) {
    Eigen::Index columns = 0;
    for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
      for (const ContactRows& contact : *contacts) columns += contact.rows();
    }
    Eigen::MatrixXd D(problem.velocity.size(), columns);
    Eigen::Index next = 0;
    for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
      for (const ContactRows& contact : *contacts) {
        D.col(next) = contact.normal;
        D.middleCols(next + 1, contact.tangent_count()) = contact.tangents;
        next += contact.rows();
      }
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(D.colwise().normalized());
    factors.setThreshold(1e-6);
    return columns <= D.rows() && factors.rank() == columns;
  }

  /// The impact of a scheme here, without forces.
  Hit time_stepping_hits(const State& state, const std::vector<bool>& closed) {
    StepReport report;
    Dynamics dynamics;
    BilateralRows rows(system_);
    ConstrainedMass mass(system_.nu(), system_.mass_pattern(), rows.W());
    ActiveLaws laws(system_, {.tolerance = 1e-13, .accepted = 1e-10});
    LawStep step;
    LawMemory memory;
    VectorXd u = state.u;
    evaluator_->set_state(state.t, state.q, state.u);
    evaluator_->find_laws(0.0, list_);
    for (size_t i = 0; i < closed.size(); ++i)
      list_.gap[static_cast<Eigen::Index>(i)] = closed[i] ? 0.0 : std::numeric_limits<double>::infinity();
    evaluator_->evaluate_dynamics(dynamics);
    EXPECT_TRUE(rows.evaluate(*evaluator_, report) && mass.factorize(dynamics.M, rows.W()) && rows.keep(mass, u, report));
    laws.find(*evaluator_, list_, {state.q, state.u}, 0.0, memory, step);
    laws.assemble(mass, u, step);
    EXPECT_GT(laws.size(), 0);
    if (laws.size() > 0) laws.collide(mass, u, step, report);
    EXPECT_TRUE(report.ok()) << describe_failure(system_, report, state);
    return {u, step.impulse};
  }

  const Scene& scene_;
  const System& system_;
  std::unique_ptr<Evaluator> evaluator_;
  LawList list_;
  MotionScales scales_;
  PastSizes past_;
  std::optional<ModeSelector> selector_;
  Scope scope_;
};

class Agreement : public testing::TestWithParam<std::string> {};

const ScopeTolerances kAsWritten{ContactTolerances::as_written()};

TEST_P(Agreement, AtTheStart) {
  const Scene scene = test::load(GetParam());
  if (!scene.system->has_fixed_laws()) GTEST_SKIP() << "contacts are found";
  Judges judges(scene);
  judges.compare(scene.start, kAsWritten);
}

/// s  as long a part of a run as takes little time: steps of a system of one coordinate, up to `most`.
double end_of(const Scene& scene, double steps_of_one, double most) {
  const double size = std::pow(scene.system->nu(), 2.0) + static_cast<double>(scene.system->laws().size());
  const double steps = std::clamp(steps_of_one / size, 500.0, most);
  return std::min(scene.run.until, scene.start.t + steps * scene.run.dt);
}

/// Whether an impact was in a step: a contact got an impulse that had none in the steps before, and closed with a velocity.
bool is_hit(const System& system, const LawStep& step) {
  for (int i = 0; i < step.size(); ++i) {
    if (system.laws()[static_cast<size_t>(i)].kind == ForceLaw::Kind::kContact && step.anew[static_cast<size_t>(i)] != 0 &&
        step.closing_speed[i] > 1e-3)
      return true;
  }
  return false;
}

/// The contacts with an impulse, and all clutches.
std::vector<bool> hit_by(const System& system, const LawStep& step) {
  std::vector<bool> hit(system.laws().size());
  for (size_t i = 0; i < hit.size(); ++i) {
    const ForceLaw::Kind kind = system.laws()[i].kind;
    hit[i] = kind == ForceLaw::Kind::kOneWay || (kind == ForceLaw::Kind::kContact && step.impulse[step.first_row[i]] != 0.0);
  }
  return hit;
}

TEST_P(Agreement, AlongATimeSteppingRun) {
  Scene scene = test::load(GetParam());
  if (!scene.system->has_fixed_laws()) GTEST_SKIP() << "contacts are found";
  if (scene.run.events.may_jump()) GTEST_SKIP() << "here nobody looks for events";
  if (scene.system->laws().empty()) return;
  if (find_integrator(scene.run.integrator)->adaptive) {
    scene.run.integrator = default_integrator(*scene.system).name;
    if (!find_integrator(scene.run.integrator)->misfit(*scene.system).empty()) return;  // a restitution matrix
  }
  scene.run.until = end_of(scene, 1.2e7, 200000.0);  // so that most of what falls has hit
  Judges judges(scene);
  LawMemory held;
  const std::int64_t every = std::max<std::int64_t>(1, scene.run.steps_from(scene.start.t) / kTimes);
  std::int64_t step = 0;
  State before = scene.start;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    const LawStep& laws = integrator.last_laws();
    SCOPED_TRACE(fmt::format("t = {}", state.t));
    if (judges.impacts < kMostImpacts && is_hit(*scene.system, laws))
      judges.compare_hit(before, hit_by(*scene.system, laws));
    held.look(laws);
    if (++step % every == 0) judges.compare(state, held, scene.run.dt);
    before = state;
  });
  EXPECT_GE(judges.states, kTimes);
}

TEST_P(Agreement, AlongAnExactMotion) {
  const Scene scene = test::load(GetParam());
  if (!scene.system->has_fixed_laws()) GTEST_SKIP() << "contacts are found";
  if (scene.run.events.may_jump()) GTEST_SKIP() << "here nobody looks for events";
  const System& system = *scene.system;
  if (!find_integrator("event-driven")->misfit(system).empty() || system.laws().empty()) return;
  const double end = end_of(scene, 2e6, 50000.0);
  Judges judges(scene);
  const auto integrator = find_integrator("event-driven")->make(system, scene.run.integrator_options);
  State state = scene.start, there = scene.start;
  double next = scene.start.t + (end - scene.start.t) / kTimes;
  constexpr int kMostSteps = 20000;
  for (int step = 0; state.t < end && step < kMostSteps; ++step) {
    const State before = state;
    const StepReport report = integrator->step(state, end - state.t);
    ASSERT_TRUE(report.ok()) << describe_failure(system, report, state);
    judges.note(state);
    const bool hits =
        std::ranges::any_of(integrator->last_events(), [](const Event& event) { return event.kind == EventKind::kImpact; });
    if (state.t == before.t && hits && judges.impacts < kMostImpacts) {
      SCOPED_TRACE(fmt::format("impact at t = {}", state.t));
      if (judges.see_clearly(before)) judges.compare(before, {});
    }
    for (; next < state.t; next += (end - scene.start.t) / kTimes) {
      SCOPED_TRACE(fmt::format("t = {}", next));
      ASSERT_TRUE(integrator->adaptive()->interpolate(next, there).ok());
      there.t = next;
      judges.compare(there, {});
    }
  }
  EXPECT_GE(state.t, end);
  EXPECT_GE(judges.states, kTimes - 1);
  EXPECT_GE(judges.unique_motions + judges.open_motions, kTimes / 2);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Agreement, testing::ValuesIn(files_in("scenes", ".toml")),
                         [](const auto& given) { return given.param; });

class InstantAgreement : public testing::TestWithParam<std::string> {};

TEST_P(InstantAgreement, AnalyzeAndModesFindTheSameImpact) {
  const Instant instant = load_instant(std::string(TIPPE_SOURCE_DIR) + "/instants/" + GetParam() + ".json");
  if (!instant.impact) return;
  const ImpactReport report = judge_impact(*instant.impact);
  const ModeList list = list_impact_modes(*instant.impact);
  ASSERT_TRUE(report.newton && list.complete);
  ASSERT_EQ(list.modes.size(), 1U);
  EXPECT_LE((list.modes[0].motion - report.newton->velocity_after).norm(), kSameVelocity * instant.impact->velocity.norm());
}

TEST_P(InstantAgreement, AnalyzeAndModesFindTheSameMotion) {
  const Instant instant = load_instant(std::string(TIPPE_SOURCE_DIR) + "/instants/" + GetParam() + ".json");
  const Analysis analysis = analyze(instant);
  if (!instant.acceleration || !analysis.motion || !analysis.motion->unique.yes()) return;
  if (analysis.limits_kept && !analysis.limits_kept->yes()) return;
  const ModeList list = list_motion_modes(*instant.acceleration, instant.dry);
  ASSERT_FALSE(list.modes.empty());
  const VectorXd& a = analysis.motion->acceleration;
  const double size = std::max({a.norm(), instant.acceleration->F.norm() / instant.acceleration->M.norm()});
  double nearest = std::numeric_limits<double>::infinity();
  for (const ConsistentMode& mode : list.modes) nearest = std::min(nearest, (mode.motion - a).norm());
  EXPECT_LE(nearest, 1e-8 * size);
}

INSTANTIATE_TEST_SUITE_P(Files, InstantAgreement, testing::ValuesIn(files_in("instants", ".json")),
                         [](const auto& given) { return given.param; });

}  // namespace tippe::scenes_agreement_test
