// SPDX-License-Identifier: Apache-2.0
// Bodies, springs and joints that must be refused: see support/bad_scene.h for how their place is marked.
#include "support/bad_scene.h"

namespace tippe::scene_bad_body_test {

using test::BadScene;

const std::string kRun = "[run]\nintegrator = \"rk4\"\ndt = 0.1\nuntil = 1\n";
const std::string kTop =
    "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 2, 2]\n[[body.point]]\nname = \"tip\"\nat = [0, 0, 1]\n";
const std::string kPoint = "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nposition = [3, 0, 0]\n";
const std::string kPlate = "[[body]]\nname = \"plate\"\nkind = \"planar\"\nmass = 1\ninertia = 1\n";

std::vector<BadScene> bad_bodies() {
  const auto scene = [](const std::string& rest) { return "tippe = 1\n" + rest + kRun; };
  const auto body = [&](const std::string& rest) { return scene("[[body]]\nname = \"b\"\n" + rest); };
  const auto rigid = [&](const std::string& rest) { return body("mass = 1\ninertia = [1, 1, 1]\n" + rest); };
  const auto inertia = [&](const std::string& value) { return body("mass = 1\ninertia = " + value + "\n"); };
  const auto spring = [&](const std::string& rest) { return scene(kTop + kPoint + "[[spring]]\n" + rest); };
  const auto joint = [&](const std::string& rest) { return scene(kTop + kPoint + "[[joint]]\n" + rest); };
  return {
      {"no_system", "»^tippe = 1\n" + kRun, {"[lagrangian]", "[[body]]"}},
      {"body_no_array", scene("»^[body]\nname = \"b\"\n"), {"[[body]]"}},
      {"unknown_key", rigid("»^colour = 1\n"), {"unknown key 'colour' in [[body]]"}},
      {"unknown_key_of_point", rigid("[[body.point]]\n»^nam = \"x\"\n"), {"unknown key 'nam' in [[body.point]]", "'name'"}},
      {"no_name", scene("»^[[body]]\nmass = 1\n"), {"needs 'name'"}},
      {"no_mass", scene("»^[[body]]\nname = \"b\"\ninertia = [1, 1, 1]\n"), {"needs 'mass'"}},
      {"no_inertia", scene("»^[[body]]\nname = \"b\"\nmass = 1\n"), {"needs 'inertia'"}},
      {"bad_name", scene("[[body]]\nname = »^\"my.top\"\nmass = 1\n"), {"'my.top'", "letter"}},
      {"name_is_world", scene("[[body]]\nname = »^\"world\"\nmass = 1\n"), {"'world'"}},
      {"name_is_momentum", scene("[[body]]\nname = »^\"momentum\"\nmass = 1\n"), {"'momentum'"}},
      {"name_twice", scene(kPoint + "[[body]]\nname = »^\"p\"\nkind = \"point\"\nmass = 1\n"), {"named twice"}},
      {"name_twice_by_repetition",
       scene("[[body]]\nfor = { i = \"1..2\" }\nname = »^\"p\"\nkind = \"point\"\nmass = 1\n"),
       {"named twice", "i = 2"}},
      {"name_of_a_parameter",
       scene("[parameters]\nb = 1\n[[body]]\nname = »^\"b\"\nmass = 1\n"),
       {"both a body and a parameter"}},
      {"name_of_a_coordinate",
       scene("[lagrangian]\ncoordinates = [\"b\"]\nkinetic = \"b'^2\"\n[[body]]\nname = »^\"b\"\nmass = 1\n"),
       {"both a body and a coordinate"}},
      {"zero_mass", body("mass = »^0\ninertia = [1, 1, 1]\n"), {"mass must be positive", "0"}},
      {"negative_mass_expression", body("mass = »^\"1 - 2\"\ninertia = [1, 1, 1]\n"), {"mass must be positive", "-1"}},
      {"two_moments", inertia("»^[1, 2]"), {"three principal moments", "2 entries"}},
      {"inertia_one_number", inertia("»^3"), {"three principal moments", "an integer"}},
      {"ragged_inertia", inertia("[[1, 0, 0], »^[0, 1], [0, 0, 1]]"), {"array of 3 numbers", "of 2"}},
      {"negative_moment", inertia("»^[1, 1, -1]"), {"must be positive", "-1"}},
      {"no_moment", inertia("»^[0, 0, 0]"), {"must be positive", "kind = \"point\""}},
      {"triangle_inequality", inertia("»^[1, 1, 2.1]"), {"no body has", "2.1"}},
      {"asymmetric_inertia", inertia("»^[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]"), {"symmetric", "12", "0.1"}},
      {"indefinite_inertia", inertia("»^[[1, 3, 0], [3, 1, 0], [0, 0, 1]]"), {"must be positive", "-2"}},
      {"inertia_no_number", inertia("[1, »^true, 1]"), {"a number"}},
      {"massless_turn",
       scene("»^[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 0]\n"),
       {"not positive definite", "b.wz"}},
      {"two_positions", rigid("position = »^[1, 2]\n"), {"the position", "3 numbers"}},
      {"position_of_state", rigid("position = [0, \"»^b.x\", 0]\n"), {"parameters only", "b.x"}},
      {"orientation_number", rigid("orientation = »^0.3\n"), {"axis", "quaternion"}},
      {"orientation_both", rigid("orientation = »^{ axis = [1, 0, 0], angle = 1, quaternion = [1, 0, 0, 0] }\n"), {"axis"}},
      {"orientation_half", rigid("orientation = »^{ axis = [1, 0, 0] }\n"), {"angle"}},
      {"zero_quaternion", rigid("orientation = { quaternion = »^[0, 0, 0, 0] }\n"), {"must not be zero"}},
      {"short_quaternion", rigid("orientation = { quaternion = »^[1, 0, 0] }\n"), {"4 numbers"}},
      {"zero_axis", rigid("orientation = { axis = »^[0, 0, 0], angle = 1 }\n"), {"must not be zero"}},
      {"unknown_orientation", rigid("orientation = { »^euler = [1, 2, 3] }\n"), {"unknown key 'euler'"}},
      {"both_angular_velocities",
       rigid("angular_velocity = [0, 0, 1]\nangular_velocity_world = »^[0, 0, 1]\n"),
       {"one of 'angular_velocity'"}},
      {"unknown_kind", body("kind = »^\"ridgid\"\nmass = 1\n"), {"unknown kind 'ridgid'", "rigid"}},
      {"unknown_formulation", rigid("formulation = »^\"euler\"\n"), {"newton-euler, scalable and affine"}},
      {"point_with_inertia", body("kind = \"point\"\nmass = 1\ninertia = »^1\n"), {"\"point\" has no 'inertia'"}},
      {"planar_with_orientation",
       body("kind = \"planar\"\nmass = 1\ninertia = 1\norientation = »^{ angle = 1 }\n"),
       {"has no 'orientation'", "'angle'"}},
      {"rigid_with_angle", rigid("angle = »^1\n"), {"has no 'angle'", "'orientation'"}},
      {"planar_with_three_moments", body("kind = \"planar\"\nmass = 1\ninertia = »^[1, 1, 1]\n"), {"a number"}},
      {"planar_with_negative_inertia", body("kind = \"planar\"\nmass = 1\ninertia = »^-1\n"), {"must be positive"}},
      {"planar_in_space", scene(kPlate + "position = »^[0, 0, 0]\n"), {"2 numbers"}},
      {"point_of_body_twice",
       scene(kTop + "[[body.point]]\nname = »^\"tip\"\nat = [0, 0, 0]\n"),
       {"'top.tip' is named twice"}},
      {"point_named_as_coordinate", rigid("[[body.point]]\nname = »^\"x\"\nat = [0, 0, 0]\n"), {"'b.x'", "rename"}},
      {"point_without_place", rigid("»^[[body.point]]\nname = \"tip\"\n"), {"needs 'at'"}},
      {"gravity_of_nothing",
       scene("[world]\ngravity = »^[0, 0, -1]\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"),
       {"there are none"}},
      {"gravity_number", scene("[world]\ngravity = »^-9.81\n" + kTop), {"'gravity'", "3 numbers"}},
      {"gravity_in_a_plane", scene("[world]\ngravity = »^[0, -9.81]\n" + kTop), {"'gravity'", "3 numbers"}},
      {"unknown_key_of_world", scene("[world]\n»^g = 9.81\n" + kTop), {"unknown key 'g' in [world]"}},
      {"velocities_without_lagrangian", scene("»^[velocities]\nnames = [\"v\"]\n" + kPoint), {"[lagrangian]"}},
      {"start_of_a_body_in_initial", scene(kPoint + "[initial]\n»^\"p.x\" = 1\n"), {"unknown key 'p.x' in [initial]"}},
      {"unknown_component",
       scene(kTop + "[output.quantities]\na = \"1 + »^top.tip.w\"\n"),
       {"unknown name 'top.tip.w'", "did you mean"}},
      {"unknown_point", scene(kTop + "[output.quantities]\na = \"»^top.tp.x\"\n"), {"unknown name 'top.tp.x'", "top.tip.x"}},
      {"z_of_a_planar_body", scene(kPlate + "[output.quantities]\na = \"»^plate.z\"\n"), {"unknown name 'plate.z'"}},
      {"dot_without_a_name", scene(kTop + "[output.quantities]\na = \"top»^. + 1\"\n"), {"unexpected '.'"}},
      {"kinetic_with_a_body_velocity",
       scene(kTop + "[lagrangian]\ncoordinates = [\"s\"]\nkinetic = \"0.5*s'^2 + s'*»^top.vx\"\n"),
       {"written with the rates", "top.vx"}},
      {"one_end", spring("between = »^[\"top\"]\nstiffness = 1\n"), {"array of two"}},
      {"no_ends", scene(kTop + "»^[[spring]]\nstiffness = 1\n"), {"needs 'between'"}},
      {"unknown_end",
       spring("between = [\"top\", »^\"top.tp\"]\nstiffness = 1\n"),
       {"no body or point 'top.tp'", "did you mean 'top.tip'"}},
      {"end_is_a_number", spring("between = [\"top\", »^3]\nstiffness = 1\n"), {"name in quotes", "an integer"}},
      {"both_in_space", spring("between = »^[[0, 0, 0], [1, 0, 0]]\nstiffness = 1\n"), {"on a body"}},
      {"both_on_one_body", spring("between = »^[\"top\", \"top.tip\"]\nstiffness = 1\n"), {"both ends are on 'top'"}},
      {"spring_to_the_world", spring("between = »^[\"top\", \"world\"]\nstiffness = 1\n"), {"\"world\" is no point"}},
      {"spring_without_anything",
       scene(kTop + kPoint + "»^[[spring]]\nbetween = [\"top\", \"p\"]\n"),
       {"'stiffness' or 'damping'"}},
      {"negative_stiffness", spring("between = [\"top\", \"p\"]\nstiffness = »^-1\n"), {"'stiffness'", "negative"}},
      {"negative_length", spring("between = [\"top\", \"p\"]\nstiffness = 1\nlength = »^-1\n"), {"'length'", "negative"}},
      {"spring_without_direction",
       spring("between = »^[\"p\", [3, 0, 0]]\nstiffness = 1\nlength = 1\n"),
       {"same place", "no direction"}},
      {"no_type", scene(kTop + "»^[[joint]]\nbetween = [\"top\", \"world\"]\n"), {"needs 'type'"}},
      {"unknown_type", joint("type = »^\"bal\"\nbetween = [\"top\", \"world\"]\n"), {"unknown joint 'bal'", "ball"}},
      {"hinge_without_axis",
       scene(kTop + "»^[[joint]]\ntype = \"hinge\"\nbetween = [\"top\", \"world\"]\n"),
       {"needs 'axis'"}},
      {"hinge_with_zero_axis",
       joint("type = \"hinge\"\nbetween = [\"top\", \"world\"]\naxis = »^[0, 0, 0]\n"),
       {"must not be zero"}},
      {"ball_with_axis", joint("type = \"ball\"\nbetween = [\"top\", \"world\"]\naxis = »^[0, 0, 1]\n"), {"no 'axis'"}},
      {"ball_with_length", joint("type = \"ball\"\nbetween = [\"top\", \"world\"]\nlength = »^1\n"), {"no 'length'"}},
      {"rod_without_length", joint("type = \"rod\"\nbetween = »^[\"top\", \"world\"]\n"), {"same place", "'length'"}},
      {"rod_of_length_zero", joint("type = \"rod\"\nbetween = [\"top\", \"p\"]\nlength = »^0\n"), {"must be positive"}},
      {"hinge_of_a_point",
       joint("type = \"hinge\"\naxis = [0, 0, 1]\nbetween = »^[\"top\", \"p\"]\n"),
       {"no orientation", "hinge"}},
      {"joint_twice",
       scene(kTop + "[[joint]]\ntype = \"ball\"\nbetween = [\"top\", \"world\"]\n»^[[joint]]\ntype = \"ball\"\nbetween = "
                    "[\"top\", \"world\"]\n"),
       {"'ball top world' already", "'name'"}},
      {"row_name_twice",
       scene(
           kTop +
           "[[joint]]\nname = \"pin\"\ntype = \"ball\"\nbetween = [\"top\", \"world\"]\n[[bilateral]]\nname = »^\"pin x\"\n"
           "position = \"top.x\"\n"),
       {"used twice"}},
      {"out_of_plane",
       scene(kPlate + "»^[[joint]]\ntype = \"ball\"\nbetween = [\"plate\", [0, 0, 1]]\n"),
       {"'ball plate space z' is violated by 1", "no motion"}},
      {"start_beside_a_joint",
       scene(kTop + kPoint + "»^[[joint]]\ntype = \"ball\"\nbetween = [\"top.tip\", \"p\"]\n"),
       {"'ball top.tip p x' by 3 at position level", "'ball top.tip p z' by -1", "project = true"}},
      {"start_moves_off_a_joint",
       scene("[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nvelocity = [0, 2, 0]\n"
             "»^[[joint]]\ntype = \"ball\"\nbetween = [\"b\", \"world\"]\n"),
       {"at velocity level", "'ball b world y'"}},
      {"empty_repetition",
       scene("»^[[body]]\nfor = { i = \"1..0\" }\nname = \"b{i}\"\nkind = \"point\"\nmass = 1\n"),
       {"no body", "empty"}},
      {"in_a_repetition",
       scene("[[body]]\nfor = { i = \"1..3\" }\nname = \"b{i}\"\nkind = \"point\"\nmass = »^\"2 - {i}\"\n"),
       {"mass must be positive", "i = 2"}},
  };
}

class EveryBadBody : public testing::TestWithParam<BadScene> {};

INSTANTIATE_TEST_SUITE_P(Bodies, EveryBadBody, testing::ValuesIn(bad_bodies()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(EveryBadBody, IsRefusedAtTheRightPlace) {
  test::expect_refused(GetParam());
}

}  // namespace tippe::scene_bad_body_test
