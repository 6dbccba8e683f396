// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/criteria.h"

#include <Eigen/Core>

#include "tippe/analyze/joint_rows.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/core/verdict.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = Criterion::Kind;

double largest_off_diagonal(MatrixXd gram) {
  gram.diagonal().setZero();
  return gram.size() > 0 ? gram.cwiseAbs().maxCoeff() : 0.0;
}

Criterion make(const char* name, const char* source, const char* statement, Kind kind, bool applies, double value) {
  return {name, source, statement, kind, applies, applies && value > kVerdictTolerance, applies ? value : 0.0};
}

/// Brogliato B, Proposition 12, with unit directions: the sticking and bilateral rows couple weakly to the contacts.
Criterion weak_coupling(const KineticMetric& metric, const AccelerationProblem& problem, const MatrixXd& contacts) {
  const StackedProblem stacked = stack(problem);
  const MatrixXd rows = unit_columns(metric.scale(stacked.equalities), 0.0);
  const bool any = contacts.cols() > 0 && rows.cols() > 0;
  double value = 0.0;
  bool independent = any;
  if (any) {
    const VectorXd of_contacts = symmetric_eigenvalues(contacts.transpose() * contacts);
    const VectorXd of_rows = symmetric_eigenvalues(rows.transpose() * rows);
    const double coupling = decompose_singular(rows.transpose() * contacts).values[0];
    independent = of_contacts[0] > kVerdictTolerance;
    value = of_contacts[0] * of_rows[0] - coupling * coupling;
  }
  return make("Proposition 12", "Brogliato B", "the rows that hold are coupled to the contacts weakly", Kind::kSufficient,
              independent, value);
}

}  // namespace

std::vector<Criterion> evaluate_criteria(const AccelerationProblem& problem) {
  const JointRows joints = joint_rows(problem);
  const KineticMetric metric(problem.M, joints.directions, row_weights(problem.M, joints.directions));
  if (!metric.definite() || problem.unilateral.empty()) return {};
  const MatrixXd contacts = unit_columns(metric.scale(unilateral_normals(problem)), 0.0);
  const MatrixXd rows = unit_columns(metric.scale(joints.directions), 0.0);
  const auto m = contacts.cols(), p = rows.cols();
  const RankSplit contact_split = decide_rank(contacts), joint_split = decide_rank(rows);
  const MatrixXd C = contacts.transpose() * rows;  // minus the cosines of the kinetic angles
  const MatrixXd CC = C * C.transpose();
  const VectorXd squares = CC.diagonal();
  const bool jointed = p > 0;
  const bool independent = contact_split.rank == m && joint_split.rank == p;
  const bool orthogonal = jointed && independent &&
                          largest_off_diagonal(contacts.transpose() * contacts) < kVerdictTolerance &&
                          largest_off_diagonal(rows.transpose() * rows) < kVerdictTolerance;

  std::vector<Criterion> criteria;
  criteria.push_back(make("Theorem 1", "Brogliato A",
                          "contacts orthogonal to each other, joints orthogonal to each other: I > [sum of cos cos]",
                          Kind::kExact, orthogonal, 1.0 - (m > 0 ? symmetric_eigenvalues(CC)[m - 1] : 0.0)));
  criteria.push_back(make("Corollary 2", "Brogliato A",
                          "each contact: the cos^2 of its angles with the joints add up to less than 1", Kind::kNecessary,
                          orthogonal, 1.0 - squares.maxCoeff()));
  double dominance = 1.0;
  for (Eigen::Index j = 0; j < m; ++j)
    dominance = std::min(dominance, 1.0 - squares[j] - (CC.row(j).cwiseAbs().sum() - std::abs(squares[j])));
  criteria.push_back(make("Corollary 3", "Brogliato A", "(35): the matrix of Theorem 1 is diagonally dominant",
                          Kind::kSufficient, orthogonal, dominance));
  Criterion count = make("Corollary 5", "Brogliato A", "not more contacts and independent joints than degrees of freedom",
                         Kind::kNecessary, true, static_cast<double>(problem.n() - m - joint_split.rank));
  count.holds = count.value >= 0.0;
  criteria.push_back(count);
  const double largest_cosine = C.size() > 0 ? C.cwiseAbs().maxCoeff() : 0.0;
  criteria.push_back(make("Proposition 7", "Brogliato A",
                          "one contact, one joint: their kinetic angle is neither 0 nor 180 degrees", Kind::kExact,
                          m == 1 && p == 1, 1.0 - largest_cosine * largest_cosine));
  criteria.push_back(make("Proposition 8", "Brogliato A", "no contact has the direction of a joint", Kind::kNecessary,
                          jointed, 1.0 - largest_cosine * largest_cosine));
  const double sigma = joint_split.rank > 0 && contact_split.rank > 0
                           ? decompose_singular(contact_split.range.transpose() * joint_split.range).values.maxCoeff()
                           : 0.0;
  criteria.push_back(make("principal angle", "linear algebra",
                          "contacts are independent and no combination of them is one of the joints", Kind::kExact,
                          contact_split.rank == m, 1.0 - sigma));
  criteria.push_back(weak_coupling(metric, problem, contacts));
  return criteria;
}

}  // namespace tippe
