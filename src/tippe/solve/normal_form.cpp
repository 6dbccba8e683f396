// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/normal_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "tippe/core/infinity.h"
#include "tippe/core/tolerances.h"
#include "tippe/problem/residual.h"

namespace tippe {
namespace {

/// Which blocks act on each other: directly (explicit form) or through a kinetic row (factored form).
class Neighbours {
 public:
  explicit Neighbours(const Delassus& G) : G_(G), member_start_(static_cast<size_t>(G.kinetic_rows) + 1, 0) {
    if (!G.factored) return;
    const auto for_each_member = [&](auto&& visit) {
      for (int i = 0; i < G.blocks.blocks(); ++i) {
        for (int p = G.Y.start[G.blocks.row[i]]; p < G.Y.start[G.blocks.row[i + 1]]; ++p) visit(i, G.Y.row[p]);
      }
    };
    for_each_member([&](int, int k) { ++member_start_[k + 1]; });
    std::partial_sum(member_start_.begin(), member_start_.end(), member_start_.begin());
    members_.resize(static_cast<size_t>(member_start_.back()));
    std::vector<int> next(member_start_.begin(), member_start_.end() - 1);
    for_each_member([&](int i, int k) { members_[next[k]++] = i; });
  }

  [[nodiscard]] int longest_distance() const {
    int longest = 0;
    if (G_.factored) {  // members ascend: the extremes of each kinetic row
      for (size_t k = 0; k + 1 < member_start_.size(); ++k) {
        if (member_start_[k] < member_start_[k + 1])
          longest = std::max(longest, members_[member_start_[k + 1] - 1] - members_[member_start_[k]]);
      }
      return longest;
    }
    for (int i = 0; i < G_.blocks.blocks(); ++i) {
      for (int e = G_.blocks.entry_start[i]; e < G_.blocks.entry_start[i + 1]; ++e)
        longest = std::max(longest, std::abs(i - G_.blocks.entry[e].column));
    }
    return longest;
  }

  /// From the last block of a first search, hence from an end of each connected part.
  [[nodiscard]] std::vector<int> breadth_first() const {
    const size_t n = static_cast<size_t>(G_.blocks.blocks());
    std::vector<int> order;
    std::vector<char> seen(n, 0), expanded(member_start_.size(), 0);  // blocks, kinetic rows
    order.reserve(n);
    const auto visit = [&](int j) {
      if (seen[j] == 0) order.push_back(j);
      seen[j] = 1;
    };
    const auto search = [&](int root) {
      size_t next = order.size();
      visit(root);
      for (; next < order.size(); ++next) {
        const int i = order[next];
        if (!G_.factored) {
          for (int e = G_.blocks.entry_start[i]; e < G_.blocks.entry_start[i + 1]; ++e) visit(G_.blocks.entry[e].column);
          continue;
        }
        for (int p = G_.Y.start[G_.blocks.row[i]]; p < G_.Y.start[G_.blocks.row[i + 1]]; ++p) {
          const int k = G_.Y.row[p];
          if (expanded[k] != 0) continue;
          expanded[k] = 1;
          for (int m = member_start_[k]; m < member_start_[k + 1]; ++m) visit(members_[m]);
        }
      }
    };
    const auto forget = [&](int i) {
      seen[i] = 0;
      if (!G_.factored) return;
      for (int p = G_.Y.start[G_.blocks.row[i]]; p < G_.Y.start[G_.blocks.row[i + 1]]; ++p) expanded[G_.Y.row[p]] = 0;
    };
    for (size_t i = 0; i < n; ++i) {
      if (seen[i] != 0) continue;
      const size_t begin = order.size();
      search(static_cast<int>(i));
      const int end = order.back();
      for (size_t k = begin; k < order.size(); ++k) forget(order[k]);
      order.resize(begin);
      search(end);
    }
    return order;
  }

 private:
  const Delassus& G_;
  std::vector<int> member_start_, members_;  // factored form: blocks of each kinetic row, ascending
};

constexpr double kMostFriction = 1e100;      // more is the same, and overflows
constexpr double kSmallestDiagonal = 1e-10;  // of the largest mean diagonal; below, a block is scaled as if it had this one

/// How a friction with a given limit looks as one of a contact.
struct GivenFriction {
  std::array<double, 3> size;  // by rows: the limit, times Rbar for drilling
  int rows;
  DrillingSet set;
};
std::optional<GivenFriction> given_friction(const LawSet& law) {
  if (const auto* plane = std::get_if<PlaneFriction>(&law))
    return GivenFriction{{plane->limit1, plane->limit2, 0.0}, 2, DrillingSet::kEllipsoid};
  if (const auto* drilling = std::get_if<DrillingFriction>(&law))
    return GivenFriction{{drilling->limit, drilling->limit, drilling->limit * drilling->Rbar}, 3, drilling->set};
  return {};
}

/// The independent part of the problem that a block belongs to.
int part_of(const InclusionProblem& problem, const NormalForm::Block& block) {
  return problem.part.empty() ? 0 : problem.part[block.law];
}

}  // namespace

void NormalForm::assign(const InclusionProblem& problem) {
  given_size_ = problem.rows();
  factored = problem.G.factored;
  choose_order(problem);
  choose_rows(problem);
  choose_row_scales(problem);
  choose_part_scales(problem);
  scale_blocks(problem);
  copy_diagonal(problem);
  if (factored) {
    copy_runs(problem);
  } else {
    copy_couplings(problem);
  }
}

/// Breadth-first through the blocks that act on each other, where their distance in the given order is large.
void NormalForm::choose_order(const InclusionProblem& problem) {
  constexpr int kLarge = 2000;
  const int n = problem.G.blocks.blocks();
  order_.resize(static_cast<size_t>(n));
  std::iota(order_.begin(), order_.end(), 0);
  if (n >= kLarge) {
    const Neighbours neighbours(problem.G);
    if (neighbours.longest_distance() > n / 8) order_ = neighbours.breadth_first();
  }
  block_of_.resize(order_.size());
  for (int i = 0; i < n; ++i) block_of_[order_[i]] = i;
}

int NormalForm::longest_coupling() const {
  int longest = 0;
  if (!factored) {
    for (int i = 0; i < block_count(); ++i) {
      for (int e = coupling_start[i]; e < coupling_start[i + 1]; ++e)
        longest = std::max(longest, std::abs(coupling[e].column - i));
    }
    return longest;
  }
  std::vector<int> first(static_cast<size_t>(kinetic_rows), -1);
  for (int i = 0; i < block_count(); ++i) {
    for (int s = run_start[i]; s < run_start[i + 1]; ++s) {
      for (int k = run[s].row; k < run[s].row + run[s].length; ++k) {
        if (first[k] < 0) first[k] = i;
        longest = std::max(longest, i - first[k]);
      }
    }
  }
  return longest;
}

void NormalForm::choose_rows(const InclusionProblem& problem) {
  blocks.clear();
  given_row_.clear();
  shape_.clear();
  const auto add_row = [&](int given_row, double shape) {
    given_row_.push_back(given_row);
    shape_.push_back(shape);
  };
  for (const int i : order_) {
    const int first = problem.G.blocks.row[i];
    Block block{Kind::kLine, i, static_cast<int>(given_row_.size()), 1, 0.0, kInfinity, 0.0, 0.0, DrillingSet::kEllipsoid};
    const std::optional<GivenFriction> given = given_friction(problem.laws[i]);
    add_row(given ? -1 : first, 1.0);
    if (given) {
      block.given = true;
      block.set = given->set;
      block.mu = given->size[0];
      // The drilling row is no measure of the size: its unit is another one.
      if (given->rows == 2) block.mu = std::max(given->size[0], given->size[1]);
      block.extra = 1.0;
      for (int k = 0; k < given->rows; ++k) {
        if (const double size = given->size[static_cast<size_t>(k)]; size > 0.0) add_row(first + k, size / block.mu);
      }
    } else if (const auto* interval = std::get_if<Interval>(&problem.laws[i])) {
      block.lower = -interval->upper;
      block.upper = -interval->lower;
    } else if (const auto* contact = std::get_if<CoulombContact>(&problem.laws[i])) {
      const int tangents = problem.G.blocks.block_size(i) - 1;
      const double mu[] = {contact->mu1, contact->mu2};
      block.mu = std::min(tangents == 2 ? std::max(mu[0], mu[1]) : mu[0], kMostFriction);
      for (int k = 0; k < tangents; ++k) {
        if (mu[k] > 0.0) add_row(first + 1 + k, std::min(mu[k], kMostFriction) / block.mu);
      }
      block.extra = contact->extra_normal;
    } else if (const auto* drilling = std::get_if<DrillingContact>(&problem.laws[i])) {
      block.mu = std::min(drilling->mu, kMostFriction);
      block.set = drilling->set;
      block.extra = drilling->extra_normal;
      if (block.mu > 0.0) {
        for (int k = 0; k < 3; ++k) add_row(first + 1 + k, k == 2 ? drilling->Rbar : 1.0);
      }
    }
    block.size = static_cast<int>(given_row_.size()) - block.row;
    if (block.size > 1) {
      block.kind = block.extra > 0.0 || block.set != DrillingSet::kEllipsoid ? Kind::kProx : Kind::kCone;
    }
    blocks.push_back(block);
  }
}

/// T of every row.
void NormalForm::choose_row_scales(const InclusionProblem& problem) {
  const auto is_added = [&](const Block& block) { return given_row_[block.row] < 0; };
  const auto entry = [&](const Block& block, int k) {  // diagonal of G in the variables of choose_rows()
    if (k == 0 && is_added(block)) return 1.0;
    const int size = problem.G.blocks.block_size(block.law);
    const int row = given_row_[block.row + k] - problem.G.blocks.row[block.law];
    const double shape = shape_[block.row + k];
    return shape * shape * problem.G.blocks.diagonal_block(block.law)[row * size + row];
  };
  const auto mean = [&](const Block& block, int first, int last) {
    double sum = 0.0;
    for (int k = first; k < last; ++k) sum += entry(block, k);
    return sum / (last - first);
  };
  double largest = 0.0;
  for (const Block& block : blocks) {
    const int first = is_added(block) ? 1 : 0;
    if (first < block.size) largest = std::max(largest, mean(block, first, block.size));
  }
  const double floor = largest > 0.0 ? kSmallestDiagonal * largest : 1.0;

  T_.resize(given_row_.size());
  for (const Block& block : blocks) {
    const auto scale_rows = [&](int first, int last) {
      const double all = std::max(mean(block, first, last), floor);
      for (int k = first; k < last; ++k) T_[block.row + k] = shape_[block.row + k] / std::sqrt(all);
    };
    // A large drilling radius, or tangents in another unit, would leave nothing of the normal.
    const bool apart =
        block.size > 1 && (is_added(block) || block.size == 4 || row_scales(problem, block.law).tangents != 1.0);
    if (apart) {
      scale_rows(0, 1);
      scale_rows(1, block.size);
    } else {
      scale_rows(0, block.size);
    }
  }
}

/// v = 1 / rms of T c over the blocks of a part; divided by the largest entry first, so that squares neither vanish nor overflow.
void NormalForm::choose_part_scales(const InclusionProblem& problem) {
  const auto entry_of_c = [&](int row) {
    return given_row_[row] < 0 ? 0.0 : std::abs(T_[row] * problem.c[given_row_[row]]);
  };
  const int parts = problem.part.empty() ? 1 : *std::max_element(problem.part.begin(), problem.part.end()) + 1;
  part_v_.assign(static_cast<size_t>(parts), 0.0);
  largest_c_.assign(static_cast<size_t>(parts), 0.0);
  members_.assign(static_cast<size_t>(parts), 0);
  for (const Block& block : blocks) {
    const int part = part_of(problem, block);
    ++members_[part];
    for (int k = block.row; k < block.row + block.size; ++k) largest_c_[part] = std::max(largest_c_[part], entry_of_c(k));
  }
  for (const Block& block : blocks) {
    const int part = part_of(problem, block);
    const double most = largest_c_[part];
    for (int k = block.row; k < block.row + block.size && most > 0.0; ++k)
      part_v_[part] += std::pow(entry_of_c(k) / most, 2);
  }
  for (int p = 0; p < parts; ++p)
    part_v_[p] = largest_c_[p] > kVanishing ? std::sqrt(members_[p] / part_v_[p]) / largest_c_[p] : 1.0;
}

/// q, and the sets of the blocks in the variables r.
void NormalForm::scale_blocks(const InclusionProblem& problem) {
  to_Lambda.resize(T_.size());
  q.resize(static_cast<Eigen::Index>(T_.size()));
  for (Block& block : blocks) {
    const double v = part_v_[part_of(problem, block)];
    for (int k = block.row; k < block.row + block.size; ++k) {
      to_Lambda[k] = T_[k] / v;
      q[k] = given_row_[k] < 0 ? 0.0 : v * T_[k] * problem.c[given_row_[k]];
    }
    const double normal = to_Lambda[block.row];
    if (block.size == 1) {
      block.lower /= normal;
      block.upper /= normal;
      continue;
    }
    if (block.extra != 0.0) block.extra /= normal;
    block.mu *= T_[block.row] / (T_[block.row + 1] / shape_[block.row + 1]);
  }
}

void NormalForm::copy_diagonal(const InclusionProblem& problem) {
  diagonal_offset.clear();
  diagonal_value.clear();
  for (const Block& block : blocks) {
    const int size = problem.G.blocks.block_size(block.law), first = problem.G.blocks.row[block.law];
    const double* G = problem.G.blocks.diagonal_block(block.law);
    diagonal_offset.push_back(static_cast<int>(diagonal_value.size()));
    for (int i = block.row; i < block.row + block.size; ++i) {
      for (int j = block.row; j < block.row + block.size; ++j) {
        const bool added = given_row_[i] < 0 || given_row_[j] < 0;
        diagonal_value.push_back(added ? (i == j ? 1.0 : 0.0)
                                       : T_[i] * G[(given_row_[i] - first) * size + given_row_[j] - first] * T_[j]);
      }
    }
  }
}

void NormalForm::copy_couplings(const InclusionProblem& problem) {
  coupling_start.assign(1, 0);
  coupling.clear();
  coupling_value.clear();
  const BlockSparseMatrix& G = problem.G.blocks;
  for (const Block& block : blocks) {
    for (int e = G.entry_start[block.law]; e < G.entry_start[block.law + 1]; ++e) {
      const int column = G.entry[e].column;
      if (column == block.law) continue;
      const Block& other = blocks[block_of_[column]];
      const int width = G.block_size(column);
      const double* values = G.value.data() + G.entry[e].offset;
      coupling.push_back({block_of_[column], static_cast<int>(coupling_value.size())});
      for (int i = block.row; i < block.row + block.size; ++i) {
        const double* row = values + static_cast<ptrdiff_t>(std::max(0, given_row_[i] - G.row[block.law])) * width;
        for (int j = other.row; j < other.row + other.size; ++j) {
          const bool added = given_row_[i] < 0 || given_row_[j] < 0;
          coupling_value.push_back(added ? 0.0 : T_[i] * row[given_row_[j] - G.row[column]] * T_[j]);
        }
      }
    }
    coupling_start.push_back(static_cast<int>(coupling.size()));
  }
}

void NormalForm::copy_runs(const InclusionProblem& problem) {
  constexpr int kLargestGap = 2;  // kinetic rows that a block skips within a run; stored as zeros
  const SparseColumns& Y = problem.G.Y;
  kinetic_rows = problem.G.kinetic_rows;
  run_start.assign(1, 0);
  run.clear();
  run_value.clear();
  column_.assign(static_cast<size_t>(kinetic_rows), 0.0);
  for (const Block& block : blocks) {
    touched_.clear();
    for (int k = block.row; k < block.row + block.size; ++k) {
      if (given_row_[k] < 0) continue;
      for (int p = Y.start[given_row_[k]]; p < Y.start[given_row_[k] + 1]; ++p) touched_.push_back(Y.row[p]);
    }
    std::sort(touched_.begin(), touched_.end());
    const size_t first_run = run.size();
    for (const int row : touched_) {
      if (run.size() == first_run || row > run.back().row + run.back().length + kLargestGap) run.push_back({row, 1, 0});
      run.back().length = row - run.back().row + 1;
    }
    int offset = static_cast<int>(run_value.size());
    for (size_t s = first_run; s < run.size(); ++s) {
      run[s].offset = offset;
      offset += run[s].length * block.size;
    }
    run_value.resize(static_cast<size_t>(offset));
    for (int k = 0; k < block.size; ++k) {
      const int given = given_row_[block.row + k];
      if (given < 0) {
        for (size_t s = first_run; s < run.size(); ++s)
          std::fill_n(run_value.begin() + run[s].offset + k * run[s].length, run[s].length, 0.0);
        continue;
      }
      Y.add_to(given, T_[block.row + k], column_.data());
      for (size_t s = first_run; s < run.size(); ++s)
        std::copy_n(column_.begin() + run[s].row, run[s].length, run_value.begin() + run[s].offset + k * run[s].length);
      for (int p = Y.start[given]; p < Y.start[given + 1]; ++p) column_[Y.row[p]] = 0.0;
    }
    run_start.push_back(static_cast<int>(run.size()));
  }
}

void NormalForm::scale(const Eigen::Ref<const Eigen::VectorXd>& Lambda, KeptVector& r) const {
  r.resize(rows());
  for (int k = 0; k < rows(); ++k) r[k] = given_row_[k] < 0 ? 0.0 : Lambda[given_row_[k]] / to_Lambda[k];
}

void NormalForm::unscale(const Eigen::Ref<const Eigen::VectorXd>& r, KeptVector& Lambda) const {
  Lambda.setZero(given_size_);
  for (int k = 0; k < rows(); ++k) {
    if (given_row_[k] >= 0) Lambda[given_row_[k]] = r[k] * to_Lambda[k];
  }
}

NormalForm::Tangents NormalForm::Block::project_friction(double r_N, const Tangents& x) const {
  const double load = std::max(0.0, r_N);
  if (kind == Kind::kCone) {
    const double length = x.norm(), radius = mu * load;
    return length <= radius ? x : Tangents(x * (radius / length));
  }
  Eigen::Vector3d argument = Eigen::Vector3d::Zero();
  argument.head(x.size()) = -x;
  return -prox_drilling(set, argument, mu * (load + extra), 1.0).head(x.size());
}

void NormalForm::evaluate_velocity(const KeptVector& r, KeptVector& u, KeptVector& kinetic) const {
  u = q;
  if (factored) {
    kinetic.setZero(kinetic_rows);
    for (int i = 0; i < block_count(); ++i) {
      const Block& block = blocks[i];
      for (int s = run_start[i]; s < run_start[i + 1]; ++s) {
        const double* y = run_value.data() + run[s].offset;
        double* w = kinetic.data() + run[s].row;
        for (int k = 0; k < block.size; ++k, y += run[s].length) {
          for (int j = 0; j < run[s].length; ++j) w[j] += y[j] * r[block.row + k];
        }
      }
    }
    for (int i = 0; i < block_count(); ++i) {
      const Block& block = blocks[i];
      for (int s = run_start[i]; s < run_start[i + 1]; ++s) {
        const double* y = run_value.data() + run[s].offset;
        const double* w = kinetic.data() + run[s].row;
        for (int k = 0; k < block.size; ++k, y += run[s].length) {
          double sum = 0.0;
          for (int j = 0; j < run[s].length; ++j) sum += y[j] * w[j];
          u[block.row + k] += sum;
        }
      }
    }
    return;
  }
  for (int i = 0; i < block_count(); ++i) {
    const Block& block = blocks[i];
    const auto add = [&](const double* values, const Block& other) {
      for (int k = 0; k < block.size; ++k) {
        double sum = 0.0;
        for (int j = 0; j < other.size; ++j) sum += *values++ * r[other.row + j];
        u[block.row + k] += sum;
      }
    };
    add(diagonal(i), block);
    for (int e = coupling_start[i]; e < coupling_start[i + 1]; ++e)
      add(coupling_value.data() + coupling[e].offset, blocks[coupling[e].column]);
  }
}

}  // namespace tippe
