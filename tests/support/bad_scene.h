// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/scene/scene.h"

namespace tippe::test {

/// A scene that must be refused: where the error is placed, and what it says. In its text the place is marked by the two characters »^,
/// which are removed before reading: the error must stand at the character that follows.
struct BadScene {
  std::string name;
  std::string text;
  std::vector<std::string> parts;  // of the message
};
inline void PrintTo(const BadScene& scene, std::ostream* stream) {
  *stream << scene.name;
}

inline void expect_refused(BadScene scene) {
  const std::string mark = "»^";
  const size_t place = scene.text.find(mark);
  ASSERT_NE(place, std::string::npos) << scene.name;
  scene.text.erase(place, mark.size());
  int line = 1, column = 1;
  for (size_t k = 0; k < place; ++k) {
    if (scene.text[k] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(scene.text[k]) & 0xC0) != 0x80) {
      ++column;
    }
  }
  try {
    (void)read_scene(scene.text, "bad.toml");
    FAIL() << "accepted:\n" << scene.text;
  } catch (const InputError& error) {
    const SourcePosition& position = error.position();
    EXPECT_EQ(position.file, "bad.toml");
    // An error at a whole string stands at its quote, one inside it at the character.
    EXPECT_EQ(position.line, line) << error.what();
    EXPECT_EQ(position.column, column) << error.what();
    for (const std::string& part : scene.parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace tippe::test
