// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/sweeper.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

constexpr double kShift = 1e-10;
constexpr int kLargestBlock = 4;

/// -prox of mu (r_N + extra) D at -x, x the tangential argument.
Eigen::Vector3d friction_of(const NormalForm::Block& block, double r_N, const Eigen::Vector3d& x) {
  return -prox_drilling(block.set, -x, block.mu * (std::max(0.0, r_N) + block.extra), 1.0);
}

}  // namespace

void Sweeper::prepare(const NormalForm& form) {
  form_ = &form;
  slot_.resize(form.blocks.size());
  cone1_.clear();
  cone2_.clear();
  cone3_.clear();
  several_ = false;
  const auto add = [&](auto& list, int i) {
    slot_[i] = static_cast<int>(list.size());
    list.emplace_back();
    list.back().prepare(form.diagonal(i), form.blocks[i].mu, kShift);
    several_ = several_ || list.back().several;
  };
  for (int i = 0; i < form.block_count(); ++i) {
    if (form.blocks[i].kind != NormalForm::Kind::kCone) continue;
    if (form.blocks[i].size == 2) add(cone1_, i);
    if (form.blocks[i].size == 3) add(cone2_, i);
    if (form.blocks[i].size == 4) add(cone3_, i);
  }
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
}

/// Projected iterations on one block.
void Sweeper::solve_prox_block(const NormalForm::Block& block, const double* W, const double* q, double* r) const {
  constexpr int kMostSteps = 200;
  constexpr double kAccuracy = 1e-15;
  const int size = block.size;
  double rho = 0.0;  // of the tangents
  for (int i = 1; i < size; ++i) {
    double sum = kShift;
    for (int j = 1; j < size; ++j) sum += std::abs(W[i * size + j]);
    rho = std::max(rho, sum);
  }
  rho = 1.0 / rho;
  for (int step = 0; step < kMostSteps; ++step) {
    double change = 0.0, sum = 0.0;
    const auto velocity = [&](int i) {
      double u = q[i] + kShift * r[i];
      for (int j = 0; j < size; ++j) u += W[i * size + j] * r[j];
      return u;
    };
    const double r_N = std::max(0.0, r[0] - velocity(0) / (W[0] + kShift));
    change += std::abs(r_N - r[0]);
    r[0] = r_N;
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    for (int i = 1; i < size; ++i) x[i - 1] = r[i] - rho * velocity(i);
    const Eigen::Vector3d r_T = friction_of(block, r_N, x);
    for (int i = 1; i < size; ++i) {
      change += std::abs(r_T[i - 1] - r[i]);
      r[i] = r_T[i - 1];
      sum += std::abs(r[i]);
    }
    if (change <= kAccuracy * (sum + r_N)) return;
  }
}

template <bool Factored>
double Sweeper::sweep_blocks(int first, int last, double* r) {
  const NormalForm& form = *form_;
  double squared_change = 0.0;
  for (int i = first; i < last; ++i) {
    const NormalForm::Block& block = form.blocks[i];
    double* ri = r + block.row;
    const double* W = form.diagonal(i);
    // q without this block's own impulse (explicit form) or with it (factored form).
    double q[kLargestBlock], old[kLargestBlock];
    for (int k = 0; k < block.size; ++k) {
      q[k] = form.q[block.row + k];
      old[k] = ri[k];
    }
    if constexpr (Factored) {
      for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s) {
        const NormalForm::Run& run = form.run[s];
        const double* y = form.run_value.data() + run.offset;
        const double* w = kinetic_.data() + run.row;
        if (block.size == 3) {
          const int n = run.length;
          double sum0 = 0.0, sum1 = 0.0, sum2 = 0.0;
          for (int j = 0; j < n; ++j) {
            sum0 += y[j] * w[j];
            sum1 += y[n + j] * w[j];
            sum2 += y[2 * n + j] * w[j];
          }
          q[0] += sum0;
          q[1] += sum1;
          q[2] += sum2;
        } else {
          for (int k = 0; k < block.size; ++k, y += run.length) {
            for (int j = 0; j < run.length; ++j) q[k] += y[j] * w[j];
          }
        }
      }
      for (int k = 0; k < block.size; ++k) {
        for (int j = 0; j < block.size; ++j) q[k] -= W[k * block.size + j] * old[j];
      }
    } else {
      for (int e = form.coupling_start[i]; e < form.coupling_start[i + 1]; ++e) {
        const NormalForm::Block& other = form.blocks[form.coupling[e].column];
        const double* values = form.coupling_value.data() + form.coupling[e].offset;
        const double* x = r + other.row;
        if (block.size == 3 && other.size == 3) {
          q[0] += values[0] * x[0] + values[1] * x[1] + values[2] * x[2];
          q[1] += values[3] * x[0] + values[4] * x[1] + values[5] * x[2];
          q[2] += values[6] * x[0] + values[7] * x[1] + values[8] * x[2];
        } else {
          for (int k = 0; k < block.size; ++k) {
            for (int j = 0; j < other.size; ++j) q[k] += *values++ * x[j];
          }
        }
      }
    }
    for (int k = 0; k < block.size; ++k) q[k] -= kShift * old[k];

    if (block.kind == NormalForm::Kind::kLine) {
      ri[0] = std::clamp(-q[0] / (W[0] + kShift), block.lower, block.upper);
    } else if (block.kind == NormalForm::Kind::kProx) {
      solve_prox_block(block, W, q, ri);
    } else {
      const auto solve = [&]<int D>(LocalCone<D>& cone) {
        typename LocalCone<D>::Vector b;
        for (int k = 0; k < D; ++k) b[k] = q[k + 1] - cone.w_TN[k] * q[0];
        cone.solve(q[0], b, ri);
      };
      if (block.size == 3) {
        solve(cone2_[slot_[i]]);
      } else if (block.size == 2) {
        solve(cone1_[slot_[i]]);
      } else {
        solve(cone3_[slot_[i]]);
      }
    }
    for (int k = 0; k < block.size; ++k) {
      old[k] = ri[k] - old[k];
      squared_change += old[k] * old[k];
    }
    if constexpr (Factored) {
      for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s) {
        const NormalForm::Run& run = form.run[s];
        const double* y = form.run_value.data() + run.offset;
        double* w = kinetic_.data() + run.row;
        if (block.size == 3) {
          const int n = run.length;
          for (int j = 0; j < n; ++j) w[j] += y[j] * old[0] + y[n + j] * old[1] + y[2 * n + j] * old[2];
        } else {
          for (int k = 0; k < block.size; ++k, y += run.length) {
            for (int j = 0; j < run.length; ++j) w[j] += y[j] * old[k];
          }
        }
      }
    }
  }
  return squared_change;
}

double Sweeper::sweep(KeptVector& r) {
  const int blocks = form_->block_count();
  return std::sqrt(form_->factored ? sweep_blocks<true>(0, blocks, r.data()) : sweep_blocks<false>(0, blocks, r.data()));
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
    if (block.kind == NormalForm::Kind::kProx) {
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      for (int k = 1; k < block.size; ++k) x[k - 1] = ri[k];
      const Eigen::Vector3d inside = friction_of(block, ri[0], x);
      for (int k = 1; k < block.size; ++k) ri[k] = inside[k - 1];
      continue;
    }
    double size = 0.0;
    for (int k = 1; k < block.size; ++k) size += ri[k] * ri[k];
    size = std::sqrt(size);
    const double limit = block.mu * ri[0];
    if (size > limit) {
      for (int k = 1; k < block.size; ++k) ri[k] *= limit / size;
    }
  }
}

}  // namespace tippe
