// SPDX-License-Identifier: Apache-2.0
// Restitution matrices that must be refused: see support/bad_scene.h for how their place is marked.
#include "support/bad_scene.h"

namespace tippe::scene_bad_impact_test {

using test::BadScene;

std::vector<BadScene> bad_scenes() {
  const auto scene = [](const std::string& impact, const std::string& laws = "", const std::string& run = "[run]\n") {
    return "tippe = 1\n[parameters]\ne = -0.5\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\n"
           "[[contact]]\nname = \"left\"\ngap = \"x\"\n[[contact]]\nname = \"right\"\ngap = \"y\"\n" +
           laws + "[impact]\n" + impact + run + "dt = 0.1\nuntil = 1\n";
  };
  const auto contacts = [&](const std::string& names, const std::string& laws = "") {
    return scene("contacts = " + names + "\nrestitution_matrix = [[0, 1], [1, 0]]\n", laws);
  };
  const auto matrix = [&](const std::string& rows) {
    return scene("contacts = [\"left\", \"right\"]\nrestitution_matrix = " + rows + "\n");
  };
  const std::string rough = "[[contact]]\nname = \"rough\"\ngap = \"x + y\"\nslip = \"x' - y'\"\nfriction = 0.5\n";
  return {
      {"no_contacts",
       "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n»^[impact]\nrestitution_matrix = "
       "[[1]]\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil = 1\n",
       {"needs 'contacts'"}},
      {"unknown_key", scene("»^contact = [\"left\"]\n"), {"unknown key 'contact' in [impact]", "did you mean 'contacts'"}},
      {"one_name", contacts("»^\"left\""), {"list of names"}},
      {"none_named", contacts("»^[]"), {"list of names"}},
      {"number_for_name", contacts("[\"left\", »^2]"), {"must be a name in quotes", "an integer"}},
      {"unknown_name", contacts("[\"left\", »^\"rigth\"]"), {"there is no contact 'rigth'", "did you mean 'right'"}},
      {"named_twice", contacts("[\"left\", »^\"left\"]"), {"'left' is named twice"}},
      {"with_friction", contacts("[\"left\", »^\"rough\"]", rough), {"without friction", "'rough'"}},
      {"clutch",
       contacts("[\"left\", »^\"sprag\"]", "[[one_way]]\nname = \"sprag\"\nvelocity = \"x'\"\n"),
       {"'sprag' is a one_way"}},
      {"too_few_rows", matrix("»^[[0, 1]]"), {"2 rows of 2 numbers", "here are 1"}},
      {"no_rows", matrix("»^1"), {"2 rows of 2 numbers"}},
      {"ragged", matrix("[[0, 1], »^[1]]"), {"array of 2 numbers, not of 1"}},
      {"row_is_number", matrix("[[0, 1], »^1]"), {"array of 2 numbers", "an integer"}},
      {"unknown_parameter", matrix("[[0, \"»^f\"], [1, 0]]"), {"unknown name 'f'"}},
      {"negative",
       matrix("[[0, 1], [»^\"e\", 0]]"),
       {"must not be negative, got -0.5", "when contact 'left' closes, 'right'"}},
      {"not_finite", matrix("[[0, »^inf], [1, 0]]"), {"inf"}},
      {"poisson",
       scene("contacts = [\"left\", \"right\"]\nrestitution_matrix = »^[[0, 1], [1, 0]]\n", "",
             "[run]\nimpact_law = \"poisson\"\n"),
       {"a form of Newton's impact law"}},
      {"time_stepping",
       scene("contacts = [\"left\", \"right\"]\nrestitution_matrix = [[0, 1], [1, 0]]\n", "",
             "[run]\nintegrator = »^\"moreau-jean\"\n"),
       {"it knows no restitution matrix; take event-driven"}},
  };
}

class BadImpact : public testing::TestWithParam<BadScene> {};

TEST_P(BadImpact, IsRefusedAtItsPlaceWithWhatWouldBeRight) {
  test::expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadImpact, testing::ValuesIn(bad_scenes()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace tippe::scene_bad_impact_test
