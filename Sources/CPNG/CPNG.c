// SPDX-License-Identifier: Apache-2.0
#include "CPNG.h"

// The package manager builds this target in every clone; only the trait asks for libpng.
#ifdef PNG

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The longest chunk that libpng takes into memory; its own default, made explicit.
static const png_alloc_size_t maximum_chunk_bytes = 8000000;

static void copy_message(char *destination, size_t capacity, const char *message) {
  strncpy(destination, message, capacity - 1);
  destination[capacity - 1] = 0;
}

// The signature and the IHDR chunk, which comes first.
static const size_t header_bytes = 8 + 25;

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *first;
  const uint8_t *next;
  size_t remaining;
  cpng_take_row *take_row;
  void *context;
  cpng_row_format format;
  uint64_t rows, rows_to_come;
  // Rows that were to come when a chunk of pixels or the palette began, and when the first damaged one did.
  uint64_t rows_at_chunk, rows_at_damage;
  bool is_picture_chunk, has_ended;
  char warning[256];
  char message[520];
};

static void keep_warning(png_structp png, png_const_charp message) {
  cpng_reader *reader = png_get_error_ptr(png);
  copy_message(reader->warning, sizeof reader->warning, message);
  if (!reader->is_picture_chunk || strstr(message, "CRC error") == NULL) return;
  if (reader->rows_at_damage == 0) copy_message(reader->message, sizeof reader->message, message);
  if (reader->rows_at_damage < reader->rows_at_chunk) reader->rows_at_damage = reader->rows_at_chunk;
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

cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count) {
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->first = bytes;
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

static void begin_rows(png_structp png, png_infop info) {
  cpng_reader *reader = png_get_progressive_ptr(png);
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_read_update_info(png, info);

  reader->format.channels = png_get_channels(png, info);
  reader->format.bytes_per_sample = png_get_bit_depth(png, info) / 8u;
}

static void pass_on_row(png_structp png, png_bytep row, png_uint_32 y, int pass) {
  cpng_reader *reader = png_get_progressive_ptr(png);
  reader->rows_to_come -= 1;
  reader->take_row(reader->context, &reader->format, row, (uint32_t)pass, y);
}

static void note_end(png_structp png, png_infop info) {
  (void)info;
  cpng_reader *reader = png_get_progressive_ptr(png);
  reader->has_ended = true;
}

static void feed(cpng_reader *reader, size_t count) {
  // libpng takes a pointer to mutable bytes, but changes none.
  png_process_data(reader->png, reader->info, (png_bytep)reader->next, count);
  reader->next += count;
  reader->remaining -= count;
}

static const char early_end[] = "the data ends before the picture does";

// The bytes of the next chunk, or the rest if it is cut off. A chunk has 12 bytes and its content.
static size_t next_chunk(const cpng_reader *reader) {
  if (reader->remaining < 12) return reader->remaining;
  size_t length = (size_t)png_get_uint_32(reader->next) + 12;
  return length < reader->remaining ? length : reader->remaining;
}

static uint64_t count_rows(const cpng_header *header) {
  if (!header->is_interlaced) return header->height;
  uint64_t rows = 0;
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    if (PNG_PASS_COLS(header->width, pass) > 0) rows += PNG_PASS_ROWS(header->height, pass);
  }
  return rows;
}

bool cpng_reader_read_header(cpng_reader *reader, cpng_header *header) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return false;

  png_set_progressive_read_fn(png, reader, begin_rows, pass_on_row, note_end);
  // libpng's limit on the sides reports only "Invalid IHDR data"; the caller's says what it found.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, maximum_chunk_bytes);
  // tRNS is the only ancillary chunk used here; the others (profiles, text) are skipped unread. The
  // negative count means every ancillary chunk but tRNS.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  if (reader->remaining < header_bytes) png_error(png, early_end);
  feed(reader, header_bytes);

  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  if (header->width == 0) png_error(png, "the first chunk is not IHDR");
  header->bits_per_sample = png_get_bit_depth(png, info);
  header->bits_per_pixel = header->bits_per_sample * png_get_channels(png, info);
  header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  reader->rows = reader->rows_to_come = count_rows(header);
  return true;
}

// Feeds chunk by chunk. After the last row nothing that fails costs a pixel, but for the checksum of their chunk.
static void feed_chunks(cpng_reader *reader) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return;
  // A wrong checksum of pixels is noted, and they are delivered all the same.
  png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_NO_CHANGE);
  while (reader->remaining > 0 && !reader->has_ended) {
    size_t count = next_chunk(reader);
    const uint8_t *type = reader->next + 4;
    reader->is_picture_chunk =
      count >= 12 && (memcmp(type, "IDAT", 4) == 0 || memcmp(type, "PLTE", 4) == 0);
    reader->rows_at_chunk = reader->rows_to_come;
    feed(reader, count);
  }
  if (reader->rows_to_come == 0) return;
  copy_message(
    reader->message, sizeof reader->message,
    reader->has_ended ? "the image data is damaged or ends too early" : early_end);
}

bool cpng_reader_read_rows(
  cpng_reader *reader, cpng_take_row *take_row, void *context, double *damaged
) {
  reader->take_row = take_row;
  reader->context = context;
  feed_chunks(reader);
  uint64_t lost =
    reader->rows_at_damage > reader->rows_to_come ? reader->rows_at_damage : reader->rows_to_come;
  *damaged = (double)lost / (double)reader->rows;
  return reader->rows_to_come < reader->rows;
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

uint32_t cpng_checksum(const uint8_t *bytes, size_t count) {
  return (uint32_t)crc32_z(0, bytes, count);
}

bool cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count) {
  uLongf length = *target_count;
  bool is_whole = uncompress(target, &length, bytes, count) == Z_OK;
  *target_count = length;
  return is_whole;
}

size_t cpng_deflate_bound(size_t count) { return compressBound(count); }

void cpng_deflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count) {
  uLongf length = *target_count;
  *target_count = compress(target, &length, bytes, count) == Z_OK ? length : 0;
}

#endif
