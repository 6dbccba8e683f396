// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/start_report.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tippe/contact/contact_state.h"
#include "tippe/core/tolerances.h"
#include "tippe/model/tolerances.h"

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

/// m  what a gap is the small difference of: the largest |w_j q_j| with its direction w.
double size_of_gap(const System& system, const LawList& laws, int k, Evaluator& evaluator, const Eigen::VectorXd& q) {
  SparseColumns W;
  std::vector<double> chi;
  evaluator.append_directions(laws, k, W, chi);
  double size = 0.0;
  for (int p = W.start[0]; p < W.start[1]; ++p) size = std::max(size, std::abs(W.value[p]) * system.reach(q, W.row[p]));
  return size;
}

LawAtStart judge(const ForceLaw& law, double gap, double round_off, const Eigen::VectorXd& gamma,
                 const ContactTolerances& tolerances) {
  using Status = LawAtStart::Status;
  LawAtStart result;
  switch (law.kind) {
    case ForceLaw::Kind::kContact:
      result.gap = gap;
      result.status = !is_closed({.gap = gap}, tolerances) ? Status::kOpen
                      : gap < -round_off                   ? Status::kPenetrating
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

void count(const LawAtStart& contact, FoundAtStart& found) {
  using Status = LawAtStart::Status;
  ++(contact.status == Status::kOpen ? found.open : contact.status == Status::kClosed ? found.closed : found.penetrating);
  found.closing += contact.impacts() ? 1 : 0;
  found.deepest = std::min(found.deepest, contact.gap);
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
  constexpr double kOperations = 16.0;  // that a gap is computed in
  std::vector<LawAtStart> found;
  if (!system.has_fixed_laws()) report.found.emplace();
  for (int k = 0; k < laws.size() && !laws.id[static_cast<size_t>(k)].rolls(); ++k) {
    const ForceLaw& law = system.laws()[static_cast<size_t>(laws.law[k])];
    const Eigen::VectorXd gamma = velocities_of(laws, k, *evaluator, start.u);
    const bool below = law.kind == ForceLaw::Kind::kContact && laws.gap[k] < 0.0;
    const double size = below ? size_of_gap(system, laws, k, *evaluator, start.q) : 0.0;
    const double round_off = below && size <= kNoDepth ? kNoDepth : kOperations * kMachineEpsilon * size;
    LawAtStart judged = judge(law, laws.gap[k], round_off, gamma, ContactTolerances::as_given(closed_tolerance));
    judged.id = laws.id[k];
    judged.law = laws.law[k];
    if (judged.id.is_fixed()) {
      report.laws.push_back(judged);
    } else {
      found.push_back(judged);
      count(judged, *report.found);
    }
  }
  const size_t most = std::min(found.size(), StartReport::kMostFound);
  std::partial_sort(
      found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end(),
      [](const auto& a, const auto& b) { return std::tie(a.gap, b.closing, a.id) < std::tie(b.gap, a.closing, b.id); });
  report.laws.insert(report.laws.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most));
  return report;
}

}  // namespace tippe
