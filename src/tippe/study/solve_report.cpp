// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/solve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/lcp.h"
#include "tippe/solve/mlcp.h"

namespace tippe {
namespace {

/// The method of that name, from contact_methods(), lcp_methods() or mlcp_methods().
template <class Methods>
auto find_method(const Methods& methods, const std::string& name, ProblemKind kind) {
  std::vector<std::string> names;
  for (const auto& info : methods) {
    if (info.name == name) return info.method;
    names.emplace_back(info.name);
  }
  throw ArgumentError(Argument::kSolver, fmt::format("there is no '{}' for a problem of kind {}{} (there are: {})", name,
                                                     name_of(kind), did_you_mean(name, names), comma_list(names)));
}

template <class Options>
Options options_from(const SolveRequest& request) {
  Options options;
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  return options;
}

template <class Options>
void require_valid(const Options& options) {
  if (!std::isfinite(options.tolerance) || options.tolerance <= 0.0)
    throw ArgumentError(Argument::kTolerance, fmt::format("{} must be a positive number", options.tolerance));
  if (options.max_iterations < 0)
    throw ArgumentError(Argument::kMaxIterations, fmt::format("{} must not be negative", options.max_iterations));
  if (options.threads < 1 || options.threads > 2)
    throw ArgumentError(Argument::kThreads, fmt::format("{} must be 1 or 2", options.threads));
  if (const std::string reason = options.invalid_reason(); !reason.empty()) throw InputError({}, reason);
}

/// What only the projected iterations take.
void require_projected(const SolveRequest& request, const StoredProblem& stored) {
  if (request.alpha && !(*request.alpha > 0.0 && *request.alpha <= 2.0))
    throw ArgumentError(Argument::kAlpha, fmt::format("{} must lie in (0, 2]", *request.alpha));
  const bool contacts = std::holds_alternative<InclusionProblem>(stored.problem);
  if (contacts && (request.solver == "projected-jacobi" || request.solver == "projected-gauss-seidel")) return;
  const auto refuse = [&](Argument argument) {
    throw ArgumentError(
        argument, contacts ? fmt::format("is for projected-jacobi and projected-gauss-seidel, not for '{}'", request.solver)
                           : "is for contact problems");
  };
  if (request.alpha) refuse(Argument::kAlpha);
  if (!request.recover) refuse(Argument::kRecover);
  if (!request.transform) refuse(Argument::kTransform);
}

/// Calls solve() and measures how long it takes, in s.
template <class Solve>
double time_of(Solve&& solve) {
  const auto start = std::chrono::steady_clock::now();
  solve();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// sum_j |G_kj Lambda_j| of every row k.
Eigen::VectorXd sizes_of_terms(const Delassus& G, const Eigen::VectorXd& Lambda) {
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(Lambda.size());
  if (G.factored) {
    Eigen::VectorXd kinetic = Eigen::VectorXd::Zero(G.kinetic_rows);
    for (int k = 0; k < G.Y.columns(); ++k) {
      for (int p = G.Y.start[k]; p < G.Y.start[k + 1]; ++p) kinetic[G.Y.row[p]] += std::abs(G.Y.value[p] * Lambda[k]);
    }
    for (int k = 0; k < G.Y.columns(); ++k) {
      for (int p = G.Y.start[k]; p < G.Y.start[k + 1]; ++p) sizes[k] += std::abs(G.Y.value[p]) * kinetic[G.Y.row[p]];
    }
    return sizes;
  }
  const BlockSparseMatrix& blocks = G.blocks;
  for (int i = 0; i < blocks.blocks(); ++i) {
    for (int e = blocks.entry_start[i]; e < blocks.entry_start[i + 1]; ++e) {
      const auto [column, offset] = blocks.entry[e];
      const int width = blocks.block_size(column);
      for (int k = 0; k < blocks.block_size(i); ++k) {
        for (int j = 0; j < width; ++j)
          sizes[blocks.row[i] + k] += std::abs(blocks.value[offset + k * width + j] * Lambda[blocks.row[column] + j]);
      }
    }
  }
  return sizes;
}

/// A residual measures all contacts that act on each other by one scale. One whose numbers are small beside those of others may break its law within
/// that: so of each contact the smaller of normal velocity and impulse, which must vanish, is compared with the terms that the velocity is the sum of.
/// The first one that does not obey, in words.
std::string find_hidden_violation(const InclusionProblem& problem, const Eigen::VectorXd& xi, const Eigen::VectorXd& Lambda,
                                  double tolerance) {
  constexpr double kShare = 1e-4, kTolerances = 1e3;  // a contact may be that much smaller than the others
  const Eigen::VectorXd sizes = sizes_of_terms(problem.G, Lambda);
  for (int i = 0; i < problem.G.blocks.blocks(); ++i) {
    const int row = problem.G.blocks.row[i];
    const LawSet& law = problem.laws[i];
    const bool has_normal = !std::holds_alternative<Interval>(law) && !std::holds_alternative<PlaneFriction>(law) &&
                            !std::holds_alternative<DrillingFriction>(law);
    if (!has_normal) continue;
    const double impulse = Lambda[row], prevented = problem.G.blocks.diagonal_block(i)[0] * impulse;
    const double error = std::min(prevented, xi[row]);
    if (std::abs(error) <= std::max(kShare, kTolerances * tolerance) * (std::abs(problem.c[row]) + sizes[row])) continue;
    const std::string what = error > 0.0 ? fmt::format("pushes with {:.3g} while it opens with {:.3g}", impulse, xi[row])
                             : xi[row] <= prevented ? fmt::format("closes with {:.3g}", -xi[row])
                                                    : fmt::format("pulls with {:.3g}", -impulse);
    return fmt::format("contact {} {}, which the residual hides behind larger numbers of others; try another solver", i,
                       what);
  }
  return {};
}

void solve_problem(const InclusionProblem& problem, const SolveRequest& request, SolveReport& report) {
  auto options = options_from<ContactSolverOptions>(request);
  options.method = find_method(contact_methods(), request.solver, report.kind);
  options.threads = request.threads;
  options.timed = true;
  options.alpha = request.alpha.value_or(0.0);
  options.recover = request.recover;
  options.transform = request.transform;
  ContactSolver solver;
  Solution solution;
  report.wall_time = time_of([&] { solver.solve(problem, options, solution); });
  ResidualWork work;
  const Residual residual = certify_residual(problem, solution.Lambda, work);
  report.contacts = static_cast<int>(problem.laws.size());
  report.residual = residual.relative;
  report.worst_residual = residual.worst;
  report.worst = residual.worst_block;
  report.stages = solver.stages();
  report.iterations = solution.iterations;
  report.impulses = solution.Lambda;
  report.outcome = residual.relative <= request.tolerance ? SolveOutcome::kConverged : SolveOutcome::kNotConverged;
  report.islands = solver.islands();
  if (report.outcome == SolveOutcome::kConverged) {
    report.reason = find_hidden_violation(problem, work.xi, solution.Lambda, request.tolerance);
    if (!report.reason.empty()) report.outcome = SolveOutcome::kNotConverged;
    return;
  }
  const bool idle = report.stages.empty() && solution.status == SolveStatus::kMaxIterations;
  report.reason = idle ? fmt::format("'{}' does not apply to this problem", request.solver) : name_of(solution.status);
}

std::string describe_certificate(const Certificate& certificate) {
  return certificate.kind == Certificate::Kind::kFarkas
             ? "the inequalities alone contradict each other (a Farkas vector was found)"
             : fmt::format("every choice of the active rows was excluded by a Farkas vector, {} cases", certificate.cases);
}

void take_solution(const ComplementaritySolution& solution, const ComplementarityResidual& residual,
                   const SolveRequest& request, SolveReport& report) {
  report.residual = residual.relative;
  report.worst_residual = residual.worst;
  report.worst = residual.worst_row;
  report.stages = solution.stages;
  report.iterations = solution.iterations;
  report.impulses = solution.x;
  if (residual.relative <= request.tolerance) {
    report.outcome = SolveOutcome::kConverged;
  } else if (solution.status == ComplementarityStatus::kNoSolution && solution.certificate) {
    report.outcome = SolveOutcome::kNoSolution;
    report.reason = describe_certificate(*solution.certificate);
    report.farkas = solution.certificate->y;
  } else {
    report.outcome = SolveOutcome::kNotConverged;
    report.reason = solution.note.empty() ? name_of(solution.status) : solution.note;
  }
}

void solve_problem(const LcpProblem& problem, const SolveRequest& request, SolveReport& report) {
  auto options = options_from<LcpOptions>(request);
  options.method = find_method(lcp_methods(), request.solver, report.kind);
  ComplementaritySolution solution;
  report.wall_time = time_of([&] { solve_lcp(problem, options, solution); });
  report.contacts = static_cast<int>(problem.q.size());
  take_solution(solution, evaluate_residual(problem, solution.x), request, report);
}

void solve_problem(const MlcpProblem& problem, const SolveRequest& request, SolveReport& report) {
  auto options = options_from<MlcpOptions>(request);
  options.method = find_method(mlcp_methods(), request.solver, report.kind);
  ComplementaritySolution solution;
  report.wall_time = time_of([&] { solve_mlcp(problem, options, solution); });
  report.contacts = static_cast<int>(problem.b.size());
  const Eigen::Index n = problem.a.size();
  take_solution(solution, evaluate_residual(problem, solution.x.head(n), solution.x.tail(problem.b.size())), request,
                report);
}

}  // namespace

const char* name_of(SolveOutcome outcome) {
  switch (outcome) {
    case SolveOutcome::kConverged:
      return "converged";
    case SolveOutcome::kNotConverged:
      return "not_converged";
    case SolveOutcome::kNoSolution:
      return "no_solution";
  }
  return "";
}

SolveReport solve_stored(const StoredProblem& stored, const SolveRequest& request) {
  auto options = options_from<ContactSolverOptions>(request);  // the rules are the same for all kinds
  options.threads = request.threads;
  require_valid(options);
  if (request.max_iterations > 0 && request.solver == "portfolio")
    throw ArgumentError(Argument::kMaxIterations, "is for a single method", {}, Remedy::kNameSolver);
  require_projected(request, stored);
  SolveReport report;
  report.kind = stored.kind;
  report.solver = request.solver;
  report.tolerance = request.tolerance;
  std::visit([&](const auto& problem) { solve_problem(problem, request, report); }, stored.problem);
  return report;
}

ProblemDescription describe(const StoredProblem& stored) {
  ProblemDescription description;
  if (const auto* lcp = std::get_if<LcpProblem>(&stored.problem)) {
    description.matrix = report_matrix(lcp->M);
  } else if (const auto* mlcp = std::get_if<MlcpProblem>(&stored.problem)) {
    const Eigen::Index n = mlcp->a.size(), m = mlcp->b.size();
    Eigen::MatrixXd whole(n + m, n + m);
    whole.topLeftCorner(n, n) = mlcp->A;
    whole.topRightCorner(n, m) = mlcp->C;
    whole.bottomLeftCorner(m, n) = mlcp->D;
    whole.bottomRightCorner(m, m) = mlcp->B;
    description.matrix = report_matrix(whole);
  } else {
    const auto& problem = std::get<InclusionProblem>(stored.problem);
    description.matrix = report_matrix(problem.G);
    const auto take = [&](double mu) {
      if (!description.mu) description.mu = {mu, mu};
      description.mu->first = std::min(description.mu->first, mu);
      description.mu->second = std::max(description.mu->second, mu);
    };
    for (size_t i = 0; i < problem.laws.size(); ++i) {
      if (const auto* contact = std::get_if<CoulombContact>(&problem.laws[i])) {
        take(contact->mu1);
        if (problem.G.blocks.block_size(static_cast<int>(i)) == 3) take(contact->mu2);
      } else if (const auto* drilling = std::get_if<DrillingContact>(&problem.laws[i])) {
        take(drilling->mu);
      }
    }
  }
  return description;
}

}  // namespace tippe
