import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { ItemScan } from '../scan/item-scan.ts';
import { expressionText, neutralText, type Neutral } from './expression-text.ts';
import { scanOfWriting } from './generic-scan-kernel.ts';
import { itemElement, plainDType } from './item-element.ts';
import { KernelArguments } from './kernel-arguments.ts';
import type { ScanWriting } from './scan-functions.ts';

/** What runs of elements are put together with, beside the expression. */
export interface RunOptions extends LaneOptions {
  /** The element that changes nothing; without it there is one more comparison. */
  readonly neutral?: Neutral | undefined;
  /** C that comes before the kernel. */
  readonly preamble?: string | undefined;
}

/** What a scan over runs has of its own. */
export interface RunWork {
  /** C declarations; `values` is what is scanned. */
  readonly parameters: string;
  /** Whether a run begins with the element `i`. */
  readonly isStart: string;
  /** What is done with each result. */
  readonly statement: string;
}

interface RunScan {
  readonly scan: ItemScan;
  readonly writing: ScanWriting;
}

const scans = new Map<string, RunScan>();

/** The scan of values that begins anew with each run. */
export function scanOfRuns(
  what: string,
  dtype: ArrayDType,
  expression: string,
  { neutral: given, preamble = '' }: RunOptions,
  { parameters, isStart, statement }: RunWork,
): RunScan {
  const scanExpr = expressionText(expression, `${what}: the expression`);
  const item = itemElement(dtype, undefined, what);
  const neutral =
    given === undefined ? undefined : neutralText(given, plainDType(item), `${what}: the neutral element`);
  const id = [parameters, isStart, statement, scanExpr, String(neutral), preamble].join('\n');
  const known = scans.get(id);
  if (known !== undefined) return known;
  const name = what.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const writing: ScanWriting = {
    ...item,
    preamble,
    name,
    parameters: new KernelArguments(parameters, name),
    inputExpr: 'values[i]',
    scanExpr,
    neutral,
    outputStatement: statement,
    isSegmentStartExpr: isStart,
    fetches: [],
  };
  const made = { writing, scan: scanOfWriting(writing, undefined) };
  scans.set(id, made);
  return made;
}
