// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The lengths of forces, measured by the motion that they cause if only the diagonal of M is seen. What has no mass there counts nothing.
VectorXd lengths(const MatrixXd& M, const MatrixXd& forces) {
  VectorXd squares = VectorXd::Zero(forces.cols());
  for (Eigen::Index i = 0; i < forces.rows(); ++i) {
    if (M(i, i) > 0.0) squares += forces.row(i).transpose().cwiseAbs2() / M(i, i);
  }
  return squares.cwiseSqrt();
}

/// A force of this length along each direction.
VectorXd along(const VectorXd& direction_lengths, double length) {
  VectorXd sizes = VectorXd::Zero(direction_lengths.size());
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (direction_lengths[k] > 0.0) sizes[k] = length / direction_lengths[k];
  }
  return sizes;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<ContactRows>& contacts) {
  std::vector<std::string> names;
  for (const ContactRows& contact : contacts) names.push_back(contact.name);
  return names;
}

std::vector<std::string> picked(const std::vector<std::string>& names, const std::vector<int>& indices) {
  std::vector<std::string> chosen;
  for (const int index : indices) chosen.push_back(names[static_cast<size_t>(index)]);
  return chosen;
}

FrictionKinds::FrictionKinds(const Instant& instant) {
  const auto rubs = [](const ContactRows& contact) { return contact.tangent_count() > 0; };
  const auto holds = [](const DryFrictionRow& row) { return row.slip == 0.0 && row.limit > 0.0; };
  contacts = std::ranges::any_of(unilateral_of(instant), rubs) || std::ranges::any_of(bilateral_of(instant), rubs);
  dry = std::ranges::any_of(instant.dry, holds);
}

std::vector<std::string> rubbing_names(const Instant& instant) {
  std::vector<std::string> names = names_of(unilateral_of(instant));
  for (const DryFrictionRow& row : instant.dry) names.push_back(row.name);
  return names;
}

const std::vector<ContactRows>& unilateral_of(const Instant& instant) {
  static const std::vector<ContactRows> none;
  return instant.acceleration ? instant.acceleration->unilateral : instant.impact ? instant.impact->unilateral : none;
}

const std::vector<ContactRows>& bilateral_of(const Instant& instant) {
  static const std::vector<ContactRows> none;
  return instant.acceleration ? instant.acceleration->bilateral : instant.impact ? instant.impact->bilateral : none;
}

std::vector<std::string> coordinate_names(const Instant& instant) {
  std::vector<std::string> names;
  if (instant.acceleration) {
    for (int i = 0; i < instant.acceleration->n(); ++i) names.push_back(instant.acceleration->coordinate(i));
  } else if (instant.impact) {
    for (int i = 0; i < instant.impact->velocity.size(); ++i) names.push_back(instant.impact->coordinate(i));
  }
  return names;
}

bool is_round_off(double value, double size) {
  return std::isfinite(value) && std::abs(value) <= kShownAsZero * std::abs(size);
}

std::string brief(double value, double size) {
  if (std::isnan(value)) return "not known";
  return fmt::format("{:.6g}", is_round_off(value, size) ? 0.0 : value);
}

VectorXd acceleration_sizes(const Instant& instant, const VectorXd& acceleration) {
  VectorXd sizes = VectorXd::Zero(acceleration.size());
  if (!instant.acceleration || acceleration.size() != instant.acceleration->n()) return sizes;
  const AccelerationProblem& problem = *instant.acceleration;
  const VectorXd roots = problem.M.diagonal().cwiseMax(0.0).cwiseSqrt();
  const double largest = std::max(lengths(problem.M, problem.F)[0], acceleration.cwiseAbs().cwiseProduct(roots).maxCoeff());
  return along(roots, largest);
}

VectorXd force_sizes(const Instant& instant, const VectorXd& forces) {
  const AccelerationProblem& problem = *instant.acceleration;
  MatrixXd columns = force_directions(problem);
  const Eigen::Index first = columns.cols();
  columns.conservativeResize(problem.n(), first + static_cast<Eigen::Index>(instant.dry.size()));
  for (size_t i = 0; i < instant.dry.size(); ++i)
    columns.col(first + static_cast<Eigen::Index>(i)) = instant.dry[i].direction;
  const VectorXd directions = lengths(problem.M, columns);
  double largest = lengths(problem.M, problem.F)[0];
  if (forces.size() == directions.size() && forces.allFinite() && forces.size() > 0)
    largest = std::max(largest, forces.cwiseAbs().cwiseProduct(directions).maxCoeff());
  return along(directions, largest);
}

VectorXd impulse_sizes(const ImpactProblem& problem) {
  MatrixXd normals(problem.velocity.size(), static_cast<Eigen::Index>(problem.unilateral.size() + problem.bilateral.size()));
  Eigen::Index column = 0;
  for (const std::vector<ContactRows>* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (const ContactRows& contact : *contacts) normals.col(column++) = contact.normal;
  }
  return along(lengths(problem.M, normals), lengths(problem.M, problem.M * problem.velocity)[0]);
}

double needed_friction(const Sticking& sticking) {
  return sticking.mu_min < kShownAsZero ? 0.0 : sticking.mu_min;
}

std::string word_list(const std::vector<std::string>& words, size_t most) {
  if (words.empty()) return "none";
  const size_t shown = words.size() > most ? most - 1 : words.size() - 1;
  std::string list;
  for (size_t i = 0; i < shown; ++i) list += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > most) return fmt::format("{} and {} more", list, words.size() - shown);
  return list + (shown == 0 ? "" : " and ") + words.back();
}

std::string combination(const std::vector<std::string>& names, const VectorXd& values, double size) {
  return combination(names, values, VectorXd::Constant(values.size(), size));
}

std::string combination(const std::vector<std::string>& names, const VectorXd& values, const VectorXd& sizes) {
  constexpr int kMost = 8;
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  std::vector<std::string> entries;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > std::max(kShownAsEqual * largest, kShownAsZero * sizes[i]))
      entries.push_back(fmt::format("{} {:.4g}", names[static_cast<size_t>(i)], values[i]));
  }
  if (entries.empty()) return "0";
  const size_t shown = entries.size() > kMost ? kMost - 1 : entries.size();
  std::string text = fmt::format("{}", fmt::join(entries.begin(), entries.begin() + static_cast<long>(shown), ", "));
  return shown < entries.size() ? fmt::format("{} and {} more", text, entries.size() - shown) : text;
}

std::vector<std::string> all_notes(const Instant& instant, const Analysis& analysis) {
  std::vector<std::string> notes = instant.notes;
  for (const std::string& note : analysis.notes) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  if (analysis.sticking && !analysis.sticking->mu_known)
    notes.emplace_back(
        "sticking: not all coefficients of friction are known, so that it is undecided; mu_min is what is needed");
  return notes;
}

std::vector<std::vector<std::string>> tabulate_gaps(const Instant& instant, const LiftOff& lift) {
  const std::vector<std::string> contacts = names_of(unilateral_of(instant));
  const bool bounded = (lift.upper.array() > lift.lower.array()).any();
  std::vector<std::vector<std::string>> lines = {{"", "value"}};
  if (bounded) lines[0].insert(lines[0].end(), {"from", "to"});
  for (size_t i = 0; i < contacts.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    lines.push_back({contacts[i], brief(lift.gap_acceleration[k])});
    if (bounded) lines.back().insert(lines.back().end(), {brief(lift.lower[k]), brief(lift.upper[k])});
  }
  return lines;
}

std::vector<std::vector<std::string>> tabulate_response(const Instant& instant, const LoadResponse& response) {
  const std::vector<std::string> names = force_names(instant);
  std::vector<std::vector<std::string>> lines = {{""}};
  for (const std::string& coordinate : coordinate_names(instant)) lines[0].push_back("on " + coordinate);
  for (size_t i = 0; i < names.size(); ++i) {
    const Eigen::VectorXd row = response.forces.row(static_cast<Eigen::Index>(i)).transpose();
    lines.push_back({names[i]});
    const double size = response.determined[i] ? row.cwiseAbs().maxCoeff() : 0.0;
    for (const double value : row) lines.back().push_back(response.determined[i] ? brief(value, size) : "-");
  }
  return lines;
}

}  // namespace tippe
