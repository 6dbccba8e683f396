// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sliding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tippe/analyze/p_matrix.h"
#include "tippe/analyze/sliding_matrix.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/held_mass.h"
#include "tippe/core/rank_decision.h"
#include "tippe/modes/equality_check.h"
#include "tippe/modes/mode_enumeration.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/lcp.h"
#include "tippe/solve/mlcp.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Ground = Solvability::Ground;

constexpr size_t kMostContacts = 12, kMostSigned = 12, kMostChoices = 14;
constexpr int kMostRounds = 100;  // of signs that follow each other

/// Whether the powers of a matrix without negative entries vanish: it then maps some x > 0 below x.
bool shrinks(const MatrixXd& A) {
  VectorXd x = VectorXd::Ones(A.cols());
  for (int round = 0; round < kMostRounds; ++round) {
    const VectorXd next = A * x;
    if ((next.array() < (1.0 - kVerdictTolerance) * x.array()).all()) return true;
    x = VectorXd::Ones(A.cols()) + next;
    x /= x.maxCoeff();
  }
  return false;
}

/// One acceleration, with forces for each choice of signs of the sliding bilateral contacts with which it was found.
struct FoundMotion {
  struct Variant {
    std::vector<int> signs;
    ModePoint point;
  };
  std::vector<Variant> variants;

  [[nodiscard]] const ModePoint& point() const { return variants.front().point; }
};

class SlidingJudge {
 public:
  explicit SlidingJudge(const AccelerationProblem& problem)
      : problem_(problem), stacked_(stack(problem)), modes_(problem), held_(problem.M, stacked_.equalities) {
    list_possible();
  }

  SlidingJudgement judge() {
    judgement_.solvability.kind = InstantKind::kSliding;
    const EqualityCheck check = check_equalities(problem_.M, problem_.F, stacked_.equalities, stacked_.equality_drift);
    if (!check.consistent.yes()) {
      judgement_.solvability.verdict = check.consistent;
      judgement_.solvability.ground = check.consistent.no() ? Ground::kEqualities : Ground::kOpen;
      for (const int row : check.culprits)
        judgement_.solvability.culprits.push_back(stacked_.equality_names[static_cast<size_t>(row)]);
      return std::move(judgement_);
    }
    bool unique = false;
    if (held_.definite() && signed_count() == 0) unique = judge_reduced();
    const bool enumerable = contact_count() <= kMostContacts && contact_count() + signed_count() <= kMostChoices;
    if (!unique && !judgement_.solvability.verdict.no()) {
      if (enumerable)
        enumerate(unique);
      else if (motions_.empty() && signed_count() <= kMostSigned)
        search();
      else if (motions_.empty() && contact_count() == 0)
        follow_signs(unique);
    }
    if (judgement_.solvability.ground == Ground::kOpen && !enumerable)
      judgement_.solvability.reason = fmt::format(
          "no motion was found; {} unilateral contacts and the signs of {} sliding bilateral ones are too many to try all "
          "cases",
          contact_count(), signed_count());
    judgement_.complete = judgement_.complete || unique;
    if (!motions_.empty()) describe(unique);
    return std::move(judgement_);
  }

 private:
  size_t contact_count() const { return problem_.unilateral.size(); }
  size_t signed_count() const { return stacked_.sliding_bilateral.size(); }
  void conclude(Answer answer, Ground ground) {
    judgement_.solvability.verdict = {answer, {}};
    judgement_.solvability.ground = ground;
  }

  /// By the LCP in the contact forces. True if it proves that there is exactly one motion.
  bool judge_reduced() {
    const SlidingMatrix lcp = sliding_matrix(problem_, stacked_, held_);
    const MatrixXd& A = lcp.A;
    const auto [values, vectors] = symmetric_eigenvectors(0.5 * (A + A.transpose()));
    const double size = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0;
    judgement_.monotone = values.size() == 0 || values[0] >= -kSumRoundOff * size;
    if (A.rows() <= kMostRowsOfPMatrix) judgement_.p_matrix = is_p_matrix(A, kVerdictTolerance);
    const bool p = judgement_.p_matrix.value_or(false);
    if (!*judgement_.monotone && !p) return false;

    ComplementaritySolution solution;
    solve_lcp({A, lcp.q}, {}, solution);
    const Ground ground = p ? Ground::kPMatrix : Ground::kMonotone;
    if (solution.status == ComplementarityStatus::kNoSolution) {
      if (!p) conclude(Answer::kNo, ground);  // a P-matrix always has one: nothing is known then
      return false;
    }
    const VectorXd w = A * solution.x + lcp.q;
    std::vector<bool> closed;
    for (Eigen::Index i = 0; i < w.size(); ++i) closed.push_back(solution.x[i] > w[i]);
    if (!solution.converged() || !polish(closed, {})) return false;
    conclude(Answer::kYes, ground);
    if (p) return true;
    // Two solutions of a monotone problem differ by a z with (A + A')z = 0: one motion if no such z moves anything.
    Eigen::Index kernel = 0;
    while (kernel < values.size() && values[kernel] <= kVerdictTolerance * size) ++kernel;
    const MatrixXd moved = lcp.B_push * lcp.scale.asDiagonal() * vectors.leftCols(kernel);
    return moved.size() == 0 || moved.cwiseAbs().maxCoeff() <= kVerdictTolerance * std::sqrt(size);
  }

  /// Contacts that do not slide stick at any friction. Their tangents are equalities whether they are closed or not, Brogliato B (43).
  void list_possible() {
    const auto closed = [](const ContactRows& contact, int sign) -> ContactChoice {
      if (!contact.slides()) return {.mode = ContactMode::kStick, .held = true};
      if (!(*contact.mu > 0.0)) return {.mode = ContactMode::kClosed};
      return ContactChoice::slide(contact.slip_direction(), sign);
    };
    for (const ContactRows& contact : problem_.unilateral)
      possible_.push_back({closed(contact, 1), {.mode = ContactMode::kOpen, .held = !contact.slides()}});
    for (const ContactRows& contact : problem_.bilateral) {
      possible_.push_back({closed(contact, 1)});
      if (slides(possible_.back().front().mode)) possible_.back().push_back(closed(contact, -1));
    }
  }

  void add(const ModePoint& point, const std::vector<int>& signs) {
    for (FoundMotion& known : motions_) {
      if (!modes_.same_motion(known.point(), point)) continue;
      const bool listed = std::any_of(known.variants.begin(), known.variants.end(),
                                      [&](const FoundMotion::Variant& variant) { return variant.signs == signs; });
      if (!listed) known.variants.push_back({signs, point});
      return;
    }
    motions_.push_back({{{signs, point}}});
  }

  /// All motions of one mode, with the signs of its sliding bilateral contacts.
  void add_motions(const std::vector<ContactChoice>& choices, ModeJudgement&& judgement) {
    if (judgement.status != ModeJudgement::Status::kConsistent) return;
    std::vector<int> signs;
    for (const int i : stacked_.sliding_bilateral) signs.push_back(choices[contact_count() + static_cast<size_t>(i)].sign);
    for (const ModePoint& point : motions_of(std::move(judgement))) add(point, signs);
  }

  std::vector<ContactChoice> choices_of(const std::vector<bool>& closed, const std::vector<int>& signs) const {
    std::vector<ContactChoice> choices;
    for (const auto& possible : possible_) choices.push_back(possible.front());
    for (size_t i = 0; i < closed.size(); ++i) choices[i] = possible_[i][closed[i] ? 0 : 1];
    for (size_t k = 0; k < signs.size(); ++k) {
      const size_t i = contact_count() + static_cast<size_t>(stacked_.sliding_bilateral[k]);
      choices[i] = possible_[i][signs[k] > 0 ? 0 : 1];
    }
    return choices;
  }

  /// The motion of one mode, exactly.
  bool polish(const std::vector<bool>& closed, const std::vector<int>& signs) {
    const std::vector<ContactChoice> choices = choices_of(closed, signs);
    ModeJudgement judgement = judge_mode(modes_, choices, ModeRules::kAsWritten);
    const bool consistent = judgement.status == ModeJudgement::Status::kConsistent;
    add_motions(choices, std::move(judgement));
    return consistent;
  }

  void enumerate(bool& unique) {
    bool complete = true;
    enumerate_modes(modes_, possible_, ModeRules::kAsWritten, [&](const auto& choices, ModeJudgement&& judgement) {
      complete = complete && judgement.complete && judgement.status != ModeJudgement::Status::kUndecided;
      add_motions(choices, std::move(judgement));
    });
    const bool known = judgement_.solvability.verdict.yes();  // by a stronger argument
    if (!motions_.empty() && !known) conclude(Answer::kYes, Ground::kEnumeration);
    if (motions_.empty())
      conclude(complete ? Answer::kNo : Answer::kUndecided, complete ? Ground::kEnumeration : Ground::kOpen);
    unique = complete && motions_.size() == 1;
    judgement_.complete = complete;
  }

  /// Lemke's method and its companions, sign pattern after sign pattern, until one has a solution.
  void search() {
    bool excluded = true;
    for (unsigned bits = 0; bits < (1U << signed_count()) && motions_.empty(); ++bits) {
      std::vector<int> signs(signed_count());
      for (size_t i = 0; i < signs.size(); ++i) signs[i] = (bits >> i & 1U) == 0U ? 1 : -1;
      const MlcpProblem mixed = mixed_problem(signs);
      ComplementaritySolution solution;
      solve_mlcp(mixed, {}, solution);
      excluded = excluded && solution.status == ComplementarityStatus::kNoSolution;
      if (!solution.converged()) continue;
      const auto nu = mixed.a.size();
      const VectorXd v = solution.x.tail(mixed.b.size());
      const VectorXd w = mixed.D * solution.x.head(nu) + mixed.B * v + mixed.b;
      std::vector<bool> closed;
      for (size_t i = 0; i < contact_count(); ++i)
        closed.push_back(v[static_cast<Eigen::Index>(i)] > w[static_cast<Eigen::Index>(i)]);
      polish(closed, signs);
    }
    if (!motions_.empty())
      conclude(Answer::kYes, Ground::kLemke);
    else if (excluded)
      conclude(Answer::kNo, Ground::kEnumeration);
  }

  /// Bilateral contacts alone: nu = b - K |nu| , K = A^-1 (friction part). The signs of one solution give the next;
  /// where the absolute row sums
  /// of K are below 1, no matter in which units, there is only one.
  void follow_signs(bool& unique) {
    if (!held_.definite() || held_.rank() < stacked_.equalities.cols()) return;
    const auto p = stacked_.equalities.cols(), b = static_cast<Eigen::Index>(signed_count());
    const MatrixXd C = held_.kinetic(stacked_.equalities);
    const StackedProblem pushed = stack(problem_, std::vector<int>(signed_count(), 1));
    MatrixXd friction(p, b);
    const SingularValues svd = decompose_singular(C.transpose() * C);
    for (Eigen::Index k = 0; k < b; ++k) {
      const auto row = static_cast<Eigen::Index>(stacked_.sliding_bilateral[static_cast<size_t>(k)]);
      friction.col(k) = solve_least_norm(svd, C.transpose() * (held_.kinetic(pushed.pulls.col(row)) - C.col(row)), 0.0);
    }
    MatrixXd K(b, b);
    for (Eigen::Index k = 0; k < b; ++k)
      K.row(k) = friction.row(static_cast<Eigen::Index>(stacked_.sliding_bilateral[static_cast<size_t>(k)]));
    std::vector<int> signs(signed_count(), 1);
    for (int round = 0; round < kMostRounds && !polish({}, signs); ++round) {
      const VectorXd forces = modes_.forces(judge_mode(modes_, choices_of({}, signs), ModeRules::kAsWritten).point);
      if (forces.size() == 0) return;
      std::vector<int> next;
      for (const int i : stacked_.sliding_bilateral)
        next.push_back(forces[modes_.layout().bilateral[static_cast<size_t>(i)]] < 0.0 ? -1 : 1);
      if (next == signs) return;
      signs = std::move(next);
    }
    if (motions_.empty()) return;
    conclude(Answer::kYes, Ground::kLemke);
    unique = shrinks(K.cwiseAbs());
  }

  /// The problem for one choice of signs, with the sliding bilateral contacts among the pushes: closed contacts whose force has one sign.
  /// Its multipliers are to'(those of `stacked_`).
  StackedProblem one_signed(const std::vector<int>& signs, MatrixXd& to) const {
    const StackedProblem stacked = stack(problem_, signs);
    const auto m = stacked.normals.cols(), q = stacked.equalities.cols(), b = static_cast<Eigen::Index>(signs.size());
    to = MatrixXd::Zero(m + q, m + q);
    to.topLeftCorner(m, m).setIdentity();
    StackedProblem result;
    result.sliding = true;
    result.sticking = stacked.sticking;
    // Bilateral normals are the first equalities, in their order.
    Eigen::Index next_signed = m, next = m + b;
    for (int j = 0; j < q; ++j) {
      const auto& sliding = stacked.sliding_bilateral;
      const auto found = std::find(sliding.begin(), sliding.end(), j);
      if (found != sliding.end()) {
        to(m + j, next_signed++) = signs[static_cast<size_t>(found - sliding.begin())];
        continue;
      }
      to(m + j, next++) = 1.0;
      result.equality_names.push_back(stacked.equality_names[static_cast<size_t>(j)]);
    }
    const auto split = [&](const MatrixXd& one, const MatrixXd& two, MatrixXd& left, MatrixXd& right) {
      MatrixXd all(one.rows(), m + q);
      all << one, two;
      all = (all * to).eval();
      left = all.leftCols(m + b);
      right = all.rightCols(q - b);
    };
    split(stacked.normals, stacked.equalities, result.normals, result.equalities);
    split(stacked.pushes, stacked.pulls, result.pushes, result.pulls);
    VectorXd drift(m + q);
    drift << stacked.normal_drift, stacked.equality_drift;
    drift = (to.transpose() * drift).eval();
    result.normal_drift = drift.head(m + b);
    result.equality_drift = drift.tail(q - b);
    result.to_forces = stacked.to_forces * to;
    return result;
  }

  /// u = (a, nu), v = (lambda, sizes of the nu of sliding bilateral contacts, nothing). A sliding bilateral contact is an equality with a
  /// multiplier of one sign: two pairs, 0 <= |nu| _|_ y >= 0 and 0 <= (unused) _|_ -y >= 0.
  MlcpProblem mixed_problem(const std::vector<int>& signs) const {
    MatrixXd to;
    const StackedProblem stacked = one_signed(signs, to);
    const auto n = static_cast<Eigen::Index>(problem_.n()), m = stacked.normals.cols(), p = stacked.equalities.cols(),
               b = static_cast<Eigen::Index>(signs.size());
    MlcpProblem mixed;
    mixed.A = MatrixXd::Zero(n + p, n + p);
    mixed.A.topLeftCorner(n, n) = problem_.M;
    mixed.A.topRightCorner(n, p) = -stacked.pulls;
    mixed.A.bottomLeftCorner(p, n) = stacked.equalities.transpose();
    mixed.B = MatrixXd::Zero(m + b, m + b);
    mixed.C = MatrixXd::Zero(n + p, m + b);
    mixed.C.topLeftCorner(n, m) = -stacked.pushes;
    mixed.D = MatrixXd::Zero(m + b, n + p);
    mixed.D.topLeftCorner(m, n) = stacked.normals.transpose();
    mixed.D.bottomLeftCorner(b, n) = -stacked.normals.rightCols(b).transpose();
    mixed.a.resize(n + p);
    mixed.a << problem_.F, stacked.equality_drift;
    mixed.b.resize(m + b);
    mixed.b << stacked.normal_drift, -stacked.normal_drift.tail(b);
    return mixed;
  }

  void describe(bool unique) {
    Motion& motion = judgement_.motion;
    motion.unique = {unique ? Answer::kYes : motions_.size() > 1 ? Answer::kNo : Answer::kUndecided, {}};
    for (const FoundMotion& found : motions_) judgement_.accelerations.push_back(modes_.acceleration(found.point()));
    motion.acceleration = motion.lower = motion.upper = judgement_.accelerations.front();
    const auto others = static_cast<Eigen::Index>(motions_.size()) - 1;
    for (Eigen::Index i = 0; i < others; ++i) {
      const VectorXd& other = judgement_.accelerations[static_cast<size_t>(i + 1)];
      motion.lower = motion.lower.cwiseMin(other);
      motion.upper = motion.upper.cwiseMax(other);
    }
    motion.free_directions.resize(problem_.n(), 0);  // motions that are apart: no direction leads from one to the other
    motion.multipliers = multipliers_of(modes_.forces(motions_.front().point()));
    motion.residual = modes_.residual(motions_.front().point());
    motion.found = true;
    collect_forces();
  }

  /// Every multiplier is a force component itself.
  VectorXd multipliers_of(const VectorXd& forces) const {
    const ForceLayout& layout = modes_.layout();
    VectorXd multipliers(stacked_.to_forces.cols());
    Eigen::Index k = 0;
    for (const int row : layout.unilateral) multipliers[k++] = forces[row];
    for (const std::string& name : stacked_.equality_names)
      multipliers[k++] = forces[std::find(layout.names.begin(), layout.names.end(), name) - layout.names.begin()];
    return multipliers;
  }

  /// The hull over all motions and signs.
  void collect_forces() {
    ForceSet& forces = judgement_.forces;
    bool first = true;
    // Forces have units of their own: they are compared by what they give each coordinate alone.
    const VectorXd lightness = problem_.M.diagonal().unaryExpr([](double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; });
    const VectorXd lengths = (lightness.cwiseSqrt().asDiagonal() * force_directions(problem_)).colwise().norm();
    for (size_t k = 0; k < motions_.size(); ++k) {
      for (const FoundMotion::Variant& variant : motions_[k].variants) {
        Motion motion;
        motion.acceleration = judgement_.accelerations[k];
        MatrixXd to;
        const StackedProblem stacked = one_signed(variant.signs, to);
        motion.multipliers = to.transpose() * multipliers_of(modes_.forces(variant.point));
        ForceSet set = find_forces(problem_, stacked, motion);
        if (std::exchange(first, false)) {
          forces = std::move(set);
          continue;
        }
        const VectorXd& known = forces.representative;
        const double size = known.cwiseProduct(lengths).cwiseAbs().maxCoeff();
        const VectorXd change = (set.representative - known).cwiseProduct(lengths);
        if (change.cwiseAbs().maxCoeff() > kVerdictTolerance * size || set.unique.no())
          forces.unique = {Answer::kNo, {}};
        else if (!set.unique.yes() && forces.unique.yes())
          forces.unique = set.unique;
        forces.lower = forces.lower.cwiseMin(set.lower);
        forces.upper = forces.upper.cwiseMax(set.upper);
        if (set.bounds == ForceSet::Bounds::kOuter) forces.bounds = set.bounds;
      }
    }
    // Another motion may have other forces.
    if (!judgement_.motion.unique.yes() && forces.unique.yes()) forces.unique.answer = Answer::kUndecided;
    if (judgement_.complete) return;
    forces.bounds = ForceSet::Bounds::kOuter;
    forces.lower.setConstant(-std::numeric_limits<double>::infinity());
    forces.upper.setConstant(std::numeric_limits<double>::infinity());
    for (const int row : modes_.layout().unilateral) forces.lower[row] = 0.0;
  }

  const AccelerationProblem& problem_;
  StackedProblem stacked_;
  ContactModes modes_;
  HeldMass held_;
  std::vector<std::vector<ContactChoice>> possible_;  // of each contact, closed ones first
  std::vector<FoundMotion> motions_;
  SlidingJudgement judgement_;
};

}  // namespace

SlidingJudgement judge_sliding(const AccelerationProblem& problem) {
  return SlidingJudge(problem).judge();
}

}  // namespace tippe
