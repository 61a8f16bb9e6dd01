import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { paintReport, wantsColours } from '../../../src/core/colours.ts';
import { formatMessage } from '../../../src/core/errors.ts';
import { hostPlace, hostTrace } from '../../../src/core/host-place.ts';
import { KernelReport, type ReportDetails } from '../../../src/core/kernel-report.ts';
import { OpenCLError } from '../../../src/opencl/errors.ts';
import { root } from '../../helpers/root.ts';

const FILE = 'kernel.cu';
const SOURCE = Array.from({ length: 40 }, (_, i) => `line ${i + 1};`).join('\n');
const at = (line: number): NonNullable<ReportDetails['place']> => {
  const caller = { file: FILE, line: 30, function: 'outer' };
  const called = { file: FILE, line: 31, function: 'inner', inlinedAt: { ...caller, inlinedAt: caller } };
  return { file: FILE, line, column: 2, function: 'rotate', inlinedAt: called };
};
const RACE: ReportDetails = {
  kind: 'shared-race',
  summary: 'race on shared memory: read of cache[1] by thread (0, 0, 0) of block (0, 0, 0) of rotate',
  kernel: 'rotate',
  thread: [0, 0, 0],
  block: [0, 0, 0],
  blockSize: [64, 1, 1],
  access: 'read',
  variable: 'cache[1]',
  address: 64n,
  place: at(7),
  others: [{ what: 'thread (33, 0, 0) writes the same', place: at(4), thread: [33, 0, 0], access: 'write' }],
  notes: ['cache has 64 elements'],
  launchedAt: 'program.ts:20',
  cure: '__syncthreads() between the two',
  count: 63,
};
const race = new KernelReport(RACE, { text: SOURCE, file: FILE });

describe('a report', () => {
  test('ends with its cure, and fits a screen', () => {
    const lines = String(race).split('\n');
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines.slice(-4)).toEqual([
      'cache has 64 elements',
      'launched at program.ts:20',
      'found 63 times here',
      'cure: __syncthreads() between the two',
    ]);
    const plain = { ...at(7), inlinedAt: undefined };
    const usual = new KernelReport({ ...RACE, place: plain, others: [{ what: 'x', place: plain }] });
    expect(String(usual).split('\n').length).toBeLessThanOrEqual(20);
  });

  test('is plain data in JSON', () => {
    expect(JSON.parse(JSON.stringify(race))).toMatchObject({
      ...{ kind: 'shared-race', variable: 'cache[1]', access: 'read', address: '0x40', blockSize: [64, 1, 1] },
      ...{ cure: '__syncthreads() between the two', launchedAt: 'program.ts:20', count: 63 },
    });
  });

  test('is printed as its text, in colours on request', () => {
    expect(inspect(race)).toBe(String(race));
    expect(inspect([race], { colors: true })).toContain('\x1b[32mcure: __syncthreads() between the two\x1b[39m');
    // eslint-disable-next-line no-control-regex -- colours are made of control characters
    expect(paintReport(String(race)).replace(/\x1b\[\d+m/g, '')).toBe(String(race));
  });

  test('draws the block, both threads, the element and what is missing', () => {
    const svg = race.toSVG();
    expect(svg.match(/<rect class="thread"/g)).toHaveLength(62);
    expect(svg).toMatch(/<rect class="first" x="64"/);
    expect(svg).toMatch(/<rect class="second" x="84"/);
    for (const text of ['thread (0, 0, 0)', 'reads cache[1], line 7', 'writes cache[1], line 4', 'cache[1]']) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).toContain('>__syncthreads() is missing here</text>');
  });

  test('draws of a large block only rows in which something happens, and no markup of the source', () => {
    const summary = 'out-of-bounds write of list<int>[0] by work-item (900, 0, 0)';
    const big: ReportDetails = { ...RACE, kind: 'out-of-bounds', summary, thread: [900, 0, 0], others: [] };
    const svg = new KernelReport({ ...big, blockSize: [1024, 1, 1] }).toSVG();
    expect(svg.match(/<rect class="(?:thread|first)" x="\d+" y="\d+" width="16"/g)).toHaveLength(64);
    expect(svg).toContain('30 more rows');
    expect(svg).toContain('1024 work-items');
    expect(svg).not.toContain('<int>');
  });
});

describe('colours', () => {
  test.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true, hasColors: () => false }, {}, false],
    [{}, {}, false],
    [{}, { FORCE_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  ])('on %j with %j: %s', (stream, env, wanted) => {
    expect(wantsColours(stream, env)).toBe(wanted);
  });
});

describe('an error of a kernel', () => {
  test('has the report first, and the call that noticed it last', () => {
    const text = formatMessage({ found: [race], headline: 'cuCtxSynchronize failed: X', docs: 'link' });
    expect(text).toBe(`${String(race)}\ncuCtxSynchronize failed: X`);
    const many = formatMessage({ found: ['a', 'b', 'c', 'd', 'e'], headline: 'f failed' });
    expect(many.split('\n')).toEqual(['a', 'b', 'c', '… and 2 more in error.reports', 'f failed']);
  });

  test('does not print its reports again', () => {
    const error = new OpenCLError('clFinish', -5, { reports: [race] });
    expect(error.message.startsWith(race.summary)).toBe(true);
    expect(error.message.endsWith('\nclFinish failed: CL_OUT_OF_RESOURCES')).toBe(true);
    expect(Object.keys(error)).not.toContain('reports');
    expect(error.reports).toEqual([race]);
  });
});

test('the place of the program is the first line that is not the package’s own', () => {
  expect(hostPlace(hostTrace())).toMatch(/^tests[\\/]unit[\\/]core[\\/]kernel-report\.test\.ts:\d+$/);
  expect(hostPlace(undefined)).toBeUndefined();
  expect(hostPlace({ stack: 'Error\n    at node:internal/x:1:1' })).toBeUndefined();
});

test('the place of the program is found behind built code, under source maps too', () => {
  const own = ['dist/chunks/cuda.js:1:1', 'src/cuda/call.ts:2:2'].map((place) => `    at f (${join(root, place)})`);
  const stack = ['Error', ...own, `    at g (${join(root, 'program', 'main.ts')}:7:3)`].join('\n');
  expect(hostPlace({ stack })).toBe(`${join('program', 'main.ts')}:7`);
  for (const cli of ['dist/cli/run.js', 'src/cli/run.ts']) {
    expect(hostPlace({ stack: `Error\n    at f (${join(root, cli)}:1:1)\n${stack}` })).toBeUndefined();
  }
});
