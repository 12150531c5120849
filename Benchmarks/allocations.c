// SPDX-License-Identifier: Apache-2.0

// Counts the allocations of a process, preloaded into it by Benchmarks/allocations. The replacements
// call the GNU C library's functions by its internal names.

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);

static atomic_long allocations;

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
  count();
  return __libc_calloc(elements, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t elements, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(elements, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  void *result = memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *memory = result;
  return 0;
}

void *valloc(size_t size) {
  count();
  return __libc_valloc(size);
}

void *pvalloc(size_t size) {
  count();
  return __libc_pvalloc(size);
}

__attribute__((destructor)) static void report(void) {
  char text[64];
  int length = snprintf(text, sizeof text, "allocations %ld\n", atomic_load(&allocations));
  if (write(STDERR_FILENO, text, length) != length) _exit(1);
}
