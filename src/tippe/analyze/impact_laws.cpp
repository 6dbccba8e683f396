// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/impact_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tippe/analyze/collision.h"
#include "tippe/analyze/kinematic_impact.h"
#include "tippe/modes/modes.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/impact_phases.h"
#include "tippe/solve/least_distance.h"
#include "tippe/solve/natural_unit.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kClosedSlack = 1e-12;      // of the speeds: a contact that opens with less may carry an impulse
constexpr double kSolverTolerance = 1e-13;  // of the contact solver
constexpr int kMostThrownBack = 100;        // impacts at one instant
constexpr double kOtherResidual = 1e-11;    // of outcomes that are looked for
constexpr double kOtherOutcome = 1e-5;      // of the speeds: outcomes that differ by less are one
constexpr int kMostStarts = 24;             // from which other outcomes are looked for

bool rubs(const ContactRows& contact) {
  return contact.tangent_count() > 0 && contact.mu.value_or(0.0) > 0.0;
}

/// Without the tangents of contacts that have no friction, or of which it is not known.
ImpactProblem with_friction_only(ImpactProblem problem, std::vector<std::string>& warnings) {
  const auto strip = [&](ContactRows& contact) {
    if (contact.tangent_count() == 0 || rubs(contact)) return;
    if (!contact.mu)
      warnings.push_back(fmt::format("The friction of '{}' is not known: the impact is one without it.", contact.name));
    contact.tangents.resize(contact.normal.size(), 0);
    contact.tangent_drift.resize(0);
    contact.slip.resize(0);
  };
  std::ranges::for_each(problem.unilateral, strip);
  std::ranges::for_each(problem.bilateral, strip);
  return problem;
}

/// Newton's, Poisson's and Moreau's laws, as impacts of a scene obey them.
class ImpactJudge {
 public:
  explicit ImpactJudge(const ImpactProblem& problem)
      : problem_(with_friction_only(problem, report_.warnings)), collision_(problem_) {}

  /// Outcomes of the law of the problem other than `velocity_after`, found from other starts of the solver.
  int count_others(const VectorXd& velocity_after) {
    if (collision_.massless_direction().size() > 0 || !problem_.restitution.isDiagonal(0.0)) return 0;
    write_rows();
    return frictionless() ? 0 : count_others(problem_.law, velocity_after);
  }

  ImpactReport judge() {
    report_.velocity_before = collision_.velocity_before();
    if (collision_.massless_direction().size() > 0) {
      report_.massless_direction = collision_.massless_direction();
      report_.warnings.push_back(fmt::format(
          "The direction ({:.4g}) has no mass and no joint holds it: the velocity after the impact is not determined.",
          fmt::join(report_.massless_direction, ", ")));
      return std::move(report_);
    }
    report_.warnings.insert(report_.warnings.end(), collision_.warnings().begin(), collision_.warnings().end());
    report_.projected = collision_.projected();
    report_.gap_velocity = collision_.normals().gamma;
    report_.kinematic = judge_kinematic_impact(problem_, collision_);
    if (!report_.kinematic.wide_angles.empty()) report_.warnings.push_back(report_.kinematic.wide_angles);
    report_.law = problem_.law;
    report_.by_matrix = !problem_.restitution.isDiagonal(0.0);
    write_rows();
    if (!restitution_fits()) return std::move(report_);
    judge_newton();
    judge_in_phases(ImpactLaw::kPoisson);
    if (problem_.unilateral.empty() || problem_.common_restitution())
      judge_in_phases(ImpactLaw::kMoreau);
    else if (problem_.law == ImpactLaw::kMoreau)
      warn("Moreau's impact law has one restitution for all contacts.");
    return std::move(report_);
  }

 private:
  [[nodiscard]] const std::string& name(Eigen::Index i) const { return problem_.unilateral[static_cast<size_t>(i)].name; }
  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  /// The rows of all contacts, and the problem without its laws and c.
  void write_rows() {
    rows_ = collision_.rows(report_.friction);
    choose_units();
    gamma_ = rows_.gamma;
    epsilon_.setZero(gamma_.size());
    Eigen::Index row = 0;
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const ContactRows& contact = problem_.unilateral[i];
      sizes_.push_back(contact.rows());
      normal_row_.push_back(row);
      epsilon_[row] = problem_.restitution(k, k);
      if (problem_.tangential_restitution.size() > 0)
        epsilon_.segment(row + 1, contact.tangent_count()).setConstant(problem_.tangential_restitution[k]);
      row += contact.rows();
    }
    inclusion_.G = delassus_from_dense(rows_.B.transpose() * rows_.B, sizes_);
  }

  /// The rows of every contact in a unit of its own, see natural_unit().
  void choose_units() {
    unit_.setOnes(rows_.gamma.size());
    Eigen::Index row = 0;
    for (const ContactRows& contact : problem_.unilateral) {
      const double unit = frictionless() ? 1.0 : natural_unit(rows_.B.col(row).norm());
      unit_.segment(row, contact.rows()).setConstant(unit);
      row += contact.rows();
    }
    rows_.D *= unit_.asDiagonal();
    rows_.B *= unit_.asDiagonal();
    rows_.gamma.array() *= unit_.array();
    rows_.rate.array() *= unit_.array();
  }

  [[nodiscard]] bool frictionless() const { return report_.friction.empty(); }

  bool restitution_fits() {
    if (report_.by_matrix) {
      warn("The restitution couples contacts: only the kinematic law takes it.");
      return false;
    }
    for (Eigen::Index i = 0; i < problem_.restitution.rows(); ++i) {
      const double e = problem_.restitution(i, i);
      if (e >= 0.0 && e <= 1.0) continue;
      warn(fmt::format("Impact laws but the kinematic one need a restitution from 0 to 1, and that of contact '{}' is {:g}.",
                       name(i), e));
      return false;
    }
    return true;
  }

  /// With friction in the plane all outcomes are known.
  void judge_newton() {
    const bool joint_friction = std::ranges::any_of(problem_.bilateral, rubs);
    if (!enumerates_impact(problem_) && !joint_friction) return judge_in_phases(ImpactLaw::kNewton);
    const ModeList list = list_impact_modes(problem_);
    if (list.modes.empty()) {
      if (!joint_friction) return judge_in_phases(ImpactLaw::kNewton);
      return warn(fmt::format("Newton's impact law: {}.", list.note.empty() ? "no mode is consistent" : list.note));
    }
    const ChosenImpact chosen = choose_impact(list);
    const VectorXd Lambda = chosen.mode->forces.head(gamma_.size()).cwiseQuotient(unit_);
    ImpactOfLaw& outcome = keep(ImpactLaw::kNewton, rows_.B * Lambda, Lambda, chosen.mode->residual);
    if (joint_friction) {
      Eigen::Index row = gamma_.size();
      for (Eigen::Index i = 0; i < outcome.bilateral_impulses.size(); ++i) {
        outcome.bilateral_impulses[i] = chosen.mode->forces[row];
        row += problem_.bilateral[static_cast<size_t>(i)].rows();
      }
      outcome.velocity_after = chosen.mode->motion;
      outcome.energy_change = chosen.mode->energy_change;
      outcome.surface_work = chosen.mode->surface_work;
      outcome.residual = chosen.mode->residual;
    }
    if (list.complete) outcome.alternatives = chosen.others;
    finish(ImpactLaw::kNewton, outcome);
  }

  void judge_in_phases(ImpactLaw law) {
    if (std::ranges::any_of(problem_.bilateral, rubs))
      return warn(fmt::format("{} is not judged: a constraint has friction.", words_of(law).title));
    gamma_ = rows_.gamma;
    VectorXd u = VectorXd::Zero(rows_.B.rows()), total = VectorXd::Zero(gamma_.size());
    double residual = 0.0;
    // Moreau's law may throw a contact back that was opening: that is an impact of its own at the same instant.
    for (int count = 0; count == 0 || (law == ImpactLaw::kMoreau && closes(gamma_)); ++count) {
      if (count == kMostThrownBack) return warn(fmt::format("{}: impacts at one instant have no end.", words_of(law).title));
      const auto set_of = [&](int i, double load) { return set_of_contact(i, load); };
      const auto solve = [&](ImpactPhase) {
        return frictionless() ? solve_by_distance(law, residual) : solve_inclusion(law, residual);
      };
      if (!phases_.solve(law, {sizes_, gamma_, gamma_, epsilon_}, inclusion_, Lambda_, set_of, solve)) return;
      // Newton's law without friction: the motion that was found, not the sum of large impulses.
      u += law == ImpactLaw::kNewton && frictionless() ? change_ : VectorXd(rows_.B * Lambda_);
      total += Lambda_;
      gamma_ = rows_.gamma + rows_.B.transpose() * u;
    }
    ImpactOfLaw& outcome = keep(law, u, total, residual);
    if (frictionless()) {
      outcome.alternatives = 0;
    } else if (const int others = count_others(law, outcome.velocity_after); others > 0) {
      outcome.alternatives = others;
    }
    finish(law, outcome);
  }

  [[nodiscard]] LawSet set_of_contact(int i, double load) const {
    const ContactRows& contact = problem_.unilateral[static_cast<size_t>(i)];
    if (contact.tangent_count() == 0) return HalfLine{};
    if (contact.tangent_count() == 3) return DrillingContact{*contact.mu, 1.0, DrillingSet::kEllipsoid, load};
    return CoulombContact{*contact.mu, *contact.mu, load};
  }

  /// The first impact of the instant. Contacts that share a blow may share it in many ways, and with friction each has its own velocities.
  int count_others(ImpactLaw law, const VectorXd& velocity_after) {
    const VectorXd length = rows_.B.colwise().norm();
    const auto in_kinetic_units = [&](const VectorXd& gamma) {
      return length.binaryExpr(gamma, [](double l, double v) { return l > 0.0 ? v / l : 0.0; }).eval();
    };
    std::vector<VectorXd> outcomes{in_kinetic_units(rows_.D.transpose() * (velocity_after - collision_.velocity_before()))};
    const auto differs = [&](const VectorXd& change) {
      return std::ranges::all_of(outcomes, [&](const VectorXd& known) {
        return (change - known).norm() > kOtherOutcome * std::max(change.norm(), known.norm());
      });
    };
    ContactSolver solver;
    Solution solution;
    const auto set_of = [&](int i, double load) { return set_of_contact(i, load); };
    for (const VectorXd& start : list_starts()) {
      const auto solve = [&](ImpactPhase) {
        solution.Lambda = start;
        solver.solve(inclusion_, {.tolerance = kSolverTolerance, .effort = SolveEffort::kShort}, solution);
        Lambda_ = solution.Lambda;
        return solution.residual <= kOtherResidual;
      };
      if (!phases_.solve(law, {sizes_, rows_.gamma, rows_.gamma, epsilon_}, inclusion_, Lambda_, set_of, solve)) continue;
      VectorXd change = in_kinetic_units(rows_.B.transpose() * (rows_.B * Lambda_));
      if (differs(change)) outcomes.push_back(std::move(change));
    }
    return static_cast<int>(outcomes.size()) - 1;
  }

  /// Impulses that give the whole blow to one contact, then to two.
  [[nodiscard]] std::vector<VectorXd> list_starts() const {
    std::vector<VectorXd> starts;
    const size_t contacts = normal_row_.size();
    const auto blow = [&](size_t i) {
      const auto row = normal_row_[i];
      const double length = rows_.B.col(row).norm();
      VectorXd impulse = VectorXd::Zero(rows_.gamma.size());
      if (length > 0.0) impulse[row] = 2.0 * collision_.speed() / length;
      return impulse;
    };
    for (size_t i = 0; i < contacts && starts.size() < kMostStarts; ++i) starts.push_back(blow(i));
    for (size_t i = 0; i < contacts; ++i) {
      for (size_t j = 0; j < i && starts.size() < kMostStarts; ++j) starts.push_back(blow(i) + blow(j));
    }
    return starts;
  }

  [[nodiscard]] bool closes(const VectorXd& gamma) const {
    for (size_t i = 0; i < normal_row_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double v = gamma[normal_row_[i]], length = collision_.length()[k] * unit_[normal_row_[i]];
      if ((length > 0.0 ? v / length : v) < -kVerdictTolerance * collision_.speed()) return true;
    }
    return false;
  }

  /// 0 <= p _|_ A_c p + c >= 0 as the least change u with B'u + c >= 0.
  bool solve_by_distance(ImpactLaw law, double& residual) {
    const VectorXd c = inclusion_.c;
    const LeastDistance nearest = solve_least_distance({MatrixXd(rows_.D.rows(), 0), {}, rows_.B, -c});
    const VectorXd left = rows_.B.transpose() * nearest.v + c;
    double error = 0.0;
    std::vector<int> closed;
    for (int i = 0; i < left.size(); ++i) {
      const double slack = collision_.in_kinetic_units(left, i) / collision_.speed();
      error = std::max(error, -slack);
      if (slack <= kClosedSlack || nearest.y_in[i] > 0.0) closed.push_back(i);
    }
    if (nearest.status == LeastDistanceStatus::kInfeasible && error > kVerdictTolerance) {
      const Eigen::Index i = nearest.contradiction;
      warn(
          fmt::format("{} has no solution: nothing gives contact '{}' the velocity {:.6g} m/s or more that its restitution "
                      "asks for, together with the joints and the other contacts.",
                      words_of(law).title, name(i), gamma_[i] - c[i]));
      return false;
    }
    change_ = nearest.v;
    Lambda_ = collision_.impulses_of(change_, closed, nearest.y_in);
    for (Eigen::Index i = 0; i < left.size(); ++i) {
      const double both = std::min(Lambda_[i] * collision_.held_length()[i], collision_.in_kinetic_units(left, i));
      error = std::max(error, std::abs(both) / collision_.speed());
    }
    residual = std::max(residual, error);
    return judged(law, residual);
  }

  bool solve_inclusion(ImpactLaw law, double& residual) {
    Solution solution;
    ContactSolver().solve(inclusion_, {.tolerance = kSolverTolerance}, solution);
    Lambda_ = solution.Lambda;
    // Relative to the impact as a whole: of contacts that are thrown back again and again the last impacts are round-off of the first.
    const double whole = rows_.gamma.norm(), now = inclusion_.c.norm();
    residual = std::max(residual, solution.residual * (now < whole ? now / whole : 1.0));
    return judged(law, residual);
  }

  bool judged(ImpactLaw law, double residual) {
    if (residual <= kVerdictTolerance) return true;
    warn(fmt::format("{} could not be solved: an error of {:.3g} remains.", words_of(law).title, residual));
    return false;
  }

  ImpactOfLaw& keep(ImpactLaw law, const VectorXd& u, const VectorXd& Lambda, double residual) {
    const Rebound rebound = collision_.rebound_of(rows_, u, Lambda);
    const VectorXd impulses = Lambda.cwiseProduct(unit_);
    ImpactOfLaw& outcome = report_.by(law).emplace();
    outcome.impulses.resize(static_cast<Eigen::Index>(sizes_.size()));
    outcome.friction.resize(static_cast<Eigen::Index>(report_.friction.size()));
    for (Eigen::Index i = 0, row = 0, t = 0; i < outcome.impulses.size(); ++i) {
      const int tangents = sizes_[static_cast<size_t>(i)] - 1;
      outcome.impulses[i] = impulses[row];
      outcome.friction.segment(t, tangents) = impulses.segment(row + 1, tangents);
      row += 1 + tangents;
      t += tangents;
    }
    outcome.bilateral_impulses = rebound.bilateral_impulses;
    outcome.velocity_after = rebound.velocity_after;
    outcome.energy_change = rebound.energy_change;
    outcome.surface_work = rebound.surface_work;
    outcome.residual = std::max(residual, rebound.residual);
    return outcome;
  }

  /// What the law that governs leaves to be said; an outcome with too large an error is none.
  void finish(ImpactLaw law, ImpactOfLaw& outcome) {
    if (!judged(law, outcome.residual)) {
      report_.by(law).reset();
      return;
    }
    outcome.energy_rises = outcome.energy_change > kVerdictTolerance * collision_.speed() * collision_.speed();
    if (outcome.energy_rises)
      warn(fmt::format("The energy rises by {:.6g} J under {}.", outcome.energy_change, words_of(law).title));
    if (law != problem_.law) return;
    const VectorXd& after = outcome.velocity_after;
    VectorXd gamma = rows_.gamma;
    for (const Eigen::Index row : normal_row_) gamma[row] += rows_.D.col(row).dot(after - collision_.velocity_before());
    if (closes(gamma)) warn("After the impact contacts still approach each other: another impact follows.");
  }

  ImpactReport report_;
  const ImpactProblem problem_;
  Collision collision_;
  ImpulseDirections rows_;
  std::vector<int> sizes_;                // rows of each contact
  std::vector<Eigen::Index> normal_row_;  // of each contact
  VectorXd unit_;                         // of each row, which rows_ are in
  VectorXd gamma_, epsilon_;              // velocities before the impact in hand, restitution; by rows
  InclusionProblem inclusion_;
  ImpactPhases phases_;
  KeptVector Lambda_;
  VectorXd change_;  // of solve_by_distance(), kinetic
};

}  // namespace

bool enumerates_impact(const ImpactProblem& problem) {
  constexpr int kMostFrictional = 6;
  int frictional = 0;
  for (const ContactRows& contact : problem.unilateral) {
    if (!rubs(contact)) continue;
    if (contact.tangent_count() > 1) return false;
    ++frictional;
  }
  return frictional > 0 && frictional <= kMostFrictional;
}

ChosenImpact choose_impact(const ModeList& list) {
  constexpr double kSame = 1e-9;  // of the velocities
  const auto best = std::ranges::max_element(list.modes, {}, &ConsistentMode::energy_change);
  ChosenImpact chosen{&*best};
  for (const ConsistentMode& mode : list.modes) {
    const double size = std::max(mode.motion.norm(), best->motion.norm());
    if ((mode.motion - best->motion).norm() > kSame * size) ++chosen.others;
    if (!mode.motion_unique) ++chosen.others;
  }
  return chosen;
}

int count_other_outcomes(const ImpactProblem& problem, const VectorXd& velocity_after) {
  return ImpactJudge(problem).count_others(velocity_after);
}

ImpactReport judge_impact(const ImpactProblem& problem) {
  return ImpactJudge(problem).judge();
}

}  // namespace tippe
