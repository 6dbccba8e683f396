// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <new>
#include <stdexcept>

#include "cli/command.h"
#include "tippe/core/error.h"

namespace tippe::cli {

/// The exit code of a command; what it throws is told by fail(code, status, position, message), which returns the code.
template <class Command, class Fail>
int guarded(const Command& command, const Fail& fail) {
  try {
    return command();
  } catch (const InputError& error) {
    return fail(kBadInput, "bad_input", error.position(), error.what());
  } catch (const FileError& error) {
    return fail(kFileTrouble, "failed", SourcePosition{}, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(kFileTrouble, "failed", SourcePosition{}, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kNumericalFailure, "failed", SourcePosition{}, "not enough memory");
  } catch (const std::length_error&) {  // more than any memory
    return fail(kNumericalFailure, "failed", SourcePosition{}, "not enough memory");
  }
}

}  // namespace tippe::cli
