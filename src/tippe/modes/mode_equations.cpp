// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/contact_modes.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using What = ModeCondition::What;

/// Fills the equations of a mode contact after contact. There are as many multipliers as rows that do not move.
class Writer {
 public:
  /// `units`: of the forces, by which friction is measured in another unit than the normal force.
  Writer(const MatrixXd& M, const VectorXd& F, const MatrixXd& D, const VectorXd& drift, const VectorXd& units)
      : M_(M), F_(F), D_(D), drift_(drift), units_(units), n_(M.rows()) {
    const auto f = D.cols();
    // At most two conditions per component: friction, or a normal force and friction.
    equations_.S = MatrixXd::Zero(2 * f, n_ + f);
    equations_.s = VectorXd::Zero(2 * f);
    equations_.to_forces = MatrixXd::Zero(f, f);
    equations_.given = VectorXd::Zero(f);
    equal_.reserve(static_cast<size_t>(f));
  }

  void add_contact(const ContactRows& contact, Index row, bool unilateral, const ContactChoice& choice) {
    const int tangents = contact.tangent_count();
    if (choice.mode == ContactMode::kOpen) {
      require_motion(What::kOpens, row, VectorXd::Ones(1));
      if (choice.held) hold(row + 1, tangents);
      ++contact_;
      return;
    }
    const bool friction = choice.mode != ContactMode::kClosed && !choice.held;
    const Index normal = hold(row, 1);
    const double mu = friction ? *contact.mu * (units_[row] / units_[row + 1]) : 0.0;
    if (friction) equations_.to_forces(row, normal) = choice.sign;
    if (unilateral || friction) equations_.S(require(What::kPushes), n_ + normal) = 1.0;
    if (slides(choice.mode)) {
      equations_.to_forces.block(row + 1, normal, tangents, 1) = -mu * choice.direction;
      if (choice.starts) require_motion(What::kSlides, row + 1, choice.direction);
    } else if (choice.mode == ContactMode::kStick) {
      const Index tangent = hold(row + 1, tangents);
      if (friction && tangents == 1) {
        for (const double sign : {-1.0, 1.0}) {
          const Index i = require(sign < 0.0 ? What::kReserve : What::kReserveBack);
          equations_.S(i, n_ + normal) = mu;
          equations_.S(i, n_ + tangent) = sign;
        }
      } else if (friction && tangents == 2) {
        equations_.cones.push_back({n_ + normal, n_ + tangent, mu});
      }
    }
    ++contact_;
  }

  void add_dry(double limit, Index row, const ContactChoice& choice) {
    if (choice.mode == ContactMode::kStick) {
      const Index force = hold(row, 1);
      for (const double sign : {-1.0, 1.0}) {
        const Index i = require(sign < 0.0 ? What::kReserve : What::kReserveBack);
        equations_.S(i, n_ + force) = sign;
        equations_.s[i] = limit;
      }
    } else {
      equations_.given[row] = -limit * choice.direction[0];
      if (choice.starts) require_motion(What::kSlides, row, choice.direction);
    }
    ++contact_;
  }

  ModeEquations finish() {
    const auto r = static_cast<Index>(equal_.size()), q = static_cast<Index>(equations_.conditions.size());
    equations_.to_forces.conservativeResize(D_.cols(), r);
    equations_.S.conservativeResize(q, n_ + r);
    equations_.s.conservativeResize(q);
    equations_.K = MatrixXd::Zero(n_ + r, n_ + r);
    equations_.K.topLeftCorner(n_, n_) = M_;
    equations_.K.topRightCorner(n_, r).noalias() = -D_ * equations_.to_forces;
    equations_.K.bottomLeftCorner(r, n_) = D_(Eigen::all, equal_).transpose();
    equations_.k.resize(n_ + r);
    equations_.k << F_ - D_ * equations_.given, drift_(equal_);
    return std::move(equations_);
  }

 private:
  /// Components from `row` on do not move: the first of their multipliers.
  Index hold(Index row, int count) {
    const auto first = static_cast<Index>(equal_.size());
    for (int i = 0; i < count; ++i) {
      equations_.to_forces(row + i, first + i) = 1.0;
      equal_.push_back(row + i);
    }
    return first;
  }

  Index require(What what) {
    equations_.conditions.push_back({what, contact_});
    return static_cast<Index>(equations_.conditions.size()) - 1;
  }

  /// The relative acceleration of the components from `row` on, along `direction`, is not negative.
  void require_motion(What what, Index row, const VectorXd& direction) {
    const Index i = require(what);
    for (Index t = 0; t < direction.size(); ++t) {
      equations_.S.row(i).head(n_) += direction[t] * D_.col(row + t).transpose();
      equations_.s[i] += direction[t] * drift_[row + t];
    }
  }

  const MatrixXd& M_;
  const VectorXd& F_;
  const MatrixXd& D_;
  const VectorXd& drift_;
  const VectorXd& units_;
  Index n_;
  int contact_ = 0;
  std::vector<Index> equal_;  // components whose relative acceleration vanishes
  ModeEquations equations_;
};

}  // namespace

ModeEquations ContactModes::equations_of(std::span<const ContactChoice> choices) const {
  Writer writer(M_, F_, D_, drift_, component_);
  size_t next = 0;
  for (size_t i = 0; i < problem_.unilateral.size(); ++i)
    writer.add_contact(problem_.unilateral[i], layout_.unilateral[i], true, choices[next++]);
  for (size_t i = 0; i < problem_.bilateral.size(); ++i)
    writer.add_contact(problem_.bilateral[i], layout_.bilateral[i], false, choices[next++]);
  for (size_t i = 0; i < dry_.size(); ++i) {
    writer.add_dry(limit_[static_cast<Index>(i)], layout_.size() + static_cast<Index>(i), choices[next]);
    ++next;
  }
  return writer.finish();
}

Index ContactModes::first_component(size_t contact) const {
  const size_t m = problem_.unilateral.size(), b = problem_.bilateral.size();
  if (contact < m) return layout_.unilateral[contact];
  if (contact < m + b) return layout_.bilateral[contact - m];
  return layout_.size() + static_cast<Index>(contact - m - b);
}

Index ContactModes::friction_component(size_t contact) const {
  const size_t m = problem_.unilateral.size(), b = problem_.bilateral.size();
  const Index first = first_component(contact);
  if (contact >= m + b) return first;
  const ContactRows& rows = contact < m ? problem_.unilateral[contact] : problem_.bilateral[contact - m];
  return rows.tangent_count() > 0 ? first + 1 : first;
}

}  // namespace tippe
