// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/mechanics.h"

#include <algorithm>
#include <cmath>

namespace tippe::verify {

using Eigen::Index;

Mechanics::Mechanics(const LagrangianDescription& description)
    : description_(description),
      in_(description.inputs()),
      kinetic_(description.kinetic),
      bodies_(description.bodies.kinetic),
      potential_(description.potential),
      damping_(description.damping),
      kinetic_terms_(Formula::terms_of(description.kinetic)),
      bodies_terms_(Formula::terms_of(description.bodies.kinetic)) {
  if (in_.own > 0) {
    for (const Expr rate : description.rates) rates_.emplace_back(rate);
  }
  for (const Expr force : description.forces) forces_.emplace_back(force);
  for (const AppliedForce& given : description.applied_forces)
    applied_.push_back({Formula(given.velocity), Formula(given.force)});
  for (const DampingDescription& given : description.damping_matrices) {
    Damping& damping = damping_matrices_.emplace_back();
    for (const Expr velocity : given.velocities) damping.velocities.emplace_back(velocity);
    for (const std::vector<Expr>& row : given.matrix) {
      std::vector<Formula>& entries = damping.matrix.emplace_back();
      for (const Expr entry : row) entries.emplace_back(entry);
    }
  }
  for (const auto& [row, column, value] : description.bodies.gyro) {
    const auto turns = [&, r = row](const UnitQuaternion& body) {
      return r >= body.first_velocity && r < body.first_velocity + 3;
    };
    if (std::none_of(description.unit_quaternions.begin(), description.unit_quaternions.end(), turns))
      gyro_.push_back({row, column, Formula(value)});
  }
  for (const LawDescription& law : description.laws) {
    std::vector<Row>& rows = laws_.emplace_back();
    if (law.law.kind == ForceLaw::Kind::kContact) rows.push_back({Formula(law.gap), true});
    for (const Expr velocity : law.velocities) rows.push_back({Formula(velocity), false});
  }
  for (const ConstraintDescription& row : description.constraints) {
    const bool holonomic = row.constraint.holonomic;
    constraints_.push_back({Formula(holonomic ? row.position : row.velocity), holonomic});
  }
  const auto moves = [&](const Formula& f) { return f.contains(0, in_.n) || f.contains(in_.t(), in_.t() + 1); };
  const bool carried = kinetic_.contains(in_.rate(0), in_.t());
  if (!carried || (!moves(kinetic_) && std::none_of(rates_.begin(), rates_.end(), moves))) {
    const Place origin{0.0L, Vector::Zero(nq()), Vector::Zero(nu())};
    constant_mass_ = find_mass(origin);
  }
}

Vector Mechanics::inputs(const Place& place) const {
  Vector x = Vector::Zero(in_.count());
  x.head(in_.n) = place.q;
  x[in_.t()] = place.t;
  x.segment(in_.u(0), nu()) = place.u;
  if (in_.own == 0) return x;
  for (int i = 0; i < in_.n; ++i) x[in_.rate(i)] = rates_[static_cast<size_t>(i)].value(x);
  return x;
}

Vector Mechanics::rate(const Place& place) const {
  return inputs(place).segment(in_.rate(0), in_.n);
}

SparseMatrix Mechanics::rate_map(const Place& place) const {
  SparseMatrix F(in_.n, nu());
  if (in_.own == 0) {
    F.setIdentity();
    return F;
  }
  const Vector x = inputs(place);
  std::vector<Eigen::Triplet<Real>> entries;
  for (int i = 0; i < in_.n; ++i) {
    for (const auto& [input, slope] : rates_[static_cast<size_t>(i)].slopes(x)) {
      if (input >= in_.u(0) && input < in_.u(0) + nu()) entries.emplace_back(i, input - in_.u(0), slope);
    }
  }
  F.setFromTriplets(entries.begin(), entries.end());
  return F;
}

Real Mechanics::kinetic(const Place& place) const {
  const Vector x = inputs(place);
  return kinetic_.value(x) + bodies_.value(x);
}

Real Mechanics::potential(const Place& place) const {
  return potential_.value(inputs(place));
}

SparseMatrix Mechanics::mass(const Place& place) const {
  return constant_mass_.size() > 0 ? constant_mass_ : find_mass(place);
}

namespace {

void drop_zeros(SparseMatrix& A) {
  A.prune([](Index, Index, Real value) { return value != 0.0L; });
}

/// d2/dy dy' of a sum of terms, with y the inputs first .. first + count - 1.
SparseMatrix second_slopes_of(const std::vector<Formula>& terms, const Vector& x, int first, int count) {
  std::vector<Eigen::Triplet<Real>> entries;
  const auto inside = [&](int input) { return input >= first && input < first + count; };
  for (const Formula& term : terms) {
    for (const auto& entry : term.second_slopes(x)) {
      if (inside(entry.row()) && inside(entry.col()))
        entries.emplace_back(entry.row() - first, entry.col() - first, entry.value());
    }
  }
  SparseMatrix K(count, count);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

}  // namespace

SparseMatrix Mechanics::find_mass(const Place& place) const {
  const Vector x = inputs(place);
  SparseMatrix M(nu(), nu());
  if (kinetic_.contains(in_.rate(0), in_.t())) {  // else F does not matter, and need not be a number at q = 0
    const SparseMatrix F = rate_map(place);
    M = F.transpose() * second_slopes_of(kinetic_terms_, x, in_.rate(0), in_.n) * F;
  }
  if (!bodies_.is_zero()) M += second_slopes_of(bodies_terms_, x, in_.u(0), nu());
  drop_zeros(M);
  return M;
}

/// The direction in which all inputs move at du/dt = 0.
Vector Mechanics::along_motion(const Vector& x) const {
  Vector along = Vector::Zero(in_.count());
  along.head(in_.n) = x.segment(in_.rate(0), in_.n);
  along[in_.t()] = 1.0L;
  if (in_.own == 0) return along;
  Vector rates = Vector::Zero(in_.n);
  for (int i = 0; i < in_.n; ++i) {
    for (const auto& [input, slope] : rates_[static_cast<size_t>(i)].slopes(x)) rates[i] += slope * along[input];
  }
  along.segment(in_.rate(0), in_.n) = rates;
  return along;
}

Vector Mechanics::forces(const Place& place) const {
  const Vector x = inputs(place);
  const SparseMatrix F = rate_map(place);
  const Vector along = along_motion(x);
  Vector g(in_.count()), change(in_.count());
  kinetic_.gradient(x, along, g, change);
  Vector on_coordinates = g.head(in_.n) - change.segment(in_.rate(0), in_.n);
  potential_.gradient(x, g);
  on_coordinates -= g.head(in_.n);
  for (size_t i = 0; i < forces_.size(); ++i) on_coordinates[static_cast<Index>(i)] += forces_[i].value(x);
  Vector h = F.transpose() * on_coordinates;
  if (!damping_.is_zero()) {
    damping_.gradient(x, g);
    h -= F.transpose() * g.segment(in_.rate(0), in_.n);
    if (in_.own > 0) h -= g.segment(in_.u(0), nu());
  }
  for (const Applied& applied : applied_) {
    const Real force = applied.force.value(x);
    applied.velocity.gradient(x, g);
    h += force * (F.transpose() * g.segment(in_.rate(0), in_.n));
    if (in_.own > 0) h += force * g.segment(in_.u(0), nu());
  }
  for (const Damping& damping : damping_matrices_) {
    for (size_t i = 0; i < damping.velocities.size(); ++i) {
      Real force = 0.0L;
      for (size_t k = 0; k < damping.velocities.size(); ++k)
        force += damping.matrix[i][k].value(x) * damping.velocities[k].value(x);
      damping.velocities[i].gradient(x, g);
      h -= force * (F.transpose() * g.segment(in_.rate(0), in_.n));
      if (in_.own > 0) h -= force * g.segment(in_.u(0), nu());
    }
  }
  for (const Gyro& gyro : gyro_) h[gyro.row] -= gyro.value.value(x) * place.u[gyro.column];
  if (description_.unit_quaternions.empty()) return h;
  bodies_.gradient(x, g);
  const Vector momentum = g.segment(in_.u(0), nu());
  for (const UnitQuaternion& body : description_.unit_quaternions) {
    const Index w = body.first_velocity;
    for (int i = 0; i < 3; ++i) {
      const Index j = w + (i + 1) % 3, k = w + (i + 2) % 3;
      h[w + i] -= place.u[j] * momentum[k] - place.u[k] * momentum[j];
    }
  }
  return h;
}

Real Mechanics::gap(size_t law, const Place& place) const {
  return laws_[law].front().formula.value(inputs(place));
}

Real Mechanics::gap_size(size_t law, const Place& place) const {
  return laws_[law].front().formula.size(inputs(place));
}

Rows Mechanics::rows_of(const std::vector<Row>& all, const Place& place) const {
  const auto count = static_cast<Index>(all.size());
  Rows rows{SparseMatrix(nu(), count), Vector(count)};
  if (count == 0) return rows;
  const Vector x = inputs(place), rate = x.segment(in_.rate(0), in_.n);
  const SparseMatrix F = rate_map(place);
  const Vector drift = rate - F * place.u;       // beta
  std::vector<Eigen::Triplet<Real>> by_q, by_u;  // dg/dq, dv/dq', and dv/du
  std::vector<Real> at_rest(all.size(), 0.0L);   // dg/dt + dg/dq beta
  for (size_t k = 0; k < all.size(); ++k) {
    const int first = all[k].position ? 0 : in_.rate(0), column = static_cast<int>(k);
    for (const auto& [input, slope] : all[k].formula.slopes(x)) {
      if (input >= first && input < first + in_.n) {
        by_q.emplace_back(input - first, column, slope);
        if (all[k].position) at_rest[k] += slope * drift[input];
      } else if (!all[k].position && in_.own > 0 && input >= in_.u(0) && input < in_.u(0) + nu()) {
        by_u.emplace_back(input - in_.u(0), column, slope);
      } else if (all[k].position && input == in_.t()) {
        at_rest[k] += slope;
      }
    }
  }
  SparseMatrix by_positions(in_.n, count), by_velocities(nu(), count);
  by_positions.setFromTriplets(by_q.begin(), by_q.end());
  by_velocities.setFromTriplets(by_u.begin(), by_u.end());
  rows.W = SparseMatrix(F.transpose() * by_positions) + by_velocities;
  drop_zeros(rows.W);
  for (Index k = 0; k < count; ++k) {
    const Row& row = all[static_cast<size_t>(k)];
    rows.chi[k] = row.position ? at_rest[static_cast<size_t>(k)] : row.formula.value(x) - rows.W.col(k).dot(place.u);
  }
  return rows;
}

Rows Mechanics::rows(size_t law, const Place& place) const {
  return rows_of(laws_[law], place);
}

Rows Mechanics::constraint_rows(const Place& place) const {
  return rows_of(constraints_, place);
}

Vector Mechanics::constraint_positions(const Place& place) const {
  Vector g = Vector::Zero(static_cast<Index>(constraints_.size()));
  if (g.size() == 0) return g;
  const Vector x = inputs(place);
  for (Index k = 0; k < g.size(); ++k) {
    const Row& row = constraints_[static_cast<size_t>(k)];
    if (row.position) g[k] = row.formula.value(x);
  }
  return g;
}

Real Mechanics::drift_of(const Row& row, const Vector& x, const Vector& along) const {
  Vector g(in_.count()), change(in_.count());
  if (!row.position) {
    row.formula.gradient(x, g);
    return g.dot(along);
  }
  // gamma = dg/dq q' + dg/dt
  row.formula.gradient(x, along, g, change);
  return change.head(in_.n).dot(x.segment(in_.rate(0), in_.n)) + change[in_.t()] +
         g.head(in_.n).dot(along.segment(in_.rate(0), in_.n));
}

Vector Mechanics::drift(size_t law, const Place& place) const {
  const Vector x = inputs(place), along = along_motion(x);
  Vector result(static_cast<Index>(laws_[law].size()));
  for (Index k = 0; k < result.size(); ++k) result[k] = drift_of(laws_[law][static_cast<size_t>(k)], x, along);
  return result;
}

Vector Mechanics::constraint_drift(const Place& place) const {
  Vector result(static_cast<Index>(constraints_.size()));
  if (result.size() == 0) return result;
  const Vector x = inputs(place), along = along_motion(x);
  for (Index k = 0; k < result.size(); ++k) result[k] = drift_of(constraints_[static_cast<size_t>(k)], x, along);
  return result;
}

Matrix Mechanics::constraint_velocity_slopes(const Place& place) const {
  const auto count = static_cast<Index>(constraints_.size());
  Matrix slopes(in_.n, count);
  const Vector x = inputs(place);
  const SparseMatrix F = rate_map(place);
  Vector g(in_.count()), change(in_.count()), along = Vector::Zero(in_.count());
  along.head(in_.n) = x.segment(in_.rate(0), in_.n);
  along[in_.t()] = 1.0L;
  for (Index k = 0; k < count; ++k) {
    const Row& row = constraints_[static_cast<size_t>(k)];
    Vector by_rate;
    if (row.position) {
      row.formula.gradient(x, along, g, change);
      slopes.col(k) = change.head(in_.n);
      by_rate = g.head(in_.n);
    } else {
      row.formula.gradient(x, g);
      slopes.col(k) = g.head(in_.n);
      by_rate = g.segment(in_.rate(0), in_.n);
    }
    for (Index i = 0; in_.own > 0 && i < in_.n; ++i) {
      if (by_rate[i] == 0.0L) continue;
      rates_[static_cast<size_t>(i)].gradient(x, g);
      slopes.col(k) += by_rate[i] * g.head(in_.n);
    }
  }
  return F.transpose() * slopes;
}

Vector Mechanics::rate_drift(const Place& place) const {
  return along_motion(inputs(place)).segment(in_.rate(0), in_.n);
}

Mechanics::Dependence Mechanics::dependence(const Place& place) const {
  const Rows rows = constraint_rows(place);
  // In kinetic units, so that lengths and angles weigh alike whatever the unit of length.
  Vector scale = Vector(mass(place).diagonal()).cwiseSqrt();
  const Real massless = scale.size() > 0 && scale.maxCoeff() > 0.0L ? 1e-6L * scale.maxCoeff() : 1.0L;
  for (Index j = 0; j < scale.size(); ++j) scale[j] = scale[j] > 0.0L ? scale[j] : massless;
  Dependence found;
  for (Index k = 0; k < rows.W.cols(); ++k) {
    const Vector column = rows.W.col(k);
    const Vector left = outside_range(Matrix(rows.W.leftCols(k)), column, scale);
    const Real share =
        left.cwiseQuotient(scale).norm() / std::max(column.cwiseQuotient(scale).norm(), std::numeric_limits<Real>::min());
    found.redundant = found.redundant || share <= 1e-6L;
    if (share > 1e-6L) found.smallest = std::min(found.smallest, share);
  }
  return found;
}

Vector Mechanics::nearest_on_constraints(Place place) const {
  const SparseMatrix M = mass(place);
  for (int iteration = 0; iteration < 6; ++iteration) {
    const Rows rows = constraint_rows(place);
    const Vector g = constraint_positions(place);
    const auto count = static_cast<Index>(std::ranges::count_if(constraints_, &Row::position));
    SparseMatrix W(rows.W.rows(), count);
    Vector left(count);
    for (Index k = 0, column = 0; k < g.size(); ++k) {
      if (!constraints_[static_cast<size_t>(k)].position) continue;
      W.col(column) = rows.W.col(k);
      left[column++] = -g[k];
    }
    place.q += rate_map(place) * smallest_change(M, W, left);
    normalize(place.q);
  }
  return place.q;
}

void Mechanics::normalize(Vector& q) const {
  for (const UnitQuaternion& body : description_.unit_quaternions) {
    auto part = q.segment(body.first_coordinate, 4);
    part /= std::sqrt(part.squaredNorm());
  }
}

Vector outside_range(const Matrix& A, const Vector& r, const Vector& scale, Vector* coefficients) {
  constexpr Real kDependent = 1e-9L;  // of its length: what is left of a column that depends on others
  Matrix basis(A.rows(), 0), columns(A.rows(), A.cols());
  for (Index k = 0; k < A.cols(); ++k) columns.col(k) = A.col(k).cwiseQuotient(scale);
  Vector rest = r.cwiseQuotient(scale);
  std::vector<Index> chosen;
  std::vector<char> done(static_cast<size_t>(A.cols()), 0);
  Matrix left = columns;
  const Real longest = columns.cols() > 0 ? columns.colwise().norm().maxCoeff() : 0.0L;
  for (;;) {  // the column with the largest share left comes next
    Index best = -1;
    Real largest = kDependent;
    for (Index k = 0; k < left.cols(); ++k) {
      const Real length = columns.col(k).norm();
      const Real share =
          done[static_cast<size_t>(k)] != 0 || length <= 1e-13L * longest ? 0.0L : left.col(k).norm() / length;
      if (share > largest) largest = share, best = k;
    }
    if (best < 0) break;
    done[static_cast<size_t>(best)] = 1;
    chosen.push_back(best);
    Vector e = left.col(best);
    for (int twice = 0; twice < 2; ++twice) e -= basis * (basis.transpose() * e);
    e /= e.norm();
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1) = e;
    for (Index k = 0; k < left.cols(); ++k) left.col(k) -= e * e.dot(left.col(k));
  }
  const Vector inside = basis.transpose() * rest;
  for (int twice = 0; twice < 2; ++twice) rest -= basis * (basis.transpose() * rest);
  if (coefficients != nullptr) {
    coefficients->setZero(A.cols());
    const auto n = static_cast<Index>(chosen.size());
    Matrix triangle(n, n);
    for (Index k = 0; k < n; ++k) triangle.col(k) = basis.transpose() * columns.col(chosen[static_cast<size_t>(k)]);
    const Matrix x = solve(triangle, inside);
    for (Index k = 0; k < n; ++k) (*coefficients)[chosen[static_cast<size_t>(k)]] = x(k, 0);
  }
  return rest.cwiseProduct(scale);
}

Matrix solve(Matrix A, Matrix b, Real singular) {
  const Index n = A.rows();
  std::vector<Index> column(static_cast<size_t>(n));
  for (Index k = 0; k < n; ++k) column[static_cast<size_t>(k)] = k;
  Real first = 0.0L;
  Index rank = 0;
  for (; rank < n; ++rank) {
    Index row = rank, at = rank;
    const Real largest = A.bottomRightCorner(n - rank, n - rank).cwiseAbs().maxCoeff(&row, &at);
    if (rank == 0) first = largest;
    if (!(largest > singular * first)) break;
    row += rank, at += rank;
    A.row(rank).swap(A.row(row));
    b.row(rank).swap(b.row(row));
    A.col(rank).swap(A.col(at));
    std::swap(column[static_cast<size_t>(rank)], column[static_cast<size_t>(at)]);
    for (Index i = rank + 1; i < n; ++i) {
      const Real factor = A(i, rank) / A(rank, rank);
      if (factor == 0.0L) continue;
      A.row(i).tail(n - rank) -= factor * A.row(rank).tail(n - rank);
      b.row(i) -= factor * b.row(rank);
    }
  }
  Matrix x = Matrix::Zero(n, b.cols());
  for (Index i = rank; i-- > 0;) {
    Matrix value = b.row(i);
    for (Index k = i + 1; k < rank; ++k) value -= A(i, k) * x.row(column[static_cast<size_t>(k)]);
    x.row(column[static_cast<size_t>(i)]) = value / A(i, i);
  }
  return x;
}

namespace {

/// The equations of velocities and impulses of constraints, [M -W_S; W_S' 0], scaled so that pivots compare.
struct Coupled {
  Matrix K;
  Vector d, length;  // of velocities, and of the columns of W_S
};
Coupled couple(const Matrix& M, const Matrix& W_S) {
  const Index n = M.rows(), m = W_S.cols();
  Coupled made{Matrix::Zero(n + m, n + m), Vector(n), Vector(m)};
  for (Index j = 0; j < n; ++j) made.d[j] = M(j, j) > 0.0L ? 1.0L / std::sqrt(M(j, j)) : 1.0L;
  made.K.topLeftCorner(n, n) = made.d.asDiagonal() * M * made.d.asDiagonal();
  for (Index k = 0; k < m; ++k) {
    Vector column = made.d.cwiseProduct(W_S.col(k));
    made.length[k] = std::max(column.norm(), std::numeric_limits<Real>::min());
    column /= made.length[k];
    made.K.col(n + k).head(n) = -column;
    made.K.row(n + k).head(n) = column.transpose();
  }
  return made;
}

}  // namespace

/// Calls respond(part, touched, W, response) for each part that neither mass nor constraints connect with others, with those columns of W that
/// touch it and their responses, both dense in it.
template <class Respond>
static void respond_by_parts(const SparseMatrix& M, const SparseMatrix& W_S, const SparseMatrix& W, const Respond& respond) {
  const std::vector<std::vector<Index>> parts = connected_parts(M, W_S);
  std::vector<Index> place(static_cast<size_t>(M.rows()));  // in its part
  std::vector<size_t> part_of(place.size());
  for (size_t p = 0; p < parts.size(); ++p) {
    for (size_t j = 0; j < parts[p].size(); ++j) {
      place[static_cast<size_t>(parts[p][j])] = static_cast<Index>(j);
      part_of[static_cast<size_t>(parts[p][j])] = p;
    }
  }
  const auto columns_of_parts = [&](const SparseMatrix& A) {
    std::vector<std::vector<Index>> columns(parts.size());
    for (Index k = 0; k < A.cols(); ++k) {
      for (SparseMatrix::InnerIterator entry(A, k); entry; ++entry) {
        std::vector<Index>& known = columns[part_of[static_cast<size_t>(entry.row())]];
        if (known.empty() || known.back() != k) known.push_back(k);
      }
    }
    return columns;
  };
  const auto block = [&](const SparseMatrix& A, size_t p, const std::vector<Index>& columns) {
    Matrix inside = Matrix::Zero(static_cast<Index>(parts[p].size()), static_cast<Index>(columns.size()));
    for (size_t k = 0; k < columns.size(); ++k) {
      for (SparseMatrix::InnerIterator entry(A, columns[k]); entry; ++entry) {
        if (part_of[static_cast<size_t>(entry.row())] == p)
          inside(place[static_cast<size_t>(entry.row())], static_cast<Index>(k)) = entry.value();
      }
    }
    return inside;
  };
  const std::vector<std::vector<Index>> held = columns_of_parts(W_S), touched = columns_of_parts(W);
  for (size_t p = 0; p < parts.size(); ++p) {
    if (touched[p].empty()) continue;
    const auto n = static_cast<Index>(parts[p].size());
    const Coupled coupled = couple(block(M, p, parts[p]), block(W_S, p, held[p]));
    const Matrix side = block(W, p, touched[p]);
    Matrix b = Matrix::Zero(coupled.K.rows(), side.cols());
    b.topRows(n) = coupled.d.asDiagonal() * side;
    respond(parts[p], touched[p], side, Matrix(coupled.d.asDiagonal() * solve(coupled.K, b).topRows(n)));
  }
}

Matrix response_to(const SparseMatrix& M, const SparseMatrix& W_S, const Matrix& W) {
  Matrix all = Matrix::Zero(M.rows(), W.cols());
  respond_by_parts(
      M, W_S, W.sparseView(),
      [&](const auto& part, const auto& touched, const Matrix&, const Matrix& response) { all(part, touched) = response; });
  return all;
}

Vector squares_by_response(const SparseMatrix& M, const SparseMatrix& W_S, const SparseMatrix& W) {
  Vector squares = Vector::Zero(W.cols());
  respond_by_parts(M, W_S, W, [&](const auto&, const auto& touched, const Matrix& side, const Matrix& response) {
    squares(touched) += side.cwiseProduct(response).colwise().sum().transpose();
  });
  return squares;
}

std::vector<std::vector<Index>> connected_parts(const SparseMatrix& M, const SparseMatrix& W_S) {
  const Index n = M.rows();
  std::vector<Index> leader(static_cast<size_t>(n));
  for (Index j = 0; j < n; ++j) leader[static_cast<size_t>(j)] = j;
  const auto find = [&](Index j) {
    while (leader[static_cast<size_t>(j)] != j) j = leader[static_cast<size_t>(j)];
    return j;
  };
  for (const SparseMatrix* matrix : {&M, &W_S}) {
    for (Index k = 0; k < matrix->cols(); ++k) {
      Index first = matrix == &M ? k : -1;
      for (SparseMatrix::InnerIterator entry(*matrix, k); entry; ++entry) {
        if (entry.value() == 0.0L) continue;
        if (first < 0) first = entry.row();
        const Index a = find(first), b = find(entry.row());
        leader[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
      }
    }
  }
  std::vector<std::vector<Index>> parts;
  std::vector<Index> number(static_cast<size_t>(n), -1);
  for (Index j = 0; j < n; ++j) {
    Index& part = number[static_cast<size_t>(find(j))];
    if (part < 0) {
      part = static_cast<Index>(parts.size());
      parts.emplace_back();
    }
    parts[static_cast<size_t>(part)].push_back(j);
  }
  return parts;
}

Vector smallest_change(const SparseMatrix& M, const SparseMatrix& W_S, const Vector& b) {
  constexpr Real kDependent = 1e-5L;  // rows seem independent by about as much as they are violated
  const Coupled coupled = couple(Matrix(M), Matrix(W_S));
  Matrix side = Matrix::Zero(M.rows() + W_S.cols(), 1);
  side.bottomRows(W_S.cols()) = b.cwiseQuotient(coupled.length);
  return coupled.d.cwiseProduct(Vector(solve(coupled.K, side, kDependent).topRows(M.rows())));
}

Real largest_of(const SparseMatrix& W, Index column) {
  Real largest = 0.0L;
  for (SparseMatrix::InnerIterator entry(W, column); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
  return largest;
}

}  // namespace tippe::verify
