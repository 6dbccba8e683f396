// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/scene.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace tippe::python {
namespace {

using Text = std::optional<std::string>;

/// Another scene from the same text: `settings` replace all that were given before.
Scene read_again(const Scene& scene, std::vector<std::string> settings, Text integrator, Text dt, Text until) {
  const SceneOverrides overrides{std::move(settings), std::move(integrator), std::move(dt), std::move(until)};
  const nb::gil_scoped_release released;
  return read_scene(scene.origin.scene_text, scene.origin.scene_file, overrides);
}

}  // namespace

void bind_scene(nb::module_& module) {
  nb::class_<Scene>(module, "Scene", "A scene that was read and checked: ready to run. Immutable.")
      .def_prop_ro("coordinates", [](const Scene& scene) { return scene.system->coordinate_names(); })
      .def_prop_ro("velocities", [](const Scene& scene) { return scene.system->velocity_names(); })
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
      .def_prop_ro("every", [](const Scene& scene) { return scene.run.sample_interval(scene.start.t); })
      .def_prop_ro("title", [](const Scene& scene) { return scene.origin.title; })
      .def_prop_ro("source", [](const Scene& scene) { return scene.origin.source; })
      .def_prop_ro("file", [](const Scene& scene) { return scene.origin.scene_file; })
      .def_prop_ro("text", [](const Scene& scene) { return scene.origin.scene_text; })
      .def_prop_ro("settings", [](const Scene& scene) { return scene.origin.settings; })
      .def_prop_ro("parameters",
                   [](const Scene& scene) {
                     nb::dict values;
                     for (const auto& [name, value] : scene.origin.parameters) values[name.c_str()] = value;
                     return nb::typed<nb::dict, std::string, double>(std::move(values));
                   })
      .def("read_again", read_again, nb::arg("settings"), nb::arg("integrator").none(), nb::arg("dt").none(),
           nb::arg("until").none());

  module.def(
      "load_scene",
      [](const std::filesystem::path& path, std::vector<std::string> settings, Text integrator, Text dt, Text until) {
        const SceneOverrides overrides{std::move(settings), std::move(integrator), std::move(dt), std::move(until)};
        const nb::gil_scoped_release released;
        return load_scene(path, overrides);
      },
      nb::arg("path"), nb::arg("settings"), nb::arg("integrator").none(), nb::arg("dt").none(), nb::arg("until").none());
  module.def(
      "read_scene",
      [](const std::string& text, const std::string& file, std::vector<std::string> settings, Text integrator, Text dt,
         Text until) {
        const SceneOverrides overrides{std::move(settings), std::move(integrator), std::move(dt), std::move(until)};
        const nb::gil_scoped_release released;
        return read_scene(text, file, overrides);
      },
      nb::arg("text"), nb::arg("file"), nb::arg("settings"), nb::arg("integrator").none(), nb::arg("dt").none(),
      nb::arg("until").none());
}

}  // namespace tippe::python
