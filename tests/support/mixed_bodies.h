// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/full_pivot.h"
#include "support/grasps.h"
#include "support/instant_problems.h"

namespace tippe::test {

/// Several bodies, each with coordinates of its own that are mixed at random.
class MixedBodies {
 public:
  MixedBodies(Random& random, int count, int freedoms) : random_(random), f_(freedoms) {
    const int n = count * freedoms;
    problem_.M = Eigen::MatrixXd::Zero(n, n);
    problem_.F = Eigen::VectorXd::Zero(n);
  }

  int add_body(double mass, double inertia, const Eigen::VectorXd& F) {
    const int first = next_;
    next_ += f_;
    const int places = f_ == 3 ? 2 : 3;
    problem_.M.diagonal().segment(first, places).setConstant(mass);
    problem_.M.diagonal().segment(first + places, f_ - places).setConstant(inertia);
    problem_.F.segment(first, f_) = F;
    return first;
  }
  void add_contact(int body, ContactRows contact) {
    contact.normal = widened(body, contact.normal);
    contact.tangents = widened(body, contact.tangents);
    problem_.unilateral.push_back(contact);
  }
  void add_joint(const Eigen::VectorXd& row) { problem_.bilateral.push_back(tippe::test::row("", row)); }
  /// Away from its contacts, along an acceleration that leaves their tangents alone.
  void pull(int body, const ContactRows& contact, double size) {
    Eigen::VectorXd a = contact.normal;
    const Eigen::MatrixXd& T = contact.tangents;
    a -= T * solve_by_pivots(T.transpose() * T, T.transpose() * a);
    problem_.F.segment(body, f_) = -size * problem_.M.block(body, body, f_, f_) * a;
  }

  AccelerationProblem mixed() {
    Eigen::MatrixXd S = Eigen::MatrixXd::Identity(problem_.n(), problem_.n());
    for (int first = 0; first < problem_.n(); first += f_)
      S.block(first, first, f_, f_) += 0.4 * random_matrix(random_, f_, f_);
    problem_.M = S.transpose() * problem_.M * S;
    problem_.M = Eigen::MatrixXd(0.5 * (problem_.M + problem_.M.transpose()));
    problem_.F = S.transpose() * problem_.F;
    for (auto* contacts : {&problem_.unilateral, &problem_.bilateral}) {
      for (ContactRows& contact : *contacts) {
        contact.normal = S.transpose() * contact.normal;
        contact.tangents = S.transpose() * contact.tangents;
      }
    }
    name_contacts(problem_);
    return problem_;
  }

 private:
  Eigen::MatrixXd widened(int body, const Eigen::MatrixXd& rows) const {
    Eigen::MatrixXd wide = Eigen::MatrixXd::Zero(problem_.n(), rows.cols());
    wide.middleRows(body, f_) = rows;
    return wide;
  }

  Random& random_;
  int f_, next_ = 0;
  AccelerationProblem problem_;
};

}  // namespace tippe::test
