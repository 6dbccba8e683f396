// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/friction_curve.h"

#include <vector>

#include "tippe/model/force_law.h"

namespace tippe {

FrictionCurve::FrictionCurve(double share) : constant_(share) {}

FrictionCurve::FrictionCurve(std::shared_ptr<const ExprGraph> graph, Expr share)
    : graph_(std::move(graph)), expression_(share) {
  if (share.is_constant()) constant_ = share.constant_value();
  function_ = program_.add({&expression_, 1});
}

double FrictionCurve::share(double slip_speed) const {
  if (constant_) return *constant_;
  thread_local std::vector<double> memory;
  const std::vector<double>& fresh = program_.memory();
  memory.assign(fresh.begin(), fresh.end());
  memory[0] = slip_speed;
  double value = 0.0;
  program_.evaluate(function_, memory, &value);
  return value;
}

std::shared_ptr<const FrictionCurve> make_friction_curve(double share) {
  return std::make_shared<const FrictionCurve>(share);
}

std::shared_ptr<const FrictionCurve> make_friction_curve(std::shared_ptr<const ExprGraph> graph, const Expr& share) {
  return std::make_shared<const FrictionCurve>(std::move(graph), share);
}

double ForceLaw::share(double slip_speed) const {
  return falling ? falling->share(slip_speed) : 1.0;
}

}  // namespace tippe
