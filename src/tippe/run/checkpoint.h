// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/core/named_arrays.h"

namespace tippe {

/// Everything that the rest of a run depends on, as numbers and arrays with names. Counts are below 2^53 and exact.
struct Checkpoint {
  std::vector<std::string> names;  // of single numbers
  std::vector<double> values;
  NamedArrays arrays;
  NamedArrays integrator_memory;
  std::vector<std::string> warnings;  // of the integrator so far
  /// How many rows the tables of the recording had at this moment; filled in by the recording.
  std::int64_t samples = 0, steps = 0, impacts = 0, events = 0, contacts = 0;
};

/// Collects a checkpoint. The objects of a run have a function `visit(archive)` that names their members; the same function
/// writes and reads, so that the two cannot differ.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  void operator()(const std::string& name, const GrowingArray& array) {
    checkpoint_.arrays.begin_array(name) = array.values;
  }
  template <class Number>
  void operator()(const std::string& name, const Number& value) {
    if constexpr (std::is_arithmetic_v<Number>) {
      checkpoint_.names.push_back(name);
      checkpoint_.values.push_back(static_cast<double>(value));
    } else {
      std::vector<double>& values = checkpoint_.arrays.begin_array(name);
      for (decltype(value.size()) k = 0; k < value.size(); ++k) values.push_back(static_cast<double>(value[k]));
    }
  }

 private:
  Checkpoint& checkpoint_;
};

/// Puts the numbers back, into members that have their sizes already. Throws FileError if they are others, or if a number is none or
/// does not fit its member.
class CheckpointReader {
 public:
  explicit CheckpointReader(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  void operator()(const std::string& name, GrowingArray& array) {
    const std::vector<double>* stored = checkpoint_.arrays.find(name);
    if (stored == nullptr) throw FileError("the checkpoint does not fit the scene: no '" + name + "'");
    array.values = *stored;
  }
  template <class Number>
  void operator()(const std::string& name, Number& value) {
    if constexpr (std::is_arithmetic_v<Number>) {
      if (next_ >= checkpoint_.values.size() || next_ >= checkpoint_.names.size() || checkpoint_.names[next_] != name)
        throw FileError("the checkpoint does not fit the scene: no '" + name + "' where it was expected");
      value = convert<Number>(name, checkpoint_.values[next_++]);
    } else {
      const std::vector<double>* stored = checkpoint_.arrays.find(name);
      if (stored == nullptr || stored->size() != static_cast<size_t>(value.size()))
        throw FileError("the checkpoint does not fit the scene: no '" + name + "' of length " +
                        std::to_string(value.size()));
      for (size_t k = 0; k < stored->size(); ++k) {
        using Entry = std::remove_reference_t<decltype(value[0])>;
        value[static_cast<decltype(value.size())>(k)] = convert<Entry>(name, (*stored)[k]);
      }
    }
  }

 private:
  template <class Number>
  static Number convert(const std::string& name, double number) {
    if (!fits<Number>(number)) throw FileError("the checkpoint is damaged: '" + name + "' is " + std::to_string(number));
    return static_cast<Number>(number);
  }
  template <class Number>
  static bool fits(double number) {
    if constexpr (std::is_floating_point_v<Number>) return !std::isnan(number);
    constexpr double kLargestExact = 9007199254740992.0;  // 2^53
    const auto most = std::min(kLargestExact, static_cast<double>(std::numeric_limits<Number>::max()));
    const auto least = std::max(-kLargestExact, static_cast<double>(std::numeric_limits<Number>::lowest()));
    return number >= least && number <= most && number == std::trunc(number);
  }

  const Checkpoint& checkpoint_;
  size_t next_ = 0;
};

}  // namespace tippe
