import { expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declarationOf } from '../../../src/cli/types/declaration.ts';
import { command } from '../../helpers/command.ts';
import { some } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const CU = `#include "n.cuh"
namespace ns { __global__ void fill(float *x, N_TYPE n) {} }
template <typename T> __global__ void scale(T *x, T by) {}
__global__ void over(int n) {}
__global__ void over(float *x) {}
`;
const CL = '__kernel void add(__global const float *a, __local int *scratch, uint n) {}\n';

const cuda = needs.gpu().missing === undefined ? needs.nvrtc() : needs.cuda();
const built = needs.build();
const { describe } = built.missing === undefined ? cuda : built;

function within<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-types-'));
  const clean = (): void => rmSync(folder, { recursive: true });
  const result = work(folder);
  if (!(result instanceof Promise)) clean();
  return result instanceof Promise ? (result.finally(clean) as T) : result;
}

test('a declaration file has the signature of each kernel', () => {
  const text = declarationOf({ language: 'cuda' }, ['a(int n)', 'b<float>(float *x)', 'a(float *x)', 'unknown']);
  expect(text).toMatchInlineSnapshot(`
   "// Written by rawkernel types. Do not edit: run it again after a change of the source.
   import type { KernelSource } from 'rawkernel/cuda';

   declare const source: KernelSource<{
     readonly a: 'a(int n)' | 'a(float *x)';
     readonly 'b<float>': 'b<float>(float *x)';
     readonly unknown: 'unknown(...)';
   }>;
   export default source;
   "
  `);
});

describe('types', () => {
  test('the declarations beside the kernels of the examples are not stale', async () => {
    const folders = ['cuda', 'opencl'].map((name) => join(root, 'kernels', name));
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const sources = files.filter((file) => /\.c[lu]$/.test(file));
    expect(sources.length).toBeGreaterThan(8);
    expect(await command(['types', ...some(sources, 4), '--check'])).toMatchObject({ code: 0 });
  });

  test('writes declarations beside the sources, and --check compares them', () =>
    within(async (folder) => {
      const [cu, cl] = [join(folder, 'a.cu'), join(folder, 'b.cl')];
      writeFileSync(cu, CU);
      writeFileSync(cl, CL);
      writeFileSync(join(folder, 'n.cuh'), '#define N_TYPE int\n');
      const flags = ['-I', folder, '--name', 'scale<float>'];
      const missing = await command(['types', cu, cl, ...flags, '--check']);
      expect([missing.code, existsSync(`${cu}.d.ts`)]).toEqual([1, false]);
      const { code, stdout, stderr } = await command(['types', cu, cl, ...flags]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('written');
      const written = readFileSync(`${cu}.d.ts`, 'utf8');
      expect(written).toContain("from 'rawkernel/cuda'");
      expect(written).toContain("readonly 'ns::fill': 'ns::fill(float *x, int n)';");
      expect(written).toContain("readonly 'scale<float>': 'scale<float>(float *x, float by)';");
      expect(written).toMatch(/readonly over: '(over\((?:int n|float \*x)\)(?:' \| ')?){2}';/);
      expect(readFileSync(`${cl}.d.ts`, 'utf8')).toContain(
        "readonly add: 'add(__global const float *a, __local int *scratch, uint n)';",
      );
      expect(await command(['types', cu, cl, ...flags, '--check'])).toMatchObject({ code: 0 });
      writeFileSync(cl, CL.replace('uint n', 'int n'));
      const stale = await command(['types', cu, cl, ...flags, '--check', '--json']);
      expect(stale.code).toBe(1);
      const { files } = JSON.parse(stale.stdout) as { files: readonly { readonly state: string }[] };
      expect(files.map(({ state }) => state)).toEqual(['unchanged', 'stale']);
    }));

  test('the declarations that the tests of types read are those of their source', async () => {
    const source = join(root, 'tests', 'types', 'files', 'saxpy.cu');
    expect(await command(['types', source, '--name', 'scale<double>', '--check'])).toMatchObject({ code: 0 });
  });

  test('says what is wrong', () =>
    within(async (folder) => {
      const cu = join(folder, 'a.cu');
      writeFileSync(cu, '__global__ void k(int n) { wrong; }\n');
      const wrong = await command(['types', cu]);
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toContain('wrong');
      expect(existsSync(`${cu}.d.ts`)).toBe(false);
      const name = await command(['types', cu, '--name', 'scale<float>']);
      expect([name.code, name.stderr]).toEqual([2, expect.stringContaining('no CUDA source has such a template')]);
      const plain = await command(['types', cu, '--name', 'k']);
      expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('write the instance of a template')]);
      expect((await command(['types', join(folder, 'none.cu')])).code).toBe(2);
      expect((await command(['types'])).code).toBe(2);
    }));
});
