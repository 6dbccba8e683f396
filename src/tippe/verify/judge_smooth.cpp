// SPDX-License-Identifier: Apache-2.0
// Smooth motion between two samples, jumps without duration, and the modes of event-driven runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

/// Of a motion that is known to 1e-10.
constexpr Real kKnown = 1e-7L;

}  // namespace

/// du/dt where the laws push with their mean force; `response`: to all rows of the laws.
Vector Judge::acceleration(const Place& place, const Vector& impulses, Real dt, Matrix* response) const {
  const Matrix M = mechanics_.mass(place);
  const Rows constraints = mechanics_.constraint_rows(place);
  Matrix W(M.rows(), rows_);
  Vector force = mechanics_.forces(place);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const Rows rows = mechanics_.rows(k, place);
    W.middleCols(first_row_[k], rows.W.cols()) = rows.W;
    force += rows.W * impulses.segment(first_row_[k], rows.W.cols()) / dt;
  }
  // M a = force + W_S lambda, W_S'a + drift = 0: with a = e + rest, where e takes care of the drift.
  const Vector drift = mechanics_.constraint_drift(place);
  Vector particular = Vector::Zero(M.rows());
  if (drift.size() > 0) {
    Vector coefficients;
    (void)outside_range(constraints.W.transpose(), -drift, Vector::Ones(drift.size()), &coefficients);
    particular = coefficients;
  }
  Matrix sides(M.rows(), 1 + rows_);
  sides.col(0) = force - M * particular;
  sides.rightCols(rows_) = W;
  const Matrix solved = response_to(M, constraints.W, sides);
  if (response != nullptr) *response = solved.rightCols(rows_);
  return particular + solved.col(0);
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
  Matrix response_B, response_E;
  const Vector a_B = acceleration(B, impulses, dt, &response_B), a_E = acceleration(E, impulses, dt, &response_E);
  const Vector r_B = mechanics_.rate(B), r_E = mechanics_.rate(E);
  Place middle{B.t + 0.5L * dt, 0.5L * (B.q + E.q) + dt / 8.0L * (r_B - r_E), 0.5L * (B.u + E.u) + dt / 8.0L * (a_B - a_E)};
  mechanics_.normalize(middle.q);
  const Vector a_M = acceleration(middle, impulses, dt, nullptr);
  const Matrix M = mechanics_.mass(middle);
  const Vector scale = momentum_scale(M);
  const auto kinetic_norm = [&](const Vector& v) { return v.cwiseProduct(scale).norm(); };

  const Vector off = E.u - B.u - dt / 6.0L * (a_B + 4.0L * a_M + a_E);
  Real allowed =
      dt / 3.0L * kinetic_norm(a_B - 2.0L * a_M + a_E) + 0.02L * dt * (kinetic_norm(a_M - a_B) + kinetic_norm(a_E - a_M));
  Real terms = kinetic_norm(B.u) + kinetic_norm(E.u) + dt * kinetic_norm(a_M);
  for (Index k = 0; k < rows_; ++k) {
    allowed += kinetic_norm(response_E.col(k) - response_B.col(k)) * std::abs(impulses[k]);
    terms += kinetic_norm(response_B.col(k)) * std::abs(impulses[k]);
  }
  const Real clock = 4.0L * std::numeric_limits<double>::epsilon() * std::max(std::abs(B.t), std::abs(E.t));  // of the times
  allowed += clock * kinetic_norm(a_M);
  Index worst = 0;
  off.cwiseProduct(scale).cwiseAbs().maxCoeff(&worst);
  const std::string& velocity = system_.velocity_names()[static_cast<size_t>(worst)];
  check(Kind::kMomentum, kinetic_norm(off), allowed + kKnown * terms, end.t, velocity, [&] {
    return fmt::format("{} changed by {:.6g} more than forces and impulses explain", velocity,
                       static_cast<double>(off[worst]));
  });

  const Matrix F_B = mechanics_.rate_map(B), F_E = mechanics_.rate_map(E);
  const Vector change_B = F_B * a_B + mechanics_.rate_drift(B), change_E = F_E * a_E + mechanics_.rate_drift(E);
  const Vector bend = dt * dt / 12.0L * (change_E - change_B);
  // The forces of laws may act at one end of the interval or at the other.
  Vector pushed = Vector::Zero(B.q.size());
  for (Index k = 0; k < rows_; ++k) pushed += (F_B * response_B.col(k) * impulses[k]).cwiseAbs();
  const Vector q_off = E.q - B.q - 0.5L * dt * (r_B + r_E) + bend;
  const Real q_size = B.q.cwiseAbs().maxCoeff() + E.q.cwiseAbs().maxCoeff();
  for (Index i = 0; i < q_off.size(); ++i) {
    const Real speed = dt * (std::abs(r_B[i]) + std::abs(r_E[i]));
    const Real enough = std::abs(bend[i]) + 0.02L * bend.cwiseAbs().maxCoeff() + kKnown * speed +
                        clock * (std::abs(r_B[i]) + std::abs(r_E[i])) + 0.5L * dt * pushed[i] + 1e-10L * q_size;
    check(Kind::kPositions, std::abs(q_off[i]), enough, end.t, system_.coordinate_names()[static_cast<size_t>(i)],
          [&] { return fmt::format("it is off by {:.6g} from where the velocities lead", static_cast<double>(q_off[i])); });
  }
  if (!options_.integrator_options.project.value_or(true)) return;
  const Vector g = mechanics_.constraint_positions(E);
  const Rows rows = mechanics_.constraint_rows(E);
  const Vector gamma = rows.gamma(E.u);
  for (Index k = 0; k < g.size(); ++k) {
    const Constraint& constraint = mechanics_.constraints()[static_cast<size_t>(k)].constraint;
    const Real size = rows.W.col(k).cwiseAbs().maxCoeff() * q_size;
    const Real speed = rows.W.col(k).cwiseAbs().dot(E.u.cwiseAbs()) + std::abs(rows.chi[k]);
    if (constraint.holonomic)
      check(Kind::kConstraintPosition, std::abs(g[k]), 1e-9L * size, end.t, constraint.name,
            [&] { return fmt::format("its position is {:.6g}", static_cast<double>(g[k])); });
    check(Kind::kConstraintVelocity, std::abs(gamma[k]), 1e-8L * speed + 1e-10L * size / std::max(dt, 1e-3L), end.t,
          constraint.name, [&] { return fmt::format("its velocity is {:.6g}", static_cast<double>(gamma[k])); });
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
  check(Kind::kPositions, q_off.norm(), 1e-9L * q_size, end.t, "", [&] { return "positions jump"; });
  // Several impacts may follow each other at one instant, each an event of its own; a jump takes part in one sample pair.
  int impacts = 0;
  bool alone = true, without_collision = false;
  for (const Event& event : events_) {
    if (event.t != end.t || event.impulse.size() == 0) continue;
    ++impacts;
    alone = alone && event.kind == EventKind::kImpact;
    without_collision = without_collision || !event.note.empty();
  }
  std::vector<char> closed(mechanics_.laws().size(), 0);
  const Vector impulses = rows_ > 0 ? Vector(end.impulse.cast<Real>()) : Vector();
  for (size_t k = 0; k < closed.size(); ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    const Real gap = law.kind == ForceLaw::Kind::kContact ? mechanics_.gap(k, B) : 0.0L;
    closed[k] = gap <= closed_gap(k) ? 1 : 0;
    const Real carried = impulses.segment(first_row_[k], law.rows).cwiseAbs().maxCoeff();
    if (closed[k] == 0)
      check(Kind::kOpenContact, carried, 1e-300L, end.t, law.name, [&] {
        return fmt::format("its gap is {:.6g}, and it carries {:.6g}", static_cast<double>(gap),
                           static_cast<double>(carried));
      });
  }
  judge_impact(interval, B, B.u, E.u, impulses, closed, impacts == 1 && alone && !without_collision);
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
  const Matrix M = mechanics_.mass(B);
  const Vector load = dt * mechanics_.forces(B), loaded = response_to(M, mechanics_.constraint_rows(B).W, load).col(0);
  Real largest = std::max(1e-3L * load.cwiseAbs().maxCoeff(), 1e-2L * largest_impulse_) + 1e-300L;
  for (size_t k = 0; k < mechanics_.laws().size(); ++k)
    largest = std::max(largest, impulses_of(end.impulse, k).cwiseAbs().maxCoeff());
  largest_impulse_ = std::max(largest_impulse_, largest);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    const ContactMode mode = last->after[k];
    const Vector Lambda = impulses_of(end.impulse, k);
    const Rows at_B = mechanics_.rows(k, B), at_E = mechanics_.rows(k, E);
    const Vector gamma_B = at_B.gamma(B.u), gamma_E = at_E.gamma(E.u);
    const bool contact = law.kind == ForceLaw::Kind::kContact, pad = law.kind == ForceLaw::Kind::kDryFriction;
    const auto speed_off = [&](Index row) {
      const Vector direction = at_E.W.col(row).cwiseAbs();
      return 1e-7L * (direction.dot(speeds) + std::abs(at_E.chi[row])) +
             1e-6L * direction.maxCoeff() * loaded.cwiseAbs().maxCoeff() + 1e-9L * direction.maxCoeff() * speeds.maxCoeff() +
             1e-300L;
    };
    const auto fit = [&](Real value, Real allowed, const char* what) {
      check(Kind::kEvents, value, allowed, end.t, law.name, [&, what] {
        return fmt::format("its mode is {}, and {} {:.6g}", name_of(mode), what, static_cast<double>(value));
      });
    };
    const Real gap_B = contact ? mechanics_.gap(k, B) : 0.0L, gap_E = contact ? mechanics_.gap(k, E) : 0.0L;
    if (mode == ContactMode::kOpen) {
      fit(Lambda.cwiseAbs().maxCoeff(), 1e-9L * largest, "it carries");
      if (contact) fit(-std::min(gap_B, gap_E), closed_gap(k), "it is deep by");
      if (!contact && !pad) fit(-std::min(gamma_B[0], gamma_E[0]), speed_off(0), "it turns back with");
      continue;
    }
    if (contact) fit(std::max(std::abs(gap_B), std::abs(gap_E)), closed_gap(k), "its gap is");
    if (!pad) {
      fit(std::max(std::abs(gamma_B[0]), std::abs(gamma_E[0])), speed_off(0), "its normal velocity is");
      fit(-Lambda[0], 1e-7L * largest, "it pulls with");
    }
    const Index first = pad ? 0 : 1, rows = Lambda.size();
    if (rows == first) continue;
    const Real limit = pad ? law.limit * dt : 0.0L;
    for (Index row = first; row < rows; ++row) {
      const Real mu = row == 1 ? law.mu1 : law.mu2;
      if (!pad && mu == 0.0L) continue;
      const Real most = pad ? limit : mu * Lambda[0];
      if (mode == ContactMode::kStick) {
        fit(std::max(std::abs(gamma_B[row]), std::abs(gamma_E[row])), speed_off(row), "its slip is");
      } else if (mode == ContactMode::kSlideForward || mode == ContactMode::kSlideBackward) {
        const Real sign = mode == ContactMode::kSlideForward ? 1.0L : -1.0L;
        fit(-std::min(sign * gamma_B[row], sign * gamma_E[row]), speed_off(row), "it slips the other way with");
        fit(std::abs(Lambda[row] + sign * most), 1e-6L * (std::abs(most) + 1e-3L * largest),
            "its friction is off its limit by");
      } else if (mode == ContactMode::kSlide) {
        const Vector mean = 0.5L * (gamma_B + gamma_E);
        Real power = 0.0L, terms = 0.0L;
        for (Index j = first; j < rows; ++j) power += Lambda[j] * mean[j], terms += std::abs(Lambda[j]) * speed_off(j);
        if (row == first)
          fit(power, terms + 1e-3L * Lambda.tail(rows - first).norm() * (gamma_E - gamma_B).norm(),
              "its friction gives power");
      }
    }
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
