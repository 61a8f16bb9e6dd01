import { sayStandIn } from './embedded-notice.ts';
import { cpuCheckVariable, deviceVariable } from './environment.ts';
import { nameOf } from './check.ts';

/** What the checked mode looks for, and what becomes of a kernel in which it finds something. */
export interface CheckMode {
  /**
   * Only whether memory is there; all but races on global memory; all but races inside blocks on global memory; or all that
   * can be checked.
   */
  readonly checks: 'bounds' | 'shared' | 'blocks' | 'all';
  /** The kernel continues, and findings are collected. */
  readonly report: boolean;
}

const OFF = ['', '0', 'no', 'off', 'false'];
const ON = ['1', 'yes', 'on', 'true', 'all'];

/** A part of the checks, by the name that leaves out the rest. */
export type CheckPart = 'bounds' | 'no-global-races' | 'no-races-in-blocks';

/** What is checked with each part; where several are named, the first one of this list counts. */
const PARTS: Readonly<Record<CheckPart, CheckMode['checks']>> = {
  bounds: 'bounds',
  'no-global-races': 'shared',
  'no-races-in-blocks': 'blocks',
};
const PART_NAMES = Object.keys(PARTS) as readonly CheckPart[];
const EXPECTED = `1, 'report', ${PART_NAMES.map((name) => `'${name}'`).join(', ')} or 0`;

/** What the option `check` of a context takes. */
export type CheckOption = boolean | 'report' | CheckPart | `${CheckPart},report`;

const OPTIONS: readonly unknown[] = [
  ...[true, false, 'report'],
  ...PART_NAMES.flatMap((name) => [name, `${name},report`]),
];

/**
 * Refuse another value than the option `check` takes.
 *
 * @throws TypeError it has another value
 */
export function checkCheckOption(value: unknown): asserts value is CheckOption {
  if (OPTIONS.includes(value)) return;
  const names = PART_NAMES.map((name) => `'${name}'`).join(', ');
  throw new TypeError(
    `Context: check must be true, false, 'report', ${names}, or one of the last three and ',report', got ${nameOf(value)}`,
  );
}

/**
 * Read a mode: `1`, `report`, the name of a part, or some of them with commas between; undefined for none.
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
  const unknown = words.find((word) => ![...OFF, ...ON, 'report', ...PART_NAMES].includes(word));
  if (unknown !== undefined) throw new TypeError(`${name} must be ${EXPECTED}, got '${unknown}'`);
  if (words.every((word) => OFF.includes(word))) return undefined;
  const part = PART_NAMES.find((name) => words.includes(name));
  return { checks: part ? PARTS[part] : 'all', report: words.includes('report') };
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
  sayStandIn(
    `RAWKERNEL_CPU_CHECK is set: ${half} runs on the embedded CPU device (RAWKERNEL_DEVICE=cpu: without this line)`,
  );
}
