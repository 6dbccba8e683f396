// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tippe/model/body.h"
#include "tippe/model/system.h"
#include "tippe/multibody/pair_rules.h"
#include "tippe/shape/solid.h"

namespace tippe {

/// A shape of a body, by which contacts are called.
struct TouchingShape {
  std::string name;  // may be empty
  Solid shape;
};

/// What may touch: a body of the motion below, or a plane that does not move.
struct TouchingPartner {
  std::string name;
  std::optional<Plane> plane;
  BodyKind kind = BodyKind::kNewtonEuler;        // of a body: kNewtonEuler, kPoint or kPlanar
  int first_coordinate = 0, first_velocity = 0;  // of the body, in the motion
  std::vector<TouchingShape> shapes;
};

/// That of the first of two friction coefficients: fixed to a body, or in space.
struct FrictionDirection {
  Eigen::Vector3d direction;
  std::optional<size_t> partner = {};
};

/// Bodies whose contacts are found by their shapes while they move.
struct TouchingDescription {
  std::unique_ptr<const System>
      motion;  // all else: how the bodies move, their joints, and laws that are there at every state
  std::vector<TouchingPartner> partners;  // bodies, then planes
  PairRules rules{0};                     // of pairs of partners; finished
  /// What the contacts of a rule obey, without `rows`; nothing: they do not touch.
  std::vector<std::optional<ForceLaw>> laws;
  /// Of rules whose friction is not the same in all directions; as many as `laws`, or none.
  std::vector<std::optional<FrictionDirection>> directions = {};
  /// m  rolling resistance of each rule; as many as `laws`, or none.
  std::vector<double> rolling_arms = {};
  ImpactLaw impact_law = ImpactLaw::kNewton;
};

/// The laws of the motion come first in System::laws(), with their numbers; then one for each rule that has pairs, or two where some of them lie in
/// the plane and others do not, each followed by that of its rolling resistance, if it has any. Contacts have the ids of the shapes and features that touch: shapes are counted from 1 in the order of the
/// partners.
[[nodiscard]] std::unique_ptr<const System> make_touching_system(TouchingDescription description);

}  // namespace tippe
