import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from '@jest/globals';
import { transformSync } from '@swc/core';
import { moduleFile } from './build-record.js';
import { isBuilt } from './child.ts';
import { root } from './root.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-ranks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that several processes run. */
export interface RankProgram {
  readonly file: string;
  /** For Node.js; `rawkernel launch` finds them itself. */
  readonly flags: readonly string[];
}

/**
 * A TypeScript program among the helpers, for processes of its own. Where there is a build it runs that, as JavaScript: the
 * sources need tsx, which takes a second to start in each process.
 */
export function rankProgram(name: string): RankProgram {
  const file = join(root, 'tests/helpers', name);
  return isBuilt() ? { file: translated(file), flags: [] } : { file, flags: ['--import', 'tsx'] };
}

const IMPORT = /(?<=^(?:import|export) .*from |^\} from )'(\.[^']+)\.ts'/gm;

/** A file, and what it imports beside it, in JavaScript. */
function translated(file: string): string {
  const target = join(folder, relative(root, file)).replace(/\.ts$/, '.mjs');
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  const single = code.replaceAll(/ from "([^"]+)";/g, " from '$1';");
  const text = single.replaceAll(IMPORT, (_, path: string) => {
    const imported = resolve(dirname(file), path);
    const name = relative(join(root, 'src'), imported);
    const to = name.startsWith('..') ? translated(`${imported}.ts`) : join(root, moduleFile(name));
    return `'${pathToFileURL(to).href}'`;
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}
