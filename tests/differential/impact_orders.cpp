// SPDX-License-Identifier: Apache-2.0
#include "differential/impact_orders.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tippe/hybrid/impact.h"

namespace tippe::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The contacts near a state, and what follows if some of them are hit first.
class NearContacts {
 public:
  NearContacts(const System& system, const State& before, double reach)
      : system_(system), before_(before), evaluator_(system.make_evaluator()), near_(system.laws().size(), false) {
    evaluator_->set_state(before.t, before.q, before.u);
    evaluator_->find_laws(reach, list_);
    for (size_t k = 0; k < near_.size(); ++k)
      near_[k] = system.laws()[k].kind == ForceLaw::Kind::kContact && list_.gap[static_cast<Index>(k)] <= reach;
    closing_ = closing(before.u);
    evaluator_->evaluate_dynamics(dynamics_);
  }

  [[nodiscard]] const std::vector<bool>& near() const { return near_; }
  [[nodiscard]] const std::vector<bool>& closing() const { return closing_; }

  /// Velocities after an impact of some, and then of all as long as one closes.
  std::optional<VectorXd> after(const std::vector<bool>& first) {
    constexpr int kMost = 20;
    State state = before_;
    std::vector<bool> hit = first;
    for (int pass = 0; pass < kMost; ++pass, hit = near_) {
      const ImpactOutcome outcome = resolve_impact(system_, state, hit);
      if (outcome.status != ImpactOutcome::Status::kDone) return std::nullopt;
      state.u = outcome.u;
      if (pass > 0 || hit == near_) {
        const std::vector<bool> still = closing(state.u);
        if (std::find(still.begin(), still.end(), true) == still.end()) break;
      }
    }
    return state.u;
  }

  [[nodiscard]] double kinetic(const VectorXd& u) const {
    double square = 0.0;
    for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
      const auto [row, column] = system_.mass_pattern()[e];
      square += (row == column ? 1.0 : 2.0) * dynamics_.M[e] * u[row] * u[column];
    }
    return std::sqrt(std::max(square, 0.0));
  }

 private:
  std::vector<bool> closing(const VectorXd& u) {
    constexpr double kRests = 1e-8;  // of its terms
    std::vector<bool> flags(near_.size(), false);
    for (size_t k = 0; k < near_.size(); ++k) {
      if (!near_[k]) continue;
      SparseColumns W;
      std::vector<double> chi;
      evaluator_->append_directions(list_, static_cast<int>(k), W, chi);
      double gamma = chi[0], terms = std::abs(chi[0]);
      for (int p = W.start[0]; p < W.start[1]; ++p) {
        const double part = W.value[static_cast<size_t>(p)] * u[W.row[static_cast<size_t>(p)]];
        gamma += part;
        terms += std::abs(part);
      }
      flags[k] = gamma < -kRests * terms;
    }
    return flags;
  }

  const System& system_;
  const State& before_;
  std::unique_ptr<Evaluator> evaluator_;
  LawList list_;
  Dynamics dynamics_;
  std::vector<bool> near_, closing_;
};

}  // namespace

double spread_by_order(const System& system, const State& before, double reach) {
  NearContacts contacts(system, before, reach);
  const size_t count = contacts.near().size();
  if (std::count(contacts.near().begin(), contacts.near().end(), true) < 2) return 0.0;
  const std::optional<VectorXd> together = contacts.after(contacts.near());
  if (!together) return 0.0;
  double largest = 0.0;
  for (size_t k = 0; k < count; ++k) {
    if (!contacts.closing()[k]) continue;
    std::vector<bool> alone(count, false), beside_resting = contacts.near();
    alone[k] = true;
    for (size_t j = 0; j < count; ++j) beside_resting[j] = beside_resting[j] && (j == k || !contacts.closing()[j]);
    for (const std::vector<bool>& first : {alone, beside_resting}) {
      if (const std::optional<VectorXd> one_by_one = contacts.after(first))
        largest = std::max(largest, contacts.kinetic(*one_by_one - *together));
    }
  }
  return largest / std::max(contacts.kinetic(before.u), 1e-300);
}

}  // namespace tippe::test
