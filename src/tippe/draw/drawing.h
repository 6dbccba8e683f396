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

}  // namespace tippe
