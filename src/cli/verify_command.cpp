// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/output.h"
#include "tippe/verify/verify.h"

namespace tippe::cli {
namespace {

struct VerifyArguments {
  std::string recording;
  bool json = false;
};

verify::Verdict verify_guarded(const VerifyArguments& arguments) {
  const auto json = [&](const std::string& message) {
    return failure_json(Answer::kVerify, {kFileTrouble, {}, message}, arguments.recording);
  };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.recording, kFileTrouble, json)
                                           : DamageGuard::for_file(arguments.recording, kFileTrouble);
  return verify::verify_recording(arguments.recording);
}

int verify_and_print(const VerifyArguments& arguments) {
  const verify::Verdict verdict = verify_guarded(arguments);
  if (arguments.json) {
    print_out("{}\n", verdict_json(verdict, arguments.recording));
  } else {
    print_out("{}: {}", arguments.recording, verdict_text(verdict));
  }
  return verdict.obeys() ? kFine : kNumericalFailure;
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "Judge a recording by the laws of mechanics");
  command->footer(
      "Recomputes everything from the scene in the recording with code that shares nothing with the simulation: contacts "
      "only push,\n"
      "friction lies in its set and opposes the slip, velocities jump by the impact law, momentum and energy balance, "
      "constraints hold.\n"
      "Where samples are one step apart (--every DT, or dt itself) every step is checked by the definitions of its scheme.\n"
      "docs/howto/trust.md says what is checked when, and what that proves.\n\n"
      "Exit codes: 0 it obeys, 2 wrong usage or a recording of another format version, 3 violated, 4 the file cannot be "
      "read.");
  command->add_option("recording", arguments->recording, "The recording of a run (HDF5, docs/recording.md)")
      ->required()
      ->type_name("RUN.h5");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments, &exit_code] {
    exit_code =
        guarded([&] { return verify_and_print(*arguments); }, {Answer::kVerify, arguments->json, arguments->recording});
  });
}

}  // namespace tippe::cli
