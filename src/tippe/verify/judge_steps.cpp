// SPDX-License-Identifier: Apache-2.0
// One whole step of a time-stepping scheme: where its laws act, and the checks by their definitions there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

/// What equations of a step that are solved directly leave, relative to their terms.
constexpr Real kSolved = 1e-9L;
/// How many times the residual of a step its impulses and velocities may be off: as many as Tippe's own check allows.
constexpr Real kOfResidual = 100.0L;
constexpr Real kTiny = 1e-280L;

/// Of its terms; where all of them happen to be small, a part of what the fastest velocities are.
Real constraint_speed(const Rows& rows, Index k, const Vector& speeds) {
  return rows.W.col(k).cwiseAbs().dot(speeds) + std::abs(rows.chi[k]) +
         1e-2L * rows.W.col(k).cwiseAbs().maxCoeff() * speeds.maxCoeff();
}

Real second_difference(const Vector& a, const Vector& middle, const Vector& b, const Vector& scale) {
  return (a - 2.0L * middle + b).cwiseQuotient(scale).norm();
}

}  // namespace

Vector Judge::momentum_scale(const Matrix& M) const {
  Vector scale(M.rows());
  const Real largest = M.diagonal().maxCoeff();
  for (Index j = 0; j < M.rows(); ++j) scale[j] = std::sqrt(std::max(M(j, j), 1e-12L * largest));
  return scale;
}

/// `rest`: what should be W_S times impulses. `terms`, `extra`: in the same scale.
void Judge::check_momentum(const Interval& interval, const Matrix& M, const Matrix& W_S, const Vector& rest, Real terms,
                           Real extra, const char* what) {
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

/// A contact acts if it is closed where the scheme looks, and only then.
void Judge::check_closed(const Interval& interval, const Place& place, Real round_off) {
  const Moment& end = interval.end;
  const Real closed = options_.integrator_options.closed_tolerance;
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
    if (acts) {
      // A contact that was closed is not opened by round-off, nor by a millionth of the way that its impulse prevented.
      const Rows rows = mechanics_.rows(k, place);
      const Real way = 1e-5L * interval.dt * std::max(scale_, std::abs(rows.W.col(0).dot(place.u)));
      const Real length = std::sqrt(
          rows.W.col(0).dot(response_to(mechanics_.mass(place), mechanics_.constraint_rows(place).W, rows.W.col(0)).col(0)));
      check(Kind::kOpenContact, gap, closed + way * std::max(1.0L, length) + (round_off + 1e-13L) * terms, end.t, law.name,
            [&] { return fmt::format("it acts although it is open: its gap is {:.6g}", static_cast<double>(gap)); });
    } else {
      check(Kind::kOpenContact, closed - gap, 1e-13L * terms, end.t, law.name,
            [&] { return fmt::format("it does not act although its gap is {:.6g}", static_cast<double>(gap)); });
    }
  }
}

void Judge::check_acting(const Interval& interval, const Place& place, const std::vector<Acting>& acting, const Matrix& M,
                         const Matrix& W_S, const Vector& speeds, Real dt, bool impact) {
  (void)place;
  if (acting.empty()) return;
  Index count = 0;
  for (const Acting& law : acting) count += law.Lambda.size();
  Matrix W(M.rows(), count);
  Vector chi(count);
  for (Index k = 0; const Acting& law : acting) {
    W.middleCols(k, law.rows.W.cols()) = law.rows.W;
    chi.segment(k, law.rows.chi.size()) = law.rows.chi;
    k += law.rows.W.cols();
  }
  const Matrix response = response_to(M, W_S, W);
  Vector length(count), terms(count);
  Real largest = 0.0L;
  for (Index k = 0; k < count; ++k) {
    length[k] = std::sqrt(std::max(0.0L, W.col(k).dot(response.col(k))));
    terms[k] = W.col(k).cwiseAbs().dot(speeds) + std::abs(chi[k]);
    if (length[k] > 0.0L) largest = std::max(largest, terms[k] / length[k]);
  }
  for (Index k = 0; const Acting& law : acting) {
    for (Index row = 0; row < law.Lambda.size(); ++row, ++k)
      largest = std::max(largest, std::abs(law.Lambda[row]) * length[k]);
  }
  scale_ = std::max(scale_, largest);
  const double t = interval.end.t;
  const Real off = kOfResidual * interval.rho * largest;
  for (Index k = 0; const Acting& law : acting) {
    const Index rows = law.Lambda.size();
    Vector Lambda_off(rows), xi_off(rows);
    for (Index row = 0; row < rows; ++row) {
      const Real size = length[k + row];
      xi_off[row] = off * size + 1e-12L * terms[k + row] + kTiny;
      Lambda_off[row] = (size > 0.0L ? off / size : std::abs(law.Lambda[row])) + kTiny;
    }
    k += rows;
    const Real gap_speed = mechanics_.laws()[law.law].law.kind == ForceLaw::Kind::kContact && dt > 0.0L
                               ? 1e-14L * largest_gap_terms_[static_cast<Index>(law.law)] / dt
                               : 0.0L;
    xi_off[0] += gap_speed;
    const ForceLaw& kind = mechanics_.laws()[law.law].law;
    LawMisfit best;
    best.friction_direction = HUGE_VALL;
    for (const Vector& xi : law.xi) {
      const LawMisfit misfit = misfit_of({kind, law.Lambda, xi, Lambda_off, xi_off, impact ? 0.0L : dt});
      const Real direction = std::min(best.friction_direction, misfit.friction_direction);
      if (&xi == &law.xi.front()) best = misfit;
      best.friction_direction = direction;
    }
    const Vector& xi = law.xi.front();
    if (law.by_matrix) {
      check_share(Kind::kImpactLaw, std::abs(xi[0]) / xi_off[0], xi_off[0], t, kind.name,
                  [&] { return fmt::format("v+ + E v- is {:.6g}", static_cast<double>(xi[0])); });
      continue;
    }
    const bool pad = kind.kind == ForceLaw::Kind::kDryFriction;
    const char* const where = impact ? "in an impact" : "in the step";
    if (!pad) {
      check_share(Kind::kPull, best.pull, Lambda_off[0], t, kind.name, [&] {
        return fmt::format("the normal impulse {} is {:.6g}: it pulls", where, static_cast<double>(law.Lambda[0]));
      });
      check_share(impact ? Kind::kImpactLaw : Kind::kClosing, best.closing, xi_off[0], t, kind.name, [&] {
        return impact ? fmt::format("gamma+ + epsilon gamma- is {:.6g}", static_cast<double>(xi[0]))
                      : fmt::format("it closes with {:.6g}", static_cast<double>(-xi[0]));
      });
      check_share(impact ? Kind::kImpactLaw : Kind::kComplementarity, best.complementarity, xi_off[0], t, kind.name, [&] {
        return fmt::format("it carries {:.6g} {}, and {} is {:.6g}", static_cast<double>(law.Lambda[0]), where,
                           impact ? "gamma+ + epsilon gamma-" : "its velocity", static_cast<double>(xi[0]));
      });
    }
    if (!pad && rows == 1) continue;
    check_share(Kind::kFrictionSet, best.friction_set, Lambda_off[rows - 1], t, kind.name, [&] {
      return fmt::format("the friction {:.6g} {} lies outside its set",
                         static_cast<double>(law.Lambda.tail(rows - (pad ? 0 : 1)).norm()), where);
    });
    check_share(
        impact ? Kind::kImpactLaw : Kind::kFrictionDirection, best.friction_direction, xi_off[rows - 1], t, kind.name, [&] {
          return fmt::format("the friction {:.6g} {} does not take the most power from the slip {:.6g}",
                             static_cast<double>(law.Lambda[pad ? 0 : 1]), where, static_cast<double>(xi[pad ? 0 : 1]));
        });
  }
}

/// An impact apart from the motion: momentum, and the law if there was one impact alone.
void Judge::judge_impact(const Interval& interval, const Place& place, const Vector& u_minus, const Vector& u_plus,
                         const Vector& impulses, const std::vector<char>& closed, bool single) {
  const Matrix M = mechanics_.mass(place);
  const Rows constraints = mechanics_.constraint_rows(place);
  const ImpactLaw impact_law = system_.impact_law();
  const RestitutionMatrix* matrix = system_.restitution_matrix();
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
  check_momentum(interval, M, constraints.W, rest, terms, 0.0L, "in an impact M (u+ - u-) - W Lambda");
  const Vector speeds = u_minus.cwiseAbs().cwiseMax(u_plus.cwiseAbs());
  const bool newton = impact_law == ImpactLaw::kNewton;
  // Contacts of a matrix, if it governs: all of them closed, one closes and none opens.
  bool governs = matrix != nullptr;
  if (matrix != nullptr) {
    Vector v(static_cast<Index>(matrix->laws.size()));
    for (Index i = 0; i < v.size(); ++i) {
      const auto law = static_cast<size_t>(matrix->laws[static_cast<size_t>(i)]);
      v[i] = mechanics_.rows(law, place).gamma(u_minus)[0];
      governs = governs && closed[law] != 0;
    }
    const Real rest_speed = 1e-8L * v.cwiseAbs().maxCoeff();
    governs = governs && v.maxCoeff() <= rest_speed && v.minCoeff() < -rest_speed;
  }
  for (Acting& law : acting) {
    const ForceLaw& kind = mechanics_.laws()[law.law].law;
    const Vector before = law.rows.gamma(u_minus);
    Vector xi = law.rows.gamma(u_plus);
    if (governs) {
      const auto place_in = std::find(matrix->laws.begin(), matrix->laws.end(), static_cast<int>(law.law));
      if (place_in != matrix->laws.end()) {
        law.by_matrix = true;
        for (size_t j = 0; j < matrix->laws.size(); ++j) {
          const auto other = static_cast<size_t>(matrix->laws[j]);
          xi[0] += static_cast<Real>(matrix->E(place_in - matrix->laws.begin(), static_cast<Index>(j))) *
                   mechanics_.rows(other, place).gamma(u_minus)[0];
        }
        law.xi.push_back(xi);
        continue;
      }
    }
    for (Index row = 0; row < xi.size(); ++row) {
      const Real epsilon = kind.epsilon[newton ? static_cast<size_t>(row) : 0];
      if (single && impact_law != ImpactLaw::kPoisson) xi[row] += epsilon * before[row];
    }
    law.xi.push_back(xi);
  }
  if (single && impact_law != ImpactLaw::kPoisson) {
    check_acting(interval, place, acting, M, constraints.W, speeds, 0.0L, true);
    return;
  }
  // Phases, or several impacts at one instant, are not told apart: no contact closes after them.
  for (const Acting& law : acting) {
    if (mechanics_.laws()[law.law].law.kind == ForceLaw::Kind::kDryFriction) continue;
    const Real size = law.rows.W.col(0).cwiseAbs().dot(speeds) + std::abs(law.rows.chi[0]);
    check(Kind::kImpactLaw, -law.xi[0][0], 1e-6L * size + kOfResidual * interval.rho * scale_, interval.end.t,
          law_name(law.law),
          [&] { return fmt::format("after the impact it closes with {:.6g}", static_cast<double>(-law.xi[0][0])); });
  }
}

void Judge::check_lost(const Interval& interval, Real lost, Real terms) {
  const Real told = static_cast<Real>(interval.end.energy.lost_in_contacts) - interval.begin.energy.lost_in_contacts;
  const Moment::Energy& e = interval.end.energy;
  const Real clock = 1e-14L * (std::abs(e.lost_in_contacts) + std::abs(e.total));
  check(Kind::kEnergy, std::abs(told - lost), 1e-8L * terms + clock, interval.end.t, "lost_in_contacts", [&] {
    return fmt::format("the contacts took {:.9g} in the step, and the books say {:.9g}", static_cast<double>(lost),
                       static_cast<double>(told));
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
  if (mechanics_.dependence(middle).smallest < kDecided) return 1.0L;
  return 1e-2L * (middle.q - before).cwiseAbs().maxCoeff();
}

/// (5.3)-(5.8): everything at the midpoint that u_B leads to.
void Judge::judge_moreau(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector moved_q = end.moved_q.size() > 0 ? Vector(end.moved_q.cast<Real>()) : Vector(Vector::Zero(B.q.size()));
  const Vector moved_u = end.moved_u.size() > 0 ? Vector(end.moved_u.cast<Real>()) : Vector(Vector::Zero(B.u.size()));
  const Vector u_E = E.u - moved_u, u_start = end.u_start.size() > 0 ? Vector(end.u_start.cast<Real>()) : B.u;
  Place middle{B.t + 0.5L * dt, B.q + 0.5L * dt * mechanics_.rate(B), B.u};
  const Vector reached = middle.q;
  mechanics_.normalize(middle.q);
  const Real uncertain = put_on_constraints(middle);
  const Matrix M = mechanics_.mass(middle);
  const Rows constraints = mechanics_.constraint_rows(middle);
  const Vector scale = momentum_scale(M);

  const Vector last_rate = mechanics_.rate({middle.t, middle.q, u_E});
  const Real off_by_place = uncertain * dt * u_E.cwiseAbs().maxCoeff() / (1.0L + middle.q.cwiseAbs().maxCoeff());
  Vector q_E = reached + 0.5L * dt * last_rate;
  mechanics_.normalize(q_E);
  const Vector q_off = E.q - moved_q - q_E;
  for (Index i = 0; i < q_off.size(); ++i) {
    const Real size =
        std::abs(E.q[i]) + std::abs(B.q[i]) + dt * (std::abs(last_rate[i]) + std::abs(u_E.cwiseAbs().maxCoeff()));
    check(Kind::kPositions, std::abs(q_off[i]), 1e-12L * size + off_by_place, end.t,
          system_.coordinate_names()[static_cast<size_t>(i)],
          [&] { return fmt::format("it is off by {:.6g} from where the velocities lead", static_cast<double>(q_off[i])); });
  }

  const Vector h = mechanics_.forces(middle);
  Vector rest = M * (u_E - B.u) - dt * h;
  Real terms =
      (M * u_E).cwiseQuotient(scale).norm() + (M * B.u).cwiseQuotient(scale).norm() + (dt * h).cwiseQuotient(scale).norm();
  const bool newton = system_.impact_law() == ImpactLaw::kNewton;
  std::vector<Acting> acting;
  std::vector<char> closed(mechanics_.laws().size(), 0);
  Real lost = 0.0L, lost_terms = 0.0L;
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
    lost -= 0.5L * now.Lambda.dot(gamma_start + gamma_E) + 0.5L * impact.dot(gamma_B + gamma_start);
    lost_terms +=
        (now.Lambda.cwiseAbs() + impact.cwiseAbs()).dot(gamma_B.cwiseAbs() + gamma_start.cwiseAbs() + gamma_E.cwiseAbs());
    acting.push_back(std::move(now));
  }
  check_momentum(interval, M, constraints.W, rest, terms, uncertain * terms, "M (u_E - u_B) - h dt - W Lambda");
  const Vector speeds = B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs()).cwiseMax(u_start.cwiseAbs());
  const Vector gamma_S = constraints.gamma(u_E);
  for (Index k = 0; k < gamma_S.size(); ++k) {
    const Real size = constraint_speed(constraints, k, speeds);
    check(Kind::kConstraintVelocity, std::abs(gamma_S[k]), (kSolved + uncertain) * size + kTiny, end.t,
          mechanics_.constraints()[static_cast<size_t>(k)].constraint.name,
          [&] { return fmt::format("its velocity at the end is {:.6g}", static_cast<double>(gamma_S[k])); });
  }
  if (rows_ == 0) return;
  check_acting(interval, middle, acting, M, constraints.W, speeds, dt, false);
  check_closed(interval, middle, 0.0L);
  if (end.impacts > 0.0) judge_impact(interval, middle, B.u, u_start, end.impact.cast<Real>(), closed, end.impacts == 1.0);
  if (end.impacts <= 1.0) check_lost(interval, lost, lost_terms);
  check_moved(interval);
}

/// The theta scheme: forces at both ends, all else at the midpoint that u_B leads to.
void Judge::judge_moreau_jean(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Real theta = options_.integrator_options.theta;
  const Vector moved_q = end.moved_q.size() > 0 ? Vector(end.moved_q.cast<Real>()) : Vector(Vector::Zero(B.q.size()));
  const Vector moved_u = end.moved_u.size() > 0 ? Vector(end.moved_u.cast<Real>()) : Vector(Vector::Zero(B.u.size()));
  const Vector u_E = E.u - moved_u;
  Place middle{B.t + 0.5L * dt, B.q + 0.5L * dt * mechanics_.rate(B), B.u};
  mechanics_.normalize(middle.q);
  const Real uncertain = put_on_constraints(middle);
  const Matrix M = mechanics_.mass(middle);
  const Rows constraints = mechanics_.constraint_rows(middle);
  const Vector scale = momentum_scale(M);
  const Place before{B.t + dt, E.q - moved_q, u_E};

  const Vector rate = mechanics_.rate({middle.t, middle.q, theta * u_E + (1.0L - theta) * B.u});
  const Real off_by_place = uncertain * dt * u_E.cwiseAbs().maxCoeff() / (1.0L + middle.q.cwiseAbs().maxCoeff());
  Vector q_E = B.q + dt * rate;
  mechanics_.normalize(q_E);
  const Vector q_off = before.q - q_E;
  for (Index i = 0; i < q_off.size(); ++i) {
    const Real size = std::abs(E.q[i]) + std::abs(B.q[i]) + dt * (std::abs(rate[i]) + u_E.cwiseAbs().maxCoeff());
    check(Kind::kPositions, std::abs(q_off[i]), 1e-11L * size + off_by_place, end.t,
          system_.coordinate_names()[static_cast<size_t>(i)],
          [&] { return fmt::format("it is off by {:.6g} from where the velocities lead", static_cast<double>(q_off[i])); });
  }
  const Vector h_B = mechanics_.forces(B), h_E = mechanics_.forces(before);
  Vector rest = M * (u_E - B.u) - dt * (theta * h_E + (1.0L - theta) * h_B);
  Real terms = (M * u_E).cwiseQuotient(scale).norm() + (M * B.u).cwiseQuotient(scale).norm() +
               dt * (h_B.cwiseQuotient(scale).norm() + h_E.cwiseQuotient(scale).norm());
  std::vector<Acting> acting;
  Real lost = 0.0L, lost_terms = 0.0L;
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
    lost -= 0.5L * now.Lambda.dot(gamma_B + gamma_E);
    lost_terms += now.Lambda.cwiseAbs().dot(gamma_B.cwiseAbs() + gamma_E.cwiseAbs());
    acting.push_back(std::move(now));
  }
  // The iteration ends at 1e-10 of the velocities, and where forces are steep at the round-off of q / dt.
  const Real solved =
      1e-9L * terms +
      1e-12L * (M * before.q.cwiseAbs().maxCoeff() * Vector::Ones(M.rows()) / dt).cwiseQuotient(scale).norm();
  check_momentum(interval, M, constraints.W, rest, terms, solved + uncertain * terms, "M (u_E - u_B) - h dt - W Lambda");
  const Vector speeds = B.u.cwiseAbs().cwiseMax(u_E.cwiseAbs());
  const Vector gamma_S = constraints.gamma(u_E);
  for (Index k = 0; k < gamma_S.size(); ++k) {
    const Real size = constraint_speed(constraints, k, speeds);
    check(Kind::kConstraintVelocity, std::abs(gamma_S[k]), (1e-8L + uncertain) * size + kTiny, end.t,
          mechanics_.constraints()[static_cast<size_t>(k)].constraint.name,
          [&] { return fmt::format("its velocity at the end is {:.6g}", static_cast<double>(gamma_S[k])); });
  }
  if (rows_ == 0) return;
  check_acting(interval, middle, acting, M, constraints.W, speeds, dt, false);
  check_closed(interval, middle, 0.0L);
  check_lost(interval, lost, lost_terms);
  check_moved(interval);
}

/// Where the slip along the one direction of a law turns round within a step, friction must stop it, unless that would take energy from nobody: by
/// what a single law would do, and far enough from the limit of that rule to be sure.
bool Judge::must_have_stopped(const Acting& law, const Place& begin, const Place& end, const Matrix& M,
                              const Matrix& W_S) const {
  constexpr Real kOfChange = 0.02L, kSure = 0.25L;
  const ForceLaw& kind = mechanics_.laws()[law.law].law;
  const Index row = kind.kind == ForceLaw::Kind::kContact ? 1 : 0;
  if (law.Lambda.size() != row + 1) return false;
  const Real slip_C = mechanics_.rows(law.law, begin).gamma(begin.u)[row],
             slip_E = mechanics_.rows(law.law, end).gamma(end.u)[row];
  if (slip_C * slip_E >= 0.0L) return false;
  const Vector response = law.rows.W.transpose() * response_to(M, W_S, law.rows.W.col(row));
  const Real change = std::abs(response.dot(law.Lambda));
  if (std::min(std::abs(slip_C), std::abs(slip_E)) <= kOfChange * change || response[row] <= 0.0L) return false;
  const Real stopped = law.Lambda[row] - slip_E / response[row];
  return stopped * slip_E > kSure * std::abs(law.Lambda[row] * slip_E);
}

/// An impact where the step begins, then the motion: laws of normals by the displacement, g(q_E) - g(q_B).
void Judge::judge_consistent(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const std::string& name = verdict_.integrator;
  const bool one_step = scheme_ == Scheme::kOneStep, frozen = name == "conserving-mq-frozen",
             positions_only = name == "conserving";
  const bool begin_mass = frozen || !name.ends_with("-mq");
  const Vector u_C = end.u_start.size() > 0 ? Vector(end.u_start.cast<Real>()) : B.u;
  const Place C{B.t, B.q, u_C};
  Place middle{B.t + 0.5L * dt, 0.5L * (B.q + E.q), 0.5L * (u_C + E.u)};

  // The path s of the step in velocities: q_E - q_B = F(q_m) s.
  Vector s;
  const Matrix F = mechanics_.rate_map(middle);
  const Vector dq = E.q - B.q;
  const Vector q_left = mechanics_.velocities_are_rates() ? Vector(Vector::Zero(dq.size()))
                                                          : outside_range(F, dq, Vector::Ones(dq.size()), &s);
  if (mechanics_.velocities_are_rates()) s = dq;
  const Real q_size = B.q.cwiseAbs().maxCoeff() + E.q.cwiseAbs().maxCoeff();
  check(Kind::kPositions, q_left.norm(), 1e-12L * q_size, end.t, "", [&] {
    return fmt::format("q_E - q_B is no motion that velocities allow: {:.6g} is left", static_cast<double>(q_left.norm()));
  });
  const Place star{middle.t, begin_mass ? B.q : middle.q, middle.u};
  const Matrix M = mechanics_.mass(star);
  const Vector scale = momentum_scale(M);
  const Rows constraints_star = mechanics_.constraint_rows(star);
  Vector kappa = Vector::Zero(constraints_star.chi.size());
  const Vector defect = M * (dt * middle.u - s);
  const Matrix none(M.rows(), 0);
  const Vector path_left =
      outside_range(positions_only ? none : constraints_star.W, defect, scale, positions_only ? nullptr : &kappa);
  const Real path_terms = (M * s).cwiseQuotient(scale).norm() + dt * (M * middle.u).cwiseQuotient(scale).norm() +
                          (M * Vector::Constant(M.rows(), 1e-3L * q_size)).cwiseQuotient(scale).norm();
  check(Kind::kPositions, path_left.cwiseQuotient(scale).norm(), kSolved * path_terms, end.t, "", [&] {
    return fmt::format("the way of the step is not that of its mean velocities: {:.6g} is left",
                       static_cast<double>(path_left.norm()));
  });

  // Momentum, to the order of the scheme: discrete derivatives differ from those in the middle by second differences over the step.
  const Place end_place{E.t, E.q, E.u}, moving{middle.t, middle.q, s / dt};
  const Vector h_B = mechanics_.forces(C), h_M = mechanics_.forces(moving), h_E = mechanics_.forces(end_place);
  const Rows rows_B = mechanics_.constraint_rows(C), rows_M = mechanics_.constraint_rows(moving),
             rows_E = mechanics_.constraint_rows(end_place);
  Vector rest = M * (E.u - u_C) - dt * h_M;
  Real terms =
      (M * E.u).cwiseQuotient(scale).norm() + (M * u_C).cwiseQuotient(scale).norm() + dt * h_M.cwiseQuotient(scale).norm();
  Real extra = dt * second_difference(h_B, h_M, h_E, scale);
  if (!mechanics_.constant_mass())
    extra += second_difference(mechanics_.mass(C) * (E.u - u_C), mechanics_.mass(moving) * (E.u - u_C),
                               mechanics_.mass(end_place) * (E.u - u_C), scale);
  if (frozen) {
    // Of first order: gyroscopic terms are those of u_B with another velocity.
    extra += dt * (h_E - h_B).cwiseQuotient(scale).norm() +
             dt * middle.u.cwiseAbs().maxCoeff() * (M * (E.u - u_C)).cwiseQuotient(scale).norm() +
             ((mechanics_.mass(end_place) - M) * (E.u - u_C)).cwiseQuotient(scale).norm();
  }

  Place tangent = moving;
  mechanics_.normalize(tangent.q);
  if (options_.integrator_options.tangents == Tangents::kBegin) tangent.q = B.q;
  const FrictionActsOn friction_on = one_step ? FrictionActsOn::kDisplacement : options_.integrator_options.friction_acts_on;
  std::vector<Acting> acting;
  std::vector<char> closed(mechanics_.laws().size(), 0);
  Vector pushed = Vector::Zero(M.rows());
  std::vector<Matrix> curved;  // how much the normal's direction differs over the step, law by law
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    if (rows_ == 0 || (!acted(end, k) && end.impulse.segment(first_row_[k], mechanics_.laws()[k].law.rows).isZero(0.0)))
      continue;
    closed[k] = 1;
    const bool contact = mechanics_.laws()[k].law.kind == ForceLaw::Kind::kContact;
    Acting now{k, mechanics_.rows(k, tangent), impulses_of(end.impulse, k) - impulses_of(end.impact, k), {}, false};
    Matrix curve = Matrix::Zero(M.rows(), 1);
    if (contact) {
      const Rows at_B = mechanics_.rows(k, C), at_M = mechanics_.rows(k, moving), at_E = mechanics_.rows(k, end_place);
      now.rows.W.col(0) = at_M.W.col(0);
      curve = at_B.W.col(0) - 2.0L * at_M.W.col(0) + at_E.W.col(0);
      extra += (curve.col(0) * now.Lambda[0]).cwiseQuotient(scale).norm();
    }
    curved.push_back(curve);
    const Vector push = now.rows.W * now.Lambda;
    rest -= push;
    pushed += push;
    terms += push.cwiseQuotient(scale).norm();
    acting.push_back(std::move(now));
  }
  if (kappa.size() > 0 && !positions_only)
    rest -= mechanics_.constraint_velocity_slopes({middle.t, middle.q, begin_mass ? E.u : middle.u}) * kappa;
  Vector lambda;
  const Vector momentum_left = outside_range(rows_M.W, rest, scale, &lambda);
  (void)momentum_left;
  for (Index k = 0; k < lambda.size(); ++k) {
    extra += (rows_B.W.col(k) - 2.0L * rows_M.W.col(k) + rows_E.W.col(k)).cwiseQuotient(scale).norm() *
             (std::abs(lambda[k]) + std::abs(kappa[k]) / dt);
    terms += (rows_M.W.col(k) * lambda[k]).cwiseQuotient(scale).norm();
  }
  check_momentum(interval, M, rows_M.W, rest, terms, extra, "M (u_E - u_C) - h dt - W Lambda");

  // Constraints on both levels.
  const Vector g = mechanics_.constraint_positions(end_place), gamma_S = rows_E.gamma(E.u);
  const Vector speeds = B.u.cwiseAbs().cwiseMax(E.u.cwiseAbs()).cwiseMax(u_C.cwiseAbs());
  for (Index k = 0; k < g.size(); ++k) {
    const Constraint& constraint = mechanics_.constraints()[static_cast<size_t>(k)].constraint;
    const Real size = rows_E.W.col(k).cwiseAbs().maxCoeff() * q_size;
    if (constraint.holonomic)
      check(Kind::kConstraintPosition, std::abs(g[k]), 1e-10L * size + kTiny, end.t, constraint.name,
            [&] { return fmt::format("its position at the end is {:.6g}", static_cast<double>(g[k])); });
    const Real speed = rows_E.W.col(k).cwiseAbs().dot(speeds) + std::abs(rows_E.chi[k]) + 1e-3L * size;
    if (!positions_only)
      check(Kind::kConstraintVelocity, std::abs(gamma_S[k]), kSolved * speed + kTiny, end.t, constraint.name,
            [&] { return fmt::format("its velocity at the end is {:.6g}", static_cast<double>(gamma_S[k])); });
  }
  if (rows_ == 0) return;

  // The laws of the motion.
  const Vector jump = one_step ? Vector(response_to(M, none, pushed).col(0)) : Vector(Vector::Zero(M.rows()));
  Real lost = 0.0L, lost_terms = 0.0L;
  for (size_t a = 0; a < acting.size(); ++a) {
    Acting& now = acting[a];
    const ForceLaw& law = mechanics_.laws()[now.law].law;
    const bool contact = law.kind == ForceLaw::Kind::kContact;
    Vector along = now.rows.W.transpose() * (s / dt) + now.rows.chi;
    if (contact) along[0] = (mechanics_.gap(now.law, end_place) - mechanics_.gap(now.law, B)) / dt;
    lost -= now.Lambda.dot(along);
    lost_terms += now.Lambda.cwiseAbs().dot(along.cwiseAbs() + Vector(now.rows.W.transpose().cwiseAbs() * speeds));
    if (contact)
      lost_terms +=
          1e-6L * std::abs(now.Lambda[0]) * largest_gap_terms_[static_cast<Index>(now.law)] / dt;  // round-off of gaps
    Vector xi = along;
    for (Index row = 0; one_step && row < xi.size(); ++row) {
      const Real epsilon = law.epsilon[static_cast<size_t>(row)];
      xi[row] += 0.5L * (1.0L - epsilon) / (1.0L + epsilon) * now.rows.W.col(row).dot(jump);
    }
    const bool must_stop = friction_on == FrictionActsOn::kAutomatic && law.kind != ForceLaw::Kind::kOneWay &&
                           must_have_stopped(now, C, end_place, M, constraints_star.W);
    if (friction_on != FrictionActsOn::kEndVelocity && !must_stop) now.xi.push_back(xi);
    if (law.kind == ForceLaw::Kind::kOneWay && now.xi.empty()) now.xi.push_back(xi);
    if (friction_on != FrictionActsOn::kDisplacement && law.kind != ForceLaw::Kind::kOneWay) {
      Vector at_end = mechanics_.rows(now.law, end_place).gamma(E.u);
      if (contact) at_end[0] = xi[0];
      now.xi.push_back(at_end);
    }
  }
  Interval relaxed{begin, end, B, E, dt, rho};
  if (one_step) {  // what the direction of the normal in the middle leaves open
    Real off = 0.0L, size = 0.0L;
    for (size_t a = 0; a < acting.size(); ++a) {
      off = std::max(off, std::abs(curved[a].col(0).dot(jump)));
      size = std::max(size, acting[a].rows.W.col(0).cwiseAbs().dot(speeds));
    }
    if (size > 0.0L) relaxed.rho += off / size;
  }
  check_acting(relaxed, middle, acting, M, constraints_star.W, speeds, dt, false);
  check_closed(interval, B, 1e-12L);
  if (!one_step && (end.impacts > 0.0 || !end.impact.isZero(0.0) || (u_C - B.u).norm() > 0.0L))
    judge_impact(interval, C, B.u, u_C, end.impact.cast<Real>(), closed, end.impacts == 1.0);
  if (end.impacts == 1.0) {
    for (const Acting& law : acting) {
      const Rows rows = mechanics_.rows(law.law, C);
      const Vector impact = impulses_of(end.impact, law.law), before = rows.gamma(B.u), after = rows.gamma(u_C);
      lost -= 0.5L * impact.dot(before + after);
      lost_terms += impact.cwiseAbs().dot(before.cwiseAbs() + after.cwiseAbs());
    }
  }
  if (end.impacts <= 1.0) check_lost(interval, lost, lost_terms);
}

}  // namespace tippe::verify
