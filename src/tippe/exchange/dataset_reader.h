// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "tippe/storage/hdf5_file.h"

namespace tippe {

/// Reads the datasets of a problem file that nobody vouches for. Whatever is wrong becomes an InputError or a FileError with the
/// file and the dataset; no dataset is read before its size is known to be right.
class DatasetReader {
 public:
  explicit DatasetReader(const Hdf5File& file) : file_(file) {}

  /// Throws InputError: "file: error: <dataset>: <what>".
  [[noreturn]] void refuse(const std::string& dataset, const std::string& what) const;
  [[nodiscard]] bool has(const std::string& name) const { return file_.has(name); }
  [[nodiscard]] const Hdf5File& file() const { return file_; }

  /// How many numbers a dataset with at most one dimension has.
  [[nodiscard]] int length(const std::string& name) const;
  /// The same, and it must be `expected`; `meaning` tells why: "one per row".
  void require_length(const std::string& name, long long expected, const std::string& meaning) const;

  [[nodiscard]] int integer(const std::string& name) const;
  [[nodiscard]] std::vector<int> integers(const std::string& name) const;
  /// Finite numbers only.
  [[nodiscard]] Eigen::VectorXd vector(const std::string& name) const;
  /// Infinite ones too, but no NaN.
  [[nodiscard]] Eigen::VectorXd vector_with_infinities(const std::string& name) const;
  /// Two dimensions, row by row; finite numbers only. One without entries may have any shape and comes back as 0 x 0.
  [[nodiscard]] Eigen::MatrixXd matrix(const std::string& name) const;

  /// Refuses the first entry for which `fine` does not hold: "entry 3 is -0.1; <rule>". Entries are counted from 0.
  void check_entries(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& values,
                     const std::function<bool(double)>& fine, const std::string& rule) const;
  void check_entries(const std::string& name, const std::vector<int>& values, const std::function<bool(int)>& fine,
                     const std::string& rule) const;

 private:
  const Hdf5File& file_;
};

}  // namespace tippe
