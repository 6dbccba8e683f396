// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/held_mass.h"
#include "tippe/core/rank_decision.h"
#include "tippe/modes/central_forces.h"
#include "tippe/modes/mode_lister.h"
#include "tippe/modes/motion_uniqueness.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/natural_unit.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The contacts of a problem as an inclusion in the kinetic coordinates that the joints leave: xi = B'B Lambda + c.
class Inclusion {
 public:
  Inclusion(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry)
      : problem_(problem), dry_(dry), layout_(problem), held_(problem.M, joints()) {}

  SolvedMode solve() {
    SolvedMode mode;
    if (!held_.definite()) {
      mode.failure = "a direction has no mass and no joint holds it, which the contact solver does not take";
      return mode;
    }
    for (const ContactRows& joint : problem_.bilateral) {
      if (!has_friction(joint)) continue;
      mode.failure = fmt::format("the constraint '{}' has friction, which the contact solver does not take", joint.name);
      return mode;
    }
    write();
    if (!iterate(mode)) return mode;
    mode.forces_unique = decide_rank(unit_columns(B_, 0.0)).rank == B_.cols();
    mode.motion_unique = mode.forces_unique && proves_one_motion();
    if (!mode.forces_unique) centre();
    finish(mode);
    return mode;
  }

 private:
  MatrixXd joints() const {
    MatrixXd C(problem_.n(), static_cast<Index>(problem_.bilateral.size()));
    for (size_t i = 0; i < problem_.bilateral.size(); ++i) C.col(static_cast<Index>(i)) = problem_.bilateral[i].normal;
    return C;
  }

  void write() {
    const auto m = static_cast<Index>(problem_.unilateral.size());
    VectorXd joint_drift(static_cast<Index>(problem_.bilateral.size()));
    for (size_t i = 0; i < problem_.bilateral.size(); ++i) joint_drift[static_cast<Index>(i)] = problem_.bilateral[i].drift;
    // a = a_joint + (what the loads give along the motions that the joints leave)
    const VectorXd a_joint = joint_drift.size() > 0 ? held_.smallest_motion(-joint_drift) : VectorXd::Zero(problem_.n());
    VectorXd load = -(problem_.F + problem_.M * a_joint);
    std::vector<VectorXd> columns;
    std::vector<double> drifts;
    std::vector<int> sizes;
    const auto add = [&](const VectorXd& direction, double drift, Index row) {
      columns.push_back(direction);
      drifts.push_back(drift);
      rows_.push_back(row);
    };
    for (Index i = 0; i < m; ++i) {
      const ContactRows& contact = problem_.unilateral[static_cast<size_t>(i)];
      const Index row = layout_.unilateral[static_cast<size_t>(i)];
      add(contact.normal, contact.drift, row);
      if (!has_friction(contact) || contact.slides()) {
        if (has_friction(contact)) sliding_.push_back({static_cast<Index>(rows_.size()) - 1, i});
        inclusion_.laws.emplace_back(HalfLine{});
        sizes.push_back(1);
        continue;
      }
      for (int t = 0; t < contact.tangent_count(); ++t) add(contact.tangents.col(t), contact.tangent_drift[t], row + 1 + t);
      if (contact.tangent_count() == 3)
        inclusion_.laws.emplace_back(DrillingContact{*contact.mu, 1.0, DrillingSet::kEllipsoid});
      else
        inclusion_.laws.emplace_back(CoulombContact{*contact.mu, *contact.mu});
      sizes.push_back(contact.rows());
    }
    for (size_t i = 0; i < dry_.size(); ++i) {
      if (dry_[i].slip != 0.0) {
        load -= std::copysign(dry_[i].limit, dry_[i].slip) * dry_[i].direction;
        continue;
      }
      add(dry_[i].direction, dry_[i].drift, layout_.size() + static_cast<Index>(i));
      inclusion_.laws.emplace_back(Interval{-dry_[i].limit, dry_[i].limit});
      sizes.push_back(1);
    }
    MatrixXd D(problem_.n(), static_cast<Index>(columns.size()));
    for (size_t j = 0; j < columns.size(); ++j) D.col(static_cast<Index>(j)) = columns[j];
    B_ = held_.kinetic_held(D);
    choose_units(sizes, D);
    inclusion_.G = delassus_from_dense(B_.transpose() * B_, sizes);
    u_free_ = held_.left_free(held_.kinetic(load));
    a_joint_ = a_joint;
    c_ = B_.transpose() * u_free_ + D.transpose() * a_joint +
         Eigen::Map<const VectorXd>(drifts.data(), D.cols()).cwiseProduct(unit_);
    friction_.resize(problem_.n(), static_cast<Index>(sliding_.size()));
    for (size_t s = 0; s < sliding_.size(); ++s) {
      const ContactRows& contact = problem_.unilateral[static_cast<size_t>(sliding_[s].contact)];
      friction_.col(static_cast<Index>(s)) =
          unit_[sliding_[s].row] * held_.kinetic_held(-*contact.mu * (contact.tangents * contact.slip_direction()));
    }
  }

  /// The rows of every law in a unit of its own, see natural_unit().
  void choose_units(const std::vector<int>& sizes, MatrixXd& D) {
    unit_.setOnes(D.cols());
    Index row = 0;
    for (size_t law = 0; law < sizes.size(); ++law) {
      const double unit = natural_unit(B_.col(row).norm());
      unit_.segment(row, sizes[law]).setConstant(unit);
      row += sizes[law];
      if (auto* interval = std::get_if<Interval>(&inclusion_.laws[law]))
        *interval = {interval->lower / unit, interval->upper / unit};
    }
    D *= unit_.asDiagonal();
    B_ *= unit_.asDiagonal();
  }

  /// Friction that slides is a load that depends on its normal force: repeated until it does not change.
  bool iterate(SolvedMode& mode) {
    constexpr int kMost = 200;
    ContactSolver solver;
    Solution solution;
    VectorXd normal = VectorXd::Zero(static_cast<Index>(sliding_.size()));
    for (int round = 0; round < kMost; ++round) {
      inclusion_.c = c_ + B_.transpose() * (friction_ * normal);
      const SolveStatus status = solver.solve(inclusion_, {.tolerance = 1e-12, .effort = SolveEffort::kFull}, solution);
      mode.iterations += solution.iterations;
      if (status == SolveStatus::kNotFinite || solution.residual > 1e-8) {
        mode.failure =
            fmt::format("the contact solver did not find a motion: {}, residual {:.3g}", name_of(status), solution.residual);
        return false;
      }
      double change = 0.0;
      for (size_t s = 0; s < sliding_.size(); ++s) {
        const double next = solution.Lambda[sliding_[s].row];
        change = std::max(change, std::abs(next - normal[static_cast<Index>(s)]));
        normal[static_cast<Index>(s)] = next;
      }
      const double size = solution.Lambda.size() > 0 ? solution.Lambda.cwiseAbs().maxCoeff() : 0.0;
      mode.residual = std::max(solution.residual, size > 0.0 ? change / size : 0.0);
      if (change <= 1e-13 * size) break;
    }
    if (mode.residual > 1e-8) {
      mode.failure = fmt::format("the friction of contacts that slide did not settle, change {:.3g}", mode.residual);
      return false;
    }
    Lambda_ = solution.Lambda;
    normal_ = normal;
    return true;
  }

  /// Whether no other motion can be, whatever the solver found.
  [[nodiscard]] bool proves_one_motion() const {
    std::vector<KineticContact> contacts;
    MatrixXd forces = B_;
    Index row = 0;
    size_t sliding = 0;
    for (const ContactRows& contact : problem_.unilateral) {
      const bool slides = has_friction(contact) && contact.slides();
      const Index tangents = has_friction(contact) && !slides ? contact.tangent_count() : 0;
      KineticContact kinetic{row, 0.0, {}};
      if (has_friction(contact)) kinetic.mu = *contact.mu;
      if (slides) {
        const VectorXd friction = friction_.col(static_cast<Index>(sliding++));
        forces.col(row) += friction;
        kinetic.tangents = friction / kinetic.mu;
      } else {
        kinetic.tangents = B_.middleCols(row + 1, tangents);
      }
      contacts.push_back(std::move(kinetic));
      row += 1 + tangents;
    }
    return has_one_motion(forces, contacts);
  }

  /// Other forces with the same motion, which stay within their cones longer. Open contacts and dry frictions keep theirs.
  void centre() {
    constexpr double kStill = 1e-7;
    const VectorXd pushed = B_ * Lambda_ + friction_ * normal_;
    const VectorXd xi = B_.transpose() * pushed + c_;
    const auto moves = [&](Index row, Index count) {
      const double size = c_.segment(row, count).norm() + B_.middleCols(row, count).norm() * pushed.norm();
      return xi.segment(row, count).norm() > kStill * size;
    };
    std::vector<VectorXd> columns;
    std::vector<double> forces;
    std::vector<PushingCone> cones;
    std::vector<Index> first_row;  // of the inclusion, for each cone
    std::vector<VectorXd> along;   // for each cone: friction per normal force of a contact that slides
    Index row = 0;
    size_t sliding = 0;
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      const ContactRows& contact = problem_.unilateral[i];
      const bool slides = has_friction(contact) && contact.slides();
      const Index normal = row, tangents = has_friction(contact) && !slides ? contact.tangent_count() : 0;
      const size_t friction = sliding;
      row += 1 + tangents;
      if (slides) ++sliding;
      if (moves(normal, 1)) continue;
      const double length = B_.col(normal).norm();
      PushingCone cone{static_cast<Index>(forces.size()), 0, 0.0, length > 0.0 ? 1.0 / length : 1.0};
      VectorXd column = B_.col(normal), share;
      if (slides) column += friction_.col(static_cast<Index>(friction));
      if (tangents > 0 && moves(normal + 1, tangents)) {
        share = -*contact.mu * xi.segment(normal + 1, tangents).normalized();
        column += B_.middleCols(normal + 1, tangents) * share;
      } else if (tangents > 0) {
        cone.tangents = static_cast<int>(tangents);
        cone.mu = *contact.mu;
      }
      columns.push_back(column);
      forces.push_back(Lambda_[normal]);
      for (int t = 0; t < cone.tangents; ++t) {
        columns.push_back(B_.col(normal + 1 + t));
        forces.push_back(Lambda_[normal + 1 + t]);
      }
      cones.push_back(cone);
      first_row.push_back(normal);
      along.push_back(share);
    }
    MatrixXd effect(B_.rows(), static_cast<Index>(columns.size()));
    for (size_t j = 0; j < columns.size(); ++j) effect.col(static_cast<Index>(j)) = columns[j];
    const VectorXd centred =
        central_forces(effect, cones, Eigen::Map<const VectorXd>(forces.data(), static_cast<Index>(forces.size())));
    for (size_t c = 0; c < cones.size(); ++c) {
      const Index first = first_row[c];
      Lambda_[first] = std::max(centred[cones[c].normal], 0.0);
      if (along[c].size() > 0) Lambda_.segment(first + 1, along[c].size()) = Lambda_[first] * along[c];
      for (int t = 1; t <= cones[c].tangents; ++t) Lambda_[first + t] = centred[cones[c].normal + t];
    }
    for (size_t s = 0; s < sliding_.size(); ++s) normal_[static_cast<Index>(s)] = Lambda_[sliding_[s].row];
  }

  void finish(SolvedMode& mode) const {
    mode.motion = a_joint_ + held_.motion(u_free_ + B_ * Lambda_ + friction_ * normal_);
    mode.forces = VectorXd::Zero(layout_.size() + static_cast<Index>(dry_.size()));
    for (size_t j = 0; j < rows_.size(); ++j)
      mode.forces[rows_[j]] = unit_[static_cast<Index>(j)] * Lambda_[static_cast<Index>(j)];
    for (size_t s = 0; s < sliding_.size(); ++s) {
      const ContactRows& contact = problem_.unilateral[static_cast<size_t>(sliding_[s].contact)];
      const Index row = layout_.unilateral[static_cast<size_t>(sliding_[s].contact)];
      mode.forces.segment(row + 1, contact.tangent_count()) =
          -*contact.mu * (unit_[sliding_[s].row] * normal_[static_cast<Index>(s)]) * contact.slip_direction();
    }
    for (size_t i = 0; i < dry_.size(); ++i) {
      if (dry_[i].slip != 0.0)
        mode.forces[layout_.size() + static_cast<Index>(i)] = -std::copysign(dry_[i].limit, dry_[i].slip);
    }
    const MatrixXd C = joints();
    if (C.cols() > 0) {
      VectorXd rest = problem_.M * mode.motion + problem_.F - force_directions(problem_) * mode.forces.head(layout_.size());
      for (size_t i = 0; i < dry_.size(); ++i)
        rest -= dry_[i].direction * mode.forces[layout_.size() + static_cast<Index>(i)];
      const VectorXd multipliers = solve_least_norm(decompose_singular(C), rest, 1e-12 * C.norm());
      for (size_t i = 0; i < problem_.bilateral.size(); ++i)
        mode.forces[layout_.bilateral[i]] = multipliers[static_cast<Index>(i)];
    }
    mode.forces_unique = mode.forces_unique && held_.rank() == C.cols();
  }

  struct Sliding {
    Index row, contact;
  };
  const AccelerationProblem& problem_;
  std::span<const DryFrictionRow> dry_;
  ForceLayout layout_;
  HeldMass held_;
  InclusionProblem inclusion_;
  std::vector<Index> rows_;  // of the layout, for each row of the inclusion
  std::vector<Sliding> sliding_;
  VectorXd unit_;  // of each row of the inclusion
  MatrixXd B_, friction_;
  VectorXd u_free_, a_joint_, c_, Lambda_, normal_;
};

}  // namespace

SolvedMode solve_one_mode(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  return Inclusion(problem, dry).solve();
}

}  // namespace tippe
