// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tippe::test {

/// Exponents of mass, length and time.
struct Dimension {
  int mass = 0, length = 0, time = 0;

  /// "kg m^2/s^2": a slash holds for the unit right behind it. "1" or nothing has no dimension.
  static Dimension of(const std::string& unit) {
    Dimension sum;
    for (size_t i = 0; i < unit.size();) {
      if (unit[i] == ' ' || unit[i] == '1') {
        ++i;
        continue;
      }
      int exponent = 1;
      if (unit[i] == '/') {
        exponent = -1;
        ++i;
      }
      std::string name;
      while (i < unit.size() && std::isalpha(static_cast<unsigned char>(unit[i]))) name += unit[i++];
      if (i < unit.size() && unit[i] == '^') {
        exponent *= unit[i + 1] - '0';
        i += 2;
      }
      const Dimension one = name == "kg"  ? Dimension{1, 0, 0}
                            : name == "m" ? Dimension{0, 1, 0}
                            : name == "s" ? Dimension{0, 0, 1}
                            : name == "N" ? Dimension{1, 1, -2}
                            : name == "J" ? Dimension{1, 2, -2}
                                          : throw std::invalid_argument("no unit: '" + unit + "'");
      sum.mass += exponent * one.mass;
      sum.length += exponent * one.length;
      sum.time += exponent * one.time;
    }
    return sum;
  }
};

/// By what the numbers of a scene are multiplied when it is written in other units.
struct Units {
  double mass = 1.0, length = 1.0, time = 1.0;

  [[nodiscard]] double of(const Dimension& d) const {
    return std::pow(mass, d.mass) * std::pow(length, d.length) * std::pow(time, d.time);
  }
  [[nodiscard]] std::string name() const { return fmt::format("{:.3g} kg, {:.3g} m, {:.3g} s", mass, length, time); }
};

/// Powers of four, whose square roots are powers of two: no number of a scene in such units changes a digit.
inline Units powers_of_four(int mass, int length, int time) {
  return {std::ldexp(1.0, 2 * mass), std::ldexp(1.0, 2 * length), std::ldexp(1.0, 2 * time)};
}

/// A scene whose numbers with a dimension are written <9.81 m/s^2>, in other units; numbers of seconds after <@ are instants, shifted by `clock` seconds: <@0 s>.
inline std::string in_units(const std::string& text, const Units& units, double clock = 0.0) {
  std::string scaled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '<') {
      scaled += text[i];
      continue;
    }
    const size_t end = text.find('>', i);
    const bool instant = text[i + 1] == '@';
    std::istringstream words(text.substr(i + (instant ? 2 : 1), end - i - (instant ? 2 : 1)));
    double value = 0.0;
    std::string unit;
    words >> value;
    std::getline(words, unit);
    scaled += fmt::format("{:.17g}", (value + (instant ? clock : 0.0)) * units.of(Dimension::of(unit)));
    i = end;
  }
  return scaled;
}

}  // namespace tippe::test
