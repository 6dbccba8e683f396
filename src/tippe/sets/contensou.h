// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Which set the friction force and the drilling moment of a contact lie in.
enum class DrillingSet {
  kExact,      // BF: Coulomb friction integrated over a disc with Hertz pressure        Moeller (3.118)-(3.120)
  kEllipsoid,  // EF: the ellipsoid with the same extremes                              Moeller (3.122)
  kCylinder,   // ZF: disc and interval, force and moment independent                   Moeller (3.121)
};

/// Ratio of the mean drilling radius to the radius of the contact disc under Hertz pressure: Rbar = 3 pi R / 16.
constexpr double kMeanDrillingRadiusRatio = 3.0 * 3.14159265358979323846 / 16.0;

/// A boundary point of the exact set for mu lambda_N = 1 and Rbar = 1, and its derivative by u, where
/// u = |gamma_T| / (R |gamma_tau|): u = 0 is pure drilling, u = infinity pure sliding. The outward normal there is
/// (u / ratio, 1) in (force, moment), so that d moment/du = -(u / ratio) d force/du.
struct ContensouPoint {
  double force;       // b_T, 0 .. 1
  double moment;      // b_tau, 1 .. 0
  double force_rate;  // d b_T / du
};
[[nodiscard]] ContensouPoint contensou_boundary(double u);

/// Euclidean prox on a drilling set: x = (two forces, moment), radius = mu lambda_N >= 0, Rbar > 0 the mean drilling radius.
[[nodiscard]] Eigen::Vector3d prox_drilling(DrillingSet set, const Eigen::Vector3d& x, double radius, double Rbar);

/// Whether x lies in it.
[[nodiscard]] bool in_drilling_set(DrillingSet set, const Eigen::Vector3d& x, double radius, double Rbar);

}  // namespace tippe
