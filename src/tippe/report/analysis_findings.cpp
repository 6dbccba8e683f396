// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Eigen::VectorXd;
using Names = std::vector<std::string>;
using Tone = Finding::Tone;
using Ground = Solvability::Ground;

Tone tone_of(const Verdict& verdict) {
  return verdict.yes() ? Tone::kGood : verdict.no() ? Tone::kBad : Tone::kOpen;
}

/// Why nothing was decided, and what helps.
std::string undecided(const Verdict& verdict) {
  if (!verdict.margin) return "This could not be decided.";
  return fmt::format(
      "The data lie on the boundary between yes and no (margin {:.2g}, too small to tell from round-off): the smallest "
      "change of them "
      "decides.",
      *verdict.margin);
}

/// The names of the contacts that a vector over them is not zero for.
Names support(const Names& names, const VectorXd& values) {
  Names found;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > 1e-9) found.push_back(names[static_cast<size_t>(i)]);
  }
  return found;
}

Finding solvable_finding(const Instant& instant, const Solvability& found, const Analysis& analysis) {
  Finding finding{"Solvable", name_of(found.verdict.answer), tone_of(found.verdict), {}};
  const Names contacts = names_of(unilateral_of(instant));
  const std::string touching = word_list(support(contacts, found.certificate));
  std::string& text = finding.text;
  if (found.verdict.yes()) {
    text = "Accelerations and forces exist that satisfy every contact law and every constraint.";
    if (contacts.empty()) return finding;
    if (found.ground == Ground::kEveryDrift)
      text +=
          " This holds whatever the drifts are, because one motion opens all contacts at once; the contact forces are "
          "bounded.";
    if (found.ground == Ground::kBounded) text += " The contact forces are bounded.";
    if (found.ground == Ground::kWedged)
      text += fmt::format(
          " The contacts {} are wedged: forces in the ratio {} press them against each other, can be as large as they like, "
          "and do not "
          "show in the "
          "motion.",
          touching, combination(contacts, found.certificate));
    if (found.ground == Ground::kPMatrix) text += " All principal minors are positive: this is so for every load.";
    if (found.ground == Ground::kEnumeration) text += " All cases of open and closed contacts were tried.";
    if (found.ground == Ground::kLemke) text += " One solution was found; nothing is known of others.";
  } else if (found.verdict.no()) {
    text = "No acceleration satisfies all laws. ";
    switch (found.ground) {
      case Ground::kContradiction:
        if (support(contacts, found.certificate).size() == 1) {
          text += fmt::format("The gap of {} shrinks with the acceleration {} whatever the forces are.", touching,
                              brief(found.certificate_value));
        } else {
          text += fmt::format(
              "The contacts {} cannot all stay closed without penetration: weighted in the ratio {}, their gaps shrink with "
              "the "
              "acceleration {} whatever the forces are.",
              touching, combination(contacts, found.certificate), brief(found.certificate_value));
        }
        text += " Check velocities and drifts; if they are right, an impact has to be processed here.";
        break;
      case Ground::kEqualities: {
        text += "Constraints or sticking contacts ask for accelerations that contradict each other";
        const std::optional<GeneralizedInverse>& joints = analysis.generalized_inverse;
        if (joints && !joints->culprits.empty()) text += ": " + word_list(joints->culprits);
        text += ". Check their drifts, or let one of them go.";
        break;
      }
      case Ground::kMasslessLoaded:
        text += fmt::format(
            "A force acts along ({}), where nothing has mass and nothing holds. Give it inertia or a constraint.",
            combination(coordinate_names(instant), found.massless_direction));
        break;
      case Ground::kEnumeration:
        text +=
            "Every case of open and closed contacts was tried: friction leaves none of them possible. An impact without "
            "collision "
            "follows; a smaller friction coefficient avoids it.";
        break;
      default:
        text += "Check velocities and drifts; if they are right, an impact has to be processed here.";
    }
  } else {
    text = undecided(found.verdict);
  }
  return finding;
}

Finding motion_finding(const Instant& instant, const Motion& motion, bool sliding) {
  Finding finding{"Motion",
                  motion.unique.yes()  ? "unique"
                  : motion.unique.no() ? "not unique"
                                       : "undecided",
                  tone_of(motion.unique),
                  {}};
  if (motion.unique.yes()) {
    finding.text = "The motion is unique.";
  } else if (motion.unique.no() && sliding) {
    finding.text = "The motion is not unique: the friction of sliding contacts allows several, of which one is shown.";
  } else if (motion.unique.no()) {
    finding.text = "The motion is not unique.";
    const Names names = coordinate_names(instant);
    Names ways;
    for (Eigen::Index k = 0; k < motion.free_directions.cols(); ++k)
      ways.push_back("(" + combination(names, motion.free_directions.col(k)) + ")");
    if (!ways.empty()) finding.text += fmt::format(" The acceleration can be changed along {}.", word_list(ways));
    finding.text += " What is missing there is inertia or a constraint.";
  } else {
    finding.text = "One acceleration was found; whether there are others is not known. " + undecided(motion.unique);
  }
  return finding;
}

/// "lies between 0 and 29.43 N", "is at least 3 N", "can have any size".
std::string range_words(double lower, double upper, double size, const char* unit) {
  const bool below = std::isinf(lower), above = std::isinf(upper);
  if (below && above) return "can have any size";
  if (above) return fmt::format("is at least {}{}", brief(lower, size), unit);
  if (below) return fmt::format("is at most {}{}", brief(upper, size), unit);
  return fmt::format("lies between {} and {}{}", brief(lower, size), brief(upper, size), unit);
}

/// One sentence on components that are undetermined together.
std::string group_sentence(const ForceSet& forces, const ForceLayout& layout, const Names& owners, size_t index) {
  const std::vector<int>& group = forces.groups[index];
  double size = 0.0;
  for (const int k : group) size = std::max(size, std::abs(forces.representative[k]));
  const bool normals =
      std::all_of(group.begin(), group.end(), [&](int k) { return layout.names[static_cast<size_t>(k)].ends_with(".n"); });
  const bool contacts = std::all_of(group.begin(), group.end(),
                                    [&](int k) { return layout.bilateral.empty() || k < layout.bilateral.front(); });
  const char* unit = contacts ? " N" : "";
  Names called;
  for (const int k : group)
    called.push_back(normals ? owners[static_cast<size_t>(k)] : layout.names[static_cast<size_t>(k)]);
  std::string text = fmt::format("The {} {} not determined one by one", normals && contacts ? "normal forces of" : "forces",
                                 word_list(called) + (group.size() == 1 ? " is" : " are"));
  const auto direction = [&](int k) {  // a sum of forces in different directions says nothing
    const std::string& name = layout.names[static_cast<size_t>(k)];
    return name.substr(name.rfind('.'));
  };
  const bool alike = std::all_of(group.begin(), group.end(), [&](int k) { return direction(k) == direction(group[0]); });
  if (index < forces.group_sums.size() && forces.group_sums[index] && alike && group.size() > 1)
    text += fmt::format(": only their sum, {}{}, is", brief(*forces.group_sums[index], size), unit);
  const auto same = [&](int k) {
    const auto close = [&](double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * (1.0 + size); };
    return close(forces.lower[k], forces.lower[group[0]]) && close(forces.upper[k], forces.upper[group[0]]);
  };
  if (std::all_of(group.begin(), group.end(), same)) {
    return text + fmt::format("; {} {}.", group.size() == 1 ? "it" : "each",
                              range_words(forces.lower[group[0]], forces.upper[group[0]], size, unit));
  }
  Names ranges;
  for (size_t i = 0; i < group.size(); ++i)
    ranges.push_back(
        fmt::format("{} {}", called[i], range_words(forces.lower[group[i]], forces.upper[group[i]], size, unit)));
  return text + "; " + word_list(ranges) + ".";
}

Finding forces_finding(const AccelerationProblem& problem, const ForceSet& forces, bool motion_unique) {
  Finding finding{"Forces",
                  forces.unique.yes()  ? "unique"
                  : forces.unique.no() ? "not unique"
                                       : "undecided",
                  tone_of(forces.unique),
                  {}};
  const ForceLayout layout(problem);
  std::string& text = finding.text;
  if (layout.size() == 0) {
    finding.tone = Tone::kPlain;
    text = "There are no contacts and no constraints, so there are no forces of them.";
    return finding;
  }
  if (forces.unique.yes()) {
    text = motion_unique ? "The forces of all contacts and constraints are unique."
                         : "With this acceleration the forces of all contacts and constraints are unique.";
  } else if (!forces.unique.no()) {
    text = undecided(forces.unique);
  } else {
    finding.tone = Tone::kPlain;
    Names owners(layout.names);
    for (std::string& name : owners) name = name.substr(0, name.rfind('.'));
    constexpr size_t kMostGroups = 6;
    for (size_t g = 0; g < std::min(forces.groups.size(), kMostGroups); ++g)
      text += (g == 0 ? "" : " ") + group_sentence(forces, layout, owners, g);
    if (forces.groups.size() > kMostGroups)
      text += fmt::format(" {} more groups are like this.", forces.groups.size() - kMostGroups);
    text +=
        " The motion does not depend on how they share the load; wear, stress and friction limits do. Rigid bodies cannot "
        "decide "
        "it: only elasticity or a measurement can, and a simulation shows one choice of many.";
  }
  if (!forces.implicitly_zero.empty())
    text +=
        fmt::format(" {} can carry nothing here although closed.", word_list(picked(layout.names, forces.implicitly_zero)));
  return finding;
}

Finding sticking_finding(const Instant& instant, const Sticking& sticking) {
  Finding finding{"Sticking",
                  sticking.mu_known ? name_of(sticking.feasible.answer) : "mu not known",
                  sticking.mu_known ? tone_of(sticking.feasible) : Tone::kPlain,
                  {}};
  std::string& text = finding.text;
  const bool possible = std::isfinite(sticking.mu_min), impossible = std::isinf(sticking.mu_min);
  if (sticking.mu_known && sticking.feasible.yes()) {
    text = "All contacts that are at rest can stay so within their friction.";
    if (possible && sticking.mu_min > 0.0 && std::isfinite(sticking.mu_factor) && sticking.mu_factor > 0.0)
      text +=
          fmt::format(" All coefficients could be {} times smaller before something has to give: the largest needed is {}.",
                      fmt::format("{:.3g}", 1.0 / sticking.mu_factor), brief(sticking.mu_min));
    if (sticking.mu_min == 0.0 && sticking.mu_min_attained) text += " Even without friction they would.";
  } else if (sticking.mu_known && sticking.feasible.no()) {
    text = "The contacts cannot all stay at rest: something slides or tips.";
    if (possible && std::isfinite(sticking.mu_factor))
      text += fmt::format(" All coefficients of friction would have to be {} times larger: the largest of them {}.",
                          fmt::format("{:.3g}", sticking.mu_factor), brief(sticking.mu_min));
    else if (possible)
      text += fmt::format(" A coefficient of friction of {} would hold them.", brief(sticking.mu_min));
  } else if (sticking.mu_known) {
    text = undecided(sticking.feasible);
    if (possible) text += fmt::format(" The smallest coefficient that suffices is {}.", brief(sticking.mu_min));
  } else if (possible) {
    text = fmt::format(
        "Not all coefficients of friction are known. With {} at every contact all that are at rest can stay so, with less "
        "not.",
        brief(sticking.mu_min));
  } else if (!impossible) {
    text = "Not all coefficients of friction are known, and the smallest that suffices was not found.";
  }
  if (impossible) {
    text += (text.empty() ? "" : " ") + std::string("No coefficient of friction suffices, however large");
    text += sticking.tipping ? ": the load tips or lifts the system off its contacts." : ".";
  }
  if (sticking.blocking_direction.size() > 0 && !sticking.feasible.yes())
    text += fmt::format(" The load moves it along ({}), and no admissible contact force opposes that.",
                        combination(coordinate_names(instant), sticking.blocking_direction));
  if (!sticking.unloadable.empty())
    text += fmt::format(" {} can never carry a force here.",
                        word_list(picked(names_of(unilateral_of(instant)), sticking.unloadable)));
  if (sticking.self_stress)
    text +=
        " The contacts can be jammed against each other inside their friction cones: how large the forces are depends on "
        "the history.";
  return finding;
}

Finding closure_finding(const Instant& instant, const Closure& closure) {
  Finding finding{"Grasp", {}, Tone::kPlain, {}};
  if (closure.form.yes()) {
    finding.answer = "form closed";
    finding.text = "The contacts hold the system against every load, even without friction (form closure).";
  } else if (closure.force.yes()) {
    finding.answer = "force closed";
    finding.text =
        "With their friction the contacts hold the system against every load, if they are pressed hard enough (force "
        "closure); "
        "without friction they do not.";
  } else if (closure.force.no()) {
    finding.answer = "open";
    finding.text = "The contacts do not hold the system against every load.";
  } else {
    finding.answer = "undecided";
    finding.tone = Tone::kOpen;
    finding.text = "Whether the contacts hold the system against every load lies on the boundary.";
  }
  if (closure.unresisted.size() > 0)
    finding.text +=
        fmt::format(" {} resists a motion along ({}).", closure.force.yes() ? "Without friction nothing" : "Nothing",
                    combination(coordinate_names(instant), closure.unresisted));
  return finding;
}

Finding painleve_finding(const Instant& instant, const Painleve& painleve) {
  const Names contacts = names_of(unilateral_of(instant));
  Finding finding{"Painleve", painleve.classification ? name_of(*painleve.classification) : "undecided", Tone::kOpen, {}};
  std::string& text = finding.text;
  if (!painleve.classification) {
    text = "How many motions Coulomb friction allows was not decided: " + painleve.reason + ".";
  } else {
    switch (*painleve.classification) {
      case Painleve::Class::kUnique:
        finding.tone = Tone::kGood;
        text = painleve.exhaustive ? "Coulomb friction allows exactly one motion: no paradox here."
                                   : "One motion was found that Coulomb friction allows, and no other one.";
        break;
      case Painleve::Class::kIndeterminate:
        finding.tone = Tone::kBad;
        text = fmt::format(
            "{}Coulomb friction allows {} different motions from here, listed below. The laws do not say which one happens; "
            "a "
            "simulation picks one.",
            painleve.beyond_critical.empty() ? "" : "Painleve's paradox: ", painleve.solutions.size());
        if (painleve.beyond_critical.empty())
          text +=
              " No friction is beyond its critical value: how the contacts share the load, which rigid bodies leave open, "
              "decides.";
        break;
      case Painleve::Class::kInconsistent:
        finding.tone = Tone::kBad;
        text = "Painleve's paradox: Coulomb friction allows no bounded force at all. An impact without collision follows.";
        break;
      case Painleve::Class::kSingular:
        text =
            "On the brink of Painleve's paradox: at the critical friction the equations are singular, and forces grow "
            "without bound nearby.";
        break;
    }
  }
  if (!painleve.beyond_critical.empty()) {
    Names limits;
    for (const int i : painleve.beyond_critical)
      limits.push_back(fmt::format("{} (critical mu {})", contacts[static_cast<size_t>(i)], brief(painleve.mu_critical[i])));
    text += fmt::format(" Friction is at or beyond its critical value at {}.", word_list(limits));
  }
  return finding;
}

Finding impact_finding(const Names& coordinates, const ImpactReport& impact) {
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
                       combination(coordinates, impact.massless_direction));
    return finding;
  }
  if (newton.admissible.yes()) {
    text = fmt::format("Newton's impact law gives an admissible rebound; the energy changes by {} J.",
                       brief(newton.energy_change));
  } else if (newton.admissible.no()) {
    text = "Newton's impact law, every contact rebounding on its own, is not admissible here.";
    for (const std::string& reason : newton.reasons) text += " " + reason;
  } else {
    text = "Whether Newton's impact law is admissible lies on the boundary.";
  }
  if (newton.exists && !newton.unique) text += " The impulses are not unique; those of least norm are given.";
  if (impact.moreau && impact.moreau->converged)
    text += fmt::format(" Moreau's law gives an admissible rebound; the energy changes by {} J.",
                        brief(impact.moreau->energy_change));
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
    text = undecided(joints.consistent);
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

}  // namespace

std::vector<Finding> describe_findings(const Instant& instant, const Analysis& analysis) {
  std::vector<Finding> findings;
  if (analysis.solvability) findings.push_back(solvable_finding(instant, *analysis.solvability, analysis));
  if (analysis.motion)
    findings.push_back(motion_finding(instant, *analysis.motion,
                                      analysis.solvability && analysis.solvability->kind == InstantKind::kSliding));
  if (analysis.forces && instant.acceleration)
    findings.push_back(
        forces_finding(*instant.acceleration, *analysis.forces, analysis.motion && analysis.motion->unique.yes()));
  if (analysis.sticking) findings.push_back(sticking_finding(instant, *analysis.sticking));
  if (analysis.closure) findings.push_back(closure_finding(instant, *analysis.closure));
  if (analysis.painleve) findings.push_back(painleve_finding(instant, *analysis.painleve));
  if (analysis.generalized_inverse && !bilateral_of(instant).empty())
    findings.push_back(joints_finding(instant, *analysis.generalized_inverse));
  if (analysis.impact) findings.push_back(impact_finding(coordinate_names(instant), *analysis.impact));
  return findings;
}

}  // namespace tippe
