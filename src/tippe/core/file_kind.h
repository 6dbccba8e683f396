// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace tippe {

/// What the first bytes of a file say that it is.
enum class FileKind { kEmpty, kHdf5, kText, kOther };

/// `start`: the beginning of the file, at least 8 bytes of it where it has so many. Text has no control characters but tabs and
/// ends of lines and pages. An HDF5 file with a user block before its signature is kOther.
[[nodiscard]] inline FileKind file_kind(std::string_view start) {
  constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";
  if (start.empty()) return FileKind::kEmpty;
  if (start.starts_with(kHdf5Signature)) return FileKind::kHdf5;
  const bool text = std::all_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || (byte >= '\t' && byte <= '\r');
  });
  return text ? FileKind::kText : FileKind::kOther;
}

}  // namespace tippe
