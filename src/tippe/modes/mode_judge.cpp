// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/mode_judge.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

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
constexpr double kBox = 1e7;
constexpr double kUnbounded = 1e-3 * kBox;  // forces beyond this are without bound
constexpr double kNearBox = 1e2;
constexpr int kFacets = 32;  // of the polygons inside a cone

double spread(const VectorXd& lower, const VectorXd& upper) {
  return lower.size() > 0 ? (upper - lower).maxCoeff() : 0.0;
}

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
    if (rules_ == ModeRules::kAsWritten)
      find_other_motions(n, x, x0, Z);
    else
      describe_set(n, x, Z);
    measure(equations.K, equations.k, x);
    if (undefined) find_unbalanced(K, k, x);
  }

  /// What was left out of the equations.
  void find_unbalanced(const MatrixXd& K, const VectorXd& k, const VectorXd& x) {
    const Index n = massless_.rows();
    const ModeEquations& equations = result_.equations;
    const VectorXd left = ((equations.K - K) * x + equations.k - k).head(n);
    if (largest(left) > kVerdictTolerance * size_) result_.unbalanced = -left;
  }

  /// Directions that have no mass and that the mode does not hold move as they like, and loads along them cannot be balanced. Their rows are
  /// dropped where what opens or slides moves along them. True if there are such conditions.
  bool drop_massless(Index n, MatrixXd& K, VectorXd& k) {
    massless_ = decide_rank(K.leftCols(n)).null_space;
    if (massless_.cols() == 0) return false;
    result_.motion_defined = false;
    result_.massless = massless_;
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
    const auto has = [&](double room, double slack) {
      const VectorXd b = b_ - room * strict_ + slack * size_ * (VectorXd::Ones(b_.size()) - strict_);
      const LeastDistance shortest = solve_least_distance({MatrixXd(w.size(), 0), {}, -A_.transpose(), -b});
      w = shortest.v;
      return shortest.status == LeastDistanceStatus::kSolved && (b_ - A_ * w).minCoeff() >= -2.0 * kVerdictTolerance * size_;
    };
    // What is degenerate may miss by round-off, and the bounds then miss as much: no more than has to be.
    constexpr double kLeastRoom = 3.0 * kVerdictTolerance;
    if (!has(kLeastRoom, kVerdictTolerance) && !has(kLeastRoom, 0.0)) return false;
    for (const double slack : {0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, kVerdictTolerance}) {
      for (const double room : {0.1, 1e-3, 1e-5, 1e-7, kLeastRoom}) {
        if (has(room, slack)) return true;
        if (!strict) break;
      }
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
    Index rows = 0;
    const ConeSolution point = cones_along(x0, Z, rows).minimize(VectorXd::Zero(Z.cols() + rows));
    if (!point.optimal()) return point.status == ConeStatus::kInfeasible ? Status::kViolated : Status::kUndecided;
    w = point.x.head(Z.cols());
    return Status::kConsistent;
  }

  /// The conditions and the cones of friction along x0 + Z w, as a program in w and `rows` slacks. `feasible`: x0
  /// satisfies the conditions.
  ConeProgram cones_along(const VectorXd& x0, const MatrixXd& Z, Index& rows, bool feasible = false) const {
    const ModeEquations& equations = result_.equations;
    const auto q = static_cast<Index>(conditions_.size());
    rows = q + 3 * static_cast<Index>(equations.cones.size());
    MatrixXd all = MatrixXd::Zero(rows, x0.size());
    VectorXd constant = VectorXd::Zero(rows);
    all.topRows(q) = equations.S(conditions_, Eigen::all);
    constant.head(q) = equations.s(conditions_);
    Index row = q;
    for (const ModeEquations::Cone& cone : equations.cones) {
      all(row++, cone.normal) = cone.mu;
      all(row++, cone.tangent) = 1.0;
      all(row++, cone.tangent + 1) = 1.0;
    }
    MatrixXd A(rows, Z.cols() + rows);
    A << -all * Z, MatrixXd::Identity(rows, rows);
    VectorXd b = all * x0 + constant;
    if (feasible) b.head(q) = b.head(q).cwiseMax(0.0);
    const ConeProduct product{static_cast<int>(q), std::vector<int>(equations.cones.size(), 3)};
    return {A, b, product, static_cast<int>(Z.cols())};
  }

  /// A w <= b  in a box that is large: vertices far away are round-off of rows that depend on each other. Entries from `signed_ones` on
  /// are not negative.
  LinearSet in_box(const MatrixXd& A, const VectorXd& b, Index signed_ones, double box = kBox) const {
    const Index rows = A.rows(), free = A.cols();
    MatrixXd all(rows + 2 * free, free);
    all << A, MatrixXd::Identity(free, free), -MatrixXd::Identity(free, free);
    VectorXd bounds(rows + 2 * free);
    bounds << b, VectorXd::Constant(2 * free, box * size_);
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

  /// Other motions of the same mode: the ends of the set.
  void find_other_motions(Index n, const VectorXd& x, const VectorXd& x0, const MatrixXd& Z) {
    if (Z.cols() == 0) return;
    const SingularValues free = decompose_singular(Z.topRows(n));
    const VectorXd b = b_.cwiseMax(A_ * (Z.transpose() * (x - x0)));  // ends without the tolerance
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
        if (way.norm() > 1e-3 * kBox * size_) way = (0.5 * way / std::max(1.0, 0.5 * way.norm())).eval();
        ModePoint point = modes_.point_of(result_.equations, x + way);
        if (!modes_.same_motion(point, result_.point)) result_.other_motions.push_back(std::move(point));
      }
    }
    // Between the polygons and their cones there may be others.
    if (!result_.equations.cones.empty() && result_.other_motions.empty()) result_.complete = false;
  }

  /// All that the mode leaves open, x + Y v: the forces, and the motion where it is not unique. Directions without
  /// mass are left as they are.
  void describe_set(Index n, VectorXd& x, const MatrixXd& Z) {
    if (Z.cols() == 0) return;
    MatrixXd motions = Z.topRows(n);
    motions -= massless_ * (massless_.transpose() * motions).eval();
    MatrixXd Y = Z * decide_rank(motions, kVerdictTolerance).null_space;
    find_smallest_forces(x, Y);
    const bool moves = Y.cols() < Z.cols();
    if (moves) Y = Z;
    const MatrixXd effect = result_.equations.to_forces * Y.bottomRows(Y.rows() - n);
    motions = Y.topRows(n) - massless_ * (massless_.transpose() * Y.topRows(n));
    SetBounds set(*this, x, Y);
    result_.lower = result_.upper = result_.point.forces;
    set.widen(effect, result_.lower, result_.upper);
    if (moves) {
      result_.motion_lower = result_.motion_upper = result_.point.acceleration;
      set.widen(motions, result_.motion_lower, result_.motion_upper);
      result_.motion_unique = !(spread(result_.motion_lower, result_.motion_upper) > 10.0 * kVerdictTolerance * size_);
      if (result_.motion_unique) result_.motion_lower = result_.motion_upper = VectorXd();  // it ends where it begins
    }
    result_.forces_unique =
        result_.motion_unique && spread(result_.lower, result_.upper) <= 10.0 * kVerdictTolerance * size_;
    for (size_t i = 0; i < conditions_.size(); ++i) {
      const auto row = static_cast<Index>(i);
      result_.slack[conditions_[i]] =
          b_[row] + (largest(A_.row(row).transpose()) > 0.0 ? set.most(-A_.row(row).transpose()) : 0.0);
    }
  }

  /// Of the forces that go with the motion of x: x + Y v with the least multipliers.
  void find_smallest_forces(VectorXd& x, const MatrixXd& Y) {
    if (Y.cols() == 0) return;
    collect_rows(x, Y);
    const VectorXd b = b_.cwiseMax(0.0);
    // Y is orthonormal: the nearest point of the set to -y, the part of x along Y, is that of the least multipliers.
    const VectorXd y = Y.transpose() * x;
    const LeastDistance shortest = solve_least_distance({MatrixXd(Y.cols(), 0), {}, -A_.transpose(), -(b + A_ * y)});
    if (shortest.status != LeastDistanceStatus::kSolved) return;
    x += Y * (shortest.v - y);
    result_.point = modes_.point_of(result_.equations, x);
  }

  /// How far linear functions of v go over the set x + Y v: by the simplex method, with friction in space by cone
  /// programs.
  class SetBounds {
   public:
    SetBounds(ModeJudge& judge, const VectorXd& x, const MatrixXd& Y) : judge_(judge), free_(Y.cols()) {
      judge.collect_rows(x, Y);
      if (judge.result_.equations.cones.empty())
        set_.emplace(judge.in_box(judge.A_, judge.b_.cwiseMax(0.0), Y.cols()));
      else
        cones_.emplace(judge.cones_along(x, Y, rows_, true));
    }

    /// Of cost'v, which is 0 at the given point.
    double most(const VectorXd& cost) {
      double value = kInfinity;
      if (set_) {
        const ProgramSolution end = set_->minimize(-cost);
        if (end.optimal()) value = std::max(0.0, -end.objective);
        if (value <= kUnbounded * judge_.size_ && largest(end.x) > kNearBox * judge_.size_) value = nearer(cost, value);
      } else {
        VectorXd all = VectorXd::Zero(free_ + rows_);
        all.head(free_) = -cost;
        const ConeSolution end = cones_->minimize(all);
        if (end.optimal()) value = std::max(0.0, -end.objective);
      }
      return value > kUnbounded * judge_.size_ ? kInfinity : value;
    }

    void widen(const MatrixXd& effect, VectorXd& lower, VectorXd& upper) {
      for (Index i = 0; i < effect.rows(); ++i) {
        if (largest(effect.row(i).transpose()) <= kVerdictTolerance) continue;
        upper[i] += most(effect.row(i).transpose());
        lower[i] -= most(-effect.row(i).transpose());
      }
    }

   private:
    /// A bound that is met far away has the round-off of the way there, if it is met nearby too.
    double nearer(const VectorXd& cost, double value) {
      if (!near_) near_.emplace(judge_.in_box(judge_.A_, judge_.b_.cwiseMax(0.0), free_, kNearBox));
      const ProgramSolution end = near_->minimize(-cost);
      const bool same = end.optimal() && value + end.objective <= 1e-6 * judge_.size_;
      return same ? std::max(0.0, -end.objective) : value;
    }

    ModeJudge& judge_;
    Index free_, rows_ = 0;
    std::optional<LinearSet> set_, near_;
    std::optional<ConeProgram> cones_;
  };

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
