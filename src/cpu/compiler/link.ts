import { wasm as engine } from '../abi/webassembly.ts';
import { libraryAs, TARGET } from './library.ts';
import { lower } from './wasm/lower.ts';
import type { Files, Toolchain, ToolResult } from './toolchain.ts';

const MAX_MEMORY = 2 ** 32;
/**
 * The most instructions of a loop that `#pragma unroll` writes out; LLVM's own limit is four times that. LLVM's code
 * generator takes time with the square of a block's length: four times as many instructions, ten times as long.
 */
const UNROLLED = ['-mllvm', '-pragma-unroll-threshold=4096'];
/** Metadata of loops that LLVM must vectorise even against its own estimate. */
export const WIDE_LOOPS = '!{!"llvm.loop.vectorize.enable", i1 true}';
/** The same of loops that LLVM may leave alone. Each node has to begin with a string: LLVM reads it without a look. */
const NARROW_LOOPS = '!{!"rk.loop"}';

/**
 * Optimise a module's text, with the functions of the runtime library that it uses.
 *
 * @param before - libraries that may use functions of the runtime library
 * @param flags - flags of clang besides those of every call
 */
export function optimise(
  toolchain: Toolchain,
  text: string,
  before: Files = {},
  flags: readonly string[] = [],
): ToolResult {
  const libraries = [...Object.keys(before), 'library.bc'];
  const argv = [
    ...[...TARGET, '-x', 'ir', '-O1', ...libraries.flatMap((name) => ['-mlink-builtin-bitcode', name])],
    // Copies of code would be copies of barriers, so that loops with one stay loops. Others are written out where that
    // lets private arrays become values: what is in an array at a barrier has to be kept in memory.
    ...['-mllvm', '-enable-pre=false', '-funroll-loops', ...UNROLLED],
    ...['-mllvm', '-unroll-runtime=false', '-mllvm', '-unroll-allow-partial=false'],
    ...[...flags, '-emit-llvm', '-o', '-', 'in.ll'],
  ];
  return toolchain.run(argv, { ...before, 'in.ll': text, 'library.bc': libraryAs('bitcode', toolchain) });
}

/** The budget of the vectoriser of straight-line code bounds its search in blocks of thousands of instructions. */
const VECTORS = ['-vectorize-loops', '-vectorize-slp', '-mllvm', '-slp-schedule-budget=2000'];
/** LLVM's estimate for straight-line vectors does not count how often a loop with them runs: what it costs before and behind. */
const PACKS = ['-mllvm', '-slp-max-vf=4', '-mllvm', '-slp-threshold=-8'];

/** A module that is cut into regions. */
export interface CutModule {
  readonly text: string;
  /** Whether a kernel keeps values of a thread side by side. */
  readonly isPacked: boolean;
}

/** Machine-independent code of a module that is cut into regions. */
export function generate(toolchain: Toolchain, { text, isPacked }: CutModule): ToolResult {
  const vectors = isPacked ? [...VECTORS, ...PACKS] : VECTORS;
  const library = libraryAs('bitcode', toolchain);
  const run = (source: string, flags: readonly string[]): ToolResult => {
    const argv = [
      ...[...TARGET, '-x', 'ir', '-O3', ...UNROLLED, ...flags],
      ...['-mlink-builtin-bitcode', 'library.bc', '-emit-obj', '-o', '-', 'in.ll'],
    ];
    return toolchain.run(argv, { 'in.ll': source, 'library.bc': library });
  };
  // A fault of LLVM's vectorizers, of which it marks this path as experimental, is not a fault of the program.
  const wide = text.includes(WIDE_LOOPS) ? run(text, [...vectors, '-mllvm', '-enable-vplan-native-path']) : undefined;
  if (wide?.files['out']) return wide;
  const plain = text.replaceAll(WIDE_LOOPS, NARROW_LOOPS);
  const made = run(plain, vectors);
  return made.files['out'] ? made : run(plain, []);
}

/** The undefined symbols of a program. */
export interface MissingSymbol {
  readonly name: string;
  readonly isFunction: boolean;
}

/**
 * A position-independent module for shared memory, lowered to 32 bits.
 *
 * @param peers - ask before each access whether the context may reach the memory
 * @returns the module, and its undefined symbols
 */
export function link(
  toolchain: Toolchain,
  object: Uint8Array,
  exported: readonly string[],
  peers = false,
): { readonly wasm: Uint8Array; readonly missing: readonly MissingSymbol[] } {
  const called = { 'crt.o': libraryAs('builtins', toolchain), 'called.o': libraryAs('called', toolchain) };
  const files: Files = { 'kernel.o': object, ...called };
  const first = linkFiles(toolchain, files, exported, peers);
  if (missingImports(first).length === 0) return { wasm: first, missing: [] };
  // The code generator may have added references.
  const second = linkFiles(toolchain, { ...files, 'library.o': libraryAs('object', toolchain) }, exported, peers);
  return { wasm: second, missing: missingImports(second) };
}

function linkFiles(toolchain: Toolchain, files: Files, exported: readonly string[], peers: boolean): Uint8Array {
  const argv = [
    ...['wasm-ld', '-m', 'wasm64', '--experimental-pic', '-shared', '--no-entry', '--gc-sections', '--strip-debug'],
    ...['--import-memory', '--shared-memory', `--max-memory=${MAX_MEMORY}`, '--allow-undefined'],
    ...[...exported, '__wasm_init_tls', '__tls_size', '__tls_align'].map((symbol) => `--export=${symbol}`),
    ...['--export-if-defined=__wasm_apply_data_relocs', '--export-if-defined=__tls_base'],
    ...[...Object.keys(files), '-o', '-'],
  ];
  return lower(demand(toolchain.run(argv, files)), peers);
}

/** The output of a stage after the first. A missing output is an error of this package, not of the user's. */
export function demand({ files, log }: ToolResult): Uint8Array {
  const made = files['out'];
  if (made === undefined) throw new Error(`The CPU device's compiler failed; please report this:\n${log}`);
  return made;
}

const GIVEN = new Set(['memory', '__indirect_function_table', '__memory_base', '__table_base', '__stack_pointer']);

/** The symbols that a module imports and nothing defines. */
function missingImports(wasm: Uint8Array): MissingSymbol[] {
  const imports = engine.Module.imports(new engine.Module(wasm));
  return imports
    .filter(({ module, name }) => module !== 'rt' && !(module === 'env' && GIVEN.has(name)))
    .map(({ module, name, kind }) => ({ name, isFunction: kind === 'function' || module === 'GOT.func' }));
}
