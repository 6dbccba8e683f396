// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text_output.h"
#include "tippe/record/recorded_run.h"
#include "tippe/report/report.h"
#include "tippe/report/run_json.h"

namespace tippe::cli {
namespace {

struct ShowArguments {
  std::string recording;
  bool events = false;
  bool json = false;
};

struct ShownRecording {
  RecordedSummary recorded;
  RecordedEvents events;
};

ShownRecording read_guarded(const ShowArguments& arguments) {
  const auto json = [](const std::string& message) { return failure_json(Answer::kRun, {kFileTrouble, {}, message}); };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.recording, kFileTrouble, json)
                                           : DamageGuard::for_file(arguments.recording, kFileTrouble);
  ShownRecording shown{read_summary(arguments.recording), {}};
  if (arguments.json || arguments.events) shown.events = read_recorded_events(arguments.recording);
  return shown;
}

int show(const ShowArguments& arguments) {
  const auto [recorded, events] = read_guarded(arguments);
  const auto& [head, summary] = recorded;
  if (arguments.json) {
    print_out("{}\n", run_json(head, summary, events, {arguments.recording}));
    return kFine;
  }
  if (arguments.events) {
    if (events.events.empty()) {
      print_out("no events: {} does not look for them\n", head.integrator);
    } else {
      print_events(events);
    }
    return kFine;
  }
  std::vector<SummaryLine> lines = describe_run(summary);
  const std::string message = summary.message.empty() ? "" : ": " + summary.message;
  lines.push_back({"status", name_of(summary.status) + message});
  print_summary(head, lines);
  return kFine;
}

}  // namespace

void add_show_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "Print the summary of a recording again");
  command->footer(
      "The numbers come from the file alone. A run that was killed has the status \"running\", and its summary is that of "
      "the\n"
      "last flush.\n\n"
      "Exit codes: 0 fine, 2 wrong usage or a recording of another format version, 4 the file cannot be read.");
  command->add_option("recording", arguments->recording, "The recording of a run (HDF5, docs/recording.md)")
      ->required()
      ->type_name("RUN.h5");
  command->add_flag("--events", arguments->events, "Print the list of all events instead");
  command->add_flag("--json", arguments->json, "Print the JSON object of 'tippe run --json' instead");
  command->callback([arguments, &exit_code] {
    exit_code = guarded([&] { return show(*arguments); }, {Answer::kRun, arguments->json, {}});
  });
}

}  // namespace tippe::cli
