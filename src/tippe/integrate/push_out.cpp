// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/push_out.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

constexpr double kShare = 0.5;  // of a depth, removed
constexpr double kEvery = 4.0;  // steps: in each of them it took 8 % of the time of a tippe top

}  // namespace

bool PushOut::is_due() const {
  return phase_ == 0.0 || phase_ >= kEvery;
}

void PushOut::apply(const Step& step, State& state, StepReport& report) {
  budget_ += report.lost_along_normals;
  const bool first = phase_ == 0.0, now = is_due();
  phase_ = (now ? 0.0 : phase_) + step.part;
  if (!now) return;
  if (!find_depths(step, state.u) || !solve(step)) return;
  step.evaluator.map_velocities(displacement_, dq_);
  const auto energy = [&] {
    step.evaluator.set_state(state.t, state.q, state.u);
    const Energies energies = step.evaluator.evaluate_energies();
    return energies.kinetic + energies.potential;
  };
  const double before = energy();
  q_before_ = state.q;
  u_before_ = state.u;
  const auto move = [&](double part) {
    state.q = q_before_ + part * dq_;
    state.u = u_before_;
    system_.normalize(state.q);
    StepReport projection;
    if (step.keeps != nullptr && step.keeps->project_positions(state.t, state.q, projection))
      step.keeps->project_velocities(state.t, state.q, state.u, projection);
    return projection.ok() ? energy() - before : kInfinity;
  };
  const auto stay = [&] {
    state.q = q_before_;
    state.u = u_before_;
    return 0.0;
  };
  double rise = move(1.0);
  if (!std::isfinite(rise)) rise = stay();
  if (first) budget_ += std::max(0.0, rise) / kShare;  // what the start has is not the scheme's, and comes out
  const double allowed = std::max(0.0, budget_);
  if (rise > allowed) rise = move(allowed / rise);
  if (rise > allowed) rise = stay();  // it is not linear
  budget_ -= rise;
  report.pushed_out += rise;
}

void PushOut::save(NamedArrays& memory) const {
  std::vector<double>& own = memory.begin_array("push_out.phase_and_budget");
  own.push_back(phase_);
  own.push_back(budget_);
}

void PushOut::restore(const NamedArrays& memory) {
  const std::span<const double> own = memory.at("push_out.phase_and_budget", 2);
  phase_ = own[0] > 0.0 && own[0] <= kEvery ? own[0] : 0.0;
  budget_ = own[1];
}

/// How far each contact must move, judged by its gap and its direction where the laws were found: what is left of second order is seen
/// next time. False if none must.
bool PushOut::find_depths(const Step& step, const Eigen::VectorXd& u) {
  const ActiveLaws& laws = step.laws;
  normals_.clear();
  ways_.clear();
  bool any = false;
  for (int a = 0, row = 0; a < laws.size(); row += laws.rows_of(a++)) {
    if (laws.law(a).kind != ForceLaw::Kind::kContact) continue;
    const double depth = -laws.gap(a) - laws.moved(row, step.onward, step.time);
    const double speed = laws.relative_velocity(row, u);
    // What opens by itself is not pushed, and what is open may close.
    const double way = depth > 0.0 ? std::max(0.0, kShare * depth - kEvery * step.dt * std::max(0.0, speed)) : depth;
    any = any || (way > 0.0 && way > kShare * laws.resting_gap(a, row, step.q, step.dt));
    normals_.push_back({a, row});
    ways_.push_back(way);
  }
  return any;
}

/// The displacement, as velocities times a time. It need not be exact: what it leaves goes next time.
bool PushOut::solve(const Step& step) {
  constexpr double kTolerance = 1e-4, kUsable = 0.1;
  const InclusionProblem& of_step = step.laws.problem();
  const auto count = static_cast<int>(normals_.size());
  displacement_.setZero(system_.nu());
  if (const double G = of_step.G.blocks.diagonal_block(normals_[0].block)[0]; count == 1 && G > 0.0) {
    step.laws.add_direction(normals_[0].row, ways_[0] / G, displacement_);
  } else {
    problem_.laws.assign(ways_.size(), HalfLine{});
    problem_.c = -Eigen::Map<const Eigen::VectorXd>(ways_.data(), count);
    sizes_.assign(ways_.size(), 1);
    SparseColumns& Y = problem_.G.Y;
    Y.clear();
    for (const Normal& normal : normals_) Y.append_column(of_step.G.Y, normal.row);
    delassus_builder_.build(sizes_, system_.nu(), problem_.G);
    delassus_builder_.find_parts(problem_.part);
    solution_.Lambda.setZero(count);
    solver_.solve(problem_, {.tolerance = kTolerance, .effort = SolveEffort::kFull}, solution_);
    if (!(solution_.residual <= kUsable)) return false;
    for (int k = 0; k < count; ++k)
      step.laws.add_direction(normals_[static_cast<size_t>(k)].row, solution_.Lambda[k], displacement_);
  }
  step.M.solve_in_place(displacement_);
  return displacement_.allFinite();
}

}  // namespace tippe
