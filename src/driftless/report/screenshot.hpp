// Pictures of pages, taken by a browser without a window.
#pragma once

#include <string>
#include <vector>

namespace driftless {

// The first of chromium, chromium-browser and google-chrome on the PATH; empty if there is none.
std::string find_browser();

// A PNG of the page, with `fragment` ("#t=0.5&play=0") behind its address, complete or not at all. std::runtime_error with
// what to do if there is no browser, or if it fails or takes more than two minutes.
void take_screenshot(
    const std::string& page, const std::string& fragment, int width, int height, const std::string& png);

// The same page at several times, one file for each: FOLDER/frame-0001.png, …; one browser for all of them. The folder is made
// if it is not there.
void take_frames(const std::string& page,
                 const std::string& fragment,
                 int width,
                 int height,
                 const std::string& folder,
                 const std::vector<double>& times);

}  // namespace driftless
