// 192 work-items in groups of 48; each result does not depend on who comes first.
kernel void old(global int *i, global uint *u, global float *f, global long *l, local int *room) {
  int id = get_global_id(0);
  atomic_add(&i[0], id), atomic_sub(&i[1], id), atomic_inc(&i[2]), atomic_dec(&i[3]), atomic_min(&i[4], -id), atomic_max(&i[5], id);
  atomic_and(&i[6], ~(1 << id % 32)), atomic_or(&i[7], 1 << id % 31), atomic_xor(&i[8], id);
  if (id == 7) i[9] = atomic_xchg(&i[10], 99), i[11] = atomic_cmpxchg(&i[12], 0, 5), i[13] = atomic_cmpxchg(&i[12], 0, 6);
  atomic_max(&u[0], 0x80000000u + id), atomic_min(&u[1], (uint)id), atom_add(&u[2], 2u);
  if (id == 9) f[1] = atomic_xchg(&f[0], 2.5f);
  atom_add(&l[0], (long)id << 32), atom_max(&l[1], (long)id << 33), atom_inc(&l[2]), atom_xor(&l[3], (long)id << 20);
  if (id == 0) l[4] = atom_cmpxchg(&l[5], 0L, 1L << 40);
  if (get_local_id(0) == 0) room[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(room);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) i[16 + get_group_id(0)] = room[0];
}

#if __OPENCL_C_VERSION__ >= 200
global atomic_int counter = ATOMIC_VAR_INIT(0);
kernel void modern(global atomic_int *i, global atomic_uint *u, global atomic_long *l, global atomic_float *f,
                   global atomic_double *d, global atomic_flag *flag, global int *seen) {
  int id = get_global_id(0);
  atomic_fetch_add(&i[0], id);
  atomic_fetch_sub_explicit(&i[1], id, memory_order_relaxed);
  atomic_fetch_or_explicit(&i[2], 1 << id % 31, memory_order_acquire, memory_scope_work_group);
  atomic_fetch_xor_explicit(&i[3], id, memory_order_release, memory_scope_device);
  atomic_fetch_and_explicit(&i[4], ~(1 << id % 31), memory_order_acq_rel, memory_scope_all_svm_devices);
  atomic_fetch_min_explicit(&i[5], -id, memory_order_seq_cst, memory_scope_sub_group);
  atomic_fetch_max(&u[0], 0x80000000u + id);
  atomic_fetch_add(&l[0], (long)id << 32);
  for (float old = atomic_load(&f[0]); !atomic_compare_exchange_weak(&f[0], &old, old + 1);) {}
  for (double old = atomic_load(&d[0]);
       !atomic_compare_exchange_strong_explicit(&d[0], &old, old + 2, memory_order_acq_rel, memory_order_relaxed, memory_scope_device);) {}
  atomic_fetch_add(&counter, 1);
  if (!atomic_flag_test_and_set(flag)) atomic_fetch_add((global atomic_int *)&seen[0], 1);
  if (id == 5) {
    int expected = 3;
    atomic_init(&i[8], 4);
    seen[1] = atomic_compare_exchange_strong(&i[8], &expected, 9), seen[2] = expected;
    seen[3] = atomic_compare_exchange_strong(&i[8], &expected, 9), seen[4] = atomic_load_explicit(&i[8], memory_order_acquire);
    atomic_store(&i[9], 12);
    atomic_store_explicit(&i[10], 13, memory_order_release, memory_scope_device);
    seen[5] = atomic_exchange(&i[10], 14);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    seen[6] = atomic_flag_test_and_set_explicit(flag + 1, memory_order_relaxed), atomic_flag_clear(flag + 1);
    seen[7] = atomic_flag_test_and_set(flag + 1);
  }
}
kernel void floating(global atomic_float *f, global atomic_double *d, local atomic_float *room, global float *out) {
  int id = get_global_id(0);
  atomic_fetch_add_explicit(&f[0], id + 0.5f, memory_order_relaxed);
  atomic_fetch_min_explicit(&f[1], -id * 0.5f, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(&d[0], id * 0.25, memory_order_relaxed);
  atomic_fetch_sub_explicit(&d[1], 1.0, memory_order_relaxed);
  if (get_local_id(0) == 0) atomic_store(room, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(room, 2.0f, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = atomic_load(room);
}
kernel void counted(global int *out) { out[0] = atomic_load(&counter); }
#endif
