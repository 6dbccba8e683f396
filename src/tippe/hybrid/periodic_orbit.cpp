// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/periodic_orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/core/rank_decision.h"
#include "tippe/hybrid/full_turns.h"
#include "tippe/hybrid/orbit_guess.h"
#include "tippe/hybrid/return_multipliers.h"
#include "tippe/model/cyclic_coordinates.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = PeriodicOrbit::Status;

constexpr double kNewtonStep = 1e-6;      // of differences, relative to the size of a coordinate
constexpr double kSingular = 1e-7;        // singular values up to this are none: the error of differences
constexpr double kMultiplierStep = 4e-4;  // the same for multipliers, with extrapolation
constexpr double kUsable = 1e-3;          // errors of derivatives beyond this leave nothing to say of multipliers
constexpr double kAim = 1e-2;             // of the tolerance: where Newton's method stops
constexpr size_t kMostStarts = 5;

/// A state on the section with where its motion leads.
struct Trial {
  SectionPoint point = {};
  Passage passage = {};
  VectorXd change = {};  // R(z) - z, each coordinate relative to its size
  double residual = kInfinity;

  [[nodiscard]] double period() const { return passage.points.back().state.t - point.state.t; }
};

/// One start of Newton's method, and the multipliers of what it finds.
class OrbitSearch {
 public:
  OrbitSearch(ReturnMap& map, OrbitGuess guess, const OrbitOptions& options)
      : map_(map), guess_(std::move(guess)), options_(options) {}

  /// R at the point of the guess moved to z, which is projected.
  Trial evaluate(const VectorXd& z) {
    Trial trial{guess_.point};
    map_.set_coordinates(z, trial.point.state);
    if (!map_.project(trial.point)) return trial;
    constexpr double kLonger = 3.0, kShorter = 1e-3;
    const double until = trial.point.state.t + kLonger * guess_.duration;
    trial.passage = map_.follow(trial.point, guess_.section, guess_.returns, until);
    const bool home = trial.passage.arrived() && trial.passage.points.back().event.after == guess_.point.event.after;
    if (!home || trial.period() < kShorter * guess_.duration) return trial;
    trial.change = map_.difference(trial.point.state, trial.passage.points.back().state).cwiseQuotient(guess_.size);
    trial.residual = trial.change.cwiseAbs().maxCoeff();
    return trial;
  }

  /// The derivative of R by central differences, in coordinates relative to their sizes. Nothing if the motion does not return from one of the states
  /// or, where that matters, on another way.
  std::optional<MatrixXd> differentiate(const Trial& at, double step, bool on_the_same_way) {
    const Index n = map_.size();
    MatrixXd D(n, n);
    const VectorXd z = map_.coordinates(at.point.state);
    for (Index j = 0; j < n; ++j) {
      VectorXd image[2];
      for (const int side : {0, 1}) {
        VectorXd moved = z;
        moved[j] += (side == 0 ? -step : step) * guess_.size[j];
        const Trial trial = evaluate(moved);
        if (!std::isfinite(trial.residual)) return std::nullopt;
        if (on_the_same_way && !trial.passage.same_events(at.passage)) return std::nullopt;
        image[side] = map_.difference(at.point.state, trial.passage.points.back().state).cwiseQuotient(guess_.size);
      }
      D.col(j) = (image[1] - image[0]) / (2.0 * step);
    }
    return D;
  }

  /// Newton's method with steps that are halved until the residual falls. Goes on below the tolerance as long as it gains.
  Trial solve(int& iterations) {
    Trial best = evaluate(map_.coordinates(guess_.point.state));
    for (int k = 0; k < options_.most_iterations && best.residual > kAim * options_.tolerance; ++k) {
      if (!std::isfinite(best.residual) || interrupted()) break;
      ++iterations;
      const std::optional<MatrixXd> D = differentiate(best, kNewtonStep, false);
      if (!D) break;
      const MatrixXd system = *D - MatrixXd::Identity(D->rows(), D->cols());
      const VectorXd step = solve_least_norm(decompose_singular(system), -best.change, kSingular).cwiseProduct(guess_.size);
      const VectorXd z = map_.coordinates(best.point.state);
      Trial next;
      for (double part = 1.0; part > 1e-3; part *= 0.5) {
        next = evaluate(z + part * step);
        if (next.residual < best.residual) break;
      }
      if (!(next.residual < best.residual)) break;
      best = std::move(next);
    }
    return best;
  }

  /// If the motion is back after a part of its returns already, that part is the period.
  void shorten(Trial& found) {
    const int returns = guess_.returns;
    for (int n = 1; n < returns; ++n) {
      if (returns % n != 0) continue;
      guess_.returns = n;
      Trial shorter = evaluate(map_.coordinates(found.point.state));
      if (shorter.residual <= options_.tolerance) {
        found = std::move(shorter);
        return;
      }
    }
    guess_.returns = returns;
  }

  void find_multipliers(const Trial& found, PeriodicOrbit& orbit);
  [[nodiscard]] const OrbitGuess& guess() const { return guess_; }
  [[nodiscard]] bool interrupted() const { return options_.interrupt != nullptr && *options_.interrupt; }

 private:
  ReturnMap& map_;
  OrbitGuess guess_;
  const OrbitOptions& options_;
};

void OrbitSearch::find_multipliers(const Trial& found, PeriodicOrbit& orbit) {
  // Central differences at three steps, and their extrapolations by pairs.
  std::vector<MatrixXd> D;
  for (double step = kMultiplierStep; step > 1e-9 && D.size() < 3 && !interrupted(); step *= 0.1) {
    D.clear();
    for (const double part : {1.0, 0.5, 0.25}) {
      std::optional<MatrixXd> difference = differentiate(found, part * step, true);
      if (!difference) break;
      D.push_back(std::move(*difference));
    }
  }
  if (D.size() < 3) {
    orbit.notes.emplace_back(
        "nearby motions have other events, however near: the return map is not smooth here and has no multipliers");
    return;
  }
  const MatrixXd coarse = (4.0 * D[1] - D[0]) / 3.0, fine = (4.0 * D[2] - D[1]) / 3.0;
  const double size = std::max(1.0, fine.norm());  // coordinates are relative: a map that forgets all has D of round-off
  const double noise = std::max(1e-8 * size, 10.0 * (fine - coarse).cwiseAbs().maxCoeff());
  if (noise > kUsable * size) {
    orbit.notes.emplace_back("differences of nearby motions do not settle: the multipliers are not known");
    return;
  }
  orbit.multipliers = nonzero_eigenvalues(fine, noise);
  orbit.zero_multipliers = static_cast<int>(fine.rows()) - static_cast<int>(orbit.multipliers.size());
  const std::vector<std::complex<double>> others = nonzero_eigenvalues(coarse, noise);
  orbit.multiplier_error = others.size() == orbit.multipliers.size() ? 0.0 : kInfinity;
  for (size_t i = 0; i < std::min(others.size(), orbit.multipliers.size()); ++i)
    orbit.multiplier_error = std::max(orbit.multiplier_error, std::abs(others[i] - orbit.multipliers[i]));
  orbit.stability = stability_of(orbit.multipliers, orbit.multiplier_error);
}

void require_period_of_forcing(const System& system, const State& start, double period) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  const std::array<double, 3> phases = {0.0, 0.3, 0.7};
  std::array<std::array<VectorXd, 2>, 3> forces, gaps;  // by phase, at a time and a period later
  double force_size = 0.0, gap_size = 0.0;              // a gap that is nearly closed at one phase is no measure
  for (size_t p = 0; p < phases.size(); ++p) {
    for (const size_t k : {0, 1}) {
      Dynamics dynamics;
      evaluator->set_state(start.t + (phases[p] + static_cast<double>(k)) * period, start.q, start.u);
      evaluator->evaluate_dynamics(dynamics);
      gaps[p][k] = gaps_of(*evaluator);
      forces[p][k] = dynamics.h;
      force_size = std::max(force_size, forces[p][k].norm());
      gap_size = std::max(gap_size, gaps[p][k].norm());
    }
  }
  const auto differ = [](const std::array<VectorXd, 2>& values, double size) {
    return (values[0] - values[1]).norm() > 1e-9 * size;
  };
  for (size_t p = 0; p < phases.size(); ++p) {
    if (!differ(forces[p], force_size) && !differ(gaps[p], gap_size)) continue;
    throw InputError({},
                     fmt::format("forcing_period = {} is not the period of the equations: forces or gaps at t = {} and {} "
                                 "differ",
                                 period, start.t + phases[p] * period, start.t + (phases[p] + 1.0) * period));
  }
}

void check(const System& system, const State& start, const OrbitOptions& options, const EquationInputs& inputs) {
  if (!(options.until > start.t))
    throw InputError({}, fmt::format("until = {} must be later than the start at t = {}", options.until, start.t));
  if (options.returns < 0) throw ArgumentError(Argument::kReturns, fmt::format("{} must not be negative", options.returns));
  if (!inputs.time) return;
  if (!(options.forcing_period > 0.0)) {
    throw InputError({}, "the equations depend on t: the search needs their period, forcing_period in [run], in s");
  }
  require_period_of_forcing(system, start, options.forcing_period);
}

void report_orbit(const System& system, const EquationInputs& inputs, const std::vector<bool>& turns, const Trial& found,
                  PeriodicOrbit& orbit) {
  orbit.residual = found.residual;
  orbit.state = found.point.state;
  if (!std::isfinite(found.residual)) return;
  orbit.period = found.period();
  orbit.lost = found.passage.lost;
  orbit.work = found.passage.work;
  orbit.events = found.passage.events;
  orbit.memory = found.passage.points.back().memory;
  for (Event& event : orbit.events) event.t -= found.point.state.t;
  const State& end = found.passage.points.back().state;
  for (int i = 0; i < system.nq(); ++i) {
    const double change = end.q[i] - found.point.state.q[i];
    const bool turned = turns[static_cast<size_t>(i)] && std::abs(change) > std::numbers::pi;
    if (turned || !inputs.coordinate[static_cast<size_t>(i)]) orbit.drift.push_back({i, change});
  }
}

/// When a search has to end: at once after an interrupt, or after its time. Looked at after every step.
class SearchClock {
 public:
  explicit SearchClock(const OrbitOptions& options)
      : interrupt_(options.interrupt), seconds_(options.seconds), begin_(std::chrono::steady_clock::now()) {}

  /// `part`: of the time.
  void look(double part) {
    if (interrupt_ != nullptr && *interrupt_) stop_ = true;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
    if (seconds_ > 0.0 && since.count() > part * seconds_) stop_ = out_of_time_ = true;
  }
  void go_on() { stop_ = out_of_time_ = false; }
  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  [[nodiscard]] bool out_of_time() const { return out_of_time_ && !(interrupt_ != nullptr && *interrupt_); }

 private:
  const std::atomic<bool>* interrupt_;
  double seconds_;
  std::chrono::steady_clock::time_point begin_;
  std::atomic<bool> stop_ = false;
  bool out_of_time_ = false;
};

/// Newton's method from one guess after the other, until it converges.
struct BestSearch {
  std::vector<OrbitSearch> searches;
  size_t which = 0;  // that led to the best
  Trial best;
};

BestSearch search_from(ReturnMap& map, const System& system, const std::vector<OrbitGuess>& guesses,
                       const OrbitOptions& options, SearchClock& clock, PeriodicOrbit& orbit) {
  int& iterations = orbit.iterations;
  BestSearch all;
  all.searches.reserve(guesses.size());
  for (const OrbitGuess& guess : guesses) {
    const std::string what =
        fmt::format("Newton's method from close return {} of {} to '{}', {:.4g} s long", all.searches.size() + 1,
                    guesses.size(), section_text(system, guess.section), guess.duration);
    const double best = all.searches.empty() ? kInfinity : all.best.residual;
    map.set_watch([&iterations, &options, &clock, what, best](double) {
      clock.look(1.0);
      if (!options.tell) return;
      options.tell(fmt::format("{}: iteration {}{}", what, iterations,
                               std::isfinite(best) ? fmt::format(", best residual {:.2g}", best) : ""));
    });
    const int before = iterations;
    all.searches.emplace_back(map, guess, options);
    Trial found = all.searches.back().solve(iterations);
    orbit.tries.push_back({guess.duration, guess.distance, iterations - before, found.residual});
    if (all.searches.size() == 1 || found.residual < all.best.residual) {
      all.best = std::move(found);
      all.which = all.searches.size() - 1;
    }
    if (all.best.residual <= options.tolerance || all.searches.back().interrupted()) break;
  }
  return all;
}

}  // namespace

PeriodicOrbit find_periodic_orbit(const System& system, const State& start, const OrbitOptions& asked_options) {
  SearchClock clock(asked_options);
  OrbitOptions options = asked_options;
  options.interrupt = &clock.stop();
  const EquationInputs inputs = find_equation_inputs(*system.lagrangian());
  check(system, start, options, inputs);
  std::optional<Section> asked;
  if (!options.section.empty()) asked = parse_section(system, options.section);
  if (asked && asked->is_stroboscopic() && !inputs.time)
    throw ArgumentError(
        Argument::kSection,
        "nothing in the equations depends on the time: there is no period to look at the motion once in each");
  const std::vector<bool> turns = find_full_turns(system, start);
  ReturnMap map(system, inputs.coordinate, inputs.time ? options.forcing_period : 0.0, options.interrupt, turns,
                asked && asked->is_stroboscopic());

  PeriodicOrbit orbit;
  const auto leave = [&](Status status, const std::string& message) {
    orbit.status = status;
    orbit.message = message;
    return orbit;
  };
  constexpr double kHalf = 0.5;
  map.set_watch([&](double t) {
    clock.look(kHalf);
    if (options.tell) options.tell(fmt::format("simulating until t = {:.6g}: t = {:.6g}", options.until, t));
  });
  const Passage recorded = map.record(start, options.until);
  orbit.simulated = recorded.end.t;
  const bool cut = clock.out_of_time();
  if (cut) {
    clock.go_on();
    orbit.notes.push_back(fmt::format("simulated until t = {:.6g} of {:.6g} only, in half of the {:.3g} s", recorded.end.t,
                                      options.until, options.seconds));
  } else if (recorded.status == Passage::Status::kInterrupted)
    return leave(Status::kInterrupted, fmt::format("interrupted at t = {:.6g}, before the search", recorded.end.t));
  if (!cut && !recorded.arrived()) return leave(Status::kFailed, recorded.message);
  const std::vector<OrbitGuess> guesses =
      find_close_returns(map, recorded, asked ? &*asked : nullptr, options.returns, kMostStarts);
  if (guesses.empty() && !asked && inputs.time) {  // nothing happens: it is looked at once in each period of what drives it
    OrbitOptions once = asked_options;
    once.section = "stroboscopic";
    return find_periodic_orbit(system, start, once);
  }
  if (guesses.empty()) {
    return leave(
        Status::kNoReturn,
        fmt::format("of the events until t = {:.6g}, {} in number, {} recurs with the same contacts closed after it",
                    recorded.end.t, recorded.events.size(),
                    asked ? "'" + section_text(system, *asked) + "' never" : "none that can be a section"));
  }
  BestSearch found = search_from(map, system, guesses, options, clock, orbit);
  Trial& best = found.best;
  OrbitSearch* const search = &found.searches[found.which];
  // Newton's method may shrink a motion that dies away to nothing, which returns to itself too.
  constexpr double kRest = 1e-6;
  const double speed = search->guess().point.state.u.norm();
  const bool at_rest = speed > 0.0 && best.point.state.u.size() > 0 && best.point.state.u.norm() < kRest * speed;
  const bool converged = best.residual <= options.tolerance && !at_rest;
  if (converged) search->shorten(best);
  orbit.section = search->guess().section;
  orbit.returns = search->guess().returns;
  report_orbit(system, inputs, turns, best, orbit);
  if (converged) {  // as long as it takes: the orbit is found
    map.set_watch([&](double) {
      if (asked_options.interrupt != nullptr && *asked_options.interrupt) clock.look(1.0);
      if (options.tell) options.tell("multipliers of the orbit");
    });
  }
  if (converged) search->find_multipliers(best, orbit);
  if (converged && search->interrupted() && orbit.multipliers.empty())
    orbit.notes.emplace_back("interrupted before the multipliers were known");
  if (converged) return orbit;
  if (clock.out_of_time()) {
    return leave(
        Status::kOutOfTime,
        fmt::format("no orbit was found in {:.3g} s: the motion until t = {:.6g} has {} close returns to '{}', and Newton's "
                    "method from {} of them came to a residual of {:.3g} at best, asked for is {:.3g}",
                    options.seconds, orbit.simulated, guesses.size(), section_text(system, orbit.section),
                    found.searches.size(), orbit.residual, options.tolerance));
  }
  if (search->interrupted()) {
    return leave(
        Status::kInterrupted,
        fmt::format("interrupted after {} iterations of Newton's method from {} of {} close returns to '{}': the best "
                    "residual is {:.3g}, asked for is {:.3g}",
                    orbit.iterations, found.searches.size(), guesses.size(), section_text(system, orbit.section),
                    orbit.residual, options.tolerance));
  }
  if (at_rest) {
    return leave(
        Status::kNotConverged,
        fmt::format("Newton's method leads from the returns to '{}' to a state of rest: no periodic motion was found",
                    section_text(system, orbit.section)));
  }
  return leave(Status::kNotConverged,
               fmt::format("Newton's method did not converge from {} close returns to '{}': the best residual is {:.3g}, "
                           "asked for is {:.3g}",
                           found.searches.size(), section_text(system, orbit.section), orbit.residual, options.tolerance));
}

}  // namespace tippe
