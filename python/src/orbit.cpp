// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <future>

#include "bind.h"
#include "long_call.h"
#include "tippe/report/orbit_report.h"
#include "tippe/scene/scene.h"
#include "tippe/study/scene_orbit.h"

namespace tippe::python {
namespace {

using Texts = std::pair<std::string, std::string>;

/// As JSON and in words.
Texts find(const std::string& text, const std::string& file, SceneOverrides overrides, const std::string& section,
           int returns, const std::atomic<bool>& stop) {
  overrides.integrator = "event-driven";
  const Scene scene = read_scene(text, file, overrides);
  OrbitOptions options{.section = section, .returns = returns};
  options.interrupt = &stop;
  const PeriodicOrbit orbit = find_orbit_of(scene, options);
  return {orbit_json(*scene.system, scene.origin, orbit), orbit_text(*scene.system, scene.origin, orbit)};
}

/// The orbit, and what ended the search early, an exception of Python, or None. The search tells nothing of its progress: this thread looks
/// after signals while another one works.
nb::tuple find_orbit(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                     const std::string& section, int returns) {
  LongCall call(nb::none());
  Texts found;
  {
    const nb::gil_scoped_release released;
    std::future<Texts> search =
        std::async(std::launch::async, [&] { return find(text, file, overrides, section, returns, call.stop()); });
    while (search.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) call.look(0.0, 0.0, 0);
    found = search.get();
  }
  return nb::make_tuple(found.first, found.second, call.error());
}

}  // namespace

void bind_orbit(nb::module_& module) {
  module.def(
      "find_orbit", find_orbit, nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("section"),
      nb::arg("returns"),
      nb::sig("def find_orbit(text: str, file: str, overrides: Overrides, section: str, returns: int) -> tuple[str, str, "
              "BaseException | None]"),
      "Looks for a periodic orbit of a scene.");
}

}  // namespace tippe::python
