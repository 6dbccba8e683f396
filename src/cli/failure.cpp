// SPDX-License-Identifier: Apache-2.0
#include "cli/failure.h"

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/words.h"
#include "tippe/report/json_values.h"

namespace tippe::cli {
namespace {

/// All keys of an answer, but those that depend on the answer itself. [] marks a list, which is empty on failure; "scene" or "file" is the input.
const char* keys_of(Answer answer) {
  switch (answer) {
    case Answer::kRun:
      return "status error scene integrator dt steps stopped t_end final energy lost_by_law impacts impacts_by_contact "
             "impact_threshold event_counts own_events events solver constraints worst_penetration worst_penetration_at "
             "warnings notes "
             "wall_time_s files[]";
    case Answer::kCompare:
      return "status error scene reference common_times runs[] orders[] not_run[] files[]";
    case Answer::kCheck:
      return "status error scene title integrator dt steps t_start t_end coordinates mass_matrix bilateral rank laws energy "
             "found_contacts integrators warnings notes";
    case Answer::kAnalyze:
      return "status error file title time coordinates unilateral bilateral dry_friction begins_to_slide summary delassus "
             "kinetic_angles_deg criteria solvable acceleration lift_off forces sensitivity gauss sticking actuation "
             "closure "
             "painleve impact generalized_inverse notes";
    case Answer::kModes:
      return "status error file title time impact motion notes";
    case Answer::kOrbit:
      return "status error scene period section returns state drift multipliers zero_multipliers multiplier_error stable "
             "residual iterations simulated tried[] energy_lost work_done events notes";
    case Answer::kBranch:
      return "status error scene columns[] branches[] files[]";
    case Answer::kLyapunov:
      return "status error scene begin end exponents[] errors[] events";
    case Answer::kVerify:
      return "status error file integrator verdict intervals checks not_checked[]";
    case Answer::kSolve:
      return "kind contacts status residual residual_worst_contact worst_contact solver stages iterations wall_time_s "
             "message";
  }
  return "status error";
}

/// Of the exception that is being handled.
Failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const InputError& error) {
    return {kBadInput, error.position(), in_words(error)};
  } catch (const FileError& error) {
    return {kFileTrouble, {error.file(), 0, 0}, error.sentence() + advice(error.remedy(), error.file())};
  } catch (const std::filesystem::filesystem_error& error) {
    return {kFileTrouble, {}, error.what()};
  } catch (const std::bad_alloc&) {
    return {kNumericalFailure, {}, "not enough memory"};
  } catch (const std::length_error&) {  // more than any memory
    return {kNumericalFailure, {}, "not enough memory"};
  }
}

}  // namespace

const char* status_of(ExitCode code) {
  switch (code) {
    case kFine:
      return "ok";
    case kBadInput:
      return "bad_input";
    case kInterrupted:
      return "interrupted";
    case kNumericalFailure:
    case kFileTrouble:
      break;
  }
  return "failed";
}

ExitCode exit_code_of(RunStatus status) {
  if (status == RunStatus::kOk) return kFine;
  return status == RunStatus::kInterrupted ? kInterrupted : kNumericalFailure;
}

std::string failure_json(Answer answer, const Failure& failure, const std::string& file) {
  const std::string& place = failure.position.file;
  Json object;
  std::istringstream keys(keys_of(answer));
  for (std::string key; keys >> key;) {
    if (key.ends_with("[]")) {
      object[key.substr(0, key.size() - 2)] = Json::array();
      continue;
    }
    object[key] = key == "status"                   ? Json(status_of(failure.code))
                  : key == "error"                  ? error_object(failure.position, failure.message)
                  : key == "message"                ? Json((place.empty() ? "" : place + ": ") + failure.message)
                  : key == "scene" || key == "file" ? text_or_null(file)
                                                    : Json();
  }
  return dump(object);
}

int tell(const Failure& failure, const Asked& asked) {
  if (asked.answer && asked.json) {
    print_out("{}\n", failure_json(*asked.answer, failure, asked.file));
  } else {
    print_error(failure.position, failure.message);
  }
  return failure.code;
}

int guarded(const std::function<int()>& command, const Asked& asked) {
  try {
    return command();
  } catch (...) {
    return tell(current_failure(), asked);
  }
}

int guarded(const std::function<int()>& command) {
  return guarded(command, {std::nullopt, false, {}});
}

}  // namespace tippe::cli
