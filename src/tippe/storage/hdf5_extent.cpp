// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>

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

}  // namespace

Hdf5Extent Hdf5File::extent(const std::string& name) const {
  const auto refuse = [&](const std::string& why) { throw FileError(fmt::format("{}: {}: {}", name_, name, why)); };
  const Hdf5Id dataset = open_dataset(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  const Hdf5Id creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (type.get() < 0 || space.get() < 0 || creation.get() < 0) refuse("damaged");
  Hdf5Extent extent;
  const NumberType* number = find_number_type(type.get());
  if (number == nullptr) refuse("does not consist of ordinary integers or floating-point numbers");
  extent.integers = number->integer;

  // Only what can be judged by its size is read: Deflate packs at most 1032 bytes into one, other filters any number.
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0)
    refuse("lies in another file");
  for (int k = 0, filters = H5Pget_nfilters(creation.get()), deflates = 0; k < filters; ++k) {
    unsigned flags = 0;
    size_t parameters = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.get(), static_cast<unsigned>(k), &flags, &parameters, nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_DEFLATE) ++deflates;
    const bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32;
    if (!known || deflates > 1) refuse("is compressed in another way than by one pass of gzip");
  }
  constexpr std::uint64_t kPacking = 1100, kSmallFile = 4096, kMostBytes = std::uint64_t{1} << 32;
  hsize_t file_size = 0;
  require(H5Fget_filesize(file_.get(), &file_size), "find its size");
  const std::uint64_t most_numbers =
      std::min(kMostBytes, (std::min<std::uint64_t>(file_size, kMostBytes) + kSmallFile) * kPacking) / sizeof(double);
  const auto product = [&](std::span<const hsize_t> sizes) {
    std::uint64_t count = 1;
    for (const hsize_t size : sizes) {
      if (size == 0) return std::uint64_t{0};
      if (count > most_numbers / size)
        refuse(fmt::format("claims more numbers than a file of {} bytes can hold", file_size));
      count *= size;
    }
    return count;
  };
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

}  // namespace tippe
