// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/contact_finder.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "tippe/shape/broad_phase.h"
#include "tippe/shape/narrow_phase.h"

namespace tippe {

struct ContactFinder::Work {
  std::vector<CompiledShape> shapes;
  std::vector<PlacedShape> placed;
  std::function<bool(std::uint32_t, std::uint32_t)> solids_may_touch;
  BroadPhase::MayTouch may_touch;
  BroadPhase broad_phase;
  PolyhedronScratch scratch;

  Work(const std::vector<PlacedSolid>& solids, std::function<bool(std::uint32_t, std::uint32_t)> may)
      : shapes(compile_shapes(solids)), solids_may_touch(std::move(may)) {
    for (const CompiledShape& shape : shapes) placed.push_back({&shape, shape.center, shape.axes});
    may_touch = [this](int a, int b) {
      return could_touch(shapes[static_cast<size_t>(a)], shapes[static_cast<size_t>(b)]) &&
             solids_may_touch(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
  }

  [[nodiscard]] static bool could_touch(const CompiledShape& a, const CompiledShape& b) {
    using Kind = CompiledShape::Kind;
    return a.frame != b.frame && (a.planar == b.planar || a.kind == Kind::kPlane || b.kind == Kind::kPlane);
  }
};

ContactFinder::ContactFinder(const std::vector<PlacedSolid>& solids,
                             std::function<bool(std::uint32_t a, std::uint32_t b)> may_touch)
    : work_(std::make_unique<Work>(solids, std::move(may_touch))) {}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

void ContactFinder::find(std::span<const Pose> frames, double reach, std::vector<FoundContact>& contacts) {
  contacts.clear();
  for (PlacedShape& placed : work_->placed) {
    const CompiledShape& shape = *placed.shape;
    if (shape.frame == PlacedSolid::kFixed) continue;
    assert(static_cast<size_t>(shape.frame) < frames.size());
    const Pose& pose = frames[static_cast<size_t>(shape.frame)];
    placed.center = pose.position + pose.axes * shape.center;
    placed.axes = pose.axes * shape.axes;
  }
  FoundContact names;
  for (const BroadPhase::Pair& pair : work_->broad_phase.find(work_->placed, reach, work_->may_touch)) {
    const PlacedShape &a = work_->placed[static_cast<size_t>(pair.a)], &b = work_->placed[static_cast<size_t>(pair.b)];
    const double bound = a.shape->bound + b.shape->bound + reach;
    if ((a.center - b.center).squaredNorm() > bound * bound) continue;
    names.a = static_cast<std::uint32_t>(pair.a);
    names.b = static_cast<std::uint32_t>(pair.b);
    names.half_size = std::min(a.shape->half_size, b.shape->half_size);
    find_contacts(a, b, names, reach, work_->scratch, contacts);
  }
}

double ContactFinder::smallest_half_size() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const CompiledShape& shape : work_->shapes) smallest = std::min(smallest, shape.half_size);
  return smallest;
}
double ContactFinder::half_size(std::uint32_t solid) const {
  return work_->shapes.at(solid).half_size;
}
long ContactFinder::rebuilds() const {
  return work_->broad_phase.rebuilds();
}
long ContactFinder::pairs() const {
  return work_->broad_phase.pairs();
}

}  // namespace tippe
