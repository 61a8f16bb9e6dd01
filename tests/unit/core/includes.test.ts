import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { includedHeaders } from '../../../src/core/includes.ts';

const root = mkdtempSync(join(tmpdir(), 'rawkernel-includes-'));
const first = join(root, 'first');
const second = join(root, 'second');

beforeAll(() => {
  mkdirSync(join(first, 'deep'), { recursive: true });
  mkdirSync(second);
  writeFileSync(join(first, 'a.h'), '#include "deep/b.h"\n');
  writeFileSync(join(first, 'deep', 'b.h'), '#include "c.h"\n#include <b.h>\n');
  writeFileSync(join(first, 'deep', 'c.h'), '#include "../a.h"\n');
  writeFileSync(join(first, 'both.h'), '1');
  writeFileSync(join(second, 'both.h'), '2');
  writeFileSync(join(second, 'b.h'), '');
  writeFileSync(join(second, 'computed.h'), '#include WHICH\n');
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** The headers found, without the folder and the digest. */
function found(source: string, folders: readonly string[], home?: string): string[] | undefined {
  const paths = includedHeaders(source, folders, home)?.map((line) => line.slice(root.length + 1, -65));
  return paths?.map((path) => path.replaceAll(sep, '/'));
}

test('includedHeaders() of a source without includes is empty', () => {
  expect(found('__global__ void k() {}', [first])).toEqual([]);
});

test('includedHeaders() follows headers into headers, once each', () => {
  expect(found('#include "a.h"', [first, second])).toEqual([
    'first/a.h',
    'first/deep/b.h',
    'first/deep/c.h',
    'second/b.h',
  ]);
});

test('includedHeaders() searches the folders in order', () => {
  expect(found('#include <both.h>', [second, first])).toEqual(['second/both.h']);
});

test.each([
  '#include "both.h"',
  '#include <both.h>',
  '  #  include\t"both.h" // why',
  'int x;\n#include"both.h"\n',
  '#import "both.h"',
  '#include_next <both.h>',
  '#if 0\n#include "both.h"\n#endif',
  '\uFEFF#include "both.h"',
  '#pragma once\r\n#include "both.h"\r\nint x;\r\n',
  '#include <both.h>\r\n',
])('includedHeaders() reads %j', (source) => {
  expect(found(source, [first])).toEqual(['first/both.h']);
});

test('includedHeaders() looks for quoted names in the folder of the source first, for angled ones never', () => {
  expect(found('#include "both.h"', [second], first)).toEqual(['first/both.h']);
  expect(found('#include <both.h>', [], first)).toEqual([]);
});

test('includedHeaders() passes over what is nowhere: the compiler has its own headers', () => {
  expect(found('#include <cuda_runtime.h>\n#include "both.h"', [first])).toEqual(['first/both.h']);
});

test('includedHeaders() passes over a folder of that name', () => {
  expect(found('#include "deep"', [first])).toEqual([]);
});

test('includedHeaders() reads headers as editors on Windows save them', () => {
  writeFileSync(join(root, 'marked.h'), '\uFEFF#include "first/both.h"\r\n#include "second/both.h"\r\n');
  expect(found('#include "marked.h"\r\n', [root])).toEqual(['first/both.h', 'marked.h', 'second/both.h']);
});

test('includedHeaders() is undefined when an include is computed', () => {
  expect(found('#include WHICH', [first])).toBeUndefined();
});

test('includedHeaders() is undefined when a header computes an include', () => {
  expect(found('#include "computed.h"', [second])).toBeUndefined();
});

test('includedHeaders() changes with the content of a header, be it of equal size and age', () => {
  const path = join(root, 'changing.h');
  const digests = ['#define A 1', '#define A 2', '#define A 3', '#define A 1'].map((text) => {
    writeFileSync(path, text);
    return includedHeaders('#include "changing.h"', [root])?.[0];
  });
  expect(new Set(digests).size).toBe(3);
  expect(digests[3]).toBe(digests[0]);
});

test('includedHeaders() changes when a header appears', () => {
  expect(found('#include "late.h"', [root])).toEqual([]);
  writeFileSync(join(root, 'late.h'), '');
  expect(found('#include "late.h"', [root])).toEqual(['late.h']);
});

test('includedHeaders() knows a header by its whole path, wherever it is', () => {
  expect(found(`#include "${join(second, 'both.h')}"`, [])).toEqual(['second/both.h']);
});

test('includedHeaders() passes over a name that no file can have', () => {
  const names = ['x'.repeat(5000), 'nul\0nul', join(first, 'a.h', 'inside-a-file.h')];
  expect(found(names.map((name) => `#include "${name}"`).join('\n'), [first])).toEqual([]);
});
