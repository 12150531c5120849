// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The seconds of a clock that never goes back.
#ifdef __wasm__
__attribute__((import_module("host"), import_name("seconds")))
#endif
double hostSeconds(void);
