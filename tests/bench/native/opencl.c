// OpenCL's calls in plain loops: what the same work costs a C program. Each function answers with the nanoseconds of one
// call, or with the status of a call that failed, which is below 0.
#include "baseline.h"

static struct {
  status (*set_argument)(void *, unsigned, size_t, const void *);
  status (*enqueue)(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned, void *const *, void **);
  status (*finish)(void *);
  status (*wait)(unsigned, void *const *);
  status (*release_event)(void *);
  void *(*create_buffer)(void *, uint64_t, size_t, void *, status *);
  status (*release_memory)(void *);
  status (*write)(void *, void *, unsigned, size_t, size_t, const void *, unsigned, void *const *, void **);
  status (*read)(void *, void *, unsigned, size_t, size_t, void *, unsigned, void *const *, void **);
  status (*copy)(void *, void *, void *, size_t, size_t, size_t, unsigned, void *const *, void **);
  void *(*map)(void *, void *, unsigned, uint64_t, size_t, size_t, unsigned, void *const *, void **, status *);
  status (*unmap)(void *, void *, void *, unsigned, void *const *, void **);
  status (*marker)(void *, unsigned, void *const *, void **);
  void *(*extension)(void *, const char *);
} cl;

// What an extension that is not there answers: CL_INVALID_OPERATION.
#define NO_FUNCTION -59

const char *baseline_open(const char *library) {
  const struct symbol wanted[] = {
    {(void **)&cl.set_argument, "clSetKernelArg"},
    {(void **)&cl.enqueue, "clEnqueueNDRangeKernel"},
    {(void **)&cl.finish, "clFinish"},
    {(void **)&cl.wait, "clWaitForEvents"},
    {(void **)&cl.release_event, "clReleaseEvent"},
    {(void **)&cl.create_buffer, "clCreateBuffer"},
    {(void **)&cl.release_memory, "clReleaseMemObject"},
    {(void **)&cl.write, "clEnqueueWriteBuffer"},
    {(void **)&cl.read, "clEnqueueReadBuffer"},
    {(void **)&cl.copy, "clEnqueueCopyBuffer"},
    {(void **)&cl.map, "clEnqueueMapBuffer"},
    {(void **)&cl.unmap, "clEnqueueUnmapMemObject"},
    {(void **)&cl.marker, "clEnqueueMarkerWithWaitList"},
    {(void **)&cl.extension, "clGetExtensionFunctionAddressForPlatform"},
  };
  return open_library(library, wanted, sizeof wanted / sizeof *wanted);
}

static const size_t items = 32;

// Memory objects and integers behind them, of which the last changes with each launch. `from`: the first to be set.
static status set(void *kernel, const uint64_t *given, int arguments, int pointers, int from, int number) {
  for (int i = from; i < arguments; i++) {
    int value = i == arguments - 1 ? number : (int)given[i];
    const void *argument = i < pointers ? (const void *)&given[i] : &value;
    status failed = cl.set_argument(kernel, i, i < pointers ? sizeof *given : sizeof value, argument);
    if (failed) return failed;
  }
  return 0;
}

// An event is asked for and given back where `event` is set.
static status launch_one(void *queue, void *kernel, int event) {
  if (!event) return cl.enqueue(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
  void *done;
  return cl.enqueue(queue, kernel, 1, NULL, &items, &items, 0, NULL, &done) ?: cl.release_event(done);
}

double launch(void *queue, void *kernel, const uint64_t *given, int arguments, int pointers, int from, int event, int count) {
  TIMED(count, set(kernel, given, arguments, pointers, from, i) ?: launch_one(queue, kernel, event));
}

// Until the last of them has run.
double launches(void *queue, void *kernel, const uint64_t *given, int arguments, int pointers, int event, int count) {
  double start = now();
  double each = launch(queue, kernel, given, arguments, pointers, 0, event, count);
  if (each < 0) return each;
  status failed = cl.finish(queue);
  return failed ? failed : (now() - start) / count;
}

static status await(void *event) { return cl.wait(1, &event) ?: cl.release_event(event); }

static status launch_awaited(void *queue, void *kernel) {
  void *done;
  return cl.enqueue(queue, kernel, 1, NULL, &items, &items, 0, NULL, &done) ?: await(done);
}

double launch_and_wait(void *queue, void *kernel, const uint64_t *given, int arguments, int pointers, int count) {
  TIMED(count, set(kernel, given, arguments, pointers, 0, i) ?: launch_awaited(queue, kernel));
}

static status create_release_one(void *context, uint64_t flags, size_t bytes) {
  status failed;
  void *memory = cl.create_buffer(context, flags, bytes, NULL, &failed);
  return failed ?: cl.release_memory(memory);
}

double create_release(void *context, uint64_t flags, size_t bytes, int count) {
  TIMED(count, create_release_one(context, flags, bytes));
}

// A blocking write (0) or read (1), or a copy between two buffers (2) and its end.
double copy(int direction, void *queue, void *a, void *b, size_t bytes, int count) {
  switch (direction) {
  case 0: { TIMED(count, cl.write(queue, a, 1, 0, bytes, b, 0, NULL, NULL)); }
  case 1: { TIMED(count, cl.read(queue, b, 1, 0, bytes, a, 0, NULL, NULL)); }
  default: { TIMED(count, cl.copy(queue, b, a, 0, 0, bytes, 0, NULL, NULL) ?: cl.finish(queue)); }
  }
}

// Enqueued one behind the other; until the last has ended where `wait` is set.
double copy_async(int direction, void *queue, void *a, void *b, size_t bytes, int count, int wait) {
  double start = now();
  for (int i = 0; i < count; i++) {
    void *done;
    status failed = direction == 0 ? cl.write(queue, a, 0, 0, bytes, b, 0, NULL, &done)
                  : direction == 1 ? cl.read(queue, b, 0, 0, bytes, a, 0, NULL, &done)
                                   : cl.copy(queue, b, a, 0, 0, bytes, 0, NULL, &done);
    failed = failed ?: cl.release_event(done);
    if (failed) return failed;
  }
  double issued = now();
  status failed = cl.finish(queue);
  if (failed) return failed;
  return ((wait ? now() : issued) - start) / count;
}

static status map_unmap_one(void *queue, void *buffer, uint64_t flags, size_t bytes) {
  status failed;
  void *pages = cl.map(queue, buffer, 1, flags, 0, bytes, 0, NULL, NULL, &failed);
  return failed ?: cl.unmap(queue, buffer, pages, 0, NULL, NULL);
}

double map_unmap(void *queue, void *buffer, uint64_t flags, size_t bytes, int count) {
  TIMED(count, map_unmap_one(queue, buffer, flags, bytes));
}

static status marker_one(void *queue, int wait) {
  void *done;
  return cl.marker(queue, 0, NULL, &done) ?: (wait ? await(done) : cl.release_event(done));
}

double marker(void *queue, int wait, int count) { TIMED(count, marker_one(queue, wait)); }

// A recorded command buffer, each time until its end: a device without simultaneous use wants that.
double replay(void *platform, void *queue, void *commands, int count) {
  status (*enqueue)(unsigned, void **, void *, unsigned, void *const *, void **);
  *(void **)&enqueue = cl.extension(platform, "clEnqueueCommandBufferKHR");
  if (!enqueue) return NO_FUNCTION;
  TIMED(count, enqueue(0, NULL, commands, 0, NULL, NULL) ?: cl.finish(queue));
}
