// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/sweeper.h"

#include <algorithm>
#include <cmath>

#include "tippe/solve/detail/local_cone.h"
#include "tippe/solve/tolerances.h"

namespace tippe {
namespace {

/// Two numbers at once, wherever they lie.
using Pair [[gnu::may_alias, gnu::aligned(8)]] = double __attribute__((vector_size(16)));

/// q += Y w for three rows Y of length n, one after the other.
inline void add_products(const double* Y, int n, const double* w, double* q) {
  Pair sum0{}, sum1{}, sum2{};
  int j = 0;
  for (; j + 1 < n; j += 2) {
    const Pair x = *reinterpret_cast<const Pair*>(w + j);
    sum0 += *reinterpret_cast<const Pair*>(Y + j) * x;
    sum1 += *reinterpret_cast<const Pair*>(Y + n + j) * x;
    sum2 += *reinterpret_cast<const Pair*>(Y + 2 * n + j) * x;
  }
  q[0] += sum0[0] + sum0[1];
  q[1] += sum1[0] + sum1[1];
  q[2] += sum2[0] + sum2[1];
  if (j < n) {
    q[0] += Y[j] * w[j];
    q[1] += Y[n + j] * w[j];
    q[2] += Y[2 * n + j] * w[j];
  }
}

/// w += Y' d for three rows Y of length n.
inline void add_transposed(const double* Y, int n, const double* d, double* w) {
  const Pair d0{d[0], d[0]}, d1{d[1], d[1]}, d2{d[2], d[2]};
  int j = 0;
  for (; j + 1 < n; j += 2) {
    Pair& x = *reinterpret_cast<Pair*>(w + j);
    x += *reinterpret_cast<const Pair*>(Y + j) * d0 + *reinterpret_cast<const Pair*>(Y + n + j) * d1 +
         *reinterpret_cast<const Pair*>(Y + 2 * n + j) * d2;
  }
  if (j < n) w[j] += Y[j] * d[0] + Y[n + j] * d[1] + Y[2 * n + j] * d[2];
}

}  // namespace

/// Contacts by the number of their tangents, drilling counted as one.
struct Sweeper::Cones {
  std::vector<LocalCone<1>> one;
  std::vector<LocalCone<2>> two;
  std::vector<LocalCone<3>> three;
};

Sweeper::Sweeper() : cones_(new Cones) {}
Sweeper::Sweeper(Sweeper&&) noexcept = default;
Sweeper& Sweeper::operator=(Sweeper&&) noexcept = default;
Sweeper::~Sweeper() = default;

void Sweeper::prepare(const NormalForm& form, int threads) {
  form_ = &form;
  slot_.resize(form.blocks.size());
  cones_->one.clear();
  cones_->two.clear();
  cones_->three.clear();
  several_ = false;
  const auto add = [&](auto& list, int i) {
    slot_[i] = static_cast<int>(list.size());
    list.emplace_back();
    list.back().prepare(form.diagonal(i), form.blocks[i].mu);
    several_ = several_ || list.back().several;
  };
  for (int i = 0; i < form.block_count(); ++i) {
    if (form.blocks[i].kind != NormalForm::Kind::kCone) continue;
    if (form.blocks[i].size == 2) add(cones_->one, i);
    if (form.blocks[i].size == 3) add(cones_->two, i);
    if (form.blocks[i].size == 4) add(cones_->three, i);
  }
  contacts_only_ = static_cast<int>(cones_->two.size()) == form.block_count();
  cut_into_slabs();
  const bool two = threads > 1 && slabs_[1].first < slabs_[1].last;
  if (two && second_thread_ == nullptr) second_thread_ = std::make_unique<SecondThread>();
  if (!two) second_thread_.reset();
}

void Sweeper::set_iterate(const KeptVector& r) {
  if (!form_->factored) return;
  kinetic_.setZero(form_->kinetic_rows);
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
      const NormalForm::Run& run = form_->run[s];
      const double* y = form_->run_value.data() + run.offset;
      for (int k = 0; k < block.size; ++k, y += run.length) {
        for (int j = 0; j < run.length; ++j) kinetic_[run.row + j] += y[j] * r[block.row + k];
      }
    }
  }
  previous_kinetic_ = kinetic_;
}

/// Friction with a given limit that holds: exact, so that a velocity of zero has no impulse.
bool Sweeper::stick(const NormalForm::Block& block, const double* W, const double* q, double* r) const {
  const int size = block.size, n = size - 1;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> tangential(n, n);
  NormalForm::Tangents b(n);
  for (int i = 0; i < n; ++i) {
    b[i] = -q[i + 1];
    for (int j = 0; j < n; ++j) tangential(i, j) = W[(i + 1) * size + j + 1];
  }
  Eigen::FullPivLU<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>> lu(tangential);
  lu.setThreshold(kNearlySingularBlock);
  if (!lu.isInvertible()) return false;
  const NormalForm::Tangents held = lu.solve(b);
  if (block.project_friction(0.0, held) != held) return false;
  r[0] = 0.0;
  for (int i = 0; i < n; ++i) r[i + 1] = held[i];
  return true;
}

/// Projected iterations on one block.
void Sweeper::solve_prox_block(const NormalForm::Block& block, const double* W, const double* q, double* r) const {
  constexpr int kMostSteps = 200;
  constexpr double kAccuracy = 1e-15;  // of the impulses
  const int size = block.size;
  // Row sums bound W. One number for all tangents, except in the cylinder, where force and moment are independent.
  double rho[kLargestBlock], largest = 0.0;
  bool dominant = true;  // the diagonal of the tangents
  for (int i = 1; i < size; ++i) {
    double sum = kBlockShift;
    for (int j = 1; j < size; ++j) sum += std::abs(W[i * size + j]);
    dominant = dominant && sum < 2.0 * std::abs(W[i * size + i]);
    if (i < 3 || block.set != DrillingSet::kCylinder) largest = std::max(largest, sum);
    rho[i] = 1.0 / sum;
  }
  for (int i = 1; i < size; ++i) {
    if (i < 3 || block.set != DrillingSet::kCylinder) rho[i] = 1.0 / largest;
  }
  for (int step = 0; step < kMostSteps; ++step) {
    double change = 0.0, sum = 0.0;
    const auto velocity = [&](int i) {
      double u = q[i] + kBlockShift * r[i];
      for (int j = 0; j < size; ++j) u += W[i * size + j] * r[j];
      return u;
    };
    const double r_N = std::max(0.0, r[0] - velocity(0) / (W[0] + kBlockShift));
    change += std::abs(r_N - r[0]);
    r[0] = r_N;
    // Recovering, Moeller (2.63): a step with the diagonal where it stays inside, and where such steps converge.
    NormalForm::Tangents x(size - 1), recovered(size - 1);
    for (int i = 1; i < size; ++i) {
      const double u = velocity(i);
      x[i - 1] = r[i] - rho[i] * u;
      recovered[i - 1] = r[i] - u / (W[i * size + i] + kBlockShift);
    }
    const NormalForm::Tangents inside = block.project_friction(r_N, recovered);
    const NormalForm::Tangents r_T = dominant && inside == recovered ? inside : block.project_friction(r_N, x);
    for (int i = 1; i < size; ++i) {
      change += std::abs(r_T[i - 1] - r[i]);
      r[i] = r_T[i - 1];
      sum += std::abs(r[i]);
    }
    if (change <= kAccuracy * (sum + r_N)) return;
  }
}

/// The velocity of block i without its impulse: q[k] += what the other blocks do there, from their newest values.
template <bool Factored>
inline void Sweeper::add_others(int i, const double* r, double* q) const {
  const NormalForm& form = *form_;
  const NormalForm::Block& block = form.blocks[i];
  if constexpr (Factored) {
    for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s) {
      const NormalForm::Run& run = form.run[s];
      const double* y = form.run_value.data() + run.offset;
      const double* w = kinetic_.data() + run.row;
      for (int k = 0; k < block.size; ++k, y += run.length) {
        for (int j = 0; j < run.length; ++j) q[k] += y[j] * w[j];
      }
    }
    const double* W = form.diagonal(i);
    for (int k = 0; k < block.size; ++k) {
      for (int j = 0; j < block.size; ++j) q[k] -= W[k * block.size + j] * r[block.row + j];
    }
  } else {
    for (int e = form.coupling_start[i]; e < form.coupling_start[i + 1]; ++e) {
      const NormalForm::Block& other = form.blocks[form.coupling[e].column];
      const double* values = form.coupling_value.data() + form.coupling[e].offset;
      const double* x = r + other.row;
      for (int k = 0; k < block.size; ++k) {
        for (int j = 0; j < other.size; ++j) q[k] += *values++ * x[j];
      }
    }
  }
}

/// r of block i, where it has the velocity q without it. q is used up.
inline void Sweeper::solve_block(int i, double* q, double* r) {
  const NormalForm::Block& block = form_->blocks[i];
  const double* W = form_->diagonal(i);
  if (block.kind == NormalForm::Kind::kLine) {
    const double shift = W[0] > kNearlySingularBlock ? 0.0 : kBlockShift;
    r[0] = std::clamp((shift * r[0] - q[0]) / (W[0] + shift), block.lower, block.upper);
    return;
  }
  if (block.kind == NormalForm::Kind::kProx) {
    if (block.given && stick(block, W, q, r)) return;
    for (int k = 0; k < block.size; ++k) q[k] -= kBlockShift * r[k];
    solve_prox_block(block, W, q, r);
    return;
  }
  const auto solve = [&]<int D>(LocalCone<D>& cone) {
    typename LocalCone<D>::Vector b;
    for (int k = 0; k <= D; ++k) q[k] -= cone.shift * r[k];
    for (int k = 0; k < D; ++k) b[k] = q[k + 1] - cone.w_TN[k] * q[0];
    cone.solve(q[0], b, r);
  };
  if (block.size == 3) {
    solve(cones_->two[slot_[i]]);
  } else if (block.size == 2) {
    solve(cones_->one[slot_[i]]);
  } else {
    solve(cones_->three[slot_[i]]);
  }
}

/// Solves block i with the newest values of the others; returns its squared change.
template <bool Factored>
inline double Sweeper::update_block(int i, double* r) {
  const NormalForm& form = *form_;
  const NormalForm::Block& block = form.blocks[i];
  double* ri = r + block.row;
  double q[kLargestBlock], old[kLargestBlock];
  for (int k = 0; k < block.size; ++k) {
    q[k] = form.q[block.row + k];
    old[k] = ri[k];
  }
  add_others<Factored>(i, r, q);
  solve_block(i, q, ri);
  double squared_change = 0.0;
  for (int k = 0; k < block.size; ++k) {
    old[k] = ri[k] - old[k];
    squared_change += old[k] * old[k];
  }
  if constexpr (Factored) {
    for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s) {
      const NormalForm::Run& run = form.run[s];
      const double* y = form.run_value.data() + run.offset;
      double* w = kinetic_.data() + run.row;
      for (int k = 0; k < block.size; ++k, y += run.length) {
        for (int j = 0; j < run.length; ++j) w[j] += y[j] * old[k];
      }
    }
  }
  return squared_change;
}

/// Blocks may act on others no farther away than the shortest slab is long; otherwise there is one slab with all blocks.
void Sweeper::cut_into_slabs() {
  constexpr int kLarge = 2000;  // blocks; below, the order is the given one and a second thread costs more than it brings
  const int blocks = form_->block_count();
  slabs_.fill({blocks, blocks, 0.0});
  slabs_[0].first = 0;
  if (blocks < kLarge || form_->longest_coupling() > blocks / kSlabs) return;
  for (int s = 0; s < kSlabs; ++s) {
    slabs_[s].first = static_cast<int>(static_cast<long>(blocks) * s / kSlabs);
    slabs_[s].last = static_cast<int>(static_cast<long>(blocks) * (s + 1) / kSlabs);
  }
}

/// The same as update_block() where all blocks are contacts with two tangents: block i is cone i and owns the rows 3i .. 3i+2.
template <bool Factored>
[[gnu::always_inline]] inline double Sweeper::update_contact(int i, double* r) {
  const NormalForm& form = *form_;
  LocalCone<2>& cone = cones_->two[i];
  double* ri = r + 3 * static_cast<ptrdiff_t>(i);
  const double old[3] = {ri[0], ri[1], ri[2]};
  double u[3] = {form.q[3 * i], form.q[3 * i + 1], form.q[3 * i + 2]};
  double q_N;
  Eigen::Vector2d b;
  if constexpr (Factored) {
    for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s)
      add_products(form.run_value.data() + form.run[s].offset, form.run[s].length, kinetic_.data() + form.run[s].row, u);
    // The own impulse taken out, in the variables of LocalCone: W_TT = S + w_TN W_NT.
    q_N = u[0] - cone.W_NN * old[0] - cone.W_NT[0] * old[1] - cone.W_NT[1] * old[2];
    b[0] = u[1] - cone.w_TN[0] * u[0] - cone.S(0, 0) * old[1] - cone.S(0, 1) * old[2];
    b[1] = u[2] - cone.w_TN[1] * u[0] - cone.S(1, 0) * old[1] - cone.S(1, 1) * old[2];
  } else {
    for (int e = form.coupling_start[i]; e < form.coupling_start[i + 1]; ++e) {
      const double* values = form.coupling_value.data() + form.coupling[e].offset;
      const double* x = r + 3 * static_cast<ptrdiff_t>(form.coupling[e].column);
      u[0] += values[0] * x[0] + values[1] * x[1] + values[2] * x[2];
      u[1] += values[3] * x[0] + values[4] * x[1] + values[5] * x[2];
      u[2] += values[6] * x[0] + values[7] * x[1] + values[8] * x[2];
    }
    q_N = u[0] - cone.shift * old[0];
    b[0] = u[1] - cone.shift * old[1] - cone.w_TN[0] * q_N;
    b[1] = u[2] - cone.shift * old[2] - cone.w_TN[1] * q_N;
  }
  cone.solve(q_N, b, ri);
  const double change[3] = {ri[0] - old[0], ri[1] - old[1], ri[2] - old[2]};
  if constexpr (Factored) {
    for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s)
      add_transposed(form.run_value.data() + form.run[s].offset, form.run[s].length, change,
                     kinetic_.data() + form.run[s].row);
  }
  return change[0] * change[0] + change[1] * change[1] + change[2] * change[2];
}

template <class Update>
void Sweeper::sweep_pair(int first, Update&& update) {
  for (Slab* slab : {&slabs_[first], &slabs_[first + 2]}) {
    double squared_change = 0.0;
    for (int i = slab->first; i < slab->last; ++i) squared_change += update(i);
    slab->squared_change = squared_change;
  }
}

/// Slabs `first` and `first` + 2.
void Sweeper::sweep_pair(int first, double* r) {
  if (contacts_only_ && form_->factored) {
    sweep_pair(first, [&](int i) { return update_contact<true>(i, r); });
  } else if (contacts_only_) {
    sweep_pair(first, [&](int i) { return update_contact<false>(i, r); });
  } else if (form_->factored) {
    sweep_pair(first, [&](int i) { return update_block<true>(i, r); });
  } else {
    sweep_pair(first, [&](int i) { return update_block<false>(i, r); });
  }
}

double Sweeper::sweep(KeptVector& r) {
  for (const int parity : {0, 1}) {
    auto lower = [&] { sweep_pair(parity, r.data()); };
    auto upper = [&] { sweep_pair(parity + 4, r.data()); };
    if (second_thread_ != nullptr) {
      second_thread_->run(lower, upper);
    } else {
      lower();
      upper();
    }
  }
  double squared_change = 0.0;
  for (const Slab& slab : slabs_) squared_change += slab.squared_change;
  return std::sqrt(squared_change);
}

void Sweeper::extrapolate(double beta, KeptVector& previous, KeptVector& r) {
  const auto move = [beta](KeptVector& before, KeptVector& now) {
    for (Eigen::Index k = 0; k < now.size(); ++k) {
      const double step = now[k] - before[k];
      before[k] = now[k];
      now[k] += beta * step;
    }
  };
  move(previous, r);
  if (form_->factored) move(previous_kinetic_, kinetic_);
}

double Sweeper::work() const {
  constexpr double kLocalSolution = 50.0;
  const size_t values = form_->factored ? 2 * form_->run_value.size() : form_->coupling_value.size();
  return static_cast<double>(values) + kLocalSolution * form_->block_count();
}

void Sweeper::project(KeptVector& r) const {
  for (const NormalForm::Block& block : form_->blocks) {
    double* ri = r.data() + block.row;
    if (block.kind == NormalForm::Kind::kLine) {
      ri[0] = std::clamp(ri[0], block.lower, block.upper);
      continue;
    }
    ri[0] = std::max(0.0, ri[0]);
    Eigen::Map<Eigen::VectorXd> r_T(ri + 1, block.size - 1);
    r_T = block.project_friction(ri[0], r_T);
  }
}

}  // namespace tippe
