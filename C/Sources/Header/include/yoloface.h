/* SPDX-License-Identifier: Apache-2.0 */

/* Finds faces in pictures, and runs networks in ncnn's format.
 *
 *     uint64_t detector = yoloface_detector_open(NULL, NULL, NULL, YOLOFACE_FP32, 1);
 *     yoloface_picture picture = {frame, 4 * 640 * 480, 640, 480, 4 * 640, YOLOFACE_BGRA};
 *     yoloface_face faces[64];
 *     int64_t found = yoloface_detect(detector, &picture, NULL, faces, sizeof *faces, 64);
 *     if (found < 0) fprintf(stderr, "%s\n", yoloface_last_error());
 *     yoloface_close(detector);
 *
 * Terms. The code is under the Apache License 2.0. The embedded weights are not: yoloface_model_terms() has their
 * terms, and they are for research and tests. Other weights have the terms of whoever made them.
 *
 * Versions. YOLOFACE_API is the number in the library's name, libyoloface.so.1: it changes where a program must be
 * built anew. Until then functions are added, and fields at the end of yoloface_options and yoloface_face, of which
 * the caller says how long they are. An older library leaves a face's fields that it does not know as they were.
 *
 * Building. After Scripts/install-library PREFIX, with PREFIX/lib/pkgconfig in PKG_CONFIG_PATH:
 *
 *     cc program.c $(pkg-config --cflags --libs yoloface)
 *
 * Errors. A handle of 0, a count of -1 or a NULL name is an error; yoloface_last_error() says which. NULL where a
 * pointer must not be NULL, and a handle that was closed, never opened or is of another kind, are errors too. What
 * cannot be checked is the caller's to keep: that a pointer leads to as many bytes as is said beside it, and text
 * to a zero byte.
 *
 * Threads. Every function may be called on any thread. A detector or network may be used on several at a time;
 * their runs take turns, so threads that must not wait open one each. A handle may be closed while another thread
 * uses it: the call that runs ends as usual. The last error is the calling thread's own. A child of fork() has
 * copies of its parent's handles, which run on one thread there, and which its threads may share; at the fork, no
 * other thread may be in a call, or one in the child may wait for ever.
 *
 * Memory. The library keeps no pointer that it is given beyond the call. Text and values that it returns are its
 * own, and stay as long as is said below. */
#ifndef YOLOFACE_H
#define YOLOFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define YOLOFACE_API 1

/* The version of the library, as in CHANGELOG.md; stays. */
const char *yoloface_version(void);

/* The embedded weights' terms, in a sentence or two; stays. */
const char *yoloface_model_terms(void);

/* What the last call on this thread that failed found and expected; "" where none has. Stays until the next call
 * on this thread fails. One line of UTF-8: control characters in it, as of a file's name, are written as \u{1B}. */
const char *yoloface_last_error(void);

/* Gives back a detector, a picture, a network or a run, with all that it returned. Returns 0, or -1 where the handle is none. */
int32_t yoloface_close(uint64_t handle);

/* ---- Faces ---- */

/* The form of the embedded model: floats, or bytes, which are faster and slightly less accurate. */
enum { YOLOFACE_FP32 = 0, YOLOFACE_INT8 = 1 };

/* The order of a pixel's bytes. Alpha is ignored. */
enum { YOLOFACE_RGB = 0, YOLOFACE_BGR = 1, YOLOFACE_RGBA = 2, YOLOFACE_BGRA = 3, YOLOFACE_GREY = 4 };

/* A position in pixels of the picture: from its left and top edge, so that the middle of the first pixel is at
 * 0.5, 0.5. */
typedef struct yoloface_point {
  double x, y;
} yoloface_point;

/* A face. Right and left are the person's own sides. */
typedef struct yoloface_face {
  double x, y, width, height; /* the box: its left and top edge, and its sides */
  double score;               /* from 0 to 1 */
  int32_t has_landmarks;      /* 1, or 0 where the model finds none: the points then are 0 */
  int32_t is_upside_down;     /* 1 where a second look found so, and the landmarks are wrong */
  yoloface_point right_eye, left_eye, nose, right_mouth, left_mouth;
} yoloface_face;

/* A picture in memory, the top row first, stride bytes from each row to the next; the last one may end with its
 * last pixel. */
typedef struct yoloface_picture {
  const uint8_t *bytes;
  size_t size; /* of the bytes */
  int64_t width, height, stride;
  int32_t format; /* YOLOFACE_RGB and so on */
} yoloface_picture;

/* How faces are searched for. Begin with YOLOFACE_OPTIONS, where all is as usual, and change what is wanted. */
typedef struct yoloface_options {
  size_t size;              /* sizeof(yoloface_options) */
  double score_threshold;   /* the lowest score, from 0 to 1; below 0 the usual 0.5 */
  double overlap_threshold; /* the largest intersection over union of two faces, from 0 to 1; below 0 the usual 0.45 */
  int64_t long_side;        /* of the network's input, in pixels; 0: 640 or the only size that it takes */
  const char *effort;       /* "once", "checked", "refined" or "thorough", as --effort of the tool; NULL: "once" */
} yoloface_options;
#define YOLOFACE_OPTIONS {sizeof(yoloface_options), -1, -1, 0, NULL}

/* A detector, to be closed; 0 on failure. With param and bin, the paths of a network in ncnn's format, and recipe,
 * the path of a recipe in JSON or NULL for that of the network's family; with neither, the embedded model in a
 * precision. One detection uses as many threads, from 1 to 256. */
uint64_t yoloface_detector_open(
    const char *param, const char *bin, const char *recipe, int32_t precision, int32_t threads);

/* Writes the faces in a picture, the best first, and no more than there is room for. Options may be NULL, face_size
 * is sizeof(yoloface_face). Returns how many were found, which may be more; -1 on failure. */
int64_t yoloface_detect(
    uint64_t detector, const yoloface_picture *picture, const yoloface_options *options, yoloface_face *faces,
    size_t face_size, int64_t room);

/* A picture from a file in a format that the library reads, PNG at least, turned upright as its Exif data says. To
 * be closed; 0 on failure. */
uint64_t yoloface_picture_open(const char *path);

/* The same from the bytes of such a file. */
uint64_t yoloface_picture_decode(const uint8_t *bytes, size_t size);

/* Writes where the picture's pixels are, as YOLOFACE_RGB. They stay until it is closed. Returns 0, or -1 on
 * failure. */
int32_t yoloface_picture_pixels(uint64_t picture, yoloface_picture *pixels);

/* ---- Any network ---- */

/* Numbers with one to four axes, the outermost first, the last one running fastest. */
typedef struct yoloface_tensor {
  const char *name; /* of the blob, at most 255 bytes */
  const float *values;
  size_t count; /* of the values: the product of the shape's sizes */
  int64_t shape[4];
  int32_t axes; /* how many sizes of the shape count */
} yoloface_tensor;

/* A network in ncnn's format, to be closed, or the embedded one where both paths are NULL; 0 on failure. */
uint64_t yoloface_network_open(const char *param, const char *bin, int32_t threads);

/* Which of a network's blobs. */
enum { YOLOFACE_INPUTS = 0, YOLOFACE_OUTPUTS = 1, YOLOFACE_ALL_BLOBS = 2 };

/* The name of a network's blob by its number from 0 on; NULL beyond the last, or on failure. Stays until the network
 * is closed. */
const char *yoloface_network_blob(uint64_t network, int32_t which, int64_t number);

/* Runs a network for the blobs of these names, each input given once. Returns a run, to be closed; 0 on failure. */
uint64_t yoloface_network_run(
    uint64_t network, const yoloface_tensor *inputs, int64_t input_count, const char *const *wanted,
    int64_t wanted_count);

/* Writes the blob that was asked for at this place. Its name and values stay until the run is closed. Returns 0, or
 * -1 on failure. */
int32_t yoloface_run_blob(uint64_t run, int64_t place, yoloface_tensor *blob);

#ifdef __cplusplus
}
#endif

#endif
