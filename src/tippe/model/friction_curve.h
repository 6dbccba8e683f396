// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "tippe/expr/graph.h"
#include "tippe/expr/program.h"

namespace tippe {

/// Friction that is largest at rest: what slides with the speed v has the share(v) of the coefficient, or of the limit, that it has at rest.
/// From 0 on; share(0) is that of a slip that begins. Immutable.
class FrictionCurve {
 public:
  /// The same at every speed, as of a static and a kinetic coefficient.
  explicit FrictionCurve(double share);
  /// An expression whose input 0 is the speed; the graph is kept.
  FrictionCurve(std::shared_ptr<const ExprGraph> graph, Expr share);

  /// From any thread. `slip_speed` >= 0, m/s.
  [[nodiscard]] double share(double slip_speed) const;
  /// Where it is the same at every speed.
  [[nodiscard]] std::optional<double> constant() const { return constant_; }
  /// Of input 0, for those who differentiate it themselves; absent where it is constant.
  [[nodiscard]] Expr expression() const { return expression_; }

 private:
  std::optional<double> constant_;
  std::shared_ptr<const ExprGraph> graph_;
  Expr expression_;
  ExprProgram program_{1};
  int function_ = -1;
};

}  // namespace tippe
