// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/push_out.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace tippe {
namespace {

constexpr double kShare = 0.2;  // of a depth, removed in a step

}  // namespace

PushOut::PushOut(const System& system) : system_(system), evaluator_(system.make_evaluator()) {
  gaps_.setZero(static_cast<Eigen::Index>(system.laws().size()));
}

void PushOut::apply(ConstrainedMass& M, const ActiveLaws& laws, bool may_be_deep, double dt, State& state,
                    StepReport& report) {
  budget_ += report.lost_along_normals;
  const bool first = !has_begun_;
  has_begun_ = true;
  if (!may_be_deep) return;
  if (!find_depths(laws, dt, state) || !solve(M)) return;
  const double before = energy(state);
  evaluator_->map_velocities(displacement_, dq_);
  q_before_ = state.q;
  const auto move = [&](double part) {
    state.q = q_before_ + part * dq_;
    system_.normalize(state.q);
    return energy(state) - before;
  };
  double rise = move(1.0);
  if (first) budget_ += std::max(0.0, rise) / kShare;  // what the start has is not the scheme's, and comes out
  const double allowed = std::max(0.0, budget_);
  if (rise > allowed) rise = move(allowed / rise);
  if (rise > allowed) rise = move(0.0);  // it is not linear
  budget_ -= rise;
  report.pushed_out += rise;
}

void PushOut::save(std::vector<double>& memory) const {
  memory.push_back(has_begun_ ? 1.0 : 0.0);
  memory.push_back(budget_);
}

void PushOut::restore(std::span<const double> memory) {
  has_begun_ = memory[0] != 0.0;
  budget_ = memory[1];
}

/// The normals of the contacts that acted, and how far each must move; false if none must.
bool PushOut::find_depths(const ActiveLaws& laws, double dt, const State& state) {
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_gaps(gaps_);
  W_.clear();
  chi_.clear();
  ways_.clear();
  bool any = false;
  int rows = 0;
  for (const int i : laws.active()) {
    if (system_.laws()[static_cast<size_t>(i)].kind != ForceLaw::Kind::kContact) continue;
    evaluator_->append_directions(i, W_, chi_);
    W_.truncate(rows + 1);
    chi_.resize(static_cast<size_t>(rows) + 1);
    const double speed = W_.dot(rows, state.u.data()) + chi_.back(), depth = -gaps_[i];
    // What opens by itself is not pushed, and what is open may close.
    const double way = depth > 0.0 ? std::max(0.0, kShare * depth - dt * std::max(0.0, speed)) : depth;
    any = any || way > kShare * laws.resting_gap(i, W_, rows, state.q, dt);
    ways_.push_back(way);
    ++rows;
  }
  return any;
}

/// The displacement, as velocities times a time. It need not be exact: what it leaves, the next step removes.
bool PushOut::solve(ConstrainedMass& M) {
  constexpr double kTolerance = 1e-4, kUsable = 0.1;
  problem_.laws.assign(ways_.size(), HalfLine{});
  problem_.c = -Eigen::Map<const Eigen::VectorXd>(ways_.data(), static_cast<Eigen::Index>(ways_.size()));
  sizes_.assign(ways_.size(), 1);
  SparseColumns& Y = problem_.G.Y;
  Y.clear();
  for (int k = 0; k < W_.columns(); ++k) {
    const auto begin = static_cast<size_t>(W_.start[k]), count = static_cast<size_t>(W_.start[k + 1]) - begin;
    M.append_kinetic_column(std::span(W_.row).subspan(begin, count), std::span(W_.value).subspan(begin, count), Y);
  }
  delassus_builder_.build(sizes_, system_.nu(), problem_.G);
  delassus_builder_.find_parts(problem_.part);
  solution_.Lambda.setZero(W_.columns());
  if (const double G = problem_.G.blocks.diagonal_block(0)[0]; ways_.size() == 1 && G > 0.0) {
    solution_.Lambda[0] = ways_[0] / G;
  } else {
    solver_.solve(problem_, {.tolerance = kTolerance, .effort = SolveEffort::kFull}, solution_);
    if (!(solution_.residual <= kUsable)) return false;
  }
  displacement_.setZero(system_.nu());
  for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, solution_.Lambda[k], displacement_.data());
  M.solve_in_place(displacement_);
  return displacement_.allFinite();
}

std::span<const double> restore_push_out(std::span<const double> memory, std::optional<PushOut>& push_out) {
  if (!push_out) return memory;
  if (memory.size() < PushOut::kMemorySize) throw std::invalid_argument("it does not remember how contacts are pushed out");
  push_out->restore(memory.last(PushOut::kMemorySize));
  return memory.first(memory.size() - PushOut::kMemorySize);
}

double PushOut::energy(const State& state) {
  evaluator_->set_state(state.t, state.q, state.u);
  const Energies energies = evaluator_->evaluate_energies();
  return energies.kinetic + energies.potential;
}

}  // namespace tippe
