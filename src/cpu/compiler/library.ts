import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FOLDER } from '../files/folders.ts';
import { readTree } from './headers.ts';
import { loadOrMake, type Recipe } from './artifact.ts';
import type { Files, Toolchain } from './toolchain.ts';

/** Clang's arguments for the device: position-independent code for wasm64, with threads. */
export const TARGET: readonly string[] = [
  ...['clang', '-cc1', '-triple', 'wasm64-unknown-unknown'],
  ...['simd128', 'bulk-memory', 'sign-ext', 'nontrapping-fptoint', 'mutable-globals', 'atomics'].flatMap((feature) => [
    '-target-feature',
    `+${feature}`,
  ]),
  ...['-mrelocation-model', 'pic', '-pic-level', '2', '-ftls-model=local-exec'],
];

const LANGUAGE = ['-x', 'c++', '-std=c++17', '-fno-rtti', '-ffp-contract=off', '-fvisibility=hidden'];

type FormName = 'bitcode' | 'object' | 'called' | 'builtins';

interface Form {
  /** The names of its sources; undefined for those that are not a part of the library. */
  readonly parts?: RegExp;
  readonly flags: readonly string[];
}

/** The artifacts of the runtime library. */
const FORMS: Readonly<Record<FormName, Form>> = {
  /** For functions that a program's own code names; they are inlined. */
  bitcode: { parts: /^(?!(?:check|image)-.*\.cc$)/, flags: ['-O3', '-disable-llvm-passes', '-emit-llvm-bc'] },
  /** For functions of it that only the code generator names, which is rare. */
  object: { parts: /^(?!check-|image-)/, flags: ['-O2', '-emit-obj'] },
  /** The callees of inlined functions of textures and of the checked mode. Compiling them takes longer than most kernels do. */
  called: { parts: /^(?:check|image)-/, flags: ['-O3', '-vectorize-loops', '-vectorize-slp', '-emit-obj'] },
  /** For functions that only the code generator names. */
  builtins: { flags: ['-O2', '-emit-obj'] },
};

const LIBRARY = 'library.cc';
const BUILTINS = 'crt.cc';
const recipes = new Map<FormName, Recipe>();

/** The runtime library in one of its forms. */
export function libraryAs(form: FormName, toolchain: Toolchain): Uint8Array {
  let recipe = recipes.get(form);
  if (!recipe) recipes.set(form, (recipe = recipeOf(form)));
  const made = loadOrMake(recipe, toolchain);
  if (!made) throw new Error("The CPU device's own library is missing");
  return made;
}

/** How the runtime library is made, in all forms. */
export function libraryRecipes(): Recipe[] {
  return (Object.keys(FORMS) as FormName[]).map(recipeOf);
}

function recipeOf(form: FormName): Recipe {
  const folder = join(LIBRARY_FOLDER, 'runtime');
  const sources = readTree(folder);
  const names = Object.keys(sources).sort();
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const { parts, flags } = FORMS[form];
  const unit = parts ? LIBRARY : BUILTINS;
  const whole = parts ? { [LIBRARY]: wholeOf(names.filter((name) => parts.test(name))) } : {};
  return {
    parts: { what: 'CPU runtime library', target: TARGET, language: LANGUAGE, flags, form, names, texts },
    make: (toolchain) => compileUnit(toolchain, unit, { ...sources, ...whole }, flags),
  };
}

/**
 * All sources as one translation unit, each in a namespace of its own. As separate files they would be linked one after
 * another, each once, so that a file could not call functions of a file before it.
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

function compileUnit(toolchain: Toolchain, name: string, sources: Files, mode: readonly string[]): Uint8Array {
  const argv = [...TARGET, ...LANGUAGE, '-resource-dir', '/usr', '-w', ...mode, '-o', '-', name];
  const { ok, files, log } = toolchain.run(argv, sources);
  const out = files['out'];
  if (!ok || !out) throw new Error(`The CPU device's own library does not compile:\n${log}`);
  return out;
}
