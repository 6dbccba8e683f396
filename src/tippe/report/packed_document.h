// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tippe {

/// The document of a page with its columns in one compressed block, as viewer/src/packed.ts reads it: times exactly, other numbers rounded to
/// 2^-28 of what their column spans (or spans apart from what is not finite), on logarithmic axes to 8 bits. A short document stays as it is.
[[nodiscard]] std::string pack_document(const std::string& document);

}  // namespace tippe
