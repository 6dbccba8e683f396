// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/acceleration_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/error.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse(const std::string& message) {
  throw InputError({}, message);
}

void require_size(const std::string& what, Eigen::Index size, Eigen::Index expected, const std::string& rule) {
  if (size != expected) refuse(fmt::format("{} has {} numbers and must have {}: {}", what, size, expected, rule));
}

void require_mass(const MatrixXd& M, Eigen::Index n, const std::string& count_rule) {
  if (M.rows() != n || M.cols() != n)
    refuse(fmt::format("M is {} x {} and must be {} x {}: {}", M.rows(), M.cols(), n, n, count_rule));
  if (!M.allFinite()) refuse("M has an entry that is not finite");
  const double size = n > 0 ? M.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (std::abs(M(i, j) - M(j, i)) > kAsymmetry * size)
        refuse(fmt::format("M must be symmetric, but M[{}][{}] = {} and M[{}][{}] = {}", i, j, M(i, j), j, i, M(j, i)));
    }
  }
  const auto [values, vectors] = symmetric_eigenvectors(M);
  if (n > 0 && values[0] < -kNegativeEigenvalue * size) {
    std::string direction;
    for (Eigen::Index i = 0; i < n; ++i) direction += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", vectors(i, 0));
    refuse(fmt::format("the inertia matrix M is not positive semidefinite: its energy is negative along ({})", direction));
  }
}

void require_contact(const ContactRows& contact, Eigen::Index n, const std::string& kind) {
  const std::string name = fmt::format("{} '{}'", kind, contact.name);
  const std::string per_velocity = "one for each row of M";
  require_size(name + ": normal", contact.normal.size(), n, per_velocity);
  const auto count = contact.tangents.cols();
  if (count > 3)
    refuse(fmt::format("{} has {} tangents and may have 1 (in the plane), 2 (in space) or 3 (with drilling)", name, count));
  if (count > 0) require_size(name + ": a tangent", contact.tangents.rows(), n, per_velocity);
  require_size(name + ": tangent_drift", contact.tangent_drift.size(), count, "one for each tangent");
  if (contact.slip.size() > 0) require_size(name + ": slip", contact.slip.size(), count, "one for each tangent");
  const bool finite = contact.normal.allFinite() && std::isfinite(contact.drift) && std::isfinite(contact.rate) &&
                      contact.tangents.allFinite() && contact.tangent_drift.allFinite() && contact.slip.allFinite();
  if (!finite) refuse(name + " has a number that is not finite");
  if (contact.mu && !(std::isfinite(*contact.mu) && *contact.mu >= 0.0))
    refuse(fmt::format("{}: mu is {:g} and must be a finite number >= 0", name, *contact.mu));
  if (contact.slides() && !contact.mu) refuse(name + " slides and needs a mu");
}

void require_contacts(const std::vector<ContactRows>& unilateral, const std::vector<ContactRows>& bilateral,
                      Eigen::Index n) {
  std::set<std::string> names;
  const auto require_all = [&](const std::vector<ContactRows>& contacts, const std::string& kind) {
    for (const ContactRows& contact : contacts) {
      if (contact.name.empty()) refuse(fmt::format("a {} has an empty name", kind));
      if (!names.insert(contact.name).second)
        refuse(fmt::format("two contacts or constraints are called '{}'; names must differ", contact.name));
      require_contact(contact, n, kind);
    }
  };
  require_all(unilateral, "unilateral contact");
  require_all(bilateral, "bilateral constraint");
}

/// Calls visit(contact) in the order of the layout.
template <class Visit>
void for_each_contact(const AccelerationProblem& problem, const Visit& visit) {
  for (const ContactRows& contact : problem.unilateral) visit(contact);
  for (const ContactRows& contact : problem.bilateral) visit(contact);
}

int force_count(const AccelerationProblem& problem) {
  int count = 0;
  for_each_contact(problem, [&count](const ContactRows& contact) { count += contact.rows(); });
  return count;
}

}  // namespace

std::optional<double> ImpactProblem::common_restitution() const {
  if (restitution.rows() == 0) return 0.0;
  const double e = restitution(0, 0);
  if (restitution != e * MatrixXd::Identity(restitution.rows(), restitution.cols())) return std::nullopt;
  return e;
}

void require_valid(const AccelerationProblem& problem) {
  const auto n = problem.F.size();
  if (n == 0) refuse("F has no numbers: a problem needs at least one degree of freedom");
  if (!problem.F.allFinite()) refuse("F has a number that is not finite");
  require_mass(problem.M, n, "one row for each number of F");
  if (!problem.coordinates.empty())
    require_size("coordinates", static_cast<Eigen::Index>(problem.coordinates.size()), n, "one name for each row of M");
  require_contacts(problem.unilateral, problem.bilateral, n);
}

void require_valid(const ImpactProblem& problem) {
  const auto n = problem.velocity.size();
  if (n == 0) refuse("velocity has no numbers: a problem needs at least one degree of freedom");
  if (!problem.velocity.allFinite()) refuse("velocity has a number that is not finite");
  require_mass(problem.M, n, "one row for each number of velocity");
  require_contacts(problem.unilateral, problem.bilateral, n);
  const auto m = static_cast<Eigen::Index>(problem.unilateral.size());
  if (problem.restitution.rows() != m || problem.restitution.cols() != m)
    refuse(fmt::format("restitution is {} x {} and must be {} x {}: a row and a column for each unilateral contact",
                       problem.restitution.rows(), problem.restitution.cols(), m, m));
  if (!problem.restitution.allFinite()) refuse("restitution has a number that is not finite");
  if (problem.tangential_restitution.size() > 0)
    require_size("tangential_restitution", problem.tangential_restitution.size(), m, "one for each unilateral contact");
  if (!problem.tangential_restitution.allFinite()) refuse("tangential_restitution has a number that is not finite");
}

void require_valid(std::span<const DryFrictionRow> rows, const AccelerationProblem& problem) {
  std::set<std::string> names;
  for_each_contact(problem, [&](const ContactRows& contact) { names.insert(contact.name); });
  for (const DryFrictionRow& row : rows) {
    if (row.name.empty()) refuse("a dry friction has an empty name");
    if (!names.insert(row.name).second)
      refuse(fmt::format("two contacts, constraints or dry frictions are called '{}'; names must differ", row.name));
    const std::string name = fmt::format("dry friction '{}'", row.name);
    require_size(name + ": direction", row.direction.size(), problem.n(), "one for each row of M");
    if (!row.direction.allFinite() || !std::isfinite(row.drift) || !std::isfinite(row.slip))
      refuse(name + " has a number that is not finite");
    if (!(std::isfinite(row.limit) && row.limit >= 0.0))
      refuse(fmt::format("{}: limit is {:g} and must be a finite number >= 0", name, row.limit));
  }
}

ForceLayout::ForceLayout(const AccelerationProblem& problem) {
  const auto add = [this](const ContactRows& contact, std::vector<int>& first) {
    first.push_back(size());
    names.push_back(contact.name + ".n");
    for (int k = 0; k < contact.tangent_count(); ++k) names.push_back(contact.tangent_name(k));
  };
  for (const ContactRows& contact : problem.unilateral) add(contact, unilateral);
  for (const ContactRows& contact : problem.bilateral) add(contact, bilateral);
}

std::vector<std::string> force_names(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  std::vector<std::string> names = ForceLayout(problem).names;
  for (const DryFrictionRow& row : dry) names.push_back(row.name);
  return names;
}

VectorXd sliding_forces(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  const Eigen::Index first = force_count(problem);
  VectorXd forces = VectorXd::Zero(first + static_cast<Eigen::Index>(dry.size()));
  for (size_t i = 0; i < dry.size(); ++i) {
    if (dry[i].slip != 0.0) forces[first + static_cast<Eigen::Index>(i)] = -std::copysign(dry[i].limit, dry[i].slip);
  }
  return forces;
}

AccelerationProblem with_sliding_loads(AccelerationProblem problem, std::span<const DryFrictionRow> dry) {
  const VectorXd forces = sliding_forces(problem, dry).tail(static_cast<Eigen::Index>(dry.size()));
  for (size_t i = 0; i < dry.size(); ++i) problem.F -= forces[static_cast<Eigen::Index>(i)] * dry[i].direction;
  return problem;
}

AccelerationProblem without_pressed(AccelerationProblem problem) {
  const auto count = static_cast<Eigen::Index>(std::ranges::count_if(problem.unilateral, &ContactRows::pressed));
  if (count == 0) return problem;
  const Eigen::Index n = problem.n() - count;
  std::erase_if(problem.unilateral, [](const ContactRows& contact) { return contact.pressed; });
  problem.M.conservativeResize(n, n);
  problem.F.conservativeResize(n);
  if (!problem.coordinates.empty()) problem.coordinates.resize(static_cast<size_t>(n));
  for (auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (ContactRows& contact : *contacts) {
      contact.normal.conservativeResize(n);
      contact.tangents.conservativeResize(n, Eigen::NoChange);
    }
  }
  return problem;
}

MatrixXd force_directions(const AccelerationProblem& problem) {
  MatrixXd D(problem.n(), force_count(problem));
  Eigen::Index column = 0;
  for_each_contact(problem, [&](const ContactRows& contact) {
    D.col(column) = contact.normal;
    if (contact.tangent_count() > 0) D.middleCols(column + 1, contact.tangent_count()) = contact.tangents;
    column += contact.rows();
  });
  return D;
}

VectorXd force_drifts(const AccelerationProblem& problem) {
  VectorXd drifts(force_count(problem));
  Eigen::Index row = 0;
  for_each_contact(problem, [&](const ContactRows& contact) {
    drifts[row] = contact.drift;
    drifts.segment(row + 1, contact.tangent_count()) = contact.tangent_drift;
    row += contact.rows();
  });
  return drifts;
}

}  // namespace tippe
