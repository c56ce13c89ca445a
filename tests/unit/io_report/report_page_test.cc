#include "io/report/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace medley::io {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kPage = "<title><!--medley:title--></title><body><!--medley:data--></body>";

std::string between(const std::string& text, const std::string& start, const std::string& end) {
    const std::size_t from = text.find(start) + start.size();
    return text.substr(from, text.find(end, from) - from);
}

TEST(ReportPage, NamesStayDataWhateverTheyHold) {
    const std::string evil = "</script><script>alert(1)</script><!-- \u2028 ' \" & \\";
    ReportDocument document{.title = evil, .ranked_by = "", .runs = {}};
    document.runs.push_back({.json = json{{"id", evil}}.dump(), .columns = "AAAA"});
    const std::string html = fill_report_page(kPage, document);
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(html, Not(HasSubstr("</script><script>")));
    EXPECT_EQ(json::parse(between(html, "id=\"medley-run-0\">", "</script>"))["id"], evil);
    EXPECT_EQ(json::parse(between(html, "id=\"medley-document\">", "</script>"))["title"], evil);
    EXPECT_THAT(between(html, "<title>", "</title>"), testing::StartsWith("&lt;/script&gt;"));
    EXPECT_EQ(between(html, "id=\"medley-columns-0\">", "</script>"), "AAAA");
}

TEST(ReportPage, KeepsWhatStandsAroundThePlaces) {
    const std::string html = fill_report_page(kPage, {.title = "t", .ranked_by = "avg_jct_s", .runs = {}});
    EXPECT_THAT(html, testing::StartsWith("<title>t</title><body>"));
    EXPECT_THAT(html, testing::EndsWith("</body>"));
    EXPECT_THAT(html, HasSubstr(R"("ranked_by":"avg_jct_s")"));
}

TEST(ReportPage, IsOneFileThatAsksForNothingElse) {
    const std::string page(report_page());
    if (page.empty()) { GTEST_SKIP() << "this build has no page: npm's packages are not installed"; }
    for (const char* place : {"<!--medley:title-->", "<!--medley:data-->"}) { EXPECT_THAT(page, HasSubstr(place)); }
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    for (const char* outside : {"src=\"", "@import", "url(http", "<link rel=\"stylesheet"}) { EXPECT_THAT(page, Not(HasSubstr(outside))); }
}

}  // namespace
}  // namespace medley::io
