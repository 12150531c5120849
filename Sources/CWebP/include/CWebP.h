// SPDX-License-Identifier: Apache-2.0

/// libwebp's decoder of whole pictures. Empty unless the package's trait WebP is on. libwebp:
/// https://developers.google.com/speed/webp/docs/api

#ifndef CWEBP_H
#define CWEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a file declares.
typedef struct {
  uint32_t width;
  uint32_t height;
  bool is_animated;
} cwebp_header;

/// Reads the header; false where it is damaged. Allocates nothing that depends on the declared size.
bool cwebp_read_header(const uint8_t *bytes, size_t count, cwebp_header *header);

/// Decodes into width × height × 4 bytes of RGBA, colours not multiplied by alpha, and returns the number of rows from the
/// top that could be: all of a whole picture, 0 also where memory runs out.
uint32_t cwebp_decode(
  const uint8_t *bytes, size_t count, const cwebp_header *header, uint8_t *pixels);

#endif
