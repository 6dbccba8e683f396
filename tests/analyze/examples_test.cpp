// SPDX-License-Identifier: Apache-2.0
// instants/: whether they are solvable, how they move, which forces are free and within which bounds, whether their contacts stick.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "support/examples.h"

namespace tippe::analyze_examples_test {

using Ground = Solvability::Ground;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Range {
  double lower, upper;
};
Range just(double value) {
  return {value, value};
}
const Range kFree = {-kInf, kInf};

struct Example {
  std::string name;
  Ground ground = Ground::kEveryDrift;
  std::vector<double> certificate = {};  // kWedged, kContradiction: the only one
  double value = 0.0;                    // of the certificate
  std::vector<double> acceleration = {};
  std::map<std::string, Range> forces = {};  // without friction limits
  std::map<std::string, double> representative = {};
  std::vector<std::vector<std::string>> groups = {};  // of forces that are undetermined together
  std::optional<Answer> sticks = {};
  double mu_min = 0.0;
  std::map<std::string, Range> within_friction = {};
};

// The block of Brogliato B, Fig. 1: m = 3, half width 0.8, half height 0.6, I = m (1.6^2 + 1.2^2)/12 = 1. Balance of forces and of
// moments with a push P and the weight W gives n1 + n2 = W, n1 - n2 = 0.6/0.8 P, t1 + t2 = -P.
const std::vector<Example> kExamples = {
    {.name = "block_on_three_points",  // n1 + n2 + n3 = m g, Brogliato A, Example 1
     .acceleration = {0, 0},
     .forces = {{"A1.n", {0, 29.43}}, {"A2.n", {0, 29.43}}, {"A3.n", {0, 29.43}}},
     .representative = {{"A1.n", 9.81}, {"A2.n", 9.81}, {"A3.n", 9.81}},
     .groups = {{"A1.n", "A2.n", "A3.n"}}},
    {.name = "rod_and_wall",
     // The tip is held in both directions: the rod turns about it, 4/3 m l^2 th'' = -m g l cos, x = l cos, y = l sin + H:
     // x'' = -0.8*4 - 0.6 th'', y'' = -0.6*4 + 0.8 th'', wall m x'', guide m (y'' + g).
     .acceleration = {-3.2 + 0.6 * 5.886, -2.4 - 0.8 * 5.886, -5.886},
     .forces = {{"wall.n", just(0.9948)}, {"guide.n", just(8.1036)}}},
    {.name =
         "elliptic_manipulator",  // at rest: 1 = 3.2 nu, 2 = lambda + 1.2 nu; Brogliato A (64) with T12 = -0.375: lambda = 2 - 0.375
     .acceleration = {0, 0},
     .forces = {{"stop.n", just(1.625)}, {"ellipse.n", just(0.3125)}}},
    {.name = "aligned_joint_same_direction",  // stop + 2 joint = 0
     .ground = Ground::kWedged,
     .certificate = {1},
     .acceleration = {0, -3},
     .forces = {{"stop.n", {0, kInf}}, {"joint.n", {-kInf, 0}}},
     .representative = {{"stop.n", 0}, {"joint.n", 0}},
     .groups = {{"stop.n", "joint.n"}}},
    {.name = "aligned_joint_opposite_direction",
     .ground = Ground::kWedged,
     .certificate = {1},
     .acceleration = {0, -3},
     .forces = {{"stop.n", {0, kInf}}, {"joint.n", {0, kInf}}},
     .groups = {{"stop.n", "joint.n"}}},
    {.name = "coincident_contacts",  // two contacts, three coordinates, Brogliato A, Remark 7
     .acceleration = {0, 0, 0},
     .forces = {{"A1.n", {0, 10}}, {"A2.n", {0, 10}}},
     .representative = {{"A1.n", 5}, {"A2.n", 5}},
     .groups = {{"A1.n", "A2.n"}}},
    {.name = "particle_between_walls",  // left - right = 3
     .ground = Ground::kWedged,
     .certificate = {0.5, 0.5},
     .acceleration = {0, 0},
     .forces = {{"left.n", {3, kInf}}, {"right.n", {0, kInf}}},
     .representative = {{"left.n", 3}, {"right.n", 0}},
     .groups = {{"left.n", "right.n"}}},
    {.name = "particle_between_closing_walls",  // drift -1 of the left one
     .ground = Ground::kContradiction,
     .certificate = {0.5, 0.5},
     .value = -0.5},
    {.name = "rocking_block",  // P = 6: n1 - n2 = 4.5; mu_min = P/W; |t1| <= n1/2, |t2| <= n2/2, t1 + t2 = -6
     .acceleration = {0, 0, 0},
     .forces = {{"A1.n", just(16.965)}, {"A2.n", just(12.465)}, {"A1.t", kFree}, {"A2.t", kFree}},
     .representative = {{"A1.t", -3}, {"A2.t", -3}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = 6 / 29.43,
     .within_friction = {{"A1.n", just(16.965)}, {"A1.t", {-8.4825, 0.2325}}, {"A2.t", {-6.2325, 2.4825}}}},
    {.name = "rocking_block_tips",
     // About A1 with the inertia 1 + 3*(0.36 + 0.64) = 4: 4 th'' = -50*0.6 + 29.43*0.8; x'' = -0.6 th'', y'' = -0.8 th''
     .acceleration = {0.6 * 1.614, 0.8 * 1.614, -1.614},
     .forces = {{"A1.n", just(29.43 + 2.4 * 1.614)}, {"A2.n", just(0)}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = (50 - 1.8 * 1.614) / (29.43 + 2.4 * 1.614),
     .within_friction = {{"A1.t", just(-50 + 1.8 * 1.614)}, {"A2.n", just(0)}, {"A2.t", just(0)}}},
    {.name = "rocking_block_on_corner",
     // About A2, a = 0.96, b = -0.28, a^2 + b^2 = 1: 4 th'' = -6*0.96 - 29.43*0.28; x'' = -a th'' + b, y'' = -b th'' - a
     .acceleration = {0.96 * 3.5001 - 0.28, -0.28 * 3.5001 - 0.96, -3.5001},
     .forces = {{"A2.n", just(29.43 + 3 * (-0.28 * 3.5001 - 0.96))}, {"A2.t", just(-6 + 3 * (0.96 * 3.5001 - 0.28))}},
     .sticks = Answer::kYes,
     .mu_min = 3.240288 / 23.609916},
    {.name = "block_with_pendulum",
     // The block stands: (m a^2/4 + Ip) alpha'' = -m g a/2 cos(alpha), 0.4 alpha'' = -3.5316. What the pendulum and the weight ask of the
     // ground: x -1.44 - 0.48 alpha'', y 39.282 + 0.36 alpha'', theta 4.3956 + 0.688 alpha''.
     .acceleration = {0, 0, 0, -8.829},
     .forces = {{"A1.n", just(15.95334)}, {"A2.n", just(20.15022)}, {"A1.t", kFree}, {"A2.t", kFree}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = 2.79792 / 36.10356,
     .within_friction = {{"A1.t", {2.79792 - 0.5 * 20.15022, 0.5 * 15.95334}},
                         {"A2.t", {2.79792 - 0.5 * 15.95334, 0.5 * 20.15022}}}},
    {.name = "three_fingers",
     // Nothing moves. n = (40, 10, 45); t2 = n3 - n1, t1 + t3 = m g + n2, 0.8 (t3 - t1) = 0.1 n1 + 0.2 n2 + 0.2 n3 + 0.6 t2
     .acceleration = {0, 0, 0, 0, 0, 0},
     .forces = {{"A1.n", just(40)},
                {"A2.n", just(10)},
                {"A3.n", just(45)},
                {"A1.t", just(8.465)},
                {"A2.t", just(5)},
                {"A3.t", just(30.965)}},
     .sticks = Answer::kYes,
     .mu_min = 30.965 / 45},
    {.name = "three_fingers_tilted",  // six equations of balance, solved in rational numbers
     .acceleration = {0, 0, 0, 0, 0, 0},
     .forces = {{"A1.n", just(7519801 / 168750.0)},
                {"A1.t", just(279172 / 28125.0)},
                {"A2.n", just(11)},
                {"A2.t", just(2)},
                {"A3.n", just(12933467 / 337500.0)},
                {"A3.t", just(824813 / 28125.0)}},
     .sticks = Answer::kNo,
     .mu_min = 824813.0 * 12 / 12933467},
    {.name = "two_fingers",  // t1 + t2 = g, |t1| <= 4.8, |t2| <= 6
     .acceleration = {0, 0, 0, 0},
     .forces = {{"A1.n", just(8)}, {"A2.n", just(10)}, {"rail.n", just(2)}, {"A1.t", kFree}, {"A2.t", kFree}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = 9.81 / 18,
     .within_friction = {{"A1.t", {3.81, 4.8}}, {"A2.t", {5.01, 6}}, {"rail.n", just(2)}}},
    {.name = "two_fingers_lifting",
     // y'' = -(g + F1y + F2y)/3, t1 = (g - 2 F1y + F2y)/3, t2 = (g + F1y - 2 F2y)/3 with F1y = -8, F2y = -6
     .acceleration = {0, 4.19 / 3, 0, 4.19 / 3, 0, 4.19 / 3},
     .forces =
         {{"A1.n", just(8)}, {"A2.n", just(10)}, {"rail.n", just(2)}, {"A1.t", just(19.81 / 3)}, {"A2.t", just(13.81 / 3)}},
     .sticks = Answer::kYes,
     .mu_min = 19.81 / 24},
    {.name = "two_fingers_opening",  // the fingers leave with 8 and 10 m/s^2
     .acceleration = {0, 0, -8, 10},
     .forces = {{"A1.n", just(0)}, {"A2.n", just(0)}, {"rail.n", just(0)}, {"A1.t", kFree}, {"A2.t", kFree}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kNo,
     .mu_min = kInf},
    {.name = "unloaded_contact",  // t = g, n = 0
     .acceleration = {0, 0},
     .forces = {{"wall.n", just(0)}, {"wall.t", just(9.81)}},
     .sticks = Answer::kNo,
     .mu_min = kInf},
    {.name = "redundant_tangents_contradiction", .ground = Ground::kEqualities},
    {.name = "particle_in_corner",
     // wall.n + floor.t = 3, floor.n + wall.t = 5; smooth walls hold it. With mu = 1/2 the extreme forces have both on an edge of
     // their cones, as n = 3 + 0.5 m, m = 5 + 0.5 n.
     .ground = Ground::kWedged,
     .acceleration = {0, 0},
     .forces = {{"wall.n", {0, kInf}}, {"floor.n", {0, kInf}}, {"wall.t", {-kInf, 5}}, {"floor.t", {-kInf, 3}}},
     .groups = {{"wall.n", "floor.t"}, {"floor.n", "wall.t"}},
     .sticks = Answer::kYes,
     .mu_min = 0,
     .within_friction = {{"wall.n", {0.4, 22 / 3.0}},
                         {"floor.n", {2.8, 26 / 3.0}},
                         {"wall.t", {5 - 26 / 3.0, 2.2}},
                         {"floor.t", {3 - 22 / 3.0, 2.6}}}},
    {.name = "particle_in_corner_contradiction",  // the floor takes it along with -1, into the wall
     .ground = Ground::kContradiction,
     .certificate = {1, 0},
     .value = -1},
    {.name =
         "least_norm_violates_coulomb",  // t1 + t2 = -8 is shared equally by the least norm, 4 > 0.4*3; |t2| <= 1.2 is possible
     .acceleration = {0, 0, 0},
     .forces = {{"A1.n", just(27)}, {"A2.n", just(3)}},
     .representative = {{"A1.t", -4}, {"A2.t", -4}},
     .groups = {{"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = 8 / 30.0,
     .within_friction = {{"A1.t", {-9.2, -6.8}}, {"A2.t", {-1.2, 1.2}}}},
    {.name = "massless_held",  // A1.n + 2 A2.n = 5, t1 + t2 = 2
     .acceleration = {0, 0},
     .forces = {{"A1.n", {0, 5}}, {"A2.n", {0, 2.5}}, {"A1.t", kFree}, {"A2.t", kFree}},
     .groups = {{"A1.n", "A2.n"}, {"A1.t", "A2.t"}},
     .sticks = Answer::kYes,
     .mu_min = 0.4,
     .within_friction = {{"A1.n", {3, 5}}, {"A2.n", {0, 1}}}},
    {.name = "massless_loaded", .ground = Ground::kMasslessLoaded},
    {.name =
         "painleve_rod_at_rest",  // about the tip with the inertia 5 + 3*5 = 20: 20 th'' = -m g; friction over normal force 6/17
     .acceleration = {2.943, -1.4715, -1.4715},
     .forces = {{"tip.n", just(25.0155)}, {"tip.t", just(8.829)}},
     .sticks = Answer::kYes,
     .mu_min = 6 / 17.0},
    {.name = "table_four_legs",  // A - C = 20, B = D, A + B = 79.05
     .acceleration = {0, 0, 0, 0, 0, 0},
     .forces = {{"A.n", {20, 79.05}}, {"B.n", {0, 59.05}}, {"C.n", {0, 59.05}}, {"D.n", {0, 59.05}}},
     .representative = {{"A.n", 44.525}, {"B.n", 34.525}, {"C.n", 24.525}, {"D.n", 34.525}},
     .groups = {{"A.n", "B.n", "C.n", "D.n"}}},
    {.name = "table_four_legs_sticking",
     // 0.4 (A + D - B - C) = 8 + 30*0.7, A + B = C + D: A = 36.25 + C, B = 32.8 - C, D = 69.05 - C; mu_min = push/weight, since every leg
     // can carry its share along x
     .acceleration = {0, 0, 0, 0, 0, 0},
     .forces = {{"A.n", {36.25, 69.05}},
                {"B.n", {0, 32.8}},
                {"C.n", {0, 32.8}},
                {"D.n", {36.25, 69.05}},
                {"A.t1", kFree},
                {"A.t2", kFree}},
     .groups = {{"A.n", "B.n", "C.n", "D.n"}, {"A.t1", "A.t2", "B.t1", "B.t2", "C.t1", "C.t2", "D.t1", "D.t2"}},
     .sticks = Answer::kYes,
     .mu_min = 30 / 138.1},
    {.name = "ladder_holds",
     // floor.t = -wall.n, wall.t = W - floor.n, 3 floor.n - 4 wall.n = 1.5 W; within friction 4*0.34 >= 3 - 1.5 W/floor.n and
     // W - floor.n <= 0.085 (3 floor.n - 1.5 W). mu_min = tan of half the angle with the wall, 3-4-5: 0.6/1.8
     .ground = Ground::kWedged,
     .certificate = {4 / 7.0, 3 / 7.0},
     .acceleration = {0, 0, 0},
     .forces = {{"floor.n", {58.86, kInf}}, {"wall.n", {0, kInf}}, {"floor.t", {-kInf, 0}}, {"wall.t", {-kInf, 58.86}}},
     .groups = {{"floor.n", "floor.t", "wall.n", "wall.t"}},
     .sticks = Answer::kYes,
     .mu_min = 1 / 3.0,
     .within_friction = {{"floor.n", {132.7293 / 1.255, 176.58 / 1.64}}}},
    {.name = "ladder_slips", .ground = Ground::kWedged, .acceleration = {0, 0, 0}, .sticks = Answer::kNo, .mu_min = 1 / 3.0},
    {.name = "box_on_incline",
     // A = 12.2625 + C, B = 7.3575 - C, D = 19.62 - C. At mu_min all corners slide about one centre, and C = 0: balance of the friction
     // forces, three equations for the centre (0.17997, 0.96745) and mu, solved with 30 digits.
     .acceleration = {0, 0, 0, 0, 0, 0},
     .forces = {{"A.n", {12.2625, 19.62}}, {"B.n", {0, 7.3575}}, {"C.n", {0, 7.3575}}, {"D.n", {12.2625, 19.62}}},
     .groups = {{"A.n", "B.n", "C.n", "D.n"}, {"A.t1", "A.t2", "B.t1", "B.t2", "C.t1", "C.t2", "D.t1", "D.t2"}},
     .sticks = Answer::kYes,
     .mu_min = 0.77712555700541442},
    {.name = "box_on_incline_slips",
     .acceleration = {0, 0, 0, 0, 0, 0},
     .sticks = Answer::kNo,
     .mu_min = 0.77712555700541442},
};

/// Where a force component stands in all vectors of forces.
class Names {
 public:
  explicit Names(const AccelerationProblem& problem) : names_(ForceLayout(problem).names) {}
  [[nodiscard]] Eigen::Index operator()(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(found, names_.end()) << name;
    return found - names_.begin();
  }
  [[nodiscard]] std::vector<std::string> operator()(const std::vector<int>& places) const {
    std::vector<std::string> names;
    for (const int place : places) names.push_back(names_[static_cast<size_t>(place)]);
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::vector<std::string> names_;
};

void expect_ranges(const std::map<std::string, Range>& expected, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                   const Names& place, const std::string& what) {
  for (const auto& [name, range] : expected) {
    ASSERT_GT(lower.size(), place(name)) << what;
    test::expect_number(lower[place(name)], range.lower, test::kProgram, what + " lower bound of " + name);
    test::expect_number(upper[place(name)], range.upper, test::kProgram, what + " upper bound of " + name);
  }
}

void expect_solvability(const Example& expected, const Solvability& seen) {
  const bool solvable = !expected.acceleration.empty();
  EXPECT_EQ(name_of(seen.verdict.answer), std::string(solvable ? "yes" : "no"));
  EXPECT_EQ(seen.ground, expected.ground);
  if (!expected.certificate.empty())
    test::expect_vector(seen.certificate, expected.certificate, test::kProgram, "certificate");
  test::expect_number(seen.certificate_value, expected.value, test::kProgram, "value of the certificate");
  if (expected.ground == Ground::kContradiction) {
    ASSERT_TRUE(seen.verdict.margin);
    EXPECT_LT(*seen.verdict.margin, -kVerdictTolerance);
  }
}

void expect_forces(const Example& expected, const ForceSet& seen, const AccelerationProblem& problem) {
  const Names place(problem);
  expect_ranges(expected.forces, seen.lower, seen.upper, place, "force");
  for (const auto& [name, value] : expected.representative)
    test::expect_number(seen.representative[place(name)], value, test::kProgram, "representative " + name);
  if (expected.forces.empty()) return;
  EXPECT_EQ(name_of(seen.unique.answer), std::string(expected.groups.empty() ? "yes" : "no"));
  std::vector<std::vector<std::string>> groups;
  for (const std::vector<int>& group : seen.groups) groups.push_back(place(group));
  std::vector<std::vector<std::string>> wanted = expected.groups;
  for (auto& group : wanted) std::sort(group.begin(), group.end());
  std::sort(groups.begin(), groups.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(groups, wanted);
}

/// d is opposed by no force within the cones: normal'd >= mu |tangents'd| for every contact that stays closed, and the load does work.
void expect_blocking(const Eigen::VectorXd& d, const AccelerationProblem& problem, const Eigen::VectorXd& acceleration) {
  ASSERT_EQ(d.size(), problem.n());
  EXPECT_NEAR(d.cwiseAbs().maxCoeff(), 1.0, 1e-12);
  for (const ContactRows& contact : problem.unilateral)
    if (contact.normal.dot(acceleration) + contact.drift <= 1e-9) {
      EXPECT_GE(contact.normal.dot(d) - *contact.mu * (contact.tangents.transpose() * d).norm(), -1e-9) << contact.name;
    }
  for (const ContactRows& joint : problem.bilateral) EXPECT_NEAR(joint.normal.dot(d), 0.0, 1e-9) << joint.name;
  EXPECT_LT((problem.M * acceleration + problem.F).dot(d), -1e-9);
}

void expect_sticking(const Example& expected, const Sticking& seen, const AccelerationProblem& problem,
                     const Eigen::VectorXd& acceleration) {
  ASSERT_EQ(name_of(seen.feasible.answer), std::string(name_of(*expected.sticks)));
  test::expect_number(seen.mu_min, expected.mu_min, test::kProgram, "mu_min");
  const Names place(problem);
  expect_ranges(expected.within_friction, seen.lower, seen.upper, place, "within friction:");
  if (*expected.sticks == Answer::kNo) return expect_blocking(seen.blocking_direction, problem, acceleration);
  const Eigen::VectorXd w = problem.M * acceleration + problem.F;
  EXPECT_LE((force_directions(problem) * seen.forces - w).norm(), 1e-9 * (1.0 + w.norm()));
  Eigen::Index k = 0;
  for (const ContactRows& contact : problem.unilateral) {
    const double n = seen.forces[k], t = seen.forces.segment(k + 1, contact.tangent_count()).norm();
    EXPECT_LE(t, *contact.mu * n + 1e-9 * (1.0 + w.norm())) << contact.name;
    k += contact.rows();
  }
}

TEST(Examples, HaveTheirVerdictsAndNumbers) {
  for (const Example& expected : kExamples) {
    SCOPED_TRACE(expected.name);
    const Instant instant = test::load_example(expected.name);
    const AccelerationProblem& problem = *instant.acceleration;
    const Analysis seen = analyze(instant);
    ASSERT_TRUE(seen.solvability);
    expect_solvability(expected, *seen.solvability);
    if (expected.acceleration.empty()) {
      EXPECT_FALSE(seen.motion);
      EXPECT_FALSE(seen.forces);
      continue;
    }
    ASSERT_TRUE(seen.motion && seen.forces);
    EXPECT_TRUE(seen.motion->unique.yes());
    test::expect_vector(seen.motion->acceleration, expected.acceleration, test::kClosedForm, "acceleration");
    expect_forces(expected, *seen.forces, problem);
    EXPECT_EQ(seen.sticking.has_value(), expected.sticks.has_value());
    if (seen.sticking && expected.sticks) expect_sticking(expected, *seen.sticking, problem, seen.motion->acceleration);
  }
}

// The largest s with |t_i| + s <= mu n_i: at most (mu W - P)/contacts, and attained in both. Forces times the kinetic length of the
// normal, the same for all contacts here, over that of the load.
TEST(Examples, HaveTheMarginOfTheirFriction) {
  const auto margin = [](const std::string& name) { return *analyze(test::load_example(name)).sticking->feasible.margin; };
  const double block_normal = std::sqrt(1.0 / 3 + 0.8 * 0.8), block_load = std::hypot(6, 29.43) / std::sqrt(3.0);
  EXPECT_NEAR(margin("rocking_block"), (0.5 * 29.43 - 6) / 2 * block_normal / block_load, 1e-9);
  const double table_normal = std::sqrt(1.0 / 10 + 0.3 * 0.3 + 0.4 * 0.4);
  const double table_load = std::sqrt((30.0 * 30 + 138.1 * 138.1) / 10 + 8 * 8);
  EXPECT_NEAR(margin("table_four_legs_sticking"), (0.4 * 138.1 - 30) / 4 * table_normal / table_load, 1e-9);
}

// What is behind an infinite mu_min, and behind forces of any size.
TEST(Examples, TellWhyFrictionDoesNotHelpAndWhereContactsJam) {
  const Sticking unloaded = *analyze(test::load_example("unloaded_contact")).sticking;
  EXPECT_EQ(unloaded.unloadable, std::vector<int>{0});
  EXPECT_FALSE(unloaded.tipping);
  EXPECT_TRUE(analyze(test::load_example("two_fingers_opening")).sticking->tipping);
  EXPECT_FALSE(analyze(test::load_example("ladder_holds")).sticking->self_stress);  // needs mu >= 3/4
  EXPECT_TRUE(analyze(test::load_example("grasp_plane_two_fingers")).sticking->self_stress);
  test::expect_direction(analyze(test::load_example("massless_loaded")).solvability->massless_direction, {0, 1}, 1e-9,
                         "massless");
  test::expect_direction(analyze(test::load_example("table_four_legs")).forces->free_directions.col(0), {1, -1, 1, -1}, 1e-9,
                         "free");
}

}  // namespace tippe::analyze_examples_test
