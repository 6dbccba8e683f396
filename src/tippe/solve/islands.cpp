// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/islands.h"

#include <algorithm>
#include <numeric>

namespace tippe {

void Islands::find(const InclusionProblem& problem) {
  const Delassus& G = problem.G;
  const int n = G.blocks.blocks();
  if (n == 1) {
    start_.resize(2);
    start_[0] = 0;
    start_[1] = 1;
    block_.assign(1, 0);
    return;
  }
  components_.reset(n);
  if (G.factored) first_block_.assign(static_cast<size_t>(G.kinetic_rows), -1);
  for (int i = 0; i < n; ++i) {
    if (G.factored) {
      for (int p = G.Y.start[G.blocks.row[i]]; p < G.Y.start[G.blocks.row[i + 1]]; ++p) {
        int& first = first_block_[G.Y.row[p]];
        if (first < 0) first = i;
        components_.join(i, first);
      }
    } else {
      for (int e = G.blocks.entry_start[i]; e < G.blocks.entry_start[i + 1]; ++e)
        components_.join(i, G.blocks.entry[e].column);
    }
  }
  start_.assign(static_cast<size_t>(components_.number(label_)) + 1, 0);
  for (const int label : label_) ++start_[label + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  block_.resize(static_cast<size_t>(n));
  place_.assign(start_.begin(), start_.end() - 1);
  for (int i = 0; i < n; ++i) block_[place_[label_[i]]++] = i;
}

void Islands::extract(const InclusionProblem& problem, int k, InclusionProblem& part, std::vector<int>& rows) {
  const Delassus& G = problem.G;
  const int first = start_[k], last = start_[k + 1];
  part.G.factored = G.factored;
  part.G.blocks.clear();
  part.laws.clear();
  part.part.clear();
  rows.clear();
  place_.resize(static_cast<size_t>(G.blocks.blocks()));
  for (int b = first; b < last; ++b) {
    const int i = block_[b];
    place_[i] = b - first;
    part.G.blocks.declare_row(G.blocks.block_size(i));
    part.laws.push_back(problem.laws[i]);
    for (int row = G.blocks.row[i]; row < G.blocks.row[i + 1]; ++row) rows.push_back(row);
  }
  part.c.resize(static_cast<Eigen::Index>(rows.size()));
  for (size_t row = 0; row < rows.size(); ++row) part.c[static_cast<Eigen::Index>(row)] = problem.c[rows[row]];
  for (int b = first; b < last; ++b) {
    const int i = block_[b], size = G.blocks.block_size(i);
    for (int e = G.blocks.entry_start[i]; e < G.blocks.entry_start[i + 1]; ++e) {
      const auto& [column, offset] = G.blocks.entry[e];
      double* values = part.G.blocks.add_block(place_[column]);
      std::copy_n(G.blocks.value.data() + offset, static_cast<ptrdiff_t>(size) * G.blocks.block_size(column), values);
    }
    part.G.blocks.finish_row();
  }
  if (!G.factored) return;
  part.G.Y.clear();
  part.G.kinetic_rows = 0;
  kinetic_here_.resize(static_cast<size_t>(G.kinetic_rows), -1);
  // Kinetic rows keep their order, so that those of a body stay together.
  std::vector<int>& used = first_block_;
  used.clear();
  for (const int row : rows) {
    for (int p = G.Y.start[row]; p < G.Y.start[row + 1]; ++p) {
      if (kinetic_here_[G.Y.row[p]] < 0) used.push_back(G.Y.row[p]);
      kinetic_here_[G.Y.row[p]] = 0;
    }
  }
  std::sort(used.begin(), used.end());
  for (const int kinetic : used) kinetic_here_[kinetic] = part.G.kinetic_rows++;
  for (const int row : rows) {
    for (int p = G.Y.start[row]; p < G.Y.start[row + 1]; ++p) part.G.Y.push(kinetic_here_[G.Y.row[p]], G.Y.value[p]);
    part.G.Y.finish_column();
  }
  for (const int kinetic : used) kinetic_here_[kinetic] = -1;
}

}  // namespace tippe
