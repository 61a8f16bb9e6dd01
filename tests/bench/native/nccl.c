// NCCL's calls in plain loops: what the same work costs a C program. Each function answers with the nanoseconds of one call, or
// with the status of a call that failed, which is below 0.
#include "baseline.h"

// ncclInProgress: a communicator that does not block has a thread for the call.
#define IN_PROGRESS 7
#define FLOAT32 7
#define SUM 0

static struct {
  status (*all_reduce)(const void *, void *, size_t, int, int, void *, void *);
  status (*async_error)(void *, status *);
} nccl;

static status (*synchronize)(void *);

const char *baseline_open(const char *library) {
  const struct symbol wanted[] = {
    {(void **)&nccl.all_reduce, "ncclAllReduce"},
    {(void **)&nccl.async_error, "ncclCommGetAsyncError"},
  };
  const struct symbol driver[] = {{(void **)&synchronize, "cuStreamSynchronize"}};
  const char *missing = open_library(library, wanted, sizeof wanted / sizeof *wanted);
  return missing ? missing : open_library("libcuda.so.1", driver, 1);
}

static status reduce_one(void *comm, void *buffer, size_t count, void *stream) {
  status state = nccl.all_reduce(buffer, buffer, count, FLOAT32, SUM, comm, stream);
  while (state == IN_PROGRESS) {
    status failed = nccl.async_error(comm, &state);
    if (failed) return failed;
  }
  return state;
}

static status reduce_and_wait(void *comm, void *buffer, size_t count, void *stream) {
  status failed = reduce_one(comm, buffer, count, stream);
  return failed ? failed : synchronize(stream);
}

// Calls one behind the other; the host waits at the end.
double queued(void *comm, void *buffer, size_t count, void *stream, int calls) {
  double start = now();
  for (int i = 0; i < calls; i++) {
    status failed = reduce_one(comm, buffer, count, stream);
    if (failed) return failure(failed);
  }
  status failed = synchronize(stream);
  return failed ? failure(failed) : (now() - start) / calls;
}

// The host waits for each call.
double waited(void *comm, void *buffer, size_t count, void *stream, int calls) {
  TIMED(calls, reduce_and_wait(comm, buffer, count, stream));
}
