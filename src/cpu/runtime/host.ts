import { nanoseconds } from './clock.ts';
import { Finding, findingBase, MAX_FINDINGS, Word } from './control.ts';
import { DeviceHeap } from './heap.ts';
import { locked } from './lock.ts';
import type { PrintBuffer } from './print-buffer.ts';
import { formatPrint, textAt, type PrintMemory } from './printf.ts';
import type { HostFunctions } from './program.ts';

/** What `rt.fault` is called for. */
export const FaultKind = {
  OUT_OF_BOUNDS: 1,
  SHARED_RACE: 2,
  DIVERGENT_BARRIER: 3,
  WARP_DEADLOCK: 4,
  MISALIGNED: 5,
  UNINITIALIZED: 6,
  GLOBAL_RACE: 7,
  ASSERTION: 8,
  TRAP: 9,
  USE_AFTER_FREE: 10,
  NULL: 11,
  RECURSIVE_BARRIER: 12,
} as const;

const ILLEGAL_ADDRESS = 700;
const ASSERT = 710;
const MISALIGNED_ADDRESS = 716;
const LAUNCH_FAILED = 719;
const LONGEST_SLEEP_MS = 1;

/** What ends a kernel: the context's status from then on. */
export class KernelFault extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`CUDA status ${status}`);
    this.status = status;
  }
}

/** The command that a thread runs now. */
export interface Running {
  program: number;
  kernel: number;
  context: number;
  firstBlock: number;
}

/** What the functions below work on. */
export interface HostState {
  readonly control: Int32Array;
  readonly prints: PrintBuffer;
  /** All of the memory, as it is now. */
  readonly memory: () => PrintMemory;
  /** Findings are kept, and the kernel goes on where it can. */
  readonly report: boolean;
  readonly running: Running;
}

/** The functions that kernels import. */
export function hostFunctions(state: HostState): HostFunctions {
  const { control, prints, memory } = state;
  const heap = new DeviceHeap(control, () => {
    const { bytes } = memory();
    return new Uint32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
  });
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  return {
    printf: (format: bigint, list: bigint): number => {
      const { text, directives } = formatPrint(memory(), address(format), address(list));
      prints.write(text);
      return directives;
    },
    assertion: (expression: bigint, file: bigint, line: number, name: bigint, ...place: number[]): void => {
      const seen = memory();
      const [what, where, who] = [expression, file, name].map((pointer) => textAt(seen, address(pointer)));
      const [block, thread] = [place.slice(0, 3), place.slice(3)].map((index) => index.map((at) => at >>> 0).join());
      const message = `${where}:${line >>> 0}: ${who}: block: [${block}], thread: [${thread}] Assertion \`${what}\` failed.`;
      prints.write(`${message}\n`, true);
      find(state, FaultKind.ASSERTION, ASSERT, 0n, BigInt(line), -1);
      throw new KernelFault(ASSERT);
    },
    clock: nanoseconds,
    sleep: (time: number): void => {
      Atomics.wait(sleeper, 0, 0, Math.min(LONGEST_SLEEP_MS, (time >>> 0) / 1e6));
    },
    malloc: (bytes: bigint): bigint => BigInt(heap.allocate(Number(bytes))),
    free: (pointer: bigint): void => heap.release(address(pointer)),
    fault: (kind: number, pointer: bigint, detail: bigint, site: number): void => {
      const status = statusOf(kind);
      find(state, kind, status, pointer, detail, site);
      if (!state.report || !goesOn(kind)) throw new KernelFault(status);
    },
  };
}

function address(pointer: bigint): number {
  return Number(BigInt.asUintN(32, pointer));
}

function statusOf(kind: number): number {
  switch (kind) {
    case FaultKind.OUT_OF_BOUNDS:
    case FaultKind.USE_AFTER_FREE:
    case FaultKind.NULL:
      return ILLEGAL_ADDRESS;
    case FaultKind.MISALIGNED:
      return MISALIGNED_ADDRESS;
    case FaultKind.ASSERTION:
      return ASSERT;
    default:
      return LAUNCH_FAILED;
  }
}

/** After these a kernel can go on, if somebody wants a list of all that there is. */
function goesOn(kind: number): boolean {
  const { SHARED_RACE, GLOBAL_RACE, UNINITIALIZED, MISALIGNED } = FaultKind;
  return ([SHARED_RACE, GLOBAL_RACE, UNINITIALIZED, MISALIGNED] as number[]).includes(kind);
}

/** Note a finding for the main thread. Where it does not come to read them, the first ones stay. */
export function find(
  { control, running }: Pick<HostState, 'control' | 'running'>,
  kind: number,
  status: number,
  pointer: bigint,
  detail: bigint,
  site: number,
): void {
  locked(control, Word.FAULT_LOCK, () => {
    const count = Atomics.load(control, Word.FAULTS);
    if (count >= MAX_FINDINGS) return;
    const base = findingBase(count);
    control[base + Finding.KIND] = kind;
    control[base + Finding.STATUS] = status;
    control[base + Finding.ADDRESS] = Number(BigInt.asIntN(32, pointer));
    control[base + Finding.ADDRESS + 1] = Number(BigInt.asIntN(32, pointer >> 32n));
    control[base + Finding.DETAIL] = Number(BigInt.asIntN(32, detail));
    control[base + Finding.DETAIL + 1] = Number(BigInt.asIntN(32, detail >> 32n));
    control[base + Finding.SITE] = site;
    control[base + Finding.PROGRAM] = running.program;
    control[base + Finding.KERNEL] = running.kernel;
    control[base + Finding.CONTEXT] = running.context;
    control[base + Finding.FIRST_BLOCK] = running.firstBlock;
    Atomics.store(control, Word.FAULTS, count + 1);
  });
}
