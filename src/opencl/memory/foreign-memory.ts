import { cl } from '../call.ts';
import { OpenCLError } from '../errors.ts';
import { readInfo } from '../info.ts';
import { ExternalMemoryHandle, MemInfo } from '../sys/enums.ts';
import type { RawMemory } from './memory-object.ts';

/** The facts about memory of another library, from the driver. */
export interface MemoryFacts {
  readonly type: number;
  /** The context. */
  readonly of: bigint;
  readonly flags: number;
  readonly byteLength: number;
  /** Bytes from the first of the buffer that it is a part of. */
  readonly offset: number;
  readonly external: boolean;
}

/** Ask the driver for all facts. */
export function memoryFacts(raw: RawMemory): MemoryFacts {
  const query = cl.clGetMemObjectInfo.bind(undefined, raw);
  const ask = (name: MemInfo): unknown => readInfo(MemInfo, query, name, undefined, 'Buffer');
  return {
    type: ask('TYPE') as number,
    of: ask('CONTEXT') as bigint,
    flags: Number(ask('FLAGS')),
    byteLength: ask('SIZE') as number,
    offset: ask('OFFSET') as number,
    external: isExternal(() => ask('PROPERTIES') as readonly bigint[]),
  };
}

function isExternal(properties: () => readonly bigint[]): boolean {
  const kinds: readonly number[] = Object.values(ExternalMemoryHandle);
  try {
    return properties().some((name, i) => i % 2 === 0 && kinds.includes(Number(name)));
  } catch (error) {
    // Before OpenCL 3.0 there is no such query, and no such memory.
    if (error instanceof OpenCLError) return false;
    throw error;
  }
}
