// SPDX-License-Identifier: Apache-2.0
// What the last step did, and what the next one depends on.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tippe/hybrid/event_driven.h"
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

void EventDriven::keep_piece() {
  piece_.order = flow_.expanded();
  piece_.q = flow_.q();
  piece_.u = flow_.u();
  piece_.lost.setZero(flow_.order() + 1, 3);
  for (int k = 0; k <= piece_.order; ++k) {
    for (int i = 0; i < static_cast<int>(modes_.size()); ++i) piece_.lost(k, 0) += flow_.law_loss(i)[k];
    piece_.lost(k, 1) = flow_.damping_loss()[k];
    piece_.lost(k, 2) = flow_.driving_power()[k];
  }
  const auto keep = [&](const double* c, Eigen::MatrixXd& columns, Index column) {
    columns.col(column).head(piece_.order + 1) = Eigen::Map<const VectorXd>(c, piece_.order + 1);
  };
  const auto laws = static_cast<Index>(modes_.size()), constraints = static_cast<Index>(system_.constraints().size());
  piece_.law_lost.setZero(flow_.order() + 1, laws);
  piece_.law_forces.setZero(flow_.order() + 1, laws_.impulse.size());
  piece_.constraint_forces.setZero(flow_.order() + 1, constraints);
  piece_.constraint_push = flow_.constraint_push();
  for (int i = 0; i < laws; ++i) {
    if (modes_[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    keep(flow_.law_loss(i), piece_.law_lost, i);
    for (int row = 0; row < system_.laws()[static_cast<size_t>(i)].rows; ++row)
      keep(flow_.law_force(i, row), piece_.law_forces, flow_.first_row(i) + row);
  }
  for (int c = 0; c < constraints; ++c) {
    keep(flow_.constraint_force(c), piece_.constraint_forces, c);
  }
}

/// What laws and damping took and drives gave until t after the beginning of the step.
void EventDriven::book(double t, StepReport& report) {
  const int order = flow_.expanded();
  report.lost_in_damping += integrate_series(flow_.damping_loss(), order, t);
  report.work_done += integrate_series(flow_.driving_power(), order, t);
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (modes_[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    const double lost = integrate_series(flow_.law_loss(i), order, t);
    report.lost_in_contacts += lost;
    laws_.lost[i] += lost;
    for (int row = 0; row < system_.laws()[static_cast<size_t>(i)].rows; ++row)
      laws_.impulse[flow_.first_row(i) + row] += integrate_series(flow_.law_force(i, row), order, t);
  }
  for (int c = 0; c < static_cast<int>(system_.constraints().size()); ++c)
    constraints_.impulse[c] += integrate_series(flow_.constraint_force(c), flow_.expanded(), t);
  constraints_.redundant = flow_.rank() < flow_.held_rows();
  add_integral(flow_.constraint_push(), flow_.expanded(), t, constraints_.on_velocities);
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kContact || modes_[i] == ContactMode::kOpen) continue;
    laws_.speed_scale[static_cast<Index>(i)] = std::sqrt(2.0) * flow_.kinetic_length(static_cast<int>(i), 0);
  }
}

StepReport EventDriven::interpolate(double t, State& state) {
  StepReport report;
  state = end_;
  state.t = t;
  part_laws_.clear();
  part_constraints_.impulse.setZero();
  part_constraints_.on_velocities.setZero();
  part_constraints_.redundant = constraints_.redundant;
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
  report.lost_in_contacts = integrate_series(piece_.lost.col(0).data(), piece_.order, since);
  report.lost_in_damping = integrate_series(piece_.lost.col(1).data(), piece_.order, since);
  report.work_done = integrate_series(piece_.lost.col(2).data(), piece_.order, since);
  return report;
}

void EventDriven::save_memory(std::vector<double>& memory) const {
  memory.clear();
  const auto put = [&](double value) { memory.push_back(value); };
  for (const bool flag : {started_, fresh_, impact_is_due_, limit_.has_value()}) put(flag ? 1.0 : 0.0);
  for (size_t i = 0; i < modes_.size(); ++i) {
    put(static_cast<double>(modes_[i]));
    put(touching_[i] ? 1.0 : 0.0);
    put(departing_[i] ? 1.0 : 0.0);
    put(gap_offset_[static_cast<Index>(i)]);
    put(directions_[i].size() > 0 ? 1.0 : 0.0);
    for (Index d = 0; d < 2; ++d) put(directions_[i].size() > 0 ? directions_[i][d] : 0.0);
  }
  for (const int side : switched_) put(side);
  scales_.save(memory);
  put(idle_transitions_);
  put(rank_);
  put(rows_);
  put(since_impact_);
  put(instant_);
  accumulation_.save(memory);
}

void EventDriven::restore_memory(std::span<const double> memory) {
  const auto take = [&] {
    if (memory.empty()) throw std::invalid_argument("it remembers more numbers");
    const double value = memory.front();
    memory = memory.subspan(1);
    return value;
  };
  const auto take_whole = [&](int least, int most) {
    const double value = take();
    if (!(value >= least && value <= most && value == std::floor(value)))
      throw std::invalid_argument("it remembers a mode, a side or a count that there is not");
    return static_cast<int>(value);
  };
  constexpr int kMost = std::numeric_limits<int>::max();
  if (memory.empty()) return;  // of a run that has not begun
  started_ = take() != 0.0;
  fresh_ = take() != 0.0;
  impact_is_due_ = take() != 0.0;
  const bool limit = take() != 0.0;
  for (size_t i = 0; i < modes_.size(); ++i) {
    modes_[i] = static_cast<ContactMode>(take_whole(0, static_cast<int>(ContactMode::kSlide)));
    touching_[i] = take() != 0.0;
    departing_[i] = take() != 0.0;
    gap_offset_[static_cast<Index>(i)] = take();
    const bool directed = take() != 0.0;
    const double first = take(), second = take();
    directions_[i].resize(directed ? 2 : 0);
    if (directed) directions_[i] << first, second;
  }
  for (int& side : switched_) side = take_whole(-1, 1);
  scales_.restore(memory);
  idle_transitions_ = take_whole(0, kMost);
  rank_ = take_whole(-1, kMost);
  rows_ = take_whole(-1, kMost);
  since_impact_ = take();
  instant_ = take();
  accumulation_.restore(memory, static_cast<int>(modes_.size()));
  if (!memory.empty()) throw std::invalid_argument(fmt::format("it remembers {} numbers less", memory.size()));
  flow_.set_modes(modes_, directions_);
  limit_ = limit ? accumulation_.limit(instant_) : std::nullopt;
  force_branches(selector_.flow().series(), switched_);
}

}  // namespace tippe
