// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "tippe/core/error.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe {
namespace {

struct NumberType {
  hid_t id;
  bool integer;
};

/// The numbers that are read from strangers' files, or nullptr: HDF5 knows more, down to fields of single bits.
const NumberType* find_number_type(hid_t type) {
  static const std::array<NumberType, 20> kTypes = {
      {{H5T_STD_I8LE, true},    {H5T_STD_I16LE, true},   {H5T_STD_I32LE, true},   {H5T_STD_I64LE, true},
       {H5T_STD_U8LE, true},    {H5T_STD_U16LE, true},   {H5T_STD_U32LE, true},   {H5T_STD_U64LE, true},
       {H5T_STD_I8BE, true},    {H5T_STD_I16BE, true},   {H5T_STD_I32BE, true},   {H5T_STD_I64BE, true},
       {H5T_STD_U8BE, true},    {H5T_STD_U16BE, true},   {H5T_STD_U32BE, true},   {H5T_STD_U64BE, true},
       {H5T_IEEE_F32LE, false}, {H5T_IEEE_F64LE, false}, {H5T_IEEE_F32BE, false}, {H5T_IEEE_F64BE, false}}};
  for (const NumberType& number : kTypes) {
    if (H5Tequal(type, number.id) > 0) return &number;
  }
  return nullptr;
}

std::string trimmed(const char* data, size_t length) {
  return {data, strnlen(data, length)};
}

/// Whether the data were compressed by one pass of gzip; `refuse` throws for other filters.
bool is_deflated(hid_t creation, const std::function<void(const std::string&)>& refuse) {
  int deflates = 0;
  for (int k = 0, filters = H5Pget_nfilters(creation); k < filters; ++k) {
    unsigned flags = 0;
    size_t parameters = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &parameters, nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_DEFLATE) ++deflates;
    const bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32;
    if (!known || deflates > 1) refuse("is compressed in another way than by one pass of gzip");
  }
  return deflates > 0;
}

}  // namespace

Hdf5Extent Hdf5File::measure(const std::string& name, const Hdf5Id& dataset, std::uint64_t element_bytes,
                             const char* elements) const {
  const auto refuse = [&](const std::string& why) { throw FileError(fmt::format("{}: {}: {}", name_, name, why)); };
  const Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose), creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (space.get() < 0 || creation.get() < 0 || element_bytes == 0) refuse("damaged");

  // Only what can be judged by its size is read: Deflate packs at most 1032 bytes into one, other filters any number. Data that
  // were never written take no place, and are read as zeros: a few of them are all right.
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0)
    refuse("lies in another file");
  const std::uint64_t packing = is_deflated(creation.get(), refuse) ? 1100 : 1;
  constexpr std::uint64_t kUnwritten = std::uint64_t{1} << 22, kMostBytes = std::uint64_t{1} << 32;
  hsize_t file_size = 0;
  require(H5Fget_filesize(file_.get(), &file_size), "find its size");
  const std::uint64_t most_bytes =
      std::min(kMostBytes, std::min<std::uint64_t>(file_size, kMostBytes) * packing + kUnwritten);
  const auto product = [&](std::span<const hsize_t> sizes) {
    std::uint64_t count = 1;
    for (const hsize_t size : sizes) {
      if (size == 0) return std::uint64_t{0};
      if (count > most_bytes / element_bytes / size)
        refuse(fmt::format("claims more {} than a file of {} bytes can hold", elements, file_size));
      count *= size;
    }
    return count;
  };
  Hdf5Extent extent;
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0 || H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr) < 0) refuse("damaged");
  extent.size.assign(sizes.begin(), sizes.begin() + rank);
  extent.count = H5Sget_simple_extent_type(space.get()) == H5S_NULL ? 0 : product({sizes.data(), static_cast<size_t>(rank)});
  if (H5Pget_layout(creation.get()) == H5D_CHUNKED) {
    const int chunk_rank = H5Pget_chunk(creation.get(), H5S_MAX_RANK, sizes.data());
    if (chunk_rank < 0) refuse("damaged");
    (void)product({sizes.data(), static_cast<size_t>(chunk_rank)});
  }
  return extent;
}

Hdf5Extent Hdf5File::extent(const std::string& name) const {
  const Hdf5Id dataset = open_dataset(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const NumberType* number = find_number_type(type.get());
  if (number == nullptr)
    throw FileError(fmt::format("{}: {}: does not consist of ordinary integers or floating-point numbers", name_, name));
  Hdf5Extent extent = measure(name, dataset, H5Tget_size(type.get()), "numbers");
  extent.integers = number->integer;
  return extent;
}

std::vector<std::int64_t> Hdf5File::read_integers(const std::string& name) const {
  std::vector<std::int64_t> values(extent(name).count);
  const Hdf5Id dataset = open_dataset(name);
  if (!values.empty())
    require(H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name);
  return values;
}

std::vector<double> Hdf5File::read_table(const std::string& name) const {
  std::vector<double> values(extent(name).count);
  const Hdf5Id dataset = open_dataset(name);
  if (!values.empty())
    require(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name);
  return values;
}

double Hdf5File::number_attribute(const std::string& object, const std::string& attribute) const {
  const Hdf5Id handle = open_attribute(object, attribute);
  const Hdf5Id type(H5Aget_type(handle.get()), H5Tclose), space(H5Aget_space(handle.get()), H5Sclose);
  double value = 0.0;
  const bool fits = find_number_type(type.get()) != nullptr && H5Sget_simple_extent_npoints(space.get()) == 1;
  if (!fits || H5Aread(handle.get(), H5T_NATIVE_DOUBLE, &value) < 0)
    throw FileError(fmt::format("{}: damaged: the attribute {} of {} is not a number", name_, attribute, object));
  return value;
}

size_t Hdf5File::text_length(const Hdf5Id& type, const std::string& what) const {
  const bool fixed = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if (!fixed) throw FileError(fmt::format("{}: damaged: {} is not a text", name_, what));
  hsize_t file_size = 0;
  require(H5Fget_filesize(file_.get(), &file_size), "find its size");
  const size_t length = H5Tget_size(type.get());
  if (length == 0 || length > file_size) throw FileError(fmt::format("{}: damaged: {} is too long", name_, what));
  return length;
}

std::string Hdf5File::read_text(const std::string& name) const {
  const std::vector<std::string> texts = read_list(name);
  if (texts.size() != 1) throw FileError(fmt::format("{}: damaged: {} is not a single text", name_, name));
  return texts.front();
}

std::vector<std::string> Hdf5File::read_list(const std::string& name) const {
  const Hdf5Id dataset = open_dataset(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const size_t length = text_length(type, name);
  const std::uint64_t count = measure(name, dataset, length, "texts").count;
  hsize_t file_size = 0;
  require(H5Fget_filesize(file_.get(), &file_size), "find its size");
  if (count > file_size) throw FileError(fmt::format("{}: damaged: {} claims {} texts", name_, name, count));
  std::string packed(length * count, '\0');
  if (count > 0) require(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), "read " + name);
  std::vector<std::string> values;
  for (size_t k = 0; k < count; ++k) values.push_back(trimmed(packed.data() + k * length, length));
  return values;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& attribute) const {
  const Hdf5Id handle = open_attribute(object, attribute);
  const Hdf5Id type(H5Aget_type(handle.get()), H5Tclose), space(H5Aget_space(handle.get()), H5Sclose);
  std::string text(text_length(type, fmt::format("the attribute {} of {}", attribute, object)), '\0');
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Aread(handle.get(), type.get(), text.data()) < 0)
    throw FileError(fmt::format("{}: damaged: the attribute {} of {} is not a text", name_, attribute, object));
  return trimmed(text.data(), text.size());
}

}  // namespace tippe
