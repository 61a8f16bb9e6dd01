import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FOLDER } from '../../files/folders.ts';
import { readTree } from '../headers.ts';
import { loadOrMake, type Recipe } from '../artifact.ts';
import { TARGET } from '../library.ts';
import type { Toolchain } from '../toolchain.ts';

/** The parts of the library in OpenCL C, each one unit. */
const UNITS = {
  /** Functions that read indices or have barriers: the compiler must see their calls before functions are inlined. */
  items: 'items.cl',
  /** All else. */
  functions: 'functions.cl',
} as const;

/** Clang's arguments for OpenCL C in any form. */
export const LANGUAGE: readonly string[] = [
  ...['-x', 'cl', '-resource-dir', '/usr', '-internal-isystem', '/usr/include'],
  ...['-ffp-contract=off', '-fno-strict-float-cast-overflow', '-O3', '-disable-llvm-passes'],
];
const BASE_HEADER = 'opencl-c-base.h';

/** A part of the library as bitcode. */
export function openCLLibrary(part: keyof typeof UNITS, toolchain: Toolchain): Uint8Array {
  const made = loadOrMake(recipeOf(part), toolchain);
  if (!made) throw new Error("The CPU device's own library of OpenCL C is missing");
  return made;
}

/** How the library is made. */
export function openCLRecipes(): Recipe[] {
  return (Object.keys(UNITS) as (keyof typeof UNITS)[]).map(recipeOf);
}

const recipes = new Map<keyof typeof UNITS, Recipe>();

function recipeOf(part: keyof typeof UNITS): Recipe {
  const known = recipes.get(part);
  if (known) return known;
  const folder = join(LIBRARY_FOLDER, 'opencl');
  const files = readTree(folder);
  const names = Object.keys(files).sort();
  const unit = UNITS[part];
  // Without clang's own declarations, which would conflict with the definitions.
  const argv = [
    ...[...TARGET, ...LANGUAGE, '-cl-std=CL3.0', '-cl-ext=+all', '-include', BASE_HEADER, '-w'],
    ...['-emit-llvm-bc', '-o', '-', unit],
  ];
  const recipe: Recipe = {
    parts: {
      what: 'CPU library of OpenCL C',
      argv,
      names,
      texts: names.map((name) => readFileSync(join(folder, name), 'utf8')),
    },
    make: (toolchain) => {
      const { ok, files: made, log } = toolchain.run(argv, files);
      const out = made['out'];
      if (!ok || !out) throw new Error(`The CPU device's own library of OpenCL C does not compile:\n${log}`);
      return out;
    },
  };
  recipes.set(part, recipe);
  return recipe;
}
