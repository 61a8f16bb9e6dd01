import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { struct } from '../../../src/core/struct.ts';
import { cSource } from '../../../src/jit/emit/c-source.ts';
import { openclWords } from '../../../src/jit/emit/words.ts';
import { JitError } from '../../../src/jit/error.ts';
import { device } from '../../../src/jit/jit.ts';
import { readFunction } from '../../../src/jit/read/function-text.ts';
import { readKernel } from '../../../src/jit/read/kernel-tree.ts';
import { parseSignature } from '../../../src/jit/signature.ts';

// Functions that are no kernels. Each kind of mistake has a sentence of its own, at the line and column of the mistake: here the
// text is the whole file, so both are known.

const constants = {
  R: 2,
  taps: [1, 2, 3],
  words: new Uint32Array(4),
  square: device((x: number) => x * x),
  inner: { a: 1 },
  Cell: struct({ on: 'bool', at: struct({ x: 'f32' }) }),
};

/** What refuses a function of `x` (f32[]), `m` (f32[,]), `n` (i32) and the constants `c`. The mistake is marked by « and ». */
function refusal(text: string): { error: JitError; line: number; column: number } {
  const start = text.indexOf('«');
  const plain = text.replace(/[«»]/g, '');
  const before = text.slice(0, start);
  const fn = runInThisContext(`(${plain})`) as () => void;
  try {
    const source = { text: readFunction(fn, 'jit'), constants, isKernel: true };
    const tree = readKernel(source, parseSignature('(f32[], f32[,], i32)', 'jit'), false);
    cSource(tree, openclWords, { isWide: false, hasLines: false });
  } catch (error) {
    if (!(error instanceof JitError)) throw error;
    return { error, line: before.split('\n').length, column: start - before.lastIndexOf('\n') };
  }
  throw new Error(`nothing was refused: ${plain}`);
}

function check(text: string, reason: string): void {
  const { error, line, column } = refusal(text);
  expect(error.message).toContain(reason);
  expect([error.line, error.column]).toEqual([line, column]);
}

const inBody = (statement: string): string => `(x, m, n, c) => {\n  const i = cuda.grid(1);\n  ${statement}\n}`;

/** Mistakes by their reason: the body's third line. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'is not a variable of the kernel, whose text does not bring what is around it': [
    'x[i] = «scale»;',
    'x[i] = n * «R»;',
    'x[«offset» + i] = 1;',
    'if («isReady») x[i] = 1;',
    'for (let k = 0; k < «count»; k++) x[k] = 0;',
    'x[i] = «settings.scale»;',
    '«total» += x[i];',
    'x[i] = «process.pid»;',
    'x[i] = «globalThis.scale»;',
    'x[i] = «Symbol»;',
  ],
  'was written into the kernel by a tool that measures coverage': [
    "x[i] = «stryMutAct_9fa48»('1') ? 1 : 2;",
    '«__coverage__».s[0]++;',
    "«_$jscoverage»['kernel.js'][1]++;",
    'x[i] = «cov_1q2w3e»(n);',
  ],
  'is not a function of the kernel: make it by device': [
    'x[i] = «helper»(n);',
    '«log»(x[i]);',
    'x[i] = «parseInt»(n);',
    'x[i] = «require»(1);',
    'x[i] = «BigInt»(n);',
  ],
  'kernels do not have': [
    'x[i] = «Math.sqr»(n);',
    'x[i] = «Math.Sqrt»(n);',
    'x[i] = «cuda.atomics.add»(x, 0, 1);',
    'x[i] = «cuda.threadIdx.w»;',
    'x[i] = «Number.parseFloat»(n);',
    'x[i] = «Math.TAU»;',
    '«cuda.atomic.addd»(x, 0, 1);',
    '«cuda.shared.zeros»(4);',
    '«console.error»(n);',
    '«console.table»(x);',
    'x[i] = «JSON.parse»(n);',
    'x[i] = «Date.now»();',
  ],
  'must be called': ['x[i] = «Math.sqrt»;', 'x[i] = «cuda.grid»;', '«cuda.syncthreads»;', 'const f = «Math.max»;'],
  'is a value: take the brackets away': [
    'x[i] = «cuda.threadIdx.x()»;',
    'x[i] = «Math.PI()»;',
    'x[i] = «cuda.laneid()»;',
  ],
  'a comma in an index takes the last value alone': [
    'm[«i, 0»] = 1;',
    'x[i] = m[«n, i»];',
    'x[«0, i»] = 1;',
    'm[«i, n»] += 1;',
  ],
  'an index must be an integer': [
    'x[«n / 2»] = 1;',
    'x[«x[0]»] = 1;',
    'x[«0.5»] = 1;',
    'x[i] = x[«i * 0.5»];',
    'm[«n / 2»][0] = 1;',
    'x[«Math.sqrt(n)»] = 1;',
    'const half = n / 2; x[«half»] = 1;',
    'x[«n ** 0.5»] = 1;',
    'x[«n && 0.5»] = 1;',
  ],
  'a kernel has no this': ['x[i] = «this».scale;', '«this».count = 1;'],
  'a kernel cannot have functions inside': [
    'const f = «(a) => a + 1»; x[i] = f(n);',
    'const f = «function (a) { return a; }»;',
    '«funct»ion helper(a) { return a; }',
    'x[i] = («() => 1»)();',
  ],
  'a kernel cannot have classes': ['«class» Point {}', 'const P = «class {}»;'],
  'a kernel has no exceptions': [
    '«try {» x[i] = 1; } catch { x[i] = 0; }',
    '«try {» x[i] = 1; } finally { x[i] = 0; }',
  ],
  'a kernel cannot throw': ["«throw» new Error('no');", '«throw» n;'],
  'for … of must be given an array or a list of numbers': [
    'for (const v of «n») x[i] = v;',
    'for (const v of «{ a: 1 }») x[i] = 1;',
  ],
  'for … of must declare its variable': [
    'let v = 0; for («v» of x) x[i] = v;',
    'for («x[0]» of x) x[i] = 1;',
    'let p = [0, 1]; for («p[0]» of x) x[i] = 1;',
  ],
  'must be called by its whole name': ['const { «grid» } = cuda;', 'const { «syncthreads» } = cuda;'],
  'kernels do not have cuda.threadIds': ['const { «threadIds» } = cuda;'],
  'a part of a value must have a name': ['const { a: «b = 1» } = { a: n };', 'for (const [«a = 1»] of m) x[i] = a;'],
  'has no .w': ['const { «w» } = cuda.threadIdx;'],
  'the values of the list must be numbers of one type': [
    'for (const v of «[1, n > 0]») x[i] = v;',
    'for (const v of «[[1, 2], [3, 4]]») x[i] = 1;',
  ],
  'a kernel has no for … in': ['«for (»const k in x) x[k] = 1;'],
  'a kernel has no strings': [
    "x[i] = «'1'»;",
    "x[i] = n + «'px'»;",
    'x[i] = «`${n}`»;',
    "if (n === «'one'») x[i] = 1;",
    "const name = «'x'»;",
  ],
  'a kernel has no regular expressions': ['x[i] = «/1/»;'],
  'a kernel cannot make objects with new': [
    'const a = «new Float32Array(4)»;',
    'const a = «new Array(4)»;',
    'x[i] = «new Date()»;',
  ],
  'nothing in a kernel is null or undefined: write . in place of ?.': [
    'x[i] = «c?.R»;',
    'x[i] = «x?.[i]»;',
    '«cuda?.syncthreads()»;',
  ],
  'nothing in a kernel is null or undefined: take ?? away': ['x[i] = «x[i] ?? 0»;'],
  'nothing in a kernel is null: write a number': ['x[i] = «null»;', 'if (x[i] === «null») x[i] = 0;'],
  'nothing in a kernel is undefined: write a number': ['x[i] = «undefined»;', 'if (x[i] === «undefined») return;'],
  'a kernel has no typeof': ['x[i] = «typeof n»;', "if («typeof n» === 'number') x[i] = 1;"],
  'a kernel has no delete': ['«delete x[i]»;'],
  'the operator in is not one of kernels': ['x[i] = «n in x»;'],
  'the operator instanceof is not one of kernels': ['x[i] = «x instanceof x»;'],
  'take ??= and its value away': ['let a = n; «a ??= 1»;', '«x[i] ??= 1»;'],
  'values in a kernel have no methods': [
    '«x.fill(0)»;',
    'x[i] = «x.indexOf(1)»;',
    'x[i] = «n.toFixed(2)»;',
    '«x.forEach(0)»;',
    'x[i] = «x.map(0)»;',
  ],
  'an array in a kernel has length, size, shape and ndim': [
    'x[i] = «x.byteLength»;',
    'x[i] = «m.T»;',
    'x[i] = «x.buffer»;',
  ],
  'the axis of .shape must be 0 to': ['x[i] = «m.shape[2]»;', 'x[i] = «x.shape[1]»;', 'x[i] = «x.shape[-1]»;'],
  'the axis of .shape must be an integer constant': ['x[i] = m.shape[«n»];', 'x[i] = m.shape[«i»];'],
  'is an array: assign to its elements': ['«x» = n;', '«m» = x;', '«x» += 1;', '«x»++;', '«x» ||= n;', '«m» &&= n;'],
  'a row is no single element': ['«m[i]» = n;', '«m[0]» += 1;', '«m[i]»++;'],
  'a number must stand here': [
    'x[i] = «x» + 1;',
    'x[i] = -«m[i]»;',
    'x[i] = «x» * «»2;',
    'if («x») x[i] = 1;',
    'x[i] = Math.sqrt(«x»);',
    'x[i] = «[1, 2]» + 1;',
    'x[i] = «m[0]» && n;',
    'x[i] = n || «x»;',
    'switch («x») { case 1: x[i] = 1; }',
    'switch (n) { case «m»: x[i] = 1; }',
    'let p = [n, 2]; «p» ||= [1, 2];',
  ],
  'only a variable or an element can be assigned to': ['«x.length» = 4;', '«x.length»++;'],
  'an array of constants cannot be written': ['«c.taps[i]» = 1;', '«c.words[0]» += 1;', '«c.taps[0]»++;'],
  'must have one type': [
    'let a = n; a = «x[i] > 0»;',
    'let p = [1, 2]; p = «n»;',
    'let p = { a: 1 }; p = «n»;',
    'let p = [1, 2]; p = «[1, 2, 3]»;',
  ],
  'both values of ?: must be of one type': [
    'x[i] = «n > 0 ? x : n»;',
    'x[i] = «n > 0 ? [1, 2] : n»;',
    'const p = «n > 0 ? [1, 2] : [1, 2, 3]»;',
    'const p = «n > 0 ? { a: 1 } : { b: 1 }»;',
  ],
  '?: must choose a number, got arrays': ['const row = «n > 0 ? m[0] : m[1]»;'],
  'an assignment to several places has no value': [
    'let a = 1, b = 2; const p = («[a, b]» = [b, a]);',
    'let a; x[i] = («{ a }» = { a: 1 }).a;',
  ],
  'without = and …': ['let a; [«a = 2»] = [n];', 'let a, b; [a, «...b»] = [n, 1];'],
  'a list must be given here': ['let a, b; «[a, b]» = n;', 'let a; «[a]» = { a: 1 };'],
  'an object must be given here': ['let a; («{ a }» = n);', 'let a; («{ a }» = [n]);'],
  '{ u: i32 } has no .v': ['let a; ({ «v: a» } = { u: n });'],
  'an array cannot be assigned': ['let a = n; a = «x»;', 'x[i] = «m[0]»;'],
  'a kernel returns nothing': ['«return n;»', '«return x[i];»', 'if (n > 0) «return 1;»'],
  'must be given 1 argument, got': ['x[i] = «Math.sqrt()»;', 'x[i] = «Math.sqrt(n, n)»;', 'x[i] = «cuda.grid()»;'],
  'must be given 3 arguments, got': ['«cuda.atomic.add(x, 1)»;', '«cuda.atomic.max(x)»;', 'x[i] = «cuda.fma(n, n)»;'],
  'must be given 2 arguments, got': ['x[i] = «Math.pow(n)»;', 'x[i] = «Math.atan2(n)»;', 'x[i] = «Math.imul(n)»;'],
  'must be given 1, 2 or 3 axes': ['x[i] = «cuda.grid(4)»;', 'x[i] = «cuda.gridsize(0)»;'],
  'the number of axes of cuda.grid must be an integer constant': ['x[i] = cuda.grid(«n»);'],
  'must be the value of a variable': ["x[i] = «cuda.shared.array(4, 'f32')»[0];", "«cuda.local.array(4, 'f32')»;"],
  'must be given a shape and a dtype': [
    'const t = «cuda.shared.array(4)»;',
    "const t = «cuda.local.array('f32')»;",
    'const t = «cuda.shared.array()»;',
  ],
  'must be an integer constant, got': [
    "const t = cuda.shared.array(«n», 'f32');",
    "const t = cuda.local.array([4, «n»], 'f32');",
    "const t = cuda.shared.array(«x.length», 'f32');",
    "const t = cuda.local.array(«2.5», 'f32');",
  ],
  'a shape must have 1 to 4 lengths of 1 or more': [
    "const t = cuda.local.array(«0», 'f32');",
    "const t = cuda.shared.array(«[4, 0]», 'f32');",
    "const t = cuda.local.array(«-1», 'f32');",
    "const t = cuda.shared.array(«[1, 1, 1, 1, 1]», 'f32');",
  ],
  'a dtype must be one of': [
    "const t = cuda.shared.array(4, «'float'»);",
    "const t = cuda.shared.array(4, «'f8'»);",
    'const t = cuda.local.array(4, «n»);',
    'const t = cuda.local.array(4, «4»);',
  ],
  'must be given an index for each of the 2 axes': [
    'cuda.atomic.add(m, «i», 1);',
    'cuda.atomic.max(m, «[1, 2, 3]», 1);',
  ],
  'must be given a field of i32, u32, i64, u64, f32, f64, got bool': [
    "const b = cuda.shared.array(2, c.Cell); cuda.atomic.add(«b[0], 'on'», 1);",
  ],
  'must be given a field of i32, u32, i64, u64, got f32': [
    "const b = cuda.shared.array(2, c.Cell); cuda.atomic.and_(«b[0].at, 'x'», 1);",
  ],
  "not a copy of one: write cuda.atomic.add(a[i], 'x', …)": [
    "const b = cuda.shared.array(2, c.Cell); const p = b[0].at; cuda.atomic.add(«p», 'x', 1);",
  ],
  "for a field write cuda.atomic.add(a[i], 'on', …)": [
    'const b = cuda.shared.array(2, c.Cell); cuda.atomic.add(«b, 0», 1);',
  ],
  'a struct must stand before the name of a field': ["cuda.atomic.add(«x», 'x', 1);"],
  'must be an array, got': ['cuda.atomic.add(«n», 0, 1);', 'cuda.atomic.exch(«i», 0, 1);'],
  'must be given an array of i32, u32, i64, u64, got': ['cuda.atomic.and_(«x, 0», 1);', 'cuda.atomic.xor(«x, 0», 1);'],
  'must be given integers, got': [
    'x[i] = «x[i]» & 1;',
    'x[i] = n << 1 | «x[0]»;',
    'x[i] = «x[i]» >> 1;',
    'x[i] = «1.5» ^ n;',
  ],
  'the count of a shift must be an integer': ['x[i] = n << «x[i]»;', 'x[i] = n >>> «0.5»;'],
  'the list has 2 values': ['const [a, b, «c2»] = cuda.grid(2);', 'let a, b, d; [a, b, «d»] = [n, 1];'],
  'a list must stand here': ['const «[a]» = n;', 'const «[a, b]» = { a: n };'],
  'an object must stand here': ['const «{ a }» = n;'],
  'has no .': ['const { «q» } = { p: 1 };'],
  'the position must be 0 to': ['const p = [1, 2]; x[i] = «p[2]»;', 'const p = cuda.grid(2); x[i] = «p[-1]»;'],
  'a list must have values of one type where its index varies': [
    'const p = [1, n > 2]; x[i] = «p[n]»;',
    'x[i] = «[x[0], n > 2][n]»;',
    'const p = [[1, 2], [3]]; x[i] = «p[n]»[0];',
    'const p = [{ a: 1 }, { b: 1 }]; x[i] = «p[n]».a;',
  ],
  'a list of lists must have a name before its index varies': ['x[i] = «[[1, 2], [3, 4]][n]»[0];'],
  'must have values of one type, got f64 before and bool here': ['const p = [1.5, 2]; p[n] = «n > 1»;'],
  'a list has positions and length': ['const p = [n, 2]; x[i] = «p.first»;'],
  'got .q': ['const p = { a: 1 }; x[i] = «p.q»;'],
  'an array or an object must stand before': ['x[i] = «n.x»;', 'x[i] = «n[0]»;', 'x[i] = «x[i].y»;'],
  'a value must stand here: this gives none': [
    'x[i] = «cuda.syncthreads()»;',
    'x[i] = Math.sqrt(«cuda.syncthreads()»);',
  ],
  'must be given a value: this gives none': ['const a = «cuda.syncthreads()»;'],
  'has no type: give it a value': ['let «a»; x[i] = 1;', 'let «a»;'],
  'must be given a number, got bool': ['let a = n > 0; «a++»;'],
  'a device function must be called here': ['x[i] = «c.square» + 1;'],
  'constants by name must be read one by one': ['x[i] = «c.inner» + 1;'],
  'an integer constant must fit 64 bits': ['x[i] = «99999999999999999999n»;', 'x[i] = «-9223372036854775809n»;'],
  'a list must have a value': ['const a = «[]»;'],
  'a list must have a value at each place': ['const a = «[1, , 2]»;'],
  'an object must have names with values': [
    'const a = { «...c» };',
    'const a = { «f() { return 1; }» };',
    'const a = { «[n]: 1» };',
  ],
  'a kernel cannot spread an array': ['const a = [«...x»];', 'x[i] = Math.max(«...x»);'],
};

const rows = Object.entries(kinds).flatMap(([reason, bodies]) =>
  bodies.map((body) => [body.replace(/[«»]/g, ''), body, reason] as const),
);

test.each(rows)('%s', (_, body, reason) => {
  check(inBody(body), reason);
});

test.each([
  ['async', '«async (x, m, n, c) => { x[0] = 1; }»', 'a kernel cannot be async'],
  ['a generator', '«function* (x, m, n, c) { x[0] = 1; }»', 'a kernel cannot be a generator'],
  ['a default', '(x, m, «n = 1», c) => { x[0] = n; }', 'a parameter must be a name'],
  ['rest', '(x, m, «...n») => { x[0] = 1; }', 'a parameter must be a name'],
  ['taken apart', '(x, m, «{ a }», c) => { x[0] = 1; }', 'an object must stand here, got i32'],
  ['too few', '(«x», m) => { x[0] = 1; }', 'the function has 2 parameters, and is given 3 arguments'],
  ['too many', '(«x», m, n, c, d) => { x[0] = 1; }', 'the function has 5 parameters, and is given 3 arguments'],
  ['a constant that is not given', '(x, m, n, { «Q» }) => { x[0] = Q; }', '{ const: … } must have Q, got R, taps'],
  ['a constant with a default', '(x, m, n, { «R = 1» }) => { x[0] = R; }', 'constants are taken by their names'],
  ['rest of constants', '(x, m, n, { «...all» }) => { x[0] = 1; }', 'constants are taken by their names'],
  ['constants as a list', '(x, m, n, «[R]») => { x[0] = R; }', 'constants are the last parameter'],
])('a function that is %s', (_, text, reason) => {
  check(text, reason);
});

test('there are more than two hundred of them', () => {
  expect(rows.length).toBeGreaterThanOrEqual(215);
});

test.each([
  ['a bound function', ((x: number) => x).bind(null), 'without a text: bound and built-in functions have none'],
  ['a function of the language', Math.sqrt, 'without a text'],
  [
    'a class',
    class Kernel {
      readonly x = 1;
    },
    'got the class Kernel',
  ],
  ['a number', 3, 'jit must be given a function, got 3'],
])('%s has no text', (_, value, reason) => {
  expect(() => readFunction(value, 'jit')).toThrow(reason);
});

test('a device function that calls itself', () => {
  const own: Record<string, unknown> = {};
  const f = device((x: number, { f }: { f: (x: number) => number }) => (x > 0 ? f(x - 1) : 0), {
    const: own as never,
  });
  own['f'] = f;
  const fn = runInThisContext('(x, m, n, { f }) => { x[0] = f(n); }') as () => void;
  const source = { text: readFunction(fn, 'jit'), constants: { f }, isKernel: true };
  expect(() => readKernel(source, parseSignature('(f32[], f32[,], i32)', 'jit'), false)).toThrow('calls itself');
});
