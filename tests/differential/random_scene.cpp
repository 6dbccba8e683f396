// SPDX-License-Identifier: Apache-2.0
#include "differential/random_scene.h"

#include <Eigen/Geometry>

#include "support/random.h"

namespace tippe::test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::string quantity(double value, const char* unit) {
  return fmt::format("<{:.6g} {}>", value, unit);
}

/// In an expression.
std::string term(double value, const char* unit) {
  return "(" + quantity(value, unit) + ")";
}

/// As the value of a key, multiplied by a parameter.
std::string times(const char* parameter, double value, const char* unit) {
  return fmt::format("\"{}*{}\"", parameter, term(value, unit));
}

std::string list(const Vector3d& v, int count, const char* unit, const char* parameter = nullptr) {
  std::string text;
  for (int k = 0; k < count; ++k)
    text += (k > 0 ? ", " : "") + (parameter != nullptr ? times(parameter, v[k], unit) : quantity(v[k], unit));
  return "[" + text + "]";
}

/// Draws what a scene is made of.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) { scene_.seed = seed; }

  RandomScene write() {
    const bool rare = scene_.seed % 8 == 7;
    switch (rare ? 6 + random_.below(3) : random_.below(6)) {
      case 0:
        point_with_walls();
        break;
      case 1:
        linear_system();
        break;
      case 2:
        pendulums();
        break;
      case 3:
        planar_bodies();
        break;
      case 6:
        spinning_point();
        break;
      case 7:
        driven_masses();
        break;
      case 8:
        bodies_of_several_shapes();
        break;
      default:
        bodies_in_space();
    }
    choose_units();
    scene_.text = "[parameters]\nload = 1\nstart = 1\n" + scene_.text;
    return scene_;
  }

 private:
  bool once_in(int count) { return random_.below(count) == 0; }
  double maybe(double lower, double upper) { return once_in(2) ? 0.0 : random_.uniform(lower, upper); }

  double friction() {
    if (once_in(4)) return 0.0;
    if (once_in(8)) {
      scene_.traits.push_back("huge friction");
      return random_.magnitude(1.0, 6.0);
    }
    return random_.uniform(0.05, 0.9);
  }
  double restitution() { return once_in(2) ? 0.0 : once_in(5) ? 1.0 : random_.uniform(0.1, 0.9); }
  double mass() {
    if (!once_in(6)) return random_.uniform(0.5, 2.0);
    scene_.traits.push_back("mass ratio");
    return random_.magnitude(-4.0, 4.0);
  }

  void choose_units() {
    if (once_in(2)) {
      scene_.units = {random_.magnitude(-9.0, 9.0), random_.magnitude(-9.0, 9.0), random_.magnitude(-9.0, 9.0)};
      scene_.traits.push_back("units");
    }
    if (once_in(2)) {
      scene_.clock = random_.magnitude(0.0, 9.0);
      if (once_in(4)) scene_.clock = -scene_.clock;
      scene_.traits.push_back("clock");
    }
  }

  /// sum_j c_j name_j
  static std::string linear(const VectorXd& c, const std::vector<std::string>& names, const char* unit) {
    std::string sum;
    for (Eigen::Index j = 0; j < c.size(); ++j)
      sum += (j > 0 ? " + " : "") + term(c[j], unit) + "*" + names[static_cast<size_t>(j)];
    return sum;
  }
  static std::string quadratic(const MatrixXd& A, const std::vector<std::string>& names, const char* unit) {
    std::string sum = "0";
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        sum += fmt::format(" + 0.5*{}*{}*{}", term(A(i, j), unit), names[static_cast<size_t>(i)],
                           names[static_cast<size_t>(j)]);
    }
    return sum;
  }
  MatrixXd definite(int n, double least) {
    const MatrixXd B = random_matrix(random_, n, n);
    return B * B.transpose() + least * MatrixXd::Identity(n, n);
  }

  /// A force with a clock of its own.
  std::string swing(double largest, const char* unit) {
    return fmt::format("{}*sin({}*(t - <@0 s>))", term(random_.uniform(-largest, largest), unit),
                       term(random_.uniform(3.0, 20.0), "1/s"));
  }

  std::string contact_law(double mu, double epsilon, int slips) {
    std::string words = fmt::format("restitution = {:.6g}\n", epsilon);
    if (mu > 0.0)
      words += slips == 2 && once_in(3) ? fmt::format("friction = [{:.6g}, {:.6g}]\n", mu, 0.5 * mu)
                                        : fmt::format("friction = {:.6g}\n", mu);
    if (mu > 0.0 && epsilon > 0.0 && once_in(3))
      words += fmt::format("restitution_tangential = {:.6g}\n", random_.uniform(0.0, epsilon));
    return words;
  }

  void point_with_walls() {
    scene_.kind = "a point between walls";
    const double m = random_.uniform(0.5, 2.0);
    std::string& text = scene_.text;
    text = fmt::format(
        "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*{0}*(x'^2 + y'^2 + z'^2)\"\n"
        "potential = \"load*{0}*({1}*z + {2}*x) + load*0.5*{3}*((x - {4})^2 + (y - {5})^2)\"\n",
        term(m, "kg"), term(random_.uniform(5.0, 12.0), "m/s^2"), term(random_.uniform(-3.0, 3.0), "m/s^2"),
        term(random_.uniform(1.0, 30.0), "N/m"), term(random_.uniform(-0.5, 0.5), "m"),
        term(random_.uniform(-0.5, 0.5), "m"));
    if (once_in(3))
      text += fmt::format("damping = \"load*0.5*{}*(x'^2 + z'^2)\"\n", term(random_.uniform(0.1, 2.0), "N s/m"));
    if (once_in(3)) text += fmt::format("[lagrangian.forces]\ny = \"load*{}\"\n", swing(5.0, "N"));
    const bool on_floor = once_in(2);
    const double mu = friction();
    text += "[[contact]]\nname = \"floor\"\ngap = \"z\"\n";
    if (mu > 0.0)
      text += once_in(4) ? "slip = [\"x' - start*" + term(0.3, "m/s") + "\", \"y'\"]\n" : "slip = [\"x'\", \"y'\"]\n";
    text += contact_law(mu, restitution(), 2);
    if (once_in(2)) {
      const double rough = friction();
      text += fmt::format("[[contact]]\nname = \"wall\"\ngap = \"x + 0.3*z + {}\"\n", term(random_.uniform(0.05, 0.2), "m"));
      if (rough > 0.0) text += "slip = [\"y'\", \"z' - 0.3*x'\"]\n";
      text += contact_law(rough, restitution(), 1);
    }
    if (once_in(4))
      text += fmt::format("[[dry_friction]]\nname = \"pad\"\nvelocity = \"y' + x'\"\nlimit = {}\n",
                          times("load", random_.uniform(0.1, 2.0), "N"));
    text += fmt::format("[initial]\n\"x'\" = {}\n\"y'\" = {}\nz = {}\n", times("start", maybe(-1.0, 1.0), "m/s"),
                        times("start", maybe(-1.0, 1.0), "m/s"), quantity(on_floor ? 0.0 : random_.uniform(0.02, 0.2), "m"));
    text += "t = <@0 s>\n";
  }

  /// Friction with drilling, or along one of two tangents alone, tangential restitution, on a floor that moves.
  void spinning_point() {
    scene_.kind = "a spinning point";
    const double m = random_.uniform(0.5, 2.0), mu = random_.uniform(0.05, 0.9), epsilon = restitution();
    const bool drills = once_in(2), moves = once_in(2);
    std::string& text = scene_.text;
    text = fmt::format(
        "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\", \"psi\"]\nkinetic = \"0.5*{0}*(x'^2 + y'^2 + z'^2) + "
        "0.5*{1}*psi'^2\"\npotential = \"load*{0}*({2}*z + {3}*x) + load*0.5*{4}*(y - {5})^2\"\n",
        term(m, "kg"), term(m * random_.uniform(1e-4, 1e-2), "kg m^2"), term(random_.uniform(5.0, 12.0), "m/s^2"),
        term(maybe(-3.0, 3.0), "m/s^2"), term(random_.uniform(1.0, 30.0), "N/m"), term(random_.uniform(-0.5, 0.5), "m"));
    text += "[[contact]]\nname = \"floor\"\ngap = \"z" + (moves ? " - " + swing(0.01, "m") : std::string()) +
            "\"\nslip = [\"x'\", \"y'\"]\n";
    text += fmt::format("restitution = {:.6g}\n", epsilon);
    if (drills) {
      text += fmt::format("spin = \"psi'\"\nfriction = {{ mu = {:.6g}, contact_radius = {}, set = \"{}\" }}\n", mu,
                          quantity(random_.uniform(0.001, 0.02), "m"),
                          std::array{"exact", "ellipsoid", "cylinder"}[static_cast<size_t>(random_.below(3))]);
    } else {
      text += fmt::format("friction = [{:.6g}, {:.6g}]\n", mu, once_in(2) ? 0.0 : mu * random_.uniform(0.1, 1.0));
    }
    if (epsilon > 0.0 && once_in(2))
      text += fmt::format("restitution_tangential = [{:.6g}, {:.6g}]\n", random_.uniform(0.0, epsilon),
                          once_in(2) ? 0.0 : random_.uniform(0.0, epsilon));
    if (once_in(3))
      text += fmt::format("[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"y'\"]\nlimit = {}\n",
                          times("load", random_.uniform(0.1, 2.0), "N"));
    text += fmt::format("[initial]\n\"x'\" = {}\n\"y'\" = {}\n\"psi'\" = {}\nz = {}\n",
                        times("start", maybe(-1.0, 1.0), "m/s"), times("start", maybe(-1.0, 1.0), "m/s"),
                        times("start", maybe(-20.0, 20.0), "1/s"), quantity(random_.uniform(0.0, 0.1), "m"));
    text += "t = <@0 s>\n";
  }

  /// A constraint that moves one mass, and between the others springs and dampers to a coordinate without mass, on which laws may act.
  void driven_masses() {
    scene_.kind = "driven masses";
    std::string& text = scene_.text;
    const auto spring = [&](const char* way) {
      return fmt::format(" + load*0.5*{}*({})^2", term(random_.uniform(20.0, 300.0), "N/m"), way);
    };
    text = fmt::format(
        "[lagrangian]\ncoordinates = [\"x0\", \"x1\", \"x2\"]\nkinetic = \"0.5*{}*x0'^2 + 0.5*{}*x1'^2\"\npotential = "
        "\"load*{}*x1{}{}\"\n",
        term(mass(), "kg"), term(random_.uniform(0.5, 2.0), "kg"), term(random_.uniform(-5.0, 5.0), "N"), spring("x1 - x2"),
        spring("x2 - x0"));
    if (once_in(2))
      text += fmt::format("damping = \"load*0.5*{}*(x1' - x2')^2\"\n", term(random_.uniform(0.1, 3.0), "N s/m"));
    text += fmt::format("[[bilateral]]\nname = \"drive\"\nposition = \"x0 - {}*(1 - cos({}*(t - <@0 s>)))\"\n",
                        term(random_.uniform(-0.05, 0.05), "m"), term(random_.uniform(3.0, 20.0), "1/s"));
    if (once_in(2))
      text += fmt::format("[[contact]]\nname = \"stop\"\ngap = \"{} - x1\"\n", quantity(random_.uniform(0.005, 0.05), "m")) +
              contact_law(0.0, restitution(), 0);
    if (once_in(3))
      text += fmt::format("[[contact]]\nname = \"foot\"\ngap = \"x2 + {}\"\n", quantity(random_.uniform(0.005, 0.05), "m"));
    if (once_in(2))
      text += fmt::format("[[dry_friction]]\nname = \"pad\"\nvelocity = \"x{}'\"\nlimit = [{}, {}]\n", 1 + random_.below(2),
                          times("load", random_.uniform(0.1, 2.0), "N"), times("load", random_.uniform(0.1, 2.0), "N"));
    text += "[initial]\nt = <@0 s>\n";
  }

  /// Each body with up to three shapes, away from its centre.
  void bodies_of_several_shapes() {
    scene_.kind = "bodies of several shapes";
    const int n = 1 + random_.below(2);
    std::string& text = scene_.text;
    text = fmt::format("[world]\ngravity = [0, 0, {}]\n", times("load", -9.81, "m/s^2"));
    for (int i = 1; i <= n; ++i) {
      const double m = mass(), j = m * random_.uniform(0.01, 0.03);
      text += fmt::format(
          "[[body]]\nname = \"b{}\"\nmass = {}\ninertia = {}\nposition = {}\nvelocity = {}\nangular_velocity = {}\n", i,
          quantity(m, "kg"), list(Vector3d(j, 1.2 * j, 1.5 * j), 3, "kg m^2"),
          list(Vector3d(0.7 * i, 0.0, random_.uniform(0.35, 0.5)), 3, "m"), list(random_.vector(3), 3, "m/s", "start"),
          list(random_.vector(3, 5.0), 3, "1/s", "start"));
      for (int k = 0, shapes = 1 + random_.below(3); k < shapes; ++k) {
        const Vector3d centre(random_.uniform(-0.15, 0.15), random_.uniform(-0.15, 0.15), random_.uniform(-0.1, 0.1));
        text += once_in(2) ? fmt::format("[[body.sphere]]\nname = \"s{}\"\ncenter = {}\nradius = {}\n", k,
                                         list(centre, 3, "m"), quantity(random_.uniform(0.03, 0.1), "m"))
                           : fmt::format("[[body.box]]\nname = \"s{}\"\ncenter = {}\nsize = {}\n", k, list(centre, 3, "m"),
                                         list(Vector3d(0.1, 0.15, 0.08), 3, "m"));
      }
    }
    text += surroundings(false, false, once_in(4));
  }

  /// Masses and springs with gaps of any direction, clutches, pads and constraints.
  void linear_system() {
    scene_.kind = "masses, springs, gaps";
    const int n = 2 + random_.below(3), contacts = random_.below(3);
    std::vector<std::string> names, rates;
    std::string coordinates;
    for (int j = 0; j < n; ++j) {
      names.push_back(fmt::format("x{}", j));
      rates.push_back(names.back() + "'");
      coordinates += fmt::format("{}\"{}\"", j > 0 ? ", " : "", names.back());
    }
    const MatrixXd M = definite(n, 0.5);
    std::string& text = scene_.text;
    text = fmt::format("[lagrangian]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"load*({} + {})\"\n", coordinates,
                       quadratic(M, rates, "kg"), quadratic(definite(n, 5.0), names, "N/m"),
                       linear(random_.vector(n, 8.0), names, "N"));
    if (once_in(3)) text += fmt::format("[lagrangian.forces]\nx0 = \"load*{}\"\n", swing(5.0, "N"));
    for (int c = 0; c < contacts; ++c) {
      const VectorXd normal = random_.vector(n).normalized();
      VectorXd tangent = random_.vector(n);
      tangent = (tangent - 0.9 * tangent.dot(normal) * normal).normalized();
      const double mu = once_in(2) ? 0.0 : random_.uniform(0.05, 0.4);
      text += fmt::format("[[contact]]\nname = \"c{}\"\ngap = \"{} + {}\"\n", c, quantity(maybe(0.01, 0.1), "m"),
                          linear(normal, names, "1"));
      if (mu > 0.0) text += fmt::format("slip = \"{}\"\n", linear(tangent, rates, "1"));
      text += contact_law(mu, once_in(2) ? 0.0 : 0.5, 1);
    }
    if (once_in(3))
      text += fmt::format("[[dry_friction]]\nname = \"pad\"\nvelocity = \"{}\"\nlimit = {}\n",
                          linear(random_.vector(n), rates, "1"), times("load", random_.uniform(0.1, 3.0), "N"));
    if (once_in(4))
      text += fmt::format("[[one_way]]\nname = \"clutch\"\nvelocity = \"{}\"\n", linear(random_.vector(n), rates, "1"));
    if (n > 2 && once_in(3))
      text += fmt::format("[[bilateral]]\nname = \"lever\"\nposition = \"{}\"\n", linear(random_.vector(n), names, "1"));
    text += "[initial]\nt = <@0 s>\n";
  }

  /// A chain of pendulums: the mass matrix changes.
  void pendulums() {
    scene_.kind = "pendulums";
    const int n = 1 + random_.below(3);
    std::string coordinates, kinetic, potential, x = "0", y = "0", vx = "0", vy = "0";
    double l_all = 0.0;
    for (int i = 0; i < n; ++i) {
      const double l = random_.uniform(0.2, 0.5);
      l_all += l;
      coordinates += fmt::format("{}\"a{}\"", i > 0 ? ", " : "", i);
      const std::string length = term(l, "m");
      x += fmt::format(" + {}*sin(a{})", length, i);
      y += fmt::format(" - {}*cos(a{})", length, i);
      vx += fmt::format(" + {0}*cos(a{1})*a{1}'", length, i);
      vy += fmt::format(" + {0}*sin(a{1})*a{1}'", length, i);
      const double m = mass();
      kinetic += fmt::format("{}0.5*{}*(({})^2 + ({})^2)", i > 0 ? " + " : "", term(m, "kg"), vx, vy);
      potential += fmt::format("{}load*{}*{}*({})", i > 0 ? " + " : "", term(m, "kg"), term(9.81, "m/s^2"), y);
    }
    std::string& text = scene_.text;
    text = fmt::format("[lagrangian]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\n", coordinates, kinetic,
                       potential);
    if (once_in(2)) {
      const double mu = friction();
      text += fmt::format("[[contact]]\nname = \"wall\"\ngap = \"{} - ({})\"\n",
                          term(random_.uniform(0.1, 0.3) * l_all, "m"), x);
      if (mu > 0.0) text += fmt::format("slip = \"{}\"\n", vy);
      text += contact_law(mu, restitution(), 1);
    }
    if (once_in(3))
      text += fmt::format("[[dry_friction]]\nname = \"bearing\"\nvelocity = \"a0'\"\nlimit = {}\n",
                          times("load", random_.uniform(0.01, 0.3), "N m"));
    text += "[initial]\nt = <@0 s>\n";
    for (int i = 0; i < n; ++i)
      text += fmt::format("a{0} = {1:.6g}\n\"a{0}'\" = {2}\n", i, random_.uniform(-1.0, 0.0),
                          times("start", random_.uniform(-1.0, 3.0), "1/s"));
  }

  std::string shape(bool planar, const Vector3d& size, bool round) {
    if (round) return fmt::format("[[body.sphere]]\nradius = {}\n", quantity(0.5 * size.minCoeff(), "m"));
    return fmt::format("[[body.box]]\nsize = {}\n", list(size, planar ? 2 : 3, "m"));
  }

  /// Named points half way to the neighbours, in space.
  std::string neighbours(const Eigen::Quaterniond& A, double spacing, int count) {
    std::string text;
    for (const double side : {-1.0, 1.0}) {
      const Vector3d at = A.conjugate() * Vector3d(0.5 * side * spacing, 0.0, 0.0);
      text += fmt::format("[[body.point]]\nname = \"{}\"\nat = {}\n", side < 0.0 ? "left" : "right", list(at, count, "m"));
    }
    return text;
  }

  std::string links(int n, double lightest, bool planar, bool& joined) {
    std::string text;
    for (int i = 1; i < n; ++i) {
      const std::string points = fmt::format("between = [\"b{}.right\", \"b{}.left\"]\n", i, i + 1);
      const int kind = random_.below(planar ? 5 : 6);
      joined = joined || kind == 1 || kind == 2 || kind == 5;
      if (kind == 1) text += "[[joint]]\ntype = \"ball\"\n" + points;
      if (kind == 2) text += fmt::format("[[joint]]\ntype = \"rod\"\nbetween = [\"b{}\", \"b{}\"]\n", i, i + 1);
      if (kind == 5) text += "[[joint]]\ntype = \"hinge\"\naxis = [0, 1, 0]\n" + points;
      if (kind == 3 || kind == 4)
        text += fmt::format("[[spring]]\nbetween = [\"b{}\", \"b{}\"]\nstiffness = {}\ndamping = {}\nlength = {}\n", i,
                            i + 1, times("load", lightest * random_.uniform(5.0, 200.0), "N/m"),
                            times("load", lightest * maybe(0.0, 1.0), "N s/m"), quantity(random_.uniform(0.3, 0.6), "m"));
    }
    return text;
  }

  std::string surroundings(bool planar, bool joined, bool drills) {
    const double slope = once_in(2) ? 0.0 : random_.uniform(-0.3, 0.3), mu = friction(), epsilon = restitution();
    std::string text =
        fmt::format("[[plane]]\nname = \"floor\"\nnormal = [{:.6g}, {}]\n", std::sin(slope),
                    planar ? fmt::format("{:.6g}", std::cos(slope)) : fmt::format("0, {:.6g}", std::cos(slope)));
    text += fmt::format("point = [0, {}]\n", planar ? quantity(0.0, "m") : "0, " + quantity(0.0, "m"));
    text += fmt::format("[[contact_law]]\nbetween = [\"*\", \"{}\"]\nrestitution = {:.6g}\n",
                        !joined && once_in(2) ? "*" : "floor", epsilon);
    if (drills && mu > 0.0) {
      text += fmt::format("friction = {{ mu = {:.6g}, contact_radius = {}, set = \"{}\" }}\n", mu,
                          quantity(random_.uniform(0.001, 0.02), "m"),
                          std::array{"exact", "ellipsoid", "cylinder"}[static_cast<size_t>(random_.below(3))]);
    } else {
      text += fmt::format("friction = {:.6g}\n", mu);
    }
    text += fmt::format("[initial]\nt = <@0 s>\n{}", joined ? "project = true\n" : "");
    return text;
  }

  void planar_bodies() {
    scene_.kind = "planar bodies";
    const int n = 1 + random_.below(3);
    std::string& text = scene_.text;
    text = fmt::format("[world]\ngravity = [0, {}]\n", times("load", -9.81, "m/s^2"));
    double lightest = 1e300;
    constexpr double kSpacing = 0.5;
    for (int i = 1; i <= n; ++i) {
      const double m = mass(), angle = random_.uniform(-1.0, 1.0);
      lightest = std::min(lightest, m);
      const Vector3d size(random_.uniform(0.1, 0.35), random_.uniform(0.1, 0.35), 1.0);
      const Vector3d place(kSpacing * i, random_.uniform(0.45, 0.6), 0.0), speed(random_.vector(3));
      text += fmt::format(
          "[[body]]\nname = \"b{}\"\nkind = \"planar\"\nmass = {}\ninertia = {}\nposition = {}\nangle = {:.6g}\nvelocity = "
          "{}\nangular_velocity = {}\n",
          i, quantity(m, "kg"), quantity(m * (size.x() * size.x() + size.y() * size.y()) / 12.0, "kg m^2"),
          list(place, 2, "m"), angle, list(speed, 2, "m/s", "start"), times("start", random_.uniform(-4.0, 4.0), "1/s"));
      text += neighbours(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), kSpacing, 2);
      text += shape(true, Vector3d(size.x(), size.y(), std::max(size.x(), size.y())), once_in(2));
    }
    bool joined = false;
    text += links(n, lightest, true, joined);
    text += surroundings(true, joined, false);
  }

  void bodies_in_space() {
    scene_.kind = "bodies in space";
    const int n = 1 + random_.below(2);
    std::string& text = scene_.text;
    text = fmt::format("[world]\ngravity = [0, 0, {}]\n", times("load", -9.81, "m/s^2"));
    double lightest = 1e300;
    constexpr double kSpacing = 0.5;
    const bool drills = once_in(5);
    for (int i = 1; i <= n; ++i) {
      const double m = mass();
      lightest = std::min(lightest, m);
      const Vector3d size(random_.uniform(0.1, 0.35), random_.uniform(0.1, 0.35), random_.uniform(0.1, 0.35)),
          square = size.cwiseProduct(size);
      const Vector3d J = m / 12.0 * Vector3d(square.y() + square.z(), square.z() + square.x(), square.x() + square.y());
      const Eigen::Quaterniond A = Eigen::Quaterniond(Eigen::Vector4d(random_.vector(4))).normalized();
      const Vector3d place(kSpacing * i, 0.0, random_.uniform(0.4, 0.55)), speed(random_.vector(3)),
          spin(random_.vector(3, 5.0));
      const int formulation = random_.below(6);
      text += fmt::format(
          "[[body]]\nname = \"b{}\"\n{}mass = {}\ninertia = {}\nposition = {}\norientation = {{ quaternion = [{:.12g}, "
          "{:.12g}, {:.12g}, {:.12g}] }}\n"
          "velocity = {}\nangular_velocity = {}\n",
          i,
          formulation == 0   ? "formulation = \"scalable\"\n"
          : formulation == 1 ? "formulation = \"affine\"\n"
                             : "",
          quantity(m, "kg"), list(J, 3, "kg m^2"), list(place, 3, "m"), A.w(), A.x(), A.y(), A.z(),
          list(speed, 3, "m/s", "start"), list(spin, 3, "1/s", "start"));
      text += neighbours(A, kSpacing, 3);
      if (i < n && once_in(8)) continue;  // touches nothing
      text += shape(false, size, drills || once_in(2));
    }
    bool joined = false;
    text += links(n, lightest, false, joined);
    text += surroundings(false, joined, drills);
  }

  Random random_;
  RandomScene scene_;
};

}  // namespace

std::string RandomScene::scene_in(const Units& in, double from, const std::string& integrator, double dt) const {
  return "tippe = 1\n" +
         in_units(
             text +
                 fmt::format(
                     "[run]\nintegrator = \"{}\"\ndt = <{:.17g} s>\nuntil = <@{:.17g} s>\n[output]\nevery = <{:.17g} s>\n",
                     integrator, dt, until, until / 10.0),
             in, from);
}

RandomScene make_random_scene(unsigned seed) {
  return Writer(seed).write();
}

std::string unit_of_coordinate(const std::string& name) {
  const size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
  const bool length = last[0] == 'x' || last[0] == 'y' || last[0] == 'z';
  return length ? "m" : "1";
}

}  // namespace tippe::test
