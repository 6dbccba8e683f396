// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_solver.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "tippe/solve/anderson.h"
#include "tippe/solve/enumerate.h"
#include "tippe/solve/interior_point.h"
#include "tippe/solve/newton.h"
#include "tippe/solve/projected.h"
#include "tippe/solve/sweeper.h"

namespace tippe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const char* method_name(ContactMethod method) {
  for (const ContactMethodInfo& info : contact_methods()) {
    if (info.method == method) return info.name;
  }
  return "";
}

}  // namespace

std::span<const ContactMethodInfo> contact_methods() {
  static constexpr std::array kMethods = {
      ContactMethodInfo{ContactMethod::kPortfolio, "portfolio",
                        "the methods below in a fixed order, each from the best iterate so far"},
      ContactMethodInfo{ContactMethod::kGaussSeidel, "gauss-seidel", "sweeps with the exact solution of each contact"},
      ContactMethodInfo{ContactMethod::kAnderson, "anderson", "the same sweeps with Anderson acceleration"},
      ContactMethodInfo{ContactMethod::kInteriorPoint, "interior-point", "second-order cones with the exact law of Coulomb"},
      ContactMethodInfo{ContactMethod::kNewton, "newton", "semismooth Newton's method of Alart and Curnier, with sweeps"},
      ContactMethodInfo{ContactMethod::kEnumeration, "enumeration", "all contact modes of up to four laws"},
      ContactMethodInfo{ContactMethod::kProjectedGaussSeidel, "projected-gauss-seidel",
                        "prox iteration with the newest values"},
      ContactMethodInfo{ContactMethod::kProjectedJacobi, "projected-jacobi",
                        "prox iteration with the values of the last sweep"},
  };
  return kMethods;
}

std::string ContactSolverOptions::invalid_reason() const {
  if (!(tolerance > 0.0)) return fmt::format("tolerance = {} must be positive", tolerance);
  if (max_iterations < 0) return fmt::format("max_iterations = {} must not be negative", max_iterations);
  if (threads < 1 || threads > 2) return fmt::format("threads = {} must be 1 or 2", threads);
  return {};
}

struct ContactSolver::Work {
  // The problem being solved.
  const InclusionProblem* problem = nullptr;
  ContactSolverOptions options;
  NormalForm form;
  KeptVector r;       // the iterate, in the variables of the form
  KeptVector best;    // the best one, with
  Residual residual;  // its measured residual
  int iterations = 0;
  std::vector<SolveStage> stages;

  Sweeper sweeper;
  AndersonAcceleration anderson;
  SemismoothNewton newton;
  InteriorPoint interior_point;
  ProjectedSolver projected;
  KeptVector Lambda, previous;
  ResidualWork residual_work;

  [[nodiscard]] bool done() const { return residual.relative <= options.tolerance; }
  /// Measures the residual of r on the problem as given; keeps r if it is the best.
  double judge();
  /// Runs a stage from the best iterate; `run` returns its iterations.
  template <class Run>
  void stage(ContactMethod method, Run&& run);

  void start(const InclusionProblem& given, const ContactSolverOptions& given_options, const Solution& solution);
  int sweep(int most);
  int accelerated_sweeps(int most, double affordable_work);
  int newton_steps(int most);
  int interior_point_steps(int most, double handover);
  int enumerate();
  void run_portfolio();
  int projected_sweeps(int most);
};

double ContactSolver::Work::judge() {
  form.unscale(r, Lambda);
  const Residual measured = evaluate_residual(*problem, Lambda, residual_work);
  if (measured.relative < residual.relative) {
    residual = measured;
    best = r;
  }
  return measured.relative;
}

template <class Run>
void ContactSolver::Work::stage(ContactMethod method, Run&& run) {
  const auto begin = std::chrono::steady_clock::now();
  r = best;
  const int count = run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  iterations += count;
  // Turns of two methods are two stages, not twenty.
  const char* name = method_name(method);
  for (SolveStage& known : stages) {
    if (known.name != name) continue;
    known.iterations += count;
    known.seconds += seconds.count();
    known.residual = residual.relative;
    return;
  }
  stages.push_back({name, count, seconds.count(), residual.relative});
}

void ContactSolver::Work::start(const InclusionProblem& given, const ContactSolverOptions& given_options,
                                const Solution& solution) {
  problem = &given;
  options = given_options;
  stages.clear();
  iterations = 0;
  residual = {kInfinity, kInfinity, -1};
  form.assign(given);
  sweeper.prepare(form, options.threads);
  newton.prepare(form);
  if (solution.Lambda.size() == given.rows() && solution.Lambda.allFinite()) {
    form.scale(solution.Lambda, r);
    sweeper.project(r);
    judge();
  }
  if (!std::isfinite(residual.relative)) {  // a useless warm start is forgiven, useless data are not
    r.setZero(form.rows());
    sweeper.project(r);
    judge();
  }
}

/// Plain sweeps. Measured after 1, 2, 5, 8, then every tenth.
int ContactSolver::Work::sweep(int most) {
  sweeper.set_iterate(r);
  for (int k = 1; k <= most; ++k) {
    const double change = sweeper.sweep(r);
    if (k == 1 || k == 2 || k == 5 || k == 8 || k % 10 == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
    }
  }
  return most;
}

/// Accelerated sweeps, as long as they promise to arrive within the affordable work.
int ContactSolver::Work::accelerated_sweeps(int most, double affordable_work) {
  constexpr int kMeasureEvery = 5, kLookBack = 6;  // the rate is taken over 30 sweeps
  constexpr int kMostRejections = 8;               // then acceleration does more harm than good
  std::array<double, kLookBack> history;
  history.fill(kInfinity);
  anderson.restart();
  sweeper.set_iterate(r);
  int rejections = 0, plain = 0;
  for (int k = 1; k <= most; ++k) {
    previous = r;
    const double change = sweeper.sweep(r);
    if (k % kMeasureEvery == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
      double& before = history[static_cast<size_t>(k / kMeasureEvery) % kLookBack];
      const double decades = std::log10(before / residual.relative);
      if (std::isfinite(before)) {
        const double missing = std::log10(residual.relative / options.tolerance) / std::max(decades, 1e-10);
        const double sweeps = kMeasureEvery * kLookBack * missing;
        if (sweeps * sweeper.work() > affordable_work) return k;
      }
      before = residual.relative;
    }
    if (plain > 0) {
      --plain;
      continue;
    }
    if (rejections >= kMostRejections) continue;
    if (!anderson.accelerate(previous, r)) {
      ++rejections;
      plain = 2;
    }
    sweeper.project(r);
    sweeper.set_iterate(r);
  }
  return most;
}

/// Newton steps with a sweep after each, until four in a row were poor.
int ContactSolver::Work::newton_steps(int most) {
  int poor = 0;
  for (int k = 1; k <= most; ++k) {
    const double before = newton.evaluate(r);
    const bool good = newton.step(r) && newton.merit() < 0.9 * before;
    poor = good ? 0 : poor + 1;
    judge();
    if (!done() && !sweeper.several()) {
      sweeper.set_iterate(r);
      sweeper.sweep(r);
      judge();
    }
    if (done() || poor >= 4) return k;
  }
  return most;
}

int ContactSolver::Work::interior_point_steps(int most, double handover) {
  for (int k = 1; k <= most; ++k) {
    const bool alive = interior_point.step();
    interior_point.iterate(r);
    const double now = judge();
    if (done() || !alive || now <= handover) return k;
  }
  return most;
}

int ContactSolver::Work::enumerate() {
  Solution found;
  if (solve_by_enumeration(*problem, {.tolerance = options.tolerance}, found) != SolveStatus::kConverged) return 1;
  form.scale(found.Lambda, r);
  judge();
  return found.iterations;
}

int ContactSolver::Work::projected_sweeps(int most) {
  ProjectedOptions projected_options;
  projected_options.tolerance = options.tolerance;
  projected_options.max_iterations = most;
  if (options.method == ContactMethod::kProjectedJacobi) {
    projected_options.sweep = ProjectedOptions::Sweep::kJacobi;
    projected_options.alpha = 0.3;
  }
  Solution found;
  form.unscale(r, found.Lambda);
  projected.solve(*problem, projected_options, found);
  form.scale(found.Lambda, r);
  judge();
  return found.iterations;
}

void ContactSolver::Work::run_portfolio() {
  // Sweeps: most problems of a time stepping are done here.
  stage(ContactMethod::kGaussSeidel, [&] { return sweep(8); });
  if (done() || !std::isfinite(residual.relative)) return;

  // Acceleration, as long as a method with factorizations would not be done earlier.
  constexpr double kFactorizations = 15.0;  // of the interior point, typically
  const double factorization = NewtonSystem::work(form);
  stage(ContactMethod::kAnderson, [&] { return accelerated_sweeps(3000, kFactorizations * factorization); });
  if (done()) return;

  // The interior point comes near from anywhere, Newton's method takes the last digits. Who hands over too early gets it back.
  if (std::isfinite(factorization) && InteriorPoint::applies(form)) {
    constexpr int kMostSteps = 100;
    interior_point.prepare(form);
    double handover = 1e-6;
    for (int steps = 0; steps < kMostSteps && !done();) {
      int count = 0;
      double reached = residual.relative;
      stage(ContactMethod::kInteriorPoint, [&] { return count = interior_point_steps(kMostSteps - steps, handover); });
      steps += count;
      if (done()) return;
      stage(ContactMethod::kNewton, [&] { return newton_steps(10); });
      if (count == 0 || interior_point.stuck()) break;
      reached = std::min(reached, residual.relative);
      handover = std::min(0.03 * handover, reached);
    }
  }

  // In turns, with growing budgets.
  for (int turn = 0, sweeps = 300; turn < 3 && !done(); ++turn, sweeps *= 3) {
    stage(ContactMethod::kAnderson, [&] { return accelerated_sweeps(sweeps, kInfinity); });
    if (!done() && std::isfinite(factorization)) stage(ContactMethod::kNewton, [&] { return newton_steps(30); });
  }
  if (!done()) stage(ContactMethod::kEnumeration, [&] { return enumerate(); });
}

ContactSolver::ContactSolver() : work_(std::make_unique<Work>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const std::vector<SolveStage>& ContactSolver::stages() const {
  return work_->stages;
}

SolveStatus ContactSolver::solve(const InclusionProblem& problem, const ContactSolverOptions& options, Solution& solution) {
  Work& work = *work_;
  work.start(problem, options, solution);
  const auto budget = [&](int own) { return options.max_iterations > 0 ? options.max_iterations : own; };
  // A warm start that is only just good enough would stay so step after step: something is done unless it is exact.
  if (work.residual.relative > 0.0 && std::isfinite(work.residual.relative)) {
    switch (options.method) {
      case ContactMethod::kPortfolio:
        work.run_portfolio();
        break;
      case ContactMethod::kGaussSeidel:
        work.stage(options.method, [&] { return work.sweep(budget(20000)); });
        break;
      case ContactMethod::kAnderson:
        work.stage(options.method, [&] { return work.accelerated_sweeps(budget(5000), kInfinity); });
        break;
      case ContactMethod::kNewton:
        work.stage(options.method, [&] { return work.newton_steps(budget(200)); });
        break;
      case ContactMethod::kInteriorPoint:
        if (InteriorPoint::applies(work.form)) {
          work.interior_point.prepare(work.form);
          work.stage(options.method, [&] { return work.interior_point_steps(budget(100), 0.0); });
        }
        break;
      case ContactMethod::kEnumeration:
        work.stage(options.method, [&] { return work.enumerate(); });
        break;
      case ContactMethod::kProjectedGaussSeidel:
      case ContactMethod::kProjectedJacobi:
        work.stage(options.method, [&] { return work.projected_sweeps(budget(20000)); });
        break;
    }
  }
  work.form.unscale(work.best, solution.Lambda);
  const Residual residual = evaluate_residual(problem, solution.Lambda, work.residual_work);
  solution.residual = residual.relative;
  solution.worst_block = residual.worst_block;
  solution.iterations = work.iterations;
  solution.status = SolveStatus::kMaxIterations;
  if (!std::isfinite(residual.relative)) solution.status = SolveStatus::kNotFinite;
  if (residual.relative <= options.tolerance) solution.status = SolveStatus::kConverged;
  return solution.status;
}

}  // namespace tippe
