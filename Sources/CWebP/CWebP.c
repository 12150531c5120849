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

bool cwebp_decode(const uint8_t *bytes, size_t count, const cwebp_header *header, uint8_t *pixels) {
  size_t size = (size_t)header->width * header->height * 4;
  return WebPDecodeRGBAInto(bytes, count, pixels, size, (int)(header->width * 4)) != NULL;
}

#endif
