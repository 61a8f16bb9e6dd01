import { lower } from '../../src/cpu/compiler/wasm/lower.ts';
import { wasm, type WasmMemory } from '../../src/cpu/abi/webassembly.ts';
import { body, functionType, list, name, Type, wasmOf, type TypeName } from './wasm-module.ts';

/** A function of a test's module. */
export interface TestFunction {
  readonly parameters?: readonly TypeName[];
  readonly results?: readonly TypeName[];
  readonly locals?: readonly TypeName[];
  /** Without the end. */
  readonly code: readonly number[];
}

export type Sections = readonly (readonly [id: number, content: readonly number[]])[];

/** In the order in which a module has them: the number of segments comes before the code. */
const ORDER = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];
const WIDE = 4;

/**
 * Functions with addresses of 64 bits, or the same with 32. There are one memory, one table and the two bases; the
 * functions are exported as f0, f1 …
 *
 * @param more - further sections, or others in their place
 */
export function moduleOf(bits: 32 | 64, functions: readonly TestFunction[], more: Sections = []): Uint8Array {
  const wide = bits === 64 ? WIDE : 0;
  const sections: Sections = [
    [1, list(functions.map(({ parameters = [], results = [] }) => functionType(parameters, results)))],
    [
      2,
      list([
        [...name('env'), ...name('memory'), 2, wide | 3, 1, 16],
        [...name('env'), ...name('table'), 1, Type.funcref, wide | 1, 8, 32],
        [...name('env'), ...name('__memory_base'), 3, Type.i64, 0],
        [...name('env'), ...name('__table_base'), 3, bits === 64 ? Type.i64 : Type.i32, 0],
      ]),
    ],
    [3, list(functions.map((_, i) => [i]))],
    [7, list(functions.map((_, i) => [...name(`f${i}`), 0, i]))],
    // A function that code refers to has to be in some segment.
    [9, list([[3, 0, ...list(functions.map((_, i) => [i]))]])],
    [10, list(functions.map(({ locals = [], code }) => body(locals, code)))],
  ];
  const ids = new Set(more.map(([id]) => id));
  const all = [...sections.filter(([id]) => !ids.has(id)), ...more];
  return wasmOf(...all.sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)));
}

/** A module that runs, over a memory and a table of 32 bits. */
export interface Running {
  readonly memory: WasmMemory;
  readonly bytes: Uint8Array;
  readonly table: { readonly length: number; get(i: number): unknown };
  readonly functions: readonly unknown[];
  readonly call: (i: number, ...args: unknown[]) => unknown;
  readonly exports: Readonly<Record<string, unknown>>;
}

export const TABLE_BASE = 2;

export function run(module: Uint8Array): Running {
  const memory = new wasm.Memory({ initial: 1, maximum: 16, shared: true });
  const limits = { element: 'anyfunc', initial: 8, maximum: 32 } as const;
  const table = new wasm.Table(limits) as Running['table'];
  const env = {
    memory,
    table,
    __memory_base: new wasm.Global({ value: 'i64' }, 1024n),
    __table_base: new wasm.Global({ value: 'i32' }, TABLE_BASE),
  };
  const { exports } = new wasm.Instance(new wasm.Module(module), { env });
  const functions = Object.keys(exports).map((_, i) => exports[`f${i}`]);
  const call = (i: number, ...args: unknown[]): unknown => (functions[i] as (...args: unknown[]) => unknown)(...args);
  return { memory, bytes: new Uint8Array(memory.buffer), table, functions, call, exports };
}

export function isValid(module: Uint8Array): boolean {
  try {
    return Boolean(new wasm.Module(module));
  } catch {
    return false;
  }
}

/** Newer engines have addresses of 64 bits themselves, and say whether a test's module is one. */
const JUDGED = isValid(moduleOf(64, []));

/**
 * Lower a module and run it.
 *
 * @param peers - with the question before each access
 */
export function runLowered(functions: readonly TestFunction[], more?: Sections, peers = false): Running {
  const wide = moduleOf(64, functions, more);
  if (JUDGED && !isValid(wide)) throw new Error("the test's module is not valid itself");
  return run(lower(wide, peers));
}
