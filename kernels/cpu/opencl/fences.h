// Memory fences.
FN void mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FN void read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FN void write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
