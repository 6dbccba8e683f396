// SPDX-License-Identifier: Apache-2.0
// MuJoCo with its defaults: Newton's method on soft contacts, elliptic cones, Euler's integrator.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "heap_engines.h"

namespace tippe::bench {
namespace {

class MujocoHeap : public HeapEngine {
 public:
  MujocoHeap(const Heap& heap, double dt) : spheres_(static_cast<int>(heap.places.size())) {
    std::string text = fmt::format(
        "<mujoco><option timestep=\"{}\" gravity=\"0 0 {}\" cone=\"elliptic\"/><size memory=\"2G\"/>"
        "<default><geom friction=\"{} 0 0\" density=\"{}\" condim=\"3\"/></default><worldbody>"
        "<geom type=\"plane\" size=\"9 9 1\"/>",
        dt, -heap.gravity, heap.friction, heap.density);
    for (const auto& [x, y] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
      text += fmt::format("<geom type=\"plane\" size=\"9 9 1\" pos=\"{} {} 0\" zaxis=\"{} {} 0\"/>", -x * heap.half_width,
                          -y * heap.half_width, x, y);
    for (size_t k = 0; k < heap.places.size(); ++k) {
      const Eigen::Vector3d& at = heap.places[k];
      text += fmt::format("<body pos=\"{} {} {}\"><freejoint/><geom type=\"sphere\" size=\"{}\"/></body>", at.x(), at.y(),
                          at.z(), heap.radii[k]);
    }
    text += "</worldbody></mujoco>";
    std::array<char, 1000> error{};
    mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
    if (spec == nullptr) throw std::runtime_error(error.data());
    model_ = mj_compile(spec, nullptr);
    mj_deleteSpec(spec);
    if (model_ == nullptr) throw std::runtime_error("MuJoCo takes no such model");
    data_ = mj_makeData(model_);
  }
  ~MujocoHeap() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoHeap(const MujocoHeap&) = delete;
  MujocoHeap& operator=(const MujocoHeap&) = delete;

  void step() override { mj_step(model_, data_); }
  [[nodiscard]] std::vector<Eigen::Vector3d> places() const override {
    std::vector<Eigen::Vector3d> places;
    for (int k = 0; k < spheres_; ++k)
      places.emplace_back(data_->qpos[7 * k], data_->qpos[7 * k + 1], data_->qpos[7 * k + 2]);
    return places;
  }
  [[nodiscard]] double fastest() const override {
    double fastest = 0.0;
    for (int k = 0; k < spheres_; ++k) {
      const mjtNum* v = data_->qvel + 6 * k;
      fastest = std::max(fastest, Eigen::Vector3d(v[0], v[1], v[2]).norm());
    }
    return fastest;
  }

 private:
  int spheres_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<HeapEngine> make_mujoco(const Heap& heap, double dt) {
  return std::make_unique<MujocoHeap>(heap, dt);
}

}  // namespace tippe::bench
