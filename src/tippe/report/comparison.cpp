// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <tuple>

#include "tippe/report/observed_order.h"

namespace tippe {
namespace {

constexpr const char* kExact = "event-driven";
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

ComparedSystem describe(const System& system, const RunOptions& options) {
  return {.coordinates = system.coordinate_names(),
          .velocities = system.velocity_names(),
          .gaps = gap_names(system.laws()),
          .quantities = options.observables.names(),
          .has_constraints = !system.constraints().empty(),
          .has_positions = !holonomic_names(system.constraints()).empty()};
}

/// In the order of Comparison::keep().
std::vector<ComparedQuantity> list_quantities(const ComparedSystem& system) {
  std::vector<ComparedQuantity> list = {{"energy", "Total energy"},
                                        {"energy_change", "Energy since the start"},
                                        {"energy_unexplained", "Energy, unexplained"}};
  const auto add = [&](const char* id, const char* title, const std::vector<std::string>& names) {
    for (const std::string& name : names) list.push_back({fmt::format("{} {}", id, name), fmt::format("{}{}", title, name)});
  };
  add("gap", "Gap ", system.gaps);
  add("q", "Coordinate ", system.coordinates);
  add("u", "Velocity ", system.velocities);
  add("quantity", "Quantity ", system.quantities);
  if (system.has_positions) list.push_back({"constraint_position", "Largest violation of constraints, positions", true});
  if (system.has_constraints) list.push_back({"constraint_velocity", "Largest violation of constraints, velocities", true});
  return list;
}

}  // namespace

std::string run_label(const std::string& integrator, double dt) {
  const IntegratorInfo* info = find_integrator(integrator);
  return info != nullptr && info->adaptive ? integrator : fmt::format("{}, dt = {}", integrator, dt);
}

Comparison::Comparison(ComparedSystem system, RunOrigin origin, CommonTimes times)
    : system_(std::move(system)), origin_(std::move(origin)), times_(times), quantities_(list_quantities(system_)) {
  const auto is_coordinate = [](const ComparedQuantity& quantity) { return quantity.id.starts_with("q "); };
  first_coordinate_ =
      static_cast<size_t>(std::find_if(quantities_.begin(), quantities_.end(), is_coordinate) - quantities_.begin());
}

Comparison::Comparison(const System& system, RunOrigin origin, const RunOptions& options, CommonTimes times)
    : Comparison(describe(system, options), std::move(origin), times) {
  for (size_t i = 0; i < system.laws().size(); ++i) {
    if (system.laws()[i].kind == ForceLaw::Kind::kContact) contacts_.push_back(static_cast<int>(i));
  }
}

size_t Comparison::width(const System& system, const RunOptions& options) {
  return list_quantities(describe(system, options)).size() + options.drawing.columns.names().size();
}

std::vector<std::vector<double>> Comparison::no_values(size_t columns) const {
  return std::vector(columns, std::vector<double>(times_.size(), kNothing));
}

const ComparedRun& Comparison::run(const System& system, const State& start, const RunOptions& options,
                                   const ProgressCallback& progress, const std::atomic<bool>* stop) {
  ComparedRun run;
  run.head = describe_head(system, origin_, options);
  run.adaptive = options.adaptive();
  run.values = no_values(quantities_.size());
  run.drawing = options.drawing.document;
  run.drawing_columns = no_values(options.drawing.columns.names().size());
  run.summary =
      simulate(system, start, options,
               {.progress = progress, .stop = stop, .on_sample = [&](const Sample& sample) { keep(sample, run); }});
  return add(std::move(run));
}

const ComparedRun& Comparison::add(ComparedRun run) {
  assert(run.values.size() == quantities_.size());
  return runs_.emplace_back(std::move(run));
}

void Comparison::keep(const Sample& sample, ComparedRun& run) const {
  const std::optional<size_t> k = times_.find(sample.state.t);
  if (!k) return;
  size_t column = 0;
  const auto put = [&](double value) { run.values[column++][*k] = value; };
  put(sample.ledger.final);
  put(sample.ledger.final - sample.ledger.initial);
  put(sample.ledger.unexplained());
  for (const int contact : contacts_) put(sample.gaps[contact]);
  for (const Eigen::VectorXd* values : {&sample.state.q, &sample.state.u, &sample.quantities}) {
    for (const double value : *values) put(value);
  }
  const ConstraintSample& constraints = sample.constraints;
  if (system_.has_positions) put(constraints.position.lpNorm<Eigen::Infinity>());
  if (system_.has_constraints) put(constraints.velocity.lpNorm<Eigen::Infinity>());
  assert(column == quantities_.size());
  for (size_t c = 0; c < run.drawing_columns.size(); ++c)
    run.drawing_columns[c][*k] = sample.drawing[static_cast<Eigen::Index>(c)];
}

size_t Comparison::reference() const {
  assert(!runs_.empty());
  const auto rank = [&](const ComparedRun& run) {
    const auto same = [&](const ComparedRun& other) { return other.head.integrator == run.head.integrator; };
    const auto first = std::find_if(runs_.begin(), runs_.end(), same) - runs_.begin();
    return std::tuple(run.summary.status != RunStatus::kOk, run.head.integrator != kExact, first, run.head.dt);
  };
  const auto best = std::min_element(runs_.begin(), runs_.end(),
                                     [&](const ComparedRun& a, const ComparedRun& b) { return rank(a) < rank(b); });
  return static_cast<size_t>(best - runs_.begin());
}

bool Comparison::has_exact_reference() const {
  return runs_[reference()].head.integrator == kExact;
}

bool Comparison::diverged(size_t run) const {
  constexpr double kFar = 100.0;
  return !(runs_[run].summary.energy.scale <= kFar * runs_[reference()].summary.energy.scale);
}

double Comparison::difference(size_t run, size_t reference, size_t column, size_t k) const {
  return std::abs(runs_[run].values[column][k] - runs_[reference].values[column][k]);
}

std::optional<Deviation> Comparison::deviation(size_t run, Compared what) const {
  const size_t from = reference();
  if (run == from) return std::nullopt;
  const std::vector<std::string>& names = what == Compared::kPositions ? system_.coordinates : system_.velocities;
  const size_t first = first_coordinate_ + (what == Compared::kPositions ? 0 : system_.coordinates.size());
  Deviation worst;
  for (size_t k = 0; k < times_.size(); ++k) {
    for (size_t c = 0; c < names.size(); ++c) {
      const double value = difference(run, from, first + c, k);
      if (value > worst.value) worst = {value, names[c], times_.time(k)};
    }
  }
  return worst;
}

std::optional<double> Comparison::order(size_t run, Compared what) const {
  const ComparedRun& fine = runs_[run];
  if (!has_exact_reference() || fine.adaptive || fine.summary.status != RunStatus::kOk) return std::nullopt;
  std::optional<size_t> larger;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const RunHead& head = runs_[r].head;
    if (head.integrator != fine.head.integrator || !(head.dt > fine.head.dt) || runs_[r].summary.status != RunStatus::kOk)
      continue;
    if (!larger || head.dt < runs_[*larger].head.dt) larger = r;
  }
  if (!larger) return std::nullopt;
  return observed_order(
      {{runs_[*larger].head.dt, deviation(*larger, what)->value}, {fine.head.dt, deviation(run, what)->value}});
}

std::vector<IntegratorOrder> Comparison::orders() const {
  std::vector<IntegratorOrder> orders;
  if (runs_.empty() || !has_exact_reference()) return orders;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const std::string& name = runs_[r].head.integrator;
    const auto is_known = [&](const IntegratorOrder& other) { return other.integrator == name; };
    if (runs_[r].adaptive || std::any_of(orders.begin(), orders.end(), is_known)) continue;
    IntegratorOrder order{name, {}, {}, {}};
    std::vector<StepError> positions, velocities;
    for (size_t other = r; other < runs_.size(); ++other) {
      if (runs_[other].head.integrator != name || runs_[other].summary.status != RunStatus::kOk) continue;
      order.steps.push_back(runs_[other].head.dt);
      positions.push_back({order.steps.back(), deviation(other, Compared::kPositions)->value});
      velocities.push_back({order.steps.back(), deviation(other, Compared::kVelocities)->value});
    }
    if (order.steps.size() < 2) continue;
    order.positions = observed_order(positions);
    order.velocities = observed_order(velocities);
    orders.push_back(std::move(order));
  }
  return orders;
}

std::vector<double> Comparison::deviations(size_t run) const {
  std::vector<double> result(times_.size(), kNothing);
  const size_t from = reference();
  if (run == from) return result;
  for (size_t k = 0; k < times_.size(); ++k) {
    for (size_t c = 0; c < system_.coordinates.size(); ++c) {
      const double value = difference(run, from, first_coordinate_ + c, k);
      if (!(result[k] >= value)) result[k] = value;
    }
  }
  return result;
}

}  // namespace tippe
