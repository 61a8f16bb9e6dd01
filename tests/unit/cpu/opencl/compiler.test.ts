import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compileOpenCL, compileOpenCLLater } from '../../../../src/cpu/compiler/client.ts';
import { demangle, mangle, withGenericSpace } from '../../../../src/cpu/compiler/opencl/mangling.ts';
import { translateOpenCL } from '../../../../src/cpu/compiler/opencl/front-end.ts';
import { openCLOptions, splitOptions } from '../../../../src/cpu/compiler/opencl/options.ts';
import { loadToolchain, type ToolResult } from '../../../../src/cpu/compiler/toolchain.ts';
import { OpenCLBench } from './bench.ts';
import { COMPILE_MS, requestOf } from './compile.ts';

const ONE = { global: [1], local: [1] } as const;

describe('options', () => {
  test('are words, in which quotes keep blanks', () => {
    const { flags, includes, standard, errors } = openCLOptions(
      '-D N=5 -DNAME="a b" -I "my folder" -Iother -cl-std=CL2.0 -DTEXT=\\"x\\" -U OLD',
    );
    expect(flags).toEqual(['-DN=5', '-DNAME=a b', '-DTEXT="x"', '-UOLD']);
    expect({ includes, standard, errors }).toEqual({ includes: ['my folder', 'other'], standard: 'CL2.0', errors: [] });
  });

  test.each([
    ['-I C:\\Users\\new\\h -IC:\\n -w', ['-I', 'C:\\Users\\new\\h', '-IC:\\n', '-w']],
    ['-I "C:\\Program Files\\h" -DTEXT=\\"x\\"', ['-I', 'C:\\Program Files\\h', '-DTEXT="x"']],
    ['"-I \\\\server\\a b" "-DTEXT=\\"a b\\""', ['-I \\\\server\\a b', '-DTEXT="a b"']],
  ])('on Windows keep the backslashes of %s', (text, words) => {
    expect(splitOptions(text, true)).toEqual(words);
  });

  test('without a version, kernels are in OpenCL C 1.2', () => {
    expect(openCLOptions('').standard).toBe('CL1.2');
  });

  test.each([
    '-cl-opt-disable',
    '-cl-mad-enable -w',
    '-cl-fast-relaxed-math',
    '-cl-kernel-arg-info',
    '-g',
    '-cl-std=CL3.0',
  ])('%s is known', (text) => {
    expect(openCLOptions(text).errors).toEqual([]);
  });

  test.each(['-cl-nonsense', '--foo', 'stray', '-cl-std=CL4.0', '-D'])('%s is refused', (text) => {
    expect(openCLOptions(text).errors).toHaveLength(1);
    expect(compileOpenCL(requestOf('kernel void k() {}', text))).toMatchObject({ refused: true });
  });

  test('a library is wanted', () => {
    expect(openCLOptions('-create-library -enable-link-options').library).toBe(true);
  });
});

describe('names of functions', () => {
  const float4 = { kind: 'vector', count: 4, element: 'f' } as const;
  test.each([
    ['_Z3sinf', 'sin', [{ kind: 'scalar', code: 'f' }]],
    ['_Z3dotDv4_fS_', 'dot', [float4, float4]],
    ['_Z5fractDv4_fPU8CLglobalS_', 'fract', [float4, { kind: 'pointer', qualifiers: 'U8CLglobal', to: float4 }]],
    ['_Z6vload4mPU9CLgenericKDh', 'vload4', [{ kind: 'scalar', code: 'm' }, { kind: 'pointer', qualifiers: 'U9CLgenericK', to: { kind: 'scalar', code: 'Dh' } }]], // prettier-ignore
  ] as const)('%s', (symbol, name, parameters) => {
    expect(demangle(symbol)).toEqual({ name, parameters });
  });

  test('abbreviations of every kind', () => {
    const symbol =
      '_Z39atomic_compare_exchange_strong_explicitPU9CLgenericVU7_AtomiciPU9CLgenericii12memory_orderS4_12memory_scope';
    const codes = demangle(symbol)?.parameters.map((type) => (type.kind === 'scalar' ? type.code : type.kind));
    expect(codes).toEqual(['pointer', 'pointer', 'i', '12memory_order', '12memory_order', '12memory_scope']);
  });

  test('a name of another language is undefined', () => {
    expect([demangle('main'), demangle('_Z3foo5ab')]).toEqual([undefined, undefined]);
  });

  test('one name for all address spaces', () => {
    const symbol = '_Z5fractfPU7CLlocalf';
    expect(withGenericSpace(symbol)).toBe('_Z5fractfPU9CLgenericf');
    expect(mangle('fract', demangle(symbol)?.parameters ?? [])).toBe('_Z5fractfPU9CLgenericf');
  });
});

describe('messages', () => {
  test(
    'have the lines of the source',
    async () => {
      const { program, log } = await compileOpenCLLater(requestOf('kernel void k(global int *a) {\n  a[0] = b;\n}\n'));
      expect(program).toBeUndefined();
      expect(log).toMatch(/^<source>:2:10: error: use of undeclared identifier 'b'/m);
      expect(log).not.toMatch(/generated/);
    },
    COMPILE_MS,
  );

  test(
    'warnings come with the program, unless nobody wants them',
    () => {
      const source = '#warning careful\nkernel void k(global int *a) { a[0] = 1; }';
      const { program, log } = compileOpenCL(requestOf(source));
      expect(program?.kernels).toHaveLength(1);
      expect(log).toMatch(/<source>:1:2: warning: careful/);
      expect(compileOpenCL(requestOf(source, '-w')).log).toBe('');
      expect(compileOpenCL(requestOf(source, '-Werror')).program).toBeUndefined();
    },
    COMPILE_MS,
  );

  test(
    'name a function that nobody defines, and where it is used',
    () => {
      const { program, log } = compileOpenCL(
        requestOf('int far(int);\n\nkernel void k(global int *a) {\n  a[0] = far(1);\n}'),
      );
      expect(program).toBeUndefined();
      expect(log).toMatch(/<source>:4:10: error: unresolved extern function 'far'/);
    },
    COMPILE_MS,
  );
});

describe('sources', () => {
  test(
    'know the version, macros, folders and features',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rawkernel-opencl-'));
      writeFileSync(join(folder, 'given.h'), '#define FROM_FILE 7\n');
      const source = `#include "given.h"
      kernel void k(global int *a) {
        a[0] = __OPENCL_C_VERSION__, a[1] = __OPENCL_VERSION__, a[2] = FROM_FILE, a[3] = N;
      #if defined(cl_khr_fp64) && defined(__IMAGE_SUPPORT__) && defined(__ENDIAN_LITTLE__) && defined(cl_khr_fp16)
        a[4] = 1;
      #endif
      #ifdef __opencl_c_generic_address_space
        a[5] = 1;
      #endif
      #ifdef __opencl_c_pipes
        a[6] = 1;
      #endif
        a[7] = sizeof(void *), a[8] = sizeof(size_t), a[9] = sizeof(long3);
      }`;
      try {
        const versions = { 'CL1.1': [110, 0], 'CL1.2': [120, 0], 'CL3.0': [300, 1] };
        for (const [name, [version, generic]] of Object.entries(versions)) {
          const { program, log } = await compileOpenCLLater(requestOf(source, `-cl-std=${name} -D N=11 -I ${folder}`));
          if (!program) throw new Error(log);
          const results = new Int32Array(10);
          new OpenCLBench(program).run('k', ONE, [results]);
          expect([...results]).toEqual([version, 300, 7, 11, 1, generic, 0, 8, 8, 32]);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    COMPILE_MS,
  );

  test(
    'are compiled apart, with headers from memory, and linked',
    () => {
      const object = (source: string, headers = {}): Uint8Array => {
        const { object: made, log } = compileOpenCL({
          ...requestOf(source, '-cl-std=CL2.0'),
          headers,
          result: 'object',
        });
        if (!made) throw new Error(log);
        return made;
      };
      const link = (objects: readonly Uint8Array[], result: 'program' | 'object' = 'program') =>
        compileOpenCL({ ...requestOf(''), objects, result });
      const user = object(
        '#include "sub/own.h"\nkernel void k(global float *a) { a[0] = own(a[1]) + shared; shared = 9; }',
        {
          'sub/own.h': '#include "more.h"\nfloat own(float);',
          'sub/more.h': 'extern global float shared;',
        },
      );
      const library = object('global float shared = 3; float own(float x) { return sqrt(x) + get_local_size(0); }');
      const { program, log } = link([user, library]);
      if (!program) throw new Error(log);
      const bench = new OpenCLBench(program);
      const numbers = Float32Array.of(0, 16);
      bench.run('k', ONE, [numbers]);
      expect(numbers[0]).toBe(8);
      bench.run('k', ONE, [numbers]);
      expect(numbers[0]).toBe(14);
      expect(link([user]).log).toMatch(/unresolved extern function 'own'/);
      const both = link([user, library], 'object').object;
      expect(link([both ?? new Uint8Array()]).program?.kernels).toHaveLength(1);
      expect(link([Uint8Array.of(1, 2, 3)]).log).toMatch(/not a compiled program/);
      expect(link([library, library]).log).toMatch(/error: .*symbol multiply defined/);
    },
    COMPILE_MS,
  );

  test(
    'of version 1.2 have functions over pointers into every address space',
    async () => {
      const source = `kernel void k(global float *a, local float *b, constant float *c) {
      float own, wide[4] = {1, 2, 3, 4};
      a[0] = fract(a[1], &own) + own;
      a[1] = fract(a[2], b) + b[0] + vload4(0, wide).w + vload2(0, c).y + vload3(1, a).x;
      vstore4((float4)(5), 0, wide);
      a[2] = wide[3] + modf(-1.5f, a + 3);
      event_t event = async_work_group_copy(b, a, 2, 0);
      wait_group_events(1, &event);
      a[4] = b[0];
    }`;
      const { program, log } = await compileOpenCLLater(requestOf(source));
      if (!program) throw new Error(log);
      const numbers = Float32Array.of(0, 1.25, 2.5, 7, 0);
      new OpenCLBench(program).run('k', ONE, [numbers, { local: 64 }, Float32Array.of(10, 20)]);
      expect([...numbers]).toEqual([1.25, 2.5 + 4 + 20 + 7, 4.5, -1, 1.25]);
    },
    COMPILE_MS,
  );

  test(
    'may ask for quick and careless arithmetic',
    async () => {
      const source = 'kernel void k(global float *a) { a[0] = a[1] * 3 + sqrt(a[2]) / 2 + exp2(a[3]); }';
      const options = '-cl-fast-relaxed-math -cl-mad-enable -cl-denorms-are-zero -cl-single-precision-constant';
      const { program, log } = await compileOpenCLLater(requestOf(source, options));
      expect(log).toBe('');
      const numbers = Float32Array.of(0, 2, 16, 3);
      if (program) new OpenCLBench(program).run('k', ONE, [numbers]);
      expect(numbers[0]).toBe(16);
    },
    COMPILE_MS,
  );

  test(
    'go through memory side by side in loops whose step is the size of the range',
    async () => {
      const loop = (step: string): string => `for (int i = get_global_id(0); i < n; i += ${step}) a[i] += i;`;
      const source = `kernel void wide(global int *a, int n) { ${loop('get_global_size(0)')} }
        kernel void groups(global int *a, int n) { ${loop('get_num_groups(0) * get_local_size(0)')} }
        kernel void own(global int *a, int n, int by) { ${loop('by')} }`;
      const { program } = await compileOpenCLLater(requestOf(source));
      // Work-items that stop at the end of each round keep their place.
      expect(program?.kernels.map(({ symbol, contextBytes }) => [symbol, contextBytes > 0])).toEqual([
        ['wide', true],
        ['groups', true],
        ['own', false],
      ]);
      const bench = program && new OpenCLBench(program);
      for (const kernel of ['wide', 'groups']) {
        const numbers = new Int32Array(1000);
        bench?.run(kernel, { global: [64], local: [16] }, [numbers, 1000]);
        expect([...numbers]).toEqual([...numbers.keys()]);
      }
    },
    COMPILE_MS,
  );
});

describe('functions that no kernel reaches', () => {
  const LIBRARY = `
    #define DEFINE(name) kernel void name(global int *a) { a[get_global_id(0)] = twice(a[get_global_id(0)]); }
    int unreached(int x) { return x * 1234567; }
    int later(int x);
    int twice(int x) { return later(x) + x; }
    DEFINE(first)
    DEFINE(second)
    int later(int x) { return x; }
    int unreached_too(int x) { return unreached(x) + 1; }
  `;

  async function translated(source: string, result: 'program' | 'object' = 'program'): Promise<ToolResult> {
    return translateOpenCL(await loadToolchain(), { ...requestOf(source), result }, openCLOptions(''));
  }
  const textIn = ({ files }: ToolResult): string => Buffer.from(files['out'] ?? []).toString('latin1');

  test(
    'are not emitted for a whole program, but for one that is linked later',
    async () => {
      const { log, ...program } = await translated(LIBRARY);
      expect(log).toBe('');
      expect(textIn({ log, ...program })).toMatch(/^define .*@twice\(/m);
      expect(textIn({ log, ...program })).toMatch(/^define .*spir_kernel void @second\(/m);
      expect(textIn({ log, ...program })).not.toContain('unreached');
      expect(textIn(await translated(LIBRARY, 'object'))).toMatch(/^define .*@unreached_too\(/m);
    },
    COMPILE_MS,
  );

  test(
    'are emitted where the source declares a built-in function or defines a keyword itself',
    async () => {
      for (const own of ['int printf(__constant const char *st, ...);', '#define kernel __kernel']) {
        const { ok, log, files } = await translated(`${own}\n${LIBRARY}`);
        expect({ ok, log }).toEqual({ ok: true, log: '' });
        expect(textIn({ ok, log, files })).toContain('@unreached(');
      }
    },
    COMPILE_MS,
  );

  test(
    'and what they call may be missing',
    async () => {
      const { program, log } = await compileOpenCLLater(
        requestOf('int absent(int); int f(int x) { return absent(x); } kernel void k(global int *a) { a[0] = 1; }'),
      );
      expect(log).toBe('');
      expect(program?.kernels.map(({ symbol }) => symbol)).toEqual(['k']);
    },
    COMPILE_MS,
  );
});
