// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/polyhedron.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tippe/core/dense_lu.h"
#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/core/largest.h"
#include "tippe/solve/mixed_problem.h"
#include "tippe/solve/simplex.h"
#include "tippe/solve/tolerances.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Powers of two that bring the largest entry of every row and column near 1.
void equilibrate(const MatrixXd& A, VectorXd& row, VectorXd& column) {
  row = VectorXd::Ones(A.rows());
  column = VectorXd::Ones(A.cols());
  if (A.size() == 0) return;
  const auto damp = [](VectorXd& factor, const VectorXd& size) {
    for (Index i = 0; i < factor.size(); ++i) {
      if (size[i] > 0.0) factor[i] /= std::sqrt(size[i]);
    }
  };
  for (int pass = 0; pass < 10; ++pass) {
    const MatrixXd B = (row.asDiagonal() * A * column.asDiagonal()).cwiseAbs();
    damp(row, B.rowwise().maxCoeff());
    damp(column, B.colwise().maxCoeff().transpose());
  }
  const auto power = [](double s) { return 1.0 / inverse_power_of_two(s); };
  row = row.unaryExpr(power).eval();
  column = column.unaryExpr(power).eval();
}

/// Gauss elimination with complete pivoting, within columns that may be chosen one set after the other.
class Elimination {
 public:
  explicit Elimination(MatrixXd A) : A_(std::move(A)), used_(static_cast<size_t>(A_.rows()), false) {}

  /// Takes as many pivots from `columns` as they have; appends their rows and columns to pivot_rows, pivot_columns.
  void eliminate(std::vector<int> columns, std::vector<int>& pivot_rows, std::vector<int>& pivot_columns) {
    while (!columns.empty() && A_.rows() > 0) {
      Index row = 0, candidate = 0;
      size_t column = 0;
      double pivot = 0.0;
      for (size_t j = 0; j < columns.size(); ++j) {
        const double entry = A_.col(columns[j]).cwiseAbs().maxCoeff(&candidate);
        if (entry > pivot) pivot = entry, row = candidate, column = j;
      }
      if (pivot <= kSmallestPivot) return;
      rank_.smallest_kept = rank_.rank++ == 0 ? pivot : std::min(rank_.smallest_kept, pivot);
      pivot_rows.push_back(static_cast<int>(row));
      pivot_columns.push_back(columns[column]);
      columns.erase(columns.begin() + static_cast<Index>(column));
      used_[static_cast<size_t>(row)] = true;
      const VectorXd multipliers = A_.col(pivot_columns.back()) / A_(row, pivot_columns.back());
      A_.noalias() -= multipliers * A_.row(row).eval();
      A_.row(row).setZero();
      A_.col(pivot_columns.back()).setZero();
    }
  }

  [[nodiscard]] Polyhedron::Rank rank() const {
    Polyhedron::Rank rank = rank_;
    rank.largest_dropped = A_.size() > 0 ? A_.cwiseAbs().maxCoeff() : 0.0;
    return rank;
  }
  [[nodiscard]] std::vector<int> rows_left() const {
    std::vector<int> rows;
    for (size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) rows.push_back(static_cast<int>(i));
    }
    return rows;
  }

 private:
  MatrixXd A_;  // rows with a pivot become zero
  std::vector<bool> used_;
  Polyhedron::Rank rank_;
};

}  // namespace

/// All in equilibrated data: A = row * (as given) * column, x = (as given) / column * b_unit. Rows R1 determine the basic free
/// variables F; rows R2 are independent of them and left to the simplex method on the nonnegative variables P:
///
///   x_F = A(R1, F)^-1 (b(R1) - A(R1, P) x_P) ,   D x_P = A(R2, P) x_P - L A(R1, P) x_P = b(R2) - L b(R1) ,   L = A(R2, F) A(R1, F)^-1
struct Polyhedron::Data {
  VectorXd row, column, column_size;  // the last: largest entry of each column, by which round-off is measured
  double b_unit = 1.0;
  MatrixXd A;
  VectorXd b;
  std::vector<int> P, F, Z;  // nonnegative; free and basic; free and dependent on F
  std::vector<int> R1, R2;
  MatrixXd inverse_F, L, A1P;
  std::optional<Simplex> simplex;
  ProgramStatus status = ProgramStatus::kFailed;
  Rank rank;
  VectorXd point, farkas;
  double farkas_gap = 0.0, farkas_defect = 0.0;

  void choose_basis(const VectorXd& start, std::vector<int>& basis);
  void prove_infeasible(VectorXd y);
  bool rows_contradict(const std::vector<int>& dropped);

  [[nodiscard]] VectorXd scatter(const VectorXd& x_F, const VectorXd& x_B) const;
  [[nodiscard]] VectorXd solve_basis(const VectorXd& rhs) const;  // x with A x = rhs on R1 and R2, basic variables only
  [[nodiscard]] VectorXd solve_transposed(
      const VectorXd& cost) const;  // y on R1 and R2 with (A'y)_j = cost_j for all basic j
  void refine(const VectorXd& rhs, VectorXd& x) const;
  [[nodiscard]] VectorXd current_point() const;
  [[nodiscard]] VectorXd current_duals(const VectorXd& cost) const;
  [[nodiscard]] double worst_sign(const VectorXd& slack) const;
  [[nodiscard]] VectorXd given_x(const VectorXd& x) const { return column.cwiseProduct(x) / b_unit; }
  void finish_ray(VectorXd ray, const VectorXd& cost, Extreme& extreme) const;
};

void Polyhedron::Data::choose_basis(const VectorXd& start, std::vector<int>& basis) {
  Elimination elimination(A);
  std::vector<int> free = std::exchange(F, {});
  elimination.eliminate(free, R1, F);
  for (const int j : free) {
    if (std::find(F.begin(), F.end(), j) == F.end()) Z.push_back(j);
  }
  // Of a start that is a vertex this finds the basis; of another one a basis close by.
  std::vector<int> carriers, idle, pivots;
  for (const int j : P) (start.size() > 0 && start[j] > 0.0 ? carriers : idle).push_back(j);
  std::vector<int> rows = R1;
  elimination.eliminate(carriers, rows, pivots);
  elimination.eliminate(idle, rows, pivots);
  R2.assign(rows.begin() + static_cast<Index>(R1.size()), rows.end());
  rank = elimination.rank();
  std::vector<int> place(static_cast<size_t>(A.cols()), -1);
  for (size_t k = 0; k < P.size(); ++k) place[static_cast<size_t>(P[k])] = static_cast<int>(k);
  for (const int j : pivots) basis.push_back(place[static_cast<size_t>(j)]);

  if (!F.empty()) {
    DenseLU lu;
    lu.factorize(A(R1, F));
    inverse_F = lu.inverse();
  } else {
    inverse_F.resize(0, 0);
  }
  L = A(R2, F) * inverse_F;
  A1P = A(R1, P);
  if (A.rows() > 0)
    column_size = A.cwiseAbs().colwise().maxCoeff().transpose();
  else
    column_size = VectorXd::Zero(A.cols());
  simplex.emplace(A(R2, P) - L * A1P, b(R2) - L * b(R1), basis, column_size(P));
  if (start.size() == 0 && rows_contradict(elimination.rows_left())) return;
  const double rest = simplex->make_feasible();
  if (rest <= kSmallestGap * (1.0 + largest(simplex->basic_values()))) {
    status = ProgramStatus::kOptimal;
    point = given_x(current_point());
  } else if (start.size() == 0 && std::isfinite(rest)) {
    VectorXd y = VectorXd::Zero(A.rows());
    y(R2) = simplex->y();
    y(R1) = -(L.transpose() * simplex->y());
    prove_infeasible(std::move(y));
  }
}

/// A dropped row is a combination of the others; its right side must be so too.
bool Polyhedron::Data::rows_contradict(const std::vector<int>& dropped) {
  VectorXd worst;
  double gap = kSmallestGap;
  for (const int i : dropped) {
    VectorXd y = -solve_transposed(A.row(i).transpose());
    y[i] = 1.0;
    y /= largest(y);
    const double defect = b.dot(y);
    if (std::abs(defect) <= gap) continue;
    gap = std::abs(defect);
    worst = std::copysign(1.0, defect) * y;
  }
  if (worst.size() == 0) return false;
  prove_infeasible(std::move(worst));
  return true;
}

void Polyhedron::Data::prove_infeasible(VectorXd y) {
  y /= largest(y);
  farkas_gap = b.dot(y);
  farkas_defect = worst_sign(-(A.transpose() * y));
  if (!(farkas_gap > kSmallestGap) || !(farkas_defect <= kLargestDefect * farkas_gap)) return;
  status = ProgramStatus::kInfeasible;
  farkas = row.cwiseProduct(y);
}

/// How far cost - A'y is from being >= 0, and = 0 for free variables.
double Polyhedron::Data::worst_sign(const VectorXd& slack) const {
  double worst = 0.0;
  for (const int j : P) worst = std::max(worst, -slack[j]);
  for (const int j : F) worst = std::max(worst, std::abs(slack[j]));
  for (const int j : Z) worst = std::max(worst, std::abs(slack[j]));
  return worst;
}

VectorXd Polyhedron::Data::scatter(const VectorXd& x_F, const VectorXd& x_B) const {
  VectorXd x = VectorXd::Zero(A.cols());
  x(F) = x_F;
  for (Index i = 0; i < x_B.size(); ++i) x[P[static_cast<size_t>(simplex->basis()[static_cast<size_t>(i)])]] = x_B[i];
  return x;
}

VectorXd Polyhedron::Data::solve_basis(const VectorXd& rhs) const {
  const VectorXd r1 = rhs(R1), x_B = simplex->basis_inverse() * (rhs(R2) - L * r1);
  VectorXd carried = r1;
  for (Index i = 0; i < x_B.size(); ++i) carried -= x_B[i] * A1P.col(simplex->basis()[static_cast<size_t>(i)]);
  return scatter(inverse_F * carried, x_B);
}

VectorXd Polyhedron::Data::solve_transposed(const VectorXd& cost) const {
  const VectorXd y_F = inverse_F.transpose() * cost(F);
  const auto& basis = simplex->basis();
  VectorXd cost_B(static_cast<Index>(basis.size()));
  for (Index i = 0; i < cost_B.size(); ++i) {
    const int k = basis[static_cast<size_t>(i)];
    cost_B[i] = cost[P[static_cast<size_t>(k)]] - A1P.col(k).dot(y_F);
  }
  const VectorXd y2 = simplex->basis_inverse().transpose() * cost_B;
  VectorXd y = VectorXd::Zero(A.rows());
  y(R2) = y2;
  y(R1) = y_F - L.transpose() * y2;
  return y;
}

/// Brings the basic variables of x to A x = rhs, as long as it gets better.
void Polyhedron::Data::refine(const VectorXd& rhs, VectorXd& x) const {
  const auto error = [&](const VectorXd& residual) { return largest(residual(R1)) + largest(residual(R2)); };
  VectorXd residual = rhs - A * x;
  for (int pass = 0; pass < 3; ++pass) {
    const VectorXd better = x + solve_basis(residual), left = rhs - A * better;
    if (!(error(left) < error(residual))) return;
    x = better;
    residual = left;
  }
}

VectorXd Polyhedron::Data::current_point() const {
  VectorXd x = solve_basis(b);
  refine(b, x);
  for (const int j : P) x[j] = std::max(0.0, x[j]);
  return x;
}

VectorXd Polyhedron::Data::current_duals(const VectorXd& cost) const {
  VectorXd y = solve_transposed(cost);
  for (int pass = 0; pass < 2; ++pass) y += solve_transposed(cost - A.transpose() * y);
  return y;
}

/// `ray`: with its nonbasic entries; the basic ones are solved again.
void Polyhedron::Data::finish_ray(VectorXd ray, const VectorXd& cost, Extreme& extreme) const {
  refine(VectorXd::Zero(A.rows()), ray);
  for (const int j : P) ray[j] = std::max(0.0, ray[j]);
  ray /= largest(ray);
  extreme.dual_residual = largest(A * ray);
  const double gap = -cost.dot(ray);
  // The slope is compared with its own terms: a variable that occurs in no row may have a cost of any size.
  if (!(gap > kSmallestGap * cost.cwiseAbs().dot(ray.cwiseAbs())) || !(extreme.dual_residual <= kProgramTolerance)) return;
  extreme.status = ProgramStatus::kUnbounded;
  extreme.value = -kInfinity;
  extreme.ray = column.cwiseProduct(ray);
  extreme.ray /= largest(extreme.ray);
}

Polyhedron::Polyhedron(const MatrixXd& A, const VectorXd& b, const std::vector<bool>& nonnegative)
    : Polyhedron(A, b, nonnegative, VectorXd()) {}

Polyhedron Polyhedron::through(const MatrixXd& A, const VectorXd& start, const std::vector<bool>& nonnegative) {
  VectorXd inside = start;
  for (Index j = 0; j < std::min(start.size(), static_cast<Index>(nonnegative.size())); ++j) {
    if (nonnegative[static_cast<size_t>(j)]) inside[j] = std::max(0.0, start[j]);
  }
  if (A.cols() != start.size())
    throw InputError({}, fmt::format("start has {} entries and must have {}: one per column of A", start.size(), A.cols()));
  return {A, A * inside, nonnegative, inside};
}

Polyhedron::Polyhedron(const MatrixXd& A, const VectorXd& b, const std::vector<bool>& nonnegative, const VectorXd& start)
    : data_(new Data) {
  if (A.rows() != b.size() || A.cols() != static_cast<Index>(nonnegative.size()))
    throw InputError({}, fmt::format("A is {} x {} and must be {} x {}: the size of b by that of nonnegative", A.rows(),
                                     A.cols(), b.size(), nonnegative.size()));
  Data& data = *data_;
  if (!A.allFinite() || !b.allFinite()) {
    data.status = ProgramStatus::kNotFinite;
    return;
  }
  equilibrate(A, data.row, data.column);
  data.A = data.row.asDiagonal() * A * data.column.asDiagonal();
  data.b = data.row.cwiseProduct(b);
  data.b_unit = inverse_power_of_two(largest(data.b));
  data.b *= data.b_unit;
  for (Index j = 0; j < A.cols(); ++j)
    (nonnegative[static_cast<size_t>(j)] ? data.P : data.F).push_back(static_cast<int>(j));
  std::vector<int> basis;
  data.choose_basis(start, basis);
}

Polyhedron::Polyhedron(Polyhedron&& other) noexcept = default;
Polyhedron& Polyhedron::operator=(Polyhedron&& other) noexcept = default;
Polyhedron::~Polyhedron() = default;

ProgramStatus Polyhedron::status() const {
  return data_->status;
}
const VectorXd& Polyhedron::point() const {
  return data_->point;
}
const VectorXd& Polyhedron::farkas() const {
  return data_->farkas;
}
double Polyhedron::farkas_gap() const {
  return data_->farkas_gap;
}
double Polyhedron::farkas_defect() const {
  return data_->farkas_defect;
}
int Polyhedron::pivots() const {
  return data_->simplex ? data_->simplex->pivots() : 0;
}
const Polyhedron::Rank& Polyhedron::rank() const {
  return data_->rank;
}

Extreme Polyhedron::minimize(const VectorXd& given_cost) {
  Data& data = *data_;
  Extreme extreme;
  extreme.status = data.status == ProgramStatus::kOptimal ? ProgramStatus::kFailed : data.status;
  extreme.value = kInfinity;
  if (data.status != ProgramStatus::kOptimal) return extreme;
  if (given_cost.size() != data.A.cols())
    throw InputError({}, fmt::format("cost has {} entries and must have {}", given_cost.size(), data.A.cols()));
  if (!given_cost.allFinite()) {
    extreme.status = ProgramStatus::kNotFinite;
    return extreme;
  }
  VectorXd cost = data.column.cwiseProduct(given_cost);
  const double cost_unit = inverse_power_of_two(largest(cost));
  cost *= cost_unit;

  const VectorXd y_F = data.inverse_F.transpose() * cost(data.F);
  const double y_size = largest(data.inverse_F.cwiseAbs().transpose() * cost(data.F).cwiseAbs());
  const auto finish_point = [&] {
    const VectorXd x = data.current_point();
    extreme.primal_residual = largest(data.A * x - data.b) / (1.0 + largest(x));
    extreme.x = data.given_x(x);
  };
  // A line in the set along which the objective is not constant?
  for (const int j : data.Z) {
    const double slope = cost[j] - data.A.col(j)(data.R1).dot(y_F);
    if (std::abs(slope) <= kSmallestGap * (std::abs(cost[j]) + y_size * data.column_size[j])) continue;
    VectorXd ray = VectorXd::Zero(data.A.cols());
    ray[j] = slope > 0.0 ? -1.0 : 1.0;
    data.finish_ray(std::move(ray), cost, extreme);
    if (!extreme.unbounded()) continue;
    finish_point();
    return extreme;
  }
  const VectorXd reduced = cost(data.P) - data.A1P.transpose() * y_F;
  const VectorXd size = cost(data.P).cwiseAbs() + y_size * data.column_size(data.P);
  const int before = data.simplex->pivots();
  for (int attempt = 0; attempt < 2 && extreme.status == ProgramStatus::kFailed; ++attempt) {
    if (attempt > 0) data.simplex->refresh();
    const Simplex::Outcome outcome = data.simplex->minimize(reduced, size);
    if (outcome == Simplex::Outcome::kPivotLimit) break;
    finish_point();
    if (!(extreme.primal_residual <= kProgramTolerance)) continue;
    if (outcome == Simplex::Outcome::kUnbounded) {
      VectorXd ray = data.scatter(VectorXd::Zero(static_cast<Index>(data.F.size())), -data.simplex->ray_loss());
      ray[data.P[static_cast<size_t>(data.simplex->ray_column())]] = 1.0;
      data.finish_ray(std::move(ray), cost, extreme);
      continue;
    }
    const VectorXd y = data.current_duals(cost);
    extreme.dual_residual = data.worst_sign(cost - data.A.transpose() * y) / (1.0 + largest(y));
    extreme.y = data.row.cwiseProduct(y) / cost_unit;
    extreme.value = given_cost.dot(extreme.x);
    if (extreme.dual_residual <= kProgramTolerance) extreme.status = ProgramStatus::kOptimal;
  }
  extreme.pivots = data.simplex->pivots() - before;
  return extreme;
}

}  // namespace tippe
