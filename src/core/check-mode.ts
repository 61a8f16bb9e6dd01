import { cpuCheckVariable, deviceVariable } from './environment.ts';
import { nameOf } from './check.ts';

/** What the checked mode looks for, and what becomes of a kernel in which it finds something. */
export interface CheckMode {
  /** Only bounds of memory, all but races inside blocks on global memory, or everything. */
  readonly checks: 'bounds' | 'blocks' | 'all';
  /** The kernel continues, and findings are collected. */
  readonly report: boolean;
}

const OFF = ['', '0', 'no', 'off', 'false'];
const ON = ['1', 'yes', 'on', 'true', 'all'];
/** Leaves out races between the threads of one block on global memory. */
const BLOCKS = 'no-races-in-blocks';
const EXPECTED = `1, 'bounds', 'report', '${BLOCKS}' or 0`;

/**
 * Read a mode: `1`, `bounds`, `report`, `no-races-in-blocks`, or some of them with commas between; undefined for none.
 *
 * @param name - of what is read, for the error
 * @throws TypeError it has another value
 */
export function readCheckMode(text: unknown, name: string): CheckMode | undefined {
  if (typeof text === 'number') return readCheckMode(String(text), name);
  if (typeof text !== 'string') throw new TypeError(`${name} must be ${EXPECTED}, got ${nameOf(text)}`);
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  const unknown = words.find((word) => ![...OFF, ...ON, 'bounds', 'report', BLOCKS].includes(word));
  if (unknown !== undefined) throw new TypeError(`${name} must be ${EXPECTED}, got '${unknown}'`);
  if (words.every((word) => OFF.includes(word))) return undefined;
  const checks = words.includes('bounds') ? 'bounds' : words.includes(BLOCKS) ? 'blocks' : 'all';
  return { checks, report: words.includes('report') };
}

/** The mode that the environment asks for. */
export function environmentCheckMode(): CheckMode | undefined {
  return readCheckMode(cpuCheckVariable(), 'RAWKERNEL_CPU_CHECK');
}

/**
 * Whether the environment asks for checks: only the embedded device has them, so that nothing else is taken.
 *
 * @param named - the variable and the value by which the program asks for something else, if it does
 * @throws Error it asks for both
 */
export function wantsChecks(named: string | undefined): boolean {
  if (environmentCheckMode() === undefined) return false;
  const other = deviceVariable() === 'gpu' ? 'RAWKERNEL_DEVICE=gpu' : named;
  if (other === undefined || deviceVariable() === 'cpu') return true;
  throw new Error(
    `RAWKERNEL_CPU_CHECK asks for checks that only the embedded CPU device has, and ${other} for another one: unset one of them ` +
      '(a GPU has compute-sanitizer node program.mjs, any OpenCL device oclgrind node program.mjs)',
  );
}

/** Say that a program runs on the embedded device because it is to be checked. */
export function sayChecked(half: 'CUDA' | 'OpenCL'): void {
  if (deviceVariable() === 'cpu') return;
  process.stderr.write(
    `rawkernel: RAWKERNEL_CPU_CHECK is set: ${half} runs on the embedded CPU device (RAWKERNEL_DEVICE=cpu: without this line)\n`,
  );
}
