import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheKey, cacheRead, cacheWrite } from '../../core/cache.ts';
import { LIBRARY_FOLDER, readTree } from './headers.ts';
import { PEERS, type Files, type Toolchain } from './toolchain.ts';

/** Clang's arguments for the device: position-independent code for wasm64, with threads. */
export const TARGET: readonly string[] = [
  ...['clang', '-cc1', '-triple', 'wasm64-unknown-unknown'],
  ...['simd128', 'bulk-memory', 'sign-ext', 'nontrapping-fptoint', 'mutable-globals', 'atomics'].flatMap((feature) => [
    '-target-feature',
    `+${feature}`,
  ]),
  ...['-mrelocation-model', 'pic', '-pic-level', '2', '-ftls-model=local-exec'],
];

/** The runtime library, compiled. */
export interface Library {
  /** For functions that a program's own code names; they are inlined. */
  readonly bitcode: Uint8Array;
  /** For functions that only the code generator names. */
  readonly objects: Readonly<Record<string, Uint8Array>>;
}

/** What no code names, only the code generator. */
const BUILTINS = 'crt.cc';
const WHOLE = 'library.cc';

let loaded: Library | undefined;

/** The runtime library, compiled at most once and kept on disk. */
export function loadLibrary(toolchain: Toolchain): Library {
  if (loaded) return loaded;
  const folder = join(LIBRARY_FOLDER, 'runtime');
  const sources = readTree(folder);
  const names = Object.keys(sources).sort();
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const key = cacheKey({ what: 'CPU runtime library 2', peers: PEERS, target: TARGET, names, texts });
  const parts = cacheRead(key) ?? compileAll(toolchain, names, sources, key);
  const [bitcode, object, builtins] = parts as [Uint8Array, Uint8Array, Uint8Array];
  loaded = { bitcode, objects: { 'library.o': object, 'crt.o': builtins } };
  return loaded;
}

function compileAll(toolchain: Toolchain, names: readonly string[], sources: Files, key: string): Uint8Array[] {
  const all = { ...sources, [WHOLE]: wholeOf(names) };
  const parts = [
    compileOne(toolchain, WHOLE, all, ['-O3', '-disable-llvm-passes', '-emit-llvm-bc']),
    compileOne(toolchain, WHOLE, all, ['-O2', '-emit-obj']),
    compileOne(toolchain, BUILTINS, all, ['-O2', '-emit-obj']),
  ];
  cacheWrite(key, parts);
  return parts;
}

/**
 * One unit of all sources, each in a namespace of its own: bitcode is linked file by file, each once, so a file could
 * not call one that came before it.
 */
function wholeOf(names: readonly string[]): string {
  const headers = names.filter((name) => name.endsWith('.h'));
  const parts = names.filter((name) => name.endsWith('.cc') && name !== BUILTINS);
  return [
    ...headers.map((name) => `#include "${name}"`),
    ...parts.map((name, i) => `namespace part${i} {\n#include "${name}"\n}`),
    '',
  ].join('\n');
}

function compileOne(toolchain: Toolchain, name: string, sources: Files, mode: readonly string[]): Uint8Array {
  const language = ['-x', 'c++', '-std=c++17', '-fno-rtti', '-ffp-contract=off', '-fvisibility=hidden'];
  const argv = [...TARGET, ...language, '-resource-dir', '/usr', '-w', ...mode, '-o', 'out', name];
  const { ok, files, log } = toolchain.run(argv, sources);
  const out = files['out'];
  if (!ok || !out) throw new Error(`The CPU device's own library does not compile:\n${log}`);
  return out;
}
