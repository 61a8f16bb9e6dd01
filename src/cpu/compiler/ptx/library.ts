import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FOLDER } from '../../files/folders.ts';
import { loadOrMake, type Recipe } from '../artifact.ts';
import { headerRecipe, translatePlain } from '../front-end.ts';
import { readTree } from '../headers.ts';
import { TARGET } from '../library.ts';
import { declarationsFor, withDefinedResult } from '../prepare/defined-results.ts';
import { hideLibraryVariables } from '../prepare/globals.ts';
import type { Toolchain } from '../toolchain.ts';

const UNIT = 'functions.cu';

let recipe: Recipe | undefined;

/** The functions of PTX's instructions as bitcode. A program links those that it names. */
export function ptxLibrary(toolchain: Toolchain): Uint8Array {
  const made = loadOrMake(ptxRecipe(), toolchain);
  if (!made) throw new Error("The CPU device's own library of PTX is missing");
  return made;
}

/** How the library is made. */
export function ptxRecipe(): Recipe {
  if (recipe) return recipe;
  const folder = join(LIBRARY_FOLDER, 'ptx');
  const files = readTree(folder);
  const names = Object.keys(files).sort();
  const headers = headerRecipe();
  return (recipe = {
    parts: {
      what: 'CPU library of PTX',
      names,
      texts: names.map((name) => readFileSync(join(folder, name), 'utf8')),
      headers: JSON.stringify(headers.parts),
    },
    make: (toolchain) => {
      const { ok, files: made, log } = translatePlain(toolchain, UNIT, files);
      const out = made['out'];
      if (!ok || !out) throw new Error(`The CPU device's own library of PTX does not compile:\n${log}`);
      const text = asProgram(new TextDecoder().decode(out));
      const bitcode = [...TARGET, '-x', 'ir', '-O3', '-disable-llvm-passes', '-emit-llvm-bc', '-o', '-', 'in.ll'];
      return toolchain.run(bitcode, { 'in.ll': text }).files['out'];
    },
  });
}

/** The edits that the compiler makes to a program's own code as well: defined results, and variables of the worker. */
function asProgram(text: string): string {
  const lines = text
    .split('\n')
    .flatMap(withDefinedResult)
    .map((line) => line.replace(/^(@__rt_\w+ = external) (?:\w+ )*?global /, '$1 thread_local(localexec) global '));
  const all = lines.join('\n');
  return hideLibraryVariables([all, ...declarationsFor(all)].join('\n'));
}
