// SPDX-License-Identifier: Apache-2.0
#include "tippe/storage/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "tippe/core/error.h"
#include "tippe/core/file_kind.h"
#include "tippe/storage/file_snapshot.h"

namespace tippe {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

/// HDF5 prints its error stack by default; we throw instead. Its exit handler would crash on a file that could not be closed
/// because the disk is full; we close everything ourselves.
void prepare_hdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void require_file(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw FileError(path.string(), "no such file");
  if (std::filesystem::is_directory(path)) throw FileError(path.string(), "is a folder, not an HDF5 file");
  // Opening a pipe waits for whoever writes to it; a device may have no end.
  if (!std::filesystem::is_regular_file(path)) throw FileError(path.string(), "is not a regular file");
}

/// For opening objects by name. A link to another file is not followed: a stranger's file could name any file of the reader's.
Hdf5Id within_this_file(hid_t properties = H5P_LINK_ACCESS) {
  Hdf5Id access(H5Pcreate(properties), H5Pclose);
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
    return -1;
  };
  H5Pset_elink_cb(access.get(), refuse, nullptr);
  return access;
}

/// By its first bytes.
void require_hdf5(const std::filesystem::path& path) {
  constexpr size_t kStart = 512;  // bytes
  std::error_code ignored;
  std::string reason = "not a readable HDF5 file";
  Remedy remedy = Remedy::kNone;
  if (std::filesystem::is_regular_file(path, ignored)) {
    std::ifstream file(path, std::ios::binary);
    std::string start(kStart, '\0');
    file.read(start.data(), kStart);
    start.resize(static_cast<size_t>(file.gcount()));
    const FileKind kind = file_kind(start);
    if (kind == FileKind::kHdf5) return;
    if (!file.is_open()) {
      reason = "cannot be read";
    } else if (kind == FileKind::kEmpty) {
      reason = "is empty";
    } else if (kind == FileKind::kText) {
      reason = "is text, not HDF5";
      if (path.extension() == ".toml") remedy = Remedy::kOpenAsScene;
    }
  }
  throw FileError(path.string(), reason, remedy);
}

/// For files that are written for long. The cache of what HDF5 knows of a file would grow with it, up to 32 MB.
Hdf5Id with_small_cache() {
  constexpr size_t kBytes = size_t{1} << 20;
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access.get(), &cache);
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = kBytes;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access.get(), &cache);
  return access;
}

Hdf5Id space_id(hid_t id) {
  return {id, H5Sclose};
}

Hdf5Id string_type(size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length == 0 ? 1 : length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return {type, H5Tclose};
}

}  // namespace

std::int64_t Hdf5File::require(std::int64_t id, const std::string& action) const {
  if (id < 0) throw FileError(fmt::format("{}: cannot {}", name_, action));
  return id;
}

void Hdf5Table::truncate(std::uint64_t rows) {
  waiting_.clear();
  if (rows == rows_) return;
  const std::array<hsize_t, 2> total = {rows, width()};
  if (rows > rows_ || H5Dset_extent(dataset_.get(), total.data()) < 0)
    throw FileError("the recording is damaged: a table is shorter than its checkpoint says");
  rows_ = rows;
}

void Hdf5Table::flush() {
  if (waiting_.empty()) return;
  const hsize_t added = waiting_.size() / width();
  const std::array<hsize_t, 2> total = {rows_ + added, width()}, start = {rows_, 0}, count = {added, width()};
  const int rank = flat_ ? 1 : 2;
  bool ok = H5Dset_extent(dataset_.get(), total.data()) >= 0;
  if (ok) {
    const Hdf5Id file_space = space_id(H5Dget_space(dataset_.get()));
    const Hdf5Id memory_space = space_id(H5Screate_simple(rank, count.data(), nullptr));
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    ok =
        H5Dwrite(dataset_.get(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, waiting_.data()) >= 0;
  }
  if (!ok) throw FileError("cannot write to the recording; is the disk full?");
  rows_ += added;
  waiting_.clear();
}

Hdf5File Hdf5File::create(const std::filesystem::path& path, const std::filesystem::path& shown) {
  prepare_hdf5();
  const std::string name = (shown.empty() ? path : shown).string();
  std::error_code ignored;
  // Whoever still reads the old file keeps it.
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  errno = 0;
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, with_small_cache().get());
  if (id < 0)
    throw FileError(
        fmt::format("{}: cannot create the file{}", name, errno != 0 ? fmt::format(" ({})", std::strerror(errno)) : ""));
  return {Hdf5Id(id, H5Fclose), name};
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  prepare_hdf5();
  require_file(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return open_snapshot(path);  // locked by the run that writes it, or not readable at all
  return {Hdf5Id(id, H5Fclose), path.string()};
}

Hdf5File Hdf5File::open_snapshot(const std::filesystem::path& path, std::string* stamp) {
  require_file(path);
  require_hdf5(path);
  const FileSnapshot snapshot(path);
  if (stamp != nullptr) *stamp = snapshot.stamp();
  return open_image(snapshot.bytes(), path.string());
}

Hdf5File Hdf5File::open_image(std::span<const char> image, const std::string& shown) {
  prepare_hdf5();
  constexpr size_t kIncrement = 65536;
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), kIncrement, false);
  H5Pset_file_image(access.get(), const_cast<char*>(image.data()), image.size());
  // HDF5 wants a name that no file has: not this one where it is that of a file.
  const hid_t id = H5Fopen((shown + "/image").c_str(), H5F_ACC_RDWR, access.get());
  if (id < 0) throw FileError(fmt::format("{}: not a readable HDF5 file", shown));
  return {Hdf5Id(id, H5Fclose), shown};
}

Hdf5File Hdf5File::open_for_writing(const std::filesystem::path& path, const std::filesystem::path& shown) {
  prepare_hdf5();
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, with_small_cache().get());
  if (id < 0) throw FileError(fmt::format("{}: cannot be opened for writing", shown.string()));
  return {Hdf5Id(id, H5Fclose), shown.string()};
}

void Hdf5File::make_group(const std::string& name) {
  const Hdf5Id group(
      require(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "make group " + name), H5Gclose);
}

void Hdf5File::write_strings(const std::string& name, const Hdf5Id& type, const Hdf5Id& space, const std::string& packed) {
  const hid_t id = H5Dcreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT,
                              within_this_file(H5P_DATASET_ACCESS).get());
  const Hdf5Id dataset(require(id, "make dataset " + name), H5Dclose);
  require(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.c_str()), "write " + name);
}

void Hdf5File::write_text(const std::string& name, const std::string& text) {
  write_strings(name, string_type(text.size()), space_id(H5Screate(H5S_SCALAR)), text);
}

void Hdf5File::write_list(const std::string& name, const std::vector<std::string>& values) {
  size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  std::string packed(length * values.size(), '\0');
  for (size_t k = 0; k < values.size(); ++k) packed.replace(k * length, values[k].size(), values[k]);
  const auto count = static_cast<hsize_t>(values.size());
  if (has(name)) require(H5Ldelete(file_.get(), name.c_str(), within_this_file().get()), "replace " + name);
  write_strings(name, string_type(length), space_id(H5Screate_simple(1, &count, nullptr)), packed);
}

void Hdf5File::write_numbers(const std::string& name, std::span<const double> values, bool integers) {
  const auto count = static_cast<hsize_t>(values.size());
  Hdf5Id dataset;
  if (has(name)) {
    dataset = open_dataset(name);
    const Hdf5Id old = space_id(H5Dget_space(dataset.get()));
    if (H5Sget_simple_extent_npoints(old.get()) != static_cast<hssize_t>(count)) {
      dataset = Hdf5Id();
      require(H5Ldelete(file_.get(), name.c_str(), within_this_file().get()), "replace " + name);
    }
  }
  if (dataset.get() == 0) {
    const Hdf5Id space = space_id(H5Screate_simple(1, &count, nullptr));
    const hid_t id = H5Dcreate2(file_.get(), name.c_str(), integers ? H5T_STD_I32LE : H5T_IEEE_F64LE, space.get(),
                                H5P_DEFAULT, H5P_DEFAULT, within_this_file(H5P_DATASET_ACCESS).get());
    dataset = Hdf5Id(require(id, "make dataset " + name), H5Dclose);
  }
  if (count > 0)
    require(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
}

void Hdf5File::write_matrix(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                            std::span<const double> values) {
  const std::array<hsize_t, 2> size = {rows, columns};
  const Hdf5Id space = space_id(H5Screate_simple(2, size.data(), nullptr));
  const hid_t id = H5Dcreate2(file_.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const Hdf5Id dataset(require(id, "make dataset " + name), H5Dclose);
  if (!values.empty())
    require(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
}

bool Hdf5File::has(const std::string& name) const {
  return H5Lexists(file_.get(), name.c_str(), within_this_file().get()) > 0;
}

Hdf5Table Hdf5File::make_table(const std::string& name, int columns, Hdf5Number number, Hdf5Packing packing) {
  constexpr hsize_t kChunkBytes = 65536;
  const bool flat = columns == 0;
  const int rank = flat ? 1 : 2;
  const hsize_t width = flat ? 1 : static_cast<hsize_t>(columns);
  const std::array<hsize_t, 2> none = {0, width}, unlimited = {H5S_UNLIMITED, width};
  const std::array<hsize_t, 2> chunk = {std::max<hsize_t>(1, kChunkBytes / sizeof(double) / width), width};
  const Hdf5Id space = space_id(H5Screate_simple(rank, none.data(), unlimited.data()));
  const Hdf5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.get(), rank, chunk.data());
  if (packing == Hdf5Packing::kGzip) {
    constexpr unsigned kFast = 1;
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), kFast);
  }
  const std::array<hid_t, 4> types = {H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U16LE, H5T_STD_U32LE};
  const hid_t id = H5Dcreate2(file_.get(), name.c_str(), types[static_cast<size_t>(number)], space.get(), H5P_DEFAULT,
                              properties.get(), H5P_DEFAULT);
  return {Hdf5Id(require(id, "make dataset " + name), H5Dclose), columns, flat};
}

Hdf5Table Hdf5File::open_table(const std::string& name, int columns) {
  const std::vector<std::uint64_t> size = extent(name).size;
  Hdf5Table table(open_dataset(name), columns, columns == 0);
  if (size.size() != (table.flat_ ? 1 : 2) || (!table.flat_ && size[1] != table.width()))
    throw FileError(fmt::format("{}: damaged: {} has another shape", name_, name));
  table.rows_ = size[0];
  return table;
}

void Hdf5File::write_attribute(const std::string& object, const std::string& attribute, std::int64_t type,
                               const Hdf5Id& space, const void* data) {
  if (has_attribute(object, attribute)) {
    // Opened by way of its object: HDF5 1.10 does not write to one that is opened by H5Aopen_by_name.
    const Hdf5Id owner(require(H5Oopen(file_.get(), object.c_str(), within_this_file().get()), "find " + object), H5Oclose);
    const Hdf5Id old(require(H5Aopen(owner.get(), attribute.c_str(), H5P_DEFAULT), "find attribute " + attribute), H5Aclose);
    const Hdf5Id old_type(H5Aget_type(old.get()), H5Tclose), old_space = space_id(H5Aget_space(old.get()));
    if (H5Tequal(old_type.get(), type) > 0 && H5Sget_simple_extent_npoints(old_space.get()) == 1) {
      require(H5Awrite(old.get(), type, data), "write attribute " + attribute);
      return;
    }
  }
  if (has_attribute(object, attribute))
    H5Adelete_by_name(file_.get(), object.c_str(), attribute.c_str(), within_this_file().get());
  const hid_t id = H5Acreate_by_name(file_.get(), object.c_str(), attribute.c_str(), type, space.get(), H5P_DEFAULT,
                                     H5P_DEFAULT, within_this_file().get());
  const Hdf5Id handle(require(id, "make attribute " + attribute), H5Aclose);
  require(H5Awrite(handle.get(), type, data), "write attribute " + attribute);
}

void Hdf5File::set(const std::string& object, const std::string& attribute, const std::string& value) {
  write_attribute(object, attribute, string_type(value.size()).get(), space_id(H5Screate(H5S_SCALAR)), value.c_str());
}

void Hdf5File::set(const std::string& object, const std::string& attribute, double value) {
  write_attribute(object, attribute, H5T_NATIVE_DOUBLE, space_id(H5Screate(H5S_SCALAR)), &value);
}

void Hdf5File::set(const std::string& object, const std::string& attribute, std::int64_t value) {
  write_attribute(object, attribute, H5T_NATIVE_INT64, space_id(H5Screate(H5S_SCALAR)), &value);
}

void Hdf5File::flush() {
  require(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "flush; is the disk full?");
}

Hdf5Id Hdf5File::open_dataset(const std::string& name) const {
  return {require(H5Dopen2(file_.get(), name.c_str(), within_this_file(H5P_DATASET_ACCESS).get()), "find " + name),
          H5Dclose};
}

Hdf5Id Hdf5File::open_attribute(const std::string& object, const std::string& attribute) const {
  return {require(H5Aopen_by_name(file_.get(), object.c_str(), attribute.c_str(), H5P_DEFAULT, within_this_file().get()),
                  "find attribute " + attribute),
          H5Aclose};
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& attribute) const {
  return H5Aexists_by_name(file_.get(), object.c_str(), attribute.c_str(), within_this_file().get()) > 0;
}

}  // namespace tippe
