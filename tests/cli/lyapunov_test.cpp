// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "support/program.h"
#include "support/scenes.h"

namespace tippe::cli_lyapunov_test {

using Json = nlohmann::json;

test::ProgramResult lyapunov(std::vector<std::string> arguments, const std::function<void(pid_t)>& meanwhile = {}) {
  const test::TemporaryFolder folder;
  arguments.insert(arguments.begin(), "lyapunov");
  const test::ProgramResult result = test::run_program(arguments, folder.path(), meanwhile);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // it writes no files
  return result;
}

// The sum of the exponents of the table is 2 log(0.8) a period; -infinity is a text in JSON.
TEST(LyapunovCommand, PrintsTheExponents) {
  const auto result = lyapunov({"vibrating_table", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["begin"], 1.5);
  EXPECT_EQ(json["end"], 3.0);
  ASSERT_EQ(json["exponents"].size(), 2u);
  ASSERT_EQ(json["errors"].size(), 2u);
  EXPECT_NEAR(json["exponents"][0].get<double>() + json["exponents"][1].get<double>(), 20 * std::log(0.8), 1e-3);
  const Json one = Json::parse(lyapunov({"vibrating_table", "--most", "1", "--transient", "0", "--json"}).output);
  EXPECT_EQ(one["exponents"].size(), 1u);
  EXPECT_EQ(one["begin"], 0.0);
  const auto rest = lyapunov({"bouncing_ball"});
  EXPECT_NE(rest.output.find("2 are -infinity"), std::string::npos) << rest.output;
  EXPECT_EQ(Json::parse(lyapunov({"bouncing_ball", "--json"}).output)["exponents"][1], "-inf");
}

TEST(LyapunovCommand, WrongUsageIsNamed) {
  const auto result = lyapunov({"vibrating_table", "--transient", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("the transient must end between"), std::string::npos) << result.errors;
  const auto resets = lyapunov({"compass_gait"});
  EXPECT_EQ(resets.exit_code, 2);
  EXPECT_NE(resets.errors.find("resets the state"), std::string::npos) << resets.errors;
}

TEST(LyapunovCommand, AnInterruptLeavesTheExponentsUntilThen) {
  const auto interrupt = [](pid_t child) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(child, SIGINT);
  };
  const auto result = lyapunov({"vibrating_table", "--until", "1e6", "--transient", "1", "--json"}, interrupt);
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_EQ(Json::parse(result.output)["status"], "interrupted");
  EXPECT_EQ(Json::parse(result.output)["exponents"].size(), 2u);
}

}  // namespace tippe::cli_lyapunov_test
