// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/impact_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/held_mass.h"
#include "tippe/core/largest.h"
#include "tippe/core/rank_decision.h"
#include "tippe/solve/least_distance.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kImpactRoundOff = 1e-12;  // of scaled data
constexpr double kZero = 1e-14;            // of what a sum of a few terms leaves where they cancel

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
    unit_ = unit_columns(B_, 0.0, &held_length_);
    svd_ = decompose_singular(unit_.transpose());
    length_ = mass_.kinetic(N_).colwise().norm();
    project_velocity();
    measure_gap_velocity();
    judge_newton();
    judge_moreau();
    return std::move(report_);
  }

 private:
  struct Rebound {
    VectorXd impulses, bilateral_impulses, velocity_after;
    double energy_change = 0.0, residual = 0.0;
  };

  /// A velocity of gap i over the length of its direction.
  double in_kinetic_units(const VectorXd& v, Eigen::Index i) const { return length_[i] > 0.0 ? v[i] / length_[i] : v[i]; }
  const std::string& name(Eigen::Index i) const { return problem_.unilateral[static_cast<size_t>(i)].name; }
  double kinetic_speed(const VectorXd& x) const { return std::sqrt(std::max(0.0, x.dot(problem_.M * x))); }
  void project_velocity() {
    const VectorXd rates = rates_of(problem_.bilateral);
    report_.velocity_before = problem_.velocity;
    coordinate_size_ = problem_.velocity.cwiseAbs();
    const auto broken = [&] { return VectorXd(G_.transpose() * report_.velocity_before + rates); };
    const VectorXd size = (G_.cwiseAbs().transpose() * problem_.velocity.cwiseAbs() + rates.cwiseAbs());
    const VectorXd length = mass_.kinetic(G_).colwise().norm();
    body_speed_ = kinetic_speed(problem_.velocity);
    const auto breaks = [&](const VectorXd& error) {
      return (error.array().abs() > (kVerdictTolerance * size).cwiseMax(kImpactRoundOff * body_speed_ * length).array())
          .any();
    };
    const VectorXd error = broken();
    if (!breaks(error)) return;
    const VectorXd change = mass_.smallest_motion(-error);
    report_.velocity_before += change;
    coordinate_size_ += change.cwiseAbs();
    const double moved = kinetic_speed(change);
    report_.projected = body_speed_ > 0.0 ? moved / body_speed_ : 1.0;
    body_speed_ += moved;
    report_.warnings.push_back(
        fmt::format("The velocities before the impact break the joints: they were projected onto them, which changed them "
                    "by {:.3g} of their "
                    "size in the kinetic metric.",
                    report_.projected));
    if (breaks(broken())) report_.warnings.push_back("The joints contradict each other: no velocity satisfies them all.");
  }

  /// Gaps that depend on each other or on the joints have velocities that depend likewise, B'w for some w; where they do up to
  /// round-off of the terms they are sums of and of the velocities elsewhere, they are made to do so to the last digit.
  void measure_gap_velocity() {
    const VectorXd rates = rates_of(problem_.unilateral);
    VectorXd v = N_.transpose() * report_.velocity_before + rates;
    const VectorXd terms = (N_.cwiseAbs().transpose() * coordinate_size_ + rates.cwiseAbs()).cwiseMax(body_speed_ * length_);
    const VectorXd fitted =
        held_length_.cwiseProduct(unit_.transpose() * solve_least_norm(svd_, over_held_length(v), rank_tolerance(v.size())));
    for (Eigen::Index i = 0; i < v.size(); ++i) {
      if (std::abs(fitted[i] - v[i]) <= kVerdictTolerance * terms[i]) v[i] = fitted[i];
      speed_ = std::max({speed_, std::abs(in_kinetic_units(v, i)), 1e-3 * in_kinetic_units(terms, i)});
    }
    if (speed_ == 0.0) speed_ = 1.0;
    report_.gap_velocity = v;
  }

  /// Divided by the lengths of the columns of B; 0 where the joints leave nothing of them.
  VectorXd over_held_length(const VectorXd& v) const {
    return (held_length_.array() > 0.0).select(v.cwiseQuotient(held_length_), VectorXd::Zero(v.size()));
  }

  /// Brogliato A (77): A_c p = -(I + E) v-. In two steps, u with B'u = -(I + E) v- and then B p = u, so that no squared singular
  /// value spoils the velocity.
  void judge_newton() {
    ImpactReport::Newton& newton = report_.newton;
    const auto m = N_.cols();
    const VectorXd v = report_.gap_velocity;
    const VectorXd change = -(v + problem_.restitution * v);
    const VectorXd scaled = over_held_length(change);
    const VectorXd u = solve_least_norm(svd_, scaled, rank_tolerance(m));
    const double tolerance = kVerdictTolerance * std::max(speed_, largest(scaled));
    for (Eigen::Index i = 0; i < m; ++i) {
      const bool blocked = held_length_[i] == 0.0;
      const double misfit = blocked ? in_kinetic_units(change, i) : unit_.col(i).dot(u) - scaled[i];
      if (std::abs(misfit) <= tolerance) continue;
      newton.reasons.push_back(
          fmt::format("No impulses give contact '{}' the velocity {:.6g} m/s that its restitution asks for: its gap depends "
                      "on {}.",
                      name(i), v[i] + change[i], blocked ? "the joints alone" : "the others"));
    }
    newton.unique = svd_.values.size() == m && (m == 0 || svd_.values[m - 1] > rank_tolerance(m));
    newton.exists = newton.reasons.empty();
    if (!newton.exists) {
      newton.unique = false;
      newton.admissible = {Answer::kNo, {}};
      return;
    }
    std::vector<int> all;
    for (int i = 0; i < m; ++i) all.push_back(i);
    const Rebound rebound = rebound_of(u, impulses_of(u, all, {}));
    if (!(rebound.residual <= kVerdictTolerance)) {
      newton.exists = newton.unique = false;
      newton.reasons.push_back(fmt::format(
          "The impulses that Newton's law asks for depend so nearly on each other that they could not be computed: an error "
          "of {:.3g} remains.",
          rebound.residual));
      return;
    }
    newton.impulses = rebound.impulses;
    newton.bilateral_impulses = rebound.bilateral_impulses;
    newton.velocity_after = rebound.velocity_after;
    newton.energy_change = rebound.energy_change;
    newton.residual = rebound.residual;
    judge_admissible(v + change);
  }

  /// Impulses with B p = u at the contacts in `closed`: the only ones, or those of least norm in kinetic units, >= 0 if that can be.
  /// `pushing`: impulses >= 0 that do it, where they are known.
  VectorXd impulses_of(const VectorXd& u, const std::vector<int>& closed, const std::optional<VectorXd>& pushing) {
    const auto k = static_cast<Eigen::Index>(closed.size());
    forced_.assign(static_cast<size_t>(N_.cols()), true);
    VectorXd p = VectorXd::Zero(N_.cols());
    if (k == 0) return p;
    const MatrixXd unit = unit_(Eigen::all, closed);
    const SingularValues svd = decompose_singular(unit);
    Eigen::Index rank = 0;
    while (rank < svd.values.size() && svd.values[rank] > rank_tolerance(k)) ++rank;
    VectorXd y;
    bool pushes = true;
    if (pushing) {
      y = held_length_(closed).cwiseProduct((*pushing)(closed));
    } else {
      y = solve_least_norm(svd, u, rank_tolerance(k));
      pushes = y.minCoeff() >= 0.0;
      if (!pushes && rank < k) {
        // The nearest point of the cone of pushing impulses; u lies in it if that is u.
        const LeastDistance nearest = solve_least_distance({MatrixXd(unit.rows(), 0), {}, unit, unit.transpose() * u});
        pushes = (unit * nearest.y_in - u).norm() <= kImpactRoundOff * u.norm();
        if (pushes) y = nearest.y_in;
      }
    }
    if (rank < k && y.squaredNorm() > 0.0) y = smallest_impulses(unit, svd.V, rank, y, closed, pushes);
    const VectorXd lengths = held_length_(closed);
    for (Eigen::Index i = 0; i < k; ++i) p[closed[static_cast<size_t>(i)]] = lengths[i] > 0.0 ? y[i] / lengths[i] : 0.0;
    return p;
  }

  /// The smallest with the effect of y, none of which pulls but those that have only one value; y itself if there are none.
  VectorXd smallest_impulses(const MatrixXd& unit, const MatrixXd& V, Eigen::Index rank, const VectorXd& y,
                             const std::vector<int>& closed, bool pushes) {
    const auto k = y.size();
    std::vector<int> signed_ones;
    for (int i = 0; i < k; ++i) {
      const bool forced = V.row(i).tail(k - rank).norm() <= rank_tolerance(k);
      forced_[static_cast<size_t>(closed[static_cast<size_t>(i)])] = forced;
      if (pushes || !forced) signed_ones.push_back(i);
    }
    const MatrixXd effects = V.leftCols(rank), each = MatrixXd::Identity(k, k);
    const LeastDistance shortest = solve_least_distance({effects, effects.transpose() * y, each(Eigen::all, signed_ones),
                                                         VectorXd::Zero(static_cast<Eigen::Index>(signed_ones.size()))});
    if (shortest.status != LeastDistanceStatus::kSolved) return y;
    VectorXd x = shortest.v;
    for (const int i : signed_ones) x[i] = x[i] > kZero * y.norm() ? x[i] : 0.0;
    return (unit * (x - y)).norm() <= kImpactRoundOff * y.norm() ? x : y;
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

  /// What follows from u and p = impulses. The residual: of M (v+ - v-) = N p + G p_b, of the joints, and of the energy against its
  /// kinetic form, each relative to its terms.
  Rebound rebound_of(const VectorXd& u, const VectorXd& p) const {
    const VectorXd &before = report_.velocity_before, &v = report_.gap_velocity;
    const VectorXd change = mass_.motion(u), rates = rates_of(problem_.unilateral),
                   joint_rates = rates_of(problem_.bilateral);
    Rebound rebound;
    rebound.impulses = p;
    rebound.velocity_after = before + change;
    rebound.bilateral_impulses = joint_impulses(rebound.velocity_after, p);
    const VectorXd& p_b = rebound.bilateral_impulses;
    VectorXd misfit = problem_.M * change - N_ * p;
    if (G_.cols() > 0) misfit -= G_ * p_b;
    const double size = std::max(speed_, u.norm());
    rebound.residual = mass_.kinetic(misfit).norm() / size;
    const VectorXd broken = G_.transpose() * change, joint_length = mass_.kinetic(G_).colwise().norm();
    for (Eigen::Index j = 0; j < broken.size(); ++j) {
      if (joint_length[j] > 0.0) rebound.residual = std::max(rebound.residual, std::abs(broken[j]) / joint_length[j] / size);
    }
    const VectorXd sum = 2.0 * v + B_.transpose() * u;
    rebound.energy_change = 0.5 * p.dot(sum);
    if (std::abs(rebound.energy_change) <= kZero * p.cwiseAbs().dot(v.cwiseAbs())) rebound.energy_change = 0.0;
    const auto energy = [&](const VectorXd& x) { return 0.5 * x.dot(problem_.M * x); };
    const double of_surfaces = p.dot(rates) + (G_.cols() > 0 ? p_b.dot(joint_rates) : 0.0);
    const double kinetic = energy(rebound.velocity_after) - energy(before);
    const double energies = energy(rebound.velocity_after) + energy(before) + std::abs(of_surfaces) +
                            0.5 * p.cwiseAbs().dot(sum.cwiseAbs()) + speed_ * speed_;
    rebound.residual = std::max(rebound.residual, std::abs(rebound.energy_change - of_surfaces - kinetic) / energies);
    return rebound;
  }

  /// p >= 0, v+ >= 0, dT <= 0, each in kinetic units relative to the largest speed.
  void judge_admissible(const VectorXd& after) {
    ImpactReport::Newton& newton = report_.newton;
    const double speed = speed_;
    double margin = N_.cols() == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    bool kinetic_fails = false;
    for (Eigen::Index i = 0; i < N_.cols(); ++i) {
      const double impulse = newton.impulses[i] * length_[i] / speed, leaving = in_kinetic_units(after, i) / speed;
      margin = std::min({margin, impulse, leaving});
      if (impulse < -kVerdictTolerance) {
        kinetic_fails = true;
        newton.reasons.push_back(
            fmt::format("Kinetic: contact '{}'{} would have to pull, with the impulse {:.6g} N s.", name(i),
                        forced_[static_cast<size_t>(i)] ? "" : ", or another that shares its load,", newton.impulses[i]));
      }
      if (leaving < -kVerdictTolerance)
        newton.reasons.push_back(fmt::format(
            "Kinematic: contact '{}' would still approach after the impact, with {:.6g} m/s.", name(i), after[i]));
    }
    const double gain = newton.energy_change / (speed * speed);
    margin = std::min(margin, -gain);
    if (gain > kVerdictTolerance)
      newton.reasons.push_back(fmt::format("Energetic: the energy would rise by {:.6g} J.", newton.energy_change));
    const Answer answer = margin >= -kImpactRoundOff    ? Answer::kYes
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
    report_.newton.wide_angles = fmt::format(
        "Contacts meet at kinetic angles above 90 degrees, {}{}: Newton's law can ask for pulling impulses "
        "there; Moreau's does not.",
        fmt::join(pairs, ", "), count > kMost ? fmt::format(" and {} more", count - kMost) : "");
    report_.warnings.push_back(report_.newton.wide_angles);
  }

  /// 0 <= p _|_ A_c p + (I + E) v- >= 0 with diagonal E as the least change u with B'u + (I + E) v- >= 0.
  void judge_moreau() {
    const VectorXd e = problem_.restitution.diagonal();
    if (!(problem_.restitution - MatrixXd(e.asDiagonal())).isZero(0.0)) {
      report_.warnings.push_back("Moreau's law needs a restitution of each contact by itself, not between contacts.");
      return;
    }
    for (Eigen::Index i = 0; i < e.size(); ++i) {
      if (e[i] >= 0.0 && e[i] <= 1.0) continue;
      report_.warnings.push_back(
          fmt::format("Moreau's law needs a restitution from 0 to 1, and that of contact '{}' is {:g}.", name(i), e[i]));
      return;
    }
    const VectorXd& v = report_.gap_velocity;
    const VectorXd wanted = v + e.cwiseProduct(v);
    const LeastDistance nearest = solve_least_distance({MatrixXd(N_.rows(), 0), {}, B_, -wanted});
    const VectorXd& u = nearest.v;
    const VectorXd left = B_.transpose() * u + wanted;
    double residual = 0.0;
    std::vector<int> closed;
    for (int i = 0; i < left.size(); ++i) {
      const double slack = in_kinetic_units(left, i) / speed_;
      residual = std::max(residual, -slack);
      if (slack <= kImpactRoundOff || nearest.y_in[i] > 0.0) closed.push_back(i);
    }
    if (nearest.status == LeastDistanceStatus::kInfeasible && residual > kVerdictTolerance) {
      report_.warnings.push_back(
          fmt::format("Moreau's law has no solution: nothing gives contact '{}' the velocity {:.6g} m/s or more that its "
                      "restitution asks for, together with the joints and the other contacts.",
                      name(nearest.contradiction), -e[nearest.contradiction] * v[nearest.contradiction]));
      return;
    }
    const Rebound rebound = rebound_of(u, impulses_of(u, closed, nearest.y_in));
    residual = std::max(residual, rebound.residual);
    for (Eigen::Index i = 0; i < left.size(); ++i) {
      const double error = std::min(rebound.impulses[i] * held_length_[i], in_kinetic_units(left, i));
      residual = std::max(residual, std::abs(error) / speed_);
    }
    if (!(residual <= kVerdictTolerance)) {
      report_.warnings.push_back(fmt::format("Moreau's law could not be solved: an error of {:.3g} remains.", residual));
      return;
    }
    report_.moreau = ImpactReport::Moreau{rebound.impulses,
                                          rebound.bilateral_impulses,
                                          rebound.velocity_after,
                                          rebound.energy_change,
                                          rebound.energy_change > kVerdictTolerance * speed_ * speed_,
                                          residual,
                                          true};
    if (report_.moreau->energy_rises)
      report_.warnings.push_back(fmt::format("With different restitutions the energy rises by {:.6g} J under Moreau's law.",
                                             rebound.energy_change));
  }

  const ImpactProblem& problem_;
  MatrixXd N_, G_;
  HeldMass mass_;
  MatrixXd B_, unit_;         // unit_: columns of B_ over their lengths
  SingularValues svd_;        // of unit_'
  VectorXd held_length_;      // of the columns of B_
  VectorXd length_;           // of the kinetic directions of the gaps, without the joints
  VectorXd coordinate_size_;  // of what the velocities before are sums of
  double body_speed_ = 0.0;   // sqrt(v'M v) before the impact and its projection
  double speed_ = 0.0;  // the largest gap velocity before in kinetic units, or a thousandth of the terms it is a sum of
  std::vector<bool> forced_;  // of the last impulses: has only one value
  ImpactReport report_;
};

}  // namespace

ImpactReport judge_impact(const ImpactProblem& problem) {
  return Collision(problem).judge();
}

}  // namespace tippe
