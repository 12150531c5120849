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
  uint32_t channels;
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

// A negative level is a warning that the data is damaged. Cameras leave bytes between segments that
// affect no pixel, and JFIF's revision changes nothing here; every other warning means lost pixels.
static void judge_message(j_common_ptr jpeg, int level) {
  int code = jpeg->err->msg_code;
  if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR) return;
  fail_with_library_message(jpeg);
}

static void limit_scans(j_common_ptr jpeg) {
  if (((j_decompress_ptr)jpeg)->input_scan_number > maximum_scans) fail(jpeg, "too many scans");
}

static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

// All bytes are in memory from the start: a request for more means that the end was reached.
static boolean fail_at_end(j_decompress_ptr jpeg) {
  fail((j_common_ptr)jpeg, "the data ends before the picture does");
}

static void skip_bytes(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  struct jpeg_source_mgr *source = jpeg->src;
  if ((size_t)count > source->bytes_in_buffer) fail_at_end(jpeg);
  source->next_input_byte += count;
  source->bytes_in_buffer -= (size_t)count;
}

cjpeg_reader *cjpeg_reader_create(const uint8_t *bytes, size_t count) {
  cjpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = fail_with_library_message;
  reader->errors.emit_message = judge_message;
  reader->jpeg.client_data = reader;
  reader->progress.progress_monitor = limit_scans;
  reader->source.next_input_byte = bytes;
  reader->source.bytes_in_buffer = count;
  reader->source.init_source = do_nothing;
  reader->source.fill_input_buffer = fail_at_end;
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

// Only Adobe's segment says whether four components are inks, and whether they are inverted.
static uint32_t delivered_channels(j_decompress_ptr jpeg) {
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE:
  case JCS_YCbCr:
  case JCS_RGB:
    return 3;
  case JCS_CMYK:
  case JCS_YCCK:
    return jpeg->saw_Adobe_marker ? 4 : 0;
  default:
    return 0;
  }
}

bool cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->failed)) return false;

  jpeg_create_decompress(jpeg);
  jpeg->src = &reader->source;
  jpeg->progress = &reader->progress;
  jpeg_read_header(jpeg, TRUE);

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

bool cjpeg_reader_begin_rows(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->failed)) return false;
  jpeg->out_color_space = reader->channels == 4 ? JCS_CMYK : JCS_RGB;
  // Coefficients that a progressive picture lacks are not guessed.
  jpeg->do_block_smoothing = FALSE;
  jpeg_start_decompress(jpeg);
  return true;
}

bool cjpeg_reader_read_row(cjpeg_reader *reader, uint8_t *row) {
  if (setjmp(reader->failed)) return false;
  jpeg_read_scanlines(&reader->jpeg, &row, 1);
  return true;
}

bool cjpeg_reader_finish(cjpeg_reader *reader) {
  if (setjmp(reader->failed)) return false;
  jpeg_finish_decompress(&reader->jpeg);
  return true;
}

#endif
