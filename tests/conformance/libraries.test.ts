import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { koffiType } from '../../src/ffi/ctype.ts';
import { entriesOf, parsePrototype, typesOf, type Table } from '../../src/ffi/prototype.ts';
import type { StatusRows } from '../../src/ffi/status-table.ts';
import { root } from '../helpers/root.ts';
import { clumsyHints, complaints, constants, declarations, describeWith } from './emit.ts';

/** What a library's folder has for this test; each file is optional but the prototypes. */
interface Folder {
  readonly name: string;
  readonly functions: Table;
  readonly statuses: StatusRows;
  readonly headers: readonly string[];
}

const folders: Folder[] = [];
for (const half of readdirSync(join(root, 'src'))) {
  const libraries = join(root, 'src', half, 'libraries');
  if (!existsSync(libraries)) continue;
  for (const name of readdirSync(libraries)) {
    const prototypes = await load(join(libraries, name, 'functions.ts'));
    if (!prototypes) continue;
    const rows = await load(join(libraries, name, 'statuses.ts'));
    const headers = await load(join(libraries, name, 'headers.ts'));
    folders.push({
      name,
      functions: prototypes['functions'] as Table,
      statuses: Object.assign({}, ...Object.values(rows ?? {})) as StatusRows,
      headers: (headers?.['headers'] ?? []) as readonly string[],
    });
  }
}

async function load(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!existsSync(path)) return undefined;
  return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
}

test('the folders are found', () => {
  expect(folders.map(({ name }) => name)).toEqual(expect.arrayContaining(['nvjitlink', 'nvtx', 'nvvm']));
});

describe.each(folders)('$name', ({ functions, statuses }) => {
  test('has a row for every C type', () => {
    const types = typesOf(functions);
    for (const [, text] of entriesOf(functions)) {
      const { result, resultStars, params } = parsePrototype(text);
      expect(koffiType(result, resultStars, types)).toBeDefined();
      for (const { type, stars } of params) expect(koffiType(stars > 0 ? 'void' : type, stars, types)).toBeDefined();
    }
  });

  test('has each status once, with one phrase for its hint', () => {
    const numbers = Object.values(statuses).map(([status]) => status);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(clumsyHints(statuses)).toEqual([]);
  });
});

for (const { name, functions, statuses, headers } of folders.filter((folder) => folder.headers.length > 0)) {
  describeWith(...headers)(`the headers of ${name}`, () => {
    test('declare every function and status as the folder does', () => {
      expect(complaints(headers, declarations(functions))).toBe('');
      expect(
        complaints(
          headers,
          constants(statuses, (key) => key),
        ),
      ).toBe('');
    });
  });
}
