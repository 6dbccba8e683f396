// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/problems.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/sets/ellipsoid.h"

namespace tippe::test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Laws to draw from.
enum class Kind {
  kHalfLine,
  kBilateral,
  kInterval,
  kContact2d,
  kContact3d,
  kAnisotropic,
  kLoaded2d,  // with extra_normal
  kLoaded3d,
  kDrillingExact,
  kDrillingEllipsoid,
  kDrillingCylinder,
  kDrillingLoaded,
  kPlane,  // given limits
  kPlaneDrilling,
};
inline const std::vector<Kind> kAllKinds = {
    Kind::kHalfLine,         Kind::kBilateral,      Kind::kInterval, Kind::kContact2d,     Kind::kContact3d,
    Kind::kAnisotropic,      Kind::kLoaded2d,       Kind::kLoaded3d, Kind::kDrillingExact, Kind::kDrillingEllipsoid,
    Kind::kDrillingCylinder, Kind::kDrillingLoaded, Kind::kPlane,    Kind::kPlaneDrilling};
/// Those that the enumeration knows.
inline const std::vector<Kind> kPlainKinds = {Kind::kHalfLine,  Kind::kBilateral, Kind::kInterval,
                                              Kind::kContact2d, Kind::kContact3d, Kind::kAnisotropic};
/// Those that are cones.
inline const std::vector<Kind> kConeKinds = {Kind::kHalfLine, Kind::kBilateral, Kind::kContact2d, Kind::kContact3d,
                                             Kind::kDrillingEllipsoid};

inline int rows_of(Kind kind) {
  if (kind <= Kind::kInterval) return 1;
  if (kind == Kind::kContact2d || kind == Kind::kLoaded2d) return 2;
  if (kind == Kind::kPlane) return 2;
  if (kind == Kind::kPlaneDrilling) return 3;
  return kind >= Kind::kDrillingExact ? 4 : 3;
}

/// A law of this kind; friction coefficients up to largest_mu, loads and limits of size 1.
inline LawSet draw_law(Kind kind, double largest_mu, Random& random) {
  const double mu = random.uniform(0.05, 1.0) * largest_mu, load = random.uniform(0.1, 1.0),
               Rbar = random.uniform(0.01, 2.0);
  switch (kind) {
    case Kind::kHalfLine:
      return HalfLine{};
    case Kind::kBilateral:
      return Interval{-kInfinity, kInfinity};
    case Kind::kInterval:
      return Interval{-random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)};
    case Kind::kContact2d:
    case Kind::kContact3d:
      return CoulombContact{mu, mu};
    case Kind::kAnisotropic:
      return CoulombContact{mu, random.uniform(0.05, 1.0) * largest_mu};
    case Kind::kLoaded2d:
    case Kind::kLoaded3d:
      return CoulombContact{mu, mu, load};
    case Kind::kDrillingExact:
      return DrillingContact{mu, Rbar, DrillingSet::kExact};
    case Kind::kDrillingEllipsoid:
      return DrillingContact{mu, Rbar, DrillingSet::kEllipsoid};
    case Kind::kDrillingCylinder:
      return DrillingContact{mu, Rbar, DrillingSet::kCylinder};
    case Kind::kDrillingLoaded:
      return DrillingContact{mu, Rbar, DrillingSet::kEllipsoid, load};
    case Kind::kPlane:
      return PlaneFriction{load, random.uniform(0.1, 1.0)};
    case Kind::kPlaneDrilling:
      return DrillingFriction{load, Rbar, DrillingSet::kExact};
  }
  return HalfLine{};
}

struct Drawn {
  std::vector<LawSet> laws;
  std::vector<int> sizes;
};
inline Drawn draw_laws(int count, const std::vector<Kind>& kinds, double largest_mu, Random& random) {
  Drawn drawn;
  for (int i = 0; i < count; ++i) {
    const Kind kind = kinds[static_cast<size_t>(random.below(static_cast<int>(kinds.size())))];
    drawn.laws.push_back(draw_law(kind, largest_mu, random));
    drawn.sizes.push_back(rows_of(kind));
  }
  return drawn;
}

/// Lambda and xi of one law: -Lambda = prox_C(x), xi = x - prox_C(x) for some x obeys xi in N_C(-Lambda) for every set C.
inline void draw_solution(const LawSet& law, int size, Random& random, double* Lambda, double* xi) {
  if (const auto* interval = std::get_if<Interval>(&law)) {
    const double x = random.uniform(-2.0, 2.0);
    Lambda[0] = -std::clamp(x, interval->lower, interval->upper);
    xi[0] = x + Lambda[0];
    return;
  }
  if (const auto* plane = std::get_if<PlaneFriction>(&law)) {
    const Eigen::Vector2d x = random.vector(2, 2.0), p = prox_ellipsoid(x, Eigen::Vector2d(plane->limit1, plane->limit2));
    for (int k = 0; k < 2; ++k) {
      Lambda[k] = -p[k];
      xi[k] = x[k] - p[k];
    }
    return;
  }
  if (const auto* drilling = std::get_if<DrillingFriction>(&law)) {
    const Eigen::Vector3d x = random.vector(3, 2.0), p = prox_drilling(drilling->set, x, drilling->limit, 1.0);
    for (int k = 0; k < 3; ++k) {
      const double scale = k == 2 ? drilling->Rbar : 1.0;
      Lambda[k] = -scale * p[k];
      xi[k] = (x[k] - p[k]) / scale;
    }
    return;
  }
  const bool open = random.below(3) == 0, stick = random.below(2) == 0;
  Lambda[0] = open ? 0.0 : random.uniform(0.1, 2.0);
  xi[0] = open ? random.uniform(0.1, 1.0) : 0.0;
  Eigen::Vector3d x = Eigen::Vector3d::Zero(), p;
  x.head(size - 1) = random.vector(size - 1, stick ? 0.1 : 3.0);
  if (const auto* contact = std::get_if<CoulombContact>(&law)) {
    const double load = Lambda[0] + contact->extra_normal;
    p = prox_ellipsoid(x, Eigen::Vector3d(contact->mu1 * load, (size == 3 ? contact->mu2 : 0.0) * load, 0.0));
  } else if (const auto* drilling = std::get_if<DrillingContact>(&law)) {
    // In the scaled variables, in which force and moment have the same unit.
    p = prox_drilling(drilling->set, x, drilling->mu * (Lambda[0] + drilling->extra_normal), 1.0);
    for (int k = 0; k < 3; ++k) {
      const double scale = k == 2 ? drilling->Rbar : 1.0;
      Lambda[k + 1] = -scale * p[k];
      xi[k + 1] = (x[k] - p[k]) / scale;
    }
    return;
  }
  for (int k = 0; k < size - 1; ++k) {
    Lambda[k + 1] = -p[k];
    xi[k + 1] = x[k] - p[k];
  }
}

/// A problem with a known solution and a G of the given rank (-1: full), with an antisymmetric part of relative size `asymmetry`.
inline Manufactured manufacture_laws(const Drawn& drawn, int rank, double asymmetry, Random& random) {
  const int n = std::accumulate(drawn.sizes.begin(), drawn.sizes.end(), 0);
  Eigen::VectorXd Lambda(n), xi(n);
  for (size_t i = 0, row = 0; i < drawn.laws.size(); row += static_cast<size_t>(drawn.sizes[i++]))
    draw_solution(drawn.laws[i], drawn.sizes[i], random, Lambda.data() + row, xi.data() + row);
  Eigen::MatrixXd Y(rank < 0 ? n + 2 : rank, n), B(n, n);
  for (int k = 0; k < n; ++k) Y.col(k) = random.vector(static_cast<int>(Y.rows()));
  for (int k = 0; k < n; ++k) B.col(k) = random.vector(n, asymmetry);
  Eigen::MatrixXd G = Y.transpose() * Y;
  G += (B - B.transpose()).cwiseProduct(G.diagonal().cwiseSqrt() * G.diagonal().cwiseSqrt().transpose());
  return {make_problem(G, xi - G * Lambda, drawn.laws, drawn.sizes), Lambda};
}

struct BodyOptions {
  int bodies = 3;
  int contacts = 6;
  std::vector<Kind> kinds = {Kind::kContact3d};
  double largest_mu = 1.0;
  double mass_decades = 0.0;  // masses between 1 and 10^mass_decades
  DelassusForm form = DelassusForm::kExplicit;
  bool chain = false;     // contact i between the bodies i / 2 - 1 (or ground) and i / 2; else between any two
  bool shuffled = false;  // contacts in any order
};

/// Rigid bodies that meet at random places: G = Y'Y, Y = M^-1/2 H, c = H'v. Impacts without rebound: bodies at rest would obey all
/// contacts, hence there is a solution. (Acary, Cadoux, Lemarechal, Malick: existence if some velocities obey H'v in K*.)
inline InclusionProblem bodies_in_contact(const BodyOptions& options, Random& random) {
  Eigen::VectorXd v = random.vector(6 * options.bodies), inverse_root(6 * options.bodies);
  std::vector<Eigen::Vector3d> centre;
  for (int b = 0; b < options.bodies; ++b) {
    const double mass = std::pow(10.0, random.uniform(0.0, 1.0) * options.mass_decades);
    for (int k = 0; k < 6; ++k) inverse_root[6 * b + k] = 1.0 / std::sqrt(k < 3 ? mass : mass * random.uniform(0.1, 0.4));
    centre.emplace_back(random.vector(3));
  }
  const Drawn drawn = draw_laws(options.contacts, options.kinds, options.largest_mu, random);
  std::vector<int> order(static_cast<size_t>(options.contacts));
  std::iota(order.begin(), order.end(), 0);
  if (options.shuffled) {
    for (int i = options.contacts - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  }
  InclusionProblem problem;
  std::vector<double> c;
  for (int i = 0; i < options.contacts; ++i) {
    const int place = order[i];
    // -1 is the ground.
    const int b = options.chain ? place / 2 : random.below(options.bodies);
    int a = options.chain ? (place % 2 == 0 ? b - 1 : -1) : random.below(options.bodies + 1) - 1;
    if (a == b) a = -1;
    const Eigen::Vector3d at = centre[b] + Eigen::Vector3d(random.vector(3, 0.5));
    Eigen::Matrix3d frame;
    frame.col(0) = random.vector(3).normalized();
    frame.col(1) = frame.col(0).unitOrthogonal();
    frame.col(2) = frame.col(0).cross(frame.col(1));
    for (int k = 0; k < drawn.sizes[i]; ++k) {
      double velocity = 0.0;
      for (const int body : {std::min(a, b), std::max(a, b)}) {
        if (body < 0) continue;
        const double sign = body == b ? 1.0 : -1.0;
        Eigen::Matrix<double, 6, 1> h;
        if (k < 3) {
          h << frame.col(k), (at - centre[body]).cross(frame.col(k));
        } else {
          h << Eigen::Vector3d::Zero(), frame.col(0);
        }
        for (int j = 0; j < 6; ++j) {
          problem.G.Y.push(6 * body + j, sign * h[j] * inverse_root[6 * body + j]);
          velocity += sign * h[j] * v[6 * body + j];
        }
      }
      problem.G.Y.finish_column();
      c.push_back(velocity);
    }
  }
  problem.c = Eigen::Map<Eigen::VectorXd>(c.data(), static_cast<Eigen::Index>(c.size()));
  problem.laws = drawn.laws;
  DelassusBuilder().build(drawn.sizes, 6 * options.bodies, problem.G, options.form);
  return problem;
}

/// xi = G Lambda + c.
inline Eigen::VectorXd velocities(const InclusionProblem& problem, const Eigen::VectorXd& Lambda) {
  Eigen::VectorXd xi = problem.c;
  const BlockSparseMatrix& G = problem.G.blocks;
  if (problem.G.factored) {
    const SparseColumns& Y = problem.G.Y;
    Eigen::VectorXd kinetic = Eigen::VectorXd::Zero(problem.G.kinetic_rows);
    for (int k = 0; k < problem.rows(); ++k)
      for (int p = Y.start[k]; p < Y.start[k + 1]; ++p) kinetic[Y.row[p]] += Y.value[p] * Lambda[k];
    for (int k = 0; k < problem.rows(); ++k)
      for (int p = Y.start[k]; p < Y.start[k + 1]; ++p) xi[k] += Y.value[p] * kinetic[Y.row[p]];
    return xi;
  }
  for (int i = 0; i < G.blocks(); ++i) {
    for (int e = G.entry_start[i]; e < G.entry_start[i + 1]; ++e) {
      for (int r = G.row[i], at = G.entry[e].offset; r < G.row[i + 1]; ++r)
        for (int s = G.row[G.entry[e].column]; s < G.row[G.entry[e].column + 1]; ++s) xi[r] += G.value[at++] * Lambda[s];
    }
  }
  return xi;
}

/// The point of the ellipse with these semi-axes nearest to x, by bisection.
inline Eigen::Vector2d nearest_in_ellipse(const Eigen::Vector2d& x, const Eigen::Vector2d& axes) {
  const auto point = [&](double tau) {
    Eigen::Vector2d p;
    for (int k = 0; k < 2; ++k) p[k] = axes[k] > 0.0 ? x[k] / (1.0 + tau / axes[k] / axes[k]) : 0.0;
    return p;
  };
  const auto level = [&](const Eigen::Vector2d& p) {
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) sum += axes[k] > 0.0 ? std::pow(p[k] / axes[k], 2) : 0.0;
    return sum;
  };
  if (level(point(0.0)) <= 1.0) return point(0.0);
  double low = 0.0, high = axes.maxCoeff() * (x.norm() + axes.maxCoeff());
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (level(point(middle)) > 1.0 ? low : high) = middle;
  }
  return point(high);
}

/// |e_i| of one block by the formulas of docs/theory/inclusion.md.
inline double block_error(const LawSet& law, int size, const double* Lambda, const double* xi, double rho) {
  // Where the projection changes nothing e is rho xi, to all digits.
  const auto normal = [&] { return Lambda[0] - rho * xi[0] > 0.0 ? rho * xi[0] : Lambda[0]; };
  if (std::holds_alternative<HalfLine>(law)) return std::abs(normal());
  if (const auto* interval = std::get_if<Interval>(&law)) {
    const double x = -Lambda[0] + rho * xi[0];
    return std::abs(x < interval->lower   ? Lambda[0] + interval->lower
                    : x > interval->upper ? Lambda[0] + interval->upper
                                          : rho * xi[0]);
  }
  if (const auto* contact = std::get_if<CoulombContact>(&law)) {
    const Eigen::Vector2d L_T(Lambda[1], size == 3 ? Lambda[2] : 0.0), x_T(xi[1], size == 3 ? xi[2] : 0.0);
    const double mu = contact->mu1;
    if (contact->extra_normal == 0.0 && mu <= 1e3 && (size == 2 || contact->mu1 == contact->mu2)) {  // De Saxce
      const double n = Lambda[0] - rho * (xi[0] + mu * x_T.norm());
      const Eigen::Vector2d t = L_T - rho * x_T;
      if (t.norm() <= mu * n) return rho * std::hypot(xi[0] + mu * x_T.norm(), x_T.norm());
      if (mu * t.norm() <= -n) return std::hypot(Lambda[0], L_T.norm());
      const double s = (n + mu * t.norm()) / (1.0 + mu * mu);
      return std::hypot(Lambda[0] - s, (L_T - mu * s * t / t.norm()).norm());
    }
    const double load = std::max(0.0, Lambda[0]) + contact->extra_normal;
    const Eigen::Vector2d axes(contact->mu1 * load, size == 3 ? contact->mu2 * load : 0.0);
    return std::hypot(normal(), (L_T + nearest_in_ellipse(-L_T + rho * x_T, axes)).norm());
  }
  if (const auto* plane = std::get_if<PlaneFriction>(&law)) {
    const Eigen::Vector2d L(Lambda[0], Lambda[1]), x(xi[0], xi[1]);
    return (L + nearest_in_ellipse(-L + rho * x, {plane->limit1, plane->limit2})).norm();
  }
  const auto drilling_error = [&](DrillingSet set, double radius, double Rbar, const double* impulse,
                                  const double* velocity) {
    const Eigen::Vector3d L(impulse[0], impulse[1], impulse[2] / Rbar), x(velocity[0], velocity[1], velocity[2] * Rbar);
    Eigen::Vector3d p = -L + rho * x;
    if (set == DrillingSet::kExact) {
      p = prox_drilling(set, p, radius, 1.0);  // tested with the sets
    } else if (set == DrillingSet::kEllipsoid) {
      if (p.norm() > radius) p *= radius / p.norm();
    } else {
      if (p.head<2>().norm() > radius) p.head<2>() *= radius / p.head<2>().norm();
      p[2] = std::clamp(p[2], -radius, radius);
    }
    return (L + p).norm();
  };
  if (const auto* given = std::get_if<DrillingFriction>(&law))
    return drilling_error(given->set, given->limit, given->Rbar, Lambda, xi);
  const auto& drilling = std::get<DrillingContact>(law);
  const double radius = drilling.mu * (std::max(0.0, Lambda[0]) + drilling.extra_normal);
  return std::hypot(normal(), drilling_error(drilling.set, radius, drilling.Rbar, Lambda + 1, xi + 1));
}

/// The residual of docs/theory/inclusion.md, written from its formulas and not from the code that judges the solvers.
inline double eta(const InclusionProblem& problem, const Eigen::VectorXd& given_Lambda) {
  Eigen::VectorXd xi = velocities(problem, given_Lambda), Lambda = given_Lambda, c = problem.c;
  if (!Lambda.allFinite() || !xi.allFinite()) return kInfinity;
  const BlockSparseMatrix& G = problem.G.blocks;
  std::vector<LawSet> laws = problem.laws;
  std::vector<double> rho;
  double smallest = kInfinity;
  for (int i = 0; i < G.blocks(); ++i) {
    const int size = G.block_size(i);
    Eigen::VectorXd diagonal(size), A = Eigen::VectorXd::Ones(size);
    for (int k = 0; k < size; ++k) diagonal[k] = G.value[G.diagonal[i] + k * size + k];
    if (auto* contact = std::get_if<CoulombContact>(&laws[i]); contact != nullptr) {  // tangents in the unit of the normal
      const double ratio = diagonal[0] / diagonal.tail(size - 1).maxCoeff();
      if ((ratio >= 1e4 || ratio <= 1e-4) && ratio > 0.0 && std::isfinite(ratio)) {
        const double A_T = std::pow(2.0, std::round(std::log2(std::sqrt(ratio))));
        A.tail(size - 1).setConstant(A_T);
        contact->mu1 /= A_T;
        contact->mu2 /= A_T;
        Lambda.segment(G.row[i], size).array() /= A.array();
        xi.segment(G.row[i], size).array() *= A.array();
      }
    }
    if (const auto* drilling = std::get_if<DrillingContact>(&laws[i])) A[3] = drilling->Rbar;
    if (const auto* drilling = std::get_if<DrillingFriction>(&laws[i])) A[2] = drilling->Rbar;
    if (auto* plane = std::get_if<PlaneFriction>(&laws[i])) {  // a disc
      A[1] = plane->limit2 / plane->limit1;
      plane->limit2 = plane->limit1;
      Lambda[G.row[i] + 1] /= A[1];
      xi[G.row[i] + 1] *= A[1];
    }
    c.segment(G.row[i], size).array() *= A.array();
    const double largest = (A.array().square() * diagonal.array()).maxCoeff();
    rho.push_back(largest > 0.0 ? 1.0 / largest : -1.0);
    if (largest > 0.0) smallest = std::min(smallest, rho.back());
  }
  const size_t parts = problem.part.empty() ? 1 : *std::max_element(problem.part.begin(), problem.part.end()) + 1;
  std::vector<double> error(parts, 0.0), scale(parts, 0.0);
  for (int i = 0; i < G.blocks(); ++i) {
    const double own = rho[i] > 0.0 ? rho[i] : std::isfinite(smallest) ? smallest : 1.0;
    const size_t part = problem.part.empty() ? 0 : problem.part[i];
    error[part] += std::pow(block_error(laws[i], G.block_size(i), Lambda.data() + G.row[i], xi.data() + G.row[i], own), 2);
    scale[part] += std::pow(own * c.segment(G.row[i], G.block_size(i)).norm(), 2);
  }
  double worst = 0.0;
  for (size_t p = 0; p < parts; ++p)
    worst = std::max(worst, std::sqrt(error[p]) / (scale[p] > 0.0 ? std::sqrt(scale[p]) : 1.0));
  return worst;
}

}  // namespace tippe::test
