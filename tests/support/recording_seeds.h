// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tippe/record/recording.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"

namespace tippe::test {

/// Small recordings for tests of the readers: with contacts and friction, with constraints and a drawing, and with events.
inline std::vector<std::string> write_recording_seeds(const std::filesystem::path& folder) {
  const std::string contacts =
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*x'^2 + 0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\n"
      "name = \"floor\"\ngap = \"y\"\nslip = \"x'\"\nfriction = 0.3\nrestitution = 0.5\n[initial]\ny = 0.01\n\"x'\" = 0.5\n";
  const std::string constraints =
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*x'^2 + 0.5*y'^2\"\npotential = "
      "\"9.81*y\"\n[[bilateral]]\n"
      "name = \"rod\"\nposition = \"x^2 + y^2 - 1\"\n[initial]\nx = 1\n[[draw]]\ncircle = [\"x\", \"y\", 0.1]\n";
  const auto write = [&](const std::string& name, const std::string& body, const std::string& integrator) {
    const Scene scene = read_scene("tippe = 1\n" + body + "[run]\nintegrator = \"" + integrator +
                                       "\"\ndt = 0.001\nuntil = 0.06\n[output]\nevery = 0.005\n",
                                   name + ".toml");
    Recording recording(folder / name, *scene.system, scene.origin, scene.run, scene.start.t);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
    return name;
  };
  return {write("contacts", contacts, "moreau"), write("constraints", constraints, "rk4"),
          write("adaptive", constraints, "dopri5"), write("consistent", contacts, "consistent-2"),
          write("events", contacts, "event-driven")};
}

}  // namespace tippe::test
