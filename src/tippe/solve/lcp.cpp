// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/lcp.h"

#include <fmt/format.h>

#include <array>

#include "tippe/solve/complementarity_stages.h"

namespace tippe {

std::span<const LcpMethodInfo> lcp_methods() {
  static constexpr std::array kMethods = {
      LcpMethodInfo{LcpMethod::kPortfolio, "portfolio", "stages in a fixed order, and proofs that there is no solution"},
      LcpMethodInfo{LcpMethod::kLemke, "lemke", "complementary pivoting with lexicographic anti-cycling"},
      LcpMethodInfo{LcpMethod::kProjectedGaussSeidel, "projected-gauss-seidel", "sweeps with the newest values"},
      LcpMethodInfo{LcpMethod::kNewton, "newton", "semismooth Newton method on the Fischer-Burmeister equations"},
      LcpMethodInfo{LcpMethod::kEnumeration, "enumeration", "all choices of a zero in each pair, for small problems"},
  };
  return kMethods;
}

std::string LcpOptions::invalid_reason() const {
  if (!(tolerance > 0.0)) return fmt::format("tolerance = {} must be positive", tolerance);
  if (max_iterations < 0) return fmt::format("max_iterations = {} must not be negative", max_iterations);
  return {};
}

ComplementarityStatus solve_lcp(const LcpProblem& lcp, const LcpOptions& options, ComplementaritySolution& solution) {
  require_sizes(lcp);
  const MlcpProblem problem = as_mlcp(lcp);
  if (!begin_solution(problem, solution)) return solution.status;
  ComplementarityStages stages(problem, options.tolerance, solution);
  switch (options.method) {
    case LcpMethod::kPortfolio:
      stages.portfolio();
      break;
    case LcpMethod::kLemke:
      stages.lemke(0, 1, options.max_iterations);
      break;
    case LcpMethod::kProjectedGaussSeidel:
      stages.projected_gauss_seidel(options.max_iterations);
      break;
    case LcpMethod::kNewton:
      stages.newton(options.max_iterations);
      break;
    case LcpMethod::kEnumeration:
      stages.enumeration(options.max_iterations);
      break;
  }
  return solution.status;
}

}  // namespace tippe
