#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An ancillary chunk longer than this is an error. libpng's own default, made explicit.
static const png_alloc_size_t maximum_chunk_bytes = 8000000;
static const png_uint_32 maximum_cached_chunks = 100;

static void copy_message(char *destination, size_t capacity, const char *message) {
  strncpy(destination, message, capacity - 1);
  destination[capacity - 1] = 0;
}

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *next;
  size_t remaining;
  char warning[256];
  char message[520];
};

static void keep_warning(png_structp png, png_const_charp message) {
  cpng_reader *reader = png_get_error_ptr(png);
  copy_message(reader->warning, sizeof reader->warning, message);
}

// Some errors ("Invalid IHDR data") are explained only by the warning before them.
static void fail_reading(png_structp png, png_const_charp message) {
  cpng_reader *reader = png_get_error_ptr(png);
  if (reader->warning[0] == 0) {
    copy_message(reader->message, sizeof reader->message, message);
  } else {
    snprintf(reader->message, sizeof reader->message, "%s (%s)", message, reader->warning);
  }
  png_longjmp(png, 1);
}

static void supply_bytes(png_structp png, png_bytep destination, size_t count) {
  cpng_reader *reader = png_get_io_ptr(png);
  if (count > reader->remaining) png_error(png, "the data ends in the middle of a chunk");
  memcpy(destination, reader->next, count);
  reader->next += count;
  reader->remaining -= count;
}

cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count) {
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->next = bytes;
  reader->remaining = count;
  reader->png =
    png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail_reading, keep_warning);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    cpng_reader_destroy(reader);
    return NULL;
  }
  return reader;
}

void cpng_reader_destroy(cpng_reader *reader) {
  if (reader == NULL) return;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->message; }

bool cpng_reader_read_header(cpng_reader *reader, cpng_header *header) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return false;

  png_set_read_fn(png, reader, supply_bytes);
  // libpng's side limit reports only "Invalid IHDR data"; the caller's says what it found.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, maximum_chunk_bytes);
  png_set_chunk_cache_max(png, maximum_cached_chunks);
  // Of the ancillary chunks only tRNS and eXIf are used; the others (profiles, text) are
  // skipped unread. The negative count means every ancillary chunk but tRNS.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "eXIf", 1);
  png_read_info(png, info);

  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->bits_per_sample = png_get_bit_depth(png, info);
  header->bits_per_pixel = header->bits_per_sample * png_get_channels(png, info);
  header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  return true;
}

bool cpng_reader_begin_rows(cpng_reader *reader, bool keep_16_bit, cpng_row_format *format) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return false;

  png_set_expand(png);
  png_set_gray_to_rgb(png);
  if (!keep_16_bit) png_set_scale_16(png);
  png_read_update_info(png, info);

  format->channels = png_get_channels(png, info);
  format->bytes_per_sample = png_get_bit_depth(png, info) / 8;
  format->bytes_per_row = png_get_rowbytes(png, info);
  return true;
}

bool cpng_reader_read_row(cpng_reader *reader, uint8_t *row) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_read_row(reader->png, row, NULL);
  return true;
}

bool cpng_reader_finish(cpng_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_read_end(reader->png, reader->info);
  return true;
}

const uint8_t *cpng_reader_exif(cpng_reader *reader, size_t *count) {
  png_uint_32 length = 0;
  png_bytep bytes = NULL;
  if (setjmp(png_jmpbuf(reader->png))) return NULL;
  if (png_get_eXIf_1(reader->png, reader->info, &length, &bytes) == 0) return NULL;
  *count = length;
  return bytes;
}

typedef struct {
  cpng_encoded *encoded;
  size_t capacity;
} encoded_buffer;

static void fail_writing(png_structp png, png_const_charp message) {
  encoded_buffer *buffer = png_get_error_ptr(png);
  copy_message(buffer->encoded->message, sizeof buffer->encoded->message, message);
  png_longjmp(png, 1);
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
  encoded_buffer *buffer = png_get_io_ptr(png);
  cpng_encoded *encoded = buffer->encoded;
  if (count > buffer->capacity - encoded->count) {
    size_t capacity = 2 * buffer->capacity + count;
    uint8_t *grown = realloc(encoded->bytes, capacity);
    if (grown == NULL) png_error(png, "out of memory");
    encoded->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(encoded->bytes + encoded->count, bytes, count);
  encoded->count += count;
}

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void flush_nothing(png_structp png) { (void)png; }

static bool write_rows(
  png_structp png, png_infop info, const uint8_t *pixels, uint32_t width, uint32_t height,
  uint32_t channels, int compression_level, encoded_buffer *buffer
) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, buffer, append_bytes, flush_nothing);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(png, compression_level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);
  png_set_IHDR(
    png, info, width, height, 8, channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_write_info(png, info);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, pixels + (size_t)y * width * channels);
  png_write_end(png, info);
  return true;
}

void cpng_encode(
  const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels,
  int compression_level, cpng_encoded *encoded
) {
  memset(encoded, 0, sizeof *encoded);
  encoded_buffer buffer = {.encoded = encoded, .capacity = 0};
  png_structp png =
    png_create_write_struct(PNG_LIBPNG_VER_STRING, &buffer, fail_writing, ignore_warning);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    copy_message(encoded->message, sizeof encoded->message, "out of memory");
  } else if (!write_rows(
      png, info, pixels, width, height, channels, compression_level, &buffer)) {
    cpng_encoded_destroy(encoded);
  }
  png_destroy_write_struct(&png, &info);
}

void cpng_encoded_destroy(cpng_encoded *encoded) {
  free(encoded->bytes);
  encoded->bytes = NULL;
  encoded->count = 0;
}

const char *cpng_library_version(void) {
  return png_get_libpng_ver(NULL);
}
