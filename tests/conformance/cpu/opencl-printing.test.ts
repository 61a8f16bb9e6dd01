import { spawnSync } from 'node:child_process';
import { expect } from '@jest/globals';
import { choiceOf, lacks, openclDevices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

// What a kernel prints goes past JavaScript: it runs in a process of its own.
const PROGRAM = `
  import * as cl from 'rawkernel/opencl';
  const ctx = cl.createSomeContext({ interactive: false });
  const queue = new cl.CommandQueue(ctx);
  const [plain, vectors] = process.argv.slice(1).map((text) => new cl.Program(ctx, text).build('-cl-std=CL1.2'));
  plain.kernel('numbers')(queue, 1, 1, 42, -7n, 1.5, 0.1);
  queue.finish();
  vectors?.kernel('vectors')(queue, 1, 1, cl.float4(1, -2.5, 3, 1e10));
  queue.finish();
  plain.kernel('lines')(queue, 8, 4);
  queue.finish();
`;

const PLAIN = `
  kernel void numbers(int i, long l, float f, double d) {
    printf("%d %5d|%-5d|%05d %x %X %o %u %c %%\\n", i, i, i, i, i, 255, 8, 7u, 65);
    printf("%ld %lx %f %.2e %g %8.3f|%s\\n", l, l, f, d, d, d, "text");
    printf("%a %i %+d % d\\n", 1.0, i, i, i);
  }
  kernel void lines() { printf("item %d of group %d\\n", (int)get_local_id(0), (int)get_group_id(0)); }
`;

const VECTORS = `
  kernel void vectors(float4 v) {
    printf("%.1v4hlf|%v2hld|%v3hhu|%v4hd|%v2lx\\n", v, (int2)(1, -2), (uchar3)(1, 2, 255), (short4)(-1, 2, -3, 4), (long2)(16, 255));
    printf("%v4hlg\\n", v);
  }
`;

const WANTED = [
  '42    42|42   |00042 2a FF 10 7 A %',
  '-7 fffffffffffffff9 1.500000 1.00e-01 0.1    0.100|text',
  '0x1p+0 42 +42  42',
];
const WANTED_VECTORS = ['1.0,-2.5,3.0,10000000000.0|1,-2|1,2,255|-1,2,-3,4|10,ff', '1,-2.5,3,1e+10'];
const LINES = Array.from({ length: 8 }, (_, i) => `item ${i % 4} of group ${Math.floor(i / 4)}`);

const { describe, test } = needs.build();

if (openclDevices.length === 0) needs.opencl().test('kernels that print', () => undefined);
else {
  describe('kernels that print', () => {
    test.each(openclDevices)(
      '%s',
      (_, device) => {
        // NVIDIA's compiler takes the formats of vectors, and its assembler then refuses what came out.
        const vectors = !lacks(device, 'vectors in printf', !/nvidia/i.test(device.platform.name));
        const sources = vectors ? [PLAIN, VECTORS] : [PLAIN];
        const { stdout, stderr, status } = spawnSync(
          process.execPath,
          ['--input-type=module', '-e', PROGRAM, ...sources],
          { cwd: root, encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...choiceOf(device) } },
        );
        expect({ status, failed: status !== 0 && stderr }).toEqual({ status: 0, failed: false });
        const wanted = vectors ? [...WANTED, ...WANTED_VECTORS] : WANTED;
        const lines = stdout.split('\n').filter((line) => line !== '');
        expect(lines.slice(0, wanted.length)).toEqual(wanted);
        expect(lines.slice(wanted.length).sort()).toEqual([...LINES].sort());
      },
      60_000,
    );
  });
}
