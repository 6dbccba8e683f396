// SPDX-License-Identifier: Apache-2.0
// [define], [[force]], [[motor]] and moving planes that must be refused: see support/bad_scene.h for how their place is marked.
#include "support/bad_scene.h"

namespace tippe::scene_bad_force_test {

using test::BadScene;

std::vector<BadScene> bad_scenes() {
  const std::string run = "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n";
  const auto point = [&](const std::string& more) {
    return "tippe = 1\n[parameters]\nk = 2\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\n" + more +
           run;
  };
  const auto arm = [&](const std::string& more) {
    return "tippe = 1\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.point]]\nname = \"tip\"\nat = [1, 0, "
           "0]\n"
           "[[body]]\nname = \"dot\"\nkind = \"point\"\nmass = 1\n"
           "[[joint]]\nname = \"elbow\"\ntype = \"hinge\"\nbetween = [\"world\", \"arm\"]\naxis = [0, 0, 1]\n"
           "[[joint]]\nname = \"eye\"\ntype = \"ball\"\nbetween = [\"arm.tip\", \"dot\"]\n" +
           more + run;
  };
  return {
      {"cycle", point("[define]\na = \"b + x\"\nb = \"1 + »^a\"\n"), {"cycle: a -> b -> a"}},
      {"own_cycle", point("[define]\na = \"x*»^a\"\n"), {"cycle: a -> a"}},
      {"unknown_in_definition", point("[define]\nspeed = \"»^vel + x'\"\n"), {"unknown name 'vel'"}},
      {"definition_like_coordinate", point("[define]\nx = »^\"2*y\"\n"), {"'x' is both a definition and a coordinate"}},
      {"definition_like_parameter", point("[define]\nk = »^\"2*y\"\n"), {"'k' is both a definition and a parameter"}},
      {"definition_not_text", point("[define]\nspeed = »^[1]\n"), {"a definition must be an expression in quotes"}},
      {"rate_written_out", point("[define]\nspeed = \"2*»^xdot\"\n"), {"the rate of x is written x'"}},
      {"number_of_state",
       point("[define]\nd = \"x\"\n[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = \"2*»^d\"\n"),
       {"may depend on parameters only", "there are: k"}},
      {"no_target", point("»^[[force]]\nforce = \"k\"\n"), {"needs 'on'"}},
      {"unknown_target", point("[[force]]\non = »^\"z\"\nforce = \"k\"\n"), {"no body, point or coordinate 'z'", "x"}},
      {"torque_on_coordinate", point("[[force]]\non = \"x\"\ntorque = »^\"k\"\n"), {"'torque' is for bodies"}},
      {"no_force", arm("»^[[force]]\non = \"arm\"\n"), {"give 'force' or 'torque'"}},
      {"flat_force", arm("[[force]]\non = \"arm.tip\"\nforce = »^[1, 2]\n"), {"list of 3 expressions, not of 2"}},
      {"torque_on_point", arm("[[force]]\non = \"dot\"\ntorque = »^[1, 2, 3]\n"), {"does not turn"}},
      {"unknown_frame", arm("[[force]]\non = \"arm\"\nforce = [1, 2, 3]\nframe = »^\"space\"\n"), {"\"world\" or \"body\""}},
      {"forces_of_bodies", point("[lagrangian.forces]\n»^z = 1\n"), {"unknown key 'z'"}},
      {"idle_motor", arm("»^[[motor]]\njoint = \"elbow\"\n"), {"give one of 'torque'"}},
      {"motor_without_joint", arm("»^[[motor]]\ntorque = 1\n"), {"needs 'joint'"}},
      {"motor_in_ball", arm("[[motor]]\njoint = »^\"eye\"\ntorque = 1\n"), {"turns a hinge or pushes a slider"}},
      {"unknown_joint", arm("[[motor]]\njoint = »^\"elbw\"\ntorque = 1\n"), {"did you mean 'elbow'"}},
      {"motor_on_a_body",
       arm("[[motor]]\non = »^\"arm\"\ntorque = 1\n"),
       {"there is no coordinate 'arm'", "(there are: ", "arm.x", "elbow.angle"}},
      {"limit_without_speed", arm("[[motor]]\njoint = \"elbow\"\ntorque = 1\nlimit = »^2\n"), {"holds a 'speed'"}},
      {"no_such_coordinate", arm("[output.quantities]\na = \"»^elbow.position\"\n"), {"unknown name 'elbow.position'"}},
      {"plane_by_state",
       arm("[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmotion = [0, 0, »^\"arm.x\"]\n"),
       {"may depend on t and parameters only"}},
      {"plane_of_two",
       arm("[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmotion = »^[0, \"t\"]\n"),
       {"list of 3 expressions"}},
      {"no_own_coordinates",
       "tippe = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\n[lagrangian]\ncoordinates = »^[]\n" + run,
       {"bodies are pushed by [[force]]"}},
      {"force_on_body_as_coordinate",
       "tippe = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = "
       "\"x'^2\"\n"
       "[lagrangian.forces]\n»^\"b.x\" = 1\n" +
           run,
       {"bodies are pushed by [[force]]"}},
      {"input_in_kinetic",
       "tippe = 1\n[inputs]\nF = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"(2 + »^F)*x'^2\"\n" + run,
       {"the kinetic energy must not depend on the input F", "no finite force"}},
      {"input_in_gap",
       "tippe = 1\n[inputs]\nF = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"
       "[[contact]]\nname = \"stop\"\ngap = \"x - »^F\"\n" +
           run,
       {"a gap must not depend on the input F"}},
      {"input_in_position",
       "tippe = 1\n[inputs]\nF = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\n"
       "[[bilateral]]\nname = \"rod\"\nposition = \"x - »^F\"\n" +
           run,
       {"a bilateral position must not depend on the input F"}},
      {"input_in_velocity",
       "tippe = 1\n[inputs]\nv = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"
       "[[bilateral]]\nname = \"servo\"\nvelocity = \"x' - »^v\"\n" +
           run,
       {"a bilateral velocity must not depend on the input v", "a motor"}},
      {"input_in_a_definition_of_a_gap",
       "tippe = 1\n[inputs]\nF = 1\n[define]\nwall = \"F\"\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"
       "[[contact]]\nname = \"stop\"\ngap = »^\"x - wall\"\n" +
           run,
       {"a gap must not depend on the input F"}},
      {"input_like_parameter", point("[inputs]\nk = »^1\n"), {"'k' is both an input and a parameter"}},
      {"input_that_is_no_number", point("[inputs]\nF = \"»^x\"\n"), {"the input 'F'", "may depend on parameters only"}},
      {"rate_of_an_input", point("[inputs]\nF = 1\n[[force]]\non = \"x\"\nforce = \"»^F'\"\n"), {"unknown name 'F''"}},
      {"found_on_moving_plane",
       "tippe = 1\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.cylinder]]\nfrom = [0, 0, -1]\nto = [0, 0, "
       "1]\n"
       "radius = 1\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\npoint = [0, 0, -1]\nmotion = »^[0, 0, \"t\"]\n"
       "[[contact_law]]\nbetween = [\"b\", \"floor\"]\n" +
           run,
       {"need planes at rest"}},
  };
}

class BadForce : public testing::TestWithParam<BadScene> {};

TEST_P(BadForce, IsRefusedAtItsPlace) {
  test::expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadForce, testing::ValuesIn(bad_scenes()),
                         [](const testing::TestParamInfo<BadScene>& bad) { return bad.param.name; });

}  // namespace tippe::scene_bad_force_test
