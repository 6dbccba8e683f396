// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>

#include "bind.h"
#include "long_call.h"
#include "tippe/record/recording.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"

namespace tippe::python {
namespace {

/// Runs a scene into a recording. Returns what ended it early, an exception of Python, or None.
nb::object run_scene(const Scene& scene, const std::filesystem::path& recording, double flush, nb::object progress) {
  LongCall call(std::move(progress));
  {
    const nb::gil_scoped_release released;
    Recording file(recording, *scene.system, scene.origin, scene.run, scene.start.t);
    file.set_flush_interval(std::chrono::duration<double>(flush));
    static_cast<void>(simulate(*scene.system, scene.start, scene.run,
                               {.recorder = &file,
                                .progress = [&](const Progress& now) { call.look(now.t, now.fraction, now.steps); },
                                .stop = &call.stop()}));
  }
  return call.error();
}

}  // namespace

void bind_run(nb::module_& module) {
  module.def("run_scene", run_scene, nb::arg("scene"), nb::arg("recording"), nb::arg("flush"), nb::arg("progress").none(),
             nb::sig("def run_scene(scene: Scene, recording: str | os.PathLike, flush: float, progress: object) -> "
                     "BaseException | None"),
             "Runs a scene into a recording (HDF5). flush: s. Returns the exception that ended it early, or None.");
}

}  // namespace tippe::python
