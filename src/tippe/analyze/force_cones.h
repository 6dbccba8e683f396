// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/solve/cone_program.h"

namespace tippe {

/// What one contact or constraint may exert.
struct ForcePart {
  enum class Kind {
    kFree,  // anything, along the normal and the tangents
    kRay,   // a normal force >= 0 and `friction` times it
    kCone,  // |friction| <= mu * normal force
  };
  Kind kind = Kind::kFree;
  int component = 0;         // of the normal force in the ForceLayout; those of the friction follow
  double sign = 1.0;         // -1: the bilateral constraint pulls; the normal force is then that of the pull
  int tangents = 0;          // directions of friction: kFree, kCone
  double mu = 0.0;           // kCone
  Eigen::VectorXd friction;  // kRay
  int contact = -1;          // which unilateral contact; -1: a bilateral one
};

/// How deep inside the cones the forces can be.
struct ForceMargin {
  ConeStatus status = ConeStatus::kUndecided;
  double depth = 0.0;         // the largest s with |friction_i| + s <= mu_i * normal_i in all cones
  Eigen::VectorXd forces;     // all components; empty if there are none at any depth
  Eigen::VectorXd direction;  // d with D'd in the dual of the cones; D'd = -depth for the load if depth is below its limit
  Eigen::VectorXd slack;      // of each variable: positive where the depth is decided
  double scale = 1.0;         // D f = scale * w
};

/// The least that has to be added to a load.
struct ShortestAddition {
  ConeStatus status = ConeStatus::kUndecided;
  Eigen::VectorXd addition, forces;
};

/// All forces f that some parts may exert, as f = T x with x = (free, K), and their resultants D f. A cone in the plane is spanned by its
/// two edges; in space it is a second-order cone in (mu * normal force, friction).
class ForceCones {
 public:
  /// `directions`: D, one column per component. All mu are multiplied by `factor`.
  ForceCones(const Eigen::MatrixXd& directions, std::vector<ForcePart> parts, double factor = 1.0);

  [[nodiscard]] const std::vector<ForcePart>& parts() const { return parts_; }
  [[nodiscard]] bool has_cones() const;

  /// The depth of forces with D f = w, at most `limit`.
  [[nodiscard]] ForceMargin margin(const Eigen::VectorXd& w, double limit) const;
  /// The depth of forces with D f = scale * w, scale >= 0 and scale + sum of (normal force of rays, mu * normal force of cones) = 1; rays
  /// count as cones. Forces of any size and self-stress are at a finite place here: kOptimal as a rule, with D'd = -depth or less for w
  /// if depth < 0.
  [[nodiscard]] ForceMargin scaled_margin(const Eigen::VectorXd& w) const;
  /// The same without a load: D f = 0. If depth < 0, direction opens all contacts, if it is 0 some, and closes none. kInfeasible:
  /// likewise, without any forces.
  [[nodiscard]] ForceMargin self_stress() const;
  /// Where scaled_margin has depth 0 and scale 0: the parts with those free that are strictly inside some self-stress. They hold anything, the others
  /// decide. Empty if there are none.
  [[nodiscard]] std::vector<ForcePart> with_jammed_free(const Eigen::VectorXd& w) const;
  /// The shortest v with D f = w + U z + V v for forces f and any z.
  [[nodiscard]] ShortestAddition shortest_addition(const Eigen::VectorXd& w, const Eigen::MatrixXd& U,
                                                   const Eigen::MatrixXd& V) const;
  /// Bounds of every component over all f with D f = w, which must exist; one of them is given. False if a bound is not proved: it is
  /// then an outer one.
  [[nodiscard]] bool bound(const Eigen::VectorXd& w, const Eigen::VectorXd& forces, Eigen::VectorXd& lower,
                           Eigen::VectorXd& upper) const;
  /// On the boundary (margin with depth 0): the parts with each cone replaced by its face that can still be loaded.
  [[nodiscard]] std::vector<ForcePart> face(const Eigen::VectorXd& slack) const;

 private:
  [[nodiscard]] ForceMargin normalized_margin(const Eigen::MatrixXd& loads, bool inside = false) const;

  std::vector<ForcePart> parts_;
  std::vector<int> first_;  // variable of each part
  Eigen::MatrixXd T_, A_;   // A = D T
  ConeProduct cones_;
  int free_ = 0;
  Eigen::VectorXd cone_unit_;  // middle of the cones, without rays
  double factor_;
};

/// d without what the free parts act along.
[[nodiscard]] Eigen::VectorXd orthogonal_to_free(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                                 const Eigen::VectorXd& d);

}  // namespace tippe
