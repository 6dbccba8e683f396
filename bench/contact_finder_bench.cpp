// SPDX-License-Identifier: Apache-2.0
// What it costs to find contacts: per pair of shapes that touch, and per step of many spheres. Processor time of one thread.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <vector>

#include "processor_time.h"
#include "tippe/shape/contact_finder.h"

namespace tippe::bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
}

Solid hull_of(int vertices) {
  std::mt19937 random(static_cast<unsigned>(vertices));
  std::normal_distribution<double> normal;
  HullShape hull;
  for (int k = 0; k < vertices; ++k)
    hull.points.push_back(Vector3d(normal(random), normal(random), normal(random)).normalized());
  return hull;
}

bool always(std::uint32_t, std::uint32_t) {
  return true;
}

/// Many pairs, each in a place of its own, the second brought near the first along z until they touch; or one flat on the other.
void measure_pairs(const char* name, const Solid& one, const Solid& other, bool flat) {
  constexpr int kPairs = 200;
  std::mt19937 random(1);
  std::vector<PlacedSolid> solids;
  std::vector<Pose> poses;
  std::vector<FoundContact> contacts;
  for (int k = 0; k < kPairs; ++k) {
    const Vector3d place(20.0 * k, 0.0, 0.0);
    const Matrix3d turn = flat ? Matrix3d(Matrix3d::Identity()) : random_turn(random);
    const Matrix3d other_turn =
        flat ? Eigen::AngleAxisd(0.1 + k, Vector3d::UnitZ()).toRotationMatrix() : random_turn(random);
    double low = 0.0, high = 8.0;
    ContactFinder finder({{.solid = one, .frame = 0}, {.solid = other, .frame = 1}}, always);
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (low + high);
      finder.find(std::vector<Pose>{{place, turn}, {place + middle * Vector3d::UnitZ(), other_turn}}, 1e-9, contacts);
      (contacts.empty() ? high : low) = middle;
    }
    solids.push_back({.solid = one, .frame = 2 * k});
    solids.push_back({.solid = other, .frame = 2 * k + 1});
    poses.push_back({place, turn});
    poses.push_back({place + low * Vector3d::UnitZ(), other_turn});
  }
  ContactFinder finder(solids, always);
  const double time = mean_processor_time([&](int) {}, [&](int) { finder.find(poses, 1e-6, contacts); });
  fmt::print("{:<44} {:8.2f} us a pair {:6.2f} points\n", name, 1e6 * time / kPairs,
             static_cast<double>(contacts.size()) / kPairs);
}

void measure_spheres(int count, double step) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<PlacedSolid> solids;
  std::vector<Pose> poses;
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  for (int k = 0; k < count; ++k) {
    solids.push_back({.solid = SphereShape{Vector3d::Zero(), 0.5 * (0.9 + 0.1 * uniform(random))}, .frame = k});
    const Vector3d place(k % side, k / side % side, k / (side * side));
    poses.push_back(
        {0.93 * place + 0.03 * Vector3d(uniform(random), uniform(random), uniform(random)), Matrix3d::Identity()});
  }
  solids.push_back({.solid = Plane{}});
  ContactFinder finder(solids, always);
  std::vector<FoundContact> contacts;
  std::vector<Vector3d> speed;
  for (int k = 0; k < count; ++k) speed.emplace_back(step * uniform(random), step * uniform(random), step * uniform(random));
  finder.find(poses, 0.01, contacts);
  const long before = finder.rebuilds();
  double time = 0.0;
  constexpr int kSteps = 100;
  for (int s = 0; s < kSteps; ++s) {
    const double sign = s / 25 % 2 == 0 ? 1.0 : -1.0;
    for (int k = 0; k < count; ++k) poses[k].position += sign * speed[k];
    const double start = processor_time();
    finder.find(poses, 0.01, contacts);
    time += processor_time() - start;
  }
  fmt::print(
      "{:6} spheres that move by {:5.3f} of their radius {:8.3f} ms a step, {} contacts, list made anew in every {:.1f}th "
      "step\n",
      count, 2.0 * step, 1e3 * time / kSteps, contacts.size(),
      static_cast<double>(kSteps) / std::max(1L, finder.rebuilds() - before));
}

}  // namespace
}  // namespace tippe::bench

int main() {
  using namespace tippe;
  using namespace tippe::bench;
  using Eigen::Vector3d;
  const Solid box = BoxShape{Vector3d::Zero(), {2.0, 1.6, 1.2}}, ball = SphereShape{Vector3d::Zero(), 0.7};
  const Solid capsule = CapsuleShape{{-0.5, 0, 0}, {0.5, 0, 0}, 0.4},
              cylinder = CylinderShape{{0, 0, -0.6}, {0, 0, 0.6}, 0.7};
  measure_pairs("sphere on sphere", ball, ball, false);
  measure_pairs("sphere on box", box, ball, false);
  measure_pairs("capsule on capsule", capsule, capsule, false);
  measure_pairs("capsule on box", box, capsule, false);
  measure_pairs("capsule flat on box", box, capsule, true);
  measure_pairs("box flat on box", box, box, true);
  measure_pairs("box on box, any way round", box, box, false);
  for (const int vertices : {12, 32, 64}) {
    const Solid hull = hull_of(vertices);
    measure_pairs(fmt::format("hull of {} vertices on box", vertices).c_str(), box, hull, false);
    measure_pairs(fmt::format("hull of {} vertices on another", vertices).c_str(), hull, hull, false);
  }
  measure_pairs("cylinder standing on box", box, cylinder, true);
  measure_pairs("cylinder on box, any way round", box, cylinder, false);
  measure_pairs("cylinder standing on cylinder", cylinder, cylinder, true);
  measure_pairs("cylinder on cylinder, any way round", cylinder, cylinder, false);
  for (const int count : {1000, 10000}) {
    for (const double step : {0.0, 0.005, 0.05}) measure_spheres(count, step);
  }
}
