// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "tippe/core/error.h"

namespace tippe {

/// Everything that the rest of a run depends on, as numbers with names. Counts are below 2^53 and exact.
struct Checkpoint {
  std::vector<std::string> names;
  std::vector<double> values;
  std::vector<double> integrator_memory;
  std::vector<std::string> warnings;  // of the integrator so far
  /// How many rows the tables of the recording had at this moment; filled in by the recording.
  std::int64_t samples = 0, steps = 0, impacts = 0, events = 0;
};

/// Collects a checkpoint. The objects of a run have a function `visit(archive)` that names their members; the same function
/// writes and reads, so that the two cannot differ.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  template <class Number>
  void operator()(const std::string& name, const Number& value) {
    if constexpr (std::is_arithmetic_v<Number>) {
      checkpoint_.names.push_back(name);
      checkpoint_.values.push_back(static_cast<double>(value));
    } else {
      for (decltype(value.size()) k = 0; k < value.size(); ++k) (*this)(name + "[" + std::to_string(k) + "]", value[k]);
    }
  }

 private:
  Checkpoint& checkpoint_;
};

/// Puts the numbers back, into members that have their sizes already. Throws FileError if they are others.
class CheckpointReader {
 public:
  explicit CheckpointReader(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  template <class Number>
  void operator()(const std::string& name, Number& value) {
    if constexpr (std::is_arithmetic_v<Number>) {
      if (next_ >= checkpoint_.values.size() || next_ >= checkpoint_.names.size() || checkpoint_.names[next_] != name)
        throw FileError("the checkpoint does not fit the scene: no '" + name + "' where it was expected");
      value = static_cast<Number>(checkpoint_.values[next_++]);
    } else {
      for (decltype(value.size()) k = 0; k < value.size(); ++k) (*this)(name + "[" + std::to_string(k) + "]", value[k]);
    }
  }

 private:
  const Checkpoint& checkpoint_;
  size_t next_ = 0;
};

}  // namespace tippe
