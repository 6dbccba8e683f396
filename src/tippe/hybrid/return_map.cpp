// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/return_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/infinity.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

bool same_event(const Event& a, const Event& b) {
  return a.kind == b.kind && a.laws == b.laws && a.after == b.after;
}

}  // namespace

bool Passage::same_events(const Passage& other) const {
  return std::equal(events.begin(), events.end(), other.events.begin(), other.events.end(), same_event);
}

ReturnMap::ReturnMap(const System& system, std::vector<bool> kept, double forcing_period, const std::atomic<bool>* interrupt,
                     const std::vector<bool>& turning, bool stroboscopic)
    : system_(system),
      kept_(std::move(kept)),
      forcing_period_(stroboscopic ? 0.0 : forcing_period),
      strobe_(stroboscopic ? forcing_period : 0.0),
      interrupt_(interrupt),
      size_(std::count(kept_.begin(), kept_.end(), true) + system.nu() + (forcing_period > 0.0 && !stroboscopic ? 1 : 0)),
      integrator_(system, {.tolerance = kTolerance}),
      flow_(system, 1) {
  Index place = 0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] && !turning.empty() && turning[i]) turning_.push_back(place);
    if (kept_[i]) ++place;
  }
}

VectorXd ReturnMap::coordinates(const State& state) const {
  VectorXd z(size_);
  Index k = 0;
  for (Index i = 0; i < state.q.size(); ++i) {
    if (kept_[static_cast<size_t>(i)]) z[k++] = state.q[i];
  }
  z.segment(k, state.u.size()) = state.u;
  if (forcing_period_ > 0.0) z[size_ - 1] = state.t;
  return z;
}

void ReturnMap::set_coordinates(const VectorXd& z, State& state) const {
  Index k = 0;
  for (Index i = 0; i < state.q.size(); ++i) {
    if (kept_[static_cast<size_t>(i)]) state.q[i] = z[k++];
  }
  state.u = z.segment(k, state.u.size());
  if (forcing_period_ > 0.0) state.t = z[size_ - 1];
}

VectorXd ReturnMap::difference(const State& from, const State& to) const {
  VectorXd d = coordinates(to) - coordinates(from);
  for (const Index place : turning_) d[place] = std::remainder(d[place], 2.0 * std::numbers::pi);
  if (forcing_period_ > 0.0) {
    double& t = d[size_ - 1];
    t -= forcing_period_ * std::max(1.0, std::round(t / forcing_period_));
  }
  return d;
}

Passage ReturnMap::run(State state, const Section* section, int returns, double until) {
  Passage passage;
  VectorXd largest = VectorXd::Zero(size_);
  const auto see = [&](const State& seen) {
    largest = largest.cwiseMax(coordinates(seen).cwiseAbs());
    if (forcing_period_ > 0.0) largest[size_ - 1] = forcing_period_;
  };
  see(state);
  State within = state;
  double next = strobe_ > 0.0 ? state.t + strobe_ : kInfinity;
  const auto leave = [&](Passage::Status status) {
    passage.status = status;
    passage.end = state;
    return passage;
  };
  while (state.t < until) {
    if (interrupt_ != nullptr && *interrupt_) return leave(Passage::Status::kInterrupted);
    if (watch_) watch_(state.t);
    const double begin = state.t;
    const StepReport report = integrator_.step(state, std::min(until, next) - begin);
    if (!report.ok()) {
      passage.message = describe_failure(system_, report, state);
      return leave(Passage::Status::kFailed);
    }
    passage.lost += report.lost_in_contacts + report.lost_in_damping;
    passage.work += report.work_done;
    see(state);
    // A step may be a whole flight, from the ground to the ground.
    for (int k = 1; k < 4 && state.t > begin; ++k) {
      integrator_.interpolate(begin + 0.25 * k * (state.t - begin), within);
      see(within);
    }
    std::vector<Event> events = integrator_.last_events();
    if (state.t >= next) {
      events.push_back({.t = state.t, .kind = EventKind::kOwn, .before = integrator_.modes(), .after = integrator_.modes()});
      events.back().note = "a period of the forcing";
      next += strobe_;
    }
    passage.events.insert(passage.events.end(), events.begin(), events.end());
    for (const Event& event : events) {
      if (section != nullptr ? !section->holds(event) : !may_be_section(event.kind) && event.kind != EventKind::kOwn)
        continue;
      passage.points.push_back({state, integrator_.memory(), event, largest});
      largest.setZero();
      see(state);
      if (section != nullptr && static_cast<int>(passage.points.size()) == returns) return leave(Passage::Status::kArrived);
    }
  }
  return leave(section == nullptr ? Passage::Status::kArrived : Passage::Status::kNotReturned);
}

Passage ReturnMap::record(const State& start, double until) {
  return run(start, nullptr, 0, until);
}

Passage ReturnMap::follow(const SectionPoint& from, const Section& section, int returns, double until) {
  integrator_.restore_memory(from.memory);
  return run(from.state, &section, returns, until);
}

bool ReturnMap::project(SectionPoint& point) {
  const VectorXd no_offsets = VectorXd::Zero(static_cast<Index>(system_.laws().size()));
  const auto onto = [&](const std::vector<ContactMode>& modes, State& state) {
    flow_.set_modes(modes, std::vector<VectorXd>(modes.size()));
    return flow_.expand(state, 0) == ModeFlow::Status::kOk && flow_.project(state, no_offsets, 0.0);
  };
  std::vector<ContactMode> touching = point.event.after, holding = point.event.after;
  for (const int law : point.event.laws) {
    const auto i = static_cast<size_t>(law);
    if (touching[i] == ContactMode::kOpen && system_.laws()[i].kind == ForceLaw::Kind::kContact)
      touching[i] = ContactMode::kClosed;
    if (point.event.kind == EventKind::kSlipReversal) holding[i] = ContactMode::kStick;
  }
  system_.normalize(point.state.q);
  if (touching != point.event.after) {
    State moved = point.state;
    if (!onto(touching, moved)) return false;
    point.state.q = moved.q;
  }
  return onto(holding, point.state);
}

}  // namespace tippe
