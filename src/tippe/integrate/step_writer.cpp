// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_writer.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>

#include "tippe/core/union_find.h"
#include "tippe/model/body.h"

namespace tippe {
namespace {

using Vector = StepWriter::Vector;

constexpr int kMostExplicit = 100;

/// Blocks of velocities that M couples, each small.
std::vector<std::vector<int>> coupled_velocities(int n, const std::vector<LowerEntry>& pattern) {
  UnionFind components;
  components.reset(n);
  for (const auto& [row, column] : pattern) components.join(row, column);
  std::vector<int> block_of;
  std::vector<std::vector<int>> blocks(static_cast<size_t>(components.number(block_of)));
  for (int i = 0; i < n; ++i) blocks[static_cast<size_t>(block_of[static_cast<size_t>(i)])].push_back(i);
  return blocks;
}

}  // namespace

StepWriter::StepWriter(const LagrangianDescription& description, MotionScheme scheme, const FrictionScheme& friction,
                       const StepVariants& variants)
    : description_(description),
      scheme_(scheme),
      friction_(friction),
      variants_(variants),
      graph_(*description.graph),
      lagrangian_(description.inputs()),
      n_(lagrangian_.n),
      nu_(lagrangian_.nu()),
      equations_(description),
      decomposed_(decomposed_inertia(description, equations_)) {
  find_map();
  find_inverse_mass();
  number_unknowns();
  place_inputs();
}

void StepWriter::find_map() {
  F_.resize(static_cast<size_t>(n_));
  constant_row_.assign(static_cast<size_t>(n_), 1);
  quaternion_row_.assign(static_cast<size_t>(n_), 0);
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    for (const auto& [input, entry] : graph_.gradient(equations_.rates[i], lagrangian_.u(0), lagrangian_.u(nu_))) {
      F_[i].push_back({input - lagrangian_.u(0), entry});
      if (!entry.is_constant()) constant_row_[i] = 0;
    }
  }
  for (const UnitQuaternion& quaternion : description_.unit_quaternions)
    std::fill_n(quaternion_row_.begin() + quaternion.first_coordinate, 4, 1);
}

/// M^-1 where that is cheap and safe: constant M in small blocks, none of them nearly singular.
void StepWriter::find_inverse_mass() {
  constexpr size_t kLargestMassBlock = 6;
  constexpr double kNearlySingular = 1e-8;
  if (!std::all_of(equations_.mass.begin(), equations_.mass.end(), [](Expr entry) { return entry.is_constant(); })) return;
  std::vector<std::vector<std::pair<int, double>>> inverse(static_cast<size_t>(nu_));
  std::vector<int> place(static_cast<size_t>(nu_)), block_of(static_cast<size_t>(nu_));
  const std::vector<std::vector<int>> blocks = coupled_velocities(nu_, equations_.mass_pattern);
  std::vector<Eigen::MatrixXd> M;
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].size() > kLargestMassBlock) return;
    const auto size = static_cast<Eigen::Index>(blocks[b].size());
    M.emplace_back(Eigen::MatrixXd::Zero(size, size));
    for (size_t k = 0; k < blocks[b].size(); ++k) {
      place[static_cast<size_t>(blocks[b][k])] = static_cast<int>(k);
      block_of[static_cast<size_t>(blocks[b][k])] = static_cast<int>(b);
    }
  }
  for (size_t p = 0; p < equations_.mass.size(); ++p) {
    const auto& [row, column] = equations_.mass_pattern[p];
    Eigen::MatrixXd& block = M[static_cast<size_t>(block_of[static_cast<size_t>(row)])];
    const int i = place[static_cast<size_t>(row)], k = place[static_cast<size_t>(column)];
    block(i, k) = block(k, i) = equations_.mass[p].constant_value();
  }
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Eigen::VectorXd unit = M[b].diagonal().cwiseSqrt().cwiseInverse();
    if (!unit.allFinite()) return;
    const Eigen::MatrixXd scaled = unit.asDiagonal() * M[b] * unit.asDiagonal();
    const Eigen::LDLT<Eigen::MatrixXd> factor(scaled);
    if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > kNearlySingular)) return;
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(scaled.rows(), scaled.rows());
    const Eigen::MatrixXd result = unit.asDiagonal() * factor.solve(identity) * unit.asDiagonal();
    for (Eigen::Index i = 0; i < result.rows(); ++i) {
      for (Eigen::Index k = 0; k < result.cols(); ++k) {
        if (result(i, k) == 0.0) continue;
        inverse[static_cast<size_t>(blocks[b][static_cast<size_t>(i)])].emplace_back(blocks[b][static_cast<size_t>(k)],
                                                                                     result(i, k));
      }
    }
  }
  inverse_mass_ = std::move(inverse);
}

void StepWriter::number_unknowns() {
  layout_.velocities = nu_;
  layout_.constraints = static_cast<int>(description_.constraints.size());
  layout_.has_kappa = scheme_ != MotionScheme::kPositions && layout_.constraints > 0;
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i)
    layout_.coordinates += constant_row_[i] == 0 && quaternion_row_[i] == 0 ? 1 : 0;
  // Fewer unknowns pay where they are solved densely; where they are sparse, elimination fills them.
  const bool explicit_path = !inverse_mass_.empty() && scheme_ != MotionScheme::kMidpoint  // q* = qB
                             && layout_.unknowns() <= kMostExplicit;
  layout_.paths = layout_.has_kappa && !explicit_path ? nu_ : 0;
  inputs_.q_B = lagrangian_.count();
  inputs_.u_B = inputs_.q_B + n_;
  inputs_.t_B = inputs_.u_B + nu_;
  inputs_.dt = inputs_.t_B + 1;
  inputs_.unknowns = inputs_.dt + 1;
  inputs_.law = inputs_.unknowns + layout_.unknowns();
  inputs_.count = inputs_.law + ForceLaw::kMostRows;
}

Vector StepWriter::inputs_from(int first, int count) {
  Vector values;
  for (int i = 0; i < count; ++i) values.push_back(graph_.input(first + i));
  return values;
}

void StepWriter::place_inputs() {
  const Expr half = number(0.5);
  const int m = layout_.constraints;
  q_B = inputs_from(inputs_.q_B, n_);
  u_B = inputs_from(inputs_.u_B, nu_);
  t_B = graph_.input(inputs_.t_B);
  dt = graph_.input(inputs_.dt);
  t_M = t_B + half * dt;
  t_E = t_B + dt;
  u_E = inputs_from(inputs_.unknowns, nu_);
  lambda = inputs_from(inputs_.unknowns + layout_.position_rows(), m);
  if (layout_.has_kappa) kappa = inputs_from(inputs_.unknowns + layout_.velocity_rows(), m);
  u_M = each(nu_, [&](size_t i) { return half * (u_B[i] + u_E[i]); });
  const bool midpoint = scheme_ == MotionScheme::kMidpoint,
             frozen = scheme_ == MotionScheme::kFrozen || variants_.map_at_begin;
  write_path();
  write_coordinates();
  q_star = midpoint ? q_M : q_B;
  u_star = midpoint ? u_M : u_B;
  q_gyro = frozen ? q_B : q_M;
  u_gyro = frozen ? u_B : u_M;
  q_map = variants_.map_at_begin ? q_B : q_M;
  make_orientations();
  make_segments();
}

/// s, v = s/dt.
void StepWriter::write_path() {
  if (layout_.paths > 0) {
    s = inputs_from(inputs_.unknowns + layout_.path_rows(), nu_);
    v = each(nu_, [&](size_t i) { return s[i] / dt; });
    return;
  }
  v = u_M;
  s = each(nu_, [&](size_t i) { return dt * u_M[i]; });
  if (!layout_.has_kappa) return;
  // s = dt um - M^-1 (dgamma/du(qB))' kappa
  Vector impulse(static_cast<size_t>(nu_), number(0.0));
  Substitution at_begin = at(q_B, u_B, t_M);
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    for (const auto& [j, a] : equations_.constraints[k].W) {
      Expr& entry = impulse[static_cast<size_t>(j)];
      entry = entry + at_begin(a) * kappa[k];
    }
  }
  for (size_t j = 0; j < static_cast<size_t>(nu_); ++j) {
    for (const auto& [k, inverse] : inverse_mass_[j]) s[j] = s[j] - number(inverse) * impulse[static_cast<size_t>(k)];
    v[j] = s[j] / dt;
  }
}

/// qE - qB = F(qm) s.
void StepWriter::write_coordinates() {
  const Expr half = number(0.5), zero = number(0.0);
  dq.assign(static_cast<size_t>(n_), zero);
  int unknown = inputs_.unknowns + layout_.coordinate_rows();
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    if (quaternion_row_[i] != 0) continue;
    if (constant_row_[i] == 0) {
      dq[i] = graph_.input(unknown++);
      continue;
    }
    for (const auto& [j, entry] : F_[i]) dq[i] = dq[i] + entry * s[static_cast<size_t>(j)];
  }
  for (const UnitQuaternion& quaternion : description_.unit_quaternions) write_quaternion(quaternion);
  q_E = each(n_, [&](size_t i) { return q_B[i] + dq[i]; });
  q_M = each(n_, [&](size_t i) { return q_B[i] + half * dq[i]; });
}

/// A_E - A_B = A_B (-2 |x|^2 + 2 X)/(1 + |x|^2), X = (0, x), x = s_w/4: the solution of A_E - A_B = (A_B + A_E)/2 (0, s_w)/2.
void StepWriter::write_quaternion(const UnitQuaternion& quaternion) {
  const auto a = static_cast<size_t>(quaternion.first_coordinate), w = static_cast<size_t>(quaternion.first_velocity);
  const Expr quarter = number(0.25), one = number(1.0), two = number(2.0);
  if (scheme_ == MotionScheme::kMomentum) {
    // A_E - A_B = A_B (1/c - 1, s_w/(2c)), c = sqrt(1 + |s_w|^2/4): a turn by 2 atan(|s_w|/2), the Cayley map of rotations.
    const Expr half = number(0.5), T2 = quarter * (s[w] * s[w] + s[w + 1] * s[w + 1] + s[w + 2] * s[w + 2]);
    const Expr c = graph_.apply(Op::kSqrt, one + T2), b0 = -(T2 / (c * (one + c)));
    const std::array<Expr, 3> b = {half * s[w] / c, half * s[w + 1] / c, half * s[w + 2] / c};
    const Expr a0 = q_B[a], a1 = q_B[a + 1], a2 = q_B[a + 2], a3 = q_B[a + 3];
    dq[a] = a0 * b0 - (a1 * b[0] + a2 * b[1] + a3 * b[2]);
    dq[a + 1] = a0 * b[0] + a1 * b0 + (a2 * b[2] - a3 * b[1]);
    dq[a + 2] = a0 * b[1] + a2 * b0 + (a3 * b[0] - a1 * b[2]);
    dq[a + 3] = a0 * b[2] + a3 * b0 + (a1 * b[1] - a2 * b[0]);
    return;
  }
  const std::array<Expr, 3> x = {quarter * s[w], quarter * s[w + 1], quarter * s[w + 2]};
  const Expr square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  const Expr factor = two / (one + square);
  const Expr b0 = -square, a0 = q_B[a], a1 = q_B[a + 1], a2 = q_B[a + 2], a3 = q_B[a + 3];
  dq[a] = factor * (a0 * b0 - (a1 * x[0] + a2 * x[1] + a3 * x[2]));
  dq[a + 1] = factor * (a0 * x[0] + a1 * b0 + (a2 * x[2] - a3 * x[1]));
  dq[a + 2] = factor * (a0 * x[1] + a2 * b0 + (a3 * x[0] - a1 * x[2]));
  dq[a + 3] = factor * (a0 * x[2] + a3 * b0 + (a1 * x[1] - a2 * x[0]));
}

/// R_E - R_B = R_B (theta~ + theta~^2/2)/c^2 of the Cayley map R_E = R_B (1 + theta~/2)(1 - theta~/2)^-1.
void StepWriter::make_orientations() {
  if (scheme_ != MotionScheme::kMomentum || description_.unit_quaternions.empty()) return;
  const Expr half = number(0.5), quarter = number(0.25), one = number(1.0);
  const int axes = 9 * static_cast<int>(description_.unit_quaternions.size());
  std::vector<Expr> shifted(static_cast<size_t>(inputs_.count));
  for (int k = n_; k < inputs_.count; ++k) shifted[static_cast<size_t>(k)] = graph_.input(k + axes);
  by_axes_.emplace(graph_, std::move(shifted));
  Segment segment{.a = q_B, .b = q_E, .middle = q_M, .delta = dq, .others = others(u_E, t_M)};
  int input = n_;
  for (const UnitQuaternion& quaternion : description_.unit_quaternions) {
    const auto a = static_cast<size_t>(quaternion.first_coordinate), w = static_cast<size_t>(quaternion.first_velocity);
    const auto axes_at = [&](const auto& A) { return axes_of_quaternion(A(a), {A(a + 1), A(a + 2), A(a + 3)}); };
    const auto named = axes_at([&](size_t k) { return graph_.input(static_cast<int>(k)); });
    Orientation made{
        .quaternion = quaternion, .turn = {s[w], s[w + 1], s[w + 2]}, .c = {}, .begin = {}, .delta = {}, .middle = {}};
    made.begin = axes_at([&](size_t k) { return q_B[k]; });
    const std::array<Expr, 3>& x = made.turn;
    const Expr square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], c2 = one + quarter * square;
    made.c = graph_.apply(Op::kSqrt, c2);
    for (size_t i = 0; i < 3; ++i) {
      // Column i of theta~ + theta~^2/2 = theta~ + (theta theta' - |theta|^2)/2.
      std::array<Expr, 3> column;
      for (size_t k = 0; k < 3; ++k) column[k] = half * x[k] * x[i] - (k == i ? half * square : number(0.0));
      column[(i + 1) % 3] = column[(i + 1) % 3] + x[(i + 2) % 3];
      column[(i + 2) % 3] = column[(i + 2) % 3] - x[(i + 1) % 3];
      for (size_t k = 0; k < 3; ++k) {
        made.delta[i][k] = (made.begin[0][k] * column[0] + made.begin[1][k] * column[1] + made.begin[2][k] * column[2]) / c2;
        made.middle[i][k] = made.begin[i][k] + half * made.delta[i][k];
        segment.a.push_back(made.begin[i][k]);
        segment.b.push_back(made.begin[i][k] + made.delta[i][k]);
        segment.middle.push_back(made.middle[i][k]);
        segment.delta.push_back(made.delta[i][k]);
        by_axes_->replace(named[i][k], graph_.input(input++));
      }
    }
    orientations_.push_back(std::move(made));
  }
  over_axes_.emplace_back(graph_, segment);
  change_over_axes_.emplace_back(graph_, segment);
}

/// Of an expression in axes: whether it has no quaternion left.
bool StepWriter::acts_through_axes(Expr f) const {
  for (const int input : graph_.inputs_of(f)) {
    if (input < n_ && quaternion_row_[static_cast<size_t>(input)] != 0) return false;
  }
  return true;
}

/// Forces h_i on the axes d_i turn a body by N = sum (d_iB + d_iE)/2 x h_i, and tau = (1 - theta~/2) R_B'N does that:
/// R_E J wE - R_B J wB = N, and theta'tau = sum h_i.(d_iE - d_iB).
void StepWriter::add_discrete(Expr factor, Expr f, Vector& on_coordinates, Vector& on_velocities) {
  const auto add_to = [](Expr& sum, Expr value) { sum = sum + value; };
  if (orientations_.empty()) {
    for (const auto& [i, entry] : over_step_.front()(f)) add_to(on_coordinates[static_cast<size_t>(i)], factor * entry);
    return;
  }
  std::vector<std::array<std::array<Expr, 3>, 3>> pull(orientations_.size());
  for (auto& body : pull) {
    for (auto& axis : body) axis.fill(number(0.0));
  }
  for (const Expr term : additive_terms(f)) {
    const Expr through_axes = (*by_axes_)(term);
    if (!acts_through_axes(through_axes)) {
      for (const auto& [i, entry] : over_step_.front()(term)) add_to(on_coordinates[static_cast<size_t>(i)], factor * entry);
      continue;
    }
    for (const auto& [i, entry] : over_axes_.front()(through_axes)) {
      if (i < n_) {
        add_to(on_coordinates[static_cast<size_t>(i)], factor * entry);
      } else {
        const auto k = static_cast<size_t>(i - n_);
        add_to(pull[k / 9][k % 9 / 3][k % 3], factor * entry);
      }
    }
  }
  const Expr half = number(0.5);
  for (size_t b = 0; b < orientations_.size(); ++b) {
    const Orientation& body = orientations_[b];
    std::array<Expr, 3> N = {number(0.0), number(0.0), number(0.0)}, y = N;
    for (size_t i = 0; i < 3; ++i) {
      const auto &d = body.middle[i], &h = pull[b][i];
      for (size_t k = 0; k < 3; ++k) add_to(N[k], d[(k + 1) % 3] * h[(k + 2) % 3] - d[(k + 2) % 3] * h[(k + 1) % 3]);
    }
    if (N[0].is_constant(0.0) && N[1].is_constant(0.0) && N[2].is_constant(0.0)) continue;
    for (size_t i = 0; i < 3; ++i) y[i] = body.begin[i][0] * N[0] + body.begin[i][1] * N[1] + body.begin[i][2] * N[2];
    const std::array<Expr, 3>& x = body.turn;
    const auto w = static_cast<size_t>(body.quaternion.first_velocity);
    for (size_t k = 0; k < 3; ++k)
      add_to(on_velocities[w + k], y[k] - half * (x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]));
  }
}

Expr StepWriter::change_of(Expr f) {
  if (!orientations_.empty()) {
    const Expr through_axes = (*by_axes_)(f);
    if (acts_through_axes(through_axes)) return change_over_axes_.front()(through_axes);
  }
  return change_over_step_.front()(f);
}

/// With R_m the rotation half way and tau_m = R_m'N: (1 - theta~/2) R_B'N = c tau_m - theta (theta'tau_m)/(4 (1 + c)).
void StepWriter::turn_moments(Vector& on_velocities) {
  const Expr one = number(1.0), four = number(4.0);
  for (const Orientation& body : orientations_) {
    const auto w = static_cast<size_t>(body.quaternion.first_velocity);
    const std::array<Expr, 3> moment = {on_velocities[w], on_velocities[w + 1], on_velocities[w + 2]};
    const std::array<Expr, 3>& x = body.turn;
    if (moment[0].is_constant(0.0) && moment[1].is_constant(0.0) && moment[2].is_constant(0.0)) continue;
    const Expr along = (x[0] * moment[0] + x[1] * moment[1] + x[2] * moment[2]) / (four * (one + body.c));
    for (size_t k = 0; k < 3; ++k) on_velocities[w + k] = body.c * moment[k] - along * x[k];
  }
}

/// qm with unit quaternions of length 1.
Vector StepWriter::normalized_middle() {
  Vector q = q_M;
  for (const UnitQuaternion& quaternion : description_.unit_quaternions) {
    const auto a = static_cast<size_t>(quaternion.first_coordinate);
    Expr square = number(0.0);
    for (size_t k = a; k < a + 4; ++k) square = square + q_M[k] * q_M[k];
    const Expr length = graph_.apply(Op::kSqrt, square);
    for (size_t k = a; k < a + 4; ++k) q[k] = q_M[k] / length;
  }
  return q;
}

Vector StepWriter::rates_at(const Vector& u) {
  Vector rates(static_cast<size_t>(n_));
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    if (constant_row_[i] == 0 || quaternion_row_[i] != 0) continue;
    Expr rate = number(0.0);
    for (const auto& [j, entry] : F_[i]) rate = rate + entry * u[static_cast<size_t>(j)];
    rates[i] = rate;
  }
  return rates;
}

Vector StepWriter::others(const Vector& u, Expr t, const Vector& direction) {
  Vector values = rates_at(u);
  values.push_back(t);
  if (lagrangian_.own > 0) values.insert(values.end(), u.begin(), u.end());
  values.resize(static_cast<size_t>(inputs_.count - n_));
  values.insert(values.end(), direction.begin(), direction.end());
  return values;
}

Substitution StepWriter::at(const Vector& q, const Vector& u, Expr t, const Vector& direction) {
  Vector values = q;
  const Vector behind = others(u, t, direction);
  values.insert(values.end(), behind.begin(), behind.end());
  return {graph_, std::move(values)};
}

bool StepWriter::depends_on_t(Expr y) const {
  const std::vector<int> inputs = graph_.inputs_of(y);
  return std::find(inputs.begin(), inputs.end(), lagrangian_.t()) != inputs.end();
}

void StepWriter::add_mapped(const Vector& forces, Substitution& place, Vector& velocities) {
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    if (forces[i].is_constant(0.0)) continue;
    Expr force = forces[i];
    for (const Orientation& body : orientations_) {  // A_E - A_B = 2/(1 + c) F(A_m) theta
      const int k = static_cast<int>(i) - body.quaternion.first_coordinate;
      if (k >= 0 && k < 4) force = number(2.0) / (number(1.0) + body.c) * force;
    }
    for (const auto& [j, entry] : F_[i]) {
      Expr& sum = velocities[static_cast<size_t>(j)];
      sum = sum + place(entry) * force;
    }
  }
}

void StepWriter::make_segments() {
  const Expr half = number(0.5);
  const auto segment = [&](const Vector& a, const Vector& b, const Vector& delta, const Vector& u) {
    Segment made{.a = a, .b = b, .middle = {}, .delta = delta, .others = others(u, t_M)};
    made.middle = each(n_, [&](size_t i) { return half * (a[i] + b[i]); });
    return made;
  };
  const Segment whole = segment(q_B, q_E, dq, u_E);
  over_step_.emplace_back(graph_, whole);
  change_over_step_.emplace_back(graph_, whole);
  if (scheme_ == MotionScheme::kMidpoint) {
    const Vector half_dq = each(n_, [&](size_t i) { return half * dq[i]; });
    of_motion_.emplace_back(graph_, segment(q_B, q_M, half_dq, u_B));
    of_motion_.emplace_back(graph_, segment(q_M, q_E, half_dq, u_E));
  } else {
    of_motion_.emplace_back(graph_, whole);
  }
}

/// Of T(q, dq/dt), homogeneous of degree two in the rates, so that M v is dT/d(rate) at the rate v.
void StepWriter::add_inertia(Vector& on_coordinates, Vector& on_velocities, Vector& kinematics) {
  const Expr T = description_.kinetic, zero = number(0.0);
  const int rates = lagrangian_.rate(0);
  Substitution of_change = at(q_star, each(nu_, [&](size_t i) { return u_E[i] - u_B[i]; }), t_M);
  Substitution of_defect = at(q_star, each(nu_, [&](size_t i) { return dt * u_M[i] - s[i]; }), t_M);
  Vector momentum(static_cast<size_t>(n_), zero), defect = momentum;
  for (const auto& [input, p] : graph_.gradient(T, rates, rates + n_)) {
    const auto i = static_cast<size_t>(input - rates);
    momentum[i] = of_change(p);
    if (!kinematics.empty()) defect[i] = of_defect(p);
  }
  if (!graph_.gradient(T, 0, n_).empty()) {
    // G_ij = dp_i/dq_j - dp_j/dq_i, hence G w = d/d(rate) (dT/dq w) - d/dq (p w), Moeller (5.54).
    const Vector w = inputs_from(inputs_.count, n_);
    Vector along_rates(static_cast<size_t>(rates));
    along_rates.insert(along_rates.end(), w.begin(), w.end());
    const Expr T_w = ForwardDerivative(graph_, w)(T), p_w = ForwardDerivative(graph_, along_rates)(T);
    Substitution with_dq = at(q_star, u_star, t_M, dq);
    for (const auto& [input, entry] : graph_.gradient(T_w, rates, rates + n_)) {
      const auto i = static_cast<size_t>(input - rates);
      momentum[i] = momentum[i] + with_dq(entry);
    }
    for (const auto& [input, entry] : graph_.gradient(p_w, 0, n_)) {
      const auto i = static_cast<size_t>(input);
      momentum[i] = momentum[i] - with_dq(entry);
    }
  }
  Substitution constant = at(q_M, u_M, t_M);  // these rows of F are constant
  add_mapped(momentum, constant, on_velocities);
  if (!kinematics.empty()) add_mapped(defect, constant, kinematics);
  for (DiscreteDerivative& derivative : of_motion_) {
    const Expr share = dt * number(1.0 / static_cast<double>(of_motion_.size()));
    for (const auto& [i, entry] : derivative(T)) {
      Expr& sum = on_coordinates[static_cast<size_t>(i)];
      sum = sum + share * entry;
    }
  }
}

/// Of bodies in velocities of their own: constant M, and H s.
void StepWriter::add_body_inertia(const BodyInertia& inertia, Vector& on_velocities, Vector& kinematics) {
  if (!inertia.kinetic.valid()) return;
  const int first = lagrangian_.u(0);
  Vector change(static_cast<size_t>(inputs_.count)), defect = change;
  for (size_t j = 0; j < static_cast<size_t>(nu_); ++j) {
    change[static_cast<size_t>(first) + j] = u_E[j] - u_B[j];
    defect[static_cast<size_t>(first) + j] = dt * u_M[j] - s[j];
  }
  Substitution of_change(graph_, change), of_defect(graph_, defect);
  for (const auto& [input, p] : graph_.gradient(inertia.kinetic, first, first + nu_)) {
    const auto j = static_cast<size_t>(input - first);
    on_velocities[j] = on_velocities[j] + of_change(p);
    if (!kinematics.empty()) kinematics[j] = kinematics[j] + of_defect(p);
  }
  Substitution place = at(q_gyro, u_gyro, t_M);
  const auto turns = [&](int row) {
    return std::any_of(orientations_.begin(), orientations_.end(), [&](const Orientation& body) {
      return row >= body.quaternion.first_velocity && row < body.quaternion.first_velocity + 3;
    });
  };
  for (const auto& [row, column, value] : inertia.gyro) {
    if (turns(row)) continue;
    Expr& sum = on_velocities[static_cast<size_t>(row)];
    sum = sum + place(value) * s[static_cast<size_t>(column)];
  }
  if (orientations_.empty()) return;
  // J (wE - wB) + theta x J wm = (1 + theta~/2) J wE - (1 - theta~/2) J wB, whatever the path.
  Substitution mean = at(q_gyro, u_M, t_M);
  std::vector<Expr> momentum(static_cast<size_t>(nu_), number(0.0));
  for (const auto& [input, p] : graph_.gradient(inertia.kinetic, first, first + nu_))
    momentum[static_cast<size_t>(input - first)] = mean(p);
  for (const Orientation& body : orientations_) {
    const auto w = static_cast<size_t>(body.quaternion.first_velocity);
    const std::array<Expr, 3>& x = body.turn;
    for (size_t k = 0; k < 3; ++k) {
      Expr& sum = on_velocities[w + k];
      sum = sum + (x[(k + 1) % 3] * momentum[w + (k + 2) % 3] - x[(k + 2) % 3] * momentum[w + (k + 1) % 3]);
    }
  }
}

void StepWriter::add_forces(Vector& on_coordinates, Vector& on_velocities) {
  add_discrete(dt, description_.potential, on_coordinates, on_velocities);
  Substitution at_middle = at(orientations_.empty() ? q_M : normalized_middle(), v, t_M);
  Vector given =
      each(nu_, [&](size_t j) { return dt * (at_middle(equations_.damping[j]) + at_middle(equations_.applied[j])); });
  turn_moments(given);
  for (size_t j = 0; j < static_cast<size_t>(nu_); ++j) on_velocities[j] = on_velocities[j] - given[j];
}

void StepWriter::add_constraints(Vector& rows, Vector& kinematics) {
  constraint_on_coordinates.assign(static_cast<size_t>(n_), number(0.0));
  constraint_on_velocities.assign(static_cast<size_t>(nu_), number(0.0));
  Substitution at_middle = at(q_M, v, t_M), at_end = at(q_E, u_E, t_E);
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    if (description_.constraints[k].constraint.holonomic) {
      const Expr position = description_.constraints[k].position;
      add_discrete(lambda[k], position, constraint_on_coordinates, constraint_on_velocities);
      rows.push_back(at_end(position));
    } else {
      Expr path = dt * at_middle(row.chi);
      for (const auto& [j, a] : row.W) {
        Expr& sum = constraint_on_velocities[static_cast<size_t>(j)];
        sum = sum + at_middle(a) * lambda[k];
        path = path + at_middle(a) * s[static_cast<size_t>(j)];
      }
      rows.push_back(path);
    }
  }
  if (layout_.has_kappa) add_velocity_levels(rows, kinematics);
}

void StepWriter::add_velocity_levels(Vector& rows, Vector& kinematics) {
  Substitution at_end = at(q_E, u_E, t_E), at_star = at(q_star, u_star, t_M);
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    for (DiscreteDerivative& derivative : of_motion_) {
      const Expr share = number(1.0 / static_cast<double>(of_motion_.size()));
      for (const auto& [i, entry] : derivative(row.gamma)) {
        Expr& sum = constraint_on_coordinates[static_cast<size_t>(i)];
        sum = sum + share * entry * kappa[k];
      }
    }
    rows.push_back(at_end(row.gamma));
    if (kinematics.empty()) continue;
    for (const auto& [j, a] : row.W) {
      Expr& sum = kinematics[static_cast<size_t>(j)];
      sum = sum - at_star(a) * kappa[k];
    }
  }
}

Vector StepWriter::write_constraint_impulse() {
  Vector impulse = constraint_on_velocities;
  Substitution map = at(q_map, u_M, t_M);
  add_mapped(constraint_on_coordinates, map, impulse);
  return impulse;
}

Vector StepWriter::write_rows() {
  Vector on_coordinates(static_cast<size_t>(n_), number(0.0)), on_velocities(static_cast<size_t>(nu_), number(0.0));
  Vector kinematics, coordinates, constraints;
  if (layout_.paths > 0) kinematics = on_velocities;
  add_forces(on_coordinates, on_velocities);
  if (decomposed_) {
    add_body_inertia(*decomposed_, on_velocities, kinematics);
  } else {
    add_inertia(on_coordinates, on_velocities, kinematics);
  }
  add_body_inertia(description_.bodies, on_velocities, kinematics);
  add_constraints(constraints, kinematics);
  Substitution map = at(q_map, u_M, t_M);
  add_mapped(on_coordinates, map, on_velocities);
  const Vector impulse = write_constraint_impulse();
  for (size_t j = 0; j < static_cast<size_t>(nu_); ++j) on_velocities[j] = on_velocities[j] - impulse[j];
  for (size_t i = 0; i < static_cast<size_t>(n_); ++i) {
    if (constant_row_[i] != 0 || quaternion_row_[i] != 0) continue;
    Expr rest = dq[i];
    for (const auto& [j, entry] : F_[i]) rest = rest - map(entry) * s[static_cast<size_t>(j)];
    coordinates.push_back(rest);
  }
  Vector rows = std::move(on_velocities);
  for (const Vector* part : {&kinematics, &coordinates, &constraints}) rows.insert(rows.end(), part->begin(), part->end());
  return rows;
}

Vector StepWriter::write_end() {
  Vector end = q_E;
  end.insert(end.end(), s.begin(), s.end());
  return end;
}

/// What is missing in the identity  T_E + V(qE, tM) - T_B - V(qB, tM) = 0  of a system without forces and explicit times.
Vector StepWriter::write_energy() {
  Expr lost = number(0.0), work = number(0.0);
  Substitution given_at = at(orientations_.empty() ? q_M : normalized_middle(), v, t_M), at_middle = at(q_M, v, t_M);
  for (size_t j = 0; j < static_cast<size_t>(nu_); ++j) {
    lost = lost - given_at(equations_.damping[j]) * s[j];
    work = work + given_at(equations_.applied[j]) * s[j];
  }
  Substitution begin = at(q_B, u_B, t_B), end = at(q_E, u_E, t_E), begin_M = at(q_B, u_B, t_M), end_M = at(q_E, u_E, t_M);
  for (const Expr term : additive_terms(description_.potential)) {
    if (depends_on_t(term)) work = work + ((end(term) - end_M(term)) + (begin_M(term) - begin(term)));
  }
  for (size_t k = 0; k < description_.constraints.size(); ++k) {
    const VelocityRow& row = equations_.constraints[k];
    if (!description_.constraints[k].constraint.holonomic) {
      work = work - lambda[k] * at_middle(row.chi);
    } else if (const Expr position = description_.constraints[k].position; depends_on_t(position)) {
      work = work + lambda[k] * (end_M(position) - begin_M(position)) / dt;
    }
    if (layout_.has_kappa && depends_on_t(row.gamma)) work = work + kappa[k] * (end_M(row.gamma) - begin_M(row.gamma)) / dt;
  }
  return {lost, work};
}

/// Of a contact: by the discrete derivative of its gap, or as printed.
void StepWriter::write_normal(const LawDescription& description, const VelocityRow& at_place, LawRow& row) {
  if (variants_.gap_gradient_at_begin) {
    Substitution begin = at(q_B, u_M, t_M);
    row.chi = begin(at_place.chi);
    row.xi = row.chi;
    for (const auto& [j, a] : at_place.W) {
      row.W.push_back({j, begin(a)});
      row.xi = row.xi + begin(a) * v[static_cast<size_t>(j)];
    }
    return;
  }
  Vector on_coordinates(static_cast<size_t>(n_), number(0.0)), on_velocities(static_cast<size_t>(nu_), number(0.0));
  add_discrete(number(1.0), description.gap, on_coordinates, on_velocities);
  Substitution map = at(q_map, u_M, t_M);
  add_mapped(on_coordinates, map, on_velocities);
  Expr moved = number(0.0);
  if (depends_on_t(description.gap)) {
    Substitution begin = at(q_B, u_B, t_B), end = at(q_E, u_E, t_E), begin_M = at(q_B, u_B, t_M), end_M = at(q_E, u_E, t_M);
    const Expr gap = description.gap;
    moved = (end(gap) - end_M(gap)) + (begin_M(gap) - begin(gap));
  }
  for (int j = 0; j < nu_; ++j) {
    const Expr entry = on_velocities[static_cast<size_t>(j)];
    if (!entry.is_constant(0.0)) row.W.push_back({j, entry});
  }
  row.chi = moved / dt;
  row.xi = (change_of(description.gap) + moved) / dt;
}

std::vector<LawRow> StepWriter::write_law(size_t law, bool on_end_velocity) {
  const LawDescription& description = description_.laws[law];
  const ForceLaw& kind = description.law;
  std::vector<LawRow> rows;
  if (kind.kind == ForceLaw::Kind::kContact) write_normal(description, equations_.laws[law].front(), rows.emplace_back());
  const Vector q_tangent = friction_.directions_at_middle ? normalized_middle() : q_B;
  Substitution place = at(q_tangent, u_M, t_M), end = at(q_E, u_E, t_E);
  const bool at_end = on_end_velocity && kind.kind != ForceLaw::Kind::kOneWay;
  const std::vector<VelocityRow>& velocity_rows = equations_.laws[law];
  for (size_t k = rows.size(); k < velocity_rows.size(); ++k) {
    LawRow& row = rows.emplace_back();
    row.chi = place(velocity_rows[k].chi);
    row.xi = at_end ? end(velocity_rows[k].chi) : row.chi;
    Vector direction(static_cast<size_t>(nu_), number(0.0));
    for (const auto& [j, a] : velocity_rows[k].W) direction[static_cast<size_t>(j)] = place(a);
    turn_moments(direction);
    for (int j = 0; j < nu_; ++j) {
      if (!direction[static_cast<size_t>(j)].is_constant(0.0)) row.W.push_back({j, direction[static_cast<size_t>(j)]});
    }
    for (const auto& [j, a] : velocity_rows[k].W) {
      row.xi = row.xi + (at_end ? end(a) * u_E[static_cast<size_t>(j)] : place(a) * v[static_cast<size_t>(j)]);
    }
  }
  return rows;
}

}  // namespace tippe
