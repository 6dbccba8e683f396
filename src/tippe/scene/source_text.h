// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tippe/core/error.h"

namespace tippe {

/// The text of a scene file, and the way from a place inside a decoded TOML string back to line and column.
class SourceText {
 public:
  SourceText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  /// Where byte `offset` of the decoded value stands, for a string whose opening quote is at line, column.
  /// Columns count characters (code points) from 1.
  [[nodiscard]] SourcePosition inside_string(int line, int column, int offset) const;

 private:
  std::string file_;
  std::string text_;
};

}  // namespace tippe
