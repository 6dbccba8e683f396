// SPDX-License-Identifier: Apache-2.0
// Any bytes are a problem file, an InputError or a FileError: nothing else may leave the readers, and nothing may crash in them.
#include <cstddef>
#include <cstdint>

#include "tippe/core/error.h"
#include "tippe/exchange/problem_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)tippe::read_problem_image({reinterpret_cast<const char*>(data), size}, "fuzz.hdf5");
  } catch (const tippe::InputError&) {
  } catch (const tippe::FileError&) {
  }
  return 0;
}
