// SPDX-License-Identifier: Apache-2.0
#include <wasm_simd128.h>

// What `wasm_simd128.h` has as macros only, which Swift does not see.

/// The lower halves of four integers of 32 bits, then of four more.
static inline v128_t lower_halves(v128_t a, v128_t b) {
  return wasm_i16x8_shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}

/// The upper halves of the products of eight integers of 16 bits and eight more.
static inline v128_t upper_products(v128_t a, v128_t b) {
  v128_t even = wasm_i32x4_dot_i16x8(wasm_v128_and(a, wasm_i32x4_splat(0xFFFF)), b);
  v128_t odd = wasm_i32x4_dot_i16x8(wasm_v128_and(a, wasm_i32x4_splat(-0x10000)), b);
  return wasm_i16x8_shuffle(wasm_u32x4_shr(even, 16), odd, 0, 9, 2, 11, 4, 13, 6, 15);
}

/// The upper bytes of eight integers of 16 bits, then of eight more.
static inline v128_t upper_bytes(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/// The first four pairs of bytes of one vector and of another in turns.
static inline v128_t lower_pairs_in_turns(v128_t even, v128_t odd) {
  return wasm_i16x8_shuffle(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
}

/// The last four pairs of bytes.
static inline v128_t upper_pairs_in_turns(v128_t even, v128_t odd) {
  return wasm_i16x8_shuffle(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
}
