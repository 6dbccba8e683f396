// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace tippe::python {

namespace nb = nanobind;

/// Each adds what its file binds to the module; module.cpp calls them.
void bind_comparison(nb::module_& module);
void bind_errors(nb::module_& module);
void bind_gradient(nb::module_& module);
void bind_instant(nb::module_& module);
void bind_orbit(nb::module_& module);
void bind_problem(nb::module_& module);
void bind_record(nb::module_& module);
void bind_run(nb::module_& module);
void bind_scene(nb::module_& module);
void bind_simulation(nb::module_& module);
void bind_sweep(nb::module_& module);

}  // namespace tippe::python
