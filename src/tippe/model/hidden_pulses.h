// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/model/lagrangian.h"

namespace tippe {

/// What depends on time alone in the equations of a system, and may pass unseen between the stages of a step that is chosen by its error:
/// exp(-((t - 0.5)/1e-6)^2) is zero wherever a step of 0.1 s looks. Interval arithmetic says how far a function goes in a whole step.
class HiddenPulses {
 public:
  /// Where a scheme looks within its steps: at the stages of `dopri5`, or with all derivatives at the beginning, and at switches.
  enum class Looks { kAtStages, kAtBeginning };

  HiddenPulses(const System& system, Looks looks);

  /// s   The longest of dt, dt/2, dt/4, ... from t on that hides nothing: no part of it shorter than about a fifth has more than thrice the change that is
  /// seen.
  [[nodiscard]] double resolved_step(double t, double dt);

 private:
  struct Range {
    double low, high;
    [[nodiscard]] double width() const { return high - low; }
  };
  struct Step {
    Op op;
    int a, b, c;  // earlier steps
    double value;
    bool switches;  // or an operand does
    bool scales;    // time, or a multiple of an earlier step plus a constant: as sharp as that is
  };

  void add(const ExprGraph& graph, std::span<const Expr> roots, int time);
  [[nodiscard]] bool scales(const Step& step) const;
  [[nodiscard]] static Range range_of(const Step& step, const Range& a, const Range& b, const Range& c);
  void look(double begin, double end);  // range_
  void see(double t, bool first);       // seen_
  [[nodiscard]] bool hides(double begin, double end);
  [[nodiscard]] bool is_sharp(size_t function, double begin, double end);  // of whole_

  Looks looks_;
  std::vector<Step> steps_;
  std::vector<Range> range_, whole_, seen_;
  std::vector<double> value_;
};

}  // namespace tippe
