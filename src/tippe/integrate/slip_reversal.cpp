// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/slip_reversal.h"

#include <algorithm>

#include "tippe/contact/contact_state.h"
#include "tippe/integrate/tolerances.h"

namespace tippe {

using Eigen::VectorXd;

SlipReversal::SlipReversal(const ActiveLaws& active, MotionLaws& motion) : active_(active), motion_(motion) {}

void SlipReversal::begin() {
  tried_.assign(active_.active().size(), 0);
}

bool SlipReversal::find(const LawList& list, const VectorXd& u_C, const State& end, const VectorXd& path, double dt,
                        Evaluator& evaluator) {
  evaluator.set_state(end.t, end.q, end.u);
  bool changed = false;
  int first_row = 0;
  for (size_t a = 0; a < tried_.size(); ++a) {
    const ForceLaw& law = active_.law(static_cast<int>(a));
    if (motion_.friction_acts_on_end_velocity(a)) {
      const MotionLaws::Loss loss = motion_.loss_in_friction(a, path, dt);
      if (loss.value < -kNegativeLoss * loss.size) {
        motion_.let_friction_act(a, false);
        changed = true;
      }
    } else if (tried_[a] == 0 && law.kind != ForceLaw::Kind::kOneWay) {
      directions_.clear();
      chi_.clear();
      evaluator.append_directions(list, active_.active()[a], directions_, chi_);
      if (turns_round(a, first_row, u_C, end.u)) {
        motion_.let_friction_act(a, true);
        tried_[a] = 1;
        changed = true;
      }
    }
    first_row += law.rows;
  }
  return changed;
}

/// Whether the slip of an active law at the end of the step, by directions_, points against that at its beginning. What turns
/// round must be more than a hundredth of what the impulses did: smooth changes of a law that sticks leave less.
bool SlipReversal::turns_round(size_t a, int first_row, const VectorXd& u_C, const VectorXd& u_E) const {
  constexpr double kOfChange = 1e-2;
  const ForceLaw& law = active_.law(static_cast<int>(a));
  double product = 0.0, square_C = 0.0, square_E = 0.0;
  for (int k = law.first_slip(); k < law.first_slip() + law.slips(); ++k) {  // without drilling, which is no slip
    const double weight = slip_weight(law, k);
    const double gamma_C = weight * active_.relative_velocity(first_row + k, u_C);
    const double gamma_E = weight * (directions_.dot(k, u_E.data()) + chi_[static_cast<size_t>(k)]);
    product += gamma_C * gamma_E;
    square_C += gamma_C * gamma_C;
    square_E += gamma_E * gamma_E;
  }
  return product < 0.0 && std::min(square_C, square_E) > kOfChange * kOfChange * motion_.squared_slip_change(a);
}

}  // namespace tippe
