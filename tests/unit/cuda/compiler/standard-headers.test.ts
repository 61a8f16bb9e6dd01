import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { compile } from '../../../../src/cuda/compiler/compiler.ts';
import type { SourceOptions } from '../../../../src/cuda/compiler/source-options.ts';
import { STANDARD_HEADERS } from '../../../../src/cuda/compiler/standard-headers.ts';
import { TEMPLATE_HEADERS } from '../../../../src/cuda/compiler/standard-templates.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { NVRTC, toolkits } from '../../../../src/cuda/toolkit.ts';
import { compileText } from '../../../helpers/cpu-program.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { needs } from '../../../helpers/require.ts';
import { some } from '../../../helpers/full.ts';

/** Programs that all three compilers take: a name, what it includes, the body of a kernel. */
const CORPUS: readonly (readonly [name: string, headers: string, body: string])[] = [
  ['c_stdio', 'stdio.h', 'printf("%d %f\\n", *p, *d);'],
  ['cpp_stdio', 'cstdio', 'std::printf("%d\\n", *p); printf("\\n");'],
  ['c_math', 'math.h', '*f = sqrtf(*f) + fabsf(*f) + (float)M_PI; *d = pow(*d, 2.0); *p = isnan(*f) + isinf(*d);'],
  ['infinite', 'math.h', '*f = INFINITY; *d = NAN; *d += HUGE_VAL;'],
  ['cpp_math', 'cmath', '*f = std::sqrt(*f) + std::fabs(*f) + std::floor(*f); *d = std::pow(*d, 2.0) + std::abs(*d);'],
  [
    'c_integers',
    'stdint.h',
    'int64_t a = INT64_MIN; uint8_t b = UINT8_MAX; uintptr_t c = (uintptr_t)p; *p = (int)(a + b + c);',
  ],
  ['cpp_integers', 'cstdint', 'std::int32_t a = INT32_C(7); std::uint64_t b = UINT64_C(1) << 40; *p = a + (int)b;'],
  ['formats', 'inttypes.h', 'printf("%" PRId32 "\\n", (int32_t)*p);'],
  ['c_limits', 'limits.h', '*p = INT_MAX - CHAR_BIT; *d = (double)LLONG_MAX + (double)ULONG_MAX + SHRT_MIN;'],
  ['cpp_limits', 'climits', '*p = INT_MIN;'],
  ['c_float', 'float.h', '*f = FLT_MAX + FLT_EPSILON; *d = DBL_MIN * DBL_MAX;'],
  ['cpp_float', 'cfloat', '*p = DBL_DIG + FLT_MANT_DIG;'],
  ['c_assert', 'assert.h', 'assert(*p == 1);'],
  ['cpp_assert', 'cassert', 'assert(p && "there");'],
  [
    'c_sizes',
    'stddef.h',
    'struct S { int a, b; }; static_assert(offsetof(S, b) == 4, ""); ptrdiff_t q = 3; *p = (int)q;',
  ],
  ['cpp_sizes', 'cstddef', 'std::size_t q = sizeof(*p); std::nullptr_t z = nullptr; *p = (int)q; (void)z;'],
  ['c_memory', 'string.h stdlib.h', 'void *q = malloc(4); memcpy(q, p, 4); memset(p, 0, 4); free(q);'],
  ['cpp_memory', 'cstring cstdlib', 'std::memcpy(p, f, 4); *p = abs(*p);'],
  ['truth', 'stdbool.h', 'bool q = true; *p = q;'],
  ['time', 'time.h', 'clock_t t = clock(); *p = (int)t;'],
  [
    'traits',
    'type_traits',
    'static_assert(std::is_same<std::remove_reference<int &>::type, int>::value, ""); *p = std::is_integral<int>::value;',
  ],
  [
    'values',
    'type_traits',
    'std::conditional_t<std::is_floating_point_v<float>, int, char> q = 5; *p = (std::make_unsigned_t<int>)q;',
  ],
  [
    'enums',
    'type_traits',
    'enum E : short { ONE }; static_assert(std::is_same<std::underlying_type_t<E>, short>::value, ""); *p = ONE;',
  ],
  ['runtime', 'cuda_runtime.h device_launch_parameters.h', '*p = threadIdx.x;'],
  ['twice', 'stdint.h stdint.h cstdint math.h cmath assert.h assert.h', 'assert((int32_t)*p);'],
];

const textOf = ([name, headers, body]: (typeof CORPUS)[number]): string =>
  headers
    .split(' ')
    .map((header) => `#include <${header}>\n`)
    .join('') + `__global__ void ${name}(int *p, float *f, double *d) { ${body} }\n`;
const WHOLE = CORPUS.map(textOf).join('');
const NAMES = [...Object.keys(STANDARD_HEADERS), ...Object.keys(TEMPLATE_HEADERS)];
const root = mkdtempSync(join(tmpdir(), 'rawkernel-standard-'));

withFakeDriver();
afterAll(() => rmSync(root, { recursive: true }));

const ptxOf = (source: string, options: SourceOptions = {}): string =>
  compile(source, { arch: 'compute_80', cache: false, ...options }, () => 80).ptx;

const { describe: withNvrtc } = needs.library(NVRTC);

withNvrtc('NVRTC', () => {
  test('compiles each of the corpus', () => {
    for (const program of some(CORPUS, 5)) expect(ptxOf(textOf(program))).toContain(`${program[0]}P`);
  }, 60_000);

  test('has all headers in one program, in both orders', () => {
    for (const names of [NAMES, NAMES.toReversed()]) {
      expect(ptxOf(`${names.map((name) => `#include <${name}>\n`).join('')}__global__ void all() {}`)).toContain('all');
    }
  });

  test('reads what is more than a few lines on its own in the oldest C++', () => {
    for (const name of some(['cinttypes', 'cmath', 'cstddef', ...Object.keys(TEMPLATE_HEADERS)], 3)) {
      expect(ptxOf(`#include <${name}>\n__global__ void k() {}`, { std: 'c++11' })).toContain('_Z1kv');
    }
  });

  test('NDEBUG decides of each inclusion of assert.h', () => {
    const source = `#include <assert.h>
      extern "C" __global__ void on(int *p) { assert(*p == 1); }
      #define NDEBUG
      #include <cassert>
      extern "C" __global__ void off(int *p) { assert(nowhere); }
      #undef NDEBUG
      #include <assert.h>
      extern "C" __global__ void again(int *p) { assert(*p == 2); }`;
    const asserts = ptxOf(source)
      .split('.entry ')
      .slice(1)
      .map((text) => [/^\w+/.exec(text)?.[0], text.includes('__assertfail')]);
    expect(asserts).toEqual(
      expect.arrayContaining([
        ['on', true],
        ['off', false],
        ['again', true],
      ]),
    );
  });

  test("a user's own header of that name wins: in a folder, in the options, beside the source", () => {
    const own = join(root, 'own');
    mkdirSync(own);
    for (const name of ['stdint.h', 'cuda_runtime.h', 'cuda.h', 'algorithm']) {
      writeFileSync(join(own, name), '#define WHOSE users\n');
      const source = `#include <${name}>\nextern "C" __global__ void WHOSE() {}`;
      expect(ptxOf(source, { includeDirs: [own] })).toContain('.entry users');
      expect(ptxOf(source, { options: ['-I', own] })).toContain('.entry users');
      const quoted = `#include "${name}"\nextern "C" __global__ void WHOSE() {}`;
      expect(ptxOf(quoted, { fileName: join(own, 'kernel.cu') })).toContain('.entry users');
    }
  });

  test('headers that begin with a byte order mark are read, and headers in them', () => {
    const folder = join(root, 'marked');
    mkdirSync(folder);
    writeFileSync(join(folder, 'all.h'), '\uFEFF#pragma once\r\n#include "plain.h"\r\n#include <six.h>\r\n');
    writeFileSync(join(folder, 'six.h'), '\uFEFF#pragma once\r\n#define SIX six\r\n');
    writeFileSync(join(folder, 'plain.h'), '#define CALLED(name) extern "C" __global__ void name()\n');
    const source = '#include "all.h"\n#include "all.h"\nCALLED(SIX) {}';
    expect(ptxOf(source, { includeDirs: [folder] })).toContain('.entry six');
  });

  test('names of the types are those of the toolkit', () => {
    const source = '#include <stdint.h>\ntypedef signed long long int64_t; using uint8_t = unsigned char;\n';
    expect(ptxOf(`${source}__global__ void same(int64_t *p) {}`)).toContain('_Z4samePx');
  });

  test.each([
    ['curand_nowhere.h', /note: <curand_nowhere\.h> is cuRAND's: install the CUDA toolkit/],
    ['thrust/nowhere.h', /note: <thrust\/nowhere\.h> is the CUDA toolkit's: install it and set CUDA_HOME/],
    ['iostream', /note: <iostream> is of the host's library, which kernels do not have/],
  ])('what to do about <%s> is in the error', (name, note) => {
    let error: unknown;
    try {
      ptxOf(`#include <${name}>\n`);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CompileError);
    expect((error as CompileError).log).toMatch(note);
  });
});

describe('the same programs', () => {
  needs.clang().test(
    'compile on the embedded device',
    () => {
      const { program, log } = compileText(WHOLE);
      expect([log.match(/error.*/g), program?.kernels.length]).toEqual([null, CORPUS.length]);
    },
    60_000,
  );

  const nvcc = toolkits().length === 0 ? test.skip : needs.command('gcc').test;
  nvcc(
    'compile with nvcc',
    () => {
      expect(ptxOf(WHOLE, { compiler: 'nvcc' })).toContain('twiceP');
    },
    120_000,
  );
});
