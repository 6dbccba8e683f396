// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/core/error.h"

namespace tippe::cli {

/// How users of the program give an argument: "--set".
[[nodiscard]] const char* option_of(Argument argument);

/// What users of the program can do about an error, to be appended to its message; "" for none. `file`: that the error is about.
[[nodiscard]] std::string advice(Remedy remedy, const std::string& file);

/// The message of an error, with option and advice.
[[nodiscard]] std::string in_words(const InputError& error);

}  // namespace tippe::cli
