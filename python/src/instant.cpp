// SPDX-License-Identifier: Apache-2.0
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "bind.h"
#include "gaps.h"
#include "long_call.h"
#include "require_state.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/report/analysis_json.h"
#include "tippe/report/analysis_page.h"
#include "tippe/report/analysis_text.h"
#include "tippe/study/reached_instant.h"

namespace tippe::python {
namespace {

/// An instant with its analysis, in whatever form one asks for.
struct JudgedInstant {
  Instant instant;
  Analysis analysis;
  AnalysisSource source;

  JudgedInstant(Instant judged, AnalysisSource from)
      : instant(std::move(judged)), analysis(analyze(instant)), source(std::move(from)) {}
};

/// A scene at an instant. Questions grow the expressions of its system, so that one thread asks at a
/// time, and none may hold the interpreter's lock while it waits.
class SceneInstant {
 public:
  explicit SceneInstant(ReachedInstant reached) : reached_(std::move(reached)) {}

  [[nodiscard]] const ReachedInstant& reached() const { return reached_; }
  /// Of the contacts with a gap, m.
  [[nodiscard]] Eigen::VectorXd gaps() const {
    const std::scoped_lock lock(mutex_);
    const System& system = *reached_.scene.system;
    return contact_gaps(system, reached_.state, *system.make_evaluator());
  }
  /// All contacts, or those around a body, plane or shape.
  [[nodiscard]] JudgedInstant judge(const std::string& around) {
    const std::scoped_lock lock(mutex_);
    const std::string& file = reached_.scene.origin.scene_file;
    if (!around.empty() && reached_.scene.system->has_fixed_laws())
      throw InputError({file, 0, 0}, "around is for scenes whose contacts are found while bodies move");
    reached_.around = around;
    return {reached_.instant(), {file, reached_.state.t}};
  }
  [[nodiscard]] ModesReport modes() const {
    const std::scoped_lock lock(mutex_);
    return reached_.modes();
  }
  /// Of a step; nothing where no law is active in it.
  [[nodiscard]] std::optional<StoredProblem> problem() const {
    const std::scoped_lock lock(mutex_);
    std::optional<InclusionProblem> found = reached_.step_problem();
    if (!found) return {};
    return StoredProblem{ProblemKind::kInclusion, std::move(*found), {}};
  }

 private:
  ReachedInstant reached_;
  mutable std::mutex mutex_;
};

SceneLoader loader_of(const std::string& text, const std::string& file) {
  return [text, file](const SceneOverrides& overrides) { return read_scene(text, file, overrides); };
}

/// The instant, and what was raised on the way, or None.
nb::tuple reach(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                std::optional<double> time, nb::object progress) {
  LongCall call(std::move(progress));
  std::unique_ptr<SceneInstant> reached;
  {
    const nb::gil_scoped_release released;
    reached = std::make_unique<SceneInstant>(reach_instant(
        loader_of(text, file), overrides, time, [&](const Progress& now) { call.look(now.t, now.fraction, now.steps); },
        &call.stop()));
  }
  return nb::make_tuple(nb::cast(std::move(reached)), call.error());
}

std::unique_ptr<SceneInstant> at_state(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                                       State state) {
  Scene scene = read_scene(text, file, overrides);
  require_state(state, *scene.system);
  return std::make_unique<SceneInstant>(instant_at(std::move(scene), std::move(state)));
}

using Texts = std::pair<std::string, std::string>;

/// As JSON and in words.
Texts both(const ModesReport& report) {
  return {modes_json(report), modes_text(report)};
}

}  // namespace

void bind_instant(nb::module_& module) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<JudgedInstant>(module, "JudgedInstant", "The analysis of an instant.")
      .def(
          "json", [](const JudgedInstant& it) { return analysis_json(it.instant, it.analysis, it.source); }, Released())
      .def(
          "text", [](const JudgedInstant& it) { return analysis_text(it.instant, it.analysis, it.source); }, Released())
      .def(
          "page", [](const JudgedInstant& it) { return analysis_page(it.instant, it.analysis, it.source); }, Released())
      .def(
          "write_page",
          [](const JudgedInstant& it, const std::filesystem::path& path) {
            write_analysis_page(analysis_page(it.instant, it.analysis, it.source), path);
          },
          nb::arg("path"), Released());

  nb::class_<SceneInstant>(module, "SceneInstant", "A scene at an instant.")
      .def_prop_ro("t", [](const SceneInstant& it) { return it.reached().state.t; })
      .def_prop_ro("q", [](const SceneInstant& it) { return it.reached().state.q; })
      .def_prop_ro("u", [](const SceneInstant& it) { return it.reached().state.u; })
      .def_prop_ro("notes", [](const SceneInstant& it) { return it.reached().notes; })
      .def_prop_ro("status", [](const SceneInstant& it) { return name_of(it.reached().status); })
      .def_prop_ro("message", [](const SceneInstant& it) { return it.reached().message; })
      .def("gaps", &SceneInstant::gaps, Released())
      .def(
          "analyze", [](SceneInstant& it, const std::string& around) { return it.judge(around); }, nb::arg("around"),
          Released())
      .def(
          "modes", [](const SceneInstant& it) { return both(it.modes()); }, Released())
      .def("problem", &SceneInstant::problem, Released());

  module.def(
      "reach_instant", reach, nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("time").none(),
      nb::arg("progress").none(),
      nb::sig("def reach_instant(text: str, file: str, overrides: Overrides, time: float | None, progress: object) -> "
              "tuple[SceneInstant, BaseException | None]"),
      "Simulates a scene up to a time (s; None: its start).");
  module.def(
      "instant_at",
      [](const std::string& text, const std::string& file, const SceneOverrides& overrides, double t,
         const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
        return at_state(text, file, overrides, State{t, q, u});
      },
      nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("t"), nb::arg("q"), nb::arg("u"), Released());
  module.def(
      "analyze_file",
      [](const std::filesystem::path& path) {
        return JudgedInstant(load_instant(path), {path.string(), {}});
      },
      nb::arg("path"), Released());
  module.def(
      "modes_of_file",
      [](const std::filesystem::path& path) {
        ModesReport report = list_modes(load_instant(path));
        report.file = path.string();
        return both(report);
      },
      nb::arg("path"), Released());
}

}  // namespace tippe::python
