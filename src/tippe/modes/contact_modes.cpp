// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/contact_modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/dense_lu.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/verdict.h"
#include "tippe/solve/cone_program.h"
#include "tippe/solve/linear_program.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Choice = ContactChoice::Kind;

constexpr double kWorstCondition = 1e9;  // of a mode that is solved as a linear system; others go to linear programs
constexpr int kFacets = 32;              // of the polygons around and inside a cone

}  // namespace

ContactModes::ContactModes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry)
    : problem_(problem), dry_(dry), layout_(problem), D_(force_directions(problem)), drift_(force_drifts(problem)) {
  const Eigen::Index n = problem.n(), first = D_.cols(), count = static_cast<Eigen::Index>(dry.size());
  D_.conservativeResize(n, first + count);
  drift_.conservativeResize(first + count);
  for (Eigen::Index i = 0; i < count; ++i) {
    D_.col(first + i) = dry[static_cast<size_t>(i)].direction;
    drift_[first + i] = dry[static_cast<size_t>(i)].drift;
  }
  const double largest = std::max(0.0, problem.M.diagonal().maxCoeff());
  coordinate_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double mass = problem.M(i, i), row = D_.cols() > 0 ? D_.row(i).cwiseAbs().maxCoeff() : 0.0;
    coordinate_[i] = inverse_power_of_two(mass > 1e-28 * largest ? std::sqrt(mass) : row);
  }
  M_ = coordinate_.asDiagonal() * problem.M * coordinate_.asDiagonal();
  F_ = coordinate_.asDiagonal() * problem.F;
  D_ = (coordinate_.asDiagonal() * D_).eval();
  // One factor for both tangents of a contact, whose friction is one vector.
  component_.resize(D_.cols());
  const auto scale_contact = [this](const ContactRows& contact, int row) {
    const int tangents = contact.tangent_count();
    component_[row] = inverse_power_of_two(D_.col(row).cwiseAbs().maxCoeff());
    if (tangents > 0)
      component_.segment(row + 1, tangents)
          .setConstant(inverse_power_of_two(D_.middleCols(row + 1, tangents).cwiseAbs().maxCoeff()));
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) scale_contact(problem.unilateral[i], layout_.unilateral[i]);
  for (size_t i = 0; i < problem.bilateral.size(); ++i) scale_contact(problem.bilateral[i], layout_.bilateral[i]);
  for (Eigen::Index i = first; i < first + count; ++i) component_[i] = inverse_power_of_two(D_.col(i).cwiseAbs().maxCoeff());
  D_ = (D_ * component_.asDiagonal()).eval();
  drift_ = component_.cwiseProduct(drift_);
  limit_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) limit_[i] = dry[static_cast<size_t>(i)].limit / component_[first + i];
  double load = F_.cwiseAbs().maxCoeff();
  if (drift_.size() > 0) load = std::max(load, drift_.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < count; ++i) {
    // Friction that holds takes no more than the loads, whatever its limit.
    if (dry[static_cast<size_t>(i)].slip != 0.0) load = std::max(load, limit_[i]);
  }
  unit_ = 1.0 / inverse_power_of_two(load);
  F_ /= unit_;
  drift_ /= unit_;
  limit_ /= unit_;
}

ModePoint ContactModes::point_of(const ModeEquations& equations, const VectorXd& x) const {
  const auto n = M_.rows();
  return {x.head(n), equations.to_forces * x.tail(x.size() - n) + equations.given};
}

bool ContactModes::solve_regular(const ModeEquations& equations, VectorXd& x) {
  const MatrixXd& K = equations.K;
  DenseLU lu(static_cast<int>(K.rows()));
  lu.factorize(K);
  const MatrixXd inverse = lu.inverse();
  const double condition = K.cwiseAbs().rowwise().sum().maxCoeff() * inverse.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(condition < kWorstCondition)) return false;
  x = -inverse * equations.k;
  x -= inverse * (K * x + equations.k);
  return true;
}

bool ContactModes::shortest(const ModeEquations& equations, VectorXd& x) {
  if (solve_regular(equations, x)) return true;
  x = solve_least_norm(decompose_singular(equations.K), -equations.k, rank_tolerance(equations.K.cols()));
  return (equations.K * x + equations.k).cwiseAbs().maxCoeff() <= kVerdictTolerance * std::max(1.0, x.cwiseAbs().maxCoeff());
}

bool ContactModes::solve_equations(std::span<const ContactChoice> choices, ModePoint& point) const {
  const ModeEquations equations = equations_of(choices);
  VectorXd x;
  if (!shortest(equations, x)) return false;
  point = point_of(equations, x);
  return true;
}

ModeSolution ContactModes::solve_shortest(std::span<const ContactChoice> choices) const {
  const ModeEquations equations = equations_of(choices);
  VectorXd x;
  return shortest(equations, x) ? judge_point(equations, x) : ModeSolution{};
}

ModeSolution ContactModes::solve(std::span<const ContactChoice> choices) const {
  const ModeEquations equations = equations_of(choices);
  VectorXd x;
  return solve_regular(equations, x) ? judge_point(equations, x) : judge_set(equations);
}

ModeSolution ContactModes::judge_point(const ModeEquations& equations, const VectorXd& x) const {
  const VectorXd slack = equations.S * x + equations.s;
  const VectorXd terms = equations.S.cwiseAbs() * x.cwiseAbs() + equations.s.cwiseAbs();
  ModeSolution solution;
  for (Eigen::Index i = 0; i < slack.size(); ++i) {
    if (slack[i] < -kVerdictTolerance - 1e-12 * terms[i]) return solution;
  }
  for (const ModeEquations::Cone& cone : equations.cones) {
    const double limit = cone.mu * x[cone.normal];
    if (x.segment(cone.tangent, 2).norm() > limit + kVerdictTolerance + 1e-12 * std::abs(limit)) return solution;
  }
  solution.status = ModeSolution::Status::kFound;
  solution.points.push_back(point_of(equations, x));
  return solution;
}

namespace {

/// { w : x = x0 + Z w satisfies S x + s >= -slack and polygons in place of the cones }.
struct OpenSet {
  MatrixXd A;
  VectorXd b;  // A w <= b
};

template <class Cones>
OpenSet make_set(const MatrixXd& S, const VectorXd& s, const Cones& cones, const VectorXd& x0, const MatrixXd& Z,
                 bool inside, double slack) {
  const auto rows = S.rows() + kFacets * static_cast<Eigen::Index>(cones.size());
  MatrixXd all = MatrixXd::Zero(rows, x0.size());
  VectorXd constant = VectorXd::Zero(rows);
  all.topRows(S.rows()) = S;
  constant.head(S.rows()) = s;
  Eigen::Index row = S.rows();
  for (const auto& cone : cones) {
    for (int i = 0; i < kFacets; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kFacets;
      all(row, cone.normal) = cone.mu * (inside ? std::cos(std::numbers::pi / kFacets) : 1.0);
      all(row, cone.tangent) = -std::cos(angle);
      all(row, cone.tangent + 1) = -std::sin(angle);
      ++row;
    }
  }
  OpenSet set{-all * Z, all * x0 + constant};
  set.b.array() += slack;
  // Z is orthonormal: smaller entries are round-off, which a program that scales its columns would take for data. Rows that do not
  // depend on w stay: a negative b proves that the set is empty, unless it is round-off too.
  set.A = (set.A.array().abs() > 1e-11).select(set.A, 0.0);
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (set.A.row(i).isZero(0.0) && std::abs(set.b[i]) <= kVerdictTolerance) set.b[i] = 0.0;
  }
  return set;
}

ProgramSolution find_point(const OpenSet& set) {
  return find_feasible_point({{}, {}, {}, set.A, set.b});
}

/// A point of the set with the cones themselves, for what lies between the polygons: S (x0 + Z w) + s = slack >= 0 and
/// (mu normal, friction) in second-order cones.
template <class Cones>
ConeSolution find_point_in_cones(const MatrixXd& S, const VectorXd& s, const Cones& cones, const VectorXd& x0,
                                 const MatrixXd& Z) {
  const auto q = S.rows(), rows = q + 3 * static_cast<Eigen::Index>(cones.size()), free = Z.cols();
  MatrixXd all = MatrixXd::Zero(rows, x0.size());
  VectorXd constant = VectorXd::Zero(rows);
  all.topRows(q) = S;
  constant.head(q) = s;
  Eigen::Index row = q;
  for (const auto& cone : cones) {
    all(row++, cone.normal) = cone.mu;
    all(row++, cone.tangent) = 1.0;
    all(row++, cone.tangent + 1) = 1.0;
  }
  MatrixXd A(rows, free + rows);
  A << -all * Z, MatrixXd::Identity(rows, rows);
  const ConeProduct product{static_cast<int>(q), std::vector<int>(cones.size(), 3)};
  return ConeProgram(A, all * x0 + constant, product, static_cast<int>(free)).minimize(VectorXd::Zero(free + rows));
}

}  // namespace

ModeSolution ContactModes::judge_set(const ModeEquations& equations) const {
  const auto n = M_.rows();
  const SingularValues svd = decompose_singular(equations.K);
  const double tolerance = rank_tolerance(equations.K.cols());
  const VectorXd x0 = solve_least_norm(svd, -equations.k, tolerance);
  ModeSolution solution;
  const double size = std::max(1.0, x0.cwiseAbs().maxCoeff());
  if ((equations.K * x0 + equations.k).cwiseAbs().maxCoeff() > kVerdictTolerance * size) return solution;
  Eigen::Index rank = 0;
  while (rank < svd.values.size() && svd.values[rank] > tolerance) ++rank;
  MatrixXd Z = svd.V.rightCols(equations.K.cols() - rank);
  if (Z.cols() == 0) return judge_point(equations, x0);

  const auto set_of = [&](bool inside, double slack) {
    return make_set(equations.S, equations.s, equations.cones, x0, Z, inside, slack);
  };
  // Directions that no inequality sees are left to themselves.
  const RankSplit seen = decide_rank(set_of(true, 0.0).A, kVerdictTolerance);
  const MatrixXd unseen = Z * seen.null_space;
  Z = (Z * decide_rank(seen.null_space.transpose()).null_space).eval();
  const auto satisfies = [&](const VectorXd& x, double slack) {
    if ((equations.S * x + equations.s).size() > 0 && (equations.S * x + equations.s).minCoeff() < -slack) return false;
    return std::all_of(equations.cones.begin(), equations.cones.end(), [&](const ModeEquations::Cone& cone) {
      return x.segment(cone.tangent, 2).norm() <= cone.mu * x[cone.normal] + slack;
    });
  };
  const double slack = 2.0 * kVerdictTolerance * size;
  OpenSet set = set_of(true, 0.0);
  ProgramSolution point = find_point(set);
  bool on_boundary = false;
  if (!point.optimal()) {
    // Outside the inner polygons: empty if outside the outer ones too. A set with no interior may look empty by round-off.
    set = set_of(false, 0.0);
    point = find_point(set);
    if (point.status == ProgramStatus::kInfeasible && point.certificate_gap <= kVerdictTolerance) {
      set = set_of(false, kVerdictTolerance * size);
      point = find_point(set);
      on_boundary = true;
    }
    if (point.status == ProgramStatus::kInfeasible) return solution;
    solution.status = ModeSolution::Status::kUndecided;
    if (!point.optimal()) return solution;
    if (!satisfies(x0 + Z * point.x, slack)) {
      const ConeSolution exact = find_point_in_cones(equations.S, equations.s, equations.cones, x0, Z);
      if (exact.status == ConeStatus::kInfeasible) return {};
      if (!exact.optimal()) return solution;
      point.x = exact.x.head(Z.cols());
    }
  }
  const VectorXd x = x0 + Z * point.x;
  solution.status = satisfies(x, slack) ? ModeSolution::Status::kFound : ModeSolution::Status::kUndecided;
  if (solution.status == ModeSolution::Status::kUndecided) return solution;
  const auto add = [&](const VectorXd& other) {
    ModePoint next = point_of(equations, other);
    const bool known = std::any_of(solution.points.begin(), solution.points.end(),
                                   [&](const ModePoint& p) { return same_motion(p, next); });
    if (!known) solution.points.push_back(std::move(next));
  };
  add(x);
  for (Eigen::Index d = 0; d < unseen.cols(); ++d) {
    if (unseen.col(d).head(n).cwiseAbs().maxCoeff() > kVerdictTolerance) add(x + unseen.col(d));
  }
  const SingularValues free = decompose_singular(Z.topRows(n));
  for (Eigen::Index d = 0; d < free.values.size() && free.values[d] > kVerdictTolerance; ++d) {
    if (on_boundary) {
      solution.complete = false;
      break;
    }
    for (const double sign : {1.0, -1.0}) {
      const VectorXd cost = sign * free.V.col(d);
      const ProgramSolution end = solve_linear_program({cost, {}, {}, set.A, set.b});
      VectorXd w;
      if (end.optimal())
        w = end.x;
      else if (end.status == ProgramStatus::kUnbounded)
        w = end.x + end.direction / end.direction.norm();
      else
        solution.complete = false;
      if (w.size() > 0 && satisfies(x0 + Z * w, slack)) add(x0 + Z * w);
    }
  }
  // Between the polygons there may be other motions.
  if (!equations.cones.empty() && solution.points.size() == 1 && free.values.size() > 0 &&
      free.values[0] > kVerdictTolerance)
    solution.complete = false;
  return solution;
}

bool ContactModes::same_motion(const ModePoint& a, const ModePoint& b) const {
  const double size = std::max({1.0, a.acceleration.cwiseAbs().maxCoeff(), b.acceleration.cwiseAbs().maxCoeff()});
  return (a.acceleration - b.acceleration).cwiseAbs().maxCoeff() <= 10.0 * kVerdictTolerance * size;
}

double ContactModes::residual(const ModePoint& point) const {
  const VectorXd error = M_ * point.acceleration + F_ - D_ * point.forces;
  const VectorXd terms =
      M_.cwiseAbs() * point.acceleration.cwiseAbs() + F_.cwiseAbs() + D_.cwiseAbs() * point.forces.cwiseAbs();
  const double largest = terms.maxCoeff();
  return largest > 0.0 ? error.cwiseAbs().maxCoeff() / largest : 0.0;
}

VectorXd ContactModes::acceleration(const ModePoint& point) const {
  return unit_ * coordinate_.cwiseProduct(point.acceleration);
}

VectorXd ContactModes::forces(const ModePoint& point) const {
  return unit_ * component_.cwiseProduct(point.forces);
}

}  // namespace tippe
