// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/scene.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "tippe/scene/find_scene.h"

namespace tippe::python {
namespace {

using Text = std::optional<std::string>;

SceneOverrides make_overrides(std::vector<std::string> settings, Text integrator, Text dt, Text until, Text every) {
  return {std::move(settings), std::move(integrator), std::move(dt), std::move(until), std::move(every)};
}

}  // namespace

void bind_scene(nb::module_& module) {
  nb::class_<Scene>(module, "Scene", "A scene that was read and checked: ready to run. Immutable.")
      .def_prop_ro("coordinates", [](const Scene& scene) { return scene.system->coordinate_names(); })
      .def_prop_ro("velocities", [](const Scene& scene) { return scene.system->velocity_names(); })
      .def_prop_ro("inputs", [](const Scene& scene) { return input_names(*scene.system); })
      .def_prop_ro("input_coordinates", [](const Scene& scene) { return scene.system->input_coordinates(); })
      .def_prop_ro("contacts", [](const Scene& scene) { return gap_names(scene.system->laws()); })
      .def_prop_ro("laws", [](const Scene& scene) { return law_names(scene.system->laws()); })
      .def_prop_ro("rows", [](const Scene& scene) { return impulse_names(scene.system->laws()); })
      .def_prop_ro("constraints", [](const Scene& scene) { return constraint_names(scene.system->constraints()); })
      .def_prop_ro("fitting_integrators", [](const Scene& scene) { return fitting_integrators(*scene.system); })
      .def_prop_ro("t", [](const Scene& scene) { return scene.start.t; })
      .def_prop_ro("q", [](const Scene& scene) { return scene.start.q; })
      .def_prop_ro("u", [](const Scene& scene) { return scene.start.u; })
      .def_prop_ro("integrator", [](const Scene& scene) { return scene.run.integrator; })
      .def_prop_ro("dt", [](const Scene& scene) { return scene.run.dt; })
      .def_prop_ro("until", [](const Scene& scene) { return scene.run.until; })
      .def_prop_ro("title", [](const Scene& scene) { return scene.origin.title; })
      .def_prop_ro("source", [](const Scene& scene) { return scene.origin.source; })
      .def_prop_ro("file", [](const Scene& scene) { return scene.origin.scene_file; })
      .def_prop_ro("text", [](const Scene& scene) { return scene.origin.scene_text; })
      .def_prop_ro("settings", [](const Scene& scene) { return scene.origin.settings; })
      .def_prop_ro("parameters", [](const Scene& scene) {
        nb::dict values;
        for (const auto& [name, value] : scene.origin.parameters) values[name.c_str()] = value;
        return nb::typed<nb::dict, std::string, double>(std::move(values));
      });

  nb::class_<SceneOverrides>(module, "Overrides", "What replaces settings of a scene.")
      .def(nb::new_(&make_overrides), nb::arg("settings"), nb::arg("integrator").none(), nb::arg("dt").none(),
           nb::arg("until").none(), nb::arg("every").none());
  module.def(
      "load_scene",
      [](const std::filesystem::path& path, const SceneOverrides& overrides) { return load_scene(path, overrides); },
      nb::arg("path"), nb::arg("overrides"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "read_scene",
      [](const std::string& text, const std::string& file, const SceneOverrides& overrides) {
        return read_scene(text, file, overrides);
      },
      nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "find_scene",
      [](const std::string& given, const std::vector<std::filesystem::path>& folders) { return find_scene(given, folders); },
      nb::arg("given"), nb::arg("folders"));
  module.def(
      "named_scenes",
      [](const std::vector<std::filesystem::path>& folders) {
        std::vector<std::pair<std::string, std::filesystem::path>> scenes;
        for (NamedScene& scene : named_scenes(folders)) scenes.emplace_back(std::move(scene.name), std::move(scene.file));
        return scenes;
      },
      nb::arg("folders"));
}

}  // namespace tippe::python
