// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/version.h"
#include "tippe/report/analysis_drawings.h"
#include "tippe/report/analysis_evidence.h"
#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/analysis_style.h"
#include "tippe/report/impact_table.h"
#include "tippe/report/page.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

constexpr size_t kMostLines = 60;  // of a drawing or a table

const char* class_of(Finding::Tone tone) {
  switch (tone) {
    case Finding::Tone::kGood:
      return "good";
    case Finding::Tone::kBad:
      return "bad";
    case Finding::Tone::kOpen:
      return "open";
    case Finding::Tone::kPlain:
      break;
  }
  return "plain";
}

std::string finding_html(const Finding& finding) {
  return fmt::format("<div class=\"finding {}\"><div><h3>{}</h3><span class=\"answer\">{}</span></div><p>{}</p></div>\n",
                     class_of(finding.tone), escape_html(finding.topic), escape_html(finding.answer),
                     escape_html(finding.text));
}

std::string card(const std::string& heading, const std::string& content, const std::string& hint) {
  if (content.empty()) return {};
  return fmt::format("<section class=\"card\"><h3>{}</h3>\n{}<p class=\"hint\">{}</p></section>\n", escape_html(heading),
                     content, escape_html(hint));
}

/// Lines of cells; the first is the heading. `kind`: "numbers" or "words".
std::string table_html(const std::vector<Names>& lines, const char* kind = "numbers") {
  std::string html = fmt::format("<div class=\"scroll\"><table class=\"{}\">\n", kind);
  for (size_t i = 0; i < lines.size(); ++i) {
    html += "<tr>";
    for (const std::string& cell : lines[i]) html += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", escape_html(cell));
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::vector<ForceInterval> force_intervals(const Names& names, const VectorXd& values, const VectorXd& lower,
                                           const VectorXd& upper) {
  std::vector<ForceInterval> all;
  if (values.size() != static_cast<Eigen::Index>(names.size())) return all;
  const bool bounded = lower.size() == values.size() && upper.size() == values.size();
  for (size_t i = 0; i < std::min(names.size(), kMostLines); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    all.push_back({names[i], values[k], bounded ? lower[k] : values[k], bounded ? upper[k] : values[k]});
  }
  return all;
}

std::string left_out(size_t count) {
  return count > kMostLines ? fmt::format(" The first {} of {} are shown; the JSON has all.", kMostLines, count) : "";
}

std::string force_cards(const Instant& instant, const Analysis& analysis) {
  const AccelerationProblem& problem = *instant.acceleration;
  const Names names = force_names(instant);
  std::string html;
  if (analysis.forces) {
    const ForceSet& set = *analysis.forces;
    html += card(
        "Every force and the interval that it may lie in",
        draw_intervals(force_intervals(names, set.representative, set.lower, set.upper)),
        std::string("Dot: the solution of least squares. Bar: all values that go with this motion; an arrow: without end.") +
            (analysis.limits_kept ? " Contacts at rest stick here whatever their friction." : "") + left_out(names.size()));
  }
  if (!analysis.sticking || analysis.sticking->forces.size() != static_cast<Eigen::Index>(names.size())) return html;
  const Sticking& sticking = *analysis.sticking;
  html += card("The same with all contacts at rest inside their friction",
               draw_intervals(force_intervals(names, sticking.forces, sticking.lower, sticking.upper)),
               fmt::format("{} bounds.{}", sticking.exact_bounds ? "Exact" : "Outer", left_out(names.size())));
  std::vector<ConeUse> cones;
  const VectorXd sizes = force_sizes(instant, sticking.forces);
  const auto rounded = [&](double value, Eigen::Index k) { return is_round_off(value, sizes[k]) ? 0.0 : value; };
  Eigen::Index row = 0;
  for (const ContactRows& contact : problem.unilateral) {
    if (contact.tangent_count() > 0 && contact.mu && !contact.slides() && cones.size() < kMostLines)
      cones.push_back({contact.name, rounded(sticking.forces.segment(row + 1, contact.tangent_count()).norm(), row + 1),
                       *contact.mu * rounded(sticking.forces[row], row)});
    row += contact.rows();
  }
  const auto first_dry = static_cast<Eigen::Index>(names.size() - instant.dry.size());
  for (size_t i = 0; i < instant.dry.size() && cones.size() < kMostLines; ++i) {
    const Eigen::Index k = first_dry + static_cast<Eigen::Index>(i);
    if (instant.dry[i].slip == 0.0)
      cones.push_back({instant.dry[i].name, rounded(std::abs(sticking.forces[k]), k), instant.dry[i].limit});
  }
  html += card(instant.dry.empty() ? "Friction used of what each contact can take" : "Friction used of what there can be",
               draw_cones(cones),
               std::string("Size of the friction force over mu times the normal force") +
                   (instant.dry.empty() ? "" : ", or over the limit of the dry friction") + ", for the forces above.");
  return html;
}

std::string motion_card(const Instant& instant, const Analysis& analysis) {
  const Motion& motion = *analysis.motion;
  const Names names = coordinate_names(instant);
  const VectorXd sizes = acceleration_sizes(instant, motion.acceleration);
  const bool bounded = !motion.unique.yes() && motion.lower.size() == motion.acceleration.size();
  std::vector<Names> lines = {bounded ? Names{"", "acceleration", "from", "to"} : Names{"", "acceleration"}};
  for (size_t i = 0; i < std::min(names.size(), kMostLines); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    lines.push_back({names[i], brief(motion.acceleration[k], sizes[k])});
    if (bounded)
      lines.back().insert(lines.back().end(), {brief(motion.lower[k], sizes[k]), brief(motion.upper[k], sizes[k])});
  }
  return card(limits_matter(analysis) ? "Motion if all contacts at rest stick" : "Motion", table_html(lines),
              (motion.unique.yes() ? "" : "One of several.") + left_out(names.size()));
}

std::string gap_card(const Instant& instant, const Analysis& analysis) {
  std::vector<Names> lines = tabulate_gaps(instant, *analysis.lift_off);
  const size_t count = lines.size() - 1;
  lines.resize(std::min(lines.size(), kMostLines + 1));
  return card(limits_matter(analysis) ? "Gap accelerations if all contacts at rest stick" : "Gap accelerations",
              table_html(lines), "In m/s\u00b2. Above zero: the contact opens." + left_out(count));
}

std::string response_card(const Instant& instant, const LoadResponse& response) {
  std::vector<Names> lines = tabulate_response(instant, response);
  if (lines.size() < 2) return {};
  const size_t count = lines.size() - 1;
  lines.resize(std::min(lines.size(), kMostLines + 1));
  return card(
      "Change of forces with the load", table_html(lines),
      std::string(
          "Per unit of an external force along each coordinate, while the same contacts stay closed; contacts at rest stick "
          "whatever their friction. A line of dashes: not determined.") +
          (response.strict ? "" : " A closed contact carries nothing here: it may open or be loaded instead.") +
          left_out(count));
}

std::string painleve_card(const Instant& instant, const Painleve& painleve) {
  if (painleve.solutions.empty()) return {};
  const Names coordinates = coordinate_names(instant), forces = force_names(instant);
  std::vector<Names> lines = {{"", "contacts", "acceleration", "forces"}};
  for (size_t s = 0; s < std::min(painleve.solutions.size(), kMostLines); ++s) {
    const Painleve::Solution& solution = painleve.solutions[s];
    lines.push_back({std::to_string(s + 1), modes_words(instant, solution),
                     combination(coordinates, solution.acceleration, acceleration_sizes(instant, solution.acceleration)),
                     combination(forces, solution.forces, force_sizes(instant, solution.forces))});
  }
  return card("Motions that Coulomb friction allows", table_html(lines, "words"),
              "All contacts with their friction limits." + left_out(painleve.solutions.size()));
}

std::string angle_cards(const Instant& instant, const KineticAngles& angles) {
  constexpr size_t kMostAngles = 40;
  const Names contacts = names_of(unilateral_of(instant)), joints = names_of(bilateral_of(instant));
  if (std::max(contacts.size(), joints.size()) > kMostAngles)
    return card("Kinetic angles", "<p>Too many for a table.</p>\n", "The JSON has all.");
  const auto part = [](const Names& rows, const Names& columns, const MatrixXd& degrees) -> std::string {
    const bool there = degrees.rows() == static_cast<Eigen::Index>(rows.size()) &&
                       degrees.cols() == static_cast<Eigen::Index>(columns.size());
    return there && degrees.size() > 0 ? angle_table(rows, columns, degrees) : "";
  };
  const std::string hint =
      "Angles between the surfaces of contacts, measured by the kinetic energy. Blue, below 90 degrees: a push at one "
      "contact closes the "
      "other. No colour, 90: they do not feel each other. Orange, above 90: it opens the other; 180: the same direction.";
  std::string html = card("Kinetic angles between contacts", part(contacts, contacts, angles.unilateral), hint);
  if (joints.empty()) return html;
  html += card("The same seen through the constraints", part(contacts, contacts, angles.unilateral_constrained),
               "What the constraints leave of the angles above.");
  return html +
         card("Kinetic angles between contacts and constraints", part(contacts, joints, angles.unilateral_bilateral), "");
}

std::string impact_card(const Instant& instant, const ImpactReport& impact) {
  if (impact.massless_direction.size() > 0) return {};
  ImpactTable table = tabulate_impact(instant, impact);
  const auto shorten = [](std::vector<Names>& lines) { lines.resize(std::min(lines.size(), kMostLines + 1)); };
  shorten(table.velocities);
  shorten(table.impulses);
  table.velocities.front().front() = "velocity";
  table.impulses.front().front() = "impulse in N s";
  std::string html = table_html(table.velocities);
  if (table.impulses.front().size() > 1) html += table_html(table.impulses);
  return card("Impact", html, "Velocities and impulses by each impact law.");
}

std::string evidence_html(const Instant& instant, const Analysis& analysis) {
  std::string html;
  for (const Evidence& line : list_evidence(instant, analysis))
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escape_html(line.label), escape_html(line.value));
  return html.empty()
             ? html
             : "<h2>Evidence</h2>\n<section class=\"card\"><table class=\"evidence\">\n" + html + "</table></section>\n";
}

/// What a symbolic link stands for, whether it exists or not; other paths as they are.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;
  std::error_code trouble;
  for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(path, trouble); ++k)
    path = path.parent_path() / std::filesystem::read_symlink(path, trouble);
  return path;
}

}  // namespace

std::string analysis_page(const Instant& instant, const Analysis& analysis, const AnalysisSource& source) {
  const std::string title = instant.title.empty() ? source.file : instant.title;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
      "content=\"light dark\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"facts\">{2}: {3}</p>\n",
      escape_html(title), kAnalysisStyle, escape_html(source.file), escape_html(describe_instant(instant, source)));
  html += "<h2>In words</h2>\n";
  for (const Finding& finding : describe_findings(instant, analysis)) html += finding_html(finding);
  std::string notes;
  for (const std::string& note : all_notes(instant, analysis)) notes += "<li>" + escape_html(note) + "</li>\n";
  if (!notes.empty()) html += "<div class=\"finding\"><div><h3>Notes</h3></div><ul>\n" + notes + "</ul></div>\n";

  std::string numbers;
  if (analysis.painleve && instant.acceleration) numbers += painleve_card(instant, *analysis.painleve);
  if (instant.acceleration) numbers += force_cards(instant, analysis);
  if (analysis.motion && analysis.motion->acceleration.size() > 0) numbers += motion_card(instant, analysis);
  if (analysis.lift_off) numbers += gap_card(instant, analysis);
  if (analysis.response && instant.acceleration) numbers += response_card(instant, *analysis.response);
  if (analysis.impact && instant.impact) numbers += impact_card(instant, *analysis.impact);
  if (analysis.delassus) {
    const VectorXd& eigenvalues = analysis.delassus->eigenvalues;
    const auto shown = static_cast<size_t>(eigenvalues.size());
    numbers +=
        card("Delassus spectrum", draw_spectrum(eigenvalues.tail(std::min<Eigen::Index>(eigenvalues.size(), kMostLines))),
             "Eigenvalues of A_c, how readily the gaps follow patterns of contact forces. A zero is a pattern that moves "
             "nothing: the "
             "forces are then not unique." +
                 left_out(shown));
  }
  if (analysis.angles) numbers += angle_cards(instant, *analysis.angles);
  if (!numbers.empty()) html += "<h2>Numbers</h2>\n" + numbers;
  html += evidence_html(instant, analysis);
  return html + fmt::format("<p class=\"hint\">{}</p>\n</main>\n</body>\n</html>\n", escape_html(std::string(kProgram)));
}

void write_analysis_page(const std::string& page, const std::filesystem::path& path) {
  const std::filesystem::path target = behind_links(path);
  std::error_code trouble;
  const std::filesystem::file_status status = std::filesystem::status(target, trouble);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw FileError(path.string() + ": is a folder, a device or a pipe; the page must be a file");
  const std::filesystem::path half = fmt::format("{}.{}.part", target.string(), getpid());
  try {
    write_page(page, half);
  } catch (const FileError&) {
    std::filesystem::remove(half, trouble);
    throw FileError(path.string() + ": cannot write the page; is the folder there, and is the disk full?");
  }
  std::filesystem::rename(half, target, trouble);
  if (!trouble) return;
  const std::string reason = trouble.message();
  std::filesystem::remove(half, trouble);
  throw FileError(fmt::format("{}: cannot write the page ({})", path.string(), reason));
}

}  // namespace tippe
