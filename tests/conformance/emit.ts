import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { needs } from '../helpers/require.ts';
import { entriesOf, type Table } from '../../src/ffi/prototype.ts';

/** An enum object, or a table whose rows begin with the number. */
export type Constants = Readonly<Record<string, number | readonly [number, ...unknown[]]>>;

/** Struct layouts as the `sys/structs.ts` files hold them. */
export type Structs = Readonly<
  Record<string, { readonly size: number; readonly fields: Readonly<Record<string, number>> }>
>;

/** The folder that holds a header, if one does. */
function includeFolder(header: string): string | undefined {
  const { CUDA_HOME, CUDA_PATH } = process.env;
  const homes = [CUDA_HOME, CUDA_PATH, '/usr/local/cuda'].filter((home) => home !== undefined && home !== '');
  const folders = [...homes.map((home) => join(home as string, 'include')), '/usr/include'];
  return folders.find((folder) => existsSync(join(folder, header)));
}

/** `describe`, or its skipping form if this machine lacks one of the headers, or the compiler that reads them. */
export function describeWith(...headers: readonly string[]): typeof describe.skip {
  const missing = headers.filter((header) => includeFolder(header) === undefined);
  if (missing.length === 0) return needs.command('gcc').describe;
  process.stderr.write(`Skipping tests: no ${missing.join(', ')} under CUDA_HOME, CUDA_PATH or /usr/include\n`);
  return describe.skip;
}

/** Every function of a table, declared a second time. */
export function declarations(table: Table): string {
  return [...entriesOf(table)].map(([, text]) => `${text.replaceAll(/\b_(?:Out_opt|Out|In)_ /g, '')};`).join('\n');
}

/** Every constant, compared with the header's. `toC` gives the header's name of a key. */
export function constants(values: Constants, toC: (key: string) => string): string {
  return Object.entries(values)
    .map(([key, row]) => {
      const value = typeof row === 'number' ? row : row[0];
      return sameNumber(`(long long)(${toC(key)})`, value, toC(key));
    })
    .join('\n');
}

/** Every struct's size and the offset of each of its fields. */
export function layouts(structs: Structs): string {
  return Object.entries(structs)
    .flatMap(([name, { size, fields }]) => [
      sameNumber(`sizeof(${name})`, size, `sizeof ${name}`),
      ...Object.entries(fields).map(([field, offset]) =>
        sameNumber(`offsetof(${name}, ${field})`, offset, `${name}.${field}`),
      ),
    ])
    .join('\n');
}

/** Rows whose hint is not one phrase without a full stop. */
export function clumsyHints(rows: Readonly<Record<string, readonly [number, string, string]>>): string[] {
  return Object.keys(rows).filter((name) => !/^$|^[A-Z].*[^.\s]$/.test(rows[name]?.[2] ?? ''));
}

function sameNumber(expression: string, value: number, label: string): string {
  return `_Static_assert(${expression} == ${String(value)}, "${label} is not ${String(value)}");`;
}

/** What the C compiler has to say about a text that includes these headers: nothing, if the two agree. */
export function complaints(headers: readonly string[], code: string, before = ''): string {
  const folders = headers.map(includeFolder).filter((folder) => folder !== undefined);
  const includes = headers.map((header) => `#include <${header}>`).join('\n');
  const input = `${before}\n#include <stddef.h>\n${includes}\n${code}\n`;
  const options = [
    '-fsyntax-only',
    '-Wno-deprecated-declarations',
    ...folders.flatMap((folder) => ['-isystem', folder]),
  ];
  const env = { ...process.env, LC_ALL: 'C' };
  const { error, stderr } = spawnSync('gcc', [...options, '-x', 'c', '-'], { input, env, encoding: 'utf8' });
  if (error) throw error;
  return stderr;
}
