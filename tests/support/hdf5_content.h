// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tippe::test {

/// The bytes of a dataset or an attribute, and its shape.
struct Hdf5Content {
  std::vector<hsize_t> shape;
  std::vector<char> bytes;
  bool operator==(const Hdf5Content&) const = default;
};
/// "samples/q" -> dataset, "options@dt" -> attribute.
using Hdf5Contents = std::map<std::string, Hdf5Content>;

namespace detail {

inline Hdf5Content read_content(hid_t space, hid_t type, const auto& read) {
  Hdf5Content content;
  content.shape.resize(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, content.shape.data(), nullptr);
  content.bytes.resize(static_cast<size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type));
  if (!content.bytes.empty() && read(content.bytes.data()) < 0) content.bytes.clear();
  H5Sclose(space);
  H5Tclose(type);
  return content;
}

inline herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* target) {
  auto& [path, contents] = *static_cast<std::pair<std::string, Hdf5Contents*>*>(target);
  const hid_t id = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(id);
  (*contents)[path + "@" + name] = read_content(H5Aget_space(id), type, [&](void* data) { return H5Aread(id, type, data); });
  H5Aclose(id);
  return 0;
}

inline herr_t add_object(hid_t file, const char* name, const H5O_info_t* info, void* target) {
  auto& contents = *static_cast<Hdf5Contents*>(target);
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object);
    contents[name] = read_content(H5Dget_space(object), type,
                                  [&](void* data) { return H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); });
  }
  std::pair<std::string, Hdf5Contents*> attributes{name, &contents};
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &attributes);
  H5Oclose(object);
  return 0;
}

}  // namespace detail

/// Everything in a file, by an ordinary read-only open; nothing if it does not open or cannot be read to the end.
inline std::optional<Hdf5Contents> read_contents(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return std::nullopt;
  Hdf5Contents contents;
  const bool fine = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, detail::add_object, &contents) >= 0;
  H5Fclose(file);
  if (!fine) return std::nullopt;
  return contents;
}

}  // namespace tippe::test
