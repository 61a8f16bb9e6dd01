import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ELEMENTS, filled } from '../../src/cli/run/element-type.ts';
import { writeNpy } from '../../src/cli/run/npy.ts';
import { Program } from '../../src/cuda/index.ts';
import { runChild } from '../helpers/child.ts';
import { command } from '../helpers/command.ts';
import { needs } from '../helpers/require.ts';

// A disk that is really full: a file may be made there, and what is written into it ends half way.

const SOURCE = 'extern "C" __global__ void twice(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n';
const SIZE = 256 << 10;
const FULL = 'no space is left on the disk (ENOSPC)';

(needs.clang().missing === undefined ? needs.tmpfs() : needs.clang()).describe('a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-full-'));
  const disk = join(folder, 'disk');
  const at = (name: string): string => join(disk, name);
  const source = join(folder, 'twice.cu');
  const array = join(folder, 'x.npy');

  beforeAll(() => {
    mkdirSync(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk]).status).toBe(0);
    writeFileSync(source, SOURCE);
    const count = SIZE / 4;
    writeFileSync(array, writeNpy({ kind: ELEMENTS.i32, array: filled(ELEMENTS.i32, count, 3), shape: [count] }));
  });
  afterEach(() => {
    for (const name of readdirSync(disk)) rmSync(at(name), { recursive: true });
  });
  afterAll(() => {
    spawnSync('umount', [disk]);
    rmSync(folder, { recursive: true });
  });

  /** Leave so many bytes, in whole pages. */
  function fill(left: number): void {
    writeFileSync(at('filler'), new Uint8Array(SIZE - left));
  }

  const run = (...rest: string[]): string[] => [
    ...['run', source, 'twice', '--block', '4', '--device', 'cpu', '-a', array],
    ...rest,
    ...['-a', '4'],
  ];

  test('--save keeps the file that was there, and leaves no half of one', async () => {
    writeFileSync(at('out.npy'), 'before');
    fill(8192);
    const { code, stderr } = await command(run('--save', `x=${at('out.npy')}`));
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: --save x=${at('out.npy')}: ${FULL}\n` });
    expect(readFileSync(at('out.npy'), 'utf8')).toBe('before');
    expect(readdirSync(disk).sort()).toEqual(['filler', 'out.npy']);
  });

  test('--save makes no new file', async () => {
    fill(8192);
    expect((await command(run('--save', `x=${at('new.npy')}`))).code).toBe(1);
    expect(readdirSync(disk)).toEqual(['filler']);
  });

  test('compile -o leaves no half of a program', async () => {
    fill(0);
    const { code, stderr } = await command(['compile', source, '--wasm', '-o', at('twice.wasm')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: -o ${at('twice.wasm')}: ${FULL}\n` });
    expect(readdirSync(disk)).toEqual(['filler']);
  });

  test('Program.save() keeps the program that was there', () => {
    const program = Program.fromBytes(`.version 7.0\n.target sm_70\n.address_size 64\n${'// padding\n'.repeat(4096)}`);
    writeFileSync(at('k.program'), 'before');
    fill(8192);
    expect(() => {
      program.save(at('k.program'));
    }).toThrow(`Program.save could not write ${at('k.program')}: ENOSPC`);
    expect(readFileSync(at('k.program'), 'utf8')).toBe('before');
    expect(readdirSync(disk).sort()).toEqual(['filler', 'k.program']);
  });

  test('the compile cache keeps nothing, and the program runs', async () => {
    const script = `
      const { Context, InOut, SourceModule } = await import('@/src/cuda/index.ts');
      new Context();
      const numbers = new Int32Array(4).fill(4);
      new SourceModule(${JSON.stringify(SOURCE)}).getFunction('twice')(InOut(numbers), 4, { block: 4 });
      console.log(numbers.join());
      process.exit(0);`;
    const env = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CACHE_DIR: at('cache'), RAWKERNEL_NO_CACHE: '' };
    const files = (): string[] =>
      readdirSync(disk, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(at(name)).isFile());
    const room = await runChild(script, env);
    expect(room).toMatchObject({ code: 0, stdout: '8,8,8,8\n' });
    // So that something is kept where there is room.
    expect(files().some((name) => /[\da-f]{64}$/.test(name))).toBe(true);
    rmSync(at('cache'), { recursive: true });
    fill(0);
    const full = await runChild(script, env);
    expect(full).toMatchObject({ code: 0, stdout: '8,8,8,8\n' });
    expect(files()).toEqual(['filler']);
  }, 120_000);
});
