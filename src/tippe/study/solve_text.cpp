// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tippe/report/json_values.h"
#include "tippe/study/solve_report.h"

namespace tippe {
namespace {

std::string line(const std::string& label, const std::string& value) {
  return fmt::format("  {:<24}{}\n", label, value);
}

const char* title_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kFc3d:
      return "friction in space, FCLIB local";
    case ProblemKind::kFc2d:
      return "friction in the plane, FCLIB local";
    case ProblemKind::kGfc3d:
      return "friction in space, FCLIB global";
    case ProblemKind::kGfc2d:
      return "friction in the plane, FCLIB global";
    case ProblemKind::kLcp:
      return "linear complementarity";
    case ProblemKind::kMlcp:
      return "mixed linear complementarity";
    case ProblemKind::kInclusion:
      return "inclusion problem";
  }
  return "";
}

std::string description_text(const ProblemDescription& description) {
  std::string text;
  const MatrixReport& matrix = description.matrix;
  text += line("rows", fmt::format("{}", matrix.rows));
  text += line("symmetry",
               matrix.asymmetry == 0.0 ? "exact" : fmt::format("differs by {:.3g} of the largest entry", matrix.asymmetry));
  text += line("diagonal", fmt::format("from {:.6g} to {:.6g}", matrix.smallest_diagonal, matrix.largest_diagonal));
  if (matrix.spectrum) {
    text += line("rank", fmt::format("{}", matrix.spectrum->rank));
    text += line(matrix.spectrum->eigenvalues ? "eigenvalues" : "singular values",
                 fmt::format("from {:.6g} to {:.6g}", matrix.spectrum->smallest, matrix.spectrum->largest));
  } else {
    text += line("rank, spectrum", fmt::format("not computed above {} rows", kMostSpectrumRows));
  }
  if (description.mu)
    text += line("mu", fmt::format("from {:.6g} to {:.6g}", description.mu->first, description.mu->second));
  return text;
}

}  // namespace

std::string solve_text(const std::string& name, const SolveReport& report,
                       const std::optional<ProblemDescription>& description) {
  const bool rows = report.kind == ProblemKind::kLcp || report.kind == ProblemKind::kMlcp;
  std::string text = fmt::format("{}: {} ({})\n", name, title_of(report.kind), name_of(report.kind));
  text += line(rows ? "complementarity rows" : "contacts", fmt::format("{}", report.contacts));
  if (report.islands > 1) text += line("islands", fmt::format("{}, solved apart", report.islands));
  if (description) text += description_text(*description);
  text += line("solver", report.solver);
  for (const SolveStage& stage : report.stages) {
    text += line("stage", fmt::format("{}: {} iterations, {:.3g} s, residual {:.3g}", stage.name, stage.iterations,
                                      stage.seconds, stage.residual));
  }
  if (report.outcome == SolveOutcome::kConverged) {
    text += line("result", report.stages.empty() ? "converged" : fmt::format("converged, by {}", report.stages.back().name));
  } else if (report.outcome == SolveOutcome::kNoSolution) {
    text += line("result", fmt::format("no solution: {}", report.reason));
  } else {
    text += line("result", fmt::format("not solved ({}); the best iterate is given", report.reason));
  }
  text += line("residual", fmt::format("{:.3g} (tolerance {:.3g})", report.residual, report.tolerance));
  if (report.worst >= 0)
    text += line(rows ? "worst row" : "worst contact", fmt::format("{}, with {:.3g}", report.worst, report.worst_residual));
  text += line("iterations", fmt::format("{}", report.iterations));
  text += line("wall time", fmt::format("{:.3g} s", report.wall_time));
  return text;
}

std::string impulses_text(const StoredProblem& stored, const Eigen::VectorXd& impulses) {
  const auto* problem = std::get_if<InclusionProblem>(&stored.problem);
  std::string text = "impulses\n";
  const auto blocks = problem != nullptr ? problem->laws.size() : static_cast<size_t>(impulses.size());
  Eigen::Index row = 0;
  for (size_t i = 0; i < blocks; ++i) {
    text += fmt::format("  {}", i);
    const int size = problem != nullptr ? problem->G.blocks.block_size(static_cast<int>(i)) : 1;
    for (int k = 0; k < size; ++k) text += fmt::format(" {}", impulses[row++]);
    text += "\n";
  }
  return text;
}

std::string solve_json(const SolveReport& report, bool impulses, const std::optional<ProblemDescription>& description) {
  Json stages = Json::array();
  for (const SolveStage& stage : report.stages) {
    stages.push_back({{"name", stage.name},
                      {"iterations", stage.iterations},
                      {"seconds", stage.seconds},
                      {"residual", number(stage.residual)}});
  }
  Json object = {{"kind", name_of(report.kind)},
                 {"contacts", report.contacts},
                 {"status", name_of(report.outcome)},
                 {"residual", number(report.residual)},
                 {"residual_worst_contact", number(report.worst_residual)},
                 {"worst_contact", report.worst >= 0 ? Json(report.worst) : Json()},
                 {"solver", report.solver},
                 {"stages", stages},
                 {"iterations", report.iterations},
                 {"wall_time_s", report.wall_time}};
  if (report.outcome == SolveOutcome::kNoSolution) object["certificate"] = report.reason;
  if (report.farkas.size() > 0) object["farkas"] = numbers(report.farkas);
  if (description) {
    const MatrixReport& matrix = description->matrix;
    Json spectrum, mu;
    if (matrix.spectrum) {
      spectrum = {{"kind", matrix.spectrum->eigenvalues ? "eigenvalues" : "singular_values"},
                  {"smallest", number(matrix.spectrum->smallest)},
                  {"largest", number(matrix.spectrum->largest)}};
    }
    if (description->mu) mu = {{"smallest", number(description->mu->first)}, {"largest", number(description->mu->second)}};
    object["describe"] = {
        {"rows", matrix.rows},
        {"asymmetry", number(matrix.asymmetry)},
        {"rank", matrix.spectrum ? Json(matrix.spectrum->rank) : Json()},
        {"spectrum", spectrum},
        {"diagonal", {{"smallest", number(matrix.smallest_diagonal)}, {"largest", number(matrix.largest_diagonal)}}},
        {"mu", mu}};
  }
  if (impulses) object["impulses"] = numbers(report.impulses);
  return dump(object);
}

}  // namespace tippe
