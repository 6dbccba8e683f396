// SPDX-License-Identifier: Apache-2.0
// A swing that is pushed at its lowest point: one event changes the velocity, another one ends the run above 60 degrees, and so do ten pushes.
// Prints when they were and what ended the run.
#include <tippe/tippe.h>

#include <cmath>
#include <iostream>

int main() {
  const double l = 2.0, g = 9.81;
  tippe::LagrangianBuilder builder({"phi"});
  builder.kinetic([=](const auto&, const auto& v, auto) { return 0.5 * l * l * v[0] * v[0]; });
  builder.potential([=](const auto& q, auto) { return -g * l * cos(q[0]); });

  tippe::OwnEvent push{.name = "push"};  // where phi passes zero, in both directions
  push.when = builder.express([](const auto& q, const auto&, auto) { return q[0]; });
  push.resets = {{.of_velocity = true, .index = 0, .value = builder.express([](const auto&, const auto& v, auto) {
                    return 1.2 * v[0];
                  })}};
  tippe::OwnEvent high{.name = "high", .direction = tippe::OwnEvent::Direction::kRising, .stop = true};
  high.when = builder.express([](const auto& q, const auto&, auto) { return q[0] - M_PI / 3.0; });

  const std::unique_ptr<const tippe::System> system = builder.build();
  tippe::RunOptions run;
  run.integrator = "event-driven";
  run.dt = 1e-2;
  run.until = 60.0;
  run.events = tippe::OwnEvents(builder.description(), {push, high});
  run.stop_after = {{"push", 10}};

  tippe::State start;
  start.q = Eigen::VectorXd::Constant(1, 0.25);
  start.u = Eigen::VectorXd::Zero(1);
  tippe::Recording recording("swing.h5", *system, {.title = "Swing"}, run, start.t);
  const tippe::RunSummary summary = tippe::simulate(*system, start, run, {.recorder = &recording});
  if (summary.status != tippe::RunStatus::kOk || !summary.stopped) return 3;
  for (const tippe::Event& event : tippe::read_recording("swing.h5").events) {
    if (event.kind == tippe::EventKind::kOwn)
      std::cout << "t = " << event.t << " s: " << event.note << ", " << -event.lost << " J\n";
  }
  std::cout << summary.own_events[0].count << " pushes; ended at t = " << summary.stopped->time << " s by "
            << summary.stopped->because << '\n';
}
