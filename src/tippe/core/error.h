// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tippe {

/// A place in a text that the user wrote. Line and column count from 1; 0 means unknown.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
};

/// What a caller may ask for beside a scene or a problem. Each front end has its own name for it: an option of the program, an argument of
/// a function.
enum class Argument {
  kSetting,  // of a parameter
  kIntegrator,
  kIntegrators,  // of a comparison
  kTimeStep,
  kEnd,
  kSampleInterval,
  kTime,  // of an instant
  kSection,
  kReturns,
  kSolver,
  kTolerance,
  kMaxIterations,
  kThreads,
  kAlpha,      // of projected iterations
  kRecover,    // likewise
  kTransform,  // likewise
  kVary,       // of a sweep
  kSample,
  kPointTable,
  kQuantity,
};
inline constexpr int kArguments = static_cast<int>(Argument::kQuantity) + 1;

/// What would help against an error. Each front end says it in its own words.
enum class Remedy {
  kNone,
  kGiveTimeStep,    // the scene has none; the request may
  kGiveEnd,         // likewise
  kGiveLaterEnd,    // a run that has come to its end can go on
  kNameSolver,      // one method instead of the portfolio
  kListScenes,      // there are scenes of other names
  kOpenAsScene,     // the file looks like one
  kOpenAsHdf5,      // a problem or a recording where a text was expected
  kExtractProblem,  // a recording has no problem, but the problem of a step can be had from its scene
};
inline constexpr int kRemedies = static_cast<int>(Remedy::kExtractProblem) + 1;

/// The user's input is wrong: thrown while loading or building, never while stepping.
class InputError : public std::runtime_error {
 public:
  InputError(SourcePosition position, const std::string& message, Remedy remedy = Remedy::kNone)
      : std::runtime_error(message), position_(std::move(position)), remedy_(remedy) {}

  [[nodiscard]] const SourcePosition& position() const { return position_; }
  [[nodiscard]] Remedy remedy() const { return remedy_; }

 private:
  SourcePosition position_;
  Remedy remedy_;
};

/// The argument of a request is wrong: its name belongs before the message.
class ArgumentError : public InputError {
 public:
  /// `given`: what it was, where the message does not say it.
  ArgumentError(Argument argument, const std::string& message, std::string given = {}, Remedy remedy = Remedy::kNone)
      : InputError({}, message, remedy), argument_(argument), given_(std::move(given)) {}

  [[nodiscard]] Argument argument() const { return argument_; }
  [[nodiscard]] const std::string& given() const { return given_; }

 private:
  Argument argument_;
  std::string given_;
};

/// An error in the words of a front end: `name(Argument)`, and `advice(Remedy, file)`, which begins with what separates it from the message.
/// "--set c=1: the scene has no parameter 'c'", "[run] needs 'dt' (or give --dt)".
template <class Name, class Advice>
[[nodiscard]] std::string worded(const InputError& error, const Name& name, const Advice& advice) {
  std::string text;
  if (const auto* blamed = dynamic_cast<const ArgumentError*>(&error)) {
    text = name(blamed->argument());
    if (!blamed->given().empty()) text += " " + blamed->given();
    text += ": ";
  }
  return text + error.what() + advice(error.remedy(), error.position().file);
}

/// A system that cannot be built as described. `subject` names the culprit by its key in a scene, for example
/// "lagrangian.kinetic" or "contact[0].slip[1]"; `symbol` is the name inside that expression which is to
/// blame, or "". Whoever knows where the key was written adds the position.
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string subject, const std::string& message, std::string symbol = {})
      : std::runtime_error(message), subject_(std::move(subject)), symbol_(std::move(symbol)) {}

  [[nodiscard]] const std::string& subject() const { return subject_; }
  [[nodiscard]] const std::string& symbol() const { return symbol_; }

 private:
  std::string subject_;
  std::string symbol_;
};

/// A file cannot be read or written: missing, no permission, disk full, damaged.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// `file`: as the user calls it. what() begins with it, sentence() does not.
  FileError(const std::string& file, std::string sentence, Remedy remedy = Remedy::kNone)
      : std::runtime_error(file + ": " + sentence), file_(file), sentence_(std::move(sentence)), remedy_(remedy) {}

  /// "" where only what() tells.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string sentence() const { return file_.empty() ? what() : sentence_; }
  [[nodiscard]] Remedy remedy() const { return remedy_; }

 private:
  std::string file_, sentence_;
  Remedy remedy_ = Remedy::kNone;
};

}  // namespace tippe
