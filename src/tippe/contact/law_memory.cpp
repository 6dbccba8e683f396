// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/law_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tippe/contact/contact_state.h"

namespace tippe {
namespace {

constexpr const char* kIds = "law.id";
constexpr const char* kAges = "law.age";
constexpr const char* kPreventedSpeeds = "law.prevented_speed";
constexpr const char* kImpulses = "law.impulse";
constexpr const char* kSlid = "law.slid";              // 2: it did, 1: it rested, 0: not known; only where it matters
constexpr const char* kDirections = "law.directions";  // normals and tangents; only where laws were found

/// A whole number from 0 to `most`.
std::uint32_t whole_number(double value, std::uint32_t most) {
  if (!(value >= 0.0 && value <= most && value == std::floor(value)))
    throw std::invalid_argument("it remembers a law or an age that there is not");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

GapView LawMemory::view(int place, double gap, double terms, double dt) const {
  const Entry& entry = entries_[static_cast<size_t>(place)];
  return {.gap = gap, .terms = terms, .held = entry.impulse[0] != 0.0, .prevented_way = dt * entry.prevented_speed};
}

bool LawMemory::has_order_of(std::span<const LawId> ids) const {
  if (ids.size() != entries_.size()) return false;
  for (size_t k = 0; k < ids.size(); ++k) {
    if (entries_[k].id != ids[k]) return false;
  }
  return true;
}

void LawMemory::align(std::span<const LawId> ids, bool fixed) {
  same_order_ = has_order_of(ids);
  fixed_ = same_order_ && fixed;
  if (same_order_) return;
  merged_.clear();
  place_.clear();
  size_t next = 0;
  for (const LawId& id : ids) {
    while (next < entries_.size() && entries_[next].id < id) merged_.push_back(entries_[next++]);
    place_.push_back(static_cast<int>(merged_.size()));
    if (next < entries_.size() && entries_[next].id == id)
      merged_.push_back(entries_[next++]);
    else
      merged_.push_back({.id = id});
  }
  while (next < entries_.size()) merged_.push_back(entries_[next++]);
  entries_.swap(merged_);
}

double LawMemory::largest_prevented_speed() const {
  double largest = 0.0;
  for (const Entry& entry : entries_) largest = std::max(largest, entry.prevented_speed);
  return largest;
}

/// Those of the k-th law of a part, which is that of the entry.
inline void LawMemory::keep_impulses(Entry& entry, const LawStep& part, size_t k) {
  entry.impulse.fill(0.0);
  const double* const impulse = part.impulse.data() + part.first_row[k];
  const auto rows = static_cast<size_t>(part.rows(static_cast<int>(k)));
  for (size_t row = 0; row < rows; ++row) entry.impulse[row] = impulse[row];
  if (!part.place.empty()) entry.place = part.place[k];
}

void LawMemory::append_impulse(int place, const LawList& list, int k, int rows, std::vector<double>& impulse) const {
  const Entry& entry = entries_[static_cast<size_t>(place)];
  std::array<double, ForceLaw::kMostRows> along = entry.impulse;
  if (!list.place.empty() && rows > 1 && entry.place.is_known()) {
    const ContactPlace& now = list.place[static_cast<size_t>(k)];
    const bool turned = entry.place.normal != now.normal || entry.place.tangent != now.tangent;
    if (turned && entry.id.rolls()) {  // rows about the tangents
      const Eigen::Vector3d p = entry.place.in_space(0.0, along[0], along[1]);
      along[0] = p.dot(now.tangent);
      along[1] = p.dot(now.normal.cross(now.tangent));
    } else if (turned) {
      const Eigen::Vector3d p = entry.place.in_space(along[0], along[1], rows > 2 ? along[2] : 0.0);
      along[0] = std::max(0.0, p.dot(now.normal));
      along[1] = p.dot(now.tangent);
      if (rows > 2) along[2] = p.dot(now.normal.cross(now.tangent));
    }
  }
  impulse.insert(impulse.end(), along.begin(), along.begin() + rows);
}

void LawMemory::keep_impulses(const LawStep& part) {
  if (fixed_ && part.fixed) {
    for (size_t k = 0; k < entries_.size(); ++k) keep_impulses(entries_[k], part, k);
    return;
  }
  size_t k = 0;
  for (Entry& entry : entries_) {
    entry.impulse.fill(0.0);
    if (k == part.id.size() || entry.id != part.id[k]) continue;
    keep_impulses(entry, part, k++);
  }
}

/// Whether the law of an entry carried an impulse for the first time in a while.
inline bool LawMemory::end_step(Entry& entry, bool carried) {
  const bool anew = carried && entry.age >= kForgotten;
  entry.age = carried ? 0 : std::min(entry.age + 1, kForgotten);
  if (entry.age >= kForgotten) entry.prevented_speed = 0.0;
  return anew;
}

void LawMemory::end_step(LawStep& whole) {
  const auto carried = [&](size_t k) { return whole.impulse[whole.first_row[k]] != 0.0; };
  if (fixed_ && whole.fixed) {
    for (size_t k = 0; k < entries_.size(); ++k) whole.anew[k] = end_step(entries_[k], carried(k)) ? 1 : 0;
    return;
  }
  size_t k = 0, kept = 0;
  for (Entry& entry : entries_) {
    const bool listed = k < whole.id.size() && entry.id == whole.id[k];
    const bool anew = end_step(entry, listed && carried(k));
    if (listed) whole.anew[k++] = anew ? 1 : 0;
    if (!listed && entry.age >= kForgotten) continue;
    if (&entries_[kept] != &entry) entries_[kept] = entry;
    ++kept;
  }
  entries_.resize(kept);
}

void LawMemory::look(const LawStep& step) {
  align(std::span(step.id), step.fixed);
  keep_impulses(step);
  LawStep whole = step;
  end_step(whole);
}

void LawMemory::hold(const LawId& id) {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& entry, const LawId& at) { return entry.id < at; });
  if (place != entries_.end() && place->id == id)
    place->age = 0;
  else
    entries_.insert(place, {.id = id, .age = 0});
  same_order_ = fixed_ = false;
}

bool LawMemory::held(const LawId& id) const {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& entry, const LawId& at) { return entry.id < at; });
  return place != entries_.end() && place->id == id && place->age < kForgotten;
}

void LawMemory::save(NamedArrays& arrays) const {
  std::vector<double>& ids = arrays.begin_array(kIds);
  for (const Entry& entry : entries_) {
    const LawId& id = entry.id;
    for (const std::uint32_t part : {id.shape_a, id.shape_b, id.feature_a, id.feature_b}) ids.push_back(part);
  }
  std::vector<double>& ages = arrays.begin_array(kAges);
  for (const Entry& entry : entries_) ages.push_back(entry.age);
  std::vector<double>& speeds = arrays.begin_array(kPreventedSpeeds);
  for (const Entry& entry : entries_) speeds.push_back(entry.prevented_speed);
  std::vector<double>& impulses = arrays.begin_array(kImpulses);
  for (const Entry& entry : entries_) impulses.insert(impulses.end(), entry.impulse.begin(), entry.impulse.end());
  const bool any_slid = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.slid >= 0; });
  if (any_slid || arrays.find(kSlid) != nullptr) {
    std::vector<double>& slid = arrays.begin_array(kSlid);
    for (const Entry& entry : entries_) slid.push_back(entry.slid + 1);
  }
  const bool any_found =
      std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.place.is_known(); });
  if (!any_found && arrays.find(kDirections) == nullptr) return;
  std::vector<double>& directions = arrays.begin_array(kDirections);
  for (const Entry& entry : entries_) {
    for (const Eigen::Vector3d* direction : {&entry.place.normal, &entry.place.tangent})
      directions.insert(directions.end(), direction->data(), direction->data() + 3);
  }
}

void LawMemory::restore(const NamedArrays& arrays) {
  const std::vector<double>& ages = arrays.at(kAges);
  const std::span<const double> ids = arrays.at(kIds, 4 * ages.size()), speeds = arrays.at(kPreventedSpeeds, ages.size()),
                                impulses = arrays.at(kImpulses, ForceLaw::kMostRows * ages.size());
  const std::vector<double>* directions = arrays.find(kDirections);
  const std::vector<double>* slid = arrays.find(kSlid);
  if (slid != nullptr && slid->size() != ages.size()) throw std::invalid_argument("what slid is not remembered of all laws");
  if (directions != nullptr && directions->size() != 6 * ages.size())
    throw std::invalid_argument("the directions that it remembers are not those of its laws");
  entries_.clear();
  for (size_t e = 0; e < ages.size(); ++e) {
    Entry entry;
    if (directions != nullptr) {
      entry.place.normal = Eigen::Map<const Eigen::Vector3d>(directions->data() + 6 * e);
      entry.place.tangent = Eigen::Map<const Eigen::Vector3d>(directions->data() + 6 * e + 3);
    }
    std::array<std::uint32_t, 4> parts{};
    for (size_t part = 0; part < parts.size(); ++part)
      parts[part] = whole_number(ids[4 * e + part], std::numeric_limits<std::uint32_t>::max());
    entry.id = {parts[0], parts[1], parts[2], parts[3]};
    if (e > 0 && !(entries_.back().id < entry.id)) throw std::invalid_argument("the laws that it remembers have no order");
    entry.age = static_cast<int>(whole_number(ages[e], kForgotten));
    entry.prevented_speed = speeds[e];
    if (slid != nullptr) entry.slid = static_cast<int>(whole_number((*slid)[e], 2)) - 1;
    std::copy_n(impulses.begin() + static_cast<std::ptrdiff_t>(ForceLaw::kMostRows * e), ForceLaw::kMostRows,
                entry.impulse.begin());
    entries_.push_back(entry);
  }
  same_order_ = fixed_ = false;
}

}  // namespace tippe
