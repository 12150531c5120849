#include "last_error.h"

#include <string.h>

#include "yoloface.h"

/* Swift has no variables of a thread's own. Room for a path of 4,096 bytes and what is wrong with it. */
static _Thread_local char last[8192];

void remember_last_error(const char *message) {
  size_t length = strnlen(message, sizeof last - 1);
  /* Half a character of UTF-8 is none. */
  while (message[length] != 0 && length > 0 && (message[length] & 0xC0) == 0x80) length -= 1;
  memcpy(last, message, length);
  last[length] = 0;
}

const char *yoloface_last_error(void) { return last; }
