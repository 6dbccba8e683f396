// SPDX-License-Identifier: Apache-2.0
// Words on constraints, impacts and on how contacts feel each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Names = std::vector<std::string>;
using Tone = Finding::Tone;

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

namespace {

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// "the energy changes by -6.75 J"; where surfaces move, which energy, and their work.
std::string energy_words(double change, double work, double energy) {
  const char* verb = change > 0.0 ? "rises" : "changes";
  if (work == 0.0) return fmt::format("the energy {} by {} J", verb, brief(change, energy));
  return fmt::format(
      "the energy relative to the surfaces {} by {} J, surfaces that move do the work {} J, and the kinetic energy changes "
      "by "
      "their sum, {} J",
      verb, brief(change, energy), brief(work, energy), brief(change + work, energy + std::abs(work)));
}

std::string words_of_outcome(const ImpactOfLaw& outcome, double energy) {
  std::string text = energy_words(outcome.energy_change, outcome.surface_work, energy);
  if (outcome.alternatives && *outcome.alternatives > 0)
    text += fmt::format("; {} other outcome{} consistent too, and lose{} more", *outcome.alternatives,
                        *outcome.alternatives == 1 ? " is" : "s are", *outcome.alternatives == 1 ? "s" : "");
  if (!outcome.alternatives) text += "; whether other outcomes are consistent too is not known";
  return text;
}

std::string words_of_kinematic_law(const KinematicImpact& kinematic, double energy) {
  std::string text;
  if (kinematic.admissible.yes()) {
    text = fmt::format("{}, is admissible; {}.", KinematicLawWords::title,
                       energy_words(kinematic.energy_change, kinematic.surface_work, energy));
  } else if (kinematic.admissible.no()) {
    text = fmt::format("{}, is not admissible here.", KinematicLawWords::title);
    for (const std::string& reason : kinematic.reasons) text += " " + reason;
  } else {
    text = fmt::format("Whether {}, is admissible lies on the boundary.", KinematicLawWords::title);
  }
  if (kinematic.exists && !kinematic.unique)
    text += " Its impulses are not unique; the smallest are given, without pulls where that can be.";
  return capitalized(text);
}

/// Of the law that governs.
void answer_by_law(const ImpactReport& impact, Finding& finding) {
  const std::optional<ImpactOfLaw>& outcome = impact.by(impact.law);
  const bool several = outcome && outcome->alternatives.value_or(0) > 0;
  finding.answer = !outcome                ? "no outcome"
                   : outcome->energy_rises ? "energy rises"
                   : several               ? "several outcomes"
                                           : "one outcome";
  if (outcome && !outcome->alternatives && !outcome->energy_rises) finding.answer = "an outcome";
  finding.tone = !outcome || outcome->energy_rises ? Tone::kBad : several ? Tone::kPlain : Tone::kGood;
}

}  // namespace

Finding impact_finding(const Instant& instant, const ImpactReport& impact) {
  Finding finding{"Impact", {}, Tone::kBad, {}};
  std::string& text = finding.text;
  if (impact.massless_direction.size() > 0) {
    finding.answer = "not determined";
    text = fmt::format("The velocity after the impact is not determined along ({}): no mass, no constraint.",
                       combination(coordinate_names(instant), impact.massless_direction));
    return finding;
  }
  const double energy =
      instant.impact ? 0.5 * instant.impact->velocity.dot(instant.impact->M * instant.impact->velocity) : 0.0;
  const KinematicImpact& kinematic = impact.kinematic;
  if (impact.by_matrix) {
    finding.answer = kinematic.admissible.yes()  ? "restitution matrix fits"
                     : kinematic.admissible.no() ? "restitution matrix fails"
                                                 : "undecided";
    finding.tone = tone_of(kinematic.admissible);
    text = words_of_kinematic_law(kinematic, energy);
  } else {
    answer_by_law(impact, finding);
    const std::optional<ImpactOfLaw>& governing = impact.by(impact.law);
    if (governing)
      text = fmt::format("By {}, which governs here, {}.", words_of(impact.law).title, words_of_outcome(*governing, energy));
    else
      text = fmt::format("{}, which governs here, has no outcome.", words_of(impact.law).title);
    text += " " + words_of_kinematic_law(kinematic, energy);
  }
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
