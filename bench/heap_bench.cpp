// SPDX-License-Identifier: Apache-2.0
// A heap of spheres with friction comes to rest, in Tippe and in the engines that are installed, with the same spheres, box and step.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <functional>
#include <memory>

#include "heap_engines.h"
#include "processor_time.h"

namespace tippe::bench {
namespace {

struct Options {
  int layers = 10, columns = 10, steps = 2000, measured = 100, sweeps = 0;
  double dt = 1e-3;
  std::string only;
};

void measure(const char* name, const Heap& heap, const Options& options,
             const std::function<std::unique_ptr<HeapEngine>()>& make) {
  if (!options.only.empty() && options.only != name) return;
  double begin = processor_time();
  const auto engine = make();
  const double load = processor_time() - begin;
  begin = processor_time();
  for (int k = 0; k < options.steps; ++k) engine->step();
  const double settling = (processor_time() - begin) / options.steps;
  engine->achieved();  // from here on it is that of the heap at rest
  begin = processor_time();
  for (int k = 0; k < options.measured; ++k) engine->step();
  const double resting = (processor_time() - begin) / options.measured;
  const Overlaps found = overlaps(heap, engine->places());
  fmt::print("{:<8} {:8.3f} {:10.2f} {:10.2f} {:9d} {:12.4f} {:12.4f} {:11.2e}  {}\n", name, load, 1e3 * settling,
             1e3 * resting, found.contacts, 100 * found.worst / heap.mean_radius, 100 * found.mean / heap.mean_radius,
             engine->fastest(), engine->achieved());
  std::fflush(stdout);
}

void compare(const Options& options) {
  const Heap heap(options.layers, options.columns);
  fmt::print("{} spheres, mu = {}, dt = {} s, {} steps to settle\n\n", heap.places.size(), heap.friction, options.dt,
             options.steps);
  fmt::print("{:<8} {:>8} {:>10} {:>10} {:>9} {:>12} {:>12} {:>11}\n", "", "load s", "settling", "at rest", "overlaps",
             "worst", "mean", "fastest");
  fmt::print("{:<8} {:>8} {:>10} {:>10} {:>9} {:>12} {:>12} {:>11}\n", "", "", "ms a step", "ms a step", "", "% of radius",
             "% of radius", "m/s");
  measure("tippe", heap, options, [&] { return make_tippe(heap, options.dt, options.sweeps); });
#ifdef TIPPE_HAS_ODE
  measure("ode", heap, options, [&] { return make_ode(heap, options.dt); });
#endif
#ifdef TIPPE_HAS_BULLET
  measure("bullet", heap, options, [&] { return make_bullet(heap, options.dt); });
#endif
#ifdef TIPPE_HAS_MUJOCO
  measure("mujoco", heap, options, [&] { return make_mujoco(heap, options.dt); });
#endif
}

}  // namespace
}  // namespace tippe::bench

int main(int argc, char** argv) {
  tippe::bench::Options options;
  CLI::App app("A heap of spheres comes to rest; processor time of one thread");
  app.add_option("--layers", options.layers, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--columns", options.columns, "of a layer, along both sides")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--steps", options.steps, "until it is taken to be at rest")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--measured", options.measured, "steps at rest that are measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--dt", options.dt, "s")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--sweeps", options.sweeps, "contact_sweeps of Tippe; 0: as its aim needs")->capture_default_str();
  app.add_option("--only", options.only, "one engine: tippe, ode, bullet, mujoco");
  CLI11_PARSE(app, argc, argv);
  tippe::bench::compare(options);
}
