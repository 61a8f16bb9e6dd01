import { MemObjectType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { Code } from './code.ts';
import type { Command } from './event.ts';
import type { ClMemory } from './memory.ts';
import { hostBytes } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import type { OpenCLState } from './state.ts';
import { copyWithin, fillWith, isPattern } from './transfer.ts';

/** The command that copies between buffers, or why it is refused. */
export function copyBuffer(
  state: OpenCLState,
  queue: ClQueue,
  from: ClMemory,
  to: ClMemory,
  [fromOffset, toOffset]: readonly [number, number],
  size: number,
): Command | number {
  if (fromOffset + size > from.byteLength || toOffset + size > to.byteLength) return Code.INVALID_VALUE;
  const [source, target] = [from.address + fromOffset, to.address + toOffset];
  if (Math.abs(source - target) < size) return Code.MEM_COPY_OVERLAP;
  return { memory: [from, to], submit: () => copyWithin(state, queue.context, target, source, size) };
}

/** The command that fills a part of a buffer with a pattern, or why it is refused. */
export function fillBuffer(
  state: OpenCLState,
  queue: ClQueue,
  memory: ClMemory,
  pattern: Out,
  patternSize: number,
  offset: number,
  size: number,
): Command | number {
  if (pattern === 0n || !isPattern(patternSize)) return Code.INVALID_VALUE;
  if (offset + size > memory.byteLength || offset % patternSize !== 0 || size % patternSize !== 0) {
    return Code.INVALID_VALUE;
  }
  const bytes = hostBytes(pattern, patternSize)?.slice();
  if (!bytes) return Code.INVALID_VALUE;
  const to = memory.address + offset;
  return { memory: [memory], submit: () => fillWith(state, queue.context, to, size, bytes) };
}

/** Make a command with a buffer of the queue's context. */
export function withBuffer(
  state: OpenCLState,
  queue: ClQueue,
  handle: bigint,
  run: (memory: ClMemory) => Command | number,
): Command | number {
  const memory = state.memories.find(handle);
  if (memory?.type !== MemObjectType.BUFFER) return Code.INVALID_MEM_OBJECT;
  return memory.context === queue.context ? run(memory) : Code.INVALID_CONTEXT;
}
