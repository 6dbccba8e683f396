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

/// The user's input is wrong: thrown while loading or building, never while stepping.
class InputError : public std::runtime_error {
 public:
  InputError(SourcePosition position, const std::string& message)
      : std::runtime_error(message), position_(std::move(position)) {}

  [[nodiscard]] const SourcePosition& position() const { return position_; }

 private:
  SourcePosition position_;
};

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
};

}  // namespace tippe
