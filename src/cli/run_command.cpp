// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/problem_dump.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"
#include "cli/text_output.h"
#include "tippe/core/text_file.h"
#include "tippe/record/recording.h"
#include "tippe/report/report.h"
#include "tippe/report/run_json.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"
#include "tippe/study/gradient_report.h"
#include "tippe/study/resumed_scene.h"
#include "tippe/verify/verify.h"

namespace tippe::cli {
namespace {

struct RunArguments {
  std::string scene;
  std::string resume;  // a recording to go on with
  SceneOverrides overrides;
  std::string out = ".";
  double flush = 1.0;  // s
  std::optional<std::string> dump_problem;
  std::vector<std::string> sensitivity;  // parameters
  std::string input;                     // a table of inputs
  bool report = true;
  bool verify = false;
  bool json = false;
  bool quiet = false;
};

/// What is to run, and where it is written.
struct Job {
  Scene scene;
  std::filesystem::path recording, page;
  std::optional<Checkpoint> from;
  std::int64_t done = 0;  // steps and time that a resumed run has behind it
  double reached = 0.0;
};

Job new_job(const RunArguments& arguments) {
  Job job{load_scene(arguments.scene, arguments.overrides), {}, {}, {}, 0, 0.0};
  if (!arguments.input.empty())
    give_inputs(job.scene, read_text_file(arguments.input, {"table of inputs", "a table is a .csv file"}), arguments.input);
  std::error_code trouble;
  std::filesystem::create_directories(arguments.out, trouble);
  if (trouble) throw FileError(fmt::format("{}: cannot make the folder ({})", arguments.out, trouble.message()));
  const std::filesystem::path stem = std::filesystem::path(arguments.out) / std::filesystem::path(arguments.scene).stem();
  job.recording = std::filesystem::path(stem.string() + ".h5").lexically_normal();
  job.page = std::filesystem::path(stem.string() + ".html").lexically_normal();
  for (const std::filesystem::path& file : {job.recording, job.page}) {
    if (std::filesystem::equivalent(file, arguments.scene, trouble)) {
      throw InputError({arguments.scene, 0, 0},
                       "the scene would be overwritten by its own results; rename it to end in .toml, or give --out");
    }
  }
  return job;
}

ResumedScene resume_guarded(const RunArguments& arguments) {
  const auto json = [&](const std::string& message) {
    return failure_json(Answer::kRun, {kFileTrouble, {}, message}, arguments.scene);
  };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.resume, kFileTrouble, json)
                                           : DamageGuard::for_file(arguments.resume, kFileTrouble);
  return resume_scene(arguments.resume, arguments.overrides.until);
}

/// Goes on with a recording: the scene and its options are those in the file.
Job resumed_job(const RunArguments& arguments) {
  auto [scene, overrides, recorded] = resume_guarded(arguments);
  Job job{std::move(scene), arguments.resume, arguments.resume, std::move(recorded.checkpoint), 0, recorded.reached};
  job.done = job.from->steps;
  job.page.replace_extension(".html");
  if (!arguments.scene.empty() && load_scene(arguments.scene, overrides).origin.scene_text != job.scene.origin.scene_text) {
    throw InputError(
        {arguments.scene, 0, 0},
        fmt::format("is not the scene that {} was recorded from; to change a scene, run it anew", arguments.resume));
  }
  return job;
}

RunSummary simulate_job(const Job& job, const RunArguments& arguments, ProblemDump* dump, verify::RunWatch* watch) {
  const Scene& scene = job.scene;
  std::optional<Recording> recording;
  if (job.from) {
    recording.emplace(job.recording, *scene.system, scene.run, *job.from);
  } else {
    recording.emplace(job.recording, *scene.system, scene.origin, scene.run, scene.start.t);
  }
  recording->set_flush_interval(std::chrono::duration<double>(arguments.flush));
  ProgressBar bar(!arguments.quiet && !arguments.json);
  const std::atomic<bool>& interrupted = catch_interrupts();
  RunHooks hooks{.recorder = &*recording,
                 .progress = [&](const Progress& progress) { bar.show(progress); },
                 .stop = &interrupted,
                 .from = job.from ? &*job.from : nullptr,
                 .after_step = dump == nullptr ? StepCallback() : [&](const StepView& step) { dump->look(step); }};
  if (watch != nullptr) watch->take_part(hooks);
  return simulate(*scene.system, scene.start, scene.run, hooks);
}

/// Runs `work`; a FileError in it that does not name the file gets its name.
template <class Work>
auto named_after(const std::filesystem::path& file, const Work& work) {
  try {
    return work();
  } catch (const FileError& error) {
    const std::string_view message = error.what();
    if (message.starts_with(file.string())) throw;
    throw FileError(fmt::format("{}: {}", file.string(), message));
  }
}

/// What a run leaves behind, for its answer.
struct RunResult {
  RunSummary summary;
  std::vector<SummaryLine> lines;
  std::vector<std::string> files;
  std::optional<verify::Verdict> verdict;
  std::optional<RunGradient> gradient;
  bool file_failed = false;

  /// Writes what comes beside the recording, which is complete: says so whatever happens.
  template <class Write>
  void write_beside(Write&& write) {
    try {
      write();
    } catch (const FileError& error) {
      file_failed = true;
      summary.status = RunStatus::kFailed;
      summary.message = error.what();
    }
  }
};

void print_text(const Job& job, const RunArguments& arguments, const RunHead& head, const RecordedEvents& events,
                RunResult& result) {
  const SourcePosition scene{job.scene.origin.scene_file, 0, 0};
  const RunSummary& summary = result.summary;
  const std::optional<verify::Verdict>& verdict = result.verdict;
  if (summary.status == RunStatus::kFailed) print_error(scene, summary.message);
  if (arguments.quiet) {
    if (verdict && !verdict->obeys()) print_error(scene, "verify: " + verdict_text(*verdict));
    return;
  }
  if (summary.status == RunStatus::kInterrupted) print_out("{}\n", summary.message);
  for (const std::string& file : result.files) result.lines.push_back({"wrote", file});
  print_summary(head, result.lines);
  if (!events.events.empty()) print_events(events, job.recording.string());
  for (const std::string& warning : summary.warnings) print_warning(scene, warning);
  if (verdict) print_out("verify: {}", verdict_text(*verdict));
  if (result.gradient) print_out("{}", printable(gradient_text(*job.scene.system, *result.gradient)));
}

void print_answer(const Job& job, const RunArguments& arguments, RunResult& result) {
  const RunHead head = describe_head(*job.scene.system, job.scene.origin, job.scene.run);
  RecordedEvents events;
  if (result.summary.events.total() > 0) events = read_recorded_events(job.recording);
  if (!arguments.json) return print_text(job, arguments, head, events, result);
  auto answer = nlohmann::ordered_json::parse(run_json(head, result.summary, events, result.files));
  if (result.verdict)
    answer["verify"] = nlohmann::ordered_json::parse(verdict_json(*result.verdict, job.recording.string()));
  if (result.gradient) answer["sensitivity"] = gradient_json(*job.scene.system, *result.gradient);
  print_out("{}\n", answer.dump(2));
}

/// The run once more, with its derivatives. A run of no length tells beforehand whether it has any.
RunGradient derive_run(const Job& job, const RunArguments& arguments, bool ask_only) {
  GradientOptions options;
  if (ask_only) options.times = {job.scene.start.t};
  const std::atomic<bool> stop = ask_only;
  options.interrupt = ask_only ? &stop : &catch_interrupts();
  return find_run_gradient(job.scene.origin.scene_text, arguments.scene, arguments.overrides, arguments.sensitivity,
                           options);
}

int do_run(RunArguments& arguments) {
  if (!arguments.scene.empty()) arguments.scene = find_scene(arguments.scene);
  const Job job = arguments.resume.empty() ? new_job(arguments) : resumed_job(arguments);
  if (!arguments.sensitivity.empty()) static_cast<void>(derive_run(job, arguments, true));
  std::error_code trouble;
  if (arguments.report && std::filesystem::is_regular_file(job.page, trouble))
    std::filesystem::remove(job.page, trouble);  // no old page beside a new recording
  const std::filesystem::path problem = std::filesystem::path(job.recording).replace_extension(".problem.hdf5");
  std::optional<ProblemDump> dump;
  if (arguments.dump_problem) {
    dump.emplace(*arguments.dump_problem, job.scene, job.done, job.reached);
    std::filesystem::remove(problem, trouble);  // nor an old problem
  }
  std::optional<verify::RunWatch> watch;
  if (arguments.verify) watch.emplace(job.scene);
  RunResult result;
  result.summary = named_after(
      job.recording, [&] { return simulate_job(job, arguments, dump ? &*dump : nullptr, watch ? &*watch : nullptr); });
  if (watch) result.verdict = watch->finish(result.summary);
  if (!arguments.sensitivity.empty() && result.summary.status == RunStatus::kOk)
    result.gradient = derive_run(job, arguments, false);
  result.files = {job.recording.string()};
  result.lines = describe_run(result.summary);
  if (dump) {
    result.write_beside([&] {
      const std::string missing = dump->write(problem, job.scene.origin.title);
      missing.empty() ? result.files.push_back(problem.string()) : result.summary.warnings.push_back(missing);
    });
  }
  if (arguments.report) {
    result.write_beside([&] {
      write_report(job.recording, result.lines, job.page,
                   result.verdict ? std::optional(result.verdict->obeys()) : std::nullopt);
      result.files.push_back(job.page.string());
    });
  }
  print_answer(job, arguments, result);
  if (result.file_failed) return kFileTrouble;
  if (result.gradient && result.gradient->status != RunGradient::Status::kDone) {
    if (!arguments.json) print_error({arguments.scene, 0, 0}, "sensitivity: " + result.gradient->message);
    return result.gradient->status == RunGradient::Status::kInterrupted ? kInterrupted : kNumericalFailure;
  }
  const ExitCode code = exit_code_of(result.summary.status);
  return code == kFine && result.verdict && !result.verdict->obeys() ? kNumericalFailure : code;
}

int run(RunArguments arguments) {
  return guarded([&] { return do_run(arguments); }, {Answer::kRun, arguments.json, arguments.scene});
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  command->footer(
      "Writes SCENE.h5 (the recording) and SCENE.html (a page to open in a browser) and prints a summary.\n\n"
      "Examples:\n"
      "  tippe run woodpecker\n"
      "  tippe run scenes/woodpecker.toml --dt 1e-4 --until 2 --out results\n"
      "  tippe run scenes/bouncing_ball.toml --set epsilon=0.8 --json\n"
      "  tippe run --resume woodpecker.h5           go on after an interrupt or a kill\n"
      "  tippe run --resume woodpecker.h5 --until 5\n"
      "  tippe run woodpecker --dump-problem worst  writes woodpecker.problem.hdf5 for 'tippe solve'\n\n"
      "Exit codes: 0 fine, 2 bad scene or usage, 3 numerical failure (what was computed is safe on disk),\n"
      "4 a file cannot be read or written, 130 interrupted.");
  CLI::Option* resume = command->add_option(
      "--resume", arguments->resume, "Go on with a recording, with its scene and options; --until may be a later time");
  resume->type_name("RUN.h5");
  add_scene_options(*command, arguments->scene, arguments->overrides);
  command->get_option("scene")->required(false);
  for (const char* option : {"--integrator", "--dt", "--set"}) command->get_option(option)->excludes(resume);
  command->add_option("--out", arguments->out, "Folder for the results (default: this one); made if missing")
      ->type_name("DIR")
      ->excludes(resume);
  command
      ->add_option(
          "--input", arguments->input,
          "Values of the scene's [inputs] over time: a column t (s) and one for each input; the values of a row are "
          "held until the next")
      ->type_name("TABLE.csv")
      ->excludes(resume);
  add_flush(*command, arguments->flush);
  command
      ->add_option(
          "--dump-problem", arguments->dump_problem,
          "Write the contact problem of one step as a file for 'tippe solve': the step that reaches a time, step:N, or "
          "worst (the one that failed, else the one with most iterations)")
      ->type_name("TIME|step:N|worst");
  command
      ->add_option(
          "--sensitivity", arguments->sensitivity,
          "Also the derivatives of the end and of event times by these parameters and initial values; event-driven only")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->excludes(resume);
  command->add_flag("--report,!--no-report", arguments->report, "Write the HTML page (default), or not");
  command
      ->add_flag("--verify", arguments->verify,
                 "Judge every step by the laws of mechanics while running, as 'tippe verify' does; exit code 3 if one "
                 "violates them")
      ->excludes(resume);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the summary, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] {
    if (arguments->scene.empty() && arguments->resume.empty()) throw CLI::RequiredError("SCENE, or --resume RUN.h5,");
    exit_code = run(*arguments);
  });
}

}  // namespace tippe::cli
