import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compileText } from '../../../helpers/cpu-program.ts';

const TIMEOUT = 120_000;

/** Compile, and say whether there is a program. */
function outcome(source: string, options: readonly string[] = []): { ok: boolean; log: string } {
  const { program, log } = compileText(source, { options });
  return { ok: program !== undefined, log };
}
const kernel = (body: string, before = ''): string => `${before}\n__global__ void k(int *p) { ${body} }`;

const AUTO_PARAMETER = 'template <auto n> __global__ void k(int *p) { *p = n; }';
const FOLD = kernel('*p = f(1, 2);', 'template <class... T> __device__ int f(T... t) { return (t + ...); }');
const GENERIC = kernel('auto f = [](auto i) { return i; }; *p = f(1);');
const LAMBDA = kernel('auto f = [](int i) { return i; }; *p = f(1);');
const PLAIN = kernel('register int i = 3; *p = i;');

describe('-std', () => {
  // As NVRTC 11.8 takes and refuses them.
  test.each([
    ['c++03', PLAIN, true],
    ['c++03', LAMBDA, false],
    ['c++11', LAMBDA, true],
    ['c++11', GENERIC, false],
    ['c++14', GENERIC, true],
    ['c++14', FOLD, false],
    ['c++14', AUTO_PARAMETER, false],
    ['c++17', FOLD, true],
    ['c++17', AUTO_PARAMETER, true],
  ])(
    '%s: %s',
    (standard, source, ok) => {
      expect(outcome(source, [`-std=${standard}`])).toMatchObject({ ok });
    },
    TIMEOUT,
  );

  test.each(['c++03', 'c++11', 'c++14', 'c++20'])(
    'the built-in headers are for %s, too',
    (standard) => {
      const headers = ['cuda_runtime.h', 'cooperative_groups/scan.h', 'cuda_fp16.h', 'curand_kernel.h', 'cuda/atomic'];
      const more = [
        'cuda/std/tuple',
        'cuda/std/complex',
        'cuda/std/functional',
        'cuda/std/bit',
        'cuda/barrier',
        'mma.h',
      ];
      const all = [...headers, ...more, 'cuda/pipeline', 'cuda_fp8.h'].map((name) => `#include <${name}>`).join('\n');
      expect(outcome(kernel('*p = std::min(INT_MAX, 3);', all), [`-std=${standard}`])).toEqual({ ok: true, log: '' });
    },
    TIMEOUT,
  );
});

test.each([
  ['uint32_t x = *p; *p = x;', /uint32_t is not built in: include <stdint\.h> or <cuda_runtime\.h>/],
  ['*p = INT_MAX;', /INT_MAX is not built in: include <limits\.h> or <cuda_runtime\.h>/],
  ['*p = FLT_MAX;', /FLT_MAX is not built in: include <float\.h> or/],
  ['*p = M_PI;', /M_PI is not built in: include <math\.h> or/],
  ['*p = std::min(*p, 3);', /std::min is not built in: include <algorithm> or/],
  ['__nv_bfloat16 x = *p; *p = 1;', /__nv_bfloat16 is not built in: include <cuda_bf16\.h>/],
  ['cg::sync(*p);', /cg is a name of the source's own: namespace cg = cooperative_groups/],
  ['*p = __shfl_down(*p, 1);', /removed __shfl_down\(\): take __shfl_down_sync\(mask, value, …\).*-arch=sm_60/],
  ['*p = __ballot(1);', /removed __ballot\(\): take __ballot_sync\(mask, predicate\)/],
])(
  'the error of a name without its header says what to do: %s',
  (body, note) => {
    const { ok, log } = outcome(kernel(body));
    expect(ok).toBe(false);
    expect(log).toMatch(note);
  },
  TIMEOUT,
);

test.each([
  [
    'types of the runtime API',
    kernel('cudaExtent e = make_cudaExtent(1, 2, 3); cudaError_t s = cudaSuccess; *p = e.width + s;'),
  ],
  ['NULL', kernel('if (p != NULL) *p = 1;')],
  [
    'what nvcc has implicitly',
    kernel('uint64_t x = UINT_MAX; *p = std::max(x, (uint64_t)*p) + CHAR_BIT * M_PI;', '#include <cuda_runtime.h>'),
  ],
  ['a macro right behind a text', kernel('printf("a"FORMAT"\\n", *p);', '#define FORMAT " %d"')],
  ['ctype.h', kernel('*p = isdigit(*p) + toupper(*p);', '#include <ctype.h>')],
  [
    'templates that are not used',
    kernel('*p = 1;', 'template <class T> int f(T x) { std::cout << x; return undefined; }'),
  ],
])(
  '%s: NVRTC or nvcc takes it, without a word',
  (_, source) => expect(outcome(source)).toEqual({ ok: true, log: '' }),
  TIMEOUT,
);

test.each([
  ['narrowing', kernel('unsigned char c[1] = {*p}; *p = c[0];'), /warning: .*narrowed/],
  ['register', PLAIN, /warning: .*register/],
  [
    'unroll without a loop',
    kernel('\n#pragma unroll\nint x = 3; *p = x;'),
    /kernel\.cu:4:1: warning: '#pragma unroll' has no effect/,
  ],
  ['unroll before a function', `#pragma unroll\n${kernel('*p = 1;')}`, /warning: '#pragma unroll' has no effect here/],
  [
    'a type without a name',
    kernel('T t; t.x = 3; *p = t.f();', 'typedef struct { int x; __device__ int f() { return x; } } T;'),
    /warning: a type with functions/,
  ],
  [
    'qualified members',
    kernel('S s; *p = s.f();', 'struct S { __device__ int S::f() { return 3; } };'),
    /warning: extra qualification/,
  ],
])(
  '%s: a warning',
  (_, source, warning) => {
    const { ok, log } = outcome(source);
    expect(log).toMatch(warning);
    expect(ok).toBe(true);
  },
  TIMEOUT,
);

test(
  "what clang alone refuses is a warning in a user's header, and other errors keep their places",
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rk-dialect-'));
    try {
      writeFileSync(join(folder, 't.h'), 'typedef struct {\n  int x;\n  __device__ int f() { return x; }\n} T;\n');
      const source = '#include "t.h"\n__global__ void k(int *p) {\n  T t;\n  t.x = 3;\n  *p = t.f();\n}';
      const { program, log } = compileText(source, { includes: [folder] });
      expect(log).toMatch(/t\.h:1:15: warning: a type with functions/);
      expect(program).toBeDefined();
      const wrong = compileText(source.replace('*p =', '*q ='), { includes: [folder] });
      expect(wrong.program).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  TIMEOUT,
);

test(
  'functions of a warp without a mask are for architectures before 7.0',
  () => {
    const source = kernel(
      '*p = __shfl_xor(*p, 1) + __any(*p) + __all(*p) + __ballot(*p) + __shfl(*p, 3, 16) + __shfl_up(*p, 1);',
    );
    expect(outcome(source, ['-arch=sm_60'])).toEqual({ ok: true, log: '' });
    expect(outcome(source, ['-arch=compute_70']).ok).toBe(false);
  },
  TIMEOUT,
);
