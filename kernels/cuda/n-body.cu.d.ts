// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/cuda';

declare const source: KernelSource<{
  readonly kick: 'kick(float4 *velocities, const float4 *bodies, int n, float softening, float dt)';
  readonly drift: 'drift(float4 *bodies, const float4 *velocities, int n, float dt)';
}>;
export default source;
