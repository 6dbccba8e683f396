// SPDX-License-Identifier: Apache-2.0
// One step of a conserving or consistent scheme: an impact where it begins, then the motion, with laws of normals by the displacement, g(q_E) - g(q_B).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

Real second_difference(const Vector& a, const Vector& middle, const Vector& b, const Vector& scale) {
  return (a - 2.0L * middle + b).cwiseQuotient(scale).norm();
}

}  // namespace

/// What the checks of one step share.
struct Judge::ConsistentStep {
  bool one_step, frozen, positions_only, begin_mass;  // of the scheme
  bool map_at_begin, gap_at_begin;                    // as printed
  Place C, middle, end;                               // after the impact, in the middle by the mean of the velocities
  Vector s;                                           // the path of the step in velocities: q_E - q_B = F(q_m) s
  Place moving;                                       // the middle with the velocities s / dt
  Real q_size;                                        // of positions
  SparseMatrix M;
  Vector scale;
  Rows constraints;  // at M's place
  Vector kappa;      // impulses on the path
  Rows rows_B, rows_M, rows_E;
  std::vector<Acting> acting;
  std::vector<char> closed;
  Vector pushed;             // sum of W Lambda
  std::vector<Vector> bent;  // how much the direction of a normal differs over the step, law by law
  Vector speeds;

  [[nodiscard]] Real size(const Vector& momentum) const { return momentum.cwiseQuotient(scale).norm(); }
};

/// Where the slip along the one direction of a law turns round within a step, friction must stop it, unless that would take energy from nobody: by
/// what a single law would do, and far enough from the limit of that rule to be sure.
bool Judge::must_have_stopped(const Acting& law, const std::vector<Acting>& all, const Place& begin, const Place& end,
                              const SparseMatrix& M, const SparseMatrix& W_S) const {
  constexpr Real kOfChange = 0.02L, kSure = 0.25L;
  const ForceLaw& kind = mechanics_.laws()[law.law].law;
  const Index row = kind.kind == ForceLaw::Kind::kContact ? 1 : 0;
  if (law.Lambda.size() != row + 1) return false;
  const Real slip_C = mechanics_.rows(law.law, begin).gamma(begin.u)[row],
             slip_E = mechanics_.rows(law.law, end).gamma(end.u)[row];
  if (slip_C * slip_E >= 0.0L) return false;
  const Vector moved = response_to(M, W_S, law.rows.W.col(row)).col(0);
  for (const Acting& other : all) {  // what others do then, nobody knows
    constexpr Real kApart = 1e-2L;
    const bool pushes = other.law != law.law && !other.Lambda.isZero(0.0L);
    const Vector coupled = other.rows.W.transpose() * moved;
    if (pushes && (coupled.array() * other.Lambda.array()).abs().sum() >
                      kApart * std::abs(law.Lambda[row] * law.rows.W.col(row).dot(moved)))
      return false;
  }
  const Vector response = law.rows.W.transpose() * moved;
  const Real change = std::abs(response.dot(law.Lambda));
  if (std::min(std::abs(slip_C), std::abs(slip_E)) <= kOfChange * change || response[row] <= 0.0L) return false;
  const Real stopped = law.Lambda[row] - slip_E / response[row];
  return stopped * slip_E > kSure * std::abs(law.Lambda[row] * slip_E);
}

/// Positions: q_E - q_B is a motion that velocities allow, and that of their mean up to impulses of constraints.
void Judge::check_path(const Interval& interval, ConsistentStep& step) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector dq = E.q - B.q;
  if (mechanics_.velocities_are_rates()) {
    step.s = dq;
  } else {
    const Vector left =
        outside_range(mechanics_.rate_map(step.map_at_begin ? step.C : step.middle), dq, Vector::Ones(dq.size()), &step.s);
    check(Kind::kPositions, left.norm(), 1e-12L * step.q_size, end.t, "", [&] {
      return fmt::format("q_E - q_B is no motion that velocities allow: {:.6g} is left", static_cast<double>(left.norm()));
    });
  }
  if (verdict_.integrator ==
      "quaternion-momentum") {  // turns by 2 atan(|s_w|/2): the chord of the quaternion is shorter than s_w
    for (const UnitQuaternion& body : system_.lagrangian()->unit_quaternions)
      step.s.segment(body.first_velocity, 3) /= 2.0L - 1.0L / step.middle.q.segment(body.first_coordinate, 4).squaredNorm();
  }
  const Vector defect = step.M * (dt * step.middle.u - step.s);
  step.kappa.setZero(step.constraints.chi.size());
  const SparseMatrix none(step.M.rows(), 0);
  const Vector left = outside_range(step.positions_only ? none : step.constraints.W, defect, step.scale,
                                    step.positions_only ? nullptr : &step.kappa);
  const Real terms = step.size(step.M * step.s) + dt * step.size(step.M * step.middle.u) +
                     step.size(step.M * Vector::Constant(step.M.rows(), 1e-3L * step.q_size));
  check(Kind::kPositions, step.size(left), kSolved * terms, end.t, "", [&] {
    return fmt::format("the way of the step is not that of its mean velocities: {:.6g} is left",
                       static_cast<double>(left.norm()));
  });
}

/// quaternion-momentum: what acts with the moment R_m'N half way changes the angular momentum by N.
void Judge::turn_moments(const Vector& s, Index first_row, SparseMatrix& W) const {
  for (const UnitQuaternion& body : system_.lagrangian()->unit_quaternions) {
    const Vector theta = s.segment(body.first_velocity, 3);
    const Real c = std::sqrt(1.0L + 0.25L * theta.squaredNorm());
    for (Index row = first_row; row < W.cols(); ++row) {
      Vector column = W.col(row);
      const Vector moment = column.segment(body.first_velocity, 3);
      column.segment(body.first_velocity, 3) = c * moment - theta * (theta.dot(moment) / (4.0L * (1.0L + c)));
      W.col(row) = column.sparseView();
    }
  }
}

/// quaternion-momentum: by how much moments that act through the axes of a body may differ from those half way, of the order of its turn squared.
Vector Judge::bent_by_turns(const Vector& s, const Vector& impulse) const {
  Vector bent = Vector::Zero(impulse.size());
  if (verdict_.integrator != "quaternion-momentum") return bent;
  for (const UnitQuaternion& body : system_.lagrangian()->unit_quaternions) {
    const Index w = body.first_velocity;
    bent.segment(w, 3).setConstant(0.25L * s.segment(w, 3).squaredNorm() * impulse.segment(w, 3).norm());
  }
  return bent;
}

/// The laws that act, with their directions and impulses in the motion. Answers by how much discrete derivatives of gaps may differ from those in the middle.
Real Judge::find_acting(const Interval& interval, ConsistentStep& step) const {
  const auto& [begin, end, B, E, dt, rho] = interval;
  Place tangent = step.moving;
  mechanics_.normalize(tangent.q);
  if (options_.integrator_options.tangents == Tangents::kBegin) tangent.q = B.q;
  step.closed.assign(mechanics_.laws().size(), 0);
  step.pushed.setZero(step.M.rows());
  Real differ = 0.0L;
  for (size_t k = 0; k < mechanics_.laws().size() && rows_ > 0; ++k) {
    const ForceLaw& law = mechanics_.laws()[k].law;
    if (!acted(end, k) && end.impulse.segment(first_row_[k], law.rows).isZero(0.0)) continue;
    step.closed[k] = 1;
    Acting now{k, mechanics_.rows(k, tangent), impulses_of(end.impulse, k) - impulses_of(end.impact, k), {}, false};
    Vector bent = Vector::Zero(step.M.rows());
    if (law.kind == ForceLaw::Kind::kContact) {
      const Rows at_begin = mechanics_.rows(k, step.C);
      const Vector at_middle = mechanics_.rows(k, step.moving).W.col(0), at_end = mechanics_.rows(k, step.end).W.col(0);
      now.rows.W.col(0) = Vector(step.gap_at_begin ? Vector(at_begin.W.col(0)) : at_middle).sparseView();
      if (step.gap_at_begin) now.rows.chi[0] = at_begin.chi[0];
      const Vector normal_B = at_begin.W.col(0);
      bent = normal_B - 2.0L * at_middle + at_end;
      if (step.map_at_begin) bent = at_end - normal_B;
      differ += step.size(bent * now.Lambda[0]);
    }
    if (verdict_.integrator == "quaternion-momentum") {
      if (law.kind == ForceLaw::Kind::kContact)
        differ += step.size(bent_by_turns(step.s, now.rows.W.col(0) * now.Lambda[0]));
      turn_moments(step.s, law.first_slip(), now.rows.W);
    }
    step.bent.push_back(bent);
    step.pushed += now.rows.W * now.Lambda;
    step.acting.push_back(std::move(now));
  }
  return differ;
}

/// conserving-mq-frozen has M at q_B, gyroscopic terms H(q_B, u_B) u_m, and the slope of T with u_E: of first order. The judge has u_m everywhere, in the middle. With the
/// changes of q and of u over the step the terms change by those of h, by dM u_m and dM' change with dM of the way that the change of u makes, and by the slope of their
/// product, which is what those leave of the change of h.
Real Judge::frozen_terms(const Interval& interval, const ConsistentStep& step, const Vector& change,
                         const SparseMatrix& mass_E) const {
  const Real dt = interval.dt;
  const Vector& u_M = step.middle.u;
  const auto at = [&](const Vector& q, const Vector& u) { return Place{step.middle.t, q, u}; };
  const Vector &q_B = interval.B.q, &q_E = interval.E.q;
  const Vector h = mechanics_.forces(at(q_B, u_M));
  const Vector by_q = mechanics_.forces(at(q_E, u_M)) - h, by_u = mechanics_.forces(at(q_B, u_M + change)) - h;
  const Vector turned = q_B + dt * (mechanics_.rate(at(q_B, u_M + change)) - mechanics_.rate(at(q_B, u_M)));
  const SparseMatrix mass_turned = mechanics_.mass(at(turned, u_M)) - step.M;
  // Velocities of one's own choice turn with the bodies: w x M change.
  const Real own = mechanics_.velocities_are_rates() ? 0.0L : dt * u_M.cwiseAbs().maxCoeff() * step.size(step.M * change);
  return own + dt * (step.size(by_q) + step.size(by_u)) + step.size(mass_turned.cwiseAbs() * u_M.cwiseAbs()) +
         step.size((mass_E - step.M).cwiseAbs() * change.cwiseAbs());
}

/// Momentum, to the order of the scheme: discrete derivatives differ from those in the middle by second differences over the step.
void Judge::check_consistent_momentum(const Interval& interval, ConsistentStep& step) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const Vector h_B = mechanics_.forces(step.C), h_M = mechanics_.forces(step.moving), h_E = mechanics_.forces(step.end);
  const Vector change = E.u - step.C.u;
  Vector rest = step.M * change - dt * h_M;
  Real terms = step.size(step.M * E.u) + step.size(step.M * step.C.u) + dt * step.size(h_M);
  Real extra = dt * second_difference(h_B, h_M, h_E, step.scale);
  // Gyroscopic terms have the angular momentum of the mean velocities and the turn of the way: constraints of positions make them differ.
  const Vector apart = step.M * (step.middle.u - step.moving.u);
  for (const UnitQuaternion& body : system_.lagrangian()->unit_quaternions) {
    Vector turned = Vector::Zero(apart.size());
    turned.segment(body.first_velocity, 3) = apart.segment(body.first_velocity, 3);
    extra += dt * step.moving.u.segment(body.first_velocity, 3).norm() * step.size(turned);
  }
  const SparseMatrix mass_E = mechanics_.mass(step.end);
  if (!mechanics_.constant_mass())
    extra += second_difference(mechanics_.mass(step.C) * change, mechanics_.mass(step.moving) * change, mass_E * change,
                               step.scale);
  if (step.frozen) extra += frozen_terms(interval, step, change, mass_E);
  if (step.map_at_begin) {
    // Of first order: gyroscopic terms are those of u_B with another velocity.
    extra += dt * step.size(h_E - h_B) + dt * step.middle.u.cwiseAbs().maxCoeff() * step.size(step.M * change) +
             step.size((mass_E - step.M) * change);
  }
  extra += find_acting(interval, step) + step.size(bent_by_turns(step.s, dt * h_M));
  rest -= step.pushed;
  for (const Acting& law : step.acting) terms += step.size(law.rows.W * law.Lambda);
  if (step.kappa.size() > 0 && !step.positions_only) {
    const auto slopes = [&](const Place& at) -> Vector {
      return mechanics_.constraint_velocity_slopes({at.t, at.q, step.begin_mass ? E.u : step.middle.u}) * step.kappa;
    };
    const Vector in_middle = slopes(step.middle);
    rest -= in_middle;
    extra += second_difference(slopes(step.C), in_middle, slopes(step.end), step.scale);
  }
  Vector lambda;
  (void)outside_range(step.rows_M.W, rest, step.scale, &lambda);
  for (Index k = 0; k < lambda.size(); ++k) {
    const Real differ =
        step.map_at_begin ? step.size(step.rows_E.W.col(k) - step.rows_B.W.col(k))
                          : second_difference(step.rows_B.W.col(k), step.rows_M.W.col(k), step.rows_E.W.col(k), step.scale);
    extra += differ * (std::abs(lambda[k]) + std::abs(step.kappa[k]) / dt);
    extra += step.size(bent_by_turns(step.s, step.rows_M.W.col(k) * lambda[k]));
    terms += step.size(step.rows_M.W.col(k) * lambda[k]);
  }
  extra += force_by_clock(interval, step.moving, step.scale);
  check_momentum(interval, step.M, step.rows_M.W, rest, terms, extra, "M (u_E - u_C) - h dt - W Lambda");
}

void Judge::check_constraint_levels(const Interval& interval, const ConsistentStep& step) {
  const Vector g = mechanics_.constraint_positions(step.end), gamma = step.rows_E.gamma(interval.E.u);
  // Where a motion begins, velocities are what loads give in the step, which the constraints take away.
  const SparseMatrix none(step.M.rows(), 0);
  const Vector loaded = response_to(step.M, none, interval.dt * mechanics_.forces(step.moving)).col(0).cwiseAbs();
  for (Index k = 0; k < g.size(); ++k) {
    const Constraint& constraint = mechanics_.constraints()[static_cast<size_t>(k)].constraint;
    const Real size = largest_of(step.rows_E.W, k) * step.q_size;
    if (constraint.holonomic)
      check(Kind::kConstraintPosition, std::abs(g[k]), 1e-10L * size + kTiny, interval.end.t, constraint.name,
            [&] { return fmt::format("its position at the end is {:.6g}", static_cast<double>(g[k])); });
    const Real speed = step.rows_E.W.col(k).cwiseAbs().dot(step.speeds + loaded) + std::abs(step.rows_E.chi[k]) +
                       1e-6L * size / interval.dt;
    if (!step.positions_only)
      check(Kind::kConstraintVelocity, std::abs(gamma[k]), kSolved * speed + kTiny, interval.end.t, constraint.name,
            [&] { return fmt::format("its velocity at the end is {:.6g}", static_cast<double>(gamma[k])); });
  }
}

/// Sets what a law acts on in the motion, one of which must fit its friction. Answers what it took.
Judge::Loss Judge::set_law_of_motion(const Interval& interval, const ConsistentStep& step, const Vector& jump,
                                     Acting& now) const {
  const ForceLaw& law = mechanics_.laws()[now.law].law;
  const bool contact = law.kind == ForceLaw::Kind::kContact, clutch = law.kind == ForceLaw::Kind::kOneWay;
  Vector along = now.rows.W.transpose() * (step.s / interval.dt) + now.rows.chi;
  if (contact && !step.gap_at_begin)
    along[0] = (mechanics_.gap(now.law, step.end) - mechanics_.gap(now.law, interval.B)) / interval.dt;
  Loss loss{
      -now.Lambda.dot(along),
      now.Lambda.cwiseAbs().dot(along.cwiseAbs() + Vector(SparseMatrix(now.rows.W.cwiseAbs()).transpose() * step.speeds))};
  if (contact)  // round-off of gaps
    loss.terms += 1e-6L * std::abs(now.Lambda[0]) * largest_gap_terms_[static_cast<Index>(now.law)] / interval.dt;
  Vector xi = along;
  for (Index row = 0; step.one_step && row < xi.size(); ++row) {
    const Real epsilon = law.epsilon[static_cast<size_t>(row)];
    xi[row] += 0.5L * (1.0L - epsilon) / (1.0L + epsilon) * now.rows.W.col(row).dot(jump);
  }
  const FrictionActsOn acts_on =
      step.one_step || clutch ? FrictionActsOn::kDisplacement : options_.integrator_options.friction_acts_on;
  const bool must_stop = acts_on == FrictionActsOn::kAutomatic &&
                         must_have_stopped(now, step.acting, step.C, step.end, step.M, step.constraints.W);
  if (acts_on != FrictionActsOn::kEndVelocity && !must_stop) now.xi.push_back(xi);
  if (acts_on != FrictionActsOn::kDisplacement) {
    Vector at_end = mechanics_.rows(now.law, step.end).gamma(interval.E.u);
    if (contact) at_end[0] = xi[0];
    now.xi.push_back(at_end);
  }
  return loss;
}

void Judge::check_consistent_laws(const Interval& interval, ConsistentStep& step) {
  const SparseMatrix none(step.M.rows(), 0);
  const Vector jump =
      step.one_step ? Vector(response_to(step.M, none, step.pushed).col(0)) : Vector(Vector::Zero(step.M.rows()));
  Loss lost;
  std::vector<Loss> lost_by_law;  // as those that act
  for (Acting& now : step.acting) lost_by_law.push_back(set_law_of_motion(interval, step, jump, now));
  Interval relaxed = interval;
  if (step.one_step) {  // what the direction of the normal in the middle leaves open
    Real off = 0.0L, size = 0.0L;
    for (size_t a = 0; a < step.acting.size(); ++a) {
      off = std::max(off, std::abs(step.bent[a].dot(jump)));
      size = std::max(size, step.acting[a].rows.W.col(0).cwiseAbs().dot(step.speeds));
    }
    if (size > 0.0L) relaxed.rho += off / size;
  }
  check_acting(relaxed, step.acting, step.M, step.constraints.W, step.speeds, interval.dt, false);
  check_closed(interval, interval.B, 1e-12L, false);
  const Moment& end = interval.end;
  const Vector &u_B = interval.B.u, &u_C = step.C.u;
  if (!step.one_step && (end.impacts > 0.0 || !end.impact.isZero(0.0) || (u_C - u_B).norm() > 0.0L))
    judge_impact(interval, step.C, u_B, u_C, end.impact.cast<Real>(), step.closed, end.impacts == 1.0);
  if (end.impacts > 1.0) return;
  for (size_t a = 0; a < step.acting.size() && end.impacts == 1.0; ++a) {
    const Rows rows = mechanics_.rows(step.acting[a].law, step.C);
    const Vector impact = impulses_of(end.impact, step.acting[a].law), before = rows.gamma(u_B), after = rows.gamma(u_C);
    lost_by_law[a] += {-0.5L * impact.dot(before + after), impact.cwiseAbs().dot(before.cwiseAbs() + after.cwiseAbs())};
  }
  for (size_t a = 0; a < step.acting.size(); ++a) lost += book(step.acting[a].law, lost_by_law[a]);
  check_lost(interval, lost, step.acting);
}

void Judge::judge_consistent(const Interval& interval) {
  const auto& [begin, end, B, E, dt, rho] = interval;
  const std::string& name = verdict_.integrator;
  ConsistentStep step;
  step.one_step = scheme_ == Scheme::kOneStep;
  step.frozen = name == "conserving-mq-frozen";
  step.positions_only = name == "conserving";
  step.map_at_begin = options_.integrator_options.kinematics == Kinematics::kBegin && name == "consistent-2";
  step.gap_at_begin = options_.integrator_options.gap_gradient == GapGradient::kBegin;
  step.begin_mass = step.frozen || !name.ends_with("-mq");
  const Vector u_C = end.u_start.size() > 0 ? Vector(end.u_start.cast<Real>()) : B.u;
  step.C = {B.t, B.q, u_C};
  step.middle = {B.t + 0.5L * dt, 0.5L * (B.q + E.q), 0.5L * (u_C + E.u)};
  step.end = {E.t, E.q, E.u};
  step.q_size = B.q.cwiseAbs().maxCoeff() + E.q.cwiseAbs().maxCoeff();
  const Place at_mass{step.middle.t, step.begin_mass ? B.q : step.middle.q, step.middle.u};
  step.M = mechanics_.mass(at_mass);
  step.scale = momentum_scale(step.M);
  step.constraints = mechanics_.constraint_rows(at_mass);
  check_path(interval, step);
  step.moving = {step.middle.t, step.middle.q, step.s / dt};
  step.rows_B = mechanics_.constraint_rows(step.C);
  step.rows_M = mechanics_.constraint_rows(step.moving);
  step.rows_E = mechanics_.constraint_rows(step.end);
  step.speeds = B.u.cwiseAbs().cwiseMax(E.u.cwiseAbs()).cwiseMax(u_C.cwiseAbs());
  check_consistent_momentum(interval, step);
  check_constraint_levels(interval, step);
  if (rows_ > 0) check_consistent_laws(interval, step);
}

}  // namespace tippe::verify
