// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_json.h"

#include <nlohmann/json.hpp>

#include "tippe/report/analysis_json_values.h"
#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Names = std::vector<std::string>;

const char* name_of(Criterion::Kind kind) {
  return kind == Criterion::Kind::kNecessary ? "necessary" : kind == Criterion::Kind::kSufficient ? "sufficient" : "exact";
}

const char* name_of(Solvability::Ground ground) {
  using Ground = Solvability::Ground;
  switch (ground) {
    case Ground::kEveryDrift:
      return "every_drift";
    case Ground::kBounded:
      return "bounded";
    case Ground::kWedged:
      return "wedged";
    case Ground::kContradiction:
      return "contradiction";
    case Ground::kEqualities:
      return "equalities";
    case Ground::kMasslessLoaded:
      return "massless_loaded";
    case Ground::kMonotone:
      return "monotone";
    case Ground::kPMatrix:
      return "p_matrix";
    case Ground::kEnumeration:
      return "enumeration";
    case Ground::kLemke:
      return "lemke";
    case Ground::kOpen:
      break;
  }
  return "open";
}

/// With zeros for dry frictions.
Eigen::VectorXd padded(Eigen::VectorXd values, size_t count) {
  if (values.size() > 0) values.conservativeResizeLike(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count)));
  return values;
}

/// The writers of the parts, with the names that they need.
struct Writer {
  Names coordinates, unilateral, bilateral, forces, rubbing;
  Names impact_unilateral, impact_bilateral;  // of the impact, which may have more of them

  explicit Writer(const Instant& instant)
      : coordinates(coordinate_names(instant)),
        unilateral(names_of(unilateral_of(instant))),
        bilateral(names_of(bilateral_of(instant))),
        forces(force_names(instant)),
        rubbing(rubbing_names(instant)) {
    if (instant.impact) {
      impact_unilateral = names_of(instant.impact->unilateral);
      impact_bilateral = names_of(instant.impact->bilateral);
    }
  }

  [[nodiscard]] Json write(const DelassusReport& delassus) const {
    return {{"matrix", rows_or_null(delassus.matrix, unilateral)},
            {"constrained", rows_or_null(delassus.constrained, unilateral)},
            {"rank", delassus.rank},
            {"eigenvalues", known_numbers(delassus.eigenvalues)},
            {"definite", verdict(delassus.definite)},
            {"smallest_kept", known_number(delassus.smallest_kept)},
            {"largest_dropped", known_number(delassus.largest_dropped)},
            {"null_space", sparse_columns(unilateral, delassus.null_space)},
            {"joint_rank", delassus.joint_rank},
            {"free_acceleration", named(unilateral, delassus.free_acceleration)},
            {"jointed_acceleration", named(unilateral, delassus.jointed_acceleration)},
            {"blocked", picked(unilateral, delassus.blocked)},
            {"sticking", rows_or_null(delassus.sticking, unilateral)},
            {"sticking_definite", delassus.sticking.size() > 0 ? verdict(delassus.sticking_definite) : Json()},
            {"inverse_mass", rows_or_null(delassus.inverse_mass, coordinates)},
            {"distortion", rows_or_null(delassus.distortion, coordinates)},
            {"distortion_angle_deg", named(unilateral, delassus.distortion_angle)}};
  }

  [[nodiscard]] Json write(const KineticAngles& angles) const {
    return {{"unilateral", rows_or_null(angles.unilateral, unilateral)},
            {"unilateral_constrained", rows_or_null(angles.unilateral_constrained, unilateral)},
            {"unilateral_bilateral", rows_or_null(angles.unilateral_bilateral, unilateral)},
            {"principal_cosines", known_numbers(angles.principal_cosines)}};
  }

  [[nodiscard]] Json write(const Solvability& solvability) const {
    Json object = verdict(solvability.verdict);
    object["problem"] = tippe::name_of(solvability.kind);
    object["certificate"] = named(unilateral, solvability.certificate);
    object["ground"] = name_of(solvability.ground);
    object["reason"] = solvability.reason.empty() ? Json() : Json(solvability.reason);
    object["certificate_value"] = solvability.certificate.size() > 0 ? known_number(solvability.certificate_value) : Json();
    object["separating_direction"] = numbers_or_null(solvability.separating_direction);
    object["massless_direction"] = numbers_or_null(solvability.massless_direction);
    object["culprits"] = solvability.culprits;
    return object;
  }

  [[nodiscard]] Json write(const Motion& motion) const {
    return {{"unique", verdict(motion.unique)},
            {"value", known_numbers(motion.acceleration)},
            {"free_directions", columns(motion.free_directions)},
            {"bounds", intervals(coordinates, motion.lower, motion.upper)},
            {"residual", motion.residual >= 0.0 ? known_number(motion.residual) : Json()}};
  }

  [[nodiscard]] Json write(const LiftOff& lift) const {
    return {{"gap_acceleration", named(unilateral, lift.gap_acceleration)},
            {"bounds", intervals(unilateral, lift.lower, lift.upper)},
            {"opening", picked(unilateral, lift.opening)},
            {"may_open", picked(unilateral, lift.may_open)},
            {"persistent", verdict(lift.persistent)}};
  }

  [[nodiscard]] Json write(const ForceSet& set) const {
    Json groups = Json::array(), sums = Json::array();
    for (const std::optional<double>& sum : set.group_sums) sums.push_back(sum ? known_number(*sum) : Json());
    for (const std::vector<int>& group : set.groups) groups.push_back(picked(forces, group));
    return {{"unique", verdict(set.unique)},
            {"representative", named(forces, set.representative)},
            {"bounds", intervals(forces, set.lower, set.upper)},
            {"bounds_kind", set.bounds == ForceSet::Bounds::kExact ? "exact" : "outer"},
            {"free_directions", sparse_columns(forces, set.free_directions)},
            {"groups", groups},
            {"group_sums", sums},
            {"implicitly_zero", picked(forces, set.implicitly_zero)},
            {"residual", set.residual >= 0.0 ? known_number(set.residual) : Json()}};
  }

  [[nodiscard]] Json write(const GaussValues& values) const {
    return {{"gaussian", values.gaussian ? known_number(*values.gaussian) : Json()},
            {"primal", known_number(values.primal)},
            {"dual", known_number(values.dual)},
            {"distance", known_number(values.distance)},
            {"gap_distance", values.gap_distance ? known_number(*values.gap_distance) : Json()},
            {"gap", known_number(values.gap)}};
  }

  [[nodiscard]] Json write(const LoadResponse& response) const {
    Json by_name = Json::object();
    for (size_t i = 0; i < forces.size(); ++i)
      by_name[forces[i]] =
          response.determined[i] ? known_numbers(response.forces.row(static_cast<Eigen::Index>(i)).transpose()) : Json();
    return {{"forces", by_name},
            {"acceleration", rows_or_null(response.acceleration, coordinates)},
            {"strict", response.strict}};
  }

  [[nodiscard]] Json write(const Sticking& sticking) const {
    return {{"feasible", verdict(sticking.mu_known ? sticking.feasible : Verdict{})},
            {"persistent", verdict(sticking.mu_known ? sticking.persistent : Verdict{})},
            {"mu_min", known_number(sticking.mu_min)},
            {"forces", named(forces, sticking.forces)},
            {"blocking_direction", numbers_or_null(sticking.blocking_direction)},
            {"mu_factor", known_number(sticking.mu_factor)},
            {"mu_min_gap", known_number(sticking.mu_min_gap)},
            {"mu_min_attained", sticking.mu_min_attained},
            {"bounds", intervals(forces, sticking.lower, sticking.upper)},
            {"bounds_kind", sticking.exact_bounds ? "exact" : "outer"},
            {"trade_offs", trade_offs(sticking)},
            {"fronts", fronts(sticking)},
            {"tipping", sticking.tipping},
            {"unloadable", picked(unilateral, sticking.unloadable)},
            {"self_stress", sticking.self_stress},
            {"reason", sticking.reason.empty() ? Json() : Json(sticking.reason)}};
  }

  [[nodiscard]] static Json trade_offs(const Sticking& sticking) {
    Json by_name = Json::object();
    for (const TradeOff& trade : sticking.trade_offs)
      by_name[trade.contact] = {{"others_given", known_number(trade.others_given)},
                                {"others_unlimited", known_number(trade.others_unlimited)}};
    return by_name;
  }

  [[nodiscard]] static Json fronts(const Sticking& sticking) {
    Json list = Json::array();
    for (const FrictionFront& front : sticking.fronts) {
      Json points = Json::array();
      for (const Eigen::Vector2d& point : front.points) points.push_back({point[0], point[1]});
      list.push_back({{"contacts", front.contacts}, {"mu", points}});
    }
    return list;
  }

  [[nodiscard]] Json write(const LeastActuation& actuation) const {
    return {{"possible", tippe::name_of(actuation.possible)},
            {"forces", named(actuation.names, actuation.forces)},
            {"contact_forces", named(forces, padded(actuation.contact_forces, forces.size()))}};
  }

  [[nodiscard]] Json write(const Closure& closure) const {
    return {{"form", verdict(closure.form)},
            {"force", verdict(closure.force)},
            {"unresisted", closure.force.yes() || closure.force.no() ? numbers_or_null(closure.unresisted) : Json()}};
  }

  /// Where a contact slides to is left to its forces.
  [[nodiscard]] static const char* word_of(ContactMode mode) { return slides(mode) ? "slide" : tippe::name_of(mode); }

  [[nodiscard]] Json write(const Painleve& painleve) const {
    Json solutions = Json::array();
    for (const Painleve::Solution& solution : painleve.solutions) {
      Json contacts = Json::object();
      for (size_t i = 0; i < solution.contacts.size(); ++i) contacts[rubbing[i]] = word_of(solution.contacts[i]);
      solutions.push_back({{"contacts", contacts},
                           {"forces", named(forces, solution.forces)},
                           {"acceleration", known_numbers(solution.acceleration)},
                           {"gap_acceleration", named(unilateral, solution.gap_acceleration)}});
    }
    return {{"classification", painleve.classification ? Json(tippe::name_of(*painleve.classification)) : Json()},
            {"mu_critical", named(unilateral, painleve.mu_critical)},
            {"solutions", solutions},
            {"reason", painleve.reason.empty() ? Json() : Json(painleve.reason)},
            {"beyond_critical", picked(unilateral, painleve.beyond_critical)},
            {"safe", verdict(painleve.safe)},
            {"p_matrix", painleve.p_matrix ? Json(*painleve.p_matrix) : Json()},
            {"cases", painleve.cases},
            {"exhaustive", painleve.exhaustive},
            {"impulse", named(forces, painleve.impulse)},
            {"massless_direction", numbers_or_null(painleve.massless_direction)}};
  }

  [[nodiscard]] Json write(const KinematicImpact& kinematic) const {
    const auto if_there = [&](const Json& value) { return kinematic.exists ? value : Json(); };
    return {{"impulses", if_there(known_numbers(kinematic.impulses))},
            {"bilateral_impulses", if_there(known_numbers(kinematic.bilateral_impulses))},
            {"velocity_after", if_there(known_numbers(kinematic.velocity_after))},
            {"energy_change", if_there(known_number(kinematic.energy_change))},
            {"surface_work", if_there(known_number(kinematic.surface_work))},
            {"kinetic_energy_change", if_there(known_number(kinematic.energy_change + kinematic.surface_work))},
            {"residual", if_there(known_number(kinematic.residual))},
            {"admissible", verdict(kinematic.admissible)},
            {"reasons", kinematic.reasons},
            {"exists", kinematic.exists},
            {"unique", kinematic.unique}};
  }

  [[nodiscard]] Json write(const ImpactReport& impact) const {
    Json json = {{"law", impact.by_matrix ? KinematicLawWords::name : words_of(impact.law).name},
                 {KinematicLawWords::name, write(impact.kinematic)},
                 {"velocity_before", known_numbers(impact.velocity_before)},
                 {"projected", known_number(impact.projected)},
                 {"massless_direction", numbers_or_null(impact.massless_direction)},
                 {"contacts", impact_unilateral},
                 {"constraints", impact_bilateral},
                 {"gap_velocity", named(impact_unilateral, impact.gap_velocity)},
                 {"warnings", impact.warnings}};
    for (const ImpactLawWords& words : kImpactLaws) {
      const std::optional<ImpactOfLaw>& outcome = impact.by(words.law);
      json[words.name] = Json();
      if (!outcome) continue;
      json[words.name] = {{"impulses", known_numbers(outcome->impulses)},
                          {"friction", named(impact.friction, outcome->friction)},
                          {"bilateral_impulses", known_numbers(outcome->bilateral_impulses)},
                          {"velocity_after", known_numbers(outcome->velocity_after)},
                          {"energy_change", known_number(outcome->energy_change)},
                          {"surface_work", known_number(outcome->surface_work)},
                          {"kinetic_energy_change", known_number(outcome->energy_change + outcome->surface_work)},
                          {"energy_rises", outcome->energy_rises},
                          {"residual", known_number(outcome->residual)},
                          {"alternatives", outcome->alternatives ? Json(*outcome->alternatives) : Json()}};
    }
    return json;
  }

  /// Rows that contradict each other have no motion: what was computed is only the nearest to one.
  [[nodiscard]] Json write(const GeneralizedInverse& inverse) const {
    const bool moves = inverse.determined && !inverse.consistent.no();
    return {{"acceleration", moves ? known_numbers(inverse.acceleration) : Json()},
            {"constraint_force", moves ? known_numbers(inverse.constraint_force) : Json()},
            {"force_by_load", moves ? known_numbers(inverse.force_by_load) : Json()},
            {"force_by_rows", moves ? known_numbers(inverse.force_by_rows) : Json()},
            {"multipliers", moves ? known_numbers(inverse.multipliers) : Json()},
            {"consistent", verdict(inverse.consistent)},
            {"gaussian", moves && inverse.gaussian ? known_number(*inverse.gaussian) : Json()},
            {"rows", inverse.names},
            {"multipliers_unique", inverse.multipliers_unique},
            {"culprits", inverse.culprits},
            {"determined", inverse.determined},
            {"undetermined_direction", numbers_or_null(inverse.undetermined_direction)}};
  }

  template <class Part>
  [[nodiscard]] Json write(const std::optional<Part>& part) const {
    return part ? write(*part) : Json();
  }
};

Json criteria(const std::vector<Criterion>& all) {
  Json array = Json::array();
  for (const Criterion& criterion : all) {
    array.push_back({{"name", criterion.name},
                     {"source", criterion.source},
                     {"statement", criterion.statement},
                     {"applies", criterion.applies},
                     {"holds", criterion.holds == Answer::kUndecided ? Json() : Json(criterion.holds == Answer::kYes)},
                     {"answer", criterion.applies ? Json(tippe::name_of(criterion.holds)) : Json()},
                     {"value", criterion.applies ? known_number(criterion.value) : Json()},
                     {"kind", name_of(criterion.kind)},
                     {"about", criterion.about == Criterion::About::kSolvability ? "solvability" : "definiteness"}});
  }
  return array;
}

}  // namespace

std::string analysis_json(const Instant& instant, const Analysis& analysis, const AnalysisSource& source) {
  const Writer writer(instant);
  std::vector<int> yielding = analysis.yielding;
  for (int& i : yielding) i += static_cast<int>(writer.unilateral.size());
  Json summary = Json::array();
  for (const Finding& finding : describe_findings(instant, analysis))
    summary.push_back({{"topic", finding.topic}, {"answer", finding.answer}, {"text", finding.text}});
  const Json object = {{"status", "ok"},
                       {"error", nullptr},
                       {"file", source.file},
                       {"title", instant.title.empty() ? Json() : Json(instant.title)},
                       {"time", source.time ? known_number(*source.time) : Json()},
                       {"coordinates", writer.coordinates},
                       {"unilateral", writer.unilateral},
                       {"bilateral", writer.bilateral},
                       {"dry_friction", Names(writer.rubbing.begin() + static_cast<std::ptrdiff_t>(writer.unilateral.size()),
                                              writer.rubbing.end())},
                       {"begins_to_slide", picked(writer.rubbing, yielding)},
                       {"summary", summary},
                       {"delassus", writer.write(analysis.delassus)},
                       {"kinetic_angles_deg", writer.write(analysis.angles)},
                       {"criteria", criteria(analysis.criteria)},
                       {"solvable", writer.write(analysis.solvability)},
                       {"acceleration", writer.write(analysis.motion)},
                       {"lift_off", writer.write(analysis.lift_off)},
                       {"forces", writer.write(analysis.forces)},
                       {"sensitivity", writer.write(analysis.response)},
                       {"gauss", writer.write(analysis.gauss)},
                       {"sticking", writer.write(analysis.sticking)},
                       {"actuation", writer.write(analysis.actuation)},
                       {"closure", writer.write(analysis.closure)},
                       {"painleve", writer.write(analysis.painleve)},
                       {"impact", writer.write(analysis.impact)},
                       {"generalized_inverse", writer.write(analysis.generalized_inverse)},
                       {"notes", all_notes(instant, analysis)}};
  return dump(object);
}

}  // namespace tippe
