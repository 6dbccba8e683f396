// SPDX-License-Identifier: Apache-2.0
#include "generated.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "random.h"
#include "tippe/core/error.h"

namespace tippe::bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kGround = -1;

int count(Random& random, int least, int most) {
  return least + static_cast<int>(random.uniform(0.0, 1.0) * (most - least + 1));
}
/// Between powers of ten.
double power(Random& random, double least, double most) {
  return std::pow(10.0, random.uniform(std::log10(least), std::log10(most)));
}
/// With all contacts open v = 0 is strictly feasible, and a solution exists (Acary, Cadoux, Lemarechal, Malick 2011); without, bodies that are
/// jammed may have none but in the limit of infinite impulses.
void open(Packing& packing, Random& random) {
  const double opening = power(random, 1e-3, 1e-1) * kGravity * kDt;
  packing.w.assign(3 * packing.mu.size(), 0.0);
  for (size_t k = 0; k < packing.mu.size(); ++k) packing.w[3 * k] = opening;
}

/// Bodies, and contacts between them, from which a step is made.
class Heap {
 public:
  explicit Heap(Random& random) : random_(random) {}

  /// A box of full size `size` along the axes of space.
  int add_box(const Vector3d& centre, const Vector3d& size, double mass) {
    const Vector3d squares = size.cwiseProduct(size);
    return add(centre, mass, mass / 12.0 * (Vector3d::Constant(squares.sum()) - squares));
  }
  /// `inertia`: about `axes`, its columns.
  int add(const Vector3d& centre, double mass, const Vector3d& inertia, const Matrix3d& axes = Matrix3d::Identity()) {
    centre_.push_back(centre);
    mass_.push_back(mass);
    inertia_.push_back(inertia);
    axes_.push_back(axes);
    load_.push_back(Vector3d(0.0, 0.0, -mass * kGravity));
    return static_cast<int>(centre_.size()) - 1;
  }
  void load(int body, const Vector3d& force) { load_[static_cast<size_t>(body)] += force; }

  /// `normal`: from the first body, or the ground, into the second.
  void touch(int first, int second, const Vector3d& at, const Vector3d& normal, double mu) {
    contacts_.push_back({first, second, at, normal.normalized(), mu});
  }
  /// A face: `points` around a centre, as corners of an ellipse.
  void touch_by_face(int first, int second, const Vector3d& centre, const Vector3d& normal, const Vector3d& along,
                     double half_length, double half_width, int points, double mu) {
    const Vector3d n = normal.normalized(), t = (along - n.dot(along) * n).normalized(), s = n.cross(t);
    for (int k = 0; k < points; ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.5) / points;
      touch(first, second, centre + half_length * std::cos(angle) * t + half_width * std::sin(angle) * s, n, mu);
    }
  }

  /// Velocities are disturbed, or not; all contacts are open by the way of a small part of g dt.
  [[nodiscard]] Packing step() {
    Packing packing;
    const double disturbance = random_.uniform(0.0, 1.0) < 0.3 ? 0.0 : power(random_, 1e-3, 10.0);  // of g dt
    for (size_t b = 0; b < mass_.size(); ++b) {
      const Vector3d v = random_.vector(disturbance * kGravity * kDt), force = mass_[b] * v + kDt * load_[b];
      for (int k = 0; k < 3; ++k) packing.M.push_back(mass_[b]), packing.f.push_back(force[k]);
      for (int k = 0; k < 3; ++k) packing.M.push_back(inertia_[b][k]), packing.f.push_back(0.0);
    }
    for (const Contact& contact : contacts_) {
      int smallest = 0;
      contact.normal.cwiseAbs().minCoeff(&smallest);
      const Vector3d t = contact.normal.cross(Vector3d::Unit(smallest)).normalized();
      for (const Vector3d& f : {contact.normal, t, Vector3d(contact.normal.cross(t))}) {
        push(contact.first, contact.at, -f, packing.H);
        push(contact.second, contact.at, f, packing.H);
        packing.H.finish_column();
      }
      packing.mu.push_back(contact.mu);
    }
    open(packing, random_);
    return packing;
  }

 private:
  struct Contact {
    int first, second;
    Vector3d at, normal;
    double mu;
  };
  void push(int body, const Vector3d& at, const Vector3d& f, SparseColumns& H) const {
    if (body == kGround) return;
    const auto number = static_cast<size_t>(body);
    const Vector3d moment = axes_[number].transpose() * (at - centre_[number]).cross(f);
    for (int k = 0; k < 3; ++k) H.push(6 * body + k, f[k]);
    for (int k = 0; k < 3; ++k) H.push(6 * body + 3 + k, moment[k]);
  }

  Random& random_;
  std::vector<Vector3d> centre_, inertia_, load_;
  std::vector<Matrix3d> axes_;
  std::vector<double> mass_;
  std::vector<Contact> contacts_;
};

Packing tower(Random& random) {
  Heap heap(random);
  const int boxes = count(random, 3, 12), points = count(random, 4, 8);
  const double ratio = power(random, 1.0, 1e6), mu = random.uniform(0.05, 1.0);
  int below = kGround;
  for (int k = 0; k < boxes; ++k) {
    const double mass = std::pow(ratio, static_cast<double>(k) / (boxes - 1));
    const Vector3d centre(0.05 * random.uniform(-1.0, 1.0), 0.05 * random.uniform(-1.0, 1.0), k + 0.5);
    const int box = heap.add_box(centre, Vector3d::Ones(), mass);
    heap.touch_by_face(below, box, Vector3d(centre.x(), centre.y(), k), Vector3d::UnitZ(), Vector3d(1.0, 1.0, 0.0), 0.6, 0.6,
                       points, mu);
    below = box;
  }
  return heap.step();
}

Packing wall(Random& random) {
  Heap heap(random);
  const int rows = count(random, 3, 8), columns = count(random, 2, 6);
  const double mu = random.uniform(0.1, 1.0), ratio = power(random, 1.0, 100.0);
  std::vector<int> below, now;
  for (int row = 0; row < rows; ++row, below.swap(now)) {
    now.clear();
    for (int k = 0; k < columns; ++k) {
      const double x = k + (row % 2 == 0 ? 0.0 : 0.5);
      now.push_back(heap.add_box({x, 0.0, 0.4 * row + 0.2}, {1.0, 0.5, 0.4},
                                 std::pow(ratio, static_cast<double>(row) / rows) * random.uniform(0.9, 1.1)));
      const auto rest_on = [&](int support, double from, double to) {
        heap.touch_by_face(support, now.back(), {0.5 * (from + to), 0.0, 0.4 * row}, Vector3d::UnitZ(), {1.0, 1.0, 0.0},
                           0.35 * std::sqrt(2.0) * (to - from), 0.35, 4, mu);
      };
      if (row == 0) rest_on(kGround, x - 0.5, x + 0.5);
      for (int other = k - 1; row > 0 && other <= k + 1; ++other) {
        if (other < 0 || other >= columns) continue;
        const double its = other + (row % 2 == 0 ? 0.5 : 0.0), from = std::max(x, its) - 0.5, to = std::min(x, its) + 0.5;
        if (to - from > 0.1) rest_on(below[static_cast<size_t>(other)], from, to);
      }
      if (k > 0)
        heap.touch_by_face(now[now.size() - 2], now.back(), {x - 0.5, 0.0, 0.4 * row + 0.2}, Vector3d::UnitX(),
                           {0.0, 1.0, 1.0}, 0.2, 0.2, 4, mu);
    }
  }
  return heap.step();
}

Packing arch(Random& random) {
  Heap heap(random);
  const int stones = count(random, 5, 31);
  const double mu = random.uniform(0.3, 1.0), thickness = random.uniform(0.08, 0.3), width = 0.3;
  const auto at = [&](double share, double radius) {
    const double angle = std::numbers::pi * (1.0 - share);
    return Vector3d(radius * std::cos(angle), 0.0, radius * std::sin(angle));
  };
  int before = kGround;
  for (int k = 0; k <= stones; ++k) {
    const double share = static_cast<double>(k) / stones;
    const Vector3d radial = at(share, 1.0), forwards(radial.z(), 0.0, -radial.x());
    const double length = std::numbers::pi / stones;
    const int stone = k == stones
                          ? kGround
                          : heap.add(at((k + 0.5) / stones, 1.0), length * thickness * width * 2000.0,
                                     Vector3d::Constant(2000.0 * length * thickness * width * thickness * thickness / 6.0));
    const Vector3d normal = k == stones ? Vector3d(-forwards) : forwards;
    const int first = k == stones ? kGround : before, second = k == stones ? before : stone;
    for (const double r : {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness}) {
      for (const double y : {-0.5 * width, 0.5 * width})
        heap.touch(first, second, at(share, r) + Vector3d(0.0, y, 0.0), normal, mu);
    }
    before = stone;
  }
  return heap.step();
}

Packing wedge(Random& random) {
  Heap heap(random);
  const int blocks = count(random, 1, 6);
  const double angle = random.uniform(0.02, 0.5), mu = random.uniform(0.1, 1.5), load = power(random, 1.0, 1e4);
  const double c = std::cos(angle), s = std::sin(angle);
  for (int k = 0; k < blocks; ++k) {
    const double half = 0.5 + 0.9 * k * std::tan(angle), z = 0.9 * k;
    const int block = heap.add_box({0.0, 0.0, z}, {2.0 * half, 1.0, 0.8}, power(random, 0.1, 10.0));
    heap.touch_by_face(kGround, block, {-half, 0.0, z}, {c, 0.0, s}, {0.0, 1.0, 1.0}, 0.4, 0.4, count(random, 4, 6), mu);
    heap.touch_by_face(kGround, block, {half, 0.0, z}, {-c, 0.0, s}, {0.0, 1.0, 1.0}, 0.4, 0.4, count(random, 4, 6), mu);
    if (k > 0) heap.touch_by_face(block - 1, block, {0.0, 0.0, z - 0.45}, {0.0, 0.0, 1.0}, {1.0, 1.0, 0.0}, 0.4, 0.4, 4, mu);
    if (k == blocks - 1) heap.load(block, {random.uniform(-0.1, 0.1) * load, 0.0, -load});
  }
  return heap.step();
}

/// Spheres as they are packed, the upper ones heavier.
Packing heap(Random& random, std::uint64_t seed) {
  PackingOptions options;
  options.spheres = count(random, 5, 60);
  options.spread = random.uniform(0.0, 0.6);
  options.mu = random.uniform(0.0, 1.0);
  options.seed = seed;
  Packing packing = make_packing(options);
  const double ratio = power(random, 1.0, 1e4);
  for (int b = 0; b < packing.bodies(); ++b) {
    const double heavier = std::pow(ratio, static_cast<double>(b) / packing.bodies());
    for (int k = 6 * b; k < 6 * b + 6; ++k) {
      packing.M[static_cast<size_t>(k)] *= heavier;
      packing.f[static_cast<size_t>(k)] *= heavier;
    }
  }
  open(packing, random);
  return packing;
}

/// Each link is carried by the one above it at one to three points; the first one by the ground.
Packing chain(Random& random) {
  Heap heap(random);
  const int links = count(random, 3, 25), points = count(random, 1, 3);
  const double mu = random.uniform(0.0, 1.0), ratio = power(random, 1.0, 1e6);
  int above = kGround;
  for (int k = 0; k < links; ++k) {
    const Vector3d hook(0.0, 0.0, -1.0 * k);
    const double mass = k == links - 1 ? ratio : 1.0;
    const int link = heap.add(hook - Vector3d(0.0, 0.0, 0.4), mass, Vector3d(0.1, 0.1, 0.02) * mass);
    for (int p = 0; p < points; ++p)
      heap.touch(above, link, hook + random.vector(0.1), Vector3d::UnitZ() + random.vector(0.5), mu);
    above = link;
  }
  return heap.step();
}

/// Each new rod lies on two that are there, or on the ground, wherever they are, and may lean on something more.
Packing needles(Random& random) {
  Heap heap(random);
  const int rods = count(random, 3, 20);
  const double mu = random.uniform(0.0, 1.0), radius = power(random, 1e-4, 1e-1);  // m  of rods 1 m long
  std::vector<Vector3d> middle, direction;
  for (int k = 0; k < rods; ++k) {
    const std::array<int, 2> support = {count(random, -1, k - 1), count(random, -1, k - 1)};
    std::array<Vector3d, 2> at;
    for (size_t end = 0; end < 2; ++end) {
      const int other = support[end];
      at[end] = other == kGround ? Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.0)
                                 : Vector3d(middle[static_cast<size_t>(other)] +
                                            random.uniform(-0.5, 0.5) * direction[static_cast<size_t>(other)]);
    }
    const Vector3d along = (at[1] - at[0] + 1e-3 * random.vector(1.0)).normalized();
    const auto normal_on = [&](int other) {
      const Vector3d across =
          other == kGround ? Vector3d(Vector3d::UnitZ()) : Vector3d(direction[static_cast<size_t>(other)].cross(along));
      const Vector3d n = (across - across.dot(along) * along).normalized();
      return Vector3d(n.z() < 0.0 ? Vector3d(-n) : n);
    };
    const std::array<Vector3d, 2> n = {normal_on(support[0]), normal_on(support[1])};
    const Vector3d centre = 0.5 * (at[0] + at[1]) + radius * (n[0] + n[1]) + random.uniform(-0.2, 0.2) * along;
    Matrix3d axes;
    axes.col(0) = along;
    axes.col(1) = along.cross(Vector3d(0.6, 0.64, 0.48)).normalized();
    axes.col(2) = along.cross(axes.col(1));
    const double mass = power(random, 0.1, 10.0);
    const int rod = heap.add(centre, mass, mass * Vector3d(0.5 * radius * radius, 1.0 / 12.0, 1.0 / 12.0), axes);
    middle.push_back(centre);
    direction.push_back(along);
    for (size_t end = 0; end < 2; ++end) heap.touch(support[end], rod, at[end] + radius * n[end], n[end], mu);
    if (count(random, 0, 1) == 1) {
      const Vector3d side = along.cross(random.vector(1.0)).normalized();
      heap.touch(kGround, rod, centre + random.uniform(-0.5, 0.5) * along - radius * side, side, mu);
    }
  }
  return heap.step();
}

Packing faces(Random& random) {
  Heap heap(random);
  const int bodies = count(random, 1, 5);
  const double mu = random.uniform(0.0, 1.2);
  for (int k = 0; k < bodies; ++k) {
    const Vector3d centre = Vector3d(2.0 * k, 0.0, 0.0) + random.vector(0.2);
    heap.add_box(centre, Vector3d::Constant(1.5) + random.vector(0.7), power(random, 1e-2, 1e2));
    const int others = count(random, 1, 3);
    for (int f = 0; f < others; ++f) {
      const Vector3d normal = (random.vector(1.0) + Vector3d(0.0, 0.0, 0.7)).normalized();
      heap.touch_by_face(f == 0 && k > 0 ? k - 1 : kGround, k, centre - 0.6 * normal, normal, random.vector(1.0),
                         random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), count(random, 4, 8), mu);
    }
  }
  return heap.step();
}

}  // namespace

Packing make_problem(const std::string& problem_class, std::uint64_t seed) {
  Random random(seed);
  if (problem_class == "tower") return tower(random);
  if (problem_class == "wall") return wall(random);
  if (problem_class == "arch") return arch(random);
  if (problem_class == "wedge") return wedge(random);
  if (problem_class == "heap") return heap(random, seed);
  if (problem_class == "chain") return chain(random);
  if (problem_class == "needles") return needles(random);
  if (problem_class == "faces") return faces(random);
  throw InputError({}, fmt::format("there is no class of problems '{}'", problem_class));
}

}  // namespace tippe::bench
