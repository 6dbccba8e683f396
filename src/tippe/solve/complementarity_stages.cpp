// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/complementarity_stages.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/tolerances.h"
#include "tippe/solve/complementarity_enumeration.h"
#include "tippe/solve/linear_program.h"
#include "tippe/solve/pivoting.h"
#include "tippe/solve/semismooth_newton.h"
#include "tippe/solve/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kSemidefinite = 1e-12;  // of the largest eigenvalue: round-off of a sum and its eigenvalues
constexpr double kExcluded = 1e9;  // a Farkas vector counts as a proof if it excludes all scaled solutions smaller than this

/// See evaluate_farkas; `farkas` belongs to the scaled problem.
double excluded_size(const MixedProblem& problem, VectorXd y) {
  if (y.size() == 0 || !y.allFinite() || y.cwiseAbs().maxCoeff() == 0.0) return 0.0;
  y /= y.cwiseAbs().maxCoeff();
  if (problem.pairs() > 0 && y.tail(problem.pairs()).minCoeff() < 0.0) return 0.0;
  const double value = problem.k.dot(y);
  // Round-off of the two products counts against the proof.
  const double round_off = 4.0 * problem.size() * kMachineEpsilon;
  if (!(value < -round_off * problem.k.cwiseAbs().dot(y.cwiseAbs()))) return 0.0;
  VectorXd defect = problem.K.transpose() * y;
  defect.tail(problem.pairs()) = defect.tail(problem.pairs()).cwiseMax(0.0);
  return -value / defect.cwiseAbs().sum();
}

/// Whether x'K x >= 0 for all x, up to round-off.
bool is_positive_semidefinite(const MixedProblem& problem) {
  if (problem.size() == 0) return true;
  const VectorXd values = symmetric_eigenvalues(problem.K + problem.K.transpose());
  return values[0] >= -kSemidefinite * std::max(1e-300, values.cwiseAbs().maxCoeff());
}

}  // namespace

double evaluate_farkas(const MlcpProblem& problem, const Eigen::Ref<const VectorXd>& y) {
  const ScaledProblem scaled = equilibrate(as_mixed(problem));
  return excluded_size(scaled.problem, y.cwiseQuotient(scaled.row));
}

double evaluate_farkas(const LcpProblem& problem, const Eigen::Ref<const VectorXd>& y) {
  return evaluate_farkas(as_mlcp(problem), y);
}

class ComplementarityStages::Timer {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool begin_solution(const MlcpProblem& problem, ComplementaritySolution& solution) {
  require_sizes(problem);
  solution = {};
  const auto finite = [](const auto&... matrix) { return (matrix.allFinite() && ...); };
  if (finite(problem.A, problem.B, problem.C, problem.D, problem.a, problem.b)) return true;
  solution.status = ComplementarityStatus::kNotFinite;
  solution.x = VectorXd::Zero(problem.a.size() + problem.b.size());
  solution.residual = solution.worst_residual = std::numeric_limits<double>::infinity();
  return false;
}

ComplementarityStages::ComplementarityStages(const MlcpProblem& problem, double tolerance, ComplementaritySolution& solution)
    : problem_(problem), tolerance_(tolerance), scaled_(equilibrate(as_mixed(problem))), solution_(solution) {
  offer(VectorXd::Zero(scaled_.problem.size()));
}

bool ComplementarityStages::offer(const VectorXd& scaled_x) {
  VectorXd x = scaled_.original(scaled_x);
  const auto nu = problem_.a.size(), nv = problem_.b.size();
  x.tail(nv) = x.tail(nv).cwiseMax(0.0);
  const ComplementarityResidual residual = evaluate_residual(problem_, x.head(nu), x.tail(nv));
  if (solution_.residual < 0.0 || residual.relative < solution_.residual) {
    solution_.x = std::move(x);
    solution_.residual = residual.relative;
    solution_.worst_residual = residual.worst;
    if (residual.relative <= tolerance_) {
      solution_.status = ComplementarityStatus::kConverged;
      solution_.note.clear();
    }
  }
  return solution_.converged();
}

bool ComplementarityStages::offer_basis(const std::vector<bool>& active) {
  return offer(solve_basis(scaled_.problem, active));
}

bool ComplementarityStages::offer_near(const VectorXd& x) {
  offer(x);
  const MixedProblem& problem = scaled_.problem;
  const VectorXd y = problem.K * x + problem.k;
  std::vector<bool> active;
  for (int i = problem.free; i < problem.size(); ++i) active.push_back(x[i] > y[i]);
  return offer_basis(active);
}

bool ComplementarityStages::accept_farkas(const VectorXd& y) {
  if (!(excluded_size(scaled_.problem, y) >= kExcluded)) return false;
  Certificate certificate;
  certificate.kind = Certificate::Kind::kFarkas;
  const double size = y.cwiseAbs().maxCoeff();
  certificate.margin = -scaled_.problem.k.dot(y) / size;
  certificate.y = scaled_.row.cwiseProduct(y / size);
  solution_.status = ComplementarityStatus::kNoSolution;
  solution_.certificate = std::move(certificate);
  return true;
}

void ComplementarityStages::finish_stage(const char* name, int iterations, const Timer& timer) {
  solution_.iterations += iterations;
  solution_.stages.push_back({name, iterations, timer.seconds(), solution_.residual});
}

bool ComplementarityStages::portfolio() {
  constexpr int kMostPairs = 32;  // for the enumeration, which may need 2^pairs linear programs
  return lemke(0, 1, 0) || newton(0) || infeasibility() || lemke(1, 8, 0) ||
         (scaled_.problem.pairs() <= kMostPairs && enumeration(0));
}

bool ComplementarityStages::lemke(int first_attempt, int attempts, int max_iterations) {
  const Timer timer;
  int pivots = 0;
  for (int attempt = first_attempt; attempt < first_attempt + attempts && !decided(); ++attempt) {
    const PivotingResult result = solve_by_pivoting(scaled_.problem, attempt, max_iterations);
    pivots += result.pivots;
    if (result.outcome == LemkeOutcome::kRay) {
      if (accept_farkas(result.x)) {
        solution_.note = "the ray of Lemke's method is a Farkas vector: the inequalities contradict each other";
      } else if (attempt == 0) {
        solution_.note =
            is_positive_semidefinite(scaled_.problem)
                ? "Lemke's method ended on a ray, which proves nothing here because its vector is too inexact"
                : "Lemke's method ended on a ray, which proves nothing: the matrix is not positive semidefinite";
      }
      continue;
    }
    if (result.outcome != LemkeOutcome::kSolution) continue;
    if (!offer_basis(result.active)) offer(result.x);
  }
  finish_stage("lemke", pivots, timer);
  return decided();
}

bool ComplementarityStages::newton_from(VectorXd& x, double shift, int max_iterations, int& iterations) {
  SemismoothNewton method(scaled_.problem, shift, x);
  constexpr double kNear = 1e-3;  // error from which a point is worth a look at its basis
  int further = 30;  // steps after convergence: cheap, and each gains digits, many where the solution is regular
  for (int i = 0; i < max_iterations; ++i) {
    ++iterations;
    const bool moves = method.step();
    const bool near = method.error() < kNear || i % 10 == 9;
    if (near && offer_near(method.x()) && (solution_.residual < kLastDigit || further-- == 0)) break;
    if (!moves || method.error() < kLastDigit) break;
  }
  offer_near(method.x());
  x = method.x();
  return decided();
}

bool ComplementarityStages::newton(int max_iterations) {
  const Timer timer;
  const int n = scaled_.problem.size(), budget = max_iterations > 0 ? max_iterations : 100;
  int iterations = 0;
  for (const double start : {0.0, 1.0}) {
    VectorXd x = VectorXd::Constant(n, start);
    if (decided() || (max_iterations > 0 && iterations >= max_iterations)) break;
    newton_from(x, 0.0, budget, iterations);
  }
  // A path of regularised problems, K + shift I.
  VectorXd x = VectorXd::Zero(n);
  constexpr double kLastShift = 1e-10;  // beside entries of about 1
  for (double shift = 1.0; shift > kLastShift && !decided() && max_iterations == 0; shift *= 0.3)
    newton_from(x, shift, 30, iterations);
  finish_stage("newton", iterations, timer);
  return decided();
}

bool ComplementarityStages::projected_gauss_seidel(int max_iterations) {
  const Timer timer;
  const MixedProblem& problem = scaled_.problem;
  const int n = problem.size(), budget = max_iterations > 0 ? max_iterations : 10000;
  VectorXd z = VectorXd::Zero(n);
  int sweeps = 0;
  while (sweeps < budget && !decided() && z.allFinite()) {
    for (int i = 0; i < n; ++i) {
      // Without a positive diagonal a row has no step of its own; the size of the row stands in.
      const double diagonal =
          problem.K(i, i) > 0.0 ? problem.K(i, i) : std::max(1.0, problem.K.row(i).cwiseAbs().maxCoeff());
      z[i] = std::max(0.0, z[i] - (problem.K.row(i).dot(z) + problem.k[i]) / diagonal);
    }
    ++sweeps;
    if (sweeps % 10 == 0 || sweeps == budget || sweeps <= 2) offer(z);
  }
  finish_stage("projected-gauss-seidel", sweeps, timer);
  return decided();
}

bool ComplementarityStages::infeasibility() {
  const Timer timer;
  const MixedProblem& problem = scaled_.problem;
  const int n = problem.size(), nu = problem.free, nv = problem.pairs();
  LinearProgram constraints;
  constraints.A_eq = problem.K.topRows(nu);
  constraints.b_eq = -problem.k.head(nu);
  constraints.A_in = MatrixXd::Zero(2 * nv, n);
  constraints.A_in.topRows(nv) = -problem.K.bottomRows(nv);
  constraints.A_in.bottomRightCorner(nv, nv) = -MatrixXd::Identity(nv, nv);
  constraints.b_in = VectorXd::Zero(2 * nv);
  constraints.b_in.head(nv) = problem.k.tail(nv);
  const ProgramSolution point = find_feasible_point(constraints);
  if (point.status == ProgramStatus::kInfeasible) {
    VectorXd y(n);
    y << -point.y_eq, point.y_in.head(nv);
    if (accept_farkas(y))
      solution_.note = "the inequalities contradict each other, with the Farkas vector of a linear program";
  }
  finish_stage("infeasibility", point.pivots, timer);
  return decided();
}

bool ComplementarityStages::enumeration(int max_iterations) {
  const Timer timer;
  ComplementarityEnumeration cases(scaled_.problem, max_iterations > 0 ? max_iterations : 5000);
  while (!decided()) {
    const ComplementarityEnumeration::Case found = cases.next();
    if (found.x.size() == 0 || offer_near(found.x) || offer_basis(found.active)) break;
  }
  if (!decided() && cases.complete()) {
    Certificate certificate;
    certificate.kind = Certificate::Kind::kEnumeration;
    certificate.cases = cases.infeasible();
    certificate.margin = cases.margin();
    solution_.status = ComplementarityStatus::kNoSolution;
    solution_.certificate = std::move(certificate);
    solution_.note = "every choice of a zero in each pair leaves contradictory inequalities";
  }
  finish_stage("enumeration", cases.programs(), timer);
  return decided();
}

}  // namespace tippe
