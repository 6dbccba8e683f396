// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tippe/exchange/formats.h"

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

constexpr int kVersion = 1;
const std::string kGroup = "tippe_inclusion";

/// The numbers of laws/kind: the order of the alternatives of LawSet.
enum Kind : int { kHalfLine = 0, kInterval = 1, kCoulomb = 2, kDrilling = 3, kPlane = 4, kPlaneDrilling = 5 };
constexpr int kKinds = 6;

bool has_size(int kind, int rows) {
  if (kind == kCoulomb) return rows == 2 || rows == 3;
  constexpr std::array<int, kKinds> kRows = {1, 1, 0, 4, 2, 3};
  return rows == kRows[static_cast<size_t>(kind)];
}

/// The numbers of the laws as lists; those that do not concern a law are 0.
struct LawLists {
  std::vector<int> kind, rows, drilling_set;
  VectorXd lower, upper, mu1, mu2, Rbar, extra_normal;
};

/// Calls visit(name, list) for the lists of numbers.
template <class Lists, class Visit>
void for_each_list(Lists& lists, Visit&& visit) {
  visit("lower", lists.lower);
  visit("upper", lists.upper);
  visit("mu1", lists.mu1);
  visit("mu2", lists.mu2);
  visit("Rbar", lists.Rbar);
  visit("extra_normal", lists.extra_normal);
}

LawLists lists_of(const InclusionProblem& problem) {
  LawLists lists;
  const auto count = static_cast<Eigen::Index>(problem.laws.size());
  for_each_list(lists, [&](const char*, VectorXd& list) { list.setZero(count); });
  lists.drilling_set.assign(problem.laws.size(), 0);
  for (Eigen::Index i = 0; i < count; ++i) {
    const LawSet& law = problem.laws[static_cast<size_t>(i)];
    lists.kind.push_back(static_cast<int>(law.index()));
    lists.rows.push_back(problem.G.blocks.block_size(static_cast<int>(i)));
    if (const auto* interval = std::get_if<Interval>(&law)) {
      lists.lower[i] = interval->lower;
      lists.upper[i] = interval->upper;
    } else if (const auto* contact = std::get_if<CoulombContact>(&law)) {
      lists.mu1[i] = contact->mu1;
      lists.mu2[i] = contact->mu2;
      lists.extra_normal[i] = contact->extra_normal;
    } else if (const auto* drilling = std::get_if<DrillingContact>(&law)) {
      lists.mu1[i] = drilling->mu;
      lists.Rbar[i] = drilling->Rbar;
      lists.extra_normal[i] = drilling->extra_normal;
      lists.drilling_set[static_cast<size_t>(i)] = static_cast<int>(drilling->set);
    } else if (const auto* plane = std::get_if<PlaneFriction>(&law)) {
      lists.mu1[i] = plane->limit1;
      lists.mu2[i] = plane->limit2;
    } else if (const auto* turning = std::get_if<DrillingFriction>(&law)) {
      lists.mu1[i] = turning->limit;
      lists.Rbar[i] = turning->Rbar;
      lists.drilling_set[static_cast<size_t>(i)] = static_cast<int>(turning->set);
    }
  }
  return lists;
}

/// Reads and checks the laws.
class LawReader {
 public:
  explicit LawReader(const DatasetReader& reader) : reader_(reader) {
    const std::string laws = kGroup + "/laws/";
    lists_.kind = reader.integers(laws + "kind");
    const auto count = static_cast<long long>(lists_.kind.size());
    for (const char* name : {"rows", "drilling_set"}) reader.require_length(laws + name, count, "one per law");
    lists_.rows = reader.integers(laws + "rows");
    lists_.drilling_set = reader.integers(laws + "drilling_set");
    for_each_list(lists_, [&](const char* name, VectorXd& list) {
      reader.require_length(laws + name, count, "one per law");
      list = reader.vector_with_infinities(laws + name);
    });
  }

  [[nodiscard]] int count() const { return static_cast<int>(lists_.kind.size()); }
  [[nodiscard]] int rows(int i) const { return lists_.rows[static_cast<size_t>(i)]; }

  [[nodiscard]] LawSet law(int i) const {
    const auto k = static_cast<size_t>(i);
    const int kind = lists_.kind[k], size = rows(i);
    if (kind < 0 || kind >= kKinds) refuse("kind", i, kind, "it must be from 0 to 5");
    if (!has_size(kind, size)) refuse("rows", i, size, fmt::format("that does not fit a law of kind {}", kind));
    if (kind == kHalfLine) return HalfLine{};
    if (kind == kInterval) {
      const double lower = lists_.lower[i], upper = lists_.upper[i];
      if (!(lower <= upper && lower < kInfinity && upper > -kInfinity))
        refuse("lower", i, lower, fmt::format("with the upper bound {} the interval is empty", upper));
      return Interval{lower, upper};
    }
    const double mu = not_negative("mu1", lists_.mu1, i), extra = not_negative("extra_normal", lists_.extra_normal, i);
    if (kind == kCoulomb) return CoulombContact{mu, not_negative("mu2", lists_.mu2, i), extra};
    if (kind == kPlane) return PlaneFriction{mu, not_negative("mu2", lists_.mu2, i)};
    const int set = lists_.drilling_set[k];
    if (set < 0 || set > 2) refuse("drilling_set", i, set, "it must be 0 (exact), 1 (ellipsoid) or 2 (cylinder)");
    const double Rbar = not_negative("Rbar", lists_.Rbar, i);
    if (Rbar == 0.0) refuse("Rbar", i, Rbar, "a drilling radius must be positive");
    if (kind == kPlaneDrilling) return DrillingFriction{mu, Rbar, static_cast<DrillingSet>(set)};
    return DrillingContact{mu, Rbar, static_cast<DrillingSet>(set), extra};
  }

 private:
  [[noreturn]] void refuse(const char* list, int i, double value, const std::string& rule) const {
    reader_.refuse(fmt::format("{}/laws/{}", kGroup, list), fmt::format("entry {} is {}; {}", i, value, rule));
  }
  double not_negative(const char* list, const VectorXd& values, int i) const {
    if (!(values[i] >= 0.0 && std::isfinite(values[i]))) refuse(list, i, values[i], "it must be finite and not negative");
    return values[i];
  }

  const DatasetReader& reader_;
  LawLists lists_;
};

/// start[0] = 0, ascending; `count` + 1 of them. The last one is the number of entries.
std::vector<int> read_starts(const DatasetReader& reader, const std::string& name, long long count) {
  reader.require_length(name, count + 1, "one more than what it divides");
  const std::vector<int> start = reader.integers(name);
  for (size_t k = 0; k < start.size(); ++k) {
    const int least = k == 0 ? 0 : start[k - 1];
    if (start[k] < least || (k == 0 && start[0] != 0))
      reader.refuse(name, fmt::format("entry {} is {}; they begin with 0 and do not descend", k, start[k]));
  }
  return start;
}

BlockSparseMatrix read_blocks(const DatasetReader& reader, const LawReader& laws, const std::vector<int>& part,
                              bool diagonal_only) {
  const std::string G = kGroup + "/G";
  BlockSparseMatrix blocks;
  for (int i = 0; i < laws.count(); ++i) blocks.declare_row(laws.rows(i));
  const std::vector<int> start = read_starts(reader, G + "/start", laws.count());
  reader.require_length(G + "/column", start.back(), "as many as 'start' says");
  const std::vector<int> column = reader.integers(G + "/column");
  long long numbers = 0;
  for (int i = 0; i < laws.count(); ++i) {
    bool diagonal = false;
    for (int e = start[i]; e < start[i + 1]; ++e) {
      const int j = column[e];
      if (j < 0 || j >= laws.count() || (e > start[i] && j <= column[e - 1]))
        reader.refuse(G + "/column",
                      fmt::format("entry {} is {}; columns ascend in a row and are below {}", e, j, laws.count()));
      if (j != i && diagonal_only)
        reader.refuse(G + "/column", fmt::format("entry {} is {}; a factored G has diagonal blocks only", e, j));
      if (!part.empty() && part[i] != part[j])
        reader.refuse(G + "/column", fmt::format("entry {} couples the laws {} and {} of different parts", e, i, j));
      diagonal = diagonal || j == i;
      numbers += static_cast<long long>(laws.rows(i)) * laws.rows(j);
    }
    if (!diagonal) reader.refuse(G + "/column", fmt::format("the diagonal block of law {} is missing", i));
  }
  reader.require_length(G + "/value", numbers, "after the sizes of the blocks");
  const VectorXd value = reader.vector(G + "/value");
  for (int i = 0; i < laws.count(); ++i) {
    for (int e = start[i]; e < start[i + 1]; ++e) blocks.add_block(column[e]);
    blocks.finish_row();
  }
  std::copy(value.begin(), value.end(), blocks.value.begin());
  return blocks;
}

void read_Y(const DatasetReader& reader, Delassus& G) {
  const std::string Y = kGroup + "/Y";
  G.kinetic_rows = reader.integer(Y + "/rows");
  G.Y.start = read_starts(reader, Y + "/start", G.rows());
  for (const char* name : {"/row", "/value"}) reader.require_length(Y + name, G.Y.start.back(), "as many as 'start' says");
  constexpr long long kMostEmptyRows = 1000000;
  if (G.kinetic_rows < 0 || G.kinetic_rows > G.Y.start.back() + kMostEmptyRows)
    reader.refuse(Y + "/rows", fmt::format("is {}; that does not fit {} entries", G.kinetic_rows, G.Y.start.back()));
  G.Y.row = reader.integers(Y + "/row");
  reader.check_entries(
      Y + "/row", G.Y.row, [&](int row) { return row >= 0 && row < G.kinetic_rows; },
      fmt::format("it must be a row below {}", G.kinetic_rows));
  const VectorXd value = reader.vector(Y + "/value");
  G.Y.value.assign(value.begin(), value.end());
}

/// The diagonal blocks of a factored G must be those of Y'Y.
void check_diagonal(const DatasetReader& reader, const Delassus& G) {
  constexpr double kAgreement = 1e-9;  // of the largest entry of the block: files may hold rounded numbers
  std::vector<double> column(static_cast<size_t>(G.kinetic_rows), 0.0);
  for (int i = 0; i < G.blocks.blocks(); ++i) {
    const int row = G.blocks.row[i], size = G.blocks.block_size(i);
    const double* block = G.blocks.diagonal_block(i);
    double largest = 0.0;
    for (int k = 0; k < size * size; ++k) largest = std::max(largest, std::abs(block[k]));
    for (int a = 0; a < size; ++a) {
      G.Y.add_to(row + a, 1.0, column.data());
      for (int b = 0; b < size; ++b) {
        const double expected = G.Y.dot(row + b, column.data());
        if (std::abs(block[a * size + b] - expected) > kAgreement * std::max(largest, std::abs(expected)))
          reader.refuse(kGroup + "/G/value", fmt::format("the diagonal block of law {} has {} where Y'Y has {}", i,
                                                         block[a * size + b], expected));
      }
      for (int p = G.Y.start[row + a]; p < G.Y.start[row + a + 1]; ++p) column[G.Y.row[p]] = 0.0;
    }
  }
}

}  // namespace

StoredProblem read_inclusion(const DatasetReader& reader) {
  if (const int version = reader.integer(kGroup + "/version"); version != kVersion)
    reader.refuse(kGroup + "/version", fmt::format("is {}; this program reads version {}", version, kVersion));
  InclusionProblem problem;
  const LawReader laws(reader);
  long long rows = 0;
  for (int i = 0; i < laws.count(); ++i) {
    problem.laws.push_back(laws.law(i));
    rows += laws.rows(i);
  }
  reader.require_length(kGroup + "/c", rows, "one per row of the laws");
  problem.c = reader.vector(kGroup + "/c");
  if (reader.has(kGroup + "/part")) {
    reader.require_length(kGroup + "/part", laws.count(), "one per law");
    problem.part = reader.integers(kGroup + "/part");
    reader.check_entries(
        kGroup + "/part", problem.part, [&](int part) { return part >= 0 && part < laws.count(); },
        fmt::format("it must be from 0 to {}", laws.count() - 1));
  }
  const int factored = reader.integer(kGroup + "/factored");
  if (factored != 0 && factored != 1) reader.refuse(kGroup + "/factored", fmt::format("is {}; it must be 0 or 1", factored));
  problem.G.factored = factored == 1;
  problem.G.blocks = read_blocks(reader, laws, problem.part, problem.G.factored);
  if (problem.G.factored || reader.has(kGroup + "/Y")) read_Y(reader, problem.G);
  if (problem.G.factored) check_diagonal(reader, problem.G);
  return {ProblemKind::kInclusion, std::move(problem), {}};
}

void write_inclusion(const std::filesystem::path& path, const InclusionProblem& problem, const std::string& title) {
  write_whole_file(path, [&](Hdf5File& file) {
    const LawLists lists = lists_of(problem);
    file.make_group(kGroup);
    file.write_text(kGroup + "/title", title);
    write_integer(file, kGroup + "/version", kVersion);
    file.make_group(kGroup + "/laws");
    write_integers(file, kGroup + "/laws/kind", lists.kind);
    write_integers(file, kGroup + "/laws/rows", lists.rows);
    write_integers(file, kGroup + "/laws/drilling_set", lists.drilling_set);
    for_each_list(lists,
                  [&](const char* name, const VectorXd& list) { write_vector(file, kGroup + "/laws/" + name, list); });
    write_vector(file, kGroup + "/c", problem.c);
    if (!problem.part.empty()) write_integers(file, kGroup + "/part", problem.part);
    const Delassus& G = problem.G;
    write_integer(file, kGroup + "/factored", G.factored ? 1 : 0);
    file.make_group(kGroup + "/G");
    std::vector<int> column;
    for (const BlockSparseMatrix::Entry& entry : G.blocks.entry) column.push_back(entry.column);
    write_integers(file, kGroup + "/G/start", G.blocks.entry_start);
    write_integers(file, kGroup + "/G/column", column);
    file.write_numbers(kGroup + "/G/value", G.blocks.value);
    if (G.rows() == 0 || G.Y.columns() != G.rows()) return;
    file.make_group(kGroup + "/Y");
    write_integer(file, kGroup + "/Y/rows", G.kinetic_rows);
    write_integers(file, kGroup + "/Y/start", G.Y.start);
    write_integers(file, kGroup + "/Y/row", G.Y.row);
    file.write_numbers(kGroup + "/Y/value", G.Y.value);
  });
}

}  // namespace tippe
