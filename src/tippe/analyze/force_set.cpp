// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/force_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tippe/core/infinity.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/largest.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/least_distance.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kOpening =
    1e-9;  // gap acceleration of a contact that opens, relative to what load and motion would give alone
constexpr double kCarrying = 1e-9;    // force that counts as one, relative to the load in the kinetic metric
constexpr double kEntry = 1e-9;       // of a free direction with largest entry 1: smaller ones are zero
constexpr double kDependent = 1e-12;  // times sqrt(columns): a singular value of unit columns that is zero for certain

/// Fundamental circuits: columns with the same span, each with as few entries as any vector in it can have, by Gauss-Jordan elimination with
/// complete pivoting.
MatrixXd sparse_basis(MatrixXd basis) {
  std::vector<bool> used(static_cast<size_t>(basis.cols()), false);
  for (Index step = 0; step < basis.cols(); ++step) {
    Index row = 0, column = 0;
    double pivot = 0.0;
    for (Index k = 0; k < basis.cols(); ++k) {
      Index at = 0;
      const double entry = basis.col(k).cwiseAbs().maxCoeff(&at);
      if (!used[static_cast<size_t>(k)] && entry > pivot) pivot = entry, row = at, column = k;
    }
    used[static_cast<size_t>(column)] = true;
    basis.col(column) /= basis(row, column);
    Eigen::RowVectorXd multiples = basis.row(row);
    multiples[column] = 0.0;
    basis.noalias() -= basis.col(column).eval() * multiples;
  }
  return basis;
}

/// What is decided in the variables x = (lambda, nu) of the stacked problem; each force component is a multiple of one of them.
class ForceFinder {
 public:
  ForceFinder(const AccelerationProblem& problem, const StackedProblem& stacked, const Motion& motion)
      : stacked_(stacked),
        columns_(stacked.columns()),
        m_(stacked.pushes.cols()),
        w_(problem.M * motion.acceleration + problem.F),
        x_(motion.multipliers),
        lower_(x_),
        upper_(x_) {
    measure_sizes(problem, motion);
    largest_term_ = largest(problem.M.cwiseAbs() * motion.acceleration.cwiseAbs() + problem.F.cwiseAbs());
    for (Index j = 0; j < columns_.cols(); ++j) {
      if (j < m_ && opens_[static_cast<size_t>(j)]) {
        x_[j] = lower_[j] = upper_[j] = 0.0;
      } else {
        loadable_.push_back(static_cast<int>(j));
      }
    }
  }

  ForceSet find() {
    RankSplit split = decide(loadable_);
    bool bounded = true;
    if (split.null_space.cols() > 0) {
      find_directions(split.null_space);
      for (const std::vector<int>& group : variable_groups()) bounded = find_bounds(group) && bounded;
      drop_unloaded();
      if (!zero_.empty()) {
        split = decide(loadable_);
        find_directions(split.null_space);
      }
      for (const int j : loadable_) {
        if (directions_.row(j).isZero(0.0)) lower_[j] = upper_[j] = x_[j];
      }
      find_representative();
    }
    fill(split, bounded);
    return std::move(result_);
  }

 private:
  /// Lengths of the columns in the kinetic metric, and which contacts open.
  void measure_sizes(const AccelerationProblem& problem, const Motion& motion) {
    MatrixXd rows(columns_.rows(), columns_.cols());
    rows << stacked_.normals, stacked_.equalities;
    const KineticMetric metric(problem.M, rows, row_weights(problem.M, rows));
    if (metric.holds()) {
      unit_ = unit_columns(metric.scale(columns_), 0.0, &length_);
      load_size_ = metric.scale(problem.F).norm() + metric.scale(w_).norm();
    } else {
      unit_ = unit_columns(columns_, 0.0, &length_);
      load_size_ = problem.F.norm() + w_.norm();
    }
    for (double& length : length_) length = length > 0.0 ? length : 1.0;
    const MatrixXd normals = metric.holds() ? metric.scale(stacked_.normals) : stacked_.normals;
    const double motion_size = metric.holds() ? load_size_ : motion.acceleration.norm();
    for (Index i = 0; i < m_; ++i) {
      const double terms = stacked_.normals.col(i).cwiseAbs().dot(motion.acceleration.cwiseAbs());
      const double size = normals.col(i).norm() * motion_size + terms + std::abs(stacked_.normal_drift[i]);
      opens_.push_back(stacked_.normals.col(i).dot(motion.acceleration) + stacked_.normal_drift[i] > kOpening * size);
    }
  }

  [[nodiscard]] double threshold(Index j) const { return kCarrying * load_size_ / length_[j]; }
  [[nodiscard]] RankSplit decide(const std::vector<int>& set) const { return decide_rank(unit_(Eigen::all, set)); }

  /// Both ends of every variable of a group: two objectives each over one polyhedron. Groups do not feel each other, so the others keep
  /// their forces meanwhile.
  bool find_bounds(const std::vector<int>& group) {
    std::vector<int> rows;
    for (Index r = 0; r < columns_.rows(); ++r) {
      if (!columns_(r, group).isZero(0.0)) rows.push_back(static_cast<int>(r));
    }
    const auto count = static_cast<Index>(group.size());
    std::vector<bool> nonnegative;
    for (const int j : group) nonnegative.push_back(j < m_);
    Polyhedron set = Polyhedron::through(columns_(rows, group), x_(group), nonnegative);
    bool found = set.feasible();
    std::vector<bool> vanishes(group.size(), false);  // in some vertex on the way: the lower end of a contact force
    const auto keep_zeros = [&](const Extreme& extreme) {
      for (Index k = 0; k < extreme.x.size(); ++k) {
        const bool zero = nonnegative[static_cast<size_t>(k)] && extreme.x[k] == 0.0;
        vanishes[static_cast<size_t>(k)] = vanishes[static_cast<size_t>(k)] || zero;
      }
      found = found && (extreme.optimal() || extreme.unbounded());
    };
    for (Index k = 0; k < count; ++k) {
      const Extreme most = set.minimize(-VectorXd::Unit(count, k));
      upper_[group[static_cast<size_t>(k)]] = most.optimal() ? -most.value : kInfinity;
      keep_zeros(most);
    }
    for (Index k = 0; k < count; ++k) {
      double& lower = lower_[group[static_cast<size_t>(k)]];
      lower = 0.0;
      if (vanishes[static_cast<size_t>(k)]) continue;
      const Extreme least = set.minimize(VectorXd::Unit(count, k));
      lower = least.optimal() ? least.value : -kInfinity;
      keep_zeros(least);
    }
    return found;
  }

  /// Contacts in a group that can carry nothing are not loadable after all.
  void drop_unloaded() {
    std::vector<int> loaded;
    for (const int j : loadable_) {
      if (j >= m_ || directions_.row(j).isZero(0.0) || upper_[j] > threshold(j)) {
        loaded.push_back(j);
      } else {
        zero_.push_back(j);
        lower_[j] = upper_[j] = x_[j] = 0.0;
      }
    }
    loadable_ = std::move(loaded);
  }

  /// The variables that free directions change, by group.
  [[nodiscard]] std::vector<std::vector<int>> variable_groups() const {
    std::vector<std::vector<int>> members(group_of_.size());
    for (const int j : loadable_) {
      if (!directions_.row(j).isZero(0.0)) members[static_cast<size_t>(group_of_[static_cast<size_t>(j)])].push_back(j);
    }
    std::erase_if(members, [](const std::vector<int>& group) { return group.empty(); });
    return members;
  }

  /// Free directions in x, groups of variables that are connected by them.
  void find_directions(const MatrixXd& null_space) {
    const MatrixXd sparse = sparse_basis(null_space);
    directions_ = MatrixXd::Zero(columns_.cols(), sparse.cols());
    group_of_.resize(static_cast<size_t>(columns_.cols()));
    std::iota(group_of_.begin(), group_of_.end(), 0);
    for (Index k = 0; k < sparse.cols(); ++k) {
      const double unit = largest(sparse.col(k));
      int first = -1;
      for (Index i = 0; i < sparse.rows(); ++i) {
        if (std::abs(sparse(i, k)) <= kEntry * unit) continue;
        const int j = loadable_[static_cast<size_t>(i)];
        directions_(j, k) = sparse(i, k) / length_[j];
        if (first < 0) first = j;
        join(first, j);
      }
    }
  }

  void join(int i, int j) {
    const int from = group_of_[static_cast<size_t>(j)], to = group_of_[static_cast<size_t>(i)];
    if (from != to) std::replace(group_of_.begin(), group_of_.end(), from, to);
  }

  /// The shortest x with the same resultant and lambda >= 0.
  void find_representative() {
    const auto count = static_cast<Index>(loadable_.size());
    Index contacts = 0;
    while (contacts < count && loadable_[static_cast<size_t>(contacts)] < m_) ++contacts;
    const MatrixXd rows = columns_(Eigen::all, loadable_);
    const LeastDistance shortest = solve_least_distance(
        {rows.transpose(), rows * x_(loadable_), MatrixXd::Identity(count, contacts), VectorXd::Zero(contacts)});
    if (shortest.status != LeastDistanceStatus::kSolved) return;
    x_(loadable_) = shortest.v;
    for (Index i = 0; i < m_; ++i) x_[i] = std::max(0.0, x_[i]);
  }

  void fill(const RankSplit& split, bool bounded) {
    const MatrixXd& T = stacked_.to_forces;
    const auto columns = static_cast<double>(loadable_.size());
    const bool square = split.null_space.cols() == 0;
    const double margin = square ? split.smallest_kept : split.largest_dropped;
    Answer answer = square ? Answer::kYes : Answer::kNo;
    if (!bounded || (square ? !loadable_.empty() && margin <= kVerdictTolerance : margin > kDependent * std::sqrt(columns)))
      answer = Answer::kUndecided;
    result_.unique = {answer, square ? margin : margin - rank_tolerance(static_cast<Index>(loadable_.size()))};
    result_.bounds = bounded ? ForceSet::Bounds::kExact : ForceSet::Bounds::kOuter;
    if (loadable_.empty()) result_.unique.margin.reset();
    result_.representative = T * x_;
    const double size = std::max(largest_term_, largest(columns_.cwiseAbs() * x_.cwiseAbs()));
    result_.residual = size > 0.0 ? largest(columns_ * x_ - w_) / size : 0.0;
    result_.lower = result_.upper = VectorXd::Zero(T.rows());
    result_.free_directions = MatrixXd::Zero(T.rows(), directions_.cols());
    if (directions_.cols() > 0) {
      result_.free_directions = T * directions_;
      for (Index k = 0; k < directions_.cols(); ++k)
        result_.free_directions.col(k) = with_largest_entry_one(result_.free_directions.col(k));
    }
    std::vector<int> variable(static_cast<size_t>(T.rows()), -1);
    for (Index r = 0; r < T.rows(); ++r) {
      for (Index j = 0; j < T.cols(); ++j) {
        if (T(r, j) == 0.0) continue;
        variable[static_cast<size_t>(r)] = static_cast<int>(j);
        const double ends[] = {T(r, j) * lower_[j], T(r, j) * upper_[j]};
        result_.lower[r] = std::min(ends[0], ends[1]);
        result_.upper[r] = std::max(ends[0], ends[1]);
        if (std::find(zero_.begin(), zero_.end(), static_cast<int>(j)) != zero_.end())
          result_.implicitly_zero.push_back(static_cast<int>(r));
      }
    }
    fill_groups(variable);
  }

  void fill_groups(const std::vector<int>& variable) {
    std::vector<int> representative_variable;
    for (size_t r = 0; r < variable.size(); ++r) {
      if (directions_.cols() == 0 || variable[r] < 0 || result_.free_directions.row(static_cast<Index>(r)).isZero(0.0))
        continue;
      const int group = group_of_[static_cast<size_t>(variable[r])];
      const auto at = std::find(representative_variable.begin(), representative_variable.end(), group);
      const auto place = static_cast<size_t>(at - representative_variable.begin());
      if (at == representative_variable.end()) {
        representative_variable.push_back(group);
        result_.groups.emplace_back();
      }
      result_.groups[place].push_back(static_cast<int>(r));
    }
    for (const std::vector<int>& group : result_.groups) {
      const MatrixXd changes = result_.free_directions(group, Eigen::all);
      const VectorXd sums = changes.colwise().sum().transpose(), sizes = changes.cwiseAbs().colwise().sum().transpose();
      const bool determined = (sums.array().abs() <= kEntry * sizes.array()).all();
      result_.group_sums.push_back(determined ? std::optional(result_.representative(group).sum()) : std::nullopt);
    }
  }

  const StackedProblem& stacked_;
  MatrixXd columns_, unit_;  // unit_: of length 1 in the kinetic metric
  Index m_;
  VectorXd w_, x_, lower_, upper_, length_;
  double load_size_ = 0.0;     // of F and w in the kinetic metric
  double largest_term_ = 0.0;  // of the equation M a + F = columns x
  std::vector<bool> opens_;
  std::vector<int> loadable_, zero_;
  MatrixXd directions_;
  std::vector<int> group_of_;
  ForceSet result_;
};

}  // namespace

ForceSet find_forces(const AccelerationProblem& problem, const StackedProblem& stacked, const Motion& motion) {
  return ForceFinder(problem, stacked, motion).find();
}

}  // namespace tippe
