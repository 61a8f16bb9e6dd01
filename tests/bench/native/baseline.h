// What the loops of both drivers share: the library's functions by name, a clock, a loop that is timed.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef int status;

struct symbol {
  void **slot;
  const char *name;
};

// Fill the slots; what is missing, or NULL.
static const char *open_library(const char *library, const struct symbol *wanted, size_t count) {
  static char missing[128];
  void *handle = dlopen(library, RTLD_NOW);
  if (!handle) return dlerror();
  for (size_t i = 0; i < count; i++) {
    *wanted[i].slot = dlsym(handle, wanted[i].name);
    if (*wanted[i].slot) continue;
    snprintf(missing, sizeof missing, "%s has no %s", library, wanted[i].name);
    return missing;
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

// What a loop answers instead of a time: a number below 0, whichever sign a driver's statuses have.
static double failure(status failed) { return failed < 0 ? failed : -failed; }

// Run a statement `count` times; the time of one, or the failure.
#define TIMED(count, statement)             \
  double start = now();                     \
  for (int i = 0; i < (count); i++) {       \
    status failed = (statement);            \
    if (failed) return failure(failed);     \
  }                                         \
  return (now() - start) / (count)
