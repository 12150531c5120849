// Tells the thread sanitizer of Swift's Mutex what it cannot see.
//
// A Mutex that nobody else holds is taken by code in the caller, which the sanitizer knows. One that
// somebody holds is taken, and given up, by the kernel on behalf of functions in Swift's own library,
// which was not built for the sanitizer: every state behind such a Mutex would look like a race. These
// functions of the same names come before the library's (LD_PRELOAD), call them, and say what they
// did. Where a later Swift has others, they are never called, and the false alarms come back.

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
