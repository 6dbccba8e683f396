// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/run_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tippe/core/error.h"
#include "tippe/hybrid/linear_motion.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kStep = 1e-5;        // of a parameter, relative: the error of central differences is its square
constexpr double kStepAtZero = 1e-6;  // of one that is zero
constexpr double kWithin = 4e-6;      // of quantities, relative to the sizes of the motion

VectorXd stacked(const State& state) {
  VectorXd z(state.q.size() + state.u.size());
  z << state.q, state.u;
  return z;
}

State moved(const State& state, const VectorXd& dz) {
  return {.t = state.t, .q = state.q + dz.head(state.q.size()), .u = state.u + dz.tail(state.u.size())};
}

void check(const Scene& scene, const std::string& file) {
  const auto refuse = [&](const std::string& why) { throw InputError({file, 0, 0}, why); };
  if (scene.run.integrator != "event-driven")
    refuse(fmt::format(
        "a derivative of the run needs the integrator event-driven: '{}' has impacts on its grid of steps, and the "
        "derivative of that is wrong at every step length",
        scene.run.integrator));
  if (scene.run.observables.may_stop() || !scene.run.stop_after.empty())
    refuse(
        "derivatives of a run are taken until a given time, and 'stop_when' or 'stop_after' ends this one earlier; leave it "
        "out");
  for (const OwnEvent& event : scene.run.events.list()) {
    if (event.stop || !event.resets.empty())
      refuse(fmt::format(
          "derivatives of a run are those of motions by forces and laws alone until a given time, and the event '{}' {}; "
          "leave it out",
          event.name, event.stop ? "ends the run" : "resets the state"));
  }
}

/// A parameter, or what `names` calls a number of the start.
double value_of(const Scene& scene, const std::string& name) {
  if (const auto found = scene.origin.parameters.find(name); found != scene.origin.parameters.end()) return found->second;
  const auto among = [&](const std::vector<std::string>& names, const VectorXd& values) -> std::optional<double> {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) return std::nullopt;
    return values[place - names.begin()];
  };
  if (const auto q = among(scene.system->coordinate_names(), scene.start.q)) return *q;
  if (const auto u = among(scene.system->velocity_names(), scene.start.u)) return *u;
  return 0.0;  // whether there is such a name is asked when it is set
}

/// The scene, and with each parameter less and more.
struct Family {
  Scene scene;
  std::vector<Scene> below, above;
  std::vector<double> at, step;

  Family(const std::string& text, const std::string& file, const SceneOverrides& overrides,
         const std::vector<std::string>& parameters)
      : scene(read_scene(text, file, overrides)) {
    check(scene, file);
    for (const std::string& name : parameters) {
      const double value = value_of(scene, name);
      at.push_back(value);
      step.push_back(value != 0.0 ? kStep * std::abs(value) : kStepAtZero);
      for (const double side : {-1.0, 1.0}) {
        SceneOverrides changed = overrides;
        changed.settings.push_back(fmt::format("{}={}", name, value + side * step.back()));
        (side < 0.0 ? below : above).push_back(read_scene(text, file, changed));
      }
      step.back() = 0.5 * ((value + step.back()) - (value - step.back()));
      const Scene &low = below.back(), &high = above.back();
      if (low.start.t != scene.start.t || high.start.t != scene.start.t)
        throw InputError({file, 0, 0}, fmt::format("the start time depends on '{}': the run has no derivative by it", name));
    }
  }

  [[nodiscard]] std::vector<Variation> variations() const {
    std::vector<Variation> all;
    for (size_t k = 0; k < at.size(); ++k) all.push_back({below[k].system.get(), above[k].system.get(), step[k]});
    return all;
  }

  [[nodiscard]] MatrixXd start() const {
    MatrixXd tangent(scene.start.q.size() + scene.start.u.size(), static_cast<Index>(at.size()));
    for (size_t k = 0; k < at.size(); ++k)
      tangent.col(static_cast<Index>(k)) = (stacked(above[k].start) - stacked(below[k].start)) / (2.0 * step[k]);
    return tangent;
  }
};

/// What is kept of the run at its times.
class Samples {
 public:
  Samples(const Family& family, const GradientOptions& options, RunGradient& gradient)
      : family_(family), gradient_(gradient), own_(family.scene.run.observables) {
    for (size_t k = 0; k < family.at.size(); ++k) {
      below_.emplace_back(family.below[k].run.observables);
      above_.emplace_back(family.above[k].run.observables);
    }
    const Scene& scene = family.scene;
    const RunOptions& run = scene.run;
    gradient.names = scene.system->coordinate_names();
    for (const auto* names : {&scene.system->velocity_names(), &run.observables.names()})
      gradient.names.insert(gradient.names.end(), names->begin(), names->end());
    due_ = options.times;
    if (due_.empty()) {
      const double every = run.sample_interval(scene.start.t);
      constexpr double kNearEnd = 1e-9;  // of an interval
      for (std::int64_t n = 0; scene.start.t + static_cast<double>(n) * every < run.until - kNearEnd * every; ++n)
        due_.push_back(scene.start.t + static_cast<double>(n) * every);
      due_.push_back(run.until);
    }
    const auto rows = static_cast<Index>(due_.size()), columns = static_cast<Index>(gradient.names.size());
    gradient.value.resize(rows, columns);
    gradient.derived.assign(family.at.size(), MatrixXd(rows, columns));
  }

  [[nodiscard]] bool due(double t) const { return next_ < due_.size() && due_[next_] <= t; }
  [[nodiscard]] double time() const { return due_[next_]; }

  void take(const State& state, const MatrixXd& tangent, const VectorXd& sizes) {
    const auto row = static_cast<Index>(next_++);
    const Index moving = tangent.rows(), quantities = gradient_.value.cols() - moving;
    gradient_.times.push_back(state.t);
    gradient_.value.row(row).head(moving) = stacked(state);
    VectorXd values, low, high;
    if (quantities > 0) {
      own_.evaluate_quantities(state, values);
      gradient_.value.row(row).tail(quantities) = values;
    }
    for (size_t k = 0; k < below_.size(); ++k) {
      const VectorXd dz = tangent.col(static_cast<Index>(k));
      gradient_.derived[k].row(row).head(moving) = dz;
      if (quantities == 0) continue;
      below_[k].evaluate_quantities(state, low);
      above_[k].evaluate_quantities(state, high);
      VectorXd derivative = (high - low) / (2.0 * family_.step[k]);
      const double size = dz.cwiseQuotient(sizes).cwiseAbs().maxCoeff();
      if (size > 0.0) {
        const double step = kWithin / size;
        own_.evaluate_quantities(moved(state, -step * dz), low);
        own_.evaluate_quantities(moved(state, step * dz), high);
        derivative += (high - low) / (2.0 * step);
      }
      gradient_.derived[k].row(row).tail(quantities) = derivative;
    }
  }

  /// Of a run that ended before its time.
  void cut() {
    gradient_.value.conservativeResize(static_cast<Index>(next_), Eigen::NoChange);
    for (MatrixXd& derived : gradient_.derived) derived.conservativeResize(static_cast<Index>(next_), Eigen::NoChange);
  }

 private:
  const Family& family_;
  RunGradient& gradient_;
  ObservablesEvaluator own_;
  std::vector<ObservablesEvaluator> below_, above_;
  std::vector<double> due_;
  size_t next_ = 0;
};

}  // namespace

RunGradient find_run_gradient(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                              const std::vector<std::string>& parameters, const GradientOptions& options) {
  const Family family(text, file, overrides, parameters);
  const Scene& scene = family.scene;
  const System& system = *scene.system;
  for (size_t i = 0; i < options.times.size(); ++i) {
    const double t = options.times[i];
    if (t >= scene.start.t && t <= scene.run.until && (i == 0 || t >= options.times[i - 1])) continue;
    throw InputError({file, 0, 0},
                     fmt::format("the times must ascend from {} to {}, and {} does not", scene.start.t, scene.run.until, t));
  }
  RunGradient gradient;
  gradient.parameters = parameters;
  gradient.at = family.at;
  const double tolerance = scene.run.integrator_options.tolerance;
  EventDriven integrator(system, {tolerance, scene.run.integrator_options.stop_when_not_unique});
  LinearMotion motion(system, integrator, tolerance, family.variations());
  motion.set_tangent(family.start());
  Samples samples(family, options, gradient);
  State state = scene.start, within = state;
  while (samples.due(state.t)) samples.take(state, motion.tangent(), motion.sizes());
  const auto leave = [&](RunGradient::Status status, std::string message) {
    gradient.status = status;
    gradient.message = std::move(message);
    samples.cut();
    return gradient;
  };
  while (state.t < scene.run.until) {
    if (options.interrupt != nullptr && *options.interrupt)
      return leave(RunGradient::Status::kInterrupted, fmt::format("interrupted at t = {:.6g}", state.t));
    const double begin = state.t;
    const StepReport report = integrator.step(state, scene.run.until - begin);
    if (!report.ok()) return leave(RunGradient::Status::kFailed, describe_failure(system, report, state));
    if (!motion.trouble().empty()) return leave(RunGradient::Status::kNoDerivative, motion.trouble());
    while (samples.due(state.t)) {
      const double t = samples.time();
      integrator.interpolate(t, within);
      samples.take(within, motion.tangent_within(t - begin), motion.sizes());
    }
    for (const Event& event : integrator.last_events()) {
      if (event.kind != EventKind::kStart) gradient.events.push_back({event, motion.time_shift().transpose()});
    }
    if (options.tell) options.tell(state.t);
  }
  samples.cut();
  return gradient;
}

}  // namespace tippe
