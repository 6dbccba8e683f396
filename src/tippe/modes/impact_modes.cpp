// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tippe/core/error.h"
#include "tippe/modes/mode_lister.h"
#include "tippe/modes/modes.h"
#include "tippe/problem/joint_velocity.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void require_diagonal(const ImpactProblem& problem) {
  const auto m = static_cast<Index>(problem.unilateral.size());
  if (problem.restitution.rows() != m || problem.restitution.cols() != m)
    throw InputError({}, fmt::format("restitution is {} x {} and must be {} x {}: a row and a column for each contact",
                                     problem.restitution.rows(), problem.restitution.cols(), m, m));
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (i != j && problem.restitution(i, j) != 0.0)
        throw InputError(
            {}, fmt::format("restitution[{}][{}] = {:g} and must be 0: modes of an impact need a diagonal restitution", i, j,
                            problem.restitution(i, j)));
    }
  }
  if (problem.tangential_restitution.size() != 0 && problem.tangential_restitution.size() != m)
    throw InputError({},
                     fmt::format("tangential_restitution has {} numbers and must have {}: one for each unilateral contact",
                                 problem.tangential_restitution.size(), m));
}

/// Relative velocities before the impact and the part of them that does not come from v, in the order of the layout.
struct Velocities {
  VectorXd before, rate;
};

Velocities velocities_of(const ImpactProblem& problem, const AccelerationProblem& written, const ForceLayout& layout) {
  Velocities velocities;
  velocities.before = force_directions(written).transpose() * problem.velocity;
  velocities.rate = VectorXd::Zero(velocities.before.size());
  const auto add = [&](const ContactRows& contact, Index row) {
    velocities.rate[row] = contact.rate;
    if (contact.slip.size() > 0)
      velocities.rate.segment(row + 1, contact.slip.size()) =
          contact.slip - velocities.before.segment(row + 1, contact.slip.size());
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) add(problem.unilateral[i], layout.unilateral[i]);
  for (size_t i = 0; i < problem.bilateral.size(); ++i) add(problem.bilateral[i], layout.bilateral[i]);
  velocities.before += velocities.rate;
  return velocities;
}

/// The velocities before the impact, projected onto the constraints where they break them: what the impact law returns is a part of these.
VectorXd velocity_on_joints(const ImpactProblem& problem) {
  MatrixXd G(problem.velocity.size(), static_cast<Index>(problem.bilateral.size()));
  for (size_t i = 0; i < problem.bilateral.size(); ++i) G.col(static_cast<Index>(i)) = problem.bilateral[i].normal;
  const HeldMass mass(problem.M, G);
  return mass.definite() ? keep_joints(problem, mass).velocity : problem.velocity;
}

}  // namespace

/// An impact is a problem of accelerations with v+ in the place of a, -M v- of F, and xi = v+ + e v- of the relative accelerations.
ModeList list_impact_modes(const ImpactProblem& given, const ModeOptions& options) {
  require_diagonal(given);
  ImpactProblem problem = given;
  if (!problem.bilateral.empty()) problem.velocity = velocity_on_joints(given);
  AccelerationProblem written{problem.M, -problem.M * problem.velocity, problem.unilateral, problem.bilateral,
                              problem.coordinates};
  const ForceLayout layout(written);
  const Velocities velocities = velocities_of(problem, written, layout);
  const auto write = [&](ContactRows& contact, Index row, double normal, double tangential) {
    const Index tangents = contact.tangent_count();
    contact.drift = velocities.rate[row] + normal * velocities.before[row];
    contact.tangent_drift =
        velocities.rate.segment(row + 1, tangents) + tangential * velocities.before.segment(row + 1, tangents);
    contact.slip.resize(0);
  };
  for (size_t i = 0; i < written.unilateral.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double tangential = problem.tangential_restitution.size() > 0 ? problem.tangential_restitution[k] : 0.0;
    write(written.unilateral[i], layout.unilateral[i], problem.restitution(k, k), tangential);
  }
  for (size_t i = 0; i < written.bilateral.size(); ++i) write(written.bilateral[i], layout.bilateral[i], 0.0, 0.0);
  ModeList list = list_modes(written, {}, options, {"impulse", "impulses", "N s", "m/s"});
  const MatrixXd D = force_directions(written);
  for (ConsistentMode& mode : list.modes) {
    const VectorXd sum = D.transpose() * mode.motion + velocities.rate + velocities.before;
    mode.energy_change = 0.5 * mode.forces.dot(sum);
    if (std::abs(mode.energy_change) <= 1e-14 * mode.forces.cwiseAbs().dot(sum.cwiseAbs())) mode.energy_change = 0.0;
    mode.surface_work = 0.0 - mode.forces.dot(velocities.rate);
    mode.trending.clear();
  }
  return list;
}

}  // namespace tippe
