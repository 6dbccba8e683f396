// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/model/observables.h"

namespace tippe {

/// How a system looks: what a page needs to replay a recording, without knowing mechanics.
struct Drawing {
  std::string document;  // JSON, docs/recording.md#drawing; empty: there is nothing to draw
  Observables columns;   // its numbers that are neither constants nor coordinates, to be evaluated at every sample
};

/// Whether a text is a document of this kind, as far as pages rely on: they check its primitives themselves.
[[nodiscard]] bool is_drawing_document(const std::string& text);

}  // namespace tippe
