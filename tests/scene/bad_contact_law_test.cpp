// SPDX-License-Identifier: Apache-2.0
// Shapes, planes and contact laws that must be refused: see support/bad_scene.h for how their place is marked.
#include "support/bad_scene.h"

namespace tippe::scene_bad_contact_law_test {

using test::BadScene;

const std::string kBall =
    "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 2]\n[[body.sphere]]\nradius = 1\n";
const std::string kOther =
    "[[body]]\nname = \"other\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 5]\n[[body.sphere]]\nradius = 1\n";
const std::string kBare = "[[body]]\nname = \"bare\"\nmass = 1\ninertia = [1, 1, 1]\n";
const std::string kPoint = "[[body]]\nname = \"dot\"\nkind = \"point\"\nmass = 1\nposition = [0, 0, 9]\n";
const std::string kDisc =
    "[[body]]\nname = \"disc\"\nkind = \"planar\"\nmass = 1\ninertia = 1\nposition = [0, 9]\n[[body.sphere]]\nradius = 1\n";
const std::string kBox =
    "[[body]]\nname = \"crate\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 9]\n[[body.box]]\nsize = [1, 1, 1]\n";
const std::string kCan =
    "[[body]]\nname = \"can\"\nformulation = \"affine\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, "
    "9]\n[[body.cylinder]]\n"
    "from = [0, 0, -1]\nto = [0, 0, 1]\nradius = 1\n";
const std::string kFloor = "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n";

std::vector<BadScene> bad_scenes() {
  const auto scene = [](const std::string& rest) {
    return "tippe = 1\n" + rest + "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n";
  };
  const auto law = [&](const std::string& rest) {
    return scene(kBall + kFloor + "[[contact_law]]\nbetween = [\"ball\", \"floor\"]\n" + rest);
  };
  const auto between = [&](const std::string& bodies, const std::string& names) {
    return scene(bodies + "[[contact_law]]\nbetween = " + names + "\n");
  };
  return {
      {"radius_missing", scene(kBare + "»^[[body.sphere]]\ncenter = [0, 0, 0]\n"), {"needs 'radius'"}},
      {"radius_negative", scene(kBare + "[[body.sphere]]\nradius = »^-1\n"), {"'radius' must be positive", "-1"}},
      {"radius_zero", scene(kBare + "[[body.sphere]]\nradius = »^0\n"), {"must be positive"}},
      {"unknown_key_of_sphere",
       scene(kBare + "[[body.sphere]]\nradius = 1\n»^centre = [0, 0, 0]\n"),
       {"unknown key 'centre' in [[body.sphere]]", "did you mean 'center'"}},
      {"center_of_two", scene(kBare + "[[body.sphere]]\nradius = 1\ncenter = »^[0, 1]\n"), {"'center'", "3 numbers", "2"}},
      {"center_of_three_in_the_plane",
       scene(kDisc + "[[body.sphere]]\nradius = 1\ncenter = »^[0, 1, 0]\n"),
       {"'center'", "2 numbers"}},
      {"sphere_no_array", scene(kBare + "»^[body.sphere]\nradius = 1\n"), {"[[sphere]]"}},
      {"box_without_size", scene(kBare + "»^[[body.box]]\n"), {"needs 'size'", "[a, b, c]"}},
      {"box_flat", scene(kBare + "[[body.box]]\nsize = [1, »^0, 1]\n"), {"lengths of a box must be positive", "0"}},
      {"box_angle_in_space", scene(kBare + "[[body.box]]\nsize = [1, 1, 1]\nangle = »^1\n"), {"write 'orientation'"}},
      {"box_orientation_in_the_plane",
       scene(kDisc + "[[body.box]]\nsize = [1, 1]\norientation = »^{ axis = [0, 0, 1], angle = 1 }\n"),
       {"'angle'"}},
      {"box_on_point",
       scene(kPoint + "»^[[body.box]]\nsize = [1, 1, 1]\n"),
       {"a point has no orientation", "[[body.sphere]]"}},
      {"sphere_beside_point",
       scene(kPoint + "[[body.sphere]]\nradius = 1\ncenter = »^[0, 0, 1]\n"),
       {"about the point itself"}},
      {"capsule_without_length",
       scene(kBare + "[[body.capsule]]\nfrom = [0, 0, 1]\nto = »^[0, 0, 1]\nradius = 1\n"),
       {"coincide", "[[body.sphere]]"}},
      {"capsule_without_to", scene(kBare + "»^[[body.capsule]]\nfrom = [0, 0, 1]\nradius = 1\n"), {"needs 'to'"}},
      {"shape_named_twice",
       scene(kBare +
             "[[body.sphere]]\nname = \"a\"\nradius = 1\n[[body.capsule]]\nname = »^\"a\"\nfrom = [0, 0, 1]\nto = [0, 0, "
             "0]\nradius = 1\n"),
       {"'a' of 'bare' is named twice"}},
      {"shape_with_bad_name", scene(kBare + "[[body.sphere]]\nname = »^\"a b\"\nradius = 1\n"), {"'a b'"}},
      {"plane_without_name", scene(kBall + "»^[[plane]]\nnormal = [0, 0, 1]\n"), {"needs 'name'"}},
      {"plane_without_normal", scene(kBall + "»^[[plane]]\nname = \"floor\"\n"), {"needs 'normal'", "[0, 0, 1]"}},
      {"plane_with_zero_normal", scene(kBall + "[[plane]]\nname = \"floor\"\nnormal = »^[0, 0, 0]\n"), {"must not be zero"}},
      {"plane_named_as_body", scene(kBall + "[[plane]]\nname = »^\"ball\"\nnormal = [0, 0, 1]\n"), {"used twice"}},
      {"plane_named_twice", scene(kBall + kFloor + "[[plane]]\nname = »^\"floor\"\nnormal = [0, 0, 1]\n"), {"used twice"}},
      {"plane_called_star", scene(kBall + "[[plane]]\nname = »^\"*\"\nnormal = [0, 0, 1]\n"), {"'*'"}},
      {"point_of_plane_is_text", scene(kBall + kFloor + "point = [0, 0, \"»^high\"]\n"), {"unknown name 'high'"}},
      {"between_missing", scene(kBall + kFloor + "»^[[contact_law]]\n"), {"needs 'between'", "[\"top\", \"floor\"]"}},
      {"between_one", between(kBall + kFloor, "»^[\"ball\"]"), {"list of two"}},
      {"between_text", between(kBall + kFloor, "»^\"ball\""), {"list of two"}},
      {"between_number", between(kBall + kFloor, "[\"ball\", »^1]"), {"name in quotes", "an integer"}},
      {"unknown_partner",
       between(kBall + kFloor, "[\"ball\", »^\"flor\"]"),
       {"no body or plane 'flor'", "did you mean 'floor'", "there are: ball, floor"}},
      {"itself", between(kBall + kFloor, "»^[\"ball\", \"ball\"]"), {"does not touch itself"}},
      {"two_planes",
       between(kBall + kFloor + "[[plane]]\nname = \"wall\"\nnormal = [1, 0, 0]\n", "»^[\"wall\", \"floor\"]"),
       {"planes do not move"}},
      {"without_shape", between(kBare + kFloor, "[»^\"bare\", \"floor\"]"), {"'bare' has no shape", "[[body.sphere]]"}},
      {"star_without_shapes",
       between(kBare + kFloor, "»^[\"*\", \"floor\"]"),
       {"two bodies with shapes, or one and a [[plane]]"}},
      {"star_without_anything", between(kBare, "»^[\"*\", \"*\"]"), {"no body has a shape"}},
      {"star_alone", between(kBall, "»^[\"*\", \"*\"]"), {"two bodies with shapes, or one and a [[plane]]"}},
      {"joined_by_star",
       between(kBall + kOther + "[[joint]]\ntype = \"rod\"\nbetween = [\"ball\", \"other\"]\n", "»^[\"*\", \"*\"]"),
       {"no pair remains", "touch only if both are named"}},
      {"box_on_ball",
       between("[world]\ncontacts = \"expressions\"\n" + kBox + kBall, "»^[\"ball\", \"crate\"]"),
       {"'crate' and 'ball' cannot touch", "only spheres touch bodies"}},
      {"contacts_unknown",
       scene("[world]\ncontacts = »^\"searched\"\n" + kBall + kFloor),
       {"'contacts' must be \"found\"", "searched"}},
      {"contacts_found_without_law", scene("[world]\ncontacts = »^\"found\"\n" + kBall + kFloor), {"no [[contact_law]]"}},
      {"contacts_found_of_other_formulations",
       scene("[world]\ncontacts = »^\"found\"\n" + kFloor +
             "[[body]]\nname = \"a\"\nformulation = \"affine\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, "
             "3]\n[[body.sphere]]\nradius = 1\n[[contact_law]]\nbetween = [\"a\", \"floor\"]\n"),
       {"newton-euler", "'a'"}},
      {"apart_with_friction", law("touch = false\nfriction = »^0.3\n"), {"do not touch"}},
      {"touch_no_boolean", law("touch = »^1\n"), {"'touch'"}},
      {"rest_band_of_expressions", law("") + "rest_band = »^1e-6\n", {"rest_band", "found"}},
      {"group_like_a_body",
       scene(kBall + "[[body]]\nname = \"b\"\ngroup = »^\"ball\"\nmass = 1\ninertia = [1, 1, 1]\n"),
       {"'ball' is both a group and a body"}},
      {"hull_in_a_plane",
       scene(kBare + "[[body.hull]]\npoints = »^[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\n"),
       {"the points are in a plane: a hull needs at least four that are not"}},
      {"group_like_a_plane",
       scene(kBare + "group = \"floor\"\n[[body.sphere]]\nradius = 1\n[[plane]]\nname = »^\"floor\"\nnormal = [0, 0, 1]\n"),
       {"'floor' is both a group and a plane"}},
      {"group_without_shapes",
       between("[[body]]\nname = \"b\"\ngroup = \"bare\"\nmass = 1\ninertia = [1, 1, 1]\n" + kFloor,
               "[»^\"bare\", \"floor\"]"),
       {"no body of the group 'bare'"}},
      {"cylinder_without_length",
       scene(kBare + "[[body.cylinder]]\nfrom = [0, 0, 1]\nto = »^[0, 0, 1]\nradius = 1\n"),
       {"must not coincide"}},
      {"cylinder_in_the_plane", scene(kDisc + "»^[[body.cylinder]]\nradius = 1\n"), {"a cylinder in the plane"}},
      {"hull_of_three",
       scene(kBare + "[[body.hull]]\npoints = »^[[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n"),
       {"4 points or more"}},
      {"density_and_mass",
       scene("[[body]]\nname = \"b\"\ndensity = 2\nmass = »^1\n[[body.sphere]]\nradius = 1\n"),
       {"'density' or 'mass'"}},
      {"density_without_shape", scene("[[body]]\nname = \"b\"\ndensity = »^2\n"), {"needs a shape"}},
      {"density_negative",
       scene("[[body]]\nname = \"b\"\ndensity = »^-2\n[[body.sphere]]\nradius = 1\n"),
       {"must be positive"}},
      {"disc_on_ball", between(kDisc + kBall, "»^[\"disc\", \"ball\"]"), {"cannot touch", "planar bodies"}},
      {"disc_on_floor", between(kDisc + kFloor, "»^[\"disc\", \"floor\"]"), {"cannot touch", "lies in the x-y plane"}},
      {"affine_cylinder",
       scene(kCan + kFloor + "[[contact_law]]\nbetween = »^[\"*\", \"*\"]\n"),
       {"'can' and 'floor' cannot touch", "cylinders", "touch = false"}},
      {"affine_cylinder_beside_a_sphere",
       scene(kCan + "[[body.sphere]]\nradius = 1\n" + kFloor + "[[contact_law]]\nbetween = »^[\"can\", \"floor\"]\n"),
       {"'can' and 'floor' cannot touch", "cylinders"}},
      {"affine_cylinder_on_ball",
       scene(kCan + kBall + "[[contact_law]]\nbetween = »^[\"*\", \"*\"]\n"),
       {"'can' and 'ball' cannot touch", "only spheres touch bodies"}},
      {"disc_and_ball_by_a_star",
       scene(kDisc + kBall + "[[contact_law]]\nbetween = »^[\"*\", \"*\"]\n"),
       {"'disc' and 'ball' cannot touch", "planar bodies", "touch = false"}},
      {"disc_and_ball_where_contacts_are_found",
       scene("[world]\ncontacts = \"found\"\n" + kDisc + kBall + "[[contact_law]]\nbetween = »^[\"*\", \"*\"]\n"),
       {"'disc' and 'ball' cannot touch", "planar bodies"}},
      {"unknown_key", law("»^frction = 0.3\n"), {"unknown key 'frction' in [[contact_law]]", "did you mean 'friction'"}},
      {"restitution_above_one", law("restitution = »^1.5\n"), {"between 0 and 1"}},
      {"friction_negative", law("friction = »^-0.1\n"), {"must not be negative"}},
      {"friction_of_three", law("friction = »^[0.1, 0.2, 0.3]\n"), {"3 numbers for 2 slip directions"}},
      {"friction_of_two_in_the_plane",
       scene(kDisc +
             "[[plane]]\nname = \"floor\"\nnormal = [0, 1]\n[[contact_law]]\nbetween = [\"disc\", \"floor\"]\nfriction "
             "= »^[0.1, 0.2]\n"),
       {"slides along one direction only"}},
      {"friction_of_two_between_balls",
       scene(kBall + kOther + "[[contact_law]]\nbetween = [\"ball\", \"other\"]\nfriction = »^[0.1, 0.2]\n"),
       {"need 'direction'", "turn with its normal"}},
      {"direction_of_one_coefficient", law("friction = 0.1\ndirection = »^[1, 0, 0]\n"), {"the first of two coefficients"}},
      {"direction_zero", law("friction = [0.1, 0.2]\ndirection = »^[0, 0, 0]\n"), {"must not be zero"}},
      {"direction_along_the_normal",
       law("friction = »^[0.1, 0.2]\ndirection = [0, 0, 1]\n"),
       {"along the normal of 'ball-floor'"}},
      {"direction_in_nobody",
       law("friction = [0.1, 0.2]\ndirection = [1, 0, 0]\ndirection_in = »^\"bal\"\n"),
       {"no body 'bal'"}},
      {"direction_in_without_direction", law("friction = [0.1, 0.2]\ndirection_in = »^\"ball\"\n"), {"give that too"}},
      {"friction_without_mu", law("friction = »^{ contact_radius = 1e-3 }\n"), {"needs 'mu'"}},
      {"two_radii",
       law("friction = »^{ mu = 0.3, contact_radius = 1e-3, mean_drilling_radius = 1e-3 }\n"),
       {"one of 'contact_radius'", "'mean_drilling_radius'"}},
      {"set_without_radius", law("friction = »^{ mu = 0.3, set = \"exact\" }\n"), {"one of 'contact_radius'"}},
      {"unknown_set", law("friction = { mu = 0.3, contact_radius = 1e-3, set = »^\"ball\" }\n"), {"unknown set 'ball'"}},
      {"tangential_without_friction", law("restitution_tangential = »^0.5\n"), {"needs 'friction'"}},
      {"tangential_above_one", law("friction = 0.1\nrestitution_tangential = »^2\n"), {"between 0 and 1"}},
      {"unknown_impact_law", law("impact_law = »^\"newtn\"\n"), {"unknown impact law"}},
      {"another_impact_law",
       law("impact_law = \"newton\"\n[[contact_law]]\nbetween = [\"*\", \"*\"]\nimpact_law = »^\"poisson\"\n"),
       {"one impact law"}},
      {"drilling_in_the_plane",
       scene(kDisc +
             "[[plane]]\nname = \"floor\"\nnormal = [0, 1]\n[[contact_law]]\nbetween = [\"disc\", \"floor\"]\nfriction = "
             "»^{ mu = 0.3, contact_radius = 1e-3 }\n"),
       {"drilling friction", "'disc-floor'", "mu alone"}},
      {"drilling_of_a_point",
       scene(kPoint + "[[body.sphere]]\nradius = 1\n" + kFloor +
             "[[contact_law]]\nbetween = [\"dot\", \"floor\"]\nfriction = "
             "»^{ mu = 0.3, contact_radius = 1e-3 }\n"),
       {"drilling friction", "'dot-floor'"}},
      {"name_of_another_law",
       scene(kBall + kFloor +
             "[[contact]]\nname = \"ball-floor\"\ngap = \"ball.z\"\n[[contact_law]]\nbetween = »^[\"ball\", "
             "\"floor\"]\n"),
       {"another law has the name", "'ball-floor'"}},
      {"start_inside",
       scene(kBall +
             "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\npoint = [0, 0, 1.5]\n[[contact_law]]\nbetween = »^[\"ball\", "
             "\"floor\"]\n"),
       {"0.5 deep inside 'ball-floor'"}},
      {"same_centre",
       scene(kBall +
             "[[body]]\nname = \"other\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 2]\n[[body.sphere]]\nradius = "
             "2\n[[contact_law]]\nbetween = »^[\"ball\", \"other\"]\n"),
       {"3 deep inside 'ball-other'"}},
      {"index_in_message",
       scene(kBall + kFloor + "[[contact_law]]\nfor = { i = \"1..2\" }\nbetween = [»^\"ball{i}\", \"floor\"]\n"),
       {"no body or plane 'ball1'", "(for i = 1)"}},
  };
}

class BadContactLaw : public testing::TestWithParam<BadScene> {};

TEST_P(BadContactLaw, IsRefusedAtItsPlaceWithWhatWouldBeRight) {
  test::expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadContactLaw, testing::ValuesIn(bad_scenes()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace tippe::scene_bad_contact_law_test
