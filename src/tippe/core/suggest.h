// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tippe {

/// The candidate that `word` was probably meant to be, or "" if none is close: at most one third of its
/// letters wrong, counting insertions, deletions, substitutions and swaps of neighbours, ignoring case. Words
/// of one or two letters match only the same letters in another order or case, or a word that they begin. If nothing is close, the only candidate that the
/// word begins, or that begins it.
[[nodiscard]] std::string closest_match(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'potential'?" or "".
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c"; of more than 40 words the first ones, "and 60 more".
[[nodiscard]] std::string comma_list(std::span<const std::string> words);

}  // namespace tippe
