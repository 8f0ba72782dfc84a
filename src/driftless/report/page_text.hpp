// Text that may stand inside an HTML page, whatever the names in a model or file are made of.
#pragma once

#include <string>
#include <string_view>

#include "driftless/core/json/json_value.hpp"

namespace driftless {

// Compact JSON for a <script> element: every "<" is \u003c, so that no name can end the element; numbers that are not
// finite are null, bytes that are not UTF-8 become U+FFFD.
std::string script_json(const JsonValue& value);

// For the text of an element.
std::string html_text(std::string_view text);

}  // namespace driftless
