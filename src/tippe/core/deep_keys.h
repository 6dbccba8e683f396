// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tippe {

/// Throws InputError at a dotted key of more than a hundred parts in a TOML text, wherever it stands: thousands of parts would
/// exhaust the stack of the TOML reader. `file` is the name in the message.
void refuse_deep_keys(const std::string& toml, const std::string& file);

}  // namespace tippe
