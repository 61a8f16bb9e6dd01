import { checkGiven, checkInteger, checkOptions, nameOf } from '../core/check.ts';

/** How arrays are printed; the defaults are NumPy's. */
export interface PrintOptions {
  /** The most digits after the point: 8. */
  readonly precision: number;
  /** Arrays of more elements are summarised: 1000. `Infinity` shows every array whole. */
  readonly threshold: number;
  /** How many elements of each end of an axis a summary shows: 3. */
  readonly edgeItems: number;
  /** Characters of a line: 75. `Infinity` never breaks a row. */
  readonly lineWidth: number;
  /** Print small numbers, and numbers of very different sizes, without an exponent: false. */
  readonly suppress: boolean;
}

const DEFAULTS: PrintOptions = { precision: 8, threshold: 1000, edgeItems: 3, lineWidth: 75, suppress: false };

let current: PrintOptions = DEFAULTS;

/** How arrays are printed now. */
export function printOptions(): PrintOptions {
  return current;
}

/**
 * Print arrays in another way from now on: `console.log(x)`, `String(x)`, notebooks. Options that are left out stay as they are.
 *
 * @throws TypeError no options object, an unknown option, or a value of the wrong kind
 * @throws RangeError a count that is negative or no integer
 */
export function setPrintOptions(options: Partial<PrintOptions>): void {
  checkGiven(options, Object.keys(DEFAULTS), 'setPrintOptions');
  current = readPrintOptions({ ...current, ...given(options) });
}

/** Options that are not undefined. */
export function given(options: Partial<PrintOptions> | undefined): Partial<PrintOptions> {
  return Object.fromEntries(Object.entries<unknown>(options ?? {}).filter(([, value]) => value !== undefined));
}

/**
 * The options with their defaults.
 *
 * @throws TypeError no options object, an unknown option, or a value of the wrong kind
 * @throws RangeError a count that is negative or no integer
 */
export function readPrintOptions(options?: Partial<PrintOptions>): PrintOptions {
  checkOptions(options, Object.keys(DEFAULTS), 'PrintOptions');
  if (options === undefined) return DEFAULTS;
  const { precision = DEFAULTS.precision, threshold = DEFAULTS.threshold, edgeItems = DEFAULTS.edgeItems } = options;
  const { lineWidth = DEFAULTS.lineWidth, suppress = DEFAULTS.suppress } = options;
  if (typeof suppress !== 'boolean') throw new TypeError(`suppress must be true or false, got ${nameOf(suppress)}`);
  return {
    precision: checkInteger(precision, 'precision'),
    threshold: checkCount(threshold, 'threshold', 0),
    edgeItems: checkInteger(edgeItems, 'edgeItems', 1),
    lineWidth: checkCount(lineWidth, 'lineWidth', 1),
    suppress,
  };
}

function checkCount(value: unknown, what: string, min: number): number {
  return value === Infinity ? value : checkInteger(value, what, min);
}
