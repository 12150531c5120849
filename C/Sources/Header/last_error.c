/* SPDX-License-Identifier: Apache-2.0 */
#include "last_error.h"

#include <string.h>

#include "yoloface.h"

/* Swift has no variables of a thread's own. Room for 2,001 characters. */
static _Thread_local char last[8192];

void remember_last_error(const char *message) {
  size_t length = strnlen(message, sizeof last - 1);
  memcpy(last, message, length);
  last[length] = 0;
}

const char *yoloface_last_error(void) { return last; }
