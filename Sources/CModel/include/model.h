// SPDX-License-Identifier: Apache-2.0

// The files of the default model in `Models`, which the compiler copies into the library.

#ifndef CMODEL_MODEL_H
#define CMODEL_MODEL_H

#include <stddef.h>

struct ModelFile {
  const unsigned char *bytes;
  size_t count;
};

struct ModelFile yoloface_fp32_param(void);
struct ModelFile yoloface_fp32_bin(void);
struct ModelFile yoloface_int8_param(void);
struct ModelFile yoloface_int8_bin(void);

#endif
