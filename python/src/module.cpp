// SPDX-License-Identifier: Apache-2.0
#include "bind.h"
#include "tippe/core/version.h"

NB_MODULE(_tippe, module) {
  using namespace tippe::python;
  module.doc() = "The library behind the package tippe. Use that one: names here may change.";
  module.attr("program") = std::string(tippe::kProgram);
  bind_errors(module);
  bind_scene(module);
  bind_problem(module);
  bind_instant(module);
  bind_comparison(module);
  bind_orbit(module);
}
