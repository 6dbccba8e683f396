// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/instant_of_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tippe/contact/contact_rows.h"
#include "tippe/contact/contact_state.h"
#include "tippe/contact/state_sizes.h"
#include "tippe/integrate/found_scope.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense_mass(const System& system, const std::vector<double>& values, const VelocityScope& scope) {
  MatrixXd M = MatrixXd::Zero(scope.size(), scope.size());
  for (size_t k = 0; k < values.size(); ++k) {
    const LowerEntry& entry = system.mass_pattern()[k];
    const int row = scope.place(entry.row), column = scope.place(entry.column);
    if (row >= 0 && column >= 0) M(row, column) = M(column, row) = values[k];
  }
  return M;
}

MatrixXd dense_columns(const SparseColumns& W, const VelocityScope& scope) {
  MatrixXd dense = MatrixXd::Zero(scope.size(), W.columns());
  for (int j = 0; j < W.columns(); ++j) {
    for (int p = W.start[j]; p < W.start[j + 1]; ++p) {
      if (const int place = scope.place(W.row[p]); place >= 0) dense(place, j) += W.value[p];
    }
  }
  return dense;
}

/// Inertia along each coordinate alone; 0 where there is none.
VectorXd lightness(const MatrixXd& M) {
  return M.diagonal().unaryExpr([](double m) { return m > 0.0 ? 1.0 / m : 0.0; });
}

/// With what their velocities are judged by.
struct Rows : DenseRows {
  VectorXd terms;    // m/s  sizes of what gamma is the sum of
  VectorXd allowed;  // m/s  velocities that are none beside

  /// `u`, and `speeds`, their sizes: of the scope.
  Rows(const SparseColumns& columns, const VectorXd& chi_of_rows, const VectorXd& drift_of_rows, const VectorXd& u,
       const VectorXd& speeds, const VelocityScope& scope)
      : DenseRows{dense_columns(columns, scope), chi_of_rows, drift_of_rows, {}} {
    gamma = W.transpose() * u + chi;
    terms = W.cwiseAbs().transpose() * speeds + chi.cwiseAbs();
    allowed.setZero(gamma.size());
  }
  [[nodiscard]] VelocityView velocity(Eigen::Index row) const {
    return {.velocity = gamma[row], .terms = terms[row], .allowed = allowed[row]};
  }
};

class InstantBuilder {
 public:
  InstantBuilder(const System& system, const State& state, const InstantOptions& options, Evaluator& evaluator)
      : system_(system),
        state_(state),
        options_(options),
        tolerances_(ContactTolerances::of_instants(options.closed_tolerance)),
        evaluator_(evaluator) {
    evaluator_.set_state(state.t, state.q, state.u);
    Dynamics dynamics;
    evaluator_.evaluate_dynamics(dynamics);
    const StateSizes sizes(system_, state, dynamics, options.past != nullptr ? *options.past : PastSizes());
    largest_reach_ = sizes.largest_reach();
    if (!system_.has_fixed_laws()) {
      FoundScope found = scope_of_found_contacts(system_, state, options, {tolerances_, sizes}, evaluator_);
      scope_ = std::move(found.velocities);
      contacts_ = std::move(found.contacts);
      notes_ = std::move(found.notes);
      dynamics.h += found.load;
    }
    problem_.M = dense_mass(system_, dynamics.M, scope_);
    problem_.F = -scope_.part(dynamics.h);
    u_ = scope_.part(state.u);
    speeds_ = scope_.part(sizes.speeds());
    reach_ = scope_.part(sizes.reaches());
    problem_.coordinates =
        scope_.part(system_.velocities_are_rates() ? system_.coordinate_names() : system_.velocity_names());
  }

  Instant build() {
    add_constraints();
    add_laws();
    Instant instant;
    if (closing_.empty()) {
      drop_opening();
      instant.acceleration = std::move(problem_);
      instant.dry = std::move(dry_);
    } else {
      notes_.push_back(fmt::format("{} {} closing: this is an impact, not an acceleration problem", closing_,
                                   closing_count_ == 1 ? "is" : "are"));
      const bool by_matrix = matrix_governs();
      instant.impact = take_impact();
      if (by_matrix) set_restitution_matrix(system_, unilateral_laws_, *instant.impact);
    }
    instant.notes = std::move(notes_);
    return instant;
  }

  ImpactProblem build_impact(const std::vector<int>& scope) {
    is_impact_ = true;
    list_ = list_of_fixed_laws(system_.laws());
    add_constraints();
    for (const int law : scope) add_unilateral(law, rows_of(law));
    return take_impact();
  }

 private:
  ImpactProblem take_impact() {
    const auto vector = [](const std::vector<double>& numbers) {
      return VectorXd(Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size())));
    };
    return {std::move(problem_.M),
            u_,
            std::move(problem_.unilateral),
            std::move(problem_.bilateral),
            vector(restitution_).asDiagonal().toDenseMatrix(),
            std::move(problem_.coordinates),
            vector(tangential_restitution_),
            system_.impact_law()};
  }

  [[nodiscard]] bool matrix_governs() const {
    const RestitutionMatrix* matrix = system_.restitution_matrix();
    if (matrix == nullptr) return false;
    const auto count = static_cast<Eigen::Index>(matrix->laws.size());
    VectorXd v(count), rest(count);
    for (size_t k = 0; k < matrix->laws.size(); ++k) {
      const auto found = std::find(unilateral_laws_.begin(), unilateral_laws_.end(), matrix->laws[k]);
      if (found == unilateral_laws_.end()) return false;
      const auto i = static_cast<size_t>(found - unilateral_laws_.begin());
      v[static_cast<Eigen::Index>(k)] = unilateral_velocity_[i];
      rest[static_cast<Eigen::Index>(k)] = unilateral_rest_[i];
    }
    return matrix->governs(v, rest);
  }

  /// Contacts that open have no force now. In an impact they may close again, so there they stay.
  void drop_opening() {
    for (auto opening = opening_.rbegin(); opening != opening_.rend(); ++opening)
      problem_.unilateral.erase(problem_.unilateral.begin() + static_cast<std::ptrdiff_t>(opening->contact));
    for (const Opening& opening : opening_) notes_.push_back(opening.note);
  }

  void add_constraints() {
    SparseColumns W;
    VectorXd chi, drift;
    evaluator_.evaluate_constraint_directions(W, chi);
    drift.setZero(chi.size());
    if (!is_impact_) evaluator_.evaluate_constraint_drift(drift);
    Rows rows(W, chi, drift, u_, speeds_, scope_);
    allow_for_steps(rows);
    for (size_t i = 0; i < system_.constraints().size(); ++i) {
      if (rows.W.col(static_cast<Eigen::Index>(i)).isZero(0.0)) continue;  // of other bodies
      const auto k = static_cast<Eigen::Index>(i);
      const std::string& name = system_.constraints()[i].name;
      problem_.bilateral.push_back(constraint_rows(name, rows, k));
      if (std::abs(rows.gamma[k]) > 10.0 * rest_speed(rows.velocity(k), tolerances_))
        notes_.push_back(fmt::format("the velocities violate the constraint '{}' by {:.3g}", name, rows.gamma[k]));
    }
  }

  void add_laws() {
    constexpr double kLargestDirection = 1e3;
    const double closed_reach = closed_gap({.terms = kLargestDirection * largest_reach_}, tolerances_);
    evaluator_.find_laws(std::max(closed_reach, reach_of_held_contacts(system_)), list_);
    for (int k = 0; k < list_.size(); ++k) {
      if (!system_.has_fixed_laws() && !contacts_.contains(list_.id[static_cast<size_t>(k)])) continue;
      const ForceLaw& law = law_at(k);
      const Rows rows = rows_of(k);
      if (law.kind == ForceLaw::Kind::kContact && !closed(k, rows)) continue;
      if (law.kind == ForceLaw::Kind::kDryFriction)
        add_dry_friction(law, rows);
      else
        add_unilateral(k, rows);
    }
    for (const auto& [law, rows] : pads_) add_pressed(*law, rows, false, problem_, dry_);
  }

  /// Gaps are made of coordinates: those that are round-off of them are closed.
  bool closed(int k, const Rows& rows) const {
    const double terms = rows.W.col(0).cwiseAbs().dot(reach_);
    return is_closed({.gap = list_.gap[k], .terms = terms, .held = held(k)}, tolerances_);
  }

  bool held(int k) const { return options_.held != nullptr && options_.held->held(list_.id[static_cast<size_t>(k)]); }
  [[nodiscard]] const ForceLaw& law_at(int k) const {
    return system_.laws()[static_cast<size_t>(list_.law[static_cast<size_t>(k)])];
  }

  /// What the loads and the curvature can add to the velocities of rows in four steps.
  void allow_for_steps(Rows& rows) const {
    const VectorXd free = lightness(problem_.M).cwiseProduct(problem_.F).cwiseAbs();
    rows.allowed += 4.0 * options_.step * (rows.W.cwiseAbs().transpose() * free + rows.drift.cwiseAbs());
  }

  Rows rows_of(int k) {
    SparseColumns W;
    std::vector<double> chi, drift;
    evaluator_.append_directions(list_, k, W, chi);
    drift.assign(is_impact_ ? chi.size() : 0, 0.0);
    if (!is_impact_) evaluator_.append_drift(list_, k, drift);
    const auto count = static_cast<Eigen::Index>(chi.size());
    Rows rows(W, Eigen::Map<const VectorXd>(chi.data(), count), Eigen::Map<const VectorXd>(drift.data(), count), u_, speeds_,
              scope_);
    if (held(k)) allow_for_steps(rows);
    return rows;
  }

  /// A contact or a one-way clutch.
  void add_unilateral(int k, const Rows& rows) {
    const ForceLaw& law = law_at(k);
    const std::string name = system_.law_name(list_.id[static_cast<size_t>(k)]);
    unilateral_laws_.push_back(list_.law[static_cast<size_t>(k)]);
    unilateral_velocity_.push_back(rows.gamma[0]);
    unilateral_rest_.push_back(rest_speed(rows.velocity(0), tolerances_));
    const ContactState seen = state_along_normal(rows.velocity(0), tolerances_);
    if (seen == ContactState::kOpening)
      opening_.push_back({problem_.unilateral.size(),
                          fmt::format("'{}' is opening with {:.6g} m/s and takes no part", name, rows.gamma[0])});
    if (seen == ContactState::kClosing) {
      closing_ += fmt::format("{}'{}'", closing_.empty() ? "" : ", ", name);
      ++closing_count_;
    }
    const bool moves = slides(law, rows);
    problem_.unilateral.push_back(contact_rows(law, rows, is_impact_ || moves, moves));
    problem_.unilateral.back().name = name;
    note_friction(law, name);
    restitution_.push_back(law.epsilon[0]);
    tangential_restitution_.push_back(tangential_restitution(law));
  }

  [[nodiscard]] bool slides(const ForceLaw& law, const Rows& rows) const {
    std::array<VelocityView, ForceLaw::kMostRows> velocities;
    for (int k = 0; k < law.rows; ++k) velocities[static_cast<size_t>(k)] = rows.velocity(k);
    return is_sliding(law, std::span(velocities.data(), static_cast<size_t>(law.rows)), tolerances_);
  }

  void note_friction(const ForceLaw& law, const std::string& name) {
    const FrictionTangents friction(law);
    for (int k = 0; k < friction.count(); ++k) {
      if (friction.scale(k) == 1.0) continue;
      if (friction.row(k) == law.first_slip() + 2) {
        notes_.push_back(fmt::format("'{0}' drills: {0}.t{1} is its moment over the mean drilling radius {2:g}", name, k + 1,
                                     friction.scale(k)));
        continue;
      }
      notes_.push_back(
          fmt::format("'{0}' has friction {1:g} in its direction {2}: its force {0}.t{3} is {4:g} times the true one", name,
                      friction_along(law, friction.row(k)), friction.row(k), k + 1, 1.0 / friction.scale(k)));
    }
    if (law.drilling && law.drilling->set != DrillingSet::kEllipsoid)
      notes_.push_back(
          fmt::format("where '{}' is at rest the set of its friction and drilling is taken as the ellipsoid", name));
  }

  void add_dry_friction(const ForceLaw& law, const Rows& rows) {
    if (law.is_line_friction()) {
      dry_.push_back(dry_friction_row(law, rows, slides(law, rows), problem_.F));
      if (const double middle = law.middle_force(); middle != 0.0) {
        notes_.push_back(
            fmt::format("the force of '{0}' lies between {1:g} and {2:g}: its middle {3:g} is among the loads, and "
                        "what is called '{0}' comes on top",
                        law.name, -law.limits[0], law.limits[1], middle));
      }
      return;
    }
    if (!slides(law, rows)) {
      pads_.emplace_back(&law, rows);
      notes_.push_back(fmt::format(
          "'{0}' holds: it is judged as a contact with the coefficient 1 that its limit, {1:g} N, presses along a "
          "coordinate of its own, '{0} press'",
          law.name, FrictionTangents(law).mu()));
      note_friction(law, law.name);
      return;
    }
    load_sliding_friction(law, rows, problem_.F);
    notes_.push_back(fmt::format("'{}' slides: its friction is among the loads", law.name));
  }

  const System& system_;
  const State& state_;
  const InstantOptions& options_;
  const ContactTolerances tolerances_;
  Evaluator& evaluator_;
  VelocityScope scope_{system_.nu()};
  std::set<LawId> contacts_;  // of the scope, where contacts are found
  VectorXd u_, speeds_;       // of the scope
  VectorXd reach_;            // of the scope
  double largest_reach_ = 0.0;
  LawList list_;
  bool is_impact_ = false;  // from the start: accelerations and rest do not matter
  AccelerationProblem problem_;
  std::vector<DryFrictionRow> dry_;
  std::vector<std::pair<const ForceLaw*, Rows>> pads_;  // in a plane, at rest
  std::vector<double> restitution_, tangential_restitution_;
  std::vector<int> unilateral_laws_;
  std::vector<double> unilateral_velocity_, unilateral_rest_;
  struct Opening {
    size_t contact;
    std::string note;
  };
  std::vector<Opening> opening_;
  std::string closing_;
  int closing_count_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

void set_restitution_matrix(const System& system, const std::vector<int>& laws, ImpactProblem& problem) {
  const RestitutionMatrix& matrix = *system.restitution_matrix();
  std::vector<Eigen::Index> place;
  for (const int law : matrix.laws) place.push_back(std::find(laws.begin(), laws.end(), law) - laws.begin());
  problem.restitution(place, place) = matrix.E;
}

Instant instant_of(const System& system, const State& state, const InstantOptions& options) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  return InstantBuilder(system, state, options, *evaluator).build();
}

ImpactProblem impact_of(const System& system, const State& state, const std::vector<int>& scope, Evaluator& evaluator) {
  return InstantBuilder(system, state, {}, evaluator).build_impact(scope);
}

}  // namespace tippe
