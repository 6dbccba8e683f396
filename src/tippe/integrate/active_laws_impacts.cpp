// SPDX-License-Identifier: Apache-2.0
// The impacts of the laws that act: by Newton's law, by Poisson's or Moreau's in phases, by a restitution matrix.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tippe/contact/contact_rows.h"
#include "tippe/core/infinity.h"
#include "tippe/integrate/active_laws.h"

namespace tippe {
namespace {

constexpr int kMostImpactsAtOnce = 100;

void fail_without_end(StepReport& report) {
  report.status = StepReport::Status::kNotSolved;
  report.culprit = fmt::format("{} impacts at one instant, and a law closes still", kMostImpactsAtOnce);
}

}  // namespace

/// Of the matrix' contacts in its order; none if it does not govern.
std::vector<ActiveLaws::MatrixRow> ActiveLaws::find_matrix_rows() const {
  const RestitutionMatrix* matrix = system_.restitution_matrix();
  if (matrix == nullptr || options_.restitution == 0.0) return {};
  std::vector<MatrixRow> rows;
  const auto count = static_cast<Eigen::Index>(matrix->laws.size());
  Eigen::VectorXd v(count), length(count);
  for (const int law : matrix->laws) {
    const auto found = std::find(active_.begin(), active_.end(), law);
    if (found == active_.end()) return {};
    const auto a = found - active_.begin();
    const auto k = static_cast<Eigen::Index>(rows.size());
    rows.push_back({static_cast<int>(a), std::accumulate(sizes_.begin(), sizes_.begin() + a, 0)});
    v[k] = gamma_B_[rows.back().row];
    length[k] = std::sqrt(problem_.G.blocks.diagonal_block(rows.back().block)[0]);
  }
  constexpr double kAtRest = 1e-8;  // of the fastest, in kinetic units
  double fastest = 0.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (length[k] > 0.0) fastest = std::max(fastest, std::abs(v[k]) / length[k]);
  }
  return matrix->governs(v, kAtRest * fastest * length) ? rows : std::vector<MatrixRow>();
}

/// v+ = -E v- is a bilateral row, xi = gamma+ + E gamma- = 0.
void ActiveLaws::impose_matrix(const std::vector<MatrixRow>& rows) {
  const Eigen::MatrixXd& E = system_.restitution_matrix()->E;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto [block, row] = rows[i];
    problem_.laws[static_cast<size_t>(block)] = Interval{-kInfinity, kInfinity};
    double e_gamma = -law(block).epsilon[0] * gamma_B_[row];
    for (size_t j = 0; j < rows.size(); ++j)
      e_gamma += E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * gamma_B_[rows[j].row];
    problem_.c[row] += options_.restitution * e_gamma;
  }
}

void ActiveLaws::collide_before_motion(ConstrainedMass& M, const Eigen::VectorXd& free_change, Eigen::VectorXd& u,
                                       LawStep& step, StepReport& report) {
  if (system_.impact_law() == ImpactLaw::kNewton) return;
  // Moreau's law may throw a law back that was opening: that closes it, and is an impact of its own.
  for (int count = 0; report.ok() && closes(free_change, u); ++count) {
    if (count == kMostImpactsAtOnce) return fail_without_end(report);
    collide_once(M, u, step, report);
    for (int k = 0; k < W_.columns(); ++k) gamma_B_[k] = relative_velocity(k, u);
  }
}

/// Whether one does, faster than a resting one by round-off, of its load or of the velocities u.
bool ActiveLaws::closes(const Eigen::VectorXd& free_change, const Eigen::VectorXd& u) const {
  for (int a = 0, row = 0; a < size(); row += sizes_[a++]) {
    if (law(a).kind == ForceLaw::Kind::kDryFriction) continue;
    const double change = std::max(prevented_[a], std::abs(W_.dot(row, free_change.data())));
    if (!(gamma_B_[row] < 0.0)) continue;
    const VelocityView view{.velocity = gamma_B_[row], .terms = size_of_terms(row, u), .change = change};
    if (state_along_normal(view, tolerances_) == ContactState::kClosing) return true;
  }
  return false;
}

void ActiveLaws::collide_once(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  const ImpactLaw impact_law = system_.impact_law();
  gamma_start_.resize(W_.columns());  // as gamma_B, but with velocities that keep the constraints
  epsilon_.resize(W_.columns());
  for (int a = 0, row = 0; a < size(); ++a) {
    for (int k = 0; k < sizes_[a]; ++k, ++row) {
      gamma_start_[row] = relative_velocity(row, u);
      epsilon_[row] = options_.restitution * law(a).epsilon[static_cast<size_t>(k)];
    }
  }
  const std::vector<MatrixRow> matrix = find_matrix_rows();
  const double prevented = largest_prevented_speed();
  if (any_falls_) begin_falling_impact(gamma_start_);
  const auto set_of = [&](int a, double load) {
    return impulse_set(law(a), 0.0, load, any_falls_ ? falling_.share(a) : 1.0);
  };
  const auto solve = [&](ImpactPhase phase) {
    if (!matrix.empty()) impose_matrix(matrix);
    solution_.Lambda.setZero(W_.columns());
    solve_inclusion_problem(report);
    if (report.ok() && phase == ImpactPhase::kCompression && impact_law == ImpactLaw::kPoisson) {
      velocities_after(M, u, change_);
      check_laws({solution_.Lambda.data(), change_, 0.0, prevented, Restitution::kNone}, report);
    }
    return report.ok();
  };
  const ImpactRows rows{sizes_, gamma_start_, gamma_B_, epsilon_};
  if (!phases_.solve(impact_law, rows, problem_, solution_.Lambda, set_of, solve)) return;
  keep_impact(step);
  move_velocities(M, u, step, report);
  if (impact_law == ImpactLaw::kPoisson) {
    expansion_ = solution_.Lambda - phases_.compression();
    check_laws({expansion_.data(), u, 0.0, prevented, Restitution::kNone, phases_.compression().data()}, report);
  } else {
    const Restitution restitution = impact_law == ImpactLaw::kMoreau ? Restitution::kMoreau : Restitution::kNewton;
    check_laws({solution_.Lambda.data(), u, 0.0, prevented, restitution, nullptr, matrix}, report);
  }
}

void ActiveLaws::collide(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  if (system_.impact_law() != ImpactLaw::kNewton) {
    change_.setZero(u.size());
    collide_before_motion(M, change_, u, step, report);
    return;
  }
  std::fill(warm_start_.begin(), warm_start_.end(), 0.0);  // impulses of a motion tell nothing of an impact
  if (gamma_B_.cwiseAbs().maxCoeff() <= options_.enough * largest_prevented_speed()) return;
  collide_once(M, u, step, report);
}

void ActiveLaws::collide_until_apart(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  collide(M, u, step, report);
  for (int count = 1; report.ok() && is_thrown_back(u); ++count) {
    if (count == kMostImpactsAtOnce) return fail_without_end(report);
    collide(M, u, step, report);
  }
}

/// Whether a law that opened before the last impact closes now, with velocities u: that is an impact of its own at the same instant. Then
/// the next collide() is that one.
bool ActiveLaws::is_thrown_back(const Eigen::VectorXd& u) {
  const ContactTolerances solved = ContactTolerances::of_impacts(aim());
  bool found = false;
  for (int a = 0, row = 0; a < size() && !found; row += sizes_[a++]) {
    if (law(a).kind == ForceLaw::Kind::kDryFriction) continue;
    const VelocityView after{.velocity = relative_velocity(row, u), .terms = size_of_terms(row, u), .change = gamma_B_[row]};
    found = gamma_B_[row] > 0.0 && state_along_normal(after, solved) == ContactState::kClosing;
  }
  if (!found) return false;
  for (int k = 0; k < W_.columns(); ++k) gamma_B_[k] = relative_velocity(k, u);
  return true;
}

void ActiveLaws::collide_by(const Eigen::VectorXd& impulses, ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step,
                            StepReport& report) {
  solution_.Lambda.resize(W_.columns());
  for (int a = 0, row = 0; a < size(); row += sizes_[a++])
    solution_.Lambda.segment(row, sizes_[a]) = impulses.segment(step.first_row[active_[a]], sizes_[a]);
  const double prevented = largest_prevented_speed();
  if (any_falls_) begin_falling_impact(gamma_B_);
  keep_impact(step);
  move_velocities(M, u, step, report);
  check_laws({solution_.Lambda.data(), u, 0.0, prevented, Restitution::kNewton}, report);
}

/// u + M^-1 W Lambda by the impulses of the last solve.
void ActiveLaws::velocities_after(ConstrainedMass& M, const Eigen::VectorXd& u, Eigen::VectorXd& after) const {
  after.setZero(u.size());
  add_impulses(after);
  M.solve_in_place(after);
  after += u;
}

/// By the impulses of the last solve, booked as an impact.
void ActiveLaws::move_velocities(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report) {
  velocities_after(M, u, change_);
  book(u, change_, step, report);
  u = change_;
}

}  // namespace tippe
