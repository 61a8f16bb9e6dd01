import type { CpuProgram, CpuSite } from '../program.ts';
import { Finding, findingBase, Word } from './control.ts';
import { locked } from './lock.ts';

/** What a kernel did wrong. */
export interface EngineFinding {
  /** A `FaultKind`. */
  readonly kind: number;
  /** What it made of its context. */
  readonly status: number;
  readonly address: bigint;
  /** What the kind says besides. */
  readonly detail: bigint;
  /** The number of its place in the program's list, or -1. */
  readonly site: number;
  readonly place: CpuSite | undefined;
  readonly program: CpuProgram | undefined;
  /** The kernel's symbol. */
  readonly kernel: string | undefined;
  /** By which the engine knows the context. */
  readonly context: number;
  /** The first block of those that the worker was given at once; the block of the finding is at most a few further. */
  readonly firstBlock: number;
}

/** Take the findings out of the control block. */
export function takeFindings(
  control: Int32Array,
  programOf: (id: number) => CpuProgram | undefined,
): readonly EngineFinding[] {
  if (Atomics.load(control, Word.FAULTS) === 0) return [];
  return locked(control, Word.FAULT_LOCK, () => {
    const findings: EngineFinding[] = [];
    const count = Atomics.load(control, Word.FAULTS);
    for (let i = 0; i < count; i++) {
      const base = findingBase(i);
      const word = (at: number): number => control[base + at] as number;
      const program = programOf(word(Finding.PROGRAM));
      const site = word(Finding.SITE);
      findings.push({
        kind: word(Finding.KIND),
        status: word(Finding.STATUS),
        address: wide(word(Finding.ADDRESS), word(Finding.ADDRESS + 1)),
        detail: wide(word(Finding.DETAIL), word(Finding.DETAIL + 1)),
        site,
        place: program?.sites[site],
        program,
        kernel: program?.kernels[word(Finding.KERNEL)]?.symbol,
        context: word(Finding.CONTEXT),
        firstBlock: word(Finding.FIRST_BLOCK) >>> 0,
      });
    }
    Atomics.store(control, Word.FAULTS, 0);
    return findings;
  });
}

function wide(low: number, high: number): bigint {
  return BigInt.asUintN(64, (BigInt(high) << 32n) | BigInt(low >>> 0));
}
