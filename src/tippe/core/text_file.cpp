// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/text_file.h"

#include <fstream>

#include "tippe/core/error.h"
#include "tippe/core/file_kind.h"

namespace tippe {

std::string read_text_file(const std::filesystem::path& path, const TextFileKind& kind) {
  const SourcePosition whole_file{path.string(), 0, 0};
  std::error_code trouble;
  const std::filesystem::file_status status = std::filesystem::status(path, trouble);
  if (status.type() == std::filesystem::file_type::not_found) throw FileError(path.string(), "no such file");
  if (trouble) throw FileError(path.string(), "cannot be read (" + trouble.message() + ")");
  if (std::filesystem::is_directory(status)) throw FileError(path.string(), "is a folder; " + kind.instead_of_folder);
  std::ifstream stream(path, std::ios::binary);
  // By what comes, not by what the file system says: a device may have no end.
  constexpr size_t kLargestFile = size_t{64} << 20, kPiece = size_t{1} << 16;
  std::string text;
  for (size_t got = 1; got > 0 && text.size() <= kLargestFile;) {
    const size_t before = text.size();
    text.resize(before + kPiece);
    got = static_cast<size_t>(stream.read(text.data() + before, kPiece).gcount());
    text.resize(before + got);
  }
  if (text.size() > kLargestFile) throw InputError(whole_file, "is larger than 64 MB, which is no " + kind.kind);
  if (!stream.is_open()) throw FileError(path.string(), "cannot be read");
  if (text.empty()) throw InputError(whole_file, "is empty");
  if (file_kind(std::string_view(text).substr(0, 8)) == FileKind::kHdf5)
    throw InputError(whole_file, "is an HDF5 file, not a " + kind.kind, Remedy::kOpenAsHdf5);
  return text;
}

}  // namespace tippe
