import { expect, test } from '@jest/globals';
import { nvrtcStatus, status as cudaStatus } from '../../src/cuda/sys/enums.ts';
import { status as ncclStatus } from '../../src/nccl/sys/enums.ts';
import { status as nvmlStatus } from '../../src/nvml/sys/enums.ts';
import { status as openclStatus } from '../../src/opencl/sys/enums.ts';
import { sourceFiles } from '../helpers/sources.ts';

// A status has its number in sys/enums.ts. Lower the numbers when copies go; they are not to be raised.
const MAX_COPIES: Readonly<Record<string, number>> = { 'src/cuda': 1 };

const rows: readonly (readonly [name: string, row: readonly [number, ...unknown[]]])[] = [
  cudaStatus,
  nvrtcStatus,
  ncclStatus,
  nvmlStatus,
  openclStatus,
]
  .flatMap((table) => Object.entries(table))
  .map(([key, row]) => [key.replace(/^[A-Z]+(?:_ERROR)?/, '') + '_', row]);

/** Constants that are called as a status is, and have its number, by their folder. */
function copies(): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const [path, file] of sourceFiles()) {
    for (const [line, name = '', value] of file.text.matchAll(/^(?:export )?const (\w+) = (-?\d+);$/gm)) {
      const isCopy = rows.some(
        ([key, [number]]) => number === Number(value) && number !== 0 && key.includes(`_${name}_`),
      );
      const folder = path.split('/').slice(0, 2).join('/');
      if (isCopy) (found[folder] ??= []).push(`${path}: ${line}`);
    }
  }
  return found;
}

test('statuses are not written down beside their table', () => {
  const found = copies();
  expect(Object.keys(MAX_COPIES)).toEqual(expect.arrayContaining(Object.keys(found)));
  for (const [folder, max] of Object.entries(MAX_COPIES)) {
    const here = found[folder] ?? [];
    expect(here.length > max ? here : []).toEqual([]);
  }
});
