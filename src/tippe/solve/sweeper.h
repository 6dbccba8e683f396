// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "tippe/core/second_thread.h"
#include "tippe/solve/normal_form.h"

namespace tippe {

/// Gauss-Seidel sweeps over the blocks of a problem, each solved exactly with the newest values of the others. In factored form a
/// sweep carries the kinetic vector Y r along and never sees W.
///
/// A large problem is cut into slabs of consecutive blocks, so long that no block acts on the slab after the next: the even slabs
/// are independent of each other, and so are the odd ones. Even slabs come first, then odd ones, each kind on one thread or shared by
/// two: the same operations on the same numbers, hence the same bits.
///
/// Where W_ii is nearly singular, the local problem with W_ii + s, s = 1e-10, and its old impulse taken into account, q_i - s r_i, is
/// solved instead: it has the same fixed points and is regular.
class Sweeper {
 public:
  Sweeper();
  Sweeper(Sweeper&& other) noexcept;
  Sweeper& operator=(Sweeper&& other) noexcept;
  ~Sweeper();

  /// The form must outlive the sweeps.
  void prepare(const NormalForm& form, int threads = 1);

  /// To be called when r did not come from the last sweep.
  void set_iterate(const KeptVector& r);

  /// One sweep; returns |r_new - r_old|.
  double sweep(KeptVector& r);

  /// Moves on along the way from the iterate before the last sweep: r := r + beta (r - previous), `previous` := r. Replaces
  /// set_iterate().
  void extrapolate(double beta, KeptVector& previous, KeptVector& r);

  /// Brings every block of r into its set.
  void project(KeptVector& r) const;

  /// Multiply-adds of one sweep, roughly.
  [[nodiscard]] double work() const;

  /// Whether some contact may have several local solutions.
  [[nodiscard]] bool several() const { return several_; }

 private:
  static constexpr int kSlabs = 8;
  struct Slab {
    int first = 0, last = 0;  // blocks first .. last - 1
    double squared_change = 0.0;
  };

  void cut_into_slabs();
  template <bool Factored>
  void add_others(int i, const double* r, double* q) const;
  void solve_block(int i, double* q, double* r);
  template <bool Factored>
  double update_block(int i, double* r);
  template <bool Factored>
  double update_contact(int i, double* r);
  template <class Update>
  void sweep_pair(int first, Update&& update);
  void sweep_pair(int first, double* r);
  [[nodiscard]] bool stick(const NormalForm::Block& block, const double* W, const double* q, double* r) const;
  void solve_prox_block(const NormalForm::Block& block, const double* W, const double* q, double* r) const;

  const NormalForm* form_ = nullptr;
  std::vector<int> slot_;  // of each block: its place in the list of its kind
  struct Cones;
  std::unique_ptr<Cones> cones_;
  KeptVector kinetic_;           // Y r
  KeptVector previous_kinetic_;  // of extrapolate()
  std::array<Slab, kSlabs> slabs_;
  std::unique_ptr<SecondThread> second_thread_;
  bool contacts_only_ = false;  // all blocks are contacts with two tangents: the hot path
  bool several_ = false;
};

}  // namespace tippe
