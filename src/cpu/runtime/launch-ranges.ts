import type { CpuKernel, CpuProgram } from '../abi/program.ts';
import { Slot } from './control.ts';
import type { DeviceMemory } from './memory.ts';
import type { LoadedProgram } from './program.ts';

/** When accesses in a range need no further check, as check-whole.cc has it. */
const Counts = { IF_WRITTEN: 0, NEVER: 1, ALWAYS: 2 } as const;
/** Numbers of a range's description: first and last address, when it counts, whether the launch writes none of it. */
const NUMBERS = 4;
const RANGE_BYTES = 8 * NUMBERS;
/** Bytes between the arguments and the ranges, at most, so that these are aligned. */
export const ROOM = 8;

/**
 * What is known, when a kernel is launched, of the memory that its pointers lead to. Memory that the launch does not write
 * cannot be raced on; what was written once needs no look again; and what lies inside of an allocation exists. The decision
 * is for each allocation: another parameter may lead to the same one.
 *
 * @returns a description for each of `reach.parameters`; undefined where there are none
 */
export function rangesFor(
  { parameters, reach }: CpuKernel,
  { program, image }: LoadedProgram,
  args: Uint8Array,
  memory: DeviceMemory,
): Uint8Array | undefined {
  if (!reach || reach.parameters.length === 0) return undefined;
  const view = new DataView(args.buffer, args.byteOffset, args.byteLength);
  const find = (parameter: number): { readonly start: number; readonly end: number } | undefined => {
    const pointer = Number(view.getBigUint64(parameters[parameter]?.offset ?? 0, true));
    const found = memory.find(pointer, 1);
    return found && { start: found.address, end: found.address + found.byteLength };
  };
  // Undefined where it may be any memory. A null pointer leads nowhere. The program's variables are written without one.
  let written = reach.written && new Set([memory.find(image.memoryBase, 1)?.address]);
  for (const parameter of reach.written ?? []) {
    const place = find(parameter);
    if (place) written?.add(place.start);
    else if (view.getBigUint64(parameters[parameter]?.offset ?? 0, true) !== 0n) written = undefined;
  }
  const numbers = new BigUint64Array(NUMBERS * reach.parameters.length);
  for (const [i, parameter] of reach.parameters.entries()) {
    const place = find(parameter);
    const isCalm = place !== undefined && written?.has(place.start) === false;
    const counts = place ? countsIf(program.checked, isCalm, reach.copies) : Counts.NEVER;
    numbers.set([place?.start ?? 0, place?.end ?? 0, counts, isCalm ? 1 : 0].map(BigInt), NUMBERS * i);
  }
  return new Uint8Array(numbers.buffer);
}

function countsIf(checked: CpuProgram['checked'], isCalm: boolean, copies: boolean): number {
  if (checked === 'bounds') return Counts.ALWAYS;
  // Only a copy can take back that something was written.
  const isSteady = checked === 'shared' ? isCalm || !copies : isCalm;
  return isSteady ? Counts.IF_WRITTEN : Counts.NEVER;
}

/** Write the ranges of a launch behind its arguments. */
export function writeRanges(
  memory: DeviceMemory,
  control: Int32Array,
  base: number,
  end: number,
  ranges: Uint8Array | undefined,
): void {
  const address = Math.ceil(end / 8) * 8;
  control[base + Slot.RANGES] = address;
  control[base + Slot.RANGE_COUNT] = ranges ? ranges.length / RANGE_BYTES : 0;
  if (ranges) memory.bytes.set(ranges, address);
}
