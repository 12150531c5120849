// SPDX-License-Identifier: Apache-2.0

/// libjpeg behind an interface without setjmp and longjmp, which Swift does not support: every
/// libjpeg call that may jump is made inside CJPEG.c, and a failure is returned as `false` with a
/// message. Nothing is printed. Empty unless the package's trait JPEG is on. libjpeg:
/// https://github.com/libjpeg-turbo/libjpeg-turbo/blob/main/doc/libjpeg.txt

#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the segments up to the first scan declare, already checked by libjpeg for validity but not
/// for size.
typedef struct {
  uint32_t width;
  uint32_t height;
  uint32_t components;        // as stored
  uint64_t blocks;            // of 8 × 8 samples, in all components together
  bool is_arithmetic;         // entropy-coded by arithmetic coding, not by Huffman codes
  uint32_t channels;          // of a delivered row: 3 of RGB, 4 of inverted CMYK (255 is no ink),
                              // 0 where nothing says what the components are
} cjpeg_header;

/// What a picture lacks. A warning of libjpeg that costs no sample is none.
typedef struct {
  uint32_t rows;              // that are missing or may be wrong; 0 of a whole picture
  char reason[200];           // the first, in words
} cjpeg_damage;

typedef struct cjpeg_reader cjpeg_reader;

/// A reader of the JPEG in `bytes`, which must outlive it. NULL when out of memory.
cjpeg_reader *cjpeg_reader_create(const uint8_t *bytes, size_t count);

/// Frees the reader, at any point. NULL is allowed.
void cjpeg_reader_destroy(cjpeg_reader *reader);

/// Why the last call failed. Valid as long as the reader.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

/// Reads up to the first scan. Allocates nothing that depends on the declared size, so that the
/// caller can check it against its own limits before `cjpeg_reader_begin_rows`.
bool cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);

/// Allocates what decoding needs, and reads all scans of a picture that has several. The header's
/// `channels` must not be 0.
bool cjpeg_reader_begin_rows(cjpeg_reader *reader);

/// Decodes the next row into `row`, which holds width × channels bytes. What is missing is grey. What comes behind
/// the last row, if only EOI, is not read.
bool cjpeg_reader_read_row(cjpeg_reader *reader, uint8_t *row);

/// What is missing of the rows that have been read, and of all where there are several scans.
const cjpeg_damage *cjpeg_reader_damage(const cjpeg_reader *reader);

#endif
