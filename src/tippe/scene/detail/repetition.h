// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tippe/expr/parser.h"
#include "tippe/scene/detail/toml_reader.h"

namespace tippe {

using Indices = std::vector<IndexValue>;

/// Indices with their ranges, as a scene writes them: `for = { i = "1..12" }` in an entry, or behind a name, "x{i} for i in 1..12".
class Repetition {
 public:
  /// No index: once.
  explicit Repetition(const SourceText& source) : source_(source) {}

  /// From the value of `for`.
  [[nodiscard]] static Repetition of_entry(const SourceText& source, const toml::node& value);
  /// From a name whose quote stands at `begin`. What is before " for " goes to `repeated_name`.
  [[nodiscard]] static Repetition of_name(const SourceText& source, const std::string& name, toml::source_position begin,
                                          std::string& repeated_name);

  /// Calls once(indices) for each combination: the first index runs slowest, and later ranges may depend on earlier indices.
  /// An InputError in it gets the values of the indices. Combinations are counted before the first call as far as ranges do not
  /// depend on indices.
  void for_each(const NumberResolver& known, const std::function<void(const Indices&)>& once) const;

 private:
  struct Range {
    std::string index;
    std::string text;  // the string in which the range stands
    toml::source_position begin;
    size_t from, to;  // the range, in text
  };
  struct Bounds {
    std::int64_t first, last;
    [[nodiscard]] std::int64_t count() const { return last < first ? 0 : last - first + 1; }
  };
  /// What one walk over all combinations needs.
  struct Walk {
    const NumberResolver& known;
    const std::function<void(const Indices&)>& once;
    std::vector<std::optional<Bounds>> fixed;  // of ranges that depend on no index
    Indices indices;
    std::int64_t count;   // of combinations
    std::int64_t visits;  // of the first few indices of combinations too
  };
  void add(Range range);
  [[nodiscard]] Bounds find_bounds(const Range& range, const NumberResolver& known, const Indices& indices) const;
  void repeat_from(size_t range, Walk& walk) const;
  [[noreturn]] void fail(const Range& range, size_t offset, const std::string& message) const;

  const SourceText& source_;
  std::vector<Range> ranges_;
};

/// The names for which a text stands, "x{i} for i in 1..12" or just "x"; `begin`: its quote.
void for_each_name(const SourceText& source, const std::string& text, toml::source_position begin,
                   const NumberResolver& known, const std::function<void(const std::string& name, const Indices&)>& use);

/// One key of a table, or one of those for which a repeated key stands.
struct NamedEntry {
  std::string name;
  const toml::key* key;
  const toml::node* value;
  Indices indices;
};
/// All of them in the order of the file. A name that is set twice is an error.
[[nodiscard]] std::vector<NamedEntry> named_entries(const SourceText& source, const toml::table& table,
                                                    const NumberResolver& known);

/// Runs `work`; an InputError in it gets the values of the indices.
template <class Work>
void with_indices(const Indices& indices, Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(error.position(), error.what() + describe_indices(indices));
  }
}

}  // namespace tippe
