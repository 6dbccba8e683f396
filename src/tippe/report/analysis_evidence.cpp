// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_evidence.h"

#include <fmt/format.h>

#include <cmath>

#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Eigen::VectorXd;
using Names = std::vector<std::string>;

std::string words_of(const Verdict& verdict) {
  if (!verdict.margin) return name_of(verdict.answer);
  return fmt::format("{}, margin {:.3g}", name_of(verdict.answer), *verdict.margin + 0.0);  // no -0
}

const char* words_of(const Criterion& criterion) {
  return criterion.holds == Answer::kYes ? "holds" : criterion.holds == Answer::kNo ? "fails" : "on the boundary";
}

/// What of a rank was kept and dropped.
std::string rank_words(int rank, size_t rows, double kept, double dropped) {
  std::string text = fmt::format("{} of {}", rank, rows);
  if (kept > 0.0) text += fmt::format("; smallest singular value kept {:.3g}", kept);
  if (static_cast<size_t>(rank) < rows) text += fmt::format("; largest dropped {:.2g}", dropped);
  return text;
}

std::string number_list(const VectorXd& values) {
  constexpr Eigen::Index kMost = 12;
  const double size = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  std::string text;
  for (Eigen::Index i = 0; i < std::min(values.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + brief(values[i], size);
  if (values.size() > kMost) text += fmt::format(", and {} more", values.size() - kMost);
  return text;
}

void add_delassus(std::vector<Evidence>& lines, const Instant& instant, const DelassusReport& delassus) {
  const Names contacts = names_of(unilateral_of(instant));
  if (!contacts.empty()) {
    lines.push_back({"A_c definite", words_of(delassus.definite)});
    lines.push_back(
        {"rank of A_c", rank_words(delassus.rank, contacts.size(), delassus.smallest_kept, delassus.largest_dropped)});
    lines.push_back({"eigenvalues of A_c", number_list(delassus.eigenvalues)});
    if (delassus.jointed_acceleration.size() > 0)
      lines.push_back(
          {"gaps without contact forces", delassus.jointed_acceleration.isZero(0.0)
                                              ? "do not accelerate"
                                              : "accelerate by " + combination(contacts, delassus.jointed_acceleration)});
    if (delassus.sticking.size() > 0) lines.push_back({"A_c, sticking, definite", words_of(delassus.sticking_definite)});
    if (!bilateral_of(instant).empty() && delassus.distortion_angle.allFinite())
      lines.push_back({"taken by constraints", "degrees: " + combination(contacts, delassus.distortion_angle)});
    if (!delassus.blocked.empty())
      lines.push_back({"gaps set by the joints alone", word_list(picked(contacts, delassus.blocked))});
  }
  if (const size_t joints = bilateral_of(instant).size(); joints > 0)
    lines.push_back({"rank of the constraints", fmt::format("{} of {}", delassus.joint_rank, joints)});
}

void add_solvability(std::vector<Evidence>& lines, const Instant& instant, const Solvability& solvability) {
  lines.push_back({"solvable", fmt::format("{} ({})", words_of(solvability.verdict), name_of(solvability.kind))});
  if (solvability.certificate.size() > 0)
    lines.push_back({"certificate z",
                     fmt::format("{}; its value {}", combination(names_of(unilateral_of(instant)), solvability.certificate),
                                 brief(solvability.certificate_value))});
  if (solvability.separating_direction.size() > 0 && !unilateral_of(instant).empty())
    lines.push_back({"opens all contacts", combination(coordinate_names(instant), solvability.separating_direction)});
}

void add_gauss(std::vector<Evidence>& lines, const GaussValues& values) {
  if (values.gaussian) lines.push_back({"Gaussian of all forces", brief(*values.gaussian)});
  lines.push_back(
      {"Gauss' principle", fmt::format("dual {}, primal {}, distance {}; gap {:.2g}, relative", brief(values.dual),
                                       brief(values.primal, values.dual), brief(values.distance, values.dual), values.gap)});
}

void add_sticking(std::vector<Evidence>& lines, const Instant& instant, const Sticking& sticking) {
  if (sticking.mu_known) {
    lines.push_back({"sticking", words_of(sticking.feasible)});
    lines.push_back({"all closed and sticking", words_of(sticking.persistent)});
  }
  const bool dry_alone = !FrictionKinds(instant).contacts;
  std::string needed = brief(needed_friction(sticking));
  if (dry_alone) needed += " times those given";
  if (std::isfinite(sticking.mu_min) && !sticking.mu_min_attained)
    needed += ", not attained: forces grow without bound towards it";
  for (const TradeOff& trade : sticking.trade_offs) {
    const bool asked = !std::isnan(trade.others_given) || !std::isnan(trade.others_unlimited);
    lines.push_back(
        {"smallest mu of " + trade.contact, asked ? fmt::format("{} with the others as given, {} however rough they are",
                                                                brief(trade.others_given), brief(trade.others_unlimited))
                                                  : "none: it opens, or has no friction and may push and pull"});
  }
  for (const FrictionFront& front : sticking.fronts) {
    std::string points;
    for (const Eigen::Vector2d& point : front.points)
      points += fmt::format("{}({}, {})", points.empty() ? "" : ", ", brief(point[0]), brief(point[1]));
    if (!points.empty())
      lines.push_back({fmt::format("smallest mu of {} and {}", front.contacts[0], front.contacts[1]), points});
  }
  lines.push_back({dry_alone ? "smallest limits for sticking" : "smallest mu for sticking", needed});
}

void add_painleve(std::vector<Evidence>& lines, const Instant& instant, const Painleve& painleve) {
  const Names contacts = names_of(unilateral_of(instant));
  std::string critical;
  for (Eigen::Index i = 0; i < painleve.mu_critical.size(); ++i) {
    if (!std::isnan(painleve.mu_critical[i]))
      critical += fmt::format("{}{} {}", critical.empty() ? "" : ", ", contacts[static_cast<size_t>(i)],
                              brief(painleve.mu_critical[i]));
  }
  if (!critical.empty()) lines.push_back({"critical mu", critical});
  lines.push_back({"cases of friction tried", fmt::format("{}, possible: {}", painleve.cases, painleve.solutions.size())});
  if (painleve.p_matrix) lines.push_back({"unique for every load", *painleve.p_matrix ? "yes (P-matrix)" : "no"});
  if (painleve.safe.margin) lines.push_back({"friction safely small", words_of(painleve.safe)});
}

std::string residual_words(double residual) {
  return fmt::format("{:.2g}, relative", residual);
}

}  // namespace

std::vector<Evidence> list_evidence(const Instant& instant, const Analysis& analysis) {
  std::vector<Evidence> lines;
  if (analysis.solvability) add_solvability(lines, instant, *analysis.solvability);
  if (analysis.motion) {
    lines.push_back({"motion unique", words_of(analysis.motion->unique)});
    if (analysis.motion->residual >= 0.0)
      lines.push_back({"residual of the motion", residual_words(analysis.motion->residual)});
  }
  if (analysis.lift_off) lines.push_back({"all contacts stay closed", words_of(analysis.lift_off->persistent)});
  if (analysis.forces && instant.acceleration) {
    const Names names = force_names(instant);
    lines.push_back({"forces unique", words_of(analysis.forces->unique)});
    constexpr Eigen::Index kMost = 6;
    const Eigen::MatrixXd& free = analysis.forces->free_directions;
    for (Eigen::Index k = 0; k < std::min(free.cols(), kMost); ++k)
      lines.push_back({"forces can change by", combination(names, free.col(k))});
    if (free.cols() > kMost) lines.push_back({"", fmt::format("and in {} more directions", free.cols() - kMost)});
    if (analysis.forces->residual >= 0.0)
      lines.push_back({"residual of the forces", residual_words(analysis.forces->residual)});
  }
  const bool any = !unilateral_of(instant).empty() || !bilateral_of(instant).empty();
  if (analysis.gauss && any) add_gauss(lines, *analysis.gauss);
  if (analysis.delassus) add_delassus(lines, instant, *analysis.delassus);
  if (analysis.sticking) add_sticking(lines, instant, *analysis.sticking);
  if (analysis.closure) {
    lines.push_back({"form closure", words_of(analysis.closure->form)});
    lines.push_back({"force closure", words_of(analysis.closure->force)});
  }
  if (analysis.painleve) add_painleve(lines, instant, *analysis.painleve);
  if (analysis.impact) lines.push_back({"kinematic impact law admissible", words_of(analysis.impact->kinematic.admissible)});
  if (analysis.generalized_inverse && !bilateral_of(instant).empty() &&
      analysis.generalized_inverse->force_by_load.size() > 0) {
    const Names coordinates = coordinate_names(instant);
    const GeneralizedInverse& inverse = *analysis.generalized_inverse;
    const double size = inverse.force_by_load.cwiseAbs().maxCoeff() + inverse.force_by_rows.cwiseAbs().maxCoeff();
    lines.push_back({"force of constraints by load", combination(coordinates, inverse.force_by_load, size)});
    lines.push_back({"and by rows that accelerate", combination(coordinates, inverse.force_by_rows, size)});
  }
  if (analysis.generalized_inverse && !bilateral_of(instant).empty())
    lines.push_back({"constraints consistent", words_of(analysis.generalized_inverse->consistent)});
  for (const Criterion& criterion : analysis.criteria) {
    if (!criterion.applies) continue;
    lines.push_back(
        {criterion.name, fmt::format("{} ({}): {}", words_of(criterion), criterion.source, criterion.statement)});
  }
  return lines;
}

std::string describe_instant(const Instant& instant, const AnalysisSource& source) {
  const Names coordinates = coordinate_names(instant), contacts = names_of(unilateral_of(instant)),
              joints = names_of(bilateral_of(instant));
  const auto counted = [](const Names& names, const char* one) {
    return fmt::format("{} {}{} ({})", names.size(), one, names.size() == 1 ? "" : "s", word_list(names));
  };
  std::string text = counted(coordinates, "coordinate");
  text += contacts.empty() ? "; no contact" : "; " + counted(contacts, "closed contact");
  if (!joints.empty()) text += "; " + counted(joints, "constraint");
  if (!instant.dry.empty()) {
    const Names all = rubbing_names(instant);
    text += "; " + counted(Names(all.end() - static_cast<std::ptrdiff_t>(instant.dry.size()), all.end()), "dry friction");
  }
  if (instant.impact && names_of(instant.impact->unilateral) != contacts)
    text += fmt::format("; an impact at {}", word_list(names_of(instant.impact->unilateral)));
  if (source.time) text += fmt::format("; t = {:.9g} s", *source.time);
  return text;
}

const char* describe_mode(ContactMode mode) {
  return mode == ContactMode::kOpen     ? "opens"
         : mode == ContactMode::kClosed ? "stays closed"
         : mode == ContactMode::kStick  ? "sticks"
                                        : "slides";
}

std::string modes_words(const Instant& instant, const Painleve::Solution& solution) {
  const Names names = rubbing_names(instant);
  Names modes;
  for (size_t i = 0; i < solution.contacts.size(); ++i)
    modes.push_back(names[i] + " " + describe_mode(solution.contacts[i]));
  return word_list(modes);
}

}  // namespace tippe
