// The driver's calls in plain loops: what the same work costs a C program. Each function answers with the nanoseconds of
// one call, or with minus the driver's status.
#include "baseline.h"

static struct {
  status (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  status (*launch_ex)(const void *, void *, void **, void **);
  status (*graph_launch)(void *, void *);
  status (*synchronize)(void);
  status (*stream_synchronize)(void *);
  status (*alloc)(uint64_t *, size_t);
  status (*release)(uint64_t);
  status (*alloc_async)(uint64_t *, size_t, void *);
  status (*release_async)(uint64_t, void *);
  status (*to_device)(uint64_t, const void *, size_t);
  status (*to_host)(void *, uint64_t, size_t);
  status (*on_device)(uint64_t, uint64_t, size_t);
  status (*to_device_async)(uint64_t, const void *, size_t, void *);
  status (*to_host_async)(void *, uint64_t, size_t, void *);
  status (*on_device_async)(uint64_t, uint64_t, size_t, void *);
  status (*event_create)(void **, unsigned);
  status (*event_destroy)(void *);
  status (*event_record)(void *, void *);
  status (*event_elapsed)(float *, void *, void *);
  status (*stream_create)(void **, unsigned);
  status (*stream_destroy)(void *);
  status (*module_load)(void **, const void *);
  status (*module_unload)(void *);
} cu;

const char *baseline_open(const char *library) {
  const struct symbol wanted[] = {
    {(void **)&cu.launch, "cuLaunchKernel"},
    {(void **)&cu.launch_ex, "cuLaunchKernelEx"},
    {(void **)&cu.graph_launch, "cuGraphLaunch"},
    {(void **)&cu.synchronize, "cuCtxSynchronize"},
    {(void **)&cu.stream_synchronize, "cuStreamSynchronize"},
    {(void **)&cu.alloc, "cuMemAlloc_v2"},
    {(void **)&cu.release, "cuMemFree_v2"},
    {(void **)&cu.alloc_async, "cuMemAllocAsync"},
    {(void **)&cu.release_async, "cuMemFreeAsync"},
    {(void **)&cu.to_device, "cuMemcpyHtoD_v2"},
    {(void **)&cu.to_host, "cuMemcpyDtoH_v2"},
    {(void **)&cu.on_device, "cuMemcpyDtoD_v2"},
    {(void **)&cu.to_device_async, "cuMemcpyHtoDAsync_v2"},
    {(void **)&cu.to_host_async, "cuMemcpyDtoHAsync_v2"},
    {(void **)&cu.on_device_async, "cuMemcpyDtoDAsync_v2"},
    {(void **)&cu.event_create, "cuEventCreate"},
    {(void **)&cu.event_destroy, "cuEventDestroy_v2"},
    {(void **)&cu.event_record, "cuEventRecord"},
    {(void **)&cu.event_elapsed, "cuEventElapsedTime"},
    {(void **)&cu.stream_create, "cuStreamCreate"},
    {(void **)&cu.stream_destroy, "cuStreamDestroy_v2"},
    {(void **)&cu.module_load, "cuModuleLoadData"},
    {(void **)&cu.module_unload, "cuModuleUnload"},
  };
  return open_library(library, wanted, sizeof wanted / sizeof *wanted);
}

// The parameters as C programs hand them on: pointers to variables, of which one changes with each launch.
double launch(void *function, unsigned block, void *stream, int arguments, const uint64_t *given, int count) {
  uint64_t values[16];
  void *pointers[16];
  for (int i = 0; i < arguments; i++) {
    values[i] = given[i];
    pointers[i] = &values[i];
  }
  if (arguments == 0) {
    TIMED(count, cu.launch(function, 1, 1, 1, block, 1, 1, 0, stream, NULL, NULL));
  }
  TIMED(count, (values[arguments - 1] = i, cu.launch(function, 1, 1, 1, block, 1, 1, 0, stream, pointers, NULL)));
}

// The same from a configuration in memory.
double launch_ex(const void *config, void *function, void **extra, int count) {
  TIMED(count, cu.launch_ex(config, function, NULL, extra));
}

static struct {
  const void *config;
  void *function;
  void **extra;
} kept;

// What `launch_kept` launches, which another language calls without arguments: what remains is the call itself.
int keep_launch(const void *config, void *function, void **extra) {
  kept.config = config;
  kept.function = function;
  kept.extra = extra;
  return 0;
}

int launch_kept(void) { return cu.launch_ex(kept.config, kept.function, NULL, kept.extra); }

// Until the last of them has run.
double launches(void *function, unsigned block, void *stream, int arguments, const uint64_t *given, int count) {
  double start = now();
  double each = launch(function, block, stream, arguments, given, count);
  if (each < 0) return each;
  status failed = cu.stream_synchronize(stream);
  return failed ? failure(failed) : (now() - start) / count;
}

double launch_and_wait(void *function, unsigned block, void *stream, int arguments, const uint64_t *given, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    double one = launches(function, block, stream, arguments, given, 1);
    if (one < 0) return one;
    sum += one;
  }
  return sum / count;
}

double graph_launch(void *graph, void *stream, int count) { TIMED(count, cu.graph_launch(graph, stream)); }

double alloc_free(size_t bytes, int count) {
  uint64_t memory;
  TIMED(count, cu.alloc(&memory, bytes) ?: cu.release(memory));
}

double alloc_free_async(size_t bytes, void *stream, int count) {
  uint64_t memory;
  TIMED(count, cu.alloc_async(&memory, bytes, stream) ?: cu.release_async(memory, stream));
}

double event_record(void *event, void *stream, int count) { TIMED(count, cu.event_record(event, stream)); }

double event_create(int count) {
  void *event;
  TIMED(count, cu.event_create(&event, 0) ?: cu.event_destroy(event));
}

double event_elapsed(void *first, void *second, int count) {
  float ms;
  TIMED(count, cu.event_elapsed(&ms, first, second));
}

double stream_create(int count) {
  void *stream;
  TIMED(count, cu.stream_create(&stream, 0) ?: cu.stream_destroy(stream));
}

double module_load(const void *image, int count) {
  void *module;
  TIMED(count, cu.module_load(&module, image) ?: cu.module_unload(module));
}

double copy(int direction, uint64_t a, uint64_t b, size_t bytes, int count) {
  switch (direction) {
  case 0: { TIMED(count, cu.to_device(a, (const void *)b, bytes)); }
  case 1: { TIMED(count, cu.to_host((void *)a, b, bytes)); }
  default: {
    double start = now();
    for (int i = 0; i < count; i++) {
      // Between two places of the device the call does not wait.
      status failed = cu.on_device(a, b, bytes) ?: cu.synchronize();
      if (failed) return failure(failed);
    }
    return (now() - start) / count;
  }
  }
}

// Enqueued one behind the other; until the last has ended where `wait` is set.
double copy_async(int direction, uint64_t a, uint64_t b, size_t bytes, void *stream, int count, int wait) {
  double start = now();
  for (int i = 0; i < count; i++) {
    status failed = direction == 0 ? cu.to_device_async(a, (const void *)b, bytes, stream)
                  : direction == 1 ? cu.to_host_async((void *)a, b, bytes, stream)
                                   : cu.on_device_async(a, b, bytes, stream);
    if (failed) return failure(failed);
  }
  double issued = now();
  status failed = cu.stream_synchronize(stream);
  if (failed) return failure(failed);
  return ((wait ? now() : issued) - start) / count;
}
