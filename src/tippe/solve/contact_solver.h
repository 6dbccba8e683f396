// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/problem/residual.h"
#include "tippe/solve/solution.h"
#include "tippe/solve/stage.h"

namespace tippe {

/// How to solve an inclusion problem. All but the portfolio are single methods, for study and comparison.
enum class ContactMethod {
  kPortfolio,
  kGaussSeidel,
  kAnderson,
  kMomentum,
  kNewton,
  kInteriorPoint,
  kConvex,
  kProximal,
  kAlternatingDirections,
  kLemke,
  kEnumeration,
  kProjectedGaussSeidel,
  kProjectedJacobi,
};

struct ContactMethodInfo {
  ContactMethod method;
  const char* name;         // "gauss-seidel"
  const char* description;  // one line for `tippe list`
};
/// All methods, the portfolio first.
[[nodiscard]] std::span<const ContactMethodInfo> contact_methods();
[[nodiscard]] const char* name_of(ContactMethod method);

/// How far the portfolio goes where the tolerance is hard to reach.
enum class SolveEffort {
  kShort,   // for tolerances below 1e-11: one sweep and Newton's method will do if they reach 1e-10
  kFull,    // all stages once
  kInsist,  // all stages, then afresh, then in turns with growing budgets, at great cost
};

struct ContactSolverOptions {
  ContactMethod method = ContactMethod::kPortfolio;
  double tolerance = 1e-8;  // 1  converged when Residual::relative <= tolerance
  int max_iterations = 0;   //    of a single method on each island; 0: its own budget. The portfolio has budgets of its own
  SolveEffort effort = SolveEffort::kInsist;  // of the portfolio
  double enough = 0.0;                        // 1  a residual at which it does not begin with another of its last means
  int threads = 1;                            //    1 or 2, for large problems; the result does not depend on it
  double alpha =
      0.0;  // 1  relaxation of the projected iterations, in (0, 2]; 0: their own, 1 (Gauss-Seidel) and 0.3 (Jacobi)
  bool recover = true;    //    of the projected iterations, see ProjectedOptions
  bool transform = true;  //    likewise
  bool timed = false;     //    SolveStage::seconds are measured: reading the clock takes 2 % of a small problem

  [[nodiscard]] std::string invalid_reason() const;  // empty if usable
};

/// The solver of all contact problems: friction, unilateral and bilateral rows, drilling. Stages start from the best iterate
/// so far, the last means also from zero; what is returned is the best iterate, with its residual measured on the problem as given. Budgets are counted in
/// iterations, so that the answer does not depend on the machine.
class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  /// Starts from solution.Lambda if its size fits, else from zero. Throws std::invalid_argument with the invalid_reason() of the problem
  /// or the options, if there is one.
  SolveStatus solve(const InclusionProblem& problem, const ContactSolverOptions& options, Solution& solution);

  /// How many islands the last problem had: parts that do not act on each other, each solved apart.
  [[nodiscard]] int islands() const;

  /// The stages of the last solve(), over all islands; none where the method does not apply to the problem.
  [[nodiscard]] const std::vector<SolveStage>& stages() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tippe
