import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compile } from '../../../../src/cuda/compiler/compiler.ts';
import type { SourceOptions } from '../../../../src/cuda/compiler/source-options.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { needs } from '../../../helpers/require.ts';

const NVCC: SourceOptions = { compiler: 'nvcc', arch: 'compute_80' };
const TIMEOUT = 60_000;

// nvcc's code needs a device that runs it.
withFakeDriver();

needs.nvcc().describe('SourceModule with nvcc', () => {
  // Other tests run nvcc at the same time.
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-nvcc-test-'));
  beforeAll(() => {
    process.env['TMPDIR'] = folder;
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'an error shows the line and a caret',
    () => {
      const build = (): unknown => new SourceModule('__global__ void k(int *x) {\n  *x = yy;\n}', NVCC);
      expect(build).toThrow(CompileError);
      expect(build).toThrow(
        /^nvcc could not compile kernel\.cu\nkernel\.cu:2:8: identifier "yy" is undefined\n[^]*> 2 \| {3}\*x = yy;\n {4}\| {8}\^\n/,
      );
    },
    TIMEOUT,
  );

  test(
    'a wrong option is an error that names it',
    () => {
      const build = (): unknown => new SourceModule('', { ...NVCC, options: ['--no-such-option'] });
      expect(build).toThrow(/^nvcc could not compile kernel\.cu\nerror: Unknown option '--no-such-option'/);
    },
    TIMEOUT,
  );

  test(
    'an option is not a command: there is no shell',
    () => {
      const folder = readdirSync('.');
      using module = new SourceModule('', { ...NVCC, options: ['-DX=$(exit 1);touch${IFS}nowhere'] });
      expect(module.closed).toBe(false);
      expect(readdirSync('.')).toEqual(folder);
    },
    TIMEOUT,
  );

  test(
    'templates, overloads and extern "C" are found, and nothing is left behind',
    () => {
      const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('rawkernel-nvcc-'));
      const before = folders();
      using module = new SourceModule(
        `template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
       __global__ void over(int *x) {}
       __global__ void over(float *x) {}
       extern "C" __global__ void plain(unsigned int n) {}`,
        { ...NVCC, nameExpressions: ['scale<float>'] },
      );
      expect(module.getFunction('scale<float>').signature).toBe('scale<float>(float *x, float by)');
      expect(module.getFunction('over(float *)').symbol).toBe('_Z4overPf');
      expect(module.getFunction('plain').signature).toBe('plain(unsigned int n)');
      expect(module.getFunction('scale<double>').signature).toBe('scale<double>(double *x, double by)');
      expect(folders().filter((name) => !before.includes(name))).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    'machine code comes with its PTX',
    () => {
      const { code, ptx } = compile('__global__ void k(int *x) {}', { compiler: 'nvcc', arch: 'sm_80' }, () => 80);
      expect([...code.subarray(0, 4)]).toEqual([0x7f, 0x45, 0x4c, 0x46]);
      expect(ptx).toMatch(/\.entry _Z1kPi/);
    },
    TIMEOUT,
  );

  test(
    'compile() does not block',
    async () => {
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const module = await SourceModule.compile('__global__ void later() {}', { ...NVCC, cache: false });
      clearInterval(timer);
      expect(turns).toBeGreaterThan(3);
      module.close();
      await expect(SourceModule.compile('nonsense', NVCC)).rejects.toThrow(CompileError);
    },
    TIMEOUT,
  );
});
