// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/island_solver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "tippe/core/infinity.h"
#include "tippe/solve/enumerate.h"
#include "tippe/solve/forecast.h"

namespace tippe {
namespace {

constexpr double kMostWork = 2e9;  // multiply-adds, of one of the last means

}  // namespace

void IslandSolver::solve(const InclusionProblem& problem, const ContactSolverOptions& options, bool insist_on_it,
                         KeptVector& Lambda) {
  start(problem, options, Lambda);
  // A warm start that is only just good enough would stay so step after step: something is done unless it is exact.
  const bool nothing_to_do = residual_.relative == 0.0 || !std::isfinite(residual_.relative);
  if (insist_on_it) {
    if (!nothing_to_do && !done()) insist();
  } else if (!nothing_to_do) {
    run_method();
  }
  form_.unscale(best_, Lambda);
}

void IslandSolver::start(const InclusionProblem& problem, const ContactSolverOptions& options,
                         const KeptVector& warm_start) {
  problem_ = &problem;
  options_ = options;
  residual_ = {kInfinity, kInfinity, -1};
  prepare_residual(problem, residual_work_);
  form_.assign(problem);
  sweeper_.prepare(form_, options_.threads);
  newton_.prepare(form_);
  form_.scale(warm_start, r_);
  sweeper_.project(r_);
  best_ = r_;
  judge();
  if (!std::isfinite(residual_.relative)) {  // a useless warm start is forgiven, useless data are not
    r_.setZero(form_.rows());
    sweeper_.project(r_);
    best_ = r_;
    judge();
  }
}

double IslandSolver::judge() {
  form_.unscale(r_, Lambda_);
  const Residual measured = evaluate_prepared_residual(*problem_, Lambda_, residual_work_);
  if (measured.relative < residual_.relative) {
    residual_ = measured;
    best_ = r_;
  }
  return measured.relative;
}

template <class Run>
void IslandSolver::stage(ContactMethod method, Run&& run) {
  using Clock = std::chrono::steady_clock;
  const auto begin = options_.timed ? Clock::now() : Clock::time_point();
  r_ = best_;
  const int iterations = run();
  const std::chrono::duration<double> seconds = (options_.timed ? Clock::now() : begin) - begin;
  book_.add(name_of(method), iterations, seconds.count(), residual_.relative);
}

void IslandSolver::run_method() {
  const auto budget = [&](int own) { return options_.max_iterations > 0 ? options_.max_iterations : own; };
  switch (options_.method) {
    case ContactMethod::kPortfolio:
      run_portfolio();
      break;
    case ContactMethod::kGaussSeidel:
      stage(options_.method, [&] { return sweep(budget(20000)); });
      break;
    case ContactMethod::kAnderson:
      stage(options_.method, [&] { return accelerated_sweeps(budget(5000), kInfinity); });
      break;
    case ContactMethod::kMomentum:
      stage(options_.method, [&] { return momentum_sweeps(budget(20000)); });
      break;
    case ContactMethod::kNewton:
      stage(options_.method, [&] { return newton_steps(budget(200), 4); });
      break;
    case ContactMethod::kProximal:
      stage(options_.method, [&] { return proximal_steps(budget(1000)); });
      break;
    case ContactMethod::kAlternatingDirections:
      if (AlternatingDirections::applies(form_)) stage(options_.method, [&] { return alternating_steps(budget(20000)); });
      break;
    case ContactMethod::kInteriorPoint:
      if (InteriorPoint::applies(form_)) stage(options_.method, [&] { return interior_point_alone(budget(100)); });
      break;
    case ContactMethod::kConvex:
      if (InteriorPoint::applies(form_)) stage(options_.method, [&] { return convex_steps(budget(2000)); });
      break;
    case ContactMethod::kLemke:
      if (PlanarPivoting::applies(form_)) stage(options_.method, [&] { return pivot(); });
      break;
    case ContactMethod::kEnumeration:
      if (enumeration_applies(*problem_, {})) stage(options_.method, [&] { return enumerate(); });
      break;
    case ContactMethod::kProjectedGaussSeidel:
    case ContactMethod::kProjectedJacobi:
      stage(options_.method, [&] { return projected_sweeps(budget(20000)); });
      break;
  }
}

void IslandSolver::run_portfolio() {
  // Where the last digits are asked for, sweeps are too slow; Newton's method has them at once if the start is near.
  constexpr double kLastDigits = 1e-11, kManySweepsEach = 100.0;  // residual; work
  if (options_.tolerance < kLastDigits && newton_.work() < kManySweepsEach * sweeper_.work()) {
    stage(ContactMethod::kGaussSeidel, [&] { return sweep(1); });
    if (done()) return;
    stage(ContactMethod::kNewton, [&] { return newton_steps(10, 3); });
    constexpr double kNearEnough = 1e-10;
    if (done() || (options_.effort == SolveEffort::kShort && residual_.relative <= kNearEnough)) return;
  }

  // Sweeps: most problems of a time stepping are done here.
  stage(ContactMethod::kGaussSeidel, [&] { return sweep(8); });
  if (done() || !std::isfinite(residual_.relative)) return;

  // Near the solution, as after a step in which little has moved, one or two steps of Newton's method take less time than acceleration
  // needs to show whether it gets there. Of few blocks it spans the slow modes, and does.
  constexpr int kManyBlocks = 100;
  constexpr double kNear = 1e-6, kSweepsToJudge = 60.0;  // residual; of accelerated sweeps, in plain ones
  const double factorization = newton_.work();
  if (form_.block_count() >= kManyBlocks && residual_.relative <= kNear &&
      factorization < kSweepsToJudge * sweeper_.work()) {
    stage(ContactMethod::kNewton, [&] { return newton_steps(3, 1); });
    if (done()) return;
  }

  // Acceleration, as long as a method with factorizations would not be done earlier.
  constexpr double kFactorizations = 15.0;  // of the interior point, typically
  stage(ContactMethod::kAnderson, [&] { return accelerated_sweeps(3000, kFactorizations * factorization); });
  if (done()) return;
  constexpr double kManySweeps = 20000.0;
  if (kFactorizations * factorization > kManySweeps * sweeper_.work())
    stage(ContactMethod::kMomentum, [&] { return momentum_sweeps(100000); });
  if (done()) return;

  // Newton's method, if it is near enough already.
  if (std::isfinite(factorization)) stage(ContactMethod::kNewton, [&] { return newton_steps(10, 2); });
  if (done()) return;

  if (std::isfinite(factorization) && InteriorPoint::applies(form_)) come_from_inside();

  // Redundant planar contacts, which stop all others above the tolerance.
  if (!done() && PlanarPivoting::applies(form_)) stage(ContactMethod::kLemke, [&] { return pivot(); });
}

/// The interior point comes near from anywhere, Newton's method takes the last digits. Who hands over too early gets it back.
void IslandSolver::come_from_inside() {
  constexpr int kMostSteps = 100;
  interior_point_.prepare(form_, best_);
  constexpr double kFirstHandover = 1e-6;  // residual
  double handover = kFirstHandover;
  for (int steps = 0; steps < kMostSteps && !done();) {
    int count = 0;
    double reached = residual_.relative;
    stage(ContactMethod::kInteriorPoint, [&] { return count = interior_point_steps(kMostSteps - steps, handover); });
    steps += count;
    if (done()) return;
    stage(ContactMethod::kNewton, [&] { return newton_steps(10, 2); });
    if (count == 0 || interior_point_.stuck()) break;
    reached = std::min(reached, residual_.relative);
    handover = std::min(0.03 * handover, reached);
  }
}

/// Where all stages have led to a place from which they do not get away, another start helps more than patience.
void IslandSolver::begin_afresh(double factorization, int proximal_budget) {
  const auto afresh = [&](ContactMethod method, auto&& run) {
    if (will_do()) return;
    stage(method, [&] {
      r_.setZero();
      sweeper_.project(r_);
      return run();
    });
  };
  const auto within = [](double work, double most) { return static_cast<int>(std::clamp(kMostWork / work, 100.0, most)); };
  const bool factorizes = std::isfinite(factorization);
  const double solution = std::pow(factorization, 2.0 / 3.0);  // with the factors
  if (factorizes && InteriorPoint::applies(form_)) {
    afresh(ContactMethod::kInteriorPoint, [&] { return interior_point_alone(100); });
    if (!will_do()) stage(ContactMethod::kNewton, [&] { return newton_steps(10, 2); });
  }
  if (factorizes && AlternatingDirections::applies(form_))
    afresh(ContactMethod::kAlternatingDirections, [&] { return alternating_steps(within(solution, 5e4)); });
  if (factorizes && InteriorPoint::applies(form_))
    afresh(ContactMethod::kConvex, [&] { return convex_steps(within(factorization, 2e3)); });
  afresh(ContactMethod::kMomentum, [&] { return momentum_sweeps(within(sweeper_.work(), 2e4)); });
  if (factorizes) afresh(ContactMethod::kProximal, [&] { return proximal_steps(proximal_budget); });
}

/// For islands that resist: afresh, then in turns from the best iterate, with growing budgets.
void IslandSolver::insist() {
  const double factorization = newton_.work();
  const int steps = static_cast<int>(std::clamp(kMostWork / factorization, 30.0, 1e4));
  constexpr double kNear = 1e-9;  // from here on it is a matter of patience
  if (residual_.relative > kNear) begin_afresh(factorization, std::min(300, steps));
  if (will_do()) return;
  if (std::isfinite(factorization)) stage(ContactMethod::kProximal, [&] { return proximal_steps(std::min(300, steps)); });
  for (int turn = 0, sweeps = 300; turn < 3 && !will_do(); ++turn, sweeps *= 3) {
    stage(ContactMethod::kAnderson, [&] { return accelerated_sweeps(sweeps, kInfinity); });
    if (!will_do() && std::isfinite(factorization))
      stage(ContactMethod::kProximal, [&] { return proximal_steps(std::min(2 * sweeps, steps)); });
  }
  // Directions of sliding in space are searched from many starts: of three contacts that takes less than a tenth of a second, of more of them seconds.
  const auto in_space =
      std::count_if(form_.blocks.begin(), form_.blocks.end(), [](const auto& block) { return block.size > 2; });
  if (!will_do() && in_space <= 3 && enumeration_applies(*problem_, {}))
    stage(ContactMethod::kEnumeration, [&] { return enumerate(); });
  // Their fixed points are those of the residual to the last bit, which counts where the scales of a contact are far apart.
  constexpr int kFew = 20;
  if (!will_do() && form_.block_count() <= kFew)
    stage(ContactMethod::kProjectedGaussSeidel, [&] { return projected_sweeps(1000); });
}

/// Plain sweeps. Measured after 1, 2, 5, 8 and then ever more rarely: a measurement costs as much as two sweeps, s sweeps between two of
/// them cost 2 k/s before sweep k and s/2 after it on average, least for s = 2 sqrt(k).
int IslandSolver::sweep(int most) {
  sweeper_.set_iterate(r_);
  for (int k = 1, next = 1; k <= most; ++k) {
    const double change = sweeper_.sweep(r_);
    if (k == next || k == most || change == 0.0) {
      next = k == 1 ? 2 : k < 8 ? k + 3 : k + static_cast<int>(2.0 * std::sqrt(k));
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
    }
  }
  return most;
}

/// Sweeps with Anderson acceleration, as long as they promise to arrive within the affordable work.
int IslandSolver::accelerated_sweeps(int most, double affordable_work) {
  constexpr int kMeasureEvery = 5;    // sweeps
  constexpr int kMostRejections = 8;  // then acceleration does more harm than good
  Forecast forecast;
  anderson_.restart();
  sweeper_.set_iterate(r_);
  int rejections = 0, plain = 0;
  for (int k = 1; k <= most; ++k) {
    previous_ = r_;
    const double change = sweeper_.sweep(r_);
    if (k % kMeasureEvery == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
      if (kMeasureEvery * forecast.measurements_to_go(residual_.relative, options_.tolerance) * sweeper_.work() >
          affordable_work)
        return k;
    }
    if (plain > 0) {
      --plain;
      continue;
    }
    if (rejections >= kMostRejections) continue;
    if (!anderson_.accelerate(previous_, r_)) {
      ++rejections;
      plain = 2;
    }
    sweeper_.project(r_);
    sweeper_.set_iterate(r_);
  }
  return most;
}

/// Sweeps with Nesterov's momentum, started anew when the iterates begin to move faster. Where the slow modes are many, as in large
/// piles, Anderson's few differences do not span them, and momentum does better.
int IslandSolver::momentum_sweeps(int most) {
  constexpr int kMeasureEvery = 50;       // sweeps
  constexpr double kMostMomentum = 0.95;  // more, and friction never comes to rest
  constexpr double kFaster = 1.2;
  sweeper_.set_iterate(r_);
  previous_ = r_;
  double theta = 1.0, last_change = kInfinity;
  for (int k = 1, since_restart = 0; k <= most; ++k, ++since_restart) {
    const double change = sweeper_.sweep(r_);
    if (k % kMeasureEvery == 0 || k == most || change == 0.0) {
      judge();
      if (done() || change == 0.0 || !std::isfinite(change)) return k;
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
    sweeper_.extrapolate(beta, previous_, r_);
  }
  return most;
}

/// Newton steps with a sweep after each, until some in a row were poor.
int IslandSolver::newton_steps(int most, int most_poor) {
  int poor = 0;
  for (int k = 1; k <= most; ++k) {
    const double before = newton_.evaluate(r_);
    const bool good = newton_.step(r_) && newton_.merit() < 0.9 * before;
    poor = good ? 0 : poor + 1;
    judge();
    if (!done() && !sweeper_.several()) {
      sweeper_.set_iterate(r_);
      sweeper_.sweep(r_);
      judge();
    }
    if (done() || poor >= most_poor) return k;
  }
  return most;
}

/// Proximal point iterations, each a problem with W + e solved by Newton's method from its centre; e falls as long as that goes well.
int IslandSolver::proximal_steps(int most) {
  constexpr int kInnerSteps = 15, kEasy = 5;
  constexpr double kFirst = 1e-2, kLeast = 1e-14, kLargest = 10.0;  // e, beside a diagonal of about 1
  constexpr double kExact = 1e-15;                                  // merit, absolute: nothing is left to gain
  double e = kFirst;
  int count = 0;
  while (count < most && !done()) {
    previous_ = r_;
    newton_.set_centre(previous_, e);
    const double before = newton_.evaluate(r_);
    int inner = 0;
    bool solved = false, failed = false;
    while (inner < kInnerSteps && count + inner < most && !solved && !failed && !done()) {
      ++inner;
      failed = !newton_.step(r_);
      judge();
      solved = !failed && newton_.merit() <= std::max(0.1 * e * (r_ - previous_).norm(), kExact);
    }
    count += inner;
    if (solved && inner <= kEasy) e = std::max(0.1 * e, kLeast);
    if (!solved) {
      e = std::min(10.0 * e, kLargest);
      if (newton_.merit() > 0.5 * before) {  // elsewhere, then
        r_ = previous_;
        sweeper_.set_iterate(r_);
        sweeper_.sweep(r_);
      }
    }
  }
  newton_.prepare(form_);
  return count;
}

/// With one rho after the other, of the diagonal of W: a small one is faster where contacts jam and overshoots where they do not, and a
/// change frees what goes round in circles. Measured every few steps, as that costs as much as one of them.
int IslandSolver::alternating_steps(int most) {
  constexpr std::array kRhos = {0.03, 0.02, 0.1};
  constexpr int kMeasureEvery = 10;
  int count = 0;
  for (size_t round = 1; round <= kRhos.size(); ++round) {
    const auto end = static_cast<int>(static_cast<std::int64_t>(most) * static_cast<std::int64_t>(round) / kRhos.size());
    if (!alternating_.prepare(form_, r_, kRhos[round - 1])) break;
    while (count < end) {
      alternating_.step();
      if (++count % kMeasureEvery != 0 && count != end) continue;
      r_ = alternating_.iterate();
      const double now = judge();
      if (done() || !std::isfinite(now)) return count;
    }
  }
  return count;
}

int IslandSolver::interior_point_steps(int most, double handover) {
  for (int k = 1; k <= most; ++k) {
    const bool alive = interior_point_.step();
    interior_point_.iterate(r_);
    const double now = judge();
    if (done() || !alive || now <= handover) return k;
  }
  return most;
}

/// From ever deeper starts. Sizes within a contact may differ, and mu may be large: impulses are then up to about 1/W_NN and mu times
/// what is natural.
int IslandSolver::interior_point_alone(int most) {
  constexpr double kDeeper = 1e3, kDeepest = 1e12;
  previous_ = r_;
  int count = 0;
  for (double inside = InteriorPoint::kInside; inside < kDeepest && count < most && !done(); inside *= kDeeper) {
    interior_point_.prepare(form_, previous_, inside);
    count += interior_point_steps(most - count, 0.0);
  }
  return count;
}

/// Convex problems, each with the slip that the one before led to (Acary, Cadoux, Lemarechal and Malick 2011). It comes near from
/// anywhere, at its own pace; as soon as it has found which contacts stick and slip, Newton's method takes the rest.
int IslandSolver::convex_steps(int most) {
  constexpr int kMostSteps = 60;
  constexpr double kSolved = 1e-12;  // mean product
  int count = 0;
  while (count < most && !done()) {
    previous_ = r_;
    interior_point_.prepare(form_, previous_);
    interior_point_.freeze_slips();
    const int end = std::min(most, count + kMostSteps);
    while (count++ < end && interior_point_.step() && interior_point_.mean() > kSolved) {
    }
    interior_point_.iterate(r_);
    judge();
    if (done()) break;
    previous_ = r_;
    newton_.prepare(form_);
    newton_steps(6, 2);
    r_ = previous_;
  }
  return std::min(count, most);
}

/// Exact up to the round-off of a basis, which Newton's method lessens.
int IslandSolver::pivot() {
  constexpr int kDirections = 8;
  int count = 0;
  for (int direction = 0; direction < kDirections && !done(); ++direction) {
    const bool found = pivoting_.solve(form_, direction, r_);
    count += pivoting_.pivots();
    if (!found) continue;
    judge();
    if (!done()) count += newton_steps(5, 2);
  }
  return count;
}

int IslandSolver::enumerate() {
  Solution found;
  if (solve_by_enumeration(*problem_, {.tolerance = options_.tolerance}, found) != SolveStatus::kConverged) return 1;
  form_.scale(found.Lambda, r_);
  judge();
  return found.iterations;
}

int IslandSolver::projected_sweeps(int most) {
  ProjectedOptions projected_options;
  projected_options.tolerance = options_.tolerance;
  projected_options.max_iterations = most;
  if (options_.method == ContactMethod::kProjectedJacobi) {
    projected_options.sweep = ProjectedOptions::Sweep::kJacobi;
    projected_options.alpha = 0.3;
  }
  if (options_.alpha > 0.0) projected_options.alpha = options_.alpha;
  projected_options.transform = options_.transform;
  projected_options.recover = options_.recover;
  if (options_.method == ContactMethod::kPortfolio) {  // each step is that of the residual
    projected_options.recover = false;
  }
  Solution found;
  form_.unscale(r_, found.Lambda);
  projected_.solve(*problem_, projected_options, found);
  form_.scale(found.Lambda, r_);
  judge();
  return found.iterations;
}

}  // namespace tippe
