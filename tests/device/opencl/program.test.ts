import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { isThorough, lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { withOwnCache } from '../../helpers/own-cache.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const SET = '__kernel void set(__global int *a, int x) { a[get_global_id(0)] = x; }';

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  const own = withOwnCache();

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
  test('a program of a file, and structs by name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-source-'));
    const file = join(folder, 'set.cl');
    try {
      writeFileSync(file, SET);
      using prg = cl.Program.fromFile(ctx, pathToFileURL(file), { types: { P: cl.struct({ n: 'i32' }) } });
      expect(run(prg.build(), 5)).toBe(5);
      expect(() => cl.Program.fromFile(ctx, join(folder, 'none.cl'))).toThrow('ENOENT');
      expect(() => cl.Program.fromFile(ctx, 3 as never)).toThrow('A path must be a string, got 3');
      expect(() => new cl.Program(ctx, SET, { types: { P: 3 as never } })).toThrow(
        'types.P must be a struct(…), got 3',
      );
      expect(() => new cl.Program(ctx, SET, { type: {} } as never)).toThrow("'type'");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const buildError = (source: string, options?: string): cl.BuildError => {
    using prg = new cl.Program(ctx, source);
    try {
      prg.build(options);
    } catch (error) {
      if (error instanceof cl.BuildError) return error;
      throw error;
    }
    throw new Error('it built');
  };

  test('sources and headers are read as editors on Windows save them', () => {
    writeFileSync(join(own.folder, 'six.h'), '\uFEFF#pragma once\r\n#define SIX \\\r\n  6\r\n');
    writeFileSync(join(own.folder, 'all.h'), '\uFEFF#include "six.h"\r\n');
    const source = SET.replace('= x', '= SIX + \\\r\n x').replaceAll('; ', ';\r\n');
    using prg = new cl.Program(ctx, `\uFEFF#include "all.h"\r\n${source}\r\n`).build(['-I', own.folder]);
    expect(run(prg, 7)).toBe(13);
  });

  test('a kernel without parameters builds, beside one whose parameters are known', () => {
    for (const cached of [false, true]) {
      using prg = new cl.Program(ctx, `__kernel void nothing(void) { } ${SET}`).build();
      expect(prg.fromCache).toBe(cached);
      prg.kernel('nothing')(queue, 1, null);
      expect(run(prg, 7)).toBe(7);
      expect(() => run(prg, 2.5)).toThrow(/int x/);
    }
  });

  test('BuildError shows the offending line with a caret', () => {
    const error = buildError('__kernel void f(__global int *a)\n{\n  a[0] = undeclared_name + 1;\n}\n');
    expect(error.code).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect(error.message).toMatch(/<kernel>:3:10: .*undeclared_name/);
    expect(error.message).toMatch(/> 3 \|\s+a\[0\] = undeclared_name \+ 1;\n\s+\|\s+\^/);
    expect(error.diagnostics[0]).toMatchObject({ severity: 'error', line: 3, column: 10 });
    expect(error.source).toContain('undeclared_name');
    expect([...error.logs.keys()]).toEqual([device.name]);
    expect(error.log).toContain('undeclared_name');
  });

  test('BuildError names options that the compiler refuses', () => {
    expect(buildError(SET, '-no-such-option').message).toContain('-no-such-option');
  });

  test('A program that does not build is closed', () => {
    const prg = new cl.Program(ctx, 'this is not a C');
    expect(() => prg.build()).toThrow(cl.BuildError);
    expect(prg.closed).toBe(true);
    expect(() => prg.kernels).toThrow(cl.ClosedError);
  });

  test('Program.build passes options on', () => {
    using prg = new cl.Program(ctx, '__kernel void set(__global int *a, int x) { a[0] = N + M + x; }').build([
      '-DN=3',
      '-D M=4',
    ]);
    expect(run(prg, 1)).toBe(8);
    expect(prg.options).toContain('-DN=3');
  });

  test('Program.compile builds without blocking', async () => {
    using prg = await cl.Program.compile(ctx, SET, '', { cache: false });
    expect(run(prg, 5)).toBe(5);
    await expect(cl.Program.compile(ctx, 'int f(')).rejects.toThrow(cl.BuildError);
    if (lacks(device, 'builds on two threads at once', isThorough(device))) return;
    const all = await Promise.all([1, 2, 3].map((n) => cl.Program.compile(ctx, `${SET}\n// ${String(n)}`)));
    for (const one of all) {
      expect(run(one, 6)).toBe(6);
      one.close();
    }
  });

  test('Program.kernels gives one kernel for each name, and lists the names', () => {
    using prg = new cl.Program(ctx, `${SET}\n__kernel void other(__global int *b) { b[0] = 1; }`).build();
    expect(prg.kernels.set).toBe(prg.kernel('set'));
    expect([...prg.kernelNames].sort()).toEqual(['other', 'set']);
    expect(Object.keys(prg.kernels).sort()).toEqual(['other', 'set']);
    expect('set' in prg.kernels).toBe(true);
    expect(prg.kernels.set.name).toBe('set');
    expect(prg.kernels.set.signature).toBe('set(__global int *a, int x)');
  });

  test('A program without kernels has no names of any', () => {
    using prg = new cl.Program(ctx, 'int twice(int x);\nint twice(int x) { return 2 * x; }').build('', {
      cache: false,
    });
    expect(prg.kernelNames).toEqual([]);
    expect(prg.getInfo('KERNEL_NAMES')).toBe('');
    expect(prg.getInfo('NUM_KERNELS')).toBe(0);
    expect(Object.keys(prg.kernels)).toEqual([]);
    expect(() => prg.kernel('twice')).toThrow('twice');
  });

  test('An unknown kernel is named along with those there are', () => {
    using prg = new cl.Program(ctx, SET).build();
    expect(() => prg.kernel('sett')).toThrow("The program has no kernel 'sett'; its kernels are set");
    expect(() => prg.kernels['constructor']).not.toThrow();
    expect(() => new cl.Kernel(prg, '')).toThrow(expect.objectContaining({ code: 'CL_INVALID_KERNEL_NAME' }));
  });

  test('Program.binaries make a program again', () => {
    using prg = new cl.Program(ctx, SET).build();
    const { binaries } = prg;
    expect(binaries).toHaveLength(1);
    using again = cl.Program.fromBinaries(ctx, binaries).build();
    expect(again.kernelNames).toEqual(['set']);
    const kernel = again.kernel('set');
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    kernel(queue, 1, null, a, kernel.parameters[1]?.type ? 7 : cl.int32(7));
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, a);
    expect(result[0]).toBe(7);
  });

  test('Program.fromBinaries refuses what is not a binary', () => {
    expect(() => cl.Program.fromBinaries(ctx, [Uint8Array.of(1, 2, 3, 4)]).build()).toThrow(cl.OpenCLError);
    expect(() => cl.Program.fromBinaries(ctx, [])).toThrow(TypeError);
    expect(() => cl.Program.fromBinaries(ctx, [new Uint8Array(0)])).toThrow(RangeError);
  });

  test('The second build of a source takes the binary from disk', () => {
    using first = new cl.Program(ctx, SET).build('-DA');
    using second = new cl.Program(ctx, SET).build('-DA');
    using other = new cl.Program(ctx, SET).build('-DB');
    using none = new cl.Program(ctx, SET).build('-DA', { cache: false });
    for (const prg of [first, second]) expect(prg.getInfo('SOURCE')).toBe(prg.source);
    for (const prg of [first, second]) expect(prg.getInfo('BINARIES')).toEqual(prg.binaries);
    expect(second.getBuildInfo('STATUS')).toBe(0);
    expect(second.getBuildInfo('OPTIONS', device)).toBe(second.getBuildInfo(cl.ProgramBuildInfo.OPTIONS[0], 'string'));
    expect(() => second.getBuildInfo('STATUS', {} as never)).toThrow("device must be one of the program's");
    expect([first, second, other, none].map((prg) => prg.fromCache)).toEqual([false, true, false, false]);
    for (const prg of [first, second, other, none]) expect(run(prg, 3)).toBe(3);
  });

  test('A changed header misses the cache', () => {
    const header = join(own.folder, 'value.h');
    const source = '#include "value.h"\n__kernel void set(__global int *a, int x) { a[0] = VALUE; }';
    for (const value of [1, 2]) {
      writeFileSync(header, `#define VALUE ${String(value)}\n`);
      using prg = new cl.Program(ctx, source).build(['-I', own.folder]);
      expect([prg.fromCache, run(prg, 0)]).toEqual([false, value]);
    }
    using again = new cl.Program(ctx, source).build(['-I', own.folder]);
    expect([again.fromCache, run(again, 0)]).toEqual([true, 2]);
  });

  test('A damaged cache entry is built anew', () => {
    new cl.Program(ctx, SET).build().close();
    const cache = join(own.folder, 'cache');
    const entries = join(cache, 'rawkernel-2');
    for (const name of readdirSync(entries)) writeFileSync(join(entries, name), 'damaged');
    using prg = new cl.Program(ctx, SET).build();
    expect([prg.fromCache, run(prg, 4)]).toEqual([false, 4]);
  });

  test('Program.build happens once', () => {
    using prg = new cl.Program(ctx, SET).build();
    expect(() => prg.build()).toThrow('make a new Program');
  });

  test('A kernel outlives its program', () => {
    const prg = new cl.Program(ctx, SET).build();
    using kernel = new cl.Kernel(prg, 'set');
    prg.close();
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    kernel(queue, 1, null, a, 2).wait();
    expect(() => prg.kernels).toThrow(cl.ClosedError);
  });
});
