// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tippe {

/// An open HDF5 object; closes itself. 0 means none.
class Hdf5Id {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Id() = default;
  Hdf5Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept { swap(other); }
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Hdf5Id() {
    if (id_ > 0) close_(id_);
  }
  [[nodiscard]] std::int64_t get() const { return id_; }

 private:
  void swap(Hdf5Id& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
  }
  std::int64_t id_ = 0;
  Close close_ = nullptr;
};

/// A table of doubles that grows by rows; rows wait in memory until flush().
class Hdf5Table {
 public:
  Hdf5Table() = default;
  Hdf5Table(Hdf5Id dataset, int columns, bool flat) : dataset_(std::move(dataset)), columns_(columns), flat_(flat) {}

  void append(std::span<const double> row) { waiting_.insert(waiting_.end(), row.begin(), row.end()); }
  void append(double value) { waiting_.push_back(value); }
  [[nodiscard]] bool exists() const { return dataset_.get() > 0; }
  [[nodiscard]] size_t waiting() const { return waiting_.size(); }
  /// Rows so far, those that wait included.
  [[nodiscard]] std::uint64_t rows() const { return rows_ + waiting_.size() / width(); }
  /// Forgets all rows from this one on. Throws FileError if there are not so many.
  void truncate(std::uint64_t rows);
  void flush();

 private:
  friend class Hdf5File;
  [[nodiscard]] size_t width() const { return flat_ ? 1 : static_cast<size_t>(columns_); }

  Hdf5Id dataset_;
  int columns_ = 0;
  bool flat_ = true;  // one-dimensional dataset
  std::uint64_t rows_ = 0;
  std::vector<double> waiting_;
};

/// How the numbers of a table are stored.
enum class Hdf5Number { kDouble, kInt32, kUnsigned16, kUnsigned32 };
enum class Hdf5Packing { kNone, kGzip };  // kGzip: bytes shuffled first

/// What a dataset of numbers claims to hold.
struct Hdf5Extent {
  bool integers = false;
  std::vector<std::uint64_t> size;  // one entry per dimension; none for a single number
  std::uint64_t count = 1;          // their product
};

/// The few things that recordings and problem files need of HDF5. Every failure throws FileError with the file's name.
class Hdf5File {
 public:
  /// `shown` is the name in messages, if that is not the path.
  static Hdf5File create(const std::filesystem::path& path, const std::filesystem::path& shown = {});
  /// For reading; of a file that a run is writing it is a snapshot.
  static Hdf5File open(const std::filesystem::path& path);
  /// A copy in memory of a file as it is at this moment (FileSnapshot), also of one that a run is writing.
  static Hdf5File open_snapshot(const std::filesystem::path& path, std::string* stamp = nullptr);
  /// A copy of a file that lies in memory; changes stay there.
  static Hdf5File open_image(std::span<const char> image, const std::string& shown);
  static Hdf5File open_for_writing(const std::filesystem::path& path, const std::filesystem::path& shown);

  void make_group(const std::string& name);
  void write_text(const std::string& name, const std::string& text);
  void write_list(const std::string& name, const std::vector<std::string>& values);  // may be there already
  /// A list that may be there already: overwritten in place where the length is the same. `integers`: 32 bits.
  void write_numbers(const std::string& name, std::span<const double> values, bool integers = false);
  /// A new dataset with two dimensions, row by row.
  void write_matrix(const std::string& name, std::uint64_t rows, std::uint64_t columns, std::span<const double> values);
  /// columns = 0: a one-dimensional dataset. `integers`: stored as 32-bit integers.
  Hdf5Table make_table(const std::string& name, int columns, bool integers = false) {
    return make_table(name, columns, integers ? Hdf5Number::kInt32 : Hdf5Number::kDouble, Hdf5Packing::kNone);
  }
  Hdf5Table make_table(const std::string& name, int columns, Hdf5Number number, Hdf5Packing packing);
  /// One that exists, to append to it.
  Hdf5Table open_table(const std::string& name, int columns);
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  void set(const std::string& object, const std::string& attribute, const std::string& value);
  void set(const std::string& object, const std::string& attribute, double value);
  void set(const std::string& object, const std::string& attribute, std::int64_t value);
  void flush();

  // Nobody vouches for what a file holds: everything below checks what an object claims before it reads it, and throws FileError
  // unless it has the expected kind, lies in this file, and is no larger than a file of this size can hold.
  [[nodiscard]] std::string read_text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> read_list(const std::string& name) const;
  /// What a dataset of ordinary integers or floating-point numbers claims.
  [[nodiscard]] Hdf5Extent extent(const std::string& name) const;
  [[nodiscard]] std::vector<std::int64_t> read_integers(const std::string& name) const;
  [[nodiscard]] std::vector<double> read_table(const std::string& name) const;  // row by row
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& attribute) const;
  [[nodiscard]] std::string text_attribute(const std::string& object, const std::string& attribute) const;
  [[nodiscard]] double number_attribute(const std::string& object, const std::string& attribute) const;

 private:
  Hdf5File(Hdf5Id file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
  [[nodiscard]] Hdf5Id open_attribute(const std::string& object, const std::string& attribute) const;
  void write_strings(const std::string& name, const Hdf5Id& type, const Hdf5Id& space, const std::string& packed);
  void write_attribute(const std::string& object, const std::string& attribute, std::int64_t type, const Hdf5Id& space,
                       const void* data);
  [[nodiscard]] Hdf5Id open_dataset(const std::string& name) const;
  /// Throws FileError unless a dataset with elements of that size lies in this file and claims no more than it can hold.
  [[nodiscard]] Hdf5Extent measure(const std::string& name, const Hdf5Id& dataset, std::uint64_t element_bytes,
                                   const char* elements) const;
  /// Bytes of a fixed-length string, which the type must be; `what` is the name of the object.
  [[nodiscard]] size_t text_length(const Hdf5Id& type, const std::string& what) const;
  /// Passes a valid id or throws: "runs/a.h5: cannot <action>".
  std::int64_t require(std::int64_t id, const std::string& action) const;

  Hdf5Id file_;
  std::string name_;
};

}  // namespace tippe
