// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/judge_found.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "tippe/core/error.h"
#include "tippe/verify/law_definitions.h"
#include "tippe/verify/mechanics.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {
namespace {

using Vector3 = Eigen::Matrix<Real, 3, 1>;
using Matrix3 = Eigen::Matrix<Real, 3, 3>;

constexpr Real kRestBandShare = 1e-4L;

/// A body by the names of its coordinates; fixed: a plane.
struct NamedBody {
  bool fixed = true, turns = false, planar = false;
  Eigen::Index q = 0, u = 0;

  [[nodiscard]] Vector3 place(const Vector& at) const {
    return fixed ? Vector3(Vector3::Zero()) : Vector3(at[q], at[q + 1], planar ? 0.0L : at[q + 2]);
  }
  [[nodiscard]] Matrix3 axes(const Vector& at) const {
    if (planar) return Eigen::AngleAxis<Real>(at[q + 2], Vector3::UnitZ()).toRotationMatrix();
    if (!turns) return Matrix3::Identity();
    return Eigen::Quaternion<Real>(at[q + 3], at[q + 4], at[q + 5], at[q + 6]).normalized().toRotationMatrix();
  }
  void add_impulse(const Vector& at, const Vector3& p, const Vector3& point, Vector& sum) const {
    if (fixed) return;
    const Vector3 moment = (point - place(at)).cross(p);
    sum[u] += p[0];
    sum[u + 1] += p[1];
    if (planar) {
      sum[u + 2] += moment[2];
      return;
    }
    sum[u + 2] += p[2];
    if (turns) sum.segment<3>(u + 3) += axes(at).transpose() * moment;
  }
};

class FoundJudge {
 public:
  FoundJudge(const Scene& scene, const RecordedRun& run)
      : scene_(scene), run_(run), mechanics_(description_of(*scene.system)) {
    verdict_.integrator = run.integrator;
    const auto index_of = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
    for (const std::string& shape : run.contacts.shapes) {
      const std::string name = shape.substr(0, shape.find('.'));
      NamedBody body;
      body.q = index_of(run.q.names, name + ".x");
      body.u = index_of(run.u.names, name + ".vx");
      body.fixed = body.q == static_cast<Eigen::Index>(run.q.names.size());
      body.planar = index_of(run.q.names, name + ".phi") < static_cast<Eigen::Index>(run.q.names.size());
      body.turns = index_of(run.q.names, name + ".qw") < static_cast<Eigen::Index>(run.q.names.size());
      body_.push_back(body);
    }
  }

  Verdict judge(const RunSummary& summary) {
    for (size_t k = 0; k < run_.time.size(); ++k) {
      check_state(k);
      if (k > 0) check_interval(k);
    }
    check_end(summary);
    return verdict_;
  }

 private:
  static const LagrangianDescription& description_of(const System& system) {
    if (system.lagrangian() == nullptr) throw ModelError("", "the motion of this system has no expressions to judge it by");
    return *system.lagrangian();
  }
  [[nodiscard]] Vector row(const RecordedTable& table, size_t k) const {
    const auto width = static_cast<Eigen::Index>(table.names.size());
    return Eigen::Map<const Eigen::VectorXd>(table.values.data() + k * table.names.size(), width).cast<Real>();
  }
  [[nodiscard]] Vector3 three(const std::vector<double>& values, size_t c) const {
    return Eigen::Map<const Eigen::Vector3d>(values.data() + 3 * c).cast<Real>();
  }
  [[nodiscard]] std::string name_of_contact(size_t c) const { return scene_.system->law_name(run_.contacts.id[c]); }

  void check(Kind kind, Real value, Real allowed, double t, const std::string& law,
             const std::function<std::string()>& sentence) {
    const Real share = value <= 0.0L ? 0.0L : value / std::max(allowed, std::numeric_limits<Real>::min());
    Finding& finding = verdict_.findings[static_cast<size_t>(kind)];
    ++finding.checks;
    const bool violated = !(share <= 1.0L);
    if (violated && finding.violations++ == 0) finding.first_violation = t;
    const double worst = std::isnan(share) ? HUGE_VAL : static_cast<double>(share);
    if (worst <= finding.worst) return;
    finding = {finding.checks,
               finding.violations,
               worst,
               static_cast<double>(value),
               static_cast<double>(allowed),
               t,
               law,
               violated ? sentence() : finding.what,
               finding.first_violation};
  }

  /// Energies are those of q and u, and the books close.
  void check_state(size_t k) {
    const double t = run_.time[k];
    const Vector e = row(run_.energy, k);
    const Place place{t, row(run_.q, k), row(run_.u, k)};
    const Real T = mechanics_.kinetic(place), V = mechanics_.potential(place);
    if (k == 0) initial_ = e[2];
    const Real size = std::abs(T) + std::abs(V) + std::abs(initial_);
    for (const auto& [what, told, own] : {std::tuple{"the kinetic energy", e[0], T},
                                          std::tuple{"the potential energy", e[1], V}, std::tuple{"T + V", e[2], T + V}}) {
      check(Kind::kColumns, std::abs(told - own), 10.0L * kRoundOff * size, t, what,
            [&, what = what, told = told, own = own] {
              return fmt::format("{} is {:.9g}, and {:.9g} at that state", what, static_cast<double>(told),
                                 static_cast<double>(own));
            });
    }
    const Real left = e[2] - initial_ - e[5] - e[6] + e[3] + e[4];
    const Real books = size + e.cwiseAbs().sum();
    check(Kind::kEnergy, std::abs(left - e[7]), kRoundOff * books, t, "unexplained", [&] {
      return fmt::format("the books leave {:.9g} unexplained, and say {:.9g}", static_cast<double>(left),
                         static_cast<double>(e[7]));
    });
  }

  void check_interval(size_t k) {
    ++verdict_.intervals;
    const Vector since = row(run_.since, k);
    const double t = run_.time[k];
    const Real lasted = static_cast<Real>(t) - run_.time[k - 1], dt = run_.dt;
    const bool last = t >= run_.until * (1.0 - 1e-12);
    const Real missing = std::max((since[0] - (last ? 1.0L : 0.0L)) * dt - lasted, lasted - since[0] * dt);
    const Real clock =
        1e-6L * dt + 4.0L * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(run_.until));
    check(Kind::kTimes, missing, clock, t, "", [&] {
      return fmt::format("{:g} steps of {:g} s took {:.9g} s", static_cast<double>(since[0]), run_.dt,
                         static_cast<double>(lasted));
    });
    const bool single = since[0] == 1.0L && since[1] == 0.0L && std::abs(lasted - dt) <= clock;
    const Real rho = std::max<Real>(since[3], 1e-10L);
    check_cones(k, single, rho);
    if (!single || run_.integrator != "moreau" || !mechanics_.constraints().empty() || !mechanics_.laws().empty()) return;
    ++verdict_.single_steps;
    check_step(k, rho);
  }

  /// Impulses push, and friction lies in its disk: over one step, in which a normal is one.
  void check_cones(size_t k, bool single, Real rho) {
    const RecordedContacts& contacts = run_.contacts;
    Real largest = 0.0L;
    for (size_t c = contacts.start[k]; c < contacts.start[k + 1]; ++c)
      largest = std::max(largest, three(contacts.impulse, c).norm());
    for (size_t c = contacts.start[k]; c < contacts.start[k + 1]; ++c) {
      const ForceLaw& law = scene_.system->laws()[static_cast<size_t>(contacts.law[c])];
      const Vector3 n = three(contacts.normal, c), p = three(contacts.impulse, c);
      const Real N = n.dot(p), T = (p - N * n).norm();
      const Real off = 1e4L * rho * std::max(p.norm(), 1e-3L * largest) + kTiny;
      if (!single) continue;
      check(Kind::kPull, -N, off, run_.time[k], name_of_contact(c),
            [&] { return fmt::format("the normal impulse is {:.6g}: it pulls", static_cast<double>(N)); });
      check(Kind::kFrictionSet, T - law.mu1 * N, off, run_.time[k], name_of_contact(c), [&] {
        return fmt::format("the friction {:.6g} is above mu times the normal impulse {:.6g}", static_cast<double>(T),
                           static_cast<double>(N));
      });
    }
  }

  /// Moreau's rule, from its definition.
  void check_step(size_t k, Real rho) {
    const double t = run_.time[k];
    const Real dt = run_.dt;
    const Vector q_B = row(run_.q, k - 1), u_B = row(run_.u, k - 1);
    const Vector u_start = row(run_.u_start, k), u_E = row(run_.u, k) - row(run_.moved_u, k);
    Place middle{run_.time[k - 1] + 0.5 * run_.dt, q_B, u_B};
    const Vector halfway = q_B + 0.5L * dt * mechanics_.rate({run_.time[k - 1], q_B, u_B});
    middle.q = halfway;
    mechanics_.normalize(middle.q);
    const Vector q_E = halfway + 0.5L * dt * mechanics_.rate({middle.t, middle.q, u_E});
    Vector reached = row(run_.q, k) - row(run_.moved_q, k), expected = q_E;
    mechanics_.normalize(reached);
    mechanics_.normalize(expected);
    check(Kind::kPositions, (reached - expected).cwiseAbs().maxCoeff(),
          1e-9L * (dt * u_E.cwiseAbs().maxCoeff() + 1e-3L * reached.cwiseAbs().maxCoeff()), t, "",
          [] { return std::string("the positions are not those to which the velocities lead"); });

    const RecordedContacts& contacts = run_.contacts;
    const Matrix M = mechanics_.mass(middle);
    const Vector h = mechanics_.forces(middle);
    Vector impulses = Vector::Zero(u_E.size()), carried = impulses;
    for (size_t c = contacts.start[k]; c < contacts.start[k + 1]; ++c) {
      const Vector3 p = three(contacts.impulse, c), at = three(contacts.at, c);
      body_[contacts.id[c].shape_a - 1].add_impulse(middle.q, p, at, impulses);
      body_[contacts.id[c].shape_b - 1].add_impulse(middle.q, -p, at, impulses);
      Vector own = Vector::Zero(u_E.size());
      body_[contacts.id[c].shape_a - 1].add_impulse(middle.q, p, at, own);
      body_[contacts.id[c].shape_b - 1].add_impulse(middle.q, -p, at, own);
      carried += own.cwiseAbs();
    }
    const Vector change = M * (u_E - u_start), left = change - dt * h - impulses;
    Eigen::Index worst = 0;
    const Real most = left.cwiseAbs().maxCoeff(&worst);
    const Real terms = change.cwiseAbs().maxCoeff() + dt * h.cwiseAbs().maxCoeff() + carried.maxCoeff();
    check(Kind::kMomentum, most, 1e-9L * terms, t, run_.u.names[static_cast<size_t>(worst)], [&] {
      return fmt::format("{:.6g} is left over, most of it on {}", static_cast<double>(most),
                         run_.u.names[static_cast<size_t>(worst)]);
    });

    check_laws(k, middle.q, u_B, u_E, M.diagonal(), rho);
  }

  /// One contact of a step by its rows: the normal and the tangents, as far as its law has them.
  struct ContactRows {
    size_t c;
    Vector Lambda, xi, length, terms;  // N s, m/s; 1/sqrt(kg): of a unit impulse in kinetic units; m/s
  };

  /// The friction moment of drilling is not recorded: of such contacts the normal alone is looked at.
  [[nodiscard]] ContactRows rows_of(size_t c, const Vector& q, const Vector& u_B, const Vector& u_E, const Vector& M) const {
    const RecordedContacts& contacts = run_.contacts;
    const LawId& id = contacts.id[c];
    const NamedBody &first = body_[id.shape_a - 1], &second = body_[id.shape_b - 1];
    const ForceLaw& law = scene_.system->laws()[static_cast<size_t>(contacts.law[c])];
    const Vector3 n = three(contacts.normal, c), p = three(contacts.impulse, c), at = three(contacts.at, c);
    const Vector3 e = std::abs(n[0]) < 0.7L ? Vector3::UnitX() : Vector3::UnitY();
    const Vector3 t = first.planar ? Vector3(n[1], -n[0], 0.0L) : Vector3((e - n.dot(e) * n).normalized());
    const std::array<Vector3, 3> directions = {n, t, n.cross(t)};
    const Eigen::Index rows = law.drilling ? 1 : law.rows;
    ContactRows made{c, Vector(rows), Vector(rows), Vector(rows), Vector(rows)};
    const Vector speeds = u_B.cwiseAbs().cwiseMax(u_E.cwiseAbs());
    for (Eigen::Index row = 0; row < rows; ++row) {
      const Vector3& f = directions[static_cast<size_t>(row)];
      Vector W = Vector::Zero(u_E.size());
      first.add_impulse(q, f, at, W);
      second.add_impulse(q, -f, at, W);
      made.Lambda[row] = f.dot(p);
      made.xi[row] = W.dot(u_E) + law.epsilon[static_cast<size_t>(row)] * W.dot(u_B);
      made.length[row] = std::sqrt(W.cwiseAbs2().cwiseQuotient(M).sum());
      made.terms[row] = W.cwiseAbs().dot(speeds);
    }
    made.xi[0] += std::max<Real>(0.0L, contacts.gap[c]) / run_.dt;  // what is open may come so near
    return made;
  }

  /// `M`: the diagonal of the mass matrix.
  void check_laws(size_t k, const Vector& q, const Vector& u_B, const Vector& u_E, const Vector& M, Real rho) {
    const RecordedContacts& contacts = run_.contacts;
    std::vector<ContactRows> all;
    Real largest = 0.0L;
    for (size_t c = contacts.start[k]; c < contacts.start[k + 1]; ++c) {
      const ContactRows& rows = all.emplace_back(rows_of(c, q, u_B, u_E, M));
      largest = std::max({largest, rows.terms.cwiseQuotient(rows.length).maxCoeff(),
                          rows.Lambda.cwiseProduct(rows.length).cwiseAbs().maxCoeff()});
    }
    const Real clock = 1e-14L * q.cwiseAbs().maxCoeff() / run_.dt;
    for (const ContactRows& rows : all) check_law(k, rows, kOfResidual * rho * largest, clock);
  }

  /// `off`: sqrt(J)  how far velocities and impulses may be off in kinetic units. `clock`: m/s  round-off of gaps in a step.
  void check_law(size_t k, const ContactRows& rows, Real off, Real clock) {
    const double t = run_.time[k];
    const ForceLaw& law = scene_.system->laws()[static_cast<size_t>(run_.contacts.law[rows.c])];
    const std::string name = name_of_contact(rows.c);
    const Real gap = run_.contacts.gap[rows.c];
    const Real band = scene_.run.integrator_options.rest_band.value_or(static_cast<double>(kRestBandShare) *
                                                                       scene_.system->largest_half_size());
    check(Kind::kOpenContact, gap, band + 1e-9L * scene_.system->largest_half_size(), t, name,
          [&] { return fmt::format("it acts although it is open: its gap is {:.6g}", static_cast<double>(gap)); });
    LawImpulse impulse{law, rows.Lambda, rows.xi, (off * rows.length.cwiseInverse()).array() + kTiny,
                       (off * rows.length + 1e-12L * rows.terms).array() + kTiny};
    impulse.xi_off[0] += clock;
    const LawMisfit misfit = misfit_of(impulse);
    const auto check_share = [&](Kind kind, Real share, Real allowed, const std::function<std::string()>& sentence) {
      check(kind, share * allowed, allowed, t, name, sentence);
    };
    const auto N = static_cast<double>(rows.Lambda[0]), opens = static_cast<double>(rows.xi[0]);
    check_share(Kind::kPull, misfit.pull, impulse.Lambda_off[0],
                [&] { return fmt::format("the normal impulse is {:.6g}: it pulls", N); });
    check_share(Kind::kClosing, misfit.closing, impulse.xi_off[0],
                [&] { return fmt::format("it closes with {:.6g} beyond what its restitution gives", -opens); });
    check_share(Kind::kComplementarity, misfit.complementarity, impulse.xi_off[0], [&] {
      return fmt::format("it carries {:.6g}, and opens with {:.6g} beyond what its restitution gives", N, opens);
    });
    if (rows.Lambda.size() == 1) return;
    const Eigen::Index last = rows.Lambda.size() - 1;
    const auto T = static_cast<double>(rows.Lambda.tail(last).norm()),
               slips = static_cast<double>(rows.xi.tail(last).norm());
    check_share(Kind::kFrictionSet, misfit.friction_set, impulse.Lambda_off[last],
                [&] { return fmt::format("the friction {:.6g} is above mu times the normal impulse {:.6g}", T, N); });
    check_share(Kind::kFrictionDirection, misfit.friction_direction, impulse.xi_off[last], [&] {
      return fmt::format("it slips with {:.6g}, and its friction {:.6g} does not take the most power from that", slips, T);
    });
  }

  void check_end(const RunSummary& summary) {
    if (run_.time.empty()) {
      check(Kind::kTimes, 1.0L, 0.0L, run_.start, "", [] { return std::string("there is no sample"); });
      return;
    }
    if (summary.status == RunStatus::kOk && !summary.stopped) {
      check(Kind::kTimes, std::abs(static_cast<Real>(run_.time.back()) - run_.until),
            1e-9L * (std::abs(run_.until) + std::abs(run_.start)), run_.time.back(), "",
            [&] { return fmt::format("the last sample is at t = {:.9g}", run_.time.back()); });
    }
    verdict_.not_checked.push_back(
        "that contacts were found where shapes touch, and nowhere else: places and normals are taken as they are recorded");
    if (verdict_.single_steps < verdict_.intervals)
      verdict_.not_checked.push_back(
          fmt::format("of {} intervals only columns, books and cones were checked: they are no single steps of moreau "
                      "without joints and laws of expressions",
                      verdict_.intervals - verdict_.single_steps));
  }

  const Scene& scene_;
  const RecordedRun& run_;
  Mechanics mechanics_;
  std::vector<NamedBody> body_;  // of each shape
  Real initial_ = 0.0L;
  Verdict verdict_;
};

}  // namespace

Verdict judge_found(const Scene& scene, const RecordedRun& run, const RunSummary& summary) {
  return FoundJudge(scene, run).judge(summary);
}

}  // namespace tippe::verify
