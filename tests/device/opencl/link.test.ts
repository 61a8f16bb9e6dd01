import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { isThorough, lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const TWICE = 'int twice(int x);\nint twice(int x) { return 2 * x; }';
const MAIN = 'int twice(int x);\n__kernel void set(__global int *a, int x) { a[0] = twice(x); }';

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });

  const run = (prg: cl.Program, x: number): number | undefined => {
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    prg.kernel('set')(queue, 1, null, a, x);
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, a);
    return result[0];
  };

  test('linkProgram() joins what compile() made', () => {
    using part = new cl.Program(ctx, TWICE).compile();
    using main = new cl.Program(ctx, MAIN).compile();
    using prg = cl.linkProgram(ctx, [main, part]);
    expect(prg.kernelNames).toEqual(['set']);
    expect(prg.kernel('set').signature).toBe('set(__global int *a, int x)');
    expect(run(prg, 21)).toBe(42);
    expect(() => run(prg, 2.5)).toThrow(/int x/);
  });

  test('Program.compile() takes headers as programs and as texts', () => {
    const source =
      '#include "four.h"\n#include "dir/n.h"\n__kernel void set(__global int *a, int x) { a[0] = FOUR + N * x; }';
    using header = new cl.Program(ctx, '#define FOUR 4\n');
    using main = new cl.Program(ctx, source).compile('-DDEEP=1', {
      headers: { 'four.h': header, 'dir/n.h': '#define N 3' },
    });
    using prg = cl.linkProgram(ctx, [main]);
    expect(run(prg, 2)).toBe(10);
    // The header is still a program that can be built.
    expect(() => header.build()).not.toThrow();
  });

  test('Program.compile() says what does not compile', () => {
    const compile = (headers: Record<string, string>): unknown => {
      try {
        using prg = new cl.Program(ctx, '#include "n.h"\n__kernel void f(__global int *a) { a[0] = N; }').compile('', {
          headers,
        });
        return prg;
      } catch (error) {
        return error;
      }
    };
    expect(compile({ 'n.h': '#define M 3' })).toMatchObject({ routine: 'clCompileProgram', name: 'BuildError' });
    expect((compile({ 'n.h': '#define M 3' }) as Error).message).toMatch(/'?N'?/);
    expect(compile({ 'n.h': '#define N 3' })).toBeInstanceOf(cl.Program);
  });

  test('linkProgram() names a function that is missing', () => {
    if (lacks(device, 'check of what is missing', isThorough(device))) return;
    using main = new cl.Program(ctx, MAIN).compile();
    const link = (): cl.BuildError => {
      try {
        cl.linkProgram(ctx, [main]).close();
      } catch (error) {
        if (error instanceof cl.BuildError) return error;
      }
      throw new Error('it linked');
    };
    const { routine, message, log } = link();
    expect(routine).toBe('clLinkProgram');
    // PoCL keeps its log to itself.
    expect(message).toContain(log === '' ? 'Read the build log' : 'twice');
  });

  test('linkProgram() takes no executable', () => {
    using whole = new cl.Program(ctx, TWICE).build();
    expect(() => cl.linkProgram(ctx, [whole])).toThrow(
      'program 0 must be an object that compile() made, or a library; it is already built',
    );
    using part = new cl.Program(ctx, TWICE).compile();
    expect(() => cl.linkProgram(ctx, [part, whole, whole])).toThrow('linkProgram: program 1 must be an object');
  });

  test('linkProgram() makes libraries', () => {
    using part = new cl.Program(ctx, TWICE).compile();
    using main = new cl.Program(ctx, MAIN).compile();
    using library = cl.linkProgram(ctx, [part], ['-create-library']);
    expect(() => library.kernelNames).toThrow('link it with linkProgram first');
    using prg = cl.linkProgram(ctx, [main, library]);
    expect(run(prg, 4)).toBe(8);
  });

  test('Program.compileObject() and Program.link() do not block', async () => {
    const [main, part] = await Promise.all([cl.Program.compileObject(ctx, MAIN), cl.Program.compileObject(ctx, TWICE)]);
    using prg = await cl.Program.link(ctx, [main, part]);
    main.close();
    part.close();
    expect(run(prg, 5)).toBe(10);
    await expect(cl.Program.compileObject(ctx, 'int f(')).rejects.toThrow(cl.BuildError);
    await expect(cl.Program.link(ctx, [])).rejects.toThrow('at least one compiled Program');
  });

  test('A program goes one way only', () => {
    using compiled = new cl.Program(ctx, MAIN).compile();
    expect(() => compiled.build()).toThrow('the program is already compiled');
    expect(() => compiled.compile()).toThrow('the program is already compiled');
    expect(() => compiled.kernel('set')).toThrow('link it with linkProgram first');
    using fresh = new cl.Program(ctx, MAIN);
    expect(() => cl.linkProgram(ctx, [fresh])).toThrow('build() the program first');
  });

  test('compile() and linkProgram() refuse wrong programs', () => {
    using other = new cl.Context(device);
    using foreign = new cl.Program(other, TWICE).compile();
    expect(() => cl.linkProgram(ctx, [foreign])).toThrow('another context');
    expect(() => cl.linkProgram(ctx, [{} as never])).toThrow('takes Programs');
    const compile = (headers: unknown) => () => new cl.Program(ctx, TWICE).compile('', { headers: headers as never });
    expect(compile({ 'a.h': 3 })).toThrow("header 'a.h' must be a Program or a string, got 3");
    expect(compile({ 'a.h': foreign })).toThrow('of the same context');
    expect(compile([])).toThrow(TypeError);
  });

  test('A compiled program has binaries, which link again', () => {
    using part = new cl.Program(ctx, TWICE).compile();
    const [binary] = part.binaries;
    expect(binary?.length).toBeGreaterThan(0);
  });

  test('Program.fromIL() says where no intermediate language is taken', () => {
    if (device.platform.atLeast(2, 1) && device.ilVersion !== '') return;
    expect(() => cl.Program.fromIL(ctx, Uint8Array.of(3, 2, 35, 7))).toThrow('takes no intermediate language');
  });

  test('Program.fromIL() takes SPIR-V', () => {
    const has = device.platform.atLeast(2, 1) && device.ilVersion.includes('SPIR-V');
    if (lacks(device, 'SPIR-V', has)) return;
    expect(() => cl.Program.fromIL(ctx, new Uint8Array(20)).build()).toThrow(cl.OpenCLError);
  });

  test('Program.fromBuiltInKernels() names the kernels that there are', () => {
    expect(() => cl.Program.fromBuiltInKernels(ctx, ['no-such-kernel'])).toThrow(
      /has no built-in kernel 'no-such-kernel'/,
    );
    expect(() => cl.Program.fromBuiltInKernels(ctx, [])).toThrow(TypeError);
    const [first] = device.builtInKernels.split(';').filter((name) => name !== '');
    if (first === undefined) return;
    let prg: cl.Program | undefined;
    try {
      prg = cl.Program.fromBuiltInKernels(ctx, [first]);
    } catch (error) {
      if (!(error instanceof cl.BuildError)) throw error;
    }
    if (lacks(device, 'built-in kernels that build', prg !== undefined)) return;
    expect(prg?.kernelNames).toContain(first);
    prg?.close();
  });

  test('Platform.unloadCompiler() is not a loss: programs build afterwards', () => {
    device.platform.unloadCompiler();
    using prg = new cl.Program(ctx, `${TWICE}\n${MAIN}`).build('', { cache: false });
    expect(run(prg, 3)).toBe(6);
  });
});
