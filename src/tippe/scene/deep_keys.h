// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/scene/source_text.h"

namespace tippe {

/// Throws InputError at a dotted key of more than a hundred parts, wherever it stands: thousands of parts would exhaust the stack
/// of the TOML reader.
void refuse_deep_keys(const SourceText& source);

}  // namespace tippe
