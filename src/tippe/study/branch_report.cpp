// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/branch_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tippe/report/json_values.h"
#include "tippe/report/page.h"
#include "tippe/report/text_layout.h"
#include "tippe/storage/hdf5_file.h"
#include "tippe/study/branch_page.h"

namespace tippe {
namespace {

/// The numbers of an orbit in the order of their names.
std::vector<std::string> columns_of(const SceneBranches& branches) {
  const System& system = *branches.scene->system;
  std::vector<std::string> names = {branches.request.parameter, "period", "largest_multiplier_re",
                                    "largest_multiplier_im",    "stable", "t"};
  for (const auto* more : {&system.coordinate_names(), &system.velocity_names()})
    names.insert(names.end(), more->begin(), more->end());
  return names;
}

std::vector<double> numbers_of(const BranchPoint& point) {
  const std::complex<double> largest = point.multipliers.empty() ? 0.0 : point.multipliers.front();
  const double stable = point.stability == PeriodicOrbit::Stability::kStable     ? 1.0
                        : point.stability == PeriodicOrbit::Stability::kUnstable ? 0.0
                                                                                 : std::nan("");
  std::vector<double> numbers = {point.parameter, point.period, largest.real(), largest.imag(), stable, point.state.t};
  numbers.insert(numbers.end(), point.state.q.begin(), point.state.q.end());
  numbers.insert(numbers.end(), point.state.u.begin(), point.state.u.end());
  return numbers;
}

std::vector<std::string> event_words(const System& system, const BranchPoint& point) {
  std::vector<std::string> words;
  for (const Event& event : point.events)
    words.push_back(fmt::format("{:.9g} {}", event.t, section_text(system, {.kind = event.kind, .laws = event.laws})));
  return words;
}

std::string title_of(const SceneBranches& branches) {
  const RunOrigin& origin = branches.scene->origin;
  return origin.title.empty() ? origin.scene_file : origin.title;
}

Json point_object(const System& system, const BranchPoint& point) {
  Json multipliers = Json::array();
  for (const std::complex<double>& multiplier : point.multipliers)
    multipliers.push_back({number(multiplier.real()), number(multiplier.imag())});
  Json values = Json::array();
  for (const double value : numbers_of(point)) values.push_back(number(value));
  return {{"values", values},
          {"stability", name_of(point.stability)},
          {"multipliers", multipliers},
          {"section", section_text(system, point.section)},
          {"events", event_words(system, point)}};
}

Json branches_object(const SceneBranches& branches) {
  const System& system = *branches.scene->system;
  Json data = {{"columns", columns_of(branches)}, {"branches", Json::array()}};
  for (const OrbitBranch& branch : branches.found.branches) {
    Json object = {{"end", branch.end}, {"points", Json::array()}, {"marks", Json::array()}};
    for (const BranchPoint& point : branch.points) object["points"].push_back(point_object(system, point));
    for (const BranchMark& mark : branch.marks) {
      object["marks"].push_back(point_object(system, mark.point));
      object["marks"].back()["kind"] = name_of(mark.kind);
      object["marks"].back()["note"] = mark.note;
    }
    data["branches"].push_back(std::move(object));
  }
  return data;
}

}  // namespace

std::string branch_text(const SceneBranches& branches) {
  const std::string& parameter = branches.request.parameter;
  std::string text = fmt::format("{}: periodic orbits from {} = {} to {}\n", title_of(branches), parameter,
                                 branches.request.from, branches.request.to);
  for (const OrbitBranch& branch : branches.found.branches) {
    const BranchPoint &first = branch.points.front(), &last = branch.points.back();
    std::vector<std::vector<std::string>> lines = {{"", parameter, "period [s]", "stability", ""}};
    const auto add = [&](const std::string& what, const BranchPoint& point, const std::string& note) {
      lines.push_back({what, fmt::format("{:.9g}", point.parameter), fmt::format("{:.9g}", point.period),
                       point.stability == PeriodicOrbit::Stability::kNotDecided ? "-" : name_of(point.stability), note});
    };
    add("begins", first,
        fmt::format("{} {} to {}", first.returns, first.returns == 1 ? "return" : "returns",
                    section_text(*branches.scene->system, first.section)));
    for (const BranchMark& mark : branch.marks) add(name_of(mark.kind), mark.point, mark.note);
    add("ends", last, branch.end);
    text += fmt::format("branch {}, {} orbits\n", &branch - branches.found.branches.data() + 1, branch.points.size());
    text += table({.headings = lines.front(), .rows = {lines.begin() + 1, lines.end()}, .notes = {}, .left_columns = 1});
  }
  return text;
}

std::string branch_csv(const SceneBranches& branches) {
  std::string text = "branch,mark";
  for (const std::string& name : columns_of(branches)) text += "," + name;
  text += "\n";
  const auto add = [&](size_t branch, const char* mark, const BranchPoint& point) {
    text += fmt::format("{},{}", branch, mark);
    for (const double value : numbers_of(point)) text += std::isnan(value) ? "," : fmt::format(",{}", value);
    text += "\n";
  };
  for (size_t b = 0; b < branches.found.branches.size(); ++b) {
    for (const BranchPoint& point : branches.found.branches[b].points) add(b + 1, "", point);
    for (const BranchMark& mark : branches.found.branches[b].marks) add(b + 1, name_of(mark.kind), mark.point);
  }
  return text;
}

void write_branch_file(const SceneBranches& branches, const std::filesystem::path& path) {
  Hdf5File file = Hdf5File::create(path);
  file.set("/", "kind", std::string("branches"));
  file.set("/", "title", title_of(branches));
  file.set("/", "parameter", branches.request.parameter);
  file.write_text("scene", branches.scene->origin.scene_text);
  const std::vector<std::string> columns = columns_of(branches);
  file.write_list("columns", columns);
  for (size_t b = 0; b < branches.found.branches.size(); ++b) {
    const OrbitBranch& branch = branches.found.branches[b];
    const std::string group = fmt::format("branch_{}", b + 1);
    file.make_group(group);
    file.set(group, "end", branch.end);
    file.set(group, "returns", std::int64_t{branch.points.front().returns});
    const auto write = [&](const std::string& name, const auto& points, const auto& of) {
      std::vector<double> values;
      for (const auto& entry : points) {
        const std::vector<double> numbers = numbers_of(of(entry));
        values.insert(values.end(), numbers.begin(), numbers.end());
      }
      if (!points.empty()) file.write_matrix(group + "/" + name, points.size(), columns.size(), values);
    };
    write("orbits", branch.points, [](const BranchPoint& point) -> const BranchPoint& { return point; });
    write("marks", branch.marks, [](const BranchMark& mark) -> const BranchPoint& { return mark.point; });
    std::vector<std::string> kinds;
    for (const BranchMark& mark : branch.marks)
      kinds.push_back(mark.note.empty() ? name_of(mark.kind) : fmt::format("{}: {}", name_of(mark.kind), mark.note));
    if (!kinds.empty()) file.write_list(group + "/kinds", kinds);
  }
}

void write_branch_page(const SceneBranches& branches, const BranchBackground& background,
                       const std::filesystem::path& path) {
  Json data = branches_object(branches);
  constexpr size_t kMostShown = 20'000;  // numbers of each column
  const size_t columns = background.names.size(), rows = columns == 0 ? 0 : background.values.size() / columns;
  const size_t stride = std::max<size_t>(1, (rows + kMostShown - 1) / kMostShown);
  data["background"] = Json::object();
  for (size_t c = 0; c < columns; ++c) {
    Json values = Json::array();
    for (size_t row = 0; row < rows; row += stride) values.push_back(number(background.values[row * columns + c]));
    data["background"][background.names[c]] = std::move(values);
  }
  data["title"] = title_of(branches);
  std::string json = data.dump();
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) json.replace(at, 1, "\\u003c");
  std::string page = kBranchPage;
  const std::string place = "@DATA@";
  page.replace(page.find(place), place.size(), json);
  write_page(page, path);
}

std::string branch_json(const SceneBranches& branches, const std::vector<std::string>& files) {
  using Status = PeriodicOrbit::Status;
  const Status status = branches.found.status;
  const RunStatus as_run = status == Status::kConverged     ? RunStatus::kOk
                           : status == Status::kInterrupted ? RunStatus::kInterrupted
                                                            : RunStatus::kFailed;
  const std::string& file = branches.scene->origin.scene_file;
  Json object = {{"status", name_of(as_run)},
                 {"error", status == Status::kConverged ? Json() : error_object({file, 0, 0}, branches.found.message)},
                 {"scene", file}};
  object.update(branches_object(branches));
  object["files"] = files;
  return dump(object);
}

}  // namespace tippe
