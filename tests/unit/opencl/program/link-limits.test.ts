import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { provideAsync } from '../../../../src/ffi/bind.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import type { OpenCLTable } from '../../../../src/opencl/sys/tables.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

let fake: FakeOpenCL;
let letGo: () => void;
let ctx: cl.Context;
let parts: readonly cl.Program[];

/** A linker that ends when it is let, and whose program counts. */
beforeEach(() => {
  fake = fakeOpenCL();
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const clLinkProgram = ((...args: Parameters<OpenCLTable['clLinkProgram']>) =>
    fake.table.clCreateProgramWithSource(args[0], 1, 0n, 0n, args.at(-1) as never)) as OpenCLTable['clLinkProgram'];
  provideAsync(clLinkProgram, async (...args) => {
    await held;
    return clLinkProgram(...args);
  });
  useOpenCL({ ...fake.table, clCompileProgram: () => 0, clLinkProgram });
  ctx = cl.createSomeContext();
  parts = ['a', 'b'].map((source) => new cl.Program(ctx, source).compile());
});
afterEach(() => {
  for (const part of parts) part.close();
  ctx.close();
  useOpenCL(undefined);
});

const programs = (): number | undefined => fake.live.get('program');

describe('Program.link()', () => {
  test('is given up with the reason of the abort; inputs and result go when the driver is done', async () => {
    const controller = new AbortController();
    const work = cl.Program.link(ctx, parts, '', { signal: controller.signal });
    for (const part of parts) part.close();
    expect(programs()).toBe(2);
    controller.abort('enough');
    await expect(work).rejects.toBe('enough');
    expect(programs()).toBe(2);
    letGo();
    await setImmediate();
    expect(programs()).toBe(0);
  });

  test('is given up at its time limit with a BuildError that says so', async () => {
    await expect(cl.Program.link(ctx, parts, '-x', { timeoutMs: 20 })).rejects.toMatchObject({
      name: 'BuildError',
      message: expect.stringMatching(/clLinkProgram failed[^]*longer than 20 ms/) as unknown as string,
    });
    letGo();
    await setImmediate();
    expect(programs()).toBe(2);
  });

  test('ends well within its limits, and inputs may be closed meanwhile', async () => {
    const work = cl.Program.link(ctx, parts, '', { timeoutMs: 60_000, signal: new AbortController().signal });
    for (const part of parts) part.close();
    letGo();
    using made = await work;
    expect(made.kernelNames).toEqual(['f']);
    expect(programs()).toBe(1);
  });

  test('does not begin where the signal was aborted before', async () => {
    await expect(cl.Program.link(ctx, parts, '', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    expect(fake.calls).not.toContain('clLinkProgram');
  });
});

test('linkProgram() takes a limit, and no signal, which nothing could abort', () => {
  using made = cl.linkProgram(ctx, parts, '', { timeoutMs: 1000 });
  expect(made.kernelNames).toEqual(['f']);
  const { signal } = new AbortController();
  expect(() => cl.linkProgram(ctx, parts, '', { signal })).toThrow(/signal is for compilations that do not block/);
  expect(() => cl.linkProgram(ctx, parts, '', { timeoutMs: -1 })).toThrow(/timeoutMs must be an integer from 0/);
});

test('Program.compileObject() keeps header programs that are closed while the driver works', async () => {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const clCompileProgram = (() => 0) as OpenCLTable['clCompileProgram'];
  provideAsync(clCompileProgram, () => held.then(() => 0));
  useOpenCL({ ...fake.table, clCompileProgram });
  const header = new cl.Program(ctx, '#define N 3');
  const before = programs() ?? 0;
  const work = cl.Program.compileObject(ctx, '#include "n.h"', '', { headers: { 'n.h': header } });
  header.close();
  expect(programs()).toBe(before + 2);
  end();
  (await work).close();
  expect(programs()).toBe(before);
});
