// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "heap_engines.h"
#include "tippe/scene/scene.h"

namespace tippe::bench {
namespace {

class TippeHeap : public HeapEngine {
 public:
  TippeHeap(const Heap& heap, double dt, int sweeps) : dt_(dt), scene_(read_scene(scene_of(heap, dt, sweeps), "heap.toml")) {
    at_ = scene_.start;
    integrator_ = find_integrator("moreau")->make(*scene_.system, scene_.run.integrator_options);
  }
  void step() override {
    const StepReport report = integrator_->step(at_, dt_);
    if (!report.ok()) throw std::runtime_error(describe_failure(*scene_.system, report, at_));
    residual_ = std::max(residual_, report.residual);
    iterations_ += report.iterations;
    inexact_ += report.inexact ? 1 : 0;
    ++steps_;
  }
  [[nodiscard]] std::vector<Eigen::Vector3d> places() const override {
    // Bodies have seven coordinates each, the place first.
    std::vector<Eigen::Vector3d> places;
    for (Eigen::Index k = 0; k + 6 < at_.q.size(); k += 7) places.push_back(at_.q.segment<3>(k));
    return places;
  }
  [[nodiscard]] double fastest() const override {
    double fastest = 0.0;
    for (Eigen::Index k = 0; k + 5 < at_.u.size(); k += 6) fastest = std::max(fastest, at_.u.segment<3>(k).norm());
    return fastest;
  }
  [[nodiscard]] std::string achieved() override {
    const std::string text = fmt::format("residual {:.1e}, {:.1f} iterations a step, {} of {} above the aim", residual_,
                                         static_cast<double>(iterations_) / std::max(1, steps_), inexact_, steps_);
    residual_ = 0.0;
    iterations_ = inexact_ = steps_ = 0;
    return text;
  }

 private:
  static std::string scene_of(const Heap& heap, double dt, int sweeps) {
    std::string text = fmt::format("tippe = 1\n[world]\ngravity = [0, 0, {}]\n", -heap.gravity);
    for (size_t k = 0; k < heap.places.size(); ++k) {
      const Eigen::Vector3d& at = heap.places[k];
      text += fmt::format(
          "[[body]]\nname = \"ball{}\"\ndensity = {}\nposition = [{}, {}, {}]\ngroup = \"balls\"\n[[body.sphere]]\nradius = "
          "{}\n",
          k, heap.density, at.x(), at.y(), at.z(), heap.radii[k]);
    }
    text += "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n";
    for (const auto& [name, x, y] : {std::tuple{"west", 1, 0}, {"east", -1, 0}, {"south", 0, 1}, {"north", 0, -1}})
      text += fmt::format("[[plane]]\nname = \"{}\"\nnormal = [{}, {}, 0]\npoint = [{}, {}, 0]\n", name, x, y,
                          -x * heap.half_width, -y * heap.half_width);
    text += fmt::format(
        "[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = {}\n[run]\nintegrator = \"moreau\"\ndt = {}\nuntil = 1\n",
        heap.friction, dt);
    if (sweeps > 0) text += fmt::format("contact_sweeps = {}\ncontact_tolerance = 0.9\n", sweeps);
    return text;
  }

  double dt_;
  Scene scene_;
  State at_;
  std::unique_ptr<Integrator> integrator_;
  double residual_ = 0.0;
  int iterations_ = 0, inexact_ = 0, steps_ = 0;
};

}  // namespace

std::unique_ptr<HeapEngine> make_tippe(const Heap& heap, double dt, int sweeps) {
  return std::make_unique<TippeHeap>(heap, dt, sweeps);
}

}  // namespace tippe::bench
