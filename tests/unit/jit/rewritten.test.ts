import { runInThisContext } from 'node:vm';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { expect, test } from '@jest/globals';
import { cSource } from '../../../src/jit/emit/c-source.ts';
import { cudaWords } from '../../../src/jit/emit/words.ts';
import { readFunction } from '../../../src/jit/read/function-text.ts';
import { readKernel } from '../../../src/jit/read/kernel-tree.ts';
import { parseSignature } from '../../../src/jit/signature.ts';

// What minifiers and compilers make of statements: most of it becomes the C of the statements that the author wrote.

function textOf(fn: unknown): string {
  const source = { text: { ...readFunction(fn, 'jit'), name: 'kernel_1' }, constants: { R: 2 }, isKernel: true };
  const tree = readKernel(source, parseSignature('(f32[], i32[], i32)', 'jit'), false);
  return cSource(tree, cudaWords, { isWide: false, hasLines: false }).text;
}

const functionOf = (body: string): unknown =>
  runInThisContext(`((x, y, n, { R: t }) => {\n  const i = cuda.grid(1);\n  ${body}\n})`);

test.each<[string, string]>([
  ['if (n) x[i] = 1;', 'n && (x[i] = 1);'],
  ['if (!n) x[i] = 1;', 'n || (x[i] = 1);'],
  ['if (n > 1) x[i] = 1; else y[i] = 2;', 'n > 1 ? x[i] = 1 : y[i] = 2;'],
  ['if (n > 1) { x[i] = 1; y[i] = 2; }', 'n > 1 && (x[i] = 1, y[i] = 2);'],
  ['x[i] = 1; y[i] = 2;', 'x[i] = 1, y[i] = 2;'],
  ['x[i] = 1; if (n > 1) y[i] = 2;', 'if (x[i] = 1, n > 1) y[i] = 2;'],
  ['if (n > 1) { cuda.syncthreads(); } if (n > 2) y[i] = 2;', 'if (n > 1 && cuda.syncthreads(), n > 2) y[i] = 2;'],
  ['x[i] = 1; return;', 'return x[i] = 1, void 0;'],
  ['if (n > 1) { x[i] = 1; return; } y[i] = 2;', 'if (n > 1) return x[i] = 1, void 0; y[i] = 2;'],
  ['x[i] = 1000;', 'x[i] = 1e3;'],
  [
    'let a = true; if (a) x[i] = 1; a = false; y[i] = a ? 1 : 2;',
    'let a = !0; a && (x[i] = 1), a = !1, y[i] = a ? 1 : 2;',
  ],
  ['const a = cuda.threadIdx.x; x[i] = a;', 'const a = (0, e.threadIdx).x; x[i] = a;'],
  ['cuda.syncthreads();', '(0, jit_1.cuda.syncthreads)();'],
  ['cuda.atomic.add(y, 0, 1);', '_jit.cuda["atomic"]["add"](y, 0, 1);'],
  ['x[i] = n ** 3;', 'x[i] = Math.pow(n, 3);'],
  ['x[i] = n ** 3;', 'x[i] = __pow(n, 3);'],
])('%s: the same C as %s', (plain, rewritten) => {
  expect(textOf(functionOf(rewritten))).toBe(textOf(functionOf(plain)));
});

test.each<[string, string, string]>([
  [
    'a loop whose update decides',
    'for (let k = 0; k < n; k > 2 ? k++ : (y[i] = k, k += 2)) x[k] = 1;',
    'for (int k = 0; k < n; k > 2 ? (k++, 0) : (y[i] = k, k += 2, 0)) x[k] = 1.0f;',
  ],
  [
    'a loop whose test changes something',
    'for (let k = 0; k > 2 && (y[i] = k), k < n; ) k++;',
    'for (int k = 0; k > 2 ? (y[i] = k, 0) : 0, k < n;) k++;',
  ],
  [
    'the value of a variable',
    'const a = (n > 2 && cuda.syncthreads(), x[i]); x[i] = a;',
    'const float a = (n > 2 ? (__syncthreads(), 0) : 0, x[i]);',
  ],
  [
    'a value that is assigned',
    'x[i] = (n > 2 ? cuda.syncthreads() : (n < 1 || (y[i] = 3), y[0]++), x[0]);',
    'x[i] = (n > 2 ? (__syncthreads(), 0) : (n < 1 ? 0 : (y[i] = 3, 0), y[0]++, 0), x[0]);',
  ],
  [
    'an argument',
    'x[i] = Math.max((n > 2 && cuda.syncthreads(), x[i]), 1);',
    'x[i] = js_max_f32((n > 2 ? (__syncthreads(), 0) : 0, x[i]), 1.0f);',
  ],
])('%s may have statements before it, which need no value', (_, body, inC) => {
  expect(textOf(functionOf(body))).toContain(inC);
});

const WHOLE = `(x, y, n, { R: t }) => {
  const tile = cuda.shared.array(64, 'f32');
  const [i, k] = [cuda.grid(1), cuda.threadIdx.x];
  tile[k] = x[i];
  cuda.syncthreads();
  if (i >= n || k > 9) return;
  let sum = 0;
  for (let l = 0; l < t; l++) {
    if (l & 1) continue;
    sum += l > n ? tile[l] : 1;
  }
  while (sum > 10) sum -= 1;
  if (sum > 1) x[i] = sum;
  if (sum < 0 && n > 1) y[i] = 2;
}`;

test("istanbul's counters of coverage are no part of a kernel", () => {
  const { code } = instrumented(WHOLE);
  expect(code).toMatch(/cov_\w+\(\)\.b\[\d\]\[1\]\+\+/);
  expect(textOf(runInThisContext(code))).toBe(textOf(runInThisContext(WHOLE)));
});

/** The function with counters, whose names are declared around it. */
function instrumented(text: string): { readonly code: string } {
  const whole = createInstrumenter({ compact: false }).instrumentSync(`const made = ${text};`, 'kernel.js');
  return { code: whole.slice(whole.indexOf('(x, y'), whole.lastIndexOf(';')) };
}
