// The assembler copies the file; the build knows that this source depends on it (CMakeLists.txt).
#include "driftless/report/asset.hpp"

__asm__(R"(
  .section .rodata
  .global driftless_viewer_page
  .global driftless_viewer_page_end
driftless_viewer_page:
  .incbin ")" DRIFTLESS_VIEWER_PAGE R"("
driftless_viewer_page_end:
  .byte 0
  .previous
)");

extern "C" {
extern const char driftless_viewer_page[];
extern const char driftless_viewer_page_end[];
}

namespace driftless {

std::string_view viewer_page() {
  return {driftless_viewer_page, static_cast<size_t>(driftless_viewer_page_end - driftless_viewer_page)};
}

}  // namespace driftless
