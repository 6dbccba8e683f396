// SPDX-License-Identifier: Apache-2.0
// Words on constraints, impacts and on how contacts feel each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Names = std::vector<std::string>;
using Tone = Finding::Tone;

constexpr double kRightAngle = 1e-6;  // degrees; what is closer to 90 counts as 90

constexpr size_t kMostPairs = 4;

/// A pair at an angle that is `far` degrees from where it would not matter.
struct Pair {
  std::string words;
  double far;
};

/// The pairs that matter most.
std::string pair_list(std::vector<Pair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.far > b.far; });
  Names words;
  for (const Pair& pair : pairs) words.push_back(pair.words);
  return word_list(words, kMostPairs);
}

/// Contacts where a push at one opens the other.
std::string wide_angle_words(const Names& contacts, const MatrixXd& degrees) {
  std::vector<Pair> pairs;
  for (Eigen::Index i = 0; i < degrees.rows(); ++i) {
    for (Eigen::Index j = i + 1; j < degrees.cols(); ++j) {
      if (degrees(i, j) > 90.0 + kRightAngle)
        pairs.push_back({fmt::format("{} with {} ({:.4g} degrees)", contacts[static_cast<size_t>(i)],
                                     contacts[static_cast<size_t>(j)], degrees(i, j)),
                         degrees(i, j) - 90.0});
    }
  }
  if (pairs.empty()) return {};
  return fmt::format(
      " A push at one contact also opens the other where their kinetic angle is above 90 degrees: {}. If such contacts "
      "collide, the order of the impacts matters.",
      pair_list(std::move(pairs)));
}

/// Which contact loads which constraint most in an impact: none at 90 degrees, Brogliato A Proposition 16.
std::string joint_words(const Names& contacts, const Names& joints, const MatrixXd& degrees) {
  std::vector<Pair> loaded;
  for (Eigen::Index j = 0; j < degrees.cols(); ++j) {
    for (Eigen::Index i = 0; i < degrees.rows(); ++i) {
      const double far = std::abs(degrees(i, j) - 90.0);
      if (far > kRightAngle)  // false where there is no angle
        loaded.push_back({fmt::format("{} by {} ({:.4g} degrees)", joints[static_cast<size_t>(j)],
                                      contacts[static_cast<size_t>(i)], degrees(i, j)),
                          far});
    }
  }
  if (loaded.empty()) return " No impulse of a contact is felt by a constraint: all their kinetic angles are 90 degrees.";
  return fmt::format(
      " In an impact constraints are loaded by contacts, most where the kinetic angle is furthest from 90 degrees: {}.",
      pair_list(std::move(loaded)));
}

}  // namespace

std::optional<Finding> couplings_finding(const Instant& instant, const Analysis& analysis) {
  const Names contacts = names_of(unilateral_of(instant)), joints = names_of(bilateral_of(instant));
  const auto rows = static_cast<Eigen::Index>(contacts.size());
  std::string text;
  if (analysis.delassus && analysis.delassus->null_space.rows() == rows && analysis.delassus->null_space.cols() > 0) {
    const MatrixXd& patterns = analysis.delassus->null_space;
    Names ratios;
    for (Eigen::Index k = 0; k < patterns.cols(); ++k) {
      if (patterns.col(k).allFinite()) ratios.push_back("(" + combination(contacts, patterns.col(k)) + ")");
    }
    if (!ratios.empty())
      text = fmt::format(" Normal forces in the ratio {} move nothing: A_c is singular.", word_list(ratios, kMostPairs));
  }
  if (analysis.angles) {
    const KineticAngles& angles = *analysis.angles;
    if (angles.unilateral_constrained.rows() == rows && angles.unilateral_constrained.cols() == rows)
      text += wide_angle_words(contacts, angles.unilateral_constrained);
    if (rows > 0 && !joints.empty() && angles.unilateral_bilateral.rows() == rows &&
        angles.unilateral_bilateral.cols() == static_cast<Eigen::Index>(joints.size()))
      text += joint_words(contacts, joints, angles.unilateral_bilateral);
  }
  if (text.empty()) return std::nullopt;
  const Verdict definite = analysis.delassus ? analysis.delassus->definite : Verdict{};
  return Finding{"Couplings",
                 definite.yes()  ? "independent contacts"
                 : definite.no() ? "redundant contacts"
                                 : "undecided",
                 Tone::kPlain, text.substr(1)};
}

Finding impact_finding(const Instant& instant, const ImpactReport& impact) {
  const ImpactReport::Newton& newton = impact.newton;
  Finding finding{"Impact",
                  newton.admissible.yes()  ? "Newton's law fits"
                  : newton.admissible.no() ? "Newton's law fails"
                                           : "undecided",
                  tone_of(newton.admissible),
                  {}};
  std::string& text = finding.text;
  if (impact.massless_direction.size() > 0) {
    finding.answer = "not determined";
    finding.tone = Tone::kBad;
    text = fmt::format("The velocity after the impact is not determined along ({}): no mass, no constraint.",
                       combination(coordinate_names(instant), impact.massless_direction));
    return finding;
  }
  const double energy =
      instant.impact ? 0.5 * instant.impact->velocity.dot(instant.impact->M * instant.impact->velocity) : 0.0;
  if (newton.admissible.yes()) {
    text = fmt::format("Newton's impact law gives an admissible rebound; the energy changes by {} J.",
                       brief(newton.energy_change, energy));
  } else if (newton.admissible.no()) {
    text = "Newton's impact law, every contact rebounding on its own, is not admissible here.";
    for (const std::string& reason : newton.reasons) text += " " + reason;
  } else {
    text = "Whether Newton's impact law is admissible lies on the boundary.";
  }
  if (newton.exists && !newton.unique)
    text += " The impulses are not unique; the smallest are given, without pulls where that can be.";
  if (impact.moreau && impact.moreau->converged)
    text += fmt::format(" Moreau's law gives {}; the energy changes by {} J.",
                        impact.moreau->energy_rises ? "a rebound that is not admissible" : "an admissible rebound",
                        brief(impact.moreau->energy_change, energy));
  for (const std::string& warning : impact.warnings) text += " " + warning;
  return finding;
}

Finding joints_finding(const Instant& instant, const GeneralizedInverse& joints) {
  Finding finding{"Constraints",
                  joints.consistent.yes()  ? "consistent"
                  : joints.consistent.no() ? "contradictory"
                                           : "undecided",
                  tone_of(joints.consistent),
                  {}};
  std::string& text = finding.text;
  if (joints.consistent.no()) {
    text = fmt::format("The constraints contradict each other{}. Check their drifts.",
                       joints.culprits.empty() ? "" : ": " + word_list(joints.culprits));
    return finding;
  }
  if (!joints.consistent.yes()) {
    text = undecided_words(joints.consistent);
    return finding;
  }
  text = joints.multipliers_unique
             ? "The constraints agree with each other and none is redundant."
             : "The constraints agree with each other. Some are redundant: their forces are not unique, the motion is.";
  if (!joints.determined)
    text += fmt::format(" Without the contacts nothing determines the acceleration along ({}): no mass, no constraint.",
                        combination(coordinate_names(instant), joints.undetermined_direction));
  return finding;
}

}  // namespace tippe
