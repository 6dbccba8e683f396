// SPDX-License-Identifier: Apache-2.0
// Smooth motion between two samples, jumps without duration, and the modes of event-driven runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

/// Of what loads would do to it in an interval if nothing held it: the size that what rests counts as having. Of that round-off is a part.
constexpr Real kAtRest = 1e-3L;

/// A velocity that no kinetic energy and no constraint knows.
bool has_no_mass(const SparseMatrix& M, const SparseMatrix& W_S, Index j) {
  for (Index k = 0; k < W_S.cols(); ++k) {
    if (W_S.coeff(j, k) != 0.0L) return false;
  }
  return M.col(j).nonZeros() == 0;
}

}  // namespace

/// du/dt where the laws push with their mean force; `response`: to all rows of the laws.
Vector Judge::acceleration(const Place& place, const Vector& impulses, Real dt, Matrix* response) const {
  const SparseMatrix M = mechanics_.mass(place);
  const Rows constraints = mechanics_.constraint_rows(place);
  Matrix W(M.rows(), rows_);
  Vector force = mechanics_.forces(place);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const Rows rows = mechanics_.rows(k, place);
    W.middleCols(first_row_[k], rows.W.cols()) = Matrix(rows.W);
    force += rows.W * impulses.segment(first_row_[k], rows.W.cols()) / dt;
  }
  // M a = force + W_S lambda, W_S'a + drift = 0: with a = e + rest, where e takes care of the drift.
  const Vector drift = mechanics_.constraint_drift(place);
  Vector particular = Vector::Zero(M.rows());
  if (drift.size() > 0) {
    Vector coefficients;
    (void)outside_range(Matrix(constraints.W.transpose()), -drift, Vector::Ones(drift.size()), &coefficients);
    particular = coefficients;
  }
  Matrix sides(M.rows(), 1 + rows_);
  sides.col(0) = force - M * particular;
  sides.rightCols(rows_) = W;
  const Matrix solved = response_to(M, constraints.W, sides);
  if (response != nullptr) *response = solved.rightCols(rows_);
  return particular + solved.col(0);
}

/// Without mass, the impulses of laws and of what loads do at the ends and in the middle of an interval add up to nothing.
void Judge::check_balance(const Interval& interval, const Place& middle, const Vector& impulses, Index velocity) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector h_B = mechanics_.forces(B), h_M = mechanics_.forces(middle), h_E = mechanics_.forces(E);
  Real left = dt / 6.0L * (h_B[velocity] + 4.0L * h_M[velocity] + h_E[velocity]);
  Real size = dt * std::max({h_B.cwiseAbs().maxCoeff(), h_M.cwiseAbs().maxCoeff(), h_E.cwiseAbs().maxCoeff()});
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const Rows rows = mechanics_.rows(k, middle);
    const Vector Lambda = impulses.segment(first_row_[k], rows.W.cols());
    for (Index row = 0; row < Lambda.size(); ++row) {
      const Real share = rows.W.coeff(velocity, row) * Lambda[row];
      left += share;
      size += std::abs(share);
    }
  }
  const Real bend = dt / 3.0L * std::abs(h_B[velocity] - 2.0L * h_M[velocity] + h_E[velocity]);
  const std::string& name = system_.velocity_names()[static_cast<size_t>(velocity)];
  check(Kind::kMomentum, std::abs(left), bend + 1e-6L * size, end.t, name,
        [&] { return fmt::format("{} has no mass, and an impulse of {:.6g} acts on it", name, static_cast<double>(left)); });
}

/// The most that laws may have pushed row by row: friction that turns round in a plane, or holds now this way and now that, adds up to less than its parts.
Vector Judge::most_pushed(const Interval& interval, const Vector& impulses) const {
  Vector most = impulses.cwiseAbs();
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    const bool contact = law.kind == ForceLaw::Kind::kContact;
    const Real size = contact ? most[first_row_[k]] : interval.dt;
    const std::array<Real, 2> limits =
        contact ? std::array<Real, 2>{law.mu1, law.mu2} : std::array<Real, 2>{law.limits[0], law.limits[1]};
    for (int row = law.first_slip(); row < law.rows; ++row) {
      const int slip = row - law.first_slip();
      const Real limit =
          slip < 2 ? limits[static_cast<size_t>(slip)] : limits[0] * (law.drilling ? law.drilling->Rbar : 0.0);
      Real& entry = most[first_row_[k] + row];
      entry = std::max(entry, limit * size);
    }
  }
  return most;
}

/// Whether the motion between two samples is faster than they are: forces may turn the velocities round in between, and those in the middle that positions tell are not those
/// that velocities tell. `change`: of velocities, by forces; `loaded`: by loads alone.
bool Judge::is_aliased(const Interval& interval, const Place& middle, const Vector& scale, Real change, Real loaded) const {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector rate = 1.5L / dt * (E.q - B.q) - 0.25L * (mechanics_.rate(B) + mechanics_.rate(E));
  Vector by_positions = rate;
  if (!mechanics_.velocities_are_rates()) {
    const Vector drift = mechanics_.rate({middle.t, middle.q, Vector::Zero(middle.u.size())});
    (void)outside_range(mechanics_.rate_map(middle), rate - drift, Vector::Ones(rate.size()), &by_positions);
  }
  const auto size = [&](const Vector& u) { return u.cwiseProduct(scale).norm(); };
  const Real apart = 0.25L * std::max({size(B.u), size(middle.u), size(E.u)}) + kAtRest * loaded + kTiny;
  return change > apart && size(by_positions - middle.u) > apart;
}

/// By Simpson's rule, with a middle from Hermite's polynomials of both ends; what that may be off is judged by how much everything changes.
void Judge::judge_smooth(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  for (const Event& event : events_) {
    // What happens within the interval is no smooth motion.
    const bool inside = event.t > begin.t && event.t < end.t;
    const bool accumulates = event.kind == EventKind::kAccumulation && event.t > begin.t && event.t <= end.t;
    if (inside || accumulates) return;
  }
  ++verdict_.smooth;
  const Vector impulses = rows_ > 0 ? Vector(end.impulse.cast<Real>()) : Vector();
  const Vector most = rows_ > 0 ? most_pushed(interval, impulses) : Vector();
  Matrix response_B, response_E;
  const Vector a_B = acceleration(B, impulses, dt, &response_B), a_E = acceleration(E, impulses, dt, &response_E);
  Place middle{B.t + 0.5L * dt, 0.5L * (B.q + E.q) + dt / 8.0L * (mechanics_.rate(B) - mechanics_.rate(E)),
               0.5L * (B.u + E.u) + dt / 8.0L * (a_B - a_E)};
  mechanics_.normalize(middle.q);
  const Vector a_M = acceleration(middle, impulses, dt, nullptr);
  const SparseMatrix M = mechanics_.mass(middle);
  Vector scale = momentum_scale(M);
  const auto kinetic = [&](const Vector& v) { return v.cwiseProduct(scale).norm(); };
  const Real change = dt * std::max({kinetic(a_B), kinetic(a_M), kinetic(a_E)});
  // What rests has no size of its own: what the loads would do if nothing held them says what is small.
  const Vector unsupported = acceleration(middle, Vector::Zero(rows_), dt, nullptr);
  largest_energy_ = std::max(largest_energy_, 0.5L * std::pow(dt * kinetic(unsupported), 2));
  if (options_.integrator_options.project.value_or(true)) check_smooth_constraints(interval, unsupported.cwiseAbs());
  if (is_aliased(interval, middle, scale, change, dt * kinetic(unsupported))) {
    ++unresolved_;
    return;
  }
  const SparseMatrix constraints = mechanics_.constraint_rows(middle).W;
  for (Index j = 0; j < scale.size(); ++j) {
    if (!has_no_mass(M, constraints, j)) continue;
    scale[j] = 0.0L;  // velocities without mass are whatever forces make of them, which must balance
    check_balance(interval, middle, impulses, j);
  }
  const auto kinetic_norm = [&](const Vector& v) { return v.cwiseProduct(scale).norm(); };

  const Vector off = E.u - B.u - dt / 6.0L * (a_B + 4.0L * a_M + a_E);
  Real allowed =
      dt * kinetic_norm(a_B - 2.0L * a_M + a_E) + 0.02L * dt * (kinetic_norm(a_M - a_B) + kinetic_norm(a_E - a_M));
  Real terms = kinetic_norm(B.u) + kinetic_norm(E.u) + dt * kinetic_norm(a_M);
  for (Index k = 0; k < rows_; ++k) {
    allowed += kinetic_norm(response_E.col(k) - response_B.col(k)) * most[k];
    terms += kinetic_norm(response_B.col(k)) * most[k];
  }
  // Where accelerations bend so much the rule is blind: all that can be said is that changes are not larger than forces make them.
  const Real fastest = std::max({kinetic_norm(a_B), kinetic_norm(a_M), kinetic_norm(a_E)});
  const bool blind = kinetic_norm(a_B - 2.0L * a_M + a_E) > 0.1L * fastest;
  if (blind) {
    ++unresolved_;
    allowed += dt * fastest;
  }
  // Loads and the impulses that balance them act for a time that the clock knows no better.
  allowed += clock_of(interval) * (kinetic_norm(a_M) + kinetic_norm(unsupported));
  // An impulse may have acted early or late: then velocities in the middle are off by up to a half of what it gave, and so are the forces that depend on them.
  for (Index k = 0; k < rows_ && kinetic_norm(off) > allowed + kKnown * terms; ++k) {
    if (!(most[k] > 0.0L)) continue;
    Place otherwise = middle;
    otherwise.u += 0.5L * most[k] * response_B.col(k);
    otherwise.q += 0.25L * dt * most[k] * (mechanics_.rate_map(middle) * response_B.col(k));
    allowed += 2.0L / 3.0L * dt * kinetic_norm(acceleration(otherwise, impulses, dt, nullptr) - a_M);
  }
  Index worst = 0;
  off.cwiseProduct(scale).cwiseAbs().maxCoeff(&worst);
  const std::string& velocity = system_.velocity_names()[static_cast<size_t>(worst)];
  check(Kind::kMomentum, kinetic_norm(off), allowed + kKnown * terms, end.t, velocity, [&] {
    return fmt::format("{} changed by {:.6g} more than forces and impulses explain", velocity,
                       static_cast<double>(off[worst]));
  });

  check_smooth_positions(interval, a_B, a_M, a_E, response_B, most, blind);
}

/// What the clock may be off in an interval: every piece that an integrator of its own steps makes of it rounds its time.
Real Judge::clock_of(const Interval& interval) const {
  const Real pieces = options_.adaptive() ? std::max(1.0, interval.end.steps) : 1.0L;
  return 4.0L * pieces * std::numeric_limits<double>::epsilon() * std::max(std::abs(interval.B.t), std::abs(interval.E.t));
}

void Judge::check_smooth_positions(const Interval& interval, const Vector& a_B, const Vector& a_M, const Vector& a_E,
                                   const Matrix& response, const Vector& most, bool blind) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector r_B = mechanics_.rate(B), r_E = mechanics_.rate(E);
  const SparseMatrix F_B = mechanics_.rate_map(B), F_E = mechanics_.rate_map(E);
  const Vector change_B = F_B * a_B + mechanics_.rate_drift(B), change_E = F_E * a_E + mechanics_.rate_drift(E);
  const Vector bend = dt * dt / 12.0L * (change_E - change_B);
  const Vector uneven = dt * dt / 6.0L * (F_B * (a_B - 2.0L * a_M + a_E)).cwiseAbs();  // what the rule may be off
  // The forces of laws may act at one end of the interval or at the other.
  Vector pushed = Vector::Zero(B.q.size());
  for (Index k = 0; k < rows_; ++k) pushed += (F_B * response.col(k)).cwiseAbs() * most[k];
  Vector off = E.q - B.q - 0.5L * dt * (r_B + r_E) + bend;
  Vector unknown = Vector::Zero(off.size());  // how velocities without mass change within the interval
  const SparseMatrix M = mechanics_.mass(B), W_S = mechanics_.constraint_rows(B).W;
  for (Index i = 0; i < off.size() && off.size() == M.rows(); ++i) {
    if (!has_no_mass(M, W_S, i)) continue;
    off[i] -= bend[i];
    unknown[i] = dt * std::max(r_B.cwiseAbs().maxCoeff(), r_E.cwiseAbs().maxCoeff());  // forces may relax at once
  }
  if (blind) unknown += 0.5L * dt * dt * (change_B.cwiseAbs() + change_E.cwiseAbs() + (F_B * a_M).cwiseAbs());
  const Real q_size = B.q.cwiseAbs().maxCoeff() + E.q.cwiseAbs().maxCoeff();
  for (Index i = 0; i < off.size(); ++i) {
    const Real speed = std::abs(r_B[i]) + std::abs(r_E[i]);
    const Real enough = std::abs(bend[i]) + uneven[i] + 0.02L * bend.cwiseAbs().maxCoeff() +
                        (kKnown * dt + clock_of(interval)) * speed + 0.5L * dt * pushed[i] + unknown[i] + 1e-10L * q_size;
    check(Kind::kPositions, std::abs(off[i]), enough, end.t, system_.coordinate_names()[static_cast<size_t>(i)],
          [&] { return fmt::format("it is off by {:.6g} from where the velocities lead", static_cast<double>(off[i])); });
  }
}

/// `unsupported`: accelerations that loads alone would give.
void Judge::check_smooth_constraints(const Interval& interval, const Vector& unsupported) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector g = mechanics_.constraint_positions(E);
  const Rows rows = mechanics_.constraint_rows(E);
  const Vector gamma = rows.gamma(E.u);
  const Real q_size = B.q.cwiseAbs().maxCoeff() + E.q.cwiseAbs().maxCoeff();
  for (Index k = 0; k < g.size(); ++k) {
    const Constraint& constraint = mechanics_.constraints()[static_cast<size_t>(k)].constraint;
    const Real loaded = kAtRest * dt * rows.W.col(k).cwiseAbs().dot(unsupported);
    const Real size = largest_of(rows.W, k) * q_size + dt * loaded;
    const Real speed = rows.W.col(k).cwiseAbs().dot(E.u.cwiseAbs()) + std::abs(rows.chi[k]) + loaded;
    if (constraint.holonomic)
      check(Kind::kConstraintPosition, std::abs(g[k]), 1e-9L * size, end.t, constraint.name,
            [&] { return fmt::format("its position is {:.6g}", static_cast<double>(g[k])); });
    check(Kind::kConstraintVelocity, std::abs(gamma[k]),
          1e-8L * speed + 1e-10L * size / std::max<Real>(dt, 10.0 * options_.dt), end.t, constraint.name,
          [&] { return fmt::format("its velocity is {:.6g}", static_cast<double>(gamma[k])); });
  }
}

/// A motion is known to round-off, but its start is written with a few digits: a contact that starts closed keeps that gap.
Real Judge::closed_gap(size_t law) const {
  return 1e-9L * largest_gap_terms_[static_cast<Index>(law)] + options_.initial_penetration;
}

/// Two samples at one time: an impact, or nothing.
void Judge::judge_jump(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  ++verdict_.jumps;
  const Real q_size = B.q.cwiseAbs().maxCoeff();
  const Vector q_off = E.q - B.q;
  const Real moves = clock_of(interval) * (mechanics_.rate(B).norm() + mechanics_.rate(E).norm());  // what no clock sees
  check(Kind::kPositions, q_off.norm(), 1e-9L * q_size + moves, end.t, "", [&] { return "positions jump"; });
  check_events_of_jump(interval);
  // Several impacts may follow each other at one instant, each an event of its own; a jump takes part in one sample pair.
  int impacts = 0;
  bool alone = true, without_collision = false;
  const Event* first = nullptr;  // of this time
  for (const Event& event : events_) {
    if (event.t != end.t) continue;
    if (first == nullptr) first = &event;
    if (event.impulse.size() == 0) continue;
    ++impacts;
    alone = alone && event.kind == EventKind::kImpact;
    without_collision = without_collision || !event.note.empty();
  }
  std::vector<char> closed(mechanics_.laws().size(), 0);
  bool any_hit = false;
  const Vector impulses = rows_ > 0 ? Vector(end.impulse.cast<Real>()) : Vector();
  for (size_t k = 0; k < closed.size(); ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    const Real gap = law.kind == ForceLaw::Kind::kContact ? mechanics_.gap(k, B) : 0.0L;
    // A gap that is only small is open: before an accumulation impacts follow each other at distances that are next to nothing.
    const bool was_closed = first != nullptr && k < first->before.size() && first->before[k] != ContactMode::kOpen;
    const Real carried = impulses.segment(first_row_[k], law.rows).cwiseAbs().maxCoeff();
    any_hit = any_hit || (carried > 0.0L && law.kind != ForceLaw::Kind::kDryFriction);
    const bool touches = gap <= 1e-13L * largest_gap_terms_[static_cast<Index>(k)];
    closed[k] = touches || ((was_closed || carried > 0.0L) && gap <= closed_gap(k)) ? 1 : 0;
    if (gap > closed_gap(k))
      check(Kind::kOpenContact, carried, kTiny, end.t, law.name, [&] {
        return fmt::format("its gap is {:.6g}, and it carries {:.6g}", static_cast<double>(gap),
                           static_cast<double>(carried));
      });
  }
  if (end.t != time_of_hits_) hits_ = 0;
  time_of_hits_ = end.t;
  hits_ += any_hit ? 1 : 0;
  // A motion between two impacts that the clock does not resolve: in a run that goes on, the second is still to come.
  if (!any_hit && impacts > 0 && (impacts > 1 || hits_ >= impacts)) return;
  judge_impact(interval, B, B.u, E.u, impulses, closed, impacts == 1 && alone && !without_collision);
}

/// One law between two events: what is told of it at both ends, and what may be off.
struct Judge::LawBetweenEvents {
  size_t law;
  ContactMode mode;
  Vector Lambda;
  Rows at_E;
  Vector gamma_B, gamma_E;
  Vector speed_off;      // of its rows
  Real gap_off;          // m
  Real largest_impulse;  // of all, so far
  Real clock;            // s  how well times are known
  double t;
};

void Judge::check_of_mode(const LawBetweenEvents& at, Real value, Real allowed, const char* what) {
  check(Kind::kEvents, value, allowed, at.t, law_name(at.law),
        [&] { return fmt::format("its mode is {}, and {} {:.6g}", name_of(at.mode), what, static_cast<double>(value)); });
}

void Judge::check_friction_of_mode(const LawBetweenEvents& at, Real dt) {
  const ForceLaw& law = mechanics_.laws()[at.law].law;
  const bool pad = law.kind == ForceLaw::Kind::kDryFriction;
  const Index first = pad ? 0 : 1, rows = at.Lambda.size();
  for (Index row = first; row < rows; ++row) {
    const Real share = at.mode == ContactMode::kStick ? 1.0L : static_cast<Real>(law.sliding_share());
    const Real mu = share * (row == 1 ? law.mu1 : law.mu2);
    const bool free = pad ? rows > 1 && row < 2 && law.limits[static_cast<size_t>(row)] == 0.0 : mu == 0.0L;
    if (free) continue;
    const Real most = pad ? share * law.limits[at.mode == ContactMode::kSlideBackward ? 1 : 0] * dt : mu * at.Lambda[0];
    const Real unclear = pad && dt > 0.0L ? std::abs(most) * at.clock / dt : 0.0L;
    if (at.mode == ContactMode::kStick) {
      check_of_mode(at, std::max(std::abs(at.gamma_B[row]), std::abs(at.gamma_E[row])), at.speed_off[row], "its slip is");
    } else if (at.mode == ContactMode::kSlideForward || at.mode == ContactMode::kSlideBackward) {
      const Real sign = at.mode == ContactMode::kSlideForward ? 1.0L : -1.0L;
      check_of_mode(at, -std::min(sign * at.gamma_B[row], sign * at.gamma_E[row]), at.speed_off[row],
                    "it slips the other way with");
      check_of_mode(at, std::abs(at.Lambda[row] + sign * most),
                    unclear + 1e-6L * (std::abs(most) + 1e-3L * at.largest_impulse), "its friction is off its limit by");
    } else if (at.mode == ContactMode::kSlide && row == first) {
      const Vector friction = at.Lambda.tail(rows - first), slip_B = at.gamma_B.tail(rows - first),
                   slip_E = at.gamma_E.tail(rows - first), slip = 0.5L * (slip_B + slip_E);
      // What turns round brakes on the way in and on the way out, which take times of their own: the sum may point anywhere.
      if (slip_B.dot(slip_E) < 0.0L) continue;
      const Real terms = friction.cwiseAbs().dot(at.speed_off.tail(rows - first));
      check_of_mode(at, friction.dot(slip), terms + 1e-3L * friction.norm() * (at.gamma_E - at.gamma_B).norm(),
                    "its friction gives power");
    }
  }
}

/// A law that is open carries nothing and does not turn back; one that is closed stays so and pushes.
void Judge::check_normal_of_mode(const LawBetweenEvents& at, const Place& B, const Place& E) {
  const ForceLaw& law = mechanics_.laws()[at.law].law;
  const bool contact = law.kind == ForceLaw::Kind::kContact, pad = law.kind == ForceLaw::Kind::kDryFriction;
  const Real gap_B = contact ? mechanics_.gap(at.law, B) : 0.0L, gap_E = contact ? mechanics_.gap(at.law, E) : 0.0L;
  if (at.mode == ContactMode::kOpen) {
    check_of_mode(at, at.Lambda.cwiseAbs().maxCoeff(), 1e-9L * at.largest_impulse, "it carries");
    if (contact) check_of_mode(at, -std::min(gap_B, gap_E), at.gap_off, "it is deep by");
    if (!contact && !pad) check_of_mode(at, -std::min(at.gamma_B[0], at.gamma_E[0]), at.speed_off[0], "it turns back with");
    return;
  }
  if (contact) check_of_mode(at, std::max(std::abs(gap_B), std::abs(gap_E)), at.gap_off, "its gap is");
  if (pad) return;
  check_of_mode(at, std::max(std::abs(at.gamma_B[0]), std::abs(at.gamma_E[0])), at.speed_off[0], "its normal velocity is");
  check_of_mode(at, -at.Lambda[0], 1e-7L * at.largest_impulse, "it pulls with");
}

/// Between events every law does what its mode says.
void Judge::judge_modes(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  if (dt <= 0.0L) return;
  const Event* last = nullptr;
  for (const Event& event : events_) {
    if (event.t <= begin.t) last = &event;
    if (event.t > begin.t && event.t < end.t) return;
    if (event.kind == EventKind::kAccumulation && event.t > begin.t && event.t <= end.t) return;
  }
  if (last == nullptr || rows_ == 0) return;
  const Vector speeds = B.u.cwiseAbs().cwiseMax(E.u.cwiseAbs());
  // What the loads give within the interval says what is small where everything is at rest.
  const SparseMatrix M = mechanics_.mass(B);
  const Vector load = dt * mechanics_.forces(B), loaded = response_to(M, mechanics_.constraint_rows(B).W, load).col(0);
  Real largest = std::max(1e-3L * load.cwiseAbs().maxCoeff(), 1e-2L * largest_impulse_) + kTiny;
  for (size_t k = 0; k < mechanics_.laws().size(); ++k)
    largest = std::max(largest, impulses_of(end.impulse, k).cwiseAbs().maxCoeff());
  largest_impulse_ = std::max(largest_impulse_, largest);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    LawBetweenEvents at{k,
                        last->after[k],
                        impulses_of(end.impulse, k),
                        mechanics_.rows(k, E),
                        {},
                        {},
                        {},
                        {},
                        largest,
                        clock_of(interval),
                        end.t};
    at.gamma_B = mechanics_.rows(k, B).gamma(B.u);
    at.gamma_E = at.at_E.gamma(E.u);
    at.speed_off.resize(at.Lambda.size());
    for (Index row = 0; row < at.Lambda.size(); ++row) {
      const Vector direction = at.at_E.W.col(row).cwiseAbs();
      at.speed_off[row] = 1e-7L * (direction.dot(speeds) + std::abs(at.at_E.chi[row])) +
                          1e-6L * direction.maxCoeff() * loaded.cwiseAbs().maxCoeff() +
                          1e-9L * direction.maxCoeff() * speeds.maxCoeff() + kTiny;
    }
    at.gap_off = closed_gap(k) + 1e-9L * kAtRest * dt * at.at_E.W.col(0).cwiseAbs().dot(loaded.cwiseAbs());
    check_normal_of_mode(at, B, E);
    if (at.mode != ContactMode::kOpen) check_friction_of_mode(at, dt);
  }
}

/// Each event has a sample at its time, modes of one follow from those of the event before, and jumps have impulses.
void Judge::check_events() {
  const Event* last = nullptr;
  for (const Event& event : events_) {
    const bool sampled = std::binary_search(sample_times_.begin(), sample_times_.end(), event.t);
    check(Kind::kEvents, sampled ? 0.0L : 1.0L, 0.5L, event.t, name_of(event.kind),
          [] { return "the motion has no sample at the time of the event"; });
    if (last != nullptr) {
      check(Kind::kEvents, last->t - event.t, 0.0L, event.t, name_of(event.kind),
            [] { return "the event comes after a later one"; });
      check(Kind::kEvents, last->after == event.before ? 0.0L : 1.0L, 0.5L, event.t, name_of(event.kind),
            [] { return "its modes before are not those after the event before it"; });
    }
    last = &event;
  }
}

}  // namespace tippe::verify
