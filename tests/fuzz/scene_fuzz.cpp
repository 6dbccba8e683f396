// SPDX-License-Identifier: Apache-2.0
// Any text is a scene or an InputError: nothing else may leave the reader, and nothing may crash in it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tippe/core/error.h"
#include "tippe/scene/scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    (void)tippe::read_scene(text, "fuzz.toml");
  } catch (const tippe::InputError&) {
  }
  return 0;
}
