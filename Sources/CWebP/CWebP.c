// SPDX-License-Identifier: Apache-2.0
#include "CWebP.h"

// The package manager builds this target in every clone; only the trait asks for libwebp.
#ifdef WEBP

#include <webp/decode.h>

bool cwebp_read_header(const uint8_t *bytes, size_t count, cwebp_header *header) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes, count, &features) != VP8_STATUS_OK) return false;
  if (features.width <= 0 || features.height <= 0) return false;
  header->width = (uint32_t)features.width;
  header->height = (uint32_t)features.height;
  header->is_animated = features.has_animation;
  return true;
}

uint32_t cwebp_decode(
  const uint8_t *bytes, size_t count, const cwebp_header *header, uint8_t *pixels
) {
  size_t size = (size_t)header->width * header->height * 4;
  int stride = (int)(header->width * 4);
  if (WebPDecodeRGBAInto(bytes, count, pixels, size, stride) != NULL) return header->height;
  // The decoder of parts goes as far as the data does, whatever the container says of their length.
  WebPIDecoder *decoder = WebPINewRGB(MODE_RGBA, pixels, size, stride);
  if (decoder == NULL) return 0;
  int rows = 0;
  WebPIUpdate(decoder, bytes, count);
  if (WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) == NULL || rows < 0) rows = 0;
  WebPIDelete(decoder);
  return (uint32_t)rows;
}

#endif
