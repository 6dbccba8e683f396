// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/criteria.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "tippe/analyze/joint_rows.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/held_mass.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = Criterion::Kind;

double largest_off_diagonal(MatrixXd gram) {
  gram.diagonal().setZero();
  return gram.size() > 0 ? gram.cwiseAbs().maxCoeff() : 0.0;
}

/// On a sine, a length or a singular value: as ranks are decided.
Answer above_zero(double length, Index columns) {
  return length > kVerdictTolerance ? Answer::kYes : length > rank_tolerance(columns) ? Answer::kUndecided : Answer::kNo;
}

Criterion make(const char* name, const char* source, const char* statement, Kind kind, bool applies, Answer holds,
               double value) {
  return {name, source, statement, kind, applies, applies ? holds : Answer::kUndecided, applies ? value : 0.0};
}

/// A_c in unit directions, as its factor: B'B with B = what the joints leave of the contacts. The cosines of Brogliato
/// A stand in it as
/// I - [sum of cos cos] = B'B, whose small entries would cancel; they are squares of sines, which do not.
class AngleCriteria {
 public:
  AngleCriteria(const AccelerationProblem& problem, const HeldMass& held, const MatrixXd& joints)
      : n_(problem.n()),
        contacts_(unit_columns(held.kinetic(unilateral_normals(problem)), 0.0)),
        rows_(unit_columns(held.kinetic(joints), 0.0)),
        B_(held.left_free(contacts_)),
        m_(contacts_.cols()),
        joint_rank_(held.rank()),
        smallest_(m_ > 0 && m_ <= n_ ? decompose_singular(B_).values[m_ - 1] : 0.0) {
    const RankSplit split = decide_rank(contacts_);
    independent_contacts_ = split.rank == m_;
    contact_range_ = split.range;
    orthogonal_ = rows_.cols() > 0 && independent_contacts_ && joint_rank_ == rows_.cols() &&
                  largest_off_diagonal(contacts_.transpose() * contacts_) < kVerdictTolerance &&
                  largest_off_diagonal(rows_.transpose() * rows_) < kVerdictTolerance;
    sine_ = left_of_range(held);
  }

  std::vector<Criterion> evaluate(const AccelerationProblem& problem, const KineticMetric& metric) const {
    const bool jointed = rows_.cols() > 0;
    std::vector<Criterion> criteria;
    criteria.push_back(make("Theorem 1", "Brogliato A",
                            "contacts orthogonal to each other, joints orthogonal to each other: I > [sum of cos cos]",
                            Kind::kExact, orthogonal_, above_zero(smallest_, m_), smallest_ * smallest_));
    const double shortest = m_ > 0 ? B_.colwise().norm().minCoeff() : 1.0;
    criteria.push_back(make("Corollary 2", "Brogliato A",
                            "each contact: the cos^2 of its angles with the joints add up to less than 1", Kind::kNecessary,
                            orthogonal_, above_zero(shortest, m_), shortest * shortest));
    criteria.push_back(dominance());
    const auto room = static_cast<double>(n_ - m_ - joint_rank_);
    criteria.push_back(make("Corollary 5", "Brogliato A", "not more contacts and independent joints than degrees of freedom",
                            Kind::kNecessary, true, room >= 0.0 ? Answer::kYes : Answer::kNo, room));
    criteria.push_back(make("Proposition 7", "Brogliato A",
                            "one contact, one joint: their kinetic angle is neither 0 nor 180 degrees", Kind::kExact,
                            m_ == 1 && rows_.cols() == 1, above_zero(smallest_, m_), smallest_ * smallest_));
    const double least_sine = smallest_sine();
    criteria.push_back(make("Proposition 8", "Brogliato A", "no contact has the direction of a joint", Kind::kNecessary,
                            jointed, above_zero(least_sine, m_), least_sine * least_sine));
    // With nearly dependent contacts the smallest singular value of B may count as zero where the angle does not.
    criteria.push_back(make(
        "principal angle", "linear algebra", "contacts are independent and no combination of them is one of the joints",
        Kind::kExact, independent_contacts_,
        sine_ > kVerdictTolerance && smallest_ <= kVerdictTolerance ? Answer::kUndecided : above_zero(sine_, m_), sine_));
    criteria.push_back(weak_coupling(problem, metric));
    return criteria;
  }

 private:
  /// Of the angle between the spaces of contacts and joints.
  double left_of_range(const HeldMass& held) const {
    if (contact_range_.cols() == 0) return 0.0;
    const VectorXd sines = decompose_singular(held.left_free(contact_range_)).values;
    return contact_range_.cols() > n_ ? 0.0 : sines.minCoeff();
  }

  /// Brogliato A (35), row by row.
  Criterion dominance() const {
    const MatrixXd A = B_.transpose() * B_;
    double least = 1.0;
    Answer holds = Answer::kYes;
    for (Index j = 0; j < m_; ++j) {
      const double left = A(j, j) - (A.row(j).cwiseAbs().sum() - A(j, j));
      least = std::min(least, left);
      const double round_off = kSumRoundOff * A(j, j) + 1e-15 * std::sqrt(A(j, j));
      if (left <= -round_off)
        holds = Answer::kNo;
      else if (holds == Answer::kYes && (left <= round_off || std::sqrt(left) <= kVerdictTolerance))
        holds = Answer::kUndecided;
    }
    return make("Corollary 3", "Brogliato A", "(35): the matrix of Theorem 1 is diagonally dominant", Kind::kSufficient,
                orthogonal_, holds, least);
  }

  /// Of the angles between one contact and one joint.
  double smallest_sine() const {
    double least = 1.0;
    for (Index i = 0; i < m_; ++i) {
      for (Index j = 0; j < rows_.cols(); ++j) {
        const VectorXd left = contacts_.col(i) - contacts_.col(i).dot(rows_.col(j)) * rows_.col(j);
        least = std::min(least, left.norm());
      }
    }
    return least;
  }

  /// Brogliato B, Proposition 12, with unit directions: the sticking and bilateral rows couple weakly to the contacts.
  Criterion weak_coupling(const AccelerationProblem& problem, const KineticMetric& metric) const {
    const MatrixXd rows = unit_columns(metric.scale(stack(problem).equalities), 0.0);
    double value = 0.0;
    bool independent = m_ > 0 && rows.cols() > 0;
    if (independent) {
      const VectorXd of_contacts = symmetric_eigenvalues(contacts_.transpose() * contacts_);
      const VectorXd of_rows = symmetric_eigenvalues(rows.transpose() * rows);
      const double coupling = decompose_singular(rows.transpose() * contacts_).values[0];
      independent = of_contacts[0] > kVerdictTolerance;
      value = of_contacts[0] * of_rows[0] - coupling * coupling;
      if (m_ == 1 && rows.cols() == 1)  // 1 - cos^2
        value = (contacts_ - rows * (rows.transpose() * contacts_)).squaredNorm();
    }
    const Answer holds = value > kSumRoundOff ? Answer::kYes : value < -kSumRoundOff ? Answer::kNo : Answer::kUndecided;
    return make("Proposition 12", "Brogliato B", "the rows that hold are coupled to the contacts weakly", Kind::kSufficient,
                independent, holds, value);
  }

  Index n_;
  MatrixXd contacts_, rows_, B_;
  Index m_;
  int joint_rank_;
  double smallest_;  // singular value of B
  bool independent_contacts_ = false, orthogonal_ = false;
  MatrixXd contact_range_;
  double sine_ = 0.0;
};

}  // namespace

std::vector<Criterion> evaluate_criteria(const AccelerationProblem& problem) {
  const JointRows joints = joint_rows(problem);
  const HeldMass held(problem.M, joints.directions);
  if (!held.definite() || !held.mass_definite() || problem.unilateral.empty()) return {};
  return AngleCriteria(problem, held, joints.directions).evaluate(problem, KineticMetric(problem.M, joints.directions));
}

}  // namespace tippe
