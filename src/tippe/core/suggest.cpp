// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/suggest.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tippe {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Edit distance with swaps of neighbours (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_previous(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int substitution = previous[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_previous[j - 2] + 1);
    }
    std::swap(before_previous, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

/// For words of one or two letters, where one wrong letter says nothing: the same letters, or their
/// beginning.
bool short_match(std::string_view word, std::string_view candidate) {
  if (candidate.size() == word.size()) return std::is_permutation(word.begin(), word.end(), candidate.begin(), same_letter);
  return word.size() == 2 && candidate.starts_with(word);
}

/// The only candidate that the word begins, or that begins the word: "stiff" for "stiffness".
std::string only_beginning(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLetters = 3;  // fewer begin too much
  const auto begins = [](std::string_view part, std::string_view whole) {
    return part.size() >= kLetters && part.size() <= whole.size() &&
           std::equal(part.begin(), part.end(), whole.begin(), same_letter);
  };
  std::string found;
  for (const std::string& candidate : candidates) {
    if (!begins(word, candidate) && !begins(candidate, word)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::string closest_match(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLongestWord = 64;  // longer ones are no misspelling, and the distance is quadratic
  if (word.size() > kLongestWord) return {};
  std::string best;
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    if (word.size() <= 2 && !short_match(word, candidate)) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? only_beginning(word, candidates) : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string match = closest_match(word, candidates);
  return match.empty() ? "" : "; did you mean '" + match + "'?";
}

std::string comma_list(std::span<const std::string> words) {
  constexpr size_t kMostWords = 40;
  std::string list;
  for (size_t k = 0; k < std::min(words.size(), kMostWords); ++k) list += (k == 0 ? "" : ", ") + words[k];
  if (words.size() > kMostWords) list += " and " + std::to_string(words.size() - kMostWords) + " more";
  return list;
}

}  // namespace tippe
