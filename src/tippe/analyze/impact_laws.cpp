// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/impact_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/analyze/held_mass.h"
#include "tippe/core/rank_decision.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRoundOff = 1e-12;  // of scaled data

MatrixXd normals_of(const std::vector<ContactRows>& contacts, Eigen::Index n) {
  MatrixXd normals(n, static_cast<Eigen::Index>(contacts.size()));
  for (size_t i = 0; i < contacts.size(); ++i) normals.col(static_cast<Eigen::Index>(i)) = contacts[i].normal;
  return normals;
}

VectorXd rates_of(const std::vector<ContactRows>& contacts) {
  VectorXd rates(static_cast<Eigen::Index>(contacts.size()));
  for (size_t i = 0; i < contacts.size(); ++i) rates[static_cast<Eigen::Index>(i)] = contacts[i].rate;
  return rates;
}

/// A collision in kinetic coordinates: with u = L'(change of velocity) impulses p give u = B p, and the gaps change by B'u.
class Collision {
 public:
  explicit Collision(const ImpactProblem& problem)
      : problem_(problem),
        N_(normals_of(problem.unilateral, problem.velocity.size())),
        G_(normals_of(problem.bilateral, problem.velocity.size())),
        mass_(problem.M, G_) {}

  ImpactReport judge() {
    if (!mass_.definite()) {
      report_.massless_direction = mass_.massless_direction();
      report_.warnings.push_back(fmt::format(
          "The direction ({:.4g}) has no mass and no joint holds it: the velocity after the impact is not determined.",
          fmt::join(report_.massless_direction, ", ")));
      return std::move(report_);
    }
    B_ = mass_.kinetic_held(N_);
    length_ = mass_.kinetic(N_).colwise().norm();
    project_velocity();
    report_.gap_velocity = gap_velocity(report_.velocity_before);
    speed_ = 0.0;
    for (Eigen::Index i = 0; i < N_.cols(); ++i)
      speed_ = std::max(speed_, std::abs(in_kinetic_units(report_.gap_velocity, i)));
    judge_newton();
    judge_moreau();
    return std::move(report_);
  }

 private:
  /// A velocity of gap i over the length of its direction.
  double in_kinetic_units(const VectorXd& v, Eigen::Index i) const { return length_[i] > 0.0 ? v[i] / length_[i] : v[i]; }
  VectorXd gap_velocity(const VectorXd& velocity) const { return N_.transpose() * velocity + rates_of(problem_.unilateral); }
  const std::string& name(Eigen::Index i) const { return problem_.unilateral[static_cast<size_t>(i)].name; }

  void project_velocity() {
    const VectorXd rates = rates_of(problem_.bilateral);
    report_.velocity_before = problem_.velocity;
    const auto broken = [&] { return VectorXd(G_.transpose() * report_.velocity_before + rates); };
    const VectorXd size = (G_.cwiseAbs().transpose() * problem_.velocity.cwiseAbs() + rates.cwiseAbs());
    const auto breaks = [&](const VectorXd& error) {
      return (error.array().abs() > kVerdictTolerance * size.array()).any();
    };
    const VectorXd error = broken();
    if (!breaks(error)) return;
    const VectorXd change = mass_.smallest_motion(-error);
    report_.velocity_before += change;
    const double before = std::sqrt(problem_.velocity.dot(problem_.M * problem_.velocity));
    const double moved = std::sqrt(std::max(0.0, change.dot(problem_.M * change)));
    report_.projected = before > 0.0 ? moved / before : 1.0;
    report_.warnings.push_back(
        fmt::format("The velocities before the impact break the joints: they were projected onto them, which changed them "
                    "by {:.3g} of their "
                    "size in the kinetic metric.",
                    report_.projected));
    if (breaks(broken())) report_.warnings.push_back("The joints contradict each other: no velocity satisfies them all.");
  }

  /// Brogliato A (77): A_c p = -(I + E) v-. In two steps, u with B'u = -(I + E) v- and then B p = u, so that no squared singular
  /// value spoils the velocity.
  void judge_newton() {
    ImpactReport::Newton& newton = report_.newton;
    const auto m = N_.cols();
    const VectorXd v = report_.gap_velocity;
    const VectorXd change = -(v + problem_.restitution * v);
    VectorXd lengths;
    const MatrixXd unit = unit_columns(B_, 0.0, &lengths);
    VectorXd scaled(m);
    for (Eigen::Index i = 0; i < m; ++i)
      scaled[i] = lengths[i] > 0.0 ? change[i] / lengths[i] : change[i] / std::max(length_[i], 1e-300);
    const SingularValues svd = decompose_singular(unit.transpose());
    const VectorXd u = solve_least_norm(svd, scaled, rank_tolerance(m));
    const VectorXd misfit = unit.transpose() * u - scaled;
    newton.exists =
        m == 0 || misfit.cwiseAbs().maxCoeff() <= kVerdictTolerance * std::max(speed_, scaled.cwiseAbs().maxCoeff());
    if (!newton.exists) {
      newton.unique = false;
      newton.admissible = {Answer::kNo, {}};
      for (Eigen::Index i = 0; i < m; ++i) {
        if (std::abs(misfit[i]) > kVerdictTolerance * scaled.cwiseAbs().maxCoeff())
          newton.reasons.push_back(fmt::format(
              "No impulses give contact '{}' the velocity {:.6g} m/s that its restitution asks for: its gap depends "
              "on the others.",
              name(i), v[i] + change[i]));
      }
      return;
    }
    newton.unique = svd.values.size() == m && (m == 0 || svd.values[m - 1] > rank_tolerance(m));
    std::vector<int> all;
    for (int i = 0; i < m; ++i) all.push_back(i);
    newton.impulses = impulses_of(u, all);
    newton.velocity_after = report_.velocity_before + mass_.motion(u);
    newton.bilateral_impulses = joint_impulses(newton.velocity_after, newton.impulses);
    const VectorXd after = v + change;
    newton.energy_change = 0.5 * newton.impulses.dot(after + v);
    judge_admissible(after);
  }

  /// Impulses with B p = u at the contacts in `closed`: the only ones, or those of least norm in kinetic units, >= 0 if that can be.
  VectorXd impulses_of(const VectorXd& u, const std::vector<int>& closed) const {
    VectorXd p = VectorXd::Zero(N_.cols());
    if (closed.empty()) return p;
    VectorXd lengths;
    const MatrixXd unit = unit_columns(B_(Eigen::all, closed), 0.0, &lengths);
    const SingularValues svd = decompose_singular(unit);
    const auto k = unit.cols();
    VectorXd y = solve_least_norm(svd, u, rank_tolerance(k));
    Eigen::Index rank = 0;
    while (rank < svd.values.size() && svd.values[rank] > rank_tolerance(k)) ++rank;
    if (rank < k && y.minCoeff() < 0.0) {
      // y + Z w >= 0 with the least |w|; the columns of Z are orthonormal and orthogonal to y.
      const MatrixXd Z = svd.V.rightCols(k - rank);
      const double size = y.cwiseAbs().maxCoeff();
      const ProgramSolution best =
          solve_quadratic_program({MatrixXd::Identity(k - rank, k - rank), VectorXd::Zero(k - rank), {}, {}, -Z, y / size});
      if (best.optimal()) y += size * Z * best.x;
    }
    for (Eigen::Index i = 0; i < k; ++i) p[closed[static_cast<size_t>(i)]] = lengths[i] > 0.0 ? y[i] / lengths[i] : 0.0;
    return p;
  }

  VectorXd joint_impulses(const VectorXd& after, const VectorXd& p) const {
    if (G_.cols() == 0) return {};
    VectorXd lengths;
    const MatrixXd Y = unit_columns(mass_.kinetic(G_), 0.0, &lengths);
    const VectorXd rest = problem_.M * (after - report_.velocity_before) - N_ * p;
    VectorXd p_b = solve_least_norm(decompose_singular(Y), mass_.kinetic(rest), rank_tolerance(Y.cols()));
    for (Eigen::Index i = 0; i < p_b.size(); ++i) p_b[i] = lengths[i] > 0.0 ? p_b[i] / lengths[i] : 0.0;
    return p_b;
  }

  /// p >= 0, v+ >= 0, dT <= 0, each in kinetic units relative to the largest speed.
  void judge_admissible(const VectorXd& after) {
    ImpactReport::Newton& newton = report_.newton;
    const double speed = std::max(speed_, 1e-300);
    double margin = N_.cols() == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    bool kinetic_fails = false;
    for (Eigen::Index i = 0; i < N_.cols(); ++i) {
      const double impulse = newton.impulses[i] * length_[i] / speed, leaving = in_kinetic_units(after, i) / speed;
      margin = std::min({margin, impulse, leaving});
      if (impulse < -kVerdictTolerance) {
        kinetic_fails = true;
        newton.reasons.push_back(fmt::format("Kinetic: contact '{}' would have to pull, with the impulse {:.6g} N s.",
                                             name(i), newton.impulses[i]));
      }
      if (leaving < -kVerdictTolerance)
        newton.reasons.push_back(fmt::format(
            "Kinematic: contact '{}' would still approach after the impact, with {:.6g} m/s.", name(i), after[i]));
    }
    const double gain = newton.energy_change / (speed * speed);
    margin = std::min(margin, -gain);
    if (gain > kVerdictTolerance)
      newton.reasons.push_back(fmt::format("Energetic: the energy would rise by {:.6g} J.", newton.energy_change));
    const Answer answer = margin >= -kRoundOff          ? Answer::kYes
                          : margin < -kVerdictTolerance ? Answer::kNo
                                                        : Answer::kUndecided;
    newton.admissible = {answer, margin};
    if (kinetic_fails) warn_of_wide_angles();
  }

  /// A kinetic angle is 180 degrees less the angle between the directions, Brogliato A (9).
  void warn_of_wide_angles() {
    constexpr size_t kMost = 3;
    std::vector<std::string> pairs;
    for (Eigen::Index i = 0; i < B_.cols(); ++i) {
      for (Eigen::Index j = 0; j < i; ++j) {
        const double product = B_.col(i).dot(B_.col(j)), size = B_.col(i).norm() * B_.col(j).norm();
        if (!(product > kVerdictTolerance * size)) continue;
        const VectorXd across = B_.col(i) - product / B_.col(j).squaredNorm() * B_.col(j);
        const double angle = 180.0 - std::atan2(across.norm() * B_.col(j).norm(), product) * 180.0 / std::numbers::pi;
        pairs.push_back(fmt::format("'{}' and '{}' ({:.4g} degrees)", name(j), name(i), angle));
      }
    }
    if (pairs.empty()) return;
    const size_t count = pairs.size();
    if (count > kMost) pairs.resize(kMost);
    report_.warnings.push_back(
        fmt::format("Contacts meet at kinetic angles above 90 degrees, {}{}: Newton's law can ask for pulling impulses "
                    "there; Moreau's does not.",
                    fmt::join(pairs, ", "), count > kMost ? fmt::format(" and {} more", count - kMost) : ""));
  }

  /// 0 <= p _|_ A_c p + (1 + e_i) v-_i >= 0 as the least change u with B'u + (1 + e_i) v-_i >= 0. Only one e for all contacts is sure
  /// not to raise the energy.
  void judge_moreau() {
    const VectorXd e = problem_.restitution.diagonal();
    if (problem_.restitution != MatrixXd(e.asDiagonal())) {
      report_.warnings.push_back("Moreau's law needs a restitution of each contact alone, and the matrix couples contacts.");
      return;
    }
    for (const double value : e) {
      if (value >= 0.0 && value <= 1.0) continue;
      report_.warnings.push_back(fmt::format("Moreau's law needs a restitution from 0 to 1, and it is {:g}.", value));
      return;
    }
    ImpactReport::Moreau& moreau = report_.moreau.emplace();
    const auto m = N_.cols(), n = N_.rows();
    const VectorXd rebound = e.cwiseProduct(report_.gap_velocity), wanted = report_.gap_velocity + rebound;
    const double unit = speed_ > 0.0 ? speed_ : 1.0;
    QuadraticProgram program{MatrixXd::Identity(n, n), VectorXd::Zero(n), {}, {}, MatrixXd::Zero(m, n), VectorXd::Zero(m)};
    for (Eigen::Index i = 0; i < m; ++i) {
      const double length = length_[i] > 0.0 ? length_[i] : 1.0;
      program.A_in.row(i) = -B_.col(i).transpose() / length;
      program.b_in[i] = wanted[i] / length / unit;
      // A gap that the joints alone move: the velocity is zero up to round-off, or no impulse helps.
      if (B_.col(i).isZero(0.0) && std::abs(program.b_in[i]) <= kVerdictTolerance) program.b_in[i] = 0.0;
    }
    const ProgramSolution nearest = solve_quadratic_program(program);
    if (!nearest.optimal()) {
      report_.warnings.push_back("Moreau's law has no solution: the joints keep some gap closing.");
      return;
    }
    std::vector<int> closed;
    for (int i = 0; i < m; ++i) {
      if (nearest.y_in[i] > kRoundOff || program.b_in[i] - program.A_in.row(i).dot(nearest.x) <= kVerdictTolerance)
        closed.push_back(i);
    }
    const VectorXd u = unit * nearest.x;
    moreau.impulses = impulses_of(u, closed);
    moreau.velocity_after = report_.velocity_before + mass_.motion(u);
    moreau.bilateral_impulses = joint_impulses(moreau.velocity_after, moreau.impulses);
    const VectorXd after = gap_velocity(moreau.velocity_after);
    moreau.energy_change = 0.5 * moreau.impulses.dot(after + report_.gap_velocity);
    moreau.residual = (B_ * moreau.impulses - u).norm() / unit;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double error = std::min(moreau.impulses[i] * length_[i], in_kinetic_units(after + rebound, i));
      moreau.residual = std::max(moreau.residual, std::abs(error) / unit);
    }
    moreau.converged = moreau.residual <= kVerdictTolerance;
    moreau.energy_rises = moreau.converged && moreau.energy_change > kVerdictTolerance * unit * unit;
    if (moreau.energy_rises)
      report_.warnings.push_back(
          fmt::format("Moreau's law with different restitutions would raise the energy by {:.6g} J.", moreau.energy_change));
  }

  const ImpactProblem& problem_;
  MatrixXd N_, G_;
  HeldMass mass_;
  MatrixXd B_;
  VectorXd length_;     // of the kinetic directions of the gaps, without the joints
  double speed_ = 0.0;  // the largest gap velocity before, in kinetic units
  ImpactReport report_;
};

}  // namespace

ImpactReport judge_impact(const ImpactProblem& problem) {
  return Collision(problem).judge();
}

}  // namespace tippe
