// SPDX-License-Identifier: Apache-2.0
#include "cli/problem_dump.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tippe/run/tolerances.h"

namespace tippe::cli {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw InputError({}, "--dump-problem: " + why);
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

ProblemDump::ProblemDump(const std::string& wanted, const Scene& scene, std::int64_t done, double reached) {
  if (scene.system->laws().empty()) refuse("the scene has no laws, so that its steps have no contact problem");
  tolerance_ = kSameTime * scene.run.dt;
  const double start = scene.start.t, until = scene.run.until;
  const std::int64_t steps = scene.run.steps_from(start);
  if (wanted == "worst") {
    worst_ = true;
  } else if (wanted.starts_with("step:")) {
    number_ = parse<std::int64_t>(std::string_view(wanted).substr(5));
    if (!number_ || *number_ < 1) refuse(fmt::format("'{}' must be step: and a number from 1", wanted));
    if (*number_ <= done) refuse(fmt::format("step {} was made already; the run goes on with step {}", *number_, done + 1));
    if (done == 0 && *number_ > steps) refuse(fmt::format("there is no step {}; the run has {} steps", *number_, steps));
  } else {
    const std::optional<double> time = parse<double>(wanted);
    if (!time || !std::isfinite(*time)) refuse(fmt::format("'{}' must be a time in s, step:N or worst", wanted));
    time_ = *time;
    if (time_ < start - tolerance_ || time_ > until + tolerance_)
      refuse(fmt::format("t = {} lies outside of the run from t = {} to {}", time_, start, until));
    if (done > 0 && time_ <= reached + tolerance_)
      refuse(fmt::format("t = {} was passed already; the run goes on from t = {:.9g}", time_, reached));
  }
}

bool ProblemDump::wants(const StepView& step) const {
  if (worst_) {
    if (!step.report.ok() || !problem_) return true;
    return step.report.iterations > iterations_ ||
           (step.report.iterations == iterations_ && step.report.residual > residual_);
  }
  return number_ ? step.number == *number_ : !seen_ && step.end >= time_ - tolerance_;
}

void ProblemDump::look(const StepView& step) {
  if (!wants(step)) return;
  const InclusionProblem* problem = step.report.methods_tried > 0 ? step.integrator.last_problem() : nullptr;
  if (worst_ && problem == nullptr) return;
  seen_ = true;
  step_ = step.number;
  begin_ = step.begin;
  end_ = step.end;
  iterations_ = step.report.iterations;
  residual_ = step.report.residual;
  if (problem != nullptr) problem_ = *problem;
}

std::string ProblemDump::write(const std::filesystem::path& path, const std::string& title) const {
  if (problem_) {
    write_problem(
        path, *problem_,
        fmt::format("{}: step {} from t = {:.9g} to {:.9g}", title.empty() ? "a run" : title, step_, begin_, end_));
    return {};
  }
  if (worst_) return "no problem was written: no step had an active law";
  if (seen_) return fmt::format("no problem was written: no law was active in step {} from t = {:.9g}", step_, begin_);
  return "no problem was written: the run ended before the step that was wanted";
}

}  // namespace tippe::cli
