import { describe, expect, test } from '@jest/globals';
import { csvRow } from '../../../src/cli/top/csv.ts';
import { fit, widthOf } from '../../../src/cli/fit.ts';
import type { GpuReading } from '../../../src/cli/top/gpu-reading.ts';
import { painter } from '../../../src/cli/output.ts';
import { sparkline } from '../../../src/cli/top/sparkline.ts';
import { History } from '../../../src/cli/top/history.ts';
import { draw, type View } from '../../../src/cli/top/view.ts';
import { Device } from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const fake = withFakeNvml();
const paint = painter({ isTTY: false, write: () => undefined }, {});
const coloured = painter({ isTTY: true, write: () => undefined }, {});

const LOST = { name: 'NvmlError', code: 'NVML_ERROR_GPU_IS_LOST', message: 'nvmlDeviceGetPowerUsage failed' };

function gpu(index: number, load: number, processes: GpuReading['processes'] = []): GpuReading {
  const fakeGpu = fake.gpus[index % 2] as (typeof fake.gpus)[0];
  fakeGpu.utilization.gpu = load;
  fakeGpu.milliwatts = 70_000 + 6000 * load;
  fakeGpu.throttle = load > 90 ? 0x4n : 1n;
  const snapshot = { ...new Device(index % 2).snapshot(), index };
  return { index, name: fakeGpu.name, uuid: fakeGpu.uuid, snapshot, processes, error: undefined };
}

function lost({ index, name, uuid }: GpuReading): GpuReading {
  return { index, name, uuid, snapshot: undefined, processes: [], error: LOST };
}

function process(pid: number, name: string | undefined, usedBytes: number | undefined): GpuReading['processes'][0] {
  const part = { gpuInstanceId: undefined, computeInstanceId: undefined, memoryPercent: undefined };
  return { ...part, pid, name, kinds: ['compute'], usedBytes, smPercent: pid % 2 === 0 ? 37 : undefined };
}

const WORK = [
  process(4242, '/usr/bin/python3 train.py --layers 96 --batch 64 --precision bf16 --resume latest', 60_000_000_000),
  process(77, undefined, undefined),
];

/** ESC as a character that can be seen. */
function seen(text = ''): string {
  return text.replaceAll('\x1b', '^');
}

/** After 30 readings with more and more load. */
function view(count: number, last: (gpus: GpuReading[]) => GpuReading[] = (gpus) => gpus): View {
  const history = new History();
  let gpus: GpuReading[] = [];
  for (let i = 1; i <= 30; i++) {
    gpus = Array.from({ length: count }, (_, g) => gpu(g, Math.min(100, 4 * i), g === 0 ? WORK : []));
    if (i === 30) gpus = last(gpus);
    history.add({ timeMs: 0, gpus });
  }
  const versions = 'driver 580.65.06, CUDA 13.1';
  return { versions, time: '12:34:56', intervalSeconds: 1, reading: { timeMs: 0, gpus }, history };
}

describe('the live view', () => {
  test.each([
    [80, 24],
    [40, 12],
    [200, 50],
  ])('at %i x %i', (columns, rows) => {
    expect(draw(view(2), columns, rows, paint).join('\n')).toMatchSnapshot();
  });

  test('blocks stand side by side before they give way to lines', () => {
    expect(draw(view(8), 200, 50, paint).join('\n')).toMatchSnapshot();
    expect(draw(view(8), 80, 24, paint).join('\n')).toMatchSnapshot();
  });

  test('a GPU that is lost says so, and the others go on', () => {
    const second = view(2, ([first, other]) => (first && other ? [first, lost(other)] : []));
    expect(draw(second, 80, 24, paint).join('\n')).toMatchSnapshot();
    expect(draw(second, 40, 12, paint)).toContainEqual(expect.stringMatching(/^GPU 1 {2}NVML_ERROR_GPU_IS_LOST *$/));
  });

  test('no line is wider than the terminal, and there are no more of them', () => {
    const views = [view(1), view(8), view(2, (gpus) => gpus.map(lost))];
    for (const each of views) {
      for (const [columns, rows] of [
        [1, 1],
        [10, 3],
        [25, 8],
        [41, 17],
        [79, 24],
        [133, 40],
        [400, 100],
      ] as const) {
        for (const colours of [paint, coloured]) {
          const lines = draw(each, columns, rows, colours);
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
        }
      }
    }
  });

  test('colours tell what is much', () => {
    const [first] = fake.gpus as [(typeof fake.gpus)[0]];
    first.celsius = 90;
    const text = draw(view(1), 80, 24, coloured).join('\n');
    first.celsius = 41;
    expect(seen(text)).toMatch(/temp.*\^\[31m/);
    expect(seen(text)).toMatch(/load.*\^\[32m/);
    expect(text).toMatch(/slowed by swPowerCap/);
  });
});

test('a sparkline has the newest to the right, and gaps', () => {
  expect(sparkline([0, 0.2, undefined, 0.5, 1, 2, -1, NaN], 10)).toBe('  ▁▂ ▅██▁ ');
  expect(sparkline([0, 0.5, 1], 2)).toBe('▅█');
  expect(sparkline([1], 0)).toBe('');
});

test('a history keeps no more than it needs', () => {
  const history = new History();
  const reading = { timeMs: 0, gpus: [gpu(0, 50)] };
  for (let i = 0; i < 1100; i++) history.add(reading);
  expect(history.of(0, 0)).toHaveLength(1024);
  expect(history.of(7, 0)).toEqual([]);
});

test('text fits its columns, whatever it is made of', () => {
  expect(fit('abc', 5)).toBe('abc  ');
  expect(fit('abc', 5, 'right')).toBe('  abc');
  expect(fit('abcdef', 4)).toBe('abc…');
  expect(fit('火花火花', 6)).toBe('火花… ');
  expect(fit('a\x1b[2Jb\nc\u202e', 9)).toBe('a?[2Jb?c?');
  expect(fit('abc', 0)).toBe('');
});

test('a cell of CSV is quoted where it must be', () => {
  expect(csvRow(['a', 1.5, undefined, true, 'b, "c"\nd'])).toBe('a,1.5,,true,"b, ""c""\nd"\n');
});
