// SPDX-License-Identifier: Apache-2.0
// Bullet with its sequential impulses, ten iterations, as btDiscreteDynamicsWorld has them by default; bodies do not sleep.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#include "heap_engines.h"

namespace tippe::bench {
namespace {

class BulletHeap : public HeapEngine {
 public:
  BulletHeap(const Heap& heap, double dt)
      : dt_(dt), dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, 0, btScalar(-heap.gravity)));
    const auto friction = btScalar(std::sqrt(heap.friction));  // Bullet multiplies those of both bodies
    for (size_t k = 0; k < heap.places.size(); ++k) {
      auto shape = std::make_unique<btSphereShape>(btScalar(heap.radii[k]));
      btVector3 inertia;
      shape->calculateLocalInertia(btScalar(heap.mass(k)), inertia);
      const Eigen::Vector3d& at = heap.places[k];
      add(std::move(shape), btScalar(heap.mass(k)), inertia, btVector3(btScalar(at.x()), btScalar(at.y()), btScalar(at.z())),
          friction);
    }
    spheres_ = bodies_.size();
    const auto half = btScalar(heap.half_width);
    for (const auto& [normal, offset] : {std::pair{btVector3(0, 0, 1), btScalar(0)},
                                         {btVector3(1, 0, 0), -half},
                                         {btVector3(-1, 0, 0), -half},
                                         {btVector3(0, 1, 0), -half},
                                         {btVector3(0, -1, 0), -half}})
      add(std::make_unique<btStaticPlaneShape>(normal, offset), 0, btVector3(0, 0, 0), btVector3(0, 0, 0), friction);
  }
  ~BulletHeap() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletHeap(const BulletHeap&) = delete;
  BulletHeap& operator=(const BulletHeap&) = delete;

  void step() override { world_.stepSimulation(btScalar(dt_), 0); }
  [[nodiscard]] std::vector<Eigen::Vector3d> places() const override {
    std::vector<Eigen::Vector3d> places;
    for (size_t k = 0; k < spheres_; ++k) {
      const btVector3& at = bodies_[k]->getWorldTransform().getOrigin();
      places.emplace_back(at.x(), at.y(), at.z());
    }
    return places;
  }
  [[nodiscard]] double fastest() const override {
    double fastest = 0.0;
    for (size_t k = 0; k < spheres_; ++k) fastest = std::max(fastest, double(bodies_[k]->getLinearVelocity().length()));
    return fastest;
  }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, btScalar mass, const btVector3& inertia, const btVector3& at,
           btScalar friction) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = friction;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    shapes_.push_back(std::move(shape));
    world_.addRigidBody(bodies_.back().get());
  }

  double dt_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  size_t spheres_ = 0;
};

}  // namespace

std::unique_ptr<HeapEngine> make_bullet(const Heap& heap, double dt) {
  return std::make_unique<BulletHeap>(heap, dt);
}

}  // namespace tippe::bench
