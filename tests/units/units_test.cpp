// SPDX-License-Identifier: Apache-2.0
// Units are a matter of convention: a scene written in other units has the same motion. In units that are powers of four of the others no digit changes, square roots
// included, so that all results are the same to the last bit; a tolerance that is not relative to the motion shows at once. Two numbers of the scenes below must not be equal
// by chance in some of the units: equal constants of expressions are one, which changes the order of sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "support/scenes.h"
#include "support/units.h"
#include "tippe/analyze/analysis.h"
#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/report/analysis_json.h"
#include "tippe/report/modes_report.h"
#include "tippe/report/orbit_report.h"
#include "tippe/study/list_modes.h"

namespace tippe::units_test {

using Eigen::VectorXd;
using test::Units;

/// A scene in the notation of test::in_units() without its [run].
struct ScaledSystem {
  std::string name, text;
  std::vector<std::string> coordinates, velocities;  // their units
  std::string gap = "m";                             // of all contacts
  double dt, until;                                  // s
};

ScaledSystem slider() {
  return {"mass, spring, pad and wall",
          "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*<2.1 kg>*x'^2\"\npotential = \"0.5*<53 N/m>*x^2\"\n"
          "damping = \"0.5*<0.7 N s/m>*x'^2\"\n"
          "[lagrangian.forces]\nx = \"<0.9 N>*sin(<7.3 1/s>*(t - <@0 s>))\"\n"
          "[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = <1.3 N>\n"
          "[[contact]]\nname = \"wall\"\ngap = \"x + <0.11 m>\"\nrestitution = 0.7\n[initial]\nt = <@0 s>\nx = <0.37 m>\n",
          {"m"},
          {"m/s"},
          "m",
          1e-3,
          2.0};
}

/// Redundant feet, a slope, a spring; it slides, stops and is pushed.
ScaledSystem three_feet() {
  std::string text =
      "[lagrangian]\ncoordinates = [\"x\", \"z\", \"a\"]\n"
      "kinetic = \"0.5*<1.3 kg>*(x'^2 + z'^2) + 0.5*<0.13 kg m^2>*a'^2\"\n"
      "potential = \"<1.3 kg>*<9.81 m/s^2>*z + 0.5*<17 N/m>*x^2 + <0.4 N m>*a\"\n"
      "[lagrangian.forces]\nx = \"<3 N>*sin(<11 1/s>*(t - <@0 s>))\"\n";
  for (const char* place : {"<-0.3 m>", "<0.05 m>", "<0.3 m>"}) {
    text += fmt::format(
        "[[contact]]\nname = \"foot {}\"\ngap = \"z + ({})*a\"\nslip = \"x' + <0.1 m>*a'\"\nfriction = 0.3\nrestitution = "
        "0.2\n",
        std::string(place).substr(1, 4), place);
  }
  return {"block on three feet",
          text + "[initial]\nt = <@0 s>\nz = <0.021 m>\n\"x'\" = <0.6 m/s>\n",
          {"m", "m", "1"},
          {"m/s", "m/s", "1/s"},
          "m",
          1e-3,
          0.7};
}

/// A rod of constraints, a wall, gravity: the pendulum in Cartesian coordinates, and a motor.
ScaledSystem pendulum(bool wall) {
  std::string text =
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"b\"]\n"
      "kinetic = \"0.5*<0.23 kg>*(x'^2 + y'^2) + 0.5*<0.41 kg>*b'^2\"\n"
      "potential = \"<0.23 kg>*<9.81 m/s^2>*y + 0.5*<31 N/m>*(x - b)^2\"\n"
      "[[bilateral]]\nname = \"rod\"\nposition = \"0.5*(x^2 + y^2 - <0.25 m^2>)\"\n"
      "[[bilateral]]\nname = \"rod again\"\nposition = \"x^2 + y^2 - <0.25 m^2>\"\n";
  if (wall)
    text += "[[contact]]\nname = \"wall\"\ngap = \"<0.32 m> - x\"\nslip = \"y'\"\nfriction = 0.2\nrestitution = 0.6\n";
  return {wall ? "pendulum and wall" : "pendulum of two coordinates and a mass",
          text + "[initial]\nt = <@0 s>\nx = <0.3 m>\ny = <-0.4 m>\n\"x'\" = <-0.8 m/s>\n\"y'\" = <-0.6 m/s>\n",
          {"m", "m", "m"},
          {"m/s", "m/s", "m/s"},
          "m",
          2e-3,
          1.5};
}

/// A mass matrix that changes.
ScaledSystem double_pendulum(bool wall) {
  std::string text =
      "[lagrangian]\ncoordinates = [\"a\", \"b\"]\n"
      "kinetic = \"0.5*<0.6 kg m^2>*a'^2 + 0.5*<0.2 kg m^2>*b'^2 + <0.21 kg m^2>*a'*b'*cos(a - b)\"\n"
      "potential = \"-<9.3 N m>*cos(a) - <4.1 N m>*cos(b)\"\n"
      "damping = \"0.5*<0.03 N m s>*(a' - b')^2\"\n";
  if (wall)
    text +=
        "[[contact]]\nname = \"wall\"\ngap = \"<0.5 m>*sin(a) + <0.45 m>*sin(b) + <0.2 m>\"\n"
        "slip = \"<0.5 m>*sin(a)*a' + <0.45 m>*sin(b)*b'\"\nfriction = 0.3\nrestitution = 0.5\n"
        "[[dry_friction]]\nname = \"bearing\"\nvelocity = \"a'\"\nlimit = <0.1 N m>\n";
  return {wall ? "double pendulum and wall" : "double pendulum",
          text + "[initial]\nt = <@0 s>\na = 0.9\nb = 0.4\n\"a'\" = <0.7 1/s>\n",
          {"1", "1"},
          {"1/s", "1/s"},
          "m",
          2e-3,
          1.5};
}

/// A box that falls on a floor, and beside it, tied to it by a spring, a ball whose contact drills.
ScaledSystem bodies(bool drilling, bool floor) {
  std::string text =
      "[world]\ngravity = [0, 0, <-9.81 m/s^2>]\n"
      "[[body]]\nname = \"box\"\nmass = <1.7 kg>\ninertia = [<0.011 kg m^2>, <0.017 kg m^2>, <0.021 kg m^2>]\n"
      "position = [<0.1 m>, <-0.05 m>, <0.3 m>]\norientation = { axis = [0.3, 1, 0.2], angle = 0.4 }\n"
      "velocity = [<0.4 m/s>, <0.1 m/s>, <-0.3 m/s>]\nangular_velocity = [<1.1 1/s>, <0.5 1/s>, <-2.3 1/s>]\n"
      "[[body]]\nname = \"ball\"\nmass = <0.93 kg>\ninertia = [<0.004 kg m^2>, <0.004 kg m^2>, <0.0043 kg m^2>]\n"
      "position = [<0.6 m>, <0.1 m>, <0.13 m>]\nangular_velocity = [0, <3 1/s>, <9 1/s>]\n"
      "[[body.point]]\nname = \"knob\"\nat = [0, <0.02 m>, <0.05 m>]\n"
      "[[spring]]\nbetween = [\"box\", \"ball.knob\"]\nstiffness = <41.3 N/m>\ndamping = <0.77 N s/m>\nlength = <0.47 m>\n";
  if (floor) {
    text +=
        "[[body.sphere]]\nradius = <0.1 m>\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n"
        "[[contact_law]]\nbetween = [\"ball\", \"floor\"]\nrestitution = 0.3\nfriction = ";
    text += drilling ? "{ mu = 0.3, contact_radius = <0.004 m>, set = \"exact\" }\n" : "0.3\n";
    for (const char* corner : {"+", "-"}) {
      text += fmt::format(
          "[[contact]]\nname = \"edge{0}\"\ngap = \"box.z {0} <0.1 m>*2*(box.qx*box.qz - box.qw*box.qy) - <0.15 m>\"\n"
          "slip = [\"box.vx\", \"box.vy\"]\nfriction = 0.2\nrestitution = 0.3\n",
          corner);
    }
    text += "[initial]\nt = <@0 s>\n";
  } else {
    text += "[[joint]]\ntype = \"ball\"\nbetween = [\"box\", \"world\"]\n[initial]\nt = <@0 s>\nproject = true\n";
  }
  return {fmt::format("bodies{}{}", drilling ? " that drill" : "", floor ? "" : " without contact"),
          text,
          {"m", "m", "m", "1", "1", "1", "1", "m", "m", "m", "1", "1", "1", "1"},
          {"m/s", "m/s", "m/s", "1/s", "1/s", "1/s", "m/s", "m/s", "m/s", "1/s", "1/s", "1/s"},
          "m",
          1e-3,
          0.3};
}

/// A box that tumbles onto a floor and a ball that falls on it: contacts are found by shapes.
ScaledSystem touching() {
  return {"bodies that touch",
          "[world]\ngravity = [0, 0, <-9.81 m/s^2>]\ncontacts = \"found\"\n"
          "[[body]]\nname = \"box\"\nmass = <1.7 kg>\ninertia = [<0.011 kg m^2>, <0.017 kg m^2>, <0.021 kg m^2>]\n"
          "position = [<0.1 m>, <-0.05 m>, <0.18 m>]\norientation = { axis = [0.3, 1, 0.2], angle = 0.4 }\n"
          "velocity = [<0.4 m/s>, <0.1 m/s>, <-0.3 m/s>]\nangular_velocity = [<1.1 1/s>, <0.5 1/s>, <-2.3 1/s>]\n"
          "[[body.box]]\nsize = [<0.31 m>, <0.23 m>, <0.19 m>]\n"
          "[[body]]\nname = \"ball\"\nmass = <0.93 kg>\ninertia = [<0.004 kg m^2>, <0.004 kg m^2>, <0.0043 kg m^2>]\n"
          "position = [<0.13 m>, <-0.03 m>, <0.45 m>]\nangular_velocity = [0, <3 1/s>, <9 1/s>]\n"
          "[[body.sphere]]\nradius = <0.07 m>\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n"
          "[[contact_law]]\nbetween = [\"*\", \"*\"]\nrestitution = 0.3\nfriction = 0.4\n[initial]\nt = <@0 s>\n",
          {"m", "m", "m", "1", "1", "1", "1", "m", "m", "m", "1", "1", "1", "1"},
          {"m/s", "m/s", "m/s", "1/s", "1/s", "1/s", "m/s", "m/s", "m/s", "1/s", "1/s", "1/s"},
          "m",
          1e-3,
          0.4};
}

std::vector<ScaledSystem> systems() {
  return {slider(),
          three_feet(),
          pendulum(true),
          pendulum(false),
          double_pendulum(true),
          double_pendulum(false),
          bodies(false, true),
          bodies(true, true),
          bodies(false, false),
          touching()};
}

/// What a run left behind: each row is one kind of numbers with a unit.
struct Course {
  std::map<std::string, std::pair<std::string, std::vector<double>>> rows;
  std::string words;  // that must be the same

  void add(const std::string& row, const std::string& unit, double value) {
    auto& [own, values] = rows[row];
    own = unit;
    values.push_back(value);
  }
};

std::string without_digits(const std::string& text) {
  std::string words;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool exponent = (text[i] == 'e' || text[i] == '-' || text[i] == '+' || text[i] == '.') && words.ends_with('#');
    if (std::isdigit(static_cast<unsigned char>(text[i])) || exponent) {
      if (!words.ends_with('#')) words += '#';
    } else {
      words += text[i];
    }
  }
  return words;
}

std::string run_table(const ScaledSystem& system, const std::string& integrator, const std::string& more) {
  return fmt::format("[run]\nintegrator = \"{}\"\ndt = <{:.17g} s>\nuntil = <@{:.17g} s>\n{}[output]\nevery = <{:.17g} s>\n",
                     integrator, system.dt, system.until, more, 10.0 * system.dt);
}

/// `more`: lines of [run].
Scene read(const ScaledSystem& system, const std::string& integrator, const Units& units, double clock = 0.0,
           const std::string& more = "") {
  return test::scene_from(test::in_units(system.text + run_table(system, integrator, more), units, clock));
}

Course run(const ScaledSystem& system, const std::string& integrator, const Units& units, double clock = 0.0,
           const std::string& more = "") {
  const Scene scene = read(system, integrator, units, clock, more);
  Course course;
  const auto add_sample = [&](const Sample& sample) {
    course.add("t", "s", sample.state.t);
    for (size_t i = 0; i < system.coordinates.size(); ++i)
      course.add("q of " + system.coordinates[i], system.coordinates[i], sample.state.q[static_cast<Eigen::Index>(i)]);
    for (size_t i = 0; i < system.velocities.size(); ++i)
      course.add("u of " + system.velocities[i], system.velocities[i], sample.state.u[static_cast<Eigen::Index>(i)]);
    course.add("then energies", "J", sample.energies.kinetic);
    course.add("then energies", "J", sample.energies.potential);
    for (const double gap : sample.gaps) course.add("gaps", system.gap, gap);
  };
  const auto add_events = [&](const StepView& step) {
    for (const Event& event : step.integrator.last_events()) {
      course.add("events", "s", event.t);
      course.add("lost in events", "J", event.lost);
      course.words += name_of(event.kind);
      for (const auto& modes : {event.before, event.after}) {
        for (const ContactMode mode : modes) course.words += static_cast<char>('0' + static_cast<int>(mode));
      }
      course.words += without_digits(event.note) + "\n";
    }
  };
  const RunSummary summary =
      simulate(*scene.system, scene.start, scene.run, {.after_step = add_events, .on_sample = add_sample});
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  for (const double energy : {summary.energy.lost_in_contacts, summary.energy.lost_in_damping, summary.energy.work_done,
                              summary.energy.pushed_out, summary.energy.max_rise_per_step})
    course.add("ledger", "J", energy);
  course.add("residual", "1", summary.worst_residual);
  course.add("penetration", system.gap, summary.worst_penetration);
  course.words +=
      fmt::format("steps {} rejected {} iterations {} halved {} inexact {} impacts {}\n", summary.steps,
                  summary.rejected_steps, summary.iterations, summary.halved_steps, summary.inexact_steps, summary.impacts);
  for (const std::string& warning : summary.warnings) course.words += without_digits(warning) + "\n";
  return course;
}

/// The first number that is not the same in other units, or "".
std::string difference(const Course& plain, const Course& scaled, const Units& units) {
  if (plain.words != scaled.words) return "other words:\n" + plain.words + "\n" + scaled.words;
  for (const auto& [row, numbers] : plain.rows) {
    const double unit = units.of(test::Dimension::of(numbers.first));
    const std::vector<double>& others = scaled.rows.at(row).second;
    if (numbers.second.size() != others.size())
      return fmt::format("{}: {} and {}", row, numbers.second.size(), others.size());
    for (size_t k = 0; k < others.size(); ++k) {
      if (others[k] != numbers.second[k] * unit)
        return fmt::format("{} {}: {:.17g} and {:.17g}, {:.3g} apart", row, k, numbers.second[k], others[k] / unit,
                           others[k] / unit - numbers.second[k]);
    }
  }
  return "";
}

const std::vector<Units>& powers() {
  static const std::vector<Units> units = {
      test::powers_of_four(5, 0, 0),     test::powers_of_four(0, 5, 0),   test::powers_of_four(0, 0, 5),
      test::powers_of_four(-12, 14, -7), test::powers_of_four(7, -13, 9),
  };
  return units;
}

std::vector<std::string> integrators_of(const ScaledSystem& system) {
  return fitting_integrators(*read(system, "moreau", {}).system);
}

/// What is the same to round-off only, and why.
bool differs_by_round_off(const ScaledSystem& system, const std::string& integrator) {
  return system.name == "double pendulum and wall" &&
         integrator != "event-driven";  // the residual adds impulses in N s and in N m s
}

TEST(Units, EveryIntegratorMovesToTheSameBitsInUnitsOfPowersOfFour) {
  std::map<std::string, int> runs;
  for (const ScaledSystem& system : systems()) {
    for (const std::string& integrator : integrators_of(system)) {
      ++runs[integrator];
      if (differs_by_round_off(system, integrator)) continue;
      const Course plain = run(system, integrator, {});
      for (const Units& units : powers())
        EXPECT_EQ(difference(plain, run(system, integrator, units), units), "")
            << system.name << ", " << integrator << ", " << units.name();
    }
  }
  EXPECT_EQ(runs.size(), integrators().size());
}

TEST(Units, StepsByTheirErrorAreTheSame) {
  for (ScaledSystem system : {bodies(false, true), three_feet(), double_pendulum(false)}) {
    system.until = std::min(system.until, 0.4);
    system.dt = 0.02;
    const std::string integrator = system.name.starts_with("bodies")   ? "quaternion-2"
                                   : system.name.starts_with("double") ? "consistent-mq"
                                                                       : "consistent-2";
    const Course plain = run(system, integrator, {}, 0.0, "tolerance = 1e-5\n");
    EXPECT_EQ(plain.words.find("halved 0 "), std::string::npos) << system.name << ": no step was cut";
    for (const Units& units : powers())
      EXPECT_EQ(difference(plain, run(system, integrator, units, 0.0, "tolerance = 1e-5\n"), units), "")
          << system.name << ", " << integrator << ", " << units.name();
  }
}

/// The largest distance of coordinates at the end, of the largest of their unit on the way.
double distance(const ScaledSystem& system, const Course& plain, const Course& other, const Units& units) {
  double largest = 0.0;
  for (const auto& [row, numbers] : plain.rows) {
    if (!row.starts_with("q of ")) continue;
    const auto count = static_cast<size_t>(std::ranges::count(system.coordinates, numbers.first));
    const std::vector<double>&own = numbers.second, &others = other.rows.at(row).second;
    double size = 0.0;
    for (const double value : own) size = std::max(size, std::abs(value));
    for (size_t k = 1; k <= count; ++k)
      largest = std::max(
          largest,
          std::abs(others[others.size() - k] / units.of(test::Dimension::of(numbers.first)) - own[own.size() - k]) / size);
  }
  return largest;
}

TEST(Units, EveryIntegratorMovesAlikeInAnyUnits) {
  for (const ScaledSystem& system : systems()) {
    for (const std::string& integrator : integrators_of(system)) {
      const Course plain = run(system, integrator, {});
      for (const Units& units : {Units{1e-3, 1e3, 1.0}, {1e9, 1e-9, 1e3}, {7e-8, 3e8, 1e-9}})
        EXPECT_LE(distance(system, plain, run(system, integrator, units), units), 1e-9)
            << system.name << ", " << integrator << ", " << units.name();
    }
  }
}

// At 1e9 s the clock has a resolution of 1.2e-7 s: schemes with steps of their own keep to it, and forces that depend on t are as uncertain as it.
TEST(Units, EveryIntegratorMovesAlikeAtAnyTime) {
  constexpr double kLate = 1e9, kResolution = 1.2e-7;
  constexpr double kLateOfEvents =
      1e6;  // event-driven loses the end of sticking under a force that depends on t, and says so, where the clock is coarser than its modes
  for (const ScaledSystem& system : systems()) {
    for (const std::string& integrator : integrators_of(system)) {
      const Course early = run(system, integrator, {}),
                   late = run(system, integrator, {}, integrator == "event-driven" ? kLateOfEvents : kLate);
      EXPECT_LE(distance(system, early, late, {}), 1e2 * kResolution) << system.name << ", " << integrator;
    }
  }
}

/// The numbers of a JSON object, each with its place, and its words without digits.
void flatten(const nlohmann::json& json, const std::string& place, std::map<std::string, double>& numbers,
             std::string& words) {
  if (json.is_number()) {
    numbers[place] = json.get<double>();
  } else if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) flatten(value, place + "/" + key, numbers, words);
  } else {
    words += place + ": " + without_digits(json.dump()) + "\n";
  }
}

/// Each number is the other one times a whole power, up to the fourth, of the unit that was changed: exactly, or but for a part of it. Measures of round-off are left out then.
std::string difference(const std::string& plain, const std::string& scaled, double unit, double part = 0.0) {
  std::map<std::string, double> a, b;
  std::string words, other_words;
  flatten(nlohmann::json::parse(plain), "", a, words);
  flatten(nlohmann::json::parse(scaled), "", b, other_words);
  if (words != other_words) return "other words:\n" + words + "\n" + other_words;
  for (const auto& [place, value] : a) {
    const auto found = b.find(place);
    if (found == b.end()) return place + " is missing";
    bool same = part > 0.0 && (place.ends_with("residual") || place.ends_with("margin"));
    for (int power = -4; power <= 4; ++power) {
      const double expected = value * std::pow(unit, power);
      same = same || std::abs(found->second - expected) <= part * std::abs(expected);
    }
    if (!same) return fmt::format("{}: {:.17g} and {:.17g}", place, value, found->second);
  }
  return a.size() == b.size() ? "" : "other places";
}

const std::vector<std::pair<Units, double>>& single_units() {
  static const std::vector<std::pair<Units, double>> units = {
      {test::powers_of_four(8, 0, 0), std::ldexp(1.0, 16)},    {test::powers_of_four(0, 8, 0), std::ldexp(1.0, 16)},
      {test::powers_of_four(0, -8, 0), std::ldexp(1.0, -16)},  {test::powers_of_four(0, 0, 8), std::ldexp(1.0, 16)},
      {test::powers_of_four(0, -20, 0), std::ldexp(1.0, -40)}, {test::powers_of_four(0, 0, -20), std::ldexp(1.0, -40)}};
  return units;
}

/// Resting, sliding, falling: the systems of this file on their floors.
std::vector<ScaledSystem> instants() {
  ScaledSystem feet = three_feet(), sliding = three_feet(), falling = three_feet(), resting_slider = slider();
  const auto replace = [](ScaledSystem& system, const std::string& from, const std::string& to) {
    system.text.replace(system.text.find(from), from.size(), to);
  };
  replace(feet, "z = <0.021 m>\n\"x'\" = <0.6 m/s>\n", "");
  replace(sliding, "z = <0.021 m>\n", "");
  replace(falling, "z = <0.021 m>\n", "\"z'\" = <-0.7 m/s>\n");
  replace(resting_slider, "x = <0.37 m>", "x = <-0.11 m>");
  feet.name = "feet at rest";
  sliding.name = "feet that slide";
  falling.name = "feet that hit";
  resting_slider.name = "mass at the wall";
  return {feet, sliding, falling, resting_slider, pendulum(false)};
}

TEST(Units, AnalyzeAndModesJudgeAlike) {
  for (const ScaledSystem& system : instants()) {
    const auto judge = [&](const Units& units) {
      const Scene scene = read(system, "moreau", units);
      const Instant instant = instant_of(*scene.system, scene.start, {});
      ModesReport modes = list_modes(*scene.system, scene.start, {});
      return std::pair(analysis_json(instant, analyze(instant), {"scene", {}}), modes_json(modes));
    };
    const auto [analysis, modes] = judge({});
    for (const auto& [units, unit] : single_units()) {
      const auto [other_analysis, other_modes] = judge(units);
      // The programs behind analyze pivot by sizes in the units that they are given.
      EXPECT_EQ(difference(analysis, other_analysis, unit, 1e-12), "") << system.name << ", analyze, " << units.name();
      EXPECT_EQ(difference(modes, other_modes, unit), "") << system.name << ", modes, " << units.name();
    }
  }
}

// A mass that is driven against a stop, once a period.
TEST(Units, OrbitFindsTheSameOrbit) {
  const ScaledSystem system{
      "driven mass and stop",
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*<1.1 kg>*x'^2\"\npotential = \"0.5*<20 N/m>*x^2\"\n"
      "damping = \"0.5*<0.9 N s/m>*x'^2\"\n[lagrangian.forces]\nx = \"<9 N>*cos(<6 1/s>*t)\"\n"
      "[[contact]]\nname = \"stop\"\ngap = \"x + <0.1 m>\"\nrestitution = 0.6\n",
      {"m"},
      {"m/s"},
      "m",
      1e-3,
      20.0};
  const auto search = [&](const Units& units) {
    const Scene scene = read(system, "event-driven", units);
    const PeriodicOrbit orbit = find_periodic_orbit(
        *scene.system, scene.start, {.until = scene.run.until, .forcing_period = 2.0 * std::numbers::pi / 6.0 * units.time});
    EXPECT_EQ(orbit.status, PeriodicOrbit::Status::kConverged) << orbit.message;
    return orbit_json(*scene.system, scene.origin, orbit);
  };
  const std::string plain = search({});
  for (const auto& [units, unit] : single_units()) EXPECT_EQ(difference(plain, search(units), unit), "") << units.name();
}

}  // namespace tippe::units_test
