// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "tippe/exchange/dataset_reader.h"
#include "tippe/exchange/problem_file.h"

namespace tippe {

/// The readers of the single formats, each for a file that has its mark.
[[nodiscard]] StoredProblem read_fclib_local(const DatasetReader& reader);   // the group fclib_local
[[nodiscard]] StoredProblem read_fclib_global(const DatasetReader& reader);  // the group fclib_global
[[nodiscard]] StoredProblem read_inclusion(const DatasetReader& reader);     // the group tippe_inclusion
[[nodiscard]] StoredProblem read_lcp(const DatasetReader& reader);           // the dataset M
[[nodiscard]] StoredProblem read_mlcp(const DatasetReader& reader);          // the dataset A

/// Makes a file under another name, lets `fill` write into it, and gives it its name when it is whole.
void write_whole_file(const std::filesystem::path& path, const std::function<void(Hdf5File&)>& fill);

/// A list of 32-bit integers.
void write_integers(Hdf5File& file, const std::string& name, const std::vector<int>& values);
void write_integer(Hdf5File& file, const std::string& name, int value);
void write_vector(Hdf5File& file, const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace tippe
