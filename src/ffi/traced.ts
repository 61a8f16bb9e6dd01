import { traceEnd, traceStart } from '../core/trace.ts';
import { parsePrototype, type Parameter } from './prototype.ts';

type Callable = (...args: unknown[]) => unknown;

/** How a half spells out what a pointer leads to, by the C type behind it. */
export type Describers = Readonly<Record<string, (pointer: bigint) => string>>;

const MAX_TEXT = 40;
const MAX_ELEMENTS = 4;

/**
 * A function of a table that prints its arguments, its result and its time on stderr:
 * `cuMemAlloc(dptr=*, bytesize=16) = 0 {dptr=0x7f50ca000000}  3.1 us`.
 *
 * @param text - its prototype
 */
export function traced(name: string, text: string, call: Callable, describers: Describers = {}): Callable {
  const { params } = parsePrototype(text);
  const before = (args: readonly unknown[]): string => {
    const list = params.map((parameter, i) => `${parameter.name}=${showArgument(parameter, args[i], describers)}`);
    return `${name}(${list.join(', ')})`;
  };
  const after = (args: readonly unknown[], result: unknown): string => {
    const outs = params.flatMap((parameter, i) => {
      const value = parameter.out ? args[i] : undefined;
      return ArrayBuffer.isView(value) ? [`${parameter.name}=${showElements(parameter, value)}`] : [];
    });
    return `${showValue(result)}${outs.length === 0 ? '' : ` {${outs.join(', ')}}`}`;
  };
  return (...args) => {
    const line = before(args);
    const start = performance.now();
    const result = isAsync(call) ? call(...args) : announced(line, () => call(...args));
    if (!(result instanceof Promise)) {
      traceEnd(after(args, result), performance.now() - start);
      return result;
    }
    return result.then((value: unknown) => {
      traceStart(line);
      traceEnd(after(args, value), performance.now() - start);
      return value;
    });
  };
}

/** A call whose arguments are refused never reaches the library: its line ends with why. */
function announced(line: string, call: () => unknown): unknown {
  traceStart(line);
  try {
    return call();
  } catch (error) {
    traceStart(` refused: ${(error as Error).message}\n`);
    throw error;
  }
}

const asyncForms = new WeakSet<Callable>();

/** Mark a function that answers with a promise: its line is printed whole, at the end. */
export function markAsync(call: Callable): Callable {
  asyncForms.add(call);
  return call;
}

function isAsync(call: Callable): boolean {
  return asyncForms.has(call);
}

function showArgument(parameter: Parameter, value: unknown, describers: Describers): string {
  if (parameter.out && ArrayBuffer.isView(value)) return '*';
  const describe = parameter.stars === 1 ? describers[parameter.type] : undefined;
  if (describe && typeof value === 'bigint' && value !== 0n) return describe(value);
  return showValue(value);
}

function showValue(value: unknown): string {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`;
  if (typeof value === 'string') {
    return JSON.stringify(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
  }
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}[${value.byteLength} B]`;
  return String(value);
}

function showElements(parameter: Parameter, value: ArrayBufferView): string {
  if (!('length' in value)) return showValue(value);
  const list = value as unknown as ArrayLike<number | bigint>;
  // Bytes in one line are unreadable; text may help.
  if (value instanceof Uint8Array) return parameter.type === 'char' ? showValue(textOf(value)) : showValue(value);
  const shown = Array.from({ length: Math.min(list.length, MAX_ELEMENTS) }, (_, i) => showValue(list[i]));
  if (list.length > MAX_ELEMENTS) shown.push('…');
  return shown.length === 1 ? (shown[0] ?? '') : `[${shown.join(', ')}]`;
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, MAX_TEXT + 1)));
}
