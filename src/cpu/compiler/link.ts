import { runSymbol } from './driver.ts';
import type { Assembled } from './assemble.ts';
import { loadLibrary, TARGET } from './library.ts';
import type { Prepared } from './prepare.ts';
import type { Files, Toolchain, ToolResult } from './toolchain.ts';

const MOST_MEMORY = 2 ** 32;

/** Optimise a module's text; what the runtime library has of what it names comes with it. */
export function optimise(toolchain: Toolchain, text: string): ToolResult {
  const argv = [
    ...TARGET,
    ...['-x', 'ir', '-O1', '-mlink-builtin-bitcode', 'library.bc'],
    // Copies of code would be copies of barriers. Regions are optimised in full later.
    ...['-mllvm', '-enable-pre=false', '-mllvm', '-unroll-threshold=0'],
    ...['-emit-llvm', '-o', 'out', 'in.ll'],
  ];
  return toolchain.run(argv, { 'in.ll': text, 'library.bc': loadLibrary(toolchain).bitcode });
}

/** Machine-independent code of a module that is cut into regions. */
export function generate(toolchain: Toolchain, text: string): ToolResult {
  const argv = [
    ...TARGET,
    ...['-x', 'ir', '-O3', '-vectorize-loops', '-vectorize-slp', '-mlink-builtin-bitcode', 'library.bc'],
    ...['-emit-obj', '-o', 'out', 'in.ll'],
  ];
  return toolchain.run(argv, { 'in.ll': text, 'library.bc': loadLibrary(toolchain).bitcode });
}

/** A position-independent module for shared memory. */
export function link(toolchain: Toolchain, object: Uint8Array, { kernels }: Assembled, prepared: Prepared): ToolResult {
  const library = loadLibrary(toolchain).objects;
  const exported = [
    ...kernels.map(({ symbol }) => runSymbol(symbol)),
    ...prepared.variables.map(({ symbol }) => symbol),
    '__wasm_init_tls',
    '__tls_size',
    '__tls_align',
  ];
  const argv = [
    ...['wasm-ld', '-m', 'wasm64', '--experimental-pic', '-shared', '--no-entry', '--gc-sections', '--strip-debug'],
    ...['--import-memory', '--shared-memory', `--max-memory=${MOST_MEMORY}`, '--allow-undefined'],
    ...exported.map((symbol) => `--export=${symbol}`),
    '--export-if-defined=__wasm_apply_data_relocs',
    ...['kernel.o', ...Object.keys(library), '-o', 'out'],
  ];
  const files: Files = { 'kernel.o': object, ...library };
  return toolchain.run(argv, files);
}
