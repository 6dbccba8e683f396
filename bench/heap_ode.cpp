// SPDX-License-Identifier: Apache-2.0
// The Open Dynamics Engine with dWorldQuickStep, 20 iterations, and friction as a pyramid of the normal force.
#include <ode/ode.h>

#include <algorithm>
#include <array>

#include "heap_engines.h"

namespace tippe::bench {
namespace {

class OdeHeap : public HeapEngine {
 public:
  OdeHeap(const Heap& heap, double dt) : heap_(heap), dt_(dt) {
    dInitODE();
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -heap.gravity);
    dWorldSetQuickStepNumIterations(world_, 20);
    for (size_t k = 0; k < heap.places.size(); ++k) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetSphere(&mass, heap.density, heap.radii[k]);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, heap.places[k].x(), heap.places[k].y(), heap.places[k].z());
      dGeomSetBody(dCreateSphere(space_, heap.radii[k]), body);
      bodies_.push_back(body);
    }
    dCreatePlane(space_, 0, 0, 1, 0);
    dCreatePlane(space_, 1, 0, 0, -heap.half_width);
    dCreatePlane(space_, -1, 0, 0, -heap.half_width);
    dCreatePlane(space_, 0, 1, 0, -heap.half_width);
    dCreatePlane(space_, 0, -1, 0, -heap.half_width);
  }
  ~OdeHeap() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeHeap(const OdeHeap&) = delete;
  OdeHeap& operator=(const OdeHeap&) = delete;

  void step() override {
    dSpaceCollide(space_, this,
                  [](void* self, dGeomID one, dGeomID other) { static_cast<OdeHeap*>(self)->touch(one, other); });
    dWorldQuickStep(world_, dt_);
    dJointGroupEmpty(contacts_);
  }
  [[nodiscard]] std::vector<Eigen::Vector3d> places() const override {
    std::vector<Eigen::Vector3d> places;
    for (const dBodyID body : bodies_) places.push_back(vector(dBodyGetPosition(body)));
    return places;
  }
  [[nodiscard]] double fastest() const override {
    double fastest = 0.0;
    for (const dBodyID body : bodies_) fastest = std::max(fastest, vector(dBodyGetLinearVel(body)).norm());
    return fastest;
  }

 private:
  static Eigen::Vector3d vector(const dReal* v) { return {v[0], v[1], v[2]}; }
  void touch(dGeomID one, dGeomID other) {
    const dBodyID a = dGeomGetBody(one), b = dGeomGetBody(other);
    if (a == nullptr && b == nullptr) return;
    std::array<dContactGeom, 4> found{};
    const int count = dCollide(one, other, static_cast<int>(found.size()), found.data(), sizeof(dContactGeom));
    for (int k = 0; k < count; ++k) {
      dContact contact{};
      contact.geom = found[static_cast<size_t>(k)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = heap_.friction;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact), a, b);
    }
  }

  const Heap& heap_;
  double dt_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<HeapEngine> make_ode(const Heap& heap, double dt) {
  return std::make_unique<OdeHeap>(heap, dt);
}

}  // namespace tippe::bench
