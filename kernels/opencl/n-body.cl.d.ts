// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/opencl';

declare const source: KernelSource<{
  readonly kick: 'kick(__global float4 *velocities, __global const float4 *bodies, __local float4 *tile, int n, float softening, float dt)';
  readonly drift: 'drift(__global float4 *bodies, __global const float4 *velocities, int n, float dt)';
}>;
export default source;
