// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_page.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "support/analyses.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/report/analysis_drawings.h"

namespace tippe::report_analysis_page_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

TEST(AnalysisPage, DrawsIntervalsSpectrumAndAngles) {
  const test::AnalysedInstant block = test::three_point_block();
  const std::string page = analysis_page(block.instant, block.analysis, {"block.json", std::nullopt});
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(count(page, "class=\"range\""), 3);
  EXPECT_EQ(count(page, "class=\"dot\""), 3);
  EXPECT_EQ(count(page, "class=\"hollow\""), 2);  // two of three eigenvalues are zero
  EXPECT_EQ(count(page, "180\u00b0"), 9);
  EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
  EXPECT_EQ(count(page, "<script"), 0);
  EXPECT_EQ(count(page, "http"), 0);  // nothing is fetched
}

TEST(AnalysisPage, NamesAreNeverMarkup) {
  test::AnalysedInstant block = test::three_point_block();
  const std::string nasty = "<b>&\"'";
  block.instant.title = nasty;
  block.instant.notes = {nasty};
  block.instant.acceleration->unilateral[0].name = nasty;
  block.instant.acceleration->coordinates = {nasty};
  const std::string page = analysis_page(block.instant, block.analysis, {nasty, std::nullopt});
  EXPECT_EQ(count(page, "<b>"), 0);
  EXPECT_GT(count(page, "&lt;b&gt;&amp;&quot;&#39;"), 5);
}

TEST(AnalysisPage, InfiniteEndsAreArrows) {
  const std::string svg = draw_intervals({{"a", 1, 0, kInfinity}, {"b", 1, -kInfinity, kInfinity}, {"c", 2, 2, 2}});
  EXPECT_EQ(count(svg, "class=\"arrow\""), 3);
  EXPECT_EQ(count(svg, "class=\"range\""), 2);
  EXPECT_EQ(count(svg, "class=\"dot\""), 3);
  EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0);
  const std::string zeros = draw_intervals({{"a", 0, 0, 0}});
  EXPECT_EQ(count(zeros, "nan") + count(zeros, "inf"), 0);
}

TEST(AnalysisPage, BarsOfASpectrumAreAsLongAsItsLogarithms) {
  const std::string svg = draw_spectrum(Eigen::Vector3d(1e-20, 1.0, 100.0));
  EXPECT_EQ(count(svg, "class=\"bar\""), 2);
  EXPECT_EQ(count(svg, "class=\"hollow\""), 1);
  for (const Eigen::VectorXd& values : {Eigen::VectorXd::Zero(2).eval(), Eigen::VectorXd::Constant(1, -1.0).eval()})
    EXPECT_EQ(count(draw_spectrum(values), "nan"), 0);
  EXPECT_EQ(draw_spectrum(Eigen::VectorXd()), "");
}

TEST(AnalysisPage, AConeUsesItsShare) {
  const std::string svg = draw_cones({{"a", 1, 4}, {"b", 2, 2}, {"c", 0, 0}});
  EXPECT_EQ(count(svg, "width=\"140.0\""), 1);  // a quarter of 560
  EXPECT_EQ(count(svg, "bar full"), 1);
  EXPECT_EQ(count(svg, "carries nothing"), 1);
}

TEST(AnalysisPage, LongNamesKeepTheirEnds) {
  const std::string svg = draw_cones({{"left_front_\u00e4\u00e4\u00e4\u00e4_foot.t1", 1, 4}, {"left_front.t2", 1, 4}});
  EXPECT_EQ(count(svg, ">left_fron\u2026oot.t1<"), 1) << svg;
  EXPECT_EQ(count(svg, ">left_front.t2<"), 2);  // itself and its title
}

/// A rod of unit masses hits a wall along x; a rail along (1, 1) takes part of the impulse.
TEST(AnalysisPage, ImpactsShowTheImpulsesOfConstraints) {
  test::AnalysedInstant drop;
  const auto row = [](const char* name, const Eigen::Vector2d& normal) {
    return ContactRows{name, normal, 0.0, 0.0, Eigen::MatrixXd(2, 0), Eigen::VectorXd(), {}, {}};
  };
  drop.instant.impact = ImpactProblem{.M = Eigen::Matrix2d::Identity(),
                                      .velocity = Eigen::Vector2d(-1, 1),
                                      .unilateral = {row("wall", {1, 0})},
                                      .bilateral = {row("rail", {1, 1})},
                                      .restitution = Eigen::MatrixXd::Zero(1, 1),
                                      .coordinates = {}};
  ImpactReport& impact = drop.analysis.impact.emplace();
  impact.velocity_before = Eigen::Vector2d(-1, 1);
  impact.kinematic.velocity_after = Eigen::Vector2d(0, 0);
  impact.kinematic.impulses = Eigen::VectorXd::Constant(1, 2.0);
  impact.kinematic.bilateral_impulses = Eigen::VectorXd::Constant(1, -1.0);
  const std::string page = analysis_page(drop.instant, drop.analysis, {"p.json", std::nullopt});
  EXPECT_EQ(count(page, "<td>rail</td><td>-1</td>"), 1) << page;
}

TEST(AnalysisPage, IsReplacedAsAWhole) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "a.html";
  std::ofstream(file) << "old";
  write_analysis_page("new", file);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_THROW(write_analysis_page("new", folder.path() / "missing" / "a.html"), FileError);
  EXPECT_THROW(write_analysis_page("new", folder.path()), FileError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AnalysisPage, ReplacesNothingButFiles) {
  const test::TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe", link = folder.path() / "link.html", target = folder.path() / "target.html";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write_analysis_page("new", pipe), FileError);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THROW(write_analysis_page("new", "/dev/null"), FileError);
  std::filesystem::create_symlink("target.html", link);  // leads nowhere yet
  for (const char* text : {"first", "second"}) {
    write_analysis_page(text, link);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    std::ostringstream found;
    found << std::ifstream(target).rdbuf();
    EXPECT_EQ(found.str(), text);
  }
}

TEST(AnalysisPage, NothingKnownIsNoFailure) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces = ForceSet{};
  block.analysis.motion = Motion{};
  EXPECT_EQ(count(analysis_page(block.instant, block.analysis, {"p.json", std::nullopt}), "class=\"dot\""), 0);
  EXPECT_NE(analysis_page({}, {}, {"p.json", std::nullopt}).find("p.json"), std::string::npos);
}

}  // namespace tippe::report_analysis_page_test
