// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/packed_document.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "tippe/report/base64.h"

namespace tippe {
namespace {

using Json = nlohmann::ordered_json;

/// Shorter documents are left alone: they open at once, and people can read them.
constexpr size_t kShort = 100'000;

/// Larger numbers are those of a run that diverged.
constexpr double kDiverged = 1e15;

constexpr std::uint32_t kSteps = (1u << 28) - 1;
constexpr std::uint32_t kNan = 0xffffffff, kInfinity = 0xfffffffe, kMinusInfinity = 0xfffffffd;

template <class Unsigned>
Unsigned zigzag(Unsigned difference) {
  return static_cast<Unsigned>((difference << 1) ^ (Unsigned{0} - (difference >> (8 * sizeof(Unsigned) - 1))));
}

/// Differences of numbers `stride` apart, modulo 2^32 or 2^64.
template <class Unsigned>
std::vector<Unsigned> differences(const std::vector<Unsigned>& numbers, size_t stride) {
  std::vector<Unsigned> result = numbers;
  for (size_t k = numbers.size(); k-- > stride;) result[k] = static_cast<Unsigned>(numbers[k] - numbers[k - stride]);
  return result;
}

/// About how many bits they need.
template <class Unsigned>
double cost(const std::vector<Unsigned>& numbers) {
  double bits = 0.0;
  for (const Unsigned number : numbers) bits += std::bit_width(zigzag(number));
  return bits;
}

class Packer {
 public:
  /// Replaces a text of base64 by the place of its numbers in the block.
  void exactly(Json& column) { exactly(take(column), column); }

  void exactly(const std::vector<double>& values, Json& column) {
    std::vector<std::uint64_t> bits(values.size());
    for (size_t k = 0; k < values.size(); ++k) bits[k] = std::bit_cast<std::uint64_t>(values[k]);
    column = {{"code", "exact"}, {"n", values.size()}};
    add_differences(bits, 1, column);
  }

  void scaled(Json& column, size_t stride = 1) {
    const std::vector<double> values = take(column);
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    if (!(least <= largest)) least = largest = 0.0;
    if (largest > kDiverged || least < -kDiverged) return exactly(values, column);  // its beginning is worth seeing too
    const double step = (largest / kSteps - least / kSteps);
    std::vector<std::uint32_t> numbers(values.size());
    for (size_t k = 0; k < values.size(); ++k) {
      const double value = values[k];
      if (std::isnan(value)) {
        numbers[k] = kNan;
      } else if (std::isinf(value)) {
        numbers[k] = value > 0.0 ? kInfinity : kMinusInfinity;
      } else if (step > 0.0) {
        numbers[k] = static_cast<std::uint32_t>(std::clamp(std::round((value - least) / step), 0.0, double{kSteps}));
      }
    }
    column = {{"code", "scaled"}, {"n", values.size()}, {"least", least}, {"step", step}};
    if (stride != 1) column["stride"] = stride;
    add_differences(numbers, stride, column);
  }

  /// The first half of the bits of a float32: for logarithmic axes.
  void shortly(Json& column) {
    const std::vector<double> values = take(column);
    std::vector<std::uint16_t> numbers(values.size());
    for (size_t k = 0; k < values.size(); ++k) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[k]));
      const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
      numbers[k] =
          static_cast<std::uint16_t>((is_finite && bits < 0x7f7f8000u ? bits + 0x8000u : bits | (bits << 9 >> 3)) >> 16);
    }
    column = {{"code", "short"}, {"n", values.size()}};
    add_planes(numbers, column);
  }

  [[nodiscard]] Json block() const {
    uLongf size = compressBound(static_cast<uLong>(bytes_.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes_.data()),
                  static_cast<uLong>(bytes_.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
      throw std::bad_alloc();  // all that can go wrong with these arguments
    packed.resize(size);
    return {{"bytes", bytes_.size()}, {"deflate", base64_of_bytes(packed)}};
  }

 private:
  static std::vector<double> take(const Json& column) {
    const std::string bytes = bytes_of_base64(column.get_ref<const std::string&>());
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    return values;
  }

  template <class Unsigned>
  void add_differences(std::vector<Unsigned> numbers, size_t stride, Json& column) {
    constexpr int kHighest = 2;
    int order = 0;
    double least = cost(numbers);
    std::vector<Unsigned> best = numbers;
    for (int k = 1; k <= kHighest; ++k) {
      numbers = differences(numbers, stride);
      const double now = cost(numbers);
      if (now >= least) continue;
      least = now;
      order = k;
      best = numbers;
    }
    for (Unsigned& number : best) number = zigzag(number);
    column["order"] = order;
    add_planes(best, column);
  }

  /// All first bytes, then all second ones and so on: those of high value are nearly all zero.
  template <class Unsigned>
  void add_planes(const std::vector<Unsigned>& numbers, Json& column) {
    column["at"] = bytes_.size();
    for (size_t byte = 0; byte < sizeof(Unsigned); ++byte) {
      for (const Unsigned number : numbers) bytes_.push_back(static_cast<char>((number >> (8 * byte)) & 0xff));
    }
  }

  std::string bytes_;
};

Json* child(Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::string pack_document(const std::string& document) {
  if (document.size() <= kShort) return document;
  Json data = Json::parse(document);
  Packer packer;
  const auto exactly_all = [&](Json& object) {
    for (auto& [key, column] : object.items()) {
      if (column.is_string()) packer.exactly(column);
    }
  };
  if (Json* axes = child(data, "axes")) exactly_all(*axes);
  if (Json* impacts = child(data, "impacts"); impacts != nullptr && impacts->is_object()) exactly_all(*impacts);
  for (Json& panel : data.at("panels")) {
    if (Json* series = child(panel, "series")) {
      for (Json& one : *series)
        panel.value("log", false) ? packer.shortly(one.at("values")) : packer.scaled(one.at("values"));
    }
    if (Json* bands = child(panel, "bands")) {
      for (Json& band : *bands) packer.exactly(band.at("times"));
    }
  }
  for (Json& replay : data.at("replays")) {
    for (Json& column : replay.at("columns")) packer.scaled(column);
    if (Json* contacts = child(replay, "contacts")) {
      packer.exactly(contacts->at("start"));
      for (const char* key : {"at", "normal", "impulse"}) packer.scaled(contacts->at(key), 3);
    }
  }
  data["packed"] = packer.block();
  return data.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace tippe
