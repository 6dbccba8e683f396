// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tippe/model/lagrangian.h"
#include "tippe/scene/parameters.h"
#include "tippe/scene/repetition.h"
#include "tippe/scene/scene.h"
#include "tippe/scene/toml_reader.h"

namespace tippe {

/// Reads one scene, top to bottom (scene.cpp; its laws in law_reader.cpp), and remembers where each expression was written.
class SceneReader {
 public:
  SceneReader(const SourceText& source, const toml::table& root, const SceneOverrides& overrides)
      : source_(source),
        overrides_(overrides),
        root_(source, root, "the scene",
              {"tippe", "title", "source", "parameters", "lagrangian", "velocities", "bilateral", "contact", "one_way",
               "dry_friction", "initial", "run", "output"}),
        parameters_(source, root_.table("parameters"), overrides.settings) {}

  Scene read();

 private:
  void read_version();
  void read_name_list(const toml::node& list, const std::string& what, std::vector<std::string>& names);
  void read_coordinates(const TableReader& lagrangian);
  void read_lagrangian();
  void read_velocities();
  void read_bilaterals();
  void read_contacts();
  void read_one_ways();
  void read_dry_frictions();
  void read_start(Scene& scene);
  void read_accuracy(const TableReader& reader, RunOptions& run);
  template <class Choice>
  Choice read_choice(const TableReader& reader, const RunOptions& run, const std::string& key,
                     const std::map<std::string, Choice>& choices, Choice otherwise) const;
  void read_run(Scene& scene);
  void read_observables(Scene& scene);
  void project_start(Scene& scene) const;
  void check_accelerations(const Scene& scene) const;
  void check_stop_at_start(const Scene& scene) const;
  void check_options(const Scene& scene);

  std::string read_name(const TableReader& reader);
  ForceLaw begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key);
  void read_slip(const TableReader& reader, LawDescription& contact);
  double coefficient(const toml::node& node, const std::string& what, double largest);
  double restitution(const TableReader& reader, const std::string& key);
  void read_drilling(const toml::node* spin, const toml::node& friction, LawDescription& contact);
  void read_impact_law(const TableReader& reader);
  void check_impact_law();
  std::vector<double> coefficients(const toml::node& node, const std::string& what, size_t directions, double largest);
  /// Numbers and expressions of the entry that is being read, with its indices.
  [[nodiscard]] double number(const toml::node& node, const std::string& what) const {
    return parameters_.number(node, what, indices_);
  }
  Expr expression(const toml::node& node, const std::string& subject, const std::string& what);
  /// A number in [run] or [output] that the command line may replace.
  void read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                   double& value);
  /// Reads all [[key]], repeated ones as often as they say: read(reader, "contact[3]").
  template <class Read>
  void read_laws(const std::string& key, std::vector<std::string> keys, Read&& read);
  /// Reads a table with a value for each of these names: read(number of the name, value).
  template <class Read>
  void read_values(const toml::table& table, const std::string& path, const std::vector<std::string>& names, Read&& read);
  /// Throws the error of a model where its subject was written.
  [[noreturn]] void rethrow(const ModelError& error) const;

  const SourceText& source_;
  const SceneOverrides& overrides_;
  TableReader root_;
  Parameters parameters_;
  LagrangianDescription description_;
  ExprGraph& graph_ = *description_.graph;
  std::vector<std::string> names_;                   // all that may occur in expressions
  std::map<std::string, Expr, std::less<>> inputs_;  // coordinates, their rates, own velocities, t
  struct Written {
    const toml::node* node;
    Indices indices;
  };
  std::map<std::string, Written> written_;  // subject -> its value in the file
  Indices indices_;                         // of the entry that is being read
  std::set<std::string> law_names_;
  bool impact_law_named_ = false;
  bool project_start_ = false;
};

}  // namespace tippe
