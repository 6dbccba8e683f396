// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tippe {

/// An array whose length a checkpoint says.
struct GrowingArray {
  std::vector<double> values;
};

/// Arrays of numbers with names, in the order in which they were made: what a checkpoint keeps.
class NamedArrays {
 public:
  struct Array {
    std::string name;
    std::vector<double> values;
    bool operator==(const Array&) const = default;
  };

  /// The array of that name, emptied; a new one if there is none. Arrays keep their memory, so that filling them again allocates nothing.
  std::vector<double>& begin_array(std::string_view name) {
    for (Array& array : arrays_) {
      if (array.name != name) continue;
      array.values.clear();
      return array.values;
    }
    return arrays_.emplace_back(Array{std::string(name), {}}).values;
  }
  void add(std::string name, std::vector<double> values) { arrays_.push_back({std::move(name), std::move(values)}); }

  [[nodiscard]] const std::vector<double>* find(std::string_view name) const {
    for (const Array& array : arrays_) {
      if (array.name == name) return &array.values;
    }
    return nullptr;
  }
  /// Throws std::invalid_argument if there is no such array.
  [[nodiscard]] const std::vector<double>& at(std::string_view name) const {
    const std::vector<double>* found = find(name);
    if (found == nullptr) throw std::invalid_argument("there is no array '" + std::string(name) + "'");
    return *found;
  }
  /// The same with a size that it must have.
  [[nodiscard]] std::span<const double> at(std::string_view name, size_t size) const {
    const std::vector<double>& values = at(name);
    if (values.size() != size)
      throw std::invalid_argument("the array '" + std::string(name) + "' has " + std::to_string(values.size()) +
                                  " numbers, and " + std::to_string(size) + " are expected");
    return values;
  }
  [[nodiscard]] const std::vector<Array>& all() const { return arrays_; }
  [[nodiscard]] bool empty() const { return arrays_.empty(); }
  bool operator==(const NamedArrays&) const = default;

 private:
  std::vector<Array> arrays_;
};

}  // namespace tippe
