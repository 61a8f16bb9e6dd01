import { cpuCheckVariable, deviceVariable } from './environment.ts';
import { nameOf } from './host-memory.ts';

/** What the checked mode looks for, and what becomes of a kernel in which it finds something. */
export interface CheckMode {
  /** Only whether memory is there, or all that can be checked. */
  readonly checks: 'bounds' | 'all';
  /** The kernel goes on, and findings are collected. */
  readonly report: boolean;
}

const OFF = ['', '0', 'no', 'off', 'false'];
const ON = ['1', 'yes', 'on', 'true', 'all'];

/**
 * Read a mode: `1`, `bounds`, `report`, or some of them with commas between; undefined for none.
 *
 * @param name - of what is read, for the error
 * @throws TypeError it is none of these
 */
export function readCheckMode(text: unknown, name: string): CheckMode | undefined {
  if (typeof text === 'number') return readCheckMode(String(text), name);
  if (typeof text !== 'string') throw new TypeError(`${name} is 1, 'bounds', 'report' or 0; ${nameOf(text)} came`);
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  const unknown = words.find((word) => ![...OFF, ...ON, 'bounds', 'report'].includes(word));
  if (unknown !== undefined) throw new TypeError(`${name} must be 1, 'bounds', 'report' or 0, got '${unknown}'`);
  if (words.every((word) => OFF.includes(word))) return undefined;
  return { checks: words.includes('bounds') ? 'bounds' : 'all', report: words.includes('report') };
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
