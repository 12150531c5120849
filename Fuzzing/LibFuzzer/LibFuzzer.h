// SPDX-License-Identifier: Apache-2.0

/// What libFuzzer offers, which comes with the compiler's option -sanitize=fuzzer:
/// https://llvm.org/docs/LibFuzzer.html

#ifndef LIBFUZZER_H
#define LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// The fuzzer provides this: it takes one input and returns 0.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerRunDriver(
  int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

/// Makes up inputs as the arguments say; on a finding it ends the process. libFuzzer
/// has a main function that does the same, but the package manager puts the executable's own in its
/// place.
static inline int run_fuzzer(int argc, char **argv) {
  return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput);
}

#endif
