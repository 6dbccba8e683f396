// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/step_length.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/infinity.h"
#include "tippe/core/scaled_root.h"

namespace tippe {

double truncation(double tolerance) {
  return std::max(0.01 * tolerance, 1e-17);
}

namespace {

using Eigen::Index;

/// Whether a polynomial begins so late that its last terms say nothing of how it converges.
bool begins_late(const double* c, Index stride, int order) {
  constexpr int kLeastTerms = 8;
  for (int k = 0; k <= order - kLeastTerms; ++k) {
    if (c[k * stride] != 0.0) return false;
  }
  return true;
}

/// s  over which the last terms of a polynomial are at most `tolerance` of its size: its largest term, or `floor`.
double converging(const double* c, Index stride, int order, double floor, double tolerance) {
  if (floor == 0.0 && begins_late(c, stride, order)) return kInfinity;  // the end of the piece tells
  double h = kInfinity;
  for (int k = order - 2; k <= order; ++k) {
    const double last = std::abs(c[k * stride]);
    if (!(last > 0.0)) continue;
    double step = scaled_root(std::max(floor, std::abs(c[0])) / last, k);  // where the last term is as large as the others
    double power_of_step = 1.0;                                            // step^(k - j)
    for (int j = k - 1; j >= 1; --j) {
      const double ratio = std::abs(c[j * stride]) / last;
      if (!(ratio > (power_of_step *= step))) continue;
      step = std::max(step, scaled_root(ratio, k - j));
      power_of_step = ratio;
    }
    for (int pass = 0; pass < 4; ++pass) {
      double size = floor, power = 1.0;
      for (int j = 1; j < k; ++j) size = std::max(size, std::abs(c[j * stride]) * (power *= step));
      step = std::min(step, scaled_root(tolerance * size / last, k));
    }
    h = std::min(h, step);
  }
  return h;
}

/// Functions of the motion converge over shorter times than the motion. What is small beside what it is made of is held to that.
class FunctionLimit {
 public:
  FunctionLimit(const ModeFlow& flow, const MotionScales& scales, double tolerance)
      : flow_(flow), scales_(scales), tolerance_(tolerance) {}

  void add(const double* c, double floor) {
    step_ = std::min(step_, converging(c, 1, flow_.expanded(), std::max(std::abs(c[0]), floor), tolerance_));
  }
  void add_velocity(const MotionSeries::Row& row) {
    double terms = 0.0;
    for (size_t j = 0; j < row.velocity.size(); ++j)
      terms = std::max(terms, std::abs(row.value[j][0]) * scales_.velocity(row.velocity[j]));
    add(row.gamma, 1e-3 * terms);
  }
  [[nodiscard]] double step() const { return step_; }

 private:
  const ModeFlow& flow_;
  const MotionScales& scales_;
  double tolerance_;
  double step_ = kInfinity;
};

void add_laws(const System& system, const ModeFlow& flow, FunctionLimit& limit) {
  const MotionSeries& series = flow.series();
  for (int i = 0; i < static_cast<int>(flow.modes().size()); ++i) {
    const auto law = static_cast<size_t>(i);
    const ContactMode mode = flow.modes()[law];
    const std::vector<MotionSeries::Row>& rows = series.laws()[law];
    if (mode == ContactMode::kOpen && series.gap(i) != nullptr) {
      limit.add(series.gap(i), 0.0);
    } else if (mode == ContactMode::kOpen) {
      limit.add_velocity(rows[0]);
    } else if (slides(mode)) {
      for (size_t row = system.laws()[law].kind == ForceLaw::Kind::kDryFriction ? 0 : 1; row < rows.size(); ++row)
        limit.add_velocity(rows[row]);
      const bool turns = mode == ContactMode::kSlide && flow.turning(i) != ModeFlow::Turning::kFixed;
      for (int d = 0; d < friction_rows(system.laws()[law]) && turns; ++d) limit.add(flow.sliding_unit(i, d), 1.0);
    }
  }
}

void add_forces(const ModeFlow& flow, FunctionLimit& limit) {
  const int columns = static_cast<int>(flow.columns().size());
  double largest = 0.0;  // kinetic
  for (int c = 0; c < columns; ++c) largest = std::max(largest, std::abs(flow.force(c)[0]) * flow.column_length(c));
  for (int c = 0; c < columns; ++c) {
    const double length = flow.column_length(c);
    if (flow.columns()[static_cast<size_t>(c)].basic) limit.add(flow.force(c), length > 0.0 ? 1e-3 * largest / length : 0.0);
  }
}

/// s  for which a contact that begins to slide in space keeps its first direction where none was found by which it can turn. Friction turns its velocity
/// as fast as it is slow. The shorter this is, the more steps follow: where sliding begins with an acceleration it may be short, where it begins
/// from a limit that is slowly exceeded it may not, and need not.
double time_of_first_direction(const System& system, const ModeFlow& flow) {
  double time = kInfinity;
  for (int law = 0; law < static_cast<int>(flow.modes().size()); ++law) {
    const bool fixed = flow.turning(law) == ModeFlow::Turning::kFixed;
    if (flow.modes()[static_cast<size_t>(law)] != ContactMode::kSlide || !fixed) continue;
    const int first = system.laws()[static_cast<size_t>(law)].first_slip();
    const double acceleration = std::hypot(flow.row_acceleration(law, first), flow.row_acceleration(law, first + 1));
    bool starts_fast = acceleration > 1e-4 * flow.load() * flow.kinetic_length(law, first);
    if (system.laws()[static_cast<size_t>(law)].drilling)
      starts_fast = starts_fast || std::abs(flow.row_acceleration(law, first + 2)) >
                                       1e-4 * flow.load() * flow.kinetic_length(law, first + 2);
    time = std::min(time, (starts_fast ? 1e-5 : 1e-3) * flow.load_time_scale());
  }
  return time;
}

}  // namespace

int taylor_order(double tolerance) {  // Jorba and Zou (2005)
  return std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(truncation(tolerance)))) + 2, 8, 22);
}

double longest_step(const System& system, ModeFlow& flow, const MotionScales& scales, double tolerance) {
  double h = time_of_first_direction(system, flow);
  const int order = flow.expanded();
  for (Index i = 0; i < system.nq(); ++i)
    h = std::min(h, converging(&flow.q()(i, 0), system.nq(), order, scales.coordinate(i), truncation(tolerance)));
  for (Index j = 0; j < system.nu(); ++j)
    h = std::min(h, converging(&flow.u()(j, 0), system.nu(), order, scales.velocity(j), truncation(tolerance)));
  FunctionLimit functions(flow, scales, tolerance);
  add_laws(system, flow, functions);
  add_forces(flow, functions);
  for (const MotionSeries::Switch& branch : flow.series().switches()) {
    if (branch.forced != kStaysZero) functions.add(branch.argument, 0.0);
  }
  h = std::min(h, functions.step());
  return flow.shares_in_space() ? std::min(h, 0.25 * flow.time_scale()) : h;
}

}  // namespace tippe
