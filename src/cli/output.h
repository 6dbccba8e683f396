// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace tippe::cli {

/// To standard output. Nothing is thrown: finish_output() says what went wrong, when all that was asked for is done.
void write_output(std::string_view text);
/// Whether everything could be written so far. A long text need not be finished if not.
[[nodiscard]] bool output_works();

template <class... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  write_output(fmt::format(format, std::forward<Values>(values)...));
}

/// To standard error; where that is closed or full there is nobody to tell.
void write_error(std::string_view text);

template <class... Values>
void print_aside(fmt::format_string<Values...> format, Values&&... values) {
  write_error(fmt::format(format, std::forward<Values>(values)...));
}

/// Makes the standard streams safe: one that is closed gets a place holder, so that no file of ours is opened under its number.
/// Pipes that nobody reads any more and files that may not grow make a write fail instead of ending the program.
void prepare_streams();

/// Brings everything out and gives the exit code of the program, which is `code` unless output was lost. Whoever closes a pipe has read
/// enough: that is no trouble.
[[nodiscard]] int finish_output(int code);

}  // namespace tippe::cli
