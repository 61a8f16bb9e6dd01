typedef struct { float x; int2 y; } Pair;
constant float table[3] = {1, 2, 3};
global int runs = 5;

float across(local float *tile, int i) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return tile[i];
}

// Local variables and arguments, a struct by value, a barrier in a function, constants.
kernel void mixed(global const float *in, global float *out, local float *room, Pair pair, local int *more) {
  local float tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i];
  room[l] = 2 * in[i];
  more[l] = l;
  out[i] = across(tile, 63 - l) + room[63 - l] + table[i % 3] + pair.x + pair.y.y + more[63 - l];
}

kernel void count(global int *out) { out[0] = runs++; }

kernel void print(float4 v) {
  printf("%d %s %.1v4hlf %v4hhd|%v2ld|%v3hx|%5.2f\n", 42, "text", v, (char4)(1, -2, 3, 4), (long2)(1L << 40, -1),
         (ushort3)(1, 2, 65535), 3.14159f);
}

// Twenty numbers of each work-item.
kernel void where(global ulong *out) {
  global ulong *p = out + 20 * get_global_linear_id();
  for (uint d = 0; d < 3; d++) {
    p[d] = get_global_id(d);
    p[3 + d] = get_local_id(d);
    p[6 + d] = get_group_id(d);
    p[9 + d] = get_local_size(d);
    p[12 + d] = get_num_groups(d);
    p[15 + d] = get_global_size(d);
  }
  p[18] = get_work_dim();
  p[19] = get_global_offset(1) * 100 + get_enqueued_local_size(0) * 10 + get_local_linear_id();
}

kernel void outside(global ulong *out) {
  out[0] = get_global_id(3) + get_local_id(7) + get_group_id(3) + get_global_offset(9);
  out[1] = get_global_size(3) * get_local_size(4) * get_num_groups(5) * get_enqueued_local_size(6);
}

kernel void together(global int *out, global float *floats) {
  int i = get_global_id(0);
  global int *p = out + 12 * i;
  p[0] = work_group_reduce_add(i);
  p[1] = work_group_scan_exclusive_add(i);
  p[2] = work_group_scan_inclusive_max(i % 7);
  p[3] = work_group_broadcast(i, 3);
  p[4] = work_group_any(i == 5);
  p[5] = work_group_all(i < 40);
  p[6] = sub_group_reduce_max(i);
  p[7] = sub_group_scan_inclusive_add(1);
  p[8] = sub_group_broadcast(i, 2);
  p[9] = get_num_sub_groups() * 100 + get_sub_group_size();
  p[10] = get_sub_group_id() * 100 + get_sub_group_local_id();
  p[11] = sub_group_all(get_sub_group_id() == 0) * 10 + sub_group_any(i == 40);
  floats[i] = work_group_reduce_min((float)i - 2) + (float)work_group_scan_exclusive_min((double)i);
}

kernel void copies(global float4 *a, global float *b, local float4 *tile) {
  event_t event = async_work_group_copy(tile, (global const float4 *)a, 16, 0);
  wait_group_events(1, &event);
  b[get_local_id(0)] = tile[15 - get_local_id(0)].y;
  event = async_work_group_strided_copy((global float *)a, (local const float *)tile, 8, 2, 0);
  wait_group_events(1, &event);
  prefetch(b, 16);
}

kernel void spaces(global int *out, local int *room) {
  int own = 1;
  local int tile[1];
  int *to_out = out, *to_room = room, *to_tile = tile;
  out[0] = to_global(to_out) == out && to_local(to_out) == 0;
  out[1] = to_local(to_room) == room && to_local(to_tile) == tile && to_global(to_tile) == 0;
  out[2] = to_private(&own) == &own && to_local(&own) == 0;
  out[3] = get_fence(to_room) == CLK_LOCAL_MEM_FENCE && get_fence(to_out) == CLK_GLOBAL_MEM_FENCE;
}

// Kernels are functions too.
kernel void twice(global int *out) {
  count(out);
  count(out + 1);
}

__attribute__((reqd_work_group_size(8, 4, 2), vec_type_hint(uint4))) kernel void described(
    global const volatile float *restrict a, constant int *b, local short *c, read_only image2d_t d,
    write_only image2d_array_t e, sampler_t f, uchar3 g, Pair h, double16 k) {}
__attribute__((work_group_size_hint(16, 1, 1))) kernel void hinted(read_write image3d_t a, half4 b) {}
