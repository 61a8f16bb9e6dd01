// Sum of n floats, in two launches of one kernel: the first leaves a sum for each work-group, the second adds those up.
// Groups write each to its own place: the same sizes give the same bits every time.
//
//   reduction(sums, from, n, parts)   from: n floats; sums: a float for each group
//                                     parts: local memory, a float for each work-item of a group
//
// Launch: local [a power of two], global [local * groups]. First some groups for each compute unit, then one group:
// reduction(sum, sums, groups, parts).
//
// The method is the one of Mark Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007): the work-items stride over
// the input, four floats a load, and each group adds up in local memory, half of the items with the other half.

__kernel void reduction(__global float *sums, __global const float *from, int n, __local float *parts)
{
  const int item = get_global_id(0), items = get_global_size(0);
  const int i = get_local_id(0);

  float4 part = 0.0f;
  for (int at = item; at < n / 4; at += items) part += vload4(at, from);
  float sum = (part.x + part.y) + (part.z + part.w);
  // The last ones, where n is no multiple of 4. There may be fewer work-items than they are.
  for (int at = n / 4 * 4 + item; at < n; at += items) sum += from[at];

  parts[i] = sum;
  for (int apart = get_local_size(0) / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) parts[i] += parts[i + apart];
  }
  if (i == 0) sums[get_group_id(0)] = parts[0];
}
