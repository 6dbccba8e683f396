// SPDX-License-Identifier: Apache-2.0
#include "differential/judge.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <optional>

#include "differential/impact_orders.h"
#include "support/contact_problems.h"
#include "support/random.h"
#include "tippe/analyze/analysis.h"
#include "tippe/core/error.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/problem/residual.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/enumerate.h"
#include "tippe/study/list_modes.h"
#include "tippe/verify/verify.h"

namespace tippe::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kCoarse = 1e-3, kFine = 2.5e-4;  // s  steps
constexpr double kWays = 4.0;     // steps' ways that a scheme of first order may be away from the exact motion
constexpr double kSlowest = 1.0;  // m/s, rad/s  speeds below count as this

const std::string kException = "exception: ";  // a run ends with a status, not with one

/// A run in numbers of the units in which the scene was made.
struct Run {
  RunStatus status = RunStatus::kFailed;
  std::string message;
  VectorXd q, u;
  double fastest[2] = {kSlowest, kSlowest};  // m/s and rad/s, over all samples
  std::vector<std::string> warnings;
  double unexplained = 0.0;  // of the scale of the energy
  std::string violation;     // of a law, by the judge of tippe verify
  std::optional<Scene> scene;
  State end;
  std::vector<State> before_jumps;  // of velocities, in a run that has events

  [[nodiscard]] bool ok() const { return status == RunStatus::kOk; }
};

struct Change {
  double load = 1.0, start = 1.0;
};

enum class In { kOwnUnits, kPlainUnits };
enum class Judged { kNo, kYes };  // every step by the judge of tippe verify

bool is_length(const System& system, Index i) {
  return unit_of_coordinate(system.coordinate_names()[static_cast<size_t>(i)]) == "m";
}

Run run_until(const std::atomic<bool>* stop, const RandomScene& scene, const std::string& integrator, double dt,
              Judged judged, In in, const Change& change) {
  const Units units = in == In::kOwnUnits ? scene.units : Units{};
  const std::string text = in == In::kOwnUnits ? scene.scene(integrator, dt) : scene.plain_scene(integrator, dt);
  Run result;
  SceneOverrides overrides;
  overrides.settings = {fmt::format("load={:.17g}", change.load), fmt::format("start={:.17g}", change.start)};
  try {
    result.scene = read_scene(text, "random.toml", overrides);
    const System& system = *result.scene->system;
    State last;
    const auto look = [&](const Sample& sample) {
      // Speeds of coordinates by their ways between samples, which need no units of velocities.
      if (last.q.size() > 0 && sample.state.t > last.t) {
        for (Index i = 0; i < system.nq(); ++i) {
          const bool length = is_length(system, i);
          const double way = std::abs(sample.state.q[i] - last.q[i]) / (length ? units.length : 1.0);
          double& fastest = result.fastest[length ? 0 : 1];
          fastest = std::max(fastest, way * units.time / (sample.state.t - last.t));
        }
      } else if (last.q.size() > 0 && sample.state.u != last.u) {
        result.before_jumps.push_back(last);
      }
      last = sample.state;
    };
    RunHooks hooks{.stop = stop, .on_sample = look};
    std::optional<verify::RunWatch> watch;
    if (judged == Judged::kYes && system.has_fixed_laws() && system.lagrangian() != nullptr) {
      watch.emplace(system, result.scene->start, result.scene->run);
      watch->take_part(hooks);
    }
    const RunSummary summary = simulate(system, result.scene->start, result.scene->run, hooks);
    if (watch && summary.status == RunStatus::kOk) {
      const verify::Verdict verdict = watch->finish(summary);
      for (const verify::Finding& finding : verdict.findings) {
        if (finding.violations > 0) result.violation = fmt::format("{}: {}", finding.law, finding.what);
      }
    }
    result.status = summary.status;
    result.message = summary.message;
    result.warnings = summary.warnings;
    result.end = summary.final_state;
    result.q = summary.final_state.q;
    for (Index i = 0; i < result.q.size(); ++i) {
      if (is_length(system, i)) result.q[i] /= units.length;
    }
    // A system that rests has no energy to which round-off is relative.
    const double joule = 1e-6 * units.of(Dimension::of("J"));
    result.unexplained = std::abs(summary.energy.unexplained()) / std::max(summary.energy.scale, joule);
  } catch (const InputError& error) {
    result.message = error.what();
  } catch (const std::exception& error) {
    result.message = kException + error.what();
  }
  return result;
}

/// The largest difference of coordinates, each in ways of its fastest kind per second.
double difference(const Run& a, const Run& b) {
  double largest = 0.0;
  for (Index i = 0; i < a.q.size(); ++i) {
    const double speed =
        std::max(a.fastest[is_length(*a.scene->system, i) ? 0 : 1], b.fastest[is_length(*a.scene->system, i) ? 0 : 1]);
    largest = std::max(largest, std::abs(a.q[i] - b.q[i]) / speed);
  }
  return std::isfinite(largest) ? largest : kInfinity;
}

/// The kind of a message: without its numbers and names.
std::string without_numbers(const std::string& text) {
  std::string kind;
  bool named = false;
  for (const char c : text) {
    if (c == '\'') named = !named;
    const bool digit = (c >= '0' && c <= '9') || ((c == '.' || c == 'e' || c == '-' || c == '+') && kind.ends_with('#'));
    if (digit && !kind.ends_with('#')) kind += '#';
    if (!digit && !named) kind += c;
  }
  return kind.substr(0, 110);
}

/// A scene whose reference is known.
class SceneJudge {
 public:
  SceneJudge(const RandomScene& scene, int most, bool verify, const std::atomic<bool>* stop)
      : scene_(scene),
        most_(most),
        judged_(verify ? Judged::kYes : Judged::kNo),
        stop_(stop),
        random_(scene.seed + 1000000u) {}

  std::vector<Comparison> judge() {
    Scene read;
    try {
      read = read_with({"moreau", "event-driven"});
    } catch (const InputError& error) {
      add("reading", Outcome::kRefused, error.what());
      return found_;
    }
    std::vector<std::string> names = fitting_integrators(*read.system);
    const bool exact = std::erase(names, "event-driven") > 0;
    if (!find_reference(exact, names)) return found_;
    for (size_t k = names.size(); k > 1; --k)
      std::swap(names[k - 1], names[static_cast<size_t>(random_.below(static_cast<int>(k)))]);
    if (static_cast<int>(names.size()) > most_) names.resize(static_cast<size_t>(most_));
    for (const std::string& name : names) compare(name);
    compare_units();
    judge_end();
    return found_;
  }

 private:
  [[nodiscard]] Run run(const RandomScene& scene, const std::string& integrator, double dt, Judged judged = Judged::kNo,
                        In in = In::kOwnUnits, const Change& change = {}) const {
    return run_until(stop_, scene, integrator, dt, judged, in, change);
  }
  /// With the first of these integrators that fits.
  [[nodiscard]] Scene read_with(const std::vector<std::string>& integrators) const {
    for (size_t k = 0;; ++k) {
      try {
        return read_scene(scene_.scene(integrators[k], kFine), "random.toml");
      } catch (const InputError&) {
        if (k + 1 == integrators.size()) throw;
      }
    }
  }

  void add(const std::string& what, Outcome outcome, const std::string& note = "") {
    if (note.starts_with(kException)) outcome = Outcome::kFinding;
    found_.push_back({what, outcome, note});
  }

  void add_verdict(const std::string& integrator, const Run& run) {
    if (judged_ == Judged::kNo) return;
    add("verify", run.violation.empty() ? Outcome::kAgrees : Outcome::kFinding,
        run.violation.empty() ? "" : integrator + ", " + run.violation);
  }

  bool find_reference(bool exact, const std::vector<std::string>& names) {
    if (exact) {
      reference_name_ = "event-driven";
      reference_ = run(scene_, "event-driven", kFine, judged_);
      if (reference_.ok()) {
        add_verdict("event-driven", reference_);
        if (reference_.unexplained > 1e-7)
          add("energy of event-driven", Outcome::kFinding, fmt::format("{:.3g} unexplained", reference_.unexplained));
        return true;
      }
      add("event-driven", Outcome::kRefused, reference_.message);
    }
    const bool smooth = std::ranges::find(names, "rk4") != names.end();
    reference_name_ = smooth ? "dopri5" : "moreau";
    if (std::ranges::find(names, reference_name_) == names.end()) {
      add("reference", Outcome::kRefused, "no reference fits");
      return false;
    }
    reference_ = run(scene_, reference_name_, kFine / 8.0);
    if (reference_.ok()) return true;
    add(reference_name_, Outcome::kRefused, reference_.message);
    return false;
  }

  /// What the clock cannot resolve, as a time.
  double clock_resolution() const {
    return scene_.clock == 0.0 ? 0.0 : 4.0 * (std::nextafter(std::abs(scene_.clock), kInfinity) - std::abs(scene_.clock));
  }

  /// Warnings that say why two runs may differ.
  static std::string warning_of(const Run& run) {
    for (const std::string& warning : run.warnings) {
      for (const char* words : {"not unique", "Painleve", "penetrated", "inexact", "residual", "may create energy", "energy",
                                "undecided", "not decided", "first direction"}) {
        if (warning.find(words) != std::string::npos) return warning;
      }
    }
    return "";
  }

  /// How far apart motions with loads or starts changed by `part` are.
  double spread(double part) {
    double largest = 0.0;
    for (const Change& change : {Change{1.0 + part, 1.0}, Change{1.0 - part, 1.0 - part}, Change{1.0, 1.0 + 3.0 * part}}) {
      const Run other = run(scene_, reference_name_, reference_name_ == "event-driven" ? kFine : kFine / 8.0, Judged::kNo,
                            In::kOwnUnits, change);
      if (!other.ok()) return kInfinity;
      largest = std::max(largest, difference(reference_, other));
    }
    return largest;
  }

  /// Whether a warning or the spread of motions near by explains a difference; adds that.
  bool explain(const std::string& what, const Run& other, double apart, double error, const std::string& numbers) {
    for (const Run* run : std::array<const Run*, 2>{&reference_, &other}) {
      const std::string warning = warning_of(*run);
      if (warning.empty()) continue;
      add(what, Outcome::kWarned, warning);
      return true;
    }
    constexpr double kNearlyNothing = 1e-9, kExplained = 10.0;
    for (const auto& [part, outcome] :
         {std::pair(kNearlyNothing, Outcome::kNotUnique), std::pair(error, Outcome::kChaotic)}) {
      if (apart > kExplained * spread(part)) continue;
      add(what, outcome, numbers);
      return true;
    }
    return false;
  }

  /// Whether an impact of the reference explains a tenth of a difference by contacts of which one could be hit before the other: no scheme tells which, where they are closer to each other
  /// than its steps.
  [[nodiscard]] bool hangs_on_order(double apart) const {
    constexpr double kPart = 0.1;
    const System& system = *reference_.scene->system;
    const double step = 0.1 * kFine, reach = kWays * step * reference_.fastest[0] * scene_.units.length;
    return std::any_of(reference_.before_jumps.begin(), reference_.before_jumps.end(), [&](const State& before) {
      const double left = (reference_.end.t - before.t) / scene_.units.time;
      return system.has_fixed_laws() && spread_by_order(system, before, reach) * left >= kPart * apart;
    });
  }

  void compare(const std::string& integrator) {
    const Run fine = run(scene_, integrator, kFine, judged_);
    if (!fine.ok()) return add(integrator, Outcome::kRefused, fine.message);
    add_verdict(integrator, fine);
    const double second = difference(reference_, fine), allowed = kWays * kFine + clock_resolution();
    if (second <= allowed) return add(integrator, Outcome::kAgrees);
    const Run coarse = run(scene_, integrator, kCoarse), finest = run(scene_, integrator, 0.1 * kFine);
    const double first = coarse.ok() ? difference(reference_, coarse) : kInfinity;
    if (!finest.ok()) return add(integrator, Outcome::kRefused, finest.message);
    const double third = difference(reference_, finest);
    if (third <= 0.2 * allowed) return add(integrator, Outcome::kAgrees);
    const std::string numbers = fmt::format("{:.3g}, {:.3g} and {:.3g} from {} at dt {:g}, {:g} and {:g}", first, second,
                                            third, reference_name_, kCoarse, kFine, 0.1 * kFine);
    if (explain(integrator, finest, third, kWays * 0.1 * kFine, numbers)) return;
    if (hangs_on_order(third)) return add(integrator, Outcome::kNotUnique, "the order of impacts: " + numbers);
    constexpr double kMuchEnergy = 1e-4;  // of all: that nothing explains, as the summary of the run says
    const bool unresolved = finest.unexplained > kMuchEnergy;
    bool close = false;  // of an order as low as this, and motions as fast, even much shorter steps may be too long
    for (const double part : {0.01, 0.001}) {
      const Run very_fine = close || unresolved ? Run{} : run(scene_, integrator, part * kFine);
      close = close || (very_fine.ok() && difference(reference_, very_fine) <= std::min(allowed, 0.3 * third));
    }
    add(integrator, close || unresolved ? Outcome::kSlowly : Outcome::kFinding, numbers);
  }

  void compare_units() {
    if (scene_.traits.empty() || reference_name_ != "event-driven") return;
    plain_ = run(scene_, reference_name_, kFine, Judged::kNo, In::kPlainUnits);
    if (!plain_.ok()) return add("plain units", Outcome::kRefused, plain_.message);
    const double apart = difference(reference_, plain_);
    // A clock that resolves little shifts events by as much, and a force that depends on t is evaluated there.
    if (apart <= 1e-7 + 100.0 * clock_resolution()) return add("plain units", Outcome::kAgrees);
    const std::string numbers = fmt::format("{:.3g} apart", apart);
    if (!explain("plain units", plain_, apart, std::max(1e-9, clock_resolution()), numbers))
      add("plain units", Outcome::kFinding, numbers);
  }

  /// The state at the end, where nothing is remembered: what analyze calls unique is what the motion goes on with. In plain units, since an instant knows no other
  /// scale for what is closed and at rest.
  void judge_end() {
    if (reference_name_ != "event-driven") return;
    const Run& last = scene_.traits.empty() ? reference_ : plain_;
    if (!last.ok()) return;
    const System& system = *last.scene->system;
    const Instant instant = instant_of(system, last.end, {});
    if (!instant.acceleration || instant.impact) return;
    constexpr int kMost = 9;
    if (instant.acceleration->n() > kMost + 3 || ForceLayout(*instant.acceleration).size() > kMost) return;
    const Analysis analysis = analyze(instant);
    const ModesReport modes = list_modes(system, last.end, {});
    if (!modes.motion || modes.motion->list.modes.size() != 1 || !modes.motion->list.complete) return;
    const VectorXd& a = modes.motion->list.modes[0].motion;
    const Eigen::MatrixXd& M = instant.acceleration->M;
    const auto kinetic = [&](const VectorXd& v) { return std::sqrt(std::max(0.0, v.dot(M * v))); };
    const bool sticks = !analysis.sticking || analysis.sticking->feasible.yes();
    const double free = kinetic(M.completeOrthogonalDecomposition().solve(instant.acceleration->F));
    if (analysis.motion && analysis.motion->unique.yes() && sticks) {
      const VectorXd& b = analysis.motion->acceleration;
      const double apart = kinetic(a - b) / std::max(kinetic(a) + kinetic(b) + free, 1e-300);
      add("analyze and modes", apart <= 1e-6 ? Outcome::kAgrees : Outcome::kFinding,
          fmt::format("accelerations differ by {:.3g} of them", apart));
    }
    compare_with_motion(last, a, free, kinetic);
  }

  /// Velocities after two short times, extrapolated to an acceleration.
  template <class Kinetic>
  void compare_with_motion(const Run& last, const VectorXd& a, double free, const Kinetic& kinetic) {
    const auto integrator = find_integrator("event-driven")->make(*last.scene->system, {});
    const double h = 1e-6;
    State state = last.end;
    const VectorXd before = state.u;
    while (state.t < last.end.t + h) {
      const double left = last.end.t + h - state.t;
      const StepReport report = integrator->step(state, left);
      if (!report.ok()) return;
      for (const Event& event : integrator->last_events()) {
        if (event.kind != EventKind::kStart) return;  // something happened
      }
      if (left <= 1e-3 * h) break;
    }
    const double time = state.t - last.end.t;
    const VectorXd seen = (state.u - before) / time;
    const double round_off = 1e-13 * kinetic(before) / time + 1e-9 * (kinetic(seen) + free);
    const double apart = kinetic(seen - a), allowed = 1e-3 * (kinetic(seen) + kinetic(a)) + 100.0 * round_off;
    add("modes and motion", apart <= allowed ? Outcome::kAgrees : Outcome::kFinding,
        fmt::format("accelerations differ by {:.3g} of {:.3g}", apart, kinetic(seen)));
  }

  const RandomScene& scene_;
  int most_;
  Judged judged_;
  const std::atomic<bool>* stop_;
  Random random_;
  std::string reference_name_;
  Run reference_, plain_;
  std::vector<Comparison> found_;
};

}  // namespace

Comparison judge_problem(unsigned seed) {
  Random random(seed);
  const int count = seed % 8 == 7 ? 4 : 1 + random.below(3), form = random.below(3);
  const double largest_mu = random.below(4) == 0 ? random.magnitude(0.0, 4.0) : 1.0;
  const Drawn drawn = draw_laws(count, kPlainKinds, largest_mu, random);
  const int rows = std::accumulate(drawn.sizes.begin(), drawn.sizes.end(), 0);
  const int rank = random.below(3) == 0 ? 1 + random.below(rows) : -1;
  const double asymmetry = form == 2 ? random.uniform(0.0, 0.3) : 0.0;
  InclusionProblem problem = manufacture_laws(drawn, rank, asymmetry, random).problem;
  if (form == 1) problem.c = random.vector(rows);  // a solution need not exist
  ContactSolver solver;
  Solution solution;
  const SolveStatus status = solver.solve(problem, {}, solution);
  const std::vector<EnumeratedSolution> all = enumerate_solutions(problem, {});
  Comparison comparison{"solve and enumeration", Outcome::kAgrees, ""};
  if (status == SolveStatus::kConverged) {
    const double residual = eta(problem, solution.Lambda);
    if (!(residual <= 2e-8))
      comparison = {comparison.what, Outcome::kFinding,
                    fmt::format("claims convergence with the residual {:.3g}", residual)};
  } else if (!all.empty()) {
    comparison = {comparison.what, Outcome::kFinding,
                  fmt::format("finds none of {} solutions, residual {:.3g}", all.size(), solution.residual)};
  } else {
    comparison = {comparison.what, Outcome::kRefused, "no solution"};
  }
  for (const EnumeratedSolution& one : all) {
    const double residual = eta(problem, one.Lambda);
    if (!(residual <= 1e-9))
      comparison = {comparison.what, Outcome::kFinding,
                    fmt::format("the enumeration lists what has the residual {:.3g}", residual)};
  }
  return comparison;
}

const char* name_of(Outcome outcome) {
  return std::array{
      "agrees", "slowly", "warned", "chaotic", "not unique", "refused", "FINDING"}[static_cast<size_t>(outcome)];
}

std::vector<Comparison> judge_scene(const RandomScene& scene, int most, bool verify, const std::atomic<bool>* stop) {
  return SceneJudge(scene, most, verify, stop).judge();
}

void Tally::add(const std::string& what, const Comparison& comparison) {
  ++counts_[what][comparison.outcome];
  const bool decided = comparison.outcome == Outcome::kAgrees;
  if (!decided)
    ++reasons_[fmt::format("{}, {}: {}", comparison.what, name_of(comparison.outcome), without_numbers(comparison.note))];
}

int Tally::count(Outcome outcome) const {
  int sum = 0;
  for (const auto& [what, outcomes] : counts_) {
    if (const auto found = outcomes.find(outcome); found != outcomes.end()) sum += found->second;
  }
  return sum;
}

int Tally::all() const {
  int sum = 0;
  for (const auto& [what, outcomes] : counts_) {
    for (const auto& [outcome, count] : outcomes) sum += count;
  }
  return sum;
}

std::string Tally::table() const {
  std::string text = fmt::format("{:34}", "");
  for (int k = 0; k <= static_cast<int>(Outcome::kFinding); ++k)
    text += fmt::format("{:>12}", name_of(static_cast<Outcome>(k)));
  text += "\n";
  for (const auto& [what, outcomes] : counts_) {
    text += fmt::format("{:34}", what);
    for (int k = 0; k <= static_cast<int>(Outcome::kFinding); ++k) {
      const auto found = outcomes.find(static_cast<Outcome>(k));
      text += fmt::format("{:12}", found == outcomes.end() ? 0 : found->second);
    }
    text += "\n";
  }
  for (const auto& [reason, count] : reasons_) text += fmt::format("{:6} {}\n", count, reason);
  return text;
}

}  // namespace tippe::test
