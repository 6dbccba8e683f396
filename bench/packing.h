// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tippe/problem/delassus_builder.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe::bench {

/// Of all problems.
inline constexpr double kGravity = 9.81, kDt = 1e-3;  // m/s^2, s

/// Radii around a mean radius of 10 mm.
enum class SizeLaw {
  kEqual,
  kUniform,    // in mean (1 -+ spread), spread < 1
  kLogNormal,  // with the standard deviation `spread` of the logarithm, cut at 2.5 deviations
};

/// How the spheres get to their places.
enum class Settling {
  kSettled,  // sink under gravity, overlaps pushed apart, until they are jammed
  kLattice,  // cubic lattice of touching spheres, slightly disturbed: as redundant as contacts can be; equal spheres only
};

struct PackingOptions {
  int spheres = 2000;
  int contacts = 0;  // > 0: as many spheres as give about so many contacts (within a few per cent), instead of `spheres`
  SizeLaw size_law = SizeLaw::kUniform;
  double spread = 0.3;  // 1  see SizeLaw
  double mu = 0.5;
  Settling settling = Settling::kSettled;
  std::uint64_t seed = 1;

  [[nodiscard]] std::string invalid_reason() const;  // empty if usable, else "spread = 2 must lie in [0, 1)"
};

/// One step of Moreau's rule for spheres in a box with a floor and four walls, in body space:
///
///   M v = H r + f ,   u = H' v + w ,   Coulomb's law at each contact,   f = M v_B + h dt
///
/// Body b owns the rows 6b .. 6b+5 of M, H, f: velocity, then angular velocity, both in the fixed frame. Contact c owns the
/// columns 3c .. 3c+2 of H: normal, two tangents. Impacts are inelastic, so w = 0; hence v = 0 obeys all contacts.
/// Bodies are numbered by layers from the floor upwards, contacts by their lower body.
struct Packing {
  std::vector<double> M;  // diagonal: mass three times, inertia three times for each body
  SparseColumns H;        // 6 bodies() x 3 contacts()
  std::vector<double> f, w;
  std::vector<double> mu;

  [[nodiscard]] int bodies() const { return static_cast<int>(M.size()) / 6; }
  [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
};

/// The same on every machine for the same options. Throws InputError if they are not usable.
[[nodiscard]] Packing make_packing(const PackingOptions& options);

/// The problem in the contacts alone: G = H' M^-1 H, explicit or as Y'Y with Y = M^-1/2 H, and c = H' M^-1 f + w.
[[nodiscard]] InclusionProblem contact_problem(const Packing& packing, DelassusForm form);

}  // namespace tippe::bench
