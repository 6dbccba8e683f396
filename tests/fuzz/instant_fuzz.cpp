// SPDX-License-Identifier: Apache-2.0
// Any text is a contact problem at an instant or an InputError, read as JSON and as TOML.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tippe/core/error.h"
#include "tippe/exchange/instant_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* file : {"fuzz.json", "fuzz.toml"}) {
    try {
      (void)tippe::read_instant(text, file);
    } catch (const tippe::InputError&) {
    }
  }
  return 0;
}
