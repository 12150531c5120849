// SPDX-License-Identifier: Apache-2.0

/// libpng behind an interface without setjmp and longjmp, which Swift does not support: every
/// libpng call that may jump is made inside CPNG.c, and a failure is returned as `false` with a
/// message. Nothing is printed. Empty unless the package's trait PNG is on. libpng:
/// http://www.libpng.org/pub/png/libpng-manual.txt

#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the IHDR chunk declares, already checked by libpng for validity but not for size.
typedef struct {
  uint32_t width;
  uint32_t height;
  uint32_t bits_per_sample;   // as stored: 1, 2, 4, 8 or 16
  uint32_t bits_per_pixel;    // as stored: bits_per_sample × stored channels
  bool is_interlaced;         // Adam7
} cpng_header;

/// The format of the delivered rows: expanded to RGB or RGBA.
typedef struct {
  uint32_t channels;          // 4 if the file has an alpha channel or a tRNS chunk, else 3
  uint32_t bytes_per_sample;  // 1, or 2 with the high byte first
} cpng_row_format;

typedef struct cpng_reader cpng_reader;

/// A reader of the PNG in `bytes`, which must outlive it. NULL when out of memory.
cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count);

/// Frees the reader, at any point. NULL is allowed.
void cpng_reader_destroy(cpng_reader *reader);

/// Why the last call failed, or what is damaged: libpng's message, with its last warning if any. Valid as long as
/// the reader.
const char *cpng_reader_message(const cpng_reader *reader);

/// Reads the IHDR chunk. Allocates nothing that depends on the declared size, so that the caller
/// can check it against its own limits before `cpng_reader_read_rows`.
bool cpng_reader_read_header(cpng_reader *reader, cpng_header *header);

/// Takes row `y` of a pass. The rows of an interlaced picture are the reduced rows of its seven
/// passes, 0 to 6, without empty passes; otherwise `pass` is 0. Must return; no jump may cross it.
typedef void cpng_take_row(
  void *context, const cpng_row_format *format, const uint8_t *row, uint32_t pass, uint32_t y);

/// Reads the rest, up to and including IEND, and calls `take_row` for each row. To be called once, after the header.
/// Changes `damaged` to the share of rows, in all passes, that are missing or may be wrong: 0 of a whole picture, whether
/// or not IEND is. False where there are no rows at all.
///
/// Image data beyond the last row is skipped, not inflated: a few bytes of it may expand to
/// gigabytes. libpng's pull reader (`png_read_row`) inflates it, so the push reader is used.
bool cpng_reader_read_rows(
  cpng_reader *reader, cpng_take_row *take_row, void *context, double *damaged);

/// A PNG in memory, or the message of what went wrong.
typedef struct {
  uint8_t *bytes;             // NULL on failure; release with cpng_encoded_destroy
  size_t count;
  char message[256];
} cpng_encoded;

/// Encodes 8-bit RGB, or grey if `channels` is 1, from row-major samples without padding.
void cpng_encode(
  const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels,
  int compression_level, cpng_encoded *encoded);

/// Frees the bytes. May be called twice.
void cpng_encoded_destroy(cpng_encoded *encoded);

/// The CRC-32 of PNG's chunks. `bytes` may be NULL only if `count` is 0.
uint32_t cpng_checksum(const uint8_t *bytes, size_t count);

/// Expands zlib's data into `target`, and changes `target_count` from its capacity to the bytes written; false where the
/// data is damaged, cut off or does not fit.
bool cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count);

/// The most bytes of so many ones as zlib's data.
size_t cpng_deflate_bound(size_t count);

/// Writes bytes as zlib's data into `target`, and changes `target_count` from its capacity, which is at least
/// the bound, to the bytes written; 0 when out of memory.
void cpng_deflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count);

/// The version of libpng at run time.
const char *cpng_library_version(void);

#endif
