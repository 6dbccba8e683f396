// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/start_report.h"

namespace tippe {
namespace {

/// gamma = W'u + chi of every row of a law.
Eigen::VectorXd velocities_of(int law, Evaluator& evaluator, const Eigen::VectorXd& u) {
  SparseColumns W;
  std::vector<double> chi;
  evaluator.append_directions(law, W, chi);
  Eigen::VectorXd gamma = Eigen::Map<const Eigen::VectorXd>(chi.data(), static_cast<Eigen::Index>(chi.size()));
  for (int k = 0; k < W.columns(); ++k) gamma[k] += W.dot(k, u.data());
  return gamma;
}

LawAtStart judge(const ForceLaw& law, double gap, const Eigen::VectorXd& gamma, double closed_tolerance) {
  using Status = LawAtStart::Status;
  LawAtStart result;
  switch (law.kind) {
    case ForceLaw::Kind::kContact:
      result.gap = gap;
      result.status = gap < 0.0 ? Status::kPenetrating : gap <= closed_tolerance ? Status::kClosed : Status::kOpen;
      result.closing = -gamma[0];
      result.speed = gamma.tail(gamma.size() - 1).norm();
      break;
    case ForceLaw::Kind::kOneWay:
      result.status = gamma[0] < 0.0 ? Status::kViolated : gamma[0] > 0.0 ? Status::kFree : Status::kLocked;
      result.closing = -gamma[0];
      break;
    case ForceLaw::Kind::kDryFriction:
      result.speed = gamma.norm();
      result.status = result.speed > 0.0 ? Status::kSliding : Status::kSticking;
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
    case LawAtStart::Status::kSticking:
      return "sticking";
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
  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.laws().size()));
  evaluator->evaluate_gaps(gaps);
  for (size_t i = 0; i < system.laws().size(); ++i) {
    const Eigen::VectorXd gamma = velocities_of(static_cast<int>(i), *evaluator, start.u);
    report.laws.push_back(judge(system.laws()[i], gaps[static_cast<Eigen::Index>(i)], gamma, closed_tolerance));
  }
  return report;
}

}  // namespace tippe
