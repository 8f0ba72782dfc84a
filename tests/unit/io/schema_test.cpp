// schema/model.schema.json is what model_schema() generates; tests/python/schema_test.py uses it on the models.
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/io/model_json.hpp"

#include "../model/small_catalogue.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ModelSchema, CommittedSchemaIsUpToDate) {
  const std::string path = std::string(DRIFTLESS_SOURCE_DIR) + "/schema/model.schema.json";
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  std::ostringstream committed;
  committed << file.rdbuf();
  const std::string generated = model_schema();
  if (committed.str() == generated) return;
  const std::string fresh = ::testing::TempDir() + "model.schema.json";
  std::ofstream(fresh, std::ios::binary) << generated;
  FAIL() << path << " is out of date: the element records have changed. Look at the difference, then\n  cp "
         << fresh << " " << path;
}

TEST(ModelSchema, HasEveryTypeAndField) {
  const std::string schema = model_schema();
  const auto expect_all = [&](const std::string& noun, const std::vector<const ElementRecord*>& records) {
    for (const auto* record : records) {
      for (const Space space : {Space::planar, Space::spatial}) {
        const std::string prefix = space == Space::planar ? "\"planar-" : "\"spatial-";
        const std::string key = prefix + noun + "-" + record->type + "\"";
        EXPECT_EQ(schema.find(key) != std::string::npos, exists_in(record->spaces, space)) << key;
      }
      for (const auto& field : record->fields)  // of a group, stops.min: by its last name
        EXPECT_THAT(schema, HasSubstr("\"" + field.name.substr(field.name.rfind('.') + 1) + "\""));
    }
  };
  expect_all("joint", standard_catalogue().joints);
  expect_all("driver", standard_catalogue().drivers);
  expect_all("force", standard_catalogue().forces);
  expect_all("output", standard_catalogue().outputs);
}

TEST(ModelSchema, FollowsTheCatalogue) {
  const std::string schema = model_schema(test::small_catalogue());
  EXPECT_THAT(schema, HasSubstr("\"planar-force-wind\""));
  EXPECT_THAT(schema, HasSubstr("\"spatial-force-wind\""));
  EXPECT_THAT(schema, HasSubstr("help on velocity"));
  // Types and fields of one space only.
  EXPECT_THAT(schema, HasSubstr("\"spatial-joint-spherical\""));
  EXPECT_THAT(schema, Not(HasSubstr("planar-joint-spherical")));
  EXPECT_THAT(schema, Not(HasSubstr("spatial-joint-gear")));
  const auto definition = [&](const std::string& name) {
    const auto begin = schema.find("\"" + name + "\": {");
    return schema.substr(begin, schema.find("\"additionalProperties\"", begin) - begin);
  };
  EXPECT_THAT(definition("planar-joint-translational"), HasSubstr("planar-direction"));
  EXPECT_THAT(definition("planar-joint-translational"), Not(HasSubstr("normal")));
  EXPECT_THAT(definition("spatial-joint-translational"), HasSubstr("spatial-axis"));
  EXPECT_THAT(definition("spatial-joint-translational"), Not(HasSubstr("\"angle\"")));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
