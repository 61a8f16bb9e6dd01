import { join } from 'node:path';
import { readTree } from '../../src/cpu/compiler/headers.ts';
import { LIBRARY_FOLDER } from '../../src/cpu/files/folders.ts';
import { TARGET } from '../../src/cpu/compiler/library.ts';
import { lower } from '../../src/cpu/compiler/wasm/lower.ts';
import { loadToolchain, type Files, type Toolchain } from '../../src/cpu/compiler/toolchain.ts';
import { wasm } from '../../src/cpu/abi/webassembly.ts';

/** What a function takes and gives: d(ouble), f(loat), i(nt), in the order of its arguments, then its result. */
export type Shape = string;

/** Functions of the device's math library, each over arrays. */
export interface MathModule {
  /** The function on each row of arguments. */
  readonly call: (name: string, rows: readonly (readonly number[])[]) => number[];
}

const ARRAYS = {
  d: (memory: SharedArrayBuffer, at: number, length: number) => new Float64Array(memory, at, length),
  f: (memory: SharedArrayBuffer, at: number, length: number) => new Float32Array(memory, at, length),
  i: (memory: SharedArrayBuffer, at: number, length: number) => new Int32Array(memory, at, length),
};
const TYPES: Readonly<Record<string, string>> = { d: 'double', f: 'float', i: 'int' };
const START = 0x100000;
const ROOM = 0x100000;

type Kind = keyof typeof ARRAYS;
const kinds = (shape: Shape): Kind[] => Array.from(shape, (c) => (c === 'd' || c === 'f' ? c : 'i'));

/**
 * Compile functions as kernels see them: the device's headers before, the runtime library behind.
 *
 * @param functions - name to shape, or to shape and the C expression of a, b, c, d
 */
export async function compileMath(
  functions: Readonly<Record<string, Shape | readonly [shape: Shape, expression: string]>>,
): Promise<MathModule> {
  const toolchain = await loadToolchain();
  const shapes = new Map<string, Shape>();
  let source = '';
  for (const [name, what] of Object.entries(functions)) {
    const [shape, expression] = typeof what === 'string' ? [what, undefined] : what;
    shapes.set(name, shape);
    const types = kinds(shape).map((kind) => TYPES[kind] ?? '');
    const names = ['a', 'b', 'c', 'd'].slice(0, types.length - 1);
    const pointers = [...names.map((n, i) => `const ${types[i] ?? ''} *${n}_`), `${types.at(-1) ?? ''} *o_`];
    const loads = names.map((n, i) => `${types[i] ?? ''} ${n} = ${n}_[i]; `).join('');
    source +=
      `extern "C" __attribute__((device, visibility("default"))) void map_${name}(${pointers.join(', ')}, int n)` +
      ` { for (int i = 0; i < n; i++) { ${loads}o_[i] = ${expression ?? `${name}(${names.join(', ')})`}; } }\n`;
  }
  const include = readTree(join(LIBRARY_FOLDER, 'include'));
  const language = ['-x', 'cuda', '-fcuda-is-device', '-std=c++17', '-fdeclspec', '-fno-rtti', '-ffp-contract=off'];
  const built = toolchain.run(
    [
      ...[...TARGET, ...language, '-resource-dir', '/usr', '-I', 'include', '-include', 'rawkernel_cuda.h', '-w'],
      ...['-O1', '-vectorize-loops', '-mlink-builtin-bitcode', 'library.bc', '-emit-obj', '-o', 'math.o', 'math.cu'],
    ],
    { 'math.cu': source, 'library.bc': libraryOf(toolchain), include },
  );
  if (!built.ok) throw new Error(built.log);
  const linked = toolchain.run(
    [
      ...['wasm-ld', '-m', 'wasm64', '--experimental-pic', '-shared', '--no-entry', '--import-memory'],
      ...['--shared-memory', '--max-memory=4294967296', '--export-if-defined=__wasm_apply_data_relocs'],
      ...[...shapes.keys()].map((name) => `--export=map_${name}`),
      ...['-o', 'math.wasm', 'math.o'],
    ],
    { 'math.o': built.files['math.o'] ?? new Uint8Array() },
  );
  if (!linked.ok) throw new Error(linked.log);
  return instantiate(lower(linked.files['math.wasm'] ?? new Uint8Array()), shapes);
}

/** The math library alone, as bitcode. */
function libraryOf(toolchain: Toolchain): Uint8Array {
  const sources: Files = readTree(join(LIBRARY_FOLDER, 'runtime'));
  const names = Object.keys(sources).filter((name) => name.startsWith('math-'));
  const headers = names.filter((name) => name.endsWith('.h')).map((name) => `#include "${name}"\n`);
  const parts = names.filter((name) => name.endsWith('.cc'));
  const unit = [...headers, ...parts.map((name, i) => `namespace part${i} {\n#include "${name}"\n}\n`)].join('');
  const language = [
    '-x',
    'c++',
    '-std=c++17',
    '-ffp-contract=off',
    '-fvisibility=hidden',
    '-w',
    '-resource-dir',
    '/usr',
  ];
  const form = ['-O3', '-disable-llvm-passes', '-emit-llvm-bc', '-o', 'math.bc', 'unit.cc'];
  const { ok, files, log } = toolchain.run([...TARGET, ...language, ...form], { ...sources, 'unit.cc': unit });
  const bitcode = files['math.bc'];
  if (!ok || !bitcode) throw new Error(log);
  return bitcode;
}

function instantiate(code: Uint8Array, shapes: ReadonlyMap<string, Shape>): MathModule {
  const memory = new wasm.Memory({ initial: 256, maximum: 65536, shared: true });
  const env = {
    memory,
    __indirect_function_table: new wasm.Table({ element: 'anyfunc', initial: 16 }),
    __memory_base: new wasm.Global({ value: 'i64' }, 0x80000n),
    __table_base: new wasm.Global({ value: 'i32' }, 0),
    __stack_pointer: new wasm.Global({ value: 'i64', mutable: true }, 0x80000n),
  };
  // The headers' code for virtual functions that are not there comes along.
  const fault = (): never => {
    throw new Error('a math function has ended its kernel');
  };
  const { exports } = new wasm.Instance(new wasm.Module(code), { env, rt: { fault } });
  const named = (name: string): ((...args: unknown[]) => unknown) | undefined =>
    exports[name] as ((...args: unknown[]) => unknown) | undefined;
  named('__wasm_apply_data_relocs')?.();
  const call = (name: string, rows: readonly (readonly number[])[]): number[] => {
    const columns = kinds(shapes.get(name) ?? '').map((kind, i) => {
      const at = START + i * ROOM;
      return { at, data: ARRAYS[kind](memory.buffer, at, rows.length) };
    });
    for (const [i, row] of rows.entries()) row.forEach((value, j) => columns[j]?.data.fill(value, i, i + 1));
    named(`map_${name}`)?.(...columns.map(({ at }) => BigInt(at)), rows.length);
    return [...(columns.at(-1)?.data ?? [])];
  };
  return { call };
}
