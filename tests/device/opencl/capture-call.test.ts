import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { runChild } from '../../helpers/child.ts';
import { choiceOf, lacks, numbers, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const mf = cl.MemFlags;
const SOURCE = `// A \`backtick\`, a \${dollar} and a \\\\ backslash
typedef struct { int n; float by; } settings;
__kernel void blend(__global float4 *out, __global const float *in, __global const float *same, float4 add, settings s,
                  long big, double_or_float tiny, __local float *scratch, __global int *none, __global uchar *odd)
{
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = scratch[get_local_size(0) - 1 - get_local_id(0)] + same[i];
  out[i] = add * s.by + x + (float)(s.n + (int)(big >> 40)) + (float)tiny + (none == 0 ? 1.0f : 0.0f);
  odd[i % 3] = (uchar)(i % 3 + N);
}
__kernel void pixels(read_only image2d_t in, sampler_t s, write_only image2d_t out, __global int *n)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, at) * 2);
  if (at.x == 0 && at.y == 0) n[0] = get_image_width(in);
}
__kernel void shared_one(__global int *a) { a[get_global_id(0)] += (int)get_global_id(0); }`;
const OPTIONS = ['-DN=7', '-Ddouble_or_float=float'];
const Settings = cl.struct({ n: 'i32', by: 'f32' });

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program;
  let folder: string;

  beforeAll(() => {
    // As a user's folder, where the package is installed.
    folder = mkdtempSync(join(tmpdir(), 'rawkernel-captured-'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'rawkernel'), 'junction');
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build(OPTIONS);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    for (const resource of [prg, queue, ctx]) resource.close();
  });

  /** What a captured program leaves in memory: class and numbers of each array. */
  const resultsOf = async (file: string): Promise<Record<string, readonly [string, number[]]>> => {
    const main = `import { results } from '${pathToFileURL(file).href}';
      const rows = Object.entries(results).map(([name, array]) => [name, [array.constructor.name, [...array]]]);
      console.log('RESULTS' + JSON.stringify(Object.fromEntries(rows)));`;
    const { code, stdout, stderr } = await runChild(main, choiceOf(device));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout.slice(stdout.indexOf('RESULTS') + 7)) as Record<string, [string, number[]]>;
  };
  const built = needs.build().test;

  built(
    'capture_call: the written program gives the same results',
    async () => {
      const file = join(folder, 'blend.ts');
      const values = numbers(64);
      using out = new cl.Buffer(ctx, mf.WRITE_ONLY, 64 * 16);
      using input = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR | mf.HOST_NO_ACCESS, values);
      using odd = new cl.Buffer(ctx, mf.READ_WRITE, 3);
      cl.enqueueFill(queue, out, cl.float32(-1));
      cl.enqueueFill(queue, odd, cl.uint8(9));
      const add = cl.float4(1, -0, 2.5, 1e-3);
      const settings = Settings({ n: 3, by: 0.5 });
      const scratch = new cl.LocalMemory(8 * 4);
      const call = [out, input, input, add, settings, 2n ** 41n, 0.25, scratch, null, odd] as const;
      cl.captureCall(file, prg.kernel('blend'), queue, [64], [8], ...call);
      const before = new Float32Array(256);
      cl.enqueueCopy(queue, before, out);
      expect([...new Set(before)]).toEqual([-1]);

      prg.kernel('blend')(queue, [64], [8], ...call);
      const [floats, bytes] = [new Float32Array(256), new Uint8Array(3)];
      cl.enqueueCopy(queue, floats, out);
      cl.enqueueCopy(queue, bytes, odd);
      expect(await resultsOf(file)).toEqual({
        outArg: ['Float32Array', [...floats]],
        oddArg: ['Uint8Array', [...bytes]],
      });
      expect([...bytes]).toEqual([7, 8, 9]);
      expect(readFileSync(file, 'utf8').match(/new cl\.Buffer/g)).toHaveLength(3);
      expect(readFileSync(file, 'utf8')).not.toMatch(/from '\./);
    },
    60_000,
  );

  built(
    'captureCall() takes images and samplers along, and the offset',
    async () => {
      if (lacks(device, 'images', device.imageSupport)) return;
      const file = join(folder, 'pixels.ts');
      const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.FLOAT);
      const pixels = numbers(4 * 8 * 4);
      using image = new cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, format, [8, 4], pixels);
      using target = new cl.Image(ctx, mf.WRITE_ONLY | mf.COPY_HOST_PTR, format, [8, 4], new Float32Array(128));
      using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST);
      using n = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, Int32Array.of(-5));
      const call = [image, sampler, target, n, { offset: [4, 0] }] as const;
      cl.captureCall(pathToFileURL(file), prg.kernel('pixels'), queue, [4, 4], null, ...call);
      const doubled = [...pixels].map((x, i) => (Math.floor(i / 4) % 8 < 4 ? 0 : 2 * x));
      const { outArg, nArg } = await resultsOf(file);
      expect(nArg).toEqual(['Int32Array', [-5]]);
      expect([...new Float32Array(Uint8Array.from(outArg?.[1] ?? []).buffer)]).toEqual(doubled);
    },
    60_000,
  );

  built(
    'captureCall() takes shared memory along',
    async () => {
      const coarse = device.platform.atLeast(2, 0) && (device.svmCapabilities & 1) !== 0;
      if (lacks(device, 'coarse-grained SVM', coarse)) return;
      const file = join(folder, 'shared.ts');
      using a = cl.csvmEmpty(ctx, 5, 'i32');
      cl.enqueueSVMMemFill(queue, a, cl.int32(10));
      cl.captureCall(file, prg.kernel('shared_one'), queue, 5, null, a);
      expect(await resultsOf(file)).toEqual({ aArg: ['Int32Array', [10, 11, 12, 13, 14]] });
    },
    60_000,
  );

  test('captureCall() refuses arguments that it cannot write, and wrong calls', () => {
    const file = join(tmpdir(), 'rawkernel-never-written.ts');
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 16);
    using binary = cl.Program.fromBinaries(ctx, prg.binaries).build();
    const shared = prg.kernel('shared_one');
    for (const [capture, message] of [
      [() => cl.captureCall(file, binary.kernel('shared_one'), queue, 4, null, a), /has no source/],
      [() => cl.captureCall(file, shared, queue, 4, null), /takes 1 argument, got 0/],
      [() => cl.captureCall(file, shared, queue, 4, null, 5), /argument 0/],
      [() => cl.captureCall(file, shared, queue, 0, null, a), RangeError],
      [() => cl.captureCall(file, 5 as never, queue, 4, null, a), /takes a Kernel/],
      [() => cl.captureCall(file, shared, 5 as never, 4, null, a), /takes a CommandQueue/],
    ] as const) {
      expect(capture).toThrow(message);
    }
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
