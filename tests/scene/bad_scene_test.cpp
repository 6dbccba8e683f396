// SPDX-License-Identifier: Apache-2.0
// Scenes that must be refused: where the error is placed, and what it says. In each text the place is marked
// by the two characters »^, which are removed before reading: the error must stand at the character that
// follows.
#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe {
namespace {

struct BadScene {
  std::string name;
  std::string text;
  std::vector<std::string> parts;  // of the message
};
void PrintTo(const BadScene& scene, std::ostream* stream) {
  *stream << scene.name;
}

const std::string kHead = "tippe = 1\n";
const std::string kSystem = "[lagrangian]\ncoordinates = [\"x\", \"phi\"]\nkinetic = \"0.5*x'^2 + 0.5*phi'^2\"\n";
const std::string kRun = "[run]\ndt = 0.1\nuntil = 1\n";
const std::string kMark = "»^";

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += part;
  return text;
}

std::vector<BadScene> bad_scenes() {
  const auto system = [](const std::string& rest) { return kHead + kSystem + rest + kRun; };
  const auto adaptive = [](const std::string& rest) { return kHead + kSystem + kRun + "integrator = \"dopri5\"\n" + rest; };
  const auto lagrangian = [](const std::string& rest) {
    return kHead + "[lagrangian]\ncoordinates = [\"x\", \"phi\"]\n" + rest + kRun;
  };
  const auto contact = [&](const std::string& rest) { return system("[[contact]]\nname = \"c\"\n" + rest); };
  return {
      {"broken_toml", "tippe = 1\ntitle = »^\n", {"Error while parsing"}},
      {"no_version", "»^title = \"a\"\n", {"needs 'tippe'", "tippe = 1"}},
      {"wrong_version", "tippe = »^2\n", {"version 1"}},
      {"unknown_table", system("[»^contcat]\n"), {"unknown key 'contcat'", "did you mean 'contact'"}},
      {"unknown_key_in_run",
       kHead + kSystem + "[run]\ndt = 0.1\nuntil = 1\n»^integratr = \"moreau\"\n",
       {"unknown key 'integratr' in [run]", "did you mean 'integrator'"}},
      {"unknown_key_in_contact", contact("gap = \"x\"\n»^mu = 0.3\n"), {"unknown key 'mu' in [[contact]]"}},
      {"unknown_initial", system("[initial]\n»^ph = 1\n"), {"unknown key 'ph' in [initial]", "did you mean 'phi'"}},
      {"unknown_force", system("[lagrangian.forces]\n»^fi = \"1\"\n"), {"unknown key 'fi'"}},
      {"no_lagrangian", "»^tippe = 1\n" + kRun, {"[lagrangian]"}},
      {"no_coordinates", kHead + "»^[lagrangian]\nkinetic = \"1\"\n" + kRun, {"needs 'coordinates'"}},
      {"empty_coordinates", kHead + "[lagrangian]\ncoordinates = »^[]\nkinetic = \"1\"\n" + kRun, {"array of names"}},
      {"bad_coordinate_name",
       kHead + "[lagrangian]\ncoordinates = [\"x\", »^\"2y\"]\nkinetic = \"1\"\n" + kRun,
       {"'2y'", "letter"}},
      {"coordinate_named_t", kHead + "[lagrangian]\ncoordinates = [»^\"t\"]\nkinetic = \"1\"\n" + kRun, {"'t' is taken"}},
      {"coordinate_twice",
       kHead + "[lagrangian]\ncoordinates = [\"x\", »^\"x\"]\nkinetic = \"1\"\n" + kRun,
       {"named twice"}},
      {"coordinate_is_parameter",
       kHead + "[parameters]\nx = 1\n[lagrangian]\ncoordinates = [»^\"x\"]\nkinetic = \"1\"\n" + kRun,
       {"both a coordinate and a parameter"}},
      {"no_kinetic", kHead + "»^[lagrangian]\ncoordinates = [\"x\"]\n" + kRun, {"needs 'kinetic'"}},
      {"kinetic_no_text", lagrangian("kinetic = »^true\n"), {"expression in quotes", "a boolean"}},
      {"unknown_name_in_string", lagrangian("kinetic = \"0.5*»^mass*x'^2\"\n"), {"unknown name 'mass'"}},
      {"unknown_name_in_multi_line_string",
       lagrangian("kinetic = \"\"\"\n  0.5*x'^2 +\n  0.5*»^ph'^2\"\"\"\n"),
       {"unknown name 'ph''", "did you mean 'phi'"}},
      {"unknown_name_after_line_continuation",
       lagrangian("kinetic = \"\"\"0.5*x'^2 + \\\n    0.5*»^ph'^2\"\"\"\n"),
       {"unknown name 'ph''"}},
      {"unknown_name_after_escape", lagrangian("kinetic = \"0.5*\\u0078'^2 + 0.5*»^ph'^2\"\n"), {"unknown name 'ph''"}},
      {"unknown_name_in_literal_string", lagrangian("kinetic = '''0.5*x'^2 + »^ph'^2'''\n"), {"unknown name 'ph''"}},
      {"column_counts_characters_not_bytes",
       lagrangian("kinetic = \"0.5*x'^2 + 0*1/2 \" # \xC3\xA4\npotential = '''0*x +     »^\xC3\xA4'''\n"),
       {"unexpected '\xC3\xA4'"}},
      {"missing_operator", lagrangian("kinetic = \"0.5 »^x'^2\"\n"), {"operator is missing"}},
      {"cubic_kinetic", lagrangian("kinetic = \"0.5*x'^2 + 0.5*»^phi'^3\"\n"), {"second degree", "phi'"}},
      {"kinetic_with_root", lagrangian("kinetic = \"0.5*»^x'^2 + phi'^2*sqrt(1 + x'^2)\"\n"), {"second degree"}},
      {"singular_mass", lagrangian("kinetic = »^\"0.5*(x' + phi')^2\"\n"), {"not positive definite", "phi' = 1", "x' = -1"}},
      {"massless_coordinate", lagrangian("kinetic = »^\"0.5*x'^2\"\n"), {"not positive definite", "phi' = 1"}},
      {"negative_mass", lagrangian("kinetic = »^\"0.5*x'^2 - 0.5*phi'^2\"\n"), {"not positive definite", "-0.5"}},
      {"potential_with_velocity",
       system("").insert((kHead + kSystem).size(), "potential = \"x*»^phi'\"\n"),
       {"potential energy must not depend on velocities", "phi'"}},
      {"potential_not_finite",
       system("").insert((kHead + kSystem).size(), "potential = »^\"log(x)\"\n"),
       {"potential energy is -inf"}},
      {"force_not_finite",
       system("").insert((kHead + kSystem).size(), "potential = »^\"sqrt(x)\"\n"),
       {"force on x", "inf"}},
      {"damping_not_finite",
       system("").insert((kHead + kSystem).size(), "damping = »^\"x'*log(x)\"\n"),
       {"damping force on x"}},
      {"gap_not_finite", contact("gap = »^\"x + 1/phi\"\n"), {"'c'", "inf"}},
      {"gap_with_velocity", contact("gap = \"x + »^x'\"\n"), {"gap must not depend on velocities"}},
      {"gap_constant", contact("gap = »^\"1 + t\"\n"), {"no coordinate"}},
      {"no_gap", system("»^[[contact]]\nname = \"c\"\n"), {"needs 'gap'"}},
      {"no_name", system("»^[[contact]]\ngap = \"x\"\n"), {"needs 'name'"}},
      {"name_twice", contact("gap = \"x\"\n[[contact]]\nname = »^\"c\"\ngap = \"x\"\n"), {"used twice"}},
      {"contact_no_array", system("»^[contact]\nname = \"c\"\n"), {"[[contact]]"}},
      {"three_slips",
       contact("gap = \"x\"\nslip = »^[\"x'\", \"phi'\", \"x'\"]\nfriction = 0.1\n"),
       {"one expression, or two", "3"}},
      {"no_slips", contact("gap = \"x\"\nslip = »^[]\nfriction = 0.1\n"), {"one expression, or two"}},
      {"two_frictions_one_slip",
       contact("gap = \"x\"\nslip = \"phi'\"\nfriction = »^[0.1, 0.2]\n"),
       {"2 numbers for 1 slip direction"}},
      {"friction_without_slip", contact("gap = \"x\"\nfriction = »^0.3\n"), {"needs 'slip'"}},
      {"slip_without_friction", contact("gap = \"x\"\nslip = »^\"phi'\"\n"), {"needs 'friction'"}},
      {"slip_without_velocity", contact("gap = \"x\"\nslip = »^\"phi\"\nfriction = 0.3\n"), {"no velocity"}},
      {"quadratic_slip", contact("gap = \"x\"\nslip = \"»^phi'^2\"\nfriction = 0.3\n"), {"linear in the velocities"}},
      {"negative_friction", contact("gap = \"x\"\nslip = \"phi'\"\nfriction = »^-0.3\n"), {"must not be negative", "-0.3"}},
      {"restitution_above_one", contact("gap = \"x\"\nrestitution = »^1.5\n"), {"between 0 and 1"}},
      {"restitution_is_text", contact("gap = \"x\"\nrestitution = \"»^bouncy\"\n"), {"unknown name 'bouncy'"}},
      {"slip_not_finite", contact("gap = \"x\"\nslip = »^\"phi'/phi\"\nfriction = 0.1\n"), {"'c'", "inf"}},
      {"misspelt_key_is_not_a_missing_one",
       contact("gap = \"x\"\nslip = \"phi'\"\n»^frction = 0.3\n"),
       {"unknown key 'frction'", "did you mean 'friction'"}},
      {"velocity_key_without_quotes", kHead + kSystem + "[initial]\nx»^' = 1\n" + kRun, {"needs quotes"}},
      {"expression_without_quotes", contact("gap = »^x + 1\n"), {"need quotes"}},
      {"friction_of_the_state", contact("gap = \"x\"\nslip = \"phi'\"\nfriction = \"0.3*»^phi\"\n"), {"parameters only"}},
      {"crlf_in_multi_line_string",
       lagrangian("kinetic = \"\"\"\r\n  0.5*x'^2 +\r\n  0.5*»^ph'^2\"\"\"\r\n"),
       {"unknown name 'ph''"}},
      {"endless_key", kHead + "»^a" + repeated(".a", 60000) + " = 1\n", {"more than 100 parts"}},
      {"endless_key_behind_a_quoted_hash", kHead + "»^\"#\"" + repeated(".a", 60000) + " = 1\n", {"more than 100 parts"}},
      {"endless_key_behind_a_quoted_equals", kHead + "»^'='" + repeated(".a", 60000) + " = 1\n", {"more than 100 parts"}},
      {"endless_table", kHead + "»^[\"=\\\"\"" + repeated(" . '#'", 60000) + "]\n", {"more than 100 parts"}},
      {"endless_key_in_a_table",
       kHead + "title = \"\"\"\na\"\"\"\n»^parameters = { a = 1, a" + repeated(".a", 200000) + " = 1 }\n",
       {"more than 100 parts"}},
      {"spin_without_table",
       contact("gap = \"x\"\nslip = [\"phi'\", \"x'\"]\nspin = \"phi'\"\nfriction = »^0.3\n"),
       {"is a table"}},
      {"spin_with_one_slip",
       contact("gap = \"x\"\nslip = \"phi'\"\nspin = »^\"phi'\"\nfriction = { mu = 0.3, contact_radius = 1 }\n"),
       {"two slip directions"}},
      {"no_drilling_radius",
       contact("gap = \"x\"\nslip = [\"phi'\", \"x'\"]\nspin = \"phi'\"\nfriction = »^{ mu = 0.3 }\n"),
       {"contact_radius", "mean_drilling_radius"}},
      {"zero_drilling_radius",
       contact("gap = \"x\"\nslip = [\"phi'\", \"x'\"]\nspin = \"phi'\"\nfriction = { mu = 0.3, contact_radius = »^0 }\n"),
       {"must be positive"}},
      {"unknown_drilling_set",
       contact("gap = \"x\"\nslip = [\"phi'\", \"x'\"]\nspin = \"phi'\"\nfriction = { mu = 0.3, contact_radius = 1, set = "
               "»^\"ball\" }\n"),
       {"exact, ellipsoid and cylinder"}},
      {"drilling_without_spin",
       contact("gap = \"x\"\nslip = [\"phi'\", \"x'\"]\nfriction = { mu = 0.3, contact_radius = »^1 }\n"),
       {"needs 'spin'"}},
      {"unknown_impact_law", contact("gap = \"x\"\nimpact_law = »^\"hooke\"\n"), {"newton, poisson and moreau"}},
      {"two_impact_laws",
       contact("gap = \"x\"\nimpact_law = \"poisson\"\n[[contact]]\nname = \"d\"\ngap = \"x\"\nimpact_law = »^\"newton\"\n"),
       {"one impact law"}},
      {"moreau_with_two_restitutions",
       contact("gap = \"x\"\nimpact_law = \"moreau\"\n[[contact]]\nname = \"d\"\ngap = \"x\"\nrestitution = »^0.5\n"),
       {"one restitution"}},
      {"negative_limit",
       system("[[dry_friction]]\nname = \"d\"\nvelocity = \"x'\"\nlimit = »^-1\n"),
       {"must not be negative"}},
      {"one_way_quadratic", system("[[one_way]]\nname = \"o\"\nvelocity = \"»^x'^2\"\n"), {"linear in the velocities"}},
      {"start_too_deep", contact("gap = »^\"x - 0.25\"\n"), {"0.25 deep", "'c'", "initial_penetration"}},
      {"negative_dt", kHead + kSystem + "[run]\ndt = »^-0.1\nuntil = 1\n", {"positive", "-0.1"}},
      {"zero_dt", kHead + kSystem + "[run]\ndt = »^0\nuntil = 1\n", {"positive"}},
      {"infinite_dt", kHead + kSystem + "[run]\ndt = »^inf\nuntil = 1\n", {"finite"}},
      {"too_many_steps", kHead + kSystem + "[run]\ndt = »^1e-300\nuntil = 1\n", {"1e+300 steps"}},
      {"no_dt", kHead + kSystem + "»^[run]\nuntil = 1\n", {"needs 'dt'"}},
      {"no_run", "»^" + kHead + kSystem, {"needs 'dt'"}},
      {"until_before_start",
       kHead + kSystem + "[initial]\nt = 5\n[run]\ndt = 0.1\nuntil = »^1\n",
       {"after the start at t = 5"}},
      {"unknown_integrator",
       kHead + kSystem + "[run]\nintegrator = »^\"rk5\"\ndt = 0.1\nuntil = 1\n",
       {"unknown integrator 'rk5'", "'rk4'"}},
      {"misfit_integrator", contact("gap = \"x\"\n") + "integrator = »^\"rk4\"\n", {"does not fit", "moreau"}},
      {"negative_tolerance", adaptive("tolerance = »^-1e-6\n"), {"'tolerance'", "positive", "-1e-06"}},
      {"zero_tolerance", adaptive("tolerance = »^0\n"), {"'tolerance'", "positive"}},
      {"tolerance_below_round_off", adaptive("tolerance = »^1e-16\n"), {"at least 1e-13", "1e-16"}},
      {"tolerance_above_the_motion", adaptive("tolerance = »^2\n"), {"less than 1", "got 2"}},
      {"tolerance_no_number", adaptive("tolerance = »^true\n"), {"'tolerance'"}},
      {"tolerance_with_fixed_steps",
       kHead + kSystem + kRun + "integrator = \"rk4\"\ntolerance = »^1e-6\n",
       {"'tolerance'", "dopri5", "'rk4' takes steps of dt"}},
      {"tolerance_of_an_unknown_integrator",
       kHead + kSystem + kRun + "integrator = »^\"dopri\"\ntolerance = 1e-6\n",
       {"unknown integrator 'dopri'", "'dopri5'"}},
      {"project_no_boolean", adaptive("project = »^\"yes\"\n"), {"'project' must be true or false", "a string"}},
      {"too_many_samples", adaptive("[output]\nevery = »^1e-30\n"), {"samples", "at most 1e+09"}},
      {"parameter_cycle", kHead + "[parameters]\na = \"2*b\"\nb = \"1 + »^a\"\n" + kSystem + kRun, {"cycle", "a -> b -> a"}},
      {"parameter_of_itself", kHead + "[parameters]\na = \"2*»^a\"\n" + kSystem + kRun, {"cycle", "a -> a"}},
      {"parameter_unknown_name", kHead + "[parameters]\na = \"2*»^zeta\"\n" + kSystem + kRun, {"unknown name 'zeta'"}},
      {"parameter_of_coordinate", kHead + "[parameters]\na = \"2*»^x\"\n" + kSystem + kRun, {"unknown name 'x'"}},
      {"parameter_not_finite", kHead + "[parameters]\na = »^\"1/0\"\n" + kSystem + kRun, {"'a' is inf"}},
      {"parameter_named_like_a_function", kHead + "[parameters]\nsin = »^1\n" + kSystem + kRun, {"'sin' is taken"}},
      {"stop_at_the_start", kHead + kSystem + kRun + "stop_when = »^\"1 + x\"\n", {"becomes positive", "1 at the start"}},
      {"stop_unknown_name", kHead + kSystem + kRun + "stop_when = \"»^y\"\n", {"unknown name 'y'"}},
      {"stop_not_finite", kHead + kSystem + kRun + "stop_when = »^\"log(-1 - x)\"\n", {"nan at the start"}},
      {"quantity_named_like_a_coordinate",
       kHead + kSystem + kRun + "[output.quantities]\nx = »^\"phi\"\n",
       {"'x'", "a coordinate"}},
      {"quantity_named_like_a_law", contact("gap = \"x\"\n") + "[output.quantities]\nc = »^\"phi\"\n", {"'c'", "a law"}},
      {"quantity_bad_name", kHead + kSystem + kRun + "[output.quantities]\n\"a b\" = »^\"phi\"\n", {"quantity name 'a b'"}},
      {"quantity_unknown_name", kHead + kSystem + kRun + "[output.quantities]\na = \"2*»^b\"\n", {"unknown name 'b'"}},
      {"quantities_no_table", kHead + kSystem + kRun + "[output]\nquantities = »^3\n", {"a table of expressions"}},
      {"repeated_unknown_name",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + 0*{i} + phi - »^x{i}\"\n"),
       {"unknown name 'x1'", "(for i = 1)"}},
      {"repeated_error_late",
       kHead + "[parameters]\nx1 = 1\nx2 = 1\n" + kSystem +
           "[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + »^x{i}\"\n" + kRun,
       {"unknown name 'x3'", "(for i = 3)"}},
      {"repeated_unknown_index",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + {»^k}\"\n"),
       {"unknown name 'k'", "(for i = 1)"}},
      {"repeated_unknown_index_in_name",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{»^k}\"\ngap = \"x\"\n"),
       {"unknown name 'k'", "(for i = 1)"}},
      {"repeated_index_without_braces",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + »^i\"\n"),
       {"in braces: {i}"}},
      {"repeated_not_whole",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + {»^i/2}\"\n"),
       {"whole number", "0.5", "(for i = 1)"}},
      {"repeated_index_of_the_state",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + {»^x}\"\n"),
       {"only indices and parameters"}},
      {"repeated_open_brace",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = \"c{i}\"\ngap = \"x + »^{i\"\n"),
       {"'{' without its '}'"}},
      {"repeated_name_twice",
       system("[[contact]]\nfor = { i = \"1..3\" }\nname = »^\"c\"\ngap = \"x\"\n"),
       {"used twice", "(for i = 2)"}},
      {"repeated_restitution",
       system("[[contact]]\nfor = { i = \"0..3\" }\nname = \"c{i}\"\ngap = \"x\"\nrestitution = »^\"{i}/2\"\n"),
       {"between 0 and 1", "1.5", "(for i = 3)"}},
      {"repeated_gap_with_velocity",
       system("[[contact]]\nfor = { i = \"0..3\" }\nname = \"c{i}\"\ngap = \"x + {i}*»^x'\"\n"),
       {"must not depend on velocities", "(for i = 1)"}},
      {"repeated_start_too_deep",
       system("[[contact]]\nfor = { i = \"0..3\" }\nname = \"c{i}\"\ngap = »^\"x - {i}\"\n"),
       {"1 deep", "(for i = 1)"}},
      {"for_without_range", system("[[contact]]\nfor = { i = »^3 }\nname = \"c{i}\"\ngap = \"x\"\n"), {"{ i = \"1..12\" }"}},
      {"for_no_table", system("[[contact]]\nfor = »^\"i in 1..3\"\nname = \"c\"\ngap = \"x\"\n"), {"{ i = \"1..12\" }"}},
      {"for_one_number",
       system("[[contact]]\nfor = { i = \"»^3\" }\nname = \"c{i}\"\ngap = \"x\"\n"),
       {"a range is written 1..12"}},
      {"for_not_whole",
       system("[[contact]]\nfor = { i = \"1..»^7/2\" }\nname = \"c{i}\"\ngap = \"x\"\n"),
       {"whole number", "3.5"}},
      {"for_unknown_name",
       system("[[contact]]\nfor = { i = \"1..2*»^n\" }\nname = \"c{i}\"\ngap = \"x\"\n"),
       {"unknown name 'n'"}},
      {"for_empty_bound", system("[[contact]]\nfor = { i = \"1..»^\" }\nname = \"c{i}\"\ngap = \"x\"\n"), {"empty"}},
      {"for_too_many",
       system("[[contact]]\nfor = { i = \"»^1..100001\" }\nname = \"c{i}\"\ngap = \"x\"\n"),
       {"more than 100000 repetitions"}},
      {"for_index_is_a_parameter",
       kHead + "[parameters]\ni = 1\n" + kSystem + "[[contact]]\nfor = { i = \"»^1..3\" }\nname = \"c{i}\"\ngap = \"x\"\n" +
           kRun,
       {"the name of a parameter"}},
      {"coordinates_without_in",
       kHead + "[lagrangian]\ncoordinates = [\"x{i} for »^i of 1..3\"]\nkinetic = \"1\"\n" + kRun,
       {"x{i} for i in 1..12"}},
      {"coordinates_without_index",
       kHead + "[lagrangian]\ncoordinates = [»^\"x for i in 1..3\"]\nkinetic = \"1\"\n" + kRun,
       {"named twice", "(for i = 2)"}},
      {"coordinates_bad_range",
       kHead + "[lagrangian]\ncoordinates = [\"x{i} for i in 1..»^m\"]\nkinetic = \"1\"\n" + kRun,
       {"unknown name 'm'"}},
      {"coordinates_none",
       kHead + "[lagrangian]\ncoordinates = »^[\"x{i} for i in 1..0\"]\nkinetic = \"1\"\n" + kRun,
       {"no coordinate"}},
      {"initial_repeated_unknown",
       system("[initial]\n»^\"x{i} for i in 1..3\" = 1\n"),
       {"unknown key 'x1' in [initial]", "(for i = 1)"}},
      {"initial_twice", system("[initial]\nx = 1\n»^\"x for i in 1..1\" = 1\n"), {"'x' is set twice"}},
      {"initial_bad_brace", system("[initial]\n\"x{»^j} for i in 1..3\" = 1\n"), {"unknown name 'j'", "(for i = 1)"}},
      {"initial_of_the_state",
       system("[initial]\n\"x for i in 1..1\" = \"{i} + »^phi\"\n"),
       {"parameters only", "(for i = 1)"}},
      {"parameter_repeated_cycle",
       kHead + "[parameters]\n\"a{i} for i in 1..3\" = \"1 + »^a{4-i}\"\n" + kSystem + kRun,
       {"cycle", "a1 -> a3 -> a1", "(for i = 3)"}},
      {"parameter_repeated_bad_name",
       kHead + "[parameters]\n\"a{i} for i in -1..3\" = »^1\n" + kSystem + kRun,
       {"'a-1'", "(for i = -1)"}},
      {"sum_late_error",
       kHead + "[parameters]\nx1 = 1\nx2 = 1\n" + kSystem + "potential = \"1 + sum(i, 1, 3, 2*»^x{i})\"\n" + kRun,
       {"unknown name 'x3'", "(for i = 3)"}},
      {"sum_of_two", system("").insert((kHead + kSystem).size(), "potential = \"sum(»^1, 2)\"\n"), {"sum(i, 1, 12,"}},
      {"sum_of_five",
       system("").insert((kHead + kSystem).size(), "potential = \"sum(i, 1, 2, x»^, 3)\"\n"),
       {"sum(i, 1, 12,"}},
      {"sum_of_the_state",
       system("").insert((kHead + kSystem).size(), "potential = \"sum(i, 1, »^x, 3)\"\n"),
       {"whole number"}},
      {"sum_index_is_a_coordinate",
       system("").insert((kHead + kSystem).size(), "potential = \"sum(»^x, 1, 2, 3)\"\n"),
       {"take another"}},
      {"sum_too_long",
       system("").insert((kHead + kSystem).size(), "potential = \"x*»^sum(i, 0, 100000, {i})\"\n"),
       {"more than 100000 repetitions"}},
      {"sum_not_closed",
       system("").insert((kHead + kSystem).size(), "potential = \"sum»^(i, 1, 2, x\"\n"),
       {"'(' without its ')'"}},
      {"sum_with_velocity",
       system("").insert((kHead + kSystem).size(), "potential = \"sum(i, 1, 2, {i}*»^phi')\"\n"),
       {"must not depend on velocities"}},
      {"negative_every", kHead + kSystem + kRun + "[output]\nevery = »^-1\n", {"positive"}},
      {"closed_tolerance_negative", kHead + kSystem + kRun + "closed_tolerance = »^-1\n", {"must not be negative"}},
  };
}

class EveryBadScene : public testing::TestWithParam<BadScene> {};

INSTANTIATE_TEST_SUITE_P(Scenes, EveryBadScene, testing::ValuesIn(bad_scenes()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(EveryBadScene, IsRefusedAtTheRightPlace) {
  BadScene scene = GetParam();
  const size_t mark = scene.text.find(kMark);
  scene.text.erase(mark, kMark.size());
  int line = 1, column = 1;
  for (size_t k = 0; k < mark; ++k) {
    if (scene.text[k] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(scene.text[k]) & 0xC0) != 0x80) {
      ++column;
    }
  }
  try {
    (void)read_scene(scene.text, "bad.toml");
    FAIL() << "accepted:\n" << scene.text;
  } catch (const InputError& error) {
    const SourcePosition& position = error.position();
    EXPECT_EQ(position.file, "bad.toml");
    // An error at a whole string stands at its quote, one inside it at the character.
    EXPECT_EQ(position.line, line) << error.what();
    EXPECT_EQ(position.column, column) << error.what();
    for (const std::string& part : scene.parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tippe
