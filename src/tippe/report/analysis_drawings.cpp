// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_drawings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_names.h"
#include "tippe/report/tolerances.h"

namespace tippe {
namespace {

// Of all drawings, in pixels: names to the left, bars between, numbers to the right.
constexpr double kLeft = 140.0, kWidth = 560.0, kRight = 210.0, kLine = 24.0, kTop = 8.0, kFoot = 26.0;

std::string open_svg(const std::string& what, size_t lines) {
  return fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\">\n", kLeft + kWidth + kRight,
                     kTop + kLine * static_cast<double>(lines) + kFoot, escape_html(what));
}

/// A name that fits the margin, shortened in its middle, since ends tell components apart; the whole name shows when pointed at.
std::string label(const std::string& name, double y) {
  constexpr size_t kFirst = 9, kLast = 6;
  std::vector<size_t> begins;  // of the characters
  for (size_t k = 0; k < name.size(); ++k) {
    if ((static_cast<unsigned char>(name[k]) & 0xC0) != 0x80) begins.push_back(k);
  }
  std::string shown = name;
  if (begins.size() > kFirst + kLast + 1)
    shown = name.substr(0, begins[kFirst]) + "\u2026" + name.substr(begins[begins.size() - kLast]);
  return fmt::format("<text class=\"name\" x=\"{:g}\" y=\"{:g}\">{}<title>{}</title></text>\n", 0.0, y + 4.0,
                     escape_html(shown), escape_html(name));
}

std::string remark(const std::string& text, double y) {
  return fmt::format("<text class=\"remark\" x=\"{:g}\" y=\"{:g}\">{}</text>\n", kLeft + kWidth + 12.0, y + 4.0,
                     escape_html(text));
}

double line_y(size_t i) {
  return kTop + kLine * (static_cast<double>(i) + 0.5);
}

/// A vertical line through all bars with a number under it.
std::string tick(double x, const std::string& text, size_t lines, const char* kind = "grid") {
  const double bottom = kTop + kLine * static_cast<double>(lines);
  return fmt::format(
      "<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{1:.1f}\" y1=\"{2:g}\" y2=\"{3:g}\"/>"
      "<text class=\"tick\" x=\"{1:.1f}\" y=\"{4:g}\">{5}</text>\n",
      kind, x, kTop, bottom, bottom + 16.0, escape_html(text));
}

/// Round numbers from `low` to `high`, about six.
std::vector<double> round_numbers(double low, double high) {
  const double raw = (high - low) / 6.0, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < raw) step = factor * power;
  }
  std::vector<double> numbers;
  for (double k = std::ceil(low / step - kShownAsEqual); k * step <= high + kShownAsEqual * step; k += 1.0)
    numbers.push_back(k * step);
  return numbers;
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string draw_spectrum(const Eigen::VectorXd& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.rbegin(), sorted.rend());
  if (sorted.empty()) return {};
  const double largest = sorted.front(), zero = kLeftOut * largest;
  double smallest = largest;
  for (const double value : sorted) {
    if (value > zero) smallest = std::min(smallest, value);
  }
  const double low = largest > 0.0 ? std::floor(std::log10(smallest) - 0.05) : 0.0;
  const double high = largest > 0.0 ? std::max(low + 1.0, std::log10(largest) + 0.02 * (std::log10(largest) - low)) : 1.0;
  const auto x_of = [&](double value) { return kLeft + kWidth * (std::log10(value) - low) / (high - low); };
  std::string svg = open_svg("eigenvalues on a logarithmic axis", sorted.size());
  const double every = std::max(1.0, std::ceil((high - low) / 8.0));
  for (double decade = low; decade <= high; decade += every)
    svg += tick(x_of(std::pow(10.0, decade)), fmt::format("{:.3g}", std::pow(10.0, decade)), sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    const double y = line_y(i);
    svg += label(std::to_string(i + 1), y);
    if (sorted[i] > zero) {
      svg += fmt::format("<rect class=\"bar\" x=\"{:g}\" y=\"{:g}\" width=\"{:.1f}\" height=\"12\" rx=\"2\"/>\n", kLeft,
                         y - 6.0, x_of(sorted[i]) - kLeft);
      svg += remark(fmt::format("{:.6g}", sorted[i]), y);
    } else {
      svg += fmt::format("<circle class=\"hollow\" cx=\"{:g}\" cy=\"{:g}\" r=\"4\"/>\n", kLeft, y);
      svg += remark("0: seen by no motion", y);
    }
  }
  return svg + "</svg>\n";
}

std::string draw_intervals(const std::vector<ForceInterval>& forces) {
  if (forces.empty()) return {};
  double low = 0.0, high = 0.0;  // zero always shows
  for (const ForceInterval& force : forces) {
    for (const double value : {force.value, force.lower, force.upper}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (high - low <= 0.0) high = 1.0;
  const double size = high - low, edge = 0.06 * size;
  low -= edge;
  high += edge;
  const auto x_of = [&](double value) { return kLeft + kWidth * (value - low) / (high - low); };
  std::string svg = open_svg("the interval of every force", forces.size());
  for (const double number : round_numbers(low, high))
    svg += tick(x_of(number), brief(number, size), forces.size(), number == 0.0 ? "axis" : "grid");
  for (size_t i = 0; i < forces.size(); ++i) {
    const ForceInterval& force = forces[i];
    const double y = line_y(i);
    const bool below = std::isinf(force.lower), above = std::isinf(force.upper);
    const double left = below ? kLeft : x_of(force.lower), right = above ? kLeft + kWidth : x_of(force.upper);
    const bool fixed = !below && !above && force.upper - force.lower <= kShownAsEqual * size;
    svg += label(force.name, y);
    if (!fixed) {
      svg += fmt::format("<rect class=\"range\" x=\"{:.1f}\" y=\"{:g}\" width=\"{:.1f}\" height=\"10\" rx=\"2\"/>\n", left,
                         y - 5.0, right - left);
      if (below) svg += fmt::format("<path class=\"arrow\" d=\"M{:.1f} {:g}l9 -8v16z\"/>\n", left - 4.0, y);
      if (above) svg += fmt::format("<path class=\"arrow\" d=\"M{:.1f} {:g}l-9 -8v16z\"/>\n", right + 4.0, y);
    }
    svg += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:g}\" r=\"4.5\"/>\n", x_of(force.value), y);
    const auto end = [&](double value) {
      return std::isinf(value) ? std::string(value > 0.0 ? "\u221e" : "\u2212\u221e") : brief(value, size);
    };
    svg += remark(fixed ? brief(force.value, size) : fmt::format("{} \u2026 {}", end(force.lower), end(force.upper)), y);
  }
  return svg + "</svg>\n";
}

std::string draw_cones(const std::vector<ConeUse>& contacts) {
  if (contacts.empty()) return {};
  std::string svg = open_svg("friction used of what each contact can take", contacts.size());
  for (const int percent : {0, 25, 50, 75, 100})
    svg += tick(kLeft + kWidth * percent / 100.0, fmt::format("{} %", percent), contacts.size());
  for (size_t i = 0; i < contacts.size(); ++i) {
    const ConeUse& contact = contacts[i];
    const double y = line_y(i), use = contact.limit > 0.0 ? std::min(1.0, contact.friction / contact.limit) : 0.0;
    svg += label(contact.name, y);
    svg += fmt::format("<rect class=\"track\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"10\" rx=\"2\"/>\n", kLeft,
                       y - 5.0, kWidth);
    svg += fmt::format("<rect class=\"{}\" x=\"{:g}\" y=\"{:g}\" width=\"{:.1f}\" height=\"10\" rx=\"2\"/>\n",
                       use > 0.999 ? "bar full" : "bar", kLeft, y - 5.0, kWidth * use);
    svg += remark(contact.limit > 0.0 ? fmt::format("{:.4g} of {:.4g}", contact.friction, contact.limit) : "carries nothing",
                  y);
  }
  return svg + "</svg>\n";
}

std::string angle_table(const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                        const Eigen::MatrixXd& degrees) {
  std::string html = "<div class=\"scroll\"><table class=\"angles\"><tr><th></th>";
  for (const std::string& name : columns) html += "<th>" + escape_html(name) + "</th>";
  html += "</tr>\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    html += "<tr><th>" + escape_html(rows[i]) + "</th>";
    for (size_t j = 0; j < columns.size(); ++j) {
      const double angle = degrees(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (std::isnan(angle)) {
        html += "<td class=\"none\">\u2013</td>";
      } else {
        const double strength = 0.75 * std::min(1.0, std::abs(angle - 90.0) / 90.0);
        html +=
            fmt::format("<td style=\"background:rgb({} / {:.2f})\">{:.4g}\u00b0</td>",
                        angle < 90.0 ? "0 114 178" : "213 94 0", strength, std::abs(angle) < kShownAsEqual ? 0.0 : angle);
      }
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace tippe
