import { warn } from '../core/errors.ts';
import { trueByteLength, type HostMemory } from '../core/host-memory.ts';
import { bytesOf } from './argument.ts';
import { failure } from './failure.ts';

const said = new Set<string>();

/**
 * Host memory with room for as many bytes as a call needs. node-opencl wrote and read past the end of an array that is too
 * short, and programs survived it; here the call gets memory of its own, with a warning.
 */
export function withRoom(memory: HostMemory, byteLength: number, what: string): HostMemory {
  const room = trueByteLength(memory);
  if (room >= byteLength) return memory;
  const whole = roomOf(byteLength, room);
  if (!said.has(what)) {
    said.add(what);
    warn(
      `${what}: the array has ${room} bytes, the call needs ${byteLength}; the rest reads as 0, and writes to it are lost`,
      'RAWKERNEL_SHORT_ARRAY',
    );
  }
  whole.set(bytesOf(memory));
  return whole;
}

function roomOf(byteLength: number, room: number): Uint8Array {
  try {
    return new Uint8Array(byteLength);
  } catch (error) {
    const text = `The array must have ${byteLength} bytes, got ${room}`;
    throw failure('CL_INVALID_VALUE', new RangeError(text, { cause: error }));
  }
}
