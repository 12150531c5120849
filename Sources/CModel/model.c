// SPDX-License-Identifier: Apache-2.0
#include "model.h"

// Not yet part of the language that SwiftPM asks for.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char fp32_param[] = {
#embed "../../Models/yoloface-n-0.5.param"
};
static const unsigned char fp32_bin[] = {
#embed "../../Models/yoloface-n-0.5.bin"
};
static const unsigned char int8_param[] = {
#embed "../../Models/yoloface-n-0.5-int8.param"
};
static const unsigned char int8_bin[] = {
#embed "../../Models/yoloface-n-0.5-int8.bin"
};

struct ModelFile yoloface_fp32_param(void) {
  return (struct ModelFile){fp32_param, sizeof fp32_param};
}
struct ModelFile yoloface_fp32_bin(void) { return (struct ModelFile){fp32_bin, sizeof fp32_bin}; }
struct ModelFile yoloface_int8_param(void) {
  return (struct ModelFile){int8_param, sizeof int8_param};
}
struct ModelFile yoloface_int8_bin(void) { return (struct ModelFile){int8_bin, sizeof int8_bin}; }
