import { inspect } from 'node:util';
import { SimulationError, structArray, type jit as cudaJit, type JitFunction } from '../../src/cuda/jit/index.ts';
import type { ProgramKernel } from './jit-program-kernel.ts';
import type { HostType, Numbers } from './random-jit-inputs.ts';
import { ulpsBetween } from './jit-ulps.ts';
import { Row, rowDifferences } from './random-jit-records.ts';

/** `jit` of one of the halves. */
export type AnyJit = typeof cudaJit;

const BLOCK = 256;

/** What a comparison of programs found. */
export interface Comparison {
  /** Threads whose results were compared. */
  readonly compared: number;
  /** Threads in which the simulator found a mistake, which the device did not run. */
  readonly failed: number;
  /** What the simulator said of these threads. */
  readonly mistakes: readonly string[];
  /** A text for each program with different results: of the first input that shows it. */
  readonly differences: readonly string[];
  /** What the simulator left in the outputs. */
  readonly simulated: readonly Numbers[];
}

/** Run programs in the simulator and on a device, and compare all results. */
export function comparePrograms(jit: AnyJit, kernel: ProgramKernel, options: object): Comparison {
  const { fn, constants } = kernel.made();
  const made = jit(fn, { const: constants, name: 'programs' }) as unknown as JitFunction;
  const { threads } = kernel;
  const [simulated, computed] = [kernel.newOutputs(), kernel.newOutputs()];
  const { ra, rw } = kernel.newRows();
  const other = rw.slice();
  const skipped = new Uint8Array(threads);
  const mistakes: string[] = [];
  const args = (outputs: readonly Numbers[], rows: Uint8Array, first: number): readonly unknown[] => [
    ...kernel.inputs.values(),
    ...outputs,
    structArray(Row, ra),
    structArray(Row, rows),
    skipped,
    first,
  ];
  // Behind a thread that fails the next one goes on.
  for (let first = 0; first < threads;) {
    try {
      made.simulate(Math.ceil((threads - first) / BLOCK), BLOCK)(...args(simulated, rw, first));
      break;
    } catch (error) {
      if (!(error instanceof SimulationError) || error.cause !== undefined) throw error;
      const failed = first + error.blockIdx.x * BLOCK + error.threadIdx.x;
      skipped[failed] = 1;
      mistakes.push(`${kernel.describe(failed)}\n  ${error.message}`);
      first = failed + 1;
    }
  }
  made.at(Math.ceil(threads / BLOCK), BLOCK, options)(...args(computed, other, 0));
  return {
    compared: threads - mistakes.length,
    failed: mistakes.length,
    mistakes,
    simulated,
    differences: [...differencesOf(kernel, simulated, computed, skipped), ...differentRows(kernel, rw, other, skipped)],
  };
}

function differencesOf(
  kernel: ProgramKernel,
  simulated: readonly Numbers[],
  computed: readonly Numbers[],
  skipped: Uint8Array,
): string[] {
  return kernel.programs.flatMap(({ type, ulp = 0 }, p) => {
    for (let thread = p * kernel.length; thread < (p + 1) * kernel.length; thread++) {
      const [a, b] = [kernel.resultOf(simulated, thread), kernel.resultOf(computed, thread)];
      if (skipped[thread] !== 0 || isNear(type, a, b, ulp)) continue;
      return [`${kernel.describe(thread)}\n  simulator ${shown(a)}, device ${shown(b)}`];
    }
    return [];
  });
}

/** The structs of the threads, which each program leaves in some way. */
function differentRows(
  kernel: ProgramKernel,
  simulated: Uint8Array,
  computed: Uint8Array,
  skipped: Uint8Array,
): string[] {
  if (Buffer.compare(simulated, computed) === 0) return [];
  const [a, b] = [Row.unpack(simulated), Row.unpack(computed)];
  const seen = new Set<number>();
  return a.flatMap((row, thread) => {
    const program = Math.floor(thread / kernel.length);
    if (skipped[thread] !== 0 || seen.has(program)) return [];
    const other = b[thread] as typeof row;
    const names = rowDifferences(row, other);
    if (names.length === 0) return [];
    seen.add(program);
    const shown = names.map((name) => `${name}: ${inspect(row[name])}, device ${inspect(other[name])}`);
    return [`${kernel.describe(thread)}\n  rw[t] of the simulator has ${shown.join('; ')}`];
  });
}

/** The same bits, but for those of NaN; or as near as the accuracy of the function asks. */
function isNear(type: HostType, a: number | bigint, b: number | bigint, ulp: number): boolean {
  if (Object.is(a, b)) return true;
  return ulp > 0 && (type === 'f32' || type === 'f64') && ulpsBetween(type, a as number, b as number) <= ulp;
}

function shown(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
