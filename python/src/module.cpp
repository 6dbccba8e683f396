// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "long_call.h"
#include "tippe/core/suggest.h"
#include "tippe/core/version.h"

NB_MODULE(_tippe, module) {
  using namespace tippe::python;
  module.doc() = "The library behind the package tippe. Use that one: names here may change.";
  module.attr("program") = std::string(tippe::kProgram);
  module.def("did_you_mean", [](const std::string& word, const std::vector<std::string>& words) {
    return tippe::did_you_mean(word, words);
  });
  module.def("comma_list", [](const std::vector<std::string>& words) { return tippe::comma_list(words); });
  nb::set_leak_warnings(false);  // threads that are still there at the exit hold on to objects
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&LongCall::end_all));
  bind_errors(module);
  bind_scene(module);
  bind_record(module);
  bind_run(module);
  bind_simulation(module);
  bind_problem(module);
  bind_instant(module);
  bind_comparison(module);
  bind_gradient(module);
  bind_orbit(module);
  bind_sweep(module);
}
