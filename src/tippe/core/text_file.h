// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tippe {

/// How messages call what a text file should hold.
struct TextFileKind {
  std::string kind;               // "scene"
  std::string instead_of_folder;  // "a scene is a .toml file"
  std::string instead_of_hdf5;    // what else can be done with an HDF5 file; {0} is its name
};

/// The whole text of a file. Throws InputError if it is missing, empty, a folder, HDF5, larger than 64 MB or cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, const TextFileKind& kind);

}  // namespace tippe
