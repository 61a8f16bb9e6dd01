import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileCuda, compileOpenCL } from '../../../../src/cpu/compiler/client.ts';
import type { CompileAnswer } from '../../../../src/cpu/compiler/request.ts';
import { COMPILE_MS, requestOf } from '../opencl/compile.ts';

const FILES = {
  'project/gpu/kernel.h': '#include "parts/one.h"\n#include "../common/two.h"\n#define SUM (ONE + TWO)\n',
  'project/gpu/parts/one.h': '#define ONE 1\n',
  'project/common/two.h': '#include <three.h>\n#define TWO (2 + THREE)\n',
  'project/common/wrong.h': 'int wrong = nothing;\n',
  'elsewhere/three.h': '#define THREE 3\n',
  'elsewhere/four.h': '#include PATH(five.h)\n#define FOUR (4 + FIVE)\n',
  'elsewhere/five.h': '#define FIVE 5\n',
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-headers-'));
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A kernel that is an error unless a sum is right. */
const holds = (sum: string): string => `typedef char sum_is_right[${sum} ? 1 : -1];\n`;

function cuda(source: string, includes: readonly string[], file = 'kernel.cu'): CompileAnswer {
  const request = { source: `${source}\n__global__ void k() {}`, file, options: [], expressions: [], includes };
  return compileCuda({ ...request, checked: false });
}

function openCL(source: string, options: string, headers: Readonly<Record<string, string>> = {}): CompileAnswer {
  return compileOpenCL({ ...requestOf(`${source}\nkernel void k() {}`, options), headers });
}

const path = (name: string): string => join(folder, name).replaceAll('\\', '/');

const WAYS: readonly (readonly [string, () => string, string])[] = [
  ['beside each other, and upwards', () => '#include "kernel.h"', 'project/gpu'],
  ['by a path that goes up', () => '#include "gpu/parts/../kernel.h"', 'project'],
  ['by an absolute path', () => `#include "${path('project/gpu/kernel.h')}"`, 'project/common'],
  ['by a macro', () => '#define HEADER "gpu/kernel.h"\n#include HEADER', 'project'],
  [
    'by a macro with a path',
    () => '#define M(x) #x\n#define M2(x) M(x)\n#define D gpu\n#include M2(D/kernel.h)',
    'project',
  ],
];

test.each(WAYS)(
  'headers are found %s',
  (_, source, include) => {
    const text = `${source()}\n${holds('SUM == 6')}`;
    const folders = [path(include), path('elsewhere')];
    expect(cuda(text, folders)).toMatchObject({ log: '', program: {} });
    expect(openCL(text, folders.map((one) => `-I "${one}"`).join(' '))).toMatchObject({ log: '', program: {} });
  },
  COMPILE_MS,
);

test(
  'headers that macros name have such headers themselves',
  () => {
    const text = `#define TEXT(x) #x\n#define PATH(x) TEXT(x)\n#include PATH(four.h)\n${holds('FOUR == 9')}`;
    expect(cuda(text, [path('elsewhere')])).toMatchObject({ log: '', program: {} });
    expect(openCL(text, `-I ${path('elsewhere')}`)).toMatchObject({ log: '', program: {} });
  },
  COMPILE_MS,
);

test(
  'headers are found beside a source with a folder',
  () => {
    const text = `#include "../common/two.h"\n${holds('TWO == 5')}`;
    expect(cuda(text, [path('elsewhere')], path('project/gpu/kernel.cu'))).toMatchObject({ log: '', program: {} });
  },
  COMPILE_MS,
);

test(
  'headers that are given as texts include each other',
  () => {
    const headers = { 'a/one.h': '#include "../b/two.h"\n#define ONE (TWO - 1)', 'b/two.h': '#define TWO 2' };
    expect(openCL(`#include <a/one.h>\n${holds('ONE == 1')}`, '', headers)).toMatchObject({ log: '', program: {} });
  },
  COMPILE_MS,
);

test(
  'an error in a header has its path, and a header that is missing its name',
  () => {
    const wrong = cuda('#include "wrong.h"', [path('project/common')]);
    expect(wrong.log).toContain(`${path('project/common')}/wrong.h:1:13: error: `);
    expect(wrong.program).toBeUndefined();
    const missing = cuda('#define HEADER <absent.h>\n#include HEADER', [path('project')]);
    expect(missing.log).toMatch(/kernel\.cu:2:10: fatal error: 'absent\.h' file not found/);
  },
  COMPILE_MS,
);
