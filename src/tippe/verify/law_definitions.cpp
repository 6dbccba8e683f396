// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/law_definitions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/model/friction_curve.h"

namespace tippe::verify {
namespace {

using Eigen::Index;
constexpr Real kPi = std::numbers::pi_v<Real>;

/// Points of a disc of radius 1 with weights for the pressure sqrt(1 - r^2), whose sum is 1: r = sin(a), so that pressure times area is
/// cos(a)^2 sin(a) da.
struct DiscPoint {
  Real x, y, weight;
};
const std::vector<DiscPoint>& disc() {
  static const std::vector<DiscPoint> points = [] {
    constexpr int kRings = 60, kAround = 96;
    std::vector<DiscPoint> made;
    for (int i = 0; i < kRings; ++i) {
      const Real a = 0.5L * kPi * (static_cast<Real>(i) + 0.5L) / kRings, r = std::sin(a), c = std::cos(a);
      for (int k = 0; k < kAround; ++k) {
        const Real angle = 2.0L * kPi * (static_cast<Real>(k) + 0.5L) / kAround;
        made.push_back({r * std::cos(angle), r * std::sin(angle), c * c * r});
      }
    }
    Real sum = 0.0L;
    for (const DiscPoint& point : made) sum += point.weight;
    for (DiscPoint& point : made) point.weight /= sum;
    return made;
  }();
  return points;
}

/// Coulomb-Contensou: the friction of all points of a disc of radius R that slides and spins; the mean drilling radius is 3 pi R/16.
Real contensou_support(Real mu, Real Rbar, Real slip, Real spin) {
  const Real R = 16.0L * Rbar / (3.0L * kPi), turn = R * spin;
  Real power = 0.0L;
  for (const DiscPoint& point : disc()) power += point.weight * std::hypot(slip - turn * point.y, turn * point.x);
  return mu * power;
}
/// Of that quadrature.
constexpr Real kQuadratureError = 2e-4L;

bool is_exact_drilling(const ForceLaw& law) {
  return law.drilling && law.drilling->set == DrillingSet::kExact;
}

/// Friction of a law by its directions 1, 2 and the spin, for a normal impulse 1, and of dry friction in a time 1.
std::array<Real, 3> half_axes(const ForceLaw& law) {
  if (law.kind == ForceLaw::Kind::kDryFriction)
    return {law.limits[0], law.limits[1], law.drilling ? law.limits[0] * law.drilling->Rbar : 0.0L};
  return {law.mu1, law.mu2, law.drilling ? law.mu1 * law.drilling->Rbar : 0.0L};
}

/// Whether friction impulses f of a normal impulse n lie in their set: by how much they are outside, divided by what is allowed.
Real outside_set(const LawImpulse& at, const Vector& f, const Vector& off, Real n, Real n_off) {
  const ForceLaw& law = at.law;
  const std::array<Real, 3> axes = half_axes(law);
  const Index rows = f.size();
  // Rows without friction carry nothing.
  Real worst = 0.0L;
  for (Index k = 0; k < rows; ++k) {
    if (axes[static_cast<size_t>(k)] == 0.0L) worst = std::max(worst, std::abs(f[k]) / off[k]);
  }
  Real size = 0.0L, allowance = n_off;
  const auto add = [&](Index k) {
    const Real axis = axes[static_cast<size_t>(k)];
    if (axis == 0.0L) return;
    size = std::hypot(size, f[k] / axis);
    allowance = std::max(allowance, off[k] / axis);
  };
  if (law.drilling && law.drilling->set == DrillingSet::kCylinder) {
    add(0), add(1);
    const Real force = (size - n) / (allowance + n_off);
    size = 0.0L, allowance = n_off;
    add(2);
    return std::max({worst, force, (size - n) / (allowance + n_off)});
  }
  if (is_exact_drilling(law)) {
    // In the set if no direction of slip could take more power than the support function says.
    constexpr int kDirections = 90;
    const Real force = std::hypot(f[0], f[1]), Rbar = law.drilling->Rbar, moment = std::abs(f[2]);
    Real most = 0.0L;
    for (int k = 0; k <= kDirections; ++k) {
      const Real angle = 0.5L * kPi * k / kDirections, slip = std::cos(angle), spin = std::sin(angle) / Rbar;
      const Real support = contensou_support(axes[0], Rbar, slip, spin);
      const Real excess = force * slip + moment * spin - n * support;
      const Real allowed =
          off.head(2).maxCoeff() * slip + off[2] * spin + (n_off + kQuadratureError * std::abs(n)) * support;
      most = std::max(most, excess / allowed);
    }
    return most;
  }
  for (Index k = 0; k < rows; ++k) add(k);
  return std::max(worst, (size - n) / (allowance + n_off));
}

}  // namespace

Real support_of(const ForceLaw& law, const Vector& slip) {
  const std::array<Real, 3> axes = half_axes(law);
  if (is_exact_drilling(law)) return contensou_support(axes[0], law.drilling->Rbar, std::hypot(slip[0], slip[1]), slip[2]);
  Real square = 0.0L;
  const bool cylinder = law.drilling && law.drilling->set == DrillingSet::kCylinder;
  for (Index k = 0; k < slip.size(); ++k) {
    if (cylinder && k == 2) continue;
    const Real power = axes[static_cast<size_t>(k)] * slip[k];
    square += power * power;
  }
  return std::sqrt(square) + (cylinder ? axes[2] * std::abs(slip[2]) : 0.0L);
}

namespace {

/// The share of its friction at rest that a law has, and how uncertain it is by that of its slip. At rest it may have any up to 1.
struct Share {
  Real value = 1.0L, off = 0.0L;
};
Share share_of(const LawImpulse& at, Index first) {
  if (!at.law.falling) return {};
  const FrictionCurve& curve = *at.law.falling;
  const auto moving = [&](Real speed) {
    if (const std::optional<double> share = curve.constant()) return static_cast<Real>(*share);
    return Formula(curve.expression()).value(Vector::Constant(1, speed));
  };
  const Index rows = at.xi.size() - first;
  const Real off = at.slip_before ? 1e-9L * *at.slip_before : at.xi_off.tail(rows).norm();
  const Real slip = at.slip_before.value_or(at.xi.tail(rows).norm());
  const Real value = moving(slip), faster = moving(slip + off), slower = moving(std::max(0.0L, slip - off));
  Share share{value, std::max(std::abs(faster - value), std::abs(slower - value)) + 1e-12L};
  if (slip <= off) share.off = std::max(share.off, 1.0L - value);
  return share;
}

/// Whether friction that falls at first is larger than at rest for some faster slip.
bool may_exceed_rest(const ForceLaw& law) {
  if (law.falling->constant()) return false;
  const Formula share(law.falling->expression());
  for (Real speed = 1e-12L; speed <= 1e9L; speed *= 10.0L) {
    if (share.value(Vector::Constant(1, speed)) > 1.0L) return true;
  }
  return false;
}

/// Friction that falls with the slip: within the set of rest, and in sliding within that of its slip.
Real outside_falling_set(const LawImpulse& at) {
  const ForceLaw& law = at.law;
  const Index first = law.kind == ForceLaw::Kind::kDryFriction ? 0 : 1, rows = at.Lambda.size() - first;
  if (rows == 0) return 0.0L;
  const Share share = share_of(at, first);
  const Real of_slip = std::max(1.0L, share.value + share.off);
  if (law.is_line_friction()) {
    const Real limit = of_slip * law.limit_of_force(static_cast<double>(at.Lambda[0])) * at.dt;
    return (std::abs(at.Lambda[0]) - limit) / at.Lambda_off[0];
  }
  const bool pad = first == 0;
  const Real n = of_slip * (pad ? at.dt : std::max(0.0L, at.Lambda[0])), n_off = pad ? 0.0L : of_slip * at.Lambda_off[0];
  return outside_set(at, at.Lambda.tail(rows), at.Lambda_off.tail(rows), n, n_off);
}

/// Of the rows from `first` on, whose set has the size n, uncertain by n_off: how much less power than possible they take from the slip.
Real direction_misfit(const LawImpulse& at, Index first, Real n, Real n_off) {
  const ForceLaw& law = at.law;
  const Index rows = at.Lambda.size() - first;
  const Vector f = at.Lambda.tail(rows), slip = at.xi.tail(rows);
  const Vector f_off = at.Lambda_off.tail(rows), slip_off = at.xi_off.tail(rows);
  const Share share = share_of(at, first);
  const Real support = share.value * support_of(law, slip), most = n * support, surplus = most + f.dot(slip);
  const Real missing = law.falling ? std::abs(surplus) : surplus;
  const std::array<Real, 3> axes = half_axes(law);
  Real allowed = support * n_off + f_off.dot(slip.cwiseAbs()) + f_off.dot(slip_off);
  if (law.falling) allowed += share.off * n * support_of(law, slip);
  for (Index k = 0; k < rows; ++k) allowed += (std::abs(f[k]) + (n + n_off) * axes[static_cast<size_t>(k)]) * slip_off[k];
  if (is_exact_drilling(law)) allowed += kQuadratureError * most;
  return missing / allowed;
}

}  // namespace

LawMisfit misfit_of(const LawImpulse& at) {
  LawMisfit misfit = cone_misfit_of(at);
  const ForceLaw& law = at.law;
  if (law.falling) misfit.friction_set = outside_falling_set(at);
  const Vector &Lambda = at.Lambda, &xi = at.xi;
  const Index rows = Lambda.size();
  if (law.is_line_friction()) {
    const Share share = share_of(at, 0);
    const Real at_rest = law.limit_against(static_cast<double>(xi[0])) * at.dt, limit = share.value * at_rest,
               surplus = limit * std::abs(xi[0]) + Lambda[0] * xi[0], missing = law.falling ? std::abs(surplus) : surplus;
    misfit.friction_direction =
        missing / (at.Lambda_off[0] * std::abs(xi[0]) + (std::abs(Lambda[0]) + at_rest) * at.xi_off[0] +
                   at.Lambda_off[0] * at.xi_off[0] + share.off * at_rest * std::abs(xi[0]));
    return misfit;
  }
  if (law.kind == ForceLaw::Kind::kDryFriction) {
    misfit.friction_direction = direction_misfit(at, 0, at.dt, 0.0L);
    return misfit;
  }
  misfit.closing = -xi[0] / at.xi_off[0];
  misfit.complementarity = std::min(xi[0] / at.xi_off[0], Lambda[0] / at.Lambda_off[0]);
  if (law.kind != ForceLaw::Kind::kContact || rows == 1) return misfit;
  misfit.friction_direction = direction_misfit(at, 1, std::max(0.0L, Lambda[0]), at.Lambda_off[0]);
  return misfit;
}

LawMisfit cone_misfit_of(const LawImpulse& at) {
  LawMisfit misfit;
  const ForceLaw& law = at.law;
  if (law.falling && may_exceed_rest(law)) {  // its set depends on the slip
    if (law.kind != ForceLaw::Kind::kDryFriction) misfit.pull = -at.Lambda[0] / at.Lambda_off[0];
    return misfit;
  }
  if (law.is_line_friction()) {
    const Real limit = law.limit_of_force(static_cast<double>(at.Lambda[0])) * at.dt;
    misfit.friction_set = (std::abs(at.Lambda[0]) - limit) / at.Lambda_off[0];
    return misfit;
  }
  if (law.kind == ForceLaw::Kind::kDryFriction) {
    misfit.friction_set = outside_set(at, at.Lambda, at.Lambda_off, at.dt, 0.0L);
    return misfit;
  }
  misfit.pull = -at.Lambda[0] / at.Lambda_off[0];
  const Index rows = at.Lambda.size();
  if (law.kind != ForceLaw::Kind::kContact || rows == 1) return misfit;
  misfit.friction_set = outside_set(at, at.Lambda.tail(rows - 1), at.Lambda_off.tail(rows - 1), std::max(0.0L, at.Lambda[0]),
                                    at.Lambda_off[0]);
  return misfit;
}

}  // namespace tippe::verify
