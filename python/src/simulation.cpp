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
#include "bytes_archive.h"
#include "gaps.h"
#include "record.h"
#include "require_state.h"
#include "tippe/core/error.h"
#include "tippe/model/start.h"
#include "tippe/run/simulate.h"
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

/// A scene that is stepped by its caller, with the steps that simulate() would make. The scene must live as long.
class Simulation {
 public:
  Simulation(const Scene& scene, bool samples)
      : scene_(scene),
        system_(*scene.system),
        samples_(samples),
        memory_(system_, scene.origin, scene.run, scene.start.t, samples),
        run_(system_, scene.start, scene.run, samples ? &memory_ : nullptr),
        next_(scene.start),
        evaluator_(system_.make_evaluator()) {}

  /// A failed step leaves the state alone; the second text says what failed, else it is empty.
  std::pair<StepReport, std::string> step(std::optional<double> length) {
    if (length && !(std::isfinite(*length) && *length > 0.0))
      throw InputError({}, fmt::format("dt is {} and must be positive and finite", *length));
    if (next_.q != run_.state().q) static_cast<void>(run_.move_to(next_, true));
    SteppedRun::Made made = run_.step(length);
    next_ = run_.state();
    return {made.report, made.failure};
  }

  /// With the inputs that were set for the next step.
  [[nodiscard]] const State& state() const { return next_; }
  /// What the integrator remembers of the steps before is forgotten. Throws InputError for what is no state of the system.
  void set_state(const State& state) {
    require_state(state, system_);
    require_possible(state);
    if (!run_.move_to(state, false)) throw InputError({}, "the energy of this state is not finite");
    next_ = run_.state();
  }
  void set_input(size_t input, double value) {
    if (!std::isfinite(value)) throw InputError({}, fmt::format("it is {} and must be finite", value));
    next_.q[system_.input_coordinates().at(input)] = value;
  }

  [[nodiscard]] Eigen::VectorXd gaps() { return contact_gaps(system_, next_, *evaluator_); }
  [[nodiscard]] const Eigen::VectorXd& impulses() const { return run_.impulses(); }
  [[nodiscard]] Energies energies() {
    evaluator_->set_state(next_.t, next_.q, next_.u);
    return evaluator_->evaluate_energies();
  }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return run_.warnings(); }

  /// Everything so far, as a run.
  [[nodiscard]] Record record() {
    MemoryRecording copy = memory_;
    RecordedRun so_far = copy.run();
    so_far.until = run_.state().t;
    copy.go_on_with(std::move(so_far));
    copy.finish(run_.summary(samples_ ? &copy : nullptr));
    return Record::of(std::move(copy), scene_.run.sample_interval(scene_.start.t));
  }
  [[nodiscard]] std::string save() {
    Checkpoint checkpoint = run_.checkpoint();
    RecordedRun recorded = memory_.run();
    return to_bytes(checkpoint, recorded, next_);
  }
  void restore(const std::string& bytes) {
    Checkpoint checkpoint;
    RecordedRun recorded;
    State next;
    from_bytes(bytes, checkpoint, recorded, next);
    if (next.q.size() != system_.nq() || next.u.size() != system_.nu() ||
        recorded.origin.scene_text != scene_.origin.scene_text || recorded.integrator != scene_.run.integrator)
      throw InputError({}, "this was saved by a simulation of another system or integrator");
    run_.restore(checkpoint);
    memory_.go_on_with(std::move(recorded));
    next_ = std::move(next);
  }

 private:
  /// As of a start; but where velocities alone are new, contacts may be as deep as the steps have left them, and go no deeper.
  void require_possible(const State& state) {
    try {
      static_cast<void>(check_start(system_, state, std::nullopt));
      return;
    } catch (const ModelError& error) {
      if (state.q != run_.state().q || state.t != run_.state().t || !opens(state))
        throw InputError({}, fmt::format("{} (forces are given by [inputs], not by velocities)", error.what()));
    }
  }
  /// Whether no contact that is deep closes.
  bool opens(const State& state) {
    constexpr double kRoundOff = 1e-12;
    evaluator_->set_state(state.t, state.q, state.u);
    LawList laws;
    evaluator_->find_laws(0.0, laws);
    SparseColumns W;
    std::vector<double> chi;
    for (int k = 0; k < laws.size(); ++k) {
      if (system_.laws()[static_cast<size_t>(laws.law[k])].kind != ForceLaw::Kind::kContact || laws.gap[k] >= 0.0) continue;
      W.clear();
      chi.clear();
      evaluator_->append_directions(laws, k, W, chi);
      if (W.dot(0, state.u.data()) + chi[0] < -kRoundOff * (1.0 + state.u.cwiseAbs().maxCoeff())) return false;
    }
    return true;
  }

  const Scene& scene_;
  const System& system_;
  bool samples_;
  MemoryRecording memory_;
  SteppedRun run_;
  State next_;  // where the next step begins
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
      .def(nb::init<const Scene&, bool>(), nb::arg("scene"), nb::arg("samples"), nb::keep_alive<1, 2>())
      .def("set_input", &Simulation::set_input, nb::arg("input"), nb::arg("value"))
      .def("record", &Simulation::record)
      .def("save",
           [](Simulation& self) {
             const std::string bytes = self.save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "restore", [](Simulation& self, nb::bytes bytes) { self.restore(std::string(bytes.c_str(), bytes.size())); },
          nb::arg("saved"))
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
