// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace tippe::cli {

/// What the program answers to the shell; the same for all commands (docs/program.md).
enum ExitCode : int {
  kFine = 0,
  kBadInput = 2,          // or wrong usage
  kNumericalFailure = 3,  // what was computed is safe on disk
  kFileTrouble = 4,
  kInterrupted = 130,
};

/// Each adds a command, `tippe run` and so on; when it is parsed, the command runs and its exit code is stored.
void add_run_command(CLI::App& app, int& exit_code);
void add_sweep_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);
void add_show_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_analyze_command(CLI::App& app, int& exit_code);
void add_modes_command(CLI::App& app, int& exit_code);
void add_orbit_command(CLI::App& app, int& exit_code);
void add_lyapunov_command(CLI::App& app, int& exit_code);
void add_solve_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
/// Completes the commands and options that `app` has when it runs.
void add_completion_command(CLI::App& app, int& exit_code);

}  // namespace tippe::cli
