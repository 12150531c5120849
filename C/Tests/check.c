/* SPDX-License-Identifier: Apache-2.0 */

/* Calls the library rightly and wrongly; Scripts/check-library builds this with the address sanitizer.
 *
 *     check PICTURE PARAM BIN
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "yoloface.h"

static int failures;

static void expect(int holds, const char *what, int line) {
  if (holds) return;
  failures += 1;
  fprintf(stderr, "check.c:%d: not so: %s (last error: %s)\n", line, what, yoloface_last_error());
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
/* A call that fails, with these words in its message. */
#define REFUSES(call, words) \
  do { \
    EXPECT(call); \
    EXPECT(strstr(yoloface_last_error(), words) != NULL); \
  } while (0)

static const char *path;
static yoloface_face expected;

static int64_t detect_file(
    uint64_t detector, const char *path, const yoloface_options *options, yoloface_face *faces, int64_t room) {
  uint64_t opened = yoloface_picture_open(path);
  if (opened == 0) return -1;
  yoloface_picture picture;
  EXPECT(yoloface_picture_pixels(opened, &picture) == 0);
  EXPECT(picture.size == (size_t)(3 * picture.width * picture.height));
  int64_t found = yoloface_detect(detector, &picture, options, faces, sizeof *faces, room);
  EXPECT(yoloface_close(opened) == 0);
  return found;
}

/* Structs of a later version: longer faces, and options with fields that this one does not know. */
static void versions(uint64_t detector) {
  uint64_t opened = yoloface_picture_open(path);
  yoloface_picture picture;
  EXPECT(yoloface_picture_pixels(opened, &picture) == 0);
  struct { yoloface_face face; double later; } faces[2] = {{.later = 7}, {.later = 7}};
  struct { yoloface_options options; int64_t later; } options = {YOLOFACE_OPTIONS, 0};
  options.options.size = sizeof options;
  EXPECT(yoloface_detect(detector, &picture, &options.options, &faces[0].face, sizeof faces[0], 2) == 1);
  EXPECT(memcmp(&faces[0].face, &expected, sizeof expected) == 0 && faces[0].later == 7 && faces[1].face.score == 0);
  options.later = 1;
  REFUSES(yoloface_detect(detector, &picture, &options.options, NULL, sizeof faces[0], 0) == -1, "does not know");
  REFUSES(yoloface_detect(detector, &picture, NULL, NULL, 8, 0) == -1, "face_size");
  EXPECT(yoloface_close(opened) == 0);
  EXPECT(strstr(yoloface_model_terms(), "research") != NULL);
}

/* A picture from the bytes of its file. */
static void decoding(void) {
  static uint8_t bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  uint64_t decoded = yoloface_picture_decode(bytes, size);
  yoloface_picture picture;
  EXPECT(yoloface_picture_pixels(decoded, &picture) == 0 && picture.width == 512);
  EXPECT(yoloface_close(decoded) == 0);
  REFUSES(yoloface_picture_decode(bytes, 100) == 0, "cannot hold");
  REFUSES(yoloface_picture_decode(NULL, 100) == 0, "NULL as bytes");
  REFUSES(yoloface_picture_decode(bytes, SIZE_MAX) == 0, "size");
}

/* A grey picture, as it is with a stride, in every format. */
static void formats(uint64_t detector) {
  enum { width = 70, height = 50, stride = 4 * width + 3 };
  uint8_t *bytes = calloc(height, stride);
  for (int format = YOLOFACE_RGB; format <= YOLOFACE_GREY; format += 1) {
    yoloface_picture picture = {bytes, height * stride, width, height, stride, format};
    EXPECT(yoloface_detect(detector, &picture, NULL, NULL, sizeof(yoloface_face), 0) == 0);
  }
  yoloface_picture picture = {bytes, height * stride, width, height, stride, YOLOFACE_BGRA};
  yoloface_picture lying = picture;
  lying.size = 0;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "expected at least");
  lying = picture, lying.height = INT64_MAX;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "height");
  lying = picture, lying.height = height + 1;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "buffer");
  lying = picture, lying.width = -1;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "width");
  lying = picture, lying.width = 1 << 28, lying.height = 1 << 28;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "image cannot have");
  lying = picture, lying.stride = INT64_MAX;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "bytes per row");
  lying = picture, lying.stride = 1;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "bytes per row");
  lying = picture, lying.format = 5;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "format");
  lying = picture, lying.bytes = NULL;
  REFUSES(yoloface_detect(detector, &lying, NULL, NULL, sizeof(yoloface_face), 0) == -1, "NULL as bytes");
  REFUSES(yoloface_detect(detector, NULL, NULL, NULL, sizeof(yoloface_face), 0) == -1, "NULL as picture");
  REFUSES(yoloface_detect(detector, &picture, NULL, NULL, sizeof(yoloface_face), 1) == -1, "NULL as faces");
  REFUSES(yoloface_detect(detector, &picture, NULL, &expected, sizeof(yoloface_face), -1) == -1, "room");
  free(bytes);
}

static void options(uint64_t detector) {
  yoloface_face face;
  yoloface_options chosen = YOLOFACE_OPTIONS;
  chosen.score_threshold = 0.99;
  EXPECT(detect_file(detector, path, &chosen, &face, 1) == 0);
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.long_side = 320;
  chosen.effort = "checked";
  EXPECT(detect_file(detector, path, &chosen, &face, 1) == 1);
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.effort = "most";
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "thorough");
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.effort = "once\xff";
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "not UTF-8");
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.score_threshold = NAN;
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "score_threshold");
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.long_side = INT64_MAX;
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "long_side");
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.long_side = 1 << 30;
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "1073741824");
  chosen = (yoloface_options)YOLOFACE_OPTIONS;
  chosen.overlap_threshold = 0;
  EXPECT(detect_file(detector, path, &chosen, &face, 1) == 1);
  chosen.score_threshold = 0;
  EXPECT(detect_file(detector, path, &chosen, &face, 1) > 1);
  chosen.size = 8;
  REFUSES(detect_file(detector, path, &chosen, &face, 1) == -1, "size");
  REFUSES(detect_file(detector, "missing.png", NULL, &face, 1) == -1, "missing.png");
  REFUSES(detect_file(detector, NULL, NULL, &face, 1) == -1, "NULL as path");
}

static void openings(const char *param, const char *bin) {
  REFUSES(yoloface_detector_open(param, NULL, NULL, 0, 1) == 0, "NULL as bin");
  REFUSES(yoloface_detector_open(NULL, NULL, bin, 0, 1) == 0, "NULL as param");
  REFUSES(yoloface_detector_open(bin, param, NULL, 0, 1) == 0, "yoloface-n-0.5.bin");
  REFUSES(yoloface_detector_open(param, bin, param, 0, 1) == 0, "expected JSON");
  REFUSES(yoloface_detector_open(NULL, NULL, NULL, 2, 1) == 0, "precision");
  REFUSES(yoloface_detector_open(NULL, NULL, NULL, 0, 0) == 0, "threads");
  uint64_t loaded = yoloface_detector_open(param, bin, NULL, YOLOFACE_FP32, 2);
  yoloface_face face;
  EXPECT(detect_file(loaded, path, NULL, &face, 1) == 1);
  EXPECT(memcmp(&face, &expected, sizeof face) == 0);
  EXPECT(yoloface_close(loaded) == 0);
}

static void handles(uint64_t detector) {
  uint64_t wrong[] = {0, detector + 1000, UINT64_MAX};
  for (int i = 0; i < 3; i += 1) {
    REFUSES(detect_file(wrong[i], path, NULL, NULL, 0) == -1, "expected an open detector");
    REFUSES(yoloface_network_run(wrong[i], NULL, 0, NULL, 0) == 0, "expected an open network");
    REFUSES(yoloface_run_blob(wrong[i], 0, NULL) == -1, "expected an open run");
    REFUSES(yoloface_picture_pixels(wrong[i], NULL) == -1, "expected an open picture");
    REFUSES(yoloface_close(wrong[i]) == -1, "expected an open one");
  }
  uint64_t picture = yoloface_picture_open(path);
  REFUSES(yoloface_picture_pixels(picture, NULL) == -1, "NULL as pixels");
  EXPECT(yoloface_close(picture) == 0);
  REFUSES(yoloface_network_blob(detector, 0, 0) == NULL, "expected an open network");
}

static void network(const char *param, const char *bin) {
  uint64_t network = yoloface_network_open(param, bin, 1);
  EXPECT(strcmp(yoloface_network_blob(network, YOLOFACE_INPUTS, 0), "data") == 0);
  REFUSES(yoloface_network_blob(network, YOLOFACE_INPUTS, 1) == NULL, "number");
  REFUSES(yoloface_network_blob(network, 3, 0) == NULL, "which");
  EXPECT(yoloface_network_blob(network, YOLOFACE_ALL_BLOBS, 40) != NULL);
  enum { count = 3 * 64 * 64 };
  float *values = malloc(count * sizeof *values);
  for (int i = 0; i < count; i += 1) values[i] = 0.5f;
  yoloface_tensor input = {"data", values, count, {3, 64, 64}, 3};
  EXPECT(strcmp(yoloface_network_blob(network, YOLOFACE_OUTPUTS, 1), "out_16") == 0);
  const char *wanted[] = {"out_16", "data"};
  uint64_t run = yoloface_network_run(network, &input, 1, wanted, 2);
  EXPECT(yoloface_close(network) == 0);
  yoloface_tensor blob;
  EXPECT(yoloface_run_blob(run, 0, &blob) == 0);
  EXPECT(strcmp(blob.name, "out_16") == 0 && blob.axes == 3);
  EXPECT(blob.shape[0] == 3 && blob.shape[1] == 16 && blob.shape[2] == 16 && blob.count == 768);
  EXPECT(isfinite(blob.values[767]));
  EXPECT(yoloface_run_blob(run, 1, &blob) == 0 && blob.values[count - 1] == 0.5f);
  REFUSES(yoloface_run_blob(run, 2, &blob) == -1, "place");
  REFUSES(yoloface_run_blob(run, -1, &blob) == -1, "place");
  REFUSES(yoloface_run_blob(run, 0, NULL) == -1, "NULL as blob");
  EXPECT(yoloface_close(run) == 0);

  network = yoloface_network_open(NULL, NULL, 1);
  yoloface_tensor lying = input;
  lying.count = count - 1;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "product");
  lying = input, lying.shape[0] = lying.shape[1] = lying.shape[2] = INT32_MAX;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "product");
  lying = input, lying.shape[2] = 0;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "size of the shape");
  lying = input, lying.axes = 5;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "axes");
  lying = input, lying.values = NULL;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "NULL as values");
  lying = input, lying.name = NULL;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "NULL as an input's name");
  lying = input, lying.name = "\xff";
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "expected");
  yoloface_tensor twice[] = {input, input};
  REFUSES(yoloface_network_run(network, twice, 2, wanted, 1) == 0, "two inputs named data");
  char endless[258] = "a";
  for (int i = 1; i < 257; i += 2) memcpy(endless + i, "\xCC\x81", 2);
  const char *marks[] = {endless};
  REFUSES(yoloface_network_run(network, &input, 1, marks, 1) == 0, "257 bytes as a wanted name");
  lying = input, lying.name = endless;
  REFUSES(yoloface_network_run(network, &lying, 1, wanted, 1) == 0, "257 bytes as an input's name");
  const char *unknown[] = {"nose", NULL};
  REFUSES(yoloface_network_run(network, &input, 1, unknown, 1) == 0, "nose");
  REFUSES(yoloface_network_run(network, &input, 1, unknown + 1, 1) == 0, "NULL as a wanted name");
  REFUSES(yoloface_network_run(network, &input, INT64_MAX, wanted, 1) == 0, "input_count");
  REFUSES(yoloface_network_run(network, &input, 1, wanted, INT64_MAX) == 0, "wanted_count");
  REFUSES(yoloface_network_run(network, NULL, 1, wanted, 1) == 0, "NULL as inputs");
  REFUSES(yoloface_network_run(network, &input, 1, NULL, 1) == 0, "NULL as wanted");
  EXPECT(yoloface_close(network) == 0);
  free(values);
}

/* Searches with a detector of its own and with a shared one, until that is closed. */
static void *search(void *shared) {
  uint64_t own = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 1);
  yoloface_face face;
  for (int i = 0; i < 5; i += 1) {
    EXPECT(detect_file(own, path, NULL, &face, 1) == 1);
    EXPECT(memcmp(&face, &expected, sizeof face) == 0);
    int64_t found = detect_file(*(uint64_t *)shared, path, NULL, &face, 1);
    EXPECT(found == 1 || strstr(yoloface_last_error(), "expected an open detector") != NULL);
  }
  EXPECT(yoloface_close(own) == 0);
  return NULL;
}

static void threads(void) {
  uint64_t shared = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 1);
  pthread_t others[2];
  for (int i = 0; i < 2; i += 1) pthread_create(&others[i], NULL, search, &shared);
  yoloface_face face;
  EXPECT(detect_file(shared, path, NULL, &face, 1) == 1);
  EXPECT(yoloface_close(shared) == 0);
  for (int i = 0; i < 2; i += 1) pthread_join(others[i], NULL);
}

static void processes(void) {
  uint64_t inherited = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 2);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    yoloface_face face;
    pthread_t others[2];
    for (int i = 0; i < 2; i += 1) pthread_create(&others[i], NULL, search, &inherited);
    EXPECT(detect_file(inherited, path, NULL, &face, 1) == 1);
    EXPECT(memcmp(&face, &expected, sizeof face) == 0);
    for (int i = 0; i < 2; i += 1) pthread_join(others[i], NULL);
    uint64_t own = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 2);
    EXPECT(detect_file(own, path, NULL, &face, 1) == 1);
    EXPECT(yoloface_close(inherited) == 0 && yoloface_close(own) == 0);
    _exit(failures > 0);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(yoloface_close(inherited) == 0);
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  path = arguments[1];
  EXPECT(strcmp(yoloface_last_error(), "") == 0);
  EXPECT(strlen(yoloface_version()) >= 5);
  uint64_t detector = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 1);
  EXPECT(detect_file(detector, path, NULL, &expected, 1) == 1);
  EXPECT(expected.has_landmarks == 1 && expected.is_upside_down == 0);
  EXPECT(fabs(expected.x - 178.3) < 0.1 && fabs(expected.left_eye.y - 102.8) < 0.1);
  versions(detector);
  decoding();
  formats(detector);
  options(detector);
  handles(detector);
  EXPECT(yoloface_close(detector) == 0);
  REFUSES(yoloface_close(detector) == -1, "expected an open one");
  REFUSES(detect_file(detector, path, NULL, NULL, 0) == -1, "expected an open detector");
  openings(arguments[2], arguments[3]);
  network(arguments[2], arguments[3]);
  threads();
  processes();
  REFUSES(yoloface_picture_open("\xFF.png") == 0, "not UTF-8");
  /* Escape, its form of one character, the mark that turns the direction of writing, and what ends a line. */
  REFUSES(
      yoloface_picture_open("\x1B[2J\xC2\x9B\xE2\x80\xAE\n\xE2\x80\xA8.png") == 0,
      "\\u{1B}[2J\\u{9B}\\u{202E}\\u{A}\\u{2028}.png: found");
  size_t length = 1 << 20;
  char *endless = calloc(length + 1, 1);
  memset(endless, 0x1B, length);
  REFUSES(yoloface_picture_open(endless) == 0, "expected a regular file");
  free(endless);
  if (failures == 0) puts("the C library does as its header says");
  return failures > 0;
}
