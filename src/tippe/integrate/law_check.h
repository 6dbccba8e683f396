// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/integrate/integrator.h"

namespace tippe {

/// Looks at what the laws did in a step with plain inequalities from their definitions: normal impulses push, contacts do not close,
/// either the impulse or the velocity vanishes, friction stays within its limit and takes all the energy that its limit allows. Shares
/// nothing with the solvers and their residual, so that an error there shows here.
class LawCheck {
 public:
  void clear() { checked_.clear(); }
  /// A law that acted, each vector by rows and kept by the caller.
  struct Law {
    int number;
    const ForceLaw* law;
    const double* Lambda;            // its impulses
    const double* xi;                // the velocities on which it acts
    const double* terms;             // sum of the sizes of the terms of each xi, for its round-off
    const double* G;                 // its block of G, row by row
    double dt;                       // in which a limited force acts; 0 in an impact
    int part;                        // of the problem: parts do not act on each other, and have scales of their own
    double least = 0.0;              // normal impulse that it gives at least, as in the expansion of Poisson's impact law
    bool is_equation = false;        // xi = 0 with an impulse of either sign, as a restitution matrix asks for; one row
    double share = 1.0;              // of its friction at rest, where it falls with the slip
    const double* before = nullptr;  // impulses of the phase before, which velocities are the small rest of
  };
  void add(const Law& law) { checked_.push_back(law); }

  struct Violation {
    int law;
    std::string what;  // "it pulls with an impulse of 3.3"
  };
  /// The first law that violates its definition by more than `tolerance` of the impulses and velocities of its part.
  [[nodiscard]] std::optional<Violation> judge(double tolerance);

 private:
  /// A row of a law in kinetic units: all in sqrt(J).
  struct Row {
    double root_G;    // what an impulse is multiplied with, and a velocity divided by; 0: nothing can move along it
    double impulse;   // Lambda sqrt(G)
    double velocity;  // xi / sqrt(G)
  };
  struct Scale {
    double size = 0.0;       // sqrt(J)  of impulses and velocities of a part
    double round_off = 0.0;  // sqrt(J)  of its velocities
  };
  void find_rows();
  [[nodiscard]] std::optional<std::string> judge(const Law& law, const Row* rows, double tolerance) const;
  [[nodiscard]] std::optional<std::string> judge_friction(const Law& law, const Row* tangents, int count,
                                                          const std::array<double, 2>& bounds,
                                                          const std::array<double, 2>& limits, double mu,
                                                          double tolerance) const;

  std::vector<Law> checked_;
  std::vector<Row> rows_;     // of all laws, one after the other
  std::vector<Scale> scale_;  // of each part
};

/// Fails a step with this residual in which a law does something that it may not.
void fail_by_law(const System& system, const LawId& law, const std::string& what, double residual, StepReport& report);

/// Fails a step whose laws are violated by more than a hundred times what it claims, and names the law. `ids`: of the laws by their
/// numbers.
void report_violation(LawCheck& check, const System& system, std::span<const LawId> ids, double residual,
                      StepReport& report);

}  // namespace tippe
