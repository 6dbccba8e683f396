// SPDX-License-Identifier: Apache-2.0
// Contacts that were found by shapes: where they are is taken as it is told, what they do follows from the definitions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

/// Of the half size of what touches: the width of the rest band by default.
constexpr Real kRestBandShare = 1e-4L;

constexpr Real kHit = 1e-6L;  // of the velocities of a contact: one that closes faster does not rest

}  // namespace

/// Takes their impulses from the balance of a step, with all that they act on at `place`, where its scheme looks. u_start: with which the motion began.
void Judge::add_found(const Interval& interval, const Place& place, const Vector& u_start, const Vector& u_E,
                      const Vector& scale, Balance& balance) {
  if (!found_bodies_) return;
  const auto& [begin, end, B, E, dt, rho] = interval;
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  balance.books_known = end.impacts == 0.0;
  const Vector fastest = B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs());
  const Real place_terms = place.q.cwiseAbs().maxCoeff(), farthest = E.q.cwiseAbs().maxCoeff();
  for (const FoundContact& contact : end.found) {
    check_found_gap(interval, contact, farthest);
    const auto number = static_cast<size_t>(contact.law);
    const ForceLaw& law = law_of(number);
    Acting now{number, found_bodies_->rows(contact, place.q), found_bodies_->along_rows(contact), {}};
    now.found = system_.law_name(contact.id);
    now.gap_terms = place_terms;
    now.with_impact = end.impacts > 0.0;
    const SparseVector push = now.rows.W * SparseVector(now.Lambda.sparseView());
    Real square = 0.0L;
    for (SparseVector::InnerIterator entry(push); entry; ++entry) {
      balance.rest[entry.index()] -= entry.value();
      square += std::pow(entry.value() / scale[entry.index()], 2);
    }
    balance.terms += std::sqrt(square);
    const bool elliptic = law.mu1 != law.mu2;
    if (law.drilling || elliptic) {
      // Its moment is not recorded, nor the axes of an ellipse: the normal alone can be judged, and that the force lies within the largest set.
      const Real N = now.Lambda[0], T = now.Lambda.tail(now.Lambda.size() - 1).norm();
      check(Kind::kFrictionSet, T - std::max(law.mu1, law.mu2) * N, 1e4L * rho * now.Lambda.norm() + kTiny, end.t, now.found,
            [&] {
              return fmt::format("the friction {:.6g} is above mu times the normal impulse {:.6g}", static_cast<double>(T),
                                 static_cast<double>(N));
            });
      if (law.drilling) balance.moments.push_back(found_bodies_->drilling_row(contact, place.q));
      balance.books_known = false;
    }
    const Index rows = law.drilling || elliptic ? 1 : std::min<Index>(law.rows, now.Lambda.size());
    now.rows = {SparseMatrix(now.rows.W.leftCols(rows)), Vector(now.rows.chi.head(rows))};
    now.Lambda.conservativeResize(rows);
    const Vector gamma_B = now.rows.gamma(B.u), gamma_E = now.rows.gamma(u_E);
    Vector xi = gamma_E;
    for (Index row = 0; newton && row < rows; ++row)
      xi[row] += static_cast<Real>(law.epsilon[static_cast<size_t>(row)]) * gamma_B[row];
    if (newton) xi[0] += std::max<Real>(0.0L, contact.gap) / dt;  // what is open may come so near
    now.xi.push_back(xi);
    if (gamma_B[0] < -kHit * gamma_B.cwiseAbs().sum()) now.is_hit_with(law, gamma_B);
    const Vector round_off = 1e-5L * (SparseMatrix(now.rows.W.cwiseAbs()).transpose() * fastest);
    const Vector gamma_start = now.rows.gamma(u_start);
    balance.lost += {-0.5L * now.Lambda.dot(gamma_start + gamma_E),
                     now.Lambda.cwiseAbs().dot(gamma_start.cwiseAbs() + gamma_E.cwiseAbs() + round_off)};
    balance.acting.push_back(std::move(now));
    add_found_rolling(interval, place, u_start, u_E, contact, balance);
  }
}

/// Its rolling resistance, whose set follows its own normal impulse.
void Judge::add_found_rolling(const Interval& interval, const Place& place, const Vector& u_start, const Vector& u_E,
                              const FoundContact& contact, Balance& balance) {
  const auto rolling = std::ranges::find_if(
      system_.laws(), [&](const ForceLaw& law) { return law.rolling && law.rolling->contact == contact.law; });
  if (rolling == system_.laws().end()) return;
  Acting now{static_cast<size_t>(rolling - system_.laws().begin()),
             found_bodies_->rolling_rows(contact, place.q),
             found_bodies_->along_rolling(contact),
             {}};
  if (now.rows.W.nonZeros() == 0) return;  // points do not turn
  now.found = system_.law_name(contact.id.rolling());
  now.with_impact = interval.end.impacts > 0.0;
  now.limited = *rolling;
  const Real normal = std::max<Real>(0.0L, contact.normal.cast<Real>().dot(contact.impulse.cast<Real>()));
  now.limited->limits[0] = now.limited->limits[1] = static_cast<double>(rolling->rolling->arm * normal / interval.dt);
  const SparseVector push = now.rows.W * SparseVector(now.Lambda.sparseView());
  for (SparseVector::InnerIterator entry(push); entry; ++entry) balance.rest[entry.index()] -= entry.value();
  const Vector gamma_start = now.rows.gamma(u_start), gamma_E = now.rows.gamma(u_E);
  now.xi.push_back(gamma_E);
  balance.lost += {-0.5L * now.Lambda.dot(gamma_start + gamma_E),
                   now.Lambda.cwiseAbs().dot(gamma_start.cwiseAbs() + gamma_E.cwiseAbs())};
  balance.acting.push_back(std::move(now));
}

/// What carries is closed, or in the band in which it comes to rest.
void Judge::check_found_gap(const Interval& interval, const FoundContact& contact, Real largest_place) {
  const double size = system_.largest_half_size();
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  const Real band =
      newton ? options_.integrator_options.rest_band.value_or(static_cast<double>(kRestBandShare) * size) : 0.0;
  const Real round_off = 1e-9L * size + 1e-13L * largest_place;
  check(Kind::kOpenContact, contact.gap, band + round_off + options_.integrator_options.closed_tolerance, interval.end.t,
        system_.law_name(contact.id),
        [&] { return fmt::format("it acts although it is open: its gap is {:.6g}", contact.gap); });
}

/// Impulses of impacts before the motion are not told apart from those of the motion: what carried does not close between them.
void Judge::check_after_impacts(const Interval& interval, const Place& place, const Vector& u_start) {
  const Vector speeds = interval.B.u.cwiseAbs().cwiseMax(u_start.cwiseAbs());
  for (const FoundContact& contact : interval.end.found) {
    const Rows rows = found_bodies_->rows(contact, place.q);
    const Real closes = -rows.W.col(0).dot(u_start), size = rows.W.col(0).cwiseAbs().dot(speeds);
    check(Kind::kImpactLaw, closes, 1e-6L * size + kOfResidual * interval.rho * scale_, interval.end.t,
          system_.law_name(contact.id),
          [&] { return fmt::format("after the impact it closes with {:.6g}", static_cast<double>(closes)); });
  }
}

/// The impulses of a law are the sums over its contacts, row by row: of friction, whose directions differ from contact to contact, that is no more than the sizes add up to, and of
/// one contact its size. What carried in the middle of the step has moved by its end with the velocities there: the smallest gap of its law is about no
/// larger.
void Judge::check_found_sums(const Interval& interval, bool moved) {
  if (!found_bodies_) return;
  const auto& [begin, end, B, E, dt, rho] = interval;
  Index column =
      std::ranges::count(mechanics_.laws(), ForceLaw::Kind::kContact, [](const auto& law) { return law.law.kind; });
  const Vector middle = B.q + 0.5L * dt * mechanics_.rate(B), speeds = E.u.cwiseAbs();
  for (size_t k = mechanics_.laws().size(); k < system_.laws().size(); ++k) {
    if (system_.laws()[k].rolling) {
      check_rolling_sum(interval, k);
      continue;
    }
    Real sum = 0.0L, terms = 0.0L, slips = 0.0L, least = HUGE_VALL;
    int count = 0;
    for (const FoundContact& contact : end.found) {
      if (contact.law != static_cast<int>(k)) continue;
      ++count;
      const Vector along = found_bodies_->along_rows(contact);
      sum += along[0];
      terms += std::abs(along[0]);
      slips += along.tail(along.size() - 1).norm();
      if (moved || scheme_ != Scheme::kMoreau) continue;
      // Its bodies turn and its shapes roll on the way: where a step is short for their sizes, by less than a tenth of the ways of all that moves.
      const Rows rows = found_bodies_->rows(contact, middle);
      const Real speed = (SparseMatrix(rows.W.cwiseAbs()).transpose() * speeds + rows.chi.cwiseAbs()).maxCoeff();
      least = std::min(least, contact.gap + 0.5L * dt * (rows.gamma(E.u)[0] + 0.1L * speed));
    }
    const Vector told = impulses_of(end.impulse, k);
    const Real off = kRoundOff * (terms + slips + told.norm()) + kTiny;
    check(Kind::kColumns, std::abs(told[0] - sum), off, end.t, law_name(k), [&] {
      return fmt::format("the sum of its normal impulses is {:.9g}, and {:.9g} over its contacts",
                         static_cast<double>(told[0]), static_cast<double>(sum));
    });
    const Real friction = told.segment(1, std::min<Index>(told.size() - 1, 2)).norm();
    const Real apart = count == 1 || told.size() == 1 ? std::abs(friction - slips) : friction - slips;
    check(Kind::kColumns, apart, off, end.t, law_name(k), [&] {
      return fmt::format("its friction is {:.9g}, and the sizes over its contacts add up to {:.9g}",
                         static_cast<double>(friction), static_cast<double>(slips));
    });
    const Index gap_column = column++;
    if (!std::isfinite(least)) continue;
    const double size = system_.largest_half_size();
    const double told_gap = end.gap[gap_column];
    const Real gap = std::isfinite(told_gap) ? told_gap : 0.0;  // nothing near: no contact is closed
    check(Kind::kColumns, gap - least, 1e-7L * size + 1e-12L * E.q.cwiseAbs().maxCoeff(), end.t, law_name(k), [&] {
      return fmt::format("its gap is {:.9g}, and one of its contacts that carried is at {:.9g}", told_gap,
                         static_cast<double>(least));
    });
  }
}

/// Moments of the contacts of a law add up to no more than their sizes do.
void Judge::check_rolling_sum(const Interval& interval, size_t law) {
  const Moment& end = interval.end;
  Real moments = 0.0L;
  int count = 0;
  for (const FoundContact& contact : end.found) {
    if (contact.law != system_.laws()[law].rolling->contact) continue;
    moments += contact.moment.cast<Real>().norm();
    ++count;
  }
  const Real told = impulses_of(end.impulse, law).norm(), apart = count == 1 ? std::abs(told - moments) : told - moments;
  check(Kind::kColumns, apart, kRoundOff * (told + moments) + kTiny, end.t, law_name(law), [&] {
    return fmt::format("its moment is {:.9g}, and the sizes over its contacts add up to {:.9g}", static_cast<double>(told),
                       static_cast<double>(moments));
  });
}

}  // namespace tippe::verify
