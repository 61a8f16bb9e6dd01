import {
  SHARED_MEMORY,
  type ArrayKernel,
  type Engine,
  type GridSizes,
  type Lane,
  type LaunchArgument,
} from '../array/engine.ts';
import type { Given } from './argument.ts';
import type { CSource, KernelPart } from './emit/c-source.ts';
import { strideAt } from '../array/layout.ts';

/** A kernel for one combination of types, built on one engine. */
export interface Specialization {
  readonly source: CSource;
  readonly kernel: ArrayKernel;
}

/** A host array on the device for one launch. */
interface Guest {
  readonly host: Uint8Array;
  readonly memory: ReturnType<Engine['allocate']>;
}

/**
 * Launch with arguments that were looked at. Host arrays are copied there, and those that the kernel writes back.
 *
 * Host: blocks where an array of the host is written.
 */
export function launch(
  { source, kernel }: Specialization,
  engine: Engine,
  lane: Lane,
  sizes: GridSizes,
  given: readonly Given[],
): void {
  const guests = new Map<number, Guest>();
  try {
    const args = source.parts.map((part) =>
      part.kind === 'shared' ? SHARED_MEMORY : argumentOf(part, given[part.index] as Given, engine, lane, guests),
    );
    kernel.launchGrid(lane, sizesOf(source, sizes), args, writtenMemories(source));
    for (const [index, { host, memory }] of guests) {
      if (source.written[index] === true && host.length > 0) engine.read(memory, 0, host, lane);
    }
  } finally {
    for (const { memory } of guests.values()) memory.handle.release();
  }
}

/** The sizes of a launch, which a kernel that waits for its whole grid adds its own to. */
export function sizesOf({ isCooperative }: CSource, sizes: GridSizes): GridSizes {
  return isCooperative ? { ...sizes, cooperative: true } : sizes;
}

/** Which of a kernel's memories, in their order, are written. */
export function writtenMemories({ parts, written }: CSource): readonly boolean[] {
  return parts.flatMap((part) => (part.kind === 'memory' ? [written[part.index] === true] : []));
}

function argumentOf(
  part: Exclude<KernelPart, { kind: 'shared' }>,
  given: Given,
  engine: Engine,
  lane: Lane,
  guests: Map<number, Guest>,
): LaunchArgument {
  if (part.kind === 'value') {
    let value = given.kind === 'value' ? given.value : 0;
    for (const name of part.path) value = (value as Readonly<Record<string, unknown>>)[name];
    return numberOf(value, part.type.name);
  }
  if (given.kind !== 'array') throw new TypeError('An array must stand here');
  const { layout } = given;
  if (part.kind === 'extent') return layout.shape[part.axis] as number;
  if (part.kind === 'stride') return strideAt(layout.strides, part.axis);
  if (part.kind === 'offset') return layout.offset;
  if (given.memory) return given.memory;
  const { buffer, byteOffset, byteLength } = given.host as ArrayBufferView;
  const host = new Uint8Array(buffer, byteOffset, byteLength);
  // No device has memory of no bytes.
  const memory = engine.allocate(Math.max(4, Math.ceil(byteLength / 4) * 4), lane);
  guests.set(part.index, { host, memory });
  if (byteLength > 0) engine.write(memory, 0, host, lane);
  return memory;
}

function numberOf(value: unknown, type: string): number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return type === 'bool' ? (value ? 1 : 0) : (value as number | bigint);
}
