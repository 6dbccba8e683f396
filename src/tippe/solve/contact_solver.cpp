// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_solver.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tippe/core/finite.h"
#include "tippe/solve/island_solver.h"
#include "tippe/solve/islands.h"
#include "tippe/solve/stage_book.h"

namespace tippe {

std::span<const ContactMethodInfo> contact_methods() {
  static constexpr std::array kMethods = {
      ContactMethodInfo{ContactMethod::kPortfolio, "portfolio",
                        "the default: stages of the methods below, from the best iterate so far"},
      ContactMethodInfo{ContactMethod::kGaussSeidel, "gauss-seidel", "sweeps with the exact solution of each contact"},
      ContactMethodInfo{ContactMethod::kAnderson, "anderson", "the same sweeps with Anderson acceleration"},
      ContactMethodInfo{ContactMethod::kMomentum, "momentum", "the same sweeps with Nesterov's momentum"},
      ContactMethodInfo{ContactMethod::kInteriorPoint, "interior-point", "second-order cones with the exact law of Coulomb"},
      ContactMethodInfo{ContactMethod::kConvex, "convex",
                        "convex problems with the slip of the one before, by an interior point"},
      ContactMethodInfo{ContactMethod::kNewton, "newton", "semismooth Newton's method of Alart and Curnier, with sweeps"},
      ContactMethodInfo{ContactMethod::kProximal, "proximal", "proximal point iterations, each solved by Newton's method"},
      ContactMethodInfo{ContactMethod::kAlternatingDirections, "admm",
                        "alternating directions: linear equations and cones in turns"},
      ContactMethodInfo{ContactMethod::kLemke, "lemke", "pivoting, for contacts in the plane"},
      ContactMethodInfo{ContactMethod::kEnumeration, "enumeration", "all contact modes of up to four laws"},
      ContactMethodInfo{ContactMethod::kProjectedGaussSeidel, "projected-gauss-seidel",
                        "prox iteration with the newest values"},
      ContactMethodInfo{ContactMethod::kProjectedJacobi, "projected-jacobi",
                        "prox iteration with the values of the last sweep"},
  };
  return kMethods;
}

const char* name_of(ContactMethod method) {
  for (const ContactMethodInfo& info : contact_methods()) {
    if (info.method == method) return info.name;
  }
  return "";
}

std::string ContactSolverOptions::invalid_reason() const {
  if (!(tolerance > 0.0)) return fmt::format("tolerance = {} must be positive", tolerance);
  if (max_iterations < 0) return fmt::format("max_iterations = {} must not be negative", max_iterations);
  if (!(alpha >= 0.0 && alpha <= 2.0)) return fmt::format("alpha = {} must lie in (0, 2]", alpha);
  if (threads < 1 || threads > 2) return fmt::format("threads = {} must be 1 or 2", threads);
  return {};
}

struct ContactSolver::Work {
  StageBook book;
  IslandSolver solver{book};
  Islands islands;
  InclusionProblem island;
  std::vector<int> rows;  // of the island
  KeptVector Lambda;      // of the island
  ResidualWork residual_work;

  Residual solve_islands(const InclusionProblem& whole, const ContactSolverOptions& options, bool insist,
                         KeptVector& Lambda_whole);
};

/// Island by island. Each may err by its share of what the whole may, measured by its number of blocks; where the problem says that
/// its parts are judged apart, by the whole tolerance.
Residual ContactSolver::Work::solve_islands(const InclusionProblem& whole, const ContactSolverOptions& options, bool insist,
                                            KeptVector& Lambda_whole) {
  if (islands.count() <= 1) {
    solver.solve(whole, options, insist, Lambda_whole);
    return solver.certify(Lambda_whole);
  }
  const bool judged_apart = !whole.part.empty();
  const auto scale_of = [&](const InclusionProblem& problem) {
    prepare_residual(problem, residual_work);
    return residual_scale(residual_work);
  };
  const double total = scale_of(whole);
  for (int k = 0; k < islands.count(); ++k) {
    islands.extract(whole, k, island, rows);
    ContactSolverOptions island_options = options;
    // What the residuals of the island and of the whole are measured by; 1 where c = 0.
    const double own = scale_of(island), own_unit = own > 0.0 ? own : 1.0, total_unit = total > 0.0 ? total : 1.0;
    book.enter_island(k, own_unit / total_unit);
    if (!judged_apart) {
      const double share = std::sqrt(static_cast<double>(islands.size(k)) / whole.G.blocks.blocks());
      island_options.tolerance *= share * total_unit / own_unit;
    }
    Lambda.resize(static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index row = 0; row < Lambda.size(); ++row) Lambda[row] = Lambda_whole[rows[row]];
    solver.solve(island, island_options, insist, Lambda);
    for (Eigen::Index row = 0; row < Lambda.size(); ++row) Lambda_whole[rows[row]] = Lambda[row];
  }
  return certify_residual(whole, Lambda_whole, residual_work);
}

ContactSolver::ContactSolver() : work_(std::make_unique<Work>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const std::vector<SolveStage>& ContactSolver::stages() const {
  return work_->book.stages();
}

int ContactSolver::islands() const {
  return work_->islands.count();
}

SolveStatus ContactSolver::solve(const InclusionProblem& problem, const ContactSolverOptions& options, Solution& solution) {
  if (const std::string reason = invalid_reason(problem); !reason.empty()) throw std::invalid_argument(reason);
  if (const std::string reason = options.invalid_reason(); !reason.empty()) throw std::invalid_argument(reason);
  Work& work = *work_;
  work.book.clear(!problem.part.empty());
  work.islands.find(problem);
  if (solution.Lambda.size() != problem.rows() || !all_finite(solution.Lambda)) solution.Lambda.setZero(problem.rows());
  Residual residual = work.solve_islands(problem, options, false, solution.Lambda);
  const auto resists = [&] { return residual.relative > options.tolerance && std::isfinite(residual.relative); };
  if (resists() && options.method == ContactMethod::kPortfolio) {
    // Where round-off made an iterate look better than it is, there must be room for it.
    ContactSolverOptions strict = options;
    if (evaluate_residual(problem, solution.Lambda, work.residual_work).relative <= options.tolerance) {
      strict.tolerance *= 0.3;
      residual = work.solve_islands(problem, strict, false, solution.Lambda);
    }
    if (resists() && options.effort == SolveEffort::kInsist)
      residual = work.solve_islands(problem, strict, true, solution.Lambda);
  }
  solution.residual = residual.relative;
  solution.worst_block = residual.worst_block;
  solution.iterations = work.book.iterations();
  solution.status = SolveStatus::kMaxIterations;
  if (!std::isfinite(residual.relative)) solution.status = SolveStatus::kNotFinite;
  if (residual.relative <= options.tolerance) solution.status = SolveStatus::kConverged;
  return solution.status;
}

}  // namespace tippe
