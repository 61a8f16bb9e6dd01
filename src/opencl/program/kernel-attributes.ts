import { cl, cleanup, withReclaim } from '../call.ts';
import { readInfo } from '../info.ts';
import { KernelInfo } from '../sys/enums.ts';
import type { RawProgram } from './raw-program.ts';

/** Attributes of kernels in sources, by the kernels' names: `reqd_work_group_size(8,1,1)`. */
export type KernelAttributes = ReadonlyMap<string, string>;

/** A text that may have an attribute, or that may include one. */
const MAY_HAVE = /__attribute__|#\s*include/;

/**
 * The attributes of a program's kernels, to be kept beside binaries: those of some drivers (PoCL) do not have them.
 *
 * @param text - its source and options
 */
export function readAttributes(program: RawProgram, kernels: readonly string[], text: string): KernelAttributes {
  const names = MAY_HAVE.test(text) ? kernels : [];
  return new Map(names.map((name) => [name, read(program, name)] as const).filter(([, value]) => value !== ''));
}

/** Attributes in a form for the disk. */
export function attributeBytes(attributes: KernelAttributes): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(attributes)));
}

/** The attributes that {@link attributeBytes} wrote; undefined for other bytes, and for none. */
export function attributesOf(bytes: Uint8Array | undefined): KernelAttributes | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value !== 'object' || value === null) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, text]) => typeof text === 'string') ? new Map(entries as [string, string][]) : undefined;
  } catch {
    return undefined;
  }
}

function read(program: RawProgram, name: string): string {
  const kernel = withReclaim(() => cl.clCreateKernel(program, name));
  try {
    return readInfo(
      KernelInfo,
      cl.clGetKernelInfo.bind(undefined, kernel),
      'ATTRIBUTES',
      undefined,
      'Kernel',
    ) as string;
  } finally {
    cleanup('Kernel', () => cl.clReleaseKernel(kernel));
  }
}
