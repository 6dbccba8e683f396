// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/packed_document.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/packed_page.h"
#include "support/page.h"
#include "tippe/report/base64.h"
#include "tippe/report/page.h"

namespace tippe::report_packed_document_test {

using Json = nlohmann::json;

using test::block_of, test::unpack;

Json document_of(const std::vector<double>& times, const std::vector<double>& values, bool log) {
  const Json series = {{"label", "x"}, {"values", base64(values)}};
  return {{"axes", {{"samples", base64(times)}}},
          {"panels", Json::array({{{"id", "q"}, {"log", log}, {"series", Json::array({series})}}})},
          {"impacts", Json::array()},
          {"replays", Json::array()},
          {"scene_text", std::string(120'000, 'x')}};  // long enough to be worth it
}

TEST(PackedDocument, KeepsTimesExactlyAndValuesToAShareOfTheirSpan) {
  std::vector<double> times, values;
  for (int k = 0; k < 3000; ++k) {
    times.push_back(0.1 + 1e-4 * (k / 2 * 2));  // every time twice, as before and after an impact
    values.push_back(k == 7     ? std::nan("")
                     : k == 8   ? std::numeric_limits<double>::infinity()
                     : k == 900 ? -std::numeric_limits<double>::infinity()
                                : 5.0 + 3.0 * std::sin(0.01 * k));
  }
  const Json packed = Json::parse(pack_document(document_of(times, values, false).dump()));
  const auto block = block_of(packed);
  EXPECT_EQ(unpack(packed["axes"]["samples"], block), times);
  const std::vector<double> found = unpack(packed["panels"][0]["series"][0]["values"], block);
  ASSERT_EQ(found.size(), values.size());
  for (size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      EXPECT_EQ(std::isnan(found[k]), std::isnan(values[k]));
      if (!std::isnan(values[k])) {
        EXPECT_EQ(found[k], values[k]);
      }
      continue;
    }
    EXPECT_NEAR(found[k], values[k], 6.0 * std::ldexp(1.0, -28));  // half a step, and round-off
  }
}

TEST(PackedDocument, KeepsTwoDigitsOfWhatSpansDecades) {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(k == 3 ? 0.0 : std::pow(10.0, -16.0 + 0.02 * k));
  values.push_back(std::nan(""));
  const Json packed = Json::parse(pack_document(document_of(std::vector<double>(1001, 1.0), values, true).dump()));
  const std::vector<double> found = unpack(packed["panels"][0]["series"][0]["values"], block_of(packed));
  for (size_t k = 0; k + 1 < values.size(); ++k) EXPECT_NEAR(found[k], values[k], 4e-3 * values[k]);
  EXPECT_TRUE(std::isnan(found.back()));
}

TEST(PackedDocument, IsMuchShorterForASmoothCurve) {
  std::vector<double> times, values;
  for (int k = 0; k < 20000; ++k) {
    times.push_back(1e-4 * k);
    values.push_back(std::sin(1e-3 * k));
  }
  const std::string plain = document_of(times, values, false).dump();
  EXPECT_LT(pack_document(plain).size() - 120'000, (plain.size() - 120'000) / 8);
  EXPECT_EQ(pack_document("{\"short\": 1}"), "{\"short\": 1}");
}

TEST(Base64, GoesBothWays) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("ab"), std::string("abc"), std::string("\0\xff\x80", 3)})
    EXPECT_EQ(bytes_of_base64(base64_of_bytes(bytes)), bytes);
  EXPECT_EQ(base64_of_bytes("light work."), "bGlnaHQgd29yay4=");  // RFC 4648
}

}  // namespace tippe::report_packed_document_test
