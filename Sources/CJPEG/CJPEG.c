// SPDX-License-Identifier: Apache-2.0
#include "CJPEG.h"

// The package manager builds this target in every clone; only the trait asks for libjpeg.
#ifdef JPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// Each scan costs a pass over the whole picture, however few its bytes. A typical progressive
// picture has ten.
static const int maximum_scans = 100;

struct cjpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf failed;
  const uint8_t *bytes;
  size_t count;
  // Where the last step of reading scans began: all before it was sound.
  size_t sound_count;
  bool has_header, has_ended, is_beyond_limit;
  uint32_t channels;
  // Damaged rows above this one are counted.
  uint32_t counted_until;
  cjpeg_damage damage;
  char message[JMSG_LENGTH_MAX];
};

_Noreturn static void fail(j_common_ptr jpeg, const char *message) {
  cjpeg_reader *reader = jpeg->client_data;
  snprintf(reader->message, sizeof reader->message, "%s", message);
  longjmp(reader->failed, 1);
}

_Noreturn static void fail_with_library_message(j_common_ptr jpeg) {
  cjpeg_reader *reader = jpeg->client_data;
  jpeg->err->format_message(jpeg, reader->message);
  longjmp(reader->failed, 1);
}

static void count_damage(cjpeg_reader *reader, uint64_t from, uint64_t until) {
  uint64_t height = reader->jpeg.image_height;
  if (from < reader->counted_until) from = reader->counted_until;
  if (until > height) until = height;
  if (until <= from) return;
  reader->damage.rows += (uint32_t)(until - from);
  reader->counted_until = (uint32_t)until;
}

// Data that cannot be decoded spoils the rows from that of the blocks in progress to the next restart marker, or to
// the end.
static void note_damage(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (reader->damage.rows == 0) {
    if (reader->has_ended) {
      snprintf(reader->damage.reason, sizeof reader->damage.reason, "the data ends early");
    } else {
      jpeg->err->format_message((j_common_ptr)jpeg, reader->damage.reason);
    }
  }
  uint64_t row_height = (uint64_t)jpeg->max_v_samp_factor * DCTSIZE;
  uint64_t row = jpeg->input_iMCU_row;
  uint64_t units = jpeg->MCUs_per_row;
  uint64_t until = jpeg->image_height;
  if (jpeg->restart_interval > 0 && units > 0 && !reader->has_ended) {
    uint64_t interval = jpeg->restart_interval;
    uint64_t intervals = ((row + 1) * units + interval - 1) / interval;
    until = (intervals * interval + units - 1) / units * row_height;
  }
  count_damage(reader, row * row_height, until);
}

// Whether a warning, which has a negative level, means that samples are missing. Bytes between segments, a scan that
// sends coefficients again, and declarations that change nothing mean none.
static bool loses_samples(j_decompress_ptr jpeg) {
  switch (jpeg->err->msg_code) {
  case JWRN_ADOBE_XFORM:
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL:
    return false;
  case JWRN_BOGUS_PROGRESSION:
    return jpeg->Ah != 0;
  default:
    return true;
  }
}

static void judge_message(j_common_ptr jpeg, int level) {
  cjpeg_reader *reader = jpeg->client_data;
  if (level < 0 && loses_samples(&reader->jpeg)) note_damage(reader);
}

// Called before each step of reading scans, which decodes a row of blocks or reads the segments up to the next scan.
static void limit_scans(j_common_ptr jpeg) {
  cjpeg_reader *reader = jpeg->client_data;
  if (reader->jpeg.input_scan_number > maximum_scans) {
    reader->is_beyond_limit = true;
    fail(jpeg, "too many scans");
  }
  if (reader->has_ended) return;
  reader->sound_count = (size_t)(reader->source.next_input_byte - reader->bytes);
  // A marker that was met is read already.
  if (reader->jpeg.unread_marker != 0) reader->sound_count -= 2;
}

static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

// All bytes are in memory from the start: a request for more means that the end was reached. EOI may be all that is
// missing; what else is, libjpeg notices.
static boolean end_data(j_decompress_ptr jpeg) {
  static const JOCTET end[] = {0xFF, JPEG_EOI};
  cjpeg_reader *reader = jpeg->client_data;
  if (!reader->has_header) fail((j_common_ptr)jpeg, "the data ends before the picture does");
  reader->has_ended = true;
  reader->source.next_input_byte = end;
  reader->source.bytes_in_buffer = sizeof end;
  return TRUE;
}

static void skip_bytes(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  struct jpeg_source_mgr *source = jpeg->src;
  if ((size_t)count > source->bytes_in_buffer) {
    end_data(jpeg);
    return;
  }
  source->next_input_byte += count;
  source->bytes_in_buffer -= (size_t)count;
}

cjpeg_reader *cjpeg_reader_create(const uint8_t *bytes, size_t count) {
  cjpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = fail_with_library_message;
  reader->errors.emit_message = judge_message;
  reader->jpeg.client_data = reader;
  reader->progress.progress_monitor = limit_scans;
  reader->source.init_source = do_nothing;
  reader->source.fill_input_buffer = end_data;
  reader->source.skip_input_data = skip_bytes;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = do_nothing;
  return reader;
}

void cjpeg_reader_destroy(cjpeg_reader *reader) {
  if (reader == NULL) return;
  jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}

const char *cjpeg_reader_message(const cjpeg_reader *reader) { return reader->message; }

// Inks are taken for inverted, as Adobe's programs write them, also without Adobe's segment: browsers, Pillow and
// OpenCV do the same.
static uint32_t delivered_channels(j_decompress_ptr jpeg) {
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE:
  case JCS_YCbCr:
  case JCS_RGB:
    return 3;
  case JCS_CMYK:
  case JCS_YCCK:
    return 4;
  default:
    return 0;
  }
}

// Calls of libjpeg, to be made where a failure may jump.
static void open_picture(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  reader->source.next_input_byte = reader->bytes;
  reader->source.bytes_in_buffer = reader->count;
  jpeg_create_decompress(jpeg);
  jpeg->src = &reader->source;
  jpeg->progress = &reader->progress;
  jpeg_read_header(jpeg, TRUE);
  reader->has_header = true;
}

bool cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->failed)) return false;
  open_picture(reader);

  reader->channels = delivered_channels(jpeg);
  header->width = jpeg->image_width;
  header->height = jpeg->image_height;
  header->components = (uint32_t)jpeg->num_components;
  header->blocks = 0;
  for (int index = 0; index < jpeg->num_components; index++) {
    const jpeg_component_info *component = &jpeg->comp_info[index];
    header->blocks += (uint64_t)component->width_in_blocks * component->height_in_blocks;
  }
  header->is_arithmetic = jpeg->arith_code;
  header->channels = reader->channels;
  return true;
}

// Whether the scans hold all components. Where EOI ends a progressive picture, it may leave out the last bits of
// coefficients; where the data just ends, more was to come.
static bool has_all_scans(const cjpeg_reader *reader) {
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  for (int index = 0; index < jpeg->num_components; index++) {
    if (!jpeg->progressive_mode) {
      // The first scan of a component takes its table.
      if (jpeg->comp_info[index].quant_table == NULL) return false;
      continue;
    }
    const int *missing_bits = jpeg->coef_bits[index];
    if (missing_bits[0] < 0) return false;
    for (int k = 0; k < DCTSIZE2 && reader->has_ended; k++) {
      if (missing_bits[k] != 0) return false;
    }
  }
  return true;
}

static bool read_scans(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->failed)) return false;
  jpeg->out_color_space = reader->channels == 4 ? JCS_CMYK : JCS_RGB;
  // Coefficients that a progressive picture lacks are not guessed.
  jpeg->do_block_smoothing = FALSE;
  jpeg_start_decompress(jpeg);
  if (!jpeg_has_multiple_scans(jpeg) || has_all_scans(reader)) return true;
  if (reader->damage.rows == 0) {
    snprintf(reader->damage.reason, sizeof reader->damage.reason, "the data ends before the last scan");
  }
  reader->damage.rows = reader->counted_until = jpeg->image_height;
  return true;
}

static bool reopen(cjpeg_reader *reader) {
  if (setjmp(reader->failed)) return false;
  jpeg_destroy_decompress(&reader->jpeg);
  open_picture(reader);
  return true;
}

bool cjpeg_reader_begin_rows(cjpeg_reader *reader) {
  if (read_scans(reader)) return true;
  if (reader->is_beyond_limit || reader->sound_count == 0) return false;
  // What is behind the last scan may be anything, such as a trailer where EOI was lost.
  reader->count = reader->sound_count;
  return reopen(reader) && read_scans(reader);
}

bool cjpeg_reader_read_row(cjpeg_reader *reader, uint8_t *row) {
  if (setjmp(reader->failed)) return false;
  jpeg_read_scanlines(&reader->jpeg, &row, 1);
  return true;
}

const cjpeg_damage *cjpeg_reader_damage(const cjpeg_reader *reader) { return &reader->damage; }

#endif
