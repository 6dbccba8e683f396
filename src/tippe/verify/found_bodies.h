// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/run/run_summary.h"
#include "tippe/verify/mechanics.h"

namespace tippe::verify {

/// A contact that was found by shapes, as a run tells of it.
struct FoundContact {
  LawId id;
  int law = 0;                                       // what it obeys, in System::laws()
  Eigen::Vector3d at, normal, impulse;               // m, 1, N s  in space; the impulse on its first shape
  double gap = 0.0;                                  // m
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // N m s  of its rolling resistance, likewise
};

/// How forces in space act on bodies, by the names of their coordinates: x, y, z and a quaternion or an angle of each.
class FoundBodies {
 public:
  explicit FoundBodies(const System& system);

  /// gamma of unit forces along the normal and two tangents (one in the plane), at positions q.
  [[nodiscard]] Rows rows(const FoundContact& contact, const Vector& q) const;
  /// The impulse along these directions.
  [[nodiscard]] Vector along_rows(const FoundContact& contact) const;
  /// The relative angular velocity about the tangents (in the plane about z), and the moment of its rolling resistance along them.
  [[nodiscard]] Rows rolling_rows(const FoundContact& contact, const Vector& q) const;
  [[nodiscard]] Vector along_rolling(const FoundContact& contact) const;
  /// What a moment about the normal does.
  [[nodiscard]] Vector drilling_row(const FoundContact& contact, const Vector& q) const;

 private:
  using Vector3 = Eigen::Matrix<Real, 3, 1>;
  using Matrix3 = Eigen::Matrix<Real, 3, 3>;
  struct Body {
    bool fixed = true, turns = false, planar = false;  // fixed: a plane
    Eigen::Index q = 0, u = 0;

    [[nodiscard]] Vector3 place(const Vector& at) const;
    [[nodiscard]] Matrix3 axes(const Vector& at) const;
    /// Calls add(velocity, share) for each velocity that they act on, in ascending order.
    template <class Add>
    void act(const Vector& at, const Vector3& force, const Vector3& moment_about_centre, Real sign, const Add& add) const;
  };
  [[nodiscard]] const Body& first(const FoundContact& contact) const { return body_of_shape_.at(contact.id.shape_a - 1); }
  [[nodiscard]] const Body& second(const FoundContact& contact) const { return body_of_shape_.at(contact.id.shape_b - 1); }
  [[nodiscard]] Rows rows_along(const FoundContact& contact, const Vector& q, const std::vector<Vector3>& along,
                                bool moments) const;
  [[nodiscard]] std::vector<Vector3> rolling_axes(const FoundContact& contact) const;
  [[nodiscard]] std::vector<Vector3> directions(const FoundContact& contact) const;

  std::vector<Body> body_of_shape_;
  Eigen::Index nu_;
};

}  // namespace tippe::verify
