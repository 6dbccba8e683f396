// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/step_books.h"

#include <cmath>

#include "tippe/hybrid/series.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// Each row one polynomial, coefficient k in column k: sum += its integral from 0 to t.
void add_integral(const Eigen::MatrixXd& c, int order, double t, VectorXd& sum) {
  double power = t;
  for (int k = 0; k <= order; ++k, power *= t) sum += c.col(k) * (power / (k + 1));
}

}  // namespace

void book_motion(const System& system, const ModeFlow& flow, double t, double shift, LawStep& laws,
                 ConstraintStep& constraints, StepReport& report) {
  const int order = flow.expanded();
  report.lost_in_damping += integrate_series(flow.damping_loss(), order, t);
  report.work_done +=
      integrate_series(flow.driving_power(), order, t) + shift * evaluate_series(flow.place_power(), order, t);
  for (int i = 0; i < static_cast<int>(system.laws().size()); ++i) {
    if (flow.modes()[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    const ForceLaw& law = system.laws()[static_cast<size_t>(i)];
    const double lost = integrate_series(flow.law_loss(i), order, t);
    report.lost_in_contacts += lost;
    laws.lost[i] += lost;
    for (int row = 0; row < law.rows; ++row)
      laws.impulse[flow.first_row(i) + row] += integrate_series(flow.law_force(i, row), order, t);
    if (law.kind == ForceLaw::Kind::kContact) laws.speed_scale[i] = std::sqrt(2.0) * flow.kinetic_length(i, 0);
  }
  for (int c = 0; c < static_cast<int>(system.constraints().size()); ++c)
    constraints.impulse[c] += integrate_series(flow.constraint_force(c), order, t);
  constraints.redundant = flow.rank() < flow.held_rows();
  add_integral(flow.constraint_push(), order, t, constraints.on_velocities);
}

StepBooks::StepBooks(const System& system) : system_(system), part_laws_(system.laws()) {
  part_constraints_.impulse.setZero(static_cast<Index>(system.constraints().size()));
  part_constraints_.on_velocities.setZero(system.nu());
}

void StepBooks::begin(const State& state) {
  t_B_ = state.t;
  end_ = state;
  piece_.order = -1;
}

void StepBooks::keep(const ModeFlow& flow, const State& end) {
  end_ = end;
  piece_.order = flow.expanded();
  piece_.q = flow.q();
  piece_.u = flow.u();
  const auto laws = static_cast<Index>(system_.laws().size()),
             constraints = static_cast<Index>(system_.constraints().size());
  piece_.lost.setZero(flow.order() + 1, 3);
  for (int k = 0; k <= piece_.order; ++k) {
    for (int i = 0; i < laws; ++i) piece_.lost(k, 0) += flow.law_loss(i)[k];
    piece_.lost(k, 1) = flow.damping_loss()[k];
    piece_.lost(k, 2) = flow.driving_power()[k];
  }
  const auto keep_column = [&](const double* c, Eigen::MatrixXd& columns, Index column) {
    columns.col(column).head(piece_.order + 1) = Eigen::Map<const VectorXd>(c, piece_.order + 1);
  };
  piece_.law_lost.setZero(flow.order() + 1, laws);
  piece_.law_forces.setZero(flow.order() + 1, part_laws_.impulse.size());
  piece_.constraint_forces.setZero(flow.order() + 1, constraints);
  piece_.constraint_push = flow.constraint_push();
  for (int i = 0; i < laws; ++i) {
    if (flow.modes()[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    keep_column(flow.law_loss(i), piece_.law_lost, i);
    for (int row = 0; row < system_.laws()[static_cast<size_t>(i)].rows; ++row)
      keep_column(flow.law_force(i, row), piece_.law_forces, flow.first_row(i) + row);
  }
  for (int c = 0; c < constraints; ++c) keep_column(flow.constraint_force(c), piece_.constraint_forces, c);
}

StepReport StepBooks::interpolate(double t, bool redundant, State& state) {
  StepReport report;
  state = end_;
  state.t = t;
  part_laws_.clear();
  part_constraints_.impulse.setZero();
  part_constraints_.on_velocities.setZero();
  part_constraints_.redundant = redundant;
  if (piece_.order < 0) return report;
  const double since = t - t_B_;
  const auto integral = [&](const Eigen::MatrixXd& columns, Index column) {
    return integrate_series(columns.col(column).data(), piece_.order, since);
  };
  for (Index i = 0; i < piece_.law_lost.cols(); ++i) part_laws_.lost[i] = integral(piece_.law_lost, i);
  for (Index row = 0; row < piece_.law_forces.cols(); ++row) part_laws_.impulse[row] = integral(piece_.law_forces, row);
  for (Index c = 0; c < piece_.constraint_forces.cols(); ++c)
    part_constraints_.impulse[c] = integral(piece_.constraint_forces, c);
  add_integral(piece_.constraint_push, piece_.order, since, part_constraints_.on_velocities);
  if (t < end_.t) {
    evaluate_columns(piece_.q, piece_.order, since, state.q);
    evaluate_columns(piece_.u, piece_.order, since, state.u);
    system_.normalize(state.q);
  }
  report.lost_in_contacts = integral(piece_.lost, 0);
  report.lost_in_damping = integral(piece_.lost, 1);
  report.work_done = integral(piece_.lost, 2);
  return report;
}

}  // namespace tippe
