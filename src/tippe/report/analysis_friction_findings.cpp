// SPDX-License-Identifier: Apache-2.0
// Words on friction: sticking, grasps and Painleve's paradox.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_evidence.h"
#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Names = std::vector<std::string>;
using Tone = Finding::Tone;

constexpr const char* kIfPressed = " if the contacts are pressed against each other hard enough";

/// What is multiplied by one factor: "coefficients", "limits", "coefficients and limits".
const char* friction_words(const FrictionKinds& kinds) {
  return !kinds.dry       ? "coefficients of friction"
         : kinds.contacts ? "coefficients and limits of friction"
                          : "limits of friction";
}

/// How far the friction is from what sticking needs; mu_min is finite.
std::string spare_words(const FrictionKinds& kinds, const Sticking& sticking) {
  const double needed = needed_friction(sticking);
  if (needed == 0.0)
    return sticking.mu_min_attained
               ? " Even without friction they would."
               : fmt::format(" Any {} above 0 would do{}.", kinds.contacts ? "coefficient" : "limit", kIfPressed);
  if (!std::isfinite(sticking.mu_factor)) return {};
  const std::string text = fmt::format(" All {} could be {:.3g} times smaller before something has to give{}",
                                       kinds.dry ? friction_words(kinds) : "coefficients", 1.0 / sticking.mu_factor,
                                       sticking.mu_min_attained ? "" : kIfPressed);
  if (!kinds.contacts) return text + ".";
  return fmt::format("{}: the largest {}needed is {}.", text, kinds.dry ? "coefficient " : "", brief(needed));
}

std::string missing_words(const FrictionKinds& kinds, const Sticking& sticking) {
  const double needed = needed_friction(sticking);
  const char* pressed = sticking.mu_min_attained ? "" : kIfPressed;
  if (!std::isfinite(sticking.mu_factor))
    return fmt::format(" A coefficient of friction {} {} would hold them{}.", sticking.mu_min_attained ? "of" : "above",
                       brief(needed), pressed);
  const std::string text = fmt::format(" All {} would have to be {}{:.3g} times larger{}", friction_words(kinds),
                                       sticking.mu_min_attained ? "" : "more than ", sticking.mu_factor, pressed);
  if (!kinds.contacts) return text + ".";
  return fmt::format("{}: the largest {} {}{}.", text, kinds.dry ? "coefficient" : "of them",
                     sticking.mu_min_attained ? "" : "above ", brief(needed));
}

/// What is needed where not all coefficients are given.
std::string unknown_words(const Instant& instant, const Sticking& sticking) {
  const double needed = needed_friction(sticking);
  const std::string text = "Not all coefficients of friction are known.";
  if (std::isnan(needed)) return text + " The smallest that suffices was not found.";
  if (std::isinf(needed)) return text;
  if (needed == 0.0 && sticking.mu_min_attained)
    return text + " None is needed: all contacts at rest can stay so without friction.";
  const auto& contacts = unilateral_of(instant);
  const bool some_known =
      std::any_of(contacts.begin(), contacts.end(), [](const ContactRows& c) { return c.mu.has_value(); });
  const std::string where = some_known ? "at the roughest contact" : "at every contact";
  if (sticking.mu_min_attained)
    return fmt::format("{} With {} {} all that are at rest can stay so, with less not.", text, brief(needed), where);
  return fmt::format("{} With any coefficient above {} {} all that are at rest can stay so{}.", text, brief(needed), where,
                     kIfPressed);
}

const char* words_of(const FrictionKinds& kinds) {
  if (!kinds.dry) return "contacts";
  return kinds.contacts ? "contacts and dry frictions" : "dry frictions";
}

bool some_lift(const Analysis& analysis) {
  return analysis.sticking->persistent.no() && analysis.lift_off && !analysis.lift_off->opening.empty();
}

std::string feasible_words(const Instant& instant, const Analysis& analysis, const FrictionKinds& kinds) {
  const bool lifts = some_lift(analysis);
  std::string text = fmt::format("All {} that are at rest {}can stay so within their {}.", words_of(kinds),
                                 lifts ? "and stay closed " : "", kinds.contacts ? "friction" : "limits");
  if (lifts)
    text += fmt::format(" Not all contacts persist: {} open{}, see Lift-off.",
                        word_list(picked(names_of(unilateral_of(instant)), analysis.lift_off->opening)),
                        analysis.lift_off->opening.size() == 1 ? "s" : "");
  if (std::isfinite(analysis.sticking->mu_min)) text += spare_words(kinds, *analysis.sticking);
  return text;
}

/// No, or undecided.
std::string infeasible_words(const FrictionKinds& kinds, const Sticking& sticking) {
  const bool possible = std::isfinite(sticking.mu_min);
  if (sticking.feasible.no()) {
    std::string text = fmt::format("The {} cannot all stay at rest: something slides{}.", words_of(kinds),
                                   kinds.contacts ? " or tips" : "");
    if (possible) text += missing_words(kinds, sticking);
    return text;
  }
  std::string text = undecided_words(sticking.feasible, sticking.reason);
  if (possible && kinds.contacts)
    text += fmt::format(" The smallest coefficient that suffices is {}.", brief(needed_friction(sticking)));
  if (possible && !kinds.contacts)
    text += fmt::format(" The smallest limits that suffice are {} times those given.", brief(needed_friction(sticking)));
  return text;
}

std::string actuation_words(const FrictionKinds& kinds, const Instant& instant, const Analysis& analysis) {
  const Sticking& sticking = *analysis.sticking;
  if (!sticking.mu_known || sticking.persistent.yes() || !analysis.actuation) return "";
  const LeastActuation& actuation = *analysis.actuation;
  const char* kept = !kinds.dry       ? "all contacts closed and sticking"
                     : kinds.contacts ? "all contacts closed, and them and the dry frictions at rest"
                                      : "the dry frictions at rest";
  if (actuation.possible == Answer::kYes && !actuation.forces.isZero(0.0))
    return fmt::format(" The least additional forces that keep {} are ({}).", kept,
                       combination(actuation.names, actuation.forces));
  if (actuation.possible != Answer::kNo) return "";
  return fmt::format(" No {} {}.", instant.actuators.empty() ? "additional force keeps" : "forces of the actuators keep",
                     kept);
}

/// In the plane the motions of one mode are a convex set.
bool has_motions_between(const Instant& instant, const Painleve& painleve) {
  for (const ContactRows& contact : unilateral_of(instant)) {
    if (contact.tangent_count() > 1) return false;
  }
  for (size_t i = 0; i < painleve.solutions.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Painleve::Solution &a = painleve.solutions[i], &b = painleve.solutions[j];
      if (a.contacts == b.contacts) return true;
    }
  }
  return false;
}

}  // namespace

Finding sticking_finding(const Instant& instant, const Analysis& analysis) {
  const Sticking& sticking = *analysis.sticking;
  Finding finding{"Sticking",
                  sticking.mu_known ? name_of(sticking.feasible.answer) : "mu not known",
                  sticking.mu_known ? tone_of(sticking.feasible) : Tone::kPlain,
                  {}};
  std::string& text = finding.text;
  const FrictionKinds kinds(instant);
  if (!sticking.mu_known) {
    text = unknown_words(instant, sticking);
  } else if (sticking.feasible.yes()) {
    if (some_lift(analysis)) finding.answer = "yes, where closed";
    text = feasible_words(instant, analysis, kinds);
  } else {
    text = infeasible_words(kinds, sticking);
  }
  if (std::isinf(sticking.mu_min)) {
    text += kinds.dry ? " No friction suffices, however large" : " No coefficient of friction suffices, however large";
    text += sticking.tipping ? ": the load tips or lifts the system off its contacts." : ".";
  }
  if (sticking.blocking_direction.size() > 0 && !sticking.feasible.yes())
    text += fmt::format(" The load moves it along ({}), and no admissible {}force opposes that.",
                        combination(coordinate_names(instant), sticking.blocking_direction), kinds.dry ? "" : "contact ");
  text += actuation_words(kinds, instant, analysis);
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
  const auto& contacts = unilateral_of(instant);
  const bool mu_known =
      std::all_of(contacts.begin(), contacts.end(), [](const ContactRows& c) { return c.tangent_count() == 0 || c.mu; });
  const bool decided = closure.form.yes() || closure.force.yes() || closure.force.no();
  if (closure.form.yes()) {
    finding.answer = "form closed";
    finding.text = "The contacts hold the system against every load, even without friction (form closure).";
  } else if (closure.force.yes()) {
    finding.answer = "force closed";
    finding.text =
        "With their friction the contacts hold the system against every load, if they are pressed hard enough (force "
        "closure); without friction they do not.";
  } else if (closure.force.no()) {
    finding.answer = "open";
    finding.text = "The contacts do not hold the system against every load.";
  } else if (!mu_known) {
    finding.answer = "mu not known";
    finding.text = "Whether the contacts hold the system against every load depends on friction that is not known.";
  } else {
    finding.answer = "undecided";
    finding.tone = Tone::kOpen;
    finding.text = "Whether the contacts hold the system against every load is open. " + undecided_words(closure.force);
  }
  if (decided && closure.unresisted.size() > 0)
    finding.text +=
        fmt::format(" {} resists a motion along ({}).", closure.force.yes() ? "Without friction nothing" : "Nothing",
                    combination(coordinate_names(instant), closure.unresisted));
  if (decided && !instant.dry.empty()) finding.text += " Dry friction, whose force is limited, does not count.";
  return finding;
}

Finding painleve_finding(const Instant& instant, const Analysis& analysis) {
  const Painleve& painleve = *analysis.painleve;
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
        if (limits_matter(analysis) && painleve.solutions.size() == 1)
          text += fmt::format(" In it {}.", modes_words(instant, painleve.solutions[0]));
        break;
      case Painleve::Class::kIndeterminate:
        finding.tone = Tone::kBad;
        text = fmt::format(
            "{}Coulomb friction allows {} different motions from here, listed among the numbers{}. The laws do not say "
            "which "
            "one happens; a simulation picks one.",
            painleve.beyond_critical.empty() ? "" : "Painleve's paradox: ", painleve.solutions.size(),
            has_motions_between(instant, painleve) ? ", and all between those in one mode" : "");
        break;
      case Painleve::Class::kInconsistent:
        finding.tone = Tone::kBad;
        text = "Painleve's paradox: Coulomb friction allows no bounded force at all. An impact without collision follows.";
        break;
      case Painleve::Class::kMasslessLoaded:
        finding.answer = "massless load";
        finding.tone = Tone::kBad;
        text = fmt::format(
            "No paradox of friction, and no motion: a load acts along ({}), where nothing has mass and nothing holds it. "
            "Give it "
            "inertia or a constraint.",
            combination(coordinate_names(instant), painleve.massless_direction));
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

}  // namespace tippe
