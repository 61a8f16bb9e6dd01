// cuda::pipeline: a ring of stages that producers fill and consumers empty. Each stage has two barriers: one that the
// producers of its contents have arrived at, and one that its consumers have.
#ifndef RAWKERNEL_PIPELINE_TYPE_H
#define RAWKERNEL_PIPELINE_TYPE_H

#include "async_copies.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope scope> struct __rk_stage {
  barrier<scope> full, empty;
};

/// The stages of a pipeline, in shared memory.
template <thread_scope scope, unsigned char stages> class pipeline_shared_state {
public:
  __rk_stage<scope> __stages[stages];
  unsigned __producers;
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

/// A thread's place in a pipeline.
template <thread_scope scope> class pipeline {
  __rk_stage<scope> *ring = nullptr;
  unsigned stages = 1, produced = 0, consumed = 0;
  bool fills = true, empties = true;

  __RK_HERE static bool reached(unsigned phase, unsigned wanted) { return (int)((phase - wanted) << 8) >= 0; }

public:
  pipeline() = default;
  __RK_HERE pipeline(__rk_stage<scope> *ring, unsigned stages, bool fills, bool empties)
      : ring(ring), stages(stages), fills(fills), empties(empties) {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  // The contents before these have been consumed.
  __RK_HERE void producer_acquire() {
    if (!ring || !fills) return;
    __rk_stage<scope> &stage = ring[produced % stages];
    unsigned turn = produced / stages;
    if (turn == 0) return;
    __rk_wait_until(true, [&] { return reached(stage.empty.__phase(), turn); });
  }
  __RK_HERE void producer_commit() {
    if (!ring || !fills) return;
    ring[produced++ % stages].full.arrive();
  }
  __RK_HERE void consumer_wait() {
    if (!ring || !empties) return;
    __rk_stage<scope> &stage = ring[consumed % stages];
    unsigned turn = consumed / stages;
    __rk_wait_until(true, [&] { return reached(stage.full.__phase(), turn + 1); });
  }
  __RK_HERE void consumer_release() {
    if (!ring || !empties) return;
    ring[consumed++ % stages].empty.arrive();
  }
};

/// A pipeline of the thread alone: its copies are done when they return.
__RK_HERE inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

// The threads of the group meet twice: before the stages are made, and after.
template <class Group, thread_scope scope, unsigned char stages>
__RK_HERE pipeline<scope> __rk_make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state,
                                             unsigned producers, unsigned consumers, bool fills, bool empties) {
  group.sync();
  if (group.thread_rank() == 0) {
    for (int i = 0; i < stages; i++) {
      init(&state->__stages[i].full, producers);
      init(&state->__stages[i].empty, consumers);
    }
  }
  group.sync();
  return pipeline<scope>(state->__stages, stages, fills, empties);
}
/// All threads of the group fill and empty the stages.
template <class Group, thread_scope scope, unsigned char stages>
__RK_HERE pipeline<scope> make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state) {
  unsigned all = (unsigned)group.size();
  return __rk_make_pipeline(group, state, all, all, true, true);
}
/// The first threads of the group fill the stages, the others empty them.
template <class Group, thread_scope scope, unsigned char stages>
__RK_HERE pipeline<scope> make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state,
                                        size_t producers) {
  bool fills = group.thread_rank() < producers;
  return __rk_make_pipeline(group, state, (unsigned)producers, (unsigned)(group.size() - producers), fills, !fills);
}
/// Each thread says what it does.
template <class Group, thread_scope scope, unsigned char stages>
__RK_HERE pipeline<scope> make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state,
                                        pipeline_role role) {
  bool fills = role == pipeline_role::producer;
  group.sync();
  if (group.thread_rank() == 0) state->__producers = 0;
  group.sync();
  if (fills) __atomic_fetch_add(&state->__producers, 1u, __ATOMIC_SEQ_CST);
  group.sync();
  unsigned producers = state->__producers;
  return __rk_make_pipeline(group, state, producers, (unsigned)group.size() - producers, fills, !fills);
}

/// Waits for all but the latest commits of the thread: its copies are done already.
template <unsigned char prior> __RK_HERE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {}
/// The barrier's phase waits for the thread's copies, which are done already.
template <thread_scope scope>
__RK_HERE void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<scope> &) {}

}

#endif
