// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/mode_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
    if (slides(contacts[s]) && rubs_in_plane(system.laws()[static_cast<size_t>(scope[s])]))
      contacts[s] = ContactMode::kSlide;
  }
}

/// What a contact may do with the same motion, where its force or its acceleration is zero.
std::vector<ContactMode> options_of_tie(const ForceLaw& law, ContactMode mode, bool sliding, double slip) {
  if (law.is_line_friction()) return {ContactMode::kStick, ContactMode::kSlideForward, ContactMode::kSlideBackward};
  if (law.kind == ForceLaw::Kind::kDryFriction)
    return sliding ? std::vector{ContactMode::kSlide} : std::vector{ContactMode::kStick, ContactMode::kSlide};
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

ModeSelector::ModeSelector(const System& system, const MotionScales* scales)
    : system_(system), scales_(scales), flow_(system, kMostTrendingOrder), trends_(system, flow_) {
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
  std::vector<std::pair<int, DenseRows>> pads;
  for (size_t i = 0; i < system_.laws().size(); ++i) {
    if (!scope.resting[i]) continue;
    const ForceLaw& law = system_.laws()[i];
    const DenseRows rows = dense_rows(series.laws()[i], n);
    if (law.kind == ForceLaw::Kind::kDryFriction && law.rows > 1) {
      if (FrictionTangents(law).count() > 0) pads.emplace_back(static_cast<int>(i), rows);
      continue;
    }
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      dry_.push_back(dry_friction_row(law, rows, scope.sliding[i], problem_.F));
      dry_laws.push_back(static_cast<int>(i));
      continue;
    }
    problem_.unilateral.push_back(contact_rows(law, rows, scope.sliding[i], scope.sliding[i]));
    scope_laws_.push_back(static_cast<int>(i));
  }
  for (const auto& [law, rows] : pads) {
    const auto i = static_cast<size_t>(law);
    add_pressed(system_.laws()[i], rows, scope.sliding[i], problem_, dry_);
    scope_laws_.push_back(law);
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
  choice.acceleration = mode.motion.head(system_.nu());
  choice.forces.setZero(row_count_);
  for (size_t s = 0; s < scope_laws_.size(); ++s) {
    const auto i = static_cast<size_t>(scope_laws_[s]);
    const ForceLaw& law = system_.laws()[i];
    choice.modes[i] = mode.contacts[s];
    choice.trending[i] = mode.trending[s];
    const FrictionTangents friction(law);
    if (law.kind != ForceLaw::Kind::kDryFriction || law.rows == 1)
      choice.forces[first_row_[i]] = mode.forces[force_position_[s]];
    if (law.is_line_friction()) choice.forces[first_row_[i]] += law.middle_force();
    for (int k = 0; k < friction.count(); ++k)
      choice.forces[first_row_[i] + friction.row(k)] = friction.scale(k) * mode.forces[force_position_[s] + 1 + k];
    if (mode.contacts[s] == ContactMode::kSlide && !scope.sliding[i]) {
      choice.directions[i] = direction_of_sliding(law, s, choice.forces.segment(first_row_[i], law.rows), mode.motion);
    }
  }
  return choice;
}

/// Where a contact in space that begins to slide goes: by its friction -mu_k^2 d_k lambda / |(mu_1 d_1, mu_2 d_2)|, or without one by its acceleration.
VectorXd ModeSelector::direction_of_sliding(const ForceLaw& law, size_t contact, const VectorXd& forces,
                                            const VectorXd& motion) const {
  const int first = law.first_slip(), count = friction_rows(law);
  VectorXd direction(count);
  for (int d = 0; d < count; ++d) {
    const double mu = friction_along(law, first + d);
    direction[d] = mu > 0.0 ? -forces[first + d] / (mu * mu) : 0.0;
  }
  if (!(direction.norm() > 0.0)) direction = acceleration_along(law, contact, motion);
  double norm = direction.norm();
  if (law.drilling) {  // a velocity and an angular velocity have no common length
    norm = 0.0;
    for (int d = 0; d < count; ++d)
      norm = std::hypot(norm, friction_along(law, first + d) / friction_along(law, first) * direction[d]);
  }
  return norm > 0.0 ? VectorXd(direction / norm) : VectorXd(VectorXd::Unit(count, 0));
}

/// m/s^2  of the slip of a contact in space, along its directions with friction: where a contact without a force goes.
VectorXd ModeSelector::acceleration_along(const ForceLaw& law, size_t contact, const VectorXd& motion) const {
  const FrictionTangents friction(law);
  const ContactRows& rows = problem_.unilateral[contact];
  VectorXd slip = VectorXd::Zero(friction_rows(law));
  for (int k = 0; k < friction.count(); ++k)
    slip[friction.row(k) - law.first_slip()] =
        (rows.tangents.col(k).dot(motion) + rows.tangent_drift[k]) / friction.scale(k);
  return slip;
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
    if (expanded && open) tie = tie || flow_.row_acceleration(law, 0) <= kZero * acceleration_scale(system_, flow_, law, 0);
    if (expanded && !open && system_.laws()[static_cast<size_t>(law)].kind != ForceLaw::Kind::kDryFriction &&
        flow_.rank() == flow_.held_rows()) {
      const double none = kZero * force_scale(system_, flow_, law);
      tie = tie || flow_.law_force(law, 0)[0] <= none;
      tie = tie || (mode.contacts[static_cast<size_t>(s)] == ContactMode::kStick && friction_left(law) <= none);
    }
    if (expanded && mode.contacts[static_cast<size_t>(s)] == ContactMode::kStick &&
        system_.laws()[static_cast<size_t>(law)].kind == ForceLaw::Kind::kDryFriction &&
        rubs_in_plane(system_.laws()[static_cast<size_t>(law)]))
      tie = tie || friction_left(law) <= kZero;
    if (tie) mode.ties.push_back(s);
  }
}

/// N  of the normal force: what a sticking contact need not have for its friction. Of a dry friction in a plane the share of its limit.
double ModeSelector::friction_left(int law_number) const {
  const ForceLaw& law = system_.laws()[static_cast<size_t>(law_number)];
  double needed = 0.0;
  for (int row = law.first_slip(); row < law.rows; ++row) {
    const double mu = friction_along(law, row);
    if (mu > 0.0) needed = std::hypot(needed, flow_.law_force(law_number, row)[0] / mu);
  }
  return (law.kind == ForceLaw::Kind::kDryFriction ? 1.0 : flow_.law_force(law_number, 0)[0]) - needed;
}

/// Whether all forces and motions of a mode go the right way. Fills in what they say. `sharing`: laws whose forces are one choice of
/// many, which say nothing; empty: none.
TrendAnswer ModeSelector::judge(const State& state, const Scope& scope, const std::vector<bool>& sharing,
                                ModeChoice& choice) {
  TrendAnswer answer =
      trends_.judge(state, {choice.modes, choice.directions, choice.forces, scope_laws_, scope.sliding, sharing});
  choice.trending = answer.trending;
  if (!answer.consistent) return answer;
  choice.acceleration = flow_.acceleration().col(0);
  choice.forces.setZero(row_count_);
  for (const int law : scope_laws_) {
    const auto i = static_cast<size_t>(law);
    for (int row = 0; row < system_.laws()[i].rows; ++row) choice.forces[first_row_[i] + row] = flow_.law_force(law, row)[0];
  }
  return answer;
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

/// Where derivatives do not decide: that a simulation does, Johnson (20), or that it does not either.
void ModeSelector::say_what_decided(const TrendAnswer& answer, ModeSelection& selection) const {
  if (!(answer.simulated > 0.0)) return;
  const auto say = [&](const std::string& text) {
    if (selection.tie_note.find(text) == std::string::npos)
      selection.tie_note += (selection.tie_note.empty() ? "" : "; ") + text;
  };
  for (const int law : scope_laws_) {
    const Trend& trend = answer.trending[static_cast<size_t>(law)];
    const std::string& name = system_.laws()[static_cast<size_t>(law)].name;
    const bool undecided = std::find(answer.undecided.begin(), answer.undecided.end(), law) != answer.undecided.end();
    if (undecided) {
      say(
          fmt::format("'{}' is undecided: derivatives up to the {}th are zero, and {:.3g} s of simulation show nothing "
                      "else; taken as {}",
                      name, trend.order, answer.simulated, trend.of == Trend::Of::kReserve ? "sticking" : "closed"));
    } else if (trend.after > 0.0) {
      say(fmt::format("'{}': derivatives up to the {}th are zero; {:.3g} s of simulation decide", name, trend.order,
                      trend.after));
    }
    selection.undecided = selection.undecided || undecided;
  }
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
    selection.tie_note =
        fmt::format("{} contacts are on the border between two modes at once: not decided by derivatives", ties.size());
    selection.undecided = true;
    selection.choices.push_back(base);
    return;
  }
  const size_t before = selection.choices.size();
  for (size_t number = 0; number < candidates; ++number) {
    ModeChoice choice = candidate_of(mode, scope, base, ties, options, number);
    const TrendAnswer answer = judge(state, scope, sharing, choice);
    if (!answer.consistent) continue;
    say_what_decided(answer, selection);
    choice.resolved = true;
    selection.choices.push_back(std::move(choice));
  }
  if (selection.choices.size() == before && sharing.empty() &&
      ties.size() < scope_laws_.size()) {  // more of them may change together
    ConsistentMode wider = mode;
    wider.ties.clear();
    for (int s = 0; s < static_cast<int>(scope_laws_.size()); ++s) wider.ties.push_back(s);
    resolve_ties(state, scope, wider, selection);
    return;
  }
  if (selection.choices.size() == before) {  // derivatives contradict each other by round-off: what order 0 says
    selection.tie_note = "no mode fits all derivatives: taken is what the instant says";
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
  return selection;
}

}  // namespace tippe
