// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/orbit_guess.h"

#include <algorithm>
#include <limits>

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostReturns = 8;
constexpr double kNearlyEqual = 10.0;  // distances within this factor

/// Points of one section within a recorded motion, and how closely they recur.
struct Recurrence {
  Section section;
  std::vector<size_t> points = {};
  int returns = 0;
  double distance = std::numeric_limits<double>::infinity();
};

OrbitGuess make_guess(const ReturnMap& map, const Passage& recorded, const Recurrence& recurrence, size_t k, int returns) {
  const size_t first = recurrence.points[k], last = recurrence.points[k + static_cast<size_t>(returns)];
  const SectionPoint &from = recorded.points[first], &to = recorded.points[last];
  OrbitGuess guess{recurrence.section, returns, from, to.state.t - from.state.t, VectorXd::Zero(map.size()), 0.0};
  for (size_t i = first + 1; i <= last; ++i) guess.size = guess.size.cwiseMax(recorded.points[i].largest);
  guess.size = guess.size.unaryExpr([](double size) { return size > 0.0 ? size : 1.0; });
  guess.distance = map.difference(from.state, to.state).cwiseQuotient(guess.size).cwiseAbs().maxCoeff();
  if (from.event.after != to.event.after || !(guess.duration > 0.0))
    guess.distance = std::numeric_limits<double>::infinity();
  return guess;
}

double closest(const ReturnMap& map, const Passage& recorded, const Recurrence& recurrence, int returns) {
  double least = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k + static_cast<size_t>(returns) < recurrence.points.size(); ++k)
    least = std::min(least, make_guess(map, recorded, recurrence, k, returns).distance);
  return least;
}

void measure(const ReturnMap& map, const Passage& recorded, int returns, Recurrence& recurrence) {
  if (returns > 0) {
    recurrence.returns = returns;
    recurrence.distance = closest(map, recorded, recurrence, returns);
    return;
  }
  std::vector<double> distances;
  for (int n = 1; n <= kMostReturns; ++n) distances.push_back(closest(map, recorded, recurrence, n));
  const double least = *std::min_element(distances.begin(), distances.end());
  const auto fewest = std::find_if(distances.begin(), distances.end(), [&](double d) { return d <= kNearlyEqual * least; });
  if (fewest == distances.end()) return;
  recurrence.returns = static_cast<int>(fewest - distances.begin()) + 1;
  recurrence.distance = *fewest;
}

auto closed_contacts(const Recurrence& recurrence) {
  return std::count_if(recurrence.section.after.begin(), recurrence.section.after.end(),
                       [](ContactMode mode) { return mode != ContactMode::kOpen; });
}

std::vector<Recurrence> sort_by_section(const Passage& recorded, const Section* asked) {
  std::vector<Recurrence> found;
  if (asked != nullptr) found.push_back({*asked});
  for (size_t i = 0; i < recorded.points.size(); ++i) {
    const Event& event = recorded.points[i].event;
    if (event.laws.empty() && (asked == nullptr || !asked->is_stroboscopic())) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Recurrence& r) {
      return r.section.holds(event) && (asked != nullptr || r.section.laws == event.laws);
    });
    if (same != found.end()) {
      same->points.push_back(i);
    } else if (asked == nullptr) {
      found.push_back({{event.kind, event.laws, event.after}, {i}});
    }
  }
  return found;
}

/// The first half of the points is a transient, unless hardly anything recurs in the second.
void drop_transient(Recurrence& recurrence) {
  const size_t half = recurrence.points.size() / 2;
  if (half < 2 * kMostReturns) return;
  recurrence.points.erase(recurrence.points.begin(), recurrence.points.begin() + static_cast<std::ptrdiff_t>(half));
}

}  // namespace

std::vector<OrbitGuess> find_close_returns(const ReturnMap& map, const Passage& recorded, const Section* asked, int returns,
                                           size_t most) {
  std::vector<Recurrence> sections = sort_by_section(recorded, asked);
  double least = std::numeric_limits<double>::infinity();
  for (Recurrence& section : sections) {
    if (returns == 0) drop_transient(section);
    measure(map, recorded, returns, section);
    least = std::min(least, section.distance);
  }
  const Recurrence* best = nullptr;
  for (const Recurrence& section : sections) {
    if (!(section.distance <= kNearlyEqual * least) || section.returns == 0) continue;
    if (best == nullptr || closed_contacts(section) > closed_contacts(*best)) best = &section;
  }
  std::vector<OrbitGuess> guesses;
  if (best == nullptr) return guesses;
  for (size_t k = 0; k + static_cast<size_t>(best->returns) < best->points.size(); ++k) {
    OrbitGuess guess = make_guess(map, recorded, *best, k, best->returns);
    if (guess.distance < std::numeric_limits<double>::infinity()) guesses.push_back(std::move(guess));
  }
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const OrbitGuess& a, const OrbitGuess& b) { return a.distance < b.distance; });
  if (guesses.size() > most) guesses.resize(most);
  return guesses;
}

}  // namespace tippe
