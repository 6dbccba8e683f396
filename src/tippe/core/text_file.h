// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tippe {

/// How messages call what a text file should hold.
struct TextFileKind {
  std::string kind;               // "scene"
  std::string instead_of_folder;  // "a scene is a .toml file"
};

/// The whole text of a file. Throws FileError if it is missing, a folder or cannot be read, InputError if it is empty, HDF5 or
/// larger than 64 MB.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, const TextFileKind& kind);

}  // namespace tippe
