import { nanoseconds } from './clock.ts';
import { Slot } from './control.ts';
import type { MemoryGuard } from './guard.ts';
import { FaultKind, goesOn, hasAddress, hasStates, KernelFault, Reason, statusOf } from './fault.ts';
import { noteFinding, type Running } from './finding.ts';
import { DeviceHeap } from './heap.ts';
import type { PrintBuffer } from './print-buffer.ts';
import { formatPrint, textAt, type PrintMemory } from './printf.ts';
import type { HostFunctions } from './program.ts';

const LONGEST_SLEEP_MS = 1;
/** A kernel that continues after findings may never end: after this many, its blocks are ended. */
const MAX_FINDINGS = 5000;

/** The state of the functions that kernels import. */
export interface HostState {
  readonly control: Int32Array;
  readonly prints: PrintBuffer;
  /** The whole memory at its present size. */
  readonly memory: () => PrintMemory;
  /** The tables of the checked mode; undefined where it is off. */
  readonly guard: () => MemoryGuard | undefined;
  readonly running: Running;
  /**
   * The start of the variable that contains an address, or that the latest access missed: the form of `FindingNote`.
   */
  readonly baseOf: (address: bigint) => bigint;
}

/** The functions that kernels import. */
export function hostFunctions(state: HostState): HostFunctions {
  const { control, prints, memory, guard } = state;
  const words = (): Uint32Array => {
    const { bytes } = memory();
    return new Uint32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
  };
  const heap = new DeviceHeap(control, words);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  return {
    printf: (format: bigint, list: bigint): number => {
      const { text, directives } = formatPrint(memory(), address(format), address(list));
      prints.write(text);
      return directives;
    },
    assertion: (expression: bigint, file: bigint, line: number, name: bigint, ...place: number[]): void => {
      failAssertion(state, [expression, file, name], line, place);
    },
    clock: nanoseconds,
    sleep: (time: number): void => {
      Atomics.wait(sleeper, 0, 0, Math.min(LONGEST_SLEEP_MS, (time >>> 0) / 1e6));
    },
    deep: (): never => {
      throw new RangeError('The stack of a kernel is full');
    },
    malloc: (bytes: bigint): bigint => {
      const found = heap.allocate(Number(bytes));
      if (found !== 0) guard()?.give(found, Number(bytes), 'global');
      return BigInt(found);
    },
    free: (pointer: bigint): void => {
      heap.release(address(pointer), (byteLength) => guard()?.take(address(pointer), byteLength));
    },
    fault: (kind: number, pointer: bigint, detail: bigint, site: number): void => {
      const states = hasStates(kind) ? words() : undefined;
      noteFault(state, kind, pointer, detail, site, states);
    },
  };
}

/** Print a failed assertion, note it, and end the kernel. */
function failAssertion(
  { control, prints, memory, running }: HostState,
  texts: readonly [expression: bigint, file: bigint, name: bigint],
  line: number,
  place: readonly number[],
): never {
  const seen = memory();
  const [expression, file, name] = texts.map((pointer) => textAt(seen, address(pointer)));
  const [block, thread] = [place.slice(0, 3), place.slice(3)].map((index) => index.map((at) => at >>> 0));
  const whereabouts = `block: [${block?.join() ?? ''}], thread: [${thread?.join() ?? ''}]`;
  prints.write(`${file}:${line >>> 0}: ${name}: ${whereabouts} Assertion \`${expression}\` failed.\n`, true);
  const status = statusOf(FaultKind.ASSERTION);
  noteFinding(control, running, {
    kind: FaultKind.ASSERTION,
    status,
    detail: BigInt(line),
    block: linear(control, block, running.command + Slot.GRID),
    thread: linear(control, thread, running.command + Slot.BLOCK),
  });
  throw new KernelFault(status, FaultKind.ASSERTION);
}

/** Note a fault. End the kernel, unless it continues after findings of this kind. */
function noteFault(
  { control, running, baseOf }: HostState,
  kind: number,
  pointer: bigint,
  detail: bigint,
  site: number,
  states: Uint32Array | undefined,
): void {
  const status = statusOf(kind);
  const wide = BigInt.asUintN(64, detail);
  noteFinding(control, running, {
    kind,
    status,
    address: pointer,
    detail,
    site: site === -1 ? undefined : site & 0xffff,
    otherSite: site >>> 16 === 0 || site === -1 ? undefined : (site >>> 16) - 1,
    reason: kind === FaultKind.TRAP ? Reason.TRAP : undefined,
    thread: Number(wide & 1023n),
    block: Number((wide >> 10n) & 0x7fff_ffffn),
    other: Number(wide >> 41n),
    states,
    base: hasAddress(kind) ? baseOf(pointer) : undefined,
  });
  const on = running.report && goesOn(kind) && ++running.findings < MAX_FINDINGS;
  if (!on) throw new KernelFault(status, kind);
}

/** The linear index of three indices. The sizes are words of the control block. */
function linear(control: Int32Array, [x = 0, y = 0, z = 0]: readonly number[] = [], sizes: number): number {
  return x + (control[sizes] as number) * (y + (control[sizes + 1] as number) * z);
}

function address(pointer: bigint): number {
  return Number(BigInt.asUintN(32, pointer));
}
