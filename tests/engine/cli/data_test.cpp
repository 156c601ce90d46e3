// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class DataTest : public CliTest {};

TEST_F(DataTest, ShowsDocumentsCountsAndBadLines) {
    const std::string lines =
        file("Zeilen ä.jsonl", "{\"text\": \"erster Text\"}\n{\"text\": 5}\n{\"text\": \"zweiter\\u001b[31m\"}\n");
    EXPECT_EQ(run({"data", "inspect", lines}), 0) << m_errors;
    EXPECT_THAT(m_output, HasSubstr("jsonl, 2 documents, 3 lines"));
    EXPECT_THAT(m_output, HasSubstr("Left out 1 line"));
    EXPECT_THAT(m_output, HasSubstr(":2: "));
    EXPECT_THAT(m_output, HasSubstr("erster Text"));
    EXPECT_THAT(m_output, Not(HasSubstr("\x1b["))) << "a document cannot steer the terminal";
    EXPECT_EQ(run({"data", "inspect", lines, "--json"}), 0);
    EXPECT_TRUE(parseJson(m_output).orThrow().is_object());
    EXPECT_EQ(run({"data", "inspect", lines, "--documents", "0"}), 0);
    EXPECT_THAT(m_output, Not(HasSubstr("erster Text")));
}

}  // namespace
}  // namespace unmask::test
