// SPDX-License-Identifier: Apache-2.0
// Drawings that must be refused: see support/bad_scene.h for how their place is marked.
#include "support/bad_scene.h"

namespace tippe::scene_bad_draw_test {

using test::BadScene;

std::vector<BadScene> bad_scenes() {
  const auto draw = [](const std::string& entry) {
    return "tippe = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\n"
           "[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = [\"x'\", \"x' + y'\"]\nfriction = 0.5\n"
           "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n" +
           entry + "\n";
  };
  return {
      {"nothing", draw("»^[[draw]]\npart = \"a\""), {"[[draw]] needs one of line, polyline, circle, spring, text, force"}},
      {"misspelt", draw("[[draw]]\n»^lin = [0, 0, 1, 1]"), {"unknown key 'lin' in [[draw]]", "did you mean 'line'"}},
      {"two_things", draw("[[draw]]\nline = [0, 0, 1, 1]\ncircle = »^[0, 0, 1]"), {"draws one thing", "'line' already"}},
      {"foreign_key", draw("[[draw]]\nline = [0, 0, 1, 1]\n»^angle = 1"), {"'angle' is no key of a line", "may have part"}},
      {"three_numbers", draw("[[draw]]\nline = »^[0, 0, 1]"), {"array of 4 expressions", "of 6 in space", "here are 3"}},
      {"no_array", draw("[[draw]]\nspring = »^\"x\""), {"'spring' must be an array of 4 expressions"}},
      {"unknown_name", draw("[[draw]]\nline = [0, 0, \"»^z\", 1]"), {"unknown name 'z'"}},
      {"one_point", draw("[[draw]]\npolyline = »^[[0, 0]]"), {"two or more points"}},
      {"flat_polyline", draw("[[draw]]\npolyline = [»^0, 0, 1, 1]"), {"'polyline[0]' must be an array of 2 expressions"}},
      {"no_radius", draw("[[draw]]\ncircle = [0, 0, »^0]"), {"radius must be positive, got 0"}},
      {"turning_sphere", draw("[[draw]]\ncircle = [0, 0, 0, 1]\nangle = »^1"), {"a sphere in space has no 'angle'"}},
      {"text_nowhere", draw("»^[[draw]]\ntext = \"a\""), {"needs 'at'", "where it stands"}},
      {"infinite", draw("[[draw]]\nline = [»^\"1/0\", 0, 1, 1]"), {"must be finite"}},
      {"unknown_law",
       draw("[[draw]]\nforce = »^\"flor\"\nat = [0, 0]\nnormal = [0, 1]"),
       {"no law 'flor'", "did you mean 'floor'"}},
      {"no_normal",
       draw("»^[[draw]]\nforce = \"floor\"\nat = [0, 0]"),
       {"needs 'normal'", "which way a positive force acts"}},
      {"zero_normal", draw("[[draw]]\nforce = \"floor\"\nat = [0, 0]\nnormal = »^[0, 0]"), {"'normal' must not be zero"}},
      {"no_tangents",
       draw("»^[[draw]]\nforce = \"floor\"\nat = [0, 0]\nnormal = [0, 1]"),
       {"'floor' has friction: give the directions of its slips"}},
      {"one_tangent",
       draw("[[draw]]\nforce = \"floor\"\nat = [0, 0]\nnormal = [0, 1]\ntangents = »^[[1, 0]]"),
       {"a direction for each slip of 'floor'"}},
      {"no_boolean", draw("[[draw]]\npolyline = [[0, 0], [1, 1]]\nclosed = »^1"), {"'closed'", "true or false"}},
  };
}

class BadDraw : public testing::TestWithParam<BadScene> {};
TEST_P(BadDraw, IsRefusedWithItsPlace) {
  test::expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Scenes, BadDraw, testing::ValuesIn(bad_scenes()),
                         [](const testing::TestParamInfo<BadScene>& param) { return param.param.name; });

}  // namespace tippe::scene_bad_draw_test
