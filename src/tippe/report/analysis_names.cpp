// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tippe {

using Eigen::VectorXd;

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

std::string brief(double value, double size) {
  if (std::isfinite(value) && std::abs(value) <= 1e-12 * std::abs(size)) value = 0.0;
  return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value);
}

double acceleration_size(const Instant& instant, const VectorXd& acceleration) {
  double size = acceleration.size() > 0 ? acceleration.cwiseAbs().maxCoeff() : 0.0;
  if (!instant.acceleration) return size;
  const AccelerationProblem& problem = *instant.acceleration;
  for (int i = 0; i < problem.n(); ++i) {
    if (problem.M(i, i) > 0.0) size = std::max(size, std::abs(problem.F[i]) / problem.M(i, i));
  }
  return size;
}

std::string word_list(const std::vector<std::string>& words) {
  constexpr size_t kMost = 8;
  if (words.empty()) return "none";
  const size_t shown = words.size() > kMost ? kMost - 1 : words.size() - 1;
  std::string list;
  for (size_t i = 0; i < shown; ++i) list += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kMost) return fmt::format("{} and {} more", list, words.size() - shown);
  return list + (shown == 0 ? "" : " and ") + words.back();
}

std::string combination(const std::vector<std::string>& names, const VectorXd& values, double size) {
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  std::string text;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > std::max(1e-9 * largest, 1e-12 * size))
      text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", names[static_cast<size_t>(i)], values[i]);
  }
  return text.empty() ? "nothing" : text;
}

std::vector<std::string> all_notes(const Instant& instant, const Analysis& analysis) {
  std::vector<std::string> notes = instant.notes;
  for (const std::string& note : analysis.notes) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  return notes;
}

}  // namespace tippe
