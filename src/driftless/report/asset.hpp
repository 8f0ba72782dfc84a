// The viewer: viewer/dist/page.html as it was when the program was built (asset.cpp).
#pragma once

#include <string_view>

namespace driftless {

std::string_view viewer_page();

}  // namespace driftless
