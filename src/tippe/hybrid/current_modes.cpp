// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/current_modes.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tippe/hybrid/memory_reader.h"
#include "tippe/hybrid/motion_probe.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr int kMostDirections = 3;  // of friction, with drilling

}  // namespace

CurrentModes::CurrentModes(const System& system, size_t switches)
    : modes(system.laws().size(), ContactMode::kOpen),
      directions(system.laws().size()),
      touching(system.laws().size(), false),
      departing(system.laws().size(), false),
      starting(system.laws().size(), false),
      gap_offset(VectorXd::Zero(static_cast<Index>(system.laws().size()))),
      sides(switches, 0) {
  for (const ForceLaw& law : system.laws()) {
    row_count += law.rows;
    friction_rows.push_back(tippe::friction_rows(law));
  }
}

std::vector<bool> CurrentModes::closed() const {
  std::vector<bool> closed(modes.size());
  for (size_t i = 0; i < closed.size(); ++i) closed[i] = modes[i] != ContactMode::kOpen;
  return closed;
}

void CurrentModes::take_events(std::span<const FoundEvent> found) {
  for (const FoundEvent& event : found) {
    const auto i = static_cast<size_t>(event.function.law);
    if (event.function.kind == EventFunction::Kind::kGap) touching[i] = true;
    if (event.function.kind == EventFunction::Kind::kSwitch) sides[i] = event.after;
  }
}

std::vector<VectorXd> CurrentModes::directions_at(const ModeFlow& flow, double t) const {
  std::vector<VectorXd> now = directions;
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    VectorXd& direction = now[static_cast<size_t>(i)];
    if (flow.is_slow(i)) {
      direction = flow.sliding_direction(i, t);
    } else if (flow.turning(i) == ModeFlow::Turning::kByVelocity) {
      direction.resize(0);
    }
  }
  return now;
}

/// Whether the gap of an open contact or the slip of a sliding law is what its mode says: not where round-off is all there is of it.
bool CurrentModes::has_begun(const System& system, const MotionSeries& series, size_t law) const {
  const ForceLaw& what = system.laws()[law];
  const std::vector<MotionSeries::Row>& rows = series.laws()[law];
  const double* gap = series.gap(static_cast<int>(law));
  if (modes[law] == ContactMode::kOpen)
    return (gap != nullptr ? gap[0] - gap_offset[static_cast<Index>(law)] : rows[0].gamma[0]) > 0.0;
  const int first = what.first_slip();
  const double slip = rows[static_cast<size_t>(first)].gamma[0];
  if (modes[law] != ContactMode::kSlide) return modes[law] == ContactMode::kSlideForward ? slip > 0.0 : slip < 0.0;
  double speed = 0.0;
  for (Index d = 0; d < directions[law].size(); ++d) {
    const double mu = friction_along(what, first + static_cast<int>(d));
    speed += mu * mu * directions[law][d] * rows[static_cast<size_t>(first + d)].gamma[0];
  }
  return directions[law].size() == 0 || speed > 0.0;
}

bool CurrentModes::leave_transition(const State& state, const ModeFlow& flow, double duration, MotionProbe& probe,
                                    Evaluator& evaluator) {
  std::fill(sides.begin(), sides.end(), 0);
  if (gap_offset.size() > 0 && gap_offset.minCoeff() < 0.0) {
    evaluator.set_state(state.t, state.q, state.u);
    const VectorXd gaps = gaps_of(evaluator);
    for (size_t i = 0; i < modes.size(); ++i) {
      const auto law = static_cast<Index>(i);
      if (modes[i] == ContactMode::kOpen && gaps[law] > 0.0) gap_offset[law] = 0.0;
    }
  }
  directions = directions_at(flow, duration);
  bool fresh = false;
  const MotionSeries* series = nullptr;
  for (size_t i = 0; i < modes.size(); ++i) {
    const bool dry = flow.system().laws()[i].kind == ForceLaw::Kind::kDryFriction;
    const bool opens = modes[i] == ContactMode::kOpen, leaves = opens ? touching[i] && !departing[i] && !dry : starting[i];
    if (leaves && series == nullptr) series = &probe.evaluate(state, sides);
    const bool stays = leaves && !has_begun(flow.system(), *series, i);
    touching[i] = !opens || stays;
    starting[i] = !opens && stays;
    departing[i] = false;
    fresh = fresh || stays;
    if (stays || modes[i] != ContactMode::kSlide || flow.turning(static_cast<int>(i)) != ModeFlow::Turning::kFixed) continue;
    directions[i].resize(0);  // from now on it has a velocity
    fresh = true;
  }
  return fresh;
}

void CurrentModes::save(std::vector<double>& memory) const {
  for (size_t i = 0; i < modes.size(); ++i) {
    const bool directed = directions[i].size() > 0;
    memory.insert(memory.end(), {static_cast<double>(modes[i]), touching[i] ? 1.0 : 0.0, departing[i] ? 1.0 : 0.0,
                                 starting[i] ? 1.0 : 0.0, gap_offset[static_cast<Index>(i)], directed ? 1.0 : 0.0});
    for (Index d = 0; d < kMostDirections; ++d) memory.push_back(d < directions[i].size() ? directions[i][d] : 0.0);
  }
  memory.push_back(static_cast<double>(shares.size()));
  memory.insert(memory.end(), shares.begin(), shares.end());
  memory.insert(memory.end(), sides.begin(), sides.end());
}

void CurrentModes::restore(std::span<const double>& memory) {
  for (size_t i = 0; i < modes.size(); ++i) {
    modes[i] = static_cast<ContactMode>(take_whole(memory, 0, static_cast<int>(ContactMode::kSlide)));
    touching[i] = take_number(memory) != 0.0;
    departing[i] = take_number(memory) != 0.0;
    starting[i] = take_number(memory) != 0.0;
    gap_offset[static_cast<Index>(i)] = take_number(memory);
    const bool directed = take_number(memory) != 0.0;
    std::array<double, kMostDirections> direction{};
    for (double& component : direction) component = take_number(memory);
    directions[i] = Eigen::Map<const VectorXd>(direction.data(), directed ? friction_rows[i] : 0);
  }
  constexpr int kMostRows = 1 << 24;
  const int rows = take_whole(memory, 0, kMostRows);
  if (rows > static_cast<int>(memory.size()) || (rows > 0 && rows != row_count))
    throw std::invalid_argument("it remembers forces of other laws");
  shares.resize(rows);
  for (double& share : shares) share = take_number(memory);
  for (int& side : sides) side = take_whole(memory, -1, 1);
}

}  // namespace tippe
