# Writes OUTPUT, a C++ source that holds the bytes of INPUT.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){32})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Generated from viewer/dist/report.html.
#include \"tippe/report/page.h\"

namespace tippe {
namespace {
constexpr unsigned char kPage[] = {
${bytes}};
}  // namespace

std::string_view page_template() { return {reinterpret_cast<const char*>(kPage), sizeof kPage}; }

}  // namespace tippe
")
