// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <future>
#include <mutex>

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
           int returns, const std::function<void(const std::string&)>& tell, const std::atomic<bool>& stop) {
  overrides.integrator = "event-driven";
  const Scene scene = read_scene(text, file, overrides);
  OrbitOptions options{.section = section, .returns = returns};
  options.interrupt = &stop;
  options.tell = tell;
  const PeriodicOrbit orbit = find_orbit_of(scene, options);
  return {orbit_json(*scene.system, scene.origin, orbit), orbit_text(*scene.system, scene.origin, orbit)};
}

/// The orbit, and what ended the search early, an exception of Python, or None. `progress` is called with what the search does, in words, and for how many
/// seconds it has gone on. This thread looks after signals while another one works: what the search tells between two looks comes too often.
nb::tuple find_orbit(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                     const std::string& section, int returns, nb::object progress) {
  LongCall call(std::move(progress));
  Texts found;
  {
    std::mutex mutex;
    std::string doing = "reading the scene";
    const auto tell = [&](const std::string& now) {
      const std::lock_guard lock(mutex);
      doing = now;
    };
    const auto told = [&] {
      const std::lock_guard lock(mutex);
      return doing;
    };
    const auto begin = std::chrono::steady_clock::now();
    const nb::gil_scoped_release released;
    std::future<Texts> search =
        std::async(std::launch::async, [&] { return find(text, file, overrides, section, returns, tell, call.stop()); });
    while (search.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
      call.look(told(), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    found = search.get();
  }
  return nb::make_tuple(found.first, found.second, call.error());
}

}  // namespace

void bind_orbit(nb::module_& module) {
  module.def(
      "find_orbit", find_orbit, nb::arg("text"), nb::arg("file"), nb::arg("overrides"), nb::arg("section"),
      nb::arg("returns"), nb::arg("progress").none(),
      nb::sig("def find_orbit(text: str, file: str, overrides: Overrides, section: str, returns: int, progress: object) -> "
              "tuple[str, str, BaseException | None]"),
      "Looks for a periodic orbit of a scene.");
}

}  // namespace tippe::python
