// SPDX-License-Identifier: Apache-2.0
// Words on whether there is a motion, and whether it is the only one.
#include <fmt/format.h>

#include <cmath>

#include "tippe/core/least_squares.h"
#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;
using Ground = Solvability::Ground;

/// The names of the contacts that a vector over them is not zero for.
Names support(const Names& names, const VectorXd& values) {
  Names found;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > kShownAsEqual) found.push_back(names[static_cast<size_t>(i)]);
  }
  return found;
}

/// The forces that cancel each other in a self-stress: the normal forces z of the contacts, and the smallest friction of contacts at rest and
/// forces of constraints that balance them.
VectorXd balanced_forces(const AccelerationProblem& problem, const VectorXd& z) {
  const ForceLayout layout(problem);
  const MatrixXd D = force_directions(problem);
  VectorXd forces = VectorXd::Zero(layout.size());
  std::vector<int> answering = layout.bilateral;
  const auto add_friction = [&](const ContactRows& contact, int normal) {
    for (int k = 1; k <= contact.tangent_count() && !contact.slides(); ++k) answering.push_back(normal + k);
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    forces[layout.unilateral[i]] = z[static_cast<Eigen::Index>(i)];
    add_friction(problem.unilateral[i], layout.unilateral[i]);
  }
  for (size_t i = 0; i < problem.bilateral.size(); ++i) add_friction(problem.bilateral[i], layout.bilateral[i]);
  if (answering.empty()) return forces;
  forces(answering) = LeastSquares(D(Eigen::all, answering)).solve(-D * forces);
  return forces;
}

std::string possible_words(const Instant& instant, const Analysis& analysis) {
  const Solvability& found = *analysis.solvability;
  std::string text = "Accelerations and forces exist that satisfy every contact law and every constraint";
  text += analysis.limits_kept ? ", the friction limits of contacts at rest left aside." : ".";
  if (analysis.limits_kept && analysis.limits_kept->no()) text += " Here they are exceeded: see Sticking.";
  const Names contacts = names_of(unilateral_of(instant));
  if (contacts.empty()) return text;
  switch (found.ground) {
    case Ground::kEveryDrift:
      return text +
             " This holds whatever the drifts are, because one motion opens all contacts at once; the contact forces are "
             "bounded.";
    case Ground::kBounded:
      return text + " The contact forces are bounded.";
    case Ground::kWedged: {
      const Names touching = support(contacts, found.certificate);
      return text + fmt::format(
                        " {} {} wedged: forces in the ratio {} cancel each other, can be as large as they like, and do "
                        "not show in the motion.",
                        word_list(touching), touching.size() == 1 ? "is" : "are",
                        combination(ForceLayout(*instant.acceleration).names,
                                    balanced_forces(*instant.acceleration, found.certificate)));
    }
    case Ground::kPMatrix:
      return text + " All principal minors are positive: this is so for every load.";
    case Ground::kEnumeration:
      return text + " All cases of open and closed contacts were tried.";
    case Ground::kLemke:
      return text + " One solution was found; nothing is known of others.";
    default:
      return text;
  }
}

std::string impossible_words(const Instant& instant, const Analysis& analysis, bool moves) {
  const Solvability& found = *analysis.solvability;
  const Names contacts = names_of(unilateral_of(instant));
  std::string text = analysis.limits_kept ? "No acceleration lets all contacts at rest go on sticking. "
                                          : "No acceleration satisfies all laws. ";
  const std::string advice =
      moves ? " With their friction limits there is a motion in which not all of them stick: see Painleve."
            : " Check velocities and drifts; if they are right, an impact has to be processed here.";
  switch (found.ground) {
    case Ground::kContradiction: {
      const Names touching = support(contacts, found.certificate);
      if (touching.size() == 1)
        return text +
               fmt::format("The gap of {} would shrink with the acceleration {} m/s^2 whatever the forces are.", touching[0],
                           brief(found.certificate_value)) +
               advice;
      return text +
             fmt::format(
                 "The contacts {} cannot all stay closed without penetration: weighted in the ratio {}, their gaps "
                 "would shrink with the acceleration {} m/s^2 whatever the forces are.",
                 word_list(touching), combination(contacts, found.certificate), brief(found.certificate_value)) +
             advice;
    }
    case Ground::kEqualities: {
      text += analysis.limits_kept ? "Constraints or sticking contacts ask for accelerations that contradict each other"
                                   : "Constraints ask for accelerations that contradict each other";
      if (!found.culprits.empty()) text += ": " + word_list(found.culprits);
      return text + "." + (moves ? advice : " Check their drifts, or let one of them go.");
    }
    case Ground::kMasslessLoaded:
      return text + fmt::format(
                        "A force acts along ({}), where nothing has mass and nothing holds. Give it inertia or a "
                        "constraint.",
                        combination(coordinate_names(instant), found.massless_direction));
    case Ground::kEnumeration:
      return text + "Every case of open and closed contacts was tried: friction leaves none of them possible." +
             (moves ? advice : " An impact without collision follows; a smaller friction coefficient avoids it.");
    default:
      return text + advice.substr(1);
  }
}

}  // namespace

Finding solvable_finding(const Instant& instant, const Analysis& analysis) {
  const Verdict& verdict = analysis.solvability->verdict;
  Finding finding{"Solvable", name_of(verdict.answer), tone_of(verdict), {}};
  if (verdict.yes()) {
    finding.text = possible_words(instant, analysis);
  } else if (verdict.no()) {
    const bool moves = analysis.limits_kept && analysis.painleve && !analysis.painleve->solutions.empty();
    if (moves) {
      finding.answer = "no, not with all sticking";
      finding.tone = Finding::Tone::kPlain;
    }
    finding.text = impossible_words(instant, analysis, moves);
  } else {
    finding.text = undecided_words(verdict, analysis.solvability->reason);
  }
  return finding;
}

Finding motion_finding(const Instant& instant, const Analysis& analysis) {
  const Motion& motion = *analysis.motion;
  const bool sliding = analysis.solvability && analysis.solvability->kind == InstantKind::kSliding;
  Finding finding{"Motion",
                  motion.unique.yes()  ? "unique"
                  : motion.unique.no() ? "not unique"
                                       : "undecided",
                  tone_of(motion.unique),
                  {}};
  std::string& text = finding.text;
  if (limits_matter(analysis)) {
    finding.answer += " if all stick";
    finding.tone = Finding::Tone::kPlain;
  }
  if (motion.unique.yes()) {
    text = "The motion is unique.";
  } else if (motion.unique.no() && sliding) {
    text = "The motion is not unique: the friction of sliding contacts allows several, of which one is shown.";
  } else if (motion.unique.no()) {
    text = "The motion is not unique.";
    const Names names = coordinate_names(instant);
    Names ways;
    for (Eigen::Index k = 0; k < motion.free_directions.cols(); ++k)
      ways.push_back("(" + combination(names, motion.free_directions.col(k)) + ")");
    if (!ways.empty()) text += fmt::format(" The acceleration can be changed along {}.", word_list(ways));
    text += " What is missing there is inertia or a constraint.";
  } else {
    text = "One acceleration was found; whether there are others is not known. " + undecided_words(motion.unique);
  }
  if (!analysis.yielding.empty()) {
    Names yielding;
    for (const int i : analysis.yielding) yielding.push_back(instant.dry[static_cast<size_t>(i)].name);
    text += fmt::format(" {} begin{} to slide.", word_list(yielding), yielding.size() == 1 ? "s" : "");
  }
  if (limits_matter(analysis)) text = if_all_stick(text);
  if (analysis.limits_kept && analysis.limits_kept->no())
    text += analysis.painleve && !analysis.painleve->solutions.empty()
                ? " They cannot: what happens instead is under Painleve and among the numbers."
                : " They cannot.";
  return finding;
}

Finding lift_off_finding(const Instant& instant, const Analysis& analysis) {
  const LiftOff& lift = *analysis.lift_off;
  const Names contacts = names_of(unilateral_of(instant));
  const Verdict& persistent = lift.persistent;
  Finding finding{"Lift-off", {}, Finding::Tone::kPlain, {}};
  std::string& text = finding.text;
  Names opening;
  for (const int i : lift.opening)
    opening.push_back(
        fmt::format("{} opens with {} m/s^2", contacts[static_cast<size_t>(i)], brief(lift.gap_acceleration[i])));
  if (!opening.empty()) {
    finding.answer = opening.size() == 1 ? contacts[static_cast<size_t>(lift.opening[0])] + " opens"
                                         : fmt::format("{} contacts open", opening.size());
    text = word_list(opening) + ".";
    if (opening.size() < contacts.size() && lift.may_open.empty()) text += " The other contacts stay closed.";
  } else {
    finding.answer = persistent.yes() ? "none" : "undecided";
    finding.tone = persistent.yes() ? Finding::Tone::kGood : Finding::Tone::kOpen;
    text = persistent.yes() ? "No contact opens: all persist." : undecided_words(persistent);
  }
  if (!lift.may_open.empty())
    text += fmt::format(" In another motion {} may open.", word_list(picked(contacts, lift.may_open)));
  if (!opening.empty() && persistent.yes()) text += " In another motion all contacts stay closed.";
  if (limits_matter(analysis)) {
    finding.answer += " if all stick";
    finding.tone = Finding::Tone::kPlain;
    text = "If all contacts at rest stick: " + text;  // which begins with a name
  }
  return finding;
}

}  // namespace tippe
