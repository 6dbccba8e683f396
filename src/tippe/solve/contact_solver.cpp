// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_solver.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "tippe/solve/anderson.h"
#include "tippe/solve/contact_newton.h"
#include "tippe/solve/enumerate.h"
#include "tippe/solve/interior_point.h"
#include "tippe/solve/islands.h"
#include "tippe/solve/planar_pivoting.h"
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

constexpr int kMeasureEvery = 5;  // sweeps

/// How many more sweeps it will take, from the rate of the last six measurements.
class Forecast {
 public:
  Forecast() { history_.fill(kInfinity); }
  /// 0 while there is too little to judge by.
  double sweeps_to_go(double residual, double tolerance) {
    double& before = history_[static_cast<size_t>(count_++) % history_.size()];
    double result = 0.0;
    if (std::isfinite(before)) {
      const double decades = std::max(std::log10(before / residual), 1e-10);
      result = kMeasureEvery * static_cast<double>(history_.size()) * std::log10(residual / tolerance) / decades;
    }
    before = residual;
    return result;
  }

 private:
  std::array<double, 6> history_;
  int count_ = 0;
};

}  // namespace

std::span<const ContactMethodInfo> contact_methods() {
  static constexpr std::array kMethods = {
      ContactMethodInfo{ContactMethod::kPortfolio, "portfolio",
                        "the methods below in a fixed order, each from the best iterate so far"},
      ContactMethodInfo{ContactMethod::kGaussSeidel, "gauss-seidel", "sweeps with the exact solution of each contact"},
      ContactMethodInfo{ContactMethod::kAnderson, "anderson", "the same sweeps with Anderson acceleration"},
      ContactMethodInfo{ContactMethod::kMomentum, "momentum", "the same sweeps with Nesterov's momentum"},
      ContactMethodInfo{ContactMethod::kInteriorPoint, "interior-point", "second-order cones with the exact law of Coulomb"},
      ContactMethodInfo{ContactMethod::kNewton, "newton", "semismooth Newton's method of Alart and Curnier, with sweeps"},
      ContactMethodInfo{ContactMethod::kProximal, "proximal", "proximal point iterations, each solved by Newton's method"},
      ContactMethodInfo{ContactMethod::kLemke, "lemke", "pivoting, for contacts in the plane"},
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

/// Solves one island.
struct ContactSolver::Work {
  // The island being solved.
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
  ContactNewton newton;
  InteriorPoint interior_point;
  PlanarPivoting pivoting;
  ProjectedSolver projected;
  KeptVector Lambda, previous;
  ResidualWork residual_work;

  // The whole problem.
  Islands islands;
  bool insisting = false;
  bool judged_apart = false;  // each island by its own scale
  InclusionProblem island;
  int island_number = 0;
  double island_weight = 1.0;                          // of its residual in that of the whole
  std::vector<std::pair<int, double>> left_in_island;  // of each stage: the last island, and what it left there
  std::vector<int> island_rows;
  KeptVector Lambda_island;

  [[nodiscard]] bool done() const { return residual.relative <= options.tolerance; }
  /// Measures the residual of r on the problem as given; keeps r if it is the best.
  double judge();
  /// Runs a stage from the best iterate; `run` returns its iterations.
  template <class Run>
  void stage(ContactMethod method, Run&& run);

  void start(const InclusionProblem& given, const ContactSolverOptions& given_options, const KeptVector& warm_start);
  int sweep(int most);
  int accelerated_sweeps(int most, double affordable_work);
  int momentum_sweeps(int most, double affordable_work);
  int newton_steps(int most, int most_poor);
  int proximal_steps(int most);
  int interior_point_steps(int most, double handover);
  int pivot();
  int enumerate();
  void run_portfolio();
  void insist();
  void solve_island(const InclusionProblem& given, const ContactSolverOptions& given_options, KeptVector& impulses);
  void solve_islands(const InclusionProblem& whole, const ContactSolverOptions& given_options, KeptVector& Lambda_whole);
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
  // Turns of two methods are two stages, not twenty, and so are all islands.
  const char* name = method_name(method);
  const double left = judged_apart ? residual.relative : island_weight * residual.relative;
  size_t k = 0;
  while (k < stages.size() && stages[k].name != name) ++k;
  if (k == stages.size()) {
    stages.push_back({name, 0, 0.0, 0.0});
    left_in_island.push_back({-1, 0.0});
  }
  SolveStage& known = stages[k];
  auto& [last_island, last_left] = left_in_island[k];
  known.iterations += count;
  known.seconds += seconds.count();
  if (judged_apart) {
    known.residual = std::max(known.residual, left);
  } else {
    const double others = known.residual * known.residual - (last_island == island_number ? last_left * last_left : 0.0);
    known.residual = std::sqrt(std::max(others, 0.0) + left * left);
  }
  last_island = island_number;
  last_left = left;
}

void ContactSolver::Work::start(const InclusionProblem& given, const ContactSolverOptions& given_options,
                                const KeptVector& warm_start) {
  problem = &given;
  options = given_options;
  residual = {kInfinity, kInfinity, -1};
  form.assign(given);
  sweeper.prepare(form, options.threads);
  newton.prepare(form);
  form.scale(warm_start, r);
  sweeper.project(r);
  best = r;
  judge();
  if (!std::isfinite(residual.relative)) {  // a useless warm start is forgiven, useless data are not
    r.setZero(form.rows());
    sweeper.project(r);
    best = r;
    judge();
  }
}

/// Plain sweeps. Measured after 1, 2, 5, 8 and then ever more rarely, a measurement costing as much as a sweep.
int ContactSolver::Work::sweep(int most) {
  sweeper.set_iterate(r);
  for (int k = 1, next = 1; k <= most; ++k) {
    const double change = sweeper.sweep(r);
    if (k == next || k == most || change == 0.0) {
      next = k == 1 ? 2 : k < 8 ? k + 3 : k + 2 + k / 10;
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
    }
  }
  return most;
}

/// Sweeps with Anderson acceleration, as long as they promise to arrive within the affordable work.
int ContactSolver::Work::accelerated_sweeps(int most, double affordable_work) {
  constexpr int kMostRejections = 8;  // then acceleration does more harm than good
  Forecast forecast;
  anderson.restart();
  sweeper.set_iterate(r);
  int rejections = 0, plain = 0;
  for (int k = 1; k <= most; ++k) {
    previous = r;
    const double change = sweeper.sweep(r);
    if (k % kMeasureEvery == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
      if (forecast.sweeps_to_go(residual.relative, options.tolerance) * sweeper.work() > affordable_work) return k;
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

/// Sweeps with Nesterov's momentum, started anew when the iterates begin to move faster. Where the slow modes are many, as in large
/// piles, Anderson's few differences do not span them, and momentum does better.
int ContactSolver::Work::momentum_sweeps(int most, double affordable_work) {
  constexpr double kMostMomentum = 0.9;  // more, and friction never comes to rest
  constexpr double kFaster = 1.05;
  Forecast forecast;
  sweeper.set_iterate(r);
  previous = r;
  double theta = 1.0, last_change = kInfinity;
  for (int k = 1, since_restart = 0; k <= most; ++k, ++since_restart) {
    const double change = sweeper.sweep(r);
    if (k % (10 * kMeasureEvery) == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
      if (10.0 * forecast.sweeps_to_go(residual.relative, options.tolerance) * sweeper.work() > affordable_work) return k;
    }
    const double next_theta = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta));
    double beta = std::min(kMostMomentum, (theta - 1.0) / next_theta);
    theta = next_theta;
    if (since_restart > 2 && change > kFaster * last_change) {
      beta = 0.0;
      theta = 1.0;
      since_restart = 0;
      last_change = kInfinity;
    } else {
      last_change = change;
    }
    sweeper.extrapolate(beta, previous, r);
  }
  return most;
}

/// Newton steps with a sweep after each, until some in a row were poor.
int ContactSolver::Work::newton_steps(int most, int most_poor) {
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
    if (done() || poor >= most_poor) return k;
  }
  return most;
}

/// Proximal point iterations, each a problem with W + e solved by Newton's method from its centre; e falls as long as that goes well.
int ContactSolver::Work::proximal_steps(int most) {
  constexpr int kInnerSteps = 15, kEasy = 5;
  constexpr double kFirst = 1e-2, kLeast = 1e-14, kLargest = 10.0;
  double e = kFirst;
  int count = 0;
  while (count < most && !done()) {
    previous = r;
    newton.set_centre(previous, e);
    const double before = newton.evaluate(r);
    int inner = 0;
    bool solved = false, failed = false;
    while (inner < kInnerSteps && count + inner < most && !solved && !failed && !done()) {
      ++inner;
      failed = !newton.step(r);
      judge();
      solved = !failed && newton.merit() <= std::max(0.1 * e * (r - previous).norm(), 1e-15);
    }
    count += inner;
    if (solved && inner <= kEasy) e = std::max(0.1 * e, kLeast);
    if (!solved) {
      e = std::min(10.0 * e, kLargest);
      if (newton.merit() > 0.5 * before) {  // elsewhere, then
        r = previous;
        sweeper.set_iterate(r);
        sweeper.sweep(r);
      }
    }
  }
  newton.prepare(form);
  return count;
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

/// Exact up to the round-off of a basis, which Newton's method lessens.
int ContactSolver::Work::pivot() {
  constexpr int kDirections = 8;
  int count = 0;
  for (int direction = 0; direction < kDirections && !done(); ++direction) {
    const bool found = pivoting.solve(form, direction, r);
    count += pivoting.pivots();
    if (!found) continue;
    judge();
    if (!done()) count += newton_steps(5, 2);
  }
  return count;
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
  } else if (options.method == ContactMethod::kPortfolio) {  // each step is that of the residual
    projected_options.recover = false;
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
  constexpr double kManySweeps = 20000.0;
  if (kFactorizations * factorization > kManySweeps * sweeper.work())
    stage(ContactMethod::kMomentum, [&] { return momentum_sweeps(100000, kInfinity); });
  if (done()) return;

  // Newton's method, if it is near enough already.
  if (std::isfinite(factorization)) stage(ContactMethod::kNewton, [&] { return newton_steps(10, 2); });
  if (done()) return;

  // The interior point comes near from anywhere, Newton's method takes the last digits. Who hands over too early gets it back.
  if (std::isfinite(factorization) && InteriorPoint::applies(form)) {
    constexpr int kMostSteps = 100;
    interior_point.prepare(form, best);
    double handover = 1e-6;
    for (int steps = 0; steps < kMostSteps && !done();) {
      int count = 0;
      double reached = residual.relative;
      stage(ContactMethod::kInteriorPoint, [&] { return count = interior_point_steps(kMostSteps - steps, handover); });
      steps += count;
      if (done()) return;
      stage(ContactMethod::kNewton, [&] { return newton_steps(10, 2); });
      if (count == 0 || interior_point.stuck()) break;
      reached = std::min(reached, residual.relative);
      handover = std::min(0.03 * handover, reached);
    }
  }

  // Redundant planar contacts, which stop all others above the tolerance.
  if (!done() && PlanarPivoting::applies(form)) stage(ContactMethod::kLemke, [&] { return pivot(); });
}

/// For islands that resist: in turns, with growing budgets.
void ContactSolver::Work::insist() {
  const double factorization = NewtonSystem::work(form);
  constexpr double kMostWork = 2e9;  // multiply-adds, of a turn with factorizations
  const int steps = static_cast<int>(std::clamp(kMostWork / factorization, 30.0, 1e4));
  if (std::isfinite(factorization)) stage(ContactMethod::kProximal, [&] { return proximal_steps(std::min(300, steps)); });
  for (int turn = 0, sweeps = 300; turn < 3 && !done(); ++turn, sweeps *= 3) {
    stage(ContactMethod::kAnderson, [&] { return accelerated_sweeps(sweeps, kInfinity); });
    if (!done() && std::isfinite(factorization))
      stage(ContactMethod::kProximal, [&] { return proximal_steps(std::min(2 * sweeps, steps)); });
  }
  if (!done()) stage(ContactMethod::kEnumeration, [&] { return enumerate(); });
  // Their fixed points are those of the residual to the last bit, which counts where the scales of a contact are far apart.
  constexpr int kFew = 20;
  if (!done() && form.block_count() <= kFew)
    stage(ContactMethod::kProjectedGaussSeidel, [&] { return projected_sweeps(1000); });
}

ContactSolver::ContactSolver() : work_(std::make_unique<Work>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const std::vector<SolveStage>& ContactSolver::stages() const {
  return work_->stages;
}

void ContactSolver::Work::solve_island(const InclusionProblem& given, const ContactSolverOptions& given_options,
                                       KeptVector& impulses) {
  start(given, given_options, impulses);
  const auto budget = [&](int own) { return options.max_iterations > 0 ? options.max_iterations : own; };
  // A warm start that is only just good enough would stay so step after step: something is done unless it is exact.
  if (residual.relative == 0.0 || !std::isfinite(residual.relative) || (insisting && done())) {
    form.unscale(best, impulses);
    return;
  }
  switch (options.method) {
    case ContactMethod::kPortfolio:
      if (insisting) {
        insist();
      } else {
        run_portfolio();
      }
      break;
    case ContactMethod::kGaussSeidel:
      stage(options.method, [&] { return sweep(budget(20000)); });
      break;
    case ContactMethod::kAnderson:
      stage(options.method, [&] { return accelerated_sweeps(budget(5000), kInfinity); });
      break;
    case ContactMethod::kMomentum:
      stage(options.method, [&] { return momentum_sweeps(budget(20000), kInfinity); });
      break;
    case ContactMethod::kNewton:
      stage(options.method, [&] { return newton_steps(budget(200), 4); });
      break;
    case ContactMethod::kProximal:
      stage(options.method, [&] { return proximal_steps(budget(1000)); });
      break;
    case ContactMethod::kInteriorPoint:
      if (!InteriorPoint::applies(form)) break;
      interior_point.prepare(form, best);
      stage(options.method, [&] { return interior_point_steps(budget(100), 0.0); });
      break;
    case ContactMethod::kLemke:
      if (PlanarPivoting::applies(form)) stage(options.method, [&] { return pivot(); });
      break;
    case ContactMethod::kEnumeration:
      stage(options.method, [&] { return enumerate(); });
      break;
    case ContactMethod::kProjectedGaussSeidel:
    case ContactMethod::kProjectedJacobi:
      stage(options.method, [&] { return projected_sweeps(budget(20000)); });
      break;
  }
  form.unscale(best, impulses);
}

/// Island by island. Each may err by its share of what the whole may, measured by its number of blocks; where the problem says that
/// its parts are judged apart, by the whole tolerance.
void ContactSolver::Work::solve_islands(const InclusionProblem& whole, const ContactSolverOptions& given_options,
                                        KeptVector& Lambda_whole) {
  if (islands.count() <= 1) {
    solve_island(whole, given_options, Lambda_whole);
    return;
  }
  const double total = residual_scale(whole);
  for (int k = 0; k < islands.count(); ++k) {
    islands.extract(whole, k, island, island_rows);
    ContactSolverOptions island_options = given_options;
    const double own = residual_scale(island);
    island_number = k;
    island_weight = (own > 0.0 ? own : 1.0) / (total > 0.0 ? total : 1.0);
    if (!judged_apart && own > 0.0) {
      const double share = std::sqrt(static_cast<double>(islands.size(k)) / whole.G.blocks.blocks());
      island_options.tolerance *= share * total / own;
    }
    Lambda_island.resize(static_cast<Eigen::Index>(island_rows.size()));
    for (size_t row = 0; row < island_rows.size(); ++row)
      Lambda_island[static_cast<Eigen::Index>(row)] = Lambda_whole[island_rows[row]];
    solve_island(island, island_options, Lambda_island);
    for (size_t row = 0; row < island_rows.size(); ++row)
      Lambda_whole[island_rows[row]] = Lambda_island[static_cast<Eigen::Index>(row)];
  }
}

SolveStatus ContactSolver::solve(const InclusionProblem& problem, const ContactSolverOptions& options, Solution& solution) {
  Work& work = *work_;
  work.stages.clear();
  work.left_in_island.clear();
  work.island_number = 0;
  work.island_weight = 1.0;
  work.judged_apart = !problem.part.empty();
  work.iterations = 0;
  work.islands.find(problem);
  if (solution.Lambda.size() != problem.rows() || !solution.Lambda.allFinite()) solution.Lambda.setZero(problem.rows());
  work.insisting = false;
  work.solve_islands(problem, options, solution.Lambda);
  // Of a single island it was just measured.
  Residual residual =
      work.islands.count() > 1 ? evaluate_residual(problem, solution.Lambda, work.residual_work) : work.residual;
  if (options.method == ContactMethod::kPortfolio && residual.relative > options.tolerance &&
      std::isfinite(residual.relative)) {
    work.insisting = true;
    work.solve_islands(problem, options, solution.Lambda);
    residual = evaluate_residual(problem, solution.Lambda, work.residual_work);
  }
  solution.residual = residual.relative;
  solution.worst_block = residual.worst_block;
  solution.iterations = work.iterations;
  solution.status = SolveStatus::kMaxIterations;
  if (!std::isfinite(residual.relative)) solution.status = SolveStatus::kNotFinite;
  if (residual.relative <= options.tolerance) solution.status = SolveStatus::kConverged;
  return solution.status;
}

}  // namespace tippe
