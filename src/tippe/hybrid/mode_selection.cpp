// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/mode_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tippe/contact/contact_rows.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kZero = 1e-9;  // of the scale of a quantity: its derivatives up to this are none

VectorXd dense_row(const MotionSeries::Row& row, int velocities) {
  VectorXd dense = VectorXd::Zero(velocities);
  for (size_t j = 0; j < row.velocity.size(); ++j) dense[row.velocity[j]] += row.value[j][0];
  return dense;
}

/// Coefficients 0 of some rows.
DenseRows dense_rows(const std::vector<MotionSeries::Row>& rows, int velocities) {
  const auto count = static_cast<Index>(rows.size());
  DenseRows dense{MatrixXd(velocities, count), VectorXd(count), VectorXd(count), VectorXd(count)};
  for (Index k = 0; k < count; ++k) {
    const MotionSeries::Row& row = rows[static_cast<size_t>(k)];
    dense.W.col(k) = dense_row(row, velocities);
    dense.chi[k] = row.chi[0];
    dense.drift[k] = row.drift[0];
    dense.gamma[k] = row.gamma[0];
  }
  return dense;
}

/// A contact in space with friction along one direction is one in the plane for the problem of an instant, and one in space for the flow.
void name_as_in_space(const System& system, std::span<const int> scope, std::vector<ContactMode>& contacts) {
  for (size_t s = 0; s < contacts.size(); ++s) {
    if (slides(contacts[s]) && system.laws()[static_cast<size_t>(scope[s])].rows > 2) contacts[s] = ContactMode::kSlide;
  }
}

/// What a contact may do with the same motion, where its force or its acceleration is zero.
std::vector<ContactMode> options_of_tie(const ForceLaw& law, ContactMode mode, bool sliding, double slip) {
  if (law.kind == ForceLaw::Kind::kDryFriction)
    return {ContactMode::kStick, ContactMode::kSlideForward, ContactMode::kSlideBackward};
  if (!law.has_friction()) return {ContactMode::kClosed, ContactMode::kOpen};
  if (slides(mode)) return {mode, ContactMode::kOpen};
  if (law.rows == 2 && sliding)
    return {slip > 0.0 ? ContactMode::kSlideForward : ContactMode::kSlideBackward, ContactMode::kOpen};
  if (law.rows == 2)
    return {ContactMode::kStick, ContactMode::kSlideForward, ContactMode::kSlideBackward, ContactMode::kOpen};
  if (sliding) return {ContactMode::kSlide, ContactMode::kOpen};
  return {ContactMode::kStick, ContactMode::kSlide, ContactMode::kOpen};
}

}  // namespace

bool Scope::impact() const {
  return std::find(closing.begin(), closing.end(), true) != closing.end();
}

Trend find_trend(const double* coefficients, int first, int last, const TrendScale& scale) {
  const double span = scale.span > 0.0 ? std::min(scale.span, scale.time) : scale.time;
  for (int k = first; k <= last; ++k) {
    const double change = k < last ? std::abs(coefficients[k + 1]) * (k + 1) * scale.instant : 0.0;
    const double none = kZero * scale.size * std::pow(k > scale.unit ? span : scale.time, scale.unit - k) + change;
    if (std::abs(coefficients[k]) > none) return {k, coefficients[k] > 0.0 ? 1 : -1};
  }
  return {last, 0};
}

ModeSelector::ModeSelector(const System& system, const MotionScales* scales)
    : system_(system), scales_(scales), flow_(system, kTrendingOrder) {
  flow_.set_scales(scales);
  for (const ForceLaw& law : system.laws()) {
    first_row_.push_back(row_count_);
    row_count_ += law.rows;
  }
}

VelocityView ModeSelector::view_of(const MotionSeries::Row& row, const State& state,
                                   const ScopeTolerances& tolerances) const {
  VelocityView view{.velocity = row.gamma[0], .terms = std::abs(row.chi[0])};
  for (size_t j = 0; j < row.velocity.size(); ++j) {
    const double weight = std::abs(row.value[j][0]);
    view.terms += weight * std::max(std::abs(state.u[row.velocity[j]]), scales_->speed_at_rest(row.velocity[j]));
    if (tolerances.jump.size() > 0) view.change += weight * std::abs(tolerances.jump[row.velocity[j]]);
  }
  return view;
}

double ModeSelector::size_of_gap(int law, const MotionSeries::Row& normal) const {
  double size = scales_->gap(law);
  for (size_t j = 0; j < normal.velocity.size(); ++j)
    size = std::max(size, std::abs(normal.value[j][0]) * scales_->reach(normal.velocity[j]));
  return size;
}

Scope ModeSelector::find_scope(const State& state, const ScopeTolerances& tolerances, const std::vector<bool>* touching) {
  const size_t laws = system_.laws().size();
  Scope scope{std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws), std::vector<bool>(laws)};
  MotionSeries& series = flow_.series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  for (size_t i = 0; i < laws; ++i) {
    const ForceLaw& law = system_.laws()[i];
    const std::vector<MotionSeries::Row>& rows = series.laws()[i];
    std::array<VelocityView, ForceLaw::kMostRows> views;
    for (size_t row = 0; row < rows.size(); ++row) views[row] = view_of(rows[row], state, tolerances);
    const std::span<const VelocityView> velocities(views.data(), rows.size());
    scope.sliding[i] = is_sliding(law, velocities, tolerances.zero);
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      scope.touching[i] = scope.resting[i] = true;
      continue;
    }
    const bool held = touching != nullptr && (*touching)[i];
    scope.touching[i] =
        law.kind == ForceLaw::Kind::kOneWay ||
        is_closed(
            {.gap = series.gap(static_cast<int>(i))[0], .terms = size_of_gap(static_cast<int>(i), rows[0]), .held = held},
            tolerances.zero);
    if (!scope.touching[i]) {
      scope.sliding[i] = false;
      continue;
    }
    const ContactState seen = state_along_normal(velocities[0], tolerances.zero);
    scope.resting[i] = seen == ContactState::kResting;
    scope.closing[i] = seen == ContactState::kClosing;
  }
  return scope;
}

/// The acceleration problem of the resting laws, from coefficients 0 of the series.
void ModeSelector::build_problem(const State& state, const Scope& scope) {
  MotionSeries& series = flow_.series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  const int n = system_.nu();
  problem_ = {};
  problem_.M = MatrixXd::Zero(n, n);
  for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
    const LowerEntry& entry = system_.mass_pattern()[e];
    problem_.M(entry.row, entry.column) = problem_.M(entry.column, entry.row) = series.mass(static_cast<int>(e))[0];
  }
  problem_.F.resize(n);
  for (int j = 0; j < n; ++j) problem_.F[j] = -series.h(j)[0];
  problem_.coordinates = system_.velocities_are_rates() ? system_.coordinate_names() : system_.velocity_names();
  const DenseRows constraints = dense_rows(series.constraints(), n);
  for (size_t c = 0; c < system_.constraints().size(); ++c)
    problem_.bilateral.push_back(constraint_rows(system_.constraints()[c].name, constraints, static_cast<Index>(c)));
  dry_.clear();
  scope_laws_.clear();
  std::vector<int> dry_laws;
  for (size_t i = 0; i < system_.laws().size(); ++i) {
    if (!scope.resting[i]) continue;
    const ForceLaw& law = system_.laws()[i];
    const DenseRows rows = dense_rows(series.laws()[i], n);
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      dry_.push_back(dry_friction_row(law, rows, 0, scope.sliding[i]));
      dry_laws.push_back(static_cast<int>(i));
      continue;
    }
    problem_.unilateral.push_back(contact_rows(law, rows, scope.sliding[i]));
    scope_laws_.push_back(static_cast<int>(i));
  }
  const ForceLayout layout(problem_);
  force_position_.assign(layout.unilateral.begin(), layout.unilateral.end());
  for (size_t d = 0; d < dry_laws.size(); ++d) force_position_.push_back(layout.size() + static_cast<int>(d));
  scope_laws_.insert(scope_laws_.end(), dry_laws.begin(), dry_laws.end());
}

/// In terms of all laws.
ModeChoice ModeSelector::choice_of(const ConsistentMode& mode, const Scope& scope) const {
  ModeChoice choice;
  const size_t laws = system_.laws().size();
  choice.modes.assign(laws, ContactMode::kOpen);
  choice.directions.resize(laws);
  choice.trending.assign(laws, Trend{-1, 0});
  choice.acceleration = mode.motion;
  choice.forces.setZero(row_count_);
  for (size_t s = 0; s < scope_laws_.size(); ++s) {
    const auto i = static_cast<size_t>(scope_laws_[s]);
    const ForceLaw& law = system_.laws()[i];
    choice.modes[i] = mode.contacts[s];
    choice.trending[i] = mode.trending[s];
    const FrictionTangents friction(law);
    choice.forces[first_row_[i]] = mode.forces[force_position_[s]];
    for (int k = 0; k < friction.count(); ++k)
      choice.forces[first_row_[i] + friction.row(k)] = friction.scale(k) * mode.forces[force_position_[s] + 1 + k];
    if (mode.contacts[s] == ContactMode::kSlide && !scope.sliding[i]) {
      // Friction -mu_k^2 d_k lambda / |(mu_1 d_1, mu_2 d_2)| belongs to the direction d.
      VectorXd direction(2);
      for (Index d = 0; d < 2; ++d) {
        const double mu = friction_along(law, static_cast<int>(d) + 1);
        direction[d] = mu > 0.0 ? -choice.forces[first_row_[i] + 1 + static_cast<int>(d)] / (mu * mu) : 0.0;
      }
      if (!(direction.norm() > 0.0)) direction = acceleration_along(law, s, mode.motion);
      choice.directions[i] = direction.norm() > 0.0 ? VectorXd(direction.normalized()) : VectorXd(VectorXd::Unit(2, 0));
    }
  }
  return choice;
}

/// m/s^2  of the slip of a contact in space, along its directions with friction: where a contact without a force goes.
VectorXd ModeSelector::acceleration_along(const ForceLaw& law, size_t contact, const VectorXd& motion) const {
  const FrictionTangents friction(law);
  const ContactRows& rows = problem_.unilateral[contact];
  VectorXd slip = VectorXd::Zero(2);
  for (int k = 0; k < friction.count(); ++k)
    slip[friction.row(k) - 1] = (rows.tangents.col(k).dot(motion) + rows.tangent_drift[k]) / friction.scale(k);
  return slip;
}

/// m/s^2  the size of the accelerations that a row is made of, by which zero is told, at the state that was expanded last. Where the loads balance, a
/// little of what the motion and the loads of the whole system stand for.
double ModeSelector::acceleration_scale(int law, int row) const {
  constexpr double kOfSystem = 1e-5;
  const MotionSeries::Row& series = flow_.series().laws()[static_cast<size_t>(law)][static_cast<size_t>(row)];
  const VectorXd w = dense_row(series, system_.nu());
  return w.cwiseAbs().dot(flow_.free_acceleration()) + std::abs(series.drift[0]) +
         kOfSystem * flow_.acceleration_size() * flow_.kinetic_length(law, row);
}

/// N  likewise of normal forces.
double ModeSelector::force_scale(int law) const {
  const double length = flow_.kinetic_length(law, 0);
  return length > 0.0 ? acceleration_scale(law, 0) / (length * length) : 0.0;
}

void ModeSelector::try_modes(const ModeChoice& choice) {
  flow_.set_modes(choice.modes, choice.directions);
  flow_.set_shares(choice.forces);
}

/// Contacts that could as well do something else: those whose event has just come, and those whose force and acceleration are zero beside those of
/// the system, which the problem of an instant does not know.
void ModeSelector::find_ties(const State& state, const Scope& scope, std::span<const int> fired, ConsistentMode& mode) {
  const ModeChoice choice = choice_of(mode, scope);
  try_modes(choice);
  const bool expanded = flow_.expand(state, kTrendingOrder) == ModeFlow::Status::kOk;
  for (int s = 0; s < static_cast<int>(scope_laws_.size()); ++s) {
    if (std::find(mode.ties.begin(), mode.ties.end(), s) != mode.ties.end()) continue;
    const int law = scope_laws_[static_cast<size_t>(s)];
    const bool open = mode.contacts[static_cast<size_t>(s)] == ContactMode::kOpen;
    bool tie = !open && std::find(fired.begin(), fired.end(), law) != fired.end();
    if (expanded && open) tie = tie || flow_.row_acceleration(law, 0) <= kZero * acceleration_scale(law, 0);
    if (expanded && !open && system_.laws()[static_cast<size_t>(law)].kind != ForceLaw::Kind::kDryFriction &&
        flow_.rank() == flow_.held_rows())
      tie = tie || flow_.law_force(law, 0)[0] <= kZero * force_scale(law);
    if (tie) mode.ties.push_back(s);
  }
}

Trend ModeSelector::trend_of(const double* coefficients, int first, double size, int unit) const {
  return find_trend(coefficients, first, kTrendingOrder, {size, unit, flow_.time_scale(), flow_.instant()});
}

/// Whether all forces and motions of a mode go the right way, by the Taylor polynomials of its motion. Fills in what they say. `sharing`: laws whose forces
/// are one choice of many, which say nothing; empty: none.
bool ModeSelector::judge(const State& state, const Scope& scope, const std::vector<bool>& sharing, ModeChoice& choice,
                         bool& undecided) {
  try_modes(choice);
  if (flow_.expand(state, kTrendingOrder) != ModeFlow::Status::kOk) return false;
  choice.acceleration = flow_.acceleration().col(0);
  choice.forces.setZero(row_count_);
  bool consistent = true;
  for (const int law_number : scope_laws_) {
    const auto i = static_cast<size_t>(law_number);
    const ForceLaw& law = system_.laws()[i];
    for (int row = 0; row < law.rows; ++row) choice.forces[first_row_[i] + row] = flow_.law_force(law_number, row)[0];
    if (choice.modes[i] == ContactMode::kOpen) {
      choice.trending[i] = opening_trend(law_number);
      consistent = consistent && choice.trending[i].sign > 0;
      continue;
    }
    if (slides(choice.modes[i]) && !scope.sliding[i]) consistent = consistent && begins_to_slide(law_number, choice);
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      choice.trending[i] = {0, 0};
      consistent = consistent && (choice.modes[i] != ContactMode::kStick || dry_friction_holds(law_number));
      continue;
    }
    const Trend normal = trend_of(flow_.law_force(law_number, 0), 0, force_scale(law_number), 0);
    choice.trending[i] = normal;
    if (!sharing.empty() && sharing[i]) continue;
    consistent = consistent && normal.sign >= 0;
    if (normal.sign == 0 && flow_.rank() == flow_.held_rows()) undecided = true;
    if (choice.modes[i] == ContactMode::kStick) consistent = consistent && friction_holds(law_number);
  }
  return consistent;
}

/// Of the gap of an open contact, or the velocity of a clutch that runs free.
Trend ModeSelector::opening_trend(int law) const {
  const double size = acceleration_scale(law, 0);
  if (system_.laws()[static_cast<size_t>(law)].kind == ForceLaw::Kind::kOneWay)
    return trend_of(flow_.series().laws()[static_cast<size_t>(law)][0].gamma, 1, size, 1);
  return trend_of(flow_.series().gap(law), 2, size, 2);
}

/// Whether a contact or a dry friction at rest gets the slip that its mode asks for: in space along its direction.
bool ModeSelector::begins_to_slide(int law_number, const ModeChoice& choice) const {
  const auto i = static_cast<size_t>(law_number);
  const ForceLaw& law = system_.laws()[i];
  const std::vector<MotionSeries::Row>& rows = flow_.series().laws()[i];
  if (choice.modes[i] != ContactMode::kSlide) {
    const int row = law.kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
    const Trend trend = trend_of(rows[static_cast<size_t>(row)].gamma, 1, acceleration_scale(law_number, row), 1);
    return trend.sign == (choice.modes[i] == ContactMode::kSlideForward ? 1 : -1);
  }
  std::array<double, kTrendingOrder + 1> speed{};
  for (int k = 0; k <= kTrendingOrder; ++k) {
    for (Index d = 0; d < 2; ++d)
      speed[static_cast<size_t>(k)] += choice.directions[i][d] * rows[static_cast<size_t>(d) + 1].gamma[k];
  }
  return trend_of(speed.data(), 1, acceleration_scale(law_number, law.mu1 > 0.0 ? 1 : 2), 1).sign > 0;
}

/// Whether the force of a dry friction stays within its limit, on both sides.
bool ModeSelector::dry_friction_holds(int law) const {
  const double limit = system_.laws()[static_cast<size_t>(law)].limit;
  std::array<double, kTrendingOrder + 1> reserve{};
  for (const double side : {1.0, -1.0}) {
    for (int k = 0; k <= kTrendingOrder; ++k)
      reserve[static_cast<size_t>(k)] = (k == 0 ? limit : 0.0) - side * flow_.law_force(law, 0)[k];
    if (trend_of(reserve.data(), 0, limit, 0).sign < 0) return false;
  }
  return true;
}

/// Whether the friction of a contact that sticks stays within its cone.
bool ModeSelector::friction_holds(int law_number) const {
  const ForceLaw& law = system_.laws()[static_cast<size_t>(law_number)];
  const double size = force_scale(law_number);
  if (law.rows > 2) return cone_trend(law, law_number, {size, 0, flow_.time_scale(), flow_.instant()}).sign >= 0;
  if (law.rows < 2) return true;
  std::array<double, kTrendingOrder + 1> reserve{};
  for (const double side : {1.0, -1.0}) {
    for (int k = 0; k <= kTrendingOrder; ++k)
      reserve[static_cast<size_t>(k)] =
          law.mu1 * flow_.law_force(law_number, 0)[k] - side * flow_.law_force(law_number, 1)[k];
    if (trend_of(reserve.data(), 0, law.mu1 * size, 0).sign < 0) return false;
  }
  return true;
}

/// Of the friction that a sticking contact in space has in reserve: lambda_N^2 - (lambda_1 / mu_1)^2 - (lambda_2 / mu_2)^2.
Trend ModeSelector::cone_trend(const ForceLaw& law, int law_number, TrendScale scale) const {
  std::array<double, kTrendingOrder + 1> reserve{};
  const double* normal = flow_.law_force(law_number, 0);
  for (int k = 0; k <= kTrendingOrder; ++k) {
    double& coefficient = reserve[static_cast<size_t>(k)];
    for (int j = 0; j <= k; ++j) coefficient += normal[j] * normal[k - j];
    for (int d = 1; d <= 2; ++d) {
      const double mu = friction_along(law, d);
      const double* friction = flow_.law_force(law_number, d);
      for (int j = 0; j <= k && mu > 0.0; ++j) coefficient -= friction[j] * friction[k - j] / (mu * mu);
    }
  }
  scale.size *= scale.size;
  return find_trend(reserve.data(), 0, kTrendingOrder, scale);
}

/// One of the ways to resolve ties.
ModeChoice ModeSelector::candidate_of(const ConsistentMode& mode, const Scope& scope, const ModeChoice& base,
                                      std::span<const int> ties, std::span<const std::vector<ContactMode>> options,
                                      size_t number) const {
  ModeChoice choice = base;
  size_t rest = number;
  for (size_t k = 0; k < ties.size(); ++k) {
    const auto s = static_cast<size_t>(ties[k]);
    const auto i = static_cast<size_t>(scope_laws_[s]);
    choice.modes[i] = options[k][rest % options[k].size()];
    rest /= options[k].size();
    choice.directions[i].resize(0);
    if (choice.modes[i] == ContactMode::kSlide && !scope.sliding[i]) {
      ConsistentMode sliding = mode;
      sliding.contacts[s] = ContactMode::kSlide;
      choice.directions[i] = choice_of(sliding, scope).directions[i];
    }
  }
  return choice;
}

/// All ways in which the ties of a mode can be resolved, those kept that the derivatives allow.
void ModeSelector::resolve_ties(const State& state, const Scope& scope, const ConsistentMode& mode,
                                ModeSelection& selection) {
  constexpr size_t kMostCandidates = 256;
  const ModeChoice base = choice_of(mode, scope);
  try_modes(base);
  std::vector<int> ties = mode.ties;
  std::vector<bool> sharing;
  if (flow_.expand(state, 1) == ModeFlow::Status::kOk && flow_.shares_in_space()) {
    // Forces that are one choice of many decide nothing, nor do their derivatives.
    sharing = flow_.laws_that_share();
    std::erase_if(ties, [&](int s) { return sharing[static_cast<size_t>(scope_laws_[static_cast<size_t>(s)])]; });
    if (ties.empty()) {
      selection.choices.push_back(base);
      return;
    }
  }
  std::vector<std::vector<ContactMode>> options;
  size_t candidates = 1;
  for (const int s : ties) {
    const auto i = static_cast<size_t>(scope_laws_[static_cast<size_t>(s)]);
    const double slip = system_.laws()[i].rows > 1 ? flow_.series().laws()[i][1].gamma[0] : 0.0;
    options.push_back(options_of_tie(system_.laws()[i], mode.contacts[static_cast<size_t>(s)], scope.sliding[i], slip));
    candidates *= options.back().size();
  }
  if (candidates > kMostCandidates) {
    selection.note =
        fmt::format("{} contacts are on the border between two modes at once: not decided by derivatives", ties.size());
    selection.undecided = true;
    selection.choices.push_back(base);
    return;
  }
  const size_t before = selection.choices.size();
  bool undecided_kept = false;
  for (size_t number = 0; number < candidates; ++number) {
    ModeChoice choice = candidate_of(mode, scope, base, ties, options, number);
    bool undecided = false;
    if (!judge(state, scope, sharing, choice, undecided)) continue;
    undecided_kept = undecided_kept || undecided;
    selection.choices.push_back(std::move(choice));
  }
  if (undecided_kept) selection.undecided = true;
  if (selection.choices.size() == before && sharing.empty() &&
      ties.size() < scope_laws_.size()) {  // more of them may change together
    ConsistentMode wider = mode;
    wider.ties.clear();
    for (int s = 0; s < static_cast<int>(scope_laws_.size()); ++s) wider.ties.push_back(s);
    resolve_ties(state, scope, wider, selection);
    return;
  }
  if (selection.choices.size() == before) {  // derivatives contradict each other by round-off: what order 0 says
    selection.undecided = true;
    selection.choices.push_back(base);
  }
}

ModeSelection ModeSelector::select(const State& state, const Scope& scope, std::span<const int> fired,
                                   const ModeOptions& options) {
  ModeSelection selection;
  build_problem(state, scope);
  selection.scope = scope_laws_;
  selection.list = list_motion_modes(problem_, dry_, options);
  for (ConsistentMode& mode : selection.list.modes) name_as_in_space(system_, scope_laws_, mode.contacts);
  for (RejectedMode& mode : selection.list.rejected) name_as_in_space(system_, scope_laws_, mode.contacts);
  selection.complete = selection.list.complete;
  selection.note = selection.list.note;
  for (ConsistentMode& mode : selection.list.modes) {
    find_ties(state, scope, fired, mode);
    if (mode.ties.empty()) {
      selection.choices.push_back(choice_of(mode, scope));
    } else {
      resolve_ties(state, scope, mode, selection);
    }
  }
  if (selection.undecided && selection.note.empty())
    selection.note = fmt::format("undecided, grazing of order > {}: taken as closed", kTrendingOrder);
  return selection;
}

}  // namespace tippe
