// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tippe::test {

/// Changes an HDF5 file in ways in which no writer of ours would; each change replaces what has the name.
class Hdf5Forgery {
 public:
  explicit Hdf5Forgery(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~Hdf5Forgery() { H5Fclose(file_); }
  Hdf5Forgery(const Hdf5Forgery&) = delete;
  Hdf5Forgery& operator=(const Hdf5Forgery&) = delete;

  void integers(const std::string& name, hsize_t count) {
    const std::vector<std::int64_t> values(count, 0x4141414141414141);
    dataset(name, H5T_STD_I64LE, {count}, values.data());
  }
  void numbers(const std::string& name, const std::vector<double>& values) {
    dataset(name, H5T_IEEE_F64LE, {values.size()}, values.data());
  }
  /// Fixed strings of one letter.
  void letters(const std::string& name, hsize_t count) {
    const std::string text(count, 'a');
    const hid_t type = H5Tcopy(H5T_C_S1);
    dataset(name, type, {count}, text.data());
    H5Tclose(type);
  }
  /// Strings that lie elsewhere in the file: what is stored are pointers.
  void variable_text(const std::string& name) {
    const char* text = "tippe = 1";
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    dataset(name, type, {1}, &text);
    H5Tclose(type);
  }
  /// A table of which nothing was written.
  void sparse(const std::string& name, const std::vector<hsize_t>& size, hid_t type = H5T_IEEE_F64LE) {
    const std::vector<hsize_t> chunk(size.size(), 1), unlimited(size.size(), H5S_UNLIMITED);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, static_cast<int>(size.size()), chunk.data());
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), unlimited.data());
    remove(name);
    H5Dclose(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(properties);
  }
  void group(const std::string& name) {
    remove(name);
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void link_to_file(const std::string& name, const std::string& file, const std::string& object) {
    remove(name);
    H5Lcreate_external(file.c_str(), object.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
  void link_to_itself(const std::string& name) {
    remove(name);
    H5Lcreate_soft(name.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
  void remove(const std::string& name) {
    if (H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file_, name.c_str(), H5P_DEFAULT);
  }
  /// An attribute with many numbers, or many letters.
  void long_attribute(const std::string& object, const std::string& name, hsize_t count, hid_t type = H5T_IEEE_F64LE) {
    const std::vector<double> values(count, 1.0);
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    H5Adelete_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT);
    const hid_t attribute =
        H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, values.data());
    H5Aclose(attribute);
    H5Sclose(space);
  }

 private:
  void dataset(const std::string& name, hid_t type, const std::vector<hsize_t>& size, const void* values) {
    remove(name);
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t made = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(made);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace tippe::test
