// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/lagrangian.h"

namespace tippe {

/// A Lagrangian system with laws of other strength: nothing is compiled again. The other system must outlive it. Changes only while nobody uses it.
class ChangedSystem final : public System {
 public:
  /// `system` must have expressions.
  explicit ChangedSystem(const System& system);

  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override { return system_.make_evaluator(); }
  [[nodiscard]] std::unique_ptr<MotionSeries> make_series(int order) const override;
  [[nodiscard]] bool has_constant_forces() const override { return system_.has_constant_forces(); }
  [[nodiscard]] const LagrangianDescription* lagrangian() const override { return &description_; }

  /// Of its own laws and those of its description.
  void set(size_t law, double ForceLaw::*number, double value);
  void set_restitution(size_t law, size_t row, double value);
  void set_limit(size_t law, size_t side, double value);

 private:
  const System& system_;
  LagrangianDescription description_;
};

}  // namespace tippe
