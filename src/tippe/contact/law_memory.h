// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "tippe/contact/law_step.h"
#include "tippe/core/named_arrays.h"

namespace tippe {

struct GapView;

/// What laws leave to later steps, by identity: the impulse of the last step, which starts the solver and keeps a contact closed; the speed
/// that it prevented, by which rest is told from an impact; and how long ago the law carried an impulse. It lives for three steps after
/// that, whether the law is still in the list or not: so the same mechanics with more open contacts in its lists remembers the same. Impulses of
/// contacts that were found are vectors in space: their tangents may be others in the next step.
class LawMemory {
 public:
  static constexpr int kForgotten = 3;  // steps: schemes skip a step of a lasting contact now and then

  /// Gives each law of a list a place; valid until end_step().
  void align(const LawList& list) {
    if (!(list.fixed && fixed_)) align(std::span(list.id), list.fixed);
  }
  [[nodiscard]] int place(int k) const { return same_order_ ? k : place_[static_cast<size_t>(k)]; }

  /// N s, rows of the law at a place.
  [[nodiscard]] const double* impulse(int place) const { return entries_[static_cast<size_t>(place)].impulse.data(); }
  /// Appends them along the rows that the law, the k-th of `list`, has now. `rows`: so many.
  void append_impulse(int place, const LawList& list, int k, int rows, std::vector<double>& impulse) const;
  /// m/s   G_NN Lambda_N of the last step in which the law acted.
  [[nodiscard]] double prevented_speed(int place) const { return entries_[static_cast<size_t>(place)].prevented_speed; }
  void set_prevented_speed(int place, double speed) { entries_[static_cast<size_t>(place)].prevented_speed = speed; }
  [[nodiscard]] double largest_prevented_speed() const;
  /// Whether it carried an impulse in one of the last three steps that was more than that of a hit.
  [[nodiscard]] bool rested(int place) const {
    const Entry& entry = entries_[static_cast<size_t>(place)];
    return entry.age < kForgotten && entry.prevented_speed > 0.0;
  }
  /// Whether it slid in the last step, of friction that depends on it; nothing: not known, as where it was open.
  [[nodiscard]] std::optional<bool> slid(int place) const {
    const Entry& entry = entries_[static_cast<size_t>(place)];
    return entry.slid < 0 ? std::nullopt : std::optional(entry.slid > 0);
  }
  void set_slid(int place, bool slid) { entries_[static_cast<size_t>(place)].slid = slid ? 1 : 0; }
  /// A contact as the next step sees it: held if it carried an impulse in the last one. `terms`: of its gap.
  [[nodiscard]] GapView view(int place, double gap, double terms, double dt) const;

  /// After a step or a part of one: its impulses. All its laws have places.
  void keep_impulses(const LawStep& part);
  /// After a whole step: who carried an impulse in it. Tells in whole.anew who did for the first time in a while.
  void end_step(LawStep& whole);
  /// Both, of a step that somebody else made.
  void look(const LawStep& step);
  /// A law that carries from the start: it has not been open.
  void hold(const LawId& id);
  /// Whether a law carried an impulse in one of the last three steps.
  [[nodiscard]] bool held(const LawId& id) const;

  void save(NamedArrays& arrays) const;
  /// Throws std::invalid_argument if save() cannot have written it.
  void restore(const NamedArrays& arrays);

 private:
  struct Entry {
    LawId id;
    int age = kForgotten;  // steps since it carried an impulse: 0 if it did in the last one
    double prevented_speed = 0.0;
    int slid = -1;  // 1: it did, 0: it rested, -1: not known
    std::array<double, ForceLaw::kMostRows> impulse{};
    ContactPlace place{};  // whose directions the rows had
  };
  void align(std::span<const LawId> ids, bool fixed);
  [[nodiscard]] bool has_order_of(std::span<const LawId> ids) const;
  void keep_impulses(Entry& entry, const LawStep& part, size_t k);
  [[nodiscard]] static bool end_step(Entry& entry, bool carried);

  std::vector<Entry> entries_, merged_;  // by ascending id
  std::vector<int> place_;
  bool same_order_ = false;  // the list and the entries have the same laws,
  bool fixed_ = false;       // and the list is fixed, so that it will always be so
};

}  // namespace tippe
