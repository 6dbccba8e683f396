// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tippe/hybrid/event_driven.h"
#include "tippe/hybrid/section.h"

namespace tippe {

/// A state just after an event, from which the motion can be continued.
struct SectionPoint {
  State state;
  NamedArrays memory;  // of the integrator
  Event event;
  Eigen::VectorXd largest;  // of each coordinate of the map: its largest modulus since the point before
};

/// A motion from one state over some events.
struct Passage {
  enum class Status {
    kArrived,
    kNotReturned,  // the end of the time came first
    kFailed,       // the simulation did; message says why
    kInterrupted,
  };
  Status status = Status::kArrived;
  std::string message;
  std::vector<SectionPoint> points;  // at each return
  std::vector<Event> events;         // all, those of the points too
  State end;
  double lost = 0.0;  // J  in contacts and damping
  double work = 0.0;  // J  by given forces, moving supports and prescribed motions

  [[nodiscard]] bool arrived() const { return status == Status::kArrived; }
  /// Whether both have the same events in the same order.
  [[nodiscard]] bool same_events(const Passage& other) const;
};

/// The map from a state on a section to the one at which the motion returns to it, in coordinates z: positions that are not cyclic, all velocities,
/// and the time if the system is driven.
class ReturnMap {
 public:
  static constexpr double kTolerance =
      1e-13;  // of the motion: near round-off, so that differences of nearby motions keep their digits

  /// `turning`: of each coordinate, whether full turns of it do not count; empty: none. `stroboscopic`: the section is that
  /// after whole periods of the forcing, and the time is no part of z. `kept`: of each coordinate, whether it is part of z. `forcing_period`: s, 0 if nothing depends on the time.
  ReturnMap(const System& system, std::vector<bool> kept, double forcing_period, const std::atomic<bool>* interrupt,
            const std::vector<bool>& turning = {}, bool stroboscopic = false);

  /// That simulates, for those who watch its steps.
  [[nodiscard]] EventDriven& integrator() { return integrator_; }
  /// Is told the time after every step.
  void set_watch(std::function<void(double t)> watch) { watch_ = std::move(watch); }
  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] Eigen::VectorXd coordinates(const State& state) const;
  /// The rest of the state is left as it is.
  void set_coordinates(const Eigen::VectorXd& z, State& state) const;
  /// z of `to` minus z of `from`, whole periods of the forcing (at least one) and full turns left out.
  [[nodiscard]] Eigen::VectorXd difference(const State& from, const State& to) const;

  /// The motion from the start until the time, with a point at each event that may be a section.
  [[nodiscard]] Passage record(const State& start, double until);
  /// The motion from a point over `returns` to the section, or until the time.
  [[nodiscard]] Passage follow(const SectionPoint& from, const Section& section, int returns, double until);
  /// Moves the state of a point onto what its event asks of it: contacts that hit or close have no gap, those that hold no velocity. False if that
  /// does not succeed.
  [[nodiscard]] bool project(SectionPoint& point);

 private:
  Passage run(State state, const Section* section, int returns, double until);

  const System& system_;
  std::vector<bool> kept_;
  std::vector<Eigen::Index> turning_;  // places in z
  double forcing_period_;              // s   0 where the time is no part of z
  double strobe_;                      // s   0: not stroboscopic
  const std::atomic<bool>* interrupt_;
  std::function<void(double t)> watch_;
  Eigen::Index size_ = 0;
  EventDriven integrator_;
  ModeFlow flow_;
};

}  // namespace tippe
