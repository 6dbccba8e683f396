// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/mode_judge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/infinity.h"
#include "tippe/core/largest.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/verdict.h"
#include "tippe/solve/cone_program.h"
#include "tippe/solve/least_distance.h"
#include "tippe/solve/linear_program.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = ModeJudgement::Status;
using What = ModeCondition::What;

constexpr double kMoves = 1e-12;  // smaller relative accelerations are round-off
constexpr double kBox = 1e7;      // forces beyond 1e-3 of this are without bound
constexpr int kFacets = 32;       // of the polygons inside a cone

class ModeJudge {
 public:
  ModeJudge(const ContactModes& modes, std::span<const ContactChoice> choices, ModeRules rules)
      : modes_(modes), choices_(choices), rules_(rules) {
    result_.equations = modes.equations_of(choices);
    result_.by_force.assign(result_.equations.conditions.size(), false);
  }

  ModeJudgement judge() {
    VectorXd x;
    if (ContactModes::solve_regular(result_.equations, x))
      judge_point(x);
    else
      judge_set();
    return std::move(result_);
  }

 private:
  void judge_point(const VectorXd& x) {
    const ModeEquations& equations = result_.equations;
    result_.slack = equations.S * x + equations.s;
    result_.terms = equations.S.cwiseAbs() * x.cwiseAbs() + equations.s.cwiseAbs();
    result_.point = modes_.point_of(equations, x);
    result_.lower = result_.upper = result_.point.forces;
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      if (!holds(i, result_.slack[static_cast<Index>(i)])) result_.failed.push_back(i);
    }
    const bool holds_all = result_.failed.empty() && cones_hold(x, mode_tolerance(1.0));
    result_.status = holds_all ? Status::kConsistent : Status::kViolated;
    measure(equations.K, equations.k, x);
  }

  bool strict(size_t i) const { return rules_ == ModeRules::kDisjoint && result_.equations.conditions[i].strict(); }

  bool cones_hold(const VectorXd& x, double tolerance) const {
    const auto& cones = result_.equations.cones;
    return std::all_of(cones.begin(), cones.end(), [&](const ModeEquations::Cone& cone) {
      const double limit = cone.mu * x[cone.normal];
      return x.segment(cone.tangent, 2).norm() <= limit + tolerance + 1e-12 * std::abs(limit);
    });
  }

  bool holds(size_t i, double slack) const {
    const double terms = result_.terms[static_cast<Index>(i)];
    return strict(i) ? slack > kMoves * (1.0 + terms) : slack >= -mode_tolerance(terms);
  }

  void measure(const MatrixXd& K, const VectorXd& k, const VectorXd& x) {
    const VectorXd terms = K.cwiseAbs() * x.cwiseAbs() + k.cwiseAbs();
    const double size = std::max(1.0, largest(terms));
    result_.residual = largest(K * x + k) / size;
    const ModeEquations& equations = result_.equations;
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      const auto row = static_cast<Index>(i);
      if (!result_.by_force[i])
        result_.residual = std::max(result_.residual, -(equations.S.row(row).dot(x) + equations.s[row]) / size);
    }
  }

  /// The equations leave something open, or contradict each other.
  void judge_set() {
    const ModeEquations& equations = result_.equations;
    const auto n = equations.K.rows() - equations.to_forces.cols();
    MatrixXd K = equations.K;
    VectorXd k = equations.k;
    massless_.resize(n, 0);
    const bool undefined = rules_ == ModeRules::kDisjoint && drop_massless(n, K, k);
    const SingularValues svd = decompose_singular(K);
    const double tolerance = rank_tolerance(K.cols());
    const VectorXd x0 = solve_least_norm(svd, -k, tolerance);
    size_ = std::max(1.0, largest(x0));
    result_.terms = equations.S.cwiseAbs() * x0.cwiseAbs() + equations.s.cwiseAbs();
    if (largest(K * x0 + k) > kVerdictTolerance * size_) return;
    if (undefined) judge_undefined();
    if (!result_.failed.empty()) {
      result_.status = Status::kViolated;
      return;
    }
    Index rank = 0;
    while (rank < svd.values.size() && svd.values[rank] > tolerance) ++rank;
    const MatrixXd Z = svd.V.rightCols(K.cols() - rank);
    VectorXd x;
    if (!find_point(x0, Z, x)) return;
    find_other_motions(n, x, x0, Z);
    if (rules_ == ModeRules::kDisjoint) describe_forces(n, x, Z);
    measure(K, k, x);
  }

  /// Directions that have no mass and that the mode does not hold move as they like, and loads along them cannot be balanced. Their rows are
  /// dropped where what opens or slides moves along them. True if there are such conditions.
  bool drop_massless(Index n, MatrixXd& K, VectorXd& k) {
    massless_ = decide_rank(K.leftCols(n)).null_space;
    if (massless_.cols() == 0) return false;
    result_.motion_defined = false;
    const ModeEquations& equations = result_.equations;
    bool any = false;
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      const auto row = static_cast<Index>(i);
      if (!equations.conditions[i].strict()) continue;
      result_.by_force[i] = largest((equations.S.row(row).head(n) * massless_).transpose()) > kVerdictTolerance;
      any = any || result_.by_force[i];
    }
    if (!any) return false;
    K.topRows(n) -= massless_ * (massless_.transpose() * K.topRows(n)).eval();
    k.head(n) -= massless_ * (massless_.transpose() * k.head(n)).eval();
    return true;
  }

  /// Johnson (13), (33): what opens would be pulled on if it were closed. What begins to slide would need more friction than there is.
  void judge_undefined() {
    result_.slack = VectorXd::Constant(static_cast<Index>(result_.equations.conditions.size()), kInfinity);
    for (size_t i = 0; i < result_.by_force.size(); ++i) {
      if (!result_.by_force[i]) continue;
      const double slack = force_if_held(result_.equations.conditions[i]);
      result_.slack[static_cast<Index>(i)] = slack;
      if (!(slack > mode_tolerance(1.0))) result_.failed.push_back(i);
    }
  }

  double force_if_held(const ModeCondition& condition) const {
    std::vector<ContactChoice> choices(choices_.begin(), choices_.end());
    ContactChoice& choice = choices[static_cast<size_t>(condition.contact)];
    const VectorXd direction = choice.direction;
    choice = {.mode = ContactMode::kStick, .sign = choice.sign, .held = condition.what == What::kOpens};
    ModeEquations equations = modes_.equations_of(choices);
    const auto n = equations.K.rows() - equations.to_forces.cols();
    const MatrixXd free = decide_rank(equations.K.leftCols(n)).null_space;
    equations.K.topRows(n) -= free * (free.transpose() * equations.K.topRows(n)).eval();
    equations.k.head(n) -= free * (free.transpose() * equations.k.head(n)).eval();
    const VectorXd x = solve_least_norm(decompose_singular(equations.K), -equations.k, rank_tolerance(equations.K.cols()));
    const VectorXd forces = modes_.point_of(equations, x).forces;
    const Index first = modes_.first_component(static_cast<size_t>(condition.contact));
    if (condition.what == What::kOpens) return -forces[first];
    double worst = kInfinity;  // the reserve against sliding along the direction
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      const auto row = static_cast<Index>(i);
      if (equations.conditions[i].contact == condition.contact && equations.conditions[i].what != What::kPushes) {
        const bool back = equations.conditions[i].what == What::kReserveBack;
        // Sliding along the tangent is driven against friction that points back.
        if (back == (direction[0] > 0.0)) worst = equations.S.row(row).dot(x) + equations.s[row];
      }
    }
    return -worst;
  }

  /// x0 + Z w that satisfies the conditions, in which what is strict has room; else one that violates them least.
  bool find_point(const VectorXd& x0, const MatrixXd& Z, VectorXd& x) {
    const ModeEquations& equations = result_.equations;
    collect_rows(x0, Z);
    VectorXd w = VectorXd::Zero(Z.cols());
    if (Z.cols() > 0 && A_.rows() > 0 && !find_room(w)) {
      result_.status = equations.cones.empty() ? find_least_violation(w) : find_outside_polygons(x0, Z, w);
      if (result_.status != Status::kConsistent) return false;
    }
    x = x0 + Z * w;
    const VectorXd slack = equations.S * x + equations.s;
    if (result_.slack.size() == 0) result_.slack = slack;
    result_.terms = equations.S.cwiseAbs() * x.cwiseAbs() + equations.s.cwiseAbs();
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      if (result_.by_force[i]) continue;
      result_.slack[static_cast<Index>(i)] = slack[static_cast<Index>(i)];
      // Motions that are round-off of the forces that go with them are none.
      const double allowed = strict(i)                         ? -kVerdictTolerance - 1e-14 * largest(x)
                             : rules_ == ModeRules::kAsWritten ? kVerdictTolerance * size_
                                                               : 0.0;
      if (!holds(i, slack[static_cast<Index>(i)] + allowed)) result_.failed.push_back(i);
    }
    const bool holds_all = result_.failed.empty() && cones_hold(x, 2.0 * kVerdictTolerance * size_);
    result_.status = holds_all ? Status::kConsistent : Status::kViolated;
    result_.point = modes_.point_of(equations, x);
    result_.lower = result_.upper = result_.point.forces;
    return result_.status == Status::kConsistent;
  }

  /// The shortest w, so that sets without end do no harm.
  bool find_room(VectorXd& w) const {
    const bool strict = strict_.size() > 0 && strict_.maxCoeff() > 0.0;
    for (const double room : {0.1, 1e-3, 1e-5, 1e-7, 3.0 * kVerdictTolerance}) {
      LeastDistance shortest;
      for (const double slack : {0.0, kVerdictTolerance * size_}) {
        const VectorXd b = b_ - room * strict_ + slack * (VectorXd::Ones(b_.size()) - strict_);
        shortest = solve_least_distance({MatrixXd(w.size(), 0), {}, -A_.transpose(), -b});
        if (shortest.status == LeastDistanceStatus::kSolved) break;
      }
      w = shortest.v;
      if (shortest.status == LeastDistanceStatus::kSolved && (b_ - A_ * w).minCoeff() >= -2.0 * kVerdictTolerance * size_)
        return true;
      if (!strict) break;
    }
    return false;
  }

  /// min r  with  S x + s >= -r , r >= 0
  Status find_least_violation(VectorXd& w) const {
    const Index rows = A_.rows(), free = A_.cols();
    MatrixXd A(rows, free + 1);
    A << A_, VectorXd::Constant(rows, -1.0);
    const ProgramSolution least = in_box(A, b_, free).minimize(VectorXd::Unit(free + 1, free));
    if (!least.optimal()) return Status::kUndecided;
    w = least.x.head(free);
    return Status::kConsistent;
  }

  /// Outside the polygons inside the cones: there is no point if there is none in polygons around them. Else a point of the set with the cones
  /// themselves: S (x0 + Z w) + s = slack >= 0 and (mu normal, friction) in second-order cones.
  Status find_outside_polygons(const VectorXd& x0, const MatrixXd& Z, VectorXd& w) {
    outside_polygons_ = true;
    collect_rows(x0, Z, false);
    if (!find_room(w)) {
      const Status status = find_least_violation(w);
      if (status != Status::kConsistent) return status;
      if ((b_ - A_ * w).minCoeff() < -2.0 * kVerdictTolerance * size_) return Status::kViolated;
    }
    if (cones_hold(x0 + Z * w, 2.0 * kVerdictTolerance * size_)) return Status::kConsistent;
    const ModeEquations& equations = result_.equations;
    const Index q = equations.S.rows(), rows = q + 3 * static_cast<Index>(equations.cones.size()), free = Z.cols();
    MatrixXd all = MatrixXd::Zero(rows, x0.size());
    VectorXd constant = VectorXd::Zero(rows);
    all.topRows(q) = equations.S;
    constant.head(q) = equations.s;
    Index row = q;
    for (const ModeEquations::Cone& cone : equations.cones) {
      all(row++, cone.normal) = cone.mu;
      all(row++, cone.tangent) = 1.0;
      all(row++, cone.tangent + 1) = 1.0;
    }
    MatrixXd A(rows, free + rows);
    A << -all * Z, MatrixXd::Identity(rows, rows);
    const ConeProduct product{static_cast<int>(q), std::vector<int>(equations.cones.size(), 3)};
    const ConeSolution point =
        ConeProgram(A, all * x0 + constant, product, static_cast<int>(free)).minimize(VectorXd::Zero(free + rows));
    if (!point.optimal()) return point.status == ConeStatus::kInfeasible ? Status::kViolated : Status::kUndecided;
    w = point.x.head(free);
    return Status::kConsistent;
  }

  /// A w <= b  in a box that is large: vertices far away are round-off of rows that depend on each other. Entries from `signed_ones` on
  /// are not negative.
  LinearSet in_box(const MatrixXd& A, const VectorXd& b, Index signed_ones) const {
    const Index rows = A.rows(), free = A.cols();
    MatrixXd all(rows + 2 * free, free);
    all << A, MatrixXd::Identity(free, free), -MatrixXd::Identity(free, free);
    VectorXd bounds(rows + 2 * free);
    bounds << b, VectorXd::Constant(2 * free, kBox * size_);
    bounds.tail(free - signed_ones).setZero();
    return LinearSet({{}, {}, {}, all, bounds});
  }

  /// A_ w <= b_ : the conditions along Z, those with a motion that is not defined left out, then polygons inside the cones or
  /// around them.
  void collect_rows(const VectorXd& x0, const MatrixXd& Z, bool inside = true) {
    const ModeEquations& equations = result_.equations;
    conditions_.clear();
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      if (!result_.by_force[i]) conditions_.push_back(static_cast<Index>(i));
    }
    const auto count = static_cast<Index>(conditions_.size());
    const Index all = count + kFacets * static_cast<Index>(equations.cones.size());
    MatrixXd S = MatrixXd::Zero(all, x0.size());
    VectorXd s = VectorXd::Zero(all);
    strict_ = VectorXd::Zero(all);
    for (Index i = 0; i < count; ++i)
      strict_[i] = strict(static_cast<size_t>(conditions_[static_cast<size_t>(i)])) ? 1.0 : 0.0;
    S.topRows(count) = equations.S(conditions_, Eigen::all);
    s.head(count) = equations.s(conditions_);
    Index row = count;
    for (const ModeEquations::Cone& cone : equations.cones) {
      for (int i = 0; i < kFacets; ++i, ++row) {
        const double angle = 2.0 * std::numbers::pi * i / kFacets;
        S(row, cone.normal) = cone.mu * (inside ? std::cos(std::numbers::pi / kFacets) : 1.0);
        S(row, cone.tangent) = -std::cos(angle);
        S(row, cone.tangent + 1) = -std::sin(angle);
      }
    }
    A_ = -S * Z;
    b_ = S * x0 + s;
    // Z is orthonormal: smaller entries are round-off, which a program that scales its columns would take for data.
    A_ = (A_.array().abs() > 1e-11).select(A_, 0.0);
  }

  /// Other motions of the same mode: by ModeRules::kAsWritten the ends of the set. Between a point with room and an end all points have
  /// room: by ModeRules::kDisjoint what is half way.
  void find_other_motions(Index n, const VectorXd& x, const VectorXd& x0, const MatrixXd& Z) {
    if (Z.cols() == 0) return;
    MatrixXd motions = Z.topRows(n);
    motions -= massless_ * (massless_.transpose() * motions).eval();
    const SingularValues free = decompose_singular(motions);
    VectorXd b = (b_.array() + kVerdictTolerance * size_).matrix();
    if (rules_ == ModeRules::kAsWritten) b = b_.cwiseMax(A_ * (Z.transpose() * (x - x0)));  // ends without the tolerance
    if (free.values.size() == 0 || free.values[0] <= kVerdictTolerance) return;
    result_.complete = !outside_polygons_;
    LinearSet set = in_box(A_, b, Z.cols());
    for (Index d = 0; d < free.values.size() && free.values[d] > kVerdictTolerance && !outside_polygons_; ++d) {
      for (const double sign : {1.0, -1.0}) {
        const ProgramSolution end = set.minimize(sign * free.V.col(d));
        if (!end.optimal()) {
          result_.complete = false;
          continue;
        }
        VectorXd way = x0 + Z * end.x - x;
        if (rules_ == ModeRules::kDisjoint || way.norm() > 1e-3 * kBox * size_)
          way = (0.5 * way / std::max(1.0, 0.5 * way.norm())).eval();
        ModePoint point = modes_.point_of(result_.equations, x + way);
        if (!modes_.same_motion(point, result_.point)) result_.other_motions.push_back(std::move(point));
      }
    }
    // Between the polygons and their cones there may be others.
    if (!result_.equations.cones.empty() && result_.other_motions.empty()) result_.complete = false;
  }

  /// Forces that go with the motion of x: x + Y v.
  void describe_forces(Index n, VectorXd& x, const MatrixXd& Z) {
    const MatrixXd Y =
        Z.cols() > 0 ? MatrixXd(Z * decide_rank(Z.topRows(n), kVerdictTolerance).null_space) : MatrixXd(x.size(), 0);
    if (Y.cols() == 0) return;
    const ModeEquations& equations = result_.equations;
    const MatrixXd effect = equations.to_forces * Y.bottomRows(Y.rows() - n);
    collect_rows(x, Y);
    const VectorXd b = b_.cwiseMax(0.0);
    // Y is orthonormal: the nearest point of the set to -y, the part of x along Y, is that of the least multipliers.
    const VectorXd y = Y.transpose() * x;
    const LeastDistance shortest = solve_least_distance({MatrixXd(Y.cols(), 0), {}, -A_.transpose(), -(b + A_ * y)});
    if (shortest.status == LeastDistanceStatus::kSolved) {
      x += Y * (shortest.v - y);
      result_.point = modes_.point_of(equations, x);
      collect_rows(x, Y);
    }
    const VectorXd room = b_.cwiseMax(0.0);
    LinearSet set = in_box(A_, room, Y.cols());
    const auto most = [&](const VectorXd& cost) {  // of cost'v
      const ProgramSolution end = set.minimize(-cost);
      const double value = end.optimal() ? std::max(0.0, -end.objective) : kInfinity;
      return value > 1e-3 * kBox * size_ ? kInfinity : value;
    };
    result_.lower = result_.upper = result_.point.forces;
    for (Index i = 0; i < effect.rows(); ++i) {
      if (largest(effect.row(i).transpose()) <= kVerdictTolerance) continue;
      result_.upper[i] += most(effect.row(i).transpose());
      result_.lower[i] -= most(-effect.row(i).transpose());
    }
    result_.forces_unique = (result_.upper - result_.lower).maxCoeff() <= 10.0 * kVerdictTolerance * size_;
    for (size_t i = 0; i < conditions_.size(); ++i) {
      const auto row = static_cast<Index>(i);
      result_.slack[conditions_[i]] =
          b_[row] + (largest(A_.row(row).transpose()) > 0.0 ? most(-A_.row(row).transpose()) : 0.0);
    }
  }

  const ContactModes& modes_;
  std::span<const ContactChoice> choices_;
  ModeRules rules_;
  ModeJudgement result_;
  MatrixXd massless_;
  double size_ = 1.0;
  bool outside_polygons_ = false;  // the point is in the cones, but not in the polygons
  MatrixXd A_;
  VectorXd b_, strict_;            // strict_: 1 for those rows of A_
  std::vector<Index> conditions_;  // of the rows of A_
};

}  // namespace

double mode_tolerance(double terms) {
  return kVerdictTolerance + 1e-12 * terms;
}

std::vector<ModePoint> motions_of(ModeJudgement&& judgement) {
  std::vector<ModePoint> motions = std::move(judgement.other_motions);
  if (motions.size() < 2) motions.insert(motions.begin(), std::move(judgement.point));
  return motions;
}

ModeJudgement judge_mode(const ContactModes& modes, std::span<const ContactChoice> choices, ModeRules rules) {
  return ModeJudge(modes, choices, rules).judge();
}

}  // namespace tippe
