import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KernelReport } from '../../../src/core/kernel-report.ts';
import * as cl from '../../../src/opencl/index.ts';
import { firstOfEach } from '../../helpers/full.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../helpers/opencl-devices.ts';
import { findings, type Finding } from './broken/broken-kernel.ts';
import { brokenBounds } from './broken-opencl/bounds.ts';
import type { Argument, BrokenKernel, Launch } from './broken-opencl/broken-kernel.ts';
import { brokenLatest } from './broken-opencl/latest.ts';
import { brokenOrder } from './broken-opencl/races.ts';
import { brokenUndefined } from './broken-opencl/undefined.ts';
import { printTally, Tally } from './broken/tally.ts';
import { withoutReports } from '../../helpers/without-reports.ts';

withoutReports();

const broken = [...brokenBounds, ...brokenOrder, ...brokenLatest, ...brokenUndefined].map(
  (one) => [one.name, one] as const,
);

/** The words that OpenCL has for the same. */
const words: Partial<Record<Finding, RegExp>> = {
  'shared-race': /\brace\b[^]*local|local[^]*\brace\b/i,
};

const device = embeddedOpenCL;
embeddedDescribe()('the checked mode finds what is wrong in OpenCL C', () => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  const tally = new Tally();
  beforeAll(() => {
    ctx = new cl.Context(device as cl.Device, { check: 'report' });
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
    printTally(tally);
  });

  test.each(firstOfEach(broken, ([, { finding }]) => finding))(
    '%s',
    (_, one) => {
      const known = ctx.reports.length;
      run(one);
      const reports = ctx.reports.slice(known);
      const found = reports.map(textOf);
      const { finding, source } = one;
      const fits = (report: KernelReport): boolean => (words[finding] ?? findings[finding]).test(textOf(report));
      const said = { finding, source, lines: markedLines(one), fitting: reports.filter(fits) };
      const { strange } = tally.note(said);
      expect(found).not.toEqual([]);
      const fitting = found.filter((text) => (words[one.finding] ?? findings[one.finding]).test(text));
      expect({ fitting: fitting.length > 0, found }).toMatchObject({ fitting: true });
      expect(strange).toEqual([]);
      for (const line of markedLines(one)) expect(fitting.join('\n')).toMatch(new RegExp(`<kernel>:${line}\\b`));
      for (const { summary, others } of ctx.reports.slice(known)) {
        const said = [summary, ...others.map(({ what }) => what)].join('\n');
        expect(said).not.toMatch(/\b(?:threads?|blocks?|warps?)\b/);
      }
    },
    60_000,
  );

  function run({ source, memory, launches, freed, options = '' }: BrokenKernel): void {
    using program = new cl.Program(ctx, source).build(options);
    const buffers = Object.fromEntries(
      Object.entries(memory).map(([name, content]) => [
        name,
        typeof content === 'number'
          ? new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, content)
          : new cl.Buffer(ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, content),
      ]),
    );
    try {
      launches.forEach((launch, i) => {
        if (freed !== undefined && i === launches.length - 1) buffers[freed]?.close();
        enqueue(program, launch, buffers);
        queue.finish();
      });
    } finally {
      for (const buffer of Object.values(buffers)) buffer.close();
    }
  }

  function enqueue(
    program: cl.Program,
    { kernel, args, global, local }: Launch,
    buffers: Readonly<Record<string, cl.Buffer>>,
  ): void {
    using entry = program.kernel(kernel);
    const valueOf = (arg: Argument): cl.KernelArgument => {
      if (typeof arg === 'string') return buffers[arg] as cl.Buffer;
      return typeof arg === 'object' && arg !== null ? new cl.LocalMemory(arg.local) : arg;
    };
    entry(queue, global, local ?? null, ...args.map(valueOf));
  }
});

/** A report in both its forms. */
function textOf(report: KernelReport): string {
  return `${report.toString()} ${JSON.stringify(report)}`;
}

function markedLines({ source, finding }: BrokenKernel): number[] {
  return source.split('\n').flatMap((line, i) => (line.trimEnd().endsWith(`// <- ${finding}`) ? [i + 1] : []));
}

describe('the broken kernels of OpenCL', () => {
  test('are sixty at least, and each marks a line', () => {
    expect(broken.length).toBeGreaterThanOrEqual(60);
    expect(broken.filter(([, one]) => markedLines(one).length === 0)).toEqual([]);
    expect(new Set(broken.map(([name]) => name)).size).toBe(broken.length);
  });
});
