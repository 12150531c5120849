// SPDX-License-Identifier: Apache-2.0

// Informs the thread sanitizer about Swift's Mutex.
//
// A free Mutex is locked by code in the caller, which the sanitizer sees. A contended one is locked and
// unlocked by the kernel on behalf of functions in Swift's own library, which was not built for the
// sanitizer, so all state behind such a Mutex would look like a race. The functions here have the same
// names and come first (LD_PRELOAD); they call the library's and report to the sanitizer. If a later
// Swift renames its functions, these are never called, and the false alarms return.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Null in processes without the sanitizer, such as `swift test` itself.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF
#define TRY_LOCK $s15Synchronization12_MutexHandleV12_tryLockSlowSbyF
#define UNLOCK $s15Synchronization12_MutexHandleV11_unlockSlowyyF
#define QUOTED(name) #name
#define LIBRARY(name) dlsym(RTLD_NEXT, QUOTED(name))

SWIFT void LOCK(uint32_t thread, SELF) {
  SWIFT void (*lock)(uint32_t, SELF) = LIBRARY(LOCK);
  lock(thread, self);
  if (__tsan_acquire != NULL) __tsan_acquire(self);
}

SWIFT bool TRY_LOCK(SELF) {
  SWIFT bool (*try_lock)(SELF) = LIBRARY(TRY_LOCK);
  bool is_locked = try_lock(self);
  if (is_locked && __tsan_acquire != NULL) __tsan_acquire(self);
  return is_locked;
}

SWIFT void UNLOCK(SELF) {
  SWIFT void (*unlock)(SELF) = LIBRARY(UNLOCK);
  if (__tsan_release != NULL) __tsan_release(self);
  unlock(self);
}
