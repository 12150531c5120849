// SPDX-License-Identifier: Apache-2.0

// What the standard library asks of a platform that the C libraries here do not have.
#include <stdint.h>
#include <stdlib.h>

// Hashes need no secret in a page that reads its own model.
void arc4random_buf(void *buffer, size_t count) {
  for (size_t index = 0; index < count; index++) ((unsigned char *)buffer)[index] = (unsigned char)index;
}

const char *_swift_stdlib_strtof_clocale(const char *text, float *value) {
  char *end;
  *value = strtof(text, &end);
  return end;
}

const char *_swift_stdlib_strtod_clocale(const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  return end;
}

#ifdef __wasm__
uintptr_t __stack_chk_guard = 0x5ac3f00d;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// The product of two 128-bit numbers, for checked products of 64-bit ones.
unsigned __int128 __multi3(unsigned __int128 a, unsigned __int128 b) {
  uint64_t a0 = (uint32_t)a, a1 = (uint64_t)a >> 32;
  uint64_t b0 = (uint32_t)b, b1 = (uint64_t)b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32) + (uint64_t)(a >> 64) * (uint64_t)b
    + (uint64_t)a * (uint64_t)(b >> 64);
  return (unsigned __int128)high << 64 | (other << 32 | (uint32_t)low);
}

// A page has no environment.
char *getenv(const char *name) { return 0; }
#else

#include <time.h>

double hostSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

#endif
