import { warn } from '../core/errors.ts';
import type { HostMemory } from '../core/host-memory.ts';
import { bytesOf } from './argument.ts';

const said = new Set<string>();

/**
 * Memory of the host with room for as many bytes as a call wants. node-opencl wrote and read behind the end of an array
 * that is too short, and programs got away with it; here they get bytes of their own, and a warning.
 */
export function withRoom(memory: HostMemory, byteLength: number, what: string): HostMemory {
  if (memory.byteLength >= byteLength) return memory;
  if (!said.has(what)) {
    said.add(what);
    warn(
      `${what}: the array has ${memory.byteLength} bytes, the call is about ${byteLength}; the rest reads as 0, and what is written there is lost`,
      'RAWKERNEL_SHORT_ARRAY',
    );
  }
  const whole = new Uint8Array(byteLength);
  whole.set(bytesOf(memory));
  return whole;
}
