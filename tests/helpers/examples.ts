import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { isFull, some } from './full.ts';
import { lacks, openclChoices, openclDevices } from './opencl-devices.ts';
import { needs, type Needs } from './require.ts';
import { root } from './root.ts';

const folder = join(root, 'examples');
/** Every example, as a path in their folder. */
export const exampleFiles: readonly string[] = ['', 'cuda', 'nccl', 'opencl']
  .flatMap((part) => readdirSync(join(folder, part)).map((file) => join(part, file)))
  .filter((file) => /\.m?[jt]s$/.test(file) && file !== 'run.ts');
const built = needs.build();

/** What an example says that it requires. An unknown word is an error, so that nothing is passed over by a mistake. */
function need(word: string): Needs {
  const devices = /^(\d+) devices$/.exec(word)?.[1];
  if (devices !== undefined) return needs.cuda(Number(devices));
  if (/^[A-Z\d_]+$/.test(word)) return needs.attribute(word as Parameters<typeof needs.attribute>[0]);
  switch (word) {
    case 'cuda':
      return needs.cuda();
    case 'opencl':
      return needs.opencl();
    case 'arrays':
      return needs.arrays();
    case 'nvjitlink': {
      const gpu = needs.gpu();
      return gpu.missing === undefined ? needs.nvjitlink() : gpu;
    }
    case 'cudadevrt':
      return needs.gpu();
    default:
      throw new Error(`An example requires ${word}, which is not known`);
  }
}

/** Whether an OpenCL device has what an example requires: `images`, or an extension. */
function isAble(name: string, words: readonly string[]): boolean {
  const device = openclDevices.find(([known]) => known === name)?.[1];
  if (!device) return true;
  return words.every((word) => {
    if (word !== 'images' && !word.startsWith('cl_'))
      throw new Error(`An example requires ${word}, which is not known`);
    return !lacks(device, word, word === 'images' ? device.imageSupport : device.hasExtension(word));
  });
}

/** What an example says that it requires. */
export function requirements(file: string): readonly string[] {
  return /^\/\/ requires: (.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1]?.split(', ') ?? [];
}

/** Run the examples of one half, each on every device; without `npm run test:full`, every eighth on one device alone. */
export function runExamples(half: 'cuda' | 'opencl'): void {
  describe(`examples of ${half}`, () => {
    const isOpenCL = half === 'opencl';
    for (const file of some(
      exampleFiles.filter((one) => requirements(one)[0] === half),
      8,
      2,
    )) {
      const words = requirements(file);
      const wanted = isOpenCL ? words.slice(0, 1) : words;
      const lacking = [built, ...wanted.map(need)].find(({ missing }) => missing !== undefined);
      const able = isOpenCL ? openclChoices.filter(([name]) => isAble(name, words.slice(1))) : [['CUDA', {}] as const];
      // The embedded device is the last one, if it is there.
      const choices = isFull ? able : able.slice(-1);
      for (const [name, env] of choices) {
        (lacking ?? built).test(
          `${file} says PASSED on ${name}`,
          () => {
            const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', join(folder, file)], {
              cwd: root,
              encoding: 'utf8',
              env: { ...process.env, ...env },
            });
            expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
            expect(stdout).toContain('PASSED');
          },
          60_000,
        );
      }
    }
  });
}
