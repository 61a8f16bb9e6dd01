import { describe, expect } from '@jest/globals';
import { needs } from '../helpers/require.ts';
import { check } from '../helpers/type-program.ts';

/** A half: its program of a source, and kernels for it that are read, found and called. */
interface Half {
  readonly head: string;
  readonly kernel: (i: number) => string;
  readonly call: (i: number) => string;
  /** The same by a function that takes any kernel and its arguments. */
  readonly generic: (i: number) => string;
  /** Instantiations a kernel, as measured: what is read of it, all with its call, what a first generic call takes more. */
  readonly budget: { readonly read: number; readonly call: number; readonly generic: number };
}

const BODY = '{\n  int i = index();\n  if (i < n) y[i] = a * x[i] / 2;\n}\n';

const halves: Readonly<Record<string, Half>> = {
  CUDA: {
    head: `import { Graph, SourceModule, memAlloc } from '../../src/cuda/index.ts';
      const x = memAlloc(4);
      const made = new SourceModule`,
    kernel: (i) => `\n/* The kernel ${i}. */\n__global__ void kernel_${i}(int n, float a, const float *x${i},
      float *y, unsigned int flags)\n${BODY}`,
    call: (i) => `made.getFunction('kernel_${i}')(4, 2, x, x, 3, { block: 1 });`,
    generic: (i) => `new Graph().addKernel(made.getFunction('kernel_${i}'), [4, 2, x, x, 3], { block: 1 });`,
    budget: { read: 100, call: 440, generic: 500 },
  },
  OpenCL: {
    head: `import { Program, captureCall, type Buffer, type CommandQueue, type Context } from '../../src/opencl/index.ts';
      declare const ctx: Context, queue: CommandQueue, x: Buffer;
      const made = new Program`,
    kernel: (i) => `\n/* The kernel ${i}. */\n__kernel void kernel_${i}(int n, float a, __global const float *x${i},
      __global float *y, uint flags)\n${BODY}`,
    call: (i) => `made.kernel('kernel_${i}')(queue, 4, null, 4, 2, x, x, 3);`,
    generic: (i) => `captureCall('a.ts', made.kernel('kernel_${i}'), queue, 4, null, 4, 2, x, x, 3);`,
    budget: { read: 140, call: 560, generic: 9_300 },
  },
};

function program({ head, kernel, call }: Half, kernels: number, calls: number, prefix = '', type = ''): string {
  const source = prefix + Array.from({ length: kernels }, (_, i) => kernel(i)).join('');
  const context = head.includes('Program') ? 'ctx, ' : '';
  const lines = Array.from({ length: calls }, (_, i) => call(i));
  return `${head}(${context}\`${source}\`${type});\n${lines.join('\n')}\nexport { made };`;
}

needs.full().describe('what typed kernels cost the type checker', () => {
  describe.each(Object.entries(halves))('%s', (_, half) => {
    const { test } = needs.full();
    const cost = (kernels: number, calls: number, prefix?: string): number => {
      const { errors, instantiations } = check(program(half, kernels, calls, prefix));
      expect(errors).toEqual([]);
      return instantiations - check(program(half, kernels, calls, prefix, ' as string')).instantiations;
    };

    test('instantiations a kernel', () => {
      const read = (cost(100, 1) - cost(10, 1)) / 90;
      const call = (cost(100, 100) - cost(10, 10)) / 90;
      expect(read).toBeLessThan(1.2 * half.budget.read);
      expect(call).toBeLessThan(1.2 * half.budget.call);
    });

    test('a source of 1 MB costs what one of 1 kB does', () => {
      const filler = 'float filler(float x) { return x / 3; }\n';
      expect(cost(1, 1, filler.repeat(26_000))).toBe(cost(1, 1, filler));
    });

    test('the first call that is generic itself does not have the reader of lists inferred into', () => {
      const { generic, call } = half;
      const made = check(program({ ...half, call: generic }, 1, 1)).instantiations;
      expect(made - check(program({ ...half, call }, 1, 1)).instantiations).toBeLessThan(1.2 * half.budget.generic);
    });

    test('more kernels than can be read leave the source untyped, and are no error', () => {
      const tooFew = (kernels: number): readonly string[] =>
        check(program(half, kernels, 1).replace('4, 2, x, x, 3', '4, 2, x, x')).errors;
      expect(tooFew(890)).toEqual([expect.stringMatching(/^Expected \d/)]);
      expect(tooFew(2000)).toEqual([]);
    });
  });
});
