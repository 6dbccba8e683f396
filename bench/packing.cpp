// SPDX-License-Identifier: Apache-2.0
#include "packing.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "random.h"
#include "spheres.h"
#include "tippe/core/error.h"

namespace tippe::bench {
namespace {

constexpr double kMeanRadius = 0.01;  // m
constexpr double kDensity = 2600.0;   // kg/m^3  glass
constexpr double kDisturbance = 0.1;  // 1  velocities before the step, relative to g dt
constexpr double kContactGap = 0.01;  // 1  nearer ones are contacts, relative to the mean radius
constexpr double kSettledFill = 0.6;  // 1  share of the volume that settled spheres take, about

double draw_radius(const PackingOptions& options, Random& random) {
  switch (options.size_law) {
    case SizeLaw::kEqual:
      break;
    case SizeLaw::kUniform:
      return kMeanRadius * random.uniform(1.0 - options.spread, 1.0 + options.spread);
    case SizeLaw::kLogNormal:
      return kMeanRadius * std::exp(options.spread * std::clamp(random.normal(), -2.5, 2.5));
  }
  return kMeanRadius;
}

/// Sphere centres on a cubic lattice of `side` x `side` columns.
void place_on_lattice(Spheres& spheres, int side, double disturbance, Random& random) {
  const double spacing = spheres.width / side;
  for (int i = 0; i < spheres.count(); ++i) {
    const Eigen::Vector3d node(i % side + 0.5, i / side % side + 0.5, i / (side * side) + 0.5);
    spheres.position.push_back(spacing * node + random.vector(disturbance * kMeanRadius));
  }
}

Spheres make_spheres(const PackingOptions& options, int count, Random& random) {
  Spheres spheres;
  double volume = 0.0;
  for (int i = 0; i < count; ++i) {
    spheres.radius.push_back(draw_radius(options, random));
    volume += 4.0 / 3.0 * std::numbers::pi * std::pow(spheres.radius.back(), 3);
  }
  const int side = std::max(1, static_cast<int>(std::lround(std::cbrt(count))));
  if (options.settling == Settling::kLattice) {
    spheres.width = 2.0 * kMeanRadius * side;
    place_on_lattice(spheres, side, 0.2 * kContactGap, random);
    return spheres;
  }
  const double largest = *std::max_element(spheres.radius.begin(), spheres.radius.end());
  spheres.width = std::max(2.0 * largest, std::cbrt(volume / kSettledFill));
  place_on_lattice(spheres, side, 0.3, random);
  settle(spheres);
  return spheres;
}

/// Two unit tangents, so that (normal, t1, t2) is right-handed.
std::pair<Eigen::Vector3d, Eigen::Vector3d> tangents(const Eigen::Vector3d& normal) {
  int smallest;
  normal.cwiseAbs().minCoeff(&smallest);
  const Eigen::Vector3d t1 = normal.cross(Eigen::Vector3d::Unit(smallest)).normalized();
  return {t1, normal.cross(t1)};
}

void push_three(SparseColumns& H, int row, const Eigen::Vector3d& values) {
  for (int k = 0; k < 3; ++k) H.push(row + k, values[k]);
}

/// Relative velocity of the second sphere against the first (or the wall) at their contact: the points of contact are at r_1 n from
/// the first centre and at -r_2 n from the second, so that along t it is t.(v_2 - v_1) - (n x t).(r_1 omega_1 + r_2 omega_2).
void append_contact(const Spheres& spheres, const Neighbours& pair, const Eigen::Vector3d& normal, SparseColumns& H) {
  const auto [t1, t2] = tangents(normal);
  if (pair.first >= 0) push_three(H, 6 * pair.first, -normal);
  push_three(H, 6 * pair.second, normal);
  H.finish_column();
  for (const Eigen::Vector3d& t : {t1, t2}) {
    const Eigen::Vector3d arm = -normal.cross(t);
    if (pair.first >= 0) {
      push_three(H, 6 * pair.first, -t);
      push_three(H, 6 * pair.first + 3, spheres.radius[pair.first] * arm);
    }
    push_three(H, 6 * pair.second, t);
    push_three(H, 6 * pair.second + 3, spheres.radius[pair.second] * arm);
    H.finish_column();
  }
}

Packing pack(const PackingOptions& options, int count) {
  Random random(options.seed);
  const Spheres spheres = make_spheres(options, count, random);
  Packing packing;
  for (const double radius : spheres.radius) {
    const double mass = kDensity * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3),
                 inertia = 0.4 * mass * radius * radius;
    const Eigen::Vector3d v = random.vector(kDisturbance * kGravity * kDt),
                          omega = random.vector(kDisturbance * kGravity * kDt) / radius;
    for (int k = 0; k < 6; ++k) {
      packing.M.push_back(k < 3 ? mass : inertia);
      packing.f.push_back(k < 3 ? mass * v[k] : inertia * omega[k - 3]);
    }
    packing.f[packing.f.size() - 4] -= mass * kGravity * kDt;
  }
  for (const Neighbours& pair : find_neighbours(spheres, kContactGap * kMeanRadius)) {
    append_contact(spheres, pair, gap_between(spheres, pair).normal, packing.H);
    packing.mu.push_back(options.mu);
  }
  packing.w.assign(3 * packing.mu.size(), 0.0);
  return packing;
}

}  // namespace

std::string PackingOptions::invalid_reason() const {
  if (spheres < 1 || spheres > 10'000'000) return fmt::format("spheres = {} must lie in [1, 1e7]", spheres);
  if (contacts < 0 || contacts > 30'000'000) return fmt::format("contacts = {} must lie in [0, 3e7]", contacts);
  if (!(spread >= 0.0 && spread < 1.0)) return fmt::format("spread = {} must lie in [0, 1)", spread);
  if (!(mu >= 0.0 && std::isfinite(mu))) return fmt::format("mu = {} must be finite and not negative", mu);
  if (settling == Settling::kLattice && size_law != SizeLaw::kEqual) return "settling = lattice needs size_law = equal";
  return {};
}

Packing make_packing(const PackingOptions& options) {
  if (const std::string reason = options.invalid_reason(); !reason.empty()) throw InputError({}, "packing: " + reason);
  if (options.contacts == 0) return pack(options, options.spheres);
  // Spheres have about 2.7 contacts each; how many exactly is known only afterwards. The nearest of a few trials is taken.
  const auto missed_by = [&](const Packing& packing) { return std::abs(packing.contacts() - options.contacts); };
  int count = std::max(1, static_cast<int>(options.contacts / 2.7));
  Packing nearest = pack(options, count);
  for (int trial = 0, found = nearest.contacts(); trial < 5 && missed_by(nearest) > 0.03 * options.contacts; ++trial) {
    count = std::max(1, static_cast<int>(std::lround(static_cast<double>(count) * options.contacts / std::max(1, found))));
    Packing packing = pack(options, count);
    found = packing.contacts();
    if (missed_by(packing) < missed_by(nearest)) nearest = std::move(packing);
  }
  return nearest;
}

InclusionProblem contact_problem(const Packing& packing, DelassusForm form) {
  InclusionProblem problem;
  SparseColumns& Y = problem.G.Y;
  Y = packing.H;
  for (size_t p = 0; p < Y.value.size(); ++p) Y.value[p] /= std::sqrt(packing.M[Y.row[p]]);

  std::vector<double> free_velocity(packing.M.size());
  for (size_t k = 0; k < packing.M.size(); ++k) free_velocity[k] = packing.f[k] / packing.M[k];
  problem.c.resize(3 * packing.contacts());
  for (int k = 0; k < problem.c.size(); ++k) problem.c[k] = packing.H.dot(k, free_velocity.data()) + packing.w[k];

  DelassusBuilder().build(std::vector<int>(packing.mu.size(), 3), 6 * packing.bodies(), problem.G, form);
  for (const double mu : packing.mu) problem.laws.emplace_back(CoulombContact{mu, mu});
  return problem;
}

}  // namespace tippe::bench
