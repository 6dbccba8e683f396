// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/convex_set.h"

#include <cassert>
#include <stdexcept>

#include "tippe/sets/ball.h"
#include "tippe/sets/ellipsoid.h"
#include "tippe/sets/friction_cone.h"
#include "tippe/sets/interval.h"

namespace tippe {
namespace {

template <class... Case>
struct Overloaded : Case... {
  using Case::operator()...;
};
template <class... Case>
Overloaded(Case...) -> Overloaded<Case...>;  // Clang 14 cannot deduce it from the aggregate

using Eigen::VectorXd;

double common_tangential_scale(const VectorXd& scale) {
  const auto tangential = scale.tail(scale.size() - 1);
  if ((tangential.array() != tangential[0]).any()) {
    throw std::invalid_argument("a friction cone scaled differently along its tangents is no friction cone");
  }
  return tangential[0];
}

}  // namespace

int dimension(const ConvexSet& set) {
  return std::visit(Overloaded{[](const HalfLine&) { return 1; }, [](const Interval&) { return 1; },
                               [](const Box& box) { return static_cast<int>(box.lower.size()); },
                               [](const Ball& ball) { return ball.dimension; },
                               [](const Ellipsoid& ellipsoid) { return static_cast<int>(ellipsoid.semi_axes.size()); },
                               [](const FrictionCone& cone) { return cone.dimension; },
                               [](const DualFrictionCone& cone) { return cone.dimension; },
                               [](const ProductSet& product) {
                                 int sum = 0;
                                 for (const ConvexSet& factor : product.factors) sum += dimension(factor);
                                 return sum;
                               }},
                    set);
}

VectorXd prox(const ConvexSet& set, const VectorXd& x) {
  assert(x.size() == dimension(set));
  return std::visit(
      Overloaded{[&](const HalfLine&) -> VectorXd { return VectorXd::Constant(1, prox_half_line(x[0])); },
                 [&](const Interval& interval) -> VectorXd {
                   return VectorXd::Constant(1, prox_interval(x[0], interval.lower, interval.upper));
                 },
                 [&](const Box& box) -> VectorXd { return prox_box(x, box.lower, box.upper); },
                 [&](const Ball& ball) -> VectorXd { return prox_ball(x, ball.radius); },
                 [&](const Ellipsoid& ellipsoid) -> VectorXd { return prox_ellipsoid(x, ellipsoid.semi_axes); },
                 [&](const FrictionCone& cone) -> VectorXd { return prox_friction_cone(x, cone.mu); },
                 [&](const DualFrictionCone& cone) -> VectorXd { return prox_dual_friction_cone(x, cone.mu); },
                 [&](const ProductSet& product) -> VectorXd {
                   VectorXd point(x.size());
                   int row = 0;
                   for (const ConvexSet& factor : product.factors) {
                     const int size = dimension(factor);
                     point.segment(row, size) = prox(factor, x.segment(row, size));
                     row += size;
                   }
                   return point;
                 }},
      set);
}

bool contains(const ConvexSet& set, const VectorXd& x, double tolerance) {
  return (x - prox(set, x)).stableNorm() <= tolerance;
}

ConvexSet inverse_image(const ConvexSet& set, const VectorXd& scale) {
  assert(scale.size() == dimension(set) && (scale.array() > 0.0).all());
  return std::visit(
      Overloaded{
          [&](const HalfLine& line) -> ConvexSet { return line; },
          [&](const Interval& interval) -> ConvexSet {
            return Interval{interval.lower / scale[0], interval.upper / scale[0]};
          },
          [&](const Box& box) -> ConvexSet {
            return Box{box.lower.cwiseQuotient(scale), box.upper.cwiseQuotient(scale)};
          },
          [&](const Ball& ball) -> ConvexSet {
            return Ellipsoid{VectorXd::Constant(ball.dimension, ball.radius).cwiseQuotient(scale)};
          },
          [&](const Ellipsoid& ellipsoid) -> ConvexSet { return Ellipsoid{ellipsoid.semi_axes.cwiseQuotient(scale)}; },
          [&](const FrictionCone& cone) -> ConvexSet {
            // |a_t t| <= mu a_n n
            return FrictionCone{cone.mu * scale[0] / common_tangential_scale(scale), cone.dimension};
          },
          [&](const DualFrictionCone& cone) -> ConvexSet {
            return DualFrictionCone{cone.mu * common_tangential_scale(scale) / scale[0], cone.dimension};
          },
          [&](const ProductSet& product) -> ConvexSet {
            ProductSet image;
            int row = 0;
            for (const ConvexSet& factor : product.factors) {
              const int size = dimension(factor);
              image.factors.push_back(inverse_image(factor, scale.segment(row, size)));
              row += size;
            }
            return image;
          }},
      set);
}

}  // namespace tippe
