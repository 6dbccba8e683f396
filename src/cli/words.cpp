// SPDX-License-Identifier: Apache-2.0
#include "cli/words.h"

#include <fmt/format.h>

namespace tippe::cli {

const char* option_of(Argument argument) {
  switch (argument) {
    case Argument::kSetting:
      return "--set";
    case Argument::kIntegrator:
      return "--integrator";
    case Argument::kIntegrators:
      return "--integrators";
    case Argument::kTimeStep:
      return "--dt";
    case Argument::kEnd:
      return "--until";
    case Argument::kSampleInterval:
      return "--every";
    case Argument::kTime:
      return "--time";
    case Argument::kSection:
      return "--section";
    case Argument::kReturns:
      return "--returns";
    case Argument::kSolver:
      return "--solver";
    case Argument::kTolerance:
      return "--tol";
    case Argument::kMaxIterations:
      return "--max-iterations";
    case Argument::kThreads:
      return "--threads";
    case Argument::kAlpha:
      return "--alpha";
    case Argument::kRecover:
      return "--no-recover";
    case Argument::kTransform:
      return "--no-transform";
    case Argument::kVary:
      return "--vary";
    case Argument::kSample:
      return "--sample";
    case Argument::kPointTable:
      return "--table";
    case Argument::kQuantity:
      return "--quantity";
  }
  return "";
}

std::string advice(Remedy remedy, const std::string& file) {
  switch (remedy) {
    case Remedy::kNone:
      return "";
    case Remedy::kGiveTimeStep:
      return " (or give --dt)";
    case Remedy::kGiveEnd:
      return " (or give --until)";
    case Remedy::kGiveLaterEnd:
      return "; give a later --until to go on";
    case Remedy::kNameSolver:
      return "; name it with --solver";
    case Remedy::kListScenes:
      return " ('tippe list scenes' shows all)";
    case Remedy::kOpenAsScene:
      return fmt::format("; it looks like a scene: tippe run {}", file);
    case Remedy::kOpenAsHdf5:
      return fmt::format("; tippe solve {0} solves a contact problem, tippe show {0} shows a recording", file);
    case Remedy::kExtractProblem:
      return "; 'tippe run --dump-problem' writes the problem of a step";
  }
  return "";
}

std::string in_words(const InputError& error) {
  return worded(error, option_of, advice);
}

}  // namespace tippe::cli
