// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_solver.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "tippe/solve/projected.h"

namespace tippe {

std::span<const ContactMethodInfo> contact_methods() {
  static constexpr std::array kMethods = {
      ContactMethodInfo{ContactMethod::kPortfolio, "portfolio",
                        "stages in a fixed order, each from the best iterate so far"},
      ContactMethodInfo{ContactMethod::kGaussSeidel, "gauss-seidel", "sweeps with an exact solution of each contact"},
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
  ProjectedSolver projected;
  std::vector<SolveStage> stages;
};

ContactSolver::ContactSolver() : work_(std::make_unique<Work>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const std::vector<SolveStage>& ContactSolver::stages() const {
  return work_->stages;
}

SolveStatus ContactSolver::solve(const InclusionProblem& problem, const ContactSolverOptions& options, Solution& solution) {
  work_->stages.clear();
  ProjectedOptions projected;
  projected.tolerance = options.tolerance;
  if (options.max_iterations > 0) projected.max_iterations = options.max_iterations;
  if (options.method == ContactMethod::kProjectedJacobi) projected.sweep = ProjectedOptions::Sweep::kJacobi;
  const auto start = std::chrono::steady_clock::now();
  work_->projected.solve(problem, projected, solution);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  work_->stages.push_back({"projected-gauss-seidel", solution.iterations, seconds.count(), solution.residual});
  return solution.status;
}

}  // namespace tippe
