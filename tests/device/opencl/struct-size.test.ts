import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
typedef struct { int a; float b; char rest[1000]; } large_t;
struct pair { int a; int b; };
__kernel void large(__global int *out, large_t value) { out[0] = value.a; }
__kernel void small(__global int *out, struct pair value) { out[0] = value.a + value.b; }`;

needs.opencl().describe.each(openclRows)('Structs by value: %s', (_, device) => {
  test('have the size of their parameter', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using out = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    using prg = new cl.Program(ctx, SOURCE).build();
    const four = cl.struct({ a: 'i32' })({ a: 1 });
    const eight = cl.struct({ a: 'i32', b: 'i32' })({ a: 20, b: 22 });
    for (const name of ['large', 'small', 'large']) {
      expect(() => prg.kernel(name)(queue, 1, null, out, four)).toThrow(/1008 bytes|8 bytes|CL_INVALID_ARG_SIZE/);
    }
    prg.kernel('small')(queue, 1, null, out, eight);
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, out);
    expect(result[0]).toBe(42);
  });
});
