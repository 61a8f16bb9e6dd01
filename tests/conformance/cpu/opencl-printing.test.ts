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
  const program = new cl.Program(ctx, process.argv[1]).build('-cl-std=CL1.2');
  program.kernel('numbers')(queue, 1, 1, 42, -7n, 1.5, 0.1);
  queue.finish();
  for (const name of ['vectors', 'mixed']) {
    if (process.argv[2] !== name) program.kernel(name)(queue, 1, 1, cl.float4(1, -2.5, 3, 1e10));
    queue.finish();
  }
  program.kernel('lines')(queue, 8, 4);
  queue.finish();
`;

const SOURCE = `
  kernel void numbers(int i, long l, float f, double d) {
    printf("%d %5d|%-5d|%05d %x %X %o %u %c %%\\n", i, i, i, i, i, 255, 8, 7u, 65);
    printf("%ld %lx %f %.2e %g %8.3f|%s\\n", l, l, f, d, d, d, "text");
    printf("%a %i %+d % d\\n", 1.0, i, i, i);
  }
  kernel void lines() { printf("item %d of group %d\\n", (int)get_local_id(0), (int)get_group_id(0)); }
  kernel void vectors(float4 v) {
    printf("%.1v4hlf\\n", v);
    printf("%v4hlg\\n", v);
    printf("%v2hld\\n", (int2)(1, -2));
    printf("%v3hhu\\n", (uchar3)(1, 2, 255));
    printf("%v4hd\\n", (short4)(-1, 2, -3, 4));
    printf("%v2lx\\n", (long2)(16, 255));
  }
  kernel void mixed(float4 v) { printf("%d: %.1v4hlf|%v2hld %s\\n", 5, v, (int2)(1, -2), "text"); }
`;

const WANTED = [
  '42    42|42   |00042 2a FF 10 7 A %',
  '-7 fffffffffffffff9 1.500000 1.00e-01 0.1    0.100|text',
  '0x1p+0 42 +42  42',
  '1.0,-2.5,3.0,10000000000.0',
  '1,-2.5,3,1e+10',
  '1,-2',
  '1,2,255',
  '-1,2,-3,4',
  '10,ff',
];
const MIXED = '5: 1.0,-2.5,3.0,10000000000.0|1,-2 text';
const LINES = Array.from({ length: 8 }, (_, i) => `item ${i % 4} of group ${Math.floor(i / 4)}`);

const { describe, test } = needs.build();

if (openclDevices.length === 0) needs.opencl().test('kernels that print', () => undefined);
else {
  describe('kernels that print', () => {
    test.each(openclDevices)(
      '%s',
      (_, device) => {
        // NVIDIA's printf loses what a format has behind a vector.
        const mixes = !lacks(device, 'text behind a vector in printf', !/nvidia/i.test(device.platform.name));
        const args = ['--input-type=module', '--eval', PROGRAM, SOURCE, mixes ? '' : 'mixed'];
        const { stdout, stderr, status } = spawnSync(process.execPath, args, {
          cwd: root,
          encoding: 'utf8',
          timeout: 60_000,
          env: { ...process.env, ...choiceOf(device) },
        });
        expect({ status, failed: status !== 0 && stderr }).toEqual({ status: 0, failed: false });
        const wanted = mixes ? [...WANTED, MIXED] : WANTED;
        const lines = stdout.split('\n').filter((line) => line !== '');
        expect(lines.slice(0, wanted.length)).toEqual(wanted);
        expect(lines.slice(wanted.length).sort()).toEqual([...LINES].sort());
      },
      60_000,
    );
  });
}
