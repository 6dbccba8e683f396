// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "bind.h"
#include "long_call.h"
#include "record.h"
#include "require_state.h"
#include "tippe/model/start.h"
#include "tippe/record/recording.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"
#include "tippe/sweep/compiled_scene.h"

namespace tippe::python {
namespace {

/// What a caller changes of a run.
struct Asked {
  std::optional<double> until, dt, every;  // s
  std::optional<Eigen::VectorXd> q, u;     // where it starts
  std::optional<std::string> inputs;       // a table of inputs, comma-separated, and
  std::string inputs_file;                 // its name in messages
};

/// Scenes for runs, each used by one run at a time: systems are not for two threads. Reading one again is spared where one is free.
class ScenePool {
 public:
  struct Member {
    Scene read;                               // where nothing varies
    const Scene* scene = nullptr;             // that, or another one
    std::unique_ptr<CompiledScene> compiled;  // where something varies
  };
  /// `names`: parameters and initial values that vary from run to run. `first`: one that was read already, for as long as the pool; or nullptr.
  ScenePool(std::string text, std::string file, SceneOverrides overrides, std::vector<std::string> names, const Scene* first)
      : text_(std::move(text)), file_(std::move(file)), overrides_(std::move(overrides)), names_(std::move(names)) {
    if (first == nullptr) return;
    free_.push_back(std::make_unique<Member>());
    free_.back()->scene = first;
  }

  /// nullptr: with these names it must be read again for each run.
  std::unique_ptr<Member> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Member> member = std::move(free_.back());
        free_.pop_back();
        return member;
      }
    }
    auto member = std::make_unique<Member>();
    if (names_.empty()) {
      member->read = read_scene(text_, file_, overrides_);
      member->scene = &member->read;
    } else {
      member->compiled = CompiledScene::make(text_, file_, overrides_, names_);
      if (member->compiled == nullptr) return nullptr;
    }
    return member;
  }
  void give_back(std::unique_ptr<Member> member) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(member));
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::string text_, file_;
  SceneOverrides overrides_;
  std::vector<std::string> names_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Member>> free_;
};

/// One run of a scene, with what is asked of it.
struct Job {
  const System* system;
  RunOptions options;
  RunOrigin origin;
  State start;
};

/// Whether the numbers can be put into the options as they are: nothing else of the scene follows from them.
bool takes_numbers(const Scene& scene, const Asked& asked) {
  if (!asked.until && !asked.dt && !asked.every) return true;
  return !scene.run.adaptive() && scene.system->has_fixed_laws();
}

/// Throws InputError for a start that is none, and for a bad table.
bool apply(const Asked& asked, Job& job, const Scene& scene) {
  if (!takes_numbers(scene, asked)) return false;
  RunOptions& options = job.options;
  options.until = asked.until.value_or(options.until);
  options.dt = asked.dt.value_or(options.dt);
  options.every = asked.every.value_or(options.every);
  if (asked.every && !(*asked.every > 0.0)) return false;
  if (!options.invalid(job.start.t).key.empty()) return false;
  if (asked.q || asked.u) {
    if (asked.q) job.start.q = *asked.q;
    if (asked.u) job.start.u = *asked.u;
    require_state(job.start, *job.system);
    try {
      options.initial_penetration = check_start(*job.system, job.start, std::nullopt);
    } catch (const ModelError& error) {
      throw InputError({scene.origin.scene_file, 0, 0}, error.what());
    }
  }
  if (asked.inputs) {
    options.inputs = read_input_table(*asked.inputs, asked.inputs_file, *job.system);
    options.inputs.hold(job.start.t, job.start.q);
    job.origin.inputs_text = *asked.inputs;
    job.origin.inputs_file = asked.inputs_file;
  }
  return true;
}

struct Written {
  std::optional<std::filesystem::path> path;  // of a recording; else it is in memory
  double flush = 1.0;                         // s
  bool samples = true;
};

Record run_job(const Job& job, const Written& written, LongCall& call) {
  RunHooks hooks{.progress = [&](const Progress& now) { call.look(now.t, now.fraction, now.steps); }, .stop = &call.stop()};
  if (written.path) {
    {
      Recording file(*written.path, *job.system, job.origin, job.options, job.start.t);
      file.set_flush_interval(std::chrono::duration<double>(written.flush));
      hooks.recorder = &file;
      static_cast<void>(simulate(*job.system, job.start, job.options, hooks));
    }
    RecordedState state = read_state(*written.path);
    return {std::move(state.run), std::move(state.recorded), state.every};
  }
  MemoryRecording memory(*job.system, job.origin, job.options, job.start.t, written.samples);
  hooks.recorder = &memory;
  static_cast<void>(simulate(*job.system, job.start, job.options, hooks));
  return Record::of(std::move(memory), job.options.sample_interval(job.start.t));
}

/// None if the scene must be read again for this; else the record, and what ended the run early, an exception of Python, or None. `values`: of the
/// names of the pool; `drawing`: a scene that is drawn in the same way.
nb::object run_pooled(ScenePool& pool, const std::vector<double>& values, const std::vector<std::string>& settings,
                      const Scene& drawn, const Asked& asked, const Written& written, nb::object progress) {
  LongCall call(std::move(progress));
  std::optional<Record> record;
  {
    const nb::gil_scoped_release released;
    std::unique_ptr<ScenePool::Member> member = pool.take();
    if (member != nullptr) {
      const auto give_back = [&](ScenePool::Member*) { pool.give_back(std::move(member)); };
      const std::unique_ptr<ScenePool::Member, decltype(give_back)> lent(member.get(), give_back);
      const Scene* const scene = member->compiled ? member->compiled->at(values) : member->scene;
      if (scene != nullptr) {
        Job job{scene->system.get(), scene->run, scene->origin, scene->start};
        if (member->compiled) {
          job.options.drawing = drawn.run.drawing;
          job.origin.settings = settings;
          for (size_t k = 0; k < values.size(); ++k) {
            const auto parameter = job.origin.parameters.find(pool.names()[k]);
            if (parameter != job.origin.parameters.end()) parameter->second = values[k];
          }
        }
        if (apply(asked, job, *scene)) record = run_job(job, written, call);
      }
    }
  }
  if (!record) return nb::none();
  return nb::make_tuple(nb::cast(std::move(*record)), call.error());
}

/// The same with a scene that was read for it.
nb::object run_scene(const Scene& scene, const Asked& asked, const Written& written, nb::object progress) {
  LongCall call(std::move(progress));
  std::optional<Record> record;
  {
    const nb::gil_scoped_release released;
    Job job{scene.system.get(), scene.run, scene.origin, scene.start};
    Asked rest = asked;
    rest.until = rest.dt = rest.every = std::nullopt;  // it was read with them
    if (apply(rest, job, scene)) record = run_job(job, written, call);
  }
  if (!record) throw InputError({scene.origin.scene_file, 0, 0}, "cannot run");
  return nb::make_tuple(nb::cast(std::move(*record)), call.error());
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<Asked>(module, "Asked", "What a caller changes of a run; times in s.")
      .def(nb::new_([](std::optional<double> until, std::optional<double> dt, std::optional<double> every,
                       std::optional<Eigen::VectorXd> q, std::optional<Eigen::VectorXd> u, std::optional<std::string> inputs,
                       std::string inputs_file) {
             return Asked{until, dt, every, std::move(q), std::move(u), std::move(inputs), std::move(inputs_file)};
           }),
           nb::arg("until").none(), nb::arg("dt").none(), nb::arg("every").none(), nb::arg("q").none(), nb::arg("u").none(),
           nb::arg("inputs").none(), nb::arg("inputs_file"));
  nb::class_<Written>(module, "Written", "Where a run is recorded; flush: s.")
      .def(nb::new_([](std::optional<std::filesystem::path> path, double flush, bool samples) {
             return Written{std::move(path), flush, samples};
           }),
           nb::arg("path").none(), nb::arg("flush"), nb::arg("samples"));
  nb::class_<ScenePool>(module, "ScenePool", "Scenes that are read once for many runs.")
      .def(
          "__init__",
          [](ScenePool* self, std::string text, std::string file, const SceneOverrides& overrides,
             std::vector<std::string> names, const Scene* first) {
            new (self) ScenePool(std::move(text), std::move(file), overrides, std::move(names), first);
          },
          nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("names"), nb::arg("first").none(),
          nb::keep_alive<1, 6>())
      .def(
          "accepts",
          [](ScenePool& self, const std::vector<double>& values) {
            std::unique_ptr<ScenePool::Member> member = self.take();
            if (member == nullptr) return false;
            const bool fits = !member->compiled || member->compiled->at(values) != nullptr;
            self.give_back(std::move(member));
            return fits;
          },
          nb::arg("values"), "Whether the scene need not be read again for these values of its names.",
          nb::call_guard<nb::gil_scoped_release>())
      .def("run", run_pooled, nb::arg("values"), nb::arg("settings"), nb::arg("drawn"), nb::arg("asked"), nb::arg("written"),
           nb::arg("progress").none(),
           nb::sig("def run(self, values: list[float], settings: list[str], drawn: Scene, asked: Asked, written: Written, "
                   "progress: object) -> tuple[Record, BaseException | None] | None"));
  module.def("run_scene", run_scene, nb::arg("scene"), nb::arg("asked"), nb::arg("written"), nb::arg("progress").none(),
             nb::sig("def run_scene(scene: Scene, asked: Asked, written: Written, progress: object) -> tuple[Record, "
                     "BaseException | None]"),
             "Runs a scene. Returns its record, and the exception that ended it early, or None.");
}

}  // namespace tippe::python
