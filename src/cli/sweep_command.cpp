// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "cli/processes.h"
#include "cli/scene_options.h"
#include "tippe/core/text_file.h"
#include "tippe/core/version.h"
#include "tippe/sweep/sweep.h"
#include "tippe/sweep/sweep_cluster.h"
#include "tippe/sweep/sweep_page.h"

namespace tippe::cli {
namespace {

struct SweepArguments {
  std::string scene;
  std::string resume;  // a file to go on with
  SweepRequest request;
  std::string table;
  bool sobol = false;
  std::string out = ".";
  int jobs = 0;
  double flush = 1.0;  // s
  bool report = true;
  bool quiet = false;
};

constexpr std::int64_t kMostCounted = 1'000'000'000;

/// What is to be done, and where it is written.
struct SweepJob {
  std::filesystem::path file;
  SweepRequest request;
  bool exists = false;
  std::map<Argument, SourcePosition> places = {};  // of what the scene asks for
};

std::string read_points(const std::filesystem::path& file) {
  return read_text_file(file, {.kind = "table of points", .instead_of_folder = "a table is a .csv file"});
}

SweepJob new_sweep(SweepArguments& arguments) {
  SweepJob job;
  const std::filesystem::path file = find_scene(arguments.scene);
  SweepRequest& request = job.request = arguments.request;
  request.scene_file = file.string();
  request.scene_text = read_text_file(file, {.kind = "scene", .instead_of_folder = "a scene is a .toml file"});
  request.sampling = arguments.sobol ? Sampling::kSobol : Sampling::kRandom;
  if (!arguments.table.empty()) {
    request.table_file = arguments.table;
    request.table_text = read_points(arguments.table);
  }
  if (const Scene scene = read_scene(request.scene_text, request.scene_file, request.overrides); scene.sweep) {
    const auto take_place = [&](bool asked, const char* key, Argument argument) {
      const auto place = scene.sweep->places.find(key);
      if (!asked && place != scene.sweep->places.end()) job.places.emplace(argument, place->second);
    };
    take_place(!request.vary.empty() || !request.table_text.empty(), "vary", Argument::kVary);
    take_place(!request.quantities.empty(), "quantities", Argument::kQuantity);
    take_place(!request.section.empty(), "section", Argument::kSection);
    request.complete(*scene.sweep, [&](const std::string& table) { return read_points(file.parent_path() / table); });
  }
  std::error_code trouble;
  std::filesystem::create_directories(arguments.out, trouble);
  if (trouble) throw FileError(fmt::format("{}: cannot make the folder ({})", arguments.out, trouble.message()));
  job.file = (std::filesystem::path(arguments.out) / (file.stem().string() + ".sweep.h5")).lexically_normal();
  return job;
}

SweepJob resumed_sweep(const SweepArguments& arguments) {
  const DamageGuard guard = DamageGuard::for_file(arguments.resume, kFileTrouble);
  RecordedSweep recorded = read_sweep(arguments.resume);
  if (recorded.program != kProgram) {
    throw FileError(arguments.resume,
                    fmt::format("was written by {}, and the same bits can only come from the same program: "
                                "this is {}",
                                recorded.program, kProgram));
  }
  return {arguments.resume, std::move(recorded.request), true, {}};
}

SweepDone read_done(const std::filesystem::path& file, const SweepPlan& plan) {
  const DamageGuard guard = DamageGuard::for_file(file.string(), kFileTrouble);
  return read_sweep_done(file, plan);
}

/// A line on the terminal that tells how far a sweep is.
class SweepLine {
 public:
  explicit SweepLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~SweepLine() {
    if (shown_) print_aside("\r\033[K");
  }
  void show(const SweepProgress& progress) {
    if (!on_) return;
    const double left = progress.rate > 0.0 ? static_cast<double>(progress.total - progress.done) / progress.rate : 0.0;
    print_aside("\r{} of {} points  {:.4g}/s  {}{:.0f} s left\033[K", progress.done, progress.total, progress.rate,
                progress.failed > 0 ? fmt::format("{} failed  ", progress.failed) : "", left);
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  bool on_, shown_ = false;
};

void print_attractors(const SweepSummary& summary) {
  const std::int64_t ran = summary.done - summary.failed;
  for (size_t k = 0; k < summary.attractors.size(); ++k) {
    const Attractor& attractor = summary.attractors[k];
    const bool orbit = attractor.kind == Attractor::Kind::kOrbit;
    print_out("  attractor {}  {:5.1f} %  {}\n", k, 100.0 * static_cast<double>(attractor.runs) / static_cast<double>(ran),
              orbit ? fmt::format("orbit of period {}", attractor.points.size()) : name_of(attractor.kind));
  }
}

void print_end(const SweepArguments& arguments, const SweepJob& job, std::int64_t before, const SweepSummary& summary,
               const std::filesystem::path& page) {
  if (!summary.first_failure.empty())
    print_error({job.request.scene_file, 0, 0}, "the first that failed: " + summary.first_failure);
  if (arguments.quiet) return;
  print_out("{} points in {:.3g} s: {}\n", summary.done - before, summary.wall_time, job.file.string());
  if (arguments.report) print_out("page: {}\n", page.string());
  print_attractors(summary);
  if (summary.interrupted) {
    print_out("interrupted after {} of {} points; go on with: tippe sweep --resume {}\n", summary.done, summary.total,
              job.file.string());
  }
  print_out("{} of {} runs failed\n", summary.failed, summary.done);
}

/// What repeats a run, but for the names that vary.
std::string command_of(const SweepRequest& request) {
  std::string command = "tippe run " + request.scene_file;
  const SceneOverrides& overrides = request.overrides;
  for (const auto& [option, value] :
       {std::pair{"integrator", overrides.integrator}, std::pair{"dt", overrides.dt}, std::pair{"until", overrides.until}}) {
    if (value) command += fmt::format(" --{} {}", option, *value);
  }
  for (const std::string& setting : overrides.settings) command += fmt::format(" --set \"{}\"", setting);
  return command;
}

/// What the scene asks for is blamed on the scene.
SweepPlan make_plan(const SweepJob& job) {
  try {
    return SweepPlan(job.request);
  } catch (const ArgumentError& error) {
    const auto place = job.places.find(error.argument());
    if (place == job.places.end()) throw;
    throw InputError(place->second,
                     error.given().empty() ? error.what() : fmt::format("{}: {}", error.given(), error.what()));
  }
}

void refuse_set_and_varied(const SweepPlan& plan) {
  const std::vector<std::string>& names = plan.points().names();
  for (const std::string& setting : plan.request().overrides.settings) {
    const std::string name = setting.substr(0, setting.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw ArgumentError(Argument::kSetting, fmt::format("'{}' varies, and cannot be set too", name), setting);
  }
}

/// `cluster`: other processes that compute; nullptr: threads of this one.
int do_sweep(SweepArguments& arguments, SweepCluster* cluster) {
  const SweepJob job = arguments.resume.empty() ? new_sweep(arguments) : resumed_sweep(arguments);
  const SweepPlan plan = make_plan(job);
  if (!job.exists) refuse_set_and_varied(plan);
  const SweepDone done = job.exists ? read_done(job.file, plan) : SweepDone();
  SweepFile file(job.file, plan, job.exists);
  end_patience();
  SweepSummary summary;
  {
    SweepLine line(!arguments.quiet);
    SweepHooks hooks;
    hooks.progress = [&](const SweepProgress& progress) { line.show(progress); };
    hooks.stop = &catch_interrupts();
    hooks.flush_interval = arguments.flush;
    const int jobs = arguments.jobs > 0 ? arguments.jobs : default_jobs();
    summary = run_sweep(
        plan, file, done,
        [&](const PointRange& range, const std::atomic<bool>* stop, const auto& take) {
          cluster != nullptr ? cluster->compute_points(plan, range, stop, take)
                             : compute_points(plan, range, jobs, stop, take);
        },
        hooks);
  }
  std::filesystem::path page = job.file;
  page.replace_extension(".html");
  if (arguments.report) write_sweep_page(job.file, page, {command_of(job.request), "--set"});
  print_end(arguments, job, done.rows, summary, page);
  return summary.interrupted ? kInterrupted : summary.failed > 0 ? kNumericalFailure : kFine;
}

int sweep(SweepArguments arguments) {
  std::unique_ptr<MessagePort> port;  // left when all is said
  return guarded([&]() -> int {
    port = join_processes();
    if (port == nullptr || port->size() == 1) return do_sweep(arguments, nullptr);
    if (port->rank() > 0) {
      end_patience();
      serve_sweep(*port, std::max(arguments.jobs, 1), &catch_interrupts());
      return kFine;
    }
    SweepCluster cluster(*port);
    return do_sweep(arguments, &cluster);
  });
}

void add_point_options(CLI::App& command, SweepArguments& arguments) {
  const auto several = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command.add_option(name, values, help)->allow_extra_args(false);
  };
  several("--vary", arguments.request.vary,
          "What varies, a parameter or an initial value: mu=0.1:0.5:200 (equal distances), c=log:1:1e4:30 (equal ratios), "
          "e=0.2,0.5,0.8; several make a grid, whose last one runs first")
      ->type_name("NAME=VALUES");
  command
      .add_option("--sample", arguments.request.samples,
                  "So many points at random in the ranges, mu=0.1:0.5, instead of a grid")
      ->type_name("COUNT");
  command.add_option("--seed", arguments.request.seed, "Names the random points (default 0)")
      ->type_name("NUMBER")
      ->needs("--sample");
  command.add_flag("--sobol", arguments.sobol, "Sobol's points instead of random ones; a seed shifts them")
      ->needs("--sample");
  command.add_option("--table", arguments.table, "The points from a file: a line of names, then one for each point")
      ->type_name("FILE.csv");
}

void add_look_options(CLI::App& command, SweepArguments& arguments) {
  command
      .add_option("--quantity", arguments.request.quantities,
                  "Keep a quantity of each run, reduced: height:max, or last, min, mean, rms; of the scene's "
                  "[output.quantities], a coordinate or a velocity")
      ->type_name("NAME:HOW")
      ->allow_extra_args(false);
  command
      .add_option(
          "--section", arguments.request.section,
          "Keep the points of a section: impact:CONTACT, stroboscopic (with the scene's forcing_period), or a velocity, "
          "coordinate or quantity rising through zero; a run then ends with the last of them, or at --until")
      ->type_name("SECTION");
  command
      .add_option("--follow", arguments.request.follow,
                  "Start each point where its neighbour along the last --vary ended: up, down, or both, one after the other")
      ->type_name("DIRECTION")
      ->check(CLI::IsMember({"up", "down", "both"}));
  command.add_flag(
      "--basin", arguments.request.basin,
      "Tell which attractor each point reaches, instead of the points of its section; without --section that is "
      "stroboscopic where the scene has a forcing_period");
  command
      .add_option("--transient", arguments.request.transient,
                  "Points of the section that are passed over first (default 200)")
      ->type_name("COUNT")
      ->check(CLI::Range(std::int64_t{0}, kMostCounted));
  command.add_option("--keep", arguments.request.keep, "Points of the section that are kept (default 100)")
      ->type_name("COUNT")
      ->check(CLI::Range(std::int64_t{1}, kMostCounted));
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand("sweep", "Run a scene many times with other numbers, on all cores");
  command->footer(
      "Writes SCENE.sweep.h5 while it goes on: one row for each point, in their order, whatever the number of jobs; and in "
      "the\n"
      "end SCENE.sweep.html, a page to open in a browser.\n\n"
      "Examples:\n"
      "  tippe sweep bouncing_ball --vary epsilon=0.1:0.9:200 --quantity y:last\n"
      "  tippe sweep vibrating_table --vary A=0.001:0.004:1000 --section impact:table\n"
      "  tippe sweep oscillator --vary x=-1:1 --vary \"x'=-1:1\" --sample 1000 --seed 7\n"
      "  tippe sweep --resume vibrating_table.sweep.h5    go on after an interrupt or a kill\n"
      "  tippe export vibrating_table.sweep.h5 > runs.csv\n\n"
      "Exit codes: 0 fine, 2 bad scene or usage, 3 a run failed (the others are in the file, and its reason), 4 a file\n"
      "cannot be read or written, 130 interrupted.");
  CLI::Option* resume = command->add_option("--resume", arguments->resume,
                                            "Compute what is missing in a file; the result is the same, to the last bit");
  resume->type_name("FILE.sweep.h5");
  add_scene_options(*command, arguments->scene, arguments->request.overrides);
  command->get_option("scene")->required(false);
  add_point_options(*command, *arguments);
  add_look_options(*command, *arguments);
  command->add_option("--out", arguments->out, "Folder for the result (default: this one); made if missing")
      ->type_name("DIR");
  for (const char* option : {"scene", "--integrator", "--dt", "--until", "--set", "--vary", "--sample", "--table",
                             "--quantity", "--section", "--follow", "--basin", "--transient", "--keep", "--out"})
    command->get_option(option)->excludes(resume);
  command
      ->add_option(
          "--jobs", arguments->jobs,
          "Threads (default: one for each core, under mpirun one for each process); the result does not depend on it")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 100'000));
  add_flush(*command, arguments->flush);
  command->add_flag("--report,!--no-report", arguments->report, "Write the HTML page (default), or not");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] {
    if (arguments->scene.empty() && arguments->resume.empty()) throw CLI::RequiredError("SCENE, or --resume FILE.sweep.h5,");
    exit_code = sweep(*arguments);
  });
}

}  // namespace tippe::cli
