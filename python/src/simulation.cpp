// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.h"
#include "bind.h"
#include "gaps.h"
#include "require_state.h"
#include "tippe/core/error.h"
#include "tippe/run/adaptive_step.h"
#include "tippe/run/registry.h"
#include "tippe/scene/scene.h"

namespace tippe::python {
namespace {

const char* name_of(StepReport::Status status) {
  switch (status) {
    case StepReport::Status::kOk:
      return "ok";
    case StepReport::Status::kNotSolved:
      return "not solved";
    case StepReport::Status::kContradiction:
      return "contradiction";
    case StepReport::Status::kMassSingular:
      return "mass singular";
    case StepReport::Status::kNotFinite:
      return "not finite";
  }
  return "";
}

/// A scene that is stepped by its caller, with the steps that simulate() would make: at t0 + n dt, or as an adaptive integrator
/// chooses. The scene must live as long.
class Simulation {
 public:
  explicit Simulation(const Scene& scene)
      : system_(*scene.system),
        options_(scene.run),
        span_(scene.run.until - scene.start.t),
        state_(scene.start),
        grid_start_(scene.start.t),
        integrator_(find_integrator(scene.run.integrator)->make(system_, scene.run.integrator_options)),
        fresh_memory_(integrator_->memory()),
        evaluator_(system_.make_evaluator()) {
    if (scene.run.events.may_jump())
      throw InputError(
          {scene.origin.scene_file, 0, 0},
          "an [[event]] resets the state, and nobody looks for events between the steps of a simulation; use run()");
  }

  /// A failed step leaves the state alone; the second text says what failed, else it is empty.
  std::pair<StepReport, std::string> step(std::optional<double> length) {
    if (length && !(std::isfinite(*length) && *length > 0.0))
      throw InputError({}, fmt::format("dt is {} and must be positive and finite", *length));
    before_ = state_;
    AdaptiveIntegrator* adaptive = integrator_->adaptive();
    const double dt = length ? *length : adaptive != nullptr ? trial_step(*adaptive, state_.t, options_) : options_.dt;
    const StepReport report = integrator_->step(state_, dt);
    if (!report.ok()) {
      const std::string reason = describe_failure(system_, report, state_);
      set_state(before_);
      return {report, reason};
    }
    if (adaptive != nullptr) {
      state_.t = exact_end(before_.t, dt, state_.t, options_);
      if (state_.t >= options_.until) options_.until += span_;  // it goes on as long again
    } else if (length) {
      restart_grid();
    } else {
      state_.t = grid_start_ + static_cast<double>(++steps_) * options_.dt;  // without the round-off of a sum
    }
    return {report, ""};
  }

  [[nodiscard]] const State& state() const { return state_; }
  /// What the integrator remembers of the steps before is forgotten. Throws InputError for what is no state of the system.
  void set_state(const State& state) {
    require_state(state, system_);
    state_ = state;
    restart_grid();
    integrator_->restore_memory(fresh_memory_);
  }

  [[nodiscard]] Eigen::VectorXd gaps() { return contact_gaps(system_, state_, *evaluator_); }
  [[nodiscard]] Eigen::VectorXd impulses() const { return integrator_->last_laws().impulse; }
  [[nodiscard]] Energies energies() {
    evaluator_->set_state(state_.t, state_.q, state_.u);
    return evaluator_->evaluate_energies();
  }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return integrator_->warnings(); }

 private:
  void restart_grid() {
    grid_start_ = state_.t;
    steps_ = 0;
    if (state_.t >= options_.until) options_.until = state_.t + span_;
  }

  const System& system_;
  RunOptions options_;
  double span_;  // s   of the run
  State state_, before_;
  double grid_start_;       // s
  std::int64_t steps_ = 0;  // since then
  std::unique_ptr<Integrator> integrator_;
  NamedArrays fresh_memory_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace

void bind_simulation(nb::module_& module) {
  nb::class_<StepReport>(module, "StepReport", "What one step did, in numbers.")
      .def_prop_ro(
          "status", [](const StepReport& report) { return name_of(report.status); },
          "'ok', 'not solved', 'contradiction', 'mass singular' or 'not finite'.")
      .def_ro("residual", &StepReport::residual, "Largest measured residual of the problems of the step, without a unit.")
      .def_ro("iterations", &StepReport::iterations, "Of all solvers that were tried.")
      .def_ro("methods_tried", &StepReport::methods_tried, "Stages of the contact solver; 0 if no law was active.")
      .def_ro("active_laws", &StepReport::active_laws)
      .def_ro("rejected", &StepReport::rejected, "How often an adaptive scheme tried a step that was not accurate enough.")
      .def_ro("halvings", &StepReport::halvings, "How often the step was cut because its equations could not be solved.")
      .def_ro("lost_in_contacts", &StepReport::lost_in_contacts, "J, in this step.")
      .def_ro("lost_in_damping", &StepReport::lost_in_damping, "J, in this step.")
      .def_ro("work_done", &StepReport::work_done, "J, by given forces, moving supports and prescribed motions.")
      .def_ro("pushed_out", &StepReport::pushed_out, "J, by pushing contacts out.")
      .def_ro("inexact", &StepReport::inexact, "Whether the residual is above the tolerance, and was accepted.")
      .def("__repr__", [](const StepReport& report) {
        return fmt::format("<tippe.StepReport {}: residual {:.3g}, {} iterations>", name_of(report.status), report.residual,
                           report.iterations);
      });

  nb::class_<Simulation>(module, "Stepper", "A scene that is stepped by its caller.")
      .def(nb::init<const Scene&>(), nb::arg("scene"), nb::keep_alive<1, 2>())
      .def("step", &Simulation::step, nb::arg("dt").none())
      .def_prop_ro("t", [](const Simulation& self) { return self.state().t; })
      .def_prop_ro(
          "q", [](const Simulation& self) { return frozen_copy(self.state().q); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "u", [](const Simulation& self) { return frozen_copy(self.state().u); }, nb::rv_policy::automatic)
      .def(
          "set_state",
          [](Simulation& self, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
            self.set_state({t, q, u});
          },
          nb::arg("t"), nb::arg("q"), nb::arg("u"))
      .def_prop_ro(
          "gaps", [](Simulation& self) { return frozen_copy(self.gaps()); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "impulses", [](const Simulation& self) { return frozen_copy(self.impulses()); }, nb::rv_policy::automatic)
      .def_prop_ro("energies",
                   [](Simulation& self) {
                     const Energies energies = self.energies();
                     return std::tuple(energies.kinetic, energies.potential);
                   })
      .def_prop_ro("warnings", [](const Simulation& self) { return self.warnings(); });
}

}  // namespace tippe::python
