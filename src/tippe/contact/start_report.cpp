// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/start_report.h"

#include "tippe/contact/contact_state.h"

namespace tippe {
namespace {

/// gamma = W'u + chi of every row of a law.
Eigen::VectorXd velocities_of(const LawList& laws, int k, Evaluator& evaluator, const Eigen::VectorXd& u) {
  SparseColumns W;
  std::vector<double> chi;
  evaluator.append_directions(laws, k, W, chi);
  Eigen::VectorXd gamma = Eigen::Map<const Eigen::VectorXd>(chi.data(), static_cast<Eigen::Index>(chi.size()));
  for (int row = 0; row < W.columns(); ++row) gamma[row] += W.dot(row, u.data());
  return gamma;
}

LawAtStart::Status status_of_clutch(ContactState state) {
  if (state == ContactState::kClosing) return LawAtStart::Status::kViolated;
  return state == ContactState::kOpening ? LawAtStart::Status::kFree : LawAtStart::Status::kLocked;
}

LawAtStart judge(const ForceLaw& law, double gap, const Eigen::VectorXd& gamma, const ContactTolerances& tolerances) {
  using Status = LawAtStart::Status;
  LawAtStart result;
  switch (law.kind) {
    case ForceLaw::Kind::kContact:
      result.gap = gap;
      result.status = !is_closed({.gap = gap}, tolerances) ? Status::kOpen
                      : gap < 0.0                          ? Status::kPenetrating
                                                           : Status::kClosed;
      result.closing = -gamma[0];
      result.speed = gamma.tail(gamma.size() - 1).norm();
      break;
    case ForceLaw::Kind::kOneWay:
      result.status = status_of_clutch(state_along_normal({.velocity = gamma[0]}, tolerances));
      result.closing = -gamma[0];
      break;
    case ForceLaw::Kind::kDryFriction:
      result.speed = gamma.norm();
      result.status = is_moving({.velocity = result.speed}, tolerances) ? Status::kSliding : Status::kAtRest;
      break;
  }
  return result;
}

}  // namespace

const char* name_of(LawAtStart::Status status) {
  switch (status) {
    case LawAtStart::Status::kOpen:
      return "open";
    case LawAtStart::Status::kClosed:
      return "closed";
    case LawAtStart::Status::kPenetrating:
      return "penetrating";
    case LawAtStart::Status::kFree:
      return "free";
    case LawAtStart::Status::kLocked:
      return "locked";
    case LawAtStart::Status::kViolated:
      return "violated";
    case LawAtStart::Status::kAtRest:
      return "at rest";
    case LawAtStart::Status::kSliding:
      return "sliding";
  }
  return "";
}

StartReport report_start(const System& system, const State& start, double closed_tolerance) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(start.t, start.q, start.u);
  StartReport report;
  report.energies = evaluator->evaluate_energies();
  for (const LowerEntry& entry : system.mass_pattern()) report.mass_entries += entry.row == entry.column ? 1 : 2;
  LawList laws;
  evaluator->find_laws(closed_tolerance, laws);
  for (int k = 0; k < laws.size(); ++k) {
    const ForceLaw& law = system.laws()[static_cast<size_t>(laws.law[k])];
    const Eigen::VectorXd gamma = velocities_of(laws, k, *evaluator, start.u);
    report.laws.push_back(judge(law, laws.gap[k], gamma, ContactTolerances::as_given(closed_tolerance)));
    report.laws.back().id = laws.id[k];
    report.laws.back().law = laws.law[k];
  }
  return report;
}

}  // namespace tippe
