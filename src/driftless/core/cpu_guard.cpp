// Compiled for any x86-64, unlike the rest of the library (cmake/BuildOptions.cmake). No C++ library headers
// here: the linker could take their inline functions from a file compiled for AVX2.

#include "driftless/core/cpu_guard.hpp"

#include <stdio.h>
#include <unistd.h>

namespace driftless {

#ifdef DRIFTLESS_NEEDS_X86_64_V3

void require_cpu() {
  __builtin_cpu_init();
  const char* avx = __builtin_cpu_supports("avx") ? "" : " avx";
  const char* avx2 = __builtin_cpu_supports("avx2") ? "" : " avx2";
  const char* fma = __builtin_cpu_supports("fma") ? "" : " fma";
  const char* bmi = __builtin_cpu_supports("bmi") ? "" : " bmi";
  const char* bmi2 = __builtin_cpu_supports("bmi2") ? "" : " bmi2";
  if (!*avx && !*avx2 && !*fma && !*bmi && !*bmi2) return;
  fprintf(stderr,
          "driftless: this program was compiled for newer processors (x86-64-v3); this one lacks:%s%s%s%s%s\n"
          "  Rebuild it here, or for any 64-bit PC:  cmake -B build -S . -DDRIFTLESS_NATIVE_V3=OFF && cmake "
          "--build build\n",
          avx, avx2, fma, bmi, bmi2);
  fflush(stderr);
  _exit(1);
}

namespace {
// 101 is the first priority open to programs: before all ordinary static initialisers.
[[gnu::constructor(101)]] void require_cpu_before_main() { require_cpu(); }
}  // namespace

#else

void require_cpu() {}

#endif

}  // namespace driftless
