// SPDX-License-Identifier: Apache-2.0
// One whole step of a time-stepping scheme: where its laws act, and the checks by their definitions there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

constexpr Real kHit = 1e-6L;  // of the velocities of a contact: one that closes faster does not rest

/// Of its terms; where all of them happen to be small, a part of what the fastest velocities are.
Real constraint_speed(const Rows& rows, Index k, const Vector& speeds) {
  return rows.W.col(k).cwiseAbs().dot(speeds) + std::abs(rows.chi[k]) + 1e-2L * largest_of(rows.W, k) * speeds.maxCoeff();
}

/// Of what holds: velocities that are small differences, in what check_lost() allows 1e-8 of.
Vector round_off_of(const Rows& rows, const Vector& u) {
  return 1e-5L * (SparseMatrix(rows.W.cwiseAbs()).transpose() * u.cwiseAbs() + rows.chi.cwiseAbs());
}

SparseMatrix with_columns(const SparseMatrix& W, const std::vector<Vector>& more) {
  SparseMatrix all(W.rows(), W.cols() + static_cast<Index>(more.size()));
  for (Index k = 0; k < W.cols(); ++k) all.col(k) = W.col(k);
  for (size_t k = 0; k < more.size(); ++k) all.col(W.cols() + static_cast<Index>(k)) = more[k].sparseView();
  return all;
}

Vector or_zero(const Eigen::VectorXd& told, Index size) {
  return told.size() > 0 ? Vector(told.cast<Real>()) : Vector(Vector::Zero(size));
}

}  // namespace

Vector Judge::momentum_scale(const SparseMatrix& M) const {
  const Vector masses = M.diagonal();
  return masses.cwiseMax(1e-12L * masses.maxCoeff()).cwiseSqrt();
}

/// The same of velocities that supports have.
Vector Judge::chi_by_clock(const Interval& interval, const Acting& law) const {
  const Real clock = clock_of(interval);
  if (clock <= 1e-10L * interval.dt || !law.found.empty()) return Vector::Zero(law.Lambda.size());
  Place before = interval.B, after = interval.B;
  before.t -= clock;
  after.t += clock;
  return (mechanics_.rows(law.law, after).chi - mechanics_.rows(law.law, before).chi).cwiseAbs();
}

/// By how much the impulse of forces in a step is uncertain since late clocks know times no better, in momentum_scale().
Real Judge::force_by_clock(const Interval& interval, const Place& place, const Vector& scale) const {
  const Real clock = clock_of(interval);
  if (clock <= 1e-10L * interval.dt) return 0.0L;
  Place before = place, after = place;
  before.t -= clock;
  after.t += clock;
  return (interval.dt * (mechanics_.forces(after) - mechanics_.forces(before))).cwiseQuotient(scale).norm();
}

/// `rest`: what should be W_S times impulses. `terms`, `extra`: in the same scale.
void Judge::check_momentum(const Interval& interval, const SparseMatrix& M, const SparseMatrix& W_S, const Vector& rest,
                           Real terms, Real extra, const char* what) {
  const Vector scale = momentum_scale(M);
  const Vector left = outside_range(W_S, rest, scale);
  const Vector scaled = left.cwiseQuotient(scale);
  Index worst = 0;
  if (scaled.size() > 0) scaled.cwiseAbs().maxCoeff(&worst);
  check(Kind::kMomentum, scaled.norm(), kSolved * terms + extra, interval.end.t,
        system_.velocity_names()[static_cast<size_t>(worst)], [&] {
          return fmt::format("{}: {:.6g} is left over, most of it on {}", what, static_cast<double>(left[worst]),
                             system_.velocity_names()[static_cast<size_t>(worst)]);
        });
}

/// Whether a contact closes that did not rest in the last steps: it carried nothing then, or no more than its impact took.
bool Judge::any_is_hit(const Interval& interval, const Place& place) const {
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const bool contact = mechanics_.laws()[k].law.kind == ForceLaw::Kind::kContact;
    const bool rested = rests_[k].carried_ago < kForgotten && rests_[k].prevented_speed > 0.0L;
    if (!contact || !acted(interval.end, k) || rested) continue;
    if (mechanics_.rows(k, place).gamma(interval.B.u)[0] < 0.0L) return true;
  }
  return false;
}

/// A contact acts if it is closed where the scheme looks, and only then. `may_hop`: where another one is hit, one that rested in the last steps acts also
/// if it has just opened, by no more than the way that its impulse prevents in a step.
void Judge::check_closed(const Interval& interval, const Place& place, Real round_off, bool may_hop) {
  const Moment& end = interval.end;
  const Real closed = options_.integrator_options.closed_tolerance;
  const bool with_hops = may_hop && any_is_hit(interval, place);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    const Vector Lambda = impulses_of(end.impulse, k);
    const bool acts = acted(end, k);
    const Real carried = Lambda.cwiseAbs().maxCoeff();
    if (!acts) {
      check(Kind::kOpenContact, carried, kTiny, end.t, law.name,
            [&] { return fmt::format("it does not act, and carries {:.6g}", static_cast<double>(carried)); });
    }
    if (law.kind != ForceLaw::Kind::kContact) continue;
    const Real gap = mechanics_.gap(k, place), terms = largest_gap_terms_[static_cast<Index>(k)];
    Rest& rest = rests_[k];
    ++rest.carried_ago;
    if (!acts) {
      check(Kind::kOpenContact, closed - gap, 1e-13L * terms, end.t, law.name,
            [&] { return fmt::format("it does not act although its gap is {:.6g}", static_cast<double>(gap)); });
      continue;
    }
    // A contact that was closed is not opened by round-off, nor by a millionth of the way that its impulse prevented.
    const Rows rows = mechanics_.rows(k, place);
    const Real square =
        rows.W.col(0).dot(response_to(mechanics_.mass(place), mechanics_.constraint_rows(place).W, rows.W.col(0)).col(0));
    const Real way = 1e-5L * interval.dt * std::max(scale_, std::abs(rows.W.col(0).dot(place.u)));
    const Real hop = with_hops && rest.carried_ago <= kForgotten ? 1.001L * interval.dt * rest.prevented_speed : 0.0L;
    check(Kind::kOpenContact, gap, closed + hop + way * std::max(1.0L, std::sqrt(square)) + (round_off + 1e-13L) * terms,
          end.t, law.name,
          [&] { return fmt::format("it acts although it is open: its gap is {:.6g}", static_cast<double>(gap)); });
    if (Lambda[0] == 0.0L) continue;
    // What turns round what came is no rest, nor is what round-off leaves of that.
    const Real epsilon = system_.impact_law() == ImpactLaw::kNewton ? law.epsilon[0] : 0.0L,
               whole = square * std::abs(Lambda[0]);
    const Real turned = (1.0L + epsilon) * std::max(0.0L, -rows.gamma(place.u)[0]), prevented = whole - turned;
    rest = {0, prevented > 1e-9L * whole ? prevented : 0.0L};
  }
}

/// 1/sqrt(kg)  sqrt(w'M^-1 w) of all rows: the sizes of unit impulses in kinetic units. What neither mass nor constraints connect is looked at by itself.
Vector Judge::lengths_of(const std::vector<Acting>& acting, const SparseMatrix& M, const SparseMatrix& W_S) {
  Index count = 0;
  for (const Acting& law : acting) count += law.Lambda.size();
  SparseMatrix W(M.rows(), count);
  for (Index k = 0; const Acting& law : acting) {
    for (Index row = 0; row < law.Lambda.size(); ++row) W.col(k++) = law.rows.W.col(row);
  }
  return squares_by_response(M, W_S, W).cwiseMax(0.0L).cwiseSqrt();
}

/// sqrt(J)  the fastest relative motion, by velocities or by impulses; `terms`: of the velocity of each row.
Real Judge::fastest_of(const std::vector<Acting>& acting, const Vector& length, const Vector& speeds, Vector& terms) {
  terms.resize(length.size());
  Real largest = 0.0L;
  for (Index k = 0; const Acting& law : acting) {
    for (Index row = 0; row < law.Lambda.size(); ++row, ++k) {
      terms[k] = law.rows.W.col(row).cwiseAbs().dot(speeds) + std::abs(law.rows.chi[row]);
      if (length[k] > 0.0L) largest = std::max(largest, terms[k] / length[k]);
      largest = std::max(largest, std::abs(law.Lambda[row]) * length[k]);
    }
  }
  return largest;
}

void Judge::check_acting(const Interval& interval, const std::vector<Acting>& acting, const SparseMatrix& M,
                         const SparseMatrix& W_S, const Vector& speeds, Real dt, bool impact) {
  if (acting.empty()) return;
  const Vector length = lengths_of(acting, M, W_S);
  Vector terms;
  Real largest = fastest_of(acting, length, speeds, terms);
  if (impact &&
      interval.dt >
          0.0L) {  // velocities are known by the residual of a step, also where it leaves next to nothing of what the loads give in it
    const Vector given = interval.dt * response_to(M, W_S, mechanics_.forces(interval.B)).col(0);
    largest = std::max(largest, std::sqrt(std::max(0.0L, given.dot(M * given))));
  }
  scale_ = std::max(scale_, largest);
  const Real off = kOfResidual * interval.rho * largest;
  // In a jump, what loads do in the time that the clock does not resolve.
  Vector loaded = Vector::Zero(M.rows());
  if (impact && options_.adaptive())
    loaded = clock_of(interval) * response_to(M, W_S, mechanics_.forces(interval.B)).col(0).cwiseAbs();
  for (Index k = 0; const Acting& law : acting) {
    const Index rows = law.Lambda.size();
    const Vector unclear = chi_by_clock(interval, law);
    LawChecks checks{Vector(rows), Vector(rows), impact ? 0.0L : dt, impact, interval.end.t};
    for (Index row = 0; row < rows; ++row) {
      const Real size = length[k + row];
      checks.xi_off[row] =
          off * size + 1e-12L * terms[k + row] + unclear[row] + law.rows.W.col(row).cwiseAbs().dot(loaded) + kTiny;
      checks.Lambda_off[row] = (size > 0.0L ? off / size : std::abs(law.Lambda[row])) + kTiny;
    }
    k += rows;
    if (kind_of(law).kind == ForceLaw::Kind::kContact && dt > 0.0L) {
      const Real gap_terms = law.found.empty() ? largest_gap_terms_[static_cast<Index>(law.law)] : law.gap_terms;
      checks.xi_off[0] += 1e-14L * gap_terms / dt;
    }
    check_law(law, checks);
  }
}

/// Of what a law may act on, what fits best counts for its friction.
void Judge::check_law(const Acting& law, const LawChecks& checks) {
  const ForceLaw& kind = kind_of(law);
  const std::string& name = called(law, kind);
  const Vector& xi = law.xi.front();
  const auto& [Lambda_off, xi_off, dt, impact, t] = checks;
  if (law.by_matrix) {
    check_share(Kind::kImpactLaw, std::abs(xi[0]) / xi_off[0], xi_off[0], t, name,
                [&] { return fmt::format("v+ + E v- is {:.6g}", static_cast<double>(xi[0])); });
    return;
  }
  LawMisfit best = misfit_of({kind, law.Lambda, xi, Lambda_off, xi_off, dt});
  for (size_t k = 1; k < law.xi.size(); ++k) {
    const LawMisfit other = misfit_of({kind, law.Lambda, law.xi[k], Lambda_off, xi_off, dt});
    best.friction_direction = std::min(best.friction_direction, other.friction_direction);
  }
  if (law.slip_before) {
    const LawMisfit hit = misfit_of({kind, law.Lambda, xi, Lambda_off, xi_off, dt, law.slip_before});
    best.friction_set = std::min(best.friction_set, hit.friction_set);
    best.friction_direction = impact ? hit.friction_direction : std::min(best.friction_direction, hit.friction_direction);
  }
  const bool pad = kind.kind == ForceLaw::Kind::kDryFriction;
  if (!pad) check_normal(law, best, checks);
  if (pad || law.Lambda.size() > 1) check_friction(law, best, checks);
}

void Judge::check_normal(const Acting& law, const LawMisfit& misfit, const LawChecks& checks) {
  const std::string& name = called(law, kind_of(law));
  const bool impact = checks.impact;
  const Real xi_off = checks.xi_off[0];
  const auto Lambda = static_cast<double>(law.Lambda[0]), xi = static_cast<double>(law.xi.front()[0]);
  check_share(Kind::kPull, misfit.pull, checks.Lambda_off[0], checks.t, name,
              [&] { return fmt::format("the normal impulse {} is {:.6g}: it pulls", checks.where(), Lambda); });
  check_share(impact ? Kind::kImpactLaw : Kind::kClosing, misfit.closing, xi_off, checks.t, name, [&] {
    return impact ? fmt::format("gamma+ + epsilon gamma- is {:.6g}", xi) : fmt::format("it closes with {:.6g}", -xi);
  });
  if (law.with_impact) return;
  check_share(impact ? Kind::kImpactLaw : Kind::kComplementarity, misfit.complementarity, xi_off, checks.t, name, [&] {
    return fmt::format("it carries {:.6g} {}, and {} is {:.6g}", Lambda, checks.where(),
                       impact ? "gamma+ + epsilon gamma-" : "its velocity", xi);
  });
}

void Judge::check_friction(const Acting& law, const LawMisfit& misfit, const LawChecks& checks) {
  const Index last = law.Lambda.size() - 1;
  const ForceLaw& kind = kind_of(law);
  const Index first = kind.kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
  const std::string& name = called(law, kind);
  check_share(Kind::kFrictionSet, misfit.friction_set, checks.Lambda_off[last], checks.t, name, [&] {
    return fmt::format("the friction {:.6g} {} lies outside its set",
                       static_cast<double>(law.Lambda.tail(last + 1 - first).norm()), checks.where());
  });
  if (law.with_impact) return;
  check_share(checks.impact ? Kind::kImpactLaw : Kind::kFrictionDirection, misfit.friction_direction, checks.xi_off[last],
              checks.t, name, [&] {
                return fmt::format("the friction {:.6g} {} does not take the most power from the slip {:.6g}",
                                   static_cast<double>(law.Lambda[first]), checks.where(),
                                   static_cast<double>(law.xi.front()[first]));
              });
}

/// Contacts of a restitution matrix follow it if all of them are closed, one closes and none opens.
bool Judge::matrix_governs(const Place& place, const Vector& u_minus, const std::vector<char>& closed) const {
  const RestitutionMatrix* matrix = system_.restitution_matrix();
  if (matrix == nullptr) return false;
  Vector v(static_cast<Index>(matrix->laws.size()));
  for (Index i = 0; i < v.size(); ++i) {
    const auto law = static_cast<size_t>(matrix->laws[static_cast<size_t>(i)]);
    if (closed[law] == 0) return false;
    v[i] = mechanics_.rows(law, place).gamma(u_minus)[0];
  }
  const Real rest_speed = 1e-8L * v.cwiseAbs().maxCoeff();
  return v.maxCoeff() <= rest_speed && v.minCoeff() < -rest_speed;
}

int Judge::row_of_matrix(size_t law) const {
  const std::vector<int>& laws = system_.restitution_matrix()->laws;
  const auto found = std::find(laws.begin(), laws.end(), static_cast<int>(law));
  return found == laws.end() ? -1 : static_cast<int>(found - laws.begin());
}

/// E v- of a row.
Real Judge::returned_by_matrix(int row, const Place& place, const Vector& u_minus) const {
  const RestitutionMatrix& matrix = *system_.restitution_matrix();
  Real returned = 0.0L;
  for (size_t j = 0; j < matrix.laws.size(); ++j)
    returned += static_cast<Real>(matrix.E(row, static_cast<Index>(j))) *
                mechanics_.rows(static_cast<size_t>(matrix.laws[j]), place).gamma(u_minus)[0];
  return returned;
}

/// An impact apart from the motion: momentum, and the law if there was one impact alone.
void Judge::judge_impact(const Interval& interval, const Place& place, const Vector& u_minus, const Vector& u_plus,
                         const Vector& impulses, const std::vector<char>& closed, bool single) {
  const SparseMatrix M = mechanics_.mass(place);
  const Rows constraints = mechanics_.constraint_rows(place);
  const ImpactLaw impact_law = system_.impact_law();
  Vector rest = M * (u_plus - u_minus);
  const Vector scale = momentum_scale(M);
  Real terms = (M * u_plus).cwiseQuotient(scale).norm() + (M * u_minus).cwiseQuotient(scale).norm();
  std::vector<Acting> acting;
  for (size_t k = 0; k < closed.size(); ++k) {
    if (closed[k] == 0) continue;
    Acting law{k, mechanics_.rows(k, place), impulses.segment(first_row_[k], mechanics_.laws()[k].law.rows), {}, false};
    rest -= law.rows.W * law.Lambda;
    terms += (law.rows.W * law.Lambda).cwiseQuotient(scale).norm();
    acting.push_back(std::move(law));
  }
  const Real unresolved = options_.adaptive() ? clock_of(interval) : 0.0L;  // in which forces act too
  check_momentum(interval, M, constraints.W, rest, terms, unresolved * mechanics_.forces(place).cwiseQuotient(scale).norm(),
                 "in an impact M (u+ - u-) - W Lambda");
  const Vector speeds = u_minus.cwiseAbs().cwiseMax(u_plus.cwiseAbs());
  // Impulses are known by the residual of the impact and the velocities in it, also those of contacts that carry next to nothing.
  Vector terms_of_rows;
  const Vector length = acting.empty() ? Vector() : lengths_of(acting, M, constraints.W);
  const Real off = kOfResidual * interval.rho * fastest_of(acting, length, speeds, terms_of_rows);
  impulse_off_.setZero(rows_);
  for (Index k = 0; const Acting& law : acting) {
    for (Index row = 0; row < law.Lambda.size(); ++row, ++k) {
      if (length[k] > 0.0L) impulse_off_[first_row_[law.law] + row] = off / length[k];
    }
  }
  const bool newton = impact_law == ImpactLaw::kNewton;
  const bool by_matrix = matrix_governs(place, u_minus, closed);
  for (Acting& law : acting) {
    const ForceLaw& kind = mechanics_.laws()[law.law].law;
    const Vector before = law.rows.gamma(u_minus);
    law.is_hit_with(kind, before);
    Vector xi = law.rows.gamma(u_plus);
    if (const int row = by_matrix ? row_of_matrix(law.law) : -1; row >= 0) {
      law.by_matrix = true;
      xi[0] += returned_by_matrix(row, place, u_minus);
    } else if (single && impact_law != ImpactLaw::kPoisson) {
      for (Index k = 0; k < xi.size(); ++k) xi[k] += kind.epsilon[newton ? static_cast<size_t>(k) : 0] * before[k];
    }
    law.xi.push_back(xi);
  }
  if (single && impact_law != ImpactLaw::kPoisson) {
    check_acting(interval, acting, M, constraints.W, speeds, 0.0L, true);
    return;
  }
  // Phases, or several impacts at one instant, are not told apart: no contact closes after them, but for what loads do in the time that the clock does not resolve.
  Vector loaded = Vector::Zero(M.rows());
  if (unresolved > 0.0L && !acting.empty())
    loaded = unresolved * response_to(M, constraints.W, mechanics_.forces(place)).col(0).cwiseAbs();
  for (const Acting& law : acting) {
    if (mechanics_.laws()[law.law].law.kind == ForceLaw::Kind::kDryFriction) continue;
    const Real size = law.rows.W.col(0).cwiseAbs().dot(speeds) + std::abs(law.rows.chi[0]);
    const Real by_loads = law.rows.W.col(0).cwiseAbs().dot(loaded);
    check(Kind::kImpactLaw, -law.xi[0][0], 1e-6L * size + kOfResidual * interval.rho * scale_ + by_loads, interval.end.t,
          law_name(law.law),
          [&] { return fmt::format("after the impact it closes with {:.6g}", static_cast<double>(-law.xi[0][0])); });
  }
}

void Judge::check_lost(const Interval& interval, const Loss& lost, const std::vector<Acting>& acting) {
  Real unclear = 0.0L;
  for (const Acting& law : acting) unclear += law.Lambda.cwiseAbs().dot(chi_by_clock(interval, law));
  const Real told = static_cast<Real>(interval.end.energy.lost_in_contacts) - interval.begin.energy.lost_in_contacts;
  const Moment::Energy& e = interval.end.energy;
  const Real clock = 1e-14L * (std::abs(e.lost_in_contacts) + std::abs(e.total));
  check(Kind::kEnergy, std::abs(told - lost.value), 1e-8L * lost.terms + unclear + clock, interval.end.t, "lost_in_contacts",
        [&] {
          return fmt::format("the contacts took {:.9g} in the step, and the books say {:.9g}",
                             static_cast<double>(lost.value), static_cast<double>(told));
        });
}

/// What followed the equations of a step: T + V rose by what is booked.
void Judge::check_moved(const Interval& interval) {
  if (interval.end.moved_q.size() == 0 || options_.integrator_options.project.value_or(false)) return;
  const Place& E = interval.E;
  const Place before{E.t, E.q - interval.end.moved_q.cast<Real>(), E.u - interval.end.moved_u.cast<Real>()};
  const Real rise =
      (mechanics_.kinetic(E) - mechanics_.kinetic(before)) + (mechanics_.potential(E) - mechanics_.potential(before));
  const Real told = static_cast<Real>(interval.end.energy.pushed_out) - interval.begin.energy.pushed_out;
  const Real size = mechanics_.kinetic(E) + std::abs(mechanics_.potential(E)) + std::abs(interval.end.energy.pushed_out);
  check(Kind::kEnergy, std::abs(rise - told), 1e-13L * size + 1e-6L * std::abs(rise), interval.end.t, "pushed_out", [&] {
    return fmt::format("pushing out raised T + V by {:.9g}, and the books say {:.9g}", static_cast<double>(rise),
                       static_cast<double>(told));
  });
}

/// Where rows of constraints depend on each other, schemes look at the nearest place that keeps them. Answers how far off that may be: the
/// nearest depends on the metric, and Newton's method on its way.
Real Judge::put_on_constraints(Place& middle) const {
  if (!redundant_) return 0.0L;
  const Vector before = middle.q;
  middle.q = mechanics_.nearest_on_constraints(middle);
  // Where their number changes, as in a linkage that passes a straight position, nobody can say which rows hold.
  constexpr Real kDecided = 0.02L;
  if (mechanics_.dependence(middle).smallest < kDecided) return kUndecided;
  return 1e-2L * (middle.q - before).cwiseAbs().maxCoeff();
}

void Judge::check_reached(const Interval& interval, const Vector& off, const Vector& rate, const Vector& u_E, Real part,
                          Real more) {
  const Real fastest = u_E.cwiseAbs().maxCoeff();
  for (Index i = 0; i < off.size(); ++i) {
    const Real size = std::abs(interval.E.q[i]) + std::abs(interval.B.q[i]) + interval.dt * (std::abs(rate[i]) + fastest);
    check(Kind::kPositions, std::abs(off[i]), part * size + more, interval.end.t,
          system_.coordinate_names()[static_cast<size_t>(i)],
          [&] { return fmt::format("it is off by {:.6g} from where the velocities lead", static_cast<double>(off[i])); });
  }
}

void Judge::check_constraint_speeds(const Interval& interval, const Rows& constraints, const Vector& u_E,
                                    const Vector& speeds, Real part) {
  const Vector gamma = constraints.gamma(u_E);
  for (Index k = 0; k < gamma.size(); ++k) {
    check(Kind::kConstraintVelocity, std::abs(gamma[k]), part * constraint_speed(constraints, k, speeds) + kTiny,
          interval.end.t, mechanics_.constraints()[static_cast<size_t>(k)].constraint.name,
          [&] { return fmt::format("its velocity at the end is {:.6g}", static_cast<double>(gamma[k])); });
  }
}

/// (5.3)-(5.8): everything at the midpoint that u_B leads to.
void Judge::judge_moreau(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector moved_q = or_zero(end.moved_q, B.q.size()), moved_u = or_zero(end.moved_u, B.u.size());
  const Vector u_E = E.u - moved_u, u_start = end.u_start.size() > 0 ? Vector(end.u_start.cast<Real>()) : B.u;
  Place middle{B.t + 0.5L * dt, B.q + 0.5L * dt * mechanics_.rate(B), B.u};
  const Vector reached = middle.q;
  mechanics_.normalize(middle.q);
  const Real uncertain = put_on_constraints(middle);
  const SparseMatrix M = mechanics_.mass(middle);
  const Rows constraints = mechanics_.constraint_rows(middle);
  const Vector scale = momentum_scale(M);

  const Vector last_rate = mechanics_.rate({middle.t, middle.q, u_E});
  const Real off_by_place = uncertain * dt * u_E.cwiseAbs().maxCoeff() / (1.0L + middle.q.cwiseAbs().maxCoeff());
  Vector q_E = reached + 0.5L * dt * last_rate;
  mechanics_.normalize(q_E);
  check_reached(interval, E.q - moved_q - q_E, last_rate, u_E, 1e-12L, off_by_place);

  const Vector h = mechanics_.forces(middle);
  Balance balance{
      M * (u_E - B.u) - dt * h,
      (M * u_E).cwiseQuotient(scale).norm() + (M * B.u).cwiseQuotient(scale).norm() + (dt * h).cwiseQuotient(scale).norm(),
      {},
      {},
      {}};
  auto& [rest, terms, acting, lost, moments, books_known] = balance;
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  std::vector<char> closed(mechanics_.laws().size(), 0);
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    if (!acted(end, k) && end.impulse.segment(first_row_[k], mechanics_.laws()[k].law.rows).isZero(0.0)) continue;
    closed[k] = 1;
    const ForceLaw& law = mechanics_.laws()[k].law;
    const Vector impact = impulses_of(end.impact, k);
    Acting now{k, mechanics_.rows(k, middle), impulses_of(end.impulse, k) - impact, {}, false};
    rest -= now.rows.W * (now.Lambda + impact);
    terms += (now.rows.W * (now.Lambda + impact)).cwiseQuotient(scale).norm();
    const Vector gamma_B = now.rows.gamma(B.u), gamma_start = now.rows.gamma(u_start), gamma_E = now.rows.gamma(u_E);
    Vector xi = gamma_E;
    for (Index row = 0; newton && row < xi.size(); ++row)
      xi[row] += static_cast<Real>(law.epsilon[static_cast<size_t>(row)]) * gamma_B[row];
    now.xi.push_back(xi);
    if (gamma_B[0] < -kHit * gamma_B.cwiseAbs().sum() && law.kind == ForceLaw::Kind::kContact) now.is_hit_with(law, gamma_B);
    lost += book(k, {-0.5L * now.Lambda.dot(gamma_start + gamma_E) - 0.5L * impact.dot(gamma_B + gamma_start),
                     (now.Lambda.cwiseAbs() + impact.cwiseAbs())
                         .dot(gamma_B.cwiseAbs() + gamma_start.cwiseAbs() + gamma_E.cwiseAbs() +
                              round_off_of(now.rows, B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs())))});
    acting.push_back(std::move(now));
  }
  add_found(interval, middle, u_start, u_E, scale, balance);
  check_momentum(interval, M, with_columns(constraints.W, moments), rest, terms,
                 uncertain * terms + force_by_clock(interval, middle, scale), "M (u_E - u_B) - h dt - W Lambda");
  check_mean_forces(interval, constraints, rest, scale, terms);
  const Vector speeds = B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs()).cwiseMax(u_start.cwiseAbs());
  check_constraint_speeds(interval, constraints, u_E, speeds, kSolved + uncertain);
  if (rows_ == 0) return;
  check_acting(interval, acting, M, constraints.W, speeds, dt, false);
  check_closed(interval, middle, 0.0L, true);
  if (end.impacts > 0.0 && found_bodies_) {
    check_after_impacts(interval, middle, u_start);
  } else if (end.impacts > 0.0) {
    judge_impact(interval, middle, B.u, u_start, end.impact.cast<Real>(), closed, end.impacts == 1.0);
  }
  if (end.impacts <= 1.0 && books_known) check_lost(interval, lost, acting);
  check_moved(interval);
}

/// The theta scheme: forces at both ends, all else at the midpoint that u_B leads to.
void Judge::judge_moreau_jean(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Real theta = options_.integrator_options.theta;
  const Vector moved_q = or_zero(end.moved_q, B.q.size()), moved_u = or_zero(end.moved_u, B.u.size());
  const Vector u_E = E.u - moved_u;
  Place middle{B.t + 0.5L * dt, B.q + 0.5L * dt * mechanics_.rate(B), B.u};
  mechanics_.normalize(middle.q);
  const Real uncertain = put_on_constraints(middle);
  const SparseMatrix M = mechanics_.mass(middle);
  const Rows constraints = mechanics_.constraint_rows(middle);
  const Vector scale = momentum_scale(M);
  const Place before{B.t + dt, E.q - moved_q, u_E};

  const Vector rate = mechanics_.rate({middle.t, middle.q, theta * u_E + (1.0L - theta) * B.u});
  const Real off_by_place = uncertain * dt * u_E.cwiseAbs().maxCoeff() / (1.0L + middle.q.cwiseAbs().maxCoeff());
  Vector q_E = B.q + dt * rate;
  mechanics_.normalize(q_E);
  check_reached(interval, before.q - q_E, rate, u_E, 1e-11L, off_by_place);
  const Vector h_B = mechanics_.forces(B), h_E = mechanics_.forces(before);
  Balance balance{M * (u_E - B.u) - dt * (theta * h_E + (1.0L - theta) * h_B),
                  (M * u_E).cwiseQuotient(scale).norm() + (M * B.u).cwiseQuotient(scale).norm() +
                      dt * (h_B.cwiseQuotient(scale).norm() + h_E.cwiseQuotient(scale).norm()),
                  {},
                  {},
                  {}};
  auto& [rest, terms, acting, lost, moments, books_known] = balance;
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    if (!acted(end, k) && end.impulse.segment(first_row_[k], mechanics_.laws()[k].law.rows).isZero(0.0)) continue;
    const ForceLaw& law = mechanics_.laws()[k].law;
    Acting now{k, mechanics_.rows(k, middle), impulses_of(end.impulse, k), {}, false};
    rest -= now.rows.W * now.Lambda;
    terms += (now.rows.W * now.Lambda).cwiseQuotient(scale).norm();
    const Vector gamma_B = now.rows.gamma(B.u), gamma_E = now.rows.gamma(u_E);
    Vector xi = gamma_E;
    for (Index row = 0; row < xi.size(); ++row)
      xi[row] += static_cast<Real>(law.epsilon[static_cast<size_t>(row)]) * gamma_B[row];
    now.xi.push_back(xi);
    if (gamma_B[0] < -kHit * gamma_B.cwiseAbs().sum() && law.kind == ForceLaw::Kind::kContact) now.is_hit_with(law, gamma_B);
    lost += book(k, {-0.5L * now.Lambda.dot(gamma_B + gamma_E),
                     now.Lambda.cwiseAbs().dot(gamma_B.cwiseAbs() + gamma_E.cwiseAbs() +
                                               round_off_of(now.rows, B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs())))});
    acting.push_back(std::move(now));
  }
  add_found(interval, middle, B.u, u_E, scale, balance);
  // The iteration ends at 1e-10 of the velocities, and where forces are steep at the round-off of q / dt.
  const Real solved =
      1e-9L * terms +
      1e-12L * (M * before.q.cwiseAbs().maxCoeff() * Vector::Ones(M.rows()) / dt).cwiseQuotient(scale).norm();
  check_momentum(interval, M, with_columns(constraints.W, moments), rest, terms,
                 solved + uncertain * terms + force_by_clock(interval, before, scale), "M (u_E - u_B) - h dt - W Lambda");
  check_mean_forces(interval, constraints, rest, scale, terms);
  const Vector speeds = B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs());
  check_constraint_speeds(interval, constraints, u_E, speeds, 1e-8L + uncertain);
  if (rows_ == 0) return;
  check_acting(interval, acting, M, constraints.W, speeds, dt, false);
  check_closed(interval, middle, 0.0L, true);
  if (books_known) check_lost(interval, lost, acting);
  check_moved(interval);
}

}  // namespace tippe::verify
