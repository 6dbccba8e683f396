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

/// Contacts where a push at one opens the other.
std::string wide_angle_words(const Names& contacts, const MatrixXd& degrees) {
  Names pairs;
  for (Eigen::Index i = 0; i < degrees.rows(); ++i) {
    for (Eigen::Index j = i + 1; j < degrees.cols(); ++j) {
      if (degrees(i, j) > 90.0 + kRightAngle)
        pairs.push_back(fmt::format("{} with {} ({:.4g} degrees)", contacts[static_cast<size_t>(i)],
                                    contacts[static_cast<size_t>(j)], degrees(i, j)));
    }
  }
  if (pairs.empty()) return {};
  return fmt::format(
      " A push at one contact also opens the other where their kinetic angle is above 90 degrees: {}. If such contacts "
      "collide, the order of the impacts matters.",
      word_list(pairs));
}

/// Which contact loads which constraint most in an impact: none at 90 degrees, Brogliato A Proposition 16.
std::string joint_words(const Names& contacts, const Names& joints, const MatrixXd& degrees) {
  Names loaded;
  for (size_t j = 0; j < joints.size(); ++j) {
    Eigen::Index driver = 0;
    const auto column = static_cast<Eigen::Index>(j);
    const auto from_right = [&](Eigen::Index i) {
      const double angle = degrees(i, column);
      return std::isnan(angle) ? 0.0 : std::abs(angle - 90.0);
    };
    for (Eigen::Index i = 1; i < degrees.rows(); ++i) {
      if (from_right(i) > from_right(driver)) driver = i;
    }
    if (from_right(driver) > kRightAngle)
      loaded.push_back(fmt::format("{} by {} ({:.4g} degrees)", joints[j], contacts[static_cast<size_t>(driver)],
                                   degrees(driver, column)));
  }
  if (loaded.empty()) return " No impulse of a contact is felt by a constraint: all their kinetic angles are 90 degrees.";
  return fmt::format(
      " In an impact constraints are loaded by contacts, most by those furthest from a kinetic angle of 90 degrees: {}.",
      word_list(loaded));
}

}  // namespace

std::optional<Finding> couplings_finding(const Instant& instant, const Analysis& analysis) {
  const Names contacts = names_of(unilateral_of(instant)), joints = names_of(bilateral_of(instant));
  const auto rows = static_cast<Eigen::Index>(contacts.size());
  std::string text, answer = "independent contacts";
  if (analysis.delassus && analysis.delassus->null_space.rows() == rows && analysis.delassus->null_space.cols() > 0) {
    const MatrixXd& patterns = analysis.delassus->null_space;
    Names ratios;
    for (Eigen::Index k = 0; k < patterns.cols(); ++k) {
      if (patterns.col(k).allFinite()) ratios.push_back("(" + combination(contacts, patterns.col(k)) + ")");
    }
    if (ratios.size() > 3) {
      const size_t more = ratios.size() - 3;
      ratios.resize(3);
      ratios.push_back(fmt::format("{} more patterns", more));
    }
    if (!ratios.empty())
      text = fmt::format(" Normal forces in the ratio {} move nothing: A_c is singular.", word_list(ratios));
    answer = "redundant contacts";
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
  return Finding{"Couplings", answer, Tone::kPlain, text.substr(1)};
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
