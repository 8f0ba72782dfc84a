// A program compiled for AVX2 and FMA dies of an illegal instruction on an older processor.
// This guard says what is missing and how to rebuild instead.
#pragma once

namespace driftless {

// Returns if this processor can run the library as it was compiled; otherwise prints what is missing and how
// to rebuild, and ends the program with exit status 1. Programs call it first thing in main(). Linking the call
// also makes the check run before main, ahead of every static initialiser, which may use AVX2 already.
void require_cpu();

}  // namespace driftless
